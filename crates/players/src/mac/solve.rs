//! The solutions of a state's network: the joint moves that are legal, each with the state
//! after it, and with what look-ahead and nogoods prove of it. Where there is no network, a walk
//! gives the same without proofs.

use super::look::{Look, Pool, Several};
use super::nogoods::Nogoods;
use crate::kit::Thread;
use crate::tree::{Bounds, Fresh, NEAR, Shape, Who};
use constraint::{Ending, Query, SearchLimits, Strength};
use encoding::{Ahead, Encoding, Micro, Tables};
use game::{Bits, BitsBuf, MoveId, RoleId, Walk};
use std::ops::ControlFlow;
use std::time::Instant;

/// What a solver is made of.
#[derive(Copy, Clone)]
pub(super) struct Source<'s> {
    /// The network of a round, if there is one, and how it is solved.
    pub(super) encoding: Option<(&'s Encoding, Strength)>,
    /// The same by relations in extension, if they are to be solved.
    pub(super) tables: Option<&'s Tables>,
    /// The same with its end, if there is look-ahead.
    pub(super) ahead: Option<&'s Ahead>,
    /// Networks that were used before.
    pub(super) pool: &'s Pool,
    /// What was learned, if it is used.
    pub(super) nogoods: Option<&'s Nogoods>,
    pub(super) shape: &'s Shape,
    pub(super) roles: usize,
    /// The role that is chance.
    pub(super) chance: Option<RoleId>,
    /// A state with more solutions than this is not solved as a whole.
    pub(super) solutions: usize,
}

/// At most so many values are tried in a network of tables.
const TRIED: u64 = 20_000;
/// The clock is asked after so many moves.
const OFTEN: usize = 16;
/// So many decisions may be tried after each move, however many there are.
const LEAST: i64 = 32;

/// What solves networks of states.
pub(super) struct Solver<'s> {
    source: Source<'s>,
    micro: Option<Micro<'s>>,
    look: Option<Look<'s>>,
}

/// How far to look ahead: so many rounds, and about so many decisions at most.
#[derive(Copy, Clone, Debug)]
pub(super) struct Far {
    pub(super) rounds: usize,
    pub(super) nodes: i64,
}

/// The moves of a state, and what is proven of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Solved {
    pub(super) fresh: Fresh,
    /// Moves of the role that alone decides, or of chance, of which something is proven.
    pub(super) proven: Vec<Proven>,
    /// Where several choose at once, what is known of the moves of each.
    pub(super) several: Option<Several>,
    /// Values tried in a network of tables.
    pub(super) tried: u64,
    /// Decisions of the network, and moves decided by nogoods.
    pub(super) nodes: u64,
    pub(super) reused: usize,
}

/// What is proven of a move.
#[derive(Clone, Debug)]
pub(super) struct Proven {
    /// The place of the move among those of the role that decides.
    pub(super) arm: usize,
    /// The state after it.
    pub(super) state: BitsBuf,
    pub(super) bounds: Bounds,
    /// Whether the match is over there; else it is over soon.
    pub(super) over: bool,
}

impl Solved {
    fn clear(&mut self) {
        self.proven.clear();
        self.several = None;
        (self.tried, self.nodes, self.reused) = (0, 0, 0);
        self.fresh.over = false;
        self.fresh.unknown = false;
    }
}

