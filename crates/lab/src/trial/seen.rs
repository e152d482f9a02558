//! What was seen in the states that were looked at.

use game::{Bits, Broken, Defect, Game, MoveId, RoleId, TermId, Walk};
use std::collections::{BTreeSet, HashSet};

/// A defect, and in how many states or matches it was met.
#[derive(Clone, Debug)]
pub struct Met {
    /// The defect, with the shortest way to it that was found.
    pub broken: Broken,
    /// How often it was met.
    pub times: u64,
}

/// What was seen.
#[derive(Debug)]
pub(super) struct Seen<'g> {
    pub(super) game: &'g Game,
    states: u64,
    /// The fluents that held, if the game has a list of fluents.
    fluents: Vec<u64>,
    /// For each role and move whether it was legal, if the game has a list of moves.
    moves: Vec<Vec<bool>>,
    /// For each role its goals at the ends.
    goals: Vec<BTreeSet<u32>>,
    met: Vec<Met>,
    /// A goal that fell: from, to, and where.
    fall: Option<(u32, u32, Broken)>,
    /// A state to which a match can come back.
    circle: Option<Broken>,
}

/// How a state was reached.
pub(super) trait Way {
    /// The joint moves from the initial state.
    fn moves(&self, game: &Game) -> Vec<Vec<TermId>>;
}

impl Way for Vec<Vec<MoveId>> {
    fn moves(&self, game: &Game) -> Vec<Vec<TermId>> {
        let joint = |joint: &Vec<MoveId>| {
            let moves = game.role_ids().zip(joint);
            moves.map(|(role, &it)| game.move_term(role, it)).collect()
        };
        self.iter().map(joint).collect()
    }
}

impl<'g> Seen<'g> {
    pub(super) fn new(game: &'g Game) -> Seen<'g> {
        let moves = |role| vec![false; game.moves(role).map_or(0, <[TermId]>::len)];
        Seen {
            game,
            states: 0,
            fluents: vec![0; game.state_words().unwrap_or(0)],
            moves: game.role_ids().map(moves).collect(),
            goals: vec![BTreeSet::new(); game.roles().len()],
            met: Vec::new(),
            fall: None,
            circle: None,
        }
    }

    pub(super) fn met(&self) -> &[Met] {
        &self.met
    }

    pub(super) fn states(&self) -> u64 {
        self.states
    }

    /// The goals of a role at the ends that were seen.
    pub(super) fn goals(&self, role: RoleId) -> &BTreeSet<u32> {
        &self.goals[role.index()]
    }

    pub(super) fn fall(&self) -> Option<&(u32, u32, Broken)> {
        self.fall.as_ref()
    }

    pub(super) fn circle(&self) -> Option<&Broken> {
        self.circle.as_ref()
    }

    /// The moves of a role that were never legal; empty without a list of moves.
    pub(super) fn never_legal(&self, role: RoleId) -> Vec<TermId> {
        let moves = self.game.moves(role).unwrap_or_default();
        let seen = moves.iter().zip(&self.moves[role.index()]);
        seen.filter(|(_, seen)| !**seen)
            .map(|(&it, _)| it)
            .collect()
    }

    /// The fluents that never held; empty without a list of fluents.
    pub(super) fn never_held(&self) -> Vec<TermId> {
        let fluents = self.game.fluents().unwrap_or_default();
        let held = |place: usize| self.fluents[place / 64] >> (place % 64) & 1 == 1;
        let never = fluents
            .iter()
            .enumerate()
            .filter(|(place, _)| !held(*place));
        never.map(|(_, &it)| it).collect()
    }

    /// The moves of a role that were legal; empty without a list of moves.
    pub(super) fn were_legal(&self, role: RoleId) -> Vec<TermId> {
        let moves = self.game.moves(role).unwrap_or_default();
        let seen = moves.iter().zip(&self.moves[role.index()]);
        seen.filter(|(_, seen)| **seen).map(|(&it, _)| it).collect()
    }

    /// The fluents that held; empty without a list of fluents.
    pub(super) fn held(&self) -> Vec<TermId> {
        let fluents = self.game.fluents().unwrap_or_default();
        let never: HashSet<TermId> = self.never_held().into_iter().collect();
        let held = fluents.iter().filter(|it| !never.contains(it));
        held.copied().collect()
    }

    /// A move was legal.
    pub(super) fn legal(&mut self, role: RoleId, action: MoveId) {
        if let Some(seen) = self.moves[role.index()].get_mut(action.index()) {
            *seen = true;
        }
    }

    /// Looks at the state of a walk; false if it has a defect.
    pub(super) fn look(&mut self, walk: &mut Walk<'_>, way: &dyn Way) -> bool {
        // When the time is over, nothing is known: that is no defect.
        if walk.is_broken_off() {
            return false;
        }
        self.states += 1;
        self.hold(walk.state());
        if let Some(reason) = walk.failure() {
            let defect = Defect::Unanswered(reason.clone());
            self.meet_at(walk, defect, way);
            return false;
        }
        if walk.terminal() {
            return self.end(walk, way);
        }
        for role in self.game.role_ids() {
            let legal = walk.legal(role);
            if legal.is_empty() {
                self.meet_at(walk, Defect::NoMove(role), way);
                return false;
            }
            legal.into_iter().for_each(|it| self.legal(role, it));
        }
        true
    }

    fn hold(&mut self, state: &Bits) {
        let words = self.fluents.iter_mut().zip(state.words());
        words.for_each(|(seen, held)| *seen |= held);
    }

    fn end(&mut self, walk: &mut Walk<'_>, way: &dyn Way) -> bool {
        let view = walk.view(self.game);
        if let Some(defect) = self.game.defect(&view) {
            self.meet_at(walk, defect, way);
            return false;
        }
        for role in self.game.players() {
            self.goals[role.index()].extend(walk.goal(role));
        }
        true
    }

    /// A goal fell in the last turn.
    pub(super) fn falls(&mut self, (from, to): (u32, u32), walk: &Walk<'_>, way: &dyn Way) {
        if self.fall.is_none() {
            let broken = self.here(walk, Defect::TooLong { repeats: 0 }, way);
            self.fall = Some((from, to, broken));
        }
    }

    /// A match can come back to the state of a walk.
    pub(super) fn comes_back(&mut self, walk: &Walk<'_>, way: &dyn Way) {
        self.circle = Some(self.here(walk, Defect::TooLong { repeats: 1 }, way));
    }

    /// A defect shows in the state of a walk.
    pub(super) fn meet_at(&mut self, walk: &Walk<'_>, defect: Defect, way: &dyn Way) {
        let broken = self.here(walk, defect, way);
        self.meet(broken);
    }

    fn here(&self, walk: &Walk<'_>, defect: Defect, way: &dyn Way) -> Broken {
        Broken {
            defect,
            state: self.game.unpacked(walk.state()),
            moves: way.moves(self.game),
        }
    }

    /// A defect was met: of each kind the one with the shortest way is kept.
    pub(super) fn meet(&mut self, broken: Broken) {
        let name = broken.defect.name();
        match self
            .met
            .iter_mut()
            .find(|it| it.broken.defect.name() == name)
        {
            Some(met) => {
                met.times += 1;
                if broken.turns() < met.broken.turns() {
                    met.broken = broken;
                }
            }
            None => self.met.push(Met { broken, times: 1 }),
        }
    }
}
