//! States that come up in random matches, to see how often something holds.

use crate::lanes::kernels::{Kernels, Variant};
use crate::lanes::random::Random;
use crate::lanes::starts::overwrite;
use crate::lanes::word::{Lanewise, Word};
use crate::steps::Sample;

/// How many turns are made.
const TURNS: usize = 240;

/// States of random matches from the first state on, for each point of the cycle.
pub(crate) fn samples<const P: usize>(kernels: &Kernels<P>) -> Vec<Vec<Sample<P>>> {
    let turns = kernels.turns_from(Variant::default(), Some(0));
    let start = kernels.circuit.initial.iter();
    let start: Vec<Word<P>> = start.map(|&it| Word::splat(it)).collect();
    let mut samples: Vec<Vec<Sample<P>>> = turns.iter().map(|_| Vec::new()).collect();
    let mut random = Random::new(1);
    let mut state = start.clone();
    let mut ended = [0; P];
    for time in 0..TURNS {
        let point = time % turns.len();
        if point == 0 {
            overwrite(&mut state, &start, ended);
            ended = [0; P];
        }
        let kernel = &turns[point].kernel;
        let mut memory = vec![[0; P]; kernel.slots()];
        let (fluents, rest) = memory[1..].split_at_mut(state.len());
        fluents.copy_from_slice(&state);
        random.fill(rest[..turns[point].random].as_flattened_mut());
        kernel.run(&mut memory);
        let outputs = &memory[kernel.first_output()..];
        ended = ended.or(outputs[0]).or(outputs[1]);
        let next = outputs[2..][..state.len()].to_vec();
        samples[point].push(Sample {
            state: std::mem::replace(&mut state, next),
            playing: [u64::MAX; P].without(ended),
        });
    }
    samples
}
