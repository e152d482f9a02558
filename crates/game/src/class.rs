//! What kind of game it is, by data: from the rules, and from what was seen along random
//! matches.
//!
//! What is said of all states is said of those that were seen: a class is evidence, not
//! proof. With the same game, engine, seed and counted limits it is the same.

use crate::{Game, InfoSet, Knowledge, MoveId, RoleId, Scratch, State, TermId, Unanswered, View};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Instant;

/// The kind of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// How many roles there are besides `random`.
    pub players: usize,
    /// Whether there is a role `random`.
    pub chance: bool,
    /// Who chooses when.
    pub turns: Turns,
    /// Who is told what.
    pub information: Information,
    /// Whether a player did and saw the same in two matches that had come to different
    /// states: then percepts do not tell the state. Without percepts there is no question.
    pub uncertain: bool,
    /// What the players' goals sum up to in every end that was seen, if always the same. With
    /// two players or more that is a zero-sum game, whatever the constant.
    pub sum: Option<i64>,
    /// The smallest and the largest goal of a player in an end that was seen.
    pub goals: Option<RangeInclusive<i64>>,
    /// How many ends were seen.
    pub ends: usize,
    /// How many states were seen.
    pub states: usize,
}

/// Who chooses when. To choose is to have more than one legal move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turns {
    /// There is one player at most.
    Solo,
    /// At most one player chose at a time.
    Alternating,
    /// Two players or more chose at the same time.
    Simultaneous,
}

/// Who is told what.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Information {
    /// The rules have no percepts: everyone is told every joint move, as in GDL.
    Perfect,
    /// The rules have percepts, and all players always saw the same. It may be less than the
    /// state: see [`Class::uncertain`].
    Shared,
    /// Some player saw what another did not.
    Hidden,
}

/// Something a game has that not every algorithm can handle.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// A role `random`.
    Chance,
    /// Roles are not told every move.
    HiddenInformation,
    /// Two players or more, of whom several may choose at the same time.
    SimultaneousMoves,
    /// More than one player.
    SeveralPlayers,
    /// More than two players.
    ManyPlayers,
    /// Two players or more whose goals do not sum up to a constant.
    GeneralSum,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::Chance => "chance",
            Feature::HiddenInformation => "hidden information",
            Feature::SimultaneousMoves => "simultaneous moves",
            Feature::SeveralPlayers => "more than one player",
            Feature::ManyPlayers => "more than two players",
            Feature::GeneralSum => "goals without a constant sum",
        })
    }
}

impl Game {
    /// Whether the rules have a feature. Chance, hidden information and the number of players are
    /// certain; for the others a [`Class`] is needed, see [`Class::has`].
    pub fn has(&self, feature: Feature) -> Option<bool> {
        let players = self.players().count();
        match feature {
            Feature::Chance => Some(self.chance().is_some()),
            Feature::HiddenInformation => Some(self.hides()),
            Feature::SeveralPlayers => Some(players > 1),
            Feature::ManyPlayers => Some(players > 2),
            Feature::SimultaneousMoves | Feature::GeneralSum if players < 2 => Some(false),
            Feature::SimultaneousMoves | Feature::GeneralSum => None,
        }
    }
}

/// How much is looked at.
#[derive(Copy, Clone, Debug)]
pub struct ClassLimits {
    /// How many matches are played.
    pub matches: usize,
    /// How many states are seen in all matches together.
    pub states: usize,
    /// No state is looked at after this time; the one at hand is finished.
    pub seconds: f64,
}

impl Default for ClassLimits {
    fn default() -> ClassLimits {
        ClassLimits {
            matches: 20,
            states: 2_000,
            seconds: 2.0,
        }
    }
}

impl Class {
    /// Plays random matches and tells what was seen.
    pub fn of(game: &Game, seed: u64, limits: &ClassLimits) -> Result<Class, Unanswered> {
        let mut survey = Survey::new(game, seed, limits);
        for _ in 0..limits.matches {
            survey.play()?;
        }
        Ok(survey.class)
    }

    /// Whether the game has a feature, as far as was seen.
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::Chance => self.chance,
            Feature::HiddenInformation => self.information == Information::Hidden || self.uncertain,
            Feature::SimultaneousMoves => self.turns == Turns::Simultaneous,
            Feature::SeveralPlayers => self.players > 1,
            Feature::ManyPlayers => self.players > 2,
            Feature::GeneralSum => self.players > 1 && self.sum.is_none(),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.players {
            0 => write!(f, "no player")?,
            1 => write!(f, "one player")?,
            2 => write!(f, "two players")?,
            players => write!(f, "{players} players")?,
        }
        f.write_str(if self.chance { " and chance" } else { "" })?;
        f.write_str(match self.turns {
            Turns::Solo => "",
            Turns::Alternating => ", alternating",
            Turns::Simultaneous => ", simultaneous",
        })?;
        f.write_str(match self.information {
            Information::Perfect => "",
            Information::Shared => ", shared percepts",
            Information::Hidden => ", hidden percepts",
        })?;
        f.write_str(if self.uncertain {
            ", uncertain state"
        } else {
            ""
        })?;
        if self.players > 1 && self.sum.is_some() {
            write!(f, ", zero-sum")?;
        }
        match &self.goals {
            Some(goals) if goals.start() == goals.end() => write!(f, ", goals {}", goals.start()),
            Some(goals) => write!(f, ", goals {} to {}", goals.start(), goals.end()),
            None => write!(f, ", no end seen"),
        }
    }
}

