//! Questions about one state, asked of all lanes at once and compared.

use crate::kernel::Kernel;
use crate::lanes::kernels::Kernels;
use crate::lanes::memory::Memory;
use crate::lanes::word::{Lanewise, Word};
use logic::{Bits, FluentId, MoveId};

/// What follows from one state: by number of role, move, goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// Whether the match is over.
    pub terminal: bool,
    /// For each role which moves are legal.
    pub legal: Vec<Vec<bool>>,
    /// For each role which goals it has.
    pub goals: Vec<Vec<bool>>,
}

/// What follows from a joint move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// Which fluents hold next.
    pub fluents: Vec<bool>,
    /// For each role which percepts it has.
    pub percepts: Vec<Vec<bool>>,
}

pub(crate) fn view<const P: usize>(kernels: &Kernels<P>, state: &Bits) -> Option<Answers> {
    let kernel = kernels.view();
    let mut memory = load(kernels, kernel, state);
    let words = memory.words();
    kernel.run(words);
    let mut answers = words[kernel.first_output()..].iter().map(uniform);
    let terminal = answers.next().flatten()?;
    let mut by_role = |counts: Vec<usize>| -> Option<Vec<Vec<bool>>> {
        let of_role = |count| answers.by_ref().take(count).collect();
        counts.into_iter().map(of_role).collect()
    };
    let outputs = &kernels.circuit.outputs;
    Some(Answers {
        terminal,
        legal: by_role(outputs.legal.iter().map(Vec::len).collect())?,
        goals: by_role(outputs.goals.iter().map(Vec::len).collect())?,
    })
}

pub(crate) fn next<const P: usize>(
    kernels: &Kernels<P>,
    state: &Bits,
    joint: &[MoveId],
) -> Option<Successor> {
    let kernel = kernels.turn();
    let mut memory = load(kernels, kernel, state);
    let words = memory.words();
    let mut first = 1 + kernels.circuit.fluents.len();
    for (moves, chosen) in kernels.circuit.moves.iter().zip(joint) {
        words[first + chosen.index()] = [u64::MAX; P];
        first += moves.len();
    }
    kernel.run(words);
    let mut answers = words[kernel.first_output()..].iter().map(uniform);
    let fluents = answers.by_ref().take(kernels.circuit.fluents.len());
    let fluents = fluents.collect::<Option<_>>()?;
    let mut of_role = |seen: &Vec<_>| answers.by_ref().take(seen.len()).collect();
    let percepts = kernels.circuit.outputs.percepts.iter();
    let percepts: Option<_> = percepts.map(&mut of_role).collect();
    Some(Successor {
        fluents,
        percepts: percepts?,
    })
}

/// Memory with one state in all lanes.
fn load<const P: usize>(kernels: &Kernels<P>, kernel: &Kernel<P>, state: &Bits) -> Memory<P> {
    let mut memory = Memory::new(kernel.slots());
    let fluents = FluentId::all(kernels.circuit.fluents.len());
    for (fluent, word) in fluents.zip(&mut memory.words()[1..]) {
        *word = Word::splat(state.holds(fluent));
    }
    memory
}

/// The value of a word's lanes, if they agree.
fn uniform<const P: usize>(word: &Word<P>) -> Option<bool> {
    match *word {
        word if word == [u64::MAX; P] => Some(true),
        word if word == [0; P] => Some(false),
        _ => None,
    }
}
