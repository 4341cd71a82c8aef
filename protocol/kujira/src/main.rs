//! The engine's binary: a session over stdin and stdout, or a bench.

#![forbid(unsafe_code)]

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use kujira::usi::command::{self, Bench};
use kujira::{NAME, bench, logging};
use kujira_position::VariantId;
use kujira_program::status::{self, Stop};
use kujira_search::Control;

const HELP: &str = "\
Usage: kujira [bench [DEPTH [THREADS [HASH]]]]

An engine for three games of the whale shogi family. Without arguments it holds a session over stdin
and stdout: in USI, where \"help\" lists the commands; or, if the first word it reads is \"uci\" or
\"xboard\", in UCI or in XBoard's CECP.

Commands:
  bench [DEPTH [THREADS [HASH]]]  search the bench positions of all games: nodes, time in ms,
                                  nodes per second, and the signature of the search

Options:
  -h, --help     show this text
  -V, --version  show the version

Environment:
  KUJIRA_LOG     log to stderr: error, warn, info, debug or trace (debug: every line read and written)";

fn main() -> ExitCode {
    status::begin("kujira", start)
}

/// The task that the command line asks for.
enum Task {
    Session,
    Bench(Bench),
    Say(String),
}

#[inline(never)]
fn start() -> ExitCode {
    logging::start();
    let done = match arguments() {
        Ok(Task::Session) => session(),
        Ok(Task::Bench(bench)) => benches(&bench),
        Ok(Task::Say(text)) => say(&text),
        Err(error) => {
            status::warn(&format!("kujira: {error}; try kujira --help\n"));
            return ExitCode::from(status::WRONG);
        }
    };
    status::exit("kujira", done)
}

fn arguments() -> Result<Task, lexopt::Error> {
    use lexopt::prelude::{Long, Short, Value};
    let mut parser = lexopt::Parser::from_env();
    match parser.next()? {
        None => Ok(Task::Session),
        Some(Short('h') | Long("help")) => Ok(Task::Say(HELP.to_owned())),
        Some(Short('V') | Long("version")) => Ok(Task::Say(NAME.to_lowercase())),
        Some(Value(value)) if value == "bench" => {
            let words = parser.raw_args()?.map(|word| word.to_string_lossy().into_owned());
            let words: Vec<String> = words.collect();
            match command::read_bench(words.iter().map(String::as_str)) {
                Ok(bench) => Ok(Task::Bench(bench)),
                Err(error) => Err(error.to_string().into()),
            }
        }
        Some(argument) => Err(argument.unexpected()),
    }
}

fn session() -> Result<(), Stop> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        say(&format!("{NAME}, a USI engine: type usi, help, d, go depth 8, or quit"))?;
    }
    Ok(kujira::run(stdin, io::stdout(), kujira_search::engine).heard()?)
}

fn benches(bench: &Bench) -> Result<(), Stop> {
    for &game in VariantId::ALL {
        let engine = kujira_search::engine(game);
        // Nobody holds this control: the bench runs to its end.
        let line = bench::line(engine.as_ref(), bench, &Control::new());
        say(&line.map_err(|error| format!("bench: {error}"))?)?;
    }
    Ok(())
}

/// Writes a line to stdout.
fn say(text: &str) -> Result<(), Stop> {
    status::say(&format!("{text}\n"))
}
