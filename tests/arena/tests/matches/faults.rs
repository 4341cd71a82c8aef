//! Engines that misbehave: each loses its game for what it did, is started again, and nothing of it
//! is left in the end.

use kujira_record::played::GameRecord;
use kujira_trial::wait_until;
use kujira_usi::{Reason, Side};

use crate::harness::{Place, said};

/// Two games against an engine with this fault at such a move, and with these words; the other has all the time.
fn against(fault: &str, at: usize, words: &[&str], more: &[&str]) -> (String, Vec<GameRecord>) {
    let place = Place::new();
    let arguments = ["--seed=2", &format!("--at={at}"), &format!("--fault={fault}")];
    let engines = [
        place.engine(&[], &["name=Good"]),
        place.engine(&arguments, &[&["name=Bad"], words].concat()),
    ];
    let arguments = [&["--pairs=1", "--concurrency=1", "--nodes=1"], more].concat();
    let (text, games) = place.run("match whale", &engines, &arguments);
    assert!(!place.something_runs(), "{fault} left an engine running");
    assert_eq!(games.len(), 2, "{fault}: the match goes on");
    (text, games)
}

fn loses(fault: &str, reason: Reason, detail: &str) {
    loses_at(3, fault, &[], &[], reason, detail);
}

/// What is seen by the time that passes: at the first move, so that no good one can come too late.
fn loses_in_time(fault: &str, words: &[&str], more: &[&str], reason: Reason, detail: &str) {
    loses_at(1, fault, &[&["movetime=300ms"], words].concat(), more, reason, detail);
}

fn loses_at(at: usize, fault: &str, words: &[&str], more: &[&str], reason: Reason, detail: &str) {
    let (text, games) = against(fault, at, words, more);
    for game in &games {
        let bad = if game.black.name == "Bad" { Side::Black } else { Side::White };
        assert_ne!(game.ending.winner, Some(bad), "{fault}: {:?}", game.ending);
        assert!(game.ending.winner.is_some(), "{fault}: {:?}", game.ending);
        assert_eq!(game.ending.reason, reason, "{fault}: {:?}", game.ending);
        assert!(game.detail.contains(detail), "{fault}: {}", game.detail);
        let (moves, before) = (game.moves.len(), 2 * (at - 1));
        assert!(moves == before || moves == before + 1, "{fault}: moves before it, {moves}");
    }
    if !reason.is_regular() {
        assert_eq!(text.matches("!!! game").count(), 2, "{fault}: {text}");
        assert!(
            text.contains("Bad loses by") && text.contains("2 games lost by failure"),
            "{text}"
        );
    }
    assert_eq!(text.contains("VOID"), reason.is_dispute(), "{fault}: {text}");
}

#[test]
fn an_engine_that_dies() {
    let last = "exit status: 3, its last complaint \"dying as told\"";
    loses("die", Reason::Died, last);
}

/// Its share of the games is played by another process of it.
#[test]
fn an_engine_that_ends_between_games_loses_none() {
    let place = Place::new();
    // More than it needs for the two games of the first round, and less than for those of the second as well.
    let hold = place.hold(14);
    let leave = "--fault=leave";
    let engines = [
        place.engine(&[], &["name=A"]),
        place.engine(&["--seed=2", &hold], &["name=B"]),
        // After its two games of the first round: it is gone before A and B have played those of the second.
        place.engine(&["--seed=3", leave, "--at=2"], &["name=C"]),
    ];
    let arguments =
        ["--nodes=1", "--pairs=2", "--concurrency=1", "--format=gauntlet", "--max-plies=20"];
    let mut command = place.command("match whale", &engines, &arguments);
    let child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    wait_until("C leaves", || place.lines("match.jsonl") == 5 && !place.runs(Some(leave)));
    place.let_go();
    let text = said(&child.wait_with_output().unwrap());
    let games = place.games();
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| game.ending.reason.is_regular()), "{text}");
    let told = "!!! C ended between two games (exit status: 3) and is started again\n";
    assert_eq!(text.matches(told).count(), 1, "{text}");
    assert!(!place.something_runs());
}

