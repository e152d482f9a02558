//! `ludex show scsp`: a round of a game as a stochastic constraint network, or the network of a
//! state, whose solutions are the legal joint moves.

use crate::Outcome;
use crate::progress::Spinner;
use anstream::stdout;
use anyhow::{Context, Result, bail};
use constraint::{Scsp, text};
use encoding::{Encoding, Limits};
use gdl::Program;
use logic::{Evaluator, State, TermId};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::Write;
use std::time::Instant;

/// Larger networks are not printed.
const SMALL: usize = 300;

/// Prints a round; or the network of a state, given how many random turns it comes after and
/// their seed.
pub(crate) fn run(
    program: &Program,
    (title, random): (&str, Option<(usize, u64)>),
    spinner: Spinner,
) -> Result<Outcome> {
    let grounding = spinner.limits();
    let interpreter = logic::Interpreter::new(program, grounding.interpreter);
    let began = Instant::now();
    let evaluator = match logic::ground(&interpreter, &grounding.ground) {
        Ok(ground) => Evaluator::new(ground),
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
    if let Some(random) = random {
        drop(spinner);
        state(&evaluator, &encoding, random)?;
        return Ok(Outcome::Fine);
    }
    let whole = encoding::scsp(evaluator.program(), encoding.grouping(), &limits);
    drop(spinner);
    round(&evaluator, &encoding, seconds)?;
    let mut out = stdout();
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
                out.write_all(text::write(&whole).as_bytes())?;
            }
        }
        Err(reason) => writeln!(out, "# with end, chance and goals: {reason}")?,
    }
    Ok(Outcome::Fine)
}

/// Prints how large a round is.
fn round(evaluator: &Evaluator, encoding: &Encoding, seconds: f64) -> Result<()> {
    let size = encoding.size();
    let groups = encoding.grouping().groups.iter();
    let several = groups.filter(|group| group.fluents.len() > 1);
    let exact = several.clone().filter(|group| group.exact).count();
    writeln!(
        stdout(),
        "# legal moves and next state: {} variables, largest domain {}, {} constraints, built in {seconds:.2} s",
        size.variables,
        size.largest,
        size.constraints
    )?;
    writeln!(
        stdout(),
        "# {} fluents: {} variables of several, {exact} of these always with one",
        evaluator.program().fluents().len(),
        several.count()
    )?;
    Ok(())
}

/// Prints the network of the state after random turns.
fn state(evaluator: &Evaluator, encoding: &Encoding, (turns, seed): (usize, u64)) -> Result<()> {
    let program = evaluator.program();
    let state = after(evaluator, (turns, seed))?;
    let holds = |fluent: usize| state.fluents().contains(&program.fluents()[fluent]);
    let model = encoding.of_state(holds);
    let model = model.ok().context("it is no state of the game")?;
    let roles = program.roles().iter().map(|&it| program.terms().text(it));
    let roles: Vec<String> = roles.collect();
    let roles: Vec<&str> = roles.iter().map(String::as_str).collect();
    writeln!(stdout(), "# after {turns} random turns of seed {seed}")?;
    let text = text::write(&Scsp::new(model, &roles));
    Ok(stdout().write_all(text.as_bytes())?)
}

/// The state after random turns, in which the match is not over.
fn after(evaluator: &Evaluator, (turns, seed): (usize, u64)) -> Result<State> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut any = |legal: &Vec<TermId>| {
        let count = legal.len().max(1);
        legal.get(random.next_u64() as usize % count).copied()
    };
    let mut state = evaluator.initial();
    for turn in 0.. {
        let view = evaluator.view(&state).context("no state of the game")?;
        if view.terminal {
            bail!("the match is over after {turn} turns");
        }
        if turn == turns {
            break;
        }
        let joint: Option<Vec<TermId>> = view.legal.iter().map(&mut any).collect();
        let next = joint.and_then(|joint| evaluator.next(&state, &joint));
        (state, _) = next.with_context(|| format!("no joint move after {turn} turns"))?;
    }
    Ok(state)
}
