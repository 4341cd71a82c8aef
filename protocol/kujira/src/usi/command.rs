//! Lines of input as commands. Total: every line is a command, nothing, or an error that says what
//! was expected and what was found.

use kujira_position::Leaves;
use kujira_usi::{ArgumentError, PonderHit, Protocol, SetOption, SetPosition, number_in};

use crate::lines::{self, LineError, split_word};
use crate::options::{LARGEST_HASH, MOST_THREADS};

use super::go::{self, Go};

pub use super::fault::CommandError;
pub use crate::bench::Bench;

/// The deepest perft that is begun, in plies.
const DEEPEST_PERFT: u64 = 100;

/// A line, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Introduce yourself.
    Introduce,
    /// Get ready and say so.
    IsReady,
    /// Another game begins.
    NewGame,
    /// Set an option, or press it if it is a button.
    SetOption {
        /// Name of the option as found.
        name: String,
        /// Rest of the line after `value`.
        value: Option<String>,
    },
    /// Take over a position: in UCI as Fairy-Stockfish's clients tell it, in their spelling.
    Position {
        /// SFEN or FEN; `None` is the starting position.
        start: Option<String>,
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
    /// Say who is to move.
    Side,
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
    /// Nothing to be done.
    Nothing,
}

/// A row of the table of commands.
pub type Verb = kujira_usi::Verb<Command, CommandError>;

const IS_READY: Verb = Verb::new(
    "isready",
    "",
    "does what takes long (the table), then `readyok`; at once during a search",
    |_| Ok(Command::IsReady),
);
const STOP: Verb =
    Verb::new("stop", "", "ends every search asked for; each gives its `bestmove`", |_| {
        Ok(Command::Stop)
    });
const QUIT: Verb =
    Verb::new("quit", "", "ends every search and leaves; so does the end of the input", |_| {
        Ok(Command::Quit)
    });
const SHOW: Verb = Verb::new("d", "", "shows the position", |_| Ok(Command::Show));
const EVAL: Verb = Verb::new(
    "eval",
    "",
    "what the evaluation says of the position, and how much each piece adds for its owner",
    |_| Ok(Command::Eval),
);
const MOVES: Verb = Verb::new("moves", "", "the legal moves, as one line", |_| Ok(Command::Moves));
const SIDE: Verb =
    Verb::new("side", "", "the side to move, `black` or `white`", |_| Ok(Command::Side));
const PERFT: Verb = Verb::new(
    "perft",
    "DEPTH [threads N] [played]",
    "counts leaves; `played` makes the last moves instead of counting them",
    |rest| read_perft(rest.split_ascii_whitespace()),
);
const BENCH: Verb = Verb::new(
    "bench",
    "[DEPTH [THREADS [HASH]]]",
    "searches the bench positions of the game: nodes, time, speed, signature",
    |rest| read_bench(rest.split_ascii_whitespace()).map(Command::Bench),
);
const FLIP: Verb =
    Verb::new("flip", "", "turns the board round: colours, hands and side to move swap", |_| {
        Ok(Command::Flip)
    });
const COMPILER: Verb =
    Verb::new("compiler", "", "compiler, target and instruction set of this build", |_| {
        Ok(Command::Compiler)
    });
const HELP: Verb = Verb::new("help", "", "lists the commands", |_| Ok(Command::Help));

/// Every command of USI. Commands without arguments ignore what follows them.
pub const VERBS: &[Verb] = &[
    Verb::new("usi", "", "name, options, `usiok`", |_| Ok(Command::Introduce)),
    IS_READY,
    Verb::new(
        "setoption",
        "name NAME [value VALUE]",
        "sets an option; names in any case; `<empty>` is the empty text",
        |rest| read_option(rest, Protocol::Usi),
    ),
    Verb::new("usinewgame", "", "forgets what was learnt from earlier searches", |_| {
        Ok(Command::NewGame)
    }),
    Verb::new(
        "position",
        "startpos|sfen SFEN [moves MOVE ...]",
        "takes over a position and the moves played from it",
        |rest| read_position(rest, Protocol::Usi),
    ),
    Verb::new(
        "go",
        go::ARGUMENTS,
        "searches, then one `bestmove` (`mate`: `checkmate`); without a limit it is `infinite`",
        |rest| read_go(rest, Protocol::Usi),
    ),
    STOP,
    Verb::new(
        "ponderhit",
        "[TIMES]",
        "the move pondered on was played: the clock starts now, with new times if given",
        |rest| Ok(Command::PonderHit(PonderHit::read(rest))),
    ),
    Verb::new("gameover", "[win|lose|draw]", "acts as `stop`, then empties the table", |_| {
        Ok(Command::GameOver)
    }),
    QUIT,
    SHOW,
    EVAL,
    MOVES,
    SIDE,
    PERFT,
    BENCH,
    FLIP,
    COMPILER,
    HELP,
];