/// One that ends as soon as a game is over loses nothing, though the next one begins at once.
#[test]
fn an_engine_that_ends_with_every_game_loses_none() {
    let place = Place::new();
    let engines = [
        place.engine(&[], &["name=A"]),
        place.engine(&["--seed=2", "--fault=leave", "--at=1"], &["name=B"]),
    ];
    let arguments = ["--nodes=1", "--pairs=2", "--concurrency=1", "--max-plies=20"];
    let (text, games) = place.run("match whale", &engines, &arguments);
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.ending.reason.is_regular()), "{text}");
    let told = "!!! B ended between two games (exit status: 3) and is started again\n";
    assert_eq!(text.matches(told).count(), 3, "{text}");
    assert!(!place.something_runs());
}

/// One that does not answer between two games loses the next one, and the match goes on; a tuner starts it again.
#[test]
fn an_engine_that_falls_silent_between_games() {
    let place = Place::new();
    let sulk = ["--seed=2", "--fault=sulk", "--at=1"];
    let engines = [place.engine(&[], &["name=A"]), place.engine(&sulk, &["name=B"])];
    let arguments = ["--nodes=1", "--pairs=1", "--concurrency=1", "--max-plies=20", "--start=10"];
    let (text, games) = place.run("match whale", &engines, &arguments);
    assert_eq!((games.len(), games[1].ending.reason), (2, Reason::Silent), "{text}");
    assert!(text.contains("B loses by no answer: no readyok within 10.0s"), "{text}");
    assert!(!place.something_runs());
    let place = Place::new();
    let arguments = [
        "--nodes=1",
        "--params=Seed:2000",
        "--iterations=1",
        "--pairs-per-iteration=1",
        "--concurrency=1",
        "--max-plies=20",
        "--start=10",
    ];
    let engine = [place.engine(&sulk, &[])];
    let output = place.command("spsa whale", &engine, &arguments).output().unwrap();
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let told = "does not answer: no readyok within 10.0s between two games and is started again";
    assert!(text.contains(told) && text.contains("after 1 of 1 iterations"), "{text}");
    assert!(!text.contains("a loss by"), "{text}");
    assert!(!place.something_runs());
}

/// What is told after a move is not told of the next one.
#[test]
fn an_engine_that_tells_of_its_search_too_late() {
    let place = Place::new();
    let engines = [
        place.engine(&["--pause=200"], &["name=Good"]),
        place.engine(&["--seed=2", "--fault=afterword"], &["name=Bad"]),
    ];
    let arguments = ["--nodes=1", "--pairs=1", "--max-plies=20"];
    let (text, games) = place.run("match whale", &engines, &arguments);
    let mut told = [0; 2];
    for game in &games {
        let bad = usize::from(game.black.name != "Bad");
        let begins = usize::from(!game.black_begins());
        for (index, m) in game.moves.iter().enumerate() {
            let all = m.score.is_some() && m.depth.is_some() && m.nodes.is_some();
            let none = m.score.is_none() && m.depth.is_none() && m.nodes.is_none();
            let is_bad = (index + begins) % 2 == bad;
            assert!(if is_bad { none } else { all }, "{m:?}");
            told[usize::from(is_bad)] += 1;
        }
    }
    assert!(told[0] > 10 && told[1] > 10, "{told:?} {text}");
}

#[test]
fn an_engine_that_ends_its_lines_in_blanks() {
    let place = Place::new();
    let engines = [
        place.engine(&[], &["name=Good"]),
        place.engine(&["--seed=2", "--fault=blanks"], &["name=Odd"]),
    ];
    let (text, games) = place.run("match whale", &engines, &["--nodes=1", "--pairs=1"]);
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game.ending.reason.is_regular()), "{text}");
}

#[test]
fn an_engine_that_dies_while_its_child_holds_its_output() {
    loses_in_time("orphan", &[], &["--grace=300ms"], Reason::Died, "exit status: 3");
}

#[test]
fn an_engine_that_does_not_read() {
    let place = Place::new();
    // More than a pipe holds.
    let long = format!("init={}", "x".repeat(100_000));
    let engines = [place.engine(&["--fault=deaf"], &[&long]), place.engine(&[], &[])];
    let output =
        place.command("match whale", &engines, &["--nodes=1", "--start=300ms"]).output().unwrap();
    let text = said(&output);
    assert!(!output.status.success() && text.contains("no usiok within 300.0ms"), "{text}");
    assert!(!place.something_runs());
}

/// The argument of an engine whose starts go like this.
fn told_starts(place: &Place, starts: &str) -> String {
    std::fs::write(place.path("starts"), starts).unwrap();
    format!("--starts={}", place.path("starts").display())
}

