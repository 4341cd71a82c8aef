//! Sessions in CECP, as XBoard holds them: the engine plays.

use std::time::Duration;

use kujira_cecp::notation::{move_of_usi, offered, usi_of_move};
use kujira_position::{Outcome, Position, Variant, VariantId, with_variant};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::support::fake;
use crate::support::gui::Gui;
use crate::support::xboard::XBoard;

#[test]
fn pongs_come_after_the_move_but_at_once_while_pondering() {
    let mut xboard = XBoard::new(VariantId::Whale);
    xboard.send("post\nst 0.3\nusermove e2e3\nping 77");
    let lines = xboard.gui.until("pong 77");
    let moved = lines.iter().position(|line| line.starts_with("move "));
    assert_eq!(moved, Some(lines.len() - 2), "{lines:?}");
    // Told to move at once, in the midst of a search, it does, and the pong still comes after the move.
    xboard.send("force\nst 600\ngo");
    let lines = xboard.gui.until("3 ");
    assert!(lines.iter().all(|line| !line.starts_with("move ")), "{lines:?}");
    xboard.send("?\nping 78");
    let lines = xboard.gui.until("pong 78");
    assert!(lines[lines.len() - 2].starts_with("move "), "{lines:?}");
    // So it is when all of that was there before the search before had ended; what is refused ends none.
    xboard.send("analyze\nexit\nst 600\ngo\nvariant nonsense\nsetboard nonsense\nexit\n?\nping 79");
    let lines = xboard.gui.until("pong 79");
    assert!(lines[lines.len() - 2].starts_with("move "), "{lines:?}");
    // It thinks on the opponent's time.
    xboard.send("force\nhard\nst 0.3\ngo");
    xboard.gui.until("Hint: ");
    let lines = xboard.ask("?\n.");
    assert!(lines.iter().any(|line| line.starts_with("stat01: ")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.starts_with("move ")), "{lines:?}");
    xboard.gui.quit();
}

/// The expected move makes a ponder search the engine's own, another one begins anew.
#[test]
fn pondering_ends_with_the_opponents_move() {
    for expected in [true, false] {
        let mut xboard = XBoard::new(VariantId::Whale);
        xboard.tell("post\nhard\nlevel 0 0:20 0");
        xboard.send("usermove e2e3");
        let mut position = Position::<kujira_position::Whale>::start();
        let spec = kujira_position::Whale::SPEC;
        let play = |position: &mut Position<_>, m: &str| {
            let m = position.parse_usi(&usi_of_move(spec, m).unwrap()).unwrap();
            position.make(m);
        };
        play(&mut position, "e2e3");
        play(&mut position, &xboard.its_move());
        let hint = xboard.gui.until("Hint: ").pop().unwrap();
        let hint = hint.strip_prefix("Hint: ").unwrap().to_owned();
        let others = position.legal_moves();
        let other =
            others.iter().map(|&m| move_of_usi(spec, &position.usi(m))).find(|m| *m != hint);
        let m = if expected { hint } else { other.unwrap() };
        // A move that is not legal is refused, and pondering goes on.
        xboard.send("usermove a1a6");
        xboard.gui.until("Illegal move: a1a6");
        xboard.send(&format!("time 1000\notim 1500\nusermove {m}"));
        play(&mut position, &m);
        play(&mut position, &xboard.its_move());
        assert_eq!(position.ply(), 5);
        xboard.gui.quit();
    }
}

#[test]
fn times_are_kept() {
    let mut xboard = XBoard::new(VariantId::Whale);
    // What comes last counts: what stands before it would let the engine think for longer than the test waits.
    for control in [
        "level 0 600 0\ntime 30\notim 3000",
        "level 40 600 0\ntime 150\notim 3000",
        "level 0 600 1\ntime 100\notim 100",
        "level 0 600 0\nlevel 0 0:01 0",
        "level 0 600 0\nlevel 40 0:02 0",
        "level 0 600 0\nst 0.2",
        "st 600\nlevel 0 0:01 0",
        "st 600\nst 0.2",
        "st 600\nsd 4",
        "level 0 600 0\ntime 0\notim 0",
        "level 0 600 0\ntime -100\notim 0",
    ] {
        xboard.tell(&format!("new\n{control}"));
        xboard.send("go");
        xboard.its_move();
    }
    xboard.gui.quit();
}

