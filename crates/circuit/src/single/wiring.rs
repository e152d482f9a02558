//! Layout → propnet: counters, fans and the bodies of slots evaluated on demand.

use super::layout::{Layout, Slot, SlotKind, slotted};
use super::propnet::{Fan, Goal, Propnet};
use logic::{Literal, Terms};

impl Layout {
    /// The propnet; values of goals are read from `terms`.
    pub(crate) fn propnet(self, terms: &Terms) -> Propnet {
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
        let percepts = self.built.percepts.iter();
        let percept_literals = percepts.clone().map(|of_role| {
            let literals = of_role.iter();
            literals.map(|it| slotted(&self.slot_of, it.1)).collect()
        });
        let percepts = percepts.map(|of_role| of_role.iter().map(|it| it.0).collect());
        Propnet {
            first_moves: first_moves.collect(),
            counts: self.counts(),
            bits: self.bits(),
            goals: goals.collect(),
            percepts: percepts.collect(),
            percept_literals: percept_literals.collect(),
            fans,
            targets,
            bodies,
            literals,
            fluents: self.built.fluents,
            initial: self.built.initial,
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

    /// The counters where no node holds; negated literals do.
    fn counts(&self) -> Vec<i32> {
        let count = |slot: &Slot| match slot.kind {
            SlotKind::Silent => -1,
            _ => -(slot.literals.iter().filter(|it| is_positive(**it)).count() as i32),
        };
        self.slots.iter().map(count).collect()
    }

    /// The bits where no node holds and nothing is propagated. For slots evaluated on demand they
    /// say which ports are negated.
    fn bits(&self) -> Vec<u64> {
        let bits = self.slots.iter().enumerate().map(|(number, slot)| {
            let holds =
                number < self.first_cold && !slot.literals.iter().any(|it| is_positive(*it));
            match slot.kind {
                SlotKind::Silent => false,
                SlotKind::Gate => holds,
                SlotKind::Port { negated } => holds != negated,
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
fn packed(bits: &[bool]) -> Vec<u64> {
    let word = |bits: &[bool]| {
        let ones = bits.iter().enumerate().filter(|it| *it.1);
        ones.fold(0, |word, (place, _)| word | 1 << place)
    };
    bits.chunks(64).map(word).collect()
}
