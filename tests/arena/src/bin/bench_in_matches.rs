//! The program `kujira-bench`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    kujira_program::status::begin("kujira-bench", kujira_bench::cli::main)
}
