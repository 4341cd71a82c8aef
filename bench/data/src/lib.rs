//! Training positions as files.
//!
//! A file (`.ktd`) holds whole games of self-play with the score of every search, in checked blocks; readers replay them
//! as labelled positions.
//!
//! - [`score`], [`ending`], [`record`]: what is kept of a game;
//! - [`mod@file`], [`error`]: files of games in checked blocks, and what can be wrong with them;
//! - [`sample`]: games replayed as labelled positions;
//! - [`statistics`]: what a file holds.
//!
//! ```
//! use kujira_data::ending::Ending;
//! use kujira_data::file::{Header, Reader, Writer};
//! use kujira_data::record::{GameRecord, Ply};
//! use kujira_data::sample::Samples;
//! use kujira_data::score::PackedScore;
//! use kujira_position::{Position, VariantId, Whale};
//! use kujira_search::Score;
//!
//! let m = Position::<Whale>::start().legal_moves()[0];
//! let score = PackedScore::from(Score::Centipawns(30));
//! let ply = Ply { m, score, random: false, broken_off: false };
//! let game =
//!     GameRecord { number: 0, opening: vec![], plies: vec![ply], ending: Ending::PLY_LIMIT };
//!
//! let path = std::env::temp_dir().join(format!("kujira-data-{}", std::process::id()));
//! let header = Header { game: VariantId::Whale, settings: "nodes 5000\n".to_owned() };
//! let (mut writer, _) = Writer::open(&path, &header)?;
//! writer.add(&game)?;
//! writer.flush()?;
//! for sample in Samples::<Whale, _>::new(Reader::open(&path)?)? {
//!     assert_eq!(sample?.score.value(), 30);
//! }
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod ending;
pub mod error;
pub mod file;
pub mod record;
pub mod sample;
pub mod score;
pub mod statistics;
