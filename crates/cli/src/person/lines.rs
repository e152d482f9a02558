//! Where lines come from: a terminal, with completion and history, or any other input.

use super::moves::Moves;
use super::words::NAMES;
use crate::stop::Stop;
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
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How wide a page is that is no terminal.
const WIDTH: usize = 80;
/// More completions than these are not shown unasked.
const COMPLETIONS: usize = 60;

/// How long it may take until Ctrl-C is noticed.
const GLANCE: Duration = Duration::from_millis(50);
/// So many lines are read ahead.
const AHEAD: usize = 16;

/// What gives lines.
pub(crate) struct Lines {
    source: Source,
    /// Whether the person pressed Ctrl-C.
    stop: Stop,
}

enum Source {
    Terminal(Box<Editor<Completions, MemHistory>>),
    /// Anything else, and how many lines were taken.
    Plain(Receiver<io::Result<String>>, usize),
}

impl Lines {
    /// Lines of standard input.
    pub(crate) fn new(stop: Stop) -> Result<Lines> {
        if !io::stdin().is_terminal() {
            let source = Source::Plain(plain(), 0);
            return Ok(Lines { source, stop });
        }
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .completion_prompt_limit(COMPLETIONS)
            .auto_add_history(true)
            .build();
        let history = MemHistory::with_config(&config);
        let editor = Editor::with_history(config, history)?;
        let source = Source::Terminal(Box::new(editor));
        Ok(Lines { source, stop })
    }

    /// The next line; none if there is no more, or the person wants to leave.
    pub(crate) fn next(&mut self, prompt: &str, moves: &Rc<Moves>) -> Result<Option<String>> {
        match &mut self.source {
            Source::Terminal(_) if self.stop.is_asked() => Ok(None),
            Source::Terminal(editor) => {
                editor.set_helper(Some(Completions(Rc::clone(moves))));
                match editor.readline(prompt) {
                    Ok(line) => Ok(Some(line)),
                    Err(ReadlineError::Eof) => Ok(None),
                    Err(ReadlineError::Interrupted) => {
                        self.stop.ask();
                        Ok(None)
                    }
                    Err(error) => Err(error.into()),
                }
            }
            Source::Plain(lines, count) => {
                let Some(line) = awaited(lines, &self.stop)? else {
                    return Ok(None);
                };
                *count += 1;
                let line = line.trim_end().to_string();
                // The output reads as if it had been typed.
                writeln!(stdout(), "{prompt}{line}")?;
                Ok(Some(line))
            }
        }
    }

    /// Clears the terminal and waits for the next person, who must not see what is on it.
    pub(crate) fn hand_over(&mut self, prompt: &str) -> Result<()> {
        let Source::Terminal(editor) = &mut self.source else {
            return Ok(());
        };
        editor.clear_screen()?;
        editor.clear_history()?;
        editor.set_helper(None);
        match editor.readline(prompt) {
            Ok(_) | Err(ReadlineError::Eof) => Ok(()),
            Err(ReadlineError::Interrupted) => {
                self.stop.ask();
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The number of the last line; none if a person typed it, who can try again.
    pub(crate) fn number(&self) -> Option<usize> {
        match &self.source {
            Source::Terminal(_) => None,
            Source::Plain(_, count) => Some(*count),
        }
    }

    /// How many characters fit on a line.
    pub(crate) fn width(&mut self) -> usize {
        match &mut self.source {
            Source::Terminal(editor) => editor
                .dimensions()
                .map_or(WIDTH, |(columns, _)| usize::from(columns)),
            Source::Plain(..) => WIDTH,
        }
    }
}

/// The lines of standard input, read by a thread: waiting for them can be interrupted.
fn plain() -> Receiver<io::Result<String>> {
    let (outbox, lines) = sync_channel(AHEAD);
    thread::spawn(move || {
        for line in io::stdin().lines() {
            if outbox.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// The next line; none if there is no more, or if it is not to be waited for.
fn awaited(lines: &Receiver<io::Result<String>>, stop: &Stop) -> Result<Option<String>> {
    while !stop.is_asked() {
        match lines.recv_timeout(GLANCE) {
            Ok(line) => return Ok(Some(line?)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    Ok(None)
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
