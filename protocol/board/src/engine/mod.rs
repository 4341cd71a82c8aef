//! Engines as child processes that speak USI.

mod line;
mod process;
mod slot;

pub use line::{EngineOption, Info, Line};
pub use process::Launch;
pub use slot::{Done, EngineInput, Job, Purpose, Role, Slot, SlotView, Timeouts};
