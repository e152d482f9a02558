//! Clauses, and Boolean definitions as clauses, over literals that name a bit of a domain.
//!
//! Takes literals and the domains at the start, gives unit literals, implications (clauses of
//! two) and longer clauses. A literal is four bytes: the cell of the domain, the bit, and
//! whether it is `=`; so its truth is read from one cell.
//!
//! A clause with several literals on one variable is propagated only when one literal is left,
//! which is weaker than arc consistency; `is_exact` says that there is no clause of that kind.

use super::Slot;
use crate::domain::{Domain, Value, WORD};
use crate::model::{Constraint, Junction, Literal, Variable};

/// A literal: cell, bit and sign in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lit(u32);

impl Lit {
    /// How many cells of domains a literal can name.
    pub(crate) const MAX_WORD: usize = 1 << 25;

    pub(crate) fn new(word: u32, bit: u32, equal: bool) -> Lit {
        Lit(word << 7 | bit << 1 | u32::from(equal))
    }

    pub(crate) fn word(self) -> usize {
        (self.0 >> 7) as usize
    }

    pub(crate) fn bit(self) -> u32 {
        self.0 >> 1 & 63
    }

    pub(crate) fn mask(self) -> u64 {
        1 << self.bit()
    }

    pub(crate) fn is_equal(self) -> bool {
        self.0 & 1 == 1
    }
}

/// All clauses of a network.
#[derive(Debug)]
pub(crate) struct Clauses {
    /// Literals that are true in every solution.
    pub(crate) units: Vec<Lit>,
    /// The longer clauses, one after the other.
    pub(crate) literals: Vec<Lit>,
    /// Where each longer clause starts, and the end.
    pub(crate) starts: Vec<u32>,
    /// The number of the first list of each cell: two lists a value, `≠` and `=`.
    lists: Vec<u32>,
    /// For each cell, the values with a literal `=` and with a literal `≠`.
    pub(crate) equal: Vec<u64>,
    pub(crate) unequal: Vec<u64>,
    /// Pairs (a, b): if a is false, b has to be true. Sorted by list when finished.
    pairs: Vec<(Lit, Lit)>,
    /// Where the implications of each list start, and the end.
    implied: Vec<u32>,
    /// Whether no clause has two literals on one variable.
    pub(crate) is_exact: bool,
}

impl Clauses {
    pub(super) fn new(slots: &[Slot], domains: &[Domain]) -> Clauses {
        let mut lists = Vec::new();
        let mut next = 0;
        for (slot, domain) in slots.iter().zip(domains) {
            for word in 0..slot.words {
                lists.push(next);
                next += 2 * (domain.capacity() - word * WORD as u32).min(WORD as u32);
            }
        }
        lists.push(next);
        let words = lists.len() - 1;
        Clauses {
            units: Vec::new(),
            literals: Vec::new(),
            starts: vec![0],
            lists,
            equal: vec![0; words],
            unequal: vec![0; words],
            pairs: Vec::new(),
            implied: Vec::new(),
            is_exact: true,
        }
    }

    /// Adds a clause. Returns false if it cannot be satisfied.
    pub(super) fn add(&mut self, literals: &[Literal], domains: &[Domain], slots: &[Slot]) -> bool {
        let Some(clause) = simplify(literals, domains) else {
            return true;
        };
        self.is_exact &= clause
            .windows(2)
            .all(|pair| pair[0].variable != pair[1].variable);
        let lits: Vec<Lit> = clause.iter().map(|&it| lit(it, slots)).collect();
        match lits[..] {
            [] => return false,
            [unit] => self.units.push(unit),
            [one, two] => self.pairs.extend([(one, two), (two, one)]),
            _ => {
                self.literals.extend(&lits);
                self.starts.push(self.literals.len() as u32);
            }
        }
        if lits.len() > 1 {
            lits.iter().for_each(|&it| self.mark(it));
        }
        true
    }

    fn mark(&mut self, lit: Lit) {
        let marks = match lit.is_equal() {
            true => &mut self.equal,
            false => &mut self.unequal,
        };
        marks[lit.word()] |= lit.mask();
    }

