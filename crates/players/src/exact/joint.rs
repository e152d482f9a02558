//! Where several roles choose at once: their joint moves, what these bring, and what is played.

use super::{Unsolved, matrix};
use crate::tree::NEAR;

/// Matrices of more cells are searched for a saddle only: a simplex would take too long.
const MOST_CELLS: usize = 1 << 18;
/// About how many bytes a joint move takes in the tree.
const LINK: usize = 32;
/// About how many bytes a cell of a matrix takes in the simplex.
const CELL: usize = 64;
/// What is less likely is not played.
const RARE: f64 = 1e-9;

/// The joint moves of a state, by the arm of each role, in the order of a number whose digits
/// they are, the last role fastest.
#[derive(Debug)]
pub(super) struct Joint {
    /// How many moves each role has.
    counts: Vec<usize>,
    chance: Option<usize>,
}

/// What each role gets for each choice of the players.
#[derive(Debug)]
pub(super) struct Pay {
    roles: usize,
    values: Vec<f64>,
}

/// What roles get that choose at once, and the probability of each move of each.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) values: Vec<f64>,
    pub(super) mixes: Vec<Vec<f64>>,
}

impl Joint {
    pub(super) fn new(counts: Vec<usize>, chance: Option<usize>) -> Joint {
        debug_assert!(counts.iter().all(|&count| count > 0));
        Joint { counts, chance }
    }

    /// How many joint moves there are.
    pub(super) fn ways(&self) -> u128 {
        let counts = self.counts.iter();
        counts.fold(1, |ways: u128, &it| ways.saturating_mul(it as u128))
    }

    /// About how many bytes it takes to solve them; the largest number if they are too many.
    pub(super) fn bytes(&self) -> usize {
        let places = self.ways() / self.drawn() as u128;
        let each = 8 * self.counts.len() + 1 + CELL;
        let bytes = places.saturating_mul(each as u128);
        let links = self.ways().saturating_mul(LINK as u128);
        usize::try_from(bytes.saturating_add(links)).unwrap_or(usize::MAX)
    }

    /// How many moves chance has.
    pub(super) fn drawn(&self) -> usize {
        self.chance.map_or(1, |chance| self.counts[chance])
    }

    /// How many moves each player has; chance counts as one.
    fn chosen(&self) -> Vec<usize> {
        let mut counts = self.counts.clone();
        if let Some(chance) = self.chance {
            counts[chance] = 1;
        }
        counts
    }

    /// The number of what the players choose: that of the joint move without chance.
    pub(super) fn place(&self, arms: &[u32]) -> usize {
        let digits = self.counts.iter().zip(arms).enumerate();
        let chosen = digits.filter(|&(role, _)| self.chance != Some(role));
        chosen.fold(0, |place, (_, (&count, &arm))| place * count + arm as usize)
    }

    /// The arms of what players choose, by its number; chance makes its first move.
    fn arms(&self, place: usize) -> Vec<u32> {
        let mut rest = place;
        let mut arms: Vec<u32> = (self.chosen().into_iter().rev())
            .map(|count| {
                let arm = rest % count;
                rest /= count;
                arm as u32
            })
            .collect();
        arms.reverse();
        arms
    }

    /// What is played if all moves are as good: the first of each player, any of chance.
    pub(super) fn any(&self) -> Vec<Vec<f64>> {
        self.pure(&vec![0; self.counts.len()])
    }

    /// Every player makes one move for certain; chance draws.
    fn pure(&self, arms: &[u32]) -> Vec<Vec<f64>> {
        let of_role = |(role, (&count, &arm)): (usize, (&usize, &u32))| match self.chance {
            Some(chance) if chance == role => vec![1.0 / count as f64; count],
            _ => {
                let mut mix = vec![0.0; count];
                mix[arm as usize] = 1.0;
                mix
            }
        };
        let roles = self.counts.iter().zip(arms).enumerate();
        roles.map(of_role).collect()
    }

    /// What the roles get, and with which probability they make each move.
    pub(super) fn settle(&self, pay: &Pay) -> Result<Settled, Unsolved> {
        let counts = self.chosen();
        let choosing: Vec<usize> = (0..counts.len()).filter(|&it| counts[it] > 1).collect();
        let mixed = match choosing[..] {
            [first, second] => self.mixed(pay, [first, second]),
            _ => None,
        };
        if let Some(settled) = mixed {
            return settled;
        }
        let place = matrix::equilibrium(&counts, pay).ok_or(Unsolved::NoEquilibrium)?;
        Ok(self.settled(pay, place))
    }

