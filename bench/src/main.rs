//! The program `kujira-bench`: perft, nodes a second, matches.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use kujira_shell::cpu;

fn main() -> ExitCode {
    match cpu::check("kujira-bench") {
        Some(code) => code,
        None => kujira_bench::cli::main(),
    }
}
