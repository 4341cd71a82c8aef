//! Lines of input as commands. Total: every line is a command, nothing, or an error that says what
//! was expected and what was found.

use kujira_position::Leaves;

use crate::lines::{self, LineError, split_word};
use crate::options::{LARGEST_HASH, MOST_THREADS};

use super::fault::wrong;
use super::go::{self, Asked, Go, PonderHit};

pub use super::fault::CommandError;
pub use crate::bench::Bench;

/// The deepest perft that is begun, in plies.
const DEEPEST_PERFT: u64 = 100;

/// A line, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Introduce yourself.
    Usi,
    /// Get ready and say so.
    IsReady,
    /// Another game begins.
    UsiNewGame,
    /// Set an option, or press it if it is a button.
    SetOption {
        /// Name of the option as found.
        name: String,
        /// Rest of the line after `value`.
        value: Option<String>,
    },
    /// Take over a position.
    Position {
        /// SFEN; `None` is the starting position.
        sfen: Option<String>,
        /// Moves played from there, separated by blanks.
        moves: String,
    },
    /// Search.
    Go(Go),
    /// The move pondered on was played.
    PonderHit(PonderHit),
    /// Answer at once.
    Stop,
    /// The game is over; acts as [`Command::Stop`], then empties the table.
    GameOver,
    /// Leave.
    Quit,
    /// Show the position.
    Show,
    /// Say what the evaluation thinks of the position.
    Eval,
    /// List the legal moves.
    Moves,
    /// Count leaves.
    Perft {
        /// Plies.
        depth: u32,
        /// Threads; those of the option if not said.
        threads: Option<usize>,
        /// Treatment of the last ply.
        leaves: Leaves,
    },
    /// Search the bench positions.
    Bench(Bench),
    /// Turn the board round.
    Flip,
    /// Say how the engine was compiled.
    Compiler,
    /// List the commands.
    Help,
}

/// A command as users know it.
#[derive(Debug)]
pub struct Verb {
    /// First word of the command.
    pub word: &'static str,
    /// Arguments that may follow.
    pub arguments: &'static str,
    /// Effect, in words for users.
    pub about: &'static str,
    /// Reads what follows the first word.
    read: fn(&str) -> Result<Command, CommandError>,
}

/// Every command. Commands without arguments ignore what follows them.
pub const VERBS: &[Verb] = &[
    Verb {
        word: "usi",
        arguments: "",
        about: "name, options, `usiok`",
        read: |_| Ok(Command::Usi),
    },
    Verb {
        word: "isready",
        arguments: "",
        about: "does what takes long (the table), then `readyok`; at once during a search",
        read: |_| Ok(Command::IsReady),
    },
    Verb {
        word: "setoption",
        arguments: "name NAME [value VALUE]",
        about: "sets an option; names in any case; `<empty>` is the empty text",
        read: read_setoption,
    },
    Verb {
        word: "usinewgame",
        arguments: "",
        about: "forgets what was learnt from earlier searches",
        read: |_| Ok(Command::UsiNewGame),
    },
    Verb {
        word: "position",
        arguments: "startpos|sfen SFEN [moves MOVE ...]",
        about: "takes over a position and the moves played from it",
        read: read_position,
    },
    Verb {
        word: "go",
        arguments: go::ARGUMENTS,
        about: "searches, then one `bestmove` (`mate`: `checkmate`); without a limit it is `infinite`",
        read: read_go,
    },
    Verb {
        word: "stop",
        arguments: "",
        about: "ends every search asked for; each gives its `bestmove`",
        read: |_| Ok(Command::Stop),
    },
    Verb {
        word: "ponderhit",
        arguments: "[TIMES]",
        about: "the move pondered on was played: the clock starts now, with new times if given",
        read: |rest| Ok(Command::PonderHit(go::read_ponderhit(rest))),
    },
    Verb {
        word: "gameover",
        arguments: "[win|lose|draw]",
        about: "acts as `stop`, then empties the table",
        read: |_| Ok(Command::GameOver),
    },
    Verb {
        word: "quit",
        arguments: "",
        about: "ends every search and leaves; so does the end of the input",
        read: |_| Ok(Command::Quit),
    },
    Verb { word: "d", arguments: "", about: "shows the position", read: |_| Ok(Command::Show) },
    Verb {
        word: "eval",
        arguments: "",
        about: "what the evaluation says of the position, and how much each piece adds for its owner",
        read: |_| Ok(Command::Eval),
    },
    Verb {
        word: "moves",
        arguments: "",
        about: "lists the legal moves",
        read: |_| Ok(Command::Moves),
    },
    Verb {
        word: "perft",
        arguments: "DEPTH [threads N] [played]",
        about: "counts leaves; `played` makes the last moves instead of counting them",
        read: |rest| read_perft(rest.split_ascii_whitespace()),
    },
    Verb {
        word: "bench",
        arguments: "[DEPTH [THREADS [HASH]]]",
        about: "searches the bench positions of the game: nodes, time, speed, signature",
        read: |rest| read_bench(rest.split_ascii_whitespace()).map(Command::Bench),
    },
    Verb {
        word: "flip",
        arguments: "",
        about: "turns the board round: colours, hands and side to move swap",
        read: |_| Ok(Command::Flip),
    },
    Verb {
        word: "compiler",
        arguments: "",
        about: "compiler, target and instruction set of this build",
        read: |_| Ok(Command::Compiler),
    },
    Verb { word: "help", arguments: "", about: "lists the commands", read: |_| Ok(Command::Help) },
];

