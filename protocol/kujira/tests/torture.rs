//! Random but possible orders of commands, in USI and in CECP, with every option and verb there is: each search has one
//! answer, each ping one pong, moves are legal, and the session ends when it is told to.
//!
//! `KUJIRA_TORTURE=10000 cargo test --release --locked -p kujira --test torture` is the long form: so many sessions in each
//! protocol, or those of a range (`3000..6000`). A session that fails is told by its number and its lines.

use std::collections::{BTreeSet, VecDeque};
use std::env;
use std::ops::Range;

use kujira::cecp::notation::{move_of_usi, offered, usi_of_move};
use kujira::options::{OPTIONS, OptionKind, OptionSpec};
use kujira::{cecp, usi};
use kujira_position::{Position, Rules, Variant, VariantId, with_variant};
use kujira_search::Engine;
use kujira_usi::RuleSwitch;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use support::gui::Gui;

mod support;

/// Numbers that no option and no limit was made for, and texts that are none.
const ABSURD: &[&str] = &[
    "18446744073709551615",
    "18446744073709551616",
    "4294967296",
    "-1",
    "-9223372036854775809",
    "NaN",
    "inf",
    "1e308",
    "0x10",
    "+5",
    "1.5",
    "",
    "\u{663}",
    "99999999999999999999999999999999999999999999",
];

/// The numbers of the sessions in each protocol: `KUJIRA_TORTURE` is how many, or `FIRST..END`.
fn sessions() -> Range<u64> {
    let Ok(asked) = env::var("KUJIRA_TORTURE") else { return 0..150 };
    let (first, end) = asked.split_once("..").unwrap_or(("0", &asked));
    first.parse().expect("a number")..end.parse().expect("a number")
}

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0.random_range(0..end.max(1))
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        choices.choose(&mut self.0).expect("something to choose among")
    }

    fn absurd(&mut self) -> String {
        (*self.of(ABSURD)).to_owned()
    }

    /// A number of milliseconds, mostly small.
    fn time(&mut self) -> String {
        match self.below(8) {
            0 => self.absurd(),
            1 => "0".to_owned(),
            _ => self.below(60).to_string(),
        }
    }

    /// The moves of a random game.
    fn game(&mut self, game: VariantId) -> Vec<String> {
        with_variant!(game, V => self.game_of::<V>())
    }

    fn game_of<V: Variant>(&mut self) -> Vec<String> {
        let (mut position, mut moves) = (Position::<V>::start(), Vec::new());
        for _ in 0..self.below(40) {
            let legal = position.legal_moves();
            if position.outcome().is_some() || legal.is_empty() {
                break;
            }
            let &m = self.of(&legal[..]);
            moves.push(position.usi(m));
            position.make(m);
        }
        moves
    }

    /// A value for an option, most often one that it can have; what would take this machine's memory is left out.
    fn value(&mut self, option: &OptionSpec) -> String {
        // A text would be the name of a file.
        if self.one_in(4) && !matches!(option.kind, OptionKind::Text { .. }) {
            return self.absurd();
        }
        match option.kind {
            OptionKind::Check { .. } => (*self.of(&["true", "false"])).to_owned(),
            OptionKind::Spin { min, max, .. } => {
                let most = match option.name {
                    "USI_Hash" | "Threads" => 4,
                    _ => max,
                };
                let value = if self.one_in(2) { min + self.below(20) } else { self.below(most) };
                value.clamp(min, most).to_string()
            }
            OptionKind::Combo { choices, .. } => (*self.of(choices)).to_owned(),
            OptionKind::Button { .. } => String::new(),
            OptionKind::Text { .. } => {
                // Files that are none, and no log: it is one for the whole process.
                (*self.of(&["<empty>", "no/such.file", "/", "Cargo.toml", "src"])).to_owned()
            }
            #[cfg(feature = "tuning")]
            OptionKind::Tunable(param) => param.value.to_string(),
        }
    }
}

/// What every line of a session has to be.
fn check_line(line: &str) {
    assert!(line.is_ascii(), "{line:?}");
    assert!(!line.contains("internal:"), "{line}");
}