impl<'s> Solver<'s> {
    pub(super) fn new(source: Source<'s>) -> Solver<'s> {
        let micro = |(encoding, strength)| match source.tables {
            Some(tables) => Micro::with_tables(encoding, tables, strength),
            None => Micro::with_strength(encoding, strength),
        };
        let networks = source.encoding.zip(source.ahead);
        let look = |((encoding, _), ahead)| {
            Look::new(
                (encoding, ahead),
                (source.shape, source.pool),
                source.nogoods,
            )
        };
        // A network with its end has the same moves, too.
        let plain = source
            .encoding
            .filter(|_| source.ahead.is_none() || source.tables.is_some());
        Solver {
            micro: plain.map(micro),
            look: networks.map(look),
            source,
        }
    }

    /// Whether networks are solved by relations in extension.
    pub(super) fn solves_tables(&self) -> bool {
        self.source.tables.is_some() && self.micro.is_some()
    }

    /// Finds the moves of a state as all solutions of its network of tables; by gates if that is
    /// too much.
    fn solve_tables(&mut self, state: &Bits, thread: &mut Thread<'_>, solved: &mut Solved) {
        let Some(micro) = &mut self.micro else {
            return;
        };
        let roles = self.source.roles;
        let mut moves: Vec<Vec<MoveId>> = vec![Vec::new(); roles];
        let mut complete = false;
        if micro.load(state).is_ok() {
            let late = || thread.clock.is_late();
            let limits = SearchLimits {
                nodes: Some(TRIED),
                stop: Some(&late),
                ..SearchLimits::default()
            };
            let query = Query {
                limits,
                ..Query::default()
            };
            let report = micro.each(&query, |solution| {
                for (moves, &action) in moves.iter_mut().zip(solution.joint) {
                    if moves.last() != Some(&action) {
                        moves.push(action);
                    }
                }
                ControlFlow::Continue(())
            });
            complete = report.ending == Ending::Complete;
            solved.tried = report.nodes;
        }
        if !complete || moves.iter().any(Vec::is_empty) {
            thread.walk.load(state);
            return solved.fresh.take(&mut thread.walk, roles);
        }
        solved.fresh.take_moves(roles, |role, all| {
            let moves = &mut moves[role.index()];
            moves.sort_unstable();
            moves.dedup();
            all.extend_from_slice(moves);
        });
    }

    /// Says when look-ahead has to stop.
    pub(super) fn look_until(&mut self, until: Option<Instant>) {
        if let Some(look) = &mut self.look {
            look.until = until;
        }
    }

    /// Whether it can look ahead.
    pub(super) fn looks(&self) -> bool {
        self.look.is_some()
    }

    /// The same as [`Solver::solve`], with proofs; false if the state is better solved without.
    pub(super) fn look(
        &mut self,
        state: &Bits,
        (thread, far): (&mut Thread<'_>, Far),
        solved: &mut Solved,
    ) -> bool {
        solved.clear();
        let Some(look) = &mut self.look else {
            return false;
        };
        if look.first().load(state).is_err() {
            return false;
        }
        look.begin();
        let scout = look.first();
        solved.fresh.take_moves(self.source.roles, |role, moves| {
            moves.extend(scout.legal(role));
        });
        let who = solved.fresh.who(self.source.chance);
        let before = look.nodes;
        match who {
            Who::Over | Who::Open => return false,
            Who::Several => solved.several = look.each_alone(far.rounds.min(1), far.nodes),
            Who::Role(role) | Who::Chance(role) => {
                if solved.fresh.moves(role).len() > self.source.solutions {
                    return false;
                }
                let alone = matches!(who, Who::Role(_)).then_some(role);
                self.look_at(state, (thread, far), (role, alone, solved));
            }
            Who::Nobody => {
                let role = RoleId::new(0);
                self.look_at(state, (thread, far), (role, None, solved));
            }
        }
        let look = self.look.as_ref().map_or(0, |it| it.nodes);
        solved.nodes += look - before;
        true
    }

    /// Decides the moves of a role that alone decides, or of chance, one by one: first for ends
    /// and by nogoods, then by what comes after them.
    fn look_at(
        &mut self,
        state: &Bits,
        (thread, far): (&mut Thread<'_>, Far),
        (role, alone, solved): (RoleId, Option<RoleId>, &mut Solved),
    ) {
        let Some(look) = &mut self.look else {
            return;
        };
        let Source {
            roles,
            nogoods,
            shape,
            ..
        } = self.source;
        let Solved {
            fresh,
            proven,
            nodes,
            reused,
            ..
        } = solved;
        let moves = fresh.moves(role);
        let most = shape.most[role.index()] - NEAR;
        let all = RoleId::all(roles);
        let mut joint: Vec<MoveId> = all.map(|it| fresh.moves(it)[0]).collect();
        let known = nogoods.filter(|it| alone.is_some() && !it.is_empty());
        for (arm, &action) in moves.iter().enumerate() {
            joint[role.index()] = action;
            *nodes += 1;
            let found = look.end_after(&joint).map(|bounds| (bounds, true));
            let found = found.or_else(|| {
                let bounds = known?.find(state, role, &joint)?;
                *reused += 1;
                Some((shape.of_role(role, bounds), false))
            });
            if let Some((bounds, over)) = found {
                let won = alone.is_some() && bounds[role.index()].0 >= most;
                if won && over && known.is_none_or(|it| it.find(state, role, &joint).is_none()) {
                    look.learn_win(role, &joint);
                }
                proven.push(Proven {
                    arm,
                    state: look.first().next().to_owned(),
                    bounds,
                    over,
                });
                if won {
                    return;
                }
            }
            if arm % OFTEN == OFTEN - 1 && thread.clock.is_late() {
                return;
            }
        }
        if far.rounds < 2 {
            return;
        }
        let each = (far.nodes / moves.len() as i64).max(LEAST);
        let ends = proven.len();
        for (arm, &action) in moves.iter().enumerate() {
            if proven[..ends].iter().any(|it| it.arm == arm) {
                continue;
            }
            if thread.clock.is_late() {
                return;
            }
            joint[role.index()] = action;
            if !look.first().decide(&joint) {
                continue;
            }
            let bounds = look.after_first((alone, &joint), (far.rounds - 1, each));
            let won = alone.is_some() && bounds[role.index()].0 >= most;
            if bounds != look.open() {
                proven.push(Proven {
                    arm,
                    state: look.first().next().to_owned(),
                    bounds,
                    over: false,
                });
            }
            if won {
                return;
            }
        }
    }

    /// Finds the moves of a state that is not over, as the solutions of its network or by gates.
    pub(super) fn solve(&mut self, state: &Bits, thread: &mut Thread<'_>, solved: &mut Solved) {
        let walk = &mut thread.walk;
        solved.clear();
        let roles = self.source.roles;
        if self.solves_tables() {
            return self.solve_tables(state, thread, solved);
        }
        if let Some(look) = &mut self.look {
            let scout = look.first();
            if scout.load(state).is_ok() {
                solved.fresh.take_moves(roles, |role, moves| {
                    moves.extend(scout.legal(role));
                });
                return;
            }
        }
        let Some(micro) = &mut self.micro else {
            walk.load(state);
            return solved.fresh.take(walk, roles);
        };
        match micro.load(state) {
            Ok(()) => solved.fresh.take_moves(roles, |role, moves| {
                let first = moves.len();
                moves.extend(micro.legal(role));
                moves[first..].sort_unstable();
            }),
            // No joint move is legal.
            Err(_) => solved.fresh.over = true,
        }
        if solved.fresh.over {
            walk.load(state);
            solved.fresh.take(walk, roles);
        }
    }

    /// Adds what nogoods prove of the moves of a state that was solved, where one role decides.
    pub(super) fn recall(&mut self, state: &Bits, thread: &mut Thread<'_>, solved: &mut Solved) {
        let Source {
            roles,
            chance,
            nogoods,
            shape,
            ..
        } = self.source;
        let known = nogoods.filter(|it| !it.is_empty());
        let (Some(known), Who::Role(role)) = (known, solved.fresh.who(chance)) else {
            return;
        };
        let all = RoleId::all(roles);
        let mut joint: Vec<MoveId> = all.map(|it| solved.fresh.moves(it)[0]).collect();
        for (arm, &action) in solved.fresh.moves(role).iter().enumerate() {
            joint[role.index()] = action;
            let Some(bounds) = known.find(state, role, &joint) else {
                continue;
            };
            let Some(next) = self.follow(state, &joint, &mut thread.walk) else {
                return;
            };
            // The move may end the match: then the rules say what all roles get.
            let walk = &mut thread.walk;
            walk.load(&next);
            let over = walk.terminal();
            let value = |role| (walk.value(role), walk.value(role));
            let bounds = match over {
                true => RoleId::all(roles).map(value).collect(),
                false => shape.of_role(role, bounds),
            };
            solved.reused += 1;
            solved.proven.push(Proven {
                arm,
                state: next,
                bounds,
                over,
            });
        }
    }

    /// Finds the state after a joint move; none if there is no time for that.
    pub(super) fn follow(
        &mut self,
        state: &Bits,
        joint: &[MoveId],
        walk: &mut Walk<'_>,
    ) -> Option<BitsBuf> {
        let mut next = BitsBuf::default();
        if let Some(micro) = &mut self.micro
            && micro.load(state).is_ok()
            && micro.follow(joint, &mut next)
        {
            return Some(next);
        }
        walk.load(state);
        walk.play(joint);
        (!walk.is_broken_off()).then(|| walk.state().to_owned())
    }
}
