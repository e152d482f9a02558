//! What the rules tell of a puzzle before it is searched: which fluents only count turns, which have to
//! hold where everything is got, and in which states that cannot be any more.
//!
//! Both are read off the ground program: a game without one has neither.

use super::dead::Dead;
use super::line::ROLE;
use game::{Bits, Game, GroundProgram, Literal, goal_value};
use std::collections::{BTreeSet, HashMap};

/// Goals that depend on more rules are not looked at.
const MOST_NODES: usize = 20_000;

/// What the rules tell of a puzzle.
#[derive(Clone, Debug, Default)]
pub(super) struct Goals {
    /// Fluents whose value depends on the number of turns alone, whatever is done; empty if there
    /// are none.
    pub(super) clocks: Vec<u64>,
    /// Fluents that hold wherever everything is got, and fluents that do not.
    wanted: Vec<u64>,
    unwanted: Vec<u64>,
    dead: Option<Dead>,
}

impl Goals {
    pub(super) fn new(game: &Game) -> Goals {
        let Some(program) = game.ground() else {
            return Goals::default();
        };
        let fluents = program.fluents().len();
        let goal = highest(program);
        let literals = goal.and_then(|it| needed(program, it)).unwrap_or_default();
        let of = |wanted: bool| {
            let literals = literals.iter().filter_map(|it| it.node());
            mask(fluents, literals.filter(|it| it.1 == wanted).map(|it| it.0))
        };
        Goals {
            clocks: mask(fluents, clocks(program).into_iter()),
            wanted: of(true),
            unwanted: of(false),
            dead: goal.and_then(|it| Dead::new(game, it)),
        }
    }

    /// Whether there is something to leave out by a search that proves nothing.
    pub(super) fn allow_haste(&self) -> bool {
        !self.clocks.is_empty() || self.dead.is_some()
    }

    /// Whether everything cannot be got any more, as far as random matches tell.
    pub(super) fn is_dead(&self, state: &Bits) -> bool {
        self.dead.as_ref().is_some_and(|it| it.is_dead(state))
    }

    /// How many fluents are not yet as they are wherever everything is got.
    pub(super) fn missing(&self, state: &Bits) -> u32 {
        let words = state.words();
        let wanted = self.wanted.iter().zip(words);
        let unwanted = self.unwanted.iter().zip(words);
        let missing: u32 = wanted.map(|(it, word)| (it & !word).count_ones()).sum();
        missing
            + unwanted
                .map(|(it, word)| (it & word).count_ones())
                .sum::<u32>()
    }
}

/// Fluents as the bits of a state; no word at all if there are none.
fn mask(fluents: usize, some: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut words = vec![0; fluents.div_ceil(64)];
    some.for_each(|it| words[it / 64] |= 1 << (it % 64));
    match words.iter().any(|&it| it != 0) {
        true => words,
        false => Vec::new(),
    }
}

/// The fluents that no move can change, now or later.
fn clocks(program: &GroundProgram) -> Vec<usize> {
    let (fluents, inputs) = (program.fluents().len(), program.inputs());
    let mut users = vec![Vec::new(); program.len()];
    for node in inputs..program.len() {
        for (other, _) in program.bodies(node).flatten().filter_map(|it| it.node()) {
            users[other].push(node);
        }
    }
    // A fluent uses what makes it hold in the next state.
    for (fluent, literal) in program.next().iter().enumerate() {
        if let Some((node, _)) = literal.node() {
            users[node].push(fluent);
        }
    }
    let mut depends = vec![false; program.len()];
    depends[fluents..inputs].fill(true);
    let mut open: Vec<usize> = (fluents..inputs).collect();
    while let Some(node) = open.pop() {
        for &user in &users[node] {
            if !std::mem::replace(&mut depends[user], true) {
                open.push(user);
            }
        }
    }
    (0..fluents).filter(|&it| !depends[it]).collect()
}

/// What decides that everything is got.
fn highest(program: &GroundProgram) -> Option<Literal> {
    let value = |term| goal_value(program.terms().name(term)).unwrap_or(0);
    let goals = program.goals(ROLE).iter();
    let goal = goals.max_by_key(|(term, _)| value(*term));
    goal.map(|it| it.1)
}