/// Games against an engine whose starts go like this; the first is the runner's look at it.
fn with_starts(starts: &str, pause: &str, more: &[&str]) -> (bool, String, Vec<GameRecord>) {
    let place = Place::new();
    let starts = told_starts(&place, starts);
    let engines =
        [place.engine(&[pause], &["name=Good"]), place.engine(&[pause, &starts], &["name=Bad"])];
    let arguments = [&["--nodes=1"], more].concat();
    let output = place.command("match whale", &engines, &arguments).output().unwrap();
    assert!(!place.something_runs());
    (output.status.success(), said(&output), place.games())
}

#[test]
fn a_start_that_fails_loses_the_game() {
    let (success, text, games) =
        with_starts("+--+", "--pause=0", &["--pairs=2", "--concurrency=1"]);
    assert!(success, "{text}");
    assert_eq!(games.len(), 4);
    for game in &games[..2] {
        let good = if game.black.name == "Good" { Side::Black } else { Side::White };
        assert_eq!((game.ending.winner, game.ending.reason), (Some(good), Reason::Died));
        assert_eq!(game.detail, "when it was started: exit status: 3");
        assert!(game.moves.is_empty());
    }
    assert!(games[2..].iter().all(|game| game.ending.reason.is_regular()), "{text}");
}

#[test]
fn starts_that_fail_again_and_again_end_the_match() {
    let (success, text, games) =
        with_starts("+---", "--pause=0", &["--pairs=2", "--concurrency=1"]);
    assert!(!success && text.contains("Bad: failed to start 3 times in a row"), "{text}");
    assert_eq!(games.len(), 2, "{text}");
}

/// One thread has its engine and plays one short game after the other, for longer than a minute; the other thread never
/// gets one.
#[test]
fn an_engine_that_runs_makes_up_for_no_start_that_fails() {
    let starts = format!("++{}", "-".repeat(5000));
    let short = ["--pairs=2000", "--concurrency=2", "--plies=6", "--max-plies=7"];
    let (success, text, games) = with_starts(&starts, "--pause=20", &short);
    assert!(!success && text.contains("Bad: failed to start 3 times in a row"), "{text}");
    let lost = games.iter().filter(|game| game.ending.reason == Reason::Died).count();
    // Up to two more where the start that works takes long, and only then ends the row of those that failed.
    assert!((2..=4).contains(&lost), "{text}");
}

/// An engine of the name Bad, in a file of its own, that is begun afresh for every game.
#[cfg(unix)]
fn copied(place: &Place, argument: &str) -> (std::path::PathBuf, [Vec<String>; 2]) {
    let program = place.path("engine");
    kujira_trial::program::copy(env!("CARGO_BIN_EXE_scripted-engine").as_ref(), &program);
    let mut copied = place.engine(&["--seed=2", argument], &["name=Bad", "restart=yes"]);
    copied[1] = format!("cmd={}", program.display());
    (program, [copied, place.engine(&["--pause=1"], &["name=Good"])])
}

/// Runs a match and does something at the first line of its output that contains this word.
#[cfg(unix)]
fn run_and_act(
    mut command: std::process::Command,
    word: &str,
    act: impl FnOnce(),
) -> (bool, String) {
    use std::io::{BufRead, BufReader};
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut act = Some(act);
    let mut text = String::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if line.contains(word)
            && let Some(act) = act.take()
        {
            act();
        }
        text.push_str(&line);
        text.push('\n');
    }
    assert!(act.is_none(), "{text}");
    (child.wait().unwrap().success(), text)
}

#[cfg(unix)]
#[test]
fn a_start_that_the_system_refuses_loses_no_game() {
    use std::os::unix::fs::PermissionsExt;
    for heals in [true, false] {
        let place = Place::new();
        // None is allowed after that for the first game.
        let (program, engines) = copied(&place, &told_starts(&place, "+!"));
        let arguments = ["--nodes=1", "--pairs=3", "--concurrency=1", "--max-plies=30"];
        let command = place.command("match whale", &engines, &arguments);
        let (success, text) = run_and_act(command, "another try in 250", || {
            let mode = if heals { 0o755 } else { 0o644 };
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&program, permissions).unwrap();
        });
        assert_eq!(success, heals, "{text}");
        let games = place.games();
        assert!(games.iter().all(|game| game.ending.reason.is_regular()), "{text}");
        assert_eq!(games.len(), if heals { 6 } else { 1 }, "{text}");
        assert!(heals || text.contains("another try in 4.0s"), "{text}");
        assert!(text.contains("!!! Bad cannot be started: "), "{text}");
        assert!(!place.something_runs());
    }
}

