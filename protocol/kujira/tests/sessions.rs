//! Sessions in memory with an engine that does not think: the order of the protocol.

use std::time::Duration;

use kujira_trial::wait_until;
use support::fake;
use support::gui::Gui;

mod support;

fn session() -> Gui {
    Gui::of_session(fake::factory().0)
}

/// Long enough for a wrong answer to come.
const A_WHILE: Duration = Duration::from_millis(150);

#[test]
fn usi_introduces_the_engine_without_preparing_it() {
    let (factory, calls) = fake::factory();
    let mut gui = Gui::of_session(factory);
    gui.send("usi");
    let lines = gui.until("usiok");
    assert_eq!(lines[0], format!("id name Kujira {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(lines[1], "id author The Kujira developers");
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")));
    assert_eq!(lines.len() - 3, kujira::options::OPTIONS.len());
    assert!(!calls.lock().unwrap().iter().any(|c| c.starts_with("hash")));
    assert_eq!(gui.sync(), Vec::<String>::new());
    let calls = calls.lock().unwrap();
    assert_eq!(calls.last().map(String::as_str), Some("hash 64"));
}

#[test]
fn a_game_over_usi() {
    let mut gui = session();
    assert_eq!(gui.sync(), Vec::<String>::new());
    assert_eq!(gui.ask("usinewgame"), Vec::<String>::new());
    assert_eq!(gui.ask("position startpos moves 2e2d"), Vec::<String>::new());
    assert_eq!(gui.sfen(), "bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w - 2");
    assert_eq!(gui.ask_one("side"), "white");
    gui.send("go btime 1000 wtime 1000");
    assert_eq!(
        gui.until("bestmove"),
        [
            "info depth 1 seldepth 2 score cp 12 nodes 1500 nps 500000 time 3 hashfull 7 pv 1b1c",
            "bestmove 1b1c",
        ]
    );
    assert_eq!(gui.quit(), Vec::<String>::new());
}

/// Whoever reads lines by the shared vocabulary understands all of ours, and would write them alike.
#[test]
fn every_line_is_in_the_vocabulary() {
    let mut gui = session();
    let mut lines = Vec::new();
    gui.send("usi");
    lines.extend(gui.until("usiok"));
    for line in
        ["setoption name Threads value 0", "setoption name No value 1", "position sfen x", "hello"]
    {
        lines.extend(gui.ask(line));
    }
    lines.extend(gui.ask("position startpos"));
    for (go, end) in [("go depth 1", "bestmove"), ("go mate 100", "checkmate")] {
        gui.send(go);
        lines.extend(gui.until(end));
    }
    assert_eq!(lines.iter().filter(|line| line.contains(" error ")).count(), 4, "{lines:?}");
    for line in lines {
        let read = kujira_usi::Line::parse(&line, kujira_usi::Protocol::Usi);
        assert_eq!(read.to_string(), line);
        let odd = matches!(read, kujira_usi::Line::Other(_) | kujira_usi::Line::Formality(_));
        assert!(!odd, "{line}");
    }
}

#[test]
fn a_game_that_is_over_leaves_an_empty_table() {
    let (factory, calls) = fake::factory();
    let mut gui = Gui::of_session(factory);
    gui.send("go infinite");
    gui.send("gameover win");
    gui.until("bestmove");
    assert_eq!(gui.sync(), Vec::<String>::new());
    // Before `readyok`, so that the next game costs no time.
    assert_eq!(calls.lock().unwrap().last().map(String::as_str), Some("clear hash"));
}

#[test]
fn the_reply_is_named_when_the_gui_ponders() {
    let mut gui = session();
    gui.send("go depth 1");
    assert_eq!(gui.until("bestmove").pop().unwrap(), "bestmove 1e1d");
    gui.send("setoption name USI_Ponder value true");
    gui.send("go depth 1");
    assert_eq!(gui.until("bestmove").pop().unwrap(), "bestmove 1e1d ponder 1b1c");
}

#[test]
fn multipv_numbers_its_lines() {
    let mut gui = session();
    gui.send("setoption name MultiPV value 2");
    gui.send("go depth 1");
    let lines = gui.until("bestmove");
    assert!(lines[0].starts_with("info depth 1 seldepth 2 multipv 1 score cp 12 "), "{lines:?}");
}

#[test]
fn infinite_and_ponder_wait() {
    let mut gui = session();
    gui.send("go infinite");
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("stop");
    gui.until("bestmove");
    gui.send("go");
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("gameover win");
    gui.until("bestmove");
    gui.send("go ponder btime 0 wtime 0 byoyomi 1");
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("ponderhit");
    gui.until("bestmove");
    gui.send("go ponder btime 0 wtime 0 byoyomi 100000");
    gui.send("ponderhit btime 0 wtime 0 byoyomi 1");
    gui.until("bestmove");
    gui.send("go ponder byoyomi 100000");
    gui.send("stop");
    gui.until("bestmove");
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn a_stop_ends_the_search_read_before_it_and_no_other() {
    let mut gui = session();
    for _ in 0..200 {
        gui.send_bytes(b"go infinite\nstop\n");
        gui.until("bestmove");
    }
    // A stop without a search is forgotten.
    gui.send_bytes(b"stop\ngo infinite\n");
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("stop");
    gui.until("bestmove");
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn isready_during_a_search_is_answered_at_once_and_does_not_stop_it() {
    let mut gui = session();
    gui.send("go infinite");
    for _ in 0..3 {
        gui.send("isready");
        assert_eq!(gui.line(), "readyok");
    }
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("stop");
    assert!(gui.line().starts_with("info "));
    assert!(gui.line().starts_with("bestmove "));
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn searches_queue_and_one_that_waits_for_ever_is_ended_by_the_next() {
    let mut gui = session();
    gui.send_bytes(b"go depth 20\ngo depth 20\ngo infinite\ngo depth 1\n");
    for _ in 0..4 {
        gui.until("bestmove");
    }
    gui.send_bytes(b"go ponder\ngo depth 1\n");
    for _ in 0..2 {
        gui.until("bestmove");
    }
    assert_eq!(gui.sync(), Vec::<String>::new());
}

#[test]
fn lines_during_a_search_wait_for_its_end() {
    let mut gui = session();
    gui.send("go infinite");
    gui.send("position startpos moves 2e2d");
    gui.send("nonsense");
    gui.send("moves");
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("stop");
    let lines: Vec<String> = (0..5).map(|_| gui.line()).collect();
    assert_eq!(lines[1], "bestmove 1e1d");
    assert_eq!(
        lines[2],
        "info string error expected a command (help lists them), found \"nonsense\""
    );
    assert_eq!(lines[3..], ["info string 7 legal moves", "1b1c 2b2c 3b3c 4b4c 5a5c 5b5c 6b6c"]);
}

#[test]
fn ponderhit_without_pondering_is_an_error() {
    let mut gui = session();
    let error = "info string error ponderhit: expected a search begun by go ponder, found none";
    assert_eq!(gui.ask_one("ponderhit"), error);
    gui.send_bytes(b"go infinite\nponderhit\nstop\n");
    gui.until("bestmove");
    assert_eq!(gui.line(), error);
}

#[test]
fn the_end_of_the_input_and_quit_end_a_search_with_its_answer() {
    for end in [Gui::close, Gui::quit] {
        for go in ["go infinite", "go ponder", "go movetime 100000"] {
            let mut gui = session();
            gui.send(go);
            let lines = end(gui);
            assert_eq!(lines.last().map(String::as_str), Some("bestmove 1e1d"), "{go}: {lines:?}");
            assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
        }
        let mut gui = session();
        gui.send("d");
        assert!(end(gui).iter().any(|line| line.starts_with("sfen ")));
        assert_eq!(end(session()), Vec::<String>::new());
    }
}

#[test]
fn the_last_line_needs_no_line_feed() {
    let mut gui = session();
    gui.send_bytes(b"moves");
    assert_eq!(gui.close(), ["info string 7 legal moves", "1e1d 2e2d 2f2d 3e3d 4e4d 5e5d 6e6d"]);
}

#[test]
fn no_legal_move_resigns() {
    let mut gui = session();
    // Mate: the whale on 1a is smothered by its own pieces and attacked by a killer whale.
    gui.send("position sfen 5w/4K1/5K/6/6/W5 w - 1");
    gui.send("go infinite");
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("stop");
    assert_eq!(gui.line(), "bestmove resign");
}

#[test]
fn go_mate_is_answered_by_checkmate_and_nothing_else() {
    let mut gui = session();
    gui.send("go mate infinite");
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("stop");
    assert_eq!(gui.until("checkmate").last().map(String::as_str), Some("checkmate timeout"));
    gui.send_bytes(b"go mate 5\ngo mate depth 13\ngo mate \xff\ngo mate infinite \xff\n");
    for _ in 0..4 {
        assert_eq!(gui.until("checkmate").last().map(String::as_str), Some("checkmate timeout"));
    }
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn after_a_stop_there_is_time_to_get_ready() {
    let (factory, calls) = fake::factory();
    let mut gui = Gui::of_session(factory);
    gui.send("go infinite");
    gui.send_bytes(b"stop\nsetoption name USI_Hash value 100\nisready\n");
    let lines = gui.until("readyok");
    assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
    assert_eq!(calls.lock().unwrap().last().map(String::as_str), Some("hash 100"));
}

#[test]
fn isready_before_a_search_begins_is_answered_when_it_does() {
    let mut gui = session();
    gui.send_bytes(b"usi\nisready\ngo infinite\nisready\nisready\n");
    gui.until("usiok");
    for _ in 0..3 {
        assert_eq!(gui.line(), "readyok");
    }
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("stop");
    gui.until("bestmove");
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn a_faulty_ponderhit_is_reported_and_yet_a_hit() {
    let mut gui = session();
    for (hit, found) in [("ponderhit btime x", "\"x\""), ("ponderhit what btime", "nothing")] {
        // Without any times there is nothing else to end it by.
        for go in ["go ponder byoyomi 1", "go ponder"] {
            gui.send(go);
            gui.send(hit);
            gui.until("bestmove");
            let error = "info string error ponderhit: expected a number after btime, found ";
            assert_eq!(gui.line(), format!("{error}{found}"));
        }
    }
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn a_faulty_go_waits_as_any_other() {
    let mut gui = session();
    for go in [&b"go ponder byoyomi 1,000\n"[..], b"go ponder btime 5 \xff\n"] {
        gui.send_bytes(go);
        assert!(gui.line().starts_with("info string error "));
        assert_eq!(gui.line_within(A_WHILE), None);
        gui.send("ponderhit");
        gui.until("bestmove");
    }
    gui.send_bytes(b"go infinite \xff\n");
    assert!(gui.line().starts_with("info string error "));
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("stop");
    gui.until("bestmove");
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn a_search_whose_move_was_played_is_not_ended_by_the_next() {
    let (factory, calls) = fake::factory();
    let mut gui = Gui::of_session(factory);
    // One that would go on for ever is.
    for (go, end) in [
        ("go ponder btime 0 wtime 0 byoyomi 100", "time up"),
        ("go ponder", "stopped"),
        ("go ponder infinite", "stopped"),
    ] {
        gui.send_bytes(format!("{go}\nponderhit\ngo depth 1\n").as_bytes());
        gui.until("bestmove");
        gui.until("bestmove");
        let mut calls = std::mem::take(&mut *calls.lock().unwrap());
        calls.retain(|call| ["stopped", "time up"].contains(&&call[..]));
        assert_eq!(calls, [end, "time up"], "{go}");
    }
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn no_large_table_is_made_while_the_clock_may_run() {
    let (factory, calls) = fake::factory();
    let mut gui = Gui::of_session(factory);
    let made = || -> Vec<String> {
        let calls = std::mem::take(&mut *calls.lock().unwrap());
        calls.into_iter().filter(|call| call.starts_with("hash")).collect()
    };
    gui.send("setoption name USI_Hash value 700");
    gui.send_bytes(b"go ponder btime 0 wtime 0 byoyomi 1\nponderhit\n");
    gui.until("bestmove");
    assert_eq!(made(), ["hash 64"]);
    gui.sync();
    assert_eq!(made(), ["hash 700"]);
    // The table there is serves on, whatever else is set.
    gui.send("setoption name USI_Hash value 800");
    gui.send("setoption name Threads value 2");
    gui.best("go movetime 1");
    assert_eq!(made(), Vec::<String>::new());
    gui.sync();
    assert_eq!(made(), ["hash 800"]);
}

#[test]
fn searchmoves_that_are_not_legal_are_reported() {
    let mut gui = session();
    gui.send("go searchmoves 9a9b 3e3d depth 1");
    let lines = gui.until("bestmove");
    let error = "info string error go: expected legal moves after searchmoves, found \"9a9b\"";
    assert_eq!([&lines[0], &lines[lines.len() - 1]], [error, "bestmove 3e3d"]);
}

#[test]
fn a_faulty_go_gives_one_error_and_one_best_move() {
    let mut gui = session();
    gui.send("go depth x nodes");
    let lines = gui.until("bestmove");
    let errors: Vec<&String> = lines.iter().filter(|line| line.contains(" error ")).collect();
    assert_eq!(errors, ["info string error go: expected a number after depth, found \"x\""]);
    assert_eq!(gui.sync(), Vec::<String>::new());
}

#[test]
fn searchmoves_reach_the_engine() {
    let mut gui = session();
    assert_eq!(gui.best("go searchmoves 3e3d depth 1"), "3e3d");
}

#[test]
fn a_failing_engine_is_replaced_and_the_answer_still_given() {
    let (factory, calls) = fake::factory();
    let mut gui = Gui::of_session(factory);
    gui.send("setoption name USI_Variant value paulowich");
    gui.send("setoption name Threads value 3");
    gui.send("position startpos moves 2f2e");
    let sfen = gui.sfen();
    calls.lock().unwrap().clear();
    gui.send("go depth 13");
    let lines = gui.until("bestmove");
    assert_eq!(
        lines,
        [
            "info string error internal: thirteen is not; my number; the engine starts afresh",
            "bestmove 1b1c",
        ]
    );
    let made = calls.lock().unwrap().clone();
    assert!(made.contains(&"made for paulowich".to_owned()), "{made:?}");
    assert!(made.contains(&"threads 3".to_owned()), "{made:?}");
    assert_eq!(gui.sfen(), sfen);
    // In an infinite search the answer still waits for a stop.
    gui.send("go infinite depth 13");
    assert!(gui.line().starts_with("info string error internal"));
    assert_eq!(gui.line_within(A_WHILE), None);
    gui.send("stop");
    assert_eq!(gui.line(), "bestmove 1b1c");
    assert_eq!(gui.sync(), Vec::<String>::new());
}

#[test]
fn a_table_without_memory_is_reported_once() {
    let mut gui = session();
    let set = format!("setoption name USI_Hash value {}", fake::NO_MEMORY + 1);
    assert_eq!(
        gui.ask(&set),
        [
            "info string error USI_Hash: expected memory for a table of 1001 MiB, found less; keeping 64 MiB"
        ]
    );
    assert_eq!(gui.sync(), Vec::<String>::new());
    gui.send(&set);
    gui.send("go depth 1");
    let lines = gui.until("bestmove");
    assert!(lines[0].starts_with("info string error USI_Hash: "), "{lines:?}");
    gui.send("go depth 1");
    assert!(gui.until("bestmove")[0].starts_with("info depth"));
}

#[test]
fn positions_of_another_board_name_the_option() {
    let mut gui = session();
    let great = "br,dp,hp,b,f,w,m,se,rt,bd,bw/2,h,2,nb,2,s,2/brc,dpc,nb,bc,fc,k,mc,sec,p,bdc,bwc/\
        2,nbc,2,kc,2,pc,2/11/11/11/2,PC,2,KC,2,NBC,2/BWC,BDC,P,SEC,MC,K,FC,BC,NB,DPC,BRC/\
        2,S,2,NB,2,H,2/BW,BD,RT,SE,M,W,F,B,HP,DP,BR b - 1";
    let error = gui.ask_one(&format!("position sfen {great}"));
    assert!(error.starts_with("info string error position: sfen: expected 6 ranks"), "{error}");
    assert!(
        error.ends_with("(USI_Variant is whale; for this board set USI_Variant great)"),
        "{error}"
    );
    let paulowich = "bnpwagh/ddddddd/7/7/7/DDDDDDD/HGAWPNB b - 1";
    let error = gui.ask_one(&format!("position sfen {paulowich}"));
    assert!(error.ends_with("for this board set USI_Variant paulowich)"), "{error}");
    gui.send("setoption name USI_Variant value paulowich");
    assert_eq!(gui.ask(&format!("position sfen {paulowich}")), Vec::<String>::new());
    gui.send("setoption name USI_Variant value great");
    let error = gui.ask_one("position sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1");
    assert!(
        error.ends_with("(USI_Variant is great; for this board set USI_Variant whale)"),
        "{error}"
    );
    assert_eq!(gui.ask(&format!("position sfen {great}")), Vec::<String>::new());
    assert_eq!(gui.sfen(), great);
    // Ranks that are empty are none.
    let error = gui.ask_one("position sfen ////// b - 1");
    assert!(!error.contains("for this board set"), "{error}");
    // The right board with something else wrong names no option.
    let error = gui.ask_one(&format!("position sfen {}", great.replace("brc,", "xyz,")));
    assert!(!error.contains("USI_Variant"), "{error}");
    assert!(error.contains("found \"xyz\""), "{error}");
}

#[test]
fn perft_bench_flip_and_help() {
    let (factory, calls) = fake::factory();
    let mut gui = Gui::of_session(factory);
    let lines = gui.ask("perft 2");
    assert_eq!(lines.len(), 7 + 3);
    assert!(lines[..7].is_sorted(), "{lines:?}");
    assert_eq!(lines[0], "1e1d 7");
    assert_eq!(lines[7..], ["total 49", "time 0.020 s", "speed 2450 leaves/s"]);
    assert_eq!(gui.ask("go perft 3 threads 4").last().unwrap(), "speed 19900 leaves/s");
    assert_eq!(calls.lock().unwrap().iter().filter(|c| c.starts_with("perft on")).count(), 2);
    assert!(calls.lock().unwrap().contains(&"perft on 4".to_owned()));
    assert_eq!(gui.ask_one("bench"), "bench whale nodes 5000 time 10 nps 500000 signature 5000");
    assert_eq!(gui.ask_one("bench 5 2 32"), "bench whale nodes 5000 time 10 nps 500000");
    let calls = calls.lock().unwrap().clone();
    assert!(calls.contains(&"bench Signature 1 16".to_owned()), "{calls:?}");
    assert!(calls.contains(&"bench Depth(5) 2 32".to_owned()), "{calls:?}");
    let start = gui.sfen();
    gui.send("flip");
    assert_eq!(gui.sfen(), start.replace(" b ", " w "));
    gui.send("flip");
    assert_eq!(gui.sfen(), start);
    let help = gui.ask("help");
    assert_eq!(help.len(), kujira::usi::command::VERBS.len());
    assert!(help.contains(&"moves: the legal moves, as one line".to_owned()), "{help:?}");
    let compiler = gui.ask("compiler");
    assert!(compiler[1].starts_with("compiler rustc 1."), "{compiler:?}");
}

#[test]
fn a_perft_asked_for_before_the_end_of_the_input_is_finished() {
    let mut gui = session();
    gui.send("perft 3");
    assert!(gui.close().contains(&"total 398".to_owned()));
}

#[test]
fn setting_an_option_prints_nothing_and_a_bad_value_one_error() {
    let mut gui = session();
    assert_eq!(gui.ask("setoption name threads value 2"), Vec::<String>::new());
    assert_eq!(
        gui.ask_one("setoption name Threads value 0"),
        "info string error setoption Threads: expected a number from 1 to 512, found \"0\"; \
         the old value stays"
    );
    assert_eq!(gui.ask("setoption name Clear_Hash"), Vec::<String>::new());
    // Dialogs of GUIs send what stands in them, also nothing.
    assert_eq!(gui.ask("setoption name DebugLogFile value"), Vec::<String>::new());
    assert_eq!(gui.ask("setoption name DebugLogFile value "), Vec::<String>::new());
    let error = gui.ask_one("setoption name DebugLogFile value no/such/folder/log.txt");
    assert!(
        error.starts_with(
            "info string error DebugLogFile: expected a file to append to, found no/such/folder/log.txt: "
        ),
        "{error}"
    );
}

#[test]
fn a_session_ends_when_nobody_reads_its_output() {
    let (input, mut gui) = std::io::pipe().unwrap();
    let (output, session_output) = std::io::pipe().unwrap();
    drop(output);
    let factory = fake::factory().0;
    let session = std::thread::spawn(move || kujira::run(input, session_output, factory));
    std::io::Write::write_all(&mut gui, b"usi\n").unwrap();
    wait_until("the session ends", || session.is_finished());
    session.join().unwrap();
}
