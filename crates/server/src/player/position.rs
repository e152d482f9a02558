//! Where a match is, as far as the player can know. Text comes in here and becomes ids.

use crate::message::{find, parts, shorten, words};
use game::{BitsBuf, Game, MoveId, PerceptId, RoleId, Scratch, TermId, Unanswered};
use players::{Belief, Fit, Observation, Seen};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// What happened in a turn, as the manager told.
#[derive(Clone, Debug, Default)]
pub(super) struct ToldTurn {
    /// The joint move, or what was seen of it.
    pub(super) told: Vec<String>,
    /// The move that was made for the player.
    pub(super) own: String,
}

/// Why a position is lost.
#[derive(Debug, thiserror::Error)]
pub(super) enum Lost {
    #[error("a joint move for {roles} roles was expected, not of {told} moves: ( {first} … )")]
    Count {
        roles: usize,
        told: usize,
        first: String,
    },
    #[error("`{0}` is no legal move here")]
    Move(String),
    #[error("nothing that could have happened fits what was seen")]
    Unseen,
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// A game, and where the match is.
pub(super) struct Position {
    pub(super) game: Arc<Game>,
    scratch: Scratch,
    role: RoleId,
    known: Known,
    /// What the player is told next.
    turn: usize,
    /// The player's moves, and whether the match is over: then nobody should ask for one.
    legal: Vec<MoveId>,
    is_over: bool,
    joint: Option<Vec<MoveId>>,
    percepts: Vec<PerceptId>,
    own: Option<MoveId>,
    goal: Option<u32>,
    /// The percepts of the role by their texts in lower case, once they were asked for.
    by_text: HashMap<String, PerceptId>,
}

enum Known {
    State(BitsBuf),
    Belief(Box<Belief>),
}

impl Position {
    pub(super) fn new(game: Arc<Game>, role: RoleId) -> Result<Position, Lost> {
        let first = game.walk().state().to_owned();
        let known = match game.hides() {
            true => Known::Belief(Box::new(Belief::new(&game, role))),
            false => Known::State(first),
        };
        let mut position = Position {
            scratch: game.scratch(),
            game,
            role,
            known,
            turn: 0,
            legal: Vec::new(),
            is_over: false,
            joint: None,
            percepts: Vec::new(),
            own: None,
            goal: None,
            by_text: HashMap::new(),
        };
        position.look()?;
        Ok(position)
    }

    /// What the player is told of the last turn.
    pub(super) fn observation(&self) -> Observation<'_> {
        Observation {
            turn: self.turn,
            state: match &self.known {
                Known::State(state) => Some(state),
                Known::Belief(_) => None,
            },
            legal: match self.is_over {
                true => &[],
                false => &self.legal,
            },
            joint: self.joint.as_deref(),
            percepts: &self.percepts,
            own: self.own,
        }
    }

    /// The legal moves of the player. There may be some where the match is thought to be over: a
    /// manager that asks for one knows better.
    pub(super) fn legal(&self) -> &[MoveId] {
        &self.legal
    }

    /// Whether the match is over, as far as is known.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// The text of a move of the player.
    pub(super) fn text(&mut self, action: MoveId) -> String {
        let term = self.game.move_term(self.role, action);
        self.learn(term);
        self.scratch.terms().text(term)
    }

    /// The goal of the player, if there is one.
    pub(super) fn goal(&self) -> Option<u32> {
        self.goal
    }

    /// Goes on by a turn, until a time at the latest if much has to be tried. Whatever is wrong
    /// with it, the turn counts as made, and nothing is kept of what was seen in the turn before.
    pub(super) fn advance(
        &mut self,
        step: &ToldTurn,
        (random, until): (&mut Xoshiro256PlusPlus, Instant),
    ) -> Result<(), Lost> {
        self.turn += 1;
        self.own = self.find_own(&step.own);
        self.joint = None;
        self.percepts = Vec::new();
        let followed = match self.game.hides() {
            false => self.follow(step),
            true => self.believe(step, (random, until)),
        };
        self.look()?;
        followed
    }

