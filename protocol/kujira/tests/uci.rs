//! Sessions in UCI: the words, the spelling, and what Fairy-Stockfish allows and we do not.

use std::time::{Duration, Instant};

use kujira_usi::{Line, Protocol};
use support::fake;
use support::gui::Gui;

mod support;

/// Long enough for a wrong answer to come.
const A_WHILE: Duration = Duration::from_millis(150);

/// A session with an engine that does not think, behind the handshake.
fn session() -> Gui {
    greeted(Gui::of_session(fake::factory().0))
}

/// A session with the real engine, behind the handshake.
fn thinking() -> Gui {
    greeted(Gui::of_session(kujira_search::engine))
}

fn greeted(mut gui: Gui) -> Gui {
    gui.send("uci");
    gui.until("uciok");
    gui
}

/// The lines that `go` gives, with its answer.
fn searched(gui: &mut Gui, go: &str) -> (Vec<String>, String) {
    gui.send(go);
    let mut lines = gui.until("bestmove ");
    let answer = lines.pop().expect("an answer");
    (lines, answer)
}

fn fen(gui: &mut Gui) -> String {
    let shown = gui.ask("d");
    shown.iter().find_map(|line| line.strip_prefix("fen ")).expect("d shows the FEN").to_owned()
}

/// As python-chess does it, whose options of the same names are left to it.
#[test]
fn the_handshake_of_clients() {
    let (factory, calls) = fake::factory();
    let mut gui = Gui::of_session(factory);
    gui.send("uci");
    let lines = gui.until("uciok");
    assert!(lines[0].starts_with("id name Kujira ") && lines[1].starts_with("id author "));
    let options = &lines[2..lines.len() - 1];
    assert!(options.iter().all(|line| line.starts_with("option name ")), "{options:?}");
    let games =
        "option name UCI_Variant type combo default whaleshogi var whaleshogi var paulowichwhale";
    assert!(options.contains(&games.to_owned()));
    assert!(!calls.lock().unwrap().iter().any(|call| call.starts_with("hash")));
    for line in [
        "debug off",
        "register later",
        "setoption name UCI_AnalyseMode value true",
        "setoption name UCI_Chess960 value false",
        "setoption name VariantPath value /home/me/variants.ini",
        "setoption name UCI_Variant value paulowichwhale",
        "setoption name Move Overhead value 100",
        "setoption name Clear Hash",
        "ucinewgame",
        "position startpos",
    ] {
        assert_eq!(gui.ask(line), [""; 0], "{line}");
    }
    assert_eq!(fen(&mut gui), "bn+kwagh/ddddddd/7/7/7/DDDDDDD/HGAW+KNB[-] w 0 1");
    for late in ["usi", "xboard"] {
        let error =
            format!("expected {late} as the first word of a session, found it behind others");
        assert_eq!(gui.ask_one(late), format!("info string error {error}"));
    }
    assert_eq!(gui.quit(), [""; 0]);
}

