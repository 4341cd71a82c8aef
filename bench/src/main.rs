//! The program `kujira-bench`: perft, nodes a second, matches.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
