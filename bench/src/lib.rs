//! Speed and strength of engines of the whale shogi family.
//!
//! The library behind the program `kujira-bench`: perft with suites, nodes a second, and a match
//! runner on which an engine's development can rest. Engines are child processes that speak USI (or
//! UCI, for Fairy-Stockfish); the rules of every game are those of `kujira-position`, whatever the
//! engines think.
//!
//! - [`perft`], [`peer_rules`]: counting moves;
//! - [`mates`]: positions with a known mate;
//! - [`engine`], [`spelling`], [`clock`]: what is said to engines, and how long it may take;
//! - [`rules`], [`openings`], [`game`], [`record`]: one game from its opening to its record;
//! - [`entrant`], [`book`], [`schedule`], [`files`], [`runner`], [`watchdog`], [`progress`]: all games of
//!   a match, resumable;
//! - [`spsa`], [`factorial`]: tuning numbers by games, and screening many of them;
//! - [`replay`], [`statistics`], [`standings`], [`report`]: what they say about strength;
//! - [`usage`]: what the match cost;
//! - [`cli`]: the command line.

pub mod book;
pub mod cli;
pub mod clock;
pub mod engine;
pub mod entrant;
pub mod factorial;
pub mod files;
pub mod fingerprint;
pub mod game;
pub mod mates;
pub mod openings;
pub mod peer_rules;
pub mod perft;
pub mod progress;
pub mod record;
pub mod replay;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod spelling;
pub mod spsa;
pub mod standings;
pub mod statistics;
mod tunables;
pub mod usage;
pub mod watchdog;
