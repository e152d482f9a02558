//! `Model`: a constraint network as it is posed: variables, their domains, hard constraints.
//!
//! Takes variables and constraints one by one, rejects invalid ones, gives them back for
//! preprocessing, printing and [`Network::new`](crate::Network::new), which compiles them for
//! search. A constraint is a table, a clause of literals, or a Boolean definition
//! (`head ⇔ l₁ ∧ … ∧ lₙ`, or ∨); the latter two where a table would be exponential.
//!
//! Invariants: scopes are not empty and name no variable twice; tables have a column for each
//! variable of their scope; the values of literals are values of their variables.

use crate::domain::{Domain, Value};
use crate::table::Table;

/// A variable: its place in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

impl Variable {
    /// The place as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal `variable = value`.
    pub fn is(self, value: Value) -> Literal {
        Literal {
            variable: self,
            value,
            equal: true,
        }
    }

    /// The literal `variable ≠ value`.
    pub fn is_not(self, value: Value) -> Literal {
        Literal {
            variable: self,
            value,
            equal: false,
        }
    }
}

/// `variable = value` or `variable ≠ value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// The variable.
    pub variable: Variable,
    /// The value.
    pub value: Value,
    /// Whether it is `=`, not `≠`.
    pub equal: bool,
}

impl Literal {
    /// Whether it is true of a value of its variable.
    pub fn holds(self, value: Value) -> bool {
        (self.value == value) == self.equal
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal {
            equal: !self.equal,
            ..self
        }
    }
}

/// How the literals of a definition are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Junction {
    /// All of them.
    And,
    /// At least one of them.
    Or,
}

/// A hard constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// The values of the scope are in a relation.
    Table {
        /// The variables, one for each column.
        scope: Vec<Variable>,
        /// The relation.
        table: Table,
    },
    /// At least one literal is true.
    Clause(Vec<Literal>),
    /// The head is true if and only if all, or at least one, of the body's literals are true.
    Definition {
        /// The literal that is defined.
        head: Literal,
        /// How the body is joined.
        junction: Junction,
        /// The literals that define it.
        body: Vec<Literal>,
    },
}

impl Constraint {
    /// The variables of the constraint, each once, in order of appearance.
    pub fn scope(&self) -> Vec<Variable> {
        let of = |literals: &[Literal]| literals.iter().map(|it| it.variable).collect();
        let mut scope: Vec<Variable> = match self {
            Constraint::Table { scope, .. } => return scope.clone(),
            Constraint::Clause(literals) => of(literals),
            Constraint::Definition { head, body, .. } => {
                let mut scope: Vec<Variable> = of(body);
                scope.push(head.variable);
                scope
            }
        };
        let mut seen = hashbrown::HashSet::<Variable, foldhash::fast::FixedState>::default();
        scope.retain(|&variable| seen.insert(variable));
        scope
    }

    /// Whether it holds, given the value of each variable.
    pub fn holds(&self, value: impl Fn(Variable) -> Value) -> bool {
        let is_true = |it: &Literal| it.holds(value(it.variable));
        match self {
            Constraint::Table { scope, table } => {
                let values: Vec<Value> = scope.iter().map(|&it| value(it)).collect();
                table.holds(&values)
            }
            Constraint::Clause(literals) => literals.iter().any(is_true),
            Constraint::Definition {
                head,
                junction,
                body,
            } => {
                is_true(head)
                    == match junction {
                        Junction::And => body.iter().all(is_true),
                        Junction::Or => body.iter().any(is_true),
                    }
            }
        }
    }
}

/// A variable as posed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posed {
    /// The name of the variable.
    pub name: String,
    /// The names of its values; empty if values are named by their numbers.
    pub labels: Vec<String>,
    /// The values it may take.
    pub domain: Domain,
}

/// Why a variable, constraint or distribution is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A variable is not in the model.
    #[error("there is no variable {0}")]
    NoVariable(u32),
    /// A scope names a variable twice.
    #[error("the variable `{0}` stands twice in a scope")]
    Repeated(String),
    /// A scope is empty.
    #[error("a scope has no variable")]
    EmptyScope,
    /// The number of a table's columns differs from the number of its variables.
    #[error("a table has {columns} columns for {variables} variables")]
    Arity {
        /// How many columns.
        columns: usize,
        /// How many variables.
        variables: usize,
    },
    /// A literal names a value that its variable does not have.
    #[error("the variable `{name}` has no value {value}")]
    NoValue {
        /// The variable.
        name: String,
        /// The value.
        value: Value,
    },
    /// A distribution depends on a variable that is not before its own.
    #[error("the variable `{0}` is not before the one whose distribution depends on it")]
    NotBefore(String),
    /// The rows of a distribution are not distributions, or do not cover its scope.
    #[error("the probabilities of `{0}` do not add up to 1 for all values they depend on")]
    NotADistribution(String),
    /// A utility is not in [0, 1].
    #[error("the utility {0} is not from 0 to 1")]
    Utility(String),
    /// A domain is too large, or all domains together are.
    #[error("more values than can be numbered")]
    TooLarge,
}

/// Variables and hard constraints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    variables: Vec<Posed>,
    constraints: Vec<Constraint>,
}

impl Model {
    /// No variables, no constraints.
    pub fn new() -> Model {
        Model::default()
    }

    /// Adds a variable with values numbered from 0 to `values - 1`.
    pub fn variable(&mut self, name: impl Into<String>, values: u32) -> Variable {
        let domain = Domain::full(values);
        self.pose(Posed {
            name: name.into(),
            labels: Vec::new(),
            domain,
        })
    }

