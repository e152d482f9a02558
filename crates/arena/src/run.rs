//! Plays the matches of an experiment that are not there yet, several at a time.
//!
//! Within a match one player thinks after the other, each with the threads it is allowed, so
//! matches take no time from each other as long as there are as many cores. A game is loaded
//! when its first match is to be played, and forgotten after its last one.

use crate::Clocks;
use crate::judge::Judge;
use crate::referee::{Setup, Substitute, play_in_turn};
use crate::results::{MatchResult, SeatResult};
use crate::schedule::{Fixture, Schedule};
use crate::store::{Ledger, StoreError};
use game::{Game, Unanswered};
use players::{BadOption, Budget, Player, Refusal, Seat, roster};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Loads the game of a number, or says why it cannot be.
pub type Load = dyn Fn(usize) -> Result<Arc<Game>, String> + Send + Sync;

/// Makes the player of a name for a seat, on an occasion.
pub type Make = dyn Fn(&str, Seat, &Occasion) -> Result<Box<dyn Player>, BadOption> + Send + Sync;

/// What a player is wanted for.
#[derive(Clone, Debug)]
pub struct Occasion {
    /// The number of the game.
    pub game: usize,
    /// What its match is called: no other seat of any match is called so.
    pub id: String,
    /// The clocks.
    pub clocks: Clocks,
    /// How much later than its clock a move may come.
    pub grace: Duration,
}

/// How an experiment is carried out.
#[derive(Clone)]
pub struct Plan {
    /// How many matches of each series.
    pub matches: u32,
    /// The error at which a pairing is decided, and not played any more.
    pub error: Option<f64>,
    /// How many matches at a time.
    pub parallel: usize,
    /// How many threads each player may keep busy. With counted budgets it is one, so that
    /// matches can be repeated.
    pub threads: usize,
    /// How much later than its clock a move may come: it may have had a long way.
    pub grace: Duration,
    /// Where games come from.
    pub load: Arc<Load>,
    /// Where players come from.
    pub make: Arc<Make>,
}

/// How far it has come.
#[derive(Clone, Debug)]
pub struct Progress<'p> {
    /// How many matches are written down, of those that are wanted.
    pub done: usize,
    /// How many are wanted.
    pub wanted: usize,
    /// The match written down last; none before the first one.
    pub last: Option<&'p MatchResult>,
}

/// Why not all matches were played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A game cannot be loaded.
    #[error("{game}: {reason}")]
    Load {
        /// Its name.
        game: String,
        /// Why.
        reason: String,
    },
    /// The rules do not say how a match goes on.
    #[error("{game}, match {number}: {reason}")]
    Match {
        /// The name of the game.
        game: String,
        /// The number of the match.
        number: u32,
        /// What is wrong.
        reason: Unanswered,
    },
    /// Results cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] BadOption),
    /// Our own fault.
    #[error("a match broke down")]
    Broken,
}

/// Why a player cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// There is no such player.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// It does not play the game.
    #[error(transparent)]
    Refusal(#[from] Refusal),
}

/// Asks a player whether it plays a game. Any engine of the game will do.
pub fn admit(player: &str, game: &Arc<Game>) -> Result<(), NotAdmitted> {
    let seat = Seat {
        game: Arc::clone(game),
        role: usize::from(game.chance() == Some(0)),
        seed: 0,
        threads: 1,
    };
    Ok(roster::player(player, seat)?.start(&Budget::Iterations(0))?)
}

