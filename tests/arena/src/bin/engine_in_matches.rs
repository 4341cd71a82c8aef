//! The engine's session over stdin and stdout.

#![forbid(unsafe_code)]

use std::io;
use std::process::ExitCode;

use kujira_program::status;

fn main() -> ExitCode {
    status::begin("engine-in-matches", || {
        kujira::run(io::stdin(), io::stdout(), kujira_search::engine);
        ExitCode::SUCCESS
    })
}
