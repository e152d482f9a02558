//! Runs a match: as a whole with [`play`], or turn by turn with [`Referee`].

use crate::clocks::{Clocks, Patience};
use crate::seat::{Choice, Seated, Told};
use game::{
    Broken, Defect, Game, MoveId, PerceptId, RoleId, State, TermId, Unanswered, View, Walk,
};
use players::{Decision, Ending, Player};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use record::{Fault, Record, Round};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::time::Duration;

/// Longer matches are given up.
const MAX_TURNS: usize = 10_000;

/// How many joint moves are tried to prove that a match cannot end, once a state has come up
/// again.
const ENDLESS_LIMIT: usize = 2_000;

/// What is played, and how.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game.
    pub game: Arc<Game>,
    /// The clocks.
    pub clocks: Clocks,
    /// How much later than its clock a move may come.
    pub patience: Patience,
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
    pub fn is_chance(&self, role: RoleId) -> bool {
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

/// Plays a match until it ends, or until `show` returns `Break`: then it is not completed.
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
    walk: Walk<'s>,
    random: Xoshiro256PlusPlus,
    seats: Vec<Option<Seated>>,
    starts: Vec<Option<Fault>>,
    rounds: Vec<Round>,
    /// The turns so far, as players are told them.
    turns: Vec<Turn>,
    state: State,
    view: View,
    /// For each role its legal moves, in the order of `view`.
    legal: Vec<Vec<MoveId>>,
    percepts: Vec<Vec<PerceptId>>,
    /// What is wrong with the game in this state, if anything.
    broken: Option<Broken>,
}

/// A turn that was made.
struct Turn {
    /// The state before.
    state: game::BitsBuf,
    joint: Vec<MoveId>,
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
        let mut walk = setup.game.walk();
        let mut referee = Referee {
            random: Xoshiro256PlusPlus::seed_from_u64(setup.seed),
            percepts: vec![Vec::new(); players.len()],
            seats: players.into_iter().map(|it| it.map(Seated::new)).collect(),
            starts: Vec::new(),
            rounds: Vec::new(),
            turns: Vec::new(),
            state: setup.game.unpacked(walk.state()),
            view: walk.view(&setup.game),
            legal: Vec::new(),
            broken: None,
            walk,
            setup,
            asking,
        };
        referee.look()?;
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
    pub fn percepts(&self) -> &[Vec<PerceptId>] {
        &self.percepts
    }

    /// Lets a player without a seat observe the present turn as a role does.
    pub fn show(&self, role: RoleId, player: &mut dyn Player) {
        player.observe(&self.told(role).observation());
    }

    /// The turns so far.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// For each role what its player did wrong before the first turn, if anything.
    pub fn starts(&self) -> &[Option<Fault>] {
        &self.starts
    }

    /// Whether no turn follows: the match has ended, or the game is broken.
    pub fn is_over(&self) -> bool {
        self.view.terminal || self.broken.is_some()
    }

    /// What is wrong with the game, if anything: then no turn follows, and nobody gets a goal.
    pub fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// Makes a turn of a match that is not over: asks all players, and puts
    /// legal moves where there are none. Moves of some roles may be given: these are not asked.
    pub fn round(
        &mut self,
        given: impl IntoIterator<Item = (RoleId, TermId)>,
    ) -> Result<&Round, Unanswered> {
        let given: Vec<(RoleId, TermId)> = given.into_iter().collect();
        let mut round = Round {
            state: self.state.clone(),
            joint: Vec::new(),
            faults: Vec::new(),
            decisions: Vec::new(),
            delays: Vec::new(),
        };
        let mut joint = Vec::new();
        let judged = self.judged(&given);
        for (
            role,
            Judged {
                decision,
                fault,
                delay,
            },
        ) in self.setup.game.role_ids().zip(judged)
        {
            let legal = &self.legal[role.index()];
            let action = match (&decision, &fault) {
                (Some(decision), None) => decision.action,
                (_, Some(_)) if self.setup.substitute == Substitute::First => legal[0],
                _ => legal[self.random.next_u64() as usize % legal.len()],
            };
            joint.push(action);
            round.joint.push(self.setup.game.move_term(role, action));
            round.faults.push(fault);
            round.decisions.push(decision);
            round.delays.push(delay);
        }
        let state = self.walk.state().to_owned();
        self.make(&joint);
        self.turns.push(Turn { state, joint });
        self.rounds.push(round);
        self.look()?;
        Ok(&self.rounds[self.rounds.len() - 1])
    }

