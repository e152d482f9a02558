//! Whether two sheets are the same game, by random matches in both at once.
//!
//! A joint move is drawn in the first game, and its partners are made in the second. Ends, legal
//! moves and goals are compared; fluents are each sheet's own business.

mod map;
mod pattern;

pub use map::{BadMap, BadRoles, Map};

use crate::random;
use game::{Game, Scratch, State, TermId, Unanswered, View};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::fmt;

/// Of how many moves a difference speaks.
const NAMED: usize = 5;

/// What follows from a state of each game.
type Views = (View, View);
/// A joint move of each game.
type Joints = (Vec<TermId>, Vec<TermId>);

/// One of the two games.
#[derive(Debug)]
pub struct Side {
    title: String,
    game: Game,
    scratch: Scratch,
}

impl Side {
    /// A game, and what it is called.
    pub fn new(title: String, game: Game) -> Side {
        Side {
            title,
            scratch: game.scratch(),
            game,
        }
    }

    fn initial(&mut self) -> Result<State, Unanswered> {
        self.game.initial(&mut self.scratch)
    }

    fn view(&mut self, state: &State) -> Result<View, Unanswered> {
        self.game.view(&mut self.scratch, state)
    }

    fn next(&mut self, state: &State, joint: &[TermId]) -> Result<State, Unanswered> {
        Ok(self.game.next(&mut self.scratch, state, joint)?.0)
    }

    fn role(&self, role: usize) -> String {
        self.scratch.terms().text(self.game.roles()[role])
    }

    /// The goals of a role, as text: one, if the game is well formed.
    fn goals(&self, goals: &[TermId]) -> String {
        let terms = self.scratch.terms();
        let mut goals: Vec<&str> = goals.iter().map(|&goal| terms.name(goal)).collect();
        goals.sort_unstable();
        match goals.is_empty() {
            true => "none".to_string(),
            false => goals.join(" or "),
        }
    }

    /// The moves that do not have one partner.
    fn unpaired(&self, partners: &[(TermId, usize)]) -> String {
        let terms = self.scratch.terms();
        let unpaired = partners.iter().filter(|(_, partners)| *partners != 1);
        let mut texts: Vec<String> = unpaired
            .map(|&(term, partners)| match partners {
                0 => terms.text(term),
                _ => format!("{} ({partners} partners)", terms.text(term)),
            })
            .collect();
        if texts.is_empty() {
            texts.push("none".to_string());
        }
        if texts.len() > NAMED {
            let more = texts.len() - NAMED;
            texts.truncate(NAMED);
            texts.push(format!("and {more} more"));
        }
        format!("{}: {}", self.title, texts.join(" "))
    }
}

/// How much is compared.
#[derive(Copy, Clone, Debug)]
pub struct Settings {
    /// How many matches are played.
    pub matches: usize,
    /// After how many turns a match is cut.
    pub turns: usize,
    /// The seed of the random choices.
    pub seed: u64,
}

/// The first difference that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the match, from 0.
    pub number: usize,
    /// The number of the turn, from 0; none before the first state.
    pub turn: Option<usize>,
    /// What differs.
    pub apart: Apart,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Difference { number, apart, .. } = self;
        match self.turn {
            Some(turn) => write!(out, "match {number}, turn {turn}: {apart}"),
            None => write!(out, "match {number}, {apart}"),
        }
    }
}

/// How two games differ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Apart {
    /// One is over, the other is not.
    #[error("{over} is over, {open} is not")]
    Over {
        /// The game that is over.
        over: String,
        /// The game that goes on.
        open: String,
    },
    /// A role gets something else.
    #[error("the goal of {role} differs: {ours}, {theirs}")]
    Goals {
        /// The role of the first game.
        role: String,
        /// Its goal in the first game, with its title.
        ours: String,
        /// The goal of its partner in the second game.
        theirs: String,
    },
    /// Moves do not have one partner each.
    #[error("the legal moves of {role} differ; without one partner:\n  {ours}\n  {theirs}")]
    Moves {
        /// The role of the first game.
        role: String,
        /// Moves of the first game.
        ours: String,
        /// Moves of the second game.
        theirs: String,
    },
    /// Rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// Two games that are compared.
#[derive(Debug)]
pub struct Comparison<'m> {
    ours: Side,
    theirs: Side,
    map: &'m Map,
    /// For each of our roles the number of theirs.
    roles: Vec<usize>,
    /// How many states were compared.
    pub states: usize,
    /// How many legal moves of the first game were compared.
    pub moves: usize,
}

impl<'m> Comparison<'m> {
    /// Compares two games whose names a map relates.
    pub fn new(ours: Side, theirs: Side, map: &'m Map) -> Result<Comparison<'m>, BadRoles> {
        let names = |side: &Side| -> Vec<String> {
            let roles = 0..side.game.roles().len();
            roles.map(|role| side.role(role)).collect()
        };
        let roles = map.roles(&names(&ours), &names(&theirs))?;
        Ok(Comparison {
            ours,
            theirs,
            map,
            roles,
            states: 0,
            moves: 0,
        })
    }

    /// Plays matches in both games, until the first difference.
    pub fn play(&mut self, settings: &Settings) -> Result<(), Difference> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        for number in 0..settings.matches {
            let played = self.play_one(&mut random, settings.turns);
            played.map_err(|(turn, apart)| Difference {
                number,
                turn,
                apart,
            })?;
        }
        Ok(())
    }

