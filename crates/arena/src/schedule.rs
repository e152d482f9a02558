//! The matches of an experiment: series, pairings and fixtures.
//!
//! A fixture depends on its series and number alone, so a longer run continues the same series.
//! Seeds depend on the experiment's seed, the game and the number: matches of the same number
//! share the moves of chance and the random numbers of every seat in all series.
//!
//! - Two seats: every pair of players, seats swapped in the second match of each seed.
//! - More seats: two players divide them in all ways in turn, each way swapped too.
//! - One seat: every player alone; two players are compared match by match.
//! - A single player plays against itself, and seats are not swapped.

use crate::experiment::{Experiment, fingerprint};

/// The matches of two players in a game, or of one player alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The number of the game.
    pub game: usize,
    /// The numbers of the players, one for each side.
    pub players: Vec<usize>,
}

/// A match that is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The number of its series.
    pub series: usize,
    /// Its number in the series, from 0.
    pub number: u32,
    /// The side of each seat.
    pub sides: Vec<usize>,
    /// The seed of the match.
    pub seed: u64,
}

/// Two players in a game, and the series in which they meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the game.
    pub game: usize,
    /// The number of the first player.
    pub first: usize,
    /// The number of the second one; none if there is one player in a game of one seat.
    pub second: Option<usize>,
    /// One series; in a game of one seat, one for each player.
    pub series: Vec<usize>,
    /// The number of matches after which every seating occurred equally often.
    pub rotation: u32,
}

/// All series and pairings of an experiment.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The experiment.
    pub experiment: Experiment,
    /// The series, by games.
    pub series: Vec<Series>,
    /// The pairings, by games.
    pub pairings: Vec<Pairing>,
}

impl Pairing {
    pub(crate) fn pair(&self) -> Pair {
        Pair {
            first: self.first,
            second: self.second,
        }
    }
}

impl Schedule {
    /// Makes the schedule of an experiment.
    pub fn new(experiment: Experiment) -> Schedule {
        let mut schedule = Schedule {
            series: Vec::new(),
            pairings: Vec::new(),
            experiment,
        };
        for game in 0..schedule.experiment.games.len() {
            match schedule.experiment.games[game].seats {
                1 => schedule.add_solo(game),
                _ => schedule.add_duels(game),
            }
        }
        schedule
    }

    fn add_solo(&mut self, game: usize) {
        let from = self.series.len();
        let players = 0..self.experiment.players.len();
        let series = players.clone().map(|player| Series {
            game,
            players: vec![player],
        });
        self.series.extend(series);
        for Pair { first, second } in pairs(players.len()) {
            let mut series = vec![from + first];
            series.extend(second.map(|second| from + second));
            self.pairings.push(Pairing {
                game,
                first,
                second,
                series,
                rotation: 1,
            });
        }
    }

    fn add_duels(&mut self, game: usize) {
        for Pair { first, second } in pairs(self.experiment.players.len()) {
            let second = second.unwrap_or(first);
            self.series.push(Series {
                game,
                players: vec![first, second],
            });
            let series = self.series.len() - 1;
            let (swaps, seatings) = (self.swaps(series), self.seatings(game));
            self.pairings.push(Pairing {
                game,
                first,
                second: Some(second),
                series: vec![series],
                rotation: u32::try_from(seatings).map_or(u32::MAX, |it| it.saturating_mul(swaps)),
            });
        }
    }

    /// The number of matches with the same seed: two if seats are swapped.
    pub fn swaps(&self, series: usize) -> u32 {
        match self.series[series].players[..] {
            [first, second] if first != second => 2,
            _ => 1,
        }
    }

    /// The number of ways to divide the seats of a game among two sides, swaps not counted.
    fn seatings(&self, game: usize) -> u64 {
        let seats = self.experiment.games[game].seats;
        let swapping = self.experiment.players.len() > 1;
        match seats {
            3.. if swapping => (1 << (seats - 1).min(62)) - 1,
            _ => 1,
        }
    }

    /// The length of a series if so many matches are wanted: swapped seats are swapped back.
    pub fn length(&self, series: usize, matches: u32) -> u32 {
        let swaps = self.swaps(series);
        matches.min(u32::MAX - 1).div_ceil(swaps) * swaps
    }

    /// The match of a number in a series.
    pub fn fixture(&self, series: usize, number: u32) -> Fixture {
        let Series { game, ref players } = self.series[series];
        let swaps = self.swaps(series);
        let (round, swapped) = (number / swaps, number % swaps == 1);
        let seats = self.experiment.games[game].seats;
        // The second side has the last seat; the bits of `seating`, not all 0, give the others.
        let seating = 1 + u64::from(round) % self.seatings(game);
        let side = |seat: usize| match players.len() {
            1 => 0,
            _ => {
                let first = seat < 63 && seat + 1 < seats && seating >> seat & 1 == 1;
                usize::from(first == swapped)
            }
        };
        Fixture {
            series,
            number,
            sides: (0..seats).map(side).collect(),
            seed: self.seed(game, round),
        }
    }