/// Matches being played, and what was seen so far.
struct Survey<'g> {
    game: &'g Game,
    limits: &'g ClassLimits,
    started: Instant,
    scratch: Scratch,
    random: Xoshiro256PlusPlus,
    /// All roles but chance.
    players: Vec<RoleId>,
    knowledge: Knowledge,
    /// The state in which each information set came up first.
    first_states: HashMap<InfoSet, State>,
    sums: BTreeSet<Option<i64>>,
    class: Class,
}

impl<'g> Survey<'g> {
    fn new(game: &'g Game, seed: u64, limits: &'g ClassLimits) -> Survey<'g> {
        let scratch = game.scratch();
        let chance = game.chance();
        let players: Vec<RoleId> = game.players().collect();
        let class = Class {
            players: players.len(),
            chance: chance.is_some(),
            turns: match players.len() {
                0 | 1 => Turns::Solo,
                _ => Turns::Alternating,
            },
            information: match game.has_percepts() {
                true => Information::Shared,
                false => Information::Perfect,
            },
            uncertain: false,
            sum: None,
            goals: None,
            ends: 0,
            states: 0,
        };
        Survey {
            game,
            limits,
            started: Instant::now(),
            scratch,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            knowledge: Knowledge::new(game.roles().len()),
            first_states: HashMap::new(),
            players,
            sums: BTreeSet::new(),
            class,
        }
    }

    /// Plays a match up to its end, to a role without a move, or to a limit.
    fn play(&mut self) -> Result<(), Unanswered> {
        let mut state = self.game.initial(&mut self.scratch)?;
        let mut known: Vec<InfoSet> = self.game.role_ids().map(InfoSet::first).collect();
        while !self.is_over() {
            let view = self.game.view(&mut self.scratch, &state)?;
            self.class.states += 1;
            if view.terminal {
                self.end(&view);
                break;
            }
            self.choices(&view);
            let Some(joint) = self.joint(&view) else {
                break;
            };
            let (next, percepts) = self.game.next(&mut self.scratch, &state, &joint)?;
            if self.class.information != Information::Perfect {
                self.percepts(&percepts);
                self.remember(&mut known, (&joint, &percepts), &next);
            }
            state = next;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        let seconds = self.started.elapsed().as_secs_f64();
        self.class.states >= self.limits.states || seconds > self.limits.seconds
    }

    fn choices(&mut self, view: &View) {
        let choosing = self
            .players
            .iter()
            .filter(|&&role| view.legal[role.index()].len() > 1);
        if choosing.count() > 1 {
            self.class.turns = Turns::Simultaneous;
        }
    }

    /// A random joint move; none if a role has no move.
    fn joint(&mut self, view: &View) -> Option<Vec<TermId>> {
        let mut one = |legal: &Vec<TermId>| {
            let number = self.random.next_u64().checked_rem(legal.len() as u64)?;
            Some(legal[number as usize])
        };
        view.legal.iter().map(&mut one).collect()
    }

    fn percepts(&mut self, percepts: &[Vec<TermId>]) {
        let mut seen = self.players.iter().map(|&role| &percepts[role.index()]);
        let first = seen.next();
        if seen.any(|other| Some(other) != first) {
            self.class.information = Information::Hidden;
        }
    }

    /// Takes what every player knows on by a turn.
    fn remember(
        &mut self,
        known: &mut [InfoSet],
        (joint, percepts): (&[TermId], &[Vec<TermId>]),
        state: &State,
    ) {
        for &role in &self.players {
            let place = role.index();
            // Terms tell moves and percepts apart as well as ids do, whichever engine answers.
            let own = MoveId::from(joint[place]);
            let seen: Vec<_> = percepts[place].iter().map(|&it| it.into()).collect();
            known[place] = self.knowledge.after(known[place], own, &seen);
            let first = self.first_states.entry(known[place]);
            self.class.uncertain |= first.or_insert_with(|| state.clone()) != state;
        }
    }

    fn end(&mut self, view: &View) {
        let terms = self.scratch.terms();
        let goal = |&goal: &TermId| terms.name(goal).parse::<i64>().ok();
        let goals = self
            .players
            .iter()
            .map(|&role| match &view.goals[role.index()][..] {
                [single] => goal(single),
                _ => None,
            });
        let goals: Vec<Option<i64>> = goals.collect();
        let add = |sum: i64, goal: &Option<i64>| sum.checked_add((*goal)?);
        self.sums.insert(goals.iter().try_fold(0, add));
        self.class.sum = match self.sums.len() {
            1 => self.sums.first().copied().flatten(),
            _ => None,
        };
        for goal in goals.into_iter().flatten() {
            let (low, high) = match &self.class.goals {
                Some(range) => (*range.start(), *range.end()),
                None => (goal, goal),
            };
            self.class.goals = Some(low.min(goal)..=high.max(goal));
        }
        self.class.ends += 1;
    }
}
