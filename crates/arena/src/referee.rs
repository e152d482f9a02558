//! Runs a match: as a whole with [`play`], or turn by turn with [`Referee`].

use crate::clocks::Clocks;
use crate::record::{Fault, Record, Round, goal};
use crate::seat::{Seated, Told};
use game::{Game, Scratch, State, TermId, Unanswered, View};
use players::{Decision, Player};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::time::Duration;

/// Longer matches are given up.
const MAX_TURNS: usize = 10_000;

/// What is played, and how.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game.
    pub game: Arc<Game>,
    /// The clocks.
    pub clocks: Clocks,
    /// How much later than its clock a move may come: it may have had a long way.
    pub grace: Duration,
    /// What is put in the place of moves that are wrong or missing.
    pub substitute: Substitute,
    /// The seed of chance, and of moves put in the place of others.
    pub seed: u64,
}

/// What is put in the place of moves that are wrong or missing.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Substitute {
    /// A random legal move, as the reference server does.
    #[default]
    Random,
    /// The first legal move, as the game controller of Dresden does.
    First,
}

impl Setup {
    /// Whether a role is chance, which the referee plays.
    pub fn is_chance(&self, role: usize) -> bool {
        self.game.chance() == Some(role)
    }
}

/// Something to show while a match runs.
pub enum Event<'e> {
    /// A state, before players choose.
    State(&'e State),
    /// A turn was made.
    Round(&'e Round),
}

/// When players think.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Asking {
    Together,
    InTurn,
}

/// Plays a match whose players share a machine: one thinks after the other, each with all of
/// its time, so that none takes any from another.
pub fn play_in_turn(
    setup: &Setup,
    players: Vec<Option<Box<dyn Player>>>,
) -> Result<Record, Unanswered> {
    let mut referee = Referee::seated(setup, players, Asking::InTurn)?;
    while !referee.is_over() {
        referee.round(None)?;
    }
    Ok(referee.record())
}