/// A position that follows what the session is told, by an engine that never searches.
struct Shadow {
    engine: Box<dyn Engine>,
    rules: Rules,
    may_resign: bool,
}

impl Shadow {
    fn new() -> Self {
        let engine = kujira_search::engine(VariantId::default());
        Self { engine, rules: Rules::DEFAULT, may_resign: false }
    }

    fn choose(&mut self, game: VariantId) {
        if game != self.engine.game() {
            self.engine = kujira_search::engine(game);
            self.engine.set_rules(self.rules).expect("no rule forbids the start");
        }
    }

    /// Follows an option that the session takes.
    fn set(&mut self, name: &str, value: &str) {
        if name.eq_ignore_ascii_case("USI_Variant") {
            if let Some(game) = VariantId::named(value) {
                self.choose(game);
            }
        } else if name == "ResignValue" {
            self.may_resign |= value.parse().is_ok_and(|value: u64| (1..99_999).contains(&value));
        } else if let Some(switch) = RuleSwitch::ALL.into_iter().find(|s| s.option() == name)
            && let Some(choice) = switch.choices().iter().position(|&choice| choice == value)
        {
            let mut rules = self.rules;
            switch.switch(&mut rules, choice == 1);
            if self.engine.set_rules(rules).is_ok() {
                self.rules = rules;
            }
        }
    }

    /// The answers that a search may give now.
    fn answers(&self, search_moves: &[String]) -> Vec<String> {
        let over = self.engine.outcome().is_some();
        let mut answers = if over { Vec::new() } else { self.engine.legal_moves() };
        let chosen: Vec<String> =
            answers.iter().filter(|m| search_moves.contains(m)).cloned().collect();
        if !chosen.is_empty() {
            answers = chosen;
        }
        if over || self.may_resign || answers.is_empty() {
            answers.push("resign".to_owned());
        }
        if over || self.rules.impasse {
            answers.push("win".to_owned());
        }
        answers
    }
}

/// The lines that a session was sent, told where it fails.
struct Sent {
    number: u64,
    lines: Vec<String>,
}

impl Sent {
    fn new(number: u64) -> Self {
        Self { number, lines: Vec::new() }
    }

    /// The words at this place of the lines.
    fn words(&self, place: usize) -> impl Iterator<Item = String> {
        self.lines.iter().filter_map(move |line| line.split(' ').nth(place)).map(str::to_owned)
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("session {} was sent:\n{}", self.number, self.lines.join("\n"));
        }
    }
}

/// One session in USI.
struct Usi {
    random: Random,
    gui: Gui,
    sent: Sent,
    shadow: Shadow,
    /// What each search that is not answered yet may answer; nothing after `go mate`.
    owed: VecDeque<Option<Vec<String>>>,
    ready_owed: usize,
}

impl Usi {
    fn send(&mut self, line: String) {
        self.gui.send(&line);
        self.sent.lines.push(line);
    }

    fn go(&mut self) {
        let mut words = vec!["go".to_owned()];
        let (mut mate, mut search_moves) = (false, Vec::new());
        for _ in 0..self.random.below(4) {
            let random = &mut self.random;
            let word = *random.of(&[
                "btime",
                "wtime",
                "binc",
                "winc",
                "byoyomi",
                "movetime",
                "depth",
                "nodes",
                "ponder",
                "infinite",
                "mate",
                "searchmoves",
                "movestogo",
                "nonsense",
            ]);
            words.push(word.to_owned());
            match word {
                "ponder" | "infinite" | "nonsense" => {}
                "mate" => {
                    mate = true;
                    words.push(random.time());
                }
                "searchmoves" => {
                    let legal = self.shadow.engine.legal_moves();
                    for _ in 0..random.below(4) {
                        let m = if legal.is_empty() { "1a1b" } else { random.of(&legal) };
                        search_moves.push(m.to_owned());
                        words.push(m.to_owned());
                    }
                }
                "depth" => words.push(random.of(&["1", "2", "3", "100", "4294967296"]).to_string()),
                _ => words.push(random.time()),
            }
        }
        let answers = self.shadow.answers(&search_moves);
        self.owed.push_back((!mate).then_some(answers));
        self.send(words.join(" "));
    }

