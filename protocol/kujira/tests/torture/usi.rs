//! Orders of commands in USI and UCI.

use std::collections::{BTreeSet, VecDeque};

use kujira::options::{OptionSpec, offered};
use kujira::usi::command::verbs;
use kujira_position::{AnyPosition, Move, Position, Rules, Variant, VariantId, with_variant};
use kujira_usi::fairy::fen::{self, Style};
use kujira_usi::fairy::{Dialect, Game, rules, spell};
use kujira_usi::{Protocol, RuleSwitch};

use crate::support::gui::Gui;
use crate::{Random, Sent, check_line, sessions};

impl Random {
    /// The moves of a random game by Fairy-Stockfish's rules, some of them not legal by ours.
    fn fairy_game<V: Variant>(&mut self) -> String {
        let (mut position, mut moves) = (Position::<V>::start(), Vec::new());
        for _ in 0..self.below(60) {
            let legal = position.legal_moves();
            let extra = rules::extra_drops(&position);
            if !extra.is_empty() && self.one_in(2) {
                let &m = self.of(&extra);
                moves.push(Dialect::FairyUci.text(&position, m));
                position = rules::dropped(&position, m).expect("a drop of the list");
                continue;
            }
            if legal.is_empty() {
                break;
            }
            let &m = self.of(&legal[..]);
            moves.push(Dialect::FairyUci.text(&position, m));
            position.make(m);
        }
        moves.join(" ")
    }
}

/// A position that follows what the session is told.
struct Shadow {
    at: AnyPosition,
    rules: Rules,
    may_resign: bool,
    /// Whether the game, and whether the position, chosen last was refused: then no search is.
    no_game: bool,
    no_position: bool,
}

impl Shadow {
    fn new() -> Self {
        Self {
            at: AnyPosition::start(VariantId::default()),
            rules: Rules::DEFAULT,
            may_resign: false,
            no_game: false,
            no_position: false,
        }
    }

    fn choose(&mut self, game: VariantId) {
        if game != self.at.game() {
            self.at = AnyPosition::start(game);
            self.at.set_rules(self.rules).expect("no rule forbids the start");
        }
    }

    /// Takes over a game as clients of UCI tell it.
    fn take(&mut self, fen: Option<&str>, moves: &str) {
        let Game { sfen, moves, .. } = Game::read(self.at.game(), fen, moves).expect("a game");
        assert!(self.replay(sfen.as_deref(), &moves), "a game");
    }

    /// Follows a position with its moves, if it can be.
    fn replay(&mut self, sfen: Option<&str>, moves: &str) -> bool {
        let moves = moves.split_ascii_whitespace();
        let at = AnyPosition::replay(self.at.game(), sfen, moves, self.rules);
        let at = at.map(|at| self.at = at);
        at.is_ok()
    }

    /// Follows a position, a start or another, that is taken over unless it cannot be.
    fn position(&mut self, is_start: bool, take: impl FnOnce(&mut Self) -> bool) {
        self.no_position = (is_start && self.no_game) || !take(self);
        self.no_game &= self.no_position;
    }

    /// Follows an option that the session takes.
    fn set(&mut self, name: &str, value: &str) {
        let known = |game: &&VariantId| game.spec().fairy == Some(value);
        let chosen = match name {
            "USI_Variant" => Some(VariantId::named(&value.to_ascii_lowercase())),
            "UCI_Variant" => Some(VariantId::ALL.iter().find(known).copied()),
            _ => None,
        };
        if let Some(game) = chosen {
            self.no_game = game.is_none();
            if let Some(game) = game {
                self.choose(game);
            }
        } else if name == "ResignValue" {
            self.may_resign |= value.parse().is_ok_and(|value: u64| (1..99_999).contains(&value));
        } else if let Some(switch) = RuleSwitch::ALL.into_iter().find(|s| s.option() == name)
            && let Some(choice) = switch.choices().iter().position(|&choice| choice == value)
        {
            let mut rules = self.rules;
            switch.switch(&mut rules, choice == 1);
            if self.at.set_rules(rules).is_ok() {
                self.rules = rules;
            }
        }
    }

    /// The legal moves in the spelling of a protocol.
    fn moves(&self, protocol: Protocol) -> Vec<String> {
        let spelt = |&m: &Move| match protocol {
            Protocol::Usi => self.at.usi(m),
            Protocol::Uci => spell(&self.at, &[m]).concat(),
        };
        self.at.legal_moves().iter().map(spelt).collect()
    }

