//! Whale shogi in the browser: a server for this machine that holds games and talks USI to an engine.
//!
//! The rules are [`kujira_position`]'s. The page draws what it is sent and knows none: it gets every
//! legal move as squares to click. The engine is a child process, which may die without harm.
//!
//! ```text
//! page ── WebSocket, JSON ──▶ session ── game, clock, files
//!                               │
//!                               └── slot ── stdin/stdout, USI ──▶ engine
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod clock;
pub mod config;
pub mod editor;
pub mod engine;
pub mod explain;
/// The tree of a game.
pub mod game {
    pub use kujira_record::{Game, MOST_NODES, Node, NodeId, PlayError, squares_of};
}
pub mod guard;
pub mod message;
mod page;
pub mod pieces;
pub mod players;
pub use kujira_record as record;
pub mod rules;
pub mod server;
pub mod session;
pub mod sessions;
pub mod side;
pub mod store;
pub mod view;

pub use page::weight;
