//! The program `kujira-training`: self-play data and what is made of it.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    kujira_program::status::begin("kujira-training", kujira_training::cli::main)
}
