//! Sessions in CECP, as XBoard holds them: what is asked and answered.

use kujira::options::OPTIONS;
use kujira_cecp::command::VERBS;
use kujira_cecp::notation::usi_of_move;
use kujira_position::{Position, Variant, VariantId};

use crate::support::gui::Gui;
use crate::support::xboard::XBoard;

#[test]
fn features_come_with_every_option_that_has_no_command() {
    let mut gui = Gui::of_process();
    gui.send("xboard\nprotover 2");
    let lines = gui.until("feature done=1");
    assert!(lines.iter().all(|line| line.starts_with("feature ")), "{lines:?}");
    assert!(lines[0].contains(" ping=1 ") || lines[0].starts_with("feature ping=1 "));
    for part in ["setboard=1", "usermove=1", "colors=0", "memory=1", "smp=1", "highlight=1"] {
        assert!(lines[0].contains(part), "{part}");
    }
    assert_eq!(lines[1], "feature variants=\"whale,paulowich\"");
    assert_eq!(lines[2], format!("feature myname=\"Kujira {}\"", env!("CARGO_PKG_VERSION")));
    let options = OPTIONS.iter().filter(|option| option.cecp.is_none()).count();
    assert_eq!(lines.iter().filter(|line| line.starts_with("feature option=")).count(), options);
    for line in [
        "feature option=\"MultiPV -spin 1 1 256\"",
        "feature option=\"Rule_DolphinRetreat -combo *slide /// two\"",
        "feature option=\"Clear_Hash -button\"",
        "feature option=\"EvalFile -file \"",
    ] {
        assert!(lines.iter().any(|l| l == line), "{line}: {lines:?}");
    }
    gui.send("accepted ping\nrejected highlight");
    assert_eq!(gui.quit(), Vec::<String>::new());
}

#[test]
fn games_are_defined_and_others_refused() {
    let mut xboard = XBoard::new(VariantId::Whale);
    let lines = xboard.ask("variant paulowich");
    assert_eq!(
        lines[0],
        "setup (.KHGNBDA..W.^K...........khgnbda..w.^k..........) 7x7+7_fairy \
         bn+kwagh/ddddddd/7/7/7/DDDDDDD/HGAW+KNB[-] w 0 1"
    );
    assert_eq!(
        lines[1..],
        [
            "piece W& K",
            "piece K& FR",
            "piece H& FbW",
            "piece G& fRbB",
            "piece N& fDsbW",
            "piece B& fFfbW",
            "piece D& fWbB",
            "piece A& fWbF",
            "piece +K& sW",
        ]
    );
    for name in ["great", "normal", ""] {
        let refused = xboard.ask_one(&format!("variant {name}"));
        assert!(
            refused.starts_with("Error (expected one of whale, paulowich): variant"),
            "{refused}"
        );
    }
    // What comes next is meant for another game.
    assert_eq!(
        xboard.ask_one("usermove g2g3"),
        "Illegal move (the game or the position was refused): g2g3"
    );
    assert_eq!(xboard.ask_one("go"), "Error (expected another game or position first): go");
    xboard.tell("new\nforce\nusermove g2g3");
    xboard.gui.quit();
}

#[test]
fn moves_that_are_not_legal_are_refused_and_change_nothing() {
    let mut xboard = XBoard::new(VariantId::Whale);
    xboard.tell("force");
    for (m, answer) in [
        ("e2e4", "Illegal move: e2e4"),
        ("e5e4", "Illegal move: e5e4"),
        ("D@e3", "Illegal move: D@e3"),
        ("d1d2", "Illegal move: d1d2"),
        ("e2e3q", "Illegal move (expected a move such as e2e3 or D@c4): e2e3q"),
        ("@@@@", "Illegal move (expected a move such as e2e3 or D@c4): @@@@"),
        ("g2g3", "Illegal move (expected a move such as e2e3 or D@c4): g2g3"),
        ("", "Illegal move (expected a move such as e2e3 or D@c4): "),
    ] {
        assert_eq!(xboard.ask_one(&format!("usermove {m}")).trim_end(), answer.trim_end());
    }
    // A move may also come alone.
    xboard.tell("e2e3\nd5d4\ne3e4\nusermove e5e4");
    assert_eq!(xboard.ask_one("D@e6"), "Illegal move: D@e6");
    xboard.tell("a2a3\nd@e5");
    xboard.gui.quit();
}