    /// Adds a variable with named values.
    pub fn labelled(&mut self, name: impl Into<String>, labels: &[&str]) -> Variable {
        let domain = Domain::full(labels.len() as u32);
        let labels = labels.iter().map(|&label| label.to_string()).collect();
        self.pose(Posed {
            name: name.into(),
            labels,
            domain,
        })
    }

    /// Adds a variable.
    pub fn pose(&mut self, variable: Posed) -> Variable {
        self.variables.push(variable);
        Variable(self.variables.len() as u32 - 1)
    }

    /// Adds a relation.
    pub fn table(&mut self, scope: &[Variable], table: Table) -> Result<(), Invalid> {
        self.add(Constraint::Table {
            scope: scope.to_vec(),
            table,
        })
    }

    /// Adds a relation given as a test, which is called with every tuple of the domains.
    pub fn relation(
        &mut self,
        scope: &[Variable],
        test: impl FnMut(&[Value]) -> bool,
    ) -> Result<(), Invalid> {
        scope.iter().try_for_each(|&it| self.check_variable(it))?;
        let domains: Vec<&Domain> = scope.iter().map(|&it| self.domain(it)).collect();
        let table = Table::filled(&domains, test);
        self.table(scope, table)
    }

    /// Adds a clause: at least one of the literals is true.
    pub fn clause(&mut self, literals: &[Literal]) -> Result<(), Invalid> {
        self.add(Constraint::Clause(literals.to_vec()))
    }

    /// Adds a definition: the head is true if and only if all literals of the body are.
    pub fn and(&mut self, head: Literal, body: &[Literal]) -> Result<(), Invalid> {
        self.define(head, Junction::And, body)
    }

    /// Adds a definition: the head is true if and only if at least one literal of the body is.
    pub fn or(&mut self, head: Literal, body: &[Literal]) -> Result<(), Invalid> {
        self.define(head, Junction::Or, body)
    }

    fn define(
        &mut self,
        head: Literal,
        junction: Junction,
        body: &[Literal],
    ) -> Result<(), Invalid> {
        let body = body.to_vec();
        self.add(Constraint::Definition {
            head,
            junction,
            body,
        })
    }

    /// Adds a constraint.
    pub fn add(&mut self, constraint: Constraint) -> Result<(), Invalid> {
        match &constraint {
            Constraint::Table { scope, table } => self.check_scope(scope, table)?,
            Constraint::Clause(literals) => self.check_literals(literals)?,
            Constraint::Definition { head, body, .. } => {
                self.check_literals(std::slice::from_ref(head))?;
                self.check_literals(body)?;
            }
        }
        self.constraints.push(constraint);
        Ok(())
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// All variables, in order.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = Variable> + use<> {
        (0..self.variables.len() as u32).map(Variable)
    }

    /// A variable as posed.
    pub fn posed(&self, variable: Variable) -> &Posed {
        &self.variables[variable.index()]
    }

    /// The domain of a variable.
    pub fn domain(&self, variable: Variable) -> &Domain {
        &self.variables[variable.index()].domain
    }

    /// The domain of a variable, mutable.
    pub fn domain_mut(&mut self, variable: Variable) -> &mut Domain {
        &mut self.variables[variable.index()].domain
    }

    /// The name of a variable.
    pub fn name(&self, variable: Variable) -> &str {
        &self.posed(variable).name
    }

    /// The name of a value of a variable.
    pub fn label(&self, variable: Variable, value: Value) -> String {
        let label = self.posed(variable).labels.get(value as usize);
        label.map_or_else(|| value.to_string(), String::clone)
    }

    /// The constraints, in order.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// A model with the same variables and other constraints, if these are valid.
    pub fn with(&self, constraints: Vec<Constraint>) -> Result<Model, Invalid> {
        let variables = self.variables.clone();
        let mut model = Model {
            variables,
            constraints: Vec::new(),
        };
        constraints.into_iter().try_for_each(|it| model.add(it))?;
        Ok(model)
    }

    /// Whether every constraint holds and every value is in its domain.
    pub fn accepts(&self, values: &[Value]) -> bool {
        let mut pairs = self.variables.iter().zip(values);
        let holds = |it: &Constraint| it.holds(|variable| values[variable.index()]);
        pairs.all(|(posed, &value)| posed.domain.contains(value))
            && self.constraints.iter().all(holds)
    }

    fn check_variable(&self, variable: Variable) -> Result<(), Invalid> {
        match variable.index() < self.variables.len() {
            true => Ok(()),
            false => Err(Invalid::NoVariable(variable.0)),
        }
    }

    fn check_scope(&self, scope: &[Variable], table: &Table) -> Result<(), Invalid> {
        let (columns, variables) = (table.arity(), scope.len());
        if variables == 0 {
            return Err(Invalid::EmptyScope);
        }
        if columns != variables {
            return Err(Invalid::Arity { columns, variables });
        }
        scope.iter().try_for_each(|&it| self.check_variable(it))?;
        let mut sorted = scope.to_vec();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Invalid::Repeated(self.name(pair[0]).to_string())),
            None => Ok(()),
        }
    }

    fn check_literals(&self, literals: &[Literal]) -> Result<(), Invalid> {
        literals.iter().try_for_each(|literal| {
            self.check_variable(literal.variable)?;
            let posed = self.posed(literal.variable);
            if literal.value < posed.domain.capacity() {
                return Ok(());
            }
            let (name, value) = (posed.name.clone(), literal.value);
            Err(Invalid::NoValue { name, value })
        })
    }
}
