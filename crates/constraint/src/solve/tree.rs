//! Policies while they are built: trees that share their branches.

use crate::domain::Value;
use crate::model::Variable;
use crate::policy::{Branch, Node, Policy};
use std::rc::Rc;

/// A part of a policy.
#[derive(Debug)]
pub(super) enum Tree {
    Leaf(Vec<f64>),
    Decision(Variable, Value, Rc<Tree>),
    Chance(Variable, Vec<(Value, f64, Rc<Tree>)>),
}

impl Tree {
    /// The tree as a policy.
    pub(super) fn policy(self: &Rc<Tree>) -> Policy {
        let mut nodes = Vec::new();
        // Each tree is popped twice: first its children are pushed, then its node is made.
        let mut stack = vec![(self.clone(), false)];
        let mut made: Vec<usize> = Vec::new();
        while let Some((tree, is_open)) = stack.pop() {
            if !is_open {
                stack.push((tree.clone(), true));
                match &*tree {
                    Tree::Leaf(_) => {}
                    Tree::Decision(.., next) => stack.push((next.clone(), false)),
                    Tree::Chance(_, branches) => {
                        let children = branches.iter().rev();
                        stack.extend(children.map(|(.., next)| (next.clone(), false)));
                    }
                }
                continue;
            }
            let node = tree.node(&mut made);
            made.push(nodes.len());
            nodes.push(node);
        }
        Policy::new(nodes)
    }

    /// The node of this tree; its children are the last entries of `made`.
    fn node(&self, made: &mut Vec<usize>) -> Node {
        match self {
            Tree::Leaf(utility) => Node::Leaf {
                utility: utility.clone(),
            },
            Tree::Decision(variable, value, _) => {
                let next = made.pop().expect("the child was made");
                Node::Decision {
                    variable: *variable,
                    value: *value,
                    next,
                }
            }
            Tree::Chance(variable, branches) => {
                let children = made.split_off(made.len() - branches.len());
                let both = branches.iter().zip(children);
                let branches = both.map(|(&(value, probability, _), next)| Branch {
                    value,
                    probability,
                    next,
                });
                Node::Chance {
                    variable: *variable,
                    branches: branches.collect(),
                }
            }
        }
    }
}
