//! Text → `Scsp`, or all problems: after a problem, reading resumes after the next `;`.
//!
//! `statement.rs` reads the statements; here are the parts that all statements need: tokens,
//! names, values, tuples, numbers, limits.

use super::Problem;
use super::statement;
use super::token::{Placed, Token, Tokens};
use crate::domain::Value;
use crate::model::{Model, Variable};
use crate::scsp::{Chance, Scsp, Soft};
use crate::table::ANY;
use hashbrown::HashMap;

/// How large a text may be.
#[derive(Clone, Copy, Debug)]
pub struct TextLimits {
    /// Bytes of text.
    pub bytes: usize,
    /// Values of all variables together.
    pub values: usize,
    /// Problems that are reported.
    pub problems: usize,
}

impl Default for TextLimits {
    fn default() -> TextLimits {
        TextLimits {
            bytes: 256 << 20,
            values: 1 << 24,
            problems: 100,
        }
    }
}

/// Reads a network.
pub fn read(text: &str, limits: &TextLimits) -> Result<Scsp, Vec<Problem>> {
    if text.len() > limits.bytes {
        let message = format!("the text has more than {} bytes", limits.bytes);
        return Err(vec![Problem {
            line: 1,
            column: 1,
            message,
        }]);
    }
    let mut reader = Reader::new(text, limits);
    let mut problems = Vec::new();
    loop {
        match reader.statement() {
            Ok(true) => {}
            Ok(false) => break,
            Err(problem) => {
                problems.push(problem);
                if problems.len() >= limits.problems {
                    return Err(problems);
                }
                reader.recover();
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    reader.finish().map_err(|problem| vec![problem])
}

type Hasher = foldhash::fast::FixedState;

/// A word, bare or in quotes, and its place.
pub(super) struct Word {
    pub(super) place: Placed,
    pub(super) text: String,
}

/// A network while it is read.
pub(super) struct Reader<'t> {
    tokens: Tokens<'t>,
    /// The next token.
    pub(super) next: Result<Placed, Problem>,
    pub(super) limits: &'t TextLimits,
    pub(super) model: Model,
    names: HashMap<String, Variable, Hasher>,
    labels: Vec<HashMap<String, Value, Hasher>>,
    /// How many values all variables have.
    pub(super) values: usize,
    pub(super) players: Option<Vec<String>>,
    pub(super) chances: Vec<(Placed, Variable, Chance)>,
    pub(super) soft: Vec<(Placed, Soft)>,
    pub(super) threshold: Option<(Placed, Vec<f64>)>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, limits: &'t TextLimits) -> Reader<'t> {
        let mut tokens = Tokens::new(text);
        Reader {
            next: tokens.next(),
            tokens,
            limits,
            model: Model::new(),
            names: HashMap::default(),
            labels: Vec::new(),
            values: 0,
            players: None,
            chances: Vec::new(),
            soft: Vec::new(),
            threshold: None,
        }
    }

    /// Reads one statement; false at the end.
    fn statement(&mut self) -> Result<bool, Problem> {
        let first = self.take()?;
        let Token::Word(keyword) = &first.token else {
            return match first.token {
                Token::End => Ok(false),
                _ => Err(first.problem("a statement begins with a keyword")),
            };
        };
        statement::read(self, keyword, &first)?;
        self.sign(';', "`;` ends a statement")?;
        Ok(true)
    }

    /// Skips to the token after the next `;`.
    fn recover(&mut self) {
        loop {
            match self.take() {
                Ok(Placed {
                    token: Token::Sign(';') | Token::End,
                    ..
                })
                | Err(_) => return,
                Ok(_) => {}
            }
        }
    }

    fn finish(self) -> Result<Scsp, Problem> {
        let players = self.players.unwrap_or_else(|| vec!["player".to_string()]);
        let players: Vec<&str> = players.iter().map(String::as_str).collect();
        let mut scsp = Scsp::new(self.model, &players);
        for (place, variable, chance) in self.chances {
            scsp.set_chance(variable, chance)
                .map_err(|it| place.problem(it.to_string()))?;
        }
        for (place, soft) in self.soft {
            scsp.add_soft(soft)
                .map_err(|it| place.problem(it.to_string()))?;
        }
        if let Some((place, threshold)) = self.threshold {
            scsp.set_threshold(&threshold)
                .map_err(|it| place.problem(it.to_string()))?;
        }
        Ok(scsp)
    }

    /// The next token, taken.
    pub(super) fn take(&mut self) -> Result<Placed, Problem> {
        // After a problem of a token the rest of the text is skipped.
        let after = match &self.next {
            Ok(_) => self.tokens.next(),
            Err(problem) => {
                let (line, column) = (problem.line, problem.column);
                Ok(Placed {
                    token: Token::End,
                    line,
                    column,
                })
            }
        };
        std::mem::replace(&mut self.next, after)
    }

    /// Whether the next token is a sign.
    pub(super) fn is(&self, sign: char) -> bool {
        matches!(&self.next, Ok(placed) if placed.token == Token::Sign(sign))
    }

    /// Whether the next token is a word or a name in quotes.
    pub(super) fn is_word(&self) -> bool {
        matches!(
            &self.next,
            Ok(Placed {
                token: Token::Word(_) | Token::Quoted(_),
                ..
            })
        )
    }

    pub(super) fn sign(&mut self, sign: char, message: &str) -> Result<(), Problem> {
        let placed = self.take()?;
        match placed.token == Token::Sign(sign) {
            true => Ok(()),
            false => Err(placed.problem(message)),
        }
    }

    /// A word, bare or in quotes.
    pub(super) fn word(&mut self, what: &str) -> Result<Word, Problem> {
        let place = self.take()?;
        match place.token.clone() {
            Token::Word(text) | Token::Quoted(text) => Ok(Word { place, text }),
            _ => Err(place.problem(format!("{what} is missing here"))),
        }
    }

    /// A variable that was declared.
    pub(super) fn variable(&mut self) -> Result<(Placed, Variable), Problem> {
        let Word { place, text: name } = self.word("a variable")?;
        match self.names.get(&name) {
            Some(&variable) => Ok((place, variable)),
            None => Err(place.problem(format!("there is no variable `{name}`"))),
        }
    }

    /// Variables, up to the next sign.
    pub(super) fn scope(&mut self) -> Result<Vec<Variable>, Problem> {
        let mut scope = Vec::new();
        while self.is_word() {
            scope.push(self.variable()?.1);
        }
        Ok(scope)
    }

    /// A value of a variable.
    pub(super) fn value(&mut self, variable: Variable) -> Result<Value, Problem> {
        let Word { place, text: label } = self.word("a value")?;
        let number = || {
            let value: Value = label.parse().ok()?;
            let is_bare = self.model.posed(variable).labels.is_empty();
            let is_own = value < self.model.domain(variable).capacity();
            (is_bare && is_own && value.to_string() == label).then_some(value)
        };
        let value = self.labels[variable.index()].get(&label).copied();
        let name = self.model.name(variable);
        let message = || format!("`{name}` has no value `{label}`");
        value
            .or_else(number)
            .ok_or_else(|| place.problem(message()))
    }

    /// A tuple in parentheses: a value or `*` for each variable.
    pub(super) fn tuple(&mut self, scope: &[Variable]) -> Result<Vec<Value>, Problem> {
        self.sign('(', "`(` begins a tuple")?;
        let mut tuple = Vec::with_capacity(scope.len());
        for &variable in scope {
            if self.is('*') {
                self.take()?;
                tuple.push(ANY);
            } else {
                tuple.push(self.value(variable)?);
            }
        }
        self.sign(')', "a tuple has a value for each variable, then `)`")?;
        Ok(tuple)
    }

    /// A number: decimal, or a fraction.
    pub(super) fn number(&mut self) -> Result<f64, Problem> {
        let Word { place, text } = self.word("a number")?;
        let number = super::number(&text);
        number.ok_or_else(|| place.problem(format!("`{text}` is not a number")))
    }

    /// Numbers, up to the next sign.
    pub(super) fn numbers(&mut self) -> Result<Vec<f64>, Problem> {
        let mut numbers = Vec::new();
        while self.is_word() {
            numbers.push(self.number()?);
        }
        Ok(numbers)
    }

    /// Registers the name of the next variable, and the names of its values.
    pub(super) fn note(&mut self, name: &Word, labels: &[String]) -> Result<(), Problem> {
        let variable = Variable(self.model.len() as u32);
        let Word { place, text } = name;
        if self.names.contains_key(text) {
            return Err(place.problem(format!("there is a variable `{text}` already")));
        }
        self.names.insert(text.clone(), variable);
        let named = labels.iter().enumerate();
        self.labels.push(
            named
                .map(|(value, it)| (it.clone(), value as Value))
                .collect(),
        );
        Ok(())
    }
}
