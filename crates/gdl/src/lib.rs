//! Rules of games: text → tree → checked program, or diagnostics with spans.
//!
//! ```
//! use gdl::{Policy, ReadLimits, Source};
//!
//! let rules = "(role solo) (init start) (legal solo go) (next done)
//!              (<= terminal (true done)) (goal solo 100)";
//! let tree = gdl::read(Source::from(rules), None, &ReadLimits::default());
//! let checked = gdl::check(tree, &Policy::default());
//! let program = checked.program.expect("these rules are fine");
//! assert_eq!(program.roles().len(), 1);
//! ```
//!
//! The stages, each with one constructor and one printer:
//!
//! | stage | built by | printed by |
//! |---|---|---|
//! | [`Source`]: text, with a way from offsets to lines | [`Source::from_bytes`] | |
//! | [`Tree`]: forms and spans, comments aside, not yet checked | [`read()`] | [`show::tree`], [`print()`] |
//! | [`Program`]: roles and clauses that passed every check | [`check()`] | [`show::program`] |
//!
//! [`print()`] writes a tree in either syntax. Nothing here is global, and nothing here
//! knows how to play: states and facts belong to `logic`.

pub mod catalogue;
mod check;
mod diagnostic;
mod print;
mod program;
mod read;
pub mod show;
mod source;
mod symbols;
mod tree;

pub use catalogue::Lint;
pub use check::{Checked, check};
pub use diagnostic::{Diagnostic, Findings, Label, Level, Policy, Severity};
pub use print::{NoInfixForm, print};
pub use program::{Atom, Clause, Formula, Leaf, Predicate, Program, Relation, Term};
pub use read::{ReadLimits, Syntax, read};
pub use source::{LineColumn, Source, Span};
pub use symbols::{Keyword, Symbol, Word};
pub use tree::{Comment, Node, Tree};
