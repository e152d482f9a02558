//! The statements: the text after each keyword.

use super::Problem;
use super::read::{Reader, Word};
use super::token::{Placed, Token};
use crate::domain::Domain;
use crate::model::{Constraint, Junction, Literal, Posed, Variable};
use crate::scsp::{Chance, Row, Soft};
use crate::table::{Polarity, Table};

/// Reads a statement up to its `;`.
pub(super) fn read(reader: &mut Reader<'_>, keyword: &str, place: &Placed) -> Result<(), Problem> {
    match keyword {
        "players" => players(reader, place),
        "decision" => decision(reader),
        "chance" => chance(reader, place),
        "allow" => table(reader, place, Polarity::Allowed),
        "forbid" => table(reader, place, Polarity::Forbidden),
        "clause" => {
            let literals = literals(reader)?;
            add(reader, place, Constraint::Clause(literals))
        }
        "define" => definition(reader, place),
        "utility" => utility(reader, place),
        "threshold" => {
            let numbers = reader.numbers()?;
            reader.threshold = Some((place.clone(), numbers));
            Ok(())
        }
        _ => Err(place.problem(format!("`{keyword}` begins no statement"))),
    }
}

fn add(reader: &mut Reader<'_>, place: &Placed, constraint: Constraint) -> Result<(), Problem> {
    let added = reader.model.add(constraint);
    added.map_err(|invalid| place.problem(invalid.to_string()))
}

fn players(reader: &mut Reader<'_>, place: &Placed) -> Result<(), Problem> {
    if reader.players.is_some() {
        return Err(place.problem("the players are named once"));
    }
    let mut players = Vec::new();
    while reader.is_word() {
        players.push(reader.word("a player")?.text);
    }
    reader.players = Some(players);
    Ok(())
}

fn decision(reader: &mut Reader<'_>) -> Result<(), Problem> {
    let mut names = vec![reader.word("a variable")?];
    while reader.is_word() {
        names.push(reader.word("a variable")?);
    }
    let values = values(reader)?;
    for name in names {
        pose(reader, &name, &values)?;
    }
    Ok(())
}

/// The values of a variable.
struct Values {
    /// Their names; none if these are the numbers from 0.
    labels: Vec<String>,
    domain: Domain,
}

fn pose(reader: &mut Reader<'_>, name: &Word, values: &Values) -> Result<Variable, Problem> {
    reader.values += values.domain.capacity() as usize;
    if reader.values > reader.limits.values {
        return Err(name
            .place
            .problem(format!("more than {} values", reader.limits.values)));
    }
    reader.note(name, &values.labels)?;
    Ok(reader.model.pose(Posed {
        name: name.text.clone(),
        labels: values.labels.clone(),
        domain: values.domain.clone(),
    }))
}

/// Values in braces: names, or a range of numbers.
fn values(reader: &mut Reader<'_>) -> Result<Values, Problem> {
    reader.sign('{', "`{` begins the values")?;
    let (mut labels, mut gone) = (Vec::new(), Vec::new());
    while !reader.is('}') {
        let is_gone = reader.is('!');
        if is_gone {
            reader.take()?;
        }
        let placed = reader.take()?;
        let before = labels.len();
        match &placed.token {
            Token::Quoted(label) => labels.push(label.clone()),
            Token::Word(word) => match range(word) {
                Some((low, high)) if (high - low) as usize >= reader.limits.values => {
                    return Err(
                        placed.problem(format!("more than {} values", reader.limits.values))
                    );
                }
                Some((low, high)) => labels.extend((low..=high).map(|it| it.to_string())),
                None => labels.push(word.clone()),
            },
            _ => return Err(placed.problem("a value, or `}`, is missing here")),
        }
        if is_gone {
            gone.extend(before..labels.len());
        }
        if labels.len() > reader.limits.values {
            return Err(placed.problem(format!("more than {} values", reader.limits.values)));
        }
    }
    let close = reader.take()?;
    let mut sorted: Vec<&String> = labels.iter().collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(close.problem(format!("the value `{}` stands twice", pair[0])));
    }
    let mut domain = Domain::full(labels.len() as u32);
    gone.iter().for_each(|&value| {
        domain.remove(value as u32);
    });
    let is_bare = labels
        .iter()
        .enumerate()
        .all(|(number, label)| *label == number.to_string());
    let labels = if is_bare { Vec::new() } else { labels };
    Ok(Values { labels, domain })
}

