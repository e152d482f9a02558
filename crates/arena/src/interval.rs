//! Confidence intervals of means.
//!
//! Wilson's interval, extended from 0 and 1 to all values between them: the count is scaled up
//! if the values vary less than zeros and ones of the same mean. The variance is estimated with
//! one pseudo-observation of the largest variance, so that a few equal values give a wide
//! interval. For values 0 and 1 alone it is Wilson's interval.

use serde::Serialize;

/// The quantile of the normal distribution for 95 %, both sides.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// A mean and its confidence interval of 95 %.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The count, mean and variance of independent values from 0 to 1, one by one (Welford 1962).
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds a value.
    pub fn push(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    /// The mean with its interval; without values, 0 to 1.
    pub fn interval(&self) -> Interval {
        if self.count == 0.0 {
            return Interval {
                mean: 0.5,
                low: 0.0,
                high: 1.0,
            };
        }
        let mean = self.mean.clamp(0.0, 1.0);
        let variance = (0.25 + self.squares) / (self.count + 1.0);
        let most = mean * (1.0 - mean);
        let count = self.count * f64::max(most / variance, 1.0);
        let (weight, z2) = (1.0 + Z95 * Z95 / count, Z95 * Z95);
        let middle = (mean + z2 / (2.0 * count)) / weight;
        let reach = Z95 / weight * (most / count + z2 / (4.0 * count * count)).sqrt();
        Interval {
            mean,
            low: f64::max(middle - reach, 0.0),
            high: f64::min(middle + reach, 1.0),
        }
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Moments {
        let mut moments = Moments::default();
        values.into_iter().for_each(|value| moments.push(value));
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn of(values: &[f64]) -> Interval {
        values.iter().copied().collect::<Moments>().interval()
    }

    fn assert_is(interval: Interval, mean: f64, low: f64, high: f64) {
        let near = |a: f64, b: f64| (a - b).abs() < 5e-5;
        let all = near(interval.mean, mean) && near(interval.low, low) && near(interval.high, high);
        assert!(all, "{interval:?}");
    }

    #[test]
    fn wins_and_losses_have_wilsons_interval() {
        // As in Wilson's formula, and in statsmodels: proportion_confint(8, 10, method="wilson").
        let eight = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0];
        assert_is(of(&eight), 0.8, 0.4902, 0.9433);
        assert_is(of(&[1.0; 10]), 1.0, 0.7225, 1.0);
        assert_is(of(&[0.0; 10]), 0.0, 0.0, 0.2775);
    }

    #[test]
    fn what_varies_less_is_surer_but_a_few_equal_values_are_not_sure() {
        let draws = of(&[0.5; 10]);
        let mixed = of(&[0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
        assert!(draws.high - draws.low < (mixed.high - mixed.low) / 2.0);
        assert!(draws.high - draws.low > 0.15, "{draws:?}");
        assert_is(of(&[]), 0.5, 0.0, 1.0);
    }

    /// Counts how often the true mean is inside, with a fixed seed.
    #[test]
    fn the_mean_is_inside_as_often_as_is_said() {
        let values = [0.0, 0.5, 1.0];
        for (chances, count) in [([0.3, 0.4, 0.3], 20), ([0.05, 0.15, 0.8], 30)] {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
            let mean: f64 = values
                .iter()
                .zip(chances)
                .map(|(it, chance)| it * chance)
                .sum();
            let mut draw = || {
                let number = random.next_u64() as f64 / u64::MAX as f64;
                let place = usize::from(number > chances[0]);
                values[place + usize::from(number > chances[0] + chances[1])]
            };
            let inside = (0..4000).filter(|_| {
                let moments: Moments = (0..count).map(|_| draw()).collect();
                let interval = moments.interval();
                (interval.low..=interval.high).contains(&mean)
            });
            let share = inside.count() as f64 / 4000.0;
            assert!((0.935..=0.985).contains(&share), "{share}");
        }
    }
}
