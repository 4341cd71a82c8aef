//! The program `kujira-training`: self-play data and what is made of it.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
