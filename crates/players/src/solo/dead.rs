//! States from which everything cannot be got any more: the goal is false whatever still changes.
//!
//! Some random matches tell which fluents stay once they hold, such as a queen on its square, and
//! which are gone for good. With these fluents known and all others open, the rules of the goal are
//! evaluated to true, false or open. Random matches prove nothing: what is dead is left out only by
//! searches that prove nothing either.

use super::line::ROLE;
use game::{Bits, Game, GroundProgram, Literal};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use std::collections::{BTreeSet, HashMap};

/// Goals with more literals in their rules are not looked at.
const MOST_LITERALS: usize = 20_000;
/// Turns of random matches, and how many literals may be looked at in them.
const TURNS: usize = 2_000;
const EFFORT: usize = 20_000_000;
/// How often a fluent is seen to begin before it is believed to stay.
const TIMES: u32 = 3;

/// What tells dead states.
#[derive(Clone, Debug)]
pub(super) struct Dead {
    /// Fluents that stay once they hold, and fluents that do not come back.
    stays: Vec<u64>,
    gone: Vec<u64>,
    /// What the goal depends on: for each place the fluent, or the rules over places before it.
    nodes: Vec<Node>,
    goal: Wire,
}

/// A place and whether it is not negated.
type Wire = (usize, bool);

#[derive(Clone, Debug)]
enum Node {
    Fluent(usize),
    Rules(Vec<Vec<Wire>>),
}

/// What is known of a node.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Truth {
    False,
    Open,
    True,
}

impl Truth {
    fn not(self) -> Truth {
        match self {
            Truth::False => Truth::True,
            Truth::Open => Truth::Open,
            Truth::True => Truth::False,
        }
    }
}

impl Dead {
    /// Looks at a game; none if its rules tell nothing of dead states.
    pub(super) fn new(game: &Game, goal: Literal) -> Option<Dead> {
        let program = game.ground()?;
        let (stays, gone) = lasting(game, program);
        let (nodes, goal) = cone(program, goal)?;
        let dead = Dead {
            stays,
            gone,
            nodes,
            goal,
        };
        let tells = |it: &Node| matches!(*it, Node::Fluent(it) if dead.tells(it));
        let is_of_use = dead.nodes.iter().any(tells) && !dead.is_dead(program.initial());
        is_of_use.then_some(dead)
    }

    fn tells(&self, fluent: usize) -> bool {
        (self.stays[fluent / 64] | self.gone[fluent / 64]) >> (fluent % 64) & 1 == 1
    }

    /// Whether the goal is false in all states after this one, as far as random matches tell.
    pub(super) fn is_dead(&self, state: &Bits) -> bool {
        let mut known = vec![Truth::Open; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            known[place] = match node {
                Node::Fluent(fluent) => self.fluent(state, *fluent),
                Node::Rules(rules) => any(rules.iter().map(|it| all(it, &known))),
            };
        }
        of(self.goal, &known) == Truth::False
    }

    fn fluent(&self, state: &Bits, fluent: usize) -> Truth {
        let bit = |words: &[u64]| words[fluent / 64] >> (fluent % 64) & 1 == 1;
        match bit(state.words()) {
            true if bit(&self.stays) => Truth::True,
            false if bit(&self.gone) => Truth::False,
            _ => Truth::Open,
        }
    }
}

fn of((place, positive): Wire, known: &[Truth]) -> Truth {
    match positive {
        true => known[place],
        false => known[place].not(),
    }
}

/// Whether all literals of a rule hold.
fn all(rule: &[Wire], known: &[Truth]) -> Truth {
    let mut all = Truth::True;
    for &wire in rule {
        match of(wire, known) {
            Truth::False => return Truth::False,
            Truth::Open => all = Truth::Open,
            Truth::True => (),
        }
    }
    all
}

/// Whether one of some rules applies.
fn any(rules: impl Iterator<Item = Truth>) -> Truth {
    let mut any = Truth::False;
    for rule in rules {
        match rule {
            Truth::True => return Truth::True,
            Truth::Open => any = Truth::Open,
            Truth::False => (),
        }
    }
    any
}

