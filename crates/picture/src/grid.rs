//! Which relation is the board: the one that covers the largest grid of coordinates.
//!
//! Of a relation's arguments two are the coordinates of a square; others may tell boards apart
//! (as in three dimensions); the rest is the piece. The last argument is a piece if two others
//! can be coordinates, so that puzzles with numbers on their squares are read right.

use super::axis::Axis;
use super::fluent::Fluent;
use std::collections::{BTreeMap, BTreeSet};

/// More boards than this are no picture.
const BOARDS: usize = 16;

/// A square, by the numbers of its labels.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Square {
    pub(super) column: usize,
    pub(super) row: usize,
}

/// One board: the fluents of a relation, or those of them with some arguments fixed.
#[derive(Debug)]
pub(super) struct Grid {
    functor: String,
    arity: usize,
    pub(super) column: Axis,
    pub(super) row: Axis,
    /// The arguments that make it this board, and their values.
    fixed: Vec<(usize, String)>,
    /// The squares of which something can hold.
    pub(super) squares: BTreeSet<Square>,
    /// What can be on them.
    pub(super) pieces: BTreeSet<String>,
}

impl Grid {
    /// The square that a fluent is about, and the piece it puts there.
    pub(super) fn place(&self, fluent: &Fluent) -> Option<(Square, String)> {
        if !self.is_about(fluent) {
            return None;
        }
        let square = Square {
            column: self.column.position(fluent)?,
            row: self.row.position(fluent)?,
        };
        let mut places: Vec<usize> = self.fixed.iter().map(|(place, _)| *place).collect();
        places.extend([self.column.place, self.row.place]);
        let arguments = fluent.arguments.iter().enumerate();
        let piece = arguments.filter(|(place, _)| !places.contains(place));
        let piece: Vec<&str> = piece.map(|(_, argument)| argument.as_str()).collect();
        Some((square, piece.join(" ")))
    }

    fn is_about(&self, fluent: &Fluent) -> bool {
        let arguments = &fluent.arguments;
        let mut fixed = self.fixed.iter();
        fluent.functor == self.functor
            && arguments.len() == self.arity
            && fixed.all(|(place, value)| arguments[*place] == *value)
    }

    /// What tells it from the other boards of the game.
    pub(super) fn title(&self) -> String {
        let values = self.fixed.iter().map(|(_, value)| format!(" {value}"));
        format!("{}{}", self.functor, values.collect::<String>())
    }
}

/// The boards of a game: the largest, and those of the same size.
pub(super) fn find(fluents: &[Fluent]) -> Vec<Grid> {
    let mut relations: BTreeMap<(&str, usize), Vec<&Fluent>> = BTreeMap::new();
    for fluent in fluents {
        let relation = (fluent.functor.as_str(), fluent.arguments.len());
        relations.entry(relation).or_default().push(fluent);
    }
    let relations = relations.into_values();
    let forms: Vec<Form> = relations.filter_map(Form::of).collect();
    // Pieces make a better board than marks.
    let largest = forms.iter().max_by_key(|it| (it.size, it.arity() > 2));
    let Some(largest) = largest else {
        return Vec::new();
    };
    let alike = forms.iter().filter(|form| form.is_like(largest));
    alike.flat_map(Form::grids).take(BOARDS).collect()
}

/// How the fluents of a relation are squares of boards.
struct Form<'f> {
    fluents: Vec<&'f Fluent>,
    column: Axis,
    row: Axis,
    /// The arguments that tell boards apart.
    layers: Vec<Axis>,
    /// How many squares a board has.
    size: usize,
}

