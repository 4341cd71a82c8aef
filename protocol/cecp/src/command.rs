//! Lines of input as commands of CECP. Total: every line is a command, nothing, or an error that says
//! what was expected and what was found.

use std::time::Duration;

use kujira_usi::{number_in, quoted};

/// The most memory that can be granted, in MiB.
pub const MOST_MEMORY: u64 = 1 << 20;

/// The most processors that can be granted.
pub const MOST_CORES: u64 = 512;

/// A line, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Say what the engine can do.
    Protover,
    /// A new game begins.
    New,
    /// Play this game.
    Variant(String),
    /// Leave.
    Quit,
    /// Play neither side.
    Force,
    /// Play the side to move, and move.
    Go,
    /// Play the side that is not to move.
    PlayOther,
    /// Time for so many moves, or for all.
    Level {
        /// Moves that the time is for; `None` stands for all.
        moves: Option<u32>,
        /// Time for these moves.
        base: Duration,
        /// Time each side gains with every move.
        increment: Duration,
    },
    /// Time for each move.
    MoveTime(Duration),
    /// Plies to search at most.
    Depth(u32),
    /// Time left on the engine's clock.
    OwnTime(Duration),
    /// Time left on the opponent's clock.
    OtherTime(Duration),
    /// A move of the user or the opponent.
    Move(String),
    /// Move at once.
    MoveNow,
    /// Answer when everything before is done.
    Ping(String),
    /// The game is over.
    Result,
    /// Take over a position.
    SetBoard(String),
    /// Suggest a move.
    Hint,
    /// Show the book.
    Book,
    /// Take a move back.
    Undo,
    /// Take two moves back.
    Remove,
    /// Think on the opponent's time, or stop doing so.
    Ponder(bool),
    /// Show what is thought, or stop doing so.
    Post(bool),
    /// Think about the position until told otherwise.
    Analyze,
    /// End the analysis.
    Exit,
    /// Say how far the analysis is.
    Status,
    /// Memory there is for tables, in MiB.
    Memory(usize),
    /// Processors there are to use.
    Cores(usize),
    /// Set an option, or press it if it is a button.
    Option {
        /// Name of the option as found.
        name: String,
        /// Text behind the equals sign.
        value: Option<String>,
    },
    /// A piece is picked up: show where it can go.
    Lift(String),
    /// Nothing to be done.
    Nothing,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No command has this name.
    #[error("unknown command")]
    Unknown,
    /// An argument is missing or wrong.
    #[error("expected {expected}, found {}", quoted(found))]
    Argument {
        /// Argument expected.
        expected: String,
        /// Text found in its place.
        found: String,
    },
}

/// A row of the table of commands.
pub type Verb = kujira_usi::Verb<Command, CommandError>;

/// Every command.
pub const VERBS: &[Verb] = &[
    Verb::new("protover", "N", "features, options, `done=1`", |_| Ok(Command::Protover)),
    Verb::new("new", "", "a game from the start; the engine plays the second side", |_| {
        Ok(Command::New)
    }),
    Verb::new("variant", "NAME", "chooses the game; answers `setup` and `piece`", |rest| {
        Ok(Command::Variant(rest.to_owned()))
    }),
    Verb::new("quit", "", "leaves; so does the end of the input", |_| Ok(Command::Quit)),
    Verb::new("force", "", "plays neither side, only checks moves", |_| Ok(Command::Force)),
    Verb::new("go", "", "plays the side to move, and moves", |_| Ok(Command::Go)),
    Verb::new("playother", "", "plays the side that is not to move", |_| Ok(Command::PlayOther)),
    Verb::new(
        "level",
        "MOVES MIN[:SEC] SECONDS",
        "time for MOVES moves (0: for all), increment",
        level,
    ),
    Verb::new("st", "SECONDS", "time for each move", |rest| seconds(rest).map(Command::MoveTime)),
    Verb::new("sd", "PLIES", "searches no deeper; `new` ends that", |rest| {
        number("a number of plies", 1..=1000, rest).map(Command::Depth)
    }),
    Verb::new("time", "CENTISECONDS", "what the engine's clock shows", |rest| {
        centiseconds(rest).map(Command::OwnTime)
    }),
    Verb::new("otim", "CENTISECONDS", "what the opponent's clock shows", |rest| {
        centiseconds(rest).map(Command::OtherTime)
    }),
    Verb::new("usermove", "MOVE", "the opponent's move, such as `e2e3` or `D@c4`", |rest| {
        Ok(Command::Move(rest.to_owned()))
    }),
    Verb::new("?", "", "moves at once", |_| Ok(Command::MoveNow)),
    Verb::new("ping", "N", "`pong N` when all before it is done", |rest| {
        // It is echoed, and the protocol is ASCII.
        let printable = rest.bytes().all(|b| (b' '..=b'~').contains(&b));
        printable
            .then(|| Command::Ping(rest.to_owned()))
            .ok_or_else(|| wrong("printable ASCII", rest))
    }),
    Verb::new("result", "RESULT {REASON}", "the game is over", |_| Ok(Command::Result)),
    Verb::new("setboard", "FEN", "takes over a position", |rest| {
        Ok(Command::SetBoard(rest.to_owned()))
    }),
    Verb::new("hint", "", "suggests a move", |_| Ok(Command::Hint)),
    Verb::new("bk", "", "says what the book has for the position", |_| Ok(Command::Book)),
    Verb::new("undo", "", "takes a move back", |_| Ok(Command::Undo)),
    Verb::new("remove", "", "takes a move of each side back", |_| Ok(Command::Remove)),
    Verb::new("hard", "", "thinks on the opponent's time, too", |_| Ok(Command::Ponder(true))),
    Verb::new("easy", "", "ends `hard`", |_| Ok(Command::Ponder(false))),
    Verb::new("post", "", "shows what it thinks", |_| Ok(Command::Post(true))),
    Verb::new("nopost", "", "ends `post`", |_| Ok(Command::Post(false))),
    Verb::new("analyze", "", "thinks about the position, and each one set after it", |_| {
        Ok(Command::Analyze)
    }),
    Verb::new("exit", "", "ends the analysis", |_| Ok(Command::Exit)),
    Verb::new(".", "", "how far the search is: `stat01`", |_| Ok(Command::Status)),
    Verb::new("memory", "MIB", "memory for the transposition table and the rest", |rest| {
        number("a size in MiB", 1..=MOST_MEMORY, rest).map(Command::Memory)
    }),
    Verb::new("cores", "N", "number of searching threads", |rest| {
        number("a number of threads", 1..=MOST_CORES, rest).map(Command::Cores)
    }),
    Verb::new("option", "NAME[=VALUE]", "sets an option", option),
    Verb::new("lift", "SQUARE", "`highlight`: where the piece can go", |rest| {
        Ok(Command::Lift(rest.to_owned()))
    }),
    Verb::new("accepted", "FEATURE", "nothing", nothing),
    Verb::new("rejected", "FEATURE", "nothing", nothing),
    Verb::new("put", "SQUARE", "nothing", nothing),
    Verb::new("hover", "SQUARE", "nothing", nothing),
    Verb::new("computer", "", "nothing", nothing),
    Verb::new("name", "NAME", "nothing", nothing),
    Verb::new("rating", "OWN OTHER", "nothing", nothing),
    Verb::new("random", "", "nothing", nothing),
    Verb::new("draw", "", "nothing: the engine plays on", nothing),
    Verb::new("xboard", "", "nothing: it is known by then", nothing),
];

