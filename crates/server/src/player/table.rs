//! A match: its thread, which knows the game, follows what happens and thinks; and what others
//! know of it.
//!
//! The thread thinks in slices, so that it notices when a match is over. While nobody asks it
//! thinks of what comes next. Until the game is loaded, which may take longer than the start
//! clock, the rules themselves tell what is legal.

use super::Options;
use super::position::{Lost, Position, ToldTurn};
use crate::message::{self, words};
use game::{Engine, Game, LoadStage, Progress, RoleId};
use gdl::{Policy, Program, Source, Syntax};
use players::{Budget, Decision, Ending, Player, Seat};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The clocks of a match.
#[derive(Copy, Clone, Debug)]
pub(super) struct Clocks {
    pub(super) start: Duration,
    pub(super) play: Duration,
}

/// What a match is told.
pub(super) enum Command {
    /// It begins.
    Begin {
        message: String,
        arrived: Instant,
        /// Told the clocks, as soon as the rules are read.
        begun: oneshot::Sender<Clocks>,
        ready: oneshot::Sender<()>,
    },
    /// A move is wanted.
    Turn {
        message: String,
        due: Instant,
        reply: oneshot::Sender<String>,
    },
    /// It is over.
    Stop { message: String },
}

/// What others know of a match.
pub(super) struct Table {
    commands: Sender<Command>,
    /// Whether nobody wants moves any more.
    is_left: Arc<AtomicBool>,
    known: Arc<Mutex<Shared>>,
}

/// What the thread of a match and others both change.
#[derive(Default)]
struct Shared {
    clocks: Option<Clocks>,
    /// When the manager is expected to have spoken again; none while the match begins.
    expected: Option<Instant>,
    /// The best move so far, if one is asked for.
    best: Option<String>,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().expect("nobody panics with it")
}

impl Table {
    /// A thread for a match.
    pub(super) fn open(id: &str, options: &Arc<Options>) -> Arc<Table> {
        let (commands, inbox) = channel();
        let is_left = Arc::new(AtomicBool::new(false));
        let known = Arc::new(Mutex::new(Shared::default()));
        let sitting = Sitting {
            id: id.to_string(),
            options: Arc::clone(options),
            is_left: Arc::clone(&is_left),
            known: Arc::clone(&known),
            seed: options.seed ^ arena::fingerprint(id.as_bytes()),
            turns: 0,
            playouts: 0,
            slowest: Duration::ZERO,
        };
        // It ends with its match. If none can be made, nobody answers, which others notice.
        let spawned = thread::Builder::new().name(format!("match {id}"));
        if let Err(error) = spawned.spawn(move || sitting.run(&inbox)) {
            tracing::error!(id, %error, "no thread");
        }
        Arc::new(Table {
            commands,
            is_left,
            known,
        })
    }

    pub(super) fn tell(&self, command: Command) {
        let _ = self.commands.send(command);
    }

    /// Nobody wants moves any more.
    pub(super) fn leave(&self) {
        self.is_left.store(true, Ordering::Relaxed);
    }

    /// The rules are read, and the clocks known.
    pub(super) fn set(&self, clocks: Clocks) {
        lock(&self.known).clocks = Some(clocks);
    }

    /// The manager should have spoken again by a time.
    pub(super) fn expect(&self, time: Instant) {
        lock(&self.known).expected = Some(time);
    }