/// Plays what is missing, and writes it down as it comes. `tell` is told how far it is. Returns
/// when all that is wanted is there: matches of pairings that were decided are left alone. Results
/// beyond the matches that are wanted are left in the file, and out of the ledger.
pub fn run(
    plan: &Plan,
    ledger: &mut Ledger,
    tell: &mut dyn FnMut(&Progress<'_>),
) -> Result<(), RunError> {
    let schedule = Arc::clone(&ledger.schedule);
    ledger.results.keep(&schedule, plan.matches);
    let mut judge = Judge::new(&schedule, plan.error);
    judge.update(&schedule, &ledger.results);
    let fixtures = schedule.fixtures(plan.matches);
    let fixtures = fixtures.filter(|it| ledger.results.get(it.series, it.number).is_none());
    let mut desk = Desk {
        open: (0..schedule.series.len())
            .map(|it| judge.is_open(&schedule, it))
            .collect(),
        fixtures: fixtures.collect(),
        game: None,
    };
    desk.drop_decided();
    let hall = Arc::new(Hall {
        schedule: Arc::clone(&schedule),
        plan: plan.clone(),
        desk: Mutex::new(desk),
    });
    let finished = hall.open();
    Collector {
        hall: &hall,
        judge,
        finished,
        there: vec![0; schedule.series.len()],
    }
    .collect(ledger, tell)
}

/// Where matches are played.
struct Hall {
    schedule: Arc<Schedule>,
    plan: Plan,
    desk: Mutex<Desk>,
}

/// Where matches are given out.
struct Desk {
    /// What was not given out yet.
    fixtures: VecDeque<Fixture>,
    /// For each series whether it is not decided.
    open: Vec<bool>,
    /// The game of the match given out last.
    game: Option<(usize, Arc<Game>)>,
}

impl Desk {
    fn drop_decided(&mut self) {
        let open = &self.open;
        self.fixtures.retain(|fixture| open[fixture.series]);
    }
}

type Finished = Result<MatchResult, RunError>;

impl Hall {
    /// Lets play begin. Threads are not waited for: after an error, or when all is decided,
    /// what is still being played is of no use to anyone.
    fn open(self: &Arc<Hall>) -> Receiver<Finished> {
        let (outbox, finished) = sync_channel(self.plan.parallel);
        for _ in 0..self.plan.parallel {
            let (hall, outbox) = (Arc::clone(self), outbox.clone());
            thread::spawn(move || hall.serve(&outbox));
        }
        finished
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays one match after another.
    fn serve(&self, outbox: &SyncSender<Finished>) {
        while let Some(next) = self.next() {
            let finished = next.and_then(|(fixture, game)| self.play(&fixture, game));
            let failed = finished.is_err();
            if outbox.send(finished).is_err() || failed {
                return;
            }
        }
    }

    /// The next match, and its game. Who waits for a game that is being loaded would need it
    /// too.
    fn next(&self) -> Option<Result<(Fixture, Arc<Game>), RunError>> {
        let mut desk = self.desk();
        let fixture = desk.fixtures.pop_front()?;
        let number = self.schedule.series[fixture.series].game;
        if desk.game.as_ref().is_none_or(|(other, _)| *other != number) {
            // What is not needed any more goes before what is needed comes.
            desk.game = None;
            match (self.plan.load)(number) {
                Ok(game) => desk.game = Some((number, game)),
                Err(reason) => {
                    let game = self.schedule.experiment.games[number].name.clone();
                    return Some(Err(RunError::Load { game, reason }));
                }
            }
        }
        let game = desk.game.as_ref().map(|(_, game)| Arc::clone(game))?;
        Some(Ok((fixture, game)))
    }

    fn play(&self, fixture: &Fixture, game: Arc<Game>) -> Finished {
        let setup = Setup {
            game,
            clocks: self.schedule.experiment.clocks,
            grace: self.plan.grace,
            substitute: Substitute::default(),
            seed: fixture.seed,
        };
        let sides = sides(&setup, fixture);
        let players = self.players(&setup, fixture, &sides)?;
        let began = Instant::now();
        let record = play_in_turn(&setup, players).map_err(|reason| {
            let game = self.schedule.series[fixture.series].game;
            RunError::Match {
                game: self.schedule.experiment.games[game].name.clone(),
                number: fixture.number,
                reason,
            }
        })?;
        let faults = |role: usize| {
            let faults = record.rounds.iter().filter(|it| it.faults[role].is_some());
            faults.count() as u32
        };
        let seats = sides.iter().enumerate().filter_map(|(role, &side)| {
            Some(SeatResult {
                role,
                side: side?,
                goal: record.goals[role],
                faults: faults(role),
            })
        });
        Ok(MatchResult {
            series: fixture.series,
            number: fixture.number,
            seed: fixture.seed,
            seats: seats.collect(),
            turns: record.rounds.len(),
            completed: record.completed,
            seconds: began.elapsed().as_secs_f64(),
            threads: self.threads(),
        })
    }

    fn threads(&self) -> usize {
        match self.schedule.experiment.clocks {
            Clocks::Times { .. } => self.plan.threads,
            Clocks::Iterations { .. } => 1,
        }
    }

    fn players(
        &self,
        setup: &Setup,
        fixture: &Fixture,
        sides: &[Option<usize>],
    ) -> Result<Vec<Option<Box<dyn Player>>>, RunError> {
        let series = &self.schedule.series[fixture.series];
        let player = |(role, side): (usize, &Option<usize>)| {
            let Some(side) = *side else {
                return Ok(None);
            };
            let seat = Seat {
                game: Arc::clone(&setup.game),
                role,
                seed: fixture.seed.wrapping_mul(31).wrapping_add(role as u64),
                threads: self.threads(),
            };
            let occasion = Occasion {
                game: series.game,
                id: format!("arena.{}.{}.{role}", fixture.series, fixture.number),
                clocks: setup.clocks,
                grace: setup.grace,
            };
            let name = &self.schedule.experiment.players[series.players[side]];
            Ok(Some((self.plan.make)(name, seat, &occasion)?))
        };
        sides.iter().enumerate().map(player).collect()
    }
}

/// For each role which side has it; none for chance.
fn sides(setup: &Setup, fixture: &Fixture) -> Vec<Option<usize>> {
    let mut sides = fixture.sides.iter().copied();
    let roles = 0..setup.game.roles().len();
    let side = |role| {
        if setup.is_chance(role) {
            None
        } else {
            sides.next()
        }
    };
    roles.map(side).collect()
}

/// Takes what comes from the hall.
struct Collector<'h> {
    hall: &'h Hall,
    judge: Judge,
    finished: Receiver<Finished>,
    /// For each series how many matches are written down.
    there: Vec<usize>,
}

impl Collector<'_> {
    fn collect(
        mut self,
        ledger: &mut Ledger,
        tell: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<(), RunError> {
        let results = ledger.results.iter();
        results.for_each(|it| self.there[it.series] += 1);
        tell(&self.progress(None));
        while !self.is_over() {
            let Ok(first) = self.finished.recv() else {
                return Err(RunError::Broken);
            };
            // All that has come in the meantime is written at once: disks are slow.
            let finished = std::iter::once(first).chain(self.finished.try_iter());
            let (results, error) = sound(finished);
            let last = results.last().cloned();
            results.iter().for_each(|it| self.there[it.series] += 1);
            ledger.add(results)?;
            error.map_or(Ok(()), Err)?;
            self.judge.update(&self.hall.schedule, &ledger.results);
            self.close_decided();
            tell(&self.progress(last.as_ref()));
        }
        Ok(())
    }

    /// Gives out no more matches of what is decided.
    fn close_decided(&self) {
        let schedule = &self.hall.schedule;
        let mut desk = self.hall.desk();
        let before = desk.open.clone();
        for (series, open) in desk.open.iter_mut().enumerate() {
            *open = *open && self.judge.is_open(schedule, series);
        }
        if desk.open != before {
            desk.drop_decided();
        }
    }

    fn is_over(&self) -> bool {
        let Progress { done, wanted, .. } = self.progress(None);
        done == wanted
    }

    /// How many matches are there, and how many are wanted: of series that are decided no
    /// more than are there.
    fn progress<'p>(&self, last: Option<&'p MatchResult>) -> Progress<'p> {
        let (schedule, matches) = (&self.hall.schedule, self.hall.plan.matches);
        let there = self.there.iter().enumerate();
        let wanted = there.map(
            |(series, &there)| match self.judge.is_open(schedule, series) {
                true => schedule.length(series, matches) as usize,
                false => there,
            },
        );
        Progress {
            done: self.there.iter().sum(),
            wanted: wanted.sum(),
            last,
        }
    }
}

/// The results, and the first error.
fn sound(finished: impl Iterator<Item = Finished>) -> (Vec<MatchResult>, Option<RunError>) {
    let (mut results, mut error) = (Vec::new(), None);
    for one in finished {
        match one {
            Ok(result) => results.push(result),
            Err(other) => error = error.or(Some(other)),
        }
    }
    (results, error)
}
