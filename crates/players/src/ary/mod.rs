//! Ary: UCT with a transposition table, over several processes (Méhat and Cazenave 2011).
//!
//! *Root parallel*: every process searches the same state with other random numbers; what they say
//! of its moves is merged when time is over (`merge.rs`). *Tree parallel*: this process keeps the
//! tree, and the others play out what it reaches (`uct/farm.rs`).
//!
//! From the paper are the independent processes, which join their results at the end of the
//! thinking time, and the merges Best, Sum, Sum10 and Raw; from the same authors' "Tree
//! Parallelization of Ary on a Cluster" (2011) the tree whose playouts are farmed out. We knew the
//! abstracts and summaries of both, not every detail. Where we differ, or may:
//!
//! - This process searches, too, so that it has a move if all others are lost; `workers` counts it.
//! - `sum` and `sum10` play the move with the most visits, as our UCT does, not the best mean.
//! - Proofs of any process count, as our UCT proves states.
//! - Trees are kept from turn to turn, in every process, as far as they can still be reached.
//! - A sample is a batch of playouts in lanes, and ways down that are not back count as losses.
//!
//! | file | what it holds |
//! |---|---|
//! | `merge.rs` | reports of several searches → a move |
//! | `company.rs` | the state of each helper: ready or not, unanswered orders, reports |
//! | `assistant.rs` | the other side: orders → answers |

mod assistant;
mod company;
mod merge;
#[cfg(test)]
mod tests;

pub use assistant::{Assistant, Engaged};
pub use merge::{Merge, Merged, Report, RootMove};

use crate::kit::Search;
use crate::kit::crew::Work;
use crate::options::{OptionSpec, Options, Takes, joined};
use crate::uct::{self, Uct};
use crate::{Begin, Budget, Decision, Limit, NoHelp, Refusal, Seat, fingerprint};
use company::Company;
use game::Bits;
use std::time::{Duration, Instant};

/// The name of the player.
const NAME: &str = "ary";

const WORKERS: OptionSpec = OptionSpec {
    key: "workers",
    default: "1, or ranks",
    about: "processes that search, this one among them; under MPI all ranks. Each has one thread, unless threads says more",
    takes: Takes::Count(0, 4096),
};

const MERGE: OptionSpec = OptionSpec {
    key: "merge",
    default: "sum",
    about: "how their searches become one: sum, sum10, raw or best of the root's moves; tree: one tree, playouts elsewhere",
    takes: Takes::Word(&["sum", "sum10", "raw", "best", "tree"]),
};

/// The options of the player: its own, then those of UCT.
pub(crate) const OPTIONS: &[OptionSpec] =
    &joined::<{ uct::OPTIONS.len() + 2 }>(&[&[WORKERS, MERGE], uct::OPTIONS]);

/// How many processes search, this one among them.
pub(crate) fn workers(seat: &Seat, options: &Options) -> usize {
    let usual = seat.helpers.as_ref().map_or(1, |it| it.usual());
    options.count("workers").map_or(usual, |it| it as usize)
}

/// The search of one process. In a puzzle, `ary` without helpers is nested Monte Carlo search; see
/// `roster.rs`.
fn own_search(seat: Seat, options: &Options) -> Uct {
    Uct::new(seat, uct::Settings::new(options, &uct::UCT))
}

/// The search.
pub(crate) struct Ary {
    own: Uct,
    options: Options,
    /// How many processes search, this one among them.
    workers: usize,
    /// How reports are merged; none if there is one tree.
    merge: Option<Merge>,
    company: Option<Company>,
    /// What helpers did.
    helped: Work,
}

impl Ary {
    pub(crate) fn new(mut seat: Seat, options: &Options) -> Ary {
        let workers = workers(&seat, options);
        if workers > 1 {
            // Processes are the threads then.
            seat.threads = 1;
        }
        Ary {
            own: own_search(seat, options),
            options: options.clone(),
            workers,
            merge: match options.word("merge") {
                Some("tree") => None,
                Some("sum10") => Some(Merge::Sum10),
                Some("raw") => Some(Merge::Raw),
                Some("best") => Some(Merge::Best),
                _ => Some(Merge::Sum),
            },
            company: None,
            helped: Work::default(),
        }
    }

