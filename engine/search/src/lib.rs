#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod alphabeta;
mod answer;
mod atomics;
mod bench;
mod check_interval;
mod correction;
mod deepening;
mod engine;
pub mod eval;
mod history;
mod ladder;
mod learning;
mod limits;
mod main_thread;
pub mod mate;
mod node;
mod options;
mod params;
pub mod perft;
mod picker;
mod pool;
mod pruning;
mod quiescence;
mod reduction;
mod report;
mod root;
mod score;
mod scoring;
mod searcher;
mod see;
mod shared;
mod skill;
mod slot;
mod stack;
mod stopping;
mod system;
mod terminal;
mod time_manager;
mod tt;
mod vote;
mod worker;

pub use answer::{Analysis, Answer, BenchError, BenchReport, HashError};
pub use bench::BenchLimit;
pub use deepening::MAX_DEPTH;
pub use engine::{Engine, SearchError, engine};
pub use ladder::{LEVELS, Ladder, MOST_ELO, Rung, USUAL_LEVEL};
pub use limits::{Limits, Times};
pub use mate::{MateAnswer, MateReport};
pub use options::{SearchOptions, TimeOptions};
#[cfg(feature = "tuning")]
pub use params::set as set_param;
pub use params::{PARAMS, Param};
pub use report::{Bound, Info, Reporter, Score, Silent};
pub use score::PAWN;
pub use searcher::Searcher;
pub use system::{Control, Instant};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use system::{Page, set_page};
pub use tt::{Entry, NoMemory, Table};
