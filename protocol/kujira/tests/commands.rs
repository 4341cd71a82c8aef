//! Lines as commands: what is accepted, what is refused and with which words.

use std::time::Duration;

use kujira::lines::LONGEST_LINE;
use kujira::usi::command::{self, Bench, Command, VERBS, verbs};
use kujira::usi::go::{Go, over};
use kujira_position::{Leaves, Rules};
use kujira_search::{Limits, Times};
use kujira_usi::{Clocks, PonderHit, Protocol, SetOption};

fn parse(line: &[u8]) -> Result<Option<Command>, command::CommandError> {
    command::parse(line, Protocol::Usi)
}

fn parse_uci(line: &str) -> Result<Command, String> {
    let read = command::parse(line.as_bytes(), Protocol::Uci);
    read.map(|command| command.expect("a command")).map_err(|error| error.to_string())
}

fn read(line: &str) -> Command {
    match parse(line.as_bytes()) {
        Ok(Some(command)) => command,
        other => panic!("{line:?}: {other:?}"),
    }
}

fn refused(line: &[u8]) -> String {
    match parse(line) {
        Err(error) => error.to_string(),
        other => panic!("{:?}: {other:?}", String::from_utf8_lossy(line)),
    }
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn blank_lines_are_nothing() {
    for line in ["", " ", "\t \t", "\r", "   \r"] {
        assert_eq!(parse(line.as_bytes()), Ok(None), "{line:?}");
    }
}

/// What runners and boards say by the vocabulary that they share.
#[test]
fn what_others_write_is_read() {
    for (name, value) in kujira_usi::rules::options(Rules::DEFAULT) {
        let expected = Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) };
        assert_eq!(read(&SetOption::new(name, value).to_string()), expected);
    }
    let press = SetOption { name: "Clear_Hash", value: None }.to_string();
    let expected = Command::SetOption { name: "Clear_Hash".to_owned(), value: None };
    assert_eq!(read(&press), expected);
    let clocks = Clocks {
        left: [Some(8000), Some(7000)],
        increment: [Some(80), Some(70)],
        byoyomi: Some(500),
    };
    let go = kujira_usi::Go {
        clocks,
        movetime: Some(100),
        depth: Some(9),
        nodes: Some(5000),
        infinite: true,
        ..kujira_usi::Go::default()
    };
    let limits = Limits {
        times: Some(Times {
            left: [ms(8000), ms(7000)],
            increment: [ms(80), ms(70)],
            byoyomi: ms(500),
        }),
        move_time: Some(ms(100)),
        depth: Some(9),
        nodes: Some(5000),
        infinite: true,
        ..Limits::default()
    };
    assert_eq!(read(&go.text(Protocol::Usi)), Command::Go(Go { limits, ..Go::default() }));
}

#[test]
fn words_without_arguments() {
    let table = [
        ("usi", Command::Introduce),
        ("  usi\r", Command::Introduce),
        ("\tisready  ", Command::IsReady),
        ("usinewgame", Command::NewGame),
        ("stop", Command::Stop),
        ("stop now", Command::Stop),
        ("gameover win", Command::GameOver),
        ("gameover lose", Command::GameOver),
        ("gameover draw", Command::GameOver),
        ("gameover", Command::GameOver),
        ("quit", Command::Quit),
        ("d", Command::Show),
        ("moves", Command::Moves),
        ("flip", Command::Flip),
        ("compiler", Command::Compiler),
        ("help", Command::Help),
        ("ponderhit", Command::PonderHit(PonderHit::default())),
    ];
    for (line, command) in table {
        assert_eq!(read(line), command, "{line:?}");
    }
}

#[test]
fn every_verb_is_read_by_its_word() {
    for verb in VERBS {
        let result = parse(verb.word.as_bytes());
        if let Err(error) = result {
            // Arguments were expected.
            assert!(error.to_string().starts_with(&format!("{}: expected", verb.word)), "{error}");
        }
    }
}

