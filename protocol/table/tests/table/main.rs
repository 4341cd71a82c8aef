//! Whole games in simulated time: the driver is a loop that takes the next thing that happens, engines are state
//! machines inside the test, and nothing waits.

mod clocks;
mod coach;
mod declared;
mod engine;
mod faults;
mod games;
mod keeping;
mod messages;
mod pace;
mod pages;
mod play;
mod random;
mod room;
mod seats;