    /// Goes to the state after a joint move that was told.
    fn follow(&mut self, step: &ToldTurn) -> Result<(), Lost> {
        let Known::State(state) = &mut self.known else {
            return Ok(());
        };
        let told = match self.game.seen_moves() {
            Some(name) => moves(&self.scratch, self.game.roles(), (name, &step.told)),
            None => step.told.clone(),
        };
        let mut walk = self.game.walk();
        walk.load(state);
        let legal = walk.view(&self.game).legal;
        let known = self.scratch.terms().len();
        if legal.iter().flatten().any(|it| it.index() >= known) {
            self.scratch = self.game.scratch();
        }
        let joint = joint(&self.game, &self.scratch, (&legal, &told))?;
        walk.choose(&joint);
        self.percepts = walk.percepts(self.role);
        walk.advance();
        state.copy_from(walk.state());
        self.own = Some(joint[self.role.index()]);
        self.joint = Some(joint);
        Ok(())
    }

    /// Finds out what may have happened.
    fn believe(
        &mut self,
        step: &ToldTurn,
        (random, until): (&mut Xoshiro256PlusPlus, Instant),
    ) -> Result<(), Lost> {
        let told = step.told.iter().map(|text| self.percept(text));
        let told: Vec<Option<PerceptId>> = told.collect();
        let is_known = told.iter().all(Option::is_some);
        let mut percepts: Vec<PerceptId> = told.into_iter().flatten().collect();
        percepts.sort_unstable();
        percepts.dedup();
        self.percepts = percepts.clone();
        let seen = Seen {
            own: self.own,
            percepts,
        };
        let Known::Belief(belief) = &mut self.known else {
            return Ok(());
        };
        // Whether it fits or not, nothing better is known.
        match belief.observe(&self.game, seen, (random, until)) {
            Fit::Exact if is_known => Ok(()),
            Fit::Exact | Fit::Near | Fit::Lost => Err(Lost::Unseen),
        }
    }

    /// Uses time in which nobody waits to find out what may have happened; whether it is worth
    /// while to go on.
    pub(super) fn ponder(&mut self, random: &mut Xoshiro256PlusPlus, until: Instant) -> bool {
        match &mut self.known {
            Known::State(_) => false,
            Known::Belief(belief) => belief.ponder(&self.game, (random, until)),
        }
    }

    /// Finds the legal moves and the goal in the state, or in the one that fits best.
    fn look(&mut self) -> Result<(), Lost> {
        let mut walk = self.game.walk();
        walk.load(match &self.known {
            Known::State(state) => state,
            Known::Belief(belief) => belief.best(),
        });
        if let Some(reason) = walk.failure() {
            return Err(reason.clone().into());
        }
        let view = walk.view(&self.game);
        let legal = view.legal[self.role.index()].iter();
        let ids = legal.filter_map(|&it| self.game.move_id(self.role, it));
        self.legal = ids.collect();
        self.is_over = view.terminal;
        self.goal = walk.goal(self.role);
        Ok(())
    }

    /// The player's own move in the turn that was made, by its text.
    fn find_own(&mut self, text: &str) -> Option<MoveId> {
        let terms = self.legal.iter();
        let terms = terms.map(|&it| self.game.move_term(self.role, it));
        let terms: Vec<TermId> = terms.collect();
        terms.iter().for_each(|&it| self.learn(it));
        let found = find(&self.scratch, &terms, text)?;
        self.game.move_id(self.role, found)
    }

    /// The percept that a text names, whatever its case and blanks are.
    fn percept(&mut self, text: &str) -> Option<PerceptId> {
        let text = words(text);
        match self.game.percepts(self.role) {
            Some(percepts) => {
                if self.by_text.is_empty() {
                    let ids = PerceptId::all(percepts.len()).zip(percepts);
                    let named = ids.map(|(id, &term)| {
                        let text = self.scratch.terms().text(term);
                        (text.to_lowercase(), id)
                    });
                    self.by_text = named.collect();
                }
                self.by_text.get(&text.to_lowercase()).copied()
            }
            None => {
                let tree = gdl::read(text.as_str().into(), None, &gdl::ReadLimits::default());
                let form = tree.forms().next()?;
                let term = self.game.term(&mut self.scratch, form)?;
                self.game.percept_id(self.role, term)
            }
        }
    }

    /// Learns the texts of terms: the interpreter makes new ones as it goes.
    fn learn(&mut self, term: TermId) {
        if term.index() >= self.scratch.terms().len() {
            self.scratch = self.game.scratch();
        }
    }
}

