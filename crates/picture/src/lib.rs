//! States as pictures in text: a board for every game whose fluents make one.
//!
//! Takes the texts of fluents in prefix syntax and gives text. Nothing is known of any game: a
//! relation is drawn if two of its arguments range over coordinates and cover most of a grid
//! (`grid.rs`), and what else it says of a square becomes a symbol (`symbols.rs`). Invariant:
//! every fluent of a state is on the board or in the list below it, unless the list is cut, and
//! then it says how many it leaves out.

mod axis;
mod fluent;
mod grid;
mod layout;
mod symbols;
#[cfg(test)]
mod tests;

use fluent::Fluent;
use grid::{Grid, Square};
use std::collections::{BTreeMap, BTreeSet};
use symbols::Symbols;

/// How states of a game are drawn.
#[derive(Debug)]
pub struct Board {
    /// Empty if the game has no board; several if it has boards of one size.
    grids: Vec<Grid>,
    symbols: Symbols,
}

/// A state on its way to the picture.
struct Position {
    /// The piece of each square that holds one, for every grid.
    pieces: Vec<BTreeMap<Square, String>>,
    /// What is on no square, or on one that was taken.
    rest: Vec<Fluent>,
}

impl Board {
    /// Finds out how to draw states, from all fluents that can hold.
    pub fn new(fluents: &[String]) -> Board {
        let fluents: Vec<Fluent> = fluents.iter().map(|text| Fluent::read(text)).collect();
        let grids = grid::find(&fluents);
        let pieces = grids.iter().flat_map(|grid| &grid.pieces);
        let symbols = Symbols::new(&pieces.cloned().collect());
        Board { grids, symbols }
    }

    /// The picture of a state, given the fluents that hold: boards, what their symbols mean
    /// where it is not plain, and the other fluents.
    pub fn draw(&self, state: &[String]) -> String {
        let position = self.position(state);
        let boards = self.grids.iter().zip(&position.pieces);
        let boards = boards.map(|(grid, pieces)| self.lines(grid, pieces));
        let shown: BTreeSet<&String> = position.pieces.iter().flat_map(BTreeMap::values).collect();
        let legend = self.symbols.legend(&shown);
        let parts = [
            layout::beside(boards.collect()),
            layout::wrapped(&legend),
            layout::list(position.rest),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
        parts.join("\n\n")
    }

    fn position(&self, state: &[String]) -> Position {
        let mut position = Position {
            pieces: vec![BTreeMap::new(); self.grids.len()],
            rest: Vec::new(),
        };
        // In one order, so that equal states have equal pictures where things share a square.
        let state: BTreeSet<&String> = state.iter().collect();
        for fluent in state.into_iter().map(|text| Fluent::read(text)) {
            if !self.put(&fluent, &mut position.pieces) {
                position.rest.push(fluent);
            }
        }
        position
    }

    /// Puts a fluent on its square, unless it has none or the square is taken.
    fn put(&self, fluent: &Fluent, pieces: &mut [BTreeMap<Square, String>]) -> bool {
        let placed = |(number, grid): (usize, &Grid)| Some((number, grid.place(fluent)?));
        let Some((number, (square, piece))) = self.grids.iter().enumerate().find_map(placed) else {
            return false;
        };
        let free = !pieces[number].contains_key(&square) && self.symbols.of(&piece).is_some();
        if free {
            pieces[number].insert(square, piece);
        }
        free
    }

    /// The lines of one board, coordinates at its margins.
    fn lines(&self, grid: &Grid, pieces: &BTreeMap<Square, String>) -> Vec<String> {
        let columns = &grid.column.labels;
        let margin = layout::width(&grid.row.labels);
        let cell = layout::width(columns).max(self.symbols.width());
        let titled = (self.grids.len() > 1).then(|| grid.title());
        let mut lines: Vec<String> = titled.into_iter().collect();
        for (row, label) in grid.row.labels.iter().enumerate().rev() {
            let squares = (0..columns.len()).map(|column| Square { column, row });
            let symbols = squares.map(|square| match pieces.get(&square) {
                Some(piece) => self.symbols.of(piece).unwrap_or_default(),
                None => self.absent(grid, square),
            });
            lines.push(layout::row(&format!("{label:>margin$}"), symbols, cell));
        }
        let labels = columns.iter().map(String::as_str);
        lines.push(layout::row(&" ".repeat(margin), labels, cell));
        lines
    }

    /// A square of which nothing holds is empty, unless emptiness has a name of its own or
    /// the square is none of the board.
    fn absent(&self, grid: &Grid, square: Square) -> &'static str {
        let mut named = grid.pieces.iter().map(|piece| self.symbols.of(piece));
        let named = named.any(|symbol| symbol == Some(symbols::BLANK));
        match grid.squares.contains(&square) && !named {
            true => symbols::BLANK,
            false => "",
        }
    }
}
