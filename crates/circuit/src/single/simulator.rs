//! One state, and the way to the next: changes are propagated, nothing else is evaluated.
//!
//! Gates are taken in the order of their slots, so each is told of all changes before it
//! tells others of its own, and changes at most once a turn: bits of changed gates are a
//! queue that is in order by itself, and a gate that changes back takes itself out. Gates of
//! the turn wait, with the changes of the state, until the joint move is known.

use super::guards::Group;
use super::network::{Network, Stage};
use super::recursion::Derivation;
use super::sections::Section;
use logic::{Literal, TermId};
use rand_core::Rng;

/// No move, before the first turn.
const NONE: u32 = u32::MAX;

/// Working memory for one state of a game.
#[derive(Clone, Debug)]
pub struct Single<'n> {
    pub(crate) network: &'n Network,
    counts: Vec<i32>,
    bits: Vec<u64>,
    /// The slot of each role's last move.
    done: Vec<u32>,
    derivations: Vec<Derivation>,
    /// The next state, while it becomes the present one.
    next: Vec<u64>,
    /// Whether goals have been evaluated in this state.
    goals_known: bool,
}

impl<'n> Single<'n> {
    /// Working memory, in the first state.
    pub fn new(network: &'n Network) -> Single<'n> {
        let mut single = Single {
            network,
            counts: network.counts.clone(),
            bits: network.bits.clone(),
            done: vec![NONE; network.roles()],
            derivations: network.recursions.iter().map(Derivation::new).collect(),
            next: vec![0; network.initial.len()],
            goals_known: false,
        };
        single.load(network.initial());
        single
    }

    /// Goes to a state, given as [`Single::state`] gives it.
    pub fn load(&mut self, state: &[u64]) {
        for (word, &wanted) in state.iter().enumerate() {
            self.change(word, self.bits[word] ^ wanted);
        }
        self.settle(Section::State);
        self.goals_known = false;
    }

    /// The state, packed: bit `f % 64` of word `f / 64` is whether fluent `f` holds.
    pub fn state(&self) -> &[u64] {
        &self.bits[..self.network.initial.len()]
    }

    /// Whether the match is over.
    pub fn terminal(&self) -> bool {
        let slot = self.network.terminal;
        self.bits[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// The numbers of a role's legal moves, in order: its moves are `network.moves()[role]`.
    pub fn legal(&self, role: usize) -> impl Iterator<Item = u32> {
        let first = self.network.legal[role] as u32;
        let words = self.groups(role).flat_map(|group| group.words(&self.bits));
        words
            .flat_map(move |(place, word)| ones(word).map(move |it| place as u32 * 64 + it - first))
    }

    /// A legal move of a role, each as likely as the others; none if there is none.
    pub fn any_legal(&self, role: usize, random: &mut impl Rng) -> Option<u32> {
        let words = || self.groups(role).flat_map(|group| group.words(&self.bits));
        let count: u32 = words().map(|(_, word)| word.count_ones()).sum();
        let mut rank = match count {
            0 => return None,
            1 => 0,
            // The chance of each is off by less than 2^-32.
            _ => ((u64::from(random.next_u32()) * u64::from(count)) >> 32) as u32,
        };
        for (place, word) in words() {
            let here = word.count_ones();
            if rank < here {
                let slot = place * 64 + nth(word, rank) as usize;
                return Some((slot - self.network.legal[role]) as u32);
            }
            rank -= here;
        }
        None
    }

    /// The groups of a role's moves that may be legal.
    fn groups(&self, role: usize) -> impl Iterator<Item = &Group> {
        let groups = self.network.groups[role].iter();
        groups.filter(|group| self.holds(group.guard))
    }

    /// Makes a joint move, by the number of each role's move, and goes to the next state.
    pub fn play(&mut self, joint: &[u32]) {
        self.choose(joint);
        self.advance();
    }

    /// Lets each role do a move, by its number; the state stays.
    pub fn choose(&mut self, joint: &[u32]) {
        for (role, &number) in joint.iter().enumerate() {
            let chosen = self.network.first_moves[role] + number;
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

    /// Goes to the state after the joint move that was chosen.
    pub fn advance(&mut self) {
        // The ports change while the state does.
        let mut next = std::mem::take(&mut self.next);
        next.copy_from_slice(&self.bits[self.network.next.clone()]);
        self.load(&next);
        self.next = next;
    }

    /// A role's goal; none if it has none, or several.
    pub fn goal(&mut self, role: usize) -> Option<u32> {
        let mut goals = self.goals(role);
        let (_, value) = goals.next()?;
        goals.next().is_none().then_some(value)
    }

    /// The goals of a role, with their values: one, if the rules are right.
    pub fn goals(&mut self, role: usize) -> impl Iterator<Item = (TermId, u32)> {
        if !std::mem::replace(&mut self.goals_known, true) {
            self.evaluate(Section::Goals);
        }
        let goals = self.network.goals[role].iter();
        let goals = goals.filter(|goal| self.holds(goal.literal));
        goals.map(|goal| (goal.term, goal.value))
    }

    /// What a role sees of the joint move that was chosen, before [`Single::advance`].
    pub fn percepts(&mut self, role: usize) -> impl Iterator<Item = TermId> {
        self.evaluate(Section::Percepts);
        let percepts = self.network.percepts[role].iter();
        let percepts = percepts.filter(|it| self.holds(it.1));
        percepts.map(|&(term, _)| term)
    }

    /// Changes some fluents of a word of the state.
    fn change(&mut self, word: usize, mut changes: u64) {
        self.bits[word] ^= changes;
        while changes != 0 {
            self.toggle(word * 64 + changes.trailing_zeros() as usize);
            changes &= changes - 1;
        }
    }

    /// Changes an input.
    fn toggle(&mut self, slot: usize) {
        self.counts[slot] = !self.counts[slot];
        self.tell(slot);
    }

    /// Propagates the changes that a section has been told of.
    fn settle(&mut self, section: Section) {
        let network = self.network;
        for stage in &network.sections[section as usize] {
            match stage {
                Stage::Gates(words) => self.settle_gates(words.start, words.end),
                &Stage::Recursion(number) => self.derive(number),
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

    /// Tells those that ask for a slot that it changed.
    #[inline]
    fn tell(&mut self, slot: usize) {
        let fan = self.network.fans[slot];
        let positive = &self.network.targets[fan.start as usize..fan.negative as usize];
        let negative = &self.network.targets[fan.negative as usize..fan.end as usize];
        let (more, less) = match self.counts[slot] >= 0 {
            true => (positive, negative),
            false => (negative, positive),
        };
        add::<1>(more, &mut self.counts, &mut self.bits);
        add::<-1>(less, &mut self.counts, &mut self.bits);
    }

    /// Brings a recursion up to date and tells of what changed.
    fn derive(&mut self, number: usize) {
        let recursion = &self.network.recursions[number];
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

    /// Evaluates all gates of a section that nobody tells of changes.
    fn evaluate(&mut self, section: Section) {
        let network = self.network;
        for stage in &network.sections[section as usize] {
            match stage {
                Stage::Gates(words) => {
                    for slot in words.start * 64..words.end * 64 {
                        self.evaluate_gate(slot);
                    }
                }
                &Stage::Recursion(number) => self.derive(number),
            }
        }
    }

    fn evaluate_gate(&mut self, slot: usize) {
        let network = self.network;
        let body = &network.bodies[slot - network.first_cold..][..2];
        let mut literals = network.literals[body[0] as usize..body[1] as usize].iter();
        let holds = literals.all(|&literal| self.holds(literal));
        self.counts[slot] = i32::from(holds) - 1;
        let (word, place) = (slot / 64, slot % 64);
        let bit = u64::from(holds) ^ network.bits[word] >> place & 1;
        self.bits[word] = self.bits[word] & !(1 << place) | bit << place;
    }

    fn holds(&self, literal: Literal) -> bool {
        match literal.node() {
            Some((slot, positive)) => (self.counts[slot] >= 0) == positive,
            None => literal == Literal::TRUE,
        }
    }
}

/// The places of the bits that are set.
fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(place)
    })
}

/// The place of the bit before which so many others are set.
fn nth(mut word: u64, rank: u32) -> u32 {
    for _ in 0..rank {
        word &= word - 1;
    }
    word.trailing_zeros()
}

/// Adds to the counters of some slots; the bits of those whose sign changes change too.
/// That is done without a branch, as nobody could predict it.
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