#[test]
fn uci_differs_in_words() {
    for verb in verbs(Protocol::Uci) {
        if let Err(error) = parse_uci(verb.word) {
            assert!(error.starts_with(&format!("{}: expected", verb.word)), "{error}");
        }
    }
    for line in ["usinewgame", "gameover win", "load x"] {
        let error = parse_uci(line).unwrap_err();
        assert!(error.starts_with("expected a command (help lists them), found "), "{error}");
    }
    let option = |name: &str, value: Option<&str>| Command::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    let position = |fen: Option<&str>, moves: &str| Command::Position {
        start: fen.map(str::to_owned),
        moves: moves.to_owned(),
    };
    let fen = "5w/6/6/6/6/W5[] w - - 0 1";
    for (line, command) in [
        ("uci", Command::Introduce),
        ("ucinewgame", Command::NewGame),
        ("debug on", Command::Nothing),
        ("register later", Command::Nothing),
        ("ponderhit", Command::PonderHit(PonderHit::default())),
        ("ponderhit wtime x", Command::PonderHit(PonderHit::default())),
        ("setoption name Move Overhead value 30", option("Move Overhead", Some("30"))),
        ("setoption  name  Clear  Hash", option("Clear Hash", None)),
        (
            "setoption name VariantPath value  /a value b ",
            option("VariantPath", Some("/a value b")),
        ),
        ("setoption name Hash value", option("Hash", Some(""))),
        ("position startpos", position(None, "")),
        ("position startpos moves e2e3 b5b4", position(None, "e2e3 b5b4")),
        (&format!("position fen {fen}"), position(Some(fen), "")),
        (&format!("position fen  {fen} moves  a1a2"), position(Some(fen), "a1a2")),
    ] {
        assert_eq!(parse_uci(line), Ok(command), "{line:?}");
    }
    for (line, error) in [
        ("setoption", "setoption: expected name NAME [value VALUE], found nothing"),
        ("setoption name", "setoption: expected the name of an option, found nothing"),
        ("position", "position: expected startpos or fen, found nothing"),
        ("position sfen x", "position: expected startpos or fen, found \"sfen\""),
        ("position fen", "position: expected a FEN after fen, found nothing"),
    ] {
        assert_eq!(parse_uci(line), Err(error.to_owned()), "{line:?}");
    }
}

/// White of UCI is the side that moves first: our Black.
#[test]
fn go_in_uci() {
    let go = |line: &str| match parse_uci(line) {
        Ok(Command::Go(go)) => go,
        other => panic!("{line}: {other:?}"),
    };
    let clocks = go("go wtime 8000 btime 7000 winc 80 binc 70 movestogo 40");
    let times = Times { left: [ms(8000), ms(7000)], increment: [ms(80), ms(70)], byoyomi: ms(0) };
    let limits = Limits { times: Some(times), ..Limits::default() };
    let asked = Go { limits, moves_to_go: Some(40), ..Go::default() };
    assert_eq!(clocks, asked);
    let infinite = Limits { infinite: true, ..Limits::default() };
    let mate = Go { mate_in: Some(3), ..Go::default() };
    assert_eq!(go("go mate 3"), mate);
    let search_moves = vec!["a1b2".to_owned(), "D@c3".to_owned()];
    let chosen = Go { limits: infinite, search_moves, ..Go::default() };
    assert_eq!(go("go searchmoves a1b2 D@c3 infinite"), chosen);
    for (line, error) in [
        ("go mate", "go: expected a number after mate, found nothing"),
        ("go mate 0", "go: expected a number above 0 after mate, found \"0\""),
        ("go movestogo -3", "go: expected a number after movestogo, found \"-3\""),
    ] {
        let go = go(line);
        assert_eq!(go.fault.map(|fault| fault.to_string()).as_deref(), Some(error));
        assert_eq!(go.limits.depth, Some(1));
    }
    let garbled = command::parse(b"go mate 3 \xff", Protocol::Uci);
    let Ok(Some(Command::Go(garbled))) = garbled else { panic!("{garbled:?}") };
    assert!(!garbled.mate && garbled.limits.depth == Some(1));
    assert_eq!(parse_uci("go perft 3"), parse_uci("perft 3"));
}

#[test]
fn setoption() {
    let option = |name: &str, value: Option<&str>| Command::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    let table = [
        ("setoption name USI_Hash value 64", option("USI_Hash", Some("64"))),
        ("setoption name Clear_Hash", option("Clear_Hash", None)),
        ("setoption name X value", option("X", Some(""))),
        ("setoption name X value <empty>", option("X", Some(""))),
        (
            "setoption  name  X  value  a file  of value .txt ",
            option("X", Some("a file  of value .txt")),
        ),
        ("setoption\tname\tX\tvalue\t1", option("X", Some("1"))),
    ];
    for (line, command) in table {
        assert_eq!(read(line), command, "{line:?}");
    }
}

