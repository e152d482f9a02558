//! Results of the matches of an experiment.

use crate::schedule::{Pairing, Schedule};
use std::collections::BTreeMap;
use std::iter::Sum;

/// A match that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResult {
    /// The number of its series.
    pub series: usize,
    /// Its number in the series.
    pub number: u32,
    /// Its seed.
    pub seed: u64,
    /// The results of the seats.
    pub seats: Vec<SeatResult>,
    /// How many turns it took.
    pub turns: usize,
    /// Whether it reached a terminal state.
    pub completed: bool,
    /// What is wrong with the game, if that ended the match: then the game has no scores.
    pub broken: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// How many threads each player was allowed.
    pub threads: usize,
}

/// The result of a seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SeatResult {
    /// The number of the role.
    pub role: usize,
    /// Its side.
    pub side: usize,
    /// Its goal, if there was one.
    pub goal: Option<i64>,
    /// In how many turns its player was at fault.
    pub faults: u32,
    /// In how many turns its move came later than its clock, and was taken all the same.
    pub slow: u32,
}

impl MatchResult {
    /// The mean goal of a side's seats, from 0 to 1. No goal counts as 0.
    pub fn goal(&self, side: usize) -> f64 {
        let goals = self.seats.iter().filter(|seat| seat.side == side);
        let goals = goals.map(|seat| seat.goal.unwrap_or(0).clamp(0, 100) as f64);
        let (sum, count) = goals.fold((0.0, 0.0), |(sum, count), goal| (sum + goal, count + 1.0));
        sum / f64::max(count, 1.0) / 100.0
    }

    /// How many moves a side was asked for, and how they came.
    pub fn conduct(&self, side: usize) -> Conduct {
        let seats = self.seats.iter().filter(|seat| seat.side == side);
        let conduct = seats.map(|seat| Conduct {
            moves: self.turns as u64,
            faults: seat.faults.into(),
            slow: seat.slow.into(),
        });
        conduct.sum()
    }
}

/// How many moves a player was asked for, and how they came.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// All of them.
    pub moves: u64,
    /// Faults: legal moves were put in their place.
    pub faults: u64,
    /// Moves that came later than their clocks, and were taken all the same.
    pub slow: u64,
}

impl Sum for Conduct {
    fn sum<I: Iterator<Item = Conduct>>(all: I) -> Conduct {
        all.fold(Conduct::default(), |sum, it| Conduct {
            moves: sum.moves + it.moves,
            faults: sum.faults + it.faults,
            slow: sum.slow + it.slow,
        })
    }
}

/// The goals, in 0–1, of two players in a match, or in one match each in a game of one seat.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Duel {
    /// The goal of the first.
    pub first: f64,
    /// The goal of the second, if there is one.
    pub second: Option<f64>,
    /// The number of matches that reached no terminal state.
    pub unfinished: u32,
}

impl Duel {
    /// The score of the first player, in 0–1: a half plus half the difference of goals. If goals
    /// sum to 100, this is its goal.
    pub fn score(&self) -> f64 {
        match self.second {
            Some(second) => 0.5 + (self.first - second) / 2.0,
            None => self.first,
        }
    }
}

/// All results, by series and number.
#[derive(Clone, Debug, Default)]
pub struct Results {
    matches: BTreeMap<(usize, u32), MatchResult>,
}

impl Results {
    /// Adds the result of a match that has none yet.
    pub fn add(&mut self, result: MatchResult) {
        let old = self.matches.insert((result.series, result.number), result);
        debug_assert!(old.is_none(), "a match is counted once");
    }

    /// The result of a match.
    pub fn get(&self, series: usize, number: u32) -> Option<&MatchResult> {
        self.matches.get(&(series, number))
    }

    /// All results, in the order of series and numbers.
    pub fn iter(&self) -> impl Iterator<Item = &MatchResult> {
        self.matches.values()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.matches.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty()
    }

    /// A match that ended because its game is broken, for each broken game.
    pub fn broken<'r>(&'r self, schedule: &Schedule) -> BTreeMap<usize, &'r MatchResult> {
        let mut broken = BTreeMap::new();
        for result in self.iter().filter(|it| it.broken.is_some()) {
            broken
                .entry(schedule.series[result.series].game)
                .or_insert(result);
        }
        broken
    }

    /// Removes matches beyond the number wanted of each series.
    pub fn keep(&mut self, schedule: &Schedule, matches: u32) {
        self.matches
            .retain(|&(series, number), _| number < schedule.length(series, matches));
    }

    /// The duel of match `number` of a pairing, if all its results are there.
    pub fn duel(&self, pairing: &Pairing, number: u32) -> Option<Duel> {
        let mut results = pairing.series.iter().map(|&it| self.get(it, number));
        let (one, other) = (results.next()??, results.next());
        let (second, unfinished) = match other {
            Some(other) => {
                let other = other?;
                (Some(other.goal(0)), u32::from(!other.completed))
            }
            None => (pairing.second.map(|_| one.goal(1)), 0),
        };
        Some(Duel {
            first: one.goal(0),
            second,
            unfinished: unfinished + u32::from(!one.completed),
        })
    }

    /// The duels of a pairing, in order, up to the first that is missing.
    pub fn duels<'r>(&'r self, pairing: &'r Pairing) -> impl Iterator<Item = Duel> + 'r {
        (0..).map_while(|number| self.duel(pairing, number))
    }
}
