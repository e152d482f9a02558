//! Threads that search one tree for as long as a budget lasts, and the move that comes of it.

use crate::flat;
use crate::pace::{By, Pace};
use crate::sampler::Sampler;
use crate::tree::{NodeId, Tree, Who};
use crate::{Budget, Decision, Seat, Turn};
use game::State;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

/// One thread of a search.
pub(crate) trait Worker<'s> {
    fn sampler(&mut self) -> &mut Sampler<'s>;

    /// Makes the tree larger from a root. Returns whether the value of that is proven.
    fn iterate(&mut self, root: NodeId, by: By) -> bool;
}

/// What is searched, and for how long.
#[derive(Copy, Clone)]
pub(crate) struct Task<'t> {
    pub(crate) tree: &'t Mutex<Tree>,
    pub(crate) state: &'t [u64],
    pub(crate) budget: &'t Budget,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
    /// How long iterations took in the turns before.
    pub(crate) pace: Pace,
}

/// What came of a search.
pub(crate) struct Searched {
    pub(crate) root: NodeId,
    pub(crate) playouts: u64,
    pub(crate) pace: Pace,
}

/// A player that searches a tree, in games with gates.
pub(crate) trait Searcher {
    fn seat(&self) -> &Seat;

    /// How much is explored in other games.
    fn flat_exploration(&self) -> f32;

    /// Searches from a state, as long as the budget lasts, and decides; none if the game has no
    /// gates.
    fn search(&mut self, state: &[u64], budget: &Budget) -> Option<Decision>;
}

/// The choice of a player that searches.
pub(crate) fn choose(searcher: &mut impl Searcher, turn: &Turn<'_>, budget: &Budget) -> Decision {
    if let [only] = turn.legal {
        return Decision::plain(*only);
    }
    let seat = searcher.seat();
    if seat.game.network().is_none() {
        return flat::choose(seat, turn, budget, searcher.flat_exploration());
    }
    let packed = turn.state.and_then(|state| seat.game.packed(state));
    packed
        .and_then(|state| searcher.search(&state, budget))
        .filter(|decision| turn.legal.contains(&decision.action))
        .unwrap_or_else(|| Decision::plain(turn.legal[0]))
}

/// Searches from a state that may come; whether more of that is of use.
pub(crate) fn ponder(searcher: &mut impl Searcher, state: &State, budget: &Budget) -> bool {
    let packed = searcher.seat().game.packed(state);
    let decision = packed.and_then(|state| searcher.search(&state, budget));
    decision.is_some_and(|decision| !decision.proven)
}

/// The tree, for one who changes it as a whole.
pub(crate) fn lock(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    tree.lock().expect("no thread leaves the tree half changed")
}

/// Searches from a state in threads, each with a worker that is made for a seed.
pub(crate) fn search<'s, W: Worker<'s>>(
    task: &Task<'_>,
    worker: impl Fn(u64) -> W + Sync,
) -> Searched {
    let mut first = worker(task.seed);
    let root = lock(task.tree).root(task.state, first.sampler());
    // A counted budget can be repeated exactly.
    let threads = match task.budget {
        Budget::Until(_) => task.threads as u64,
        Budget::Iterations(_) => 1,
    };
    let (playouts, pace) = thread::scope(|scope| {
        let worker = &worker;
        let others = (1..threads).map(|number| {
            let seed = task.seed ^ number << 32;
            scope.spawn(move || work(&mut worker(seed), root, task))
        });
        let others: Vec<_> = others.collect();
        let mut all = work(&mut first, root, task);
        for other in others {
            let (playouts, pace) = other.join().expect("a thread that searches does not end");
            all = (all.0 + playouts, all.1.max(pace));
        }
        all
    });
    Searched {
        root,
        playouts,
        pace,
    }
}

/// Searches as long as the budget lasts, or until the root is proven.
fn work<'s>(worker: &mut impl Worker<'s>, root: NodeId, task: &Task<'_>) -> (u64, Pace) {
    let mut pace = task.pace;
    let mut iterations = 0;
    worker.sampler().piece = pace.piece;
    let lanes = worker.sampler().simulator.is_some();
    let mut proven = lock(task.tree).proven(root).is_some();
    while !proven
        && !worker.sampler().is_late()
        && let Some(by) = pace.next(task.budget, iterations, lanes)
    {
        let began = Instant::now();
        proven = worker.iterate(root, by);
        pace.note(by, began);
        iterations += 1;
    }
    pace.piece = worker.sampler().piece;
    (worker.sampler().playouts, pace)
}

/// The best move of a state that was searched: the one tried most, which is thought to bring
/// what `worth` says, or one that is proven to bring more.
pub(crate) fn decide(
    (seat, tree): (&Seat, &Tree),
    searched: &Searched,
    worth: impl Fn(usize) -> f32,
) -> Option<Decision> {
    let (role, root) = (seat.role, searched.root);
    let arms = tree.arms(root, role);
    let alone = tree.who(root) == Who::Role(role);
    let open = (0..arms.len()).filter(|&arm| !alone || !arms[arm].is_closed());
    let tried = open.max_by_key(|&arm| arms[arm].visits);
    let tried = tried.map(|arm| (worth(arm), arm));
    let known = (0..arms.len()).filter(|_| alone).filter_map(|arm| {
        let child = arms[arm].child()?;
        Some((tree.proven(child)?[role], tree.turns(child), arm))
    });
    // Of what is as good the way that is shorter.
    let known = known.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let known = known.map(|(value, _, arm)| (value, arm));
    let proven = tree.proven(root).is_some();
    let (value, arm) = match (tried, known) {
        (Some(tried), Some(known)) if known.0 > tried.0 || proven => known,
        (Some(tried), _) => tried,
        (None, known) => known?,
    };
    let moves = &seat.game.network()?.moves()[role];
    Some(Decision {
        action: moves[arms[arm].number as usize],
        value: Some(f64::from(value)),
        proven,
        playouts: searched.playouts,
    })
}
