//! Tree → checked program, or every reason why not.
//!
//! The checks run in the order of the codes: forms first; checks of meaning only see the
//! clauses whose form is sound, so that one mistake is reported once.

mod domains;
mod forms;
mod game;
mod graph;
mod names;
mod recursion;
mod safety;
mod stratification;
mod usage;

use crate::diagnostic::{Diagnostic, Findings, Policy, Severity};
use crate::print::spell;
use crate::program::{Clause, Predicate, Program, Relation};
use crate::source::shorten;
use crate::symbols::Symbol;
use crate::tree::Tree;
use graph::Graph;

/// The result of checking: a program, unless there are errors; and the diagnostics.
#[derive(Debug)]
pub struct Checked {
    /// The program, if no diagnostic is an error.
    pub program: Option<Program>,
    /// The tree, if there is no program.
    pub tree: Option<Tree>,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// The tree, with or without a program around it.
    pub fn tree(&self) -> &Tree {
        let program = self.program.as_ref().map(Program::tree);
        let tree = program.or(self.tree.as_ref());
        tree.expect("a checked sheet has a program or a tree")
    }
}

/// Checks a tree under a policy.
pub fn check(mut tree: Tree, policy: &Policy) -> Checked {
    let whole = tree.is_whole();
    let findings = std::mem::take(&mut tree.findings);
    let mut context = Context {
        tree: &tree,
        sound: Vec::new(),
        rules: Vec::new(),
        findings,
    };
    let sound = forms::check(&mut context) && whole;
    names::check(&mut context);
    safety::check(&mut context);
    dependencies(&mut context);
    if sound {
        // These checks need all clauses: else they would report what a missing clause provides.
        usage::check(&mut context);
        domains::check(&mut context);
        game::check_complete(&mut context);
    }
    let diagnostics = context.findings.judge(policy);
    let refused = diagnostics.iter().any(|it| it.severity == Severity::Error);
    Checked {
        program: None,
        tree: Some(tree),
        diagnostics,
    }
    .promote(!refused)
}

fn dependencies(context: &mut Context<'_>) {
    let graph = Graph::new(context);
    recursion::check(context, &graph);
    stratification::check(context, &graph);
    game::check(context, &graph);
}

impl Checked {
    fn promote(mut self, accepted: bool) -> Checked {
        if accepted {
            self.program = self.tree.take().map(Program::new);
        }
        self
    }
}

/// The input and output of every check.
struct Context<'t> {
    tree: &'t Tree,
    /// Indices of the clauses whose form is sound.
    sound: Vec<u32>,
    /// Which of the sound clauses are rules, as facts can be very many.
    rules: Vec<u32>,
    findings: Findings,
}

impl<'t> Context<'t> {
    fn clause(&self, number: usize) -> Clause<'t> {
        Clause::new(self.tree.node(self.sound[number]))
    }

    fn clauses(&self) -> impl Iterator<Item = Clause<'t>> + use<'t, '_> {
        let tree = self.tree;
        let sound = self.sound.iter();
        sound.map(move |&index| Clause::new(tree.node(index)))
    }

    fn name(&self, symbol: Symbol) -> String {
        name(self.tree, symbol)
    }

    fn predicate(&self, predicate: Predicate) -> String {
        predicate_name(self.tree, predicate)
    }
}

/// A name as the author wrote it, shortened for a message.
fn name(tree: &Tree, symbol: Symbol) -> String {
    shorten(&spell(tree.text(symbol), tree.syntax()))
}

fn predicate_name(tree: &Tree, predicate: Predicate) -> String {
    match predicate.relation {
        Relation::Keyword(keyword) => keyword.text().to_string(),
        Relation::Named(symbol) => name(tree, symbol),
    }
}
