//! The state of each helper of a match, kept by the player: ready or not, unanswered orders, reports.
//!
//! What a helper says is checked: it may be another program, or broken. One that says what cannot
//! be is not listened to any more.

use super::{Report, RootMove};
use crate::kit::Estimate;
use crate::uct::{Farm, Taken};
use crate::{Answer, Begin, Budget, Helpers, Limit, News, NoHelp, Order};
use game::{Bits, BitsBuf, Game};
use hashbrown::HashMap;
use std::time::Instant;

pub(super) struct Company {
    helpers: Box<dyn Helpers>,
    members: Vec<Member>,
    roles: usize,
    /// The number of the last search or batch.
    number: u64,
    /// The state that is searched, and the first search of it: later ones go on from there.
    state: BitsBuf,
    since: u64,
    /// Batches that are not back, and those that are.
    owed: HashMap<u64, Owed>,
    back: HashMap<u64, Vec<Estimate>>,
}

struct Member {
    standing: Standing,
    /// The last search it was ordered, until it has answered.
    awaited: Option<u64>,
    /// What it last said of the present state, and whether that was counted.
    report: Option<Report>,
}

enum Standing {
    Loading,
    Ready,
    /// Why, if it said so itself.
    Lost(Option<String>),
}

struct Owed {
    helper: usize,
    states: usize,
}

impl Company {
    /// Gives helpers their game, each with a seed of its own.
    pub(super) fn new(mut helpers: Box<dyn Helpers>, begin: &Begin, game: &Game) -> Company {
        let count = helpers.count();
        for helper in 0..count {
            // An odd constant with bits all over: seeds of neighbours have nothing in common.
            let step = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(helper as u64 + 1);
            let seed = begin.seed.wrapping_add(step);
            let begin = Begin {
                seed,
                ..begin.clone()
            };
            helpers.send(helper, &Order::Begin(begin));
        }
        let member = || Member {
            standing: Standing::Loading,
            awaited: None,
            report: None,
        };
        Company {
            helpers,
            members: std::iter::repeat_with(member).take(count).collect(),
            roles: game.roles().len(),
            number: 0,
            state: BitsBuf::default(),
            since: 0,
            owed: HashMap::new(),
            back: HashMap::new(),
        }
    }

    /// Waits until helpers are ready if iterations are counted; with a clock they join when they are.
    /// An error if all of them refuse.
    pub(super) fn muster(&mut self, budget: &Budget) -> Result<(), NoHelp> {
        match budget {
            Budget::Iterations(_) => self.wait(None, |it| it.any(Standing::is_loading)),
            Budget::Until(_) => self.listen(),
        }
        let reasons = self.members.iter().map(|it| match &it.standing {
            Standing::Lost(Some(reason)) => Some(reason),
            _ => None,
        });
        let reasons: Option<Vec<&String>> = reasons.collect();
        match reasons.as_deref() {
            Some([first, ..]) => Err(NoHelp(first.to_string())),
            _ => Ok(()),
        }
    }

    fn any(&self, is: impl Fn(&Standing) -> bool) -> bool {
        self.members.iter().any(|it| is(&it.standing))
    }

    /// Takes what has come, and waits for nothing.
    pub(super) fn listen(&mut self) {
        self.wait(Some(Instant::now()), |_| true);
    }

    /// Takes what comes, while something is wanted and until a time.
    fn wait(&mut self, until: Option<Instant>, wants: impl Fn(&Company) -> bool) {
        while wants(self)
            && let Some((helper, news)) = self.helpers.receive(until)
        {
            self.hear(helper, news);
        }
    }

    fn hear(&mut self, helper: usize, news: News) {
        let Some(member) = self.members.get_mut(helper) else {
            return;
        };
        match news {
            News::Lost(reason) => self.lose(helper, Some(reason).filter(|it| !it.is_empty())),
            News::Answer(Answer::Refused(reason)) => self.lose(helper, Some(reason)),
            News::Answer(Answer::Ready) => {
                if matches!(member.standing, Standing::Loading) {
                    member.standing = Standing::Ready;
                }
            }
            News::Answer(Answer::Found { number, report }) => {
                if member.awaited == Some(number) {
                    member.awaited = None;
                }
                if number >= self.since {
                    member.report = Some(report);
                }
            }
            News::Answer(Answer::Values { ticket, estimates }) => {
                self.take_values(helper, ticket, estimates);
            }
        }
    }

