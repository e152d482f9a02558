//! The thread of a match: it follows what happens, and answers in time.
//!
//! It never thinks itself: the player has a thread of its own, and so has the loading of the game.
//! Until that is done, which may take longer than the start clock, the rules themselves tell what
//! is legal. As soon as the state is known a legal move is, drawn at random, and it is sent if the
//! player has none when a move is due.

use super::position::{Position, ToldTurn};
use super::table::{Event, Known, Link, lock};
use super::thinker::{Thinker, Thought, Told};
use super::{Options, SLICE, rules};
use crate::message::{self, shorten, words};
use game::{Game, MoveId, RoleId};
use gdl::Program;
use players::{Budget, Decision, Ending, Player, Seat};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How long it works on what may have happened without looking up.
const SHORT_SLICE: Duration = Duration::from_millis(50);

/// The thread of a match.
pub(super) struct Sitting {
    id: String,
    options: Arc<Options>,
    link: Link,
    known: Arc<Mutex<Known>>,
    /// Other random choices in every match, the same in one of the same name.
    seed: u64,
    /// What is told when it is over.
    turns: usize,
    playouts: u64,
    slowest: Duration,
}

/// The game while it is played.
struct Played {
    role: RoleId,
    position: Position,
    /// The turns so far, as long as the game is being loaded: it is told them then.
    steps: Option<Steps>,
    thinker: Option<Thinker>,
    /// Who waits for the match to begin, and until when.
    beginning: Option<(oneshot::Sender<()>, Instant)>,
    /// Who waits for a move.
    asked: Option<Asked>,
    /// The last answer.
    answer: Option<String>,
    random: Xoshiro256PlusPlus,
    /// Whether the player was told of the present turn.
    is_observed: bool,
    /// Whether there is more to find out about what happened.
    is_unsure: bool,
}

/// A move that is wanted.
struct Asked {
    reply: oneshot::Sender<String>,
    began: Instant,
    /// When to answer.
    until: Instant,
    /// The number of the question to the player.
    number: Option<u64>,
    /// What is answered: a legal move from the beginning, then the player's best.
    best: String,
}

/// Turns that were told, and how much text they are.
#[derive(Default)]
struct Steps {
    turns: Vec<ToldTurn>,
    bytes: usize,
}

impl Sitting {
    pub(super) fn new(
        id: &str,
        options: &Arc<Options>,
        (link, known): (Link, Arc<Mutex<Known>>),
    ) -> Sitting {
        Sitting {
            id: id.to_string(),
            options: Arc::clone(options),
            link,
            known,
            seed: options.seed ^ arena::fingerprint(id.as_bytes()),
            turns: 0,
            playouts: 0,
            slowest: Duration::ZERO,
        }
    }

    /// Plays the match that the first event begins.
    pub(super) fn run(mut self, inbox: &Receiver<Event>) {
        let Ok(Event::Begin {
            message,
            arrived,
            begun,
            ready,
        }) = inbox.recv()
        else {
            return;
        };
        self.taken();
        let read = rules::read(&message.text, &self.options);
        // Rules take memory as long as they are played.
        let _rules = message.into_hold();
        let (program, role, clocks) = match read {
            Ok(sheet) => sheet,
            Err(reason) => return tracing::warn!(id = self.id, %reason, "not played"),
        };
        let name = shorten(program.text(program.roles()[role.index()]));
        tracing::info!(id = self.id, role = name, ?clocks, "begins");
        let _ = begun.send(clocks);
        if let Some(mut played) = self.begin(&program, role) {
            let due = self.options.due(arrived, clocks.start);
            played.beginning = Some((ready, spare(arrived, due)));
            self.attend(&mut played, inbox);
        }
    }

    /// Sets the game up, as far as the rules themselves can tell.
    fn begin(&self, program: &Arc<Program>, role: RoleId) -> Option<Played> {
        rules::load(program, self.link.clone());
        let game = rules::interpreted(program, &self.link)?;
        let position = Position::new(Arc::new(game), role)
            .inspect_err(|error| tracing::warn!(id = self.id, %error, "no first state"));
        Some(Played {
            role,
            position: position.ok()?,
            steps: Some(Steps::default()),
            thinker: None,
            beginning: None,
            asked: None,
            answer: None,
            random: Xoshiro256PlusPlus::seed_from_u64(self.seed),
            is_observed: false,
            is_unsure: false,
        })
    }

