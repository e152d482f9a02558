//! Who is how good: results → tables.
//!
//! Matches that share a seed, with seats swapped, are one value of a mean: only such pairs are
//! independent of each other. Matches count in the order of their numbers up to the first
//! that is missing, or up to the verdict if there is one.

use crate::interval::{Interval, Moments};
use crate::judge::Judge;
use crate::rating::{self, Points, Rating};
use crate::results::{Duel, Results};
use crate::schedule::{Pairing, Schedule};
use serde::Serialize;

/// All tables of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// Every pairing in every game.
    pub pairings: Vec<Row>,
    /// Every two players in all games together.
    pub totals: Vec<Row>,
    /// The players.
    pub players: Vec<PlayerRow>,
    /// Whether draws were added to rate players of which one never got a point.
    pub draws_added: bool,
}

/// Two players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The game; none if it is all of them.
    pub game: Option<String>,
    /// The first player.
    pub first: String,
    /// The second, if there is one.
    pub second: Option<String>,
    /// How many matches count; on one's own, matches of each.
    pub matches: u32,
    /// How often the first had the larger goal.
    pub wins: u32,
    /// How often both had the same goal.
    pub draws: u32,
    /// How often the second had the larger goal.
    pub losses: u32,
    /// The mean goal of the first, 0–100.
    pub first_goal: f64,
    /// The mean goal of the second.
    pub second_goal: Option<f64>,
    /// The score of the first, 0–1.
    pub score: Interval,
    /// Who is better, if the test has told.
    pub better: Option<String>,
    /// How many matches did not come to an end.
    pub unfinished: u32,
}

/// A player among the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerRow {
    /// The player.
    pub player: String,
    /// Its rating, if all players met.
    pub rating: Option<Rating>,
    /// In how many turns it was at fault.
    pub faults: u32,
}

/// The score after some matches.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Point {
    /// How many matches.
    pub matches: u32,
    /// The score.
    pub score: Interval,
}

/// What is summed up of the matches of two players.
#[derive(Clone, Debug, Default)]
struct Sums {
    matches: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    goals: (f64, f64),
    unfinished: u32,
    scores: Moments,
    /// The matches of a pair that is not complete.
    open: Vec<f64>,
}

impl Sums {
    fn push(&mut self, duel: &Duel, swaps: u32) {
        self.matches += 1;
        self.goals.0 += duel.first;
        self.unfinished += duel.unfinished;
        if let Some(second) = duel.second {
            self.goals.1 += second;
            match duel.first.total_cmp(&second) {
                std::cmp::Ordering::Greater => self.wins += 1,
                std::cmp::Ordering::Equal => self.draws += 1,
                std::cmp::Ordering::Less => self.losses += 1,
            }
        }
        self.open.push(duel.score());
        if self.open.len() == swaps as usize {
            self.close();
        }
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            let mean = self.open.iter().sum::<f64>() / self.open.len() as f64;
            self.scores.push(mean);
            self.open.clear();
        }
    }

    /// The row of these sums. A pair that is not complete counts as it is.
    fn row(&self, schedule: &Schedule, (first, second): (usize, Option<usize>)) -> Row {
        let mut closed = self.clone();
        closed.close();
        let player = |it: usize| schedule.experiment.players[it].clone();
        let mean = |sum: f64| 100.0 * sum / f64::from(self.matches.max(1));
        Row {
            game: None,
            first: player(first),
            second: second.map(player),
            matches: self.matches,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            first_goal: mean(self.goals.0),
            second_goal: second.map(|_| mean(self.goals.1)),
            score: closed.scores.interval(),
            better: None,
            unfinished: self.unfinished,
        }
    }
}

/// Results with what counts of them.
struct Count<'c> {
    schedule: &'c Schedule,
    results: &'c Results,
    judge: Judge,
}

