//! `Draft` → `Defined`: nodes in topological order, and their state at the start.

use super::{Bodies, Choice, Defined, Draft, Key, NONE, Sign, Start};
use crate::model::Literal;
use hashbrown::HashMap;

/// The numbering of literals as nodes.
struct Nodes {
    numbers: HashMap<Key, u32, foldhash::fast::FixedState>,
    /// The rule of each node, if it has one.
    rules: Vec<Option<usize>>,
    /// The first node that depends on decisions.
    late: usize,
}

/// A bit of `shown`: the truth of a literal, or a constant.
enum Shown {
    Sign(Sign),
    Constant(bool),
}

impl Draft<'_> {
    /// Finishes the draft; `None` if definitions are cyclic, or a decision requires a literal that
    /// depends on decisions.
    pub(super) fn finish(self) -> Option<Defined> {
        let nodes = self.nodes()?;
        let (shown, decisions) = self.shown(&nodes)?;
        let (places, inputs) = self.inputs(&nodes);
        let (groups, exact) = self.groups(&nodes);
        let mut defined = Defined {
            places,
            inputs,
            decisions,
            starts: Vec::new(),
            watches: Vec::new(),
            targets: Vec::new(),
            is_or: Vec::new(),
            groups,
            exact,
            late: nodes.late,
            watched: self.signature.watched.len().div_ceil(64),
            noted: 0,
            bodies: self.bodies(&nodes, &shown),
            start: Start::default(),
        };
        defined.noted = defined.watched + self.signature.noted.len().div_ceil(64);
        let is_or = |rule: &Option<usize>| rule.is_some_and(|it| self.rules[it].is_or);
        defined.is_or = nodes.rules.iter().map(is_or).collect();
        self.link(&nodes, &shown, &mut defined);
        self.begin(&nodes, &shown, &mut defined);
        Some(defined)
    }

    /// The nodes: used literals of inputs, then defined literals in order.
    fn nodes(&self) -> Option<Nodes> {
        let (order, late) = self.order()?;
        let mut nodes = Nodes {
            numbers: HashMap::default(),
            rules: Vec::new(),
            late: 0,
        };
        let bodies = self.rules.iter().flat_map(|rule| &rule.body);
        let mut used: Vec<Key> = bodies.map(|it| it.key).collect();
        let needs = self.needs.values().flatten();
        let kept = self.signature.watched.iter().chain(self.signature.noted);
        used.extend(kept.chain(needs).map(Key::from));
        used.retain(|key| self.is_input[key.variable.index()]);
        used.sort_unstable();
        used.dedup();
        for key in used {
            nodes.add(key, None);
        }
        for wanted in [false, true] {
            let aligned = nodes.rules.len().next_multiple_of(64);
            nodes.rules.resize(aligned, None);
            nodes.late = aligned;
            for &rule in order.iter().filter(|&&it| late[it] == wanted) {
                nodes.add(self.rules[rule].key, Some(rule));
            }
        }
        Some(nodes)
    }

    /// The rules, each after those it depends on, and which depend on decisions.
    fn order(&self) -> Option<(Vec<usize>, Vec<bool>)> {
        let mut users = vec![Vec::new(); self.rules.len()];
        let mut waits = vec![0; self.rules.len()];
        let mut late = vec![false; self.rules.len()];
        for (number, rule) in self.rules.iter().enumerate() {
            for Sign { key, .. } in &rule.body {
                late[number] |= self.signature.decisions.contains(&key.variable);
                if let Some(&other) = self.known.get(key) {
                    users[other].push(number);
                    waits[number] += 1;
                }
            }
        }
        let mut order: Vec<usize> = (0..self.rules.len()).filter(|&it| waits[it] == 0).collect();
        let mut done = 0;
        while let Some(&rule) = order.get(done) {
            done += 1;
            for &user in &users[rule] {
                late[user] |= late[rule];
                waits[user] -= 1;
                if waits[user] == 0 {
                    order.push(user);
                }
            }
        }
        (order.len() == self.rules.len()).then_some((order, late))
    }

    /// The bits to show: the watched literals, the noted ones, then the requirement of each value
    /// of a decision; each row begins with a word.
    fn shown(&self, nodes: &Nodes) -> Option<(Vec<Shown>, Vec<Choice>)> {
        let sign = |it: &Literal| {
            self.sign(Sign {
                key: Key::from(it),
                negated: !it.equal,
            })
        };
        let watched = self.signature.watched.iter();
        let watched = watched.map(|it| sign(it).map(Shown::Sign));
        let mut shown = watched.collect::<Option<Vec<Shown>>>()?;
        shown.resize_with(shown.len().next_multiple_of(64), || Shown::Constant(false));
        for literal in self.signature.noted {
            shown.push(Shown::Sign(sign(literal)?));
        }
        let mut decisions = Vec::new();
        for &variable in self.signature.decisions {
            shown.resize_with(shown.len().next_multiple_of(64), || Shown::Constant(false));
            let values = self.model.domain(variable).capacity();
            decisions.push(Choice {
                variable,
                values,
                word: shown.len() / 64,
            });
            for value in 0..values {
                shown.push(match self.needs.get(&Key { variable, value }) {
                    None => Shown::Constant(true),
                    Some(None) => Shown::Constant(false),
                    Some(Some(need)) => {
                        let sign = sign(need)?;
                        let Sign { key, .. } = sign;
                        if nodes.is_late(key) || self.signature.decisions.contains(&key.variable) {
                            return None;
                        }
                        Shown::Sign(sign)
                    }
                });
            }
        }
        Some((shown, decisions))
    }

    /// For each variable, where its values begin among the inputs; for each value, its node.
    fn inputs(&self, nodes: &Nodes) -> (Vec<u32>, Vec<u32>) {
        let (mut places, mut inputs) = (vec![NONE; self.model.len()], Vec::new());
        for variable in self.model.variables() {
            if self.is_input[variable.index()] {
                places[variable.index()] = inputs.len() as u32;
                let values = 0..self.model.domain(variable).capacity();
                let node = |value| nodes.numbers.get(&Key { variable, value }).copied();
                inputs.extend(values.map(|value| node(value).unwrap_or(NONE)));
            }
        }
        (places, inputs)
    }

    /// The checked variables: those with several defined values. For each node its variable, and
    /// for each variable whether all its values are defined.
    fn groups(&self, nodes: &Nodes) -> (Vec<u32>, Vec<bool>) {
        let (mut groups, mut exact) = (vec![NONE; nodes.rules.len()], Vec::new());
        for variable in self.model.variables() {
            let values = self.model.domain(variable).capacity();
            let node = |value| nodes.numbers.get(&Key { variable, value });
            let of_variable: Vec<u32> = (0..values).filter_map(node).copied().collect();
            if self.is_input[variable.index()] || of_variable.len() < 2 && values > 1 {
                continue;
            }
            for &node in &of_variable {
                groups[node as usize] = exact.len() as u32;
            }
            exact.push(of_variable.len() == values as usize);
        }
        (groups, exact)
    }

    /// Lists for each node the bodies and the shown bits it occurs in.
    fn link(&self, nodes: &Nodes, shown: &[Shown], defined: &mut Defined) {
        let mut bodies = vec![Vec::new(); nodes.rules.len()];
        for (number, rule) in (0u32..).zip(&nodes.rules) {
            let Some(rule) = rule.map(|it| &self.rules[it]) else {
                continue;
            };
            for &Sign { key, negated } in &rule.body {
                // A true literal decides an OR, a false one an AND.
                let decides = rule.is_or != negated;
                bodies[nodes.numbers[&key] as usize].push(number << 1 | u32::from(decides));
            }
        }
        let mut places = vec![Vec::new(); nodes.rules.len()];
        for (place, shown) in (0u32..).zip(shown) {
            if let Shown::Sign(Sign { key, .. }) = shown {
                places[nodes.numbers[key] as usize].push(place);
            }
        }
        for (body, places) in bodies.iter().zip(&places) {
            defined.starts.push(defined.targets.len() as u32);
            defined.targets.extend_from_slice(body);
            defined.watches.push(defined.targets.len() as u32);
            defined.targets.extend_from_slice(places);
        }
        defined.starts.push(defined.targets.len() as u32);
    }

    /// The definitions, read from their heads.
    fn bodies(&self, nodes: &Nodes, shown: &[Shown]) -> Bodies {
        let literal = |sign: &Sign| nodes.numbers[&sign.key] << 1 | u32::from(sign.negated);
        let mut bodies = Bodies {
            inputs: vec![None; nodes.rules.len()],
            decided: vec![false; nodes.rules.len()],
            ..Bodies::default()
        };
        for rule in &nodes.rules {
            bodies.starts.push(bodies.literals.len() as u32);
            let body = rule.iter().flat_map(|&it| &self.rules[it].body);
            bodies.literals.extend(body.map(literal));
        }
        bodies.starts.push(bodies.literals.len() as u32);
        bodies.shown.extend(shown.iter().map(|it| match it {
            Shown::Sign(sign) => literal(sign),
            Shown::Constant(_) => NONE,
        }));
        for (key, &node) in &nodes.numbers {
            if self.is_input[key.variable.index()] {
                bodies.inputs[node as usize] = Some((key.variable, key.value));
                bodies.decided[node as usize] = self.signature.decisions.contains(&key.variable);
            }
        }
        bodies
    }

    /// Computes the state in which no input has a value: all literals of inputs are false.
    fn begin(&self, nodes: &Nodes, shown: &[Shown], defined: &mut Defined) {
        let mut truth = vec![false; nodes.rules.len()];
        let mut counts = vec![0; nodes.rules.len()];
        let mut held = vec![0; defined.exact.len()];
        let holds = |truth: &[bool], it: Sign| truth[nodes.numbers[&it.key] as usize] != it.negated;
        for (node, rule) in nodes.rules.iter().enumerate() {
            let Some(rule) = rule.map(|it| &self.rules[it]) else {
                continue;
            };
            let decides = |&&it: &&Sign| holds(&truth, it) == rule.is_or;
            counts[node] = rule.body.iter().filter(decides).count() as u32;
            truth[node] = (counts[node] > 0) == rule.is_or;
            if let Some(held) = held.get_mut(defined.groups[node] as usize) {
                *held += u32::from(truth[node]);
            }
        }
        let mut words = vec![0; shown.len().div_ceil(64)];
        for (place, shown) in shown.iter().enumerate() {
            let is_true = match *shown {
                Shown::Sign(sign) => holds(&truth, sign),
                Shown::Constant(value) => value,
            };
            words[place / 64] |= u64::from(is_true) << (place % 64);
        }
        let wrong = held.iter().zip(&defined.exact);
        let wrong = wrong
            .filter(|&(&held, &exact)| is_wrong(held, exact))
            .count();
        defined.start = Start {
            counts,
            shown: words,
            held,
            wrong,
        };
    }
}

/// Whether a checked variable does not have exactly one value.
pub(super) fn is_wrong(held: u32, exact: bool) -> bool {
    held > 1 || exact && held == 0
}

impl Nodes {
    fn add(&mut self, key: Key, rule: Option<usize>) {
        self.numbers.insert(key, self.rules.len() as u32);
        self.rules.push(rule);
    }

    fn is_late(&self, key: Key) -> bool {
        self.numbers[&key] as usize >= self.late
    }
}
