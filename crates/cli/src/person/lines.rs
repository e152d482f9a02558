//! Where lines come from: a terminal, with completion and history, or any other input.

use super::moves::Moves;
use super::words::NAMES;
use anstream::stdout;
use anyhow::Result;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::io::{self, IsTerminal, Write};
use std::rc::Rc;

/// How wide a page is that is no terminal.
const WIDTH: usize = 80;
/// More completions than these are not shown unasked.
const COMPLETIONS: usize = 60;

/// What gives lines.
pub(crate) enum Lines {
    /// A terminal.
    Terminal(Box<Editor<Completions, MemHistory>>),
    /// Anything else; how many lines were read.
    Plain(usize),
}

impl Lines {
    /// Lines of standard input.
    pub(crate) fn new() -> Result<Lines> {
        if !io::stdin().is_terminal() {
            return Ok(Lines::Plain(0));
        }
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .completion_prompt_limit(COMPLETIONS)
            .auto_add_history(true)
            .build();
        let history = MemHistory::with_config(&config);
        let editor = Editor::with_history(config, history)?;
        Ok(Lines::Terminal(Box::new(editor)))
    }

    /// The next line; none if there is no more, or the person wants to leave.
    pub(crate) fn next(&mut self, prompt: &str, moves: &Rc<Moves>) -> Result<Option<String>> {
        match self {
            Lines::Terminal(editor) => {
                editor.set_helper(Some(Completions(Rc::clone(moves))));
                match editor.readline(prompt) {
                    Ok(line) => Ok(Some(line)),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => Err(error.into()),
                }
            }
            Lines::Plain(count) => {
                let mut line = String::new();
                if io::stdin().read_line(&mut line)? == 0 {
                    return Ok(None);
                }
                *count += 1;
                let line = line.trim_end().to_string();
                // The output reads as if it had been typed.
                writeln!(stdout(), "{prompt}{line}")?;
                Ok(Some(line))
            }
        }
    }

    /// The number of the last line; none if a person typed it, who can try again.
    pub(crate) fn number(&self) -> Option<usize> {
        match self {
            Lines::Terminal(_) => None,
            Lines::Plain(count) => Some(*count),
        }
    }

    /// How many characters fit on a line.
    pub(crate) fn width(&mut self) -> usize {
        match self {
            Lines::Terminal(editor) => editor
                .dimensions()
                .map_or(WIDTH, |(columns, _)| usize::from(columns)),
            Lines::Plain(_) => WIDTH,
        }
    }
}

/// Completes moves and commands.
pub(crate) struct Completions(Rc<Moves>);

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = &line[..position];
        let mut found = self.0.completions(begun);
        if !begun.is_empty() {
            let names = NAMES.iter().filter(|name| name.starts_with(begun));
            found.extend(names.map(ToString::to_string));
        }
        Ok((0, found))
    }
}

impl Hinter for Completions {
    type Hint = String;
}
impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}
