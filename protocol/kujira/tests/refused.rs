//! What was refused is not searched: no old position, and no other game, in place of the one that was meant.

use support::fake;
use support::gui::Gui;

mod support;

fn session(hello: &str) -> Gui {
    let mut gui = Gui::of_session(fake::factory().0);
    gui.send(hello);
    gui.until(&format!("{hello}ok"));
    gui
}

/// Nothing is counted, judged or searched, and `go` says why and answers.
fn assert_refused(gui: &mut Gui, what: &str, why: &str, answers: [&str; 2]) {
    let told = |command: &str| {
        let found = format!("expected another {what}, as the last one was refused: {why}");
        format!("info string error {command}: {found}")
    };
    for command in ["eval", "perft 2", "go perft 2"] {
        let answer = gui.ask(command);
        let first = if command == "eval" { "eval" } else { "perft" };
        assert!(matches!(&answer[..], [line] if line.starts_with(&told(first))), "{answer:?}");
    }
    for (go, answer) in
        [("go depth 1", answers[0]), ("go mate 100", answers[1]), ("go searchmoves", answers[0])]
    {
        gui.send(go);
        if go == "go searchmoves" {
            gui.send("stop");
        }
        let lines = gui.until(answer);
        assert!(lines[lines.len() - 2].starts_with(&told("go")), "{go}: {lines:?}");
        assert!(!lines.iter().any(|line| line.contains(" score ")), "{lines:?}");
    }
    // As any search.
    for (go, end) in [
        ("go infinite", "stop"),
        ("go ponder depth 1", "ponderhit"),
        ("go ponder nodes 7", "ponderhit"),
    ] {
        gui.send(go);
        assert!(gui.line().starts_with(&told("go")));
        gui.send("isready");
        gui.until("readyok");
        gui.send(end);
        assert_eq!(gui.line(), answers[0]);
    }
}

fn error(lines: &[String]) -> String {
    let [line] = lines else { panic!("{lines:?}") };
    line.strip_prefix("info string error ").expect("an error").to_owned()
}

#[test]
fn a_refused_position_is_not_followed_by_a_search_of_the_old_one() {
    for (hello, good, answers, bad) in [
        (
            "usi",
            "position sfen w5/6/6/6/6/5W b D 1 moves D*3c",
            ["bestmove resign", "checkmate timeout"],
            &["position sfen x", "position startpos moves 2e2a", "position fen x"][..],
        ),
        (
            "uci",
            "position fen 5w/6/6/6/6/W5[D] w 0 1 moves D@c3",
            ["bestmove (none)", "bestmove (none)"],
            &["position fen x", "position startpos moves e2e6", "position sfen x"],
        ),
    ] {
        for &bad in bad.iter().chain(&["position", "position startpos move", "position \u{ff}"]) {
            let mut gui = session(hello);
            assert_eq!(gui.ask(good), [""; 0]);
            let (sfen, moves) = (gui.sfen(), gui.moves());
            let why = error(&gui.ask(bad));
            assert_refused(&mut gui, "position", &why, answers);
            assert_eq!((gui.sfen(), gui.moves()), (sfen, moves), "the last good one is shown");
            // Other things that are right make it no better.
            for line in [&format!("{hello}newgame"), "setoption name MultiPV value 1"] {
                assert_eq!(gui.ask(line), [""; 0]);
            }
            gui.send("go depth 1");
            assert_eq!(gui.until("bestmove").last().unwrap(), answers[0]);
            assert_eq!(gui.ask("position startpos"), [""; 0]);
            assert_ne!(gui.best("go depth 1"), answers[0]);
            assert_eq!(gui.quit(), [""; 0]);
        }
    }
}

#[test]
fn a_position_that_is_no_text_is_refused_as_well() {
    for bytes in [
        &b"position sfen \xff\n"[..],
        &[b"position startpos moves ".repeat(1 << 20), b"\n".to_vec()].concat(),
    ] {
        let mut gui = session("usi");
        gui.send_bytes(bytes);
        let why = error(&gui.sync());
        assert_refused(&mut gui, "position", &why, ["bestmove resign", "checkmate timeout"]);
    }
}

/// `startpos` is the start of a game: after one that was refused it is the start of none.
#[test]
fn a_refused_game_is_not_followed_by_a_search_of_the_old_one() {
    for (hello, bad, game, start) in [
        (
            "usi",
            &["setoption name USI_Variant value chess", "setoption USI_Variant value whale"][..],
            "setoption name USI_Variant value whale",
            "position sfen w5/6/6/6/6/5W b D 1",
        ),
        (
            "uci",
            &["setoption name UCI_Variant value great", "setoption name UCI_Variant"],
            "setoption name UCI_Variant value whaleshogi",
            "position fen 5w/6/6/6/6/W5[D] w 0 1",
        ),
    ] {
        let answers = match hello {
            "usi" => ["bestmove resign", "checkmate timeout"],
            _ => ["bestmove (none)"; 2],
        };
        for &bad in bad {
            for good in [game, start] {
                let mut gui = session(hello);
                let why = error(&gui.ask(bad));
                assert_refused(&mut gui, "game", &why, answers);
                for line in ["position startpos", "position startpos moves 2e2d", "bench 1"] {
                    let first = line.split(' ').next().unwrap();
                    assert!(error(&gui.ask(line)).starts_with(&format!("{first}: expected")));
                }
                assert_refused(&mut gui, "game", &why, answers);
                assert_eq!(gui.ask(good), [""; 0]);
                assert_eq!(gui.ask("position startpos"), [""; 0]);
                assert_ne!(gui.best("go depth 1"), answers[0]);
            }
        }
        // A rule or a size that cannot be is another matter: the game is the one that was meant.
        let mut gui = session(hello);
        error(&gui.ask("setoption name MultiPV value none"));
        if hello == "uci" {
            // Nobody chooses a game by the name that the option has in USI.
            error(&gui.ask("setoption name USI_Variant value whale"));
        }
        assert_ne!(gui.best("go depth 1"), answers[0]);
    }
}
