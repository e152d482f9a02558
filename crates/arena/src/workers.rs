//! Threads that play the matches of an experiment.
//!
//! Within a match one player thinks after the other, each with the threads it is allowed, so
//! matches take no time from each other as long as there are as many cores. A game is loaded
//! when its first match is to be played, and dropped after its last one.

use crate::Clocks;
use crate::lineup::Occasion;
use crate::referee::{Setup, Substitute, play_in_turn};
use crate::results::{MatchResult, SeatResult};
use crate::run::{RunError, RunOptions};
use crate::schedule::{Fixture, Schedule};
use game::{Game, RoleId};
use players::{Player, Seat};
use record::{Record, Round};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// A match that was played, or the reason why it was not.
pub(crate) type Finished = Result<MatchResult, RunError>;

/// What all worker threads share.
pub(crate) struct Workers {
    pub(crate) schedule: Arc<Schedule>,
    pub(crate) options: RunOptions,
    queue: Mutex<Queue>,
}

/// The matches that wait to be played.
struct Queue {
    fixtures: VecDeque<Fixture>,
    /// For each series whether it is undecided.
    open: Vec<bool>,
    /// The game that was loaded last.
    game: Option<Loaded>,
}

struct Loaded {
    number: usize,
    game: Arc<Game>,
}

impl Queue {
    fn drop_decided(&mut self) {
        let open = &self.open;
        self.fixtures.retain(|fixture| open[fixture.series]);
    }
}

impl Workers {
    /// Workers for these matches; none has been started.
    pub(crate) fn new(
        schedule: Arc<Schedule>,
        options: RunOptions,
        fixtures: VecDeque<Fixture>,
    ) -> Workers {
        let queue = Queue {
            open: vec![true; schedule.series.len()],
            fixtures,
            game: None,
        };
        Workers {
            schedule,
            options,
            queue: Mutex::new(queue),
        }
    }

    /// Starts the threads. They are never joined: after an error, or when everything is decided,
    /// the matches in progress are of no use.
    pub(crate) fn start(self: &Arc<Workers>) -> Receiver<Finished> {
        let (outbox, finished) = sync_channel(self.options.parallel);
        for _ in 0..self.options.parallel {
            let (workers, outbox) = (Arc::clone(self), outbox.clone());
            thread::spawn(move || workers.work(&outbox));
        }
        finished
    }

    /// Removes the waiting matches of series that are decided.
    pub(crate) fn close_decided(&self, is_open: impl Fn(usize) -> bool) {
        let mut queue = self.queue();
        let before = queue.open.clone();
        for (series, open) in queue.open.iter_mut().enumerate() {
            *open = *open && is_open(series);
        }
        if queue.open != before {
            queue.drop_decided();
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays one match after another.
    fn work(&self, outbox: &SyncSender<Finished>) {
        while let Some(next) = self.next() {
            let finished = next.and_then(|(fixture, game)| self.play(&fixture, game));
            let failed = finished.is_err();
            if outbox.send(finished).is_err() || failed {
                return;
            }
        }
    }

    /// The next match, and its game. The queue is locked while a game is loaded: the other
    /// workers would need the same game.
    fn next(&self) -> Option<Result<(Fixture, Arc<Game>), RunError>> {
        let mut queue = self.queue();
        let fixture = queue.fixtures.pop_front()?;
        let number = self.schedule.series[fixture.series].game;
        if queue.game.as_ref().is_none_or(|it| it.number != number) {
            // The old game is dropped before the new one needs memory.
            queue.game = None;
            match (self.options.load)(number) {
                Ok(game) => queue.game = Some(Loaded { number, game }),
                Err(reason) => {
                    let game = self.schedule.experiment.games[number].name.clone();
                    return Some(Err(RunError::Load { game, reason }));
                }
            }
        }
        let game = queue.game.as_ref().map(|it| Arc::clone(&it.game))?;
        Some(Ok((fixture, game)))
    }

    fn play(&self, fixture: &Fixture, game: Arc<Game>) -> Finished {
        let setup = Setup {
            game,
            clocks: self.schedule.experiment.clocks,
            patience: self.options.patience,
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
        Ok(MatchResult {
            series: fixture.series,
            number: fixture.number,
            seed: fixture.seed,
            seats: seat_results(&record, &sides),
            turns: record.rounds.len(),
            completed: record.completed,
            broken: (record.broken.as_ref()).map(|it| it.told(&setup.game).to_string()),
            seconds: began.elapsed().as_secs_f64(),
            threads: self.threads(),
        })
    }

    fn threads(&self) -> usize {
        match self.schedule.experiment.clocks {
            Clocks::Times { .. } => self.options.threads,
            Clocks::Iterations { .. } => 1,
        }
    }

    /// The players of all roles; none for chance.
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
                role: RoleId::new(role),
                seed: fixture.seed.wrapping_mul(31).wrapping_add(role as u64),
                threads: self.threads(),
                memory: None,
                helpers: None,
            };
            let occasion = Occasion {
                game: series.game,
                id: format!("arena.{}.{}.{role}", fixture.series, fixture.number),
                clocks: setup.clocks,
                grace: setup.patience.grace,
            };
            let name = &self.schedule.experiment.players[series.players[side]];
            Ok(Some(self.options.makers.make(name, seat, &occasion)?))
        };
        sides.iter().enumerate().map(player).collect()
    }
}

/// For each role its side; none for chance.
fn sides(setup: &Setup, fixture: &Fixture) -> Vec<Option<usize>> {
    let mut sides = fixture.sides.iter().copied();
    let side = |role| match setup.is_chance(role) {
        true => None,
        false => sides.next(),
    };
    setup.game.role_ids().map(side).collect()
}

/// The goals, faults and slow moves of all seats.
fn seat_results(record: &Record, sides: &[Option<usize>]) -> Vec<SeatResult> {
    let count = |is: &dyn Fn(&Round) -> bool| record.rounds.iter().filter(|it| is(it)).count();
    let seats = sides.iter().enumerate().filter_map(|(role, &side)| {
        Some(SeatResult {
            role,
            side: side?,
            goal: record.goals[role],
            faults: count(&|round| round.faults[role].is_some()) as u32,
            slow: count(&|round| !round.delays[role].is_zero()) as u32,
        })
    });
    seats.collect()
}