    /// Plays a match in both games, at most so many turns; tells the turn of a difference.
    fn play_one(
        &mut self,
        random: &mut impl Rng,
        turns: usize,
    ) -> Result<(), (Option<usize>, Apart)> {
        let before = |it: Unanswered| (None, it.into());
        let ours = self.ours.initial().map_err(before)?;
        let mut states = (ours, self.theirs.initial().map_err(before)?);
        for turn in 0..turns {
            if self.is_cut(&states) {
                break;
            }
            let next = self.turn(&states, random);
            match next.map_err(|it| (Some(turn), it))? {
                Some(next) => states = next,
                None => break,
            }
        }
        Ok(())
    }

    /// Whether a match is compared no further.
    fn is_cut(&self, (ours, theirs): &(State, State)) -> bool {
        let cuts = |side: &Side, state| self.map.cuts(side.scratch.terms(), state);
        cuts(&self.ours, ours) || cuts(&self.theirs, theirs)
    }

    /// Compares one state of each, and makes a move; none if the match is over.
    fn turn(
        &mut self,
        states: &(State, State),
        random: &mut impl Rng,
    ) -> Result<Option<(State, State)>, Apart> {
        let views = (self.ours.view(&states.0)?, self.theirs.view(&states.1)?);
        self.states += 1;
        if views.0.terminal || views.1.terminal {
            self.end(&views)?;
            return Ok(None);
        }
        let Some((ours, theirs)) = self.joint((&states.1, &views), random)? else {
            return Ok(None);
        };
        let next = self.ours.next(&states.0, &ours)?;
        Ok(Some((next, self.theirs.next(&states.1, &theirs)?)))
    }

    /// A joint move and its partner; none if a role has no move in either game.
    fn joint(
        &mut self,
        there: (&State, &Views),
        random: &mut impl Rng,
    ) -> Result<Option<Joints>, Apart> {
        let roles = 0..self.roles.len();
        let pairs: Result<Vec<_>, Apart> = roles.map(|role| self.pairs(role, there)).collect();
        let Some(joint) = random::joint(&pairs?, random) else {
            return Ok(None);
        };
        let mut ours = Vec::new();
        let mut theirs = vec![None; self.roles.len()];
        for (&role, (action, partner)) in self.roles.iter().zip(joint) {
            ours.push(action);
            theirs[role] = Some(partner);
        }
        Ok(Some((ours, theirs.into_iter().flatten().collect())))
    }

    /// Compares states of which one is terminal.
    fn end(&self, views: &Views) -> Result<(), Apart> {
        let (ours, theirs) = (&self.ours, &self.theirs);
        let over = |over: &Side, open: &Side| Apart::Over {
            over: over.title.clone(),
            open: open.title.clone(),
        };
        match (views.0.terminal, views.1.terminal) {
            (true, false) => return Err(over(ours, theirs)),
            (false, true) => return Err(over(theirs, ours)),
            _ if self.map.goals_differ => return Ok(()),
            _ => {}
        }
        for (role, &partner) in self.roles.iter().enumerate() {
            let here = ours.goals(&views.0.goals[role]);
            let there = theirs.goals(&views.1.goals[partner]);
            if here != there {
                return Err(Apart::Goals {
                    role: ours.role(role),
                    ours: format!("{here} in {}", ours.title),
                    theirs: format!("{there} in {}", theirs.title),
                });
            }
        }
        Ok(())
    }

    /// The legal moves of a role, each with its partner.
    fn pairs(
        &mut self,
        role: usize,
        there: (&State, &Views),
    ) -> Result<Vec<(TermId, TermId)>, Apart> {
        let (state, views) = there;
        let ours = &views.0.legal[role];
        let theirs = &views.1.legal[self.roles[role]];
        let name = self.ours.game.roles()[role];
        let (here, there) = (self.ours.scratch.terms(), self.theirs.scratch.terms());
        let mut pairs = Vec::new();
        for &action in ours {
            let partners = self.map.partners((here, name, action), (there, state));
            let fits = |other: &TermId| partners.iter().any(|it| it.fits(there, *other).is_some());
            let fitting = theirs.iter().filter(|other| fits(other));
            pairs.extend(fitting.map(|&other| (action, other)));
        }
        self.moves += ours.len();
        self.one_to_one(role, (ours, theirs), &pairs)?;
        Ok(pairs)
    }

    /// Sees to it that each move has one partner.
    fn one_to_one(
        &self,
        role: usize,
        (ours, theirs): (&[TermId], &[TermId]),
        pairs: &[(TermId, TermId)],
    ) -> Result<(), Apart> {
        let ours = counted(ours, pairs.iter().map(|pair| pair.0));
        let theirs = counted(theirs, pairs.iter().map(|pair| pair.1));
        if ours.iter().chain(&theirs).all(|(_, count)| *count == 1) {
            return Ok(());
        }
        Err(Apart::Moves {
            role: self.ours.role(role),
            ours: self.ours.unpaired(&ours),
            theirs: self.theirs.unpaired(&theirs),
        })
    }
}

/// Each move, and how many partners it has.
fn counted(moves: &[TermId], paired: impl Iterator<Item = TermId>) -> Vec<(TermId, usize)> {
    let mut counts: HashMap<TermId, usize> = HashMap::new();
    for action in paired {
        *counts.entry(action).or_default() += 1;
    }
    let count = |&action: &TermId| (action, counts.get(&action).copied().unwrap_or(0));
    moves.iter().map(count).collect()
}
