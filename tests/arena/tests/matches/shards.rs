//! Shares of a match, a tournament and an analysis, which come to what one machine comes to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kujira_arena::journal::Stream;
use kujira_usi::Reason;

use crate::harness::{Place, said};

pub(crate) fn bench(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
    command.args(words);
    command
}

pub(crate) fn well(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

pub(crate) fn refused(output: &Output, expected: &str) {
    assert!(!output.status.success() && said(output).contains(expected), "{}", said(output));
}

pub(crate) fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

/// Those of the usual arguments that others do not replace.
fn unless_in<'a>(more: &[&str], usual: &[&'a str]) -> Vec<&'a str> {
    let name = |word: &str| word.split('=').next().map(str::to_owned);
    usual
        .iter()
        .copied()
        .filter(|word| more.iter().all(|other| name(other) != name(word)))
        .collect()
}

/// Two engines that play alike in every game of a number, and a match between them; files at `folder`/`name`.
pub(crate) struct Pair(Vec<String>);

impl Pair {
    pub(crate) fn new(place: &Place) -> Self {
        let engines =
            [place.engine(&["--pause=1"], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
        Self(engines.concat())
    }

    pub(crate) fn play(&self, folder: &Path, name: &str, more: &[&str]) -> Command {
        let mut command = bench(&["match", "whale", "--nodes=1", "--seed=11", "--plain", "--out"]);
        command.arg(folder.join(name)).args(&self.0).args(more);
        command.args(unless_in(more, &["--pairs=10", "--max-plies=60"]));
        command
    }
}

pub(crate) fn collect(folder: &Path, name: &str, journals: &[PathBuf]) -> Command {
    let mut command = bench(&["collect", "--out"]);
    command.arg(folder.join(name)).args(journals);
    command
}

pub(crate) fn shards_of(folder: &Path, name: &str, of: u32) -> Vec<PathBuf> {
    (0..of).map(|index| folder.join(format!("{name}.{index}-of-{of}.jsonl"))).collect()
}

/// Kills of one of three machines lose and double nothing: what is collected is the match of one machine, game by game.
#[cfg(unix)]
#[test]
fn shards_that_are_killed_make_the_match_of_one_machine() {
    use kujira_trial::kills::{Trial, wanted};

    use crate::kills::{FEW, essence};

    let place = Place::new();
    let pair = Pair::new(&place);
    let one = place.path("one");
    fs::create_dir(&one).unwrap();
    well(&mut pair.play(&one, "match", &["--concurrency=1"]));
    let trial = Trial::new("match");
    trial.run(
        wanted(FEW),
        |folder| pair.play(folder, "match", &["--shard=1/3", "--concurrency=2"]),
        |folder| {
            for shard in ["--shard=0/3", "--shard=2/3"] {
                well(&mut pair.play(folder, "match", &[shard, "--concurrency=2"]));
            }
            let journals = shards_of(folder, "match", 3);
            // Somebody's own list is written over by nobody.
            let own = folder.join("match.openings");
            fs::write(&own, "startpos moves 1e1d\n").unwrap();
            let output = collect(folder, "match", &journals).output().unwrap();
            refused(&output, "expected no file or the openings of the match");
            assert_eq!(read(&own), "startpos moves 1e1d\n");
            fs::remove_file(&own).unwrap();
            // The order in which they are named does not matter.
            let reversed: Vec<_> = journals.iter().rev().cloned().collect();
            let said = well(&mut collect(folder, "match", &reversed));
            assert!(said.contains("\n20 games in "), "{said}");
            for name in ["match.usi", "match.openings"] {
                assert_eq!(read(folder.join(name)), read(one.join(name)), "{name}");
            }
            let [found, expected] =
                [folder, &one].map(|folder| essence(&folder.join("match.jsonl")));
            assert_eq!(found, expected);
            // It goes on: nothing is left to be played.
            let before = read(folder.join("match.jsonl"));
            let said = well(&mut pair.play(folder, "match", &[]));
            assert!(said.contains("taking up the match after 20 games"), "{said}");
            assert_eq!(read(folder.join("match.jsonl")), before);
            let said = well(&mut collect(folder, "match", &journals));
            assert!(said.contains("\n20 games in "), "{said}");
            assert_eq!(read(folder.join("match.jsonl")), before);
        },
    );
}

#[test]
fn the_head_of_a_shard_says_where_and_what() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("");
    well(&mut pair.play(&here, "match", &["--shard=1/9"]));
    well(&mut pair.play(&here, "other", &["--first=3", "--count=1"]));
    let read = |name: &str| {
        let mut stream = Stream::open(&place.path(name), false).unwrap();
        let first = stream.next_game().unwrap().unwrap().game;
        let host = stream.host().cloned().unwrap();
        assert!(host.nps > 0 && host.cores > 0, "{host:?}");
        let header = stream.header().unwrap().clone();
        assert_eq!(header.experiment, Some(header.experiment()));
        (header.shard.unwrap().to_string(), first.id.round, header.experiment())
    };
    let (share, round, experiment) = read("match.1-of-9.jsonl");
    assert_eq!((&share[..], round), ("1/9", 1));
    let (share, round, batch) = read("other.3-and-1.jsonl");
    assert_eq!((&share[..], round), ("3+1", 3));
    assert_eq!(experiment, batch, "how a match is shared out is no part of what it is");
    // The journal is one of games like any other.
    let games = place.path("games.usi");
    well(
        bench(&["convert", "--to=usi", "--out"]).arg(&games).arg(place.path("match.1-of-9.jsonl")),
    );
    assert_eq!(fs::read_to_string(games).unwrap().matches("startpos moves ").count(), 2);
}

/// Shards that are not finished can be collected; what is missing is played by whoever goes on.
#[test]
fn shards_are_collected_as_they_grow() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("");
    well(&mut pair.play(&here, "one", &["--concurrency=1"]));
    well(&mut pair.play(&here, "match", &["--shard=1/2", "--concurrency=1"]));
    let journals = shards_of(&here, "match", 2);
    let whole = read(&journals[1]);
    let part: String = whole.split_inclusive('\n').take(2 + 3).collect();
    fs::write(&journals[1], format!("{part}{{\"game\":{{\"rou")).unwrap();
    let said = well(&mut collect(&here, "match", &journals[1..]));
    assert!(said.contains("no journal of 0/2\n3 games in "), "{said}");
    assert!(said.ends_with(", one of whose pairs lacks a game\n"), "{said}");
    fs::write(&journals[1], whole).unwrap();
    well(&mut collect(&here, "match", &journals[1..]));
    assert_eq!(read(place.path("match.usi")).lines().count(), 10);
    // What nobody has played yet.
    well(&mut pair.play(&here, "match", &["--concurrency=1"]));
    let said = well(&mut collect(&here, "match", &journals[1..]));
    assert!(said.contains("\n20 games in "), "{said}");
    assert_eq!(read(place.path("match.usi")), read(place.path("one.usi")));
}

