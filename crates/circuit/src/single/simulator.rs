//! One state and the step to the next: only changes are propagated.
//!
//! Gates are processed in the order of their slots, so a gate has seen all changes of its inputs
//! before its own is propagated, and changes at most once a turn. The bits of changed gates are a
//! sorted queue; a gate that changes back removes itself. Gates of the turn keep the changes of
//! the state until the joint move is known.

use super::guards::GuardGroup;
use super::propnet::{Phase, Propnet};
use super::recursion::Derivation;
use super::sections::Section;
use logic::{Bits, BitsBuf, Literal, MoveId, PerceptId, RoleId, TermId};
use rand_core::Rng;

/// No move, before the first turn.
const NONE: u32 = u32::MAX;

/// Working memory for one state of a game.
#[derive(Clone, Debug)]
pub struct Single<'n> {
    pub(crate) propnet: &'n Propnet,
    counts: Vec<i32>,
    bits: Vec<u64>,
    /// The slot of each role's last move.
    done: Vec<u32>,
    derivations: Vec<Derivation>,
    /// The next state, while it becomes the present one.
    next: BitsBuf,
    /// Whether goals have been evaluated in this state.
    goals_known: bool,
}

impl<'n> Single<'n> {
    /// Working memory, in the initial state.
    pub fn new(propnet: &'n Propnet) -> Single<'n> {
        let mut single = Single {
            propnet,
            counts: propnet.counts.clone(),
            bits: propnet.bits.clone(),
            done: vec![NONE; propnet.roles()],
            derivations: propnet.recursions.iter().map(Derivation::new).collect(),
            next: propnet.initial.clone(),
            goals_known: false,
        };
        single.load(propnet.initial());
        single
    }

    /// The network that changes are propagated through.
    pub fn propnet(&self) -> &'n Propnet {
        self.propnet
    }

    /// Goes to a state.
    pub fn load(&mut self, state: &Bits) {
        for (word, &wanted) in state.words().iter().enumerate() {
            self.change(word, self.bits[word] ^ wanted);
        }
        self.settle(Section::State);
        self.goals_known = false;
    }

    /// The present state.
    pub fn state(&self) -> &Bits {
        Bits::new(&self.bits[..self.propnet.initial.words().len()])
    }

