//! A form of a sheet as a tree of its own, which can be changed and printed.

use gdl::{Node, ReadLimits};
use std::fmt;

/// A word or a list.
#[derive(Clone, Debug)]
pub enum Form {
    Word(String),
    List(Vec<Form>),
}

/// The forms of a sheet.
pub fn read(sheet: &str) -> Vec<Form> {
    let tree = gdl::read(sheet.into(), None, &ReadLimits::default());
    tree.forms().map(Form::new).collect()
}

impl Form {
    fn new(node: Node<'_>) -> Form {
        match node.text() {
            Some(text) if !node.is_list() => Form::Word(text.to_string()),
            _ => Form::List(node.children().map(Form::new).collect()),
        }
    }

    /// How many parts it has, itself among them.
    pub fn len(&self) -> usize {
        match self {
            Form::Word(_) => 1,
            Form::List(parts) => 1 + parts.iter().map(Form::len).sum::<usize>(),
        }
    }

    /// A part by its number in preorder.
    pub fn part(&mut self, number: usize) -> Option<&mut Form> {
        let Some(mut rest) = number.checked_sub(1) else {
            return Some(self);
        };
        let Form::List(parts) = self else {
            return None;
        };
        for part in parts {
            let len = part.len();
            match rest.checked_sub(len) {
                Some(less) => rest = less,
                None => return part.part(rest),
            }
        }
        None
    }

    /// Takes the conditions of a rule, if it is one that has any.
    pub fn take_conditions(&mut self) -> Option<Vec<Form>> {
        match self {
            Form::List(parts) if parts.len() > 2 && parts[0].is("<=") => Some(parts.split_off(2)),
            _ => None,
        }
    }

    /// Gives a rule conditions.
    pub fn put_conditions(&mut self, conditions: Vec<Form>) {
        if let Form::List(parts) = self {
            parts.extend(conditions);
        }
    }

    fn is(&self, text: &str) -> bool {
        matches!(self, Form::Word(word) if word == text)
    }

    /// Puts a `not` before it, or takes it away.
    pub fn negate(&mut self) {
        let inner = std::mem::replace(self, Form::List(Vec::new()));
        *self = match inner {
            Form::List(mut parts) if parts.len() == 2 && parts[0].is("not") => parts.remove(1),
            other => Form::List(vec![Form::Word("not".to_string()), other]),
        };
    }

    /// Changes every word.
    pub fn each_word(&mut self, change: &impl Fn(&mut String)) {
        match self {
            Form::Word(word) => change(word),
            Form::List(parts) => parts.iter_mut().for_each(|it| it.each_word(change)),
        }
    }

    /// Appends all words.
    pub fn words(&self, words: &mut Vec<String>) {
        match self {
            Form::Word(word) => words.push(word.clone()),
            Form::List(parts) => parts.iter().for_each(|it| it.words(words)),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Word(word) => write!(f, "{word}"),
            Form::List(parts) => {
                write!(f, "(")?;
                for (place, part) in parts.iter().enumerate() {
                    let blank = if place == 0 { "" } else { " " };
                    write!(f, "{blank}{part}")?;
                }
                write!(f, ")")
            }
        }
    }
}
