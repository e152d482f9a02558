//! `ludex compare`: whether two sheets are the same game, by random matches in both at once.
//!
//! A joint move is drawn in the first game, and its partners are made in the second. Ends, legal
//! moves and goals are compared; fluents are each sheet's own business.

mod map;
mod pattern;

use crate::args::{Compare, Reading};
use crate::progress::Spinner;
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Context, Result, bail, ensure};
use game::{Game, Scratch, State, TermId, View};
use map::Map;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

/// Of how many moves a difference speaks.
const NAMED: usize = 5;

pub(crate) fn run(arguments: &Compare) -> Result<Outcome> {
    let map = match &arguments.map {
        Some(path) => Map::read(path, &arguments.reading)?,
        None => Map::default(),
    };
    let load = |file| Side::load(file, &arguments.reading, arguments.quiet);
    let (Some(ours), Some(theirs)) = (load(&arguments.game)?, load(&arguments.other)?) else {
        return Ok(Outcome::Refused);
    };
    let titles = format!("{} and {}", ours.title, theirs.title);
    let mut comparison = Comparison::new((ours, theirs), &map)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(arguments.seed);
    for number in 0..arguments.matches {
        if let Err(difference) = comparison.play(&mut random, arguments.turns) {
            writeln!(stdout(), "{titles}: match {number}, {difference:#}")?;
            return Ok(Outcome::Refused);
        }
    }
    let Comparison { states, moves, .. } = comparison;
    let matches = arguments.matches;
    writeln!(
        stdout(),
        "{titles} agree: {matches} matches, {states} states, {moves} legal moves"
    )?;
    Ok(Outcome::Fine)
}

/// What follows from a state of each game.
type Views = (View, View);
/// A joint move of each game.
type Joints = (Vec<TermId>, Vec<TermId>);

/// One of the two games.
struct Side {
    title: String,
    game: Game,
    scratch: Scratch,
}

impl Side {
    fn load(file: &Path, reading: &Reading, quiet: bool) -> Result<Option<Side>> {
        let title = input::title(file);
        let spinner = Spinner::new(&title, quiet);
        let Some(program) = super::program(file, reading, &spinner)? else {
            return Ok(None);
        };
        let (game, _) = Game::best(&program, &spinner.limits());
        let scratch = game.scratch();
        Ok(Some(Side {
            title,
            game,
            scratch,
        }))
    }

    fn initial(&mut self) -> Result<State> {
        Ok(self.game.initial(&mut self.scratch)?)
    }

    fn view(&mut self, state: &State) -> Result<View> {
        Ok(self.game.view(&mut self.scratch, state)?)
    }

    fn next(&mut self, state: &State, joint: &[TermId]) -> Result<State> {
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

struct Comparison<'m> {
    ours: Side,
    theirs: Side,
    map: &'m Map,
    /// For each of our roles the number of theirs.
    roles: Vec<usize>,
    states: usize,
    moves: usize,
}

impl<'m> Comparison<'m> {
    fn new((ours, theirs): (Side, Side), map: &'m Map) -> Result<Comparison<'m>> {
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

    /// Plays a match in both games, at most so many turns.
    fn play(&mut self, random: &mut impl Rng, turns: usize) -> Result<()> {
        let mut states = (self.ours.initial()?, self.theirs.initial()?);
        for turn in 0..turns {
            if self.is_cut(&states) {
                break;
            }
            let next = self.turn(&states, random);
            match next.with_context(|| format!("turn {turn}"))? {
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
    ) -> Result<Option<(State, State)>> {
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
    fn joint(&mut self, there: (&State, &Views), random: &mut impl Rng) -> Result<Option<Joints>> {
        let roles = 0..self.roles.len();
        let pairs: Result<Vec<_>> = roles.map(|role| self.pairs(role, there)).collect();
        let pairs = pairs?;
        if pairs.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        let mut ours = Vec::new();
        let mut theirs = vec![None; self.roles.len()];
        for (&role, pairs) in self.roles.iter().zip(&pairs) {
            let (action, partner) = pairs[random.next_u64() as usize % pairs.len()];
            ours.push(action);
            theirs[role] = Some(partner);
        }
        Ok(Some((ours, theirs.into_iter().flatten().collect())))
    }

    /// Compares states of which one is terminal.
    fn end(&self, views: &Views) -> Result<()> {
        let (ours, theirs) = (&self.ours, &self.theirs);
        match (views.0.terminal, views.1.terminal) {
            (true, false) => bail!("{} is over, {} is not", ours.title, theirs.title),
            (false, true) => bail!("{} is over, {} is not", theirs.title, ours.title),
            _ if self.map.goals_differ => return Ok(()),
            _ => {}
        }
        for (role, &partner) in self.roles.iter().enumerate() {
            let here = ours.goals(&views.0.goals[role]);
            let there = theirs.goals(&views.1.goals[partner]);
            let (role, titles) = (ours.role(role), (&ours.title, &theirs.title));
            ensure!(
                here == there,
                "the goal of {role} differs: {here} in {}, {there} in {}",
                titles.0,
                titles.1
            );
        }
        Ok(())
    }

    /// The legal moves of a role, each with its partner.
    fn pairs(&mut self, role: usize, there: (&State, &Views)) -> Result<Vec<(TermId, TermId)>> {
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
    ) -> Result<()> {
        let ours = counted(ours, pairs.iter().map(|pair| pair.0));
        let theirs = counted(theirs, pairs.iter().map(|pair| pair.1));
        if ours.iter().chain(&theirs).all(|(_, count)| *count == 1) {
            return Ok(());
        }
        bail!(
            "the legal moves of {} differ; without one partner:\n  {}\n  {}",
            self.ours.role(role),
            self.ours.unpaired(&ours),
            self.theirs.unpaired(&theirs)
        )
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
