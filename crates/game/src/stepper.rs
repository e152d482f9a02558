//! Many turns of many matches, one after the other, by one caller.
//!
//! Where the game has gates, states stay as bits and the gates as they are: to go on from the
//! state that was reached last takes no more than the turn itself.

use crate::single::SingleEngine;
use crate::{Game, Scratch, State, TermId};
use circuit::Single;
use std::sync::Arc;

/// A state as a stepper keeps it; to be had again cheaply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Moment(Kept);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kept {
    Bits(Arc<[u64]>),
    Facts(Arc<State>),
}

/// One caller's way through a game.
pub struct Stepper<'s> {
    game: &'s Game,
    scratch: &'s mut Scratch,
    gates: Option<Gates<'s>>,
}

struct Gates<'s> {
    engine: &'s SingleEngine,
    single: Single<'s>,
    /// The state that is in the gates.
    here: Option<Arc<[u64]>>,
}

impl<'s> Gates<'s> {
    /// The gates in a state.
    fn at(&mut self, bits: &Arc<[u64]>) -> &mut Single<'s> {
        if self.here.as_ref() != Some(bits) {
            self.single.load(bits);
            self.here = Some(Arc::clone(bits));
        }
        &mut self.single
    }

    fn next(&mut self, bits: &Arc<[u64]>, numbers: &[u32], role: usize) -> (Moment, Vec<TermId>) {
        let single = self.at(bits);
        single.choose(numbers);
        let percepts = single.percepts(role).collect();
        single.advance();
        let next: Arc<[u64]> = single.state().into();
        self.here = Some(Arc::clone(&next));
        (Moment(Kept::Bits(next)), percepts)
    }
}

impl<'s> Stepper<'s> {
    /// A way through a game, with a caller's working memory.
    pub fn new(game: &'s Game, scratch: &'s mut Scratch) -> Stepper<'s> {
        let gates = game.single().map(|engine| Gates {
            engine,
            single: Single::new(engine.network()),
            here: None,
        });
        Stepper {
            game,
            scratch,
            gates,
        }
    }

    /// The caller's working memory, which knows all terms.
    pub fn scratch(&mut self) -> &mut Scratch {
        self.scratch
    }

    /// A state, to be kept.
    pub fn keep(&self, state: State) -> Moment {
        let gates = self.gates.as_ref();
        match gates.and_then(|gates| gates.engine.packing.packed(&state)) {
            Some(bits) => Moment(Kept::Bits(bits.into())),
            None => Moment(Kept::Facts(Arc::new(state))),
        }
    }

    /// The state that was kept.
    pub fn state(&self, moment: &Moment) -> State {
        match (&moment.0, &self.gates) {
            (Kept::Bits(bits), Some(gates)) => gates.engine.packing.unpacked(bits),
            (Kept::Bits(_), None) => unreachable!("bits are kept where there are gates"),
            (Kept::Facts(state), _) => (**state).clone(),
        }
    }

    /// The legal moves of all roles; none if the rules do not say.
    pub fn legal(&mut self, moment: &Moment) -> Option<Vec<Vec<TermId>>> {
        match (&moment.0, &mut self.gates) {
            (Kept::Bits(bits), Some(gates)) => {
                let moves = gates.engine.network().moves().iter().enumerate();
                let single = gates.at(bits);
                let legal = moves.map(|(role, moves)| {
                    let numbers = single.legal(role);
                    numbers.map(|number| moves[number as usize]).collect()
                });
                Some(legal.collect())
            }
            _ => {
                let state = self.state(moment);
                let view = self.game.view(self.scratch, &state);
                view.ok().map(|view| view.legal)
            }
        }
    }

    /// What follows from a joint move, and what a role sees of it; none if the rules do not
    /// say. Whether the moves are legal is not asked.
    pub fn next(
        &mut self,
        moment: &Moment,
        joint: &[TermId],
        role: usize,
    ) -> Option<(Moment, Vec<TermId>)> {
        match (&moment.0, &mut self.gates) {
            (Kept::Bits(bits), Some(gates)) => {
                let numbers = gates.engine.numbers(joint)?;
                Some(gates.next(bits, &numbers, role))
            }
            _ => {
                let state = self.state(moment);
                let next = self.game.next(self.scratch, &state, joint);
                let (next, mut percepts) = next.ok()?;
                Some((self.keep(next), percepts.swap_remove(role)))
            }
        }
    }
}

