//! A game of whale shogi at a table, without I/O: the tree of moves, players, clocks, the editor of positions,
//! help, and what state each engine is in.
//!
//! A driver feeds a [`Table`] with events and asks it what to do. Events, each with the time: a page asks for something
//! ([`Table::command`]), an engine does something ([`Table::engine`]), time has passed ([`Table::wake`]). Outputs
//! ([`Table::next_output`]): messages for pages, lines for engines, a game to keep, when to wake it. The table has no
//! clock, no randomness, no thread, no process and no file of its own: the driver has them. Two tables with the same
//! events have the same outputs.
//!
//! ```text
//! pages ── commands ──▶ ┌───────┐ ── messages ──▶ pages
//! engines ── lines ───▶ │ Table │ ── lines, start, quit ──▶ engines
//! time ── wake ───────▶ └───────┘ ── keep ──▶ a file, a database
//! ```
//!
//! ```
//! use kujira_table::message::{Command, Message, NewGame};
//! use kujira_table::{Config, GameId, Levels, Output, PageId, Table, new_game};
//!
//! let request: NewGame = serde_json::from_str(
//!     r#"{"variant": "whale", "players": [{"kind": "human"}, {"kind": "human"}]}"#,
//! )?;
//! let levels = Levels::new([]);
//! let game = new_game(&request, &levels)?.saved;
//! let mut table = Table::new(game, Config::new(GameId::from_bytes([1; 12]), levels), 0);
//! let page = PageId(1);
//! table.join(page, 0);
//! table.command(page, Command::Play { at: 0, usi: "2e2d".to_owned() }, 1500);
//! let (mut kept, mut shown) = (None, 0);
//! while let Some(output) = table.next_output() {
//!     match output {
//!         Output::Keep => {
//!             kept = Some(table.saved().to_json()?);
//!             table.kept(Ok(()), 1500);
//!         }
//!         Output::ToPages(_, Message::Change(change)) if !change.nodes.is_empty() => {
//!             assert!(kept.is_some(), "a move is kept before it is shown");
//!             shown += 1;
//!         }
//!         _ => {}
//!     }
//! }
//! assert_eq!(shown, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod attacks;
mod clock;
pub mod coach;
mod config;
pub mod editor;
mod engine;
pub mod explain;
pub mod message;
mod new_game;
mod output;
pub mod pieces;
mod players;
mod saved;
mod slot;
pub mod spec;
mod table;
pub mod view;

pub use clock::{Millis, TimeControl};
pub use config::{Config, Resources};
pub use engine::{EngineCommand, EngineEvent, EngineId, Role};
pub use new_game::{Made, new_game};
pub use output::{Output, PageId};
pub use players::{Level, Levels, Limit, Player};
pub use saved::{Content, GameId, Saved};
pub use slot::{SlotView, Timeouts};
pub use table::Table;
