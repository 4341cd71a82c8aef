#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod clock;
pub mod command;
pub mod definition;
pub mod features;
pub mod game;
pub mod highlight;
pub mod notation;
pub mod result;