    fn position(&mut self) {
        let game = self.shadow.engine.game();
        let moves = self.random.game(game);
        let list: Vec<&str> = moves.iter().map(String::as_str).collect();
        match self.random.below(8) {
            0 => {
                let bad = *self.random.of(&[
                    "position",
                    "position startpos moves 1a9z",
                    "position sfen x",
                    "position sfen",
                    "position sfen 6/6/6/6/6/6 b - 1",
                    "position startpos 7",
                ]);
                self.send(bad.to_owned());
            }
            1 => {
                let mut other = kujira_search::engine(game);
                if other.set_position(None, &list).is_ok() {
                    let sfen = other.sfen();
                    // Under switched rules it may be impossible.
                    let _ = self.shadow.engine.set_position(Some(&sfen), &[]);
                    self.send(format!("position sfen {sfen}"));
                }
            }
            _ => {
                let _ = self.shadow.engine.set_position(None, &list);
                self.send(format!("position startpos moves {}", moves.join(" ")));
            }
        }
    }

    fn step(&mut self) {
        let verb = self.random.of(usi::command::VERBS).word;
        // Searches, positions and options make the orders that matter.
        let verb = match self.random.below(10) {
            0..2 => "go",
            2 => "position",
            3..5 => "setoption",
            5 => "stop",
            _ => verb,
        };
        match verb {
            "go" => self.go(),
            "position" => self.position(),
            "setoption" => {
                let option = self.random.of(OPTIONS);
                let name = *self.random.of(&[&[option.name], option.aliases].concat());
                let value = self.random.value(option);
                self.shadow.set(option.name, &value);
                let value =
                    if value.is_empty() { String::new() } else { format!(" value {value}") };
                self.send(format!("setoption name {name}{value}"));
            }
            "isready" => {
                self.ready_owed += 1;
                self.send("isready".to_owned());
            }
            "flip" => {
                self.shadow.engine.flip();
                self.send("flip".to_owned());
            }
            "perft" => {
                let depth = *self.random.of(&["1", "2", "100", "x", "18446744073709551616"]);
                self.send(format!("perft {depth}"));
            }
            "bench" => {
                let bench =
                    *self.random.of(&["bench 1 1 1", "bench 100 2 1", "bench 0", "bench 1 1 x"]);
                self.send(bench.to_owned());
            }
            "ponderhit" => {
                let time = self.random.time();
                self.send(format!("ponderhit btime {time} wtime {time}"));
            }
            // At the end.
            "quit" => {}
            word => self.send(word.to_owned()),
        }
        if self.random.one_in(60) {
            let line = *self.random.of(&[&b"\xff\xfe\n"[..], b"hello\n", b"\0usi\n", b"  \r\n"]);
            self.gui.send_bytes(line);
        }
    }

    fn answered(&mut self, line: &str) {
        check_line(line);
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["bestmove", best, ..] => {
                let allowed =
                    self.owed.pop_front().expect("a search").expect("no search for a mate");
                assert!(allowed.iter().any(|m| m == best), "{best} of {allowed:?}");
            }
            ["checkmate", ..] => assert_eq!(self.owed.pop_front(), Some(None), "{line}"),
            ["readyok"] => self.ready_owed = self.ready_owed.checked_sub(1).expect("an isready"),
            _ => {}
        }
    }

    /// Waits for everything that is owed.
    fn settle(&mut self) {
        self.send("stop".to_owned());
        self.ready_owed += 1;
        self.send("isready".to_owned());
        while !self.owed.is_empty() || self.ready_owed > 0 {
            let line = self.gui.line();
            self.answered(&line);
        }
    }
}

