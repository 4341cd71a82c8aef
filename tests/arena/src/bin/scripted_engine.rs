//! An engine for tests: plays at random, the same moves for the same seed, and misbehaves at a
//! chosen move in a chosen way.

#![forbid(unsafe_code)]

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};
use std::time::Duration;

use clap::{Parser, ValueEnum};
use kujira_position::{Position, Retreat, Rules, Variant, VariantId, with_variant};
use kujira_record::Error;
use kujira_record::list::Opening;
use kujira_usi::fairy::Dialect;
use kujira_usi::names::VARIANT;
use kujira_usi::{Command as Asked, Protocol, SetPosition};

#[derive(Parser)]
struct Arguments {
    /// Which kind of whale shogi: whale, paulowich, great.
    #[arg(long, default_value = "whale")]
    game: String,
    /// Chooses among the legal moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How moves are spelt after `usi`: usi or fairy-usi. After `uci` it is fairy-uci.
    #[arg(long, default_value = "usi")]
    dialect: Dialect,
    /// Declare the rule switches as options.
    #[arg(long)]
    rules: bool,
    /// Declare two more numbers: `patience`, the own move of a game at which it gives up, and `idle`,
    /// which means nothing.
    #[arg(long)]
    numbers: bool,
    /// Declare the options of an engine whose strength can be limited.
    #[arg(long)]
    rungs: bool,
    /// What `bench` tells.
    #[arg(long)]
    signature: Option<u64>,
    /// What to call itself.
    #[arg(long, default_value = "Scripted")]
    name: String,
    /// What to do wrong.
    #[arg(long, value_enum)]
    fault: Option<Fault>,
    /// At which of the own moves of a game, from 1.
    #[arg(long, default_value_t = 1)]
    at: u32,
    /// Pause before every answer, in milliseconds.
    #[arg(long, default_value_t = 0)]
    pause: u64,
    /// Means nothing; tells this process from others in a list of them.
    #[arg(long)]
    mark: Option<u64>,
    /// A file that tells of each start, one byte each, whether it works: `+` or `-`, or `!`: it works, and is the last
    /// that the system allows. What is told is taken off; no more bytes: it works.
    #[arg(long)]
    starts: Option<PathBuf>,
    /// A file of a number: as long as it is there, no search after so many of this process is answered.
    #[arg(long)]
    hold: Option<PathBuf>,
    /// The score shown, in centipawns, from the first player's point of view.
    #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Fault {
    /// Complains to standard error and ends with exit status 3.
    Die,
    /// Ends with exit status 3 after so many games instead of moves.
    Leave,
    /// Does not answer `isready` after so many games.
    Sulk,
    /// Ends with exit status 3 in its search of that number, of all games together.
    Expire,
    /// Answers every option with an error, from the start.
    Refuse,
    /// Refuses every option in the words of Stockfish and its kin.
    RefuseAsChess,
    /// Ends the lines that say it is there and ready in blanks, from the start.
    Blanks,
    /// Tells of its search after the move instead of before it, from the start.
    Afterword,
    /// Sees a mate of unknown length in every other position, from the start.
    Unknown,
    /// Never answers, not even to `stop`.
    Hang,
    /// Answers only to `stop`.
    Late,
    /// Plays a move that is none.
    Illegal,
    /// Says that it has no move.
    None,
    /// Plays the null move.
    Null,
    /// Answers with a word that is no move.
    Babble,
    /// Prints lines of garbage, some of it no UTF-8, and no answer.
    Garbage,
    /// Prints `info` lines for ever.
    Flood,
    /// Prints a line without end.
    Line,
    /// Gives up.
    Resign,
    /// Claims the win.
    Claim,
    /// Ignores `quit` and the end of input, from the start.
    Stay,
    /// Prints megabytes to standard error with every move, from the start.
    Complain,
    /// Does not answer the handshake.
    Mute,
    /// Reads nothing, from the start.
    Deaf,
    /// Ends with exit status 3 while a process that it started holds its output.
    Orphan,
    /// Stops who started it for three seconds, as Ctrl-Z does, in its search of that number, of all games together.
    Stall,
}