#[test]
fn a_game_over_uci() {
    let mut gui = session();
    assert_eq!(gui.ask("position startpos moves e2e3"), [""; 0]);
    assert_eq!(gui.ask("d")[0], "Whale Shogi (UCI_Variant whaleshogi)",);
    assert_eq!(fen(&mut gui), "bn+kwgh/dddddd/6/4D1/DDDD1D/HGW+KNB[-] b 0 1");
    let (lines, answer) = searched(&mut gui, "go wtime 1000 btime 1000");
    assert_eq!(
        (&lines[..], answer.as_str()),
        (
            &["info depth 1 seldepth 2 score cp 12 nodes 1500 nps 500000 time 3 hashfull 7 pv f5f4"
                .to_owned()][..],
            "bestmove f5f4"
        )
    );
    assert_eq!(gui.moves(), ["a5a4", "b5b4", "b6b4", "c5c4", "d5d4", "e5e4", "f5f4"]);
    assert_eq!(gui.ask_one("side"), "black");
    let perft = gui.ask("perft 1");
    assert_eq!(&perft[..2], ["a5a4 1", "b5b4 1"]);
    let help = gui.ask("help");
    assert_eq!(help[0], "uci: name, options, uciok");
    for line in help.iter().chain(&lines) {
        let read = Line::parse(line, Protocol::Uci);
        assert_eq!(read.display(Protocol::Uci).to_string(), *line);
    }
    // What was wrong changes nothing.
    for (line, error) in [
        (
            "position startpos moves e2e4",
            "position: move 1: expected a legal move, found \"e2e4\" in ",
        ),
        ("position fen x", "position: fen: expected one of the pieces "),
        (
            "position fen 6w/7/7/7/7/7/W6[] w 0 1",
            "position: fen: expected 6 ranks separated by / (Whale Shogi), found 7 in \
             \"6w/7/7/7/7/7/W6\" (UCI_Variant is whaleshogi; for this board set UCI_Variant paulowichwhale)",
        ),
        (
            "position fen w,l,10/12/12/12/12/12/12/12/12/12/12 w - 1",
            "position: fen: expected one of the pieces W K H G N B D +K, found \",\" (UCI_Variant is \
             whaleshogi; Great Whale Shogi is played in USI alone)",
        ),
        (
            "setoption name UCI_Variant value great",
            "setoption UCI_Variant: expected one of whaleshogi, paulowichwhale, found \"great\"; the old",
        ),
        (
            "position fen 5w/6/6/6/6/W5[] w 0 1 a1a2",
            "position: fen: expected nothing behind the number of the move, found \"a1a2\"",
        ),
        ("position fen moves e2e3", "position: expected a FEN after fen, found \"e2e3\""),
        ("position sfen 5w/6/6/6/6/W5 b - 1", "position: expected startpos or fen, found \"sfen\""),
        ("setoption name Hash value many", "setoption Hash: expected a number from 1 to "),
        (
            "setoption name Clear Hash value 1",
            "setoption Clear Hash: expected no value, found \"1\"",
        ),
        ("setoption name Skill Level value 1", "setoption: expected one of UCI_Variant, "),
        ("gameover win", "expected a command "),
    ] {
        let told = gui.ask_one(line);
        assert!(told.starts_with(&format!("info string error {error}")), "{told}");
    }
    assert_eq!(fen(&mut gui), "bn+kwgh/dddddd/6/4D1/DDDD1D/HGW+KNB[-] b 0 1");
    assert_eq!(gui.close(), [""; 0]);
}

#[test]
fn every_go_is_answered_once_as_in_usi() {
    let mut gui = session();
    for (go, end) in [("go infinite", "stop"), ("go", "stop"), ("go ponder", "stop")] {
        gui.send(go);
        assert_eq!(gui.line_within(A_WHILE), None, "{go}");
        gui.send("isready");
        assert_eq!(gui.line(), "readyok");
        gui.send(end);
        gui.until("bestmove");
    }
    gui.send("go ponder wtime 100 btime 100");
    gui.send("ponderhit");
    gui.until("bestmove");
    for go in ["go depth x", "go mate x", "go mate 0", "go searchmoves a1a9 depth 1"] {
        let (lines, answer) = searched(&mut gui, go);
        assert!(lines[0].starts_with("info string error go: expected "), "{lines:?}");
        assert_eq!(answer, "bestmove f2f3");
    }
    assert_eq!(searched(&mut gui, "go searchmoves d2d3 depth 1").1, "bestmove d2d3");
    assert!(searched(&mut gui, "go depth 13").0[0].starts_with("info string error internal"));
    gui.send("go infinite");
    let lines = gui.quit();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{lines:?}");
}

#[test]
fn where_nothing_can_be_played_there_is_no_move() {
    let mut gui = thinking();
    gui.send("position fen 5w/4K1/5K/6/6/W5[] b - - 0 1");
    let (lines, answer) = searched(&mut gui, "go depth 3");
    assert_eq!(answer, "bestmove (none)");
    assert!(lines[0].contains(" score mate 0 "), "{lines:?}");
}

