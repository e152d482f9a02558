//! The sections of a propnet by when gates are evaluated, and their levels of recursion.
//!
//! Gates of the state (legal moves, the end) are propagated when a state is entered, those of the
//! turn when a joint move is made. Goals and percepts are evaluated on demand. Gates that goals
//! share with a later section belong to the state: else they would be out of date.

use super::build::Built;
use super::gates::Gate;
use logic::Literal;

/// When a gate is evaluated.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    State,
    Turn,
    Goals,
    Percepts,
}

/// The section of each node; none for inputs and unused nodes.
pub(crate) fn sections(built: &Built) -> Vec<Option<Section>> {
    let outputs = |outputs: &super::build::Outputs| -> Vec<Literal> {
        outputs.iter().flatten().map(|&(_, it)| it).collect()
    };
    let mut state: Vec<Literal> = built.legal.iter().flatten().copied().collect();
    state.push(built.terminal);
    let state = cone(built, &state);
    let next = cone(built, &built.next);
    let goals = cone(built, &outputs(&built.goals));
    let percepts = cone(built, &outputs(&built.percepts));
    let section = |node: usize| {
        if state[node] || goals[node] && (next[node] || percepts[node]) {
            Some(Section::State)
        } else if next[node] {
            Some(Section::Turn)
        } else if goals[node] {
            Some(Section::Goals)
        } else {
            percepts[node].then_some(Section::Percepts)
        }
    };
    let inputs = built.gates.inputs();
    let nodes = 0..built.gates.len();
    nodes
        .map(|it| if it < inputs { None } else { section(it) })
        .collect()
}

/// The nodes that some literals depend on; of a recursion all or none.
fn cone(built: &Built, literals: &[Literal]) -> Vec<bool> {
    let mut needed = vec![false; built.gates.len()];
    let mut entered = vec![false; built.recursions.len()];
    let mut open = literals.to_vec();
    while let Some(literal) = open.pop() {
        let Some((node, _)) = literal.node() else {
            continue;
        };
        if std::mem::replace(&mut needed[node], true) {
            continue;
        }
        match built.gates.gate(node) {
            None => {}
            Some(Gate::All(literals)) => open.extend(literals),
            Some(&Gate::Derived(number)) => {
                if std::mem::replace(&mut entered[number], true) {
                    continue;
                }
                let recursion = &built.recursions[number];
                open.extend(recursion.nodes.clone().map(|it| Literal::new(it, true)));
                open.extend(recursion.rules.iter().map(|rule| rule.outside));
            }
        }
    }
    needed
}

/// The longest chain of recursions that each node depends on; nodes of a recursion count it too.
pub(crate) fn levels(built: &Built) -> Vec<usize> {
    let mut levels = vec![0; built.gates.len()];
    let mut of_recursions: Vec<Option<usize>> = vec![None; built.recursions.len()];
    for node in built.gates.inputs()..built.gates.len() {
        let level = |literal: &Literal| literal.node().map_or(0, |(node, _)| levels[node]);
        levels[node] = match built.gates.gate(node) {
            None => 0,
            Some(Gate::All(literals)) => literals.iter().map(level).max().unwrap_or(0),
            Some(&Gate::Derived(number)) => *of_recursions[number].get_or_insert_with(|| {
                let rules = built.recursions[number].rules.iter();
                1 + rules.map(|rule| level(&rule.outside)).max().unwrap_or(0)
            }),
        };
    }
    levels
}
