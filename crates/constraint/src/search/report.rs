//! Limits of a search, and how it ended.

/// When a search stops before its end.
#[derive(Clone, Copy, Default)]
pub struct SearchLimits<'q> {
    /// The largest number of nodes: values that are tried.
    pub nodes: Option<u64>,
    /// The largest number of solutions.
    pub solutions: Option<u64>,
    /// Called every few hundred nodes; the search stops when it returns true. Deadlines go here,
    /// as the search does not read the time.
    pub stop: Option<&'q dyn Fn() -> bool>,
}

impl SearchLimits<'_> {
    /// The limit that forbids to try another value, if any.
    pub(crate) fn before(&self, report: &Report) -> Option<Ending> {
        if self.nodes.is_some_and(|limit| report.nodes >= limit) {
            return Some(Ending::Nodes);
        }
        let is_due = (report.nodes + 1).is_multiple_of(256);
        let stops = self.stop.is_some_and(|stop| is_due && stop());
        stops.then_some(Ending::Stopped)
    }
}

impl std::fmt::Debug for SearchLimits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut limits = f.debug_struct("SearchLimits");
        limits
            .field("nodes", &self.nodes)
            .field("solutions", &self.solutions);
        limits.field("stop", &self.stop.map(|_| "…")).finish()
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The search space was exhausted.
    Complete,
    /// The visitor returned `Break`.
    Enough,
    /// The limit of nodes was reached.
    Nodes,
    /// The limit of solutions was reached.
    Solutions,
    /// [`SearchLimits::stop`] returned true.
    Stopped,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Why it ended.
    pub ending: Ending,
    /// How many solutions were found.
    pub solutions: u64,
    /// How many values were tried.
    pub nodes: u64,
    /// How many of these values propagation refuted.
    pub failures: u64,
}