    /// The answers that a search may give now.
    fn answers(&self, protocol: Protocol, search_moves: &[String]) -> Vec<String> {
        if self.no_game || self.no_position {
            let refused = if protocol == Protocol::Usi { "resign" } else { "(none)" };
            return vec![refused.to_owned()];
        }
        let over = self.at.outcome().is_some();
        let mut answers = if over { Vec::new() } else { self.moves(protocol) };
        let chosen: Vec<String> =
            answers.iter().filter(|m| search_moves.contains(m)).cloned().collect();
        if !chosen.is_empty() {
            answers = chosen;
        }
        if protocol == Protocol::Uci {
            if answers.is_empty() {
                answers.push("(none)".to_owned());
            }
            return answers;
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

/// One session in USI or UCI.
struct Session {
    protocol: Protocol,
    random: Random,
    gui: Gui,
    sent: Sent,
    shadow: Shadow,
    /// What each search that is not answered yet may answer; nothing after `go mate` of USI.
    owed: VecDeque<Option<Vec<String>>>,
    ready_owed: usize,
}

impl Session {
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
                    mate = self.protocol == Protocol::Usi;
                    words.push(random.time());
                }
                "searchmoves" => {
                    let legal = self.shadow.moves(self.protocol);
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
        let answers = self.shadow.answers(self.protocol, &search_moves);
        self.owed.push_back((!mate).then_some(answers));
        self.send(words.join(" "));
    }

    fn position(&mut self) {
        match self.protocol {
            Protocol::Usi => self.position_of_usi(),
            Protocol::Uci => self.position_of_uci(),
        }
    }

    fn position_of_uci(&mut self) {
        let game = self.shadow.at.game();
        if self.random.one_in(8) {
            let bad = *self.random.of(&[
                "position",
                "position startpos moves a1z9",
                "position startpos moves 2e2d",
                "position sfen 6/6/6/6/6/6 b - 1",
                "position fen x",
                "position fen",
                "position fen 6/6/6/6/6/6[] w 0 1",
                "position startpos 7",
            ]);
            self.shadow.no_position = true;
            return self.send(bad.to_owned());
        }
        let moves = with_variant!(game, V => self.random.fairy_game::<V>());
        let is_start = !self.random.one_in(4);
        let mut line = format!("position startpos moves {moves}");
        self.shadow.position(is_start, |shadow| {
            shadow.take(None, &moves);
            if !is_start {
                let fen = fen::of_sfen(game.spec(), &shadow.at.sfen(), Style::Fairy);
                shadow.take(Some(&fen), "");
                line = format!("position fen {fen}");
            }
            true
        });
        self.send(line);
    }

    fn position_of_usi(&mut self) {
        let game = self.shadow.at.game();
        let moves = self.random.game(game);
        let list = moves.join(" ");
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
                self.shadow.no_position = true;
                self.send(bad.to_owned());
            }
            1 => {
                let moves = list.split_ascii_whitespace();
                if let Ok(other) = AnyPosition::replay(game, None, moves, Rules::DEFAULT) {
                    let sfen = other.sfen();
                    // Under switched rules it may be impossible.
                    self.shadow.position(false, |shadow| shadow.replay(Some(&sfen), ""));
                    self.send(format!("position sfen {sfen}"));
                }
            }
            _ => {
                self.shadow.position(true, |shadow| shadow.replay(None, &list));
                self.send(format!("position startpos moves {list}"));
            }
        }
    }

    fn step(&mut self) {
        let verb = self.random.of(verbs(self.protocol)).word;
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
                let options: Vec<OptionSpec> = offered(self.protocol).collect();
                let option = self.random.of(&options);
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
                self.shadow.at = self.shadow.at.turned();
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

fn answers_whatever_the_order(protocol: Protocol) {
    let mut words = BTreeSet::new();
    let mut searches = 0;
    for number in sessions() {
        let mut session = Session {
            protocol,
            random: Random::new(number),
            gui: Gui::of_session(kujira_search::engine),
            sent: Sent::new(number),
            shadow: Shadow::new(),
            owed: VecDeque::new(),
            ready_owed: 0,
        };
        session.send(match protocol {
            Protocol::Usi => "setoption name USI_Hash value 1".to_owned(),
            Protocol::Uci => "uci\nsetoption name Hash value 1".to_owned(),
        });
        for _ in 0..session.random.below(4) {
            for _ in 0..session.random.below(12) {
                session.step();
                searches += u64::from(!session.owed.is_empty());
            }
            session.settle();
        }
        let Session { sent, gui, .. } = session;
        words.extend(sent.words(0));
        words.extend(sent.options());
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
    for word in verbs(protocol).iter().map(|verb| verb.word).filter(|&word| word != "quit") {
        assert!(words.contains(word), "no {word}");
    }
    for option in offered(protocol) {
        assert!(words.contains(option.name), "no {}", option.name);
    }
}

#[test]
fn usi_answers_whatever_the_order() {
    answers_whatever_the_order(Protocol::Usi);
}

#[test]
fn uci_answers_whatever_the_order() {
    answers_whatever_the_order(Protocol::Uci);
}
