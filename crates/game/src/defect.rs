//! Defects of games: what rules can get wrong that only shows in play.
//!
//! A [`Defect`] concerns one state. [`Broken`] adds where it was met: the turn, the state and the
//! joint moves before it, so that an author can see it again. A game with a defect has no result:
//! whoever meets one names it instead of a score.

use crate::{
    Bits, BitsBuf, Game, Joints, MoveId, RoleId, Scratch, State, TermId, Unanswered, View, Walk,
};
use std::collections::HashSet;
use std::fmt;

/// What is wrong in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A role has no legal move, and the match is not over.
    NoMove(RoleId),
    /// The match is over, and a role has no goal.
    NoGoal(RoleId),
    /// The match is over, and a role has several goals.
    SeveralGoals(RoleId, Vec<TermId>),
    /// The match is over, and a goal is not a whole number from 0 to 100.
    GoalValue(RoleId, TermId),
    /// From here no end can be reached, whatever the roles do.
    Endless {
        /// How many states can follow; 0 if no state of the game is an end.
        states: usize,
    },
    /// The match was given up after a number of turns.
    TooLong {
        /// How often the last state had come up before.
        repeats: usize,
    },
    /// The rules give no answer.
    Unanswered(Unanswered),
}

impl Defect {
    /// A stable word for it, for tables and files.
    pub fn name(&self) -> &'static str {
        match self {
            Defect::NoMove(_) => "no-legal-move",
            Defect::NoGoal(_) => "no-goal",
            Defect::SeveralGoals(..) => "several-goals",
            Defect::GoalValue(..) => "goal-out-of-range",
            Defect::Endless { .. } => "endless",
            Defect::TooLong { .. } => "too-long",
            Defect::Unanswered(_) => "no-answer",
        }
    }
}

/// A defect, and where it was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What is wrong.
    pub defect: Defect,
    /// The state in which it shows.
    pub state: State,
    /// The joint moves that lead there from the initial state.
    pub moves: Vec<Vec<TermId>>,
}

impl Broken {
    /// How many turns were made before.
    pub fn turns(&self) -> usize {
        self.moves.len()
    }

    /// What is wrong, in a line without the state.
    pub fn summary(&self, game: &Game) -> String {
        self.told(game).summary()
    }

    /// The defect in words: what is wrong, the turn, the state, and the moves that lead there.
    pub fn told<'b>(&'b self, game: &'b Game) -> Told<'b> {
        Told {
            broken: self,
            game,
            scratch: game.scratch(),
        }
    }
}

/// How many characters of a state or of the moves are printed.
const MOST: usize = 600;

/// A defect that can be printed.
pub struct Told<'b> {
    broken: &'b Broken,
    game: &'b Game,
    scratch: Scratch,
}

impl Told<'_> {
    fn text(&self, term: TermId) -> String {
        self.scratch.terms().text(term)
    }

    fn role(&self, role: RoleId) -> String {
        self.text(self.game.roles()[role.index()])
    }

    /// What is wrong, in a line without the state.
    pub fn summary(&self) -> String {
        let turns = self.broken.turns();
        let after = match turns {
            0 => "in the first state".to_string(),
            1 => "after 1 turn".to_string(),
            _ => format!("after {turns} turns"),
        };
        match &self.broken.defect {
            Defect::NoMove(role) => {
                let role = self.role(*role);
                format!("{after} role `{role}` has no legal move, and the match is not over")
            }
            Defect::NoGoal(role) => {
                format!(
                    "the match is over {after}, and role `{}` has no goal",
                    self.role(*role)
                )
            }
            Defect::SeveralGoals(role, goals) => {
                let goals: Vec<String> = goals.iter().map(|&it| self.text(it)).collect();
                let (role, goals) = (self.role(*role), goals.join(", "));
                format!("the match is over {after}, and role `{role}` has several goals: {goals}")
            }
            Defect::GoalValue(role, goal) => format!(
                "the match is over {after}, and the goal `{}` of role `{}` is not a whole number \
                 from 0 to 100",
                shortened(&self.text(*goal)),
                self.role(*role)
            ),
            Defect::Endless { states: 0 } => "no match can end: no state is terminal".to_string(),
            Defect::Endless { states: 1 } => {
                format!("{after} the match cannot end: the same state follows for ever")
            }
            Defect::Endless { states } => format!(
                "{after} the match cannot end: only {states} states can follow, and none is terminal"
            ),
            Defect::TooLong { repeats: 0 } => {
                format!("the match was given up {after}: it did not end")
            }
            Defect::TooLong { repeats } => format!(
                "the match was given up {after}: it did not end, and its state had come up \
                 {repeats} times before"
            ),
            Defect::Unanswered(reason) => format!("{after} the rules give no answer: {reason}"),
        }
    }

    /// The state, as far as it is easily read.
    pub fn state(&self) -> String {
        let fluents = self.broken.state.fluents().iter();
        let fluents: Vec<String> = fluents.map(|&it| self.text(it)).collect();
        match fluents.is_empty() {
            true => "nothing holds".to_string(),
            false => shortened(&fluents.join(" ")),
        }
    }

    /// The last joint moves, as many as are easily read.
    pub fn moves(&self) -> String {
        const LAST: usize = 20;
        let skipped = self.broken.turns().saturating_sub(LAST);
        let joints = self.broken.moves[skipped..].iter().map(|joint| {
            let texts: Vec<String> = joint.iter().map(|&it| self.text(it)).collect();
            texts.join(" ")
        });
        let joints: Vec<String> = joints.collect();
        let before = match skipped {
            0 => String::new(),
            _ => format!("… {skipped} turns; "),
        };
        before + &shortened(&joints.join("; "))
    }
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  state: {}", self.summary(), self.state())?;
        match self.broken.moves.is_empty() {
            true => Ok(()),
            false => write!(f, "\n  moves: {}", self.moves()),
        }
    }
}

