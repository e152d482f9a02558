//! A game with chance, and what a state of it is worth to a player with a plan.
//!
//! What is expected is exact: every move of chance is followed, each as probable as the others of
//! its turn, and states that come up again are looked up.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

pub mod dice;

use game::{Engine, Game, Limits, Scratch, State, TermId};
use gdl::{Policy, Source};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// What can be seen of a state.
pub struct Scene {
    pub facts: Vec<String>,
    /// The moves of the player in turn.
    pub legal: Vec<String>,
    /// The goal of the first role, at the end.
    pub goal: Option<f64>,
}

impl Scene {
    pub fn has(&self, fact: &str) -> bool {
        self.facts.iter().any(|it| it == fact)
    }

    pub fn may(&self, action: &str) -> bool {
        self.legal.iter().any(|it| it == action)
    }

    /// The last word of the fact that begins so, as a number.
    pub fn number(&self, start: &str) -> Option<u32> {
        let fact = self.facts.iter().find_map(|it| it.strip_prefix(start))?;
        fact.trim_matches([' ', ')']).parse().ok()
    }
}

/// What is asked, and how it is played for.
pub struct Plan<'a> {
    /// What a state is worth, if that is known: then nothing is played from it.
    pub worth: &'a dyn Fn(&Scene) -> Option<f64>,
    /// Whether a move of the player in turn is considered; of several the best is taken.
    pub considers: &'a dyn Fn(&Scene, &str) -> bool,
}

/// A game, and the state it has come to.
pub struct Table {
    game: Game,
    scratch: Scratch,
    pub state: State,
    chance: usize,
}

impl Table {
    pub fn new(name: &str) -> Table {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let rules = fs::read(games.join(name).join("rules.kif")).unwrap();
        let tree = gdl::read(Source::from_bytes(rules), None, &gdl::ReadLimits::default());
        let program = gdl::check(tree, &Policy::strict()).program.unwrap();
        let game = Game::new(&program, Engine::Single, &Limits::default()).unwrap();
        let mut scratch = game.scratch();
        let state = game.initial(&mut scratch).unwrap();
        let chance = game.chance().unwrap().index();
        Table {
            game,
            scratch,
            state,
            chance,
        }
    }

    pub fn legal(&mut self, state: &State) -> Vec<Vec<TermId>> {
        self.game.view(&mut self.scratch, state).unwrap().legal
    }

    pub fn text(&self, term: TermId) -> String {
        self.scratch.terms().text(term)
    }

    fn texts(&self, terms: &[TermId]) -> Vec<String> {
        terms.iter().map(|&term| self.text(term)).collect()
    }

    /// The player in turn: the one who has a choice, or else something to do.
    fn player(&self, legal: &[Vec<TermId>]) -> usize {
        let acts = |moves: &[TermId]| moves.iter().any(|&it| self.text(it) != "noop");
        let players = (0..legal.len()).filter(|&role| role != self.chance);
        let first = players.max_by_key(|&role| (legal[role].len(), acts(&legal[role])));
        first.unwrap()
    }

    pub fn scene(&mut self, state: &State) -> Scene {
        let view = self.game.view(&mut self.scratch, state).unwrap();
        let goal = view.terminal.then(|| self.text(view.goals[0][0]));
        let player = self.player(&view.legal);
        Scene {
            facts: self.texts(state.fluents()),
            legal: self.texts(&view.legal[player]),
            goal: goal.map(|goal| goal.parse().unwrap()),
        }
    }

    /// The state after the moves of the player in turn and of chance; who waits has one move.
    pub fn after(&mut self, state: &State, action: TermId, drawn: TermId) -> State {
        let legal = self.legal(state);
        let player = self.player(&legal);
        let mut joint: Vec<TermId> = legal.iter().map(|moves| moves[0]).collect();
        joint[player] = action;
        joint[self.chance] = drawn;
        let next = self.game.next(&mut self.scratch, state, &joint);
        next.unwrap().0
    }

    /// The moves that a plan considers, and those of chance.
    fn moves(&mut self, plan: &Plan, state: &State) -> (Vec<TermId>, Vec<TermId>) {
        let scene = self.scene(state);
        let legal = self.legal(state);
        let mut actions = legal[self.player(&legal)].clone();
        if actions.len() > 1 {
            actions.retain(|&action| (plan.considers)(&scene, &self.text(action)));
        }
        assert!(!actions.is_empty(), "no plan for {:?}", scene.legal);
        (actions, legal[self.chance].clone())
    }

    /// What the state at hand is worth.
    pub fn expects(&mut self, plan: &Plan) -> f64 {
        self.expects_of(plan, &self.state.clone(), &mut HashMap::new())
    }

    fn expects_of(&mut self, plan: &Plan, state: &State, known: &mut HashMap<State, f64>) -> f64 {
        if let Some(&worth) = known.get(state) {
            return worth;
        }
        let worth = (plan.worth)(&self.scene(state)).unwrap_or_else(|| {
            let (actions, draws) = self.moves(plan, state);
            let mut best = f64::NEG_INFINITY;
            for action in actions {
                let sum: f64 = draws
                    .iter()
                    .map(|&drawn| {
                        let next = self.after(state, action, drawn);
                        self.expects_of(plan, &next, known)
                    })
                    .sum();
                best = best.max(sum / draws.len() as f64);
            }
            best
        });
        known.insert(state.clone(), worth);
        worth
    }

    /// The mean of so many matches with drawn chance, by a plan that considers one move.
    pub fn draws(&mut self, plan: &Plan, matches: u32) -> f64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut sum = 0.0;
        for _ in 0..matches {
            let mut state = self.state.clone();
            sum += loop {
                if let Some(worth) = (plan.worth)(&self.scene(&state)) {
                    break worth;
                }
                let (actions, draws) = self.moves(plan, &state);
                assert_eq!(actions.len(), 1);
                let drawn = draws[random.next_u64() as usize % draws.len()];
                state = self.after(&state, actions[0], drawn);
            };
        }
        sum / f64::from(matches)
    }

    /// Goes on by a move of the player in turn, or of chance.
    pub fn play(&mut self, text: &str) {
        let state = self.state.clone();
        let legal = self.legal(&state);
        let player = self.player(&legal);
        let named = |role: usize| {
            let named = legal[role].iter().find(|&&it| self.text(it) == text);
            named.copied().unwrap_or(legal[role][0])
        };
        let (action, drawn) = (named(player), named(self.chance));
        assert!([action, drawn].iter().any(|&it| self.text(it) == text));
        self.state = self.after(&state, action, drawn);
    }
}
