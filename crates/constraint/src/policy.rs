//! `Policy`: a tree of decisions and chance, with a decision for every outcome (P1 §3.1).
//!
//! A decision has one child; chance has one for each value whose probability is above zero. The
//! paper gives every value of the domain a child, but then a conditional table with a zero, as
//! in its own Figure 3, would leave no policy feasible: 0 · (−∞) counts as 0 here.
//!
//! Takes branches from a solver, gives expected utilities, feasibility and pictures. The nodes
//! lie in one vector, children before parents, so that no tree is too deep to drop or print.

use crate::domain::Value;
use crate::model::Variable;
use crate::scsp::{Scsp, TOLERANCE};
use crate::text::decimal;
use std::fmt::Write as _;

/// A node of a policy.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// All variables have a value.
    Leaf {
        /// The utility of each player.
        utility: Vec<f64>,
    },
    /// A value is chosen.
    Decision {
        /// The variable.
        variable: Variable,
        /// The value.
        value: Value,
        /// The next node.
        next: usize,
    },
    /// A value is drawn.
    Chance {
        /// The variable.
        variable: Variable,
        /// The values that can be drawn.
        branches: Vec<Branch>,
    },
}

/// A value that chance can draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch {
    /// The value.
    pub value: Value,
    /// Its probability.
    pub probability: f64,
    /// The next node.
    pub next: usize,
}

/// A path from the root to a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct Path<'p> {
    /// The values, in the order of the variables met.
    pub values: Vec<(Variable, Value)>,
    /// P(I): the probability of the path.
    pub probability: f64,
    /// The utility of each player at the leaf.
    pub utility: &'p [f64],
}

/// A tree of decisions and chance.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    nodes: Vec<Node>,
}

impl Policy {
    /// A policy of these nodes. Panics unless children come before parents and the root is last.
    pub fn new(nodes: Vec<Node>) -> Policy {
        let policy = Policy { nodes };
        let is_below = |(place, node): (usize, &Node)| children(node).iter().all(|&it| it < place);
        assert!(!policy.nodes.is_empty(), "a policy has a root");
        assert!(
            policy.nodes.iter().enumerate().all(is_below),
            "children come first"
        );
        policy
    }

