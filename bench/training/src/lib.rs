//! Self-play data, the tuner of the evaluation, and the trainer of networks.
//!
//! The library behind the program `kujira-training`. An engine plays itself from random openings at a
//! soft limit of nodes a move; whole games go to a file, with the score of every search, and
//! trainers read labelled positions back by replaying them.
//!
//! - [`openings`], [`selfplay`], [`datagen`]: making games, resumably, on several threads;
//! - [`settings`], [`evaluation`]: what games are asked for, and what judges their positions;
//! - [`score`], [`ending`], [`record`]: what is kept of a game;
//! - [`mod@file`], [`error`]: files of games in checked blocks, and what can be wrong with them;
//! - [`sample`]: games replayed as labelled positions;
//! - [`statistics`]: what a file holds;
//! - [`tune`]: the weights of the linear evaluation that fit such games best;
//! - [`net`]: networks that learn from such games;
//! - [`cli`]: the command line.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use kujira_position::{VariantId, Whale};
//! use kujira_training::datagen::{Target, run};
//! use kujira_training::file::Reader;
//! use kujira_training::sample::Samples;
//! use kujira_training::settings::Settings;
//!
//! let path = std::env::temp_dir().join(format!("kujira-doc-{}", std::process::id()));
//! let settings = Settings { nodes: 50, ..Settings::new(VariantId::Whale) };
//! let never = AtomicBool::new(false);
//! let (state, _) = run::<Whale>(&path, &settings, Target::Games(2), 1, &never, |_| ())?;
//! assert_eq!(state.games, 2);
//!
//! let mut quiet = 0;
//! for sample in Samples::<Whale, _>::new(Reader::open(&path)?)? {
//!     quiet += u64::from(sample?.is_quiet(2000));
//! }
//! assert!(quiet > 0 && quiet < state.plies);
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod cli;
pub mod datagen;
pub mod ending;
pub mod error;
pub mod evaluation;
pub mod file;
mod held_out;
pub mod net;
pub mod openings;
pub mod record;
pub mod sample;
pub mod score;
pub mod selfplay;
pub mod settings;
pub mod statistics;
pub mod tune;
