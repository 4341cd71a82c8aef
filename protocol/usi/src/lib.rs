#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod answer;
pub mod client;
pub mod ending;
pub mod fairy;
mod fault;
mod go;
mod info;
mod line;
pub mod names;
pub mod option;
mod protocol;
mod request;
pub mod rules;
mod score;
mod side;
mod verb;
mod words;

pub use answer::{BestMove, Checkmate};
pub use ending::{Ending, Reason};
pub use go::{Clocks, Go, PonderHit};
pub use info::{Bound, Info, Value};
pub use line::Line;
pub use names::OptionName;
pub use option::{DeclaredOption, OptionKind, Spin};
pub use protocol::Protocol;
pub use request::{ArgumentError, Command, SetOption, SetPosition};
pub use rules::{RuleSwitch, Switches};
pub use score::Score;
pub use side::Side;
pub use verb::Verb;
pub use words::{number_in, quoted};