#[test]
fn usi_answers_whatever_the_order() {
    let mut words = BTreeSet::new();
    let mut searches = 0;
    for number in sessions() {
        let mut session = Usi {
            random: Random::new(number),
            gui: Gui::of_session(kujira_search::engine),
            sent: Sent::new(number),
            shadow: Shadow::new(),
            owed: VecDeque::new(),
            ready_owed: 0,
        };
        session.send("setoption name USI_Hash value 1".to_owned());
        for _ in 0..session.random.below(4) {
            for _ in 0..session.random.below(12) {
                session.step();
                searches += u64::from(!session.owed.is_empty());
            }
            session.settle();
        }
        let Usi { sent, gui, .. } = session;
        words.extend(sent.words(0).chain(sent.words(2)));
        for line in gui.quit() {
            check_line(&line);
            assert!(!line.starts_with("bestmove") && line != "readyok", "{line}");
        }
    }
    let all = sessions().count() as u64;
    // One session alone need not say everything.
    if all < 150 {
        return;
    }
    assert!(searches >= all, "{searches}");
    for word in usi::command::VERBS.iter().map(|verb| verb.word).filter(|&word| word != "quit") {
        assert!(words.contains(word), "no {word}");
    }
    for option in OPTIONS {
        assert!(words.contains(option.name), "no {}", option.name);
    }
}

/// One session in CECP.
struct Cecp {
    random: Random,
    gui: Gui,
    sent: Sent,
    game: VariantId,
    pings: u64,
    /// The position begun from and the moves since, as USI texts; followed only in sessions that wait for each command.
    start: Option<String>,
    moves: Vec<String>,
}

/// A position of 6×6, as XBoard writes it and as SFEN; and texts that are none.
const FEN: (&str, &str) = ("5w/3K2/5W/6/6/6[-] w 0 1", "5w/3K2/5W/6/6/6 b - 1");
const NO_FEN: &[&str] = &["nonsense", "6/6/6/6/6/6[-] w 0 1", "", "5w/3K2/5W/6/6/6[-] x 0 1"];

impl Cecp {
    fn send(&mut self, line: String) {
        self.gui.send(&line);
        self.sent.lines.push(line);
    }

    /// Sends a line, and the lines it gives.
    fn ask(&mut self, line: String) -> Vec<String> {
        self.send(line);
        self.sync()
    }

    /// The lines that come before all before is dealt with.
    fn sync(&mut self) -> Vec<String> {
        self.pings += 1;
        let ping = self.pings;
        self.send(format!("ping {ping}"));
        let mut lines = self.gui.until("pong");
        lines.iter().for_each(|line| check_line(line));
        assert_eq!(lines.pop(), Some(format!("pong {ping}")));
        lines
    }

    /// The position followed.
    fn shadow(&self) -> Box<dyn Engine> {
        let mut engine = kujira_search::engine(self.game);
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        engine.set_position(self.start.as_deref(), &moves).expect("legal moves");
        engine
    }

    /// A move, most often a legal one.
    fn some_move(&mut self) -> String {
        let engine = self.shadow();
        let legal = if engine.outcome().is_none() { engine.legal_moves() } else { Vec::new() };
        if legal.is_empty() || self.random.one_in(5) {
            return (*self.random.of(&["a1a6", "Z@z9", "e2e3", "", "\u{6f22}"])).to_owned();
        }
        move_of_usi(self.game.spec(), self.random.of::<String>(&legal))
    }

    /// A command with its arguments. What would let a search last is for sessions that end it.
    fn command(&mut self, waits: bool) -> String {
        let word = match self.random.below(10) {
            0..3 => "usermove",
            3 => "go",
            4 => "option",
            _ => self.random.of(cecp::command::VERBS).word,
        };
        let random = &mut self.random;
        let arguments = match word {
            "usermove" => self.some_move(),
            "variant" => (*random.of(&["whale", "paulowich", "great", "normal", ""])).to_owned(),
            "level" if waits => "0 0:01 0".to_owned(),
            "level" => {
                (*random.of(&["40 5 0", "0 0:01 0.1", "1000 1000000 NaN", "0 0 0", "x"])).to_owned()
            }
            "st" if waits => "0.02".to_owned(),
            "st" => (*random.of(&["0.02", "600", "1e9", "NaN", "-1", "99999999999999999999999"]))
                .to_owned(),
            "sd" => (*random.of(&["1", "2", "1000", "0", "18446744073709551616"])).to_owned(),
            "time" | "otim" if waits => "5".to_owned(),
            "time" | "otim" => random.time(),
            "memory" => (*random.of(&["1", "30", "0", "18446744073709551616"])).to_owned(),
            "cores" => (*random.of(&["1", "2", "4", "0", "513"])).to_owned(),
            "setboard" => {
                let fen = if random.one_in(2) { FEN.0 } else { random.of(NO_FEN) };
                fen.to_owned()
            }
            "lift" | "put" | "hover" => {
                (*random.of(&["a1", "e2", "z9", "", "\u{6f22}"])).to_owned()
            }
            "option" => {
                let option = random.of(OPTIONS);
                let value = random.value(option);
                // Rules change what is legal, and slow paces last.
                let harmless = !waits
                    || matches!(option.name, "MultiPV" | "EvalFile" | "Clear_Hash" | "Level");
                if harmless { format!("{}={value}", option.name) } else { "MultiPV=2".to_owned() }
            }
            "ping" => {
                let number = *random.of(&["\u{6f22}", "\t1\t2"]);
                number.to_owned()
            }
            "result" => "1-0 {mate}".to_owned(),
            _ => String::new(),
        };
        format!("{word} {arguments}")
    }

