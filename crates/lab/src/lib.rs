//! Measurements, tables and comparisons of games, as plain data.
//!
//! Everything here takes games, settings and seeds, and gives figures, a [`Table`] or text.
//! Nothing is printed and no file is read: rules come as a program or a game. What takes long
//! tells a [`Watch`] what it is at.

pub mod bench;
pub mod compare;
mod load;
pub mod lookahead;
pub mod ours;
pub mod papers;
pub mod perft;
pub mod puzzles;
mod random;
pub mod show;
pub mod standings;
mod table;
pub mod tactics;
mod times;
pub mod trial;
pub mod verify;
mod watch;

pub use load::{Engine, NotLoaded, Unmeasured};
pub use table::Table;
pub use watch::{Silent, Watch, limits};