#[test]
fn position() {
    let position = |sfen: Option<&str>, moves: &str| Command::Position {
        start: sfen.map(str::to_owned),
        moves: moves.to_owned(),
    };
    let table = [
        ("position startpos", position(None, "")),
        ("position startpos moves", position(None, "")),
        ("position startpos moves 2e2d  3b3c", position(None, "2e2d  3b3c")),
        ("position sfen 6/6 b - 1", position(Some("6/6 b - 1"), "")),
        ("position sfen 6/6 b -", position(Some("6/6 b -"), "")),
        ("position sfen 6/6 b - 1 moves 2e2d", position(Some("6/6 b - 1"), "2e2d")),
        ("position\tsfen\t6/6\tb\t-\tmoves\t2e2d", position(Some("6/6\tb\t-"), "2e2d")),
        ("position sfen xmoves movesx moves a", position(Some("xmoves movesx"), "a")),
    ];
    for (line, command) in table {
        assert_eq!(read(line), command, "{line:?}");
    }
}

#[test]
fn go_takes_limits_in_any_order_and_skips_what_it_does_not_know() {
    let times = Times { left: [ms(1000), ms(2000)], increment: [ms(30), ms(40)], byoyomi: ms(500) };
    let infinite = Limits { infinite: true, ..Limits::default() };
    let table = [
        ("go", infinite.clone()),
        ("go infinite", infinite.clone()),
        ("go movestogo 40 whatever", infinite.clone()),
        ("go depth 8", Limits { depth: Some(8), ..Limits::default() }),
        ("go depth 0", Limits { depth: Some(1), ..Limits::default() }),
        ("go depth 99999999999", Limits { depth: Some(u32::MAX), ..Limits::default() }),
        ("go nodes 18446744073709551615", Limits { nodes: Some(u64::MAX), ..Limits::default() }),
        (
            "go nodes 5000000000 depth 3",
            Limits { nodes: Some(5_000_000_000), depth: Some(3), ..Limits::default() },
        ),
        ("go movetime 250", Limits { move_time: Some(ms(250)), ..Limits::default() }),
        ("go movetime -250", Limits { move_time: Some(ms(0)), ..Limits::default() }),
        (
            "go btime 1000 wtime 2000 binc 30 winc 40 byoyomi 500",
            Limits { times: Some(times), ..Limits::default() },
        ),
        (
            "go byoyomi 500 winc 40 foo binc 30 wtime 2000 bar 7 btime 1000",
            Limits { times: Some(times), ..Limits::default() },
        ),
        (
            "go btime -5 wtime 2000",
            Limits {
                times: Some(Times { left: [ms(0), ms(2000)], ..Times::default() }),
                ..Limits::default()
            },
        ),
        ("go ponder", Limits { ponder: true, ..Limits::default() }),
        (
            "go btime 7 ponder",
            Limits {
                ponder: true,
                times: Some(Times { left: [ms(7), ms(0)], ..Times::default() }),
                ..Limits::default()
            },
        ),
    ];
    for (line, moves, limits) in [
        (
            "go searchmoves 2e2d D*3c depth 4",
            &["2e2d", "D*3c"][..],
            Limits { depth: Some(4), ..Limits::default() },
        ),
        ("go searchmoves 2e2d", &["2e2d"], Limits { infinite: true, ..Limits::default() }),
    ] {
        let search_moves = moves.iter().map(|&m| m.to_owned()).collect();
        assert_eq!(read(line), Command::Go(Go { limits, search_moves, ..Go::default() }));
    }
    for (line, limits) in table {
        assert_eq!(read(line), Command::Go(Go { limits, ..Go::default() }), "{line:?}");
    }
}

#[test]
fn a_faulty_go_is_still_a_go_and_ends() {
    let table = [
        ("go depth", "go: expected a number after depth, found nothing"),
        ("go depth x", "go: expected a number after depth, found \"x\""),
        ("go nodes 1e6", "go: expected a number after nodes, found \"1e6\""),
        ("go btime wtime", "go: expected a number after btime, found nothing"),
        ("go movetime 1.5", "go: expected a number after movetime, found \"1.5\""),
        ("go depth -1", "go: expected a number after depth, found \"-1\""),
        ("go nodes -5", "go: expected a number after nodes, found \"-5\""),
        ("go mate ponder", "go: expected ponder or mate, found \"both\""),
        ("go ponder byoyomi 1,000", "go: expected a number after byoyomi, found \"1,000\""),
        ("go mate soon", "go: expected milliseconds or infinite after mate, found \"soon\""),
    ];
    for (line, message) in table {
        let Command::Go(go) = read(line) else { panic!("{line:?}") };
        assert_eq!(go.fault.map(|fault| fault.to_string()).as_deref(), Some(message));
        let mate = line.contains("mate");
        let ponder = line.contains("ponder") && !mate;
        let expected = Limits { depth: Some(1), ponder, ..Limits::default() };
        assert_eq!((go.limits, go.mate), (expected, mate), "{line:?}");
    }
    // A limit that was understood holds.
    let Command::Go(go) = read("go depth x nodes 7") else { panic!("a go") };
    assert!(go.fault.is_some());
    assert_eq!(go.limits, Limits { nodes: Some(7), ..Limits::default() });
}

