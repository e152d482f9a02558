//! The order of variables: chooses the next one from the set of candidates.
//!
//! Takes the domains and weights, gives a variable with more than one value. The set is a
//! permutation with a limit: assigned variables are swapped behind it, and backtracking restores
//! the limit alone.
//!
//! Weighted degree (Boussemart, Hemery, Lecoutre and Sais, ECAI 2004) prefers variables with few
//! values that were often in constraints that failed.

use crate::propagate::Engine;

/// Which variable is next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The variable with the least number of values divided by its weighted degree.
    #[default]
    WeightedDegree,
    /// The first open variable, in the order of the projection, then of the model.
    Fixed,
}

/// The variables that may be open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// The wanted ones first, up to `wanted`; then the others.
    variables: Vec<u32>,
    wanted: usize,
    /// Ranks in a fixed order.
    ranks: Vec<u32>,
}

/// How far the two parts of the candidates reach.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) wanted: usize,
    pub(crate) others: usize,
}

impl Candidates {
    /// Fills the set with all open variables, the wanted ones first.
    pub(crate) fn start(
        &mut self,
        engine: &Engine<'_>,
        wanted: Option<&[crate::Variable]>,
    ) -> Extent {
        let count = engine.network.len();
        self.ranks.clear();
        self.variables.clear();
        let is_open =
            |variable: u32| engine.store.size(engine.network.slots[variable as usize]) > 1;
        match wanted {
            None => {
                self.ranks.extend(0..count as u32);
                self.variables
                    .extend((0..count as u32).filter(|&it| is_open(it)));
                self.wanted = self.variables.len();
            }
            Some(wanted) => {
                self.ranks.resize(count, u32::MAX);
                for (rank, variable) in wanted.iter().enumerate() {
                    let rank_of = &mut self.ranks[variable.index()];
                    if *rank_of == u32::MAX {
                        *rank_of = rank as u32;
                        if is_open(variable.0) {
                            self.variables.push(variable.0);
                        }
                    }
                }
                self.wanted = self.variables.len();
                for variable in 0..count as u32 {
                    if self.ranks[variable as usize] == u32::MAX && is_open(variable) {
                        self.ranks[variable as usize] = wanted.len() as u32 + variable;
                        self.variables.push(variable);
                    }
                }
            }
        }
        Extent {
            wanted: self.wanted,
            others: self.variables.len() - self.wanted,
        }
    }

    /// The next wanted variable, if one is open.
    pub(crate) fn wanted(
        &mut self,
        engine: &Engine<'_>,
        extent: &mut Extent,
        order: Order,
    ) -> Option<u32> {
        self.pick(engine, 0, (&mut extent.wanted, order))
    }

    /// The next of the other variables, if one is open.
    pub(crate) fn other(
        &mut self,
        engine: &Engine<'_>,
        extent: &mut Extent,
        order: Order,
    ) -> Option<u32> {
        self.pick(engine, self.wanted, (&mut extent.others, order))
    }

    fn pick(
        &mut self,
        engine: &Engine<'_>,
        start: usize,
        (extent, order): (&mut usize, Order),
    ) -> Option<u32> {
        let part = &mut self.variables[start..start + *extent];
        let mut best: Option<(u32, u64, u64)> = None;
        let (mut place, mut end) = (0, part.len());
        while place < end {
            let variable = part[place];
            let size = u64::from(engine.store.size(engine.network.slots[variable as usize]));
            if size == 1 {
                end -= 1;
                part.swap(place, end);
                continue;
            }
            let (cost, gain) = match order {
                Order::Fixed => (self.ranks[variable as usize].into(), 1),
                Order::WeightedDegree => (size, engine.weights[variable as usize]),
            };
            // cost / gain < least / most, without division.
            if best.is_none_or(|(_, least, most)| cost * most < least * gain) {
                best = Some((variable, cost, gain));
            }
            place += 1;
        }
        *extent = end;
        best.map(|(variable, ..)| variable)
    }
}
