//! Layout → network: counters, fans and the bodies of what is evaluated on demand.

use super::layout::{Kind, Layout, Slot, slotted};
use super::network::{Fan, Goal, Network};
use logic::{Literal, Terms};

impl Layout {
    /// The network, with the terms of the game to read goals by.
    pub(crate) fn network(self, terms: &Terms) -> Network {
        let (fans, targets) = self.fans();
        let (bodies, literals) = self.bodies();
        let first_move = self.built.fluents.len().next_multiple_of(64) as u32;
        let first_moves = self.built.moves.iter().scan(first_move, |first, moves| {
            Some(std::mem::replace(first, *first + moves.len() as u32))
        });
        let goal = |&(term, literal)| Goal {
            term,
            value: terms.name(term).parse().unwrap_or(0),
            literal: slotted(&self.slot_of, literal),
        };
        let goals = self.built.goals.iter();
        let goals = goals.map(|of_role| of_role.iter().map(goal).collect());
        let percept = |&(term, literal)| (term, slotted(&self.slot_of, literal));
        let percepts = self.built.percepts.iter();
        let percepts = percepts.map(|of_role| of_role.iter().map(percept).collect());
        Network {
            initial: packed(&self.built.initial),
            first_moves: first_moves.collect(),
            counts: self.counts(),
            bits: self.bits(),
            goals: goals.collect(),
            percepts: percepts.collect(),
            fans,
            targets,
            bodies,
            literals,
            fluents: self.built.fluents,
            moves: self.built.moves,
            sections: self.sections,
            recursions: self.recursions,
            first_cold: self.first_cold,
            legal: self.legal,
            groups: self.groups,
            terminal: self.terminal,
            next: self.next,
        }
    }

    /// The counters where nothing holds: negated literals do.
    fn counts(&self) -> Vec<i32> {
        let count = |slot: &Slot| match slot.kind {
            Kind::Silent => -1,
            _ => -(slot.literals.iter().filter(|it| is_positive(**it)).count() as i32),
        };
        self.slots.iter().map(count).collect()
    }

    /// The bits where nothing holds and nobody has been told anything. What is evaluated on
    /// demand has no such bits: there they say which ports are negated.
    fn bits(&self) -> Vec<u64> {
        let bits = self.slots.iter().enumerate().map(|(number, slot)| {
            let holds =
                number < self.first_cold && !slot.literals.iter().any(|it| is_positive(*it));
            match slot.kind {
                Kind::Silent => false,
                Kind::Gate => holds,
                Kind::Port { negated } => holds != negated,
            }
        });
        packed(&bits.collect::<Vec<_>>())
    }

    fn fans(&self) -> (Vec<Fan>, Vec<u32>) {
        let mut users = vec![[Vec::new(), Vec::new()]; self.slots.len()];
        for (number, slot) in self.slots[..self.first_cold].iter().enumerate() {
            for literal in &slot.literals {
                let (node, positive) = literal.node().expect("literals of gates are no constants");
                users[self.slot_of[node]][usize::from(!positive)].push(number as u32);
            }
        }
        let mut targets = Vec::new();
        let fans = users.into_iter().map(|[positive, negative]| {
            let start = targets.len() as u32;
            targets.extend(positive);
            let middle = targets.len() as u32;
            targets.extend(negative);
            Fan {
                start,
                negative: middle,
                end: targets.len() as u32,
            }
        });
        (fans.collect(), targets)
    }

    /// Where the literals of each slot that is evaluated on demand start, and all of them.
    fn bodies(&self) -> (Vec<u32>, Vec<Literal>) {
        let (mut bodies, mut literals) = (vec![0], Vec::new());
        for slot in &self.slots[self.first_cold..] {
            literals.extend(slot.literals.iter().map(|&it| slotted(&self.slot_of, it)));
            bodies.push(literals.len() as u32);
        }
        (bodies, literals)
    }
}

fn is_positive(literal: Literal) -> bool {
    literal.node().is_some_and(|(_, positive)| positive)
}

/// Packs bits into words, the first into the lowest bit.
pub(crate) fn packed(bits: &[bool]) -> Vec<u64> {
    let word = |bits: &[bool]| {
        let ones = bits.iter().enumerate().filter(|it| *it.1);
        ones.fold(0, |word, (place, _)| word | 1 << place)
    };
    bits.chunks(64).map(word).collect()
}
