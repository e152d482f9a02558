//! How fast a player searches from the initial state, and how its time divides.

use super::{Settings, Subject};
use game::Game;
use players::{BadOption, Budget, Recruiter, Refusal, Seat, roster};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Why a player was not measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSearch {
    /// There is no such player.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// It does not play the game.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// It counts nothing.
    #[error("{0} does not search: there is nothing to measure")]
    Thoughtless(String),
}

/// How fast a player searched.
#[derive(Clone, Debug, Serialize)]
pub struct Search {
    /// What the game is called.
    pub game: String,
    /// The player, with its options.
    pub player: String,
    /// In how many threads it searched.
    pub threads: usize,
    /// How long it took to load the game.
    pub load_seconds: f64,
    /// Iterations in a second.
    pub iterations_per_second: f64,
    /// Playouts in a second.
    pub playouts_per_second: f64,
    /// The share of the time spent going down and up the tree.
    pub tree: f64,
    /// The share of the time spent finding new states, their moves and goals.
    pub states: f64,
    /// The share of the time spent on playouts.
    pub playouts: f64,
}

impl Search {
    /// Lets a player search from the initial state until the time is over, or all is proven.
    pub fn measure(
        game: &Arc<Game>,
        (player, subject): (&str, Subject),
        (settings, helpers): (&Settings, Option<Arc<dyn Recruiter>>),
    ) -> Result<Search, NoSearch> {
        let seat = Seat {
            game: Arc::clone(game),
            role: game.players().next().unwrap_or_default(),
            seed: settings.seed,
            threads: settings.threads,
            memory: None,
            helpers,
        };
        let mut searching = roster::player(player, seat)?;
        searching.make_ready();
        let began = Instant::now();
        let until = began + Duration::from_secs_f64(settings.seconds);
        searching.start(&Budget::Until(until))?;
        let seconds = began.elapsed().as_secs_f64();
        let work = searching.work();
        let spent = [work.spent.tree, work.spent.states, work.spent.evaluation];
        let spent = spent.map(|it| it.as_secs_f64());
        let all: f64 = spent.iter().sum();
        if work.iterations == 0 {
            return Err(NoSearch::Thoughtless(player.to_string()));
        }
        let [tree, states, playouts] = spent.map(|it| it / all.max(f64::MIN_POSITIVE));
        Ok(Search {
            game: subject.game,
            player: player.to_string(),
            threads: settings.threads,
            load_seconds: subject.load_seconds,
            iterations_per_second: work.iterations as f64 / seconds,
            playouts_per_second: work.playouts as f64 / seconds,
            tree,
            states,
            playouts,
        })
    }

    /// The figures on a line.
    pub fn line(&self) -> String {
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        format!(
            "{}: loaded in {:.2} s; {} {:.0} iterations/s, {:.0} playouts/s; {} tree, {} states, {} playouts",
            self.game,
            self.load_seconds,
            self.player,
            self.iterations_per_second,
            self.playouts_per_second,
            percent(self.tree),
            percent(self.states),
            percent(self.playouts),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Limits;

    const RULES: &str = "(role a) (role b) (init (turn a)) (init (n 0))
        (<= (legal ?r (say ?x)) (true (turn ?r)) (number ?x))
        (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
        (number 1) (number 2) (number 3) (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
        (after 5 6) (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
        (<= (next (n ?m)) (true (n ?n)) (after ?n ?m)) (<= (next (said ?r ?x)) (does ?r (say ?x)))
        (<= terminal (true (n 6))) (<= (goal a 100) (true (said b 1)))
        (<= (goal a 0) (not (true (said b 1)))) (<= (goal b 100) (not (true (said b 1))))
        (<= (goal b 0) (true (said b 1)))";

    #[test]
    fn shares_of_the_time_sum_up() {
        let game = Game::load(RULES, &Limits::default()).unwrap();
        let game = Arc::new(game);
        let subject = || Subject {
            game: "small".to_string(),
            engine: "lanes",
            load_seconds: 0.0,
        };
        let settings = Settings {
            threads: 1,
            seconds: 0.05,
            seed: 1,
        };
        for player in ["uct", "mac-ucb"] {
            let search = Search::measure(&game, (player, subject()), (&settings, None)).unwrap();
            let sum = search.tree + search.states + search.playouts;
            assert!((sum - 1.0).abs() < 1e-9, "{}", search.line());
            assert!(search.iterations_per_second > 0.0);
        }
        assert!(game.ahead_so_far().is_some(), "networks are ready");
        let random = Search::measure(&game, ("random", subject()), (&settings, None));
        assert_eq!(random.unwrap_err(), NoSearch::Thoughtless("random".into()));
    }
}
