//! Text → tokens, each with its place.

use super::Problem;

/// A word, or a sign that stands for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    /// A word in quotes: never a keyword, a number or `*`.
    Quoted(String),
    Sign(char),
    /// `!=`
    Unequal,
    /// `->`
    Arrow,
    End,
}

/// A token and where it begins.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Placed {
    pub(super) fn problem(&self, message: impl Into<String>) -> Problem {
        Problem {
            line: self.line,
            column: self.column,
            message: message.into(),
        }
    }
}

/// Whether a character ends a bare word.
pub(super) fn is_special(character: char) -> bool {
    character.is_whitespace() || "{}():;=!#\"*".contains(character)
}

/// Reads tokens one by one, without storing them.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    line: usize,
    column: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Tokens<'t> {
        Tokens {
            rest: text.chars().peekable(),
            line: 1,
            column: 1,
        }
    }

    fn bump(&mut self) -> Option<char> {
        let character = self.rest.next()?;
        match character {
            '\n' => (self.line, self.column) = (self.line + 1, 1),
            _ => self.column += 1,
        }
        Some(character)
    }

    fn skip(&mut self) {
        while let Some(&character) = self.rest.peek() {
            if character == '#' {
                while self.rest.peek().is_some_and(|&it| it != '\n') {
                    self.bump();
                }
            } else if !character.is_whitespace() {
                return;
            } else {
                self.bump();
            }
        }
    }

    pub(super) fn next(&mut self) -> Result<Placed, Problem> {
        self.skip();
        let (line, column) = (self.line, self.column);
        let placed = |token| Placed {
            token,
            line,
            column,
        };
        let token = match self.rest.peek() {
            None => Token::End,
            Some('"') => match self.quoted() {
                Some(word) => Token::Quoted(word),
                None => return Err(placed(Token::End).problem("the quotes are not closed")),
            },
            Some(&it) if is_special(it) => {
                self.bump();
                let is_unequal = it == '!' && self.rest.next_if_eq(&'=').is_some();
                self.column += usize::from(is_unequal);
                if is_unequal {
                    Token::Unequal
                } else {
                    Token::Sign(it)
                }
            }
            Some(_) => self.word(),
        };
        Ok(placed(token))
    }

    fn word(&mut self) -> Token {
        let mut word = String::new();
        while let Some(&character) = self.rest.peek() {
            if is_special(character) {
                break;
            }
            word.extend(self.bump());
        }
        if word == "->" {
            Token::Arrow
        } else {
            Token::Word(word)
        }
    }

    fn quoted(&mut self) -> Option<String> {
        self.bump();
        let mut word = String::new();
        loop {
            match self.bump()? {
                '"' => return Some(word),
                '\\' => word.push(match self.bump()? {
                    'n' => '\n',
                    other => other,
                }),
                character => word.push(character),
            }
        }
    }
}
