//! What a search answers and says: legal moves, legal lines, limits kept, the same answer twice.

mod common;

use std::cell::Cell;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use common::{
    LOOK, Player, Said, Searched, Told, centipawns, check_protocol, depth_limit, eventually, go,
    go_ticking, go_under, node_limit, search, ticking, time_limit,
};
use kujira_position::{
    AnyPosition, Leaves, Position, PositionError, Rules, Variant, VariantId, Whale, with_variant,
};
use kujira_search::{
    Bound, Control, HashError, Info, Limits, MAX_DEPTH, MateAnswer, Reporter, Score, SearchError,
    Silent, Times, perft,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Games against itself from random openings: every answer is legal, every line too.
fn self_play<V: Variant>(seed: u64, nodes: u64) {
    let mut engine = Player::new(V::ID);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for game in 0..2 {
        let mut position = Position::<V>::start();
        let mut moves: Vec<String> = Vec::new();
        engine.new_game();
        engine.set_multipv(1 + game);
        while position.outcome().is_none() && moves.len() < 60 {
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            engine.set_position(None, &texts).unwrap();
            assert_eq!(engine.position.sfen(), position.sfen());
            let text = if moves.len() < 6 {
                let legal = engine.legal_moves();
                legal[random.random_range(0..legal.len())].clone()
            } else {
                let searched = go(&mut engine, &node_limit(nodes));
                check_protocol(&position, &searched);
                searched.best().to_owned()
            };
            position.make(position.parse_usi(&text).unwrap());
            moves.push(text);
        }
    }
}

#[test]
fn answers_are_legal_moves_and_lines_are_legal_to_their_end() {
    for &game in VariantId::ALL {
        with_variant!(game, V => self_play::<V>(11, 400));
    }
}

#[test]
fn one_thread_answers_the_same_twice() {
    for &game in VariantId::ALL {
        let once = || {
            let mut engine = Player::new(game);
            let first = go(&mut engine, &node_limit(20_000));
            let reply = first.best().to_owned();
            engine.set_position(None, &[&reply]).unwrap();
            let second = go(&mut engine, &depth_limit(5));
            [first, second].map(|s| (s.answer.clone(), s.last().nodes, s.last().pv.clone()))
        };
        let runs = [once(), once()];
        assert_eq!(runs[0], runs[1]);
        assert_eq!(runs[0][0].1, 20_000, "a node limit is exact");
    }
}

#[test]
fn no_iteration_begins_that_would_pass_the_soft_limit() {
    for &game in VariantId::ALL {
        let full = go(&mut Player::new(game), &depth_limit(6));
        let nodes = |depth: u32| {
            let infos = full.infos.iter().filter(|info| info.depth == depth);
            infos.map(|info| info.nodes).max().unwrap_or(0)
        };
        // What another iteration as long as this one would come to.
        let next = |depth: u32| 2 * nodes(depth) - nodes(depth - 1);
        for depth in 2..6 {
            for soft in [next(depth) - 1, next(depth)] {
                let Some(last) = (1..6).find(|&depth| next(depth) > soft) else { continue };
                let limits = Limits { soft_nodes: Some(soft), ..Limits::default() };
                let found = go(&mut Player::new(game), &limits);
                assert_eq!((found.last().depth, found.last().nodes), (last, nodes(last)));
            }
        }
        let both = Limits { soft_nodes: Some(1_000_000), ..node_limit(3000) };
        assert_eq!(go(&mut Player::new(game), &both).last().nodes, 3000);
    }
}

/// A move found better than its window is the answer even if the search with a higher one is broken off.
#[test]
fn what_was_found_better_is_not_forgotten() {
    let mut found = 0;
    for &game in VariantId::ALL {
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..20 {
            let run = |limits: &Limits| {
                let mut engine = Player::new(game);
                let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
                engine.set_position(None, &texts).unwrap();
                go(&mut engine, limits)
            };
            let whole = run(&depth_limit(8));
            for lines in whole.infos.windows(2) {
                let [before, raised] = lines else { continue };
                if raised.bound == Bound::Lower && raised.pv.first() != before.pv.first() {
                    let cut = run(&node_limit(raised.nodes + 1));
                    assert_eq!(Some(cut.best()), raised.pv.first().map(String::as_str));
                    assert_eq!((cut.last().bound, cut.last().depth), (Bound::Exact, raised.depth));
                    found += 1;
                }
            }
            moves.push(whole.best().to_owned());
        }
    }
    assert!(found > 2, "{found}");
}

#[test]
fn what_hangs_is_taken() {
    // A piece that nobody defends, the better of two, and two at once for a lion.
    let cases = [
        (VariantId::Whale, "w5/d5/3g2/3D2/6/4W1 b - 1", "3d3c"),
        (VariantId::Whale, "w5/1d4/1h1k2/3B2/4D1/4W1 b - 1", "3d3c"),
        (VariantId::Paulowich, "w6/d6/7/3a3/3D3/7/5W1 b - 1", "4e4d"),
        (VariantId::Great, "5,w,5/11/11/11/5,s,5/5,M,5/11/11/11/11/5,W,5 b - 1", "6f6e"),
        (VariantId::Great, "w,10/11/11/5,s,5/5,h,5/5,+BR,5/11/11/11/11/5,W,5 b - 1", "6f6e6d"),
    ];
    for (game, sfen, best) in cases {
        for depth in [2, 5] {
            let searched = search(game, sfen, depth);
            // The lion may go on after its two captures.
            assert!(searched.best().starts_with(best), "{sfen} depth {depth}: {}", searched.best());
        }
    }
}

#[test]
fn two_threads_find_the_same_mate() {
    let cases = [
        (VariantId::Whale, "1npBgh/1dD2D/1D2dw/1D1d1N/H2DDD/1GWP1B b 2D 33", 3),
        (VariantId::Whale, "5w/3K2/5W/6/6/6 b - 1", 1),
    ];
    for (game, sfen, plies) in cases {
        for threads in [1, 2, 3] {
            let mut engine = Player::new(game);
            engine.set_threads(threads);
            engine.set_position(Some(sfen), &[]).unwrap();
            let searched = go(&mut engine, &depth_limit(8));
            assert_eq!(searched.score(), Score::Mate(plies), "{threads} threads");
            assert_eq!(searched.last().pv.len() as i32, plies);
        }
    }
}

#[test]
fn being_mated_is_counted_too() {
    // After 1b1a of the mate in three White has but one move.
    let mut engine = Player::new(VariantId::Whale);
    let sfen = "1npBgh/1dD2D/1D2dw/1D1d1N/H2DDD/1GWP1B b 2D 33";
    engine.set_position(Some(sfen), &["1b1a"]).unwrap();
    let searched = go(&mut engine, &depth_limit(6));
    assert_eq!(searched.score(), Score::Mate(-2));
}

/// The most nodes of a thread between two looks at the clock and the control.
const MOST_BETWEEN_LOOKS: u64 = 1024;

/// What a search that never ends answers when it is stopped with its line of this number.
fn stopped_with(number: usize, engine: &mut Player) -> Searched {
    let limits = Limits { infinite: true, ..Limits::default() };
    let control = Control::new();
    let stop = |infos: &[Told]| {
        if infos.len() == number {
            control.stop();
        }
    };
    let searched = go_under(engine, &limits, &control, stop);
    assert!(matches!(searched.answer, Said::Move { .. }));
    assert_eq!(searched.last().bound, Bound::Exact);
    searched
}

/// The thread of a search looks up from its work soon. How long that takes is in docs/benchmarks.md.
#[test]
fn stops_are_answered_after_few_nodes() {
    for &game in VariantId::ALL {
        let mut engine = Player::new(game);
        for number in 1..=12 {
            engine.new_game();
            let searched = stopped_with(number, &mut engine);
            let asked = searched.infos[number - 1].nodes;
            let more = searched.last().nodes - asked;
            assert!(more <= MOST_BETWEEN_LOOKS, "{game}: {more} nodes after line {number}");
        }
        engine.set_threads(2);
        for number in [1, 5, 9] {
            stopped_with(number, &mut engine);
        }
    }
}

#[test]
fn a_search_stopped_before_it_began_still_answers() {
    for &game in VariantId::ALL {
        let mut engine = Player::new(game);
        let control = Control::new();
        control.stop();
        let recorder = engine.recorder();
        let answer = engine.search(&Limits::default(), &control, &recorder);
        let Said::Move { best, .. } = answer else { panic!("{answer:?}") };
        assert!(engine.legal_moves().contains(&best));
        let infos = recorder.infos();
        assert_eq!(
            infos.last().map(|info| (info.bound, info.pv[0].clone())),
            Some((Bound::Exact, best))
        );
        let one = go(&mut engine, &node_limit(1));
        assert!(engine.legal_moves().contains(&one.best().to_owned()));
    }
}

#[test]
fn pondering_ends_with_the_ponder_hit() {
    // Mate in one: the tree is soon exhausted, the answer must wait all the same.
    let mut engine = Player::new(VariantId::Whale);
    engine.set_position(Some("5w/3K2/5W/6/6/6 b - 1"), &[]).unwrap();
    let (control, recorder) = (Control::new(), engine.recorder());
    let limits = Limits {
        ponder: true,
        times: Some(Times { left: [Duration::from_millis(100); 2], ..Times::default() }),
        ..Limits::default()
    };
    std::thread::scope(|scope| {
        let search = scope.spawn(|| engine.search(&limits, &control, &recorder));
        let exhausted =
            eventually(|| recorder.infos().last().is_some_and(|info| info.depth == MAX_DEPTH));
        // Long enough for an answer that waits for nothing.
        std::thread::sleep(Duration::from_millis(20));
        let waits = !search.is_finished();
        control.ponder_hit(None);
        let answer = search.join().unwrap();
        assert!(matches!(answer, Said::Move { best, .. } if best == "3b2b"));
        assert!(exhausted && waits);
    });
}

#[test]
fn the_only_move_is_played_at_once_whenever_the_clock_begins() {
    let mut engine = Player::new(VariantId::Whale);
    let sfen = "bn1wgh/dddddd/6/k5/1DDDDD/W1HPNB b - 1";
    engine.set_position(Some(sfen), &[]).unwrap();
    assert_eq!(engine.legal_moves().len(), 1);
    let times = Some(Times { byoyomi: Duration::from_secs(20), ..Times::default() });
    // With the times in the request, or with the ponder hit.
    for (first, later) in [(times, None), (None, times)] {
        for number in 1..=12 {
            let control = Control::new();
            let hit = |infos: &[Told]| {
                if infos.len() == number {
                    control.ponder_hit(later);
                }
            };
            let limits = Limits { ponder: true, times: first, ..Limits::default() };
            let searched = go_under(&mut engine, &limits, &control, hit);
            let more = searched.last().nodes - searched.infos[number - 1].nodes;
            assert!(more <= MOST_BETWEEN_LOOKS, "{more} nodes after the hit with line {number}");
        }
    }
}

/// Asserts that a search on a clock that ticks ended with the first look after so many milliseconds.
#[track_caller]
fn assert_over_at(milliseconds: u64, taken: Duration) {
    let up = Duration::from_millis(milliseconds);
    assert!(taken >= up && taken < up + LOOK * 20, "{taken:?} instead of {up:?}");
}

/// A time limit that is up, on a clock that passes with the looks at it, ends the search with the next look; the
/// milliseconds of the network are kept back.
#[test]
fn time_limits_are_kept() {
    let byoyomi = Times { byoyomi: Duration::from_millis(120), ..Times::default() };
    let byoyomi = Limits { times: Some(byoyomi), ..Limits::default() };
    for &game in VariantId::ALL {
        for (limits, milliseconds) in [(&time_limit(150), 120), (&byoyomi, 90)] {
            let once = || {
                let (searched, taken) = go_ticking(&mut Player::new(game), limits);
                assert_over_at(milliseconds, taken);
                (searched.answer, searched.infos)
            };
            assert_eq!(once(), once(), "{game}");
        }
        // The clock of every day ends it, too.
        go(&mut Player::new(game), &time_limit(50));
    }
}

#[test]
fn looking_for_a_mate_keeps_its_time() {
    let mut engine = Player::new(VariantId::Great);
    // There is none, but that takes long to prove.
    engine.set_hash(1).unwrap();
    engine.set_position(Some(VAIN), &[]).unwrap();
    let control = Control::with_clock(ticking);
    let report = engine.mate(&time_limit(150), &control, &Silent);
    assert_eq!(report.answer, MateAnswer::Unknown);
    assert_over_at(120, control.elapsed());
}

/// Hears how far a search for a mate is.
#[derive(Default)]
struct Efforts(Mutex<Vec<(u64, Duration)>>);

impl Reporter for Efforts {
    fn info(&self, info: &Info) {
        panic!("expected no mate, heard of {info:?}");
    }

    fn effort(&self, nodes: u64, time: Duration, hashfull: u32) {
        assert!(hashfull <= 1000);
        self.0.lock().unwrap().push((nodes, time));
    }
}

/// A position of the largest game in which a mate is looked for in vain for seconds.
const VAIN: &str = "br,dp,hp,8/1,h,b,2,w,se,1,m,2/brc,dpc,4,mc,2,bdc,1/2,nbc,2,kc,5/1,nb,6,rt,2/11/2,PC,5,NBC,PC,1/\
                    1,BDC,3,KC,FC,4/BWC,2,SEC,MC,2,B,3/3,M,W,NB,4,brc/BW,BD,RT,SE,2,F,3,k b BW,S,NB,2P,BC,FC,SEC,\
                    BWC,bd,f,hp,dp,br,s,nb,h,k,dpc,bc 79";

/// A clock on which to look at it takes long.
fn striding() -> Instant {
    thread_local!(static NOW: Cell<Instant> = Cell::new(Instant::now()));
    NOW.set(NOW.get() + Duration::from_millis(30));
    NOW.get()
}

#[test]
fn looking_for_a_mate_tells_every_second() {
    let mut engine = Player::new(VariantId::Great);
    engine.set_position(Some(VAIN), &[]).unwrap();
    let (control, efforts) = (Control::with_clock(striding), Efforts::default());
    let report = engine.mate(&time_limit(3500), &control, &efforts);
    assert_eq!(report.answer, MateAnswer::Unknown);
    let told = efforts.0.into_inner().unwrap();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told.is_sorted() && told.iter().zip(1..).all(|((_, time), n)| time.as_secs() == n));
}

