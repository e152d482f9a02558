//! What policies bring the players: a set of vectors, none of which is as good as another for
//! everyone.

use super::Unsolved;
use super::cooperative::NEAR;
use super::spent::Spent;
use game::MoveId;

/// So many trade-offs there may be in one state.
const MOST_POINTS: usize = 10_000;
/// So many comparisons count as a node.
const COMPARED: u64 = 64;

/// What a policy brings the players.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    pub(super) values: Vec<f64>,
    /// What it does, and for each move of chance the front and the point that follow.
    pub(super) next: Vec<(Vec<MoveId>, usize, usize)>,
}

/// What is done, and the front and the point that follow.
#[derive(Copy, Clone, Debug)]
pub(super) struct Next<'a> {
    pub(super) joint: &'a [MoveId],
    pub(super) front: usize,
    pub(super) point: usize,
}

impl Point {
    /// A point after which nothing is done.
    pub(super) fn new(values: Vec<f64>) -> Point {
        Point {
            values,
            next: Vec::new(),
        }
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        const BLOCK: usize = 16;
        let step = |it: &(Vec<MoveId>, usize, usize)| size_of_val(it) + size_of_val(&it.0[..]);
        let next = self.next.iter().map(|it| step(it) + BLOCK);
        size_of_val(self) + size_of_val(&self.values[..]) + BLOCK + next.sum::<usize>()
    }
}

/// Points that are not as good as others for everyone.
#[derive(Debug, Default)]
pub(super) struct Points {
    all: Vec<Point>,
    bytes: usize,
}

impl From<Point> for Points {
    fn from(point: Point) -> Points {
        Points {
            bytes: point.bytes(),
            all: vec![point],
        }
    }
}

impl Points {
    pub(super) fn all(&self) -> &[Point] {
        &self.all
    }

    pub(super) fn into_all(self) -> Vec<Point> {
        self.all
    }

    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a point unless another is at least as good for everyone.
    pub(super) fn add(&mut self, point: Point, spent: &mut Spent) -> Result<(), Unsolved> {
        match self.is_covered(&point.values, spent)? {
            true => Ok(()),
            false => self.insert(point, spent),
        }
    }

    /// Adds what `before` and a share of `after` bring together.
    pub(super) fn combine(
        &mut self,
        before: &Point,
        (share, after): (f64, &Point),
        next: Next<'_>,
        spent: &mut Spent,
    ) -> Result<(), Unsolved> {
        let sums = before.values.iter().zip(&after.values);
        let values: Vec<f64> = sums.map(|(sum, value)| sum + share * value).collect();
        if self.is_covered(&values, spent)? {
            return Ok(());
        }
        let mut steps = before.next.clone();
        steps.push((next.joint.to_vec(), next.front, next.point));
        let next = steps;
        self.insert(Point { values, next }, spent)
    }

    fn is_covered(&self, values: &[f64], spent: &mut Spent) -> Result<bool, Unsolved> {
        spent.count(1 + self.all.len() as u64 / COMPARED)?;
        Ok(self.all.iter().any(|other| covers(&other.values, values)))
    }

    /// Adds a point that none covers; drops those it is better than.
    fn insert(&mut self, point: Point, spent: &Spent) -> Result<(), Unsolved> {
        let bytes = &mut self.bytes;
        self.all.retain(|other| {
            let worse = covers(&point.values, &other.values);
            *bytes -= if worse { other.bytes() } else { 0 };
            !worse
        });
        self.bytes += point.bytes();
        self.all.push(point);
        spent.fits(self.bytes)?;
        match self.all.len() > MOST_POINTS {
            true => Err(Unsolved::Points(MOST_POINTS)),
            false => Ok(()),
        }
    }
}

/// Whether some values are at least as good as others for everyone.
fn covers(one: &[f64], other: &[f64]) -> bool {
    let mut values = one.iter().zip(other);
    values.all(|(one, other)| *one >= other - NEAR)
}
