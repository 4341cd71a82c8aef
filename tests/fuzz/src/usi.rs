//! A session in USI: every verb and every option of the tables that the engine reads them by, in any order, lines of
//! the fuzzer's own among them.

use arbitrary::Unstructured;
use kujira::options::{OPTIONS, OptionKind};
use kujira::usi::command::{Command, VERBS, parse};
use kujira_position::VariantId;
use kujira_usi::{Line, Protocol};

use crate::session::{self, Step};

/// What answers a `go`.
const ANSWERS: &[&str] = &["bestmove", "checkmate"];

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut script = Script::default();
    let mut u = Unstructured::new(data);
    while !u.is_empty() && script.lines < 60 {
        script.step(&mut u);
    }
    let (searches, settled) = (script.searches, script.settled);
    let said = session::hold(script.steps);
    let answers = said.iter().filter(|line| ANSWERS.iter().any(|word| line.starts_with(word)));
    let answers = answers.count();
    assert!(answers <= searches, "{answers} answers to {searches} searches: {said:#?}");
    assert!(!settled || answers == searches, "{answers} answers to {searches}: {said:#?}");
    for line in &said {
        let line = Line::parse(line, Protocol::Usi);
        assert!(!matches!(line, Line::Incomplete(_)), "{line:?}");
    }
}

/// A session as far as it is made up.
#[derive(Default)]
struct Script {
    steps: Vec<Step>,
    game: VariantId,
    lines: usize,
    /// Searches asked for, and how many lines were to be answered with `readyok`.
    searches: usize,
    ready: usize,
    /// Whether every search has been answered by now.
    settled: bool,
    over: bool,
}

impl Script {
    fn send(&mut self, line: impl Into<Vec<u8>>) {
        let mut line = line.into();
        self.lines += 1;
        if !self.over {
            match parse(&line, Protocol::Usi) {
                Ok(Some(Command::Go(_))) => {
                    (self.searches, self.settled) = (self.searches + 1, false)
                }
                Ok(Some(Command::IsReady)) => self.ready += 1,
                Ok(Some(Command::Quit)) => self.over = true,
                _ => {}
            }
        }
        line.push(b'\n');
        self.steps.push(Step::Send(line));
    }

    fn step(&mut self, u: &mut Unstructured<'_>) {
        match u.int_in_range(0..=15).unwrap_or(0) {
            0..4 => self.option(u),
            4..9 => self.verb(u),
            9 => {
                let line = session::raw_line(u);
                self.send(line);
            }
            10 => self.steps.push(session::pause(u)),
            11 => self.settle(),
            12 | 13 => self.position(u),
            _ => self.go(u),
        }
    }

    /// Ends all searches and waits for everything that is owed.
    fn settle(&mut self) {
        if self.over {
            return;
        }
        self.send("stop");
        self.send("isready");
        self.steps.push(Step::Await(&["readyok"], self.ready));
        self.steps.push(Step::Await(ANSWERS, self.searches));
        self.settled = true;
    }

    fn option(&mut self, u: &mut Unstructured<'_>) {
        let Ok(option) = u.choose(OPTIONS) else { return };
        let value = match &option.kind {
            OptionKind::Check { .. } => {
                (*u.choose(&["true", "false", "TRUE", "", "1"]).unwrap_or(&"")).to_owned()
            }
            OptionKind::Spin { min, max, .. } => match u.int_in_range(0..=3) {
                Ok(0) => session::number(u),
                Ok(1) => min.to_string(),
                Ok(2) => max.to_string(),
                _ => u.int_in_range(*min..=*max).unwrap_or(*min).to_string(),
            },
            OptionKind::Combo { choices, .. } => {
                let choice = *u.choose(choices).unwrap_or(&"x");
                if let Some(game) = VariantId::named(choice) {
                    self.game = game;
                }
                choice.to_owned()
            }
            OptionKind::Button { .. } => {
                return self.send(format!("setoption name {}", option.name));
            }
            OptionKind::File { .. } => session::path(u),
        };
        self.send(format!("setoption name {} value {value}", option.name));
    }

    fn verb(&mut self, u: &mut Unstructured<'_>) {
        let Ok(verb) = u.choose(VERBS) else { return };
        let rest = match u.int_in_range(0..=3) {
            Ok(0) => String::new(),
            Ok(1) => session::number(u),
            Ok(2) => format!("{} threads {} played", session::number(u), session::number(u)),
            _ => verb.arguments.to_owned(),
        };
        // One in eight: more would end nearly every session early.
        if verb.word != "quit" || u.ratio(1, 8).unwrap_or(false) {
            self.send(format!("{} {rest}", verb.word));
        }
    }

    fn position(&mut self, u: &mut Unstructured<'_>) {
        let game = if u.ratio(7, 8).unwrap_or(true) { self.game } else { VariantId::Great };
        let (start, moves, sfen) = session::game(u, game);
        let moves = moves.join(" ");
        self.send(match u.int_in_range(0..=2) {
            Ok(0) => format!("position startpos moves {moves}"),
            Ok(1) => format!("position sfen {start} moves {moves}"),
            _ => format!("position sfen {sfen}"),
        });
    }

    fn go(&mut self, u: &mut Unstructured<'_>) {
        const WORDS: [&str; 12] = [
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
        ];
        let mut line = "go".to_owned();
        for _ in 0..u.int_in_range(0..=3).unwrap_or(0) {
            let Ok(word) = u.choose(&WORDS) else { break };
            line += &format!(" {word}");
            match *word {
                "ponder" | "infinite" => {}
                "searchmoves" => line += " 2e2d 4b4c 1e1d D*3c",
                _ => line += &format!(" {}", session::number(u)),
            }
        }
        self.send(line);
    }
}