    /// Whether the match is over.
    pub fn terminal(&self) -> bool {
        let slot = self.propnet.terminal;
        self.bits[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// The legal moves of a role, in order.
    pub fn legal(&self, role: RoleId) -> impl Iterator<Item = MoveId> {
        let first = self.propnet.legal[role.index()];
        let words = self.groups(role).flat_map(|group| group.words(&self.bits));
        words.flat_map(move |(place, word)| {
            ones(word).map(move |it| MoveId::new(place * 64 + it - first))
        })
    }

    /// A uniformly random legal move of a role; none if there is none.
    pub fn any_legal(&self, role: RoleId, random: &mut impl Rng) -> Option<MoveId> {
        let words = || self.groups(role).flat_map(|group| group.words(&self.bits));
        let count: u32 = words().map(|(_, word)| word.count_ones()).sum();
        let mut rank = match count {
            0 => return None,
            1 => 0,
            // Each probability is off by less than 2^-32.
            _ => ((u64::from(random.next_u32()) * u64::from(count)) >> 32) as u32,
        };
        for (place, word) in words() {
            let here = word.count_ones();
            if rank < here {
                let slot = place * 64 + nth(word, rank) as usize;
                return Some(MoveId::new(slot - self.propnet.legal[role.index()]));
            }
            rank -= here;
        }
        None
    }

    /// The groups of a role's moves whose guard holds.
    fn groups(&self, role: RoleId) -> impl Iterator<Item = &GuardGroup> {
        let groups = self.propnet.groups[role.index()].iter();
        groups.filter(|group| self.holds(group.guard))
    }

    /// Makes a joint move and goes to the next state.
    pub fn play(&mut self, joint: &[MoveId]) {
        self.choose(joint);
        self.advance();
    }

    /// Sets the move of each role; the state stays.
    pub fn choose(&mut self, joint: &[MoveId]) {
        for (role, &action) in joint.iter().enumerate() {
            let chosen = self.propnet.first_moves[role] + action.index() as u32;
            let before = std::mem::replace(&mut self.done[role], chosen);
            if before != chosen {
                if before != NONE {
                    self.toggle(before as usize);
                }
                self.toggle(chosen as usize);
            }
        }
        self.settle(Section::Turn);
    }

    /// Goes to the state after the chosen joint move.
    pub fn advance(&mut self) {
        // The ports change while the state is loaded.
        let mut next = std::mem::take(&mut self.next);
        next.copy_from(Bits::new(&self.bits[self.propnet.next.clone()]));
        self.load(&next);
        self.next = next;
    }

    /// A role's goal; none unless there is exactly one.
    pub fn goal(&mut self, role: RoleId) -> Option<u32> {
        let mut goals = self.goals(role);
        let (_, value) = goals.next()?;
        goals.next().is_none().then_some(value)
    }

    /// The goals of a role, with their values: one in well-formed games.
    pub fn goals(&mut self, role: RoleId) -> impl Iterator<Item = (TermId, u32)> {
        if !std::mem::replace(&mut self.goals_known, true) {
            self.evaluate(Section::Goals);
        }
        let goals = self.propnet.goals[role.index()].iter();
        let goals = goals.filter(|goal| self.holds(goal.literal));
        goals.map(|goal| (goal.term, goal.value))
    }

    /// The percepts of a role after the chosen joint move, before [`Single::advance`].
    pub fn percepts(&mut self, role: RoleId) -> impl Iterator<Item = PerceptId> {
        self.evaluate(Section::Percepts);
        let literals = &self.propnet.percept_literals[role.index()];
        let percepts = PerceptId::all(literals.len()).zip(literals);
        percepts.filter_map(|(it, &literal)| self.holds(literal).then_some(it))
    }

    /// Toggles some bits of a word.
    fn change(&mut self, word: usize, mut changes: u64) {
        self.bits[word] ^= changes;
        while changes != 0 {
            self.toggle(word * 64 + changes.trailing_zeros() as usize);
            changes &= changes - 1;
        }
    }

    /// Toggles an input.
    fn toggle(&mut self, slot: usize) {
        self.counts[slot] = !self.counts[slot];
        self.tell(slot);
    }

    /// Propagates the pending changes of a section.
    fn settle(&mut self, section: Section) {
        let propnet = self.propnet;
        for stage in &propnet.sections[section as usize] {
            match stage {
                Phase::Gates(words) => self.settle_gates(words.start, words.end),
                &Phase::Recursion(number) => self.derive(number),
            }
        }
    }

    fn settle_gates(&mut self, mut word: usize, end: usize) {
        while word < end {
            let changed = self.bits[word];
            if changed == 0 {
                word += 1;
                continue;
            }
            self.bits[word] = changed & (changed - 1);
            self.tell(word * 64 + changed.trailing_zeros() as usize);
        }
    }

    /// Updates the users of a changed slot.
    #[inline]
    fn tell(&mut self, slot: usize) {
        let fan = self.propnet.fans[slot];
        let positive = &self.propnet.targets[fan.start as usize..fan.negative as usize];
        let negative = &self.propnet.targets[fan.negative as usize..fan.end as usize];
        let (more, less) = match self.counts[slot] >= 0 {
            true => (positive, negative),
            false => (negative, positive),
        };
        add::<1>(more, &mut self.counts, &mut self.bits);
        add::<-1>(less, &mut self.counts, &mut self.bits);
    }

    /// Updates a recursion and the users of its changed nodes.
    fn derive(&mut self, number: usize) {
        let recursion = &self.propnet.recursions[number];
        let ports = recursion.ports.start / 64..recursion.ports.end.div_ceil(64);
        if !self.derivations[number].update(recursion, &self.bits[ports]) {
            return;
        }
        let first = recursion.nodes.start / 64;
        for place in 0..recursion.nodes.len().div_ceil(64) {
            let changes = self.bits[first + place] ^ self.derivations[number].nodes[place];
            self.change(first + place, changes);
        }
    }

    /// Evaluates all gates of a section that is not propagated.
    fn evaluate(&mut self, section: Section) {
        let propnet = self.propnet;
        for stage in &propnet.sections[section as usize] {
            match stage {
                Phase::Gates(words) => {
                    for slot in words.start * 64..words.end * 64 {
                        self.evaluate_gate(slot);
                    }
                }
                &Phase::Recursion(number) => self.derive(number),
            }
        }
    }

    fn evaluate_gate(&mut self, slot: usize) {
        let propnet = self.propnet;
        let body = &propnet.bodies[slot - propnet.first_cold..][..2];
        let mut literals = propnet.literals[body[0] as usize..body[1] as usize].iter();
        let holds = literals.all(|&literal| self.holds(literal));
        self.counts[slot] = i32::from(holds) - 1;
        let (word, place) = (slot / 64, slot % 64);
        let bit = u64::from(holds) ^ propnet.bits[word] >> place & 1;
        self.bits[word] = self.bits[word] & !(1 << place) | bit << place;
    }

    fn holds(&self, literal: Literal) -> bool {
        match literal.node() {
            Some((slot, positive)) => (self.counts[slot] >= 0) == positive,
            None => literal == Literal::TRUE,
        }
    }
}

/// The places of the set bits.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(place)
    })
}

/// The place of the set bit of this rank.
fn nth(mut word: u64, rank: u32) -> u32 {
    for _ in 0..rank {
        word &= word - 1;
    }
    word.trailing_zeros()
}

/// Adds to the counters of some slots and toggles the bits of those whose sign changes, without a
/// branch, as it would be unpredictable.
#[inline]
fn add<const CHANGE: i32>(slots: &[u32], counts: &mut [i32], bits: &mut [u64]) {
    for &slot in slots {
        let count = &mut counts[slot as usize];
        let before = *count;
        *count += CHANGE;
        let crossed = (before ^ *count) as u32 >> 31;
        bits[slot as usize / 64] ^= u64::from(crossed) << (slot % 64);
    }
}
