//! What is written is read back the same, and no text makes a parser panic.

use kujira_usi::{
    BestMove, Bound, Checkmate, Clocks, Command, DeclaredOption, Go, Info, Line, OptionKind,
    PonderHit, Protocol, Score, SetOption, SetPosition, Value,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// A word that is none of the protocol.
fn word() -> impl Strategy<Value = String> {
    "[1-9][a-k][1-9*+][a-zA-Z_.+]{0,4}"
}

/// Several of them, with single blanks.
fn words() -> impl Strategy<Value = String> {
    vec(word(), 1..4).prop_map(|words| words.join(" "))
}

/// Any text on a line, without blanks at its ends.
fn text() -> impl Strategy<Value = String> {
    "[!-~é]([ -~é]{0,12}[!-~é])?"
        .prop_filter("marks of an error", |text| !text.starts_with([':', '!', '(']))
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i32>().prop_map(|value| Value::Score(Score::Cp(value))),
        any::<i32>().prop_map(|plies| Value::Score(Score::Mate(plies))),
        Just(Value::Mates),
        Just(Value::IsMated),
    ]
}

fn info() -> impl Strategy<Value = Info> {
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let numbers = (option::of(any::<u32>()), option::of(any::<u32>()), option::of(any::<u32>()));
    let counts = (option::of(any::<u64>()), option::of(any::<u64>()), option::of(any::<u64>()));
    let lines = (vec(word(), 0..4), vec(word(), 0..4), vec(word(), 0..4));
    let current = (option::of(word()), option::of(any::<u32>()), option::of(any::<u32>()));
    let score = (option::of(value()), bound, option::of(any::<[u32; 3]>()));
    // A string of its own could be an error.
    let string = option::of(text().prop_map(|text| format!("says {text}")));
    (numbers, score, counts, current, lines, string).prop_map(
        |(numbers, (score, bound, wdl), counts, current, lines, string)| Info {
            depth: numbers.0,
            seldepth: numbers.1,
            multipv: numbers.2,
            score,
            bound: if score.is_some() { bound } else { Bound::Exact },
            wdl,
            nodes: counts.0,
            nps: counts.1,
            time: counts.2,
            hashfull: current.2,
            currmove: current.0,
            currmovenumber: current.1,
            refutation: lines.0,
            currline: lines.1,
            pv: lines.2,
            string,
        },
    )
}

fn declared() -> impl Strategy<Value = DeclaredOption> {
    let text = || option::of(prop_oneof![Just(String::new()), words()]);
    let kind = prop_oneof![
        option::of(any::<bool>()).prop_map(|default| OptionKind::Check { default }),
        (option::of(any::<i64>()), option::of(any::<i64>()), option::of(any::<i64>()))
            .prop_map(|(default, min, max)| OptionKind::Spin { default, min, max }),
        (text(), vec(prop_oneof![Just(String::new()), words()], 0..4))
            .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        text().prop_map(|default| OptionKind::String { default }),
        text().prop_map(|default| OptionKind::Filename { default }),
        (word(), words()).prop_map(|(kind, rest)| OptionKind::Other { kind, rest }),
    ];
    (words(), kind).prop_map(|(name, kind)| DeclaredOption { name, kind })
}

fn line() -> impl Strategy<Value = Line> {
    let best = prop_oneof![
        (word(), option::of(word())).prop_map(|(best, ponder)| BestMove::Move { best, ponder }),
        Just(BestMove::Resign),
        Just(BestMove::Win),
    ];
    let mate = prop_oneof![
        vec(word(), 1..6).prop_map(Checkmate::Mate),
        Just(Checkmate::NoMate),
        Just(Checkmate::Timeout),
        Just(Checkmate::NotImplemented),
    ];
    prop_oneof![
        Just(Line::Blank),
        text().prop_map(Line::Name),
        text().prop_map(Line::Author),
        declared().prop_map(Line::Option),
        Just(Line::Introduced(Protocol::Usi)),
        Just(Line::Introduced(Protocol::Uci)),
        Just(Line::ReadyOk),
        info().prop_map(Line::Info),
        best.prop_map(Line::BestMove),
        mate.prop_map(Line::Checkmate),
        text().prop_map(Line::Error),
        Just(Line::Incomplete("bestmove")),
        words().prop_map(Line::Other),
    ]
}

fn clocks() -> impl Strategy<Value = Clocks> {
    let both = || [option::of(any::<u64>()), option::of(any::<u64>())];
    (both(), both(), option::of(any::<u64>())).prop_map(|(left, increment, byoyomi)| Clocks {
        left,
        increment,
        byoyomi,
    })
}