#[test]
fn the_end_of_a_game_is_told_with_its_reason() {
    let mut xboard = XBoard::new(VariantId::Whale);
    // By the engine's move.
    xboard.tell("setboard 5w/3K2/5W/6/6/6[-] w 0 1\nsd 4");
    xboard.send("go");
    assert_eq!(xboard.its_move(), "d5e5");
    assert_eq!(xboard.gui.line(), "1-0 {Black's whale is mated}");
    xboard.tell("result 1-0 {Black's whale is mated}");
    assert_eq!(
        xboard.ask_one("usermove f6f5"),
        "Illegal move (the game is over: Black wins: checkmate): f6f5"
    );
    assert_eq!(xboard.ask_one("go"), "1-0 {Black's whale is mated}");
    // By the opponent's: once more on the other side, and with no move left.
    for (fen, moves, line) in [
        ("6/6/6/w5/2k3/W5[-] b 0 1", "c2b2", "0-1 {White's whale is mated}"),
        ("5w/6/5B/4K1/6/W5[D] w 0 1", "D@c4", "1-0 {Black has no legal move}"),
        (
            "5w/6/6/6/6/W5[-] w 0 1",
            "a1a2 f6f5 a2a1 f5f6 a1a2 f6f5 a2a1 f5f6 a1a2 f6f5 a2a1 f5f6",
            "1/2-1/2 {fourfold repetition}",
        ),
        (
            "w5/6/6/6/6/k4W[-] w 0 1",
            "f1f2 a1a2 f2f1 a2a1 f1f2 a1a2 f2f1 a2a1 f1f2 a1a2 f2f1 a2a1",
            "1-0 {Black gave perpetual check}",
        ),
    ] {
        xboard.tell(&format!("new\nforce\nsetboard {fen}"));
        let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
        for m in before.split_ascii_whitespace() {
            xboard.tell(&format!("usermove {m}"));
        }
        xboard.tell("playother");
        assert_eq!(xboard.ask_one(&format!("usermove {last}")), line, "{fen}");
    }
    // A referee that only checks moves is told nothing.
    xboard.tell("new\nforce\nsetboard 5w/3K2/5W/6/6/6[-] w 0 1\nusermove d5e5");
    // The claim of an impasse is a rule that can be switched on.
    xboard.tell(
        "new\noption Rule_Impasse=points\nforce\nsetboard W5/6/6/6/5w/6[GGDDDDdddddddd] w 0 1",
    );
    assert_eq!(xboard.ask_one("go"), "1-0 {White wins the impasse by points}");
    xboard.gui.quit();
}

/// The engine against a player who plays anything: every move is legal, and the end is told as it is.
#[test]
fn games_against_anything() {
    for game in offered() {
        with_variant!(game, V => games_of::<V>());
    }
}

fn games_of<V: Variant>() {
    let mut xboard = XBoard::new(V::ID);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for number in 0..4 {
        xboard.tell("new\nsd 2");
        if number % 2 == 1 {
            xboard.send("go");
        }
        let mut position = Position::<V>::start();
        let mut engine_moves = number % 2 == 1;
        while position.outcome().is_none() && position.moves_made() < 300 {
            let usi = if engine_moves {
                usi_of_move(V::SPEC, &xboard.its_move()).unwrap()
            } else {
                let moves = position.legal_moves();
                let m = moves[random.random_range(0..moves.len())];
                let usi = position.usi(m);
                xboard.send(&format!("usermove {}", move_of_usi(V::SPEC, &usi)));
                usi
            };
            position.make(position.parse_usi(&usi).unwrap());
            engine_moves = !engine_moves;
        }
        let result = match position.outcome().expect("an end within 300 moves") {
            Outcome::Win { winner: kujira_position::Color::Black, .. } => "1-0 {",
            Outcome::Win { .. } => "0-1 {",
            Outcome::Draw(_) => "1/2-1/2 {",
        };
        let line = xboard.gui.line();
        assert!(line.starts_with(result), "{line}");
        xboard.tell(&format!("result {line}"));
    }
    xboard.gui.quit();
}

