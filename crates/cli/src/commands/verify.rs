//! `ludex verify`: a reasoner against recorded matches.

use crate::args::{Engine, Verify};
use crate::progress::Spinner;
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use game::Game;
use lab::verify::{Trace, Verifier};
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

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
        let matches = serde_json::Deserializer::from_reader(open(path)?).into_iter::<Trace>();
        for trace in matches {
            let trace = trace.with_context(|| format!("{}: not a trace", path.display()))?;
            if let Err(difference) = verifier.compare_match(&trace) {
                let (path, number) = (path.display(), trace.number);
                writeln!(stdout(), "{title}: {path}: match {number}, {difference}")?;
                return Ok(Outcome::Refused);
            }
        }
    }
    writeln!(stdout(), "{title}: {} states agree", verifier.states)?;
    Ok(Outcome::Fine)
}

/// Opens a trace, gzipped or not.
fn open(path: &Path) -> Result<Box<dyn Read>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let gzipped = path.extension().is_some_and(|extension| extension == "gz");
    Ok(match gzipped {
        true => Box::new(BufReader::new(MultiGzDecoder::new(file))),
        false => Box::new(BufReader::new(file)),
    })
}
