//! Which moves each lane has played, and the goals of those playouts.
//!
//! A word for each move tells in which lanes it was played: the record beside the state. When a
//! playout is over, its bits are held; when many are held, each move is counted for all of them:
//! by counting bits if all lanes have one start, else lane by lane.

use crate::lanes::ends::{Arms, HeldArms, Worth};
use crate::lanes::kernels::RecordKernel;
use crate::lanes::word::{Lanewise, Word};
use crate::moves::{MoveTable, MoveTally};
use logic::RoleId;
use multiversion::multiversion;

/// What playouts note about moves, if anything. Words are the memory of the turns.
pub(crate) trait MoveLog<const P: usize> {
    /// Whether anything is noted.
    const COUNTS: bool;
    /// How many words of memory it needs.
    fn slots(&self) -> usize;
    /// A turn begins.
    fn begin(&self, words: &mut [Word<P>], active: Word<P>);
    /// Some lanes have ended; playouts that are over are held.
    fn hold(&self, words: &mut [Word<P>], over: Word<P>, ended: Word<P>);
    /// Counts the moves of all playouts held, given their goals in the lanes that are held.
    fn count(&mut self, words: &mut [Word<P>], goals: &Goals<'_, P>, arms: &HeldArms);
}

/// Where goals were reached, and what each is worth to whom.
pub(crate) struct Goals<'g, const P: usize> {
    pub(crate) words: &'g [Word<P>],
    pub(crate) worth: &'g [Worth],
}

impl<const P: usize> Goals<'_, P> {
    /// What a role may have got, and in which lanes it did.
    fn of_role(&self, role: RoleId) -> Vec<(u32, Word<P>)> {
        let pairs = self.worth.iter().zip(self.words);
        let pairs = pairs.flat_map(|(worth, &goal)| {
            let own = worth.iter().filter(move |&&(whose, _)| whose == role);
            own.map(move |&(_, value)| (value, goal))
        });
        pairs.collect()
    }
}

/// Nothing is noted.
pub(crate) struct NoMoves;

impl<const P: usize> MoveLog<P> for NoMoves {
    const COUNTS: bool = false;

    fn slots(&self) -> usize {
        0
    }

    #[inline(always)]
    fn begin(&self, _: &mut [Word<P>], _: Word<P>) {}

    #[inline(always)]
    fn hold(&self, _: &mut [Word<P>], _: Word<P>, _: Word<P>) {}

    #[inline(always)]
    fn count(&mut self, _: &mut [Word<P>], _: &Goals<'_, P>, _: &HeldArms) {}
}

/// Moves are counted, for each start and move.
pub(crate) struct Played<'b, const P: usize> {
    record: &'b RecordKernel<P>,
    tables: &'b mut [MoveTable<MoveTally>],
}

impl<'b, const P: usize> Played<'b, P> {
    /// Counts into a table for each start; all have the same moves.
    pub(crate) fn new(
        record: &'b RecordKernel<P>,
        tables: &'b mut [MoveTable<MoveTally>],
    ) -> Played<'b, P> {
        Played { record, tables }
    }
}

impl<const P: usize> MoveLog<P> for Played<'_, P> {
    const COUNTS: bool = true;

    fn slots(&self) -> usize {
        self.record.hold.slots()
    }

    #[inline(always)]
    fn begin(&self, words: &mut [Word<P>], active: Word<P>) {
        words[1 + self.record.record.active] = active;
    }

    #[inline(always)]
    fn hold(&self, words: &mut [Word<P>], over: Word<P>, ended: Word<P>) {
        if !ended.is_none() {
            words[1 + self.record.record.over] = over;
            words[1 + self.record.record.ended] = ended;
            self.record.hold.run(words);
        }
    }

    fn count(&mut self, words: &mut [Word<P>], goals: &Goals<'_, P>, arms: &HeldArms) {
        let Some(table) = self.tables.first() else {
            return;
        };
        let mut held = &mut words[1..][self.record.record.held.clone()];
        let sizes: Vec<_> = (RoleId::all(table.roles()))
            .map(|role| (role, table.range(role)))
            .collect();
        for (role, moves) in sizes {
            let of_moves;
            (of_moves, held) = held.split_at_mut(moves.len());
            let goals = goals.of_role(role);
            if arms.are_one() {
                let table = &mut self.tables[arms.arm(0)];
                count_bits(of_moves, &goals, &mut table.values_mut()[moves]);
                continue;
            }
            let tables = self.tables.iter_mut();
            let mut tables: Vec<&mut [MoveTally]> = tables
                .map(|table| &mut table.values_mut()[moves.clone()])
                .collect();
            count_lanes(of_moves, &by_lane(&goals, arms), &mut tables);
        }
    }
}

/// Counts moves of one role from one start, given what the role got where.
#[multiversion(targets(
    "x86_64+avx512f+avx512vl+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt",
    "aarch64+neon"
))]
fn count_bits<const P: usize>(
    held: &mut [Word<P>],
    goals: &[(u32, Word<P>)],
    table: &mut [MoveTally],
) {
    for (held, tally) in held.iter_mut().zip(table) {
        let played = std::mem::replace(held, [0; P]);
        if played.is_none() {
            continue;
        }
        tally.playouts += played.count();
        for &(value, goal) in goals {
            tally.goals += u64::from(value) * played.and(goal).count();
        }
    }
}

/// The start of a lane, and what a role got there.
#[derive(Copy, Clone)]
struct Gain {
    arm: usize,
    value: u64,
}

/// What a role got in each lane.
fn by_lane<const P: usize>(goals: &[(u32, Word<P>)], arms: &HeldArms) -> Vec<Gain> {
    let gain = |lane| Gain {
        arm: arms.arm(lane),
        value: 0,
    };
    let mut gains: Vec<Gain> = (0..64 * P).map(gain).collect();
    for &(value, goal) in goals {
        for lane in goal.lanes() {
            gains[lane].value += u64::from(value);
        }
    }
    gains
}

/// Counts moves of one role, with a table for each start.
#[multiversion(targets("x86_64+bmi1+bmi2+popcnt"))]
fn count_lanes<const P: usize>(
    held: &mut [Word<P>],
    gains: &[Gain],
    tables: &mut [&mut [MoveTally]],
) {
    for (number, held) in held.iter_mut().enumerate() {
        let played = std::mem::replace(held, [0; P]);
        if played.is_none() {
            continue;
        }
        for (mut bits, gains) in played.into_iter().zip(gains.chunks_exact(64)) {
            while bits != 0 {
                let Gain { arm, value } = gains[bits.trailing_zeros() as usize];
                bits &= bits - 1;
                let tally = &mut tables[arm][number];
                tally.playouts += 1;
                tally.goals += value;
            }
        }
    }
}