/// A match is played by the engines that it was begun with.
#[cfg(unix)]
#[test]
fn an_engine_that_is_built_anew_meanwhile_ends_the_match() {
    let place = Place::new();
    let (program, engines) = copied(&place, "--pause=1");
    let built = place.path("built");
    kujira_trial::program::rebuild(&program, &built);
    // Longer than anybody waits.
    let arguments = ["--nodes=1", "--pairs=5000", "--concurrency=1", "--max-plies=30"];
    let mut command = place.command("match whale", &engines, &arguments);
    let errors = std::fs::File::create(place.path("errors")).unwrap();
    command.stderr(errors);
    let build = || std::fs::rename(&built, &program).unwrap();
    let (success, text) = run_and_act(command, " game ", build);
    let errors = std::fs::read_to_string(place.path("errors")).unwrap();
    let expected = format!("Bad: expected {} as it was in the beginning", program.display());
    assert!(!success && errors.contains(&expected), "{errors} {text}");
    let games = place.games();
    assert!(
        games.len() < 10_000 && games.iter().all(|game| game.ending.reason.is_regular()),
        "{text}"
    );
}

/// Stopped, as by Ctrl-Z: the move that is awaited then comes late, but not by the engine's fault.
#[cfg(unix)]
#[test]
fn games_that_a_stall_decides_are_played_again() {
    let place = Place::new();
    let engines = [
        place.engine(&["--fault=stall", "--at=5"], &["name=A", "movetime=2.9s"]),
        place.engine(&["--seed=2"], &["name=B"]),
    ];
    let arguments = ["--nodes=1", "--pairs=2", "--concurrency=1", "--plies=6", "--max-plies=12"];
    let (text, games) = place.run("match whale", &engines, &arguments);
    assert_eq!(games.len(), 4, "{text}");
    assert!(games.iter().all(|game| game.ending.reason.is_regular()), "{text}");
    let dropped = "and it came too late: the game is dropped and played again";
    assert_eq!(text.matches(dropped).count(), 1, "{text}");
    assert!(text.contains(" dropped after a stall and played again\n"), "{text}");
}

#[test]
fn an_engine_that_never_answers() {
    loses_in_time("hang", &[], &["--grace=300ms"], Reason::Silent, "no bestmove within");
}

#[test]
fn an_engine_that_answers_late() {
    loses_in_time("late", &["margin=100ms"], &["--grace=60"], Reason::Time, "ms late");
}

#[test]
fn an_engine_that_plays_an_illegal_move() {
    loses("illegal", Reason::IllegalMove, "3c3c in ");
}

#[test]
fn an_engine_that_sees_no_legal_move_where_there_is_one() {
    loses("none", Reason::IllegalMove, "(none) in ");
    loses("null", Reason::IllegalMove, "0000 in ");
}

#[test]
fn an_engine_that_answers_with_no_move() {
    loses("babble", Reason::Nonsense, "hello,");
}

#[test]
fn an_engine_that_sends_garbage() {
    loses("garbage", Reason::Nonsense, "garbage");
}

#[test]
fn an_engine_that_floods() {
    loses("flood", Reason::Flood, "lines for one move");
    loses("line", Reason::Flood, "bytes");
}

#[test]
fn an_engine_that_resigns_or_claims() {
    loses("resign", Reason::Resignation, "");
    loses("claim", Reason::FalseClaim, "claimed in ");
}

#[test]
fn an_engine_that_ignores_quit() {
    let (_, games) = against("stay", 1, &[], &[]);
    assert!(games.iter().all(|game| game.ending.reason.is_regular()));
}

#[test]
fn an_engine_that_prints_megabytes_to_standard_error() {
    let (_, games) = against("complain", 1, &[], &[]);
    assert!(games.iter().all(|game| game.ending.reason.is_regular() && game.moves.len() > 5));
}