#[test]
fn lines_that_are_no_commands_give_one_error_each() {
    let mut xboard = XBoard::new(VariantId::Whale);
    for (line, answer) in [
        ("nonsense", "Error (unknown command): nonsense"),
        ("edit", "Error (unknown command): edit"),
        ("e2e3 e5e4", "Error (unknown command): e2e3 e5e4"),
        ("sd 0", "Error (expected a number of plies from 1 to 1000, found \"0\"): sd 0"),
        ("st -1", "Error (expected a number of seconds, found \"-1\"): st -1"),
        ("st 1e9", "Error (expected a number of seconds, found \"1e9\"): st 1e9"),
        ("time x", "Error (expected a number of centiseconds, found \"x\"): time x"),
        ("otim", "Error (expected a number of centiseconds, found nothing): otim"),
        ("level 40 5", "Error (expected MOVES MIN[:SEC] SECONDS, found \"40 5\"): level 40 5"),
        (
            "level 40 x 0",
            "Error (expected minutes, or minutes:seconds from 0 to 1000000, found nothing): level 40 x 0",
        ),
        ("memory 0", "Error (expected a size in MiB from 1 to 1048576, found \"0\"): memory 0"),
        (
            "cores many",
            "Error (expected a number of threads from 1 to 512, found \"many\"): cores many",
        ),
        ("option =3", "Error (expected NAME or NAME=VALUE, found \"=3\"): option =3"),
        ("undo", "Error (expected a move to take back): undo"),
        ("remove", "Error (expected a move to take back): remove"),
        (
            "option MultiPV=0",
            "tellusererror option MultiPV: expected a number from 1 to 256, found \"0\"; the old value stays",
        ),
        ("option Threads=2", "tellusererror option Threads: expected the command cores"),
    ] {
        assert_eq!(xboard.ask_one(line), answer);
    }
    // Named are the options that it was told of.
    let names: Vec<&str> =
        OPTIONS.iter().filter(|option| option.cecp.is_none()).map(|option| option.name).collect();
    let found = xboard.ask_one("option Nonsense=1");
    let names = names.join(", ");
    assert_eq!(found, format!("tellusererror option: expected one of {names}, found \"Nonsense\""));
    xboard.gui.send_bytes(b"\xff\xfe\n\x01\n");
    let lines = xboard.ask("");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("Error (expected ") && line.is_ascii()));
    let long = "x".repeat(100_000);
    assert!(xboard.ask_one(&long).len() < 200);
    xboard.tell(
        "option MultiPV=2\noption Clear_Hash\noption Rule_Repetition=off\nmemory 40\ncores 2",
    );
    xboard
        .tell("level 40 5:30 0\nlevel 0 2 0.5\nlevel 40 25+5 0\nst 5\nsd 3\ntime -5\nname Nobody");
    assert_eq!(xboard.ask("bk"), [" there is no move in the book", ""]);
    xboard.gui.quit();
}

#[test]
fn moves_are_taken_back() {
    let mut xboard = XBoard::new(VariantId::Whale);
    xboard.tell("force\nusermove e2e3\nusermove d5d4\nundo\nusermove e5e4\nremove");
    assert_eq!(xboard.ask_one("undo"), "Error (expected a move to take back): undo");
    assert_eq!(xboard.ask_one("lift e2"), "highlight 6/6/6/4Y1/6/6");
    // While the engine thinks, that ends it.
    xboard.set_thinking("st 600\ngo");
    xboard.tell("force\nusermove e2e3\nundo");
    // Also where it has just been told to move: what it finds then is of no use.
    xboard.set_thinking("go");
    let lines = xboard.ask("?\nforce\nundo");
    let moved = lines.iter().any(|line| line.starts_with("move "));
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(moved || lines[0].starts_with("Error (expected a move to take back)"), "{lines:?}");
    // What is refused changes nothing: the engine still moves.
    for refused in ["undo", "remove", "setboard 5w/6 w 0 1"] {
        xboard.tell("new\nst 600");
        xboard.set_thinking("go");
        let lines = xboard.ask(refused);
        assert_eq!(lines.len(), 2, "{refused}: {lines:?}");
        assert!(lines[1].starts_with("move "), "{refused}: {lines:?}");
        // It plays on, too.
        xboard.tell("force\nundo");
    }
    xboard.tell("new\nsd 2\nexit");
    xboard.send("usermove e2e3");
    xboard.its_move();
    // The game may have ended before; it goes on.
    xboard.tell("new\nsd 2");
    xboard.send("usermove e2e3");
    xboard.its_move();
    xboard.tell("result 1-0 {Black resigns}\nremove");
    xboard.send("usermove d2d3");
    xboard.its_move();
    // With the engine's own move: the user is to move again, the engine plays on.
    xboard.tell("new\nsd 2");
    xboard.send("usermove e2e3");
    xboard.its_move();
    xboard.tell("remove");
    xboard.send("usermove c2c3");
    xboard.its_move();
    xboard.gui.quit();
}

