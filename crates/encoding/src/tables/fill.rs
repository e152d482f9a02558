//! Lists the tuples of relations: for every tuple of a cut, what lies between it and the rows is
//! evaluated.

use super::cover::{Cover, Kind, Relation};
use crate::NotEncoded;
use constraint::{
    Constraint, Domain, Junction, Literal, Model, Polarity, Table, Value, Variable, each_tuple,
};

/// The model being filled.
pub(super) struct Filler<'c> {
    cover: &'c Cover<'c>,
    pub(super) model: Model,
    /// For each variable of the cover its place in the model, if it stays.
    places: Vec<Option<Variable>>,
    /// A value of each variable of the cover.
    values: Vec<Value>,
}

impl<'c> Filler<'c> {
    /// The variables that stay, in the order of the stage; parts of split bodies at the end.
    pub(super) fn new(cover: &'c Cover<'c>) -> Filler<'c> {
        let source = &cover.parts.model;
        let mut is_used = vec![false; cover.definitions.len()];
        for variable in source.variables() {
            is_used[variable.index()] = cover.definitions[variable.index()].is_none();
        }
        for relation in cover.relations() {
            is_used[relation.output.index()] = true;
        }
        let mut model = Model::new();
        let mut places = vec![None; is_used.len()];
        for (place, _) in is_used.iter().enumerate().filter(|it| *it.1) {
            let variable = Variable(place as u32);
            places[place] = Some(match place < source.len() {
                true => model.pose(source.posed(variable).clone()),
                false => model.variable(format!("part {place}"), 2),
            });
        }
        Filler {
            cover,
            model,
            values: vec![0; places.len()],
            places,
        }
    }

    /// The place of a variable that stays.
    pub(super) fn place(&self, variable: Variable) -> Variable {
        self.places[variable.index()].expect("what a table names stays")
    }

    /// Adds a relation.
    pub(super) fn add(&mut self, relation: &Relation) -> Result<(), NotEncoded> {
        let constraint = match relation.kind {
            Kind::Left => self.left(relation),
            _ => self.listed(relation),
        };
        Ok(self.model.add(constraint)?)
    }

    /// A relation that stays a definition.
    fn left(&self, relation: &Relation) -> Constraint {
        let (value, literal) = relation.rows[0];
        let definition = &self.cover.definitions[relation.output.index()];
        let (junction, body) = match definition {
            Some(definition) => (definition.junction, definition.body.clone()),
            None => (Junction::And, vec![literal]),
        };
        let placed = |literal: Literal| Literal {
            variable: self.place(literal.variable),
            ..literal
        };
        Constraint::Definition {
            head: placed(relation.output.is(value)),
            junction,
            body: body.into_iter().map(placed).collect(),
        }
    }

    /// A relation as a table.
    fn listed(&mut self, relation: &Relation) -> Constraint {
        let between = self.between(relation);
        let scope: Vec<Variable> = relation.cut.iter().map(|&it| self.place(it)).collect();
        let scope = [scope, vec![self.place(relation.output)]].concat();
        let domains: Vec<Domain> = (scope.iter())
            .map(|&it| self.model.domain(it).clone())
            .collect();
        let (inputs, output) = domains.split_at(relation.cut.len());
        let inputs: Vec<&Domain> = inputs.iter().collect();
        let mut cells = Vec::new();
        each_tuple(&inputs, |tuple| {
            for (variable, &value) in relation.cut.iter().zip(tuple) {
                self.values[variable.index()] = value;
            }
            for &variable in &between {
                self.values[variable.index()] = self.derived(variable);
            }
            let truths: Vec<(Value, bool)> = (relation.rows.iter())
                .map(|&(value, literal)| (value, self.holds(literal)))
                .collect();
            for value in output[0]
                .values()
                .filter(|&it| lists(relation.kind, it, &truths))
            {
                cells.extend_from_slice(tuple);
                cells.push(value);
            }
        });
        let polarity = match relation.kind {
            Kind::Not => Polarity::Forbidden,
            _ => Polarity::Allowed,
        };
        let table = Table::from_cells(polarity, scope.len(), cells);
        Constraint::Table { scope, table }
    }

    /// The defined variables between a cut and the rows, in order.
    fn between(&self, relation: &Relation) -> Vec<Variable> {
        let mut open: Vec<Variable> = relation.rows.iter().map(|row| row.1.variable).collect();
        let mut between: Vec<Variable> = Vec::new();
        let mut seen = hashbrown::HashSet::<Variable, foldhash::fast::FixedState>::default();
        while let Some(variable) = open.pop() {
            if relation.cut.contains(&variable) || !seen.insert(variable) {
                continue;
            }
            if let Some(definition) = &self.cover.definitions[variable.index()] {
                open.extend(definition.body.iter().map(|it| it.variable));
                between.push(variable);
            }
        }
        between.sort_unstable();
        between
    }

    fn holds(&self, literal: Literal) -> bool {
        literal.holds(self.values[literal.variable.index()])
    }

    /// The value of a defined variable.
    fn derived(&self, variable: Variable) -> Value {
        let definition = self.cover.definitions[variable.index()].as_ref();
        let definition = definition.expect("what lies between is defined");
        let mut body = definition.body.iter();
        Value::from(match definition.junction {
            Junction::And => body.all(|&it| self.holds(it)),
            Junction::Or => body.any(|&it| self.holds(it)),
        })
    }
}

/// Whether a value of the output is listed, given the truths of the rows.
fn lists(kind: Kind, value: Value, truths: &[(Value, bool)]) -> bool {
    let own = || truths.iter().find(|row| row.0 == value);
    match kind {
        Kind::Exactly => truths.iter().all(|&(of, holds)| (of == value) == holds),
        Kind::Only => own().is_none_or(|row| row.1),
        Kind::Not => own().is_some_and(|row| !row.1),
        Kind::Left => false,
    }
}