#[test]
fn mates_are_told_in_moves_and_end_a_search_for_one() {
    let mut gui = thinking();
    gui.send("position fen 5w/3K2/5W/6/6/6[] w - - 0 1");
    let (lines, answer) = searched(&mut gui, "go mate 1");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
    assert_eq!(answer, "bestmove d5e5");
    // "infinite" is until somebody stops it.
    gui.send("go mate 1 infinite");
    gui.until("info depth 2 ");
    gui.send("isready");
    assert!(!gui.until("readyok").iter().any(|line| line.starts_with("bestmove")));
    gui.send("stop");
    assert_eq!(gui.until("bestmove").last().unwrap(), "bestmove d5e5");
}

/// Another search ends one that waits for ever, not one that ends by itself.
#[test]
fn the_greatest_depth_is_a_limit_as_others_are() {
    let (factory, _) = fake::factory();
    let mut gui = greeted(Gui::of_session(factory));
    for depth in [99, 100, 101] {
        let begin = Instant::now();
        gui.send(&format!("go depth {depth}"));
        gui.send("go depth 1");
        gui.until("bestmove");
        gui.until("bestmove");
        assert!(begin.elapsed() >= Duration::from_millis(99), "{depth}");
    }
    let mut gui = thinking();
    gui.send("position fen 5w/3K2/5W/6/6/6[] w - - 0 1");
    let (lines, _) = searched(&mut gui, "go depth 100");
    assert!(lines.iter().any(|line| line.starts_with("info depth 100 ")), "{:?}", lines.last());
}

#[test]
fn thousands_of_moves_to_choose_among_are_read() {
    let mut gui = thinking();
    let choice = ["e2e3", "a1a9", "d2d3", "D@c3"].join(" ");
    let (lines, answer) =
        searched(&mut gui, &format!("go depth 1 searchmoves {}", [&choice[..]; 2500].join(" ")));
    assert!(lines[0].ends_with("expected legal moves after searchmoves, found \"a1a9\""));
    assert!(["bestmove e2e3", "bestmove d2d3"].contains(&answer.as_str()), "{answer}");
}

#[test]
fn chances_are_told_where_they_are_wanted() {
    let mut gui = thinking();
    gui.send("setoption name Ponder value true");
    let (lines, answer) = searched(&mut gui, "go depth 4");
    assert!(lines.iter().all(|line| !line.contains(" wdl ")), "{lines:?}");
    assert!(answer.contains(" ponder "), "{answer}");
    gui.send("setoption name UCI_ShowWDL value true");
    let (lines, _) = searched(&mut gui, "go depth 4");
    let told = |line: &String| match Line::parse(line, Protocol::Uci) {
        Line::Info(info) => {
            info.score().is_none() || info.wdl.is_some_and(|[w, d, l]| w + d + l == 1000)
        }
        _ => false,
    };
    assert!(lines.iter().all(told), "{lines:?}");
}

/// The clock is that of the side to move, and what there is for the last move is not kept for others.
#[test]
fn moves_to_go_share_the_time() {
    let (factory, calls) = fake::factory();
    let mut gui = greeted(Gui::of_session(factory));
    gui.send("position startpos moves e2e3");
    searched(&mut gui, "go wtime 100000000 btime 30 movestogo 1");
    assert!(calls.lock().unwrap().contains(&"time up".to_owned()));
}

#[test]
fn a_dolphins_suffixes_are_written_and_need_not_be_read() {
    let mut gui = thinking();
    for suffix in ["-", ""] {
        gui.send(&format!(
            "position fen +D4w/6/2D3/6/6/W5[GD] w - - 0 1 moves a6b5{suffix} f6f5 b5b6 f5f4"
        ));
        assert_eq!(fen(&mut gui), "1+D4/6/2D2w/6/6/W5[GD] w 0 3");
        assert_eq!(searched(&mut gui, "go depth 2 searchmoves b6a5").1, "bestmove b6a5-");
    }
    gui.send("position fen 5w/2D3/6/6/6/W5[-] w - - 0 1");
    let (lines, answer) = searched(&mut gui, "go depth 3 searchmoves c5c6");
    assert_eq!(answer, "bestmove c5c6+");
    let pv =
        |line: &String| line.split(' ').skip_while(|&word| word != "pv").nth(1) == Some("c5c6+");
    assert!(lines.iter().all(pv), "{lines:?}");
}