/// Commands in any order: the engine neither fails nor falls silent.
#[test]
fn random_sessions() {
    const COMMANDS: [&str; 40] = [
        "new",
        "force",
        "go",
        "go",
        "?",
        "undo",
        "remove",
        "hard",
        "easy",
        "analyze",
        "exit",
        "post",
        "nopost",
        "playother",
        "time 20",
        "otim 5",
        "level 0 0:01 0",
        "level 2 0:01 0",
        "st 0.01",
        "sd 1",
        "sd 30",
        "result *",
        "variant whale",
        "variant paulowich",
        "ping 1",
        "lift a1",
        ".",
        "option Rule_Impasse=points",
        "option Rule_Repetition=off",
        "option MultiPV=3",
        "memory 30",
        "cores 2",
        "cores 1",
        "setboard 5w/6/6/6/6/W5[KDd] b 0 9",
        "setboard nonsense",
        "setboard 6w/7/7/7/7/7/W6[] w 0 1",
        "usermove a1a2",
        "usermove e2e3",
        "usermove K@c3",
        "bk",
    ];
    const ANSWERS: [&str; 15] = [
        "pong ",
        "move ",
        "Illegal move",
        "Error (expected ",
        "tellusererror ",
        "highlight ",
        "stat01: ",
        "Hint: ",
        "1-0 {",
        "0-1 {",
        "1/2-1/2 {",
        "setup ",
        "piece ",
        " the book can be asked",
        " there is no move in the book",
    ];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..5 {
        let mut xboard = XBoard::new(VariantId::Whale);
        xboard.tell("level 0 0:02 0");
        for _ in 0..20 {
            let mut lines = String::new();
            for _ in 0..10 {
                lines.push_str(COMMANDS[random.random_range(0..COMMANDS.len())]);
                lines.push('\n');
            }
            xboard.send(&lines);
            std::thread::sleep(Duration::from_millis(3));
            xboard.send("?\nforce\nping 99");
            for line in xboard.gui.until("pong 99") {
                let thinking =
                    line.contains('\t') && line.starts_with(|c: char| c.is_ascii_digit());
                let known = ANSWERS.iter().any(|start| line.starts_with(start));
                assert!(known || thinking || line.is_empty(), "{line} after {lines}");
                assert!(!line.contains("internal"), "{line} after {lines}");
            }
        }
        xboard.gui.quit();
    }
}

#[test]
fn a_failing_engine_is_replaced_and_still_moves() {
    let mut xboard = XBoard::greeted(Gui::of_session(fake::factory().0), VariantId::Paulowich);
    xboard.tell("sd 13");
    xboard.send("usermove e2e3");
    assert_eq!(
        xboard.gui.line(),
        "Error (internal: thirteen is not; my number; the engine starts afresh): search"
    );
    assert!(xboard.gui.line().starts_with("move "));
    // One that gives up, for either side.
    for (start, line) in [("go", "0-1 {White resigns}"), ("usermove e2e3", "1-0 {Black resigns}")] {
        xboard.tell("new\nsd 14");
        assert_eq!(xboard.ask_one(start), line);
    }
    // What the engine expects need not be legal.
    xboard.tell("new\nhard\nsd 2");
    xboard.send("usermove e2e3");
    xboard.its_move();
    xboard.tell("easy");
    xboard.gui.quit();
}

#[test]
fn the_session_ends_with_its_input_whatever_the_engine_does() {
    for (command, event) in [
        ("ping 8", "pong 8"),
        ("analyze\n.", "stat01: "),
        ("st 600\ngo\n.", "stat01: "),
        ("hard\nsd 1\nusermove e2e3", "move "),
    ] {
        let mut xboard = XBoard::new(VariantId::Whale);
        xboard.send(command);
        xboard.gui.until(event);
        assert_eq!(xboard.gui.close(), [""; 0], "{command}");
    }
}