/// A text that fits a few lines.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_string(),
    }
}

/// A goal as the language has it: a whole number from 0 to 100, without a sign or blanks.
pub fn goal_value(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|it| it.is_ascii_digit());
    let value = digits.then(|| text.parse().ok()).flatten();
    value.filter(|&it| it <= 100)
}

impl Game {
    /// What is wrong with a state of which this follows; nothing is said about what comes later.
    pub fn defect(&self, view: &View) -> Option<Defect> {
        if !view.terminal {
            let stuck = self.role_ids().find(|it| view.legal[it.index()].is_empty());
            return stuck.map(Defect::NoMove);
        }
        let scratch = self.scratch();
        self.players().find_map(|role| {
            let goals = &view.goals[role.index()];
            match goals[..] {
                [] => Some(Defect::NoGoal(role)),
                [goal] => {
                    let right = goal_value(scratch.terms().name(goal)).is_some();
                    (!right).then_some(Defect::GoalValue(role, goal))
                }
                _ => Some(Defect::SeveralGoals(role, goals.clone())),
            }
        })
    }

    /// Whether no match can ever end, as the rules without variables tell.
    pub fn never_ends(&self) -> bool {
        (self.ground()).is_some_and(|it| it.terminal() == logic::Literal::FALSE)
    }

    /// The number of states that can follow a state, itself included, if there are at most
    /// `limit` joint moves between them and none of them is terminal or without a legal move: then
    /// no match ends from there. None if that is not so, or not known.
    pub fn endless(&self, walk: &mut Walk<'_>, state: &Bits, limit: usize) -> Option<usize> {
        let mut seen: HashSet<BitsBuf> = HashSet::new();
        let mut open = vec![state.to_owned()];
        seen.insert(state.to_owned());
        let mut tried = 0;
        while let Some(state) = open.pop() {
            walk.load(&state);
            if walk.terminal() || walk.failure().is_some() {
                return None;
            }
            let legal: Vec<Vec<MoveId>> = self.role_ids().map(|role| walk.legal(role)).collect();
            let joints = Joints::new(&legal)?;
            let left = limit - tried;
            let count = Some(joints.len()).filter(|it| (1..=left).contains(it))?;
            tried += count;
            for joint in joints {
                walk.load(&state);
                walk.play(&joint);
                let next = walk.state().to_owned();
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        Some(seen.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn game(rules: &str) -> Game {
        Game::load(rules, &Limits::default()).expect("the rules are right")
    }

    #[test]
    fn a_match_that_only_goes_round_is_endless() {
        let rules = "(role a) (init (at 1)) (legal a go) (legal a stay)
            (<= (next (at 2)) (does a go) (true (at 1))) (<= (next (at 1)) (does a go) (true (at 2)))
            (<= (next (at ?x)) (does a stay) (true (at ?x)))
            (<= (next (at 3)) (true (at 4)))
            (<= terminal (true (at 3))) (goal a 100)";
        let game = game(rules);
        let mut walk = game.walk();
        let first = walk.state().to_owned();
        assert_eq!(game.endless(&mut walk, &first, 100), Some(2));
        assert_eq!(game.endless(&mut walk, &first, 2), None);
        let open = rules.replace("(true (at 4))", "(true (at 2)) (does a go)");
        let game = self::game(&open);
        let mut walk = game.walk();
        let first = walk.state().to_owned();
        assert_eq!(game.endless(&mut walk, &first, 100), None);
    }

    #[test]
    fn only_whole_numbers_up_to_a_hundred_are_goals() {
        let right = ["0", "50", "100", "007"];
        assert!(right.iter().all(|it| goal_value(it).is_some()));
        let wrong = ["-1", "101", "+5", "9223372036854775807", "x", "", "1.5"];
        assert!(wrong.iter().all(|it| goal_value(it).is_none()));
    }
}
