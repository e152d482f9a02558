//! Gates → slots: the place of each gate, port and recursion of a propnet.
//!
//! A gate that is used once, not negated, is merged into its user, which counts its literals. A
//! port absorbs its gate in the same way, negated or not. Moves keep their order.

use super::build::{Built, Rule};
use super::gates::Gate;
use super::guards::GuardGroup;
use super::propnet::Phase;
use super::recursion::Recursion;
use super::sections::{Section, levels, sections};
use logic::{Exceeded, GroundProgram, Literal, Loading, MoveGroup};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// A slot and the literals it counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slot {
    /// Literals over nodes.
    pub(crate) literals: Vec<Literal>,
    pub(crate) kind: SlotKind,
}

/// What the bit of a slot means.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum SlotKind {
    /// An input, a node of a recursion, or padding.
    #[default]
    Silent,
    /// Whether it changed.
    Gate,
    /// Whether it holds; or does not, if negated.
    Port { negated: bool },
}

/// A propnet being laid out.
pub(crate) struct Layout {
    pub(crate) built: Built,
    sections_of: Vec<Option<Section>>,
    levels: Vec<usize>,
    /// Which gates are merged into their user.
    taken_in: Vec<bool>,
    /// The slot of each node that has one.
    pub(crate) slot_of: Vec<usize>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) sections: [Vec<Phase>; 4],
    pub(crate) recursions: Vec<Recursion>,
    /// The first slot of each role's ports.
    pub(crate) legal: Vec<usize>,
    pub(crate) groups: Vec<Vec<GuardGroup>>,
    pub(crate) terminal: usize,
    pub(crate) next: Range<usize>,
    pub(crate) first_cold: usize,
}

impl Layout {
    pub(crate) fn new(program: &GroundProgram, loading: &Loading<'_>) -> Result<Layout, Exceeded> {
        let built = Built::new(program, loading)?;
        // Literals again, in slots and in fans.
        loading.check(3 * built.gates.bytes())?;
        let sections_of = sections(&built);
        let mut layout = Layout {
            taken_in: taken_in(&built, &sections_of),
            sections_of,
            levels: levels(&built),
            slot_of: vec![usize::MAX; built.gates.len()],
            slots: Vec::new(),
            sections: Default::default(),
            recursions: Vec::new(),
            legal: Vec::new(),
            groups: Vec::new(),
            terminal: 0,
            next: 0..0,
            first_cold: 0,
            built,
        };
        layout.place_inputs();
        layout.place_section(Section::State);
        layout.place_legal();
        layout.place_section(Section::Turn);
        layout.place_next();
        layout.first_cold = layout.slots.len();
        layout.place_section(Section::Goals);
        layout.place_section(Section::Percepts);
        Ok(layout)
    }

    fn place_inputs(&mut self) {
        let fluents = self.built.fluents.len();
        for node in 0..fluents {
            self.place(node, Slot::default());
        }
        self.new_word();
        for node in fluents..self.built.gates.inputs() {
            self.place(node, Slot::default());
        }
        self.new_word();
    }

    /// Places the ports of moves, in the order of the moves, and of the end.
    fn place_legal(&mut self) {
        for role in 0..self.built.moves.len() {
            let first = self.slots.len();
            self.legal.push(first);
            let groups = std::mem::take(&mut self.built.move_groups[role]);
            let groups = groups.iter().map(|group| self.place_group(role, group));
            let groups = groups.collect();
            self.groups.push(groups);
            let moves = self.built.moves[role].len();
            debug_assert_eq!(
                self.slots.len(),
                first + moves,
                "groups cover the moves in order"
            );
            self.new_word();
        }
        self.terminal = self.slots.len();
        self.slots.push(self.port(self.built.terminal));
        self.new_word();
    }

    /// Places the ports of moves with a common guard; the guard is taken out if it has a slot.
    fn place_group(&mut self, role: usize, group: &MoveGroup) -> GuardGroup {
        let first = self.slots.len();
        let guard = slotted(&self.slot_of, group.guard);
        let is_tested = guard.node().is_some_and(|(slot, _)| slot < first);
        for number in group.moves.clone() {
            let legal = self.built.legal[role][number];
            let port = match is_tested {
                true => self.guarded_port(legal, group.guard),
                false => self.port(legal),
            };
            self.slots.push(port);
        }
        let guard = if is_tested { guard } else { Literal::TRUE };
        GuardGroup::new(guard, &(first..self.slots.len()))
    }

    /// The port of a literal, without its guard. A literal that needs the guard through a shared
    /// gate stays as it is: it implies the guard.
    fn guarded_port(&self, literal: Literal, guard: Literal) -> Slot {
        let rest = self.built.gates.without(guard, literal);
        let is_shared = |it: &Literal| it.node().is_some_and(|it| !self.taken_in[it.0]);
        let mut port = self.port(rest.filter(is_shared).unwrap_or(literal));
        if port.kind == (SlotKind::Port { negated: false }) {
            port.literals.retain(|&it| it != guard);
        }
        port
    }

    fn place_next(&mut self) {
        let first = self.slots.len() / 64;
        for number in 0..self.built.next.len() {
            self.slots.push(self.port(self.built.next[number]));
        }
        self.new_word();
        self.next = first..self.slots.len() / 64;
    }