#[test]
fn the_only_move_is_played_at_once() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut position = Position::<Whale>::start();
    while position.count_moves() != 1 {
        let moves = position.legal_moves();
        if moves.is_empty() || position.moves_made() > 100 {
            position = Position::start();
        } else {
            position.make(moves[random.random_range(0..moves.len())]);
        }
    }
    let mut engine = Player::new(VariantId::Whale);
    engine.set_position(Some(&position.sfen()), &[]).unwrap();
    let limits = Limits {
        times: Some(Times { left: [Duration::from_secs(600); 2], ..Times::default() }),
        ..Limits::default()
    };
    let searched = go(&mut engine, &limits);
    assert_eq!(searched.last().depth, 1);
    assert_eq!(searched.best(), engine.legal_moves()[0]);
}

#[test]
fn several_lines_come_as_full_sets() {
    for &game in VariantId::ALL {
        let mut engine = Player::new(game);
        engine.set_multipv(3);
        let searched = go(&mut engine, &depth_limit(4));
        // One set each depth, and the last once more with the answer.
        assert_eq!(searched.infos.len(), 5 * 3);
        for (set, depth) in searched.infos.chunks(3).zip([1, 2, 3, 4, 4]) {
            assert!(set.iter().all(|info| info.depth == depth && info.bound == Bound::Exact));
            assert_eq!(set.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3]);
            let first = |line: usize| &set[line].pv[0];
            assert!(first(0) != first(1) && first(1) != first(2) && first(0) != first(2));
            let scores: Vec<i32> = set.iter().map(|info| centipawns(info.score)).collect();
            assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        }
        assert_eq!(searched.best(), searched.infos[9].pv[0]);
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Player::new(VariantId::Whale);
    let limits = engine.only(&["6e6d"], depth_limit(4));
    assert_eq!(go(&mut engine, &limits).best(), "6e6d");
    // A move of some other position is none to choose.
    let other = Player::new(VariantId::Paulowich).position.legal_moves()[0];
    let limits = Limits { search_moves: vec![other], ..depth_limit(4) };
    let found = engine.engine.search(&engine.position, &limits, &Control::new(), &Silent);
    assert!(matches!(found, Err(SearchError::Move(_))), "{found:?}");
    let other = AnyPosition::start(VariantId::Great);
    let found = engine.engine.search(&other, &limits, &Control::new(), &Silent);
    assert!(matches!(found, Err(SearchError::Game { .. })), "{found:?}");
}

