//! What a role can force within some turns: a depth-limited proof search on a walk.
//!
//! The role takes the best of its moves, every other role what is worst for it. The match is played
//! to its end or to the limit of turns; beyond it, and where chance or several roles choose, the
//! role may get anything. So the bounds hold whatever the others want.

use super::Kind;
use game::{Bits, BitsBuf, Game, MoveId, RoleId, Walk};
use std::collections::HashMap;

/// The most turns that a proof may take.
pub const LONGEST: usize = 7;
/// So many turns further the other moves are searched, if a win is proven and they are not refuted: a
/// position with another win there is left out. That may be given up, unlike the proof.
const FURTHER: usize = 2;
/// States that may be visited to judge a position.
const STATES: u64 = 60_000;

/// The least and the most that a role gets.
type Forced = (u32, u32);

/// What is proven of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    /// The moves that force the value.
    pub(super) right: Vec<MoveId>,
    /// The goal they force.
    pub(super) value: u32,
    /// Within so many turns.
    pub(super) turns: usize,
    /// What is known of the other moves.
    pub(super) kind: Kind,
    /// How many moves there are.
    pub(super) moves: usize,
}

/// Judges a position in which a role alone chooses. None if a move wins at once, if nothing is
/// proven within [`LONGEST`] turns, or if that takes too many states.
pub(super) fn judge(game: &Game, (state, role): (&Bits, RoleId)) -> Option<Verdict> {
    let mut prover = Prover {
        walk: game.walk(),
        roles: game.roles().len(),
        chance: game.chance(),
        most: (game.most(role) * 100.0).round() as u32,
        known: HashMap::new(),
        left: STATES,
        role,
    };
    for turns in 1..=LONGEST {
        let moves = prover.moves(state, turns)?;
        let Some((verdict, all_refuted)) = verdict(&moves, turns) else {
            continue;
        };
        let wins = verdict.value == prover.most;
        match (wins, all_refuted) {
            (true, _) if turns == 1 => return None,
            (_, true) => return Some(verdict),
            (true, false) => return prover.first_win(state, verdict),
            (false, false) => {}
        }
    }
    None
}

/// The moves that force most, and whether all others are proven to bring less.
fn verdict(moves: &[(MoveId, Forced)], turns: usize) -> Option<(Verdict, bool)> {
    let value = moves.iter().map(|it| it.1.0).max().filter(|&it| it > 0)?;
    type Moves<'m> = Vec<&'m (MoveId, Forced)>;
    let (right, wrong): (Moves<'_>, Moves<'_>) = moves.iter().partition(|it| it.1.0 == value);
    // Two moves that force the same may differ in what they bring against weak play only.
    let alike = right.len() == 1 || right.iter().all(|it| it.1.1 == value);
    let verdict = Verdict {
        right: right.iter().map(|it| it.0).collect(),
        kind: Kind::Refuted,
        moves: moves.len(),
        value,
        turns,
    };
    Some((verdict, alike && wrong.iter().all(|it| it.1.1 < value)))
}

struct Prover<'g> {
    walk: Walk<'g>,
    role: RoleId,
    roles: usize,
    chance: Option<RoleId>,
    /// The highest goal of the role.
    most: u32,
    known: HashMap<(BitsBuf, usize), Forced>,
    /// How many states may still be visited.
    left: u64,
}

impl Prover<'_> {
    /// A win is proven: it is the answer if no other move is seen to win a little later.
    fn first_win(&mut self, state: &Bits, verdict: Verdict) -> Option<Verdict> {
        self.left = STATES;
        let later = self.moves(state, verdict.turns + FURTHER);
        let later = later.unwrap_or_default();
        let mut wins = later.iter().filter(|it| it.1.0 == verdict.value);
        let only = wins.all(|it| verdict.right.contains(&it.0));
        only.then_some(Verdict {
            kind: Kind::Slower,
            ..verdict
        })
    }

    /// What each move of the role forces; none if the role does not choose alone, or if there were
    /// too many states.
    fn moves(&mut self, state: &Bits, turns: usize) -> Option<Vec<(MoveId, Forced)>> {
        let legal = self.legal(state);
        if self.chooser(&legal) != Some(Some(self.role)) {
            return None;
        }
        let own = self.role.index();
        let mut joint: Vec<MoveId> = legal.iter().map(|it| it[0]).collect();
        let mut forced = |&action: &MoveId| {
            joint[own] = action;
            Some((action, self.after(state, &joint, turns)?))
        };
        legal[own].iter().map(&mut forced).collect()
    }

    fn legal(&mut self, state: &Bits) -> Vec<Vec<MoveId>> {
        self.walk.load(state);
        let roles = RoleId::all(self.roles);
        roles.map(|role| self.walk.legal(role)).collect()
    }

    /// The role that alone chooses, or that nobody does; none if chance or several choose.
    fn chooser(&self, legal: &[Vec<MoveId>]) -> Option<Option<RoleId>> {
        let roles = RoleId::all(self.roles);
        let mut choosing = roles.filter(|role| legal[role.index()].len() > 1);
        match (choosing.next(), choosing.next()) {
            (only, None) if only.is_none() || only != self.chance => Some(only),
            _ => None,
        }
    }

    fn after(&mut self, state: &Bits, joint: &[MoveId], turns: usize) -> Option<Forced> {
        self.left = self.left.checked_sub(1)?;
        self.walk.load(state);
        self.walk.play(joint);
        if self.walk.terminal() {
            let goal = self.walk.goal(self.role)?;
            return Some((goal, goal));
        }
        let next = self.walk.state().to_owned();
        self.forced(next, turns - 1)
    }

    /// What the role gets in a state that is not over.
    fn forced(&mut self, state: BitsBuf, turns: usize) -> Option<Forced> {
        if turns == 0 {
            return Some((0, self.most));
        }
        let key = (state, turns);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let legal = self.legal(&key.0);
        let forced = match self.chooser(&legal) {
            Some(chooser) => self.best(&key.0, (chooser, &legal), turns)?,
            None => (0, self.most),
        };
        self.known.insert(key, forced);
        Some(forced)
    }

    fn best(
        &mut self,
        state: &Bits,
        (chooser, legal): (Option<RoleId>, &[Vec<MoveId>]),
        turns: usize,
    ) -> Option<Forced> {
        let chooser = chooser.unwrap_or(self.role);
        let own = chooser == self.role;
        let mut joint: Vec<MoveId> = legal.iter().map(|it| it[0]).collect();
        let mut best = if own { (0, 0) } else { (self.most, self.most) };
        for &action in &legal[chooser.index()] {
            joint[chooser.index()] = action;
            let (low, high) = self.after(state, &joint, turns)?;
            best = match own {
                true => (best.0.max(low), best.1.max(high)),
                false => (best.0.min(low), best.1.min(high)),
            };
            if (own && best.0 == self.most) || (!own && best.1 == 0) {
                break;
            }
        }
        Some(best)
    }
}