/// One that speaks UCI plays its own game if nothing tells it of another.
#[cfg(unix)]
#[test]
fn an_engine_without_the_game_ends_the_match_before_it_begins() {
    let place = Place::new();
    for (what, option, expected) in [
        (
            "match great",
            "",
            "expected an engine that declares great, found none that has UCI_Variant",
        ),
        (
            "match paulowich",
            "option name UCI_Variant type combo default chess var chess var whaleshogi",
            "expected a choice paulowich or paulowichwhale of UCI_Variant, found none",
        ),
    ] {
        let script = format!(
            "while read -r line; do case \"$line\" in uci) echo '{option}'; echo uciok;; \
             isready) echo readyok;; quit) exit;; esac; done"
        );
        let words =
            ["--engine", "cmd=sh", "arg=-c", &format!("arg={script}"), "name=x", "proto=uci"];
        let engines = [place.engine(&[], &[]), words.map(str::to_owned).to_vec()];
        let output = place.command(what, &engines, &["--nodes=1"]).output().unwrap();
        assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
        assert!(!place.path("match.jsonl").exists(), "nothing was played");
    }
}

#[test]
fn engines_that_cannot_play_end_the_match_before_it_begins() {
    let place = Place::new();
    let good = place.engine(&[], &[]);
    for (bad, expected) in [
        (place.engine(&["--no-such-argument"], &[]), "engine 2 (".to_owned()),
        (place.engine(&[], &["option.Sede=3"]), "expected one of the engine's options".to_owned()),
        (place.engine(&[], &["option.USI_Hsah=16"]), "found option.USI_Hsah".to_owned()),
        (
            place.engine(&[], &["option.Seed=-1"]),
            "option.Seed: expected a whole number from 0 to 1000000, found \"-1\"".to_owned(),
        ),
        (
            place.engine(&[], &["option.USI_Variant=go"]),
            "expected one of whale, paulowich, great, found \"go\"".to_owned(),
        ),
        (
            place.engine(&[], &["option.usi_variant=great"]),
            "option.usi_variant: expected the game that is played, whale, found great".to_owned(),
        ),
        (
            place.engine(&["--fault=refuse"], &["option.Seed=3"]),
            "expected it to take its options, found \"info string Error: expected no option"
                .to_owned(),
        ),
        (
            place.engine(&["--fault=refuse-as-chess"], &["option.Seed=3"]),
            "expected it to take its options, found \"No such option: name USI_Variant value "
                .to_owned(),
        ),
        (place.engine(&[], &["dir=./none"]), "./none: expected a directory".to_owned()),
        (place.engine(&["--no-such-argument"], &[]), "ended: exit status: 2".to_owned()),
        (place.engine(&[], &["colour=red"]), "colour: expected one of".to_owned()),
        (
            place.engine(&[], &["name=a", "name=b"]),
            "engine 2: name: expected it once, found it twice".to_owned(),
        ),
        (place.engine(&[], &["load=none.ini"]), "none.ini: expected a file, found none".to_owned()),
        (
            vec!["--engine".to_owned(), "cmd=./none".to_owned()],
            "cannot be started: ./none: ".to_owned(),
        ),
    ] {
        let output = place.command("match whale", &[good.clone(), bad], &["--nodes=1"]).output();
        let output = output.unwrap();
        let text = said(&output);
        assert!(!output.status.success() && text.contains(&expected), "{text}");
        assert!(!place.path("match.jsonl").exists(), "nothing was played");
    }
    // It is met before the other, which may take its time.
    let mute = [place.engine(&["--fault=mute"], &[]), good.clone()];
    let mute = place.command("match whale", &mute, &["--nodes=1", "--start=300ms"]).output();
    let text = said(&mute.unwrap());
    assert!(text.contains("engine 1 (") && text.contains("no usiok within 300.0ms"), "{text}");
    let place_of = |name: &str| place.path(name).display().to_string();
    let opening = place_of("one.usi");
    std::fs::write(&opening, "startpos moves 2e2d 5b5c 1e1d\n").unwrap();
    for (arguments, expected) in [
        (&[] as &[&str], "expected a limit"),
        (&["--tc=0"], "expected time on the clock (tc, byoyomi), found 0+0"),
        (&["--byoyomi=0"], "expected time on the clock"),
        (&["--movetime=0"], "expected a time of 1 ms or more, found \"0\""),
        (&["--nodes=1", "--hang=0"], "expected a time of 1 ms or more"),
        (&["--nodes=0"], "invalid value '0'"),
        (
            &["--nodes=1", "--max-plies=7"],
            "expected --max-plies beyond the openings' 7 plies, found 7",
        ),
        (
            &["--nodes=1", "--max-plies=3", "--openings", &opening],
            "expected --max-plies beyond the openings' 3 plies, found 3",
        ),
        (&["--nodes=1", "--plies=1", "--pairs=8"], "expected another opening of 1 to 1 plies"),
    ] {
        let engines = [good.clone(), good.clone()];
        let output = place.command("match whale", &engines, arguments).output().unwrap();
        let text = said(&output);
        assert!(!output.status.success() && text.contains(expected), "{arguments:?}: {text}");
        assert!(!text.contains("game 1.1"), "nothing was played: {text}");
    }
    assert!(!place.something_runs());
}

