//! Results → tables of scores and ratings.
//!
//! Matches that share a seed, with seats swapped, are one value of a mean, as only such pairs are
//! independent. Matches count in the order of their numbers, up to the first that is missing or
//! up to the verdict.

use crate::interval::{Interval, Moments};
use crate::judge::Judge;
use crate::rating::{self, Points, Rating};
use crate::results::{Conduct, Duel, MatchResult, Results};
use crate::schedule::{Pair, Pairing, Schedule};
use serde::Serialize;
use std::collections::BTreeMap;

/// All tables of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// Every pairing in every game.
    pub pairings: Vec<Row>,
    /// Every pair of players in all games together.
    pub totals: Vec<Row>,
    /// The players.
    pub players: Vec<PlayerRow>,
    /// Whether draws were added, as some player never got a point.
    pub draws_added: bool,
    /// Games whose rules are broken: they have no scores, and count for nobody.
    pub broken: Vec<BrokenGame>,
}

/// A game whose rules are broken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BrokenGame {
    /// The game.
    pub game: String,
    /// What is wrong, with the state and the moves that lead there.
    pub reason: String,
}

/// The results of two players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The game; none for all games together.
    pub game: Option<String>,
    /// The first player.
    pub first: String,
    /// The second, if there is one.
    pub second: Option<String>,
    /// The number of matches that count; in games of one seat, of each player.
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
    /// The better player, if the test has decided.
    pub better: Option<String>,
    /// The number of matches that reached no terminal state.
    pub unfinished: u32,
}

/// The rating of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerRow {
    /// The player.
    pub player: String,
    /// Its rating, if matches connect all players.
    pub rating: Option<Rating>,
    /// The number of moves it was asked for.
    pub moves: u64,
    /// How many of them were faults: legal moves were put in their place.
    pub faults: u64,
    /// How many of them came later than the clock, and were taken all the same.
    pub slow: u64,
}

impl PlayerRow {
    /// Which share of its moves were faults, 0–1.
    pub fn fault_share(&self) -> f64 {
        self.faults as f64 / self.moves.max(1) as f64
    }
}

/// Whether faults leave a table worth anything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trust {
    /// Whether no player was at fault too often.
    pub trusted: bool,
    /// The share of a player's moves that may be faults, 0–1.
    pub faults_allowed: f64,
    /// The players that were at fault more often.
    pub at_fault: Vec<String>,
}

/// The score after some matches.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Point {
    /// The number of matches.
    pub matches: u32,
    /// The score.
    pub score: Interval,
}

/// Sums over the matches of two players.
#[derive(Clone, Debug, Default)]
struct Sums {
    matches: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    goals: (f64, f64),
    unfinished: u32,
    scores: Moments,
    /// The scores of matches whose swapped match is missing.
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

    /// The row of these sums. An incomplete pair of matches counts as it is.
    fn row(&self, schedule: &Schedule, Pair { first, second }: Pair) -> Row {
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

/// Sums of two players over all games.
struct Total {
    pair: Pair,
    sums: Sums,
}

/// Results, and the verdicts that limit which of them count.
struct Count<'c> {
    schedule: &'c Schedule,
    results: &'c Results,
    /// For each broken game a match that shows it.
    broken: BTreeMap<usize, &'c MatchResult>,
    judge: Judge,
}

impl<'c> Count<'c> {
    fn new(schedule: &'c Schedule, results: &'c Results, error: Option<f64>) -> Count<'c> {
        let mut judge = Judge::new(schedule, error);
        judge.update(schedule, results);
        Count {
            schedule,
            results,
            broken: results.broken(schedule),
            judge,
        }
    }

    /// The duels of a pairing that count, and how many of them share a seed.
    fn duels(&self, number: usize) -> (impl Iterator<Item = Duel>, u32) {
        let pairing = &self.schedule.pairings[number];
        let verdict = self.judge.verdict(number);
        let most = verdict.map_or(usize::MAX, |verdict| verdict.matches as usize);
        let most = if self.broken.contains_key(&pairing.game) {
            0
        } else {
            most
        };
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
        let mut row = sums.row(self.schedule, pairing.pair());
        row.game = Some(self.schedule.experiment.games[pairing.game].name.clone());
        row.better = self.judge.verdict(number).and_then(|it| match it.better {
            0 => Some(row.first.clone()),
            _ => row.second.clone(),
        });
        row
    }

