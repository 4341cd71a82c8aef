//! Engines as child processes.
//!
//! - `config`: what the command line says about an engine;
//! - `program`: which file is run, and which others there are;
//! - `process`: the process itself, its input and output;
//! - `stderr_tail`: what it prints to standard error;
//! - `session`: what is said to it and heard from it, by the client of `kujira_usi`;
//! - `talk`: a log of all that;
//! - `rule_options`: those that tell it the rules of the match;
//! - `info`: what it said last about a search.

mod config;
mod info;
mod process;
mod program;
mod rule_options;
mod session;
mod stderr_tail;
mod talk;

pub use config::{EngineConfig, Moves, keys};
pub(crate) use config::{REPEATABLE, option_word, quoted_option};
pub use info::LastInfo;
pub use process::kill_all;
pub use program::is_bare;
pub use rule_options::RuleOptions;
pub use session::{Failure, Reply, Session, Timeouts};
pub use talk::TalkLog;
