//! A helper's side: orders → answers. It knows no process and no pipe.

use super::{NAME, OPTIONS, own_search};
use crate::kit::{Batch, By, Clock, Evaluate, Playouts, Search, Thread};
use crate::options::{self, Options};
use crate::uct::Uct;
use crate::{Answer, Begin, Budget, Limit, Order, Seat, fingerprint};
use game::{Bits, BitsBuf, Game, Limits, RoleId};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A search by time is broken off this often to see whether another order has come. Not more
/// often, as the end of each piece has too little time for lanes.
const PIECE: Duration = Duration::from_millis(250);

/// A helper that has taken up a game.
pub struct Engaged {
    seat: Seat,
    options: Options,
}

impl Engaged {
    /// Loads the game; an error says why that cannot be, or that it is another game here.
    pub fn new(begin: &Begin) -> Result<Engaged, String> {
        let texts = options::split_options(&begin.options);
        let options = Options::read(NAME, OPTIONS, texts).map_err(|it| it.to_string())?;
        let game = Game::load(begin.rules.as_str(), &Limits::default());
        let game = game.map_err(|it| format!("the rules are refused: {it}"))?;
        match fingerprint(&game) {
            None => return Err("only the interpreter plays the game here".to_string()),
            Some(found) if found != begin.fingerprint => {
                let text = "the same rules are another game here: this is another build";
                return Err(text.to_string());
            }
            Some(_) => {}
        }
        let role = begin.role as usize;
        if role >= game.roles().len() {
            return Err(format!("the game has no role of number {role}"));
        }
        let seat = Seat {
            game: Arc::new(game),
            role: RoleId::new(role),
            seed: begin.seed,
            threads: begin.threads.max(1) as usize,
            memory: None,
            helpers: None,
        };
        Ok(Engaged { seat, options })
    }

    /// What answers orders about the game.
    pub fn assistant(&self) -> Assistant<'_> {
        let game = &*self.seat.game;
        let lanes = self.options.flag("lanes").unwrap_or(true);
        let counted = Budget::Iterations(0);
        Assistant {
            own: own_search(self.seat.clone(), &self.options),
            thread: Thread::new(game, self.seat.seed, &counted),
            playouts: Playouts::uniform(game, lanes)
                .sharing(self.options.count("playouts"))
                .cutting(self.options.count("cutoff")),
            words: game.state_words(),
            seed: self.seat.seed,
        }
    }
}

/// Answers orders about one game.
pub struct Assistant<'g> {
    own: Uct,
    thread: Thread<'g>,
    playouts: Playouts<'g>,
    /// How many words a state has.
    words: Option<usize>,
    seed: u64,
}

impl Assistant<'_> {
    /// The answer to an order; none to [`Order::Begin`], which makes another assistant. A search by
    /// time ends early if `is_called` says that another order has come.
    pub fn answer(&mut self, order: &Order, is_called: &dyn Fn() -> bool) -> Option<Answer> {
        let fits = |state: &BitsBuf| Some(state.words().len()) == self.words;
        let strange = || Answer::Refused("a state is not of this game".to_string());
        match order {
            Order::Begin(_) => None,
            Order::Search { state, .. } if !fits(state) => Some(strange()),
            Order::Evaluate { states, .. } if !states.iter().all(fits) => Some(strange()),
            Order::Search {
                number,
                state,
                limit,
                most,
            } => {
                let before = self.own.work();
                self.search(state, *limit, is_called);
                let report = self.own.report(state, *most as usize, before);
                let (number, report) = (*number, report.unwrap_or_default());
                Some(Answer::Found { number, report })
            }
            Order::Evaluate {
                ticket,
                states,
                limit,
            } => {
                let states: Vec<&Bits> = states.iter().map(|it| &**it).collect();
                Some(self.evaluate(*ticket, &states, *limit))
            }
        }
    }

    fn search(&mut self, state: &Bits, limit: Limit, is_called: &dyn Fn() -> bool) {
        let until = match limit {
            Limit::Iterations(count) => {
                self.own.search(state, &Budget::Iterations(count));
                return;
            }
            Limit::Time(time) => Instant::now() + time,
        };
        loop {
            let left = until.saturating_duration_since(Instant::now());
            // A short rest is no piece of its own.
            let piece = if left < 2 * PIECE { left } else { PIECE };
            let end = Instant::now() + piece;
            let found = self.own.search(state, &Budget::Until(end));
            let proven = found.is_none_or(|it| it.proven);
            if proven || is_called() || piece == left {
                return;
            }
        }
    }

    /// Plays states out. The seed depends on the batch alone, so that the result is the same whichever
    /// helper gets the batch, and in which order.
    fn evaluate(&mut self, ticket: u64, states: &[&Bits], limit: Limit) -> Answer {
        let budget = match limit {
            Limit::Iterations(count) => Budget::Iterations(count),
            Limit::Time(time) => Budget::Until(Instant::now() + time),
        };
        self.thread.clock = Clock::new(&budget);
        let seed = self
            .seed
            .wrapping_add(ticket.wrapping_mul(0xbf58_476d_1ce4_e5b9));
        self.thread.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let by = By::Lanes;
        let mut estimates = Vec::with_capacity(states.len());
        let batch = Batch { states, by };
        (self.playouts).evaluate(&mut self.thread, &batch, &mut estimates);
        Answer::Values { ticket, estimates }
    }
}
