//! The program `kujira-bench`: perft, nodes a second, matches.

use std::process::ExitCode;

fn main() -> ExitCode {
    kujira_bench::cli::main()
}
