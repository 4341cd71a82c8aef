//! What is larger than anything a game needs: `docs/reliability.md` has a row a test.

use kujira_position::{Color, Great, Kind, Position, Setup, Variant, Whale, sfen};
use support::gui::Gui;

mod support;

#[test]
fn a_table_larger_than_memory_is_refused_and_the_old_one_serves() {
    let mut gui = Gui::of_session(kujira_search::engine);
    assert_eq!(
        gui.ask("setoption name USI_Hash value 1048576"),
        [
            "info string error USI_Hash: expected memory for a table of 1048576 MiB, found less; keeping 64 MiB"
        ]
    );
    gui.best("go depth 2");
    gui.send("bench 1 1 1048576");
    assert!(gui.line().contains("expected memory for a table of 1048576 MiB, found less"));
}

#[test]
fn the_most_threads_search_and_count() {
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.send("setoption name USI_Hash value 1");
    assert_eq!(gui.ask("setoption name Threads value 512"), [""; 0]);
    assert_eq!(gui.best("go nodes 20000").len(), 4);
    assert!(gui.ask("perft 2").iter().any(|line| line.starts_with("total ")));
    // They end when they are told to.
    gui.send("go infinite");
    gui.until("info ");
    gui.send("stop");
    gui.until("bestmove ");
    assert_eq!(gui.ask("setoption name Threads value 1"), [""; 0]);
    gui.best("go depth 2");
}

#[test]
fn a_game_of_ten_thousand_plies_is_gone_on_with() {
    const PLIES: usize = 10_000;
    // Dolphins are gone: whales walk round a board in circles of different lengths, so that the fourth occurrence of a
    // position ends nothing where repetition does not count.
    let start = "5w/6/6/6/6/W5 b - 1";
    let (ours, theirs) = (["6f6e", "6e5e", "5e5f", "5f6f"], ["1a1b", "1b2b", "2b2a", "2a1a"]);
    let moves: Vec<&str> = (0..PLIES / 2).flat_map(|n| [ours[n % 4], theirs[n % 4]]).collect();
    let line = format!("position sfen {start} moves {}", moves.join(" "));
    let mut gui = Gui::of_session(kujira_search::engine);
    assert_eq!(gui.ask("setoption name Rule_Repetition value off"), [""; 0]);
    assert_eq!(gui.ask(&line), [""; 0]);
    assert_eq!(gui.sfen(), format!("{} b - 10001", start.split(' ').next().unwrap()));
    assert!(
        Position::<Whale>::from_sfen(&gui.sfen())
            .unwrap()
            .parse_usi(&gui.best("go depth 5"))
            .is_ok()
    );
    // Where it does, the game is over long before, and the line is refused whole.
    let mut gui = Gui::of_session(kujira_search::engine);
    let error = gui.ask_one(&line);
    assert!(error.starts_with("info string error position: "), "{error}");
    // XBoard plays one move after the other.
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.send("xboard\noption Rule_Repetition=off\nforce\nsetboard 5w/6/6/6/6/W5[-] w 0 1");
    let (ours, theirs) = (["a1a2", "a2b2", "b2b1", "b1a1"], ["f6f5", "f5e5", "e5e6", "e6f6"]);
    for n in 0..500 {
        gui.send(&format!("usermove {}\nusermove {}", ours[n % 4], theirs[n % 4]));
    }
    gui.send("remove\nsd 3\ngo\nping 1");
    let lines = gui.until("pong 1");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("move "), "{lines:?}");
}

#[test]
fn thousands_of_moves_in_a_position_are_listed_and_searched() {
    let mut setup: Setup<Great> = sfen::parse(Position::<Great>::start().sfen().as_str()).unwrap();
    // Everything but the whales goes to Black's hand.
    let geometry = Great::SPEC.geometry;
    for (x, y) in (0..11).flat_map(|x| (0..11).map(move |y| (x, y))) {
        let square = geometry.square(x, y).expect("on the board");
        if setup.get(square).is_some_and(|piece| piece.kind() != Kind::WHALE) {
            setup.set(square, None);
        }
    }
    for kind in 1..=Great::SPEC.hand_kinds {
        setup.set_in_hand(Color::Black, Kind::from_index(kind), 1);
    }
    let position = setup.validate().unwrap();
    let legal = position.legal_moves();
    assert!(legal.len() >= 2_900, "{}", legal.len());
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.ask("setoption name USI_Variant value great");
    assert_eq!(gui.ask(&format!("position sfen {}", position.sfen())), [""; 0]);
    assert_eq!(gui.moves().len(), legal.len());
    let best = gui.best("go depth 3");
    assert!(position.parse_usi(&best).is_ok(), "{best}");
    gui.ask("setoption name MultiPV value 256");
    gui.send("go depth 1");
    let lines = gui.until("bestmove ");
    let told = lines.iter().filter(|line| line.contains(" multipv ")).count();
    assert!(told > 0 && told % 256 == 0, "{told}");
    // Every move is named in a line of `searchmoves`.
    let all: Vec<String> = legal.iter().map(|&m| position.usi(m)).collect();
    gui.best(&format!("go depth 1 searchmoves {}", all.join(" ")));
}

#[test]
fn no_depth_is_too_deep() {
    let mut gui = Gui::of_session(kujira_search::engine);
    // Two whales alone: every iteration is short, and the deepest one ends the search.
    gui.ask("position sfen 5w/6/6/6/6/W5 b - 1");
    for depth in ["100", "101", "4294967296", "18446744073709551616"] {
        gui.send(&format!("go depth {depth} nodes 300000"));
        assert_eq!(gui.until("bestmove ").last().unwrap().len(), "bestmove 6f6e".len());
    }
    let error = gui.ask_one("setoption name DepthLimit value 101");
    assert!(error.contains("expected a number from 0 to 100"), "{error}");
    assert!(gui.ask_one("perft 101").contains("expected a depth from 1 to 100"));
}

/// Each time and each number of `go` beyond all bounds, below zero, and no number at all: one answer each.
#[test]
fn absurd_limits_of_a_search_are_answered() {
    const NUMBERS: &[&str] = &[
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775808",
        "4294967296",
        "-1",
        "-18446744073709551616",
        "0",
        "NaN",
        "inf",
        "1e9",
        "0x7f",
        "",
    ];
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.ask("setoption name USI_Hash value 1");
    for options in [
        &[][..],
        &["MinimumThinkingTime value 60000", "NetworkDelay value 10000", "SlowMover value 1000"],
        &["RoundUpToFullSecond value true", "NetworkDelay value 0"],
    ] {
        for option in options {
            gui.ask(&format!("setoption name {option}"));
        }
        for word in
            ["btime", "wtime", "binc", "winc", "byoyomi", "movetime", "depth", "nodes", "mate"]
        {
            for number in NUMBERS {
                let end = if word == "mate" { "checkmate " } else { "bestmove " };
                gui.send(&format!("go {word} {number}\nstop"));
                gui.until(end);
            }
        }
        let largest = NUMBERS[0];
        gui.send(&format!(
            "go ponder btime {largest} wtime {largest} binc {largest} winc {largest} byoyomi {largest}\n\
             ponderhit btime {largest} binc {largest} byoyomi {largest}\nstop"
        ));
        gui.until("bestmove ");
    }
    assert_eq!(gui.sync(), [""; 0]);
}