    /// The pairings in games that are not broken.
    fn sound(&self) -> impl Iterator<Item = usize> {
        let pairings = self.schedule.pairings.iter().enumerate();
        let sound = pairings.filter(|(_, it)| !self.broken.contains_key(&it.game));
        sound.map(|(number, _)| number)
    }

    /// The broken games, and what is wrong with them.
    fn broken(&self) -> Vec<BrokenGame> {
        let broken = self.broken.iter().map(|(&game, result)| BrokenGame {
            game: self.schedule.experiment.games[game].name.clone(),
            reason: result.broken.clone().unwrap_or_default(),
        });
        broken.collect()
    }

    /// Sums over all games, for each pair of players.
    fn totals(&self) -> Vec<Total> {
        let mut totals: Vec<Total> = Vec::new();
        for number in self.sound() {
            let pair = self.schedule.pairings[number].pair();
            let place = totals.iter().position(|it| it.pair == pair);
            let place = place.unwrap_or_else(|| {
                let sums = Sums::default();
                totals.push(Total { pair, sums });
                totals.len() - 1
            });
            self.add(number, &mut totals[place].sums);
        }
        totals
    }

    /// How a player's moves came, in matches that count.
    fn conduct(&self, player: usize) -> Conduct {
        let series = self.schedule.series.iter().enumerate();
        let conduct = series.map(|(number, series)| {
            let sides = (0..series.players.len()).filter(|&side| series.players[side] == player);
            let sides: Vec<usize> = sides.collect();
            let matches = (0..self.counted(number)).filter_map(|it| self.results.get(number, it));
            let conduct = matches.flat_map(|it| sides.iter().map(|&side| it.conduct(side)));
            conduct.sum::<Conduct>()
        });
        conduct.sum()
    }

    /// The number of matches of a series that count in some pairing.
    fn counted(&self, series: usize) -> u32 {
        let pairings = self.schedule.pairings.iter().enumerate();
        let concerned = pairings.filter(|(_, pairing)| pairing.series.contains(&series));
        let counts = concerned.map(|(number, _)| self.duels(number).0.count() as u32);
        counts.max().unwrap_or(0)
    }
}

impl Standings {
    /// The tables of results. With an error, matches after the verdict do not count.
    pub fn new(schedule: &Schedule, results: &Results, error: Option<f64>) -> Standings {
        let count = Count::new(schedule, results, error);
        let totals = count.totals();
        let points = totals.iter().filter_map(|Total { pair, sums }| {
            let first = pair.first;
            let second = pair.second.filter(|&second| second != first)?;
            Some(Points {
                players: (first, second),
                points: f64::from(sums.wins) + f64::from(sums.draws) / 2.0,
                matches: f64::from(sums.matches),
            })
        });
        let players = &schedule.experiment.players;
        let ratings = rating::rate(players.len(), &points.collect::<Vec<_>>());
        let rows = players.iter().enumerate().map(|(place, player)| {
            let Conduct {
                moves,
                faults,
                slow,
            } = count.conduct(place);
            PlayerRow {
                player: player.clone(),
                rating: ratings.as_ref().map(|ratings| ratings.players[place]),
                moves,
                faults,
                slow,
            }
        });
        Standings {
            pairings: count.sound().map(|it| count.row(it)).collect(),
            broken: count.broken(),
            totals: totals
                .iter()
                .map(|Total { pair, sums }| sums.row(schedule, *pair))
                .collect(),
            players: rows.collect(),
            draws_added: ratings.as_ref().is_some_and(|it| it.draws_added),
        }
    }
}

impl Standings {
    /// Whether the tables can be trusted, if this share of a player's moves may be faults.
    pub fn trust(&self, faults_allowed: f64) -> Trust {
        let at_fault = self.players.iter();
        let at_fault = at_fault.filter(|it| it.fault_share() > faults_allowed);
        let at_fault: Vec<String> = at_fault.map(|it| it.player.clone()).collect();
        Trust {
            trusted: at_fault.is_empty(),
            faults_allowed,
            at_fault,
        }
    }
}

/// The score of each pairing after each complete pair of matches.
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
