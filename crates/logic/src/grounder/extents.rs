//! Relations that do not depend on the state: the whole extent where it is small, else answers of
//! the interpreter, call by call.

use crate::interpreter::{Arguments, NoAnswer, Solver, Tuple};
use crate::rules::PredicateId;
use crate::terms::TermId;
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};

/// Most steps to find a whole extent.
const WHOLE: u64 = 1_000_000;
/// Most steps of one call.
const CALL: u64 = 5_000_000;

/// Numbers of answers by the arguments that are known.
type Index = HashMap<SmallVec<[TermId; 6]>, Vec<u32>, foldhash::fast::FixedState>;

pub(super) struct Extents {
    /// Relations whose rules need bound arguments: they have no extent.
    callers: HashSet<PredicateId>,
    whole: HashMap<PredicateId, Option<Vec<Tuple>>>,
    indices: HashMap<(PredicateId, u64), Index>,
}

impl Extents {
    pub(super) fn new(callers: HashSet<PredicateId>) -> Extents {
        Extents {
            callers,
            whole: HashMap::new(),
            indices: HashMap::new(),
        }
    }

    /// The answers that match the known arguments.
    pub(super) fn answers(
        &mut self,
        solver: &mut Solver<'_>,
        predicate: PredicateId,
        arguments: Arguments,
    ) -> Result<Vec<Tuple>, NoAnswer> {
        let callers = &self.callers;
        let whole = self.whole.entry(predicate).or_insert_with(|| {
            let open = Arguments::from_elem(None, arguments.len());
            match callers.contains(&predicate) || arguments.len() > 64 {
                true => None,
                false => solver.tuples(predicate, open, WHOLE).ok(),
            }
        });
        let Some(tuples) = whole else {
            return solver.tuples(predicate, arguments, CALL);
        };
        let known = |place: usize| arguments[place].is_some();
        let mask =
            (0..arguments.len()).fold(0, |mask, place| mask | u64::from(known(place)) << place);
        let index = self.indices.entry((predicate, mask)).or_insert_with(|| {
            let mut index = Index::default();
            for (number, tuple) in tuples.iter().enumerate() {
                let key = tuple.iter().enumerate().filter(|(place, _)| known(*place));
                let key = key.map(|(_, &term)| term).collect();
                index.entry(key).or_default().push(number as u32);
            }
            index
        });
        let key: SmallVec<[TermId; 6]> = arguments.iter().filter_map(|it| *it).collect();
        let found = index.get(&key).into_iter().flatten();
        Ok(found
            .map(|&number| tuples[number as usize].clone())
            .collect())
    }
}
