//! Runs of self-play: reproducible, resumable, by the rules.

mod common;

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use common::{Scratch, make, read, settings};
use kujira_data::ending::{Ending, Reason};
use kujira_data::file::{Reader, Writer};
use kujira_data::record::{GameRecord, Ply};
use kujira_data::sample::{Samples, replay, samples};
use kujira_data::score::PackedScore;
use kujira_position::{
    DrawReason, Great, Move, Outcome, Paulowich, Position, Threats, Variant, VariantId, Wanted,
    Whale,
};
use kujira_search::{Bound, Control, Info, Limits, Reporter, Searcher};
use kujira_training::datagen::{State, Target, run};
use kujira_training::settings::{Settings, WinRule};

/// Instantiates a test for every game.
macro_rules! for_all_games {
    ($($test:ident)+) => {
        mod whale { $(#[test] fn $test() { super::$test::<kujira_position::Whale>(); })+ }
        mod paulowich { $(#[test] fn $test() { super::$test::<kujira_position::Paulowich>(); })+ }
        mod great { $(#[test] fn $test() { super::$test::<kujira_position::Great>(); })+ }
    };
}

for_all_games! {
    scores_are_those_of_whole_iterations
    games_are_legal_to_the_end_that_the_rules_give
    a_seed_always_gives_the_same_games
    interrupted_runs_make_the_games_of_an_uninterrupted_one
    games_that_a_killed_run_left_out_are_made
    samples_say_what_happened
}

/// The keys of the positions in which the games' openings end.
fn opening_keys<V: Variant>(games: &[GameRecord]) -> HashSet<u64> {
    let end = |game: &GameRecord| {
        let mut position = Position::<V>::start();
        for &m in &game.opening {
            position.make(m);
        }
        position.key()
    };
    games.iter().map(end).collect()
}

/// Tells what searches tell.
#[derive(Default)]
struct Told(Mutex<Vec<Info>>);

impl Reporter for Told {
    fn info(&self, info: &Info) {
        self.0.lock().unwrap().push(info.clone());
    }
}

/// The first search of a game, begun with an empty table, ends with the first iteration after which another as long
/// would pass the soft limit.
fn scores_are_those_of_whole_iterations<V: Variant>() {
    let scratch = Scratch::new(&format!("whole-{}", V::ID));
    let path = scratch.file("games");
    let settings = Settings { nodes: 1000, max_plies: 10, ..settings(V::ID) };
    make::<V>(&path, &settings, 8, 1);
    let mut searcher = Searcher::<V>::new();
    searcher.set_hash(settings.hash).unwrap();
    for game in read(&path) {
        let mut position = Position::<V>::start();
        game.opening.iter().for_each(|&m| position.make(m));
        searcher.new_game();
        let told = Told::default();
        let limits = Limits { nodes: Some(settings.hard_nodes()), ..Limits::default() };
        searcher.search(&position, &limits, &Control::new(), &told).unwrap();
        let told = told.0.into_inner().unwrap();
        let mut before = 0;
        let mut ends = |info: &&Info| {
            let taken = info.nodes - std::mem::replace(&mut before, info.nodes);
            info.nodes + taken > settings.nodes
        };
        let last = told.iter().filter(|info| info.bound == Bound::Exact).find(&mut ends).unwrap();
        assert!(last.depth > 0 && last.nodes < settings.hard_nodes());
        let first = game.plies[0];
        assert_eq!((first.score, first.broken_off), (last.score.into(), false));
        assert_eq!(first.m, last.pv[0]);
    }
}

/// What a search says that did not even look at every move once is kept, but not learnt from.
#[test]
fn a_search_broken_off_is_not_learnt_from() {
    let scratch = Scratch::new("broken-off");
    let path = scratch.file("games");
    // There are more moves than nodes.
    let settings = Settings { nodes: 1, max_plies: 20, ..settings(VariantId::Great) };
    make::<Great>(&path, &settings, 4, 1);
    for game in read(&path) {
        assert!(!game.plies.is_empty() && game.plies.iter().all(|ply| ply.broken_off));
        let samples = samples::<Great>(&game).unwrap();
        assert!(samples.iter().all(|sample| sample.best.is_none() && !sample.is_quiet(30_000)));
    }
    // With nodes enough that does not happen.
    let path = scratch.file("whole");
    make::<Great>(&path, &Settings { nodes: 1000, ..settings }, 4, 1);
    assert!(read(&path).iter().flat_map(|game| &game.plies).all(|ply| !ply.broken_off));
}

fn games_are_legal_to_the_end_that_the_rules_give<V: Variant>() {
    let scratch = Scratch::new(&format!("legal-{}", V::ID));
    let path = scratch.file("games");
    let settings = Settings { win: None, max_plies: 400, ..settings(V::ID) };
    make::<V>(&path, &settings, 12, 1);
    let games = read(&path);
    assert_eq!(games.len(), 12);
    let mut by_rules = 0;
    for game in &games {
        assert!((6..=9).contains(&game.opening.len()));
        let end = replay::<V>(game, |position, ply| {
            assert_eq!(position.outcome(), None, "nothing is played after the end");
            assert!(!ply.random);
        })
        .unwrap();
        match end.outcome() {
            Some(outcome) => {
                by_rules += 1;
                assert_eq!(game.ending, Ending::from(outcome));
            }
            None => {
                assert_eq!(game.ending, Ending::PLY_LIMIT);
                assert_eq!(end.moves_made(), 400);
            }
        }
    }
    assert!(by_rules >= 6, "{by_rules}");
    assert_eq!(opening_keys::<V>(&games).len(), 12);
}

fn a_seed_always_gives_the_same_games<V: Variant>() {
    let scratch = Scratch::new(&format!("seed-{}", V::ID));
    let settings = Settings { random_move: 0.05, ..settings(V::ID) };
    let other = Settings { seed: 12, ..settings.clone() };
    let games = |name, settings| {
        make::<V>(&scratch.file(name), settings, 5, 1);
        read(&scratch.file(name))
    };
    let first = games("first", &settings);
    assert_eq!(first, games("again", &settings));
    let different = games("other", &other);
    assert!(opening_keys::<V>(&first).is_disjoint(&opening_keys::<V>(&different)));
}

fn interrupted_runs_make_the_games_of_an_uninterrupted_one<V: Variant>() {
    let scratch = Scratch::new(&format!("resume-{}", V::ID));
    // Some openings are dropped, so that numbers are left out.
    let settings = Settings { opening_score: 40, ..settings(V::ID) };
    let path = scratch.file("parts");
    make::<V>(&path, &settings, 2, 1);
    // Stopped from outside after the third game; one in progress is finished.
    let stopped = AtomicBool::new(false);
    let stop = |state: &State| stopped.store(state.games > state.begun.0, Ordering::Relaxed);
    let (state, _) = run::<V>(&path, &settings, Target::Games(1000), 1, &stopped, stop).unwrap();
    assert!((3..1000).contains(&state.games), "{state:?}");
    let wanted = state.games + 4;
    // Killed while a block was written.
    let length = std::fs::metadata(&path).unwrap().len();
    OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 3).unwrap();
    let never = AtomicBool::new(false);
    let target = Target::Games(wanted);
    let (state, earlier) = run::<V>(&path, &settings, target, 1, &never, |_| ()).unwrap();
    assert!(earlier.torn > 0 && earlier.games + 4 < wanted);
    assert_eq!((state.games, state.begun.0), (wanted, earlier.games));
    let games = read(&path);
    assert!(games.windows(2).all(|pair| pair[0].number < pair[1].number));

    let whole = scratch.file("whole");
    let state = make::<V>(&whole, &settings, wanted, 1);
    assert_eq!(games, read(&whole));
    assert!(state.lopsided > 0);
    // There is nothing left to do.
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(make::<V>(&path, &settings, wanted, 1).games, wanted);
    assert_eq!(make::<V>(&path, &settings, 1, 1).games, wanted);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

/// On several threads games end in another order than their openings begin in: some below the last are missing.
fn games_that_a_killed_run_left_out_are_made<V: Variant>() {
    let scratch = Scratch::new(&format!("gaps-{}", V::ID));
    let settings = Settings { opening_score: 40, ..settings(V::ID) };
    let whole = scratch.file("whole");
    make::<V>(&whole, &settings, 12, 1);
    let expected = read(&whole);
    let path = scratch.file("parts");
    let begin = |left: &[usize]| {
        let _ = std::fs::remove_file(&path);
        let (mut writer, _) = Writer::open(&path, &settings.header()).unwrap();
        left.iter().for_each(|&game| writer.add(&expected[game]).unwrap());
        writer.flush().unwrap();
    };
    let sorted = || {
        let mut games = read(&path);
        games.sort_by_key(|game| game.number);
        games
    };
    for threads in 1..=3 {
        begin(&[3, 1, 8, 6]);
        let state = make::<V>(&path, &settings, 12, threads);
        assert_eq!((sorted() == expected, state.left_out), (true, vec![]), "{threads} threads");
    }
    // Enough positions are not enough games.
    for threads in 1..=3 {
        begin(&[0, 2, 3]);
        let never = AtomicBool::new(false);
        run::<V>(&path, &settings, Target::Positions(1), threads, &never, |_| ()).unwrap();
        assert!(sorted() == expected[..4], "the second game alone is made, {threads} threads");
    }
    // Where fewer games are wanted than are missing, those left out are named.
    begin(&[1, 11]);
    let state = make::<V>(&path, &settings, 3, 1);
    assert!(sorted() == [0, 1, 11].map(|game| expected[game].clone()));
    let missing: Vec<u32> = expected[2..11].iter().map(|game| game.number).collect();
    assert!(missing.iter().all(|number| state.left_out.contains(number)), "{state:?}");
    make::<V>(&path, &settings, 12, 2);
    assert!(sorted() == expected);
}

fn samples_say_what_happened<V: Variant>() {
    let scratch = Scratch::new(&format!("samples-{}", V::ID));
    let path = scratch.file("games");
    make::<V>(&path, &Settings { random_move: 0.1, ..settings(V::ID) }, 6, 1);
    let mut all = Samples::<V, _>::new(Reader::open(&path).unwrap()).unwrap();
    let (mut captures, mut checks, mut random, mut quiet) = (0, 0, 0, 0);
    for game in read(&path) {
        let mut position = Position::<V>::start();
        for &m in &game.opening {
            position.make(m);
        }
        for ply in &game.plies {
            let sample = all.next().unwrap().unwrap();
            assert_eq!(sample.board.key(), position.key());
            assert_eq!((sample.score, sample.ply), (ply.score, position.moves_made()));
            assert_eq!(sample.in_check, position.in_check());
            let known = !ply.random && !ply.broken_off;
            assert_eq!(sample.best, known.then_some(ply.m));
            let mut list = V::MoveList::default();
            position.generate(Wanted::Captures, &Threats::default(), &mut list);
            assert_eq!(sample.captures, list.contains(&ply.m));
            assert_eq!(sample.promotes, ply.m.promotes());
            let expected = match game.ending.winner() {
                Some(winner) if winner == position.side() => 1,
                Some(_) => -1,
                None => 0,
            };
            assert_eq!(sample.result, expected);
            let still = !sample.in_check && !sample.captures && !sample.promotes && known;
            assert_eq!(sample.is_quiet(300), still && ply.score.value().abs() <= 300);
            captures += usize::from(sample.captures);
            checks += usize::from(sample.in_check);
            random += usize::from(ply.random);
            quiet += usize::from(sample.is_quiet(300));
            position.make(ply.m);
        }
    }
    assert!(all.next().is_none());
    assert!(captures > 0 && checks > 0 && random > 0 && quiet > 0);
}

#[test]
fn several_threads_make_exactly_as_many_games() {
    let scratch = Scratch::new("threads");
    let path = scratch.file("games");
    let settings = settings(kujira_position::VariantId::Whale);
    assert_eq!(make::<Whale>(&path, &settings, 7, 3).games, 7);
    assert_eq!(read(&path).len(), 7);
    let state = make::<Whale>(&path, &settings, 20, 2);
    assert_eq!((state.games, state.begun.0), (20, 7));
    let games = read(&path);
    assert_eq!((games.len(), opening_keys::<Whale>(&games).len()), (20, 20));
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    assert_eq!(state.plies, plies as u64);
    let numbers: HashSet<u32> = games.iter().map(|game| game.number).collect();
    assert_eq!(numbers.len(), 20);
}

#[test]
fn positions_can_be_asked_for() {
    let scratch = Scratch::new("positions");
    let path = scratch.file("games");
    let settings = settings(kujira_position::VariantId::Paulowich);
    let never = AtomicBool::new(false);
    for wanted in [200, 500] {
        run::<Paulowich>(&path, &settings, Target::Positions(wanted), 1, &never, |_| ()).unwrap();
        let plies: Vec<u64> = read(&path).iter().map(|game| game.plies.len() as u64).collect();
        let (all, last) = (plies.iter().sum::<u64>(), plies[plies.len() - 1]);
        assert!(all >= wanted && all - last < wanted, "{wanted}: {plies:?}");
    }
}

#[test]
fn lopsided_openings_are_dropped() {
    let scratch = Scratch::new("lopsided");
    let path = scratch.file("games");
    let settings = Settings { opening_score: 25, ..settings(kujira_position::VariantId::Great) };
    let state = make::<Great>(&path, &settings, 6, 1);
    let games = read(&path);
    assert!(games.iter().all(|game| game.plies[0].score.value().abs() <= 25));
    let last = games.iter().map(|game| u64::from(game.number)).max().unwrap();
    assert_eq!(state.lopsided, last + 1 - 6);
    assert!(state.lopsided > 0);
}

#[test]
fn openings_run_out_with_a_clear_error() {
    let scratch = Scratch::new("few");
    let path = scratch.file("games");
    let few = Settings { random_plies: (1, 1), ..settings(kujira_position::VariantId::Whale) };
    let never = AtomicBool::new(false);
    let error = run::<Whale>(&path, &few, Target::Games(50), 2, &never, |_| ()).unwrap_err();
    assert!(error.contains("expected another opening of 1 to 1 random plies"), "{error}");
    // Black has seven moves; what was played with them stays.
    assert!((1..=7).contains(&read(&path).len()));
}

/// Games end as settings say.
#[test]
fn adjudication_follows_the_settings() {
    let scratch = Scratch::new("adjudication");
    for (score, expected) in [(600, Reason::Score), (20_000, Reason::Mate)] {
        let path = scratch.file(&score.to_string());
        let win = Some(WinRule { score, plies: 5 });
        let settings = settings(kujira_position::VariantId::Whale);
        make::<Whale>(&path, &Settings { win, nodes: 1000, ..settings }, 10, 1);
        let mut reasons = HashSet::new();
        for game in read(&path) {
            reasons.insert(game.ending.reason());
            let winner = game.ending.winner();
            // Scores from the winner's point of view, the last first.
            let last: Vec<i32> = samples::<Whale>(&game)
                .unwrap()
                .iter()
                .rev()
                .map(|s| s.score.value() * if Some(s.board.side()) == winner { 1 } else { -1 })
                .collect();
            match game.ending.reason() {
                Reason::Score => assert!(last[..5].iter().all(|&found| found >= score)),
                Reason::Mate => assert!(last[..2].iter().all(|&found| found > 31_000)),
                _ => {}
            }
        }
        assert!(reasons.contains(&expected), "{score}: {reasons:?}");
    }
}

#[test]
fn games_that_the_rules_do_not_allow_are_refused() {
    let scratch = Scratch::new("illegal");
    let path = scratch.file("games");
    let settings = Settings { win: None, ..settings(kujira_position::VariantId::Whale) };
    make::<Whale>(&path, &settings, 1, 1);
    let game = read(&path).remove(0);
    assert!(samples::<Whale>(&game).is_ok());
    assert!(game.ending.reason().is_by_rules());
    let refused = |game: &GameRecord| samples::<Whale>(game).err().unwrap().to_string();

    let mut wrong = game.clone();
    wrong.plies[4].m = game.plies[5].m;
    assert!(
        refused(&wrong).starts_with("game 0: expected a legal move in "),
        "{}",
        refused(&wrong)
    );
    let mut wrong = game.clone();
    wrong.opening[0] = Move::from_bits((1 << 20) - 1).unwrap();
    assert!(refused(&wrong).contains("expected a legal move in bnpwgh/"), "{}", refused(&wrong));
    let mut wrong = game.clone();
    wrong.plies.pop();
    assert!(refused(&wrong).contains("found nothing in "), "{}", refused(&wrong));
    for ending in [Ending::PLY_LIMIT, Ending::adjudicated(kujira_position::Color::Black, true)] {
        let wrong = GameRecord { ending, ..game.clone() };
        let expected = format!("end it as it says ({ending}), found {}", game.ending);
        assert!(refused(&wrong).contains(&expected), "{}", refused(&wrong));
    }
}

/// The rules end a game, too, that says it was ended by something else later.
#[test]
fn games_that_go_on_after_their_end_are_refused() {
    let start = Position::<Great>::start();
    let after = |moves: &[Move]| {
        let mut position = start.clone();
        for &m in moves {
            assert!(position.is_legal(m));
            position.make(m);
        }
        position
    };
    // A move that can be taken back at once.
    let there = |moves: &[Move]| {
        let mut position = after(moves);
        let back = |m: Move| Move::board(m.kind(), m.to(), m.from(), false);
        let legal = position.legal_moves().into_iter();
        let mut found = legal.filter_map(|m| {
            position.make(m);
            position.pass();
            let can = position.is_legal(back(m));
            position.undo();
            position.undo();
            can.then_some((m, back(m)))
        });
        found.next().unwrap()
    };
    let (black, black_back) = there(&[]);
    let (white, white_back) = there(&[black]);
    let mut moves = [black, white, black_back, white_back].repeat(3);
    assert_eq!(after(&moves).outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
    let away = start.legal_moves().into_iter().find(|&m| m != black).unwrap();
    moves.push(away);
    assert_eq!(after(&moves).outcome(), None);

    let score = PackedScore::default();
    let ply = |m| Ply { m, score, random: false, broken_off: false };
    for opening in [0, 12, 13] {
        let (opening, rest) = moves.split_at(opening);
        let game = GameRecord {
            number: 7,
            opening: opening.to_vec(),
            plies: rest.iter().copied().map(ply).collect(),
            ending: Ending::PLY_LIMIT,
        };
        let error = samples::<Great>(&game).err().unwrap().to_string();
        assert!(error.starts_with("game 7: expected a legal move in "), "{error}");
        assert!(error.ends_with("after the end (draw: fourfold repetition)"), "{error}");
    }
}
