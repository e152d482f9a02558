//! A store in memory, for tests and for experiments that nobody wants to keep.

use super::{Found, Store, StoreError};
use crate::experiment::{Experiment, rules_fingerprint};
use crate::results::{MatchResult, Results};
use crate::schedule::Schedule;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Experiments in memory. Clones share them, as processes share a file.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    shared: Arc<Mutex<Memory>>,
}

#[derive(Debug, Default)]
struct Memory {
    /// The experiment of number `n` is at `n - 1`.
    experiments: Vec<(Experiment, Results)>,
    rules: BTreeMap<String, String>,
}

impl Memory {
    /// Where an experiment is, if there is one of this number.
    fn place(&self, number: i64) -> Result<usize, StoreError> {
        let last = self.experiments.len();
        let place = usize::try_from(number - 1).ok();
        match place.filter(|&it| it < last) {
            Some(place) => Ok(place),
            None if last == 0 => Err(StoreError::Empty),
            None => Err(StoreError::Missing {
                number,
                last: last as i64,
            }),
        }
    }
}

impl MemoryStore {
    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn take_up(&mut self, experiment: &Experiment, rules: &[String]) -> Result<i64, StoreError> {
        let mut memory = self.lock();
        for text in rules {
            let text = text.clone();
            memory.rules.entry(rules_fingerprint(&text)).or_insert(text);
        }
        let mut known = memory.experiments.iter();
        let place = known.position(|(other, _)| other == experiment);
        let place = place.unwrap_or_else(|| {
            let new = (experiment.clone(), Results::default());
            memory.experiments.push(new);
            memory.experiments.len() - 1
        });
        Ok(place as i64 + 1)
    }

    fn find(&mut self, number: Option<i64>) -> Result<Found, StoreError> {
        let memory = self.lock();
        let number = number.unwrap_or(memory.experiments.len() as i64);
        let place = memory.place(number)?;
        Ok(Found {
            number,
            experiment: memory.experiments[place].0.clone(),
        })
    }

    fn add(
        &mut self,
        number: i64,
        _: &Schedule,
        results: &[MatchResult],
    ) -> Result<(), StoreError> {
        let mut memory = self.lock();
        let place = memory.place(number)?;
        let mut all = memory.experiments[place].1.clone();
        for result in results {
            let (series, number) = (result.series, result.number);
            if all.get(series, number).is_some() {
                return Err(StoreError::Twice { series, number });
            }
            all.add(result.clone());
        }
        memory.experiments[place].1 = all;
        Ok(())
    }

    fn results(&mut self, number: i64) -> Result<Results, StoreError> {
        let memory = self.lock();
        let place = memory.place(number)?;
        Ok(memory.experiments[place].1.clone())
    }

    fn rules(&mut self, fingerprint: &str) -> Result<Option<String>, StoreError> {
        Ok(self.lock().rules.get(fingerprint).cloned())
    }
}