    /// Does what it is told until the match is over, and answers when that is due.
    fn attend(&mut self, played: &mut Played, inbox: &Receiver<Event>) {
        while !self.link.is_left() {
            match next(played, inbox) {
                Some(Event::Turn {
                    message,
                    due,
                    reply,
                }) => {
                    self.taken();
                    self.turn(played, &message.text, (due, reply));
                }
                Some(Event::Stop { message }) => {
                    self.taken();
                    return self.end(played, &message.text);
                }
                Some(Event::Loaded(game)) => self.seat(played, game),
                Some(Event::Thought(thought)) => self.hear(played, thought),
                Some(Event::Begin { .. }) => self.taken(),
                Some(Event::Left) | None => {}
            }
            let now = Instant::now();
            if played.beginning.as_ref().is_some_and(|it| it.1 <= now) {
                played.ready();
            }
            if played.asked.as_ref().is_some_and(|it| it.until <= now) {
                self.answer(played);
            }
        }
        played.finish(None, Ending::Abandoned);
    }

    /// A command was taken from the queue.
    fn taken(&self) {
        lock(&self.known).queued -= 1;
    }

    /// Follows what happened, and asks the player for a move.
    fn turn(
        &mut self,
        played: &mut Played,
        message: &str,
        (due, reply): (Instant, oneshot::Sender<String>),
    ) {
        let began = Instant::now();
        let until = spare(began, due);
        self.turns += 1;
        played.ready();
        // Whoever asks again has given up the first question.
        self.answer(played);
        self.follow(played, message, until);
        let Some(action) = played.any_move() else {
            let _ = reply.send("nil".to_string());
            return;
        };
        let best = played.position.text(action);
        lock(&self.known).best = Some(best.clone());
        played.asked = Some(Asked {
            reply,
            began,
            until,
            number: None,
            best,
        });
        let is_loading = played.steps.is_some() && !played.position.is_over();
        if !played.ask() && !is_loading {
            self.answer(played);
        }
    }

    /// Goes on by what a message tells, if it tells anything.
    fn follow(&self, played: &mut Played, message: &str, due: Instant) {
        let limit = self.options.match_limits.turn;
        let turn = match message.len() <= limit {
            true => message::turn(message),
            false => {
                tracing::warn!(
                    id = self.id,
                    bytes = message.len(),
                    limit,
                    "too long a turn"
                );
                Some(message::Turn {
                    told: Some(Vec::new()),
                    own: None,
                })
            }
        };
        let Some(message::Turn {
            told: Some(told),
            own,
        }) = turn
        else {
            return;
        };
        let own = own.or_else(|| played.answer.clone()).unwrap_or_default();
        let step = ToldTurn { told, own };
        played.is_observed = false;
        played.is_unsure = true;
        let until = Instant::now() + due.saturating_duration_since(Instant::now()) / 2;
        let followed = played.position.advance(&step, (&mut played.random, until));
        if let Err(error) = followed {
            tracing::error!(id = self.id, %error, "the match is lost track of");
        }
        if let Some(steps) = &mut played.steps {
            steps.keep(step, limit);
        }
    }

    /// Sends the best move so far to whoever waits for one.
    fn answer(&mut self, played: &mut Played) {
        if let Some(asked) = played.asked.take() {
            self.slowest = self.slowest.max(asked.began.elapsed());
            played.answer = Some(words(&asked.best));
            let _ = asked.reply.send(asked.best);
        }
    }

    /// Takes note of what the player says.
    fn hear(&mut self, played: &mut Played, thought: Thought) {
        let Thought::Decided {
            number,
            decision,
            is_last,
        } = thought
        else {
            return played.ready();
        };
        if let Some(thinker) = played.thinker.as_mut().filter(|_| is_last) {
            thinker.answered();
        }
        let Some(asked) = played.asked.as_mut().filter(|it| it.number == Some(number)) else {
            return;
        };
        if let Some(Decision {
            action, playouts, ..
        }) = decision.filter(|it| played.position.legal().contains(&it.action))
        {
            self.playouts += playouts;
            asked.best = played.position.text(action);
            lock(&self.known).best = Some(asked.best.clone());
        }
        if is_last {
            self.answer(played);
        }
    }

    /// Seats a player at the game that was loaded, at the position the match is in.
    fn seat(&self, played: &mut Played, game: Option<Arc<Game>>) {
        let steps = played.steps.take().unwrap_or_default();
        if let Some(game) = game {
            match Position::new(game, played.role) {
                Ok(mut position) => {
                    for step in &steps.turns {
                        // What is wrong with it was said when it was told.
                        let soon = Instant::now() + SLICE;
                        let _ = position.advance(step, (&mut played.random, soon));
                    }
                    played.position = position;
                }
                Err(error) => {
                    tracing::error!(id = self.id, %error, "the game as loaded is another");
                }
            }
        }
        let seat = Seat {
            game: Arc::clone(&played.position.game),
            role: played.role,
            seed: self.seed,
            threads: self.options.threads,
            memory: None,
            helpers: None,
        };
        let (options, id) = (Arc::clone(&self.options), self.id.clone());
        let make = move || player(&options, &seat, &id);
        // A player thinks ahead from the initial state.
        played.thinker = Some(Thinker::new(
            make,
            self.link.clone(),
            steps.turns.is_empty(),
        ));
        if played.asked.is_some() && !played.ask() {
            tracing::error!(id = self.id, "the player has no thread");
        }
    }