fn nothing(_: &str) -> Result<Command, CommandError> {
    Ok(Command::Nothing)
}

/// Reads a line, without its line feed. A blank line is no command. A move may stand alone, as old GUIs
/// write it.
///
/// # Errors
/// What was expected and what was found.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let line = line.trim_ascii();
    let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let rest = rest.trim_ascii();
    if word.is_empty() {
        return Ok(None);
    }
    match VERBS.iter().find(|verb| verb.word == word) {
        Some(verb) => (verb.read)(rest).map(Some),
        None if rest.is_empty() && looks_like_a_move(word) => {
            Ok(Some(Command::Move(word.to_owned())))
        }
        None => Err(CommandError::Unknown),
    }
}

/// Whether a word has the form of a move on a board of at most nine ranks.
fn looks_like_a_move(word: &str) -> bool {
    let square = |file: u8, rank: u8| file.is_ascii_lowercase() && rank.is_ascii_digit();
    match *word.as_bytes() {
        [piece, b'@', file, rank] => piece.is_ascii_alphabetic() && square(file, rank),
        [file, rank, to_file, to_rank] => square(file, rank) && square(to_file, to_rank),
        _ => false,
    }
}

fn wrong(expected: impl Into<String>, found: &str) -> CommandError {
    CommandError::Argument { expected: expected.into(), found: found.to_owned() }
}

/// Reads a number within a range.
fn number<T: TryFrom<u64>>(
    what: &str,
    range: std::ops::RangeInclusive<u64>,
    text: &str,
) -> Result<T, CommandError> {
    number_in(&range, text)
        .ok_or_else(|| wrong(format!("{what} from {} to {}", range.start(), range.end()), text))
}

/// Longer times than a hundred years are that: sums of times must not overflow.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// Reads a number of seconds, perhaps with a fraction, not below zero.
fn seconds(text: &str) -> Result<Duration, CommandError> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value = text.parse().ok().filter(|_| plain);
    let value: f64 = value.ok_or_else(|| wrong("a number of seconds", text))?;
    Ok(Duration::from_secs_f64(value.min(LONGEST.as_secs_f64())))
}

/// Reads what a clock shows. One that has run below zero shows nothing.
fn centiseconds(text: &str) -> Result<Duration, CommandError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong("a number of centiseconds", text));
    }
    let value = if digits == text { digits.parse().unwrap_or(u64::MAX) } else { 0 };
    Ok(Duration::from_millis(value.saturating_mul(10)).min(LONGEST))
}

fn level(rest: &str) -> Result<Command, CommandError> {
    let words: Vec<&str> = rest.split_ascii_whitespace().collect();
    let &[moves, base, increment] = words.as_slice() else {
        return Err(wrong("MOVES MIN[:SEC] SECONDS", rest));
    };
    let moves = number("a number of moves", 0..=1000, moves)?;
    // What follows minutes and seconds is for later sessions, the protocol says.
    let end = base.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(base.len());
    let (clock, _) = base.split_at_checked(end).unwrap_or((base, ""));
    let (minutes, rest) = clock.split_once(':').unwrap_or((clock, "0"));
    let part = |text| number::<u64>("minutes, or minutes:seconds", 0..=1_000_000, text);
    let base = Duration::from_secs(part(minutes)? * 60 + part(rest)?);
    let moves = Some(moves).filter(|&moves| moves > 0);
    Ok(Command::Level { moves, base, increment: seconds(increment)? })
}

fn option(rest: &str) -> Result<Command, CommandError> {
    let (name, value) = match rest.split_once('=') {
        Some((name, value)) => (name.trim_ascii(), Some(value.trim_ascii().to_owned())),
        None => (rest, None),
    };
    if name.is_empty() {
        return Err(wrong("NAME or NAME=VALUE", rest));
    }
    Ok(Command::Option { name: name.to_owned(), value })
}