    /// The nodes; the root is last.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The root.
    pub fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The expected utility of each player.
    pub fn expected(&self) -> Vec<f64> {
        let mut values: Vec<Vec<f64>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match node {
                Node::Leaf { utility } => utility.clone(),
                Node::Decision { next, .. } => values[*next].clone(),
                Node::Chance { branches, .. } => weigh(branches, &values),
            };
            values.push(value);
        }
        values.pop().unwrap_or_default()
    }

    /// The decisions before any chance, in order.
    pub fn decisions(&self) -> Vec<(Variable, Value)> {
        let mut decisions = Vec::new();
        let mut node = self.root();
        while let Node::Decision {
            variable,
            value,
            next,
        } = self.nodes[node]
        {
            decisions.push((variable, value));
            node = next;
        }
        decisions
    }

    /// Every path.
    pub fn paths(&self) -> Vec<Path<'_>> {
        let mut paths = Vec::new();
        let mut stack = vec![(self.root(), Vec::new(), 1.0)];
        while let Some((node, mut values, probability)) = stack.pop() {
            match &self.nodes[node] {
                Node::Leaf { utility } => paths.push(Path {
                    values,
                    probability,
                    utility,
                }),
                Node::Decision {
                    variable,
                    value,
                    next,
                } => {
                    values.push((*variable, *value));
                    stack.push((*next, values, probability));
                }
                Node::Chance { variable, branches } => {
                    for branch in branches.iter().rev() {
                        let mut values = values.clone();
                        values.push((*variable, branch.value));
                        stack.push((branch.next, values, probability * branch.probability));
                    }
                }
            }
        }
        paths
    }

    /// Whether it is a policy of a problem and no path violates a hard constraint, checked by
    /// the definition.
    pub fn is_feasible(&self, scsp: &Scsp) -> bool {
        let paths = self.paths();
        let mass: f64 = paths.iter().map(|path| path.probability).sum();
        let is_right = |path: &Path<'_>| {
            let values: Vec<Value> = path.values.iter().map(|it| it.1).collect();
            let utility = scsp.utility(&values);
            path.values
                .iter()
                .map(|it| it.0)
                .eq(scsp.model().variables())
                && (probability(scsp, &values) - path.probability).abs() <= TOLERANCE
                && utility
                    .iter()
                    .zip(path.utility)
                    .all(|(a, b)| (a - b).abs() <= TOLERANCE)
        };
        paths.iter().all(is_right) && (mass - 1.0).abs() <= TOLERANCE
    }

    /// Whether the expected utility of every player is at least its threshold.
    pub fn reaches(&self, threshold: &[f64]) -> bool {
        let expected = self.expected();
        expected
            .iter()
            .zip(threshold)
            .all(|(value, least)| *value >= least - TOLERANCE)
    }

    /// The tree as text, indented where chance branches.
    pub fn text(&self, scsp: &Scsp) -> String {
        let model = scsp.model();
        let mut text = String::new();
        let mut stack = vec![(self.root(), 0, String::new())];
        while let Some((node, depth, label)) = stack.pop() {
            let indent = "  ".repeat(depth);
            if !label.is_empty() {
                let _ = writeln!(text, "{}{label}", "  ".repeat(depth - 1));
            }
            match &self.nodes[node] {
                Node::Leaf { utility } => {
                    let _ = writeln!(text, "{indent}utility {}", numbers(utility));
                }
                Node::Decision {
                    variable,
                    value,
                    next,
                } => {
                    let (name, value) = (model.name(*variable), model.label(*variable, *value));
                    let _ = writeln!(text, "{indent}{name} = {value}");
                    stack.push((*next, depth, String::new()));
                }
                Node::Chance { variable, branches } => {
                    for branch in branches.iter().rev() {
                        let value = model.label(*variable, branch.value);
                        let odds = decimal(branch.probability);
                        let label = format!("{} is {value} ({odds}):", model.name(*variable));
                        stack.push((branch.next, depth + 1, label));
                    }
                }
            }
        }
        text
    }

    /// The tree for Graphviz.
    pub fn dot(&self, scsp: &Scsp) -> String {
        let model = scsp.model();
        let mut text = String::from("digraph policy {\n");
        for (place, node) in self.nodes.iter().enumerate() {
            let (name, shape) = match node {
                Node::Leaf { utility } => (numbers(utility), "plain"),
                Node::Decision { variable, .. } => (model.name(*variable).to_string(), "box"),
                Node::Chance { variable, .. } => (model.name(*variable).to_string(), "ellipse"),
            };
            let _ = writeln!(text, "  n{place} [label={name:?} shape={shape}];");
            let mut edge = |next: usize, label: String| {
                let _ = writeln!(text, "  n{place} -> n{next} [label={label:?}];");
            };
            match node {
                Node::Leaf { .. } => {}
                Node::Decision {
                    variable,
                    value,
                    next,
                } => edge(*next, model.label(*variable, *value)),
                Node::Chance { variable, branches } => {
                    for branch in branches {
                        let value = model.label(*variable, branch.value);
                        edge(
                            branch.next,
                            format!("{value} ({})", decimal(branch.probability)),
                        );
                    }
                }
            }
        }
        text + "}\n"
    }
}

/// P(I): the probability of an assignment, by the definition.
fn probability(scsp: &Scsp, values: &[Value]) -> f64 {
    let chances = scsp
        .model()
        .variables()
        .filter(|&it| scsp.is_stochastic(it));
    let odds = chances.map(|variable| {
        let odds = scsp.odds(variable, |it| values[it.index()]);
        let own = values[variable.index()];
        odds.iter().find(|it| it.0 == own).map_or(0.0, |it| it.1)
    });
    odds.product()
}

fn children(node: &Node) -> Vec<usize> {
    match node {
        Node::Leaf { .. } => Vec::new(),
        Node::Decision { next, .. } => vec![*next],
        Node::Chance { branches, .. } => branches.iter().map(|branch| branch.next).collect(),
    }
}

fn weigh(branches: &[Branch], values: &[Vec<f64>]) -> Vec<f64> {
    let players = branches
        .first()
        .map_or(0, |branch| values[branch.next].len());
    let of = |player| {
        branches
            .iter()
            .map(|it| it.probability * values[it.next][player])
            .sum()
    };
    (0..players).map(of).collect()
}

fn numbers(all: &[f64]) -> String {
    let all: Vec<String> = all.iter().map(|&it| decimal(it)).collect();
    all.join(" ")
}
