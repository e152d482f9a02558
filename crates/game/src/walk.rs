//! One caller's walk through matches of a game, state by state, on ids.
//!
//! Where the game has a propositional network, the walk propagates changes through it: going on
//! from the present state costs no more than the turn itself. Elsewhere the game answers question
//! by question, if need be by the interpreter, so that every game can be walked through. A state
//! about which the rules give no answer has no legal moves and no goals; [`Walk::failure`] says why.

use crate::{Game, Scratch, State, Unanswered, View};
use circuit::{End, Single};
use logic::{Bits, BitsBuf, MoveId, PerceptId, RoleId, TermId};
use rand_core::Rng;
use std::time::Instant;

/// A walk through a game: a present state, and the way to the next.
pub struct Walk<'g> {
    engine: Engine<'g>,
}

enum Engine<'g> {
    Propnet(Single<'g>),
    Facts(Box<Facts<'g>>),
}

/// A walk by questions to the game.
struct Facts<'g> {
    game: &'g Game,
    scratch: Scratch,
    state: State,
    bits: BitsBuf,
    view: View,
    /// The joint move that was chosen, with what follows from it.
    chosen: Option<(State, Vec<Vec<TermId>>)>,
    failure: Option<Unanswered>,
}

impl<'g> Walk<'g> {
    /// A walk that begins in the initial state, with a deadline for questions to the rules.
    pub(crate) fn new(game: &'g Game, deadline: Option<Instant>) -> Walk<'g> {
        let engine = match game.propnet() {
            Some(propnet) => Engine::Propnet(Single::new(propnet)),
            None => Engine::Facts(Box::new(Facts::new(game, deadline))),
        };
        Walk { engine }
    }

    /// Questions to the rules that are not answered by this time fail, see [`Walk::failure`]; none
    /// removes the deadline. A propnet needs no deadline: its turns are short.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        if let Engine::Facts(facts) = &mut self.engine {
            facts.scratch.set_deadline(deadline);
        }
    }

    /// Goes to the initial state.
    pub fn restart(&mut self) {
        match &mut self.engine {
            Engine::Propnet(single) => single.load(single.propnet().initial()),
            Engine::Facts(facts) => facts.restart(),
        }
    }

    /// Goes to a state.
    pub fn load(&mut self, state: &Bits) {
        match &mut self.engine {
            Engine::Propnet(single) => single.load(state),
            Engine::Facts(facts) => facts.load(state),
        }
    }

    /// The present state.
    pub fn state(&self) -> &Bits {
        match &self.engine {
            Engine::Propnet(single) => single.state(),
            Engine::Facts(facts) => &facts.bits,
        }
    }

    /// Whether the match is over.
    pub fn terminal(&self) -> bool {
        match &self.engine {
            Engine::Propnet(single) => single.terminal(),
            Engine::Facts(facts) => facts.view.terminal,
        }
    }

    /// The legal moves of a role, in the order of their ids.
    pub fn legal(&self, role: RoleId) -> Vec<MoveId> {
        let mut moves = Vec::new();
        self.append_legal(role, &mut moves);
        moves
    }

    /// Appends the legal moves of a role, in the order of their ids.
    pub fn append_legal(&self, role: RoleId, moves: &mut Vec<MoveId>) {
        match &self.engine {
            Engine::Propnet(single) => moves.extend(single.legal(role)),
            Engine::Facts(facts) => {
                let legal = facts.view.legal[role.index()].iter();
                let first = moves.len();
                moves.extend(legal.filter_map(|&it| facts.game.move_id(role, it)));
                moves[first..].sort_unstable();
            }
        }
    }

    /// A legal move of a role, drawn uniformly; none if there is none.
    pub fn any_legal(&self, role: RoleId, random: &mut impl Rng) -> Option<MoveId> {
        match &self.engine {
            Engine::Propnet(single) => single.any_legal(role, random),
            Engine::Facts(facts) => {
                let legal = &facts.view.legal[role.index()];
                let count = u64::try_from(legal.len()).ok().filter(|&it| it > 0)?;
                facts
                    .game
                    .move_id(role, legal[(random.next_u64() % count) as usize])
            }
        }
    }

    /// Draws a legal move for every role; false if a role has none.
    pub fn any_joint(&self, joint: &mut Vec<MoveId>, random: &mut impl Rng) -> bool {
        joint.clear();
        for role in RoleId::all(self.roles()) {
            match self.any_legal(role, random) {
                Some(action) => joint.push(action),
                None => return false,
            }
        }
        true
    }

    fn roles(&self) -> usize {
        match &self.engine {
            Engine::Propnet(single) => single.propnet().roles(),
            Engine::Facts(facts) => facts.game.roles().len(),
        }
    }

    /// Makes a joint move and goes to the next state.
    pub fn play(&mut self, joint: &[MoveId]) {
        match &mut self.engine {
            Engine::Propnet(single) => single.play(joint),
            Engine::Facts(facts) => {
                facts.choose(joint);
                facts.advance();
            }
        }
    }

    /// Makes a joint move; the state stays, so that percepts can be asked for.
    pub fn choose(&mut self, joint: &[MoveId]) {
        match &mut self.engine {
            Engine::Propnet(single) => single.choose(joint),
            Engine::Facts(facts) => facts.choose(joint),
        }
    }

    /// What a role sees of the joint move that was chosen, in the order of ids.
    pub fn percepts(&mut self, role: RoleId) -> Vec<PerceptId> {
        match &mut self.engine {
            Engine::Propnet(single) => single.percepts(role).collect(),
            Engine::Facts(facts) => facts.percepts(role),
        }
    }

    /// Goes to the state after the joint move that was chosen.
    pub fn advance(&mut self) {
        match &mut self.engine {
            Engine::Propnet(single) => single.advance(),
            Engine::Facts(facts) => facts.advance(),
        }
    }

    /// A role's goal; none if it has none, or several.
    pub fn goal(&mut self, role: RoleId) -> Option<u32> {
        match &mut self.engine {
            Engine::Propnet(single) => single.goal(role),
            Engine::Facts(facts) => match facts.view.goals[role.index()][..] {
                [goal] => facts.scratch.terms().name(goal).parse().ok(),
                _ => None,
            },
        }
    }

    /// What follows from the present state, in terms.
    pub fn view(&mut self, game: &Game) -> View {
        let single = match &mut self.engine {
            Engine::Facts(facts) => return facts.view.clone(),
            Engine::Propnet(single) => single,
        };
        let legal = game.role_ids().map(|role| {
            let moves = single.legal(role);
            sorted(moves.map(|it| game.move_term(role, it)))
        });
        let legal = legal.collect();
        let terminal = single.terminal();
        let goals = game.role_ids();
        let goals = goals.map(|role| sorted(single.goals(role).map(|(term, _)| term)));
        View {
            terminal,
            legal,
            goals: goals.collect(),
        }
    }

    /// What a role gets where the match is over, from 0 to 1; 0 without a goal.
    pub fn value(&mut self, role: RoleId) -> f32 {
        self.goal(role).unwrap_or(0) as f32 / 100.0
    }

    /// Plays at random from the present state, at most so many turns; says how the match ended
    /// and how many turns were made.
    pub fn playout(&mut self, random: &mut impl Rng, turns: u64) -> (End, u64) {
        if let Engine::Propnet(single) = &mut self.engine {
            return single.playout(random, turns);
        }
        let mut joint = Vec::with_capacity(self.roles());
        for turn in 0..=turns {
            if self.terminal() {
                return (End::Over, turn);
            }
            if !self.any_joint(&mut joint, random) {
                return (End::Stuck, turn);
            }
            if turn < turns {
                self.play(&joint);
            }
        }
        (End::Cut, turns)
    }

    /// Whether nothing is known of the present state because time was over, or the game cancelled.
    pub fn is_broken_off(&self) -> bool {
        use logic::NoAnswer::{Cancelled, TooLate};
        let failure = self.failure();
        matches!(failure, Some(Unanswered::NoAnswer(TooLate | Cancelled)))
    }

    /// Why nothing is known of the present state: the rules gave no answer.
    pub fn failure(&self) -> Option<&Unanswered> {
        match &self.engine {
            Engine::Propnet(_) => None,
            Engine::Facts(facts) => facts.failure.as_ref(),
        }
    }
}