#[test]
fn what_does_not_go_together_is_refused() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("");
    for shard in ["--shard=0/2", "--shard=1/2"] {
        well(&mut pair.play(&here, "match", &[shard, "--pairs=2"]));
    }
    well(&mut pair.play(&here, "other", &["--shard=1/2", "--pairs=2", "--max-plies=50"]));
    well(&mut pair.play(&here, "again", &["--shard=1/2", "--pairs=2", "--fresh"]));
    well(&mut pair.play(&here, "batch", &["--first=1", "--count=2", "--pairs=2"]));
    let journals = shards_of(&here, "match", 2);
    let journal = |name: &str| place.path(name);
    let with = |more: PathBuf| [&journals[..1], &[more]].concat();
    for (journals, expected) in [
        (with(journal("other.1-of-2.jsonl")), "found another: max-plies 60, there 50"),
        (
            [&journals[..], &[journal("again.1-of-2.jsonl")]].concat(),
            "found share 1/2 beside share 1/2 of ",
        ),
        ([&journals[..], &journals[..1]].concat(), "found share 0/2 beside share 0/2 of "),
        (
            [&journals[1..], &[journal("batch.1-and-2.jsonl")]].concat(),
            "found share 1+2 beside share 1/2 of ",
        ),
    ] {
        refused(&collect(&here, "pool", &journals).output().unwrap(), expected);
        assert!(!journal("pool.jsonl").exists());
    }
    // A shard is no other shard, and no match.
    fs::rename(journal("match.1-of-2.jsonl"), journal("match.0-of-2.jsonl")).unwrap();
    let output = pair.play(&here, "match", &["--shard=0/2", "--pairs=2"]).output().unwrap();
    refused(&output, "this one differs: shard 0/2, there 1/2");
    // What others wrote stays.
    fs::write(journal("mine.usi"), "mine\n").unwrap();
    let shard = [journal("match.0-of-2.jsonl")];
    refused(&collect(&here, "mine", &shard).output().unwrap(), "expected no games at ");
    assert_eq!(read(journal("mine.usi")), "mine\n");
}

