//! Whale shogi in the browser: a server for this machine that holds games and talks USI to an engine.
//!
//! The game is [`kujira_table`]'s, which does no I/O: here is what it needs of a machine. The page draws what it is sent
//! and knows no rule: it gets every legal move as squares to click. Engines are child processes, which may die without
//! harm.
//!
//! ```text
//! page ── WebSocket, JSON ──▶ session ── kujira-table: game, clocks, states of engines; no I/O
//!                               ├── files
//!                               └── stdin/stdout, USI ──▶ engines
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod address;
pub mod browser;
pub mod config;
mod connections;
pub mod engine;
pub mod guard;
mod page;
mod refusal;
pub mod server;
pub mod session;
pub mod sessions;
pub mod store;
pub mod token;

pub use page::weight;
