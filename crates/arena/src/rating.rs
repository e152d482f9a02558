//! Ratings: the model of Bradley and Terry (1952) on the scale of Elo.
//!
//! A player rated `d` above another is expected to get `1 / (1 + 10^(-d / 400))` of the points
//! between them; a draw is half a point. Ratings maximize the likelihood of the results, by
//! Newton's method; their mean is 0. If there is no maximum, because some players never got a
//! point from the others, a draw is added between all players that met.

use serde::Serialize;

/// Points between two players.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Points {
    /// The two players.
    pub players: (usize, usize),
    /// The points of the first; the second has the rest.
    pub points: f64,
    /// The number of matches.
    pub matches: f64,
}

/// The rating of a player.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// On the scale of Elo; the mean of all players is 0.
    pub elo: f64,
    /// The standard error.
    pub error: f64,
}

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Player by player.
    pub players: Vec<Rating>,
    /// Whether draws had to be added.
    pub draws_added: bool,
}

/// Natural logarithm of odds → Elo.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// Steps of Newton's method: some ten are enough.
const STEPS: usize = 100;

/// Rates players; none if there are fewer than two, or matches do not connect all of them.
pub fn rate(players: usize, points: &[Points]) -> Option<Ratings> {
    let met: Vec<Points> = points
        .iter()
        .copied()
        .filter(|it| it.matches > 0.0)
        .collect();
    if players < 2 || !reaches_all(players, &met, |_| (true, true)) {
        return None;
    }
    // There is a maximum if everyone got points from everyone, directly or not (Ford 1957).
    let scored = |it: &Points| (it.points > 0.0, it.points < it.matches);
    let beaten = |it: &Points| (it.points < it.matches, it.points > 0.0);
    let peak = reaches_all(players, &met, scored) && reaches_all(players, &met, beaten);
    let added = if peak { 0.0 } else { 1.0 };
    let met = met.iter().map(|it| Points {
        points: it.points + added / 2.0,
        matches: it.matches + added,
        ..*it
    });
    Some(Ratings {
        players: most_likely(players, &met.collect::<Vec<_>>())?,
        draws_added: !peak,
    })
}

/// Whether all players are reachable from the first. `ways` gives the edges between two players
/// that met: from the first of them to the second, and back.
fn reaches_all(players: usize, met: &[Points], ways: impl Fn(&Points) -> (bool, bool)) -> bool {
    let mut reached = vec![false; players];
    reached[0] = true;
    for _ in 0..players {
        for it in met {
            let (first, second) = it.players;
            let (there, back) = ways(it);
            reached[second] |= reached[first] && there;
            reached[first] |= reached[second] && back;
        }
    }
    reached.into_iter().all(|it| it)
}

/// Newton's method on the logarithm of the likelihood, which is concave.
fn most_likely(players: usize, met: &[Points]) -> Option<Vec<Rating>> {
    let mut strengths = vec![0.0; players];
    for _ in 0..STEPS {
        let (gradient, curvature) = derivatives(&strengths, met);
        let step = solve(curvature, gradient)?;
        // Halves the step until the likelihood does not fall.
        let before = likelihood(&strengths, met);
        let mut share = 1.0;
        let better = loop {
            let moved = strengths
                .iter()
                .zip(&step)
                .map(|(at, step)| at + share * step);
            let moved: Vec<f64> = moved.collect();
            if likelihood(&moved, met) >= before || share < 1e-9 {
                break moved;
            }
            share /= 2.0;
        };
        strengths = better;
        if step.iter().all(|step| step.abs() < 1e-12) {
            break;
        }
    }
    errors(&strengths, met)
}

/// The expected share of points of the first of two players.
fn expected(strengths: &[f64], (first, second): (usize, usize)) -> f64 {
    1.0 / (1.0 + (strengths[second] - strengths[first]).exp())
}

fn likelihood(strengths: &[f64], met: &[Points]) -> f64 {
    let logs = met.iter().map(|it| {
        let chance = expected(strengths, it.players);
        it.points * chance.ln() + (it.matches - it.points) * (1.0 - chance).ln()
    });
    logs.sum()
}

