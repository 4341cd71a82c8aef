//! The three games, each written once.

pub mod great;
pub mod paulowich;
pub mod whale;