#[test]
fn a_game_that_is_over_is_resigned() {
    let mut engine = Player::new(VariantId::Whale);
    engine.set_position(Some("5w/3K2/5W/6/6/6 b - 1"), &["3b2b"]).unwrap();
    let searched = go(&mut engine, &depth_limit(3));
    assert_eq!((&searched.answer, searched.score()), (&Said::Resign, Score::Mate(0)));
    let error = engine.set_position(Some("5w/3K2/5W/6/6/6 b - 1"), &["3b2b", "1a1b"]).unwrap_err();
    assert!(matches!(error, PositionError::Over { number: 2, .. }), "{error}");
    // The position taken over last is still there.
    assert_eq!(engine.legal_moves(), Vec::<String>::new());
}

#[test]
fn an_impasse_is_claimed() {
    let sfen = "4KW/5K/6/6/w5/6 b 10D2G2H 1";
    let mut engine = Player::new(VariantId::Whale);
    engine.set_position(Some(sfen), &[]).unwrap();
    assert!(matches!(go(&mut engine, &depth_limit(2)).answer, Said::Move { .. }));
    engine.set_rules(Rules { impasse: true, ..Rules::DEFAULT });
    assert_eq!(go(&mut engine, &depth_limit(2)).answer, Said::Win);
}

#[test]
fn without_time_moves_are_compared_by_a_glance() {
    // A whale alone against a killer whale that mates beside it; the first move of the list does not.
    let mut engine = Player::new(VariantId::Whale);
    engine.set_position(Some("5w/3K2/5W/6/6/6 b - 1"), &[]).unwrap();
    assert_ne!(engine.legal_moves().first().map(String::as_str), Some("3b2b"));
    let no_time = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(go(&mut engine, &no_time).best(), "3b2b");
    let stopped = Control::new();
    stopped.stop();
    let answer = engine.search(&Limits::default(), &stopped, &Silent);
    assert!(matches!(answer, Said::Move { best, .. } if best == "3b2b"));
    // Limits on nodes are kept all the same.
    let one = go(&mut engine, &node_limit(1));
    assert_eq!(one.last().nodes, 1);
}