    /// A move is asked for; returns the clock.
    pub(super) fn asked(&self) -> Duration {
        let mut known = lock(&self.known);
        known.best = None;
        known.clocks.map_or(Duration::ZERO, |clocks| clocks.play)
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<String> {
        lock(&self.known).best.clone()
    }

    /// Whether the manager should have spoken again.
    pub(super) fn is_stale(&self, now: Instant) -> bool {
        let expected = lock(&self.known).expected;
        expected.is_some_and(|expected| now > expected)
    }
}

/// The thread of a match.
struct Sitting {
    id: String,
    options: Arc<Options>,
    is_left: Arc<AtomicBool>,
    known: Arc<Mutex<Shared>>,
    /// Other random choices in every match, the same in one of the same name.
    seed: u64,
    /// What is told when it is over.
    turns: usize,
    playouts: u64,
    slowest: Duration,
}

/// How long it thinks without looking up.
const SLICE: Duration = Duration::from_millis(250);
/// How long if nobody waits.
const SHORT_SLICE: Duration = Duration::from_millis(50);

/// The game while it is played.
struct Played {
    role: RoleId,
    /// The game as players need it, when it is loaded.
    loading: Option<Receiver<Arc<Game>>>,
    position: Position,
    player: Option<Box<dyn Player>>,
    steps: Vec<ToldTurn>,
    /// The last answer.
    answer: Option<String>,
    random: Xoshiro256PlusPlus,
    /// Whether the player was told of the present turn.
    is_observed: bool,
    /// Whether thinking ahead is of use while nobody asks.
    thinks_ahead: bool,
    /// Whether there is more to find out about what happened.
    is_unsure: bool,
}

impl Sitting {
    fn run(mut self, inbox: &Receiver<Command>) {
        let Ok(Command::Begin {
            message,
            arrived,
            begun,
            ready,
        }) = inbox.recv()
        else {
            return;
        };
        let Some((program, role, clocks)) = self.read(&message) else {
            return;
        };
        drop(message);
        let _ = begun.send(clocks);
        let Some(mut played) = self.begin(&program, role) else {
            return;
        };
        let due = self.spare(arrived, self.options.due(arrived, clocks.start));
        self.prepare(&mut played, due);
        let _ = ready.send(());
        while let Some(command) = self.wait(&mut played, inbox) {
            match command {
                Command::Turn {
                    message,
                    due,
                    reply,
                } => {
                    let began = Instant::now();
                    let text = self.turn(&mut played, &message, self.spare(began, due));
                    self.slowest = self.slowest.max(began.elapsed());
                    let _ = reply.send(text);
                }
                Command::Stop { message } => {
                    self.end(&mut played, &message);
                    return;
                }
                Command::Begin { .. } => {}
            }
        }
        played.finish(Ending::Abandoned);
    }

    /// When to be done thinking, if an answer is due: what is left is for the way.
    fn spare(&self, began: Instant, due: Instant) -> Instant {
        const REST: Duration = Duration::from_millis(50);
        due - REST.min(due.saturating_duration_since(began) / 5)
    }

    fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Relaxed)
    }

    /// Reads what is to be played.
    fn read(&self, message: &str) -> Option<(Arc<Program>, RoleId, Clocks)> {
        let start = message::start(message)?;
        let source = Source::from(start.rules.as_str());
        let tree = gdl::read(source, Some(Syntax::Prefix), &gdl::ReadLimits::default());
        let checked = gdl::check(tree, &Policy::lenient());
        let Some(program) = checked.program else {
            let first = checked.diagnostics.first().map(|it| &*it.message);
            tracing::warn!(id = self.id, problem = first, "rules are wrong");
            return None;
        };
        let mut roles = program.roles().iter();
        let role = roles.position(|&it| program.text(it).eq_ignore_ascii_case(&start.role))?;
        let clocks = Clocks {
            start: Duration::from_secs_f64(start.start_clock),
            play: Duration::from_secs_f64(start.play_clock),
        };
        tracing::info!(id = self.id, role = start.role, ?clocks, "begins");
        Some((Arc::new(program), RoleId::new(role), clocks))
    }

    /// Sets the game up, as far as the rules themselves can tell.
    fn begin(&self, program: &Arc<Program>, role: RoleId) -> Option<Played> {
        let loading = load(program, (&self.options, &self.is_left));
        let game = Game::new(program, Engine::Interpreter, &game::Limits::default()).ok()?;
        let position = Position::new(Arc::new(game), role)
            .inspect_err(|error| tracing::warn!(id = self.id, %error, "no first state"));
        Some(Played {
            role,
            loading: Some(loading),
            position: position.ok()?,
            player: None,
            steps: Vec::new(),
            answer: None,
            random: Xoshiro256PlusPlus::seed_from_u64(self.seed),
            is_observed: false,
            thinks_ahead: false,
            is_unsure: false,
        })
    }

    /// Uses the time before the first turn.
    fn prepare(&mut self, played: &mut Played, due: Instant) {
        self.wait_for_game(played, due);
        while played.thinks_ahead && Instant::now() < due && !self.is_left() {
            ponder(played, Instant::now() + SLICE.min(due - Instant::now()));
        }
    }

    /// Waits until the game is loaded, until a time at the latest, and seats the player.
    fn wait_for_game(&self, played: &mut Played, due: Instant) {
        while let Some(loading) = &played.loading {
            let left = due.saturating_duration_since(Instant::now());
            match loading.recv_timeout(left.min(SLICE)) {
                Ok(game) => {
                    played.loading = None;
                    if let Err(error) = self.seat(played, game, due) {
                        tracing::error!(id = self.id, %error, "the game as loaded is another");
                    }
                }
                Err(RecvTimeoutError::Timeout) if left > SLICE && !self.is_left() => {}
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => played.loading = None,
            }
        }
    }

    /// Seats a player at the game that was loaded, at the position the match is in.
    fn seat(&self, played: &mut Played, game: Arc<Game>, due: Instant) -> Result<(), Lost> {
        let mut position = Position::new(Arc::clone(&game), played.role)?;
        for step in &played.steps {
            position.advance(step, (&mut played.random, due))?;
        }
        let seat = Seat {
            game,
            role: played.role,
            seed: self.seed,
            threads: self.options.threads,
        };
        let soon = Budget::Until(due.min(Instant::now() + SLICE));
        let make = &self.options.make;
        let player = make(&self.options.player, seat.clone()).map(|mut player| {
            let started = player.start(&soon);
            started.map(|()| player)
        });
        played.player = match player {
            Ok(Ok(player)) => Some(player),
            Ok(Err(refusal)) => {
                tracing::warn!(id = self.id, %refusal, "random plays in its place");
                let random = make("random", seat).ok();
                random.and_then(|mut it| it.start(&soon).is_ok().then_some(it))
            }
            Err(_) => None,
        };
        played.thinks_ahead = played.player.is_some();
        played.is_observed = false;
        played.position = position;
        Ok(())
    }

    /// Waits for a command, and thinks meanwhile; none if nobody wants moves any more.
    fn wait(&self, played: &mut Played, inbox: &Receiver<Command>) -> Option<Command> {
        loop {
            if self.is_left() {
                return None;
            }
            if !played.thinks_ahead && !played.is_unsure {
                match inbox.recv_timeout(SLICE) {
                    Ok(command) => return Some(command),
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            }
            match inbox.try_recv() {
                Ok(command) => return Some(command),
                Err(TryRecvError::Empty) => ponder(played, Instant::now() + SHORT_SLICE),
                Err(TryRecvError::Disconnected) => return None,
            }
        }
    }

    /// Follows what happened, and chooses a move.
    fn turn(&mut self, played: &mut Played, message: &str, due: Instant) -> String {
        self.turns += 1;
        let followed = match message::turn(message) {
            Some(turn) => played.follow(turn, due),
            None => Ok(()),
        };
        if let Err(error) = followed {
            tracing::error!(id = self.id, %error, "the match is lost track of");
        }
        played.thinks_ahead = false;
        let Some(&first) = played.position.legal().first() else {
            return "nil".to_string();
        };
        let text = played.position.text(first);
        lock(&self.known).best = Some(text.clone());
        if played.player.is_none() {
            self.wait_for_game(played, due);
        }
        let chosen = self.think(played, due);
        let text = chosen.map_or(text, |it| played.position.text(it.action));
        played.answer = Some(words(&text));
        text
    }

    /// Thinks in slices until a move is due.
    fn think(&mut self, played: &mut Played, due: Instant) -> Option<Decision> {
        played.observe();
        if played.position.is_over() {
            return None;
        }
        let mut best = None;
        while !self.is_left() {
            let now = Instant::now();
            let slice = due.min(now + SLICE);
            let decision = played.choose(&Budget::Until(slice))?;
            lock(&self.known).best = Some(played.position.text(decision.action));
            self.playouts += decision.playouts;
            best = Some(decision);
            // A player that did not use the slice does not want more time.
            if decision.proven || Instant::now() >= due || Instant::now() < now + SLICE / 2 {
                break;
            }
        }
        played.thinks_ahead = best.is_some_and(|it| !it.proven);
        best
    }

    /// The match is over: says how it went.
    fn end(&self, played: &mut Played, message: &str) {
        let soon = Instant::now() + SLICE;
        if let Some(turn) = message::turn(message)
            && let Err(error) = played.follow(turn, soon)
        {
            tracing::warn!(id = self.id, %error, "the last turn");
        }
        played.observe();
        played.finish(match played.position.is_over() {
            true => Ending::Completed,
            false => Ending::Abandoned,
        });
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

/// Whether anyone still wants a game that is being loaded.
#[derive(Debug)]
struct Wanted(Arc<AtomicBool>);

impl Progress for Wanted {
    fn at(&self, _stage: LoadStage) {}

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Loads the game in a thread of its own: rules may take long, or be made to.
fn load(
    program: &Arc<Program>,
    (options, is_left): (&Arc<Options>, &Arc<AtomicBool>),
) -> Receiver<Arc<Game>> {
    let (sender, receiver) = channel();
    let (program, wanted) = (Arc::clone(program), Wanted(Arc::clone(is_left)));
    // It counts as a thread of the match as long as it has this.
    let options = Arc::clone(options);
    thread::spawn(move || {
        let mut limits = game::Limits::default();
        limits.ground.progress = Some(&wanted);
        let game = Game::of(&program, &limits);
        if let Some(reason) = game.fallback() {
            tracing::warn!(%reason, "played by the interpreter");
        }
        let _ = sender.send(Arc::new(game));
        drop(options);
    });
    receiver
}

/// Thinks of what may come, or may have come, until a time.
fn ponder(played: &mut Played, until: Instant) {
    if played.is_unsure {
        played.is_unsure = played.position.ponder(&mut played.random, until);
    }
    if played.thinks_ahead {
        let player = played.player.as_mut();
        let budget = Budget::Until(until);
        played.thinks_ahead = player.is_some_and(|it| it.ponder(&budget));
    }
}

impl Played {
    /// Goes on by what happened in a turn.
    fn follow(&mut self, turn: message::Turn, due: Instant) -> Result<(), Lost> {
        let Some(told) = turn.told else {
            return Ok(());
        };
        let own = turn.own.or_else(|| self.answer.clone()).unwrap_or_default();
        self.is_observed = false;
        self.steps.push(ToldTurn { told, own });
        self.is_unsure = true;
        let until = Instant::now() + due.saturating_duration_since(Instant::now()) / 2;
        let step = &self.steps[self.steps.len() - 1];
        self.position.advance(step, (&mut self.random, until))
    }

    /// Tells the player of the present turn, once.
    fn observe(&mut self) {
        if let Some(player) = self.player.as_mut().filter(|_| !self.is_observed) {
            player.observe(&self.position.observation());
            self.is_observed = true;
        }
    }

    /// A move of the player, if one is seated.
    fn choose(&mut self, budget: &Budget) -> Option<Decision> {
        self.player.as_mut()?.choose(budget).ok()
    }

    /// Tells the player that the match is over.
    fn finish(&mut self, ending: Ending) {
        if let Some(player) = &mut self.player {
            player.finish(ending);
        }
    }
}
