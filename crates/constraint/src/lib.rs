//! `constraint`: a finite CSP or SCSP → its solutions.
//!
//! A [`Model`] is a problem as posed; a [`Network`] is the model compiled for search, immutable and
//! shared; a [`Solver`] is one caller's working memory, in which values are assumed, propagated,
//! searched and retracted. Nothing here knows what the variables stand for. Papers are named by
//! their keys in `docs/papers.md`.
//!
//! ```
//! use constraint::{Model, Network, Query, Solver};
//!
//! let mut model = Model::new();
//! let (x, y, both) = (model.variable("x", 3), model.variable("y", 3), model.variable("both", 2));
//! model.relation(&[x, y], |values| values[0] < values[1])?;
//! model.and(both.is(1), &[x.is(1), y.is_not(0)])?;
//!
//! let network = Network::new(&model)?;
//! let mut solver = Solver::new(&network);
//! assert_eq!(solver.count(&Query::default()).solutions, 3);
//! solver.assume(x, 1).expect("x = 1 has a solution");
//! assert_eq!((solver.value(y), solver.value(both)), (Some(2), Some(1)));
//! solver.reset();
//! # Ok::<(), constraint::Invalid>(())
//! ```

pub mod consistency;
mod defined;
mod domain;
mod model;
mod network;
mod policy;
pub mod preprocess;
mod propagate;
mod scsp;
mod search;
pub mod solve;
mod solver;
mod store;
mod table;
pub mod text;

pub use defined::{Cause, Defined, Kept, Reasons, SetAside, Signature};
pub use domain::{Domain, Value};
pub use model::{Constraint, Invalid, Junction, Literal, Model, Posed, Variable};
pub use network::Network;
pub use policy::{Branch, Node, Path, Policy};
pub use propagate::{Strength, revise};
pub use scsp::{Chance, Row, Scsp, Soft, Stage, TOLERANCE};
pub use search::{Ending, Order, Query, Report, SearchLimits, Solution};
pub use solver::Solver;
pub use store::Conflict;
pub use table::{ANY, Polarity, Table, each_tuple};
