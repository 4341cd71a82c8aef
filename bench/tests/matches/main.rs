//! Matches between scripted engines, run by the program as people run it.

mod faults;
mod harness;
mod outputs;
mod play;
mod pooling;
mod resume;
mod screening;
mod tuning;