    /// Places the gates of a section, level by level, recursions first.
    fn place_section(&mut self, section: Section) {
        let mut levels: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for node in 0..self.sections_of.len() {
            if self.sections_of[node] == Some(section) {
                levels.entry(self.levels[node]).or_default().push(node);
            }
        }
        for nodes in levels.values() {
            for &node in nodes {
                if let Some(&Gate::Derived(number)) = self.built.gates.gate(node)
                    && self.slot_of[node] == usize::MAX
                {
                    self.place_recursion(section, number);
                }
            }
            self.place_gates(section, nodes);
        }
    }

    fn place_gates(&mut self, section: Section, nodes: &[usize]) {
        let first = self.slots.len() / 64;
        for &node in nodes {
            if let Some(Gate::All(literals)) = self.built.gates.gate(node)
                && !self.taken_in[node]
            {
                let literals = self.expanded(literals);
                let kind = SlotKind::Gate;
                self.place(node, Slot { literals, kind });
            }
        }
        self.new_word();
        let words = first..self.slots.len() / 64;
        if !words.is_empty() {
            self.sections[section as usize].push(Phase::Gates(words));
        }
    }

    fn place_recursion(&mut self, section: Section, number: usize) {
        let rules = std::mem::take(&mut self.built.recursions[number].rules);
        let nodes = self.built.recursions[number].nodes.clone();
        let first_port = self.slots.len();
        let mut known = HashMap::new();
        let mut with_port = |rule: Rule| {
            let outside = rule.outside;
            let port = (outside != Literal::TRUE).then(|| {
                *known.entry(outside).or_insert_with(|| {
                    self.slots.push(self.port(outside));
                    self.slots.len() - 1 - first_port
                })
            });
            (rule, port)
        };
        let rules: Vec<_> = rules.into_iter().map(&mut with_port).collect();
        let ports = first_port..self.slots.len();
        self.new_word();
        let first_node = self.slots.len();
        for node in nodes {
            self.place(node, Slot::default());
        }
        let nodes = first_node..self.slots.len();
        self.new_word();
        if section >= Section::Goals {
            // These ports are not propagated to, so they are evaluated as gates.
            let words = first_port / 64..first_node / 64;
            self.sections[section as usize].push(Phase::Gates(words));
        }
        self.sections[section as usize].push(Phase::Recursion(self.recursions.len()));
        self.recursions.push(Recursion::new(&rules, ports, nodes));
    }

    /// The port of a literal.
    fn port(&self, literal: Literal) -> Slot {
        let mut slot = Slot {
            literals: vec![literal],
            kind: SlotKind::Port { negated: false },
        };
        match literal.node() {
            None => {
                let negated = literal == Literal::FALSE;
                slot.literals.clear();
                slot.kind = SlotKind::Port { negated };
            }
            Some((node, positive)) => {
                if let Some(Gate::All(literals)) = self.built.gates.gate(node)
                    && self.taken_in[node]
                {
                    slot.literals = self.expanded(literals);
                    slot.kind = SlotKind::Port { negated: !positive };
                }
            }
        }
        slot
    }

    fn place(&mut self, node: usize, slot: Slot) {
        self.slot_of[node] = self.slots.len();
        self.slots.push(slot);
    }

    fn new_word(&mut self) {
        let slots = self.slots.len().next_multiple_of(64);
        self.slots.resize(slots, Slot::default());
    }

    /// The literals of a gate, with those of the gates merged into it.
    fn expanded(&self, literals: &[Literal]) -> Vec<Literal> {
        let mut expanded = Vec::new();
        let mut open = literals.to_vec();
        while let Some(literal) = open.pop() {
            let node = literal.node().map_or(0, |(node, _)| node);
            match self.built.gates.gate(node) {
                Some(Gate::All(inner)) if self.taken_in[node] => open.extend(inner),
                _ => expanded.push(literal),
            }
        }
        expanded.sort_unstable();
        expanded.dedup();
        expanded
    }
}

/// A literal over slots instead of nodes.
pub(crate) fn slotted(slot_of: &[usize], literal: Literal) -> Literal {
    match literal.node() {
        Some((node, positive)) => Literal::new(slot_of[node], positive),
        None => literal,
    }
}

/// The gates that are used once, by a port or, not negated, by a gate.
fn taken_in(built: &Built, sections: &[Option<Section>]) -> Vec<bool> {
    let mut uses = vec![0; built.gates.len()];
    let mut ask = |literal: Literal, times: u32| {
        if let Some((node, _)) = literal.node() {
            uses[node] += times;
        }
    };
    let legal = built.legal.iter().flatten();
    let ports = legal.chain(&built.next).chain([&built.terminal]);
    ports.for_each(|&literal| ask(literal, 1));
    for recursion in &built.recursions {
        if sections[recursion.nodes.start].is_some() {
            let ports: BTreeSet<Literal> = recursion.rules.iter().map(|it| it.outside).collect();
            ports.into_iter().for_each(|literal| ask(literal, 1));
        }
    }
    // A gate that needs its own slot counts as used twice.
    let read = built.goals.iter().chain(&built.percepts).flatten();
    read.for_each(|&(_, literal)| ask(literal, 2));
    for (node, _) in sections.iter().enumerate().filter(|it| it.1.is_some()) {
        if let Some(Gate::All(literals)) = built.gates.gate(node) {
            for &literal in literals {
                let positive = literal.node().is_some_and(|it| it.1);
                ask(literal, if positive { 1 } else { 2 });
            }
        }
    }
    uses.into_iter().map(|uses| uses == 1).collect()
}