    /// Players make one choice for certain.
    fn settled(&self, pay: &Pay, place: usize) -> Settled {
        Settled {
            values: pay.row(place).to_vec(),
            mixes: self.pure(&self.arms(place)),
        }
    }

    /// Mixed strategies of two roles, if what they get has a constant sum.
    fn mixed(&self, pay: &Pay, [first, second]: [usize; 2]) -> Option<Result<Settled, Unsolved>> {
        let sum = pay.constant_sum([first, second])?;
        let counts = self.chosen();
        let [rows, columns] = [counts[first], counts[second]];
        if rows * columns > MOST_CELLS {
            let saddle = matrix::equilibrium(&counts, pay);
            let saddle = saddle.map(|place| self.settled(pay, place));
            return Some(saddle.ok_or(Unsolved::Unmixed { rows, columns }));
        }
        let of_first = |row, column| pay.of(row * columns + column, first);
        let Some((value, [one, other])) = matrix::mixed([rows, columns], of_first, sum) else {
            return Some(Err(Unsolved::Unmixed { rows, columns }));
        };
        // The others get what they get on the average of it.
        let weight = |place: usize| one[place / columns] * other[place % columns];
        let mean = |role: usize| (0..rows * columns).map(move |it| weight(it) * pay.of(it, role));
        let mut values: Vec<f64> = (0..counts.len()).map(|role| mean(role).sum()).collect();
        (values[first], values[second]) = (value, sum - value);
        let mut mixes = self.any();
        (mixes[first], mixes[second]) = (one, other);
        Some(Ok(Settled { values, mixes }))
    }
}

impl Pay {
    /// What so many roles get, choice by choice.
    pub(super) fn new(roles: usize, values: Vec<f64>) -> Pay {
        debug_assert!(values.len().is_multiple_of(roles));
        Pay { roles, values }
    }

    /// What a role gets for a choice.
    pub(super) fn of(&self, place: usize, role: usize) -> f64 {
        self.values[place * self.roles + role]
    }

    fn row(&self, place: usize) -> &[f64] {
        &self.values[place * self.roles..][..self.roles]
    }

    /// Adds to what the roles get for a choice.
    pub(super) fn add(&mut self, place: usize, values: impl Iterator<Item = f64>) {
        let row = &mut self.values[place * self.roles..][..self.roles];
        row.iter_mut().zip(values).for_each(|(sum, it)| *sum += it);
    }

    /// What two roles get together, if it is the same whatever is chosen.
    fn constant_sum(&self, [first, second]: [usize; 2]) -> Option<f64> {
        let mut sums = self.values.chunks_exact(self.roles);
        let sum = |row: &[f64]| row[first] + row[second];
        let all = sum(sums.next()?);
        let same = |row| (sum(row) - all).abs() < f64::from(NEAR);
        sums.all(same).then_some(all)
    }
}

/// The next joint move in order, given how many moves each role has; false after the last.
pub(super) fn advance(arms: &mut [u32], counts: impl DoubleEndedIterator<Item = usize>) -> bool {
    for (arm, count) in arms.iter_mut().rev().zip(counts.rev()) {
        *arm += 1;
        if (*arm as usize) < count {
            return true;
        }
        *arm = 0;
    }
    false
}

/// The joint moves that strategies make, by their arms, and how likely each is; at most so many.
pub(super) fn played(mixes: &[Vec<f64>], most: usize) -> Vec<(Vec<u32>, f64)> {
    let support = |mix: &Vec<f64>| -> Vec<u32> {
        let arms = (0..).zip(mix).filter(|(_, weight)| **weight > RARE);
        arms.map(|(arm, _)| arm).collect()
    };
    let supports: Vec<Vec<u32>> = mixes.iter().map(support).collect();
    let mut digits = vec![0; mixes.len()];
    let mut played = Vec::new();
    while played.len() < most {
        let arms = supports.iter().zip(&digits);
        let arms: Vec<u32> = arms
            .map(|(arms, &it): (_, &u32)| arms[it as usize])
            .collect();
        let weight = |(mix, &arm): (&Vec<f64>, &u32)| mix[arm as usize];
        let probability = mixes.iter().zip(&arms).map(weight).product::<f64>();
        if probability > RARE {
            played.push((arms, probability));
        }
        if !advance(&mut digits, supports.iter().map(Vec::len)) {
            break;
        }
    }
    played
}
