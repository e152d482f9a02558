//! A sequential test of which side is better: it may be evaluated after every value.
//!
//! The test bets against the hypothesis that the mean of values in 0–1 is at most a half: a bet
//! of `b` multiplies the capital by `1 + b (value - 1/2)`. Under the hypothesis the capital is a
//! supermartingale, so it ever grows by a factor of `c` with probability at most `1 / c` (Ville
//! 1939). The capital is divided among fixed bets, which keeps that property. A second bettor
//! tests the opposite hypothesis; each has half of the error. See Waudby-Smith and Ramdas,
//! Estimating means of bounded random variables by betting (2024).
//!
//! The mean of a value must not depend on earlier values: a value is the mean of a whole rotation
//! of seats, not of a match.

/// The bets; a bet above 2 could make the capital negative.
const BETS: [f64; 7] = [0.05, 0.1, 0.2, 0.4, 0.8, 1.4, 1.9];

/// Two bettors, one for each side.
#[derive(Copy, Clone, Debug, Default)]
pub struct Test {
    /// The logarithm of the capital, by side and bet.
    capitals: [[f64; BETS.len()]; 2],
}

impl Test {
    /// Adds a value in 0–1, the score of side 0.
    pub fn push(&mut self, value: f64) {
        let excess = [value - 0.5, 0.5 - value];
        for (capitals, excess) in self.capitals.iter_mut().zip(excess) {
            for (capital, bet) in capitals.iter_mut().zip(BETS) {
                *capital += (bet * excess).ln_1p();
            }
        }
    }

    /// The better side, if the test has decided at this error.
    pub fn better(&self, error: f64) -> Option<usize> {
        let wanted = (2.0 / error).ln();
        (0..2).find(|&side| log_mean(&self.capitals[side]) >= wanted)
    }
}

/// The logarithm of the mean of numbers given by their logarithms.
fn log_mean(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| (log - most).exp()).sum();
    most + (sum / logs.len() as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The number of values after which a test stops, and the better side.
    fn stop(mut draw: impl FnMut() -> f64, most: usize) -> Option<(usize, usize)> {
        let mut test = Test::default();
        (1..=most).find_map(|count| {
            test.push(draw());
            test.better(0.05).map(|side| (count, side))
        })
    }

    /// A number from 0 to 1.
    fn uniform(random: &mut Xoshiro256PlusPlus) -> f64 {
        random.next_u64() as f64 / u64::MAX as f64
    }

    /// The test is evaluated after every value, and wrong no more often than the error allows.
    /// The seed is fixed.
    #[test]
    fn equal_players_are_told_apart_no_more_often_than_stated() {
        let coin: fn(f64) -> f64 = |it| f64::from(it < 0.5);
        let even: fn(f64) -> f64 = |it| it;
        let rare: fn(f64) -> f64 =
            |it| 0.5 + f64::from(it < 0.05) * 0.5 - f64::from(it > 0.95) * 0.5;
        let askew: fn(f64) -> f64 = |it| if it < 0.2 { 1.0 } else { 0.375 };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        for (name, shape) in [
            ("coin", coin),
            ("even", even),
            ("rare", rare),
            ("askew", askew),
        ] {
            let runs = 1000;
            let wrong = (0..runs).filter(|_| stop(|| shape(uniform(&mut random)), 500).is_some());
            let share = wrong.count() as f64 / f64::from(runs);
            assert!(share <= 0.05, "{name}: {share}");
        }
    }

    #[test]
    fn the_better_player_is_found() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
        let good = stop(|| f64::from(uniform(&mut random) < 0.75), 1000);
        assert!(
            good.is_some_and(|(count, side)| count < 100 && side == 0),
            "{good:?}"
        );
        let bad = stop(|| f64::from(uniform(&mut random) < 0.4), 5000);
        assert!(bad.is_some_and(|(_, side)| side == 1), "{bad:?}");
    }

    #[test]
    fn eight_wins_in_a_row_are_enough() {
        assert_eq!(stop(|| 1.0, 100), Some((8, 0)));
        assert_eq!(stop(|| 0.0, 100), Some((8, 1)));
        assert_eq!(stop(|| 0.5, 1000), None);
    }
}
