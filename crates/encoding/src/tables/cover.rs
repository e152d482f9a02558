//! Which variables of a stage stay, and what each depends on: its *cut*.
//!
//! Defined variables are taken in order. One whose cut, that of its body taken together, has few
//! enough tuples is left out: whoever depends on it depends on its cut. Else variables of its body
//! stay, those with the largest cuts first. A body that is still too long is split: parts of it
//! become variables.

use super::parts::{Definition, Parts};
use constraint::{Junction, Literal, Value, Variable};
use std::collections::BTreeMap;

/// What a variable of more values decides by itself is not listed, unless tables may be that long.
const VALUES: usize = 512;

/// A relation to be listed: in each row, a value of the output and a literal that follows from the
/// cut.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) output: Variable,
    pub(super) rows: Vec<(Value, Literal)>,
    pub(super) kind: Kind,
    pub(super) cut: Vec<Variable>,
}

/// How the rows of a relation are meant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The output has a value if and only if its literal holds: the allowed tuples.
    Exactly,
    /// The output has a value only if its literal holds: the allowed tuples.
    Only,
    /// The same: the forbidden tuples.
    Not,
    /// As `Exactly`, not listed: it stays a definition.
    Left,
}

/// Which variables stay.
#[derive(Debug)]
pub(super) struct Cover<'p> {
    pub(super) parts: &'p Parts,
    /// With the parts of split bodies after those of the stage.
    pub(super) definitions: Vec<Option<Definition>>,
    /// For each defined variable its cut; none if its definition stays.
    cuts: Vec<Option<Vec<Variable>>>,
    /// Whether a variable stays: those without definition do.
    pub(super) stays: Vec<bool>,
    /// Most tuples of a table.
    pub(super) longest: usize,
    /// Flags for literals of variables with many values.
    channels: BTreeMap<Literal, Literal>,
    pub(super) outputs: Vec<Relation>,
}

