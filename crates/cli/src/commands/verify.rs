//! `ludex verify`: a reasoner against recorded matches.

use crate::args::{Engine, Verify};
use crate::progress::Spinner;
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use game::Game;
use lab::verify::{Trace, Verifier};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::rc::Rc;

/// A match may take so many bytes: it is read as a whole.
const MOST_BYTES: u64 = 64 << 20;

pub(crate) fn run(arguments: &Verify) -> Result<Outcome> {
    let title = input::title(&arguments.game);
    let spinner = Spinner::new(&title, arguments.quiet);
    let Some(program) = super::program(&arguments.game, &arguments.reading, &spinner)? else {
        return Ok(Outcome::Refused);
    };
    let engine = arguments.engine.chosen().of_game();
    let game = Game::new(&program, engine, &spinner.limits());
    drop(spinner);
    let game = match game {
        Ok(game) => game,
        Err(reason) => return super::only_interpreted(&title, &reason),
    };
    let encoding = (arguments.engine == Engine::Scsp).then(|| game.encoding());
    let encoding = match encoding.flatten().transpose() {
        Ok(encoding) => encoding,
        Err(reason) => return super::not_encoded(&title, reason),
    };
    let mut verifier = Verifier::new(&game, encoding);
    for path in &arguments.traces {
        let limit = arguments.reading.max_bytes.min(MOST_BYTES);
        let left = Rc::new(Cell::new(limit));
        let matches = serde_json::Deserializer::from_reader(open(path, &left)?);
        for (trace, place) in matches.into_iter::<Trace>().zip(1..) {
            if trace.is_err() && left.get() == 0 {
                let path = path.display();
                writeln!(
                    stdout(),
                    "{title}: {path}: match {place} has more than {limit} bytes"
                )?;
                return Ok(Outcome::Limit);
            }
            let trace = trace.with_context(|| format!("{}: not a trace", path.display()))?;
            if let Err(difference) = verifier.compare_match(&trace) {
                let (path, number) = (path.display(), trace.number);
                writeln!(stdout(), "{title}: {path}: match {number}, {difference}")?;
                return Ok(Outcome::Refused);
            }
            left.set(limit);
        }
    }
    writeln!(stdout(), "{title}: {} states agree", verifier.states)?;
    Ok(Outcome::Fine)
}

/// A file of which only so many bytes are read: a small one may inflate to anything.
struct Limited<R> {
    file: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.left.get()).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        if most == 0 {
            return Err(io::Error::other("too many bytes"));
        }
        let count = self.file.read(&mut buffer[..most])?;
        self.left.set(self.left.get() - count as u64);
        Ok(count)
    }
}

/// Opens a trace, gzipped or not, to read so many bytes.
fn open(path: &Path, left: &Rc<Cell<u64>>) -> Result<BufReader<Limited<Box<dyn Read>>>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let gzipped = path.extension().is_some_and(|extension| extension == "gz");
    let file: Box<dyn Read> = match gzipped {
        true => Box::new(MultiGzDecoder::new(file)),
        false => Box::new(file),
    };
    let left = Rc::clone(left);
    Ok(BufReader::new(Limited { file, left }))
}