/// The moves of all roles, in their order, where they are seen as `(did role move)`.
fn moves(scratch: &Scratch, roles: &[TermId], (name, seen): (&str, &[String])) -> Vec<String> {
    let seen: Vec<Vec<&str>> = seen.iter().filter_map(|it| parts(it)).collect();
    let of = |role: &TermId| {
        let role = scratch.terms().text(*role);
        seen.iter().find_map(|parts| match parts[..] {
            [first, of, action] => {
                let fits = first.eq_ignore_ascii_case(name) && of.eq_ignore_ascii_case(&role);
                fits.then(|| action.to_string())
            }
            _ => None,
        })
    };
    roles.iter().filter_map(of).collect()
}

/// The legal moves of all roles that texts name.
fn joint(
    game: &Game,
    scratch: &Scratch,
    (legal, told): (&[Vec<TermId>], &[String]),
) -> Result<Vec<MoveId>, Lost> {
    if told.len() != legal.len() {
        return Err(Lost::Count {
            roles: legal.len(),
            told: told.len(),
            first: told.first().map_or(String::new(), |it| shorten(it)),
        });
    }
    let named = game.role_ids().zip(legal).zip(told);
    let named = named.map(|((role, legal), text)| {
        let found = find(scratch, legal, text).and_then(|it| game.move_id(role, it));
        found.ok_or_else(|| Lost::Move(shorten(text)))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Limits;
    use rand_core::SeedableRng;
    use std::time::Duration;

    /// Chance tosses a coin every turn; you guess, and see it.
    const COINS: &str = "(role you) (role random) (init (turn 1))
        (after 1 2) (after 2 3) (after 3 4)
        (legal you (guess heads)) (legal you (guess tails))
        (legal random (toss heads)) (legal random (toss tails))
        (<= (next (turn ?u)) (true (turn ?t)) (after ?t ?u))
        (<= (next (lies ?s)) (does random (toss ?s)))
        (<= (sees you (shown ?s)) (does random (toss ?s)))
        (<= terminal (true (turn 4))) (goal you 50) (goal random 0)";

    fn advance(position: &mut Position, told: &[&str], own: &str) -> Result<(), Lost> {
        let step = ToldTurn {
            told: told.iter().map(ToString::to_string).collect(),
            own: own.to_string(),
        };
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(1);
        let until = Instant::now() + Duration::from_millis(20);
        position.advance(&step, (random, until))
    }

    #[test]
    fn what_was_seen_before_is_not_told_again_after_an_inconsistency() {
        let game = Arc::new(Game::load(COINS, &Limits::default()).unwrap());
        let mut position = Position::new(game, RoleId::new(0)).unwrap();
        advance(&mut position, &["( SHOWN  heads )"], "(Guess tails)").unwrap();
        let seen = position.observation();
        assert_eq!((seen.turn, seen.percepts.len()), (1, 1));
        let own = seen.own.unwrap();
        assert_eq!(position.text(own), "(guess tails)");
        // Nobody can have seen nothing.
        let lost = advance(&mut position, &[], "(guess heads)");
        assert!(matches!(lost, Err(Lost::Unseen)));
        let seen = position.observation();
        assert_eq!((seen.turn, seen.percepts), (2, &[][..]));
        assert_eq!(seen.legal.len(), 2);
        // What is no percept at all is left out.
        let lost = advance(&mut position, &["(shown edge)"], "(guess heads)");
        assert!(lost.is_err());
        assert!(position.observation().percepts.is_empty());
    }

    #[test]
    fn where_all_is_seen_the_state_and_the_joint_move_are_told() {
        let rules = COINS.replace("(<= (sees you (shown ?s)) (does random (toss ?s)))", "");
        let game = Arc::new(Game::load(rules.as_str(), &Limits::default()).unwrap());
        let mut position = Position::new(game, RoleId::new(0)).unwrap();
        assert_eq!(position.observation().own, None);
        let told = ["(guess heads)", "(toss tails)"];
        advance(&mut position, &told, "").unwrap();
        let seen = position.observation();
        assert!(seen.state.is_some());
        assert_eq!(seen.joint.map(|it| it[0]), seen.own);
        assert_eq!(position.legal().len(), 2);
        let lost = advance(&mut position, &["(guess heads)"], "(guess heads)");
        assert!(matches!(lost, Err(Lost::Count { .. })));
        assert_eq!(position.observation().joint, None);
    }
}