/// What plays on because of results says what to do instead.
#[test]
fn what_cannot_be_shared_out_says_so() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let out = place.path("x").display().to_string();
    let words = |command: &str, engines: &[String], more: &[&str]| {
        let mut made = bench(&[command, "whale", "--nodes=1", "--shard=0/2", "--out", &out]);
        made.args(engines).args(more);
        made.output().unwrap()
    };
    let one = place.engine(&["--numbers"], &["option.EvalFile=none"]);
    refused(&words("sprt", &pair.0, &[]), "report --watch FOLDER --elo0 A --elo1 B is the test");
    refused(
        &words("spsa", &one, &["--params=Seed"]),
        "--concurrency plays several games at a time",
    );
    let factor = ["--factor=idle=1,2", "--pairs-per-row=2"];
    refused(&words("factorial", &one, &factor), "--concurrency plays several games at a time");
    refused(&words("ladder", &one, &[]), "--from and --to choose rungs");
    refused(
        &words("match", &pair.0, &["--stop-file=."]),
        "--stop-file: .: expected a file or nothing, found a folder",
    );
    refused(
        &words("match", &pair.0, &["--max-score=100"]),
        "make a list with openings --max-score",
    );
    let cup = place.path("cup.toml");
    // What is about one run is no part of a tournament.
    for run in
        [&["--shard=0/2"][..], &["--first=0", "--count=2"], &["--stop-file=stop"], &["--fresh"]]
    {
        let mut save = bench(&["match", "whale", "--nodes=1", "--out=cup", "--save"]);
        let output = save.arg(&cup).args(run).args(&pair.0).output().unwrap();
        let expected = "cannot be used with";
        assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
    }
    well(bench(&["match", "whale", "--nodes=1", "--out=cup", "--save"]).arg(&cup).args(&pair.0));
    let text = read(&cup);
    for format in ["swiss", "knockout"] {
        fs::write(&cup, text.replacen("\n\n", &format!("\nformat = \"{format}\"\n\n"), 1)).unwrap();
        let output = bench(&["tournament", "--shard=0/2"]).arg(&cup).output().unwrap();
        refused(&output, "a round robin or a gauntlet can be shared out");
    }
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn a_tournament_of_shards_has_the_tables_of_one_machine() {
    let place = Place::new();
    let engines = ["A", "B", "C"].map(|name| {
        place.engine(&[&format!("--seed={}", name.len()), "--pause=0"], &[&format!("name={name}")])
    });
    let folder = |name: &str| {
        let folder = place.path(name);
        fs::create_dir(&folder).unwrap();
        let file = folder.join("cup.toml");
        let mut save = bench(&["match", "whale", "--nodes=1", "--max-plies=40", "--pairs=3"]);
        save.args(["--concurrency=1", "--seed=5", "--out=cup", "--save"]).arg(&file);
        // What is in the folder where it is saved counts from there.
        well(save.args(engines.concat()).current_dir(&folder));
        (folder, file)
    };
    let (one, file) = folder("one");
    well(bench(&["tournament", "--plain"]).arg(&file));
    let (many, file) = folder("many");
    for shard in 0..4 {
        let shard = format!("--shard={shard}/4");
        let said = well(bench(&["tournament", "--plain", &shard]).arg(&file));
        assert!(said.contains(" of share "), "{said}");
    }
    // Pairs of more engines have other numbers: no share could know which are its own.
    let other = many.join("more.toml");
    let joins = format!(
        "{}\n[[engine]]\ncmd = \"{}\"\nname = \"New\"\n",
        read(&file),
        engines[0][1].replace("cmd=", "")
    );
    fs::write(&other, joins).unwrap();
    let mut more = bench(&["tournament", "--plain", "--shard=1/4", "--out"]);
    refused(
        &more.arg(many.join("cup")).arg(&other).output().unwrap(),
        "(collect the shares first,",
    );
    // A folder can be moved.
    let moved = place.path("moved");
    fs::rename(&many, &moved).unwrap();
    well(&mut collect(&moved, "cup", &shards_of(&moved, "cup", 4)));
    well(bench(&["tournament", "--plain"]).arg(moved.join("cup.toml")));
    for ending in ["usi", "txt", "csv", "svg"] {
        let [found, expected] =
            [&moved, &one].map(|folder| read(folder.join("cup").with_extension(ending)));
        assert_eq!(found, expected, "{ending}");
    }
    let page = |folder: &Path| read(folder.join("cup.html")).matches("\"players\":").count();
    assert_eq!((page(&moved), page(&one)), (18, 18));
}