    fn seed(&self, game: usize, round: u32) -> u64 {
        let name = &self.experiment.games[game].name;
        fingerprint(format!("{} {round} {name}", self.experiment.seed).as_bytes())
    }

    /// All matches, so many of each series, in the order in which they are played: game by game,
    /// the series of a game in turn.
    pub fn fixtures(&self, matches: u32) -> impl Iterator<Item = Fixture> {
        let games = 0..self.experiment.games.len();
        games.flat_map(move |game| {
            let series = 0..self.series.len();
            let series = series.filter(move |&it| self.series[it].game == game);
            let numbers = 0..self.length_of_game(game, matches);
            numbers.flat_map(move |number| series.clone().map(move |it| self.fixture(it, number)))
        })
    }

    /// All series of a game are equally long.
    fn length_of_game(&self, game: usize, matches: u32) -> u32 {
        let one = self.series.iter().position(|series| series.game == game);
        one.map_or(0, |series| self.length(series, matches))
    }
}

/// Two players, by their numbers; a single player has no second.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) first: usize,
    pub(crate) second: Option<usize>,
}

/// All pairs of so many players.
fn pairs(players: usize) -> Vec<Pair> {
    if players == 1 {
        let (first, second) = (0, None);
        return vec![Pair { first, second }];
    }
    let seconds = |first: usize| {
        (first + 1..players).map(move |second| Pair {
            first,
            second: Some(second),
        })
    };
    (0..players).flat_map(seconds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clocks;
    use crate::experiment::GameEntry;

    pub(crate) fn schedule(seats: &[usize], players: usize) -> Schedule {
        let entry = |(place, &seats): (usize, &usize)| GameEntry {
            name: format!("game {place}"),
            rules: String::new(),
            seats,
        };
        Schedule::new(Experiment {
            games: seats.iter().enumerate().map(entry).collect(),
            players: (0..players).map(|it| format!("player {it}")).collect(),
            clocks: Clocks::Iterations { start: 1, play: 1 },
            seed: 7,
            build: String::new(),
            memory: None,
        })
    }

    #[test]
    fn two_players_swap_seats_with_the_same_seed() {
        let schedule = schedule(&[2], 3);
        assert_eq!(schedule.series.len(), 3);
        for series in 0..3 {
            for round in 0..5 {
                let (one, two) = (
                    schedule.fixture(series, 2 * round),
                    schedule.fixture(series, 2 * round + 1),
                );
                assert_eq!((&one.sides[..], &two.sides[..]), (&[0, 1][..], &[1, 0][..]));
                assert_eq!(one.seed, two.seed);
            }
        }
        assert_ne!(schedule.fixture(0, 1).seed, schedule.fixture(0, 2).seed);
    }

    #[test]
    fn a_rotation_has_every_mixed_seating_once() {
        for seats in 2..=5 {
            let schedule = schedule(&[seats], 2);
            let rotation = schedule.pairings[0].rotation;
            assert_eq!(rotation, (1 << seats) - 2);
            let mut all: Vec<Vec<usize>> = (0..rotation)
                .map(|it| schedule.fixture(0, it).sides)
                .collect();
            for pair in all.chunks(2) {
                assert!((0..seats).all(|seat| pair[0][seat] + pair[1][seat] == 1));
            }
            all.sort();
            all.dedup();
            assert_eq!(all.len(), rotation as usize, "{seats} seats");
            assert!(all.iter().all(|it| it.contains(&0) && it.contains(&1)));
        }
    }

    #[test]
    fn more_matches_go_on_with_the_same() {
        let schedule = schedule(&[1, 2, 4], 3);
        let (few, many): (Vec<_>, Vec<_>) = (
            schedule.fixtures(4).collect(),
            schedule.fixtures(9).collect(),
        );
        assert_eq!(few.len(), 3 * 4 * 3);
        // Where seats are swapped, ten: they are always swapped back.
        assert_eq!(many.len(), 3 * (9 + 10 + 10));
        assert!(few.iter().all(|fixture| many.contains(fixture)));
        let mut keys: Vec<_> = many.iter().map(|it| (it.series, it.number)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), many.len());
    }

    #[test]
    fn solo_players_meet_the_same_seeds() {
        let schedule = schedule(&[1], 2);
        assert_eq!(schedule.series.len(), 2);
        assert_eq!(schedule.pairings[0].series, [0, 1]);
        for number in 0..5 {
            let (one, two) = (schedule.fixture(0, number), schedule.fixture(1, number));
            assert_eq!((one.seed, &one.sides), (two.seed, &two.sides));
        }
    }

    #[test]
    fn a_player_alone_plays_itself_and_does_not_swap() {
        let schedule = schedule(&[2, 1], 1);
        assert_eq!(schedule.series[0].players, [0, 0]);
        assert_eq!(schedule.fixture(0, 1).sides, [0, 1]);
        assert_eq!(schedule.length(0, 3), 3);
        assert_eq!(schedule.pairings[1].second, None);
    }
}
