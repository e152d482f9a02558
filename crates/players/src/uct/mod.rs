//! UCT: tree search by confidence bounds (Kocsis and Szepesvári 2006).
//!
//! Every role maximises what it gets itself (Sturtevant 2008). Where several roles choose at
//! once, each has its own statistics and chooses by them alone. Chance is drawn. What is
//! proven is not visited again.
//!
//! Playouts run in lanes: a number of ways down are taken before any is played out, each to a
//! state of its own, and the lanes are shared out among these states.

mod pace;
mod search;
mod solo;
mod tree;

use crate::options::number;
use crate::{BadOption, Budget, Decision, OptionText, Player, Refusal, Seat, Turn};
use pace::Pace;
use search::{Search, only_chooser, proven_arm};
use std::time::Instant;
use tree::{NodeId, Tree};

/// Options as the roster shows them: key, default, meaning.
pub(crate) const OPTIONS: &[(&str, &str, &str)] = &[
    ("c", "0.4", "how much is explored"),
    ("batch", "16", "how many states are played out at once"),
    (
        "playouts",
        "lanes",
        "how many playouts these have together; as many as there are lanes",
    ),
    ("nodes", "1000000", "how many states are kept"),
    ("lanes", "yes", "whether playouts run in lanes"),
];

/// How the search is done.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    exploration: f32,
    batch: usize,
    playouts: Option<u64>,
    nodes: usize,
    lanes: bool,
}

impl Options {
    pub(crate) fn new(text: &OptionText<'_>) -> Result<Options, BadOption> {
        let mut options = Options {
            exploration: 0.4,
            batch: 16,
            playouts: None,
            nodes: 1_000_000,
            lanes: true,
        };
        for &(key, value) in &text.options {
            match key {
                "c" => options.exploration = number(key, value, (0.0, 100.0), "0 to 100")?,
                "batch" => options.batch = number(key, value, (1, 4096), "1 to 4096")?,
                "playouts" => {
                    options.playouts = Some(number(key, value, (1, 1 << 20), "1 to 1048576")?);
                }
                "nodes" => options.nodes = number(key, value, (1000, 1 << 30), "at least 1000")?,
                "lanes" => {
                    options.lanes = match value {
                        "yes" => true,
                        "no" => false,
                        _ => {
                            return Err(BadOption::Value {
                                key: key.to_string(),
                                value: value.to_string(),
                                wanted: "yes or no",
                            });
                        }
                    };
                }
                _ => {
                    return Err(BadOption::Key {
                        player: "uct",
                        key: key.to_string(),
                    });
                }
            }
        }
        if !options.lanes {
            options.batch = 1;
        }
        Ok(options)
    }
}

/// The player.
pub(crate) struct Uct {
    seat: Seat,
    options: Options,
    tree: Tree,
    /// Which role is chance, if one.
    chance: Option<usize>,
    turns: u64,
    pace: Pace,
}

impl Uct {
    pub(crate) fn new(seat: Seat, options: Options) -> Uct {
        Uct {
            tree: Tree::new(options.nodes),
            chance: seat.game.chance(),
            options,
            seat,
            turns: 0,
            pace: Pace::default(),
        }
    }

    /// Searches from a state, as long as the budget lasts; none if the game has no network.
    fn search(&mut self, state: &[u64], budget: &Budget) -> Option<(NodeId, u64)> {
        let game = &self.seat.game;
        let engines = (game.network()?, game.simulator());
        self.turns += 1;
        let seed = self.seat.seed.wrapping_add(self.turns);
        if self.tree.len() > self.options.nodes / 4 * 3 {
            match self.tree.find(state) {
                Some(root) => _ = self.tree.keep(root),
                None => self.tree = Tree::new(self.options.nodes),
            }
        }
        let mut search = Search::new(&mut self.tree, &self.options, engines, self.chance, seed);
        let root = search.root(state);
        let mut iterations = 0;
        while search.tree.node(root).proven.is_none()
            && let Some(by) = self.pace.next(budget, iterations, self.options.lanes)
        {
            let began = Instant::now();
            search.iterate(root, by);
            self.pace.note(by, began);
            iterations += 1;
        }
        Some((root, search.playouts))
    }

    /// The best move of a state that was searched.
    fn decide(&self, root: NodeId, playouts: u64) -> Option<Decision> {
        let node = self.tree.node(root);
        let role = self.seat.role;
        let arms = node.arms.get(role)?;
        let alone = only_chooser(node, self.chance) == Some(role);
        let proven = |arm: usize| match alone {
            true => proven_arm(&self.tree, node, role, arm).map(|values| values[role]),
            false => None,
        };
        let open = (0..arms.moves.len()).filter(|&arm| proven(arm).is_none());
        let tried = open.max_by_key(|&arm| arms.visits[arm]);
        let tried = tried.map(|arm| (arms.mean(arm), arm));
        let known = (0..arms.moves.len()).filter_map(|arm| Some((proven(arm)?, arm)));
        let known = known.max_by(|a, b| a.0.total_cmp(&b.0));
        let ((value, arm), is_proven) = match (tried, known) {
            (Some(tried), Some(known)) if known.0 > tried.0 || node.proven.is_some() => {
                (known, true)
            }
            (Some(tried), _) => (tried, node.proven.is_some()),
            (None, known) => (known?, true),
        };
        let moves = &self.seat.game.network()?.moves()[role];
        Some(Decision {
            action: moves[arms.moves[arm] as usize],
            value: Some(f64::from(value)),
            proven: is_proven && node.proven.is_some(),
            playouts,
        })
    }
}

impl Player for Uct {
    fn start(&mut self, budget: &Budget) -> Result<(), Refusal> {
        if self.seat.game.has_percepts() {
            return Err(Refusal::Hidden { player: "uct" });
        }
        let first = self.seat.game.network().map(|it| it.initial().to_vec());
        if let Some(first) = first {
            self.search(&first, budget);
        }
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>, budget: &Budget) -> Decision {
        if let [only] = turn.legal {
            return Decision::plain(*only);
        }
        let packed = turn.state.and_then(|state| self.seat.game.packed(state));
        let decision = packed.and_then(|state| {
            let (root, playouts) = self.search(&state, budget)?;
            self.decide(root, playouts)
        });
        decision
            .filter(|decision| turn.legal.contains(&decision.action))
            .unwrap_or_else(|| Decision::plain(turn.legal[0]))
    }
}