    /// Sends a command, waits until it is dealt with, and follows what it did.
    fn careful_step(&mut self) {
        let command = self.command(true);
        let (word, arguments) = command.split_once(' ').expect("a blank");
        let (word, arguments) = (word.to_owned(), arguments.trim().to_owned());
        if word == "quit" {
            return;
        }
        let lines = self.ask(command);
        let begins = |start: &str| lines.iter().any(|line| line.starts_with(start));
        match &word[..] {
            "new" => (self.start, self.moves) = (None, Vec::new()),
            "variant" => {
                if let Some(game) = offered().find(|game| game.spec().id == arguments) {
                    (self.game, self.start, self.moves) = (game, None, Vec::new());
                }
            }
            "setboard" if arguments == FEN.0 && !begins("tellusererror Illegal position") => {
                assert_eq!(self.game, VariantId::Whale);
                (self.start, self.moves) = (Some(FEN.1.to_owned()), Vec::new());
            }
            "usermove" if !begins("Illegal move") && !begins("Error") => {
                let m = usi_of_move(self.game.spec(), &arguments).expect("a move");
                assert!(self.shadow().legal_moves().contains(&m), "{m}");
                self.moves.push(m);
            }
            "undo" | "remove" if !begins("Error") => {
                let left = self.moves.len().checked_sub(if word == "undo" { 1 } else { 2 });
                self.moves.truncate(left.expect("moves to take back"));
            }
            _ => {}
        }
        for m in lines.iter().filter_map(|line| line.strip_prefix("move ")) {
            let m = usi_of_move(self.game.spec(), m).expect("a move");
            let shadow = self.shadow();
            assert!(shadow.outcome().is_none() && shadow.legal_moves().contains(&m), "{m}");
            self.moves.push(m);
        }
    }
}

#[test]
fn xboard_is_answered_whatever_the_order() {
    let mut words = BTreeSet::new();
    let mut moves = 0;
    for number in sessions() {
        let mut session = Cecp {
            random: Random::new(number),
            gui: Gui::of_session(kujira_search::engine),
            sent: Sent::new(number),
            game: VariantId::Whale,
            pings: 0,
            start: None,
            moves: Vec::new(),
        };
        session.send("xboard\nprotover 2\nmemory 25\nst 0.02\nnew\nvariant whale".to_owned());
        session.sync();
        let careful = session.random.one_in(2);
        for _ in 0..session.random.below(24) {
            if careful {
                session.careful_step();
                moves += session.moves.len();
            } else {
                let command = session.command(false);
                if !command.starts_with("quit") {
                    session.send(command);
                }
                if session.random.one_in(10) {
                    session.send("?\nforce".to_owned());
                    session.sync();
                }
            }
        }
        session.send("?\nforce".to_owned());
        session.sync();
        // It leaves in the midst of a search, too.
        session.send("st 600\ngo".to_owned());
        let Cecp { sent, gui, .. } = session;
        words.extend(sent.words(0));
        gui.quit().iter().for_each(|line| check_line(line));
    }
    let all = sessions().count();
    if all < 150 {
        return;
    }
    assert!(moves >= all, "{moves}");
    for word in cecp::command::VERBS.iter().map(|verb| verb.word) {
        assert!(matches!(word, "quit" | "xboard") || words.contains(word), "no {word}");
    }
}
