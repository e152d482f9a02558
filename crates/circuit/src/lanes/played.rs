//! Which moves each lane has played, and the goals of those playouts.
//!
//! A word for each move tells in which lanes it was played: the record beside the state. It stays
//! there when a playout is over. Before a lane begins another playout its bits are held; when many
//! are held, each move is counted for all of them, piece by piece of lanes with one start.

use crate::lanes::ends::{HeldBy, Piece, Worth};
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
    /// Some lanes have ended; playouts that are over are to be held.
    fn end(&mut self, over: Word<P>, ended: Word<P>);
    /// Holds what was played in lanes that have ended: they are to begin anew.
    fn hold(&mut self, words: &mut [Word<P>]);
    /// Counts the moves of all playouts that are over, given their goals in these lanes.
    fn count(&mut self, words: &mut [Word<P>], goals: &Goals<'_, P>, by: HeldBy<'_>);
}

/// Where goals were reached, and what each is worth to whom.
pub(crate) struct Goals<'g, const P: usize> {
    pub(crate) words: &'g [Word<P>],
    pub(crate) worth: &'g [Worth],
}

impl<const P: usize> Goals<'_, P> {
    /// What a role may have got, if anything, and in which lanes it did.
    fn of_role(&self, role: RoleId) -> Vec<(u32, Word<P>)> {
        let pairs = self.worth.iter().zip(self.words);
        let pairs = pairs.flat_map(|(worth, &goal)| {
            let own = (worth.iter()).filter(move |&&(whose, value)| whose == role && value > 0);
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
    fn end(&mut self, _: Word<P>, _: Word<P>) {}

    #[inline(always)]
    fn hold(&mut self, _: &mut [Word<P>]) {}

    #[inline(always)]
    fn count(&mut self, _: &mut [Word<P>], _: &Goals<'_, P>, _: HeldBy<'_>) {}
}

/// Moves are counted, for each start and move.
pub(crate) struct Played<'b, const P: usize> {
    record: &'b RecordKernel<P>,
    tables: &'b mut [MoveTable<MoveTally>],
    /// Lanes that have ended and are not held yet, and those among them that are over.
    ended: Word<P>,
    over: Word<P>,
}

impl<'b, const P: usize> Played<'b, P> {
    /// Counts into a table for each start; all have the same moves.
    pub(crate) fn new(
        record: &'b RecordKernel<P>,
        tables: &'b mut [MoveTable<MoveTally>],
    ) -> Played<'b, P> {
        Played {
            record,
            tables,
            ended: [0; P],
            over: [0; P],
        }
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
    fn end(&mut self, over: Word<P>, ended: Word<P>) {
        self.over = self.over.or(over);
        self.ended = self.ended.or(ended);
    }

    fn hold(&mut self, words: &mut [Word<P>]) {
        if self.ended.is_none() {
            return;
        }
        words[1 + self.record.record.over] = std::mem::replace(&mut self.over, [0; P]);
        words[1 + self.record.record.ended] = std::mem::replace(&mut self.ended, [0; P]);
        self.record.hold.run(words);
    }

    fn count(&mut self, words: &mut [Word<P>], goals: &Goals<'_, P>, by: HeldBy<'_>) {
        self.hold(words);
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
            match by {
                HeldBy::One(arm) => {
                    let table = &mut self.tables[arm];
                    count_bits(of_moves, &goals, &mut table.values_mut()[moves]);
                }
                HeldBy::Several(pieces) => {
                    let tables = self.tables.iter_mut();
                    let mut tables: Vec<&mut [MoveTally]> = tables
                        .map(|table| &mut table.values_mut()[moves.clone()])
                        .collect();
                    count_pieces(of_moves, (&goals, pieces), &mut tables);
                }
            }
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

/// Counts moves of one role, with a table for each start, given what the role got where.
#[multiversion(targets("x86_64+bmi1+bmi2+popcnt"))]
fn count_pieces<const P: usize>(
    held: &mut [Word<P>],
    (goals, pieces): (&[(u32, Word<P>)], &[Piece]),
    tables: &mut [&mut [MoveTally]],
) {
    for (number, held) in held.iter_mut().enumerate() {
        let played = std::mem::replace(held, [0; P]);
        if played.is_none() {
            continue;
        }
        for &Piece { arm, part, mask } in pieces {
            let bits = played[part] & mask;
            if bits == 0 {
                continue;
            }
            let tally = &mut tables[arm][number];
            tally.playouts += u64::from(bits.count_ones());
            for &(value, goal) in goals {
                tally.goals += u64::from(value) * u64::from((bits & goal[part]).count_ones());
            }
        }
    }
}