    /// Makes a joint move, and finds what roles see of it.
    fn make(&mut self, joint: &[MoveId]) {
        self.walk.choose(joint);
        let roles = self.setup.game.role_ids();
        self.percepts = roles.map(|role| self.walk.percepts(role)).collect();
        self.walk.advance();
    }

    /// Finds what follows from the state of the walk.
    fn look(&mut self) -> Result<(), Unanswered> {
        if let Some(reason) = self.walk.failure() {
            return Err(reason.clone());
        }
        let game = &self.setup.game;
        self.state = game.unpacked(self.walk.state());
        self.view = self.walk.view(game);
        let legal = |(role, legal): (RoleId, &Vec<TermId>)| {
            let ids = legal.iter().map(|&it| game.move_id(role, it));
            ids.map(|it| it.expect("a legal move has an id")).collect()
        };
        self.legal = game.role_ids().zip(&self.view.legal).map(legal).collect();
        self.broken = self.defect().map(|defect| Broken {
            defect,
            state: self.state.clone(),
            moves: self.rounds.iter().map(|it| it.joint.clone()).collect(),
        });
        Ok(())
    }

    /// What is wrong with the game in this state, or with the states that can follow.
    fn defect(&self) -> Option<Defect> {
        let game = &self.setup.game;
        let here = game.defect(&self.view);
        if here.is_some() || self.view.terminal {
            return here;
        }
        let state = self.walk.state();
        let same = self.turns.iter().filter(|it| *it.state == *state);
        let repeats = same.count();
        // A match may go on for long and come back to a state often: it is not looked into each
        // time.
        if repeats.is_power_of_two() {
            let states = game.endless(&mut game.walk(), state, ENDLESS_LIMIT);
            if let Some(states) = states {
                return Some(Defect::Endless { states });
            }
        }
        (self.turns.len() >= MAX_TURNS).then_some(Defect::TooLong { repeats })
    }

    /// Takes turns back until so many are left. The players stay, and observe an earlier turn
    /// next; where the game hides the state, they may remember turns that were taken back.
    pub fn back_to(&mut self, turns: usize) -> Result<(), Unanswered> {
        if turns >= self.turns.len() {
            return Ok(());
        }
        self.rounds.truncate(turns);
        let state = self.turns[turns].state.clone();
        self.turns.truncate(turns);
        match self.turns.pop() {
            Some(before) => {
                self.walk.load(&before.state);
                self.make(&before.joint);
                self.turns.push(before);
            }
            None => {
                self.walk.load(&state);
                self.percepts = vec![Vec::new(); self.seats.len()];
            }
        }
        self.look()
    }

    /// What happened, up to now.
    pub fn record(mut self) -> Record {
        self.finish();
        let roles = self.setup.game.role_ids();
        let sound = self.broken.is_none();
        let goals = roles.map(|role| self.walk.goal(role).map(i64::from).filter(|_| sound));
        Record {
            goals: goals.collect(),
            rounds: self.rounds,
            last: self.state,
            completed: self.view.terminal && sound,
            broken: self.broken,
            starts: self.starts,
        }
    }