/// The rules of an engine that was told none: ours, but that repetitions do not count.
const OWN_RULES: Rules = Rules { repetition: false, ..Rules::DEFAULT };
/// How it declares them, names and values as the engine of this repository has them.
const RULE_OPTIONS: &str = "\
option name Rule_DolphinRetreat type combo default slide var slide var two
option name Rule_RetreatFileLimit type combo default off var off var on
option name Rule_Impasse type combo default off var off var points
option name Rule_Repetition type combo default off var off var fourfold
";

const NUMBERS: &str = "\
option name patience type spin default 1000 min 1 max 1000
option name idle type spin default 0 min -9 max 9
";

const RUNGS: &str = "\
option name USI_LimitStrength type check default false
option name USI_Elo type spin default 0 min 0 max 100000
";

fn main() {
    let arguments = Arguments::parse();
    let Some(game) = VariantId::named(&arguments.game) else {
        eprintln!("expected one of {}, found {}", VariantId::choices(), arguments.game);
        exit(2);
    };
    if with_variant!(game, V => Script::<V>::new(arguments).run()).is_err() {
        // Nobody listens any more.
        exit(1);
    }
}

/// The lines of standard input.
type Lines = io::Lines<io::StdinLock<'static>>;

struct Script<V: Variant> {
    arguments: Arguments,
    dialect: Dialect,
    rules: Rules,
    /// Whether it was told this game.
    told: bool,
    /// The option by which it is told: UCI has a name of its own for it.
    variant_option: &'static str,
    /// Whether it has said that it is ready.
    ready: bool,
    /// The moves of the last `position` line, and the position they lead to.
    known: String,
    position: Position<V>,
    patience: u32,
    own_moves: u32,
    searches: u32,
    games: u32,
}

impl<V: Variant> Script<V> {
    fn new(arguments: Arguments) -> Self {
        Self {
            dialect: arguments.dialect,
            arguments,
            rules: OWN_RULES,
            told: false,
            variant_option: VARIANT.usi,
            ready: false,
            known: "startpos".to_owned(),
            position: Position::start(),
            patience: u32::MAX,
            own_moves: 0,
            searches: 0,
            games: 0,
        }
    }