#[test]
fn an_analysis_of_shards_is_that_of_one_machine() {
    let place = Place::new();
    let games = place.path("games.usi");
    fs::write(&games, "startpos moves 2e2d 6b6c 1e1d\nstartpos moves 1e1d\nstartpos moves 2e2d\n")
        .unwrap();
    let analyse = |name: &str, more: &[&str]| {
        let mut command = bench(&["analyse", "--hash=1", "--out"]);
        command.arg(place.path(name)).arg(&games).args(unless_in(more, &["--nodes=200"]));
        well(command.args(more))
    };
    analyse("one.pgn", &[]);
    analyse("many.pgn", &["--shard=0/2"]);
    analyse("many.pgn", &["--shard=1/2"]);
    let shards: Vec<_> = [0, 1].map(|k| place.path(&format!("many.{k}-of-2.pgn.analysis"))).into();
    let said = well(&mut collect(&place.path(""), "many.pgn", &shards));
    assert!(said.starts_with("8 positions in "), "{said}");
    analyse("many.pgn", &[]);
    for ending in ["", ".analysis"] {
        assert_eq!(
            read(place.path(&format!("many.pgn{ending}"))),
            read(place.path(&format!("one.pgn{ending}")))
        );
    }
    let other = place.path("other");
    fs::create_dir(&other).unwrap();
    analyse("other/a.pgn", &["--shard=1/2", "--nodes=300"]);
    let mixed = [shards[0].clone(), other.join("a.1-of-2.pgn.analysis")];
    let output = collect(&place.path(""), "mixed.pgn", &mixed).output().unwrap();
    refused(&output, "found another: nodes 200, there 300");
}

/// Lists, problems and books: those of shards are no others than one machine's, or have a seed of their own.
#[test]
fn lists_problems_and_books_are_shared_out() {
    let place = Place::new();
    let list = |more: &[&str]| {
        let mut command = bench(&["openings", "whale", "--seed=3", "--out"]);
        command.arg(place.path("list.txt")).args(unless_in(more, &["--count=7"]));
        well(command.args(more));
    };
    list(&[]);
    let lines = |name: &str| read(place.path(name)).lines().map(str::to_owned).collect::<Vec<_>>();
    let all = lines("list.txt");
    for shard in 0..3 {
        list(&[&format!("--shard={shard}/3")]);
        let own: Vec<_> = all.iter().skip(shard).step_by(3).cloned().collect();
        assert_eq!(lines(&format!("list.{shard}-of-3.txt")), own);
    }
    list(&["--first=2", "--count=3"]);
    assert_eq!(lines("list.2-and-3.txt"), all[2..5]);
    let judge = place.engine(&["--numbers"], &["option.EvalFile=none"]);
    let mut judged = bench(&["openings", "whale", "--count=7", "--seed=3", "--shard=2/3", "--out"]);
    judged.arg(place.path("judged.txt")).args(judge).arg("--max-score=30000");
    well(&mut judged);
    assert_eq!(lines("judged.2-of-3.txt"), lines("list.2-of-3.txt"));
    let seeds = ["0/2", "1/2"].map(|shard| {
        let mut command =
            bench(&["problems", "whale", "selfplay", "--play-nodes=50", "--nodes=500"]);
        command.args(["--count=3", "--shard", shard, "--out"]).arg(place.path("problems.epd"));
        well(&mut command);
        let mut book = bench(&["book", "build", "whale", "--nodes=300", "--hash=1"]);
        book.args(["--positions=4", "--shard", shard, "--journal"]).arg(place.path("book.txt"));
        well(&mut book);
        let name = shard.replace('/', "-of-");
        assert_eq!(lines(&format!("book.{name}.txt")).len(), 1 + 2);
        lines(&format!("problems.{name}.epd"))
    });
    assert_eq!(seeds[0][0], "# problems whale selfplay seed 1 shard 0/2");
    assert!(seeds[0].len() > 2 && seeds[1].len() > 1 && seeds[0][1] != seeds[1][1], "{seeds:?}");
}

