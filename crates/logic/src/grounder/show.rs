//! The ground program as text: what `ludex show ground` prints.

use super::program::{GroundProgram, Literal, Output};
use crate::ids::RoleId;
use crate::terms::TermId;
use std::fmt::Write;

impl GroundProgram {
    /// The whole program as text: its size, the rules of derived nodes, then the outputs.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let (rules, literals) = self.size();
        let (fluents, inputs) = (self.fluents.len(), self.inputs());
        writeln!(
            text,
            "; {fluents} fluents, {} moves, {} derived nodes, {rules} rules, {literals} literals",
            inputs - fluents,
            self.len() - inputs
        )
        .expect("writing to a string");
        for node in inputs..self.len() {
            for body in self.bodies(node) {
                let body: Vec<String> = body.iter().map(|&it| self.literal_text(it)).collect();
                text += &format!("(<= {}\n    {})\n", self.name(node), body.join("\n    "));
            }
        }
        for (&fluent, &next) in self.fluents.iter().zip(&self.next) {
            text += &self.output_text("next", &self.terms.text(fluent), next);
        }
        for role in self.role_ids() {
            let pairs = self.moves(role).iter().zip(self.legal(role));
            let legal: Vec<Output> = pairs.map(|(&it, &literal)| (it, literal)).collect();
            text += &self.outputs_text("legal", role, &legal);
        }
        text += &format!("(<= terminal {})\n", self.literal_text(self.terminal));
        for role in self.role_ids() {
            text += &self.outputs_text("goal", role, self.goals(role));
        }
        for role in self.role_ids() {
            text += &self.outputs_text("sees", role, self.percepts(role));
        }
        text
    }

    fn outputs_text(&self, name: &str, role: RoleId, outputs: &[Output]) -> String {
        let role = self.terms.text(self.roles[role.index()]);
        let line = |&(term, literal): &(TermId, Literal)| {
            let what = format!("{role} {}", self.terms.text(term));
            self.output_text(name, &what, literal)
        };
        outputs.iter().map(line).collect()
    }

    fn output_text(&self, name: &str, what: &str, literal: Literal) -> String {
        format!("(<= ({name} {what}) {})\n", self.literal_text(literal))
    }

    fn literal_text(&self, literal: Literal) -> String {
        match literal.node() {
            Some((node, true)) => self.name(node).to_string(),
            Some((node, false)) => format!("(not {})", self.name(node)),
            None if literal == Literal::TRUE => "(or (and))".to_string(),
            None => "(or)".to_string(),
        }
    }
}
