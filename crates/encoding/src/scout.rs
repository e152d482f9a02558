//! `Scout`: one caller's way of asking the network with the end ([`Ahead`]).
//!
//! A state is loaded; a joint move is decided; then the next state, the end and the goals can be
//! read, and also *why* they are as they are: a [`Pattern`] of fluents from which the same follows
//! in any other state, whatever its other fluents are, after the same joint move.

use crate::ahead::{Ahead, Bit};
use crate::stage::Encoding;
use constraint::{Cause, Conflict, Kept, Reasons, SetAside, Value, Variable};
use logic::{Bits, BitsBuf, FluentId, MoveId, RoleId};

/// Fluents that have to hold and fluents that must not: a mask over packed states and the values
/// under it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pattern {
    mask: Vec<u64>,
    values: Vec<u64>,
}

impl Pattern {
    /// No condition, for states of so many words.
    pub fn new(words: usize) -> Pattern {
        Pattern {
            mask: vec![0; words],
            values: vec![0; words],
        }
    }

    /// A pattern of its words: the mask, and the values under it. None if they do not fit.
    pub fn of_words(mask: Vec<u64>, values: Vec<u64>) -> Option<Pattern> {
        let fits = mask.len() == values.len();
        let inside = mask.iter().zip(&values).all(|(mask, it)| it & !mask == 0);
        (fits && inside).then_some(Pattern { mask, values })
    }

    /// The words of the mask, and of the values under it.
    pub fn words(&self) -> (&[u64], &[u64]) {
        (&self.mask, &self.values)
    }

    /// Adds that a fluent has to hold, or must not.
    pub fn add(&mut self, fluent: FluentId, holds: bool) {
        let (word, bit) = (fluent.index() / 64, 1 << (fluent.index() % 64));
        self.mask[word] |= bit;
        if holds {
            self.values[word] |= bit;
        }
    }

    /// How many fluents it asks about.
    pub fn len(&self) -> usize {
        self.mask.iter().map(|it| it.count_ones() as usize).sum()
    }

    /// Whether it asks about none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a state has it.
    #[inline]
    pub fn fits(&self, state: &Bits) -> bool {
        let words = state.words().iter().zip(&self.mask).zip(&self.values);
        words.fold(0, |all, ((word, mask), value)| all | (word & mask ^ value)) == 0
    }

    /// The fluents it asks about.
    fn fluents(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.mask.iter().enumerate();
        words.flat_map(|(place, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| place * 64 + bit)
        })
    }
}

/// Working memory for one state at a time.
#[derive(Debug)]
pub struct Scout<'e> {
    encoding: &'e Encoding,
    ahead: &'e Ahead,
    kept: Kept<'e>,
    /// The loaded state; none at first.
    state: Option<BitsBuf>,
    changed: Vec<(Variable, Value)>,
    joint: Vec<Value>,
    reasons: Reasons,
}

/// A scout that rests: to go on from it is much cheaper than to begin anew, as a network is
/// updated by what differs between two states.
#[derive(Debug)]
pub struct Resting {
    kept: SetAside,
    state: Option<BitsBuf>,
    reasons: Reasons,
}