    pub(super) fn finish(&mut self) {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.sort_unstable_by_key(|&(one, two)| (self.list(one), two));
        pairs.dedup();
        self.implied = vec![0; self.lists() + 1];
        for &(one, _) in &pairs {
            let list = self.list(one);
            self.implied[list + 1] += 1;
        }
        for list in 0..self.lists() {
            self.implied[list + 1] += self.implied[list];
        }
        self.pairs = pairs;
    }

    /// The number of the list of clauses to visit when a literal becomes false.
    pub(crate) fn list(&self, lit: Lit) -> usize {
        self.lists[lit.word()] as usize + 2 * lit.bit() as usize + usize::from(lit.is_equal())
    }

    /// How many lists there are.
    pub(crate) fn lists(&self) -> usize {
        self.lists.last().map_or(0, |&end| end as usize)
    }

    /// The implications that fire when the literal of a list becomes false.
    pub(crate) fn implied(&self, list: usize) -> &[(Lit, Lit)] {
        &self.pairs[self.implied[list] as usize..self.implied[list + 1] as usize]
    }

    /// How many longer clauses there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where the literals of a longer clause lie.
    pub(crate) fn range(&self, clause: usize) -> std::ops::Range<usize> {
        self.starts[clause] as usize..self.starts[clause + 1] as usize
    }

    pub(super) fn bytes(&self) -> usize {
        let ids = self.literals.len() + self.starts.len() + self.lists.len() + self.implied.len();
        ids * 4 + self.pairs.len() * 8 + self.equal.len() * 16
    }
}

fn lit(literal: Literal, slots: &[Slot]) -> Lit {
    let slot = slots[literal.variable.index()];
    let (word, bit) = (literal.value / WORD as u32, literal.value % WORD as u32);
    Lit::new(slot.word + word, bit, literal.equal)
}

/// A clause without the literals that the domains make false, sorted by variable; `None` if it
/// always holds.
fn simplify(literals: &[Literal], domains: &[Domain]) -> Option<Vec<Literal>> {
    let mut sorted = literals.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut clause = Vec::with_capacity(sorted.len());
    for group in sorted.chunk_by(|a, b| a.variable == b.variable) {
        let variable = group[0].variable;
        let domain = &domains[variable.index()];
        let holds = |value| group.iter().any(|it| it.holds(value));
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for value in domain.values() {
            let side = if holds(value) { &mut yes } else { &mut no };
            side.push(value);
        }
        match (&yes[..], &no[..]) {
            (_, []) => return None,
            ([], _) => {}
            (yes, &[value]) if yes.len() > 1 => clause.push(variable.is_not(value)),
            (yes, _) => clause.extend(yes.iter().map(|&value| variable.is(value))),
        }
    }
    Some(clause)
}

/// A definition as clauses.
pub(super) fn of_definition(constraint: &Constraint) -> Vec<Vec<Literal>> {
    let Constraint::Definition {
        head,
        junction,
        body,
    } = constraint
    else {
        return Vec::new();
    };
    // ¬head ⇔ ¬l₁ ∧ … ∧ ¬lₙ is the same as head ⇔ l₁ ∨ … ∨ lₙ.
    let turn = |it: Literal| match junction {
        Junction::And => it,
        Junction::Or => !it,
    };
    let head = turn(*head);
    let mut clauses: Vec<_> = body.iter().map(|&it| vec![!head, turn(it)]).collect();
    let mut long: Vec<Literal> = body.iter().map(|&it| !turn(it)).collect();
    long.push(head);
    clauses.push(long);
    clauses
}

/// The clause that forbids a tuple.
pub(super) fn of_forbidden(scope: &[Variable], tuple: &[Value]) -> Vec<Literal> {
    let cells = scope
        .iter()
        .zip(tuple)
        .filter(|&(_, &value)| value != crate::ANY);
    cells
        .map(|(variable, &value)| variable.is_not(value))
        .collect()
}