    fn run(mut self) -> io::Result<()> {
        if let Some(path) = &self.arguments.starts
            && !start_works(path)?
        {
            exit(3);
        }
        if self.arguments.fault == Some(Fault::Deaf) {
            std::thread::sleep(Duration::from_secs(3600));
        }
        let stay = self.arguments.fault == Some(Fault::Stay);
        let blanks = if self.arguments.fault == Some(Fault::Blanks) { " \t" } else { "" };
        let mut lines = io::stdin().lines();
        while let Some(line) = lines.next() {
            let line = line?;
            let command = Asked::parse(&line, Protocol::Usi)
                .unwrap_or_else(|error| refuse(&line, &error.to_string()));
            match command {
                Asked::Introduce(_) if self.arguments.fault == Some(Fault::Mute) => {}
                Asked::Introduce(protocol) => {
                    if protocol == Protocol::Uci {
                        self.dialect = Dialect::FairyUci;
                        self.variant_option = VARIANT.others[0];
                    }
                    let game = self.variant_option;
                    let rules = if self.arguments.rules { RULE_OPTIONS } else { "" };
                    let numbers = if self.arguments.numbers { NUMBERS } else { "" };
                    let rungs = if self.arguments.rungs { RUNGS } else { "" };
                    say(&format!(
                        "id name {} {}\nid author nobody\n\
                         option name Seed type spin default 1 min 0 max 1000000\n\
                         option name {game} type combo default whale var whale var paulowich \
                         var great\noption name EvalFile type string default <empty>\n\
                         {rules}{numbers}{rungs}{}{blanks}\n",
                        self.arguments.name,
                        self.arguments.seed,
                        protocol.hello_ok()
                    ))?;
                }
                Asked::SetOption(option) => {
                    let told = line.strip_prefix("setoption ").unwrap_or(&line);
                    if self.arguments.fault == Some(Fault::Refuse) {
                        say(&format!("info string Error: expected no option, found {told}\n"))?;
                    }
                    if self.arguments.fault == Some(Fault::RefuseAsChess) {
                        say(&format!("No such option: {told}\n"))?;
                    }
                    self.set_option(option.name, option.value.unwrap_or(""));
                }
                Asked::IsReady
                    if self.arguments.fault == Some(Fault::Sulk)
                        && self.games >= self.arguments.at => {}
                Asked::IsReady => {
                    self.ready = true;
                    say(&format!("readyok{blanks}\n"))?;
                }
                Asked::NewGame => self.own_moves = 0,
                Asked::Position(_) if !self.told => {
                    refuse(&line, "expected to be told this game first")
                }
                Asked::Position(SetPosition(text)) => self.set_position(text),
                Asked::Go(_) => self.go(&mut lines)?,
                Asked::GameOver(_) => {
                    self.games += 1;
                    if self.arguments.fault == Some(Fault::Leave) && self.games == self.arguments.at
                    {
                        exit(3);
                    }
                }
                Asked::Other("bench") => {
                    if let Some(signature) = self.arguments.signature {
                        say(&format!("bench whale nodes {signature} signature {signature}\n"))?;
                    }
                }
                Asked::Quit if !stay => return Ok(()),
                _ => {}
            }
        }
        if stay {
            std::thread::sleep(Duration::from_secs(3600));
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match name {
            "Seed" => self.arguments.seed = value.parse().unwrap_or(self.arguments.seed),
            "patience" => self.patience = value.parse().unwrap_or(self.patience),
            _ if name == self.variant_option => self.told = value == V::SPEC.id,
            _ if name.starts_with("Rule_") => self.set_rule(name, value),
            _ => {}
        }
    }

    fn set_rule(&mut self, name: &str, value: &str) {
        if self.ready {
            // Engines may build on the rules what takes long to build.
            refuse(name, "expected to be told before isready")
        }
        match (name, value) {
            ("Rule_DolphinRetreat", "slide") => self.rules.retreat = Retreat::Slide,
            ("Rule_DolphinRetreat", "two") => self.rules.retreat = Retreat::Two,
            ("Rule_RetreatFileLimit", _) => self.rules.retreat_file_limit = value == "on",
            ("Rule_Impasse", _) => self.rules.impasse = value == "points",
            ("Rule_Repetition", _) => self.rules.repetition = value == "fourfold",
            _ => refuse(name, "expected a rule that was declared"),
        }
        let start = Opening::default();
        self.position =
            start.playable(self.rules).unwrap_or_else(|error| refuse(name, &error.to_string()));
        "startpos".clone_into(&mut self.known);
    }

    fn set_position(&mut self, text: &str) {
        if let Some(more) = text.strip_prefix(self.known.as_str()) {
            // The same game, a few moves on.
            let more = more.strip_prefix(" moves").unwrap_or(more);
            for spelt in more.split_ascii_whitespace() {
                self.make(spelt);
            }
        } else {
            let opening: Opening =
                text.parse().unwrap_or_else(|error: Error| refuse(text, &error.to_string()));
            let start = Opening { moves: Vec::new(), ..opening.clone() };
            self.position =
                start.playable(self.rules).unwrap_or_else(|error| refuse(text, &error.to_string()));
            for spelt in &opening.moves {
                self.make(spelt);
            }
        }
        text.clone_into(&mut self.known);
    }

    fn make(&mut self, spelt: &str) {
        match self.dialect.read(&self.position, spelt) {
            Ok(m) => self.position.make(m),
            Err(error) => refuse(spelt, &error.to_string()),
        }
    }

    /// Whether the file says that no more searches are answered.
    fn is_held(&self) -> bool {
        let text = self.arguments.hold.as_ref().and_then(|path| fs::read_to_string(path).ok());
        let most: Option<u32> = text.and_then(|text| text.parse().ok());
        most.is_some_and(|most| self.searches > most)
    }

    fn go(&mut self, lines: &mut Lines) -> io::Result<()> {
        self.own_moves += 1;
        self.searches += 1;
        std::thread::sleep(Duration::from_millis(self.arguments.pause));
        while self.is_held() {
            std::thread::sleep(Duration::from_millis(2));
        }
        let at = self.own_moves == self.arguments.at;
        match self.arguments.fault {
            Some(Fault::Complain) => {
                io::stderr().lock().write_all(&[b'!'; 1 << 20])?;
            }
            Some(Fault::Die) if at => {
                eprintln!("an explanation\ndying as told\n");
                exit(3)
            }
            Some(Fault::Expire) if self.searches == self.arguments.at => exit(3),
            Some(Fault::Orphan) if at => {
                let mut child = Command::new(std::env::current_exe()?);
                child.arg("--fault=deaf").stdin(Stdio::null());
                if let Some(mark) = self.arguments.mark {
                    child.arg(format!("--mark={mark}"));
                }
                child.spawn()?;
                exit(3);
            }
            #[cfg(unix)]
            Some(Fault::Stall) if self.searches == self.arguments.at => stall(),
            Some(Fault::Hang) if at => std::thread::sleep(Duration::from_secs(3600)),
            Some(Fault::Late) if at => wait_for_stop(lines)?,
            Some(Fault::Illegal) if at => return say("bestmove 3c3c\n"),
            Some(Fault::None) if at => return say("bestmove (none)\n"),
            Some(Fault::Null) if at => return say("bestmove 0000\n"),
            Some(Fault::Babble) if at => return say("bestmove hello, world\n"),
            Some(Fault::Resign) if at => return say("bestmove resign\n"),
            Some(Fault::Claim) if at => return say("bestmove win\n"),
            Some(Fault::Garbage) if at => {
                for _ in 0..3000 {
                    io::stdout().lock().write_all(b"\xff\xfe\x00 garbage\n")?;
                }
                io::stdout().flush()?;
                std::thread::sleep(Duration::from_secs(3600));
            }
            Some(Fault::Flood) if at => loop {
                io::stdout().lock().write_all(&b"info depth 1 score cp 1\n".repeat(1000))?;
            },
            Some(Fault::Line) if at => loop {
                io::stdout().lock().write_all(&[b'x'; 1 << 16])?;
            },
            _ => {}
        }
        if self.own_moves >= self.patience {
            return say("bestmove resign\n");
        }
        let moves = self.position.legal_moves();
        let mixed = (self.position.key() ^ self.arguments.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xff51_afd7_ed55_8ccd);
        let choice = (u128::from(mixed) * moves.len() as u128) >> 64;
        let Some(&m) = moves.get(choice as usize) else { return say("bestmove resign\n") };
        let score = match self.position.side() {
            kujira_position::Color::Black => self.arguments.score,
            kujira_position::Color::White => -self.arguments.score,
        };
        let unknown = self.arguments.fault == Some(Fault::Unknown) && self.position.key() % 2 == 1;
        let score = if unknown { "mate +".to_owned() } else { format!("cp {score}") };
        let text = self.dialect.text(&self.position, m);
        let nodes = moves.len();
        let info = format!("info depth 1 seldepth 2 score {score} nodes {nodes} pv {text}\n");
        let best = format!("bestmove {text}\n");
        match self.arguments.fault {
            Some(Fault::Afterword) => say(&(best + &info)),
            _ => say(&(info + &best)),
        }
    }
}

/// Takes the first byte off the file and says whether this start works. Of starts at one time each takes
/// another byte.
fn start_works(path: &Path) -> io::Result<bool> {
    let mut file = File::options().read(true).write(true).open(path)?;
    file.lock()?;
    let mut told = Vec::new();
    file.read_to_end(&mut told)?;
    let Some((first, rest)) = told.split_first() else { return Ok(true) };
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(rest)?;
    if *first == b'!' {
        // Those of a file that is no program.
        let permissions = file.metadata()?.permissions();
        fs::set_permissions(std::env::current_exe()?, permissions)?;
    }
    Ok(*first != b'-')
}

/// Stops who started this process for a while.
#[cfg(unix)]
fn stall() {
    use nix::sys::signal::{Signal, kill};
    let runner = i32::try_from(std::os::unix::process::parent_id()).map(nix::unistd::Pid::from_raw);
    for (signal, seconds) in [(Signal::SIGSTOP, 3), (Signal::SIGCONT, 0)] {
        if runner.is_ok_and(|runner| kill(runner, signal).is_ok()) {
            std::thread::sleep(Duration::from_secs(seconds));
        }
    }
}

fn wait_for_stop(lines: &mut Lines) -> io::Result<()> {
    for line in lines {
        if line? == "stop" {
            return Ok(());
        }
    }
    exit(1)
}

/// Prints whole lines at once.
fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// A runner that sends what is no position is broken: say so and end.
fn refuse<T>(text: &str, error: &str) -> T {
    eprintln!("scripted-engine: {text}: {error}");
    exit(4);
}