impl<'e> Scout<'e> {
    /// Working memory.
    pub fn new(encoding: &'e Encoding, ahead: &'e Ahead) -> Scout<'e> {
        Scout {
            encoding,
            ahead,
            kept: Kept::new(&ahead.defined),
            state: None,
            changed: Vec::new(),
            joint: Vec::new(),
            reasons: Reasons::default(),
        }
    }

    /// Sets the loaded state aside, so that another scout of the same networks can go on from it.
    pub fn rest(self) -> Resting {
        Resting {
            kept: self.kept.set_aside(),
            state: self.state,
            reasons: self.reasons,
        }
    }

    /// Goes on from where another scout of the same networks rested.
    pub fn resume(encoding: &'e Encoding, ahead: &'e Ahead, resting: Resting) -> Scout<'e> {
        Scout {
            encoding,
            ahead,
            kept: Kept::resume(&ahead.defined, resting.kept),
            state: resting.state,
            changed: Vec::new(),
            joint: Vec::new(),
            reasons: resting.reasons,
        }
    }

    /// Goes to a state. A conflict means that no joint move is legal in it, or that it is no state
    /// of the game.
    pub fn load(&mut self, state: &Bits) -> Result<(), Conflict> {
        let changed = &mut self.changed;
        match &self.state {
            None => *changed = self.encoding.given(state)?,
            Some(before) => self.encoding.changed(before, state, changed)?,
        }
        for &(variable, value) in &*changed {
            self.kept.set(variable, value);
        }
        self.kept.settle();
        self.state.get_or_insert_default().copy_from(state);
        match self.kept.is_open() {
            true => Ok(()),
            false => Err(Conflict),
        }
    }

    /// The legal moves of a role in the loaded state, in order.
    pub fn legal(&self, role: RoleId) -> impl Iterator<Item = MoveId> + '_ {
        let allowed = self.kept.allowed(role.index());
        allowed.map(|value| MoveId::new(value as usize))
    }

    /// Makes a legal joint move in thought; false if what follows is no state of the game.
    pub fn decide(&mut self, joint: &[MoveId]) -> bool {
        self.joint.clear();
        (self.joint).extend(joint.iter().map(|it| it.index() as Value));
        self.kept.decide(&self.joint)
    }

    /// The state after the joint move.
    pub fn next(&self) -> &Bits {
        Bits::new(self.kept.watched())
    }

    /// Whether the match is over after it.
    pub fn is_over(&self) -> bool {
        self.truth(self.ahead.over)
    }

    /// What a role gets if the match is over then; none if the rules do not give one goal. Chance
    /// and other roles without goals get nothing.
    pub fn value(&self, role: RoleId) -> Option<f32> {
        if self.ahead.goals[role.index()].is_empty() {
            return Some(0.0);
        }
        let goals = self.ahead.goals[role.index()].iter();
        let mut reached = goals.filter(|&&(_, bit)| self.truth(bit));
        match (reached.next(), reached.next()) {
            (Some(&(value, _)), None) => Some(value),
            _ => None,
        }
    }

    fn truth(&self, bit: Bit) -> bool {
        match bit {
            Bit::Constant(value) => value,
            Bit::Noted(place) => self.kept.notes(place),
        }
    }

    /// Why the move of a role is legal, and after the joint move the match is over with the goal
    /// that the role has then.
    pub fn why_over(&mut self, role: RoleId) -> Pattern {
        self.reasons.clear();
        let decision = role.index();
        (self.reasons).allowed(&self.kept, (decision, self.joint[decision]));
        let goals = self.ahead.goals[decision].iter().map(|goal| goal.1);
        let reached = goals.filter(|&bit| self.truth(bit));
        let bits: Vec<Bit> = reached.chain([self.ahead.over]).collect();
        for bit in bits {
            if let Bit::Noted(place) = bit {
                self.reasons.noted(&self.kept, place);
            }
        }
        self.pattern()
    }

    /// Why the move of a role is legal.
    pub fn why_legal(&mut self, role: RoleId) -> Pattern {
        self.reasons.clear();
        let decision = role.index();
        (self.reasons).allowed(&self.kept, (decision, self.joint[decision]));
        self.pattern()
    }

    /// Why after the joint move the match is not over, and the next state has a pattern.
    pub fn why_next(&mut self, pattern: &Pattern) -> Pattern {
        self.reasons.clear();
        for fluent in pattern.fluents() {
            self.reasons.watched(&self.kept, fluent);
        }
        if let Bit::Noted(place) = self.ahead.over {
            self.reasons.noted(&self.kept, place);
        }
        self.pattern()
    }

    /// Why roles other than one have no choice in the loaded state.
    pub fn why_alone(&mut self, role: RoleId) -> Pattern {
        self.reasons.clear();
        for other in (0..self.joint.len()).filter(|&it| it != role.index()) {
            let only = self.joint[other];
            self.reasons.allowed(&self.kept, (other, only));
            self.why_no_other(other, only);
        }
        self.pattern()
    }

    /// Why a role has only the moves it has in the loaded state.
    pub fn why_no_more(&mut self, role: RoleId) -> Pattern {
        self.reasons.clear();
        let role = role.index();
        let count = self
            .encoding
            .model()
            .domain(self.encoding.actions[role])
            .capacity();
        for value in (0..count).filter(|&it| !self.kept.allows(role, it)) {
            self.reasons.allowed(&self.kept, (role, value));
        }
        self.pattern()
    }

    fn why_no_other(&mut self, role: usize, only: Value) {
        let count = self
            .encoding
            .model()
            .domain(self.encoding.actions[role])
            .capacity();
        for value in (0..count).filter(|&it| it != only) {
            self.reasons.allowed(&self.kept, (role, value));
        }
    }

    /// The reasons found, as a pattern of the loaded state.
    fn pattern(&self) -> Pattern {
        let grouping = &self.encoding.grouping;
        let mut pattern = Pattern::new(grouping.places.len().div_ceil(64));
        for cause in self.reasons.causes() {
            self.add_cause(cause, &mut pattern);
        }
        pattern
    }

    /// A value of a variable is a fluent; one more value says that none of them holds.
    fn add_cause(&self, cause: &Cause, pattern: &mut Pattern) {
        let group = &self.encoding.grouping.groups[cause.variable.index()];
        if let Some(&fluent) = group.fluents.get(cause.value as usize) {
            return pattern.add(fluent, cause.holds);
        }
        let state = self
            .state
            .as_ref()
            .expect("a state is loaded before it is asked about");
        for &fluent in &group.fluents {
            let holds = state.holds(fluent);
            if cause.holds || holds {
                pattern.add(fluent, holds);
            }
        }
    }
}

impl Pattern {
    /// Adds the conditions of another.
    pub fn join(&mut self, other: &Pattern) {
        let words = self.mask.iter_mut().zip(&mut self.values);
        let others = other.mask.iter().zip(&other.values);
        for ((mask, value), (other_mask, other_value)) in words.zip(others) {
            debug_assert_eq!(
                *value & other_mask,
                other_value & *mask,
                "both hold in one state"
            );
            *mask |= other_mask;
            *value |= other_value;
        }
    }
}
