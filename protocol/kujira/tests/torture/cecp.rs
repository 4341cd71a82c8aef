//! Orders of commands in CECP.

use std::collections::BTreeSet;

use kujira::options::OPTIONS;
use kujira_cecp::command::VERBS;
use kujira_cecp::notation::{move_of_usi, offered, usi_of_move};
use kujira_position::{AnyPosition, Rules, VariantId};

use crate::support::gui::Gui;
use crate::{Random, Sent, check_line, sessions};

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
    fn shadow(&self) -> AnyPosition {
        let (start, moves) = (self.start.as_deref(), self.moves.iter().map(String::as_str));
        AnyPosition::replay(self.game, start, moves, Rules::DEFAULT).expect("legal moves")
    }

    /// A move, most often a legal one.
    fn some_move(&mut self) -> String {
        let shadow = self.shadow();
        let over = shadow.outcome().is_some();
        let legal = if over { Vec::new() } else { shadow.usi_line(&shadow.legal_moves()) };
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
            _ => self.random.of(VERBS).word,
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
                self.shadow().parse_usi(&m).expect("a legal move");
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
            assert!(shadow.outcome().is_none() && shadow.parse_usi(&m).is_ok(), "{m}");
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
    for word in VERBS.iter().map(|verb| verb.word) {
        assert!(matches!(word, "quit" | "xboard") || words.contains(word), "no {word}");
    }
}