/// A name that would break tables, or be taken for another.
#[test]
fn names_have_a_length_and_signs() {
    let place = Place::new();
    let long = "x".repeat(70_000);
    let called = |words: &[&str], name: &str| place.engine(words, &[&format!("name={name}")]);
    for name in [&long[..], "A ", " A", "A\nB", "A\tB", "A\u{200b}"] {
        let engines = [called(&[], name), called(&["--seed=2"], "A")];
        let output = place.command("match whale", &engines, &["--nodes=1", "--pairs=1"]).output();
        let text = said(&output.unwrap());
        assert!(
            text.contains("engine 1 (") && text.contains("expected a name of 1 to 64 letters"),
            "{text}"
        );
        assert!(
            text.contains("(name=NAME gives it another)\n") && text.lines().count() == 1,
            "{text}"
        );
    }
    // What it calls itself is no better.
    let name = format!("--name={}", "y".repeat(100));
    let engines = [place.engine(&[&name], &[]), called(&["--seed=2"], "A")];
    let output = place.command("match whale", &engines, &["--nodes=1", "--pairs=1"]).output();
    assert!(said(&output.unwrap()).contains("found \"yyyy"));
    assert!(!place.path("match.jsonl").exists());
    let engines = [place.engine(&[&name], &["name=鯨 (1.0)"]), called(&["--seed=2"], &long[..64])];
    let (text, games) = place.run("match whale", &engines, &["--nodes=1", "--pairs=1"]);
    assert!(games.len() == 2 && text.contains("鯨 (1.0) against xxx"), "{text}");
    // Blanks in what it calls itself are made single, and a number behind a long name has room.
    let name = format!("--name= Two \t words  {}", "z".repeat(52));
    let engines = [place.engine(&[&name], &[]), place.engine(&[&name], &[])];
    let (text, games) = place.run("match whale", &engines, &["--nodes=1", "--pairs=1", "--fresh"]);
    let [long, cut] = [52, 51].map(|letters| format!("Two words {}", "z".repeat(letters)));
    assert!(games.len() == 2, "{text}");
    assert!(text.contains(&format!("{long} 1 against {cut} #2")), "{text}");
}

/// The bench of a build says which it is.
#[test]
fn another_signature_is_refused() {
    let place = Place::new();
    let signed = |signature: &str, name: &str, word: &str| {
        place.engine(&[&format!("--signature={signature}")], &[&format!("name={name}"), word])
    };
    let run = |engines: &[Vec<String>], more: &[&str]| {
        let arguments = [&["--nodes=1"], more].concat();
        let output = place.command("match whale", engines, &arguments).output().unwrap();
        (output.status.success(), said(&output))
    };
    let engines = [signed("77", "A", "margin=60ms"), signed("78", "B", "signature=78")];
    let (well, text) = run(&engines, &["--pairs=1", "--signature=70"]);
    assert!(!well && text.contains("engine 1 (") && !place.path("match.jsonl").exists(), "{text}");
    assert!(text.contains("expected a build with the bench signature 70, found 77\n"), "{text}");
    let mute = [place.engine(&[], &["name=A", "signature=5"]), engines[1].clone()];
    let (well, text) = run(&mute, &["--pairs=1", "--hang=50ms"]);
    assert!(!well && text.contains("does not answer: no signature of its bench within"), "{text}");
    let (well, text) = run(&engines, &["--pairs=1", "--signature=77"]);
    assert!(well, "{text}");
    let journal = std::fs::read_to_string(place.path("match.jsonl")).unwrap();
    assert!(
        journal.contains("\"signature\":77") && journal.contains("\"signature\":78"),
        "{journal}"
    );
    // Without it nobody knows that it is the same build.
    let (well, text) = run(&engines, &["--pairs=2"]);
    assert!(!well && text.contains("engine A: signature none, there 77 ("), "{text}");
}
