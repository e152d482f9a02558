//! Selection by confidence bounds, UCB1 (Auer et al. 2002), and of what was tried least.

/// What is known of an arm.
#[derive(Copy, Clone, Debug)]
pub struct Tried {
    /// How often it was tried.
    pub visits: u32,
    /// What it brought, from 0 to 1.
    pub value: f32,
}

/// How UCB1 is done: the exploration constant times √ln N of the node, and where ties begin.
#[derive(Copy, Clone, Debug)]
pub struct Ucb {
    /// The factor of 1/√n.
    pub exploration: f32,
    /// The arm to look at first: ties fall to the first from here on.
    pub start: usize,
}

impl Ucb {
    /// UCB1 at a node that was visited so often.
    pub fn new(constant: f32, visits: u32, start: usize) -> Ucb {
        let log = (visits.max(1) as f32).ln();
        Ucb {
            exploration: constant * log.sqrt(),
            start,
        }
    }

    /// The arm with the highest upper bound; one never tried comes first. `tried` tells what is
    /// known of an arm, or leaves it out. None if all are left out.
    #[inline]
    pub fn best<A>(self, arms: &[A], tried: impl Fn(&A) -> Option<Tried>) -> Option<usize> {
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        for number in (self.start..arms.len()).chain(0..self.start) {
            let Some(Tried { visits, value }) = tried(&arms[number]) else {
                continue;
            };
            if visits == 0 {
                return Some(number);
            }
            let bound = value + self.exploration / (visits as f32).sqrt();
            if bound > highest {
                highest = bound;
                best = Some(number);
            }
        }
        best
    }
}

/// The arm tried least, the first from `start` on. `visits` tells how often an arm was tried, or
/// leaves it out.
pub fn least_tried<A>(
    arms: &[A],
    start: usize,
    visits: impl Fn(&A) -> Option<u32>,
) -> Option<usize> {
    let order = (start..arms.len()).chain(0..start);
    let open = order.filter_map(|number| Some((visits(&arms[number])?, number)));
    open.min_by_key(|&(visits, _)| visits)
        .map(|(_, number)| number)
}

/// Arms without a tree: each is tried, and has a mean.
#[derive(Clone, Debug, Default)]
pub struct Bandit {
    /// Of each arm how often it was tried, and the sum of what it brought.
    arms: Vec<(u32, f32)>,
}

impl Bandit {
    /// So many arms, none of them tried.
    pub fn new(arms: usize) -> Bandit {
        Bandit {
            arms: vec![(0, 0.0); arms],
        }
    }

    /// The arm with the highest upper bound, given the exploration constant; one never tried
    /// comes first.
    pub fn pick(&self, constant: f32) -> usize {
        let visits = self.arms.iter().map(|arm| arm.0).sum();
        let best = Ucb::new(constant, visits, 0).best(&self.arms, |&(visits, sum)| {
            let value = sum / visits.max(1) as f32;
            Some(Tried { visits, value })
        });
        best.unwrap_or(0)
    }

    /// Adds what an arm brought.
    pub fn add(&mut self, arm: usize, value: f32) {
        let (visits, sum) = &mut self.arms[arm];
        *visits += 1;
        *sum += value;
    }

    /// The mean of an arm; 0 if it was never tried.
    pub fn mean(&self, arm: usize) -> f32 {
        let (visits, sum) = self.arms[arm];
        sum / visits.max(1) as f32
    }

    /// The arm with the highest mean; none if there is no arm.
    pub fn best(&self) -> Option<usize> {
        let arms = 0..self.arms.len();
        arms.max_by(|&one, &other| self.mean(one).total_cmp(&self.mean(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(&(visits, value): &(u32, f32)) -> Tried {
        Tried { visits, value }
    }

    #[test]
    fn untried_arms_come_first_then_the_highest_bound() {
        let arms = [(10, 0.5), (0, 0.0), (2, 0.4)];
        assert_eq!(
            Ucb::new(0.5, 12, 0).best(&arms, |arm| Some(tried(arm))),
            Some(1)
        );
        let only_tried = |arm: &(u32, f32)| Some(tried(arm)).filter(|it| it.visits > 0);
        assert_eq!(Ucb::new(0.5, 12, 0).best(&arms, only_tried), Some(2));
        assert_eq!(Ucb::new(0.0, 12, 1).best(&arms, only_tried), Some(0));
        assert_eq!(Ucb::new(0.0, 12, 0).best(&arms, |_| None), None);
    }

    #[test]
    fn ties_fall_to_the_first_from_the_start() {
        let arms = [(1, 0.5), (1, 0.5), (1, 0.5)];
        assert_eq!(
            Ucb::new(1.0, 3, 2).best(&arms, |arm| Some(tried(arm))),
            Some(2)
        );
        assert_eq!(least_tried(&arms, 1, |arm| Some(arm.0)), Some(1));
        assert_eq!(least_tried(&arms, 1, |_| None), None);
    }

    #[test]
    fn a_bandit_goes_for_the_better_arm() {
        let mut bandit = Bandit::new(3);
        for _ in 0..100 {
            let arm = bandit.pick(0.3);
            bandit.add(arm, [0.2, 0.8, 0.5][arm]);
        }
        assert_eq!(bandit.best(), Some(1));
        assert!(bandit.arms[1].0 > 50 && bandit.arms[0].0 > 0);
        assert!((bandit.mean(1) - 0.8).abs() < 1e-3);
    }
}
