//! Speed and strength of engines of the whale shogi family: the command `kujira-bench`.
//!
//! - [`perft`], [`peer_rules`]: counting moves;
//! - [`cli`]: the command line, over [`kujira_arena`] (matches) and [`kujira_study`] (books, problems, surveys).

#![forbid(unsafe_code)]

pub mod cli;
pub mod peer_rules;
pub mod perft;