#[test]
fn go_mate_and_go_perft() {
    let infinite = Limits { infinite: true, ..Limits::default() };
    let timed = |time| Limits { move_time: Some(ms(time)), ..Limits::default() };
    let table = [
        ("go mate", infinite.clone()),
        ("go mate infinite", infinite),
        ("go mate 5000", timed(5000)),
        ("go mate 5000 nodes 7", Limits { nodes: Some(7), ..timed(5000) }),
    ];
    for (line, limits) in table {
        assert_eq!(read(line), Command::Go(Go { limits, mate: true, ..Go::default() }), "{line:?}");
    }
    let perft = |depth, threads, leaves| Command::Perft { depth, threads, leaves };
    let table = [
        ("perft 4", perft(4, None, Leaves::Bulk)),
        ("go perft 4", perft(4, None, Leaves::Bulk)),
        ("perft 5 threads 2", perft(5, Some(2), Leaves::Bulk)),
        ("perft 5 played", perft(5, None, Leaves::Played)),
        ("go perft 5 played threads 3", perft(5, Some(3), Leaves::Played)),
    ];
    for (line, command) in table {
        assert_eq!(read(line), command, "{line:?}");
    }
}

#[test]
fn ponderhit_takes_new_times() {
    let given = Times { left: [ms(1), ms(2)], byoyomi: ms(3), ..Times::default() };
    let over = |line, given| match read(line) {
        Command::PonderHit(hit) => over(&hit.clocks, given),
        other => panic!("{other:?}"),
    };
    let times = Times { left: [ms(10), ms(20)], byoyomi: ms(30), ..Times::default() };
    assert_eq!(over("ponderhit btime 10 x wtime 20 byoyomi 30", Some(given)), Some(times));
    // What is not said anew stays as it was given with the search.
    let byoyomi_kept = Times { left: [ms(0), ms(0)], ..given };
    assert_eq!(over("ponderhit btime 0 wtime 0", Some(given)), Some(byoyomi_kept));
    assert_eq!(over("ponderhit btime x", Some(given)), None);
    assert_eq!(over("ponderhit", None), None);
}

#[test]
fn a_search_asked_for_in_garbage_is_answered() {
    for line in [&b"go depth 3\0"[..], b" go \xff", b"go\t\xff", b"go mate \xff"] {
        let Ok(Some(Command::Go(go))) = parse(line) else { panic!("{line:?}") };
        assert!(go.fault.is_some() && go.limits.depth == Some(1), "{line:?}");
        assert_eq!(go.mate, line.starts_with(b"go mate"));
    }
    assert!(parse(b"go perft 5 \xff").is_err());
    assert!(parse(b"gone \xff").is_err());
}

#[test]
fn bench() {
    let bench = |depth, threads, hash| Command::Bench(Bench { depth, threads, hash });
    assert_eq!(read("bench"), bench(None, None, None));
    assert_eq!(read("bench 7"), bench(Some(7), None, None));
    assert_eq!(read("bench 7 2 64"), bench(Some(7), Some(2), Some(64)));
}