/// The literals of fluents that hold in every end in which a goal is got.
fn needed(program: &GroundProgram, goal: Literal) -> Option<BTreeSet<Literal>> {
    let mut known = Needed {
        program,
        of: HashMap::new(),
    };
    let ends = [goal, program.terminal()];
    known.find(&ends)?;
    Some(known.all(&ends))
}

/// For literals what has to hold of the fluents if they do.
struct Needed<'p> {
    program: &'p GroundProgram,
    of: HashMap<Literal, BTreeSet<Literal>>,
}

impl Needed<'_> {
    /// Finds what some literals need, and all they are made of, in the order of rules; none if that
    /// is too much. A node that depends on itself is taken to need nothing.
    fn find(&mut self, literals: &[Literal]) -> Option<()> {
        let inputs = self.program.inputs();
        let nodes = |it: &[Literal]| {
            it.iter()
                .filter_map(|it| it.node())
                .map(|it| it.0)
                .collect()
        };
        let mut open: Vec<usize> = nodes(literals);
        let mut cone = BTreeSet::new();
        while let Some(node) = open.pop() {
            if cone.insert(node) && node >= inputs {
                self.program
                    .bodies(node)
                    .for_each(|it| open.extend(nodes(it)));
            }
            if cone.len() > MOST_NODES {
                return None;
            }
        }
        for node in cone {
            for literal in [true, false].map(|it| Literal::new(node, it)) {
                let needs = match node < inputs {
                    true => BTreeSet::from([literal]),
                    false => self.derived(node, literal),
                };
                self.of.insert(literal, needs);
            }
        }
        Some(())
    }

    /// What a derived node needs to hold: what all its bodies need. Not to hold: each body needs one
    /// of its literals not to hold.
    fn derived(&self, node: usize, literal: Literal) -> BTreeSet<Literal> {
        let mut bodies = self.program.bodies(node);
        match literal == Literal::new(node, true) {
            true => common(bodies.map(|it| self.all(it))),
            false => bodies.by_ref().fold(BTreeSet::new(), |mut all, body| {
                let literals = body.iter().map(|it| self.one(it.negated()));
                all.extend(common(literals));
                all
            }),
        }
    }

    fn one(&self, literal: Literal) -> BTreeSet<Literal> {
        self.of.get(&literal).cloned().unwrap_or_default()
    }

    /// What all of some literals need.
    fn all(&self, literals: &[Literal]) -> BTreeSet<Literal> {
        literals.iter().flat_map(|&it| self.one(it)).collect()
    }
}

/// What sets have in common.
fn common(mut sets: impl Iterator<Item = BTreeSet<Literal>>) -> BTreeSet<Literal> {
    let first = sets.next().unwrap_or_default();
    sets.fold(first, |common, it| &common & &it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Limits;

    /// Three lamps, all of which have to burn, and five turns.
    const LAMPS: &str = "(role r) (init (turn 1)) (lamp a) (lamp b) (lamp c)
        (<= (legal r (press ?l)) (lamp ?l))
        (<= (next (on ?l)) (true (on ?l)) (not (does r (press ?l))))
        (<= (next (on ?l)) (does r (press ?l)) (not (true (on ?l))))
        (after 1 2) (after 2 3) (after 3 4) (after 4 5)
        (<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m))
        (<= dark (lamp ?l) (not (true (on ?l)))) (<= terminal (not dark))
        (<= terminal (true (turn 5)))
        (<= (goal r 100) (not dark)) (<= (goal r 0) dark)";

    #[test]
    fn turns_are_clocks_and_lamps_are_wanted() {
        let game = Game::load(LAMPS, &Limits::default()).unwrap();
        let goals = Goals::new(&game);
        let count = |mask: &[u64]| mask.iter().map(|it| it.count_ones()).sum::<u32>();
        assert_eq!(count(&goals.clocks), 5);
        assert_eq!((count(&goals.wanted), count(&goals.unwanted)), (3, 0));
        let mut walk = game.walk();
        assert_eq!(goals.missing(walk.state()), 3);
        let action = walk.legal(ROLE)[0];
        walk.play(&[action]);
        assert_eq!(goals.missing(walk.state()), 2);
    }
}