    /// The match is over: says how it went.
    fn end(&mut self, played: &mut Played, message: &str) {
        self.answer(played);
        self.follow(played, message, Instant::now() + SLICE);
        let ending = match played.position.is_over() {
            true => Ending::Completed,
            false => Ending::Abandoned,
        };
        let seen = played.unobserved();
        played.finish(seen, ending);
        tracing::info!(
            target: "metrics",
            id = self.id,
            turns = self.turns,
            playouts = self.playouts,
            slowest_milliseconds = self.slowest.as_millis() as u64,
            goal = played.position.goal(),
            "match over"
        );
    }
}

/// When to be done thinking, if an answer is due: what is left is for the way.
fn spare(began: Instant, due: Instant) -> Instant {
    const REST: Duration = Duration::from_millis(50);
    due - REST.min(due.saturating_duration_since(began) / 5)
}

/// Waits for an event until something is due, or works on what may have happened meanwhile.
fn next(played: &mut Played, inbox: &Receiver<Event>) -> Option<Event> {
    if played.is_unsure && played.asked.is_none() {
        let event = inbox.try_recv();
        if let Err(TryRecvError::Empty) = event {
            let until = Instant::now() + SHORT_SLICE;
            played.is_unsure = played.position.ponder(&mut played.random, until);
        }
        return event.ok();
    }
    let now = Instant::now();
    let begins = played.beginning.as_ref().map(|it| it.1);
    let answers = played.asked.as_ref().map(|it| it.until);
    let due = [begins, answers].into_iter().flatten().min();
    let left = due.map_or(SLICE, |it| it.saturating_duration_since(now));
    inbox.recv_timeout(left.min(SLICE)).ok()
}

/// The player of a seat, or `random` if it refuses the game.
fn player(options: &Options, seat: &Seat, id: &str) -> Option<Box<dyn Player>> {
    let soon = Budget::Until(Instant::now() + SLICE);
    let make = |name: &str| (options.make)(name, seat.clone()).ok();
    let mut player = make(&options.player)?;
    match player.start(&soon) {
        Ok(()) => Some(player),
        Err(refusal) => {
            tracing::warn!(id, %refusal, "random plays in its place");
            make("random").and_then(|mut it| it.start(&soon).is_ok().then_some(it))
        }
    }
}

impl Steps {
    /// Keeps a turn, without its text if all turns together have too much of it.
    fn keep(&mut self, step: ToldTurn, limit: usize) {
        let bytes = step.own.len() + step.told.iter().map(String::len).sum::<usize>();
        let fits = self.bytes + bytes <= limit;
        self.bytes += if fits { bytes } else { 0 };
        self.turns
            .push(if fits { step } else { ToldTurn::default() });
    }
}

impl Played {
    /// A legal move, drawn at random.
    fn any_move(&mut self) -> Option<MoveId> {
        let legal = self.position.legal();
        let number = self.random.next_u64() as usize % legal.len().max(1);
        legal.get(number).copied()
    }

    /// Asks the player for the move that is wanted; whether an answer can come.
    fn ask(&mut self) -> bool {
        if self.position.is_over() {
            return false;
        }
        let seen = self.unobserved();
        let (Some(asked), Some(thinker)) = (&mut self.asked, &mut self.thinker) else {
            return false;
        };
        asked.number = thinker.ask(seen, asked.until);
        asked.number.is_some()
    }

    /// The present turn, if the player was not told it.
    fn unobserved(&mut self) -> Option<Told> {
        let is_new = self.thinker.is_some() && !self.is_observed;
        self.is_observed |= is_new;
        is_new.then(|| self.position.observation().into())
    }

    /// The match has begun: says so to whoever waits for it.
    fn ready(&mut self) {
        if let Some((ready, _)) = self.beginning.take() {
            let _ = ready.send(());
        }
    }

    /// Tells the player that the match is over.
    fn finish(&mut self, seen: Option<Told>, ending: Ending) {
        if let Some(thinker) = &self.thinker {
            thinker.finish(seen, ending);
        }
    }
}
