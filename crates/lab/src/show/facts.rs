//! What holds in a state, as text.

use game::{Game, Scratch, State, TermId, Unanswered, View};
use picture::Board;

/// Why a joint move was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlayed {
    /// There is no state to play it in.
    #[error("the match is over before it")]
    Over,
    /// It cannot be read.
    #[error("not a list of moves such as `(mark 1 1) noop`")]
    NoMoves,
    /// It has not one move for each role.
    #[error("it needs one move for each of {roles}, and has {found}")]
    Count {
        /// The roles.
        roles: String,
        /// How many moves it has.
        found: usize,
    },
    /// A move is not legal.
    #[error("`{action}` is not legal for {role}; legal: {legal}")]
    Illegal {
        /// The move.
        action: String,
        /// The role.
        role: String,
        /// Its legal moves, or some of them.
        legal: String,
    },
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// Why a match was not played so far.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misplayed {
    /// A joint move was not played.
    #[error("joint move {number}, `{joint}`: {reason}")]
    Joint {
        /// Its number, from 1.
        number: usize,
        /// Its text.
        joint: String,
        /// The reason.
        reason: NotPlayed,
    },
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// All fluents that can hold, if the game has a ground program.
pub fn fluents(game: &Game) -> Option<Vec<String>> {
    let ground = game.ground()?;
    let fluents = ground.fluents().iter();
    Some(fluents.map(|&it| ground.terms().text(it)).collect())
}

/// A match, as far as it was played.
#[derive(Debug)]
pub struct Played<'g> {
    game: &'g Game,
    scratch: Scratch,
    state: State,
    view: View,
    /// What each role saw of the last joint move.
    percepts: Vec<Vec<TermId>>,
}

impl<'g> Played<'g> {
    /// The match before its first turn.
    pub fn new(game: &'g Game) -> Result<Played<'g>, Unanswered> {
        let mut scratch = game.scratch();
        let state = game.initial(&mut scratch)?;
        let view = game.view(&mut scratch, &state)?;
        Ok(Played {
            game,
            scratch,
            state,
            view,
            percepts: Vec::new(),
        })
    }

    /// The match after some joint moves.
    pub fn after(game: &'g Game, joints: &[String]) -> Result<Played<'g>, Misplayed> {
        let mut played = Played::new(game)?;
        for (number, joint) in (1..).zip(joints) {
            played.play(joint).map_err(|reason| Misplayed::Joint {
                number,
                joint: joint.clone(),
                reason,
            })?;
        }
        Ok(played)
    }

    /// All that holds: GDL, sorted.
    pub fn facts(&self) -> Vec<String> {
        let fluents = self.fluents().into_iter();
        let mut facts: Vec<String> = fluents.map(|it| format!("(true {it})")).collect();
        facts.extend(self.consequences());
        facts.sort();
        facts
    }

    /// The picture of the state, given all fluents that can hold, if they are known.
    pub fn picture(&self, fluents: Option<&[String]>) -> String {
        let state = self.fluents();
        Board::new(fluents.unwrap_or(&state)).draw(&state)
    }

    fn play(&mut self, joint: &str) -> Result<(), NotPlayed> {
        if self.view.terminal {
            return Err(NotPlayed::Over);
        }
        let joint = self.joint(joint)?;
        for (role, action) in joint.iter().enumerate() {
            if !self.view.legal[role].contains(action) {
                return Err(self.illegal(role, *action));
            }
        }
        let (state, percepts) = self.game.next(&mut self.scratch, &self.state, &joint)?;
        self.view = self.game.view(&mut self.scratch, &state)?;
        (self.state, self.percepts) = (state, percepts);
        Ok(())
    }

    /// A joint move from its text: one move a role, in their order.
    fn joint(&mut self, text: &str) -> Result<Vec<TermId>, NotPlayed> {
        let limits = gdl::ReadLimits::default();
        let tree = gdl::read(text.into(), Some(gdl::Syntax::Prefix), &limits);
        let forms = tree.forms();
        let moves = forms.map(|form| self.game.term(&mut self.scratch, form));
        let moves = moves.collect::<Option<Vec<TermId>>>();
        let moves = moves.filter(|_| tree.is_whole());
        let moves = moves.ok_or(NotPlayed::NoMoves)?;
        let roles: Vec<String> = self.game.roles().iter().map(|&it| self.text(it)).collect();
        match moves.len() {
            found if found == roles.len() => Ok(moves),
            found => Err(NotPlayed::Count {
                roles: roles.join(", "),
                found,
            }),
        }
    }

    fn illegal(&self, role: usize, action: TermId) -> NotPlayed {
        const SHOWN: usize = 10;
        let legal = &self.view.legal[role];
        let mut texts: Vec<String> = legal.iter().map(|&it| self.text(it)).collect();
        texts.sort();
        if texts.len() > SHOWN {
            texts.truncate(SHOWN);
            texts.push("…".to_string());
        }
        NotPlayed::Illegal {
            action: self.text(action),
            role: self.text(self.game.roles()[role]),
            legal: texts.join(" "),
        }
    }

    fn fluents(&self) -> Vec<String> {
        let fluents = self.state.fluents().iter();
        fluents.map(|&fluent| self.text(fluent)).collect()
    }

    /// What follows from the state, and what was seen on the way to it: GDL, sorted.
    pub fn consequences(&self) -> Vec<String> {
        let View {
            terminal,
            legal,
            goals,
        } = &self.view;
        let mut facts: Vec<String> = Vec::new();
        facts.extend(terminal.then(|| "terminal".to_string()));
        for (relation, by_role) in [("legal", legal), ("goal", goals), ("sees", &self.percepts)] {
            for (&role, terms) in self.game.roles().iter().zip(by_role) {
                let role = self.text(role);
                let fact = |&term: &TermId| format!("({relation} {role} {})", self.text(term));
                facts.extend(terms.iter().map(fact));
            }
        }
        facts.sort();
        facts
    }

    fn text(&self, term: TermId) -> String {
        self.scratch.terms().text(term)
    }
}