/// `3..7` as its ends.
fn range(word: &str) -> Option<(u32, u32)> {
    let (low, high) = word.split_once("..")?;
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (low <= high).then_some((low, high))
}

fn chance(reader: &mut Reader<'_>, place: &Placed) -> Result<(), Problem> {
    let name = reader.word("a variable")?;
    let values = values(reader)?;
    let kind = reader.word("`uniform`, `given` or `among`")?;
    let chance = match &kind.text[..] {
        "uniform" => Chance::Uniform,
        "among" => Chance::Among(reader.scope()?),
        "given" => {
            let scope = reader.scope()?;
            reader.sign(':', "`:` comes before the rows")?;
            let rows = rows(reader, &scope)?;
            Chance::Given { scope, rows }
        }
        _ => {
            return Err(kind
                .place
                .problem("`uniform`, `given` or `among` is missing here"));
        }
    };
    let variable = pose(reader, &name, &values)?;
    reader.chances.push((place.clone(), variable, chance));
    Ok(())
}

/// Rows: a tuple, an arrow, numbers.
fn rows(reader: &mut Reader<'_>, scope: &[Variable]) -> Result<Vec<Row>, Problem> {
    let mut rows = Vec::new();
    while reader.is('(') {
        let tuple = reader.tuple(scope)?;
        let arrow = reader.take()?;
        if arrow.token != Token::Arrow {
            return Err(arrow.problem("`->` comes before the numbers"));
        }
        rows.push((tuple, reader.numbers()?));
    }
    Ok(rows)
}

fn table(reader: &mut Reader<'_>, place: &Placed, polarity: Polarity) -> Result<(), Problem> {
    let scope = reader.scope()?;
    reader.sign(':', "`:` comes before the tuples")?;
    let mut cells = Vec::new();
    if scope.is_empty() {
        return Err(place.problem("a table needs a variable"));
    }
    while reader.is('(') {
        cells.extend(reader.tuple(&scope)?);
    }
    let table = Table::from_cells(polarity, scope.len(), cells);
    add(reader, place, Constraint::Table { scope, table })
}

fn literal(reader: &mut Reader<'_>) -> Result<Literal, Problem> {
    let (_, variable) = reader.variable()?;
    let sign = reader.take()?;
    let equal = match sign.token {
        Token::Sign('=') => true,
        Token::Unequal => false,
        _ => return Err(sign.problem("`=` or `!=` is missing here")),
    };
    let value = reader.value(variable)?;
    Ok(Literal {
        variable,
        value,
        equal,
    })
}

fn literals(reader: &mut Reader<'_>) -> Result<Vec<Literal>, Problem> {
    let mut literals = Vec::new();
    while reader.is_word() {
        literals.push(literal(reader)?);
    }
    Ok(literals)
}

fn definition(reader: &mut Reader<'_>, place: &Placed) -> Result<(), Problem> {
    let head = literal(reader)?;
    let word = reader.word("`and` or `or`")?;
    let junction = match &word.text[..] {
        "and" => Junction::And,
        "or" => Junction::Or,
        _ => return Err(word.place.problem("`and` or `or` is missing here")),
    };
    let body = literals(reader)?;
    add(
        reader,
        place,
        Constraint::Definition {
            head,
            junction,
            body,
        },
    )
}

fn utility(reader: &mut Reader<'_>, place: &Placed) -> Result<(), Problem> {
    let scope = reader.scope()?;
    reader.sign(':', "`:` comes before the rows")?;
    let rows = rows(reader, &scope)?;
    reader.soft.push((place.clone(), Soft { scope, rows }));
    Ok(())
}