    /// The helpers of a match; none if nobody is wanted, or if the states of the game mean nothing
    /// elsewhere, as only the interpreter plays it.
    fn recruit(&self) -> Result<Option<Company>, NoHelp> {
        let seat = self.own.seat();
        if self.workers <= 1 {
            return Ok(None);
        }
        let nobody = || NoHelp("processes cannot be started here".to_string());
        let recruiter = seat.helpers.as_ref().ok_or_else(nobody)?;
        let Some(fingerprint) = fingerprint(&seat.game) else {
            return Ok(None);
        };
        let helpers = recruiter.recruit(self.workers - 1)?;
        let begin = Begin {
            rules: seat.game.rules().to_string(),
            fingerprint,
            options: self.options.text(),
            role: seat.role.index() as u32,
            seed: seat.seed,
            threads: seat.threads as u32,
        };
        Ok(Some(Company::new(helpers, &begin, &seat.game)))
    }

    /// Every process searches, and what they found is merged.
    fn by_roots(&mut self, state: &Bits, budget: &Budget, merge: Merge) -> Option<Decision> {
        let company = self.company.as_mut()?;
        let plan = Plan::new(budget);
        company.order(state, plan.limit, merge.most());
        let before = self.own.work();
        let own = self.own.search(state, &plan.own);
        if !own.is_some_and(|it| it.proven) {
            company.collect(plan.until);
        }
        let mut report = self.own.report(state, usize::MAX, before)?;
        let others = company.reports(&report.moves);
        report.leave(merge.most());
        let helped = others.iter().map(|it| it.playouts).sum::<u64>();
        self.helped.playouts += helped;
        self.helped.iterations += others.iter().map(|it| it.iterations).sum::<u64>();
        let reports: Vec<Report> = [report].into_iter().chain(others).collect();
        let merged = merge.decide(&reports)?;
        Some(Decision {
            action: merged.action,
            value: Some(merged.value),
            proven: merged.proven,
            playouts: own.map_or(0, |it| it.playouts) + helped,
        })
    }

    /// One tree; helpers play out.
    fn by_tree(&mut self, state: &Bits, budget: &Budget) -> Option<Decision> {
        let company = self.company.as_mut()?;
        let plan = Plan::new(budget);
        company.listen();
        let farm = Some((company as &mut dyn uct::Farm, plan.until));
        self.own.search_with(state, &plan.own, farm)
    }
}

impl Search for Ary {
    fn seat(&self) -> &Seat {
        self.own.seat()
    }

    fn work(&self) -> Work {
        let mut work = self.own.work();
        work += self.helped;
        work
    }

    fn enlist(&mut self, budget: &Budget) -> Result<(), Refusal> {
        let unhelped = |reason| Refusal::Unhelped {
            player: NAME,
            wanted: self.workers - 1,
            reason,
        };
        let mut company = match self.company.take() {
            None => self.recruit().map_err(unhelped)?,
            ready => ready,
        };
        if let Some(company) = &mut company {
            company.muster(budget).map_err(unhelped)?;
        }
        self.company = company;
        Ok(())
    }

    /// Helpers load the game now; what they cannot do is said when the match begins.
    fn make_ready(&mut self) {
        self.company = self.recruit().unwrap_or_default();
        if let Some(company) = &mut self.company {
            let _ = company.muster(&Budget::Iterations(0));
        }
    }

    fn search(&mut self, state: &Bits, budget: &Budget) -> Option<Decision> {
        match (&self.company, self.merge) {
            (None, _) => self.own.search(state, budget),
            (Some(_), Some(merge)) => self.by_roots(state, budget, merge),
            (Some(_), None) => self.by_tree(state, budget),
        }
    }

    fn finish(&mut self) {
        self.company = None;
    }
}

/// How a budget is shared: helpers end first, then this process, and then answers are waited for.
struct Plan {
    limit: Limit,
    own: Budget,
    /// None: for as long as it takes.
    until: Option<Instant>,
}

impl Plan {
    fn new(budget: &Budget) -> Plan {
        match *budget {
            Budget::Iterations(count) => Plan {
                limit: Limit::Iterations(count),
                own: *budget,
                until: None,
            },
            Budget::Until(end) => {
                let left = end.saturating_duration_since(Instant::now());
                let least = Duration::from_millis(2).min(left);
                let margin = (left / 10).clamp(least, Duration::from_millis(100));
                Plan {
                    limit: Limit::Time(left - margin),
                    own: Budget::Until(end - margin / 2),
                    until: Some(end - margin / 4),
                }
            }
        }
    }
}