#[test]
fn positions_are_taken_over_with_hands() {
    let mut xboard = XBoard::new(VariantId::Whale);
    xboard.tell("force\nsetboard 5w/6/6/6/2D3/W5[KDd] b 0 9");
    assert_eq!(xboard.ask_one("usermove K@c4"), "Illegal move: K@c4");
    xboard.tell("usermove D@c5\nusermove K@c4");
    // A position that cannot be: no move fits it, and the engine plays none.
    let refused = xboard.ask_one("setboard 5w/6/6/6/6/6[-] w 0 1");
    assert_eq!(
        refused,
        "tellusererror Illegal position: sfen: impossible position: expected one white whale of Black, \
         found 0"
    );
    let refused = xboard.ask_one("usermove f6f5");
    assert_eq!(refused, "Illegal move (the game or the position was refused): f6f5");
    for command in ["go", "playother", "hint", "bk"] {
        let expected = format!("Error (expected another game or position first): {command}");
        assert_eq!(xboard.ask_one(command), expected);
    }
    xboard.tell("setboard 5w/6/6/6/6/W5[-] b 0 1\nusermove f6f5");
    // A text that is no position of this board changes nothing.
    for (fen, error) in [
        (
            "8/8/8/8/8/8/8/8 w KQkq - 0 1",
            "sfen: expected 6 ranks separated by / (Whale Shogi), found 8",
        ),
        ("5w/6/6/6/6/W5 x", "expected w or b, the side to move, found \"x\""),
        ("", "expected a board, found nothing"),
    ] {
        let refused = xboard.ask_one(&format!("setboard {fen}"));
        assert!(
            refused.starts_with(&format!("tellusererror Illegal position: {error}")),
            "{refused}"
        );
    }
    xboard.tell("usermove a1a2");
    xboard.gui.quit();
}

#[test]
fn marked_squares_are_the_legal_moves() {
    let mut xboard = XBoard::new(VariantId::Whale);
    xboard.tell("force\nsetboard d4w/1D4/6/6/2D3/W5[KHd] w 0 1");
    for (square, marks) in [
        ("b5", "1Y4/6/6/6/6/6"),
        ("c2", "6/6/6/2Y3/6/6"),
        ("a1", "6/6/6/6/YY4/1Y4"),
        // In hand: killer whale and humpback beside the board, the opponent's dolphin on the other side.
        ("h1", "1YYYY1/Y1YYYY/YYYYYY/YYYYYY/YY1YYY/1YYYYY"),
        ("h2", "1YYYY1/Y1YYYY/YYYYYY/YYYYYY/YY1YYY/1YYYYY"),
        ("_1", "6/6/6/6/6/6"),
        ("d4", "6/6/6/6/6/6"),
        ("z9", "6/6/6/6/6/6"),
        ("", "6/6/6/6/6/6"),
    ] {
        assert_eq!(
            xboard.ask_one(&format!("lift {square}")),
            format!("highlight {marks}"),
            "{square}"
        );
    }
    // On the farthest rank the dolphin looks back.
    xboard.tell("usermove b5b6");
    assert_eq!(xboard.ask_one("lift _1"), "highlight 2YYY1/YYYYYY/YYYYYY/YYYYYY/YY1YYY/6");
    xboard.tell("usermove f6f5\nput c3\nhover c3");
    assert_eq!(xboard.ask_one("lift b6"), "highlight 6/Y1Y3/3Y2/4Y1/5Y/6");
    xboard.gui.quit();
}

#[test]
fn analysis_follows_the_board() {
    let mut xboard = XBoard::new(VariantId::Paulowich);
    xboard.send("force\npost\nanalyze");
    let line = xboard.gui.until("3 ").pop().unwrap();
    let (numbers, pv) = line.split_once('\t').expect("the line after a tab");
    let numbers: Vec<i64> = numbers.split(' ').map(|n| n.parse().unwrap()).collect();
    assert_eq!((numbers.len(), numbers[0]), (7, 3), "{line}");
    let mut position = Position::<kujira_position::Paulowich>::start();
    for m in pv.split(' ').filter(|m| !matches!(*m, "!" | "?")) {
        let usi = usi_of_move(kujira_position::Paulowich::SPEC, m).unwrap();
        position.make(position.parse_usi(&usi).unwrap());
    }
    // `.` and `hint` are answered while it goes on, and no move is made.
    let stat = |xboard: &mut XBoard, before: &str| -> Vec<u64> {
        xboard.send(&format!("{before}\n."));
        let line = xboard.gui.until("stat01: ").pop().unwrap();
        let words = line.split(' ').skip(1).take(5);
        words.map(|word| word.parse().unwrap_or_else(|_| panic!("{line}"))).collect()
    };
    assert_eq!(stat(&mut xboard, "")[4], 8, "eight legal moves");
    xboard.send("hint");
    assert!(xboard.gui.until("Hint: ").pop().unwrap().len() > 8);
    for (command, moves) in [
        ("usermove d2d3", 8),
        ("usermove d6d5", 9),
        ("undo", 8),
        ("new", 8),
        ("setboard 6w/7/7/7/7/7/W6[-] w 0 1", 3),
    ] {
        assert_eq!(stat(&mut xboard, command)[4], moves, "{command}");
    }
    assert!(
        xboard
            .ask("usermove a9a9")
            .contains(&"Illegal move (expected a move such as e2e3 or D@c4): a9a9".to_owned())
    );
    let lines = xboard.ask("exit");
    assert!(lines.iter().all(|line| !line.starts_with("move ")), "{lines:?}");
    xboard.tell("usermove a1a2");
    xboard.gui.quit();
}