/// What a literal depends on, in the order of rules; none if that is too much. A node that depends on
/// itself is open when it is asked for.
fn cone(program: &GroundProgram, goal: Literal) -> Option<(Vec<Node>, Wire)> {
    let inputs = program.inputs();
    let (first, positive) = goal.node()?;
    let (mut open, mut found, mut literals) = (vec![first], BTreeSet::new(), 0);
    while let Some(node) = open.pop() {
        if found.insert(node) && node >= inputs {
            for (other, _) in program.bodies(node).flatten().filter_map(|it| it.node()) {
                open.push(other);
                literals += 1;
            }
        }
        if literals > MOST_LITERALS {
            return None;
        }
    }
    let places: HashMap<usize, usize> = found.iter().copied().zip(0..).collect();
    let wire = |it: &Literal| it.node().map(|(node, positive)| (places[&node], positive));
    let rules = |node| {
        program
            .bodies(node)
            .map(|it| it.iter().filter_map(wire).collect())
    };
    let nodes = found.iter().map(|&node| match node < inputs {
        true => Node::Fluent(node),
        false => Node::Rules(rules(node).collect()),
    });
    Some((nodes.collect(), (places[&first], positive)))
}

/// Fluents that stayed, and fluents that did not come back, in some random matches.
fn lasting(game: &Game, program: &GroundProgram) -> (Vec<u64>, Vec<u64>) {
    let fluents = program.fluents().len();
    let (mut began, mut ended) = (vec![0; fluents], vec![0; fluents]);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut walk = game.walk();
    let turns = TURNS.min(EFFORT / (program.size().1 + 1));
    for _ in 0..turns {
        let action = walk.any_legal(ROLE, &mut random);
        let Some(action) = action.filter(|_| !walk.terminal()) else {
            walk.restart();
            continue;
        };
        let before = walk.state().to_owned();
        walk.play(&[action]);
        if walk.terminal() {
            // Rules need not keep anything in the last turn.
            continue;
        }
        for (place, (old, new)) in before.words().iter().zip(walk.state().words()).enumerate() {
            count(&mut began, place, new & !old);
            count(&mut ended, place, old & !new);
        }
    }
    let initial = program.initial();
    let holds = |fluent: usize| initial.words()[fluent / 64] >> (fluent % 64) & 1 == 1;
    let stays = (0..fluents).filter(|&it| began[it] >= TIMES && ended[it] == 0);
    let gone = (0..fluents).filter(|&it| holds(it) && ended[it] >= TIMES && began[it] == 0);
    (words(fluents, stays), words(fluents, gone))
}

/// Counts the fluents of a word.
fn count(counts: &mut [u32], place: usize, mut word: u64) {
    while word != 0 {
        counts[64 * place + word.trailing_zeros() as usize] += 1;
        word &= word - 1;
    }
}

/// Fluents as the bits of a state.
fn words(fluents: usize, some: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut words = vec![0; fluents.div_ceil(64)];
    some.for_each(|it| words[it / 64] |= 1 << (it % 64));
    words
}

#[cfg(test)]
mod tests {
    use super::super::goals::Goals;
    use super::*;
    use game::Limits;

    /// Two of three squares are painted red or blue; no two neighbours may be of one colour.
    const SQUARES: &str = "(role r) (init (turn 1)) (square 1) (square 2) (square 3) (next-to 1 2)
        (next-to 2 3) (colour red) (colour blue) (init (blank 1)) (init (blank 2)) (init (blank 3))
        (<= (legal r (paint ?s ?c)) (true (blank ?s)) (colour ?c))
        (<= (next (is ?s ?c)) (does r (paint ?s ?c))) (<= (next (is ?s ?c)) (true (is ?s ?c)))
        (<= (next (blank ?s)) (true (blank ?s)) (not (painted ?s)))
        (<= (painted ?s) (does r (paint ?s ?c)))
        (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m)) (<= terminal (true (turn 4)))
        (<= clash (next-to ?s ?t) (true (is ?s ?c)) (true (is ?t ?c)))
        (<= (goal r 100) (not clash)) (<= (goal r 0) clash)";

    #[test]
    fn a_clash_that_stays_is_dead() {
        let game = Game::load(SQUARES, &Limits::default()).unwrap();
        let goals = Goals::new(&game);
        let mut walk = game.walk();
        let mut play = |text: &str| {
            let name = |&it: &game::MoveId| {
                let term = game.move_term(ROLE, it);
                game.scratch().terms().text(term) == text
            };
            let action = walk.legal(ROLE).into_iter().find(name).unwrap();
            walk.play(&[action]);
            goals.is_dead(walk.state())
        };
        assert!(!play("(paint 1 red)"));
        assert!(play("(paint 2 red)"));
    }
}