    fn take_values(&mut self, helper: usize, ticket: u64, estimates: Vec<Estimate>) {
        let Some(owed) = self.owed.get(&ticket) else {
            return;
        };
        let roles = self.roles;
        let sane = owed.helper == helper
            && owed.states == estimates.len()
            && estimates.iter().all(|it| is_estimate(it, roles));
        match sane {
            true => {
                self.owed.remove(&ticket);
                self.back.insert(ticket, estimates);
            }
            false => self.lose(helper, None),
        }
    }

    /// A helper is not listened to any more.
    fn lose(&mut self, helper: usize, reason: Option<String>) {
        let member = &mut self.members[helper];
        // Once it was ready, only its share is lost, and no reason is asked for.
        let reason = reason.filter(|_| matches!(member.standing, Standing::Loading));
        *member = Member {
            standing: Standing::Lost(reason),
            awaited: None,
            report: None,
        };
        self.owed.retain(|_, it| it.helper != helper);
    }

    /// Orders a search of a state from all that are ready.
    pub(super) fn order(&mut self, state: &Bits, limit: Limit, most: usize) {
        self.listen();
        self.number += 1;
        if *self.state != *state {
            self.state.copy_from(state);
            self.since = self.number;
            self.members.iter_mut().for_each(|it| it.report = None);
        }
        let order = Order::Search {
            number: self.number,
            state: state.to_owned(),
            limit,
            most: u32::try_from(most).unwrap_or(u32::MAX),
        };
        for (helper, member) in self.members.iter_mut().enumerate() {
            if let Standing::Ready = member.standing {
                self.helpers.send(helper, &order);
                member.awaited = Some(self.number);
                // Playouts of earlier searches were counted.
                if let Some(report) = &mut member.report {
                    (report.playouts, report.iterations) = (0, 0);
                }
            }
        }
    }

    /// Waits for answers to the last search until a time, or for as long as it takes.
    pub(super) fn collect(&mut self, until: Option<Instant>) {
        self.wait(until, |it| it.members.iter().any(|it| it.awaited.is_some()));
    }

    /// What helpers last said of the present state, whose moves are known: what cannot be is left
    /// out.
    pub(super) fn reports(&self, moves: &[RootMove]) -> Vec<Report> {
        let reports = self.members.iter().filter_map(|it| it.report.clone());
        reports.filter(|it| is_report(it, moves)).collect()
    }
}

impl Standing {
    fn is_loading(&self) -> bool {
        matches!(self, Standing::Loading)
    }
}

/// Whether a report can be about a root with these moves.
fn is_report(report: &Report, moves: &[RootMove]) -> bool {
    let is_move = |action| moves.iter().any(|it| it.action == action);
    let known = report.known.into_iter();
    known.clone().all(|it| is_move(it.0) && is_value(it.1))
        && known.count() >= usize::from(report.proven)
        && report.moves.iter().all(|it| {
            let most = it.visits as f64 * 1.001 + 0.001;
            is_move(it.action) && (0.0..=most).contains(&it.sum)
        })
}

fn is_value(value: f64) -> bool {
    (0.0..=1.001).contains(&value)
}

/// Whether an estimate can be one in a game of so many roles.
fn is_estimate(estimate: &Estimate, roles: usize) -> bool {
    let Estimate { values, weight, .. } = estimate;
    let values_are = values.iter().all(|&it| is_value(f64::from(it)));
    values.len() == roles && values_are && (0.0..1e9).contains(weight)
}

impl Farm for Company {
    fn ready(&mut self) -> Vec<usize> {
        let all = 0..self.members.len();
        let ready = |it: &usize| matches!(self.members[*it].standing, Standing::Ready);
        all.filter(ready).collect()
    }

    fn send(&mut self, helper: usize, states: Vec<BitsBuf>, budget: &Budget) -> u64 {
        self.number += 1;
        let count = states.len();
        self.owed.insert(
            self.number,
            Owed {
                helper,
                states: count,
            },
        );
        let order = Order::Evaluate {
            ticket: self.number,
            states,
            limit: match *budget {
                Budget::Iterations(count) => Limit::Iterations(count),
                Budget::Until(_) => Limit::Time(budget.time_left().unwrap_or_default()),
            },
        };
        self.helpers.send(helper, &order);
        self.number
    }

    fn take(&mut self, ticket: u64, until: Option<Instant>) -> Taken {
        self.wait(until, |it| it.owed.contains_key(&ticket));
        if let Some(estimates) = self.back.remove(&ticket) {
            return Taken::Back(estimates);
        }
        match self.owed.contains_key(&ticket) {
            true => Taken::Away,
            false => Taken::Lost,
        }
    }

    fn forget(&mut self, ticket: u64) {
        self.owed.remove(&ticket);
        self.back.remove(&ticket);
    }
}
