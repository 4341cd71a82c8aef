//! The atomics of the transposition table, in one place so that a model can put others there.

pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