impl<'c> Count<'c> {
    fn new(schedule: &'c Schedule, results: &'c Results, error: Option<f64>) -> Count<'c> {
        let mut judge = Judge::new(schedule, error);
        judge.update(schedule, results);
        Count {
            schedule,
            results,
            judge,
        }
    }

    /// What the matches of a pairing say that count, and how many of them share a seed.
    fn duels(&self, number: usize) -> (impl Iterator<Item = Duel>, u32) {
        let pairing = &self.schedule.pairings[number];
        let verdict = self.judge.verdict(number);
        let most = verdict.map_or(usize::MAX, |verdict| verdict.matches as usize);
        let swaps = self.schedule.swaps(pairing.series[0]);
        (self.results.duels(pairing).take(most), swaps)
    }

    fn add(&self, number: usize, sums: &mut Sums) {
        let (duels, swaps) = self.duels(number);
        duels.for_each(|duel| sums.push(&duel, swaps));
        sums.close();
    }

    fn row(&self, number: usize) -> Row {
        let pairing = &self.schedule.pairings[number];
        let mut sums = Sums::default();
        self.add(number, &mut sums);
        let mut row = sums.row(self.schedule, (pairing.first, pairing.second));
        row.game = Some(self.schedule.experiment.games[pairing.game].name.clone());
        row.better = self.judge.verdict(number).and_then(|it| match it.better {
            0 => Some(row.first.clone()),
            _ => row.second.clone(),
        });
        row
    }

    /// Every two players in all games together, with what came of them.
    fn totals(&self) -> Vec<((usize, Option<usize>), Sums)> {
        let mut totals: Vec<((usize, Option<usize>), Sums)> = Vec::new();
        for (number, pairing) in self.schedule.pairings.iter().enumerate() {
            let players = (pairing.first, pairing.second);
            let place = totals.iter().position(|(other, _)| *other == players);
            let place = place.unwrap_or_else(|| {
                totals.push((players, Sums::default()));
                totals.len() - 1
            });
            self.add(number, &mut totals[place].1);
        }
        totals
    }

    /// In how many turns a player was at fault, in matches that count.
    fn faults(&self, player: usize) -> u32 {
        let series = self.schedule.series.iter().enumerate();
        let faults = series.map(|(number, series)| {
            let sides = (0..series.players.len()).filter(|&side| series.players[side] == player);
            let sides: Vec<usize> = sides.collect();
            let matches = (0..self.counted(number)).filter_map(|it| self.results.get(number, it));
            let faults = matches.flat_map(|it| sides.iter().map(|&side| it.faults(side)));
            faults.sum::<u32>()
        });
        faults.sum()
    }

    /// How many matches of a series count in some pairing.
    fn counted(&self, series: usize) -> u32 {
        let pairings = self.schedule.pairings.iter().enumerate();
        let concerned = pairings.filter(|(_, pairing)| pairing.series.contains(&series));
        let counts = concerned.map(|(number, _)| self.duels(number).0.count() as u32);
        counts.max().unwrap_or(0)
    }
}

impl Standings {
    /// The tables of results. With an error, pairings end where one player is better.
    pub fn new(schedule: &Schedule, results: &Results, error: Option<f64>) -> Standings {
        let count = Count::new(schedule, results, error);
        let totals = count.totals();
        let points = totals.iter().filter_map(|&((first, second), ref sums)| {
            let second = second.filter(|&second| second != first)?;
            Some(Points {
                players: (first, second),
                points: f64::from(sums.wins) + f64::from(sums.draws) / 2.0,
                matches: f64::from(sums.matches),
            })
        });
        let players = &schedule.experiment.players;
        let ratings = rating::rate(players.len(), &points.collect::<Vec<_>>());
        let rows = players.iter().enumerate().map(|(place, player)| PlayerRow {
            player: player.clone(),
            rating: ratings.as_ref().map(|ratings| ratings.players[place]),
            faults: count.faults(place),
        });
        Standings {
            pairings: (0..schedule.pairings.len())
                .map(|it| count.row(it))
                .collect(),
            totals: totals
                .iter()
                .map(|(players, sums)| sums.row(schedule, *players))
                .collect(),
            players: rows.collect(),
            draws_added: ratings.as_ref().is_some_and(|it| it.draws_added),
        }
    }
}

/// How the score of each pairing went, point by point.
pub fn curves<'s>(
    schedule: &'s Schedule,
    results: &Results,
    error: Option<f64>,
) -> Vec<(&'s Pairing, Vec<Point>)> {
    let count = Count::new(schedule, results, error);
    let curve = |number: usize| {
        let (duels, swaps) = count.duels(number);
        let mut sums = Sums::default();
        let points = duels.filter_map(|duel| {
            sums.push(&duel, swaps);
            sums.open.is_empty().then(|| Point {
                matches: sums.matches,
                score: sums.scores.interval(),
            })
        });
        points.collect()
    };
    let pairings = schedule.pairings.iter().enumerate();
    pairings
        .map(|(number, pairing)| (pairing, curve(number)))
        .collect()
}