/// Every command of UCI. Commands without arguments ignore what follows them.
pub const UCI_VERBS: &[Verb] = &[
    Verb::new("uci", "", "name, options, `uciok`", |_| Ok(Command::Introduce)),
    IS_READY,
    Verb::new(
        "setoption",
        "name NAME [value VALUE]",
        "sets an option; names in any case, with their blanks; `<empty>` is the empty text",
        |rest| read_option(rest, Protocol::Uci),
    ),
    Verb::new("ucinewgame", "", "forgets what was learnt from earlier searches", |_| {
        Ok(Command::NewGame)
    }),
    Verb::new(
        "position",
        "startpos|fen FEN [moves MOVE ...]",
        "takes over a position and the moves played from it",
        |rest| read_position(rest, Protocol::Uci),
    ),
    Verb::new(
        "go",
        go::UCI_ARGUMENTS,
        "searches, then one `bestmove`; without a limit it is `infinite`",
        |rest| read_go(rest, Protocol::Uci),
    ),
    STOP,
    Verb::new("ponderhit", "", "the move pondered on was played: the clock starts now", |_| {
        Ok(Command::PonderHit(PonderHit::default()))
    }),
    Verb::new("debug", "[on|off]", "nothing: all there is to say is said", |_| {
        Ok(Command::Nothing)
    }),
    Verb::new("register", "[...]", "nothing: nobody needs to", |_| Ok(Command::Nothing)),
    QUIT,
    SHOW,
    EVAL,
    MOVES,
    SIDE,
    PERFT,
    BENCH,
    FLIP,
    COMPILER,
    HELP,
];

/// Every command of a protocol.
#[must_use]
pub const fn verbs(protocol: Protocol) -> &'static [Verb] {
    match protocol {
        Protocol::Usi => VERBS,
        Protocol::Uci => UCI_VERBS,
    }
}

/// Reads a line, without its line feed. A blank line is no command.
///
/// # Errors
/// What was expected and what was found.
///
/// ```
/// use kujira::usi::command::{Command, parse};
/// use kujira_usi::Protocol;
///
/// assert_eq!(parse(b"  isready\r", Protocol::Usi), Ok(Some(Command::IsReady)));
/// assert_eq!(parse(b"", Protocol::Uci), Ok(None));
/// assert_eq!(
///     parse(b"perft x", Protocol::Usi).map_err(|error| error.to_string()),
///     Err("perft: expected a depth from 1 to 100, found \"x\"".to_owned())
/// );
/// ```
pub fn parse(line: &[u8], protocol: Protocol) -> Result<Option<Command>, CommandError> {
    let text = match lines::text(line) {
        Ok(text) => text,
        Err(fault) => return unreadable(line, fault, protocol),
    };
    let (word, rest) = split_word(text);
    if word.is_empty() {
        return Ok(None);
    }
    if let Some(verb) = verbs(protocol).iter().find(|verb| verb.word == word) {
        return (verb.read)(rest).map(Some);
    }
    let xboard = if cfg!(feature = "cecp") { "xboard" } else { "" };
    let first = [Protocol::Usi.hello(), Protocol::Uci.hello(), xboard];
    Err(match first.into_iter().find(|&first| first == word) {
        Some(found) => CommandError::Late { found },
        None => CommandError::Unknown { found: word.to_owned() },
    })
}

/// Makes a command of a line that is no text, or of the beginning of one that is too long: whoever sent a
/// search waits for its answer, however garbled the rest of the line.
pub(crate) fn unreadable(
    line: &[u8],
    fault: LineError,
    protocol: Protocol,
) -> Result<Option<Command>, CommandError> {
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let has = |wanted: &[u8]| words.clone().any(|word| word == wanted);
    if words.clone().next() != Some(b"go") || has(b"perft") {
        return Err(fault.into());
    }
    // A mate is looked for without pondering, and "infinite" means for as long as it takes.
    let mate = protocol == Protocol::Usi && has(b"mate");
    let (ponder, infinite) = (has(b"ponder") && !mate, has(b"infinite") && !mate);
    let one_ply = kujira_usi::Go { mate, ponder, infinite, depth: Some(1), ..Default::default() };
    Ok(Some(Command::Go(Go { fault: Some(fault.into()), ..one_ply.into() })))
}

fn read_go(rest: &str, protocol: Protocol) -> Result<Command, CommandError> {
    let go = kujira_usi::Go::read(rest, protocol);
    match go.perft {
        Some(words) => read_perft(words.split_ascii_whitespace()),
        None => Ok(Command::Go(go.into())),
    }
}

fn read_option(rest: &str, protocol: Protocol) -> Result<Command, CommandError> {
    let SetOption { name, value } = SetOption::read(rest, protocol)?;
    // Single blanks, whatever stands between the words of a name.
    let name = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Command::SetOption { name, value: value.map(str::to_owned) })
}

fn read_position(rest: &str, protocol: Protocol) -> Result<Command, CommandError> {
    let (start, moves) = SetPosition(rest).parts(protocol)?;
    Ok(Command::Position { start: start.map(str::to_owned), moves: moves.to_owned() })
}

/// Reads an argument that is a number within a range.
fn number<T: TryFrom<u64>>(
    command: &'static str,
    what: &str,
    range: std::ops::RangeInclusive<u64>,
    word: Option<&str>,
) -> Result<T, CommandError> {
    let word = word.unwrap_or("");
    number_in(&range, word).ok_or_else(|| {
        let expected = format!("{what} from {} to {}", range.start(), range.end());
        ArgumentError::new(command, expected, word).into()
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
            found => return Err(ArgumentError::new("perft", "threads N or played", found).into()),
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
        Some(found) => Err(ArgumentError::new("bench", "at most three numbers", found).into()),
        None => Ok(Bench { depth, threads, hash }),
    }
}