impl<'g> Facts<'g> {
    fn new(game: &'g Game, deadline: Option<Instant>) -> Facts<'g> {
        let mut scratch = game.scratch();
        scratch.set_deadline(deadline);
        let mut facts = Facts {
            scratch,
            state: State::new(Vec::new()),
            bits: BitsBuf::default(),
            view: nothing(game),
            chosen: None,
            failure: None,
            game,
        };
        facts.restart();
        facts
    }

    fn restart(&mut self) {
        match self.game.initial(&mut self.scratch) {
            Ok(state) => self.enter(state),
            Err(reason) => self.fail(reason),
        }
    }

    fn load(&mut self, state: &Bits) {
        if *self.bits != *state || self.failure.is_some() {
            self.enter(self.game.unpacked(state));
        }
        self.chosen = None;
    }

    /// Takes a state as the present one, and asks what follows from it.
    fn enter(&mut self, state: State) {
        self.failure = None;
        self.chosen = None;
        if let Some(bits) = self.game.packed(&state) {
            self.bits = bits;
        }
        match self.game.view(&mut self.scratch, &state) {
            Ok(view) => self.view = view,
            Err(reason) => self.fail(reason),
        }
        self.state = state;
    }

    fn fail(&mut self, reason: Unanswered) {
        self.failure = Some(reason);
        self.view = nothing(self.game);
    }

    fn choose(&mut self, joint: &[MoveId]) {
        let roles = RoleId::all(joint.len()).zip(joint);
        let joint: Vec<TermId> = roles
            .map(|(role, &it)| self.game.move_term(role, it))
            .collect();
        match self.game.next(&mut self.scratch, &self.state, &joint) {
            Ok(next) => self.chosen = Some(next),
            Err(reason) => self.fail(reason),
        }
    }

    fn percepts(&self, role: RoleId) -> Vec<PerceptId> {
        let seen = self.chosen.iter().flat_map(|(_, seen)| &seen[role.index()]);
        let mut seen: Vec<PerceptId> = seen
            .filter_map(|&it| self.game.percept_id(role, it))
            .collect();
        seen.sort_unstable();
        seen
    }

    fn advance(&mut self) {
        if let Some((next, _)) = self.chosen.take() {
            self.enter(next);
        }
    }
}

fn sorted(terms: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut terms: Vec<TermId> = terms.collect();
    terms.sort_unstable();
    terms
}

/// A view of a state of which nothing is known.
fn nothing(game: &Game) -> View {
    View {
        terminal: false,
        legal: vec![Vec::new(); game.roles().len()],
        goals: vec![Vec::new(); game.roles().len()],
    }
}
