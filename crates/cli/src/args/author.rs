//! What can be said to `ludex new`.

use clap::Args;
use std::path::PathBuf;

/// Write a rule sheet to begin a game of your own with.
///
/// The sheet is a small game, three in a row, with comments that tell what each part is for. It
/// passes `ludex check --strict --play` and can be played at once: change it bit by bit.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        ludex new mygame                     # mygame.kif: two roles, 3 by 3 squares\n  \
        ludex new mygame --roles 3 --board 7x6")]
pub(crate) struct New {
    /// The file to write, which must not exist; `.kif` is added to a name without an extension
    #[arg(value_name = "NAME")]
    pub(crate) name: PathBuf,
    /// How many roles the game has, 1 to 6
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) roles: usize,
    /// How many columns and rows the board has, each 3 to 30
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "3x3")]
    pub(crate) board: Board,
}

/// The size of a board.
#[derive(Copy, Clone)]
pub(crate) struct Board {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

impl std::str::FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let sides = text.split_once(['x', 'X']);
        let sides =
            sides.and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
        match sides {
            Some((columns, rows)) => Ok(Board { columns, rows }),
            None => Err("columns and rows, such as 8x8".to_string()),
        }
    }
}
