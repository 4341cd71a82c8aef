//! Engines as child processes that speak USI.

mod process;
mod slot;

pub use process::Launch;
pub use slot::{Done, EngineInput, Job, Purpose, Role, Slot, SlotView, Timeouts};
