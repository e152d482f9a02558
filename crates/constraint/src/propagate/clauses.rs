//! The propagator of clauses: implications at once, longer clauses by two watched literals.
//!
//! Takes removed values, that is literals that became false; makes the last literal of a clause
//! true. Watches are not restored on backtracking: a literal that was not false deeper in the
//! search is not false higher up either.

use super::Engine;
use crate::domain::{bits, is_single};
use crate::network::{Lit, NONE, Network};
use crate::store::{Conflict, Event, Store};

/// A clause that watches a literal, and another literal of it: if that is true, the clause need
/// not be visited.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    blocker: Lit,
}

/// The clauses that watch each literal.
#[derive(Clone, Debug)]
pub(super) struct Watches {
    /// The literals of longer clauses; the first two of each are watched.
    literals: Vec<Lit>,
    lists: Vec<Vec<Watch>>,
}

impl Watches {
    pub(super) fn new(network: &Network) -> Watches {
        let clauses = &network.clauses;
        let mut lists = match clauses.len() {
            0 => Vec::new(),
            _ => vec![Vec::new(); clauses.lists()],
        };
        for number in 0..clauses.len() {
            let literals = &clauses.literals[clauses.range(number)];
            let clause = number as u32;
            for (own, blocker) in [(literals[0], literals[1]), (literals[1], literals[0])] {
                lists[clauses.list(own)].push(Watch { clause, blocker });
            }
        }
        let literals = clauses.literals.clone();
        Watches { literals, lists }
    }
}

/// Whether a domain has one value, given a cell of it that is not zero.
#[inline]
fn is_assigned(store: &Store, network: &Network, word: usize) -> bool {
    match network.sizes[word] {
        NONE => is_single(store.cells[word]),
        size => store.cells[size as usize] == 1,
    }
}

/// Whether a literal is false.
#[inline]
fn is_false(store: &Store, network: &Network, lit: Lit) -> bool {
    let holds = store.cells[lit.word()] & lit.mask() != 0;
    match lit.is_equal() {
        true => !holds,
        false => holds && is_assigned(store, network, lit.word()),
    }
}

/// Whether a literal is true.
#[inline]
fn is_true(store: &Store, network: &Network, lit: Lit) -> bool {
    let holds = store.cells[lit.word()] & lit.mask() != 0;
    match lit.is_equal() {
        true => holds && is_assigned(store, network, lit.word()),
        false => !holds,
    }
}

fn slot(network: &Network, lit: Lit) -> crate::network::Slot {
    network.slots[network.owners[lit.word()] as usize]
}

impl Engine<'_> {
    /// Tells the clauses that values have left a domain.
    #[inline]
    pub(super) fn tell_clauses(&mut self, event: Event) -> Result<(), Conflict> {
        let clauses = &self.network.clauses;
        let word = event.word as usize;
        let equal = clauses.equal[word] & event.removed;
        for bit in bits(equal) {
            self.tell(Lit::new(event.word, bit, true))?;
        }
        self.tell_single(word)
    }

    /// If a domain has one value, its literal `≠` became false.
    fn tell_single(&mut self, word: usize) -> Result<(), Conflict> {
        if self.network.sizes[word] == NONE {
            let left = self.store.cells[word] & self.network.clauses.unequal[word];
            if left != 0 && is_single(self.store.cells[word]) {
                return self.tell(Lit::new(word as u32, left.trailing_zeros(), false));
            }
            return Ok(());
        }
        let slot = self.slot_of(word);
        if !is_assigned(&self.store, self.network, word) {
            return Ok(());
        }
        let words = slot.word..slot.word + slot.words;
        let Some(word) = words
            .into_iter()
            .find(|&word| self.store.cells[word as usize] != 0)
        else {
            return Ok(());
        };
        let left = self.store.cells[word as usize] & self.network.clauses.unequal[word as usize];
        match left {
            0 => Ok(()),
            _ => self.tell(Lit::new(word, left.trailing_zeros(), false)),
        }
    }

    /// Fires the implications of a literal that became false, and visits its clauses.
    fn tell(&mut self, lit: Lit) -> Result<(), Conflict> {
        let network = self.network;
        let list = network.clauses.list(lit);
        for &(_, implied) in network.clauses.implied(list) {
            if is_true(&self.store, network, implied) {
                continue;
            }
            let slot = slot(network, implied);
            if self.store.make(implied, slot).is_err() {
                self.blame(&[lit, implied]);
                return Err(Conflict);
            }
        }
        match self
            .watches
            .lists
            .get(list)
            .is_some_and(|it| !it.is_empty())
        {
            true => self.visit(lit, list),
            false => Ok(()),
        }
    }

    /// Visits the clauses that watch a literal that became false.
    fn visit(&mut self, lit: Lit, list: usize) -> Result<(), Conflict> {
        let mut watches = std::mem::take(&mut self.watches.lists[list]);
        let mut place = 0;
        let mut outcome = Ok(());
        while place < watches.len() {
            match self.examine(lit, watches[place]) {
                Examined::Moved => {
                    watches.swap_remove(place);
                }
                Examined::Stays(blocker) => {
                    watches[place].blocker = blocker;
                    place += 1;
                }
                Examined::Failed => {
                    outcome = Err(Conflict);
                    break;
                }
            }
        }
        self.watches.lists[list] = watches;
        outcome
    }

    fn examine(&mut self, lit: Lit, watch: Watch) -> Examined {
        let network = self.network;
        if is_true(&self.store, network, watch.blocker) {
            return Examined::Stays(watch.blocker);
        }
        let range = network.clauses.range(watch.clause as usize);
        let literals = &mut self.watches.literals[range.clone()];
        if literals[0] == lit {
            literals.swap(0, 1);
        }
        let first = literals[0];
        if first != watch.blocker && is_true(&self.store, network, first) {
            return Examined::Stays(first);
        }
        let free = (2..literals.len()).find(|&it| !is_false(&self.store, network, literals[it]));
        if let Some(place) = free {
            literals.swap(1, place);
            let list = network.clauses.list(literals[1]);
            let clause = watch.clause;
            self.watches.lists[list].push(Watch {
                clause,
                blocker: first,
            });
            return Examined::Moved;
        }
        if self.store.make(first, slot(network, first)).is_ok() {
            return Examined::Stays(first);
        }
        for place in range {
            let word = self.watches.literals[place].word();
            self.weights[network.owners[word] as usize] += 1;
        }
        Examined::Failed
    }

    fn blame(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.weights[self.network.owners[lit.word()] as usize] += 1;
        }
    }
}

/// The result of visiting a watch.
enum Examined {
    /// The clause watches another literal now.
    Moved,
    /// The clause still watches this one.
    Stays(Lit),
    /// No literal is left.
    Failed,
}
