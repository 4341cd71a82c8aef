//! Networks from files, in sessions with the real engine.

use kujira_position::{Great, Paulowich, Variant, VariantId, Whale};
use kujira_search::eval::{Inputs, NetworkFile};

use crate::TempFile;
use crate::support::gui::Gui;

/// A network for which the first piece in hand of the last kind counts `worth` centipawns, up to 1000,
/// and nothing else anything.
fn counting<V: Variant>(hidden: usize, worth: i32) -> Vec<u8> {
    let kind = V::SPEC.all_kinds().nth(V::SPEC.hand_kinds).unwrap();
    let name = format!("own hand {} 1", V::SPEC.kind(kind).token);
    let mut net = NetworkFile::zero::<V>(hidden, 1, worth);
    // Wherever our white whale is.
    for input in 0..Inputs::<V>::COUNT {
        if Inputs::<V>::name(input).split(", ").next() == Some(&*name) {
            net.weights[input * hidden] = 127;
        }
    }
    net.outputs[0] = 64;
    net.outputs[hidden] = -64;
    net.to_bytes::<V>().unwrap()
}

/// The first line of `eval`.
fn eval(gui: &mut Gui) -> String {
    gui.ask("eval").swap_remove(0)
}

const BEHIND: &str = "position sfen 3w2/6/6/6/6/2W3 b d 1";

#[test]
fn a_network_judges_and_empty_takes_it_out_again() {
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.ask(BEHIND);
    let before = eval(&mut gui);
    let file = TempFile::new("whale.net", &counting::<Whale>(32, 321));
    assert_eq!(gui.ask(&format!("setoption name EvalFile value {}", file.path())), [""; 0]);
    assert_eq!(eval(&mut gui), "eval -321 for Black, by a network of 32 hidden units");
    let told = gui.ask("eval");
    assert_eq!(told.last().unwrap(), "White in hand: d 321");
    gui.send("go depth 1");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score cp -")), "{lines:?}");
    assert_eq!(gui.ask("setoption name EvalFile value <empty>"), [""; 0]);
    assert_eq!(eval(&mut gui), before);
}

/// Scores are told in hundredths of what the network says a pawn counts; the search goes on as before.
#[test]
fn scores_are_told_in_pawns() {
    let told = |pawn: i32| {
        let net = NetworkFile::from_bytes::<Whale>(&counting::<Whale>(16, 600)).unwrap();
        let bytes = NetworkFile { pawn, ..net }.to_bytes::<Whale>().unwrap();
        let file = TempFile::new(&format!("pawn-{pawn}.net"), &bytes);
        let mut gui = Gui::of_session(kujira_search::engine);
        gui.ask(&format!("setoption name EvalFile value {}", file.path()));
        gui.ask(BEHIND);
        let eval = eval(&mut gui);
        gui.send("go depth 3");
        let line = gui.until("bestmove").into_iter().rev().nth(1).unwrap();
        let number = |name: &str| -> i64 {
            let mut words = line.split_whitespace().skip_while(|&word| word != name);
            words.nth(1).unwrap().parse().unwrap()
        };
        (eval, number("cp"), number("nodes"))
    };
    let (eval, score, nodes) = told(100);
    assert_eq!(eval, "eval -600 for Black, by a network of 16 hidden units");
    assert!(score < 0 && score % 3 == 0, "{score}");
    let third = (eval.replace("-600", "-200"), score / 3, nodes);
    assert_eq!(told(300), third);
}

/// Names a file that is refused: the error at once; `isready` says, and only once, that the file is not in use.
fn refused(gui: &mut Gui, path: &str) -> String {
    let mut lines = gui.ask(&format!("setoption name EvalFile value {path}"));
    let note = format!("info string EvalFile: expected a network for whale in {path}, found none");
    assert_eq!(lines.pop(), Some(note), "{lines:?}");
    assert_eq!(gui.sync(), [""; 0]);
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines.swap_remove(0)
}

