//! How well what playouts tell of a move foretells what the move turns out to be worth.
//!
//! Playouts in which a role made a move at any time tell something of the move (all moves as
//! first: AMAF). In some games that is nearly all there is to know, in others nothing. So it is
//! measured: whenever a move is sampled for the first time, the sample is held against what was
//! told. A line through these pairs says what to expect of a move that was not tried, and how much
//! moves differ from that: the fewer samples a move has, the more the expectation counts.

/// As many pairs count as one that is new: older ones fade.
const PAIRS: f64 = 2000.0;
/// What is thought before there are pairs: told differences count half, and the rest has a standard
/// deviation of a tenth. It counts for so many pairs.
const FIRST: f64 = 20.0;
const SLOPE: f64 = 0.5;
const TOLD: f64 = 0.0025;
const REST: f64 = 0.01;
/// The square by which playouts differ.
const CHANCE: f64 = 0.25;
/// No expectation is better than this square.
const LEAST: f64 = 1e-4;

/// Sums over pairs of what was told of a move and what its first sample was, both less what the
/// state was thought to be worth.
#[derive(Copy, Clone, Debug)]
pub(super) struct Trust {
    count: f64,
    told: f64,
    found: f64,
    told_squares: f64,
    found_squares: f64,
    products: f64,
    /// The square by which samples differ by chance, summed up.
    noise: f64,
}

impl Default for Trust {
    fn default() -> Trust {
        Trust {
            count: FIRST,
            told: 0.0,
            found: 0.0,
            told_squares: FIRST * TOLD,
            found_squares: FIRST * (SLOPE * SLOPE * TOLD + REST),
            products: FIRST * SLOPE * TOLD,
            noise: 0.0,
        }
    }
}

/// A move's first sample.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pair {
    /// What was told of the move, less what the state was thought to be worth.
    pub(super) told: f32,
    /// What the sample was, less the same.
    pub(super) found: f32,
    /// The square by which such a sample differs by chance.
    pub(super) noise: f32,
}

/// What to expect of a move that was not tried.
#[derive(Copy, Clone, Debug)]
pub(super) struct Expected {
    base: f32,
    slope: f32,
    /// The square by which moves differ from that.
    pub(super) square: f32,
    /// As many playouts in which a move was made as what the state is worth counts for: with so
    /// many, chance differs as much as what is told of moves does.
    pub(super) few: f32,
}

impl Expected {
    /// What a move is worth, given what was told and what the state is worth.
    #[inline]
    pub(super) fn worth(&self, told: f32, state: f32) -> f32 {
        state + self.base + self.slope * (told - state)
    }
}

impl Trust {
    /// Adds a pair.
    pub(super) fn note(&mut self, pair: Pair) {
        let kept = 1.0 - 1.0 / PAIRS;
        let Pair { told, found, noise } = pair;
        let (told, found) = (f64::from(told), f64::from(found));
        self.count = self.count * kept + 1.0;
        self.told = self.told * kept + told;
        self.found = self.found * kept + found;
        self.told_squares = self.told_squares * kept + told * told;
        self.found_squares = self.found_squares * kept + found * found;
        self.products = self.products * kept + told * found;
        self.noise = self.noise * kept + f64::from(noise);
    }

    /// What follows from the pairs so far.
    pub(super) fn expected(&self) -> Expected {
        let (told, found) = (self.told / self.count, self.found / self.count);
        let variance = self.told_squares / self.count - told * told;
        let covariance = self.products / self.count - told * found;
        let slope = (covariance / variance.max(1e-9)).clamp(0.0, 1.5);
        let all = self.found_squares / self.count - found * found;
        let rest = all - 2.0 * slope * covariance + slope * slope * variance;
        Expected {
            base: (found - slope * told) as f32,
            slope: slope as f32,
            few: (CHANCE / variance.max(1e-9)).clamp(16.0, 4096.0) as f32,
            square: (rest - self.noise / self.count).max(LEAST) as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs in which so much of what was told is found, and a rest that alternates.
    fn trust(slope: f32, rest: f32) -> Expected {
        let mut trust = Trust::default();
        for number in 0..4000 {
            let told = (number % 7) as f32 * 0.02 - 0.06;
            let sign = if number % 2 == 0 { rest } else { -rest };
            let found = 0.01 + slope * told + sign;
            let noise = 0.0;
            trust.note(Pair { told, found, noise });
        }
        trust.expected()
    }

    #[test]
    fn a_line_through_the_pairs_is_found() {
        let expected = trust(0.8, 0.05);
        assert!((expected.worth(0.6, 0.5) - 0.59).abs() < 0.01);
        assert!((expected.square - 0.0025).abs() < 0.0005);
    }

    #[test]
    fn what_is_told_counts_for_nothing_where_it_tells_nothing() {
        let expected = trust(0.0, 0.2);
        assert!((expected.worth(0.6, 0.5) - 0.51).abs() < 0.01);
        assert!((expected.square - 0.04).abs() < 0.005);
    }
}
