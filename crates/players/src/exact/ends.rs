//! The goals of ends: what is solved needs one from 0 to 100 for each player.

use super::Unsolved;
use game::{Game, RoleId, TermId, Walk};

/// The highest goal.
const MOST: i64 = 100;

/// Checks the ends of a game.
#[derive(Debug)]
pub(super) struct Ends<'g> {
    game: &'g Game,
    /// For each role, whether the rules know a goal of it that is no number from 0 to 100: engines
    /// take it for another number.
    odd: Vec<bool>,
}

impl<'g> Ends<'g> {
    pub(super) fn new(game: &'g Game) -> Ends<'g> {
        let scratch = game.scratch();
        let is_odd = |goal: TermId| !is_number(&scratch.terms().text(goal));
        let of_role = |role: RoleId| {
            let goals = game.ground().map(|program| program.goals(role));
            goals.is_none_or(|goals| goals.iter().any(|&(goal, _)| is_odd(goal)))
        };
        Ends {
            odd: game.role_ids().map(of_role).collect(),
            game,
        }
    }

    /// Whether engines know the goals of all players as numbers.
    pub(super) fn are_even(&self) -> bool {
        self.game.players().all(|role| !self.odd[role.index()])
    }

    /// Checks the goals of the end that a walk is in.
    pub(super) fn check(&self, walk: &mut Walk<'_>) -> Result<(), Unsolved> {
        for role in self.game.players() {
            let is_one = walk.goal(role).is_some();
            if !is_one || self.odd[role.index()] {
                self.check_terms(role, &walk.view(self.game).goals[role.index()])?;
            }
        }
        Ok(())
    }

    fn check_terms(&self, role: RoleId, goals: &[TermId]) -> Result<(), Unsolved> {
        let scratch = self.game.scratch();
        let texts: Vec<String> = goals.iter().map(|&it| scratch.terms().text(it)).collect();
        if let [only] = &texts[..]
            && is_number(only)
        {
            return Ok(());
        }
        Err(Unsolved::Goal {
            role: scratch.terms().text(self.game.roles()[role.index()]),
            goals: match texts.is_empty() {
                true => "none".to_string(),
                false => texts.join(" and "),
            },
        })
    }
}

/// Whether a goal is a number from 0 to 100.
fn is_number(goal: &str) -> bool {
    goal.parse().is_ok_and(|it: i64| (0..=MOST).contains(&it))
}