/// What both protocols say alike, and what one of them says alone.
fn go(protocol: Protocol) -> impl Strategy<Value = Go> {
    let numbers = [option::of(any::<u64>()), option::of(any::<u64>()), option::of(any::<u64>())];
    let of_uci = [option::of(any::<u64>()), option::of(any::<u64>())];
    let flags = any::<[bool; 3]>();
    let words = (vec(word(), 0..4), option::of(words()));
    (clocks(), numbers, of_uci, flags, words).prop_map(
        move |(clocks, numbers, of_uci, flags, words)| {
            let [movetime, depth, nodes] = numbers;
            let uci = protocol == Protocol::Uci;
            let [moves_to_go, mate_in] = of_uci.map(|number| number.filter(|_| uci));
            let [mate, ponder, infinite] = flags;
            let mate = mate && !uci;
            Go {
                clocks,
                moves_to_go,
                movetime,
                depth,
                nodes,
                mate_in,
                mate,
                ponder: ponder && !mate,
                infinite,
                search_moves: words.0,
                perft: words.1,
                fault: None,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_are_read_as_they_were_written(line in line()) {
        let text = line.to_string();
        prop_assert!(!text.contains('\n') && text.trim_ascii() == text);
        prop_assert_eq!(Line::parse(&text, Protocol::Usi), line.clone());
        // Blanks round a line, and the end of a line of any system, do not matter.
        prop_assert_eq!(Line::parse(&format!(" \t{text} \r\n"), Protocol::Usi), line);
    }

    /// UCI counts mates in moves: those that are even for one side and odd for the other come back.
    #[test]
    fn lines_of_uci_are_read_as_they_were_written(line in line()) {
        let text = line.display(Protocol::Uci).to_string();
        let back = Line::parse(&text, Protocol::Uci);
        match (&back, &line) {
            (
                Line::Info(Info { score: Some(Value::Score(Score::Mate(read))), .. }),
                Line::Info(Info { score: Some(Value::Score(Score::Mate(written))), .. }),
            ) => {
                prop_assert!(read.abs_diff(*written) <= 1);
                prop_assert_eq!(back.display(Protocol::Uci).to_string(), text);
            }
            _ => prop_assert_eq!(back, line),
        }
    }

    #[test]
    fn searches_are_read_as_they_were_written(usi in go(Protocol::Usi), uci in go(Protocol::Uci), clocks in clocks()) {
        let hit = PonderHit { clocks, fault: None };
        for (command, protocol) in [
            (Command::Go(usi), Protocol::Usi),
            (Command::Go(uci), Protocol::Uci),
            (Command::PonderHit(hit), Protocol::Usi),
        ] {
            let line = command.text(protocol);
            prop_assert_eq!(Command::parse(&line, protocol), Ok(command));
        }
    }

    #[test]
    fn commands_are_read_as_they_were_written(name in word(), names in words(), text in text(), value in option::of(text())) {
        for protocol in [Protocol::Usi, Protocol::Uci] {
            let name = if protocol == Protocol::Usi { &name } else { &names };
            for command in [
                Command::Introduce(protocol),
                Command::IsReady,
                Command::NewGame,
                Command::SetOption(SetOption { name, value: value.as_deref() }),
                Command::SetOption(SetOption::new(name, "")),
                Command::Position(SetPosition(&text)),
                Command::Stop,
                Command::GameOver("win"),
                Command::GameOver(""),
                Command::Quit,
                Command::Other(name),
            ] {
                let line = command.text(protocol);
                prop_assert_eq!(Command::parse(&line, protocol), Ok(command.clone()));
                let line = format!(" \t{line} \r\n");
                prop_assert_eq!(Command::parse(&line, protocol), Ok(command));
            }
        }
    }

    #[test]
    fn any_text_is_a_line(text in any::<String>()) {
        let _ = Line::parse(&text, Protocol::Usi);
        for protocol in [Protocol::Usi, Protocol::Uci] {
            if let Ok(Command::Position(position)) = Command::parse(&text, protocol) {
                let _ = position.parts(protocol);
            }
        }
    }

    /// What is read of any words is written in a way that is read the same.
    #[test]
    fn any_words_are_a_command(words in vec(prop::sample::select(COMMAND_WORDS), 0..12)) {
        for protocol in [Protocol::Usi, Protocol::Uci] {
            let line = words.join(" ");
            let Ok(mut command) = Command::parse(&line, protocol) else { continue };
            if let Command::Go(Go { fault, .. }) | Command::PonderHit(PonderHit { fault, .. }) = &mut command {
                *fault = None;
            }
            // Words that count leaves need others behind them.
            if matches!(&command, Command::Go(Go { perft: Some(words), .. }) if words.is_empty()) {
                continue;
            }
            let line = command.text(protocol);
            prop_assert_eq!(Command::parse(&line, protocol), Ok(command.clone()));
        }
    }

    /// Made of words of the protocol in any order: what is read is written in a way that is read the same.
    #[test]
    fn any_words_are_a_line(words in vec(prop::sample::select(WORDS), 0..12)) {
        for protocol in [Protocol::Usi, Protocol::Uci] {
            let line = Line::parse(&words.join(" "), protocol);
            let text = line.display(protocol).to_string();
            prop_assert_eq!(Line::parse(&text, protocol), line, "{}", text);
        }
    }
}

const COMMAND_WORDS: &[&str] = &[
    "usi",
    "uci",
    "isready",
    "usinewgame",
    "setoption",
    "name",
    "value",
    "position",
    "startpos",
    "sfen",
    "fen",
    "moves",
    "go",
    "go",
    "go",
    "go",
    "btime",
    "wtime",
    "binc",
    "winc",
    "byoyomi",
    "movetime",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "ponder",
    "infinite",
    "searchmoves",
    "perft",
    "ponderhit",
    "gameover",
    "win",
    "stop",
    "quit",
    "7",
    "-3",
    "2e2d",
    "x",
];

const WORDS: &[&str] = &[
    "info",
    "depth",
    "seldepth",
    "multipv",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "nodes",
    "nps",
    "time",
    "hashfull",
    "currmove",
    "currmovenumber",
    "refutation",
    "currline",
    "pv",
    "string",
    "error",
    "Error:",
    "option",
    "name",
    "type",
    "check",
    "spin",
    "combo",
    "button",
    "filename",
    "default",
    "min",
    "max",
    "var",
    "<empty>",
    "id",
    "author",
    "usiok",
    "readyok",
    "bestmove",
    "ponder",
    "resign",
    "win",
    "checkmate",
    "nomate",
    "timeout",
    "true",
    "1",
    "-3",
    "+",
    "-",
    "2e2d",
    "5b5c",
    ":",
    "(none)",
    "copyprotection",
    "ok",
];

/// As Fairy-Stockfish (UCI) and YaneuraOu (USI) print them; what each comes to when written again.
#[test]
fn lines_of_other_engines_are_read() {
    let same = |line: &'static str| (line, line);
    let uci = [
        same("id name Fairy-Stockfish 14.0.1"),
        same("option name Skill Level type spin default 20 min -20 max 20"),
        same("option name UCI_Variant type combo default chess var chess var shogi"),
        same("option name Clear Hash type button"),
        (
            "option name Debug Log File type string default ",
            "option name Debug Log File type string default <empty>",
        ),
        same("uciok"),
        same("info string NNUE evaluation using classical"),
        (
            "info depth 12 seldepth 15 multipv 1 score mate -2 nodes 20480 nps 1024000 hashfull 9 tbhits 0 \
             time 20 pv e2e4 e7e5",
            "info depth 12 seldepth 15 multipv 1 score mate -2 nodes 20480 nps 1024000 time 20 hashfull 9 \
             pv e2e4 e7e5",
        ),
        same("info depth 20 currmove e2e4 currmovenumber 1"),
        same("bestmove e2e4 ponder e7e5"),
        same("bestmove (none)"),
        (
            "info string ERROR: The network file was not found.",
            "info string error The network file was not found.",
        ),
        ("No such option: Foo", "info string error No such option: Foo"),
    ];
    let usi = [
        same("id name YaneuraOu NNUE 7.00 64AVX2"),
        same(
            "option name BookFile type combo default standard_book.db var no_book var standard_book.db",
        ),
        same("option name EvalDir type string default eval"),
        same("option name BookMoves type spin default 16 min 0 max 10000"),
        same("usiok"),
        same(
            "info depth 9 seldepth 12 score cp -73 upperbound nodes 8400 nps 84000 time 100 pv 2g2f",
        ),
        same("info depth 9 score mate + nodes 8400"),
        ("info string Error! : combo value not found", "info string error combo value not found"),
        same("bestmove resign"),
        same("bestmove win"),
        same("checkmate timeout"),
        same("checkmate G*5b 5a4a G*4b"),
    ];
    for (protocol, lines) in [(Protocol::Uci, &uci[..]), (Protocol::Usi, &usi[..])] {
        for (line, written) in lines {
            let read = Line::parse(line, protocol);
            assert!(!matches!(read, Line::Other(_) | Line::Incomplete(_)), "{line}");
            assert_eq!(read.display(protocol).to_string(), *written);
        }
    }
}