    /// Tells all players that the match is over. A player that does not listen is not waited for.
    fn finish(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(5);
        let ending = match self.view.terminal && self.broken.is_none() {
            true => Ending::Completed,
            false => Ending::Abandoned,
        };
        for role in self.setup.game.role_ids() {
            let told = self.told(role);
            if let Some(seat) = &mut self.seats[role.index()] {
                seat.ask_finish(told, ending);
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

    /// Lets all players prepare. A player that refuses leaves the seat.
    fn start(&mut self) {
        for group in self.groups() {
            let allowance = self.setup.clocks.start(self.setup.patience);
            let seats = &mut self.seats[group];
            for seat in seats.iter_mut().flatten() {
                seat.ask_start(&allowance);
            }
            for seat in seats {
                let started = seat.as_mut().map(Seated::started);
                // A player that is late or absent may be in time for the first turn.
                let fault = started.and_then(Result::err);
                if let Some(Fault::Refused(_)) = fault {
                    *seat = None;
                }
                self.starts.push(fault);
            }
        }
    }

    /// Asks all players; for each role what it said and did wrong.
    fn judged(&mut self, given: &[(RoleId, TermId)]) -> Vec<Judged> {
        let groups = self.groups().into_iter();
        let judged = groups.flat_map(|group| self.judged_group(group, given));
        judged.collect()
    }

    /// Asks the players of a group at the same time.
    fn judged_group(&mut self, group: Range<usize>, given: &[(RoleId, TermId)]) -> Vec<Judged> {
        let allowance = self.setup.clocks.play(self.setup.patience);
        let roles = || group.clone().map(RoleId::new);
        let given = |role| given.iter().find(|(of, _)| *of == role).map(|&(_, it)| it);
        for role in roles().filter(|&role| given(role).is_none()) {
            let told = self.told(role);
            if let Some(seat) = &mut self.seats[role.index()] {
                seat.ask_choice(told, &allowance);
            }
        }
        let judged = roles().map(|role| {
            if let Some(action) = given(role) {
                return self.judged_term(role, action);
            }
            let seat = self.seats[role.index()].as_mut();
            match seat.map(Seated::choice) {
                Some(Ok(Choice { decision, delay })) => Judged {
                    delay,
                    ..self.judged_move(role, decision)
                },
                Some(Err(fault)) => Judged::silent(Some(fault)),
                // It refused, or nobody ever sat there.
                None => Judged::silent(self.starts[role.index()].clone()),
            }
        });
        judged.collect()
    }

    /// A decision, and whether it is a fault.
    fn judged_move(&self, role: RoleId, decision: Decision) -> Judged {
        let is_legal = self.legal[role.index()].contains(&decision.action);
        let fault = || match self.setup.game.find_move(role, decision.action) {
            Some(term) => Fault::Illegal(term),
            None => Fault::NoMove(format!("move {}", decision.action.index())),
        };
        Judged {
            decision: Some(decision),
            fault: (!is_legal).then(fault),
            delay: Duration::ZERO,
        }
    }

    /// A move that was given, and whether it is a fault.
    fn judged_term(&self, role: RoleId, action: TermId) -> Judged {
        match self.setup.game.move_id(role, action) {
            Some(id) => self.judged_move(role, Decision::plain(id)),
            None => Judged::silent(Some(Fault::Illegal(action))),
        }
    }

    /// What a role may know.
    fn told(&self, role: RoleId) -> Told {
        let hidden = self.setup.game.hides();
        let before = self.turns.last().map(|turn| &turn.joint);
        Told {
            turn: self.turns.len(),
            state: (!hidden).then(|| self.walk.state().to_owned()),
            legal: match self.view.terminal {
                true => Vec::new(),
                false => self.legal[role.index()].clone(),
            },
            joint: before.filter(|_| !hidden).cloned(),
            percepts: self.percepts[role.index()].clone(),
            own: before.map(|joint| joint[role.index()]),
        }
    }
}

/// What a role said, what it did wrong, and how much later than its clock it said it.
struct Judged {
    decision: Option<Decision>,
    fault: Option<Fault>,
    delay: Duration,
}

impl Judged {
    /// A role that said nothing.
    fn silent(fault: Option<Fault>) -> Judged {
        Judged {
            decision: None,
            fault,
            delay: Duration::ZERO,
        }
    }
}
