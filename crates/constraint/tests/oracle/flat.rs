//! A model as FlatZinc, for Gecode.
//!
//! Tables are Gecode's own. A variable of two values that is in no table is a Boolean; of others,
//! every value that a literal names has a Boolean. Literals decided by domains are constants.
//! Search chooses the free variables first.

use super::{free, plain};
use constraint::{Constraint, Junction, Literal, Model, Variable};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The FlatZinc text; `search` is the variable selection.
pub fn text(model: &Model, search: &str) -> String {
    let mut flat = Flat::new(model);
    for constraint in model.constraints() {
        flat.add(constraint);
    }
    let free = free(model);
    let others: Vec<Variable> = model.variables().filter(|it| !free.contains(it)).collect();
    let mut searches = flat.searches(&free, search);
    searches.extend(flat.searches(&others, search));
    let searches = searches.join(", ");
    let (declarations, constraints) = (flat.declarations, flat.constraints);
    format!("{declarations}{constraints}solve :: seq_search([{searches}]) satisfy;\n")
}

/// A literal as a Boolean, or as the negation of one.
struct Signed {
    name: String,
    positive: bool,
}

struct Flat<'m> {
    model: &'m Model,
    /// Whether a variable is a Boolean.
    booleans: Vec<bool>,
    /// The Booleans that stand for literals.
    made: HashSet<String>,
    declarations: String,
    constraints: String,
}

impl<'m> Flat<'m> {
    fn new(model: &'m Model) -> Flat<'m> {
        let capacities = model.variables().map(|it| model.domain(it).capacity());
        let mut booleans: Vec<bool> = capacities.map(|it| it == 2).collect();
        for constraint in model.constraints() {
            if let Constraint::Table { scope, .. } = constraint {
                scope.iter().for_each(|it| booleans[it.index()] = false);
            }
        }
        let mut flat = Flat {
            model,
            booleans,
            made: HashSet::new(),
            declarations: String::new(),
            constraints: String::new(),
        };
        model.variables().for_each(|it| flat.declare(it));
        flat
    }

    fn declare(&mut self, variable: Variable) {
        let domain = self.model.domain(variable);
        let name = variable.0;
        if !self.booleans[variable.index()] {
            let values: Vec<String> = domain.values().map(|it| it.to_string()).collect();
            let values = values.join(",");
            let _ = writeln!(self.declarations, "var {{{values}}}: x{name};");
            return;
        }
        let _ = writeln!(self.declarations, "var bool: x{name};");
        for value in (0..2).filter(|&it| !domain.contains(it)) {
            let is = value == 0;
            let _ = writeln!(self.constraints, "constraint bool_eq(x{name}, {is});");
        }
    }

    fn add(&mut self, constraint: &Constraint) {
        match constraint {
            Constraint::Table { scope, table } => {
                let table = plain(self.model, scope, table);
                let cells: Vec<String> = table.tuples().flatten().map(u32::to_string).collect();
                let (scope, cells) = (names(scope), cells.join(","));
                self.post(&format!("gecode_table_int([{scope}],[{cells}])"));
            }
            Constraint::Clause(literals) => {
                let (positive, negative) = self.sides(literals);
                self.post(&format!("bool_clause([{positive}],[{negative}])"));
            }
            Constraint::Definition {
                head,
                junction,
                body,
            } => self.define(*head, *junction, body),
        }
    }

    /// A negated head is defined by the negation of the body.
    fn define(&mut self, head: Literal, junction: Junction, body: &[Literal]) {
        let head = self.signed(head);
        let body = body.iter().map(|&it| if head.positive { it } else { !it });
        let body: Vec<Literal> = body.collect();
        let head_name = head.name;
        if (junction == Junction::Or) == head.positive {
            let (positive, negative) = self.sides(&body);
            self.post(&format!(
                "bool_clause_reif([{positive}],[{negative}],{head_name})"
            ));
        } else {
            let body: Vec<String> = body.iter().map(|&it| self.boolean(it)).collect();
            let body = body.join(",");
            self.post(&format!("array_bool_and([{body}],{head_name})"));
        }
    }

    fn post(&mut self, constraint: &str) {
        let _ = writeln!(self.constraints, "constraint {constraint};");
    }

    /// The Booleans of literals: as they are, and negated.
    fn sides(&mut self, literals: &[Literal]) -> (String, String) {
        let signed: Vec<Signed> = literals.iter().map(|&it| self.signed(it)).collect();
        let side = |positive: bool| {
            let side = signed.iter().filter(|it| it.positive == positive);
            let side: Vec<&str> = side.map(|it| it.name.as_str()).collect();
            side.join(",")
        };
        (side(true), side(false))
    }

    fn signed(&mut self, literal: Literal) -> Signed {
        let (variable, value) = (literal.variable, literal.value);
        let domain = self.model.domain(variable);
        let signed = |name: String, positive| Signed { name, positive };
        if !domain.contains(value) || domain.len() == 1 {
            let holds = domain.contains(value) == literal.equal;
            return signed(holds.to_string(), true);
        }
        if self.booleans[variable.index()] {
            return signed(format!("x{}", variable.0), (value == 1) == literal.equal);
        }
        let name = format!("x{}_{value}", variable.0);
        let meaning = format!("int_eq_reif(x{},{value},{name})", variable.0);
        self.make(&name, &meaning);
        signed(name, literal.equal)
    }

    /// A Boolean that is true if the literal is.
    fn boolean(&mut self, literal: Literal) -> String {
        let signed = self.signed(literal);
        if signed.positive {
            return signed.name;
        }
        let name = format!("{}_not", signed.name);
        self.make(&name, &format!("bool_not({},{name})", signed.name));
        name
    }

    fn make(&mut self, name: &str, meaning: &str) {
        if self.made.insert(name.to_string()) {
            let _ = writeln!(self.declarations, "var bool: {name};");
            self.post(meaning);
        }
    }

    /// The search annotation of some variables: the integers, then the Booleans.
    fn searches(&self, variables: &[Variable], search: &str) -> Vec<String> {
        let is_boolean = |it: &Variable| self.booleans[it.index()];
        let (booleans, integers) = variables.iter().copied().partition(is_boolean);
        let kinds: [(&str, Vec<Variable>); 2] = [("int", integers), ("bool", booleans)];
        let kinds = kinds.iter().filter(|(_, variables)| !variables.is_empty());
        let how = |(kind, variables): &(&str, Vec<Variable>)| {
            let variables = names(variables);
            format!("{kind}_search([{variables}], {search}, indomain_min, complete)")
        };
        kinds.map(how).collect()
    }
}

fn names(variables: &[Variable]) -> String {
    let names: Vec<String> = variables.iter().map(|it| format!("x{}", it.0)).collect();
    names.join(",")
}