impl<'p> Cover<'p> {
    pub(super) fn new(parts: &'p Parts, longest: usize) -> Cover<'p> {
        let definitions = parts.definitions.clone();
        let mut cover = Cover {
            parts,
            cuts: vec![None; definitions.len()],
            stays: definitions.iter().map(Option::is_none).collect(),
            definitions,
            longest,
            channels: BTreeMap::new(),
            outputs: Vec::new(),
        };
        for variable in parts.model.variables() {
            cover.define(variable);
        }
        for rows in &parts.actions {
            cover.add_action((rows.variable, &rows.rows));
        }
        for rows in &parts.next {
            cover.add_next((rows.variable, &rows.rows));
        }
        cover
    }

    /// How many values a variable has.
    pub(super) fn values(&self, variable: Variable) -> usize {
        match variable.index() < self.parts.model.len() {
            true => self.parts.model.domain(variable).len(),
            false => 2,
        }
    }

    /// How many tuples some variables have.
    pub(super) fn product(&self, variables: &[Variable]) -> usize {
        let values = variables.iter().map(|&it| self.values(it));
        values.fold(1, usize::saturating_mul)
    }

    /// What a variable is in tables: itself, or its cut.
    pub(super) fn cut(&self, variable: Variable) -> Vec<Variable> {
        match &self.cuts[variable.index()] {
            Some(cut) if !self.stays[variable.index()] => cut.clone(),
            _ => vec![variable],
        }
    }

    /// The cuts of some variables together.
    fn union(&self, variables: &[Variable]) -> Vec<Variable> {
        let mut union: Vec<Variable> = variables.iter().flat_map(|&it| self.cut(it)).collect();
        union.sort_unstable();
        union.dedup();
        union
    }

    /// A cut of some variables with at most so many tuples, if there is one; some of them may
    /// have to stay for it.
    pub(super) fn join(&mut self, variables: &[Variable], most: usize) -> Option<Vec<Variable>> {
        if self.product(variables) > most && self.product(&self.union(variables)) > most {
            return None;
        }
        loop {
            let union = self.union(variables);
            if self.product(&union) <= most {
                return Some(union);
            }
            let open = variables.iter().filter(|it| !self.stays[it.index()]);
            let widest = open.max_by_key(|&&it| self.product(&self.cut(it)))?;
            self.stays[widest.index()] = true;
        }
    }

    /// Finds the cut of a defined variable.
    fn define(&mut self, variable: Variable) {
        let Some(definition) = self.definitions[variable.index()].clone() else {
            return;
        };
        let mut body = definition.body;
        loop {
            let variables = variables(&body);
            let most = match variables[..] {
                [only] => self.longest.max(self.values(only).min(VALUES)),
                _ => self.longest,
            };
            if let Some(cut) = self.join(&variables, most) {
                self.cuts[variable.index()] = Some(cut);
                break;
            }
            let shorter = match variables.len() {
                1 => None,
                _ => self.split(&definition.junction, &body),
            };
            let Some(shorter) = shorter else {
                self.stays[variable.index()] = true;
                break;
            };
            body = shorter;
        }
        let junction = definition.junction;
        self.definitions[variable.index()] = Some(Definition { junction, body });
    }

    /// Makes variables of parts of a body, as long as tables may be; none if that is of no use.
    fn split(&mut self, junction: &Junction, body: &[Literal]) -> Option<Vec<Literal>> {
        let mut sorted = body.to_vec();
        sorted.sort_unstable();
        let mut parts: Vec<Vec<Literal>> = Vec::new();
        for literal in sorted {
            let fits = parts.last().is_some_and(|part| {
                let mut more = variables(part);
                more.push(literal.variable);
                more.dedup();
                self.product(&more) <= self.longest
            });
            match parts.last_mut() {
                Some(part) if fits => part.push(literal),
                _ => parts.push(vec![literal]),
            }
        }
        if parts.len() == body.len() {
            return self.channelled(body);
        }
        let literals = parts.into_iter().map(|part| match part[..] {
            [only] => only,
            _ => self.add_part(*junction, part).is(1),
        });
        Some(literals.collect())
    }

    /// A body with a flag in the place of the literal whose variable has most values; none if all
    /// have two.
    fn channelled(&mut self, body: &[Literal]) -> Option<Vec<Literal>> {
        let most = body.iter().max_by_key(|it| self.values(it.variable));
        let most = *most.filter(|it| self.values(it.variable) > 2)?;
        let flag = self.channel(most);
        let with = |&literal: &Literal| if literal == most { flag } else { literal };
        Some(body.iter().map(with).collect())
    }

    /// A literal of two values that is equivalent to one of more.
    pub(super) fn channel(&mut self, literal: Literal) -> Literal {
        if let Some(&flag) = self.channels.get(&literal) {
            return flag;
        }
        let flag = self.add_part(Junction::And, vec![literal]).is(1);
        self.channels.insert(literal, flag);
        flag
    }

    /// Adds a variable for a part of a body.
    fn add_part(&mut self, junction: Junction, body: Vec<Literal>) -> Variable {
        let variable = Variable(self.definitions.len() as u32);
        let cut = variables(&body);
        for it in &cut {
            self.stays[it.index()] = true;
        }
        self.definitions.push(Some(Definition { junction, body }));
        let listed = self.product(&cut) <= self.longest.max(VALUES);
        self.cuts.push(listed.then_some(cut));
        self.stays.push(true);
        variable
    }

    /// All relations to be listed, those of outputs last.
    pub(super) fn relations(&self) -> Vec<Relation> {
        let mut wanted = vec![false; self.stays.len()];
        let mut open: Vec<Variable> = Vec::new();
        for relation in &self.outputs {
            open.extend(&relation.cut);
        }
        let mut relations = Vec::new();
        while let Some(variable) = open.pop() {
            let Some(definition) = &self.definitions[variable.index()] else {
                continue;
            };
            if std::mem::replace(&mut wanted[variable.index()], true) {
                continue;
            }
            let cut = self.cuts[variable.index()].clone();
            let relation = Relation {
                output: variable,
                rows: vec![(1, variable.is(1))],
                kind: cut.as_ref().map_or(Kind::Left, |_| Kind::Exactly),
                cut: cut.unwrap_or_else(|| variables(&definition.body)),
            };
            open.extend(&relation.cut);
            relations.push(relation);
        }
        relations.sort_by_key(|relation| relation.output);
        relations.extend(self.outputs.iter().cloned());
        relations
    }

    /// At most how many tuples all tables have together.
    pub(super) fn tuples(&self) -> usize {
        let tuples = |relation: &Relation| {
            let cut = self.product(&relation.cut);
            match relation.kind {
                Kind::Left => 0,
                Kind::Not => cut.saturating_mul(relation.rows.len()),
                Kind::Only => cut.saturating_mul(self.values(relation.output)),
                Kind::Exactly if relation.rows.len() > 1 || self.values(relation.output) == 2 => {
                    cut
                }
                Kind::Exactly => cut.saturating_mul(self.values(relation.output)),
            }
        };
        self.relations()
            .iter()
            .map(tuples)
            .fold(0, usize::saturating_add)
    }
}

/// The variables of some literals, each once, in order.
pub(super) fn variables(literals: &[Literal]) -> Vec<Variable> {
    let mut variables: Vec<Variable> = literals.iter().map(|it| it.variable).collect();
    variables.sort_unstable();
    variables.dedup();
    variables
}
