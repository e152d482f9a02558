//! A round of a game as a stochastic constraint network; the network of a state, whose solutions
//! are the legal joint moves; or the problem of several stages, whose solutions are policies.

use crate::random;
use constraint::{Model, Scsp, text};
use encoding::{Encoding, EncodingLimits, Horizon, NotEncoded};
use game::{BitsBuf, Game, GroundProgram, State, Unanswered};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Larger networks are not printed.
const SMALL: usize = 300;

/// How many random turns, and their seed.
#[derive(Copy, Clone, Debug)]
pub struct Walk {
    /// How many turns.
    pub turns: usize,
    /// The seed.
    pub seed: u64,
}

/// Why a state has no network to show.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoState {
    /// The game has no ground program.
    #[error("a network needs a ground program")]
    NotGround,
    /// The match does not last that long.
    #[error("the match is over after {0} turns")]
    Over(usize),
    /// A role has no legal move.
    #[error("no joint move after {0} turns")]
    Stuck(usize),
    /// The state cannot come up.
    #[error("it is no state of the game")]
    Unreachable,
    /// The network is too large.
    #[error(transparent)]
    NotEncoded(#[from] NotEncoded),
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// How large a round is, and the network itself if it is small; it took some seconds to build.
pub fn network_of_round(game: &Game, encoding: &Encoding, seconds: f64) -> Result<String, NoState> {
    let ground = game.ground().ok_or(NoState::NotGround)?;
    let size = encoding.size();
    let groups = encoding.grouping().groups.iter();
    let several = groups.filter(|group| group.fluents.len() > 1);
    let exact = several.clone().filter(|group| group.exact).count();
    let mut lines = format!(
        "# legal moves and next state: {} variables, largest domain {}, {} constraints, built in {seconds:.2} s\n",
        size.variables, size.largest, size.constraints
    );
    lines += &format!(
        "# {} fluents: {} variables of several, {exact} of these always with one\n",
        ground.fluents().len(),
        several.count()
    );
    Ok(lines + &whole(ground, encoding))
}

/// The round with the end, chance and goals.
fn whole(ground: &GroundProgram, encoding: &Encoding) -> String {
    let round = Horizon {
        stages: 1,
        from: None,
    };
    let limits = EncodingLimits::default();
    let whole = match encoding::scsp(ground, (encoding.grouping(), round), &limits) {
        Ok(whole) => whole,
        Err(reason) => return format!("# with end, chance and goals: {reason}\n"),
    };
    let model = whole.model();
    let constraints = model.constraints().len() + whole.soft().len();
    let variables = model.len();
    let head =
        format!("# with end, chance and goals: {variables} variables, {constraints} constraints\n");
    match variables <= SMALL {
        true => head + &text::write(&whole),
        false => head,
    }
}

/// The problem of so many stages, from the initial state or from that after random turns.
pub fn network_of_stages(
    game: &Game,
    encoding: &Encoding,
    (stages, walk): (usize, Option<Walk>),
) -> Result<String, NoState> {
    let ground = game.ground().ok_or(NoState::NotGround)?;
    let walk = walk.unwrap_or(Walk { turns: 0, seed: 1 });
    let from = packed(game, walk)?;
    let horizon = Horizon {
        stages,
        from: Some(&from),
    };
    let grouping = encoding.grouping();
    let whole = encoding::scsp(ground, (grouping, horizon), &EncodingLimits::default())?;
    let (model, Walk { turns, seed }) = (whole.model(), walk);
    let place = match turns {
        0 => String::new(),
        _ => format!(" after {turns} random turns of seed {seed}"),
    };
    let head = format!(
        "# stages{place}: {stages}; {} variables, {} constraints\n",
        model.len(),
        model.constraints().len() + whole.soft().len()
    );
    Ok(head + &text::write(&whole))
}

/// A round in extension, or the network of the state after random turns.
pub fn network_of_tables(game: &Game, walk: Option<Walk>) -> Result<String, NoState> {
    let tables = game.tables().ok_or(NoState::NotGround)?;
    let tables = tables.map_err(Clone::clone)?;
    let (size, counts) = (tables.size(), tables.counts());
    let head = format!(
        "# legal moves and next state: {} variables, largest domain {}, {} tables of {} tuples, {} definitions\n",
        size.variables, size.largest, counts.tables, counts.tuples, counts.definitions
    );
    let Some(walk) = walk else {
        return Ok(head + &plain(game, tables.model().clone())?);
    };
    let encoding = game.encoding().ok_or(NoState::NotGround)?;
    let encoding = encoding.map_err(Clone::clone)?;
    let state = packed(game, walk)?;
    let model = tables.of_state(encoding, &state);
    let network = plain(game, model.ok().ok_or(NoState::Unreachable)?)?;
    let Walk { turns, seed } = walk;
    Ok(format!(
        "{head}# after {turns} random turns of seed {seed}\n{network}"
    ))
}

/// A network without chance and utilities as text.
fn plain(game: &Game, model: Model) -> Result<String, NoState> {
    let ground = game.ground().ok_or(NoState::NotGround)?;
    let roles = ground.roles().iter().map(|&it| ground.terms().text(it));
    let roles: Vec<String> = roles.collect();
    let roles: Vec<&str> = roles.iter().map(String::as_str).collect();
    Ok(text::write(&Scsp::new(model, &roles)))
}

/// The network of the state after random turns.
pub fn network_of_state(game: &Game, encoding: &Encoding, walk: Walk) -> Result<String, NoState> {
    let state = packed(game, walk)?;
    let model = encoding.of_state(&state).ok().ok_or(NoState::Unreachable)?;
    let network = plain(game, model)?;
    let Walk { turns, seed } = walk;
    Ok(format!(
        "# after {turns} random turns of seed {seed}\n{network}"
    ))
}

/// The state after random turns, packed.
fn packed(game: &Game, walk: Walk) -> Result<BitsBuf, NoState> {
    let state = after(game, walk)?;
    game.packed(&state).ok_or(NoState::Unreachable)
}

/// The state after random turns, in which the match is not over.
fn after(game: &Game, walk: Walk) -> Result<State, NoState> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(walk.seed);
    let mut scratch = game.scratch();
    let mut state = game.initial(&mut scratch)?;
    for turn in 0.. {
        let view = game.view(&mut scratch, &state)?;
        if view.terminal {
            return Err(NoState::Over(turn));
        }
        if turn == walk.turns {
            break;
        }
        let joint = random::joint(&view.legal, &mut random).ok_or(NoState::Stuck(turn))?;
        (state, _) = game.next(&mut scratch, &state, &joint)?;
    }
    Ok(state)
}