#[test]
fn a_mate_is_not_looked_for_where_the_game_is_over_nor_by_a_weak_player() {
    let mut gui = thinking();
    gui.send("position fen 5w/3K1D/5W/6/6/6[] b 0 1");
    assert_eq!(searched(&mut gui, "go mate 2").1, "bestmove (none)");
    gui.send("setoption name Level value 1\nposition fen 5w/6/6/6/6/W5[KKGG] w 0 1");
    for _ in 0..5 {
        let (lines, _) = searched(&mut gui, "go mate 1");
        assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
    }
    // Another search ends one that finds no mate.
    gui.send("position startpos");
    gui.send("go mate 1");
    gui.send("go depth 1");
    gui.until("bestmove ");
    gui.until("bestmove ");
}

#[test]
fn what_is_legal_elsewhere_is_taken_and_said_once() {
    let mut gui = thinking();
    let game = "position fen +D4w/6/6/D5/6/5W[DG] w 0 1 moves D@a5";
    let note = "info string move 1, D@a5: by our rules no dolphin may be dropped onto a file with 2 of its \
                side; it is taken all the same";
    assert_eq!(gui.ask_one(game), note);
    let reply = searched(&mut gui, "go depth 2").1;
    let reply = reply.strip_prefix("bestmove ").unwrap();
    assert_eq!(gui.ask(&format!("{game} {reply}")), [""; 0]);
    assert_eq!(gui.ask("ucinewgame"), [""; 0]);
    assert_eq!(gui.ask_one(game), note);
    // A mating drop ends the game.
    let note = gui.ask_one("position fen 5w/3K2/5W/6/6/6[D] w 0 1 moves D@f5");
    assert!(note.contains("no dolphin may be dropped to mate"), "{note}");
    assert_eq!(searched(&mut gui, "go depth 2").1, "bestmove (none)");
}

#[test]
fn a_game_goes_on_behind_a_repetition() {
    let mut gui = thinking();
    let moves = ["a1b1 f6e6 b1a1 e6f6"; 3].join(" ");
    let note = gui.ask_one(&format!("position fen 5w/6/6/6/6/W5[K] w 0 1 moves {moves}"));
    let expected = "info string move 12: by our rules the game is over (draw: fourfold repetition); it goes on";
    assert_eq!(note, expected);
    assert_ne!(searched(&mut gui, "go depth 2").1, "bestmove (none)");
    // That is said once a game, however long it goes on.
    let moves = ["a1b1 f6e6 b1a1 e6f6"; 300].join(" ");
    for end in ["", " a1b1", " a1b1 f6e6"] {
        let game = format!("position fen 5w/6/6/6/6/W5[K] w 0 1 moves {moves}{end}");
        assert_eq!(gui.ask(&game), [""; 0]);
    }
}

/// All that parries the check is a drop onto a file with two dolphins, one of them on the farthest rank.
#[test]
fn where_fairy_stockfish_alone_has_a_move_it_is_played() {
    let mut gui = thinking();
    gui.send("position fen w4+D/4kk/6/6/5W/5D[D] w 0 1");
    let (lines, answer) = searched(&mut gui, "go depth 3");
    assert!(["bestmove D@f3", "bestmove D@f4"].contains(&answer.as_str()), "{answer}");
    assert!(
        lines.last().is_some_and(|line| line.contains("legal to Fairy-Stockfish alone")),
        "{lines:?}"
    );
}

/// Fairy-Stockfish takes a mate by a dolphin's retreat for a mating drop.
#[test]
fn a_retreat_that_mates_is_left_out() {
    let mut gui = thinking();
    gui.send("position fen w+D4/6/1K4/6/6/5W[] w 0 1");
    let (lines, answer) = searched(&mut gui, "go depth 3");
    let note = "info string b6a5- mates by a retreat, which Fairy-Stockfish takes for a mating drop: left out";
    assert_eq!(lines[0], note);
    assert_ne!(answer, "bestmove b6a5-");
    // It is played where it is the only one asked for.
    assert_eq!(searched(&mut gui, "go depth 3 searchmoves b6a5-").1, "bestmove b6a5-");
}
