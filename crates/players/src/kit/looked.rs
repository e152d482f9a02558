//! What look-ahead by constraints did: counts that add up over threads and turns.

use std::ops::AddAssign;

/// What look-ahead did.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// States whose network was solved.
    pub solved: u64,
    /// Those of them whose network was one of tables.
    pub tables: u64,
    /// Values tried in networks of tables.
    pub tried: u64,
    /// Those whose moves were tested for the end of the match.
    pub ends: u64,
    /// Those that were looked at for two rounds or more.
    pub deep: u64,
    /// Those in which at least one move was removed.
    pub fruitful: u64,
    /// Moves that were removed: refuted, or left over when another wins.
    pub removed: u64,
    /// Nogoods learned.
    pub learned: u64,
    /// How often a nogood decided a move without a look.
    pub reused: u64,
    /// Decisions of networks.
    pub nodes: u64,
    /// Nanoseconds spent.
    pub nanoseconds: u64,
}

impl AddAssign for Looked {
    fn add_assign(&mut self, other: Looked) {
        self.solved += other.solved;
        self.tables += other.tables;
        self.tried += other.tried;
        self.ends += other.ends;
        self.deep += other.deep;
        self.fruitful += other.fruitful;
        self.removed += other.removed;
        self.reused += other.reused;
        self.learned += other.learned;
        self.nodes += other.nodes;
        self.nanoseconds += other.nanoseconds;
    }
}