#[test]
fn without_time_the_move_found_before_is_played() {
    for &game in VariantId::ALL {
        let mut engine = Player::new(game);
        let mut apart = 0;
        for opening in engine.legal_moves().iter().take(4) {
            engine.new_game();
            engine.set_position(None, &[opening]).unwrap();
            let unknown = go(&mut engine, &node_limit(1)).best().to_owned();
            let found = go(&mut engine, &depth_limit(5)).best().to_owned();
            assert_eq!(go(&mut engine, &node_limit(1)).best(), found, "{game} {opening}");
            apart += usize::from(found != unknown);
        }
        assert!(apart > 0, "{game}");
    }
}

#[test]
fn a_table_too_large_leaves_the_old_one() {
    let mut engine = Player::new(VariantId::Whale);
    assert_eq!(engine.set_hash(4), Ok(()));
    let wanted = usize::MAX >> 22;
    assert_eq!(engine.set_hash(wanted), Err(HashError { wanted, kept: 4 }));
    assert!(matches!(go(&mut engine, &depth_limit(6)).answer, Said::Move { .. }));
}

#[test]
fn turning_the_board_keeps_the_score() {
    for &game in VariantId::ALL {
        let mut engine = Player::new(game);
        let score = |engine: &mut Player, depth| {
            engine.new_game();
            centipawns(go(engine, &depth_limit(depth)).score())
        };
        let [shallow, deep] = [1, 4].map(|depth| score(&mut engine, depth));
        engine.position = engine.position.turned();
        // Moves come in another order now, which deeper searches are not free of.
        assert_eq!(score(&mut engine, 1), shallow, "{game:?}");
        engine.position = engine.position.turned();
        assert_eq!(score(&mut engine, 4), deep);
    }
}

