//! Engines as child processes.
//!
//! - `config`: what the command line says about an engine;
//! - `program`: which file is run, and which others there are;
//! - `process`: the process itself, its input and output;
//! - `complaints`: what it prints to standard error;
//! - `session`: the protocol spoken with it;
//! - `option`: the options it declares;
//! - `rule_options`: those that tell it the rules of the match;
//! - `info`: what it says about its searches.

mod complaints;
mod config;
mod info;
mod option;
mod process;
mod program;
mod rule_options;
mod session;

pub use config::{EngineConfig, Moves, Protocol, keys};
pub use info::{Info, Score};
pub use option::Spin;
pub use process::kill_all;
pub use rule_options::RuleOptions;
pub use session::{Failure, Patience, Played, Reply, Session};