#[test]
fn a_match_ends_after_its_pair_where_the_stop_file_is() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("");
    let stop = place.path("stop");
    let with = |more: &[&str]| {
        let mut command = pair.play(&here, "match", &["--concurrency=1"]);
        command.arg("--stop-file").arg(&stop).args(more);
        command
    };
    fs::write(&stop, "").unwrap();
    let said = well(&mut with(&[]));
    assert!(said.contains("\nended by the stop file\n") && place.games().is_empty(), "{said}");
    fs::remove_file(&stop).unwrap();
    // More than one game takes, and less than ten pairs.
    let hold = place.hold(45);
    let held = place.engine(&[&hold], &["name=A"]);
    let mut command = place.command(
        "match whale",
        &[held, place.engine(&["--seed=2"], &["name=B"])],
        &["--nodes=1", "--max-plies=60", "--pairs=10", "--concurrency=1", "--fresh"],
    );
    command.arg("--stop-file").arg(&stop);
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    assert!(kujira_trial::soon(|| place.lines("match.jsonl") > 1));
    fs::write(&stop, "").unwrap();
    place.let_go();
    assert!(child.wait().unwrap().success());
    let games: Vec<_> = place.games().iter().map(|game| (game.id.round, game.id.leg)).collect();
    let pairs = (0..games.len() as u32 / 2).flat_map(|round| [(round, 0), (round, 1)]);
    assert_eq!(games, pairs.collect::<Vec<_>>());
    assert!(!games.is_empty() && games.len() < 20, "{games:?}");
}

/// A list that is played stays as it is, though it has the name of the match's own openings.
#[test]
fn a_list_beside_the_match_stays() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("list");
    fs::create_dir(&here).unwrap();
    let list = here.join("match.openings");
    let text = "# mine\nstartpos moves 1e1d\nstartpos moves 2e2d\n";
    fs::write(&list, text).unwrap();
    for shard in ["--shard=0/2", "--shard=1/2"] {
        let mut command = pair.play(&here, "match", &[shard, "--pairs=2"]);
        well(command.arg("--openings").arg(&list));
    }
    for _ in 0..2 {
        well(&mut collect(&here, "match", &shards_of(&here, "match", 2)));
        assert_eq!(read(&list), text);
    }
}

