//! Self-play data and the trainer of networks.
//!
//! The library behind the program `kujira-training`. An engine plays itself from random openings at a
//! soft limit of nodes a move; whole games go to a file, with the score of every search, and
//! the trainer reads labelled positions back by replaying them ([`kujira_data`]).
//!
//! - [`openings`], [`selfplay`], [`datagen`]: making games, resumably, on several threads;
//! - [`settings`], [`evaluation`]: what games are asked for, and what judges their positions;
//! - [`held_out`]: games that are not learnt from;
//! - [`net`]: networks that learn from such games;
//! - [`npz`]: games as arrays of numpy, written and read;
//! - [`cli`]: the command line.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use kujira_data::file::Reader;
//! use kujira_data::sample::Samples;
//! use kujira_position::{VariantId, Whale};
//! use kujira_training::datagen::{Target, run};
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
pub mod evaluation;
pub mod held_out;
pub mod net;
pub mod npz;
pub mod openings;
pub mod selfplay;
pub mod settings;
