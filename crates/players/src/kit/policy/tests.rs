//! Policies against slow references.