/// Plays a match. There is a player for each role but chance, in the order of the roles.
pub fn play(
    setup: &Setup,
    players: Vec<Option<Box<dyn Player>>>,
    show: &mut dyn FnMut(&Event<'_>),
) -> Result<Record, Unanswered> {
    play_while(setup, players, &mut |event| {
        show(event);
        ControlFlow::Continue(())
    })
}

/// Plays a match until it ends, or until who watches it wants no more: then it is not
/// completed.
pub fn play_while(
    setup: &Setup,
    players: Vec<Option<Box<dyn Player>>>,
    show: &mut dyn FnMut(&Event<'_>) -> ControlFlow<()>,
) -> Result<Record, Unanswered> {
    let mut referee = Referee::new(setup, players)?;
    while show(&Event::State(referee.state())).is_continue() && !referee.is_over() {
        // A turn that was made belongs to the match, so what follows it is shown in any case.
        let _ = show(&Event::Round(referee.round(None)?));
    }
    Ok(referee.record())
}

/// A match that is made turn by turn, and can be taken back.
///
/// A role without a player is played by the referee at random, unless its move is given: so
/// it draws what chance does, and so a person plays, who has no clock.
pub struct Referee<'s> {
    setup: &'s Setup,
    asking: Asking,
    scratch: Scratch,
    random: Xoshiro256PlusPlus,
    seats: Vec<Option<Seated>>,
    starts: Vec<Option<Fault>>,
    rounds: Vec<Round>,
    state: State,
    view: View,
    percepts: Vec<Vec<TermId>>,
}

impl<'s> Referee<'s> {
    /// Seats the players, one or none for each role, and lets them prepare.
    pub fn new(
        setup: &'s Setup,
        players: Vec<Option<Box<dyn Player>>>,
    ) -> Result<Referee<'s>, Unanswered> {
        Referee::seated(setup, players, Asking::Together)
    }

    fn seated(
        setup: &'s Setup,
        players: Vec<Option<Box<dyn Player>>>,
        asking: Asking,
    ) -> Result<Referee<'s>, Unanswered> {
        let mut scratch = setup.game.scratch();
        let state = setup.game.initial(&mut scratch)?;
        let view = setup.game.view(&mut scratch, &state)?;
        let mut referee = Referee {
            random: Xoshiro256PlusPlus::seed_from_u64(setup.seed),
            percepts: vec![Vec::new(); players.len()],
            seats: players.into_iter().map(|it| it.map(Seated::new)).collect(),
            starts: Vec::new(),
            rounds: Vec::new(),
            scratch,
            state,
            view,
            setup,
            asking,
        };
        referee.start();
        Ok(referee)
    }

    /// The state the match is in.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What follows from the state.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// What each role saw of the last turn.
    pub fn percepts(&self) -> &[Vec<TermId>] {
        &self.percepts
    }

    /// The turns so far.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// For each role what its player did wrong before the first turn, if anything.
    pub fn starts(&self) -> &[Option<Fault>] {
        &self.starts
    }

    /// Whether no turn follows: the match has ended, a role has no legal move, or there were
    /// too many turns.
    pub fn is_over(&self) -> bool {
        let stuck = self.view.legal.iter().any(Vec::is_empty);
        self.view.terminal || stuck || self.rounds.len() >= MAX_TURNS
    }

    /// Makes a turn of a match that is not over: asks all players, and puts
    /// legal moves where there are none. The move of one role may be given: it is not asked.
    pub fn round(&mut self, given: Option<(usize, TermId)>) -> Result<&Round, Unanswered> {
        let mut round = Round {
            state: self.state.clone(),
            joint: Vec::new(),
            faults: Vec::new(),
            decisions: Vec::new(),
        };
        let judged = self.judged(given);
        for ((decision, fault), legal) in judged.into_iter().zip(&self.view.legal) {
            let action = match (&decision, &fault) {
                (Some(decision), None) => decision.action,
                (_, Some(_)) if self.setup.substitute == Substitute::First => legal[0],
                _ => legal[self.random.next_u64() as usize % legal.len()],
            };
            round.joint.push(action);
            round.faults.push(fault);
            round.decisions.push(decision);
        }
        let game = &self.setup.game;
        let (state, percepts) = game.next(&mut self.scratch, &self.state, &round.joint)?;
        self.view = game.view(&mut self.scratch, &state)?;
        (self.state, self.percepts) = (state, percepts);
        self.rounds.push(round);
        Ok(&self.rounds[self.rounds.len() - 1])
    }

    /// Takes turns back until so many are left. The players stay and are asked anew: what
    /// they are told is the whole state, unless the game hides it; then they may remember
    /// what they saw in the turns that were taken back.
    pub fn back_to(&mut self, turns: usize) -> Result<(), Unanswered> {
        let Some(round) = self.rounds.get(turns) else {
            return Ok(());
        };
        self.state = round.state.clone();
        self.rounds.truncate(turns);
        let game = &self.setup.game;
        self.view = game.view(&mut self.scratch, &self.state)?;
        self.percepts = match self.rounds.last() {
            Some(before) => {
                game.next(&mut self.scratch, &before.state, &before.joint)?
                    .1
            }
            None => vec![Vec::new(); self.seats.len()],
        };
        Ok(())
    }

    /// What happened, up to now.
    pub fn record(mut self) -> Record {
        self.finish();
        let goals = (self.view.goals.iter()).map(|goals| goal(&self.scratch, goals));
        Record {
            goals: goals.collect(),
            rounds: self.rounds,
            last: self.state,
            completed: self.view.terminal,
            starts: self.starts,
        }
    }

    /// Tells all players that the match is over. Who does not listen is not waited for.
    fn finish(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(5);
        for role in 0..self.seats.len() {
            let told = self.told(role);
            if let Some(seat) = &mut self.seats[role] {
                seat.ask_finish(told, self.view.terminal);
            }
        }
        for seat in self.seats.iter_mut().flatten() {
            seat.finished(PATIENCE);
        }
    }

    /// The roles in groups, each asked after the one before has answered.
    fn groups(&self) -> Vec<Range<usize>> {
        let roles = self.seats.len();
        match self.asking {
            Asking::Together => std::iter::once(0..roles).collect(),
            Asking::InTurn => (0..roles).map(|role| role..role + 1).collect(),
        }
    }

    /// Lets all players prepare. Who refuses leaves the seat.
    fn start(&mut self) {
        for group in self.groups() {
            let allowance = self.setup.clocks.start(self.setup.grace);
            let seats = &mut self.seats[group];
            for seat in seats.iter_mut().flatten() {
                seat.ask_start(&allowance);
            }
            for seat in seats {
                let started = seat.as_mut().map(|seat| seat.started(allowance.late));
                // Who is late or not there may be in time for the first turn.
                let fault = started.and_then(Result::err);
                if let Some(Fault::Refused(_)) = fault {
                    *seat = None;
                }
                self.starts.push(fault);
            }
        }
    }

    /// Asks all players; for each role what it said and did wrong.
    fn judged(&mut self, given: Option<(usize, TermId)>) -> Vec<Judged> {
        let groups = self.groups().into_iter();
        let judged = groups.flat_map(|group| self.judged_group(group, given));
        judged.collect()
    }

    /// Asks the players of a group at the same time.
    fn judged_group(&mut self, group: Range<usize>, given: Option<(usize, TermId)>) -> Vec<Judged> {
        let allowance = self.setup.clocks.play(self.setup.grace);
        let given = |role| {
            given
                .filter(|&(of, _)| of == role)
                .map(|(_, action)| action)
        };
        for role in group.clone().filter(|&role| given(role).is_none()) {
            let told = self.told(role);
            if let Some(seat) = &mut self.seats[role] {
                seat.ask_choice(told, &allowance);
            }
        }
        let judged = group.map(|role| {
            let legal = &self.view.legal[role];
            if let Some(action) = given(role) {
                return judged(Decision::plain(action), legal);
            }
            let seat = self.seats[role].as_mut();
            match seat.map(|seat| seat.choice(allowance.late)) {
                Some(Ok(decision)) => judged(decision, legal),
                Some(Err(fault)) => (None, Some(fault)),
                // It refused, or nobody ever sat there.
                None => (None, self.starts[role].clone()),
            }
        });
        judged.collect()
    }

    /// What a role may know.
    fn told(&self, role: usize) -> Told {
        let hidden = self.setup.game.hides();
        let before = self.rounds.last().map(|round| &round.joint);
        Told {
            state: (!hidden).then(|| self.state.clone()),
            legal: self.view.legal[role].clone(),
            joint: before.filter(|_| !hidden).cloned(),
            percepts: self.percepts[role].clone(),
            own: before.map(|joint| joint[role]),
        }
    }
}

/// What a role said, and what it did wrong.
type Judged = (Option<Decision>, Option<Fault>);

/// A decision, and whether it is a fault.
fn judged(decision: Decision, legal: &[TermId]) -> Judged {
    match legal.contains(&decision.action) {
        true => (Some(decision), None),
        false => (Some(decision), Some(Fault::Illegal(decision.action))),
    }
}
