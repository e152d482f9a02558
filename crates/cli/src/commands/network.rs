//! `ludex show scsp`: a round of a game as a stochastic constraint network.

use crate::Outcome;
use crate::progress::Spinner;
use anstream::stdout;
use anyhow::Result;
use encoding::{Encoding, Limits};
use gdl::Program;
use std::io::Write;
use std::time::Instant;

/// Larger networks are not printed.
const SMALL: usize = 300;

pub(crate) fn run(program: &Program, title: &str, spinner: Spinner) -> Result<Outcome> {
    let grounding = spinner.limits();
    let interpreter = logic::Interpreter::new(program, grounding.interpreter);
    let began = Instant::now();
    let evaluator = match logic::ground(&interpreter, &grounding.ground) {
        Ok(ground) => logic::Evaluator::new(ground),
        Err(reason) => {
            drop(spinner);
            return super::only_interpreted(title, &reason.into());
        }
    };
    let limits = Limits::default();
    let encoding = match Encoding::new(&evaluator, &limits) {
        Ok(encoding) => encoding,
        Err(reason) => {
            drop(spinner);
            writeln!(stdout(), "{title}: it is not encoded: {reason}")?;
            return Ok(Outcome::NoEngine);
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    let whole = encoding::scsp(evaluator.program(), encoding.grouping(), &limits);
    drop(spinner);
    let mut out = stdout();
    let size = encoding.size();
    let groups = encoding.grouping().groups.iter();
    let several = groups.filter(|group| group.fluents.len() > 1);
    let exact = several.clone().filter(|group| group.exact).count();
    writeln!(
        out,
        "# legal moves and next state: {} variables, largest domain {}, {} constraints, built in {seconds:.2} s",
        size.variables, size.largest, size.constraints
    )?;
    writeln!(
        out,
        "# {} fluents: {} variables of several, {exact} of these always with one",
        evaluator.program().fluents().len(),
        several.count()
    )?;
    match whole {
        Ok(whole) => {
            let model = whole.model();
            let constraints = model.constraints().len() + whole.soft().len();
            writeln!(
                out,
                "# with end, chance and goals: {} variables, {constraints} constraints",
                model.len()
            )?;
            if model.len() <= SMALL {
                out.write_all(constraint::text::write(&whole).as_bytes())?;
            }
        }
        Err(reason) => writeln!(out, "# with end, chance and goals: {reason}")?,
    }
    Ok(Outcome::Fine)
}