/// Reads a line, without its line feed. A blank line is no command.
///
/// # Errors
/// What was expected and what was found.
///
/// ```
/// use kujira::usi::command::{Command, parse};
///
/// assert_eq!(parse(b"  isready\r"), Ok(Some(Command::IsReady)));
/// assert_eq!(parse(b""), Ok(None));
/// assert_eq!(
///     parse(b"perft x").map_err(|error| error.to_string()),
///     Err("perft: expected a depth from 1 to 100, found \"x\"".to_owned())
/// );
/// ```
pub fn parse(line: &[u8]) -> Result<Option<Command>, CommandError> {
    let text = match lines::text(line) {
        Ok(text) => text,
        Err(fault) => return unreadable(line, fault),
    };
    let (word, rest) = split_word(text);
    if word.is_empty() {
        return Ok(None);
    }
    match VERBS.iter().find(|verb| verb.word == word) {
        Some(verb) => (verb.read)(rest).map(Some),
        None => Err(CommandError::Unknown { found: word.to_owned() }),
    }
}

/// Makes a command of a line that is no text, or of the beginning of one that is too long: whoever sent a
/// search waits for its answer, however garbled the rest of the line.
pub(crate) fn unreadable(line: &[u8], fault: LineError) -> Result<Option<Command>, CommandError> {
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let has = |wanted: &[u8]| words.clone().any(|word| word == wanted);
    if words.clone().next() != Some(b"go") || has(b"perft") {
        return Err(fault.into());
    }
    let (mate, ponder, infinite) = (has(b"mate"), has(b"ponder"), has(b"infinite"));
    Ok(Some(Command::Go(Go::faulty(fault.into(), mate, ponder, infinite))))
}

fn read_go(rest: &str) -> Result<Command, CommandError> {
    match go::read(rest) {
        Asked::Search(go) => Ok(Command::Go(go)),
        Asked::Perft(words) => read_perft(words),
    }
}

fn read_setoption(rest: &str) -> Result<Command, CommandError> {
    let (keyword, rest) = split_word(rest);
    if keyword != "name" {
        return Err(wrong("setoption", "name NAME [value VALUE]", keyword));
    }
    let (name, rest) = split_word(rest);
    if name.is_empty() {
        return Err(wrong("setoption", "the name of an option", ""));
    }
    let value = match split_word(rest) {
        ("", _) => None,
        ("value", value) => Some(value.to_owned()),
        (found, _) => return Err(wrong("setoption", "value after the name of the option", found)),
    };
    Ok(Command::SetOption { name: name.to_owned(), value })
}

fn read_position(rest: &str) -> Result<Command, CommandError> {
    let (keyword, rest) = split_word(rest);
    match keyword {
        "startpos" => match split_word(rest) {
            ("", _) => Ok(Command::Position { sfen: None, moves: String::new() }),
            ("moves", moves) => Ok(Command::Position { sfen: None, moves: moves.to_owned() }),
            (found, _) => Err(wrong("position", "moves after startpos", found)),
        },
        "sfen" => {
            // No part of an SFEN is the word "moves": a rank or hand of that name would need an M,
            // an O and a V, and no game has a piece called O or V.
            let moves_at = rest.match_indices("moves").map(|(at, _)| at).find(|&at| {
                let blank = |c: Option<char>| c.is_none_or(|c| c.is_ascii_whitespace());
                let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
                blank(before.chars().next_back()) && blank(from.chars().nth("moves".len()))
            });
            let (sfen, moves) = match moves_at.and_then(|at| rest.split_at_checked(at)) {
                Some((sfen, moves)) => (sfen, split_word(moves).1),
                None => (rest, ""),
            };
            if sfen.is_empty() {
                return Err(wrong("position", "an SFEN after sfen", moves));
            }
            Ok(Command::Position {
                sfen: Some(sfen.trim_ascii().to_owned()),
                moves: moves.to_owned(),
            })
        }
        found => Err(wrong("position", "startpos or sfen", found)),
    }
}

/// Reads an argument that is a number within a range.
fn number<T: TryFrom<u64>>(
    command: &'static str,
    what: &str,
    range: std::ops::RangeInclusive<u64>,
    word: Option<&str>,
) -> Result<T, CommandError> {
    let word = word.unwrap_or("");
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    let value = word.parse().ok().filter(|value| digits && range.contains(value));
    value.and_then(|value| T::try_from(value).ok()).ok_or_else(|| {
        let expected = format!("{what} from {} to {}", range.start(), range.end());
        wrong(command, expected, word)
    })
}

fn read_perft<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, CommandError> {
    let depth = number("perft", "a depth", 1..=DEEPEST_PERFT, words.next())?;
    let (mut threads, mut leaves) = (None, Leaves::Bulk);
    while let Some(word) = words.next() {
        match word {
            "threads" => {
                let count = number("perft", "a number of threads", 1..=MOST_THREADS, words.next())?;
                threads = Some(count);
            }
            "played" => leaves = Leaves::Played,
            found => return Err(wrong("perft", "threads N or played", found)),
        }
    }
    Ok(Command::Perft { depth, threads, leaves })
}

/// Reads what follows `bench`, in a session or on the command line.
///
/// # Errors
/// What was expected and what was found.
pub fn read_bench<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Bench, CommandError> {
    fn next<'a, T: TryFrom<u64>>(
        words: &mut impl Iterator<Item = &'a str>,
        what: &str,
        most: u64,
    ) -> Result<Option<T>, CommandError> {
        let word = words.next();
        word.map(|word| number("bench", what, 1..=most, Some(word))).transpose()
    }
    let depth = next(&mut words, "a depth", 100)?;
    let threads = next(&mut words, "a number of threads", MOST_THREADS)?;
    let hash = next(&mut words, "a size in MiB", LARGEST_HASH)?;
    match words.next() {
        Some(found) => Err(wrong("bench", "at most three numbers", found)),
        None => Ok(Bench { depth, threads, hash }),
    }
}
