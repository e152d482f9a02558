//! Limits of a search, and how it ended.

/// When a search stops before its end.
#[derive(Clone, Copy, Default)]
pub struct Limits<'q> {
    /// After so many nodes: values that were tried.
    pub nodes: Option<u64>,
    /// After so many solutions.
    pub solutions: Option<u64>,
    /// When this says so; it is asked every few hundred nodes. The only way to a deadline, as
    /// time is not read here.
    pub stop: Option<&'q dyn Fn() -> bool>,
}

impl Limits<'_> {
    /// Why no more values are tried after what is reported, if so.
    pub(crate) fn before(&self, report: &Report) -> Option<Ending> {
        if self.nodes.is_some_and(|limit| report.nodes >= limit) {
            return Some(Ending::Nodes);
        }
        let is_due = (report.nodes + 1).is_multiple_of(256);
        let stops = self.stop.is_some_and(|stop| is_due && stop());
        stops.then_some(Ending::Stopped)
    }
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut limits = f.debug_struct("Limits");
        limits
            .field("nodes", &self.nodes)
            .field("solutions", &self.solutions);
        limits.field("stop", &self.stop.map(|_| "…")).finish()
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything was searched.
    Complete,
    /// The visitor had enough.
    Enough,
    /// There were more nodes than the limit.
    Nodes,
    /// There were as many solutions as the limit.
    Solutions,
    /// The limits said to stop.
    Stopped,
}

/// What a search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Why it ended.
    pub ending: Ending,
    /// How many solutions there were.
    pub solutions: u64,
    /// How many values were tried.
    pub nodes: u64,
    /// How many of them propagation refuted at once.
    pub failures: u64,
}
