//! Self-play data for tuning and training evaluations.
//!
//! The library behind the program `kujira-training`. An engine plays itself from random openings at a
//! fixed number of nodes a move; whole games go to a file, with the score of every search, and
//! trainers read labelled positions back by replaying them.
//!
//! - [`openings`], [`selfplay`], [`datagen`]: making games, resumably, on several threads;
//! - [`score`], [`ending`], [`record`]: what is kept of a game;
//! - [`file`]: files of games in checked blocks;
//! - [`sample`]: games replayed as labelled positions;
//! - [`statistics`]: what a file holds.

pub mod datagen;
pub mod ending;
pub mod error;
pub mod file;
pub mod openings;
pub mod record;
pub mod sample;
pub mod score;
pub mod selfplay;
pub mod settings;
pub mod statistics;
