//! Results of many playouts.

use logic::RoleId;

/// Counts of playouts and sums of goals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many were played to the end.
    pub playouts: u64,
    /// How many turns all had together.
    pub turns: u64,
    /// How many ended because a role had no legal move.
    pub stuck: u64,
    /// How many were cut off after too many turns.
    pub cut: u64,
    /// The sum of each role's goals, and of their squares.
    goals: Vec<(u64, u64)>,
    /// The highest of each role's goals.
    highest: Vec<u32>,
}

impl Tally {
    /// Nothing played yet.
    pub fn new(roles: usize) -> Tally {
        Tally {
            goals: vec![(0, 0); roles],
            highest: vec![0; roles],
            ..Tally::default()
        }
    }

    /// Adds a role's goal in so many playouts.
    pub fn add_goals(&mut self, role: RoleId, value: u32, count: u64) {
        let role = role.index();
        if count > 0 {
            self.highest[role] = self.highest[role].max(value);
        }
        let (sum, squares) = &mut self.goals[role];
        *sum += count * u64::from(value);
        *squares += count * u64::from(value).pow(2);
    }

    /// Adds the results of other playouts of the same game.
    pub fn add(&mut self, other: &Tally) {
        self.playouts += other.playouts;
        self.turns += other.turns;
        self.stuck += other.stuck;
        self.cut += other.cut;
        for ((sum, squares), more) in self.goals.iter_mut().zip(&other.goals) {
            *sum += more.0;
            *squares += more.1;
        }
        for (highest, &other) in self.highest.iter_mut().zip(&other.highest) {
            *highest = other.max(*highest);
        }
    }

    /// The sum of a role's goals in all playouts.
    pub fn goals(&self, role: RoleId) -> u64 {
        self.goals[role.index()].0
    }

    /// The highest goal of a role in any playout; 0 if there was none.
    pub fn highest(&self, role: RoleId) -> u32 {
        self.highest[role.index()]
    }

    /// How many ended, in whatever way.
    pub fn ended(&self) -> u64 {
        self.playouts + self.stuck + self.cut
    }

    /// The mean of each role's goals, and its standard error; none if no match was played to
    /// the end.
    pub fn means(&self) -> Vec<(f64, f64)> {
        if self.playouts == 0 {
            return Vec::new();
        }
        let count = self.playouts as f64;
        let of_role = |&(sum, squares): &(u64, u64)| {
            let mean = sum as f64 / count;
            let variance = (squares as f64 / count - mean * mean).max(0.0);
            (mean, (variance / count).sqrt())
        };
        self.goals.iter().map(of_role).collect()
    }
}