impl Moment {
    /// A state with what the second of two others has and the first has not, and without what
    /// the first has and the second has not: none if they are not kept alike.
    pub fn with_change(&self, from: &Moment, to: &Moment) -> Option<Moment> {
        match (&self.0, &from.0, &to.0) {
            (Kept::Bits(bits), Kept::Bits(from), Kept::Bits(to)) => {
                let words = bits.iter().zip(from.iter().zip(to.iter()));
                let words = words.map(|(bits, (from, to))| bits & (to | !from) | to & !from);
                Some(Moment(Kept::Bits(words.collect())))
            }
            (Kept::Facts(state), Kept::Facts(from), Kept::Facts(to)) => {
                let [state, from, to] = [state, from, to].map(|it| it.fluents());
                let kept = state
                    .iter()
                    .filter(|it| to.contains(it) || !from.contains(it));
                let added = to.iter().filter(|it| !from.contains(it));
                let state = State::new(kept.chain(added).copied().collect());
                Some(Moment(Kept::Facts(Arc::new(state))))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::Limits;
    use gdl::{Policy, Source};

    /// Plays a match by a stepper and by the game itself: both say the same.
    fn agree(game: &Game) {
        let (mut own, mut other) = (game.scratch(), game.scratch());
        let mut stepper = Stepper::new(game, &mut own);
        let mut state = game.initial(&mut other).unwrap();
        let mut moment = stepper.keep(state.clone());
        let first = moment.clone();
        for turn in 0.. {
            assert_eq!(stepper.state(&moment), state);
            let view = game.view(&mut other, &state).unwrap();
            let mut legal = stepper.legal(&moment).unwrap();
            legal.iter_mut().for_each(|it| it.sort_unstable());
            assert_eq!(legal, view.legal);
            if view.terminal {
                assert!(turn > 3);
                break;
            }
            let joint: Vec<TermId> = legal.iter().map(|it| it[turn % it.len()]).collect();
            let (next, mut seen) = stepper.next(&moment, &joint, 0).unwrap();
            // To look elsewhere changes nothing.
            stepper.legal(&first).unwrap();
            let (wanted, percepts) = game.next(&mut other, &state, &joint).unwrap();
            seen.sort_unstable();
            assert_eq!(seen, percepts[0]);
            assert_eq!(first.with_change(&first, &next).unwrap(), next);
            assert_eq!(next.with_change(&next, &moment).unwrap(), moment);
            (moment, state) = (next, wanted);
        }
    }

    #[test]
    fn a_stepper_and_its_game_agree() {
        let rules = "(role a) (role b) (init (n 0)) (init (turn 1)) (after 1 2) (after 2 3)
            (after 3 4) (after 4 5) (after 5 6) (<= (legal ?r (say 1)) (role ?r))
            (<= (legal ?r (say 2)) (role ?r)) (<= (sees a ?m) (does b ?m))
            (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))
            (<= (next (n ?m)) (does a (say ?m))) (<= (next (last ?m)) (does b ?m))
            (<= terminal (true (turn 6))) (goal a 50) (goal b 50)";
        let tree = gdl::read(Source::from(rules), None, &gdl::Limits::default());
        let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
        agree(&Game::for_play(&program, &Limits::default()).0);
        agree(&Game::new(&program, crate::Engine::Interpreter, &Limits::default()).unwrap());
    }
}