#[test]
fn every_refusal_says_what_was_expected_and_what_was_found() {
    let table: &[(&[u8], &str)] = &[
        (b"uci", "expected uci as the first word of a session, found it behind others"),
        (b"xboard 2", "expected xboard as the first word of a session, found it behind others"),
        (b"ucinewgame", "expected a command (help lists them), found \"ucinewgame\""),
        (b"USI", "expected a command (help lists them), found \"USI\""),
        (
            "ус\u{1f40b}i".as_bytes(),
            "expected a command (help lists them), found \
          \"\\u{443}\\u{441}\\u{1f40b}i\"",
        ),
        (b"setoption", "setoption: expected name NAME [value VALUE], found nothing"),
        (b"setoption X", "setoption: expected name NAME [value VALUE], found \"X\""),
        (b"setoption name", "setoption: expected the name of an option, found nothing"),
        (
            b"setoption name A B",
            "setoption: expected value after the name of the option, found \"B\"",
        ),
        (b"position", "position: expected startpos or sfen, found nothing"),
        (b"position 6/6 b - 1", "position: expected startpos or sfen, found \"6/6\""),
        (b"position startpos 2e2d", "position: expected moves after startpos, found \"2e2d\""),
        (b"position sfen", "position: expected an SFEN after sfen, found nothing"),
        (b"position sfen moves a", "position: expected an SFEN after sfen, found \"a\""),
        (b"perft", "perft: expected a depth from 1 to 100, found nothing"),
        (b"perft -1", "perft: expected a depth from 1 to 100, found \"-1\""),
        (b"perft +1", "perft: expected a depth from 1 to 100, found \"+1\""),
        (b"perft 0", "perft: expected a depth from 1 to 100, found \"0\""),
        (b"perft 101", "perft: expected a depth from 1 to 100, found \"101\""),
        (b"perft 3 threads", "perft: expected a number of threads from 1 to 512, found nothing"),
        (b"perft 3 threads 0", "perft: expected a number of threads from 1 to 512, found \"0\""),
        (b"perft 3 4", "perft: expected threads N or played, found \"4\""),
        (b"go perft", "perft: expected a depth from 1 to 100, found nothing"),
        (b"bench x", "bench: expected a depth from 1 to 100, found \"x\""),
        (b"bench 1 0", "bench: expected a number of threads from 1 to 512, found \"0\""),
        (b"bench 1 1 0", "bench: expected a size in MiB from 1 to 1048576, found \"0\""),
        (b"bench 1 1 1 1", "bench: expected at most three numbers, found \"1\""),
        (b"d\xff", "expected UTF-8, found another byte at offset 1 of the line"),
        (b"d\0", "expected text, found the control character \\u{0} at offset 1 of the line"),
        (
            b"is\x1bready",
            "expected text, found the control character \\u{1b} at offset 2 of the line",
        ),
    ];
    for (line, message) in table {
        assert_eq!(refused(line), *message);
    }
    let long = vec![b'x'; LONGEST_LINE];
    assert_eq!(
        refused(&long),
        format!("expected a command (help lists them), found \"{}...\"", "x".repeat(40))
    );
}

/// Random lines made of the protocol's own words: nothing panics, and a refusal is one short line.
#[test]
fn random_lines() {
    const WORDS: &[&str] = &[
        "go",
        "position",
        "setoption",
        "perft",
        "bench",
        "ponderhit",
        "name",
        "value",
        "sfen",
        "moves",
        "startpos",
        "depth",
        "nodes",
        "searchmoves",
        "mate",
        "infinite",
        "btime",
        "-1",
        "0",
        "7",
        "18446744073709551616",
        "2e2d",
        "D*3c",
        "+",
        "*",
        "/",
        "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB",
        "b",
        "-",
        "\t",
        "\u{e9}",
        "\u{0}",
        "",
        "<empty>",
        "threads",
        "played",
        "9999999999999999999999",
    ];
    // A multiplicative congruential generator (Lehmer), so that the lines are the same for ever.
    let mut state = 2_026_u64;
    let mut next = |below: usize| {
        state = state * 48_271 % 2_147_483_647;
        state as usize % below
    };
    let mut refusals = 0;
    for _ in 0..20_000 {
        let line: Vec<&str> = (0..1 + next(8)).map(|_| WORDS[next(WORDS.len())]).collect();
        if let Err(error) = parse(line.join(" ").as_bytes()) {
            let message = error.to_string();
            assert!(message.contains("expected") && message.contains("found"), "{message}");
            assert!(
                message.len() < 300 && !message.contains('\n') && message.is_ascii(),
                "{message}"
            );
            refusals += 1;
        }
    }
    assert!((5_000..19_000).contains(&refusals), "{refusals}");
}

/// What is echoed is ASCII; what is not is refused, not left without an answer.
#[test]
fn a_ping_of_xboard_is_echoed_or_refused() {
    use kujira_cecp::command::{Command, parse};
    for number in ["1", "", "a b", "18446744073709551616"] {
        let ping = parse(&format!("ping {number}"));
        assert_eq!(ping, Ok(Some(Command::Ping(number.to_owned()))));
    }
    for number in ["漢", "1\t2", "é"] {
        let error = parse(&format!("ping {number}")).unwrap_err().to_string();
        assert!(
            error.starts_with("expected printable ASCII, found \"") && error.is_ascii(),
            "{error}"
        );
    }
}