#[test]
fn what_is_no_network_for_the_game_is_refused() {
    let good = counting::<Whale>(16, 100);
    let file = TempFile::new("good.net", &good);
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.ask(BEHIND);
    let before = eval(&mut gui);
    let long = [&good[..], b"x"].concat();
    let mut changed = good.clone();
    changed[1_000] ^= 1;
    let mut damaged = counting::<Great>(16, 100);
    damaged[1_000] ^= 1;
    for (name, bytes, error) in [
        ("text", &b"no network"[..], "expected a network of Kujira, found something else"),
        ("none", b"", "expected a network of Kujira, found something else"),
        ("short", &good[..500], "expected 165396 bytes, found 500"),
        ("long", &long, "expected 165396 bytes, found 165397"),
        ("changed", &changed, "expected the checksum "),
        ("damaged-great", &damaged, "expected the checksum "),
    ] {
        let bad = TempFile::new(name, bytes);
        let line = refused(&mut gui, bad.path());
        let begin = format!("info string error EvalFile: {}: {error}", bad.path());
        assert!(line.starts_with(&begin), "{line}");
        assert!(line.ends_with("; the evaluation in use stays"), "{line}");
        assert_eq!(eval(&mut gui), before, "{name}");
    }
    let line = refused(&mut gui, "no/such.net");
    let begin = "info string error EvalFile: expected a file to read, found no/such.net: ";
    assert!(line.starts_with(begin), "{line}");
    assert!(line.ends_with("; the evaluation in use stays"), "{line}");
    assert_eq!(eval(&mut gui), before);
    // Also where a file is in use.
    assert_eq!(gui.ask(&format!("setoption name EvalFile value {}", file.path())), [""; 0]);
    let with_file = eval(&mut gui);
    assert_ne!(with_file, before);
    refused(&mut gui, "no/such.net");
    assert_eq!(eval(&mut gui), with_file);
}

#[test]
fn each_game_keeps_its_own() {
    let whale = TempFile::new("own-whale.net", &counting::<Whale>(16, 100));
    let great = TempFile::new("own-great.net", &counting::<Great>(48, 100));
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.ask(&format!("setoption name EvalFile value {}", whale.path()));
    gui.ask("setoption name USI_Variant value great");
    let built_in = eval(&mut gui);
    assert_eq!(gui.ask(&format!("setoption name EvalFile value {}", great.path())), [""; 0]);
    assert_eq!(eval(&mut gui), "eval 0 for Black, by a network of 48 hidden units");
    gui.ask("setoption name USI_Variant value whale");
    assert_eq!(eval(&mut gui), "eval 0 for Black, by a network of 16 hidden units");
    gui.ask("setoption name USI_Variant value great");
    assert_eq!(eval(&mut gui), "eval 0 for Black, by a network of 48 hidden units");
    gui.ask("setoption name EvalFile value <empty>");
    assert_eq!(eval(&mut gui), built_in);
}

/// Whatever the order of games and files, each game is judged by its own file at the end, and `isready` says where
/// the file named last is one for another game.
#[test]
fn files_and_games_come_in_any_order() {
    let whale = TempFile::new("order-whale.net", &counting::<Whale>(16, 100));
    let paulowich = TempFile::new("order-paulowich.net", &counting::<Paulowich>(32, 100));
    let great = TempFile::new("order-great.net", &counting::<Great>(48, 100));
    let file = |path: &TempFile| format!("setoption name EvalFile value {}", path.path());
    let game = |game: VariantId| format!("setoption name USI_Variant value {game}");
    let files = [file(&whale), file(&paulowich), file(&great)];
    let units = [16, 32, 48];
    for (&played, units) in VariantId::ALL.iter().zip(units) {
        for first in 0..3 {
            for chosen in 0..=3 {
                // Files in each of three orders, and the game before, between or after them.
                let mut lines: Vec<String> =
                    (0..3).map(|i| files[(first + i) % 3].clone()).collect();
                lines.insert(chosen, game(played));
                let mut gui = Gui::of_session(kujira_search::engine);
                for line in &lines {
                    gui.send(line);
                }
                let said = gui.sync();
                let last = VariantId::ALL[(first + 2) % 3];
                let path = lines.iter().rev().find_map(|line| line.split("EvalFile value ").nth(1));
                let note = format!(
                    "info string EvalFile: expected a network for {played} in {}, found one for {last}, which it is \
                     kept for",
                    path.unwrap()
                );
                let expected = if last == played { vec![] } else { vec![note] };
                assert_eq!(said, expected, "{lines:?}");
                let told = format!("eval 0 for Black, by a network of {units} hidden units");
                assert_eq!(eval(&mut gui), told, "{lines:?}");
                // An engine that failed is followed by one that has the same file, and so is another game.
                gui.ask("setoption name USI_Variant value whale\nsetoption name USI_Variant value great");
                gui.ask(&game(played));
                assert_eq!(eval(&mut gui), told, "{lines:?}");
            }
        }
    }
}

