//! A match of random moves, for people to read.
//!
//! Takes a game, a seed and a number of turns, and gives the first state, every turn, the last
//! state and the goals. A turn is the moves of those who had a choice, what roles saw, and which
//! fluents went and came. The same seed gives the same text, whichever engine answers and
//! however players change: moves are drawn from their texts in order.

use crate::random;
use game::{Game, RoleId, Scratch, State, TermId, Unanswered, View};
use picture::Board;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// No line of fluents is longer, unless one of them is.
const COLUMNS: usize = 100;

/// Which match, and how much of it.
#[derive(Copy, Clone, Debug)]
pub struct Choice {
    /// The seed of the random moves.
    pub seed: u64,
    /// After how many turns the match is cut.
    pub turns: usize,
}

/// The text of a match.
pub fn playthrough(game: &Game, choice: &Choice) -> Result<String, Unanswered> {
    let mut played = Playthrough::new(game, choice.seed);
    played.play(choice.turns)?;
    Ok(played.text)
}

struct Playthrough<'g> {
    game: &'g Game,
    scratch: Scratch,
    random: Xoshiro256PlusPlus,
    text: String,
}

impl<'g> Playthrough<'g> {
    fn new(game: &'g Game, seed: u64) -> Playthrough<'g> {
        Playthrough {
            game,
            scratch: game.scratch(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            text: String::new(),
        }
    }

    fn play(&mut self, turns: usize) -> Result<(), Unanswered> {
        let mut state = self.game.initial(&mut self.scratch)?;
        self.draw(&state);
        for turn in 0.. {
            let view = self.game.view(&mut self.scratch, &state)?;
            let stuck = view.legal.iter().any(Vec::is_empty);
            if view.terminal || stuck || turn == turns {
                self.draw(&state);
                self.end(&view, turn);
                break;
            }
            let joint = self.joint(&view);
            let (next, percepts) = self.game.next(&mut self.scratch, &state, &joint)?;
            self.text += &format!("{:3}  {}\n", turn + 1, self.moves(&view, &joint));
            self.percepts(&percepts);
            self.change(&state, &next);
            state = next;
        }
        Ok(())
    }

    /// The picture of a state between empty lines.
    fn draw(&mut self, state: &State) {
        let facts = self.texts(state.fluents());
        let all = self.game.fluents().map(|it| self.texts(it));
        let picture = Board::new(all.as_ref().unwrap_or(&facts)).draw(&facts);
        self.text += &format!("\n{picture}\n\n");
    }

    /// A move for each role, drawn from its legal ones in the order of their texts.
    fn joint(&mut self, view: &View) -> Vec<TermId> {
        let mut joint = Vec::new();
        for legal in &view.legal {
            let mut legal = legal.clone();
            legal.sort_by_cached_key(|&it| self.term(it));
            // A single move takes no random number: seeds that are written down depend on it.
            joint.extend(match legal[..] {
                [only] => Some(only),
                _ => random::any(&legal, &mut self.random).copied(),
            });
        }
        joint
    }

    /// What was done, left out who could only wait.
    fn moves(&self, view: &View, joint: &[TermId]) -> String {
        let said = |role: usize| {
            let name = match self.is_chance(role) {
                true => "chance draws".to_string(),
                false => self.term(self.game.roles()[role]),
            };
            format!("{name} {}", self.term(joint[role]))
        };
        // A single move with arguments is no waiting, though nothing was chosen.
        let acts =
            |&role: &usize| view.legal[role].len() > 1 || self.term(joint[role]).starts_with('(');
        let mut shown: Vec<usize> = (0..joint.len()).filter(acts).collect();
        if shown.is_empty() {
            shown = (0..joint.len()).filter(|&it| !self.is_chance(it)).collect();
        }
        let shown: Vec<String> = shown.into_iter().map(said).collect();
        shown.join(", ")
    }

    /// What roles saw that are not chance; what all saw is said once, and nothing not at all.
    fn percepts(&mut self, percepts: &[Vec<TermId>]) {
        let seen = percepts.iter().zip(self.game.roles()).enumerate();
        let seen = seen.filter(|(role, _)| !self.is_chance(*role));
        let seen = seen.map(|(_, (seen, &role))| (self.term(role), self.sorted(seen)));
        let mut seen: Vec<(String, Vec<String>)> = seen.collect();
        if seen.len() > 1 && seen.iter().all(|(_, it)| *it == seen[0].1) {
            seen.truncate(1);
            seen[0].0 = "all see ".to_string();
        } else {
            seen.iter_mut().for_each(|(role, _)| *role += " sees ");
        }
        for (head, seen) in seen.iter().filter(|(_, seen)| !seen.is_empty()) {
            self.text += &wrapped(head, seen);
        }
    }

    /// Which fluents went, and which came.
    fn change(&mut self, before: &State, after: &State) {
        let apart = |these: &State, those: &State| -> Vec<TermId> {
            let these = these.fluents().iter().copied();
            these.filter(|it| !those.fluents().contains(it)).collect()
        };
        for (sign, fluents) in [("- ", apart(before, after)), ("+ ", apart(after, before))] {
            if !fluents.is_empty() {
                self.text += &wrapped(sign, &self.sorted(&fluents));
            }
        }
    }

    /// How it ended, and the goals.
    fn end(&mut self, view: &View, turns: usize) {
        let turns = match turns {
            1 => "1 turn".to_string(),
            _ => format!("{turns} turns"),
        };
        self.text += &match view.terminal {
            true => format!("over after {turns}\n"),
            false if view.legal.iter().any(Vec::is_empty) => {
                format!("a role has no move after {turns}\n")
            }
            false => format!("cut after {turns}; the match would go on\n"),
        };
        let goals = view.goals.iter().enumerate();
        for (role, goals) in goals.filter(|_| view.terminal) {
            if !self.is_chance(role) {
                let (name, goals) = (self.term(self.game.roles()[role]), self.sorted(goals));
                self.text += &format!("{name}: {}\n", goals.join(", "));
            }
        }
    }

    fn is_chance(&self, role: usize) -> bool {
        self.game.chance().map(RoleId::index) == Some(role)
    }

    fn sorted(&self, terms: &[TermId]) -> Vec<String> {
        let mut texts = self.texts(terms);
        texts.sort();
        texts
    }

    fn texts(&self, terms: &[TermId]) -> Vec<String> {
        terms.iter().map(|&it| self.term(it)).collect()
    }

    fn term(&self, term: TermId) -> String {
        self.scratch.terms().text(term)
    }
}

/// Texts on lines that begin below the moves of a turn, the first of them with a head.
fn wrapped(head: &str, texts: &[String]) -> String {
    let mut lines = vec![format!("     {head}")];
    for (number, text) in texts.iter().enumerate() {
        let last = lines.last_mut().expect("there is a first line");
        let fits = last.chars().count() + 1 + text.chars().count() <= COLUMNS;
        match (number, fits) {
            (0, _) => last.push_str(text),
            (_, true) => *last += &format!(" {text}"),
            (_, false) => lines.push(format!("     {:1$}{text}", "", head.chars().count())),
        }
    }
    lines.join("\n") + "\n"
}