#[test]
fn hints_are_legal_moves_for_whoever_is_to_move() {
    let mut xboard = XBoard::new(VariantId::Whale);
    xboard.tell("force");
    let mut position = Position::<kujira_position::Whale>::start();
    let spec = kujira_position::Whale::SPEC;
    for ply in 0..6 {
        let line = xboard.ask_one("hint");
        let hint = line.strip_prefix("Hint: ").unwrap_or_else(|| panic!("{line}"));
        let usi = usi_of_move(spec, hint).unwrap();
        assert!(position.legal_moves().iter().any(|&m| position.usi(m) == usi), "{ply}: {hint}");
        xboard.tell(&format!("usermove {hint}"));
        position.make(position.parse_usi(&usi).unwrap());
    }
    // Whoever asks for one does not resign, however bad it looks.
    xboard.tell("option ResignValue=1\nsetboard 4w1/dddddd/6/6/DDDDDD/HGW+KNB[-] b 0 1");
    assert!(xboard.ask_one("hint").starts_with("Hint: "));
    // Where there is none nothing is said.
    xboard.tell("setboard 5w/4K1/5W/6/6/6[-] b 0 1\nhint");
    xboard.gui.quit();
}

#[test]
fn rules_can_change_in_a_game() {
    let mut xboard = XBoard::new(VariantId::Whale);
    xboard.tell("force\nsetboard D5/6/6/6/5w/W5[-] w 0 1\nusermove a6d3\nusermove f2f1");
    // So far the dolphin could not have come under this rule; the game goes on from here.
    xboard.tell("option Rule_DolphinRetreat=two\nusermove d3d4");
    assert_eq!(xboard.ask_one("usermove a1a2"), "Illegal move: a1a2");
    xboard.tell("usermove f1f2");
    // What was played before can be taken back all the same, one move or two at a time.
    xboard.tell("undo\nremove\nusermove f2f1\nremove\nusermove a6b5\nusermove f2f1");
    assert_eq!(xboard.ask_one("usermove b5e2"), "Illegal move: b5e2");
    xboard.tell("remove");
    assert_eq!(xboard.ask_one("undo"), "Error (expected a move to take back): undo");
    // Nor is a move played that was found under other rules.
    xboard.tell("setboard D2dgw/2ddd1/4d1/6/DD2bD/HGW+K2[] w 0 1\nst 600");
    xboard.set_thinking("go");
    let lines = xboard.ask("option Rule_DolphinRetreat=slide\nundo\n?");
    assert!(lines.iter().any(|line| line.starts_with("move ")), "{lines:?}");
    xboard.tell("force\nundo\nst 600");
    xboard.send("post\ngo");
    while !xboard.gui.line().contains("\ta6e2") {}
    let lines = xboard.ask("nopost\noption Rule_DolphinRetreat=two\nundo\n?");
    assert!(lines.iter().any(|line| line.starts_with("move ")), "{lines:?}");
    assert!(!lines.contains(&"move a6e2".to_owned()), "{lines:?}");
    xboard.tell("force\nundo");
    let lines = xboard.ask("variant whale");
    assert!(lines.contains(&"piece D& fWbB2".to_owned()), "{lines:?}");
    xboard.gui.quit();
}

#[test]
fn nobody_is_asked_twice_for_the_first_word() {
    // Blank lines before it, and what stands behind it.
    let mut gui = Gui::of_process();
    gui.send("\r\n   \n xboard now\r\nprotover 2\r");
    gui.until("feature done=1");
    gui.quit();
    // After another first word it is USI.
    let mut gui = Gui::of_process();
    assert_eq!(gui.sync(), Vec::<String>::new());
    assert!(
        gui.ask_one("xboard").starts_with("info string error expected xboard as the first word")
    );
    gui.quit();
}

#[test]
fn the_document_lists_every_command() {
    let text = include_str!("../../../../docs/guis.md");
    for verb in VERBS {
        let arguments = if verb.arguments.is_empty() { "" } else { " " };
        let line = format!("| `{}{arguments}{}` | {} |", verb.word, verb.arguments, verb.about);
        assert!(text.lines().any(|l| l == line), "docs/guis.md lacks {line}");
    }
}