/// What is watched ends with the pair with which one machine's test ends, and calls the machines off.
#[test]
fn a_test_over_machines_is_watched() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("shards");
    fs::create_dir(&here).unwrap();
    let stop = place.path("stop");
    let watch = |more: &[&str]| {
        let mut command = bench(&["report", "--watch"]);
        command.arg(&here).args(["--elo0=0", "--elo1=200", "--every=0.05", "--stop-file"]);
        command.arg(&stop).args(more);
        command
    };
    // Nobody plays.
    let output = watch(&["--silent=0.2"]).output().unwrap();
    refused(&output, "expected journals of shards, found none within 0.2 s");
    assert!(!stop.exists());
    // What is there is not lost, and nothing is played for it.
    for (name, text) in [("notes", "mine\n"), ("empty", ""), ("more", "passed\nmore")] {
        let file = place.path(name);
        fs::write(&file, text).unwrap();
        let mut command = bench(&["report", "--elo0=0", "--elo1=200", "--watch"]);
        let output = command.arg(&here).arg("--stop-file").arg(&file).output().unwrap();
        refused(&output, "expected no file, or one that says passed or failed and nothing else");
        assert_eq!(read(&file), text);
    }
    let mut command = bench(&["report", "--elo0=0", "--elo1=200", "--watch"]);
    command.arg(&here).arg("--stop-file").arg(here.join("match.0-of-2.jsonl"));
    refused(&command.output().unwrap(), "expected another name than that of a journal (.jsonl)");
    assert_eq!(watch(&["--json"]).output().unwrap().status.code(), Some(2));
    // As one machine ends.
    let mut sprt =
        bench(&["sprt", "whale", "--nodes=1", "--max-plies=60", "--seed=11", "--elo1=200"]);
    sprt.args(["--pairs=200", "--concurrency=1", "--plain", "--out"]).arg(place.path("one"));
    let one = well(sprt.args(&pair.0));
    let verdict = if one.contains(", passed\n") { "passed" } else { "failed" };
    assert!(one.contains(&format!(", {verdict}\n")), "{one}");
    let pairs = games_in(&place.path("one.jsonl")).div_ceil(2);
    let mut shards: Vec<_> = ["--shard=0/2", "--shard=1/2"]
        .map(|shard| {
            let mut command = pair.play(&here, "match", &[shard, "--pairs=200"]);
            command.arg("--stop-file").arg(&stop).stdout(std::process::Stdio::null());
            command.spawn().unwrap()
        })
        .into();
    let said = well(&mut watch(&["--silent=60"]));
    assert!(said.ends_with(&format!(": {verdict} after {pairs} pairs\n")), "{said}");
    for shard in &mut shards {
        assert!(shard.wait().unwrap().success());
    }
    assert_eq!(read(&stop), format!("{verdict}\n"));
    let journals = shards_of(&here, "match", 2);
    let played: usize = journals.iter().map(|path| games_in(path)).sum();
    assert!(played < 400, "{played} games: nobody was called off");
    let whole: Vec<String> = journals.iter().map(read).collect();
    // A shard that tells nothing is left out by name.
    let lines: String = read(&journals[0]).split_inclusive('\n').take(3).collect();
    fs::write(&journals[0], lines).unwrap();
    let said = well(&mut watch(&["--silent=0.2"]));
    assert!(said.contains("shard 0/2 was silent and is left out\n"), "{said}");
    // What is no journal of a match is passed over, and told of once.
    fs::write(here.join("log.jsonl"), "{\"time\":1}\n").unwrap();
    fs::create_dir(here.join("d.jsonl")).unwrap();
    let said = well(&mut watch(&["--silent=0.2"]));
    for (name, found) in [("log", "something else"), ("d", "a folder")] {
        let word =
            format!("{name}.jsonl: expected the journal of a match, found {found}: passed over");
        assert_eq!(said.matches(&word).count(), 1, "{said}");
    }
    // Where the test is withheld nobody is told to stop.
    fs::remove_file(&stop).unwrap();
    for (path, text) in journals.iter().zip(&whole) {
        let regular = [Reason::Checkmate, Reason::PlyLimit, Reason::Repetition];
        let disputed = regular.iter().fold(text.clone(), |text, reason| {
            text.replace(&format!("\"{}\"", reason.name()), "\"illegal-move\"")
        });
        fs::write(path, crate::harness::resummed(&disputed)).unwrap();
    }
    let output = watch(&["--silent=0.2"]).output().unwrap();
    refused(&output, "the match is void: ");
    assert!(!stop.exists());
    // Others than these are refused.
    well(&mut pair.play(&here, "other", &["--shard=0/9", "--pairs=2", "--max-plies=50"]));
    let output = watch(&["--silent=0.2"]).output().unwrap();
    refused(&output, "found another: max-plies ");
}

fn games_in(journal: &Path) -> usize {
    let mut stream = Stream::open(journal, false).unwrap();
    std::iter::from_fn(|| stream.next_game().unwrap()).count()
}

/// Whatever ends a job tells all of its processes: an engine that hears of it first loses no game.
#[cfg(target_os = "linux")]
#[test]
fn a_job_that_is_ended_loses_no_game() {
    let place = Place::new();
    // More than one game takes, and less than ten.
    let hold = place.hold(45);
    let engines = [place.engine(&[&hold], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let more = ["--nodes=1", "--max-plies=60", "--pairs=5", "--concurrency=1"];
    let mut command = place.command("match whale", &engines, &more);
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    assert!(kujira_trial::soon(|| place.lines("match.jsonl") > 1 && place.engines().len() == 2));
    let tell = |signal: &str, process: u32| {
        let told = Command::new("kill").args([signal, &process.to_string()]).status();
        assert!(told.unwrap().success());
    };
    // The runner wakes when its engines are dead and it is told to end, too: however slow this machine is, it learns
    // both at once.
    tell("-STOP", child.id());
    place.engines().into_iter().for_each(|engine| tell("-TERM", engine));
    assert!(kujira_trial::soon(|| place.engines().is_empty()));
    tell("-TERM", child.id());
    tell("-CONT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    place.let_go();
    let (said, games) = place.run("match whale", &engines, &more);
    assert_eq!(games.len(), 10, "{said}");
    assert!(games.iter().all(|game| game.ending.reason.is_regular()), "{said}");
}
