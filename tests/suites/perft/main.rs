//! Perft several ways, and what must hold at every node of it.

mod bits;
mod files;
mod filtered;
mod keys;
mod lists;
mod turned;