/// The empty path comes as a default from GUIs that send every option: the file before it is forgotten in any order.
#[test]
fn empty_is_for_every_game() {
    let great = TempFile::new("empty-great.net", &counting::<Great>(48, 100));
    let file = format!("setoption name EvalFile value {}", great.path());
    let (none, game) =
        ("setoption name EvalFile value <empty>", "setoption name USI_Variant value great");
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.ask(game);
    let built_in = eval(&mut gui);
    for lines in [[&file[..], none, game], [&file, game, none], [game, &file, none]] {
        let mut gui = Gui::of_session(kujira_search::engine);
        assert_eq!(gui.ask(&lines.join("\n")), [""; 0], "{lines:?}");
        assert_eq!(eval(&mut gui), built_in, "{lines:?}");
    }
}

/// XBoard sends options before it names the game; it is told at the next ping where the file does not serve.
#[test]
fn options_of_xboard_come_before_the_game() {
    let paulowich = TempFile::new("cecp-paulowich.net", &counting::<Paulowich>(32, 100));
    let great = TempFile::new("cecp-great.net", &counting::<Great>(48, 100));
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.send(&format!("xboard\noption EvalFile={}\nvariant paulowich\nping 1", paulowich.path()));
    let lines = gui.until("pong 1");
    assert!(!lines.iter().any(|line| line.contains("EvalFile")), "{lines:?}");
    gui.send("variant whale\nping 2");
    let lines = gui.until("pong 2");
    let said = lines.iter().filter(|line| line.contains("EvalFile")).collect::<Vec<_>>();
    let expected = format!(
        "tellusererror EvalFile: expected a network for whale in {}, found one for paulowich, which it is kept for",
        paulowich.path()
    );
    assert_eq!(said, [&expected]);
    gui.send(&format!("option EvalFile={}\nping 3\nping 4", great.path()));
    let lines = gui.until("pong 4");
    assert!(lines[0].ends_with("found one for great, which it is kept for"), "{lines:?}");
    assert_eq!(lines[1..], ["pong 3", "pong 4"]);
}

#[test]
fn eval_tells_every_piece() {
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.ask("position sfen 3w2/6/3d2/6/1K4/2W3 w 2Dd 1");
    let lines = gui.ask("eval");
    assert!(lines[0].starts_with("eval -") && lines[0].contains(" for White, by "), "{lines:?}");
    assert_eq!(lines.len(), 4 + 2 * 6 + 3, "{lines:?}");
    assert_eq!(lines[8].split_ascii_whitespace().nth(3), Some("d"), "{lines:?}");
    let value = |line: &str| line.trim().parse::<i32>().unwrap();
    // A killer whale is worth more than a dolphin.
    assert!(value(&lines[13]) > value(&lines[9]), "{lines:?}");
    assert!(lines[17].starts_with("Black in hand: 2D "), "{lines:?}");
    assert!(lines[18].starts_with("White in hand: d "), "{lines:?}");
}
