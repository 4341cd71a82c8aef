//! Matches between scripted engines, run by the program as people run it.

mod books;
#[cfg(target_os = "linux")]
mod clock;
mod collect;
#[cfg(target_os = "linux")]
mod disk;
#[cfg(target_os = "linux")]
mod ends;
mod faults;
mod harness;
#[cfg(unix)]
mod kills;
mod operating;
mod outputs;
mod play;
mod pooling;
mod rating;
mod records;
mod resume;
mod screening;
mod shards;
mod tournaments;
mod tuning;
