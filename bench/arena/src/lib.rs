//! Matches and tournaments between engines of the whale shogi family.
//!
//! A match runner on which an engine's development can rest: engines are child processes that speak USI (or UCI, for
//! Fairy-Stockfish); the rules of every game are those of `kujira-position`, whatever the engines think.
//!
//! - [`engine`], [`clock`]: what is said to engines, and how long it may take;
//! - [`starts`], [`openings`], [`match_openings`]: where games begin;
//! - [`game`], [`adjudication`], [`watchdog`]: one game from its opening to its end;
//! - [`entrant`], [`fingerprint`], [`schedule`], [`runner`], [`progress`]: all games of a match; `crew`: its threads;
//! - `affinity`: cores for each game at a time;
//! - [`header`], [`journal`], [`files`], [`host`]: what a match leaves on disk, and how it is taken up again;
//! - [`rounds`], [`tournament`]: Swiss and knock-out, the file of a tournament, its table, its page;
//! - [`bots`]: simple players that strength is measured by;
//! - [`spsa`], [`factorial`]: tuning numbers by games, and screening many of them;
//! - [`replay`], [`standings`], [`report`], [`report_data`]: what the games say about strength;
//! - [`together`]: what must be alike in journals that are counted together;
//! - [`collect`], [`watch`]: journals of many machines that become one, or one test while they grow;
//! - [`usage`]: what the match cost.

#![forbid(unsafe_code)]

pub mod adjudication;
mod affinity;
pub mod bots;
pub mod clock;
pub mod collect;
mod crew;
pub mod engine;
pub mod entrant;
pub mod factorial;
pub mod files;
pub mod fingerprint;
pub mod game;
pub mod header;
pub mod host;
pub mod journal;
pub mod match_openings;
pub mod openings;
pub mod progress;
pub mod replay;
pub mod report;
pub mod report_data;
pub mod rounds;
pub mod runner;
pub mod schedule;
pub mod spsa;
pub mod standings;
pub mod starts;
pub mod together;
pub mod tournament;
pub mod usage;
mod waiting;
pub mod watch;
pub mod watchdog;