/// The gradient and the negated second derivatives, with a term that keeps the sum at 0.
fn derivatives(strengths: &[f64], met: &[Points]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = strengths.len();
    let mut gradient = vec![0.0; players];
    let mut curvature = vec![vec![1.0 / players as f64; players]; players];
    for it in met {
        let (first, second) = it.players;
        let chance = expected(strengths, it.players);
        let surplus = it.points - it.matches * chance;
        let curve = it.matches * chance * (1.0 - chance);
        gradient[first] += surplus;
        gradient[second] -= surplus;
        curvature[first][first] += curve;
        curvature[second][second] += curve;
        curvature[first][second] -= curve;
        curvature[second][first] -= curve;
    }
    (gradient, curvature)
}

/// The ratings with their standard errors: the diagonal of the inverse of the curvature, less the
/// added term.
fn errors(strengths: &[f64], met: &[Points]) -> Option<Vec<Rating>> {
    let players = strengths.len();
    let rating = |player: usize| {
        let (_, curvature) = derivatives(strengths, met);
        let mut unit = vec![0.0; players];
        unit[player] = 1.0;
        let variance = solve(curvature, unit)?[player] - 1.0 / players as f64;
        Some(Rating {
            elo: strengths[player] * SCALE,
            error: f64::max(variance, 0.0).sqrt() * SCALE,
        })
    };
    (0..players).map(rating).collect()
}

/// Solves linear equations by elimination; none if the solution is not unique.
fn solve(mut rows: Vec<Vec<f64>>, mut values: Vec<f64>) -> Option<Vec<f64>> {
    let size = values.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| {
            let (a, b): (f64, f64) = (rows[a][column], rows[b][column]);
            a.abs().total_cmp(&b.abs())
        })?;
        rows.swap(column, pivot);
        values.swap(column, pivot);
        if rows[column][column].abs() < 1e-14 {
            return None;
        }
        let (row, value) = (rows[column].clone(), values[column]);
        for other in (0..size).filter(|&other| other != column) {
            let factor = rows[other][column] / row[column];
            for (cell, above) in rows[other].iter_mut().zip(&row) {
                *cell -= factor * above;
            }
            values[other] -= factor * value;
        }
    }
    Some((0..size).map(|it| values[it] / rows[it][it]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(players: (usize, usize), points: f64, matches: f64) -> Points {
        Points {
            players,
            points,
            matches,
        }
    }

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-6, "{found}, not {wanted}");
    }

    #[test]
    fn two_players_differ_by_the_logarithm_of_their_odds() {
        // Three quarters are odds of 3: 400 log10(3) = 190.848502. The variance of the difference
        // is 1 / (n p q) = 1 / (40 · 3/16), of each rating a quarter of it.
        let ratings = rate(2, &[points((0, 1), 30.0, 40.0)]).unwrap();
        near(ratings.players[0].elo, 190.848_501_9 / 2.0);
        near(ratings.players[1].elo, -190.848_501_9 / 2.0);
        let error = (1.0 / 7.5_f64).sqrt() / 2.0 * SCALE;
        near(ratings.players[0].error, error);
        assert!(!ratings.draws_added);
    }

    #[test]
    fn three_players_whose_odds_agree_have_just_these() {
        // Odds of 2 and of 3 make odds of 6: expected points are 2/3, 3/4 and 6/7.
        let met = [
            points((0, 1), 20.0, 30.0),
            points((1, 2), 30.0, 40.0),
            points((0, 2), 60.0, 70.0),
        ];
        let ratings = rate(3, &met).unwrap().players;
        near(ratings[0].elo - ratings[1].elo, 400.0 * 2_f64.log10());
        near(ratings[1].elo - ratings[2].elo, 400.0 * 3_f64.log10());
        near(ratings.iter().map(|it| it.elo).sum(), 0.0);
    }

    #[test]
    fn who_always_won_gets_a_draw_against_it() {
        let ratings = rate(2, &[points((0, 1), 9.0, 9.0)]).unwrap();
        assert!(ratings.draws_added);
        let odds = 9.5_f64 / 0.5;
        near(ratings.players[0].elo, 200.0 * odds.log10());
        // A circle of wins has a peak, without a draw.
        let circle = [(0, 1), (1, 2), (2, 0)].map(|it| points(it, 5.0, 5.0));
        let ratings = rate(3, &circle).unwrap();
        assert!(!ratings.draws_added);
        ratings.players.iter().for_each(|it| near(it.elo, 0.0));
    }

    #[test]
    fn who_did_not_meet_is_not_rated() {
        assert_eq!(rate(3, &[points((0, 1), 1.0, 2.0)]), None);
        assert_eq!(rate(1, &[]), None);
        assert_eq!(rate(2, &[points((0, 1), 0.0, 0.0)]), None);
    }
}
