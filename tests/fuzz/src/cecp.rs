//! A session in CECP: every verb and every option of the tables that the engine reads them by, in any order, moves of
//! games and lines of the fuzzer's own among them.

use arbitrary::Unstructured;
use kujira_cecp::command::{Command, VERBS, parse};
use kujira_cecp::notation::move_of_usi;
use kujira::options::{OPTIONS, OptionKind};
use kujira_position::VariantId;
use kujira_usi::fairy::fen::{Style, of_sfen};

use crate::session::{self, Step};

/// What answers the pings of the harness.
const PONG: &[&str] = &["pong 7777777"];

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut script = Script::default();
    let mut u = Unstructured::new(data);
    script.send("xboard");
    script.send("protover 2");
    while !u.is_empty() && script.lines < 60 {
        script.step(&mut u);
    }
    script.settle();
    let said = session::hold(script.steps);
    let done = said.iter().filter(|line| *line == "feature done=1").count();
    assert!(done > 0, "{said:#?}");
}

/// A session as far as it is made up.
#[derive(Default)]
struct Script {
    steps: Vec<Step>,
    game: VariantId,
    lines: usize,
    pings: usize,
    over: bool,
}

impl Script {
    fn send(&mut self, line: impl Into<Vec<u8>>) {
        let mut line = line.into();
        self.lines += 1;
        self.over |= std::str::from_utf8(&line).is_ok_and(|line| parse(line) == Ok(Some(Command::Quit)));
        line.push(b'\n');
        self.steps.push(Step::Send(line));
    }

    fn step(&mut self, u: &mut Unstructured<'_>) {
        match u.int_in_range(0..=15).unwrap_or(0) {
            0..3 => self.option(u),
            3..9 => self.verb(u),
            9 => {
                let line = session::raw_line(u);
                self.send(line);
            }
            10 => self.steps.push(session::pause(u)),
            11 => self.settle(),
            12..14 => self.play(u),
            _ => self.set_board(u),
        }
    }

    /// Waits until everything so far is done.
    fn settle(&mut self) {
        if self.over {
            return;
        }
        self.pings += 1;
        self.send("ping 7777777");
        self.steps.push(Step::Await(PONG, self.pings));
    }

    fn option(&mut self, u: &mut Unstructured<'_>) {
        let Ok(option) = u.choose(OPTIONS) else { return };
        let value = match &option.kind {
            OptionKind::Check { .. } => {
                (*u.choose(&["1", "0", "true", ""]).unwrap_or(&"")).to_owned()
            }
            OptionKind::Spin { min, max, .. } => match u.int_in_range(0..=3) {
                Ok(0) => session::number(u),
                Ok(1) => min.to_string(),
                Ok(2) => max.to_string(),
                _ => u.int_in_range(*min..=*max).unwrap_or(*min).to_string(),
            },
            OptionKind::Combo { choices, .. } => (*u.choose(choices).unwrap_or(&"x")).to_owned(),
            OptionKind::Button { .. } => return self.send(format!("option {}", option.name)),
            OptionKind::File { .. } => session::path(u),
        };
        self.send(format!("option {}={value}", option.name));
    }

    fn verb(&mut self, u: &mut Unstructured<'_>) {
        let Ok(verb) = u.choose(VERBS) else { return };
        let rest = match (verb.word, u.int_in_range(0..=2)) {
            ("variant", Ok(0 | 1)) => {
                self.game = *u.choose(VariantId::ALL).unwrap_or(&VariantId::Whale);
                self.game.to_string()
            }
            ("level", Ok(0 | 1)) => {
                format!("{} {} {}", session::number(u), session::number(u), session::number(u))
            }
            ("lift", Ok(0 | 1)) => {
                (*u.choose(&["a1", "c2", "d3", "f6", "P@"]).unwrap_or(&"")).to_owned()
            }
            (_, Ok(0)) => String::new(),
            (_, Ok(1)) => session::number(u),
            _ => verb.arguments.to_owned(),
        };
        // One in eight: more would end nearly every session early.
        if verb.word != "quit" || u.ratio(1, 8).unwrap_or(false) {
            self.send(format!("{} {rest}", verb.word));
        }
    }

    /// Enters the moves of a game.
    fn play(&mut self, u: &mut Unstructured<'_>) {
        let (_, moves, _) = session::game(u, self.game);
        let force = u.arbitrary().unwrap_or(false);
        if force {
            self.send("force");
        }
        for usi in moves.iter().take(20) {
            self.send(format!("usermove {}", move_of_usi(self.game.spec(), usi)));
        }
    }

    fn set_board(&mut self, u: &mut Unstructured<'_>) {
        let (_, _, sfen) = session::game(u, self.game);
        self.send(format!("setboard {}", of_sfen(self.game.spec(), &sfen, Style::XBoard)));
    }
}
