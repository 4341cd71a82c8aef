//! The program `kujira-bench`: perft, nodes a second, matches.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    kujira_program::status::begin("kujira-bench", kujira_bench::cli::main)
}
