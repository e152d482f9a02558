//! `ludex perft`: how many ways a match can begin.

use crate::args::Perft;
use crate::progress::Spinner;
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Result, bail};
use game::{Game, Scratch, State, TermId, View};
use std::io::Write;

pub(crate) fn run(arguments: &Perft) -> Result<Outcome> {
    let spinner = Spinner::new(&input::title(&arguments.file), arguments.quiet);
    let Some(program) = super::program(&arguments.file, &arguments.reading, &spinner)? else {
        return Ok(Outcome::Refused);
    };
    let (game, _) = Game::best(&program, &spinner.limits());
    drop(spinner);
    let mut counter = Counter {
        scratch: game.scratch(),
        game,
        counts: vec![(0, 0); arguments.depth + 1],
    };
    let first = counter.game.initial(&mut counter.scratch)?;
    counter.count(&first, 0)?;
    writeln!(stdout(), "turns  sequences  of them over")?;
    for (depth, (sequences, over)) in counter.counts.iter().enumerate() {
        writeln!(stdout(), "{depth:5}  {sequences:9}  {over:12}")?;
    }
    Ok(Outcome::Fine)
}

struct Counter {
    game: Game,
    scratch: Scratch,
    /// For each number of turns the sequences, and those that end the match.
    counts: Vec<(u64, u64)>,
}

impl Counter {
    fn count(&mut self, state: &State, turns: usize) -> Result<()> {
        let view = self.game.view(&mut self.scratch, state)?;
        self.counts[turns].0 += 1;
        self.counts[turns].1 += u64::from(view.terminal);
        if view.terminal || turns + 1 == self.counts.len() {
            return Ok(());
        }
        if let Some(role) = view.legal.iter().position(Vec::is_empty) {
            let role = self.game.roles()[role];
            bail!(
                "after {turns} turns {} has no move",
                self.scratch.terms().text(role)
            );
        }
        let mut joint: Vec<usize> = vec![0; view.legal.len()];
        loop {
            let moves: Vec<TermId> = joint
                .iter()
                .zip(&view.legal)
                .map(|(&at, it)| it[at])
                .collect();
            let (next, _) = self.game.next(&mut self.scratch, state, &moves)?;
            self.count(&next, turns + 1)?;
            if !advance(&mut joint, &view) {
                return Ok(());
            }
        }
    }
}

/// Goes on to the next joint move; false after the last.
fn advance(joint: &mut [usize], view: &View) -> bool {
    for (choice, legal) in joint.iter_mut().zip(&view.legal) {
        *choice += 1;
        if *choice < legal.len() {
            return true;
        }
        *choice = 0;
    }
    false
}
