//! Sessions in USI.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::support::gui::Gui;
use kujira_position::{Outcome, Position, Variant, VariantId, with_variant};
use kujira_search::{Ladder, MOST_ELO};

fn kujira(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kujira"))
        .args(arguments)
        .env_remove("KUJIRA_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// A switch of rules that would leave a whale in check is refused whole; then and after it the
/// engine plays on.
#[test]
fn a_rule_that_the_position_forbids_is_refused() {
    let mut gui = gui(VariantId::Whale);
    gui.send("setoption name Rule_DolphinRetreat value two");
    gui.send("position sfen 5D/6/6/6/2w3/W5 w - 1 moves 4e4d");
    assert_eq!(
        gui.ask("setoption name Rule_DolphinRetreat value slide"),
        [
            "info string error setoption Rule_DolphinRetreat: expected a rule that fits the position in \
          play, found impossible position: expected the side not to move out of check, but White is in \
          check; the old value stays"
        ]
    );
    let moves = gui.ask("moves").join("\n");
    assert!(!moves.contains("1a4d"), "{moves}");
    gui.send("go depth 3");
    assert!(gui.until("bestmove").iter().all(|line| !line.contains("error")));
    // From a position that allows it the rule can be changed.
    gui.send("position startpos");
    assert_eq!(gui.ask("setoption name Rule_DolphinRetreat value slide"), Vec::<String>::new());
    let refused = gui.ask("position sfen 5D/6/6/2w3/6/W5 b - 1");
    assert!(refused[0].contains("White is in check"), "{refused:?}");
}

#[test]
fn the_rules_in_force_decide_which_positions_are_taken() {
    let mut gui = gui(VariantId::Whale);
    gui.send("setoption name Rule_DolphinRetreat value two");
    assert_eq!(gui.ask("position sfen 5D/6/6/2w3/6/W5 b - 1"), Vec::<String>::new());
    assert_eq!(gui.sfen(), "5D/6/6/2w3/6/W5 b - 1");
    gui.send("go depth 3");
    assert!(gui.until("bestmove").last().unwrap().starts_with("bestmove "));
    gui.send("position sfen 5w/6/6/6/6/W5 b - 4294967295 moves 6f5f");
    assert_eq!(gui.sfen(), "5w/6/6/6/6/1W4 w - 4294967295");
}

fn gui(game: VariantId) -> Gui {
    let mut gui = Gui::of_process();
    gui.send(&format!("setoption name USI_Variant value {game}"));
    assert_eq!(gui.sync(), Vec::<String>::new());
    gui
}

/// Checks the lines of a search: an exact score line before the answer, lines legal to their end
/// whose last one begins with the move answered. Returns that move.
fn checked_search<V: Variant>(position: &Position<V>, lines: &[String]) -> String {
    let (answer, infos) = lines.split_last().unwrap();
    let best = answer.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap();
    for line in infos {
        assert!(line.starts_with("info "), "{line}");
        assert!(line.is_ascii() && !line.contains("  ") && !line.ends_with(' '), "{line:?}");
        if let Some((_, pv)) = line.split_once(" pv ") {
            let mut position = position.clone();
            for text in pv.split(' ') {
                let m = position.parse_usi(text);
                position.make(m.unwrap_or_else(|error| panic!("{line}: {error}")));
            }
        }
    }
    if best != "resign" && best != "win" {
        let last = infos.iter().rfind(|line| line.contains(" score ")).expect("a score line");
        assert!(!last.contains("bound"), "{last}");
        let (_, pv) = last.split_once(" pv ").unwrap();
        assert_eq!(pv.split(' ').next(), Some(best), "{last}");
        position.parse_usi(best).unwrap();
    }
    best.to_owned()
}

#[test]
fn help_and_version() {
    let help = kujira(&["--help"], b"");
    assert!(help.status.success());
    assert!(text(help.stdout).starts_with("Usage: kujira [bench "));
    for flag in ["--version", "-V"] {
        let version = kujira(&[flag], b"");
        assert!(version.status.success());
        assert_eq!(text(version.stdout), format!("kujira {}\n", env!("CARGO_PKG_VERSION")));
    }
    for (arguments, message) in [
        (&["--nonsense"][..], "kujira: invalid option '--nonsense'; try kujira --help\n"),
        (&["perft"], "kujira: unexpected argument \"perft\"; try kujira --help\n"),
        (
            &["bench", "x"],
            "kujira: bench: expected a depth from 1 to 100, found \"x\"; try kujira --help\n",
        ),
    ] {
        let refused = kujira(arguments, b"");
        assert_eq!(refused.status.code(), Some(2));
        assert_eq!(text(refused.stderr), message);
        assert_eq!(text(refused.stdout), "");
    }
}

#[test]
fn bench_runs_every_game_and_is_reproducible() {
    let nodes = || {
        let output = kujira(&["bench", "2"], b"");
        assert!(output.status.success());
        let lines = text(output.stdout);
        let count = |(line, game): (&str, &VariantId)| {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words[..3], ["bench", game.spec().id, "nodes"], "{line}");
            assert_eq!((words[4], words[6]), ("time", "nps"), "{line}");
            words[3].parse::<u64>().unwrap()
        };
        let counts: Vec<u64> = lines.lines().zip(VariantId::ALL).map(count).collect();
        assert_eq!(counts.len(), VariantId::ALL.len());
        assert!(counts.iter().all(|&nodes| nodes > 0));
        counts
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn a_bench_without_memory_fails() {
    let output = kujira(&["bench", "1", "1", "1048576"], b"");
    assert_eq!(output.status.code(), Some(1));
    let message = "kujira: bench: expected memory for a table of 1048576 MiB, found less\n";
    assert_eq!(text(output.stderr), message);
    let lines = text(kujira(&[], b"bench 1 1 1048576\n").stdout);
    assert_eq!(
        lines,
        "info string bench: expected memory for a table of 1048576 MiB, found less\n"
    );
    // The table of the option's old value stays, though it was not made yet.
    let lines = text(kujira(&[], b"setoption name USI_Hash value 1048576\nisready\n").stdout);
    assert!(lines.contains("found less; keeping 64 MiB\nreadyok\n"), "{lines}");
}

#[test]
fn perft_can_be_piped_in() {
    for (game, depth, total) in [("whale", 5, 30664), ("paulowich", 5, 54323), ("great", 3, 73627)]
    {
        for (ending, how) in [("", "threads 2"), ("\nquit\n", "played")] {
            let input =
                format!("setoption name USI_Variant value {game}\nperft {depth} {how}{ending}");
            let output = text(kujira(&[], input.as_bytes()).stdout);
            let lines: Vec<&str> = output.lines().collect();
            let (summary, moves) = (&lines[lines.len() - 3..], &lines[..lines.len() - 3]);
            assert_eq!(summary[0], format!("total {total}"));
            assert!(summary[1].starts_with("time ") && summary[2].ends_with(" leaves/s"));
            let leaves = |line: &&str| line.split_once(' ').unwrap().1.parse::<u64>().unwrap();
            assert_eq!(moves.iter().map(leaves).sum::<u64>(), total);
            assert!(moves.is_sorted(), "{moves:?}");
        }
    }
}

#[test]
fn a_session_of_each_game() {
    for (game, moves) in
        [("whale", "2e2d 3b3c"), ("paulowich", "2f2e 4b4c"), ("great", "6h6g 6d6e")]
    {
        let mut gui = Gui::of_process();
        gui.send("usi");
        let lines = gui.until("usiok");
        assert!(lines.iter().any(|line| line.starts_with("option name USI_Variant ")));
        gui.send("setoption name USI_Hash value 8");
        gui.send("setoption name USI_Ponder value true");
        gui.send(&format!("setoption name USI_Variant value {game}"));
        assert_eq!(gui.sync(), Vec::<String>::new());
        gui.send("usinewgame");
        gui.send(&format!("position startpos moves {moves}"));
        gui.send("go depth 3");
        let id = VariantId::named(game).unwrap();
        let lines = gui.until("bestmove");
        let shown = gui.ask("d");
        assert!(shown[0].ends_with(&format!("(USI_Variant {game})")), "{shown:?}");
        with_variant!(id, V => {
            let mut position = Position::<V>::start();
            for m in moves.split(' ') {
                position.make(position.parse_usi(m).unwrap());
            }
            assert_eq!(gui.sfen(), position.sfen());
            checked_search(&position, &lines);
            let mut legal: Vec<String> =
                position.legal_moves().iter().map(|&m| position.usi(m)).collect();
            legal.sort();
            assert_eq!(gui.moves(), legal);
        });
        gui.send("gameover draw");
        assert_eq!(gui.quit(), Vec::<String>::new());
    }
}

fn self_played_game<V: Variant>() -> (Option<Outcome>, usize) {
    const LONGEST: usize = 300;
    let mut gui = gui(V::ID);
    gui.send("usinewgame");
    let mut position = Position::<V>::start();
    let mut record = "position startpos moves".to_owned();
    for number in 0..LONGEST {
        gui.send(&record);
        gui.send("go nodes 400");
        let lines = gui.until("bestmove");
        let best = checked_search(&position, &lines);
        if let Some(outcome) = position.outcome() {
            assert_eq!(best, "resign");
            gui.close();
            return (Some(outcome), number);
        }
        assert_ne!(best, "resign", "{record}");
        position.make(position.parse_usi(&best).unwrap());
        record = format!("{record} {best}");
    }
    assert_eq!(gui.close(), Vec::<String>::new());
    (None, LONGEST)
}

#[test]
fn a_self_played_game_of_each_game() {
    for &game in VariantId::ALL {
        let (outcome, plies) = with_variant!(game, V => self_played_game::<V>());
        // Weak play at so few nodes may go on for long; when it ends, it ends by the rules.
        assert!(plies > 10, "{game}: {outcome:?} after {plies} plies");
    }
}

/// Every line here is malformed: one error line each, and nothing changes.
#[test]
fn a_storm_of_bad_input() {
    let bad: &[&[u8]] = &[
        b"nonsense",
        b"uci",
        b"GO depth 1",
        b"position",
        b"position startpos 2e2d",
        b"position sfen",
        b"position sfen 6/6/6/6/6/6",
        b"position sfen 6/6/6/6/6/6 b - 1",
        b"position sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNB x - 1",
        b"position sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 0",
        b"position sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1 2",
        b"position sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b 2 1",
        b"position sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b P 1",
        b"position sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b 99999999999D 1",
        b"position sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNW b - 1",
        b"position sfen bnpwgh/dddddd/99/6/DDDDDD/HGWPNB b - 1",
        b"position sfen bnpwgh/dddddd/6/6/DDDDDD b - 1",
        b"position sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNX b - 1",
        b"position sfen bnpwagh/ddddddd/7/7/7/DDDDDDD/HGAWPNB b - 1",
        b"position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        b"position startpos moves 2e2c",
        b"position startpos moves 2e2d 2e2d",
        b"position startpos moves d*3c",
        b"position startpos moves 2e2d+",
        b"position startpos moves 99z1",
        b"position startpos moves 2e",
        b"position startpos moves \xe9",
        "position startpos moves \u{1f40b}".as_bytes(),
        b"setoption",
        b"setoption name",
        b"setoption name Nonsense value 1",
        b"setoption name USI_Hash",
        b"setoption name USI_Hash value 0",
        b"setoption name USI_Hash value -1",
        b"setoption name USI_Hash value 99999999999999999999",
        b"setoption name USI_Hash value lots",
        b"setoption name USI_Variant value chess",
        b"setoption name USI_Ponder value maybe",
        b"setoption name Clear_Hash value 1",
        b"setoption name DebugLogFile value /no/such/folder/log.txt",
        b"perft",
        b"perft 0",
        b"perft -1",
        b"perft 1000",
        b"perft 2 threads 0",
        b"go perft x",
        b"bench 0",
        b"bench 1 1 1 1",
        b"ponderhit",
        b"d\0",
        b"\0",
        b"\xff\xfe",
        b"go\x1b depth 1",
    ];
    let mut gui = Gui::of_process();
    gui.send("position startpos moves 2e2d 3b3c");
    let before = gui.ask("d");
    for line in bad {
        gui.send_bytes(&[line, &b"\r\n"[..]].concat());
        let answer = gui.sync();
        let shown = String::from_utf8_lossy(line);
        assert_eq!(answer.len(), 1, "{shown}: {answer:?}");
        assert!(answer[0].starts_with("info string error "), "{shown}: {answer:?}");
        assert!(answer[0].is_ascii() && answer[0].len() < 1000, "{shown}: {answer:?}");
        assert_eq!(gui.ask("d"), before, "{shown}");
    }
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn lines_of_megabytes() {
    let mut gui = Gui::of_process();
    let before = gui.ask("d");
    for (line, message) in [
        (vec![b'x'; 1 << 20], "expected a command"),
        (vec![b'x'; 10 << 20], "expected a line of at most 4194304 bytes, found a longer one"),
        (b"position sfen ".iter().copied().chain(vec![b'/'; 1 << 20]).collect(), "position: sfen:"),
        (
            b"position startpos moves ".iter().copied().chain(vec![b'2'; 1 << 20]).collect(),
            "position: move 1",
        ),
        (vec![0; 1 << 20], "expected text, found the control character"),
        (vec![0xff; 1 << 20], "expected UTF-8"),
    ] {
        gui.send_bytes(&line);
        gui.send("");
        let answer = gui.sync();
        assert_eq!(answer.len(), 1, "{message}");
        let start = format!("info string error {message}");
        assert!(answer[0].starts_with(&start), "{}", &answer[0][..answer[0].len().min(200)]);
        assert!(answer[0].len() < 2000);
        assert_eq!(gui.ask("d"), before);
    }
    assert_eq!(gui.ask("position startpos"), [""; 0]);
    for (go, answer) in [("go depth 3 ", "bestmove "), ("go mate 5 ", "checkmate nomate")] {
        gui.send_bytes(&[go.as_bytes(), &vec![b'x'; 5 << 20], b"\n"].concat());
        let lines = gui.until(answer);
        assert!(lines[0].starts_with("info string error expected a line of at most"), "{lines:?}");
    }
    // Blanks are no malformed line, however many.
    gui.send_bytes(&vec![b' '; 1 << 20]);
    assert_eq!(gui.ask(""), Vec::<String>::new());
    // A long game is one.
    gui.send("setoption name Rule_Repetition value off");
    let there_and_back = "2f2d 5a5c 2d2e 5c5b ";
    gui.send(&format!("position startpos moves {}", long_game()));
    assert_eq!(gui.sync(), Vec::<String>::new(), "{there_and_back}");
    assert!(gui.sfen().ends_with(" 8001"));
    assert_eq!(gui.close(), Vec::<String>::new());
}

/// A game of 8,000 moves: both sides move a whale to and fro in an open position.
fn long_game() -> String {
    // 1e1d 6b6c open a square each for the pieces behind.
    let cycle = ["1f1e", "6a6b", "1e1f", "6b6a"];
    let moves: Vec<&str> =
        ["1e1d", "6b6c"].into_iter().chain(cycle.into_iter().cycle().take(7_998)).collect();
    moves.join(" ")
}

/// Every `go` has one `bestmove`, whatever surrounds it.
#[test]
fn one_best_move_for_every_go() {
    for &game in VariantId::ALL {
        let mut gui = gui(game);
        // A linear congruential generator (Lehmer), so that the session is the same for ever.
        let mut state = 7_u64;
        let mut next = |below: u64| {
            state = state * 48_271 % 2_147_483_647;
            state % below
        };
        let (mut asked, mut pings) = (0, 0);
        for round in 0..150 {
            if next(4) == 0 {
                gui.send("position startpos");
            }
            let go = match next(9) {
                0 => "go infinite\nstop",
                1 => "go ponder btime 50 wtime 50 byoyomi 5\nponderhit",
                2 => "go ponder btime 50 wtime 50 byoyomi 5\nstop",
                3 => "go ponder\nponderhit btime 0 wtime 0 byoyomi 2",
                4 => "go nodes 50\nstop\nstop",
                5 => "go movetime 3\ngameover lose",
                6 => "go depth x",
                7 => "go infinite\nisready\nusinewgame\nstop",
                _ => "go depth 1",
            };
            pings += u32::from(go.contains("isready"));
            asked += 1;
            gui.send(go);
            if round % 10 == 9 {
                // Answers may pile up before they are read.
                let (mut answers, mut ready) = (0, 0);
                while answers < asked {
                    let line = gui.line();
                    answers += u32::from(line.starts_with("bestmove "));
                    ready += u32::from(line == "readyok");
                    assert_ne!(line, "bestmove resign");
                }
                assert_eq!((answers, ready), (asked, pings));
                (asked, pings) = (0, 0);
                let rest = gui.sync();
                assert!(!rest.iter().any(|line| line.starts_with("bestmove")), "{rest:?}");
            }
        }
        assert_eq!(gui.close(), Vec::<String>::new());
    }
}

/// What `go mate` with this limit is answered.
fn checkmate(gui: &mut Gui, limit: &str) -> String {
    gui.send(&format!("go mate {limit}"));
    gui.until("checkmate").pop().unwrap()
}

/// A mate is given with all its moves, and after them the game is won.
#[test]
fn go_mate_finds_the_mates_there_are() {
    let mates = [
        (VariantId::Whale, "3kw1/5P/3N1G/2W3/6/6 b Hhgn2b12d 1"),
        (VariantId::Whale, "3pgh/1w1ddd/2d3/1W4/2DDDD/H2PNB b GB2Dn2d 29"),
        (
            VariantId::Great,
            "br,1,dp,b,7/2,f,w,1,nb,+SE,+HP,3/brc,dpc,nb,bc,fc,P,mc,2,+BW,1/2,nbc,2,+s,5/7,sec,3/11/11/\
             2,+rt,1,NB,3,NBC,2/1,+bd,2,MC,1,FC,BC,NB,DPC,BRC/5,M,1,F,2,BR/5,PC,W,B,+kc,DP,1 b \
             BW,BD,RT,M,S,H,P,K,KC,BDC,BWC,se,hp,h,k,sec,pc,bdc,bwc 121",
        ),
    ];
    for (game, sfen) in mates {
        let mut gui = gui(game);
        gui.send(&format!("position sfen {sfen}"));
        let answer = checkmate(&mut gui, "infinite");
        // With a single move to choose from, too, there is a mate to be found.
        let first = answer.split(' ').nth(1).unwrap();
        gui.send("usinewgame");
        let again = checkmate(&mut gui, &format!("30000 searchmoves {first}"));
        assert!(again.starts_with(&format!("checkmate {first} ")), "{again}");
        let moves = answer.strip_prefix("checkmate ").unwrap();
        assert!(moves.split(' ').count() % 2 == 1, "{answer}");
        gui.send(&format!("position sfen {sfen} moves {moves}"));
        assert!(gui.ask("d").iter().any(|line| line.starts_with("over: Black wins")), "{answer}");
        assert_eq!(checkmate(&mut gui, "1000"), "checkmate nomate");
        // At the start nobody can give check.
        gui.send("position startpos");
        assert_eq!(checkmate(&mut gui, "infinite"), "checkmate nomate");
        assert_eq!(gui.close(), Vec::<String>::new());
    }
}

/// What a mate is asked of: no check to give, a quiet win alone, the game over, a whale under attack, one that
/// can be captured.
#[test]
fn go_mate_says_what_it_proves() {
    for (game, sfen, answer) in [
        (VariantId::Whale, "w5/6/6/6/6/5W b - 1", "checkmate nomate"),
        // Black wins by leaving White without a move, not in check.
        (VariantId::Whale, "2pwdh/1bd3/d2g2/1WDdnk/1D1n2/HG3b w 6d 46", "checkmate nomate"),
        (VariantId::Whale, "5w/4K1/5K/6/6/W5 w - 1", "checkmate nomate"),
        // White has to answer a check, and can only do so without giving one.
        (VariantId::Whale, "5w/6/6/6/1k4/W5 b K 1", "checkmate nomate"),
        (VariantId::Great, "5,w,5/5,P,5/11/11/11/11/11/11/11/11/5,W,5 b - 1", "checkmate 6b6a+"),
        (VariantId::Great, "5,w,5/11/11/11/11/11/11/11/11/5,p,5/5,W,5 b P 1", "checkmate nomate"),
    ] {
        let mut gui = gui(game);
        gui.send("setoption name USI_Hash value 1");
        gui.send(&format!("position sfen {sfen}"));
        assert_eq!(checkmate(&mut gui, "infinite"), answer, "{sfen}");
        for limit in ["0", "1", "nodes 1", "depth 1", "searchmoves 1a1b"] {
            let said = checkmate(&mut gui, limit);
            assert!(said == answer || said == "checkmate timeout", "{sfen} {limit}: {said}");
        }
        assert!(gui.close().iter().all(|line| !line.contains("error internal")));
    }
}

/// Positions of the largest game in which a mate is looked for in vain for seconds.
const HARD: [&str; 2] = [
    "dp,2,b,f,w,m,se,rt,bd,bw/br,nb,2,h,nb,hp,s,3/3,bc,fc,1,mc,sec,p,bdc,1/brc,dpc,nbc,5,pc,2/5,kc,4\
     ,bwc/11/1,BDC,3,KC,2,SE,2/BWC,4,H,5/1,S,P,SEC,M,5,BRC/4,W,6/BW,BD,RT,3,F,B,1,+nb,BR w hp,dp,nb,\
     2k,dpc,nbc,bc,fc,mc,pc 68",
    "br,dp,hp,8/1,h,b,2,w,se,1,m,2/brc,dpc,4,mc,2,bdc,1/2,nbc,2,kc,5/1,nb,6,rt,2/11/2,PC,5,NBC,PC,1/\
     1,BDC,3,KC,FC,4/BWC,2,SEC,MC,2,B,3/3,M,W,NB,4,brc/BW,BD,RT,SE,2,F,3,k b BW,S,NB,2P,BC,FC,SEC,BW\
     C,bd,f,hp,dp,br,s,nb,h,k,dpc,bc 79",
];

/// Looking for a mate ends at its limit and at a stop, whatever the size of the table.
#[test]
fn go_mate_obeys_its_limits() {
    for sfen in HARD {
        for hash in [1, 256] {
            let mut gui = gui(VariantId::Great);
            gui.send(&format!("setoption name USI_Hash value {hash}"));
            gui.send("isready");
            gui.until("readyok");
            gui.send(&format!("position sfen {sfen}"));
            assert_eq!(checkmate(&mut gui, "200"), "checkmate timeout", "{sfen}");
            // It is ready at once while it looks.
            gui.send("go mate infinite");
            gui.send("isready");
            assert_eq!(gui.until("readyok").len(), 1, "{sfen}");
            gui.send("stop");
            assert_eq!(gui.until("checkmate").pop().unwrap(), "checkmate timeout", "{sfen}");
            assert_eq!(gui.close(), Vec::<String>::new());
        }
    }
}

#[test]
fn a_stop_is_answered() {
    for &game in VariantId::ALL {
        let mut gui = gui(game);
        for round in 0..30 {
            gui.send("go infinite");
            if round % 2 == 1 {
                // In the midst of the search; the others are stopped before it has begun, perhaps.
                gui.until("info ");
            }
            gui.send("stop");
            gui.until("bestmove");
        }
        assert_eq!(gui.close(), Vec::<String>::new());
    }
}

#[test]
fn isready_during_a_search() {
    let mut gui = gui(VariantId::Whale);
    gui.send("go infinite");
    gui.send("isready");
    assert!(gui.until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    gui.send("stop");
    gui.until("bestmove");
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn the_end_of_the_input_acts_as_quit() {
    for end in ["", "quit\n", "quit\nd\n"] {
        for go in ["go infinite", "go ponder", "go btime 600000 wtime 600000"] {
            let output = kujira(&[], format!("position startpos\n{go}\n{end}").as_bytes());
            assert!(output.status.success());
            assert_eq!(text(output.stderr), "");
            let lines = text(output.stdout);
            assert_eq!(lines.lines().filter(|line| line.starts_with("bestmove ")).count(), 1);
            assert!(lines.lines().last().unwrap().starts_with("bestmove "), "{lines}");
        }
        let output = kujira(&[], end.as_bytes());
        assert!(output.status.success());
        assert_eq!(text(output.stdout), "");
    }
}

#[test]
fn lines_are_logged_only_when_asked_for() {
    let file = std::env::temp_dir().join(format!("kujira-log-{}.txt", std::process::id()));
    let name = file.to_str().unwrap();
    let input = format!("setoption name DebugLogFile value {name}\nmoves\n");
    let output = kujira(&[], input.as_bytes());
    assert_eq!(text(output.stderr), "");
    let log = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(log.contains("> info string 7 legal moves\n") && log.contains("> 1e1d 2e2d"), "{log}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_kujira"))
        .env("KUJIRA_LOG", "debug")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"isready\n").unwrap();
    let stderr = text(child.wait_with_output().unwrap().stderr);
    assert!(stderr.contains("< isready") && stderr.contains("> readyok"), "{stderr}");
}

/// Random lines made of the protocol's words: the engine stays up, answers every search, and
/// everything it says has the form of an answer.
#[test]
fn random_sessions() {
    const LINES: &[&str] = &[
        "go depth 2",
        "go nodes 30",
        "go movetime 2",
        "go depth",
        "go perft 2",
        "go mate 10",
        "stop",
        "ponderhit",
        "gameover win",
        "isready",
        "usinewgame",
        "d",
        "moves",
        "perft 2",
        "flip",
        "position startpos",
        "position startpos moves 2e2d",
        "position startpos moves 2f2e",
        "position startpos moves 6h6g",
        "setoption name USI_Variant value great",
        "setoption name USI_Variant value paulowich",
        "setoption name UCI_Variant value whale",
        "setoption name Threads value 2",
        "setoption name threads value 1",
        "setoption name USI_Hash value 2",
        "setoption name USI_Hash value 3",
        "setoption name MultiPV value 3",
        "setoption name USI_MultiPV value 1",
        "setoption name Clear_Hash",
        "setoption name Rule_Impasse value points",
        "setoption name Rule_DolphinRetreat value two",
        "usi",
        "compiler",
        "help",
        "\u{0}",
        "\u{e9}",
        "position sfen 5w/3K2/5W/6/6/6 b D 1",
        "position sfen",
        "xyzzy",
        "",
        "   ",
    ];
    let mut state = 20_261_121_u64;
    let mut next = |below: usize| {
        state = state * 48_271 % 2_147_483_647;
        state as usize % below
    };
    for _ in 0..4 {
        let mut gui = Gui::of_process();
        for _ in 0..40 {
            let (mut goes, mut mates) = (0, 0);
            for _ in 0..5 {
                let line = LINES[next(LINES.len())];
                goes += usize::from(
                    line.starts_with("go ") && !line.contains("perft") && !line.contains("mate"),
                );
                mates += usize::from(line.starts_with("go mate"));
                gui.send(line);
            }
            // The last command's answer shows that all those before it have been given.
            gui.send("setoption name Unknown");
            let lines = gui.until("info string error setoption: expected one of");
            let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
            assert_eq!(count("bestmove "), goes, "{lines:?}");
            assert_eq!(count("checkmate "), mates, "{lines:?}");
        }
        assert_eq!(gui.close(), Vec::<String>::new());
    }
}

/// The nodes that the engine takes for a move it was asked to spend 50,000 on, as the first of a new game.
fn nodes_of_a_move(gui: &mut Gui, settings: &[(&str, &str)]) -> u64 {
    for (name, value) in settings {
        gui.send(&format!("setoption name {name} value {value}"));
    }
    gui.send("usinewgame");
    gui.send("go nodes 50000");
    let lines = gui.until("bestmove");
    let last = lines.iter().rfind(|line| line.contains(" score ")).unwrap();
    last.split_once(" nodes ").unwrap().1.split(' ').next().unwrap().parse().unwrap()
}

/// Strength is limited by a level or by Elo, whichever is the weaker.
#[test]
fn strength_is_limited_by_level_and_by_elo() {
    let most = MOST_ELO.to_string();
    for &game in VariantId::ALL {
        let ladder = Ladder::of(game);
        let mut gui = gui(game);
        // Without the switch the number means nothing.
        assert!(nodes_of_a_move(&mut gui, &[("USI_Elo", "0")]) > 10_000, "{game}");
        gui.send("setoption name USI_LimitStrength value true");
        for rung in &ladder.rungs[..8] {
            let nodes = nodes_of_a_move(&mut gui, &[("UCI_Elo", &rung.elo.to_string())]);
            assert!(nodes <= rung.nodes.unwrap(), "{game}: {nodes} nodes at {rung:?}");
        }
        assert!(nodes_of_a_move(&mut gui, &[("USI_Elo", &most)]) > 10_000, "{game}");
        let nodes = nodes_of_a_move(&mut gui, &[("Level", "1")]);
        assert!(nodes <= ladder.rung(ladder.place_of_level(1)).nodes.unwrap(), "{game}: {nodes}");
    }
}

/// The random mover plays other moves in other games; in an analysis it is at full strength.
#[test]
fn the_random_mover_moves_at_random_and_analyses_well() {
    let mut gui = gui(VariantId::Whale);
    gui.send("setoption name USI_LimitStrength value true");
    gui.send("setoption name USI_Elo value 0");
    gui.send("position sfen 5w/3K2/5W/6/6/6 b - 1");
    let mut played = std::collections::BTreeSet::new();
    for _ in 0..40 {
        gui.send("usinewgame");
        gui.send("position sfen 5w/3K2/5W/6/6/6 b - 1");
        played.insert(gui.best("go movetime 1000"));
    }
    assert!(played.len() > 5, "{played:?}");
    gui.send("go infinite");
    let scored = |lines: &[String]| lines.iter().any(|line| line.contains(" score mate 1 "));
    let mut lines = Vec::new();
    while !scored(&lines) {
        lines.push(gui.line());
    }
    gui.send("stop");
    gui.until("bestmove");
}