impl<'f> Form<'f> {
    fn of(fluents: Vec<&'f Fluent>) -> Option<Form<'f>> {
        let axes = coordinates(&fluents);
        let seconds = axes.iter().enumerate();
        let pairs = seconds.flat_map(|(at, second)| axes[..at].iter().map(move |it| (it, second)));
        let sized = pairs.map(|(first, second)| {
            let size = different(&fluents, &[first, second]);
            let square = size >= 9 && first.labels == second.labels;
            ((square, size, first.place, second.place), (first, second))
        });
        // Where there are several dimensions, those of a square, and of equals the last: names
        // go from the large to the small.
        let ((_, size, ..), (first, second)) = sized.max_by_key(|(key, _)| *key)?;
        let swapped = second.stands_before(first);
        let (column, row) = if swapped {
            (second, first)
        } else {
            (first, second)
        };
        let mut form = Form {
            column: column.clone(),
            row: row.clone(),
            layers: Vec::new(),
            size,
            fluents,
        };
        form.layers = form.layers(axes);
        form.is_board().then_some(form)
    }

    fn is_board(&self) -> bool {
        let covered = 2 * self.size >= self.column.seen * self.row.seen;
        // Two arguments with different names: rather amounts of something than squares.
        let plain = self.column.is_plain() && self.row.is_plain();
        let boards = self.layers.iter().map(|axis| axis.seen);
        let boards = boards.fold(1, usize::saturating_mul);
        covered && boards <= BOARDS && (self.arity() > 2 || plain)
    }

    /// The arguments that tell boards apart: other coordinates, and names before all of them.
    fn layers(&self, coordinates: Vec<Axis>) -> Vec<Axis> {
        let (column, row, last) = (self.column.place, self.row.place, self.arity() - 1);
        if column == last || row == last {
            return Vec::new();
        }
        let is_name = |place: &usize| coordinates.iter().all(|axis| *place < axis.place);
        let names = (0..last).filter(is_name);
        let mut layers: Vec<Axis> = names
            .map(|place| Axis::of_names(&self.fluents, place))
            .collect();
        layers.extend(coordinates);
        layers.retain(|axis| axis.place != column && axis.place != row && self.recurs(axis));
        layers
    }

    /// Whether many squares are there again for every value of an argument.
    fn recurs(&self, axis: &Axis) -> bool {
        let squares = different(&self.fluents, &[&self.column, &self.row, axis]);
        3 * squares >= self.size * axis.seen
    }

    fn arity(&self) -> usize {
        self.fluents[0].arguments.len()
    }

    /// Whether its boards are as large as others, and hold pieces if those do.
    fn is_like(&self, other: &Form) -> bool {
        let sized =
            self.column.labels == other.column.labels && self.row.labels == other.row.labels;
        sized && (self.arity() > 2) == (other.arity() > 2)
    }

    /// One board for each combination of the values of the layers.
    fn grids(&self) -> Vec<Grid> {
        let fixed = |fluent: &&Fluent| -> Vec<usize> {
            let layers = self.layers.iter();
            layers.filter_map(|axis| axis.position(fluent)).collect()
        };
        let fixed: BTreeSet<Vec<usize>> = self.fluents.iter().map(fixed).collect();
        fixed.into_iter().map(|values| self.grid(&values)).collect()
    }

    fn grid(&self, layer: &[usize]) -> Grid {
        let fixed = self.layers.iter().zip(layer);
        let fixed = fixed.map(|(axis, &value)| (axis.place, axis.labels[value].clone()));
        let mut grid = Grid {
            functor: self.fluents[0].functor.clone(),
            arity: self.arity(),
            column: self.column.clone(),
            row: self.row.clone(),
            fixed: fixed.collect(),
            squares: BTreeSet::new(),
            pieces: BTreeSet::new(),
        };
        let placed = self.fluents.iter().filter_map(|fluent| grid.place(fluent));
        (grid.squares, grid.pieces) = placed.unzip();
        grid
    }
}

/// The arguments of a relation that can be coordinates. If there are more than two, the last
/// argument is rather a piece.
fn coordinates(fluents: &[&Fluent]) -> Vec<Axis> {
    let arity = fluents.first().map_or(0, |fluent| fluent.arguments.len());
    let axes = (0..arity).filter_map(|place| Axis::of(fluents, place));
    let mut axes: Vec<Axis> = axes.collect();
    if axes.len() > 2 {
        axes.retain(|axis| axis.place + 1 < arity);
    }
    axes
}

/// How many different values some arguments have together.
fn different(fluents: &[&Fluent], axes: &[&Axis]) -> usize {
    let values = fluents.iter().map(|fluent| {
        let values = axes
            .iter()
            .map(|axis| fluent.arguments[axis.place].as_str());
        values.collect::<Vec<&str>>()
    });
    values.collect::<BTreeSet<_>>().len()
}