#[test]
fn perft_counts_and_stops() {
    for (&game, total) in VariantId::ALL.iter().zip([30_664, 54_323, 3_073_156]) {
        let start = AnyPosition::start(game);
        let depth = if total > 1_000_000 { 4 } else { 5 };
        let control = Control::new();
        let report = perft::count(&start, depth, Leaves::Bulk, 2, &control).unwrap();
        assert_eq!(report.total(), total);
        assert_eq!(report.moves.len(), start.legal_moves().len());
        control.stop();
        assert_eq!(perft::count(&start, 20, Leaves::Bulk, 1, &control), None);
    }
}

#[test]
fn a_search_of_some_moves_tells_the_next_one_nothing() {
    let line = "2e2d 4b4c 1e1d 2b2c 6e6d 2c2d 3e3d 1b1c 1f2e D*1b 1d1c 3b3c D*4b 3c3d 2f1f";
    let moves: Vec<&str> = line.split(' ').collect();
    let answer = |restricted: bool| {
        let mut engine = Player::new(VariantId::Whale);
        if restricted {
            let later: Vec<&str> = moves.iter().copied().chain(["2d2e", "5e5d"]).collect();
            engine.set_position(None, &later).unwrap();
            let worst = engine.only(&["B*6c"], depth_limit(9));
            go(&mut engine, &worst);
        }
        engine.set_position(None, &moves).unwrap();
        go(&mut engine, &depth_limit(5)).best().to_owned()
    };
    assert_eq!(answer(true), answer(false));
}
