//! What operators set about how to play: levels, limits, the length of a game, when to resign, when to tell.

mod common;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use common::{Recorder, Searched, centipawns, check_protocol, depth_limit, go, node_limit};
use kujira_position::{Great, Position, VariantId, Whale, with_variant};
use kujira_search::{
    Answer, Conduct, Control, Engine, LEVELS, Level, Limits, Pace, Score, Silent, Times, engine,
};

/// An engine that has been told how to play.
fn told(game: VariantId, conduct: Conduct) -> Box<dyn Engine> {
    let mut engine = engine(game);
    engine.set_conduct(conduct);
    engine
}

/// A position with a mate, or a capture of the whale, by force.
struct Mate {
    game: VariantId,
    sfen: &'static str,
    /// The number of the next move.
    number: u32,
    /// The ply that wins.
    plies: i32,
}

const MATES: [Mate; 3] = [
    Mate {
        game: VariantId::Whale,
        sfen: "b3Dw/ddH3/5d/1D2K1/1dD1Gd/1W2GB b KH2N4D 103",
        number: 103,
        plies: 3,
    },
    Mate {
        game: VariantId::Great,
        sfen: "4,f,w,bw,3,bw/3,b,h,nb,1,+NB,1,+S,1/brc,dpc,1,bc,fc,m,mc,sec,1,bdc,bwc/2,nbc,2,kc,2,pc,2/11/11/\
               2,PC,8/5,KC,1,BC,3/4,MC,1,FC,3,BRC/3,SE,2,f,4/4,W,2,BR,3 b \
               2BD,2RT,SE,M,B,2HP,DP,BR,S,2NB,2P,K,dp,h,k,dpc,nbc,sec,bdc,bwc 97",
        number: 97,
        plies: 3,
    },
    Mate {
        game: VariantId::Great,
        sfen: "br,1,dp,b,7/2,f,w,1,nb,+SE,+HP,3/brc,dpc,nb,bc,fc,P,mc,2,+BW,1/2,nbc,2,+s,5/7,sec,3/11/11/\
               2,+rt,1,NB,3,NBC,2/1,+bd,2,MC,1,FC,BC,NB,DPC,BRC/5,M,1,F,2,BR/5,PC,W,B,+kc,DP,1 b \
               BW,BD,RT,M,S,H,P,K,KC,BDC,BWC,se,hp,h,k,sec,pc,bdc,bwc 121",
        number: 121,
        plies: 5,
    },
];

#[test]
fn weak_levels_are_careless_within_bounds() {
    let start = Position::<Whale>::start();
    for (number, level) in (1..).zip(LEVELS).take(4) {
        let mut engine = told(VariantId::Whale, Conduct { level: number, ..Conduct::default() });
        let mut played = BTreeSet::new();
        for _ in 0..40 {
            engine.new_game();
            let searched = go(engine.as_mut(), &Limits::default());
            check_protocol(&start, &searched);
            let last = searched.last();
            assert!(Some(last.nodes) <= level.nodes && Some(last.depth) <= level.depth, "{last:?}");
            assert!(searched.infos.iter().all(|info| info.multipv == 1));
            played.insert(searched.best().to_owned());
        }
        assert!(played.len() > 1, "level {number} always plays {played:?}");
    }
}

#[test]
fn careless_moves_are_not_much_worse_than_the_best() {
    let level = 5;
    let slack = Level::numbered(level).slack;
    let mut engine = told(VariantId::Paulowich, Conduct { level, ..Conduct::default() });
    engine.set_multipv(8);
    for _ in 0..20 {
        engine.new_game();
        let searched = go(engine.as_mut(), &Limits::default());
        let lines = &searched.infos[searched.infos.len() - 8..];
        let scores: Vec<i32> = lines.iter().map(|info| centipawns(info.score)).collect();
        let best = scores.iter().max().unwrap();
        // The first line is the one played; both scores are rounded.
        assert!(scores[0] >= best - slack - 1, "{scores:?}");
    }
}

#[test]
fn full_strength_and_analysis_are_not_careless() {
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let best = go(engine(VariantId::Whale).as_mut(), &limits);
    let mut full = told(VariantId::Whale, Conduct { level: LEVELS.len(), ..Conduct::default() });
    let same = go(full.as_mut(), &limits);
    assert_eq!((&same.answer, same.last().nodes), (&best.answer, best.last().nodes));
    let mut weak = told(VariantId::Whale, Conduct { level: 1, ..Conduct::default() });
    for limits in [Limits { mate: true, ..limits.clone() }, Limits { advice: true, ..limits }] {
        weak.new_game();
        let strong = go(weak.as_mut(), &limits);
        assert_eq!((strong.last().depth, strong.last().nodes), (6, best.last().nodes));
    }
}

#[test]
fn a_careless_player_without_time_plays_one_of_the_moves_it_looked_at() {
    let mut engine = told(VariantId::Great, Conduct { level: 1, ..Conduct::default() });
    for nodes in [1, 100, 500] {
        engine.new_game();
        let searched = go(engine.as_mut(), &node_limit(nodes));
        check_protocol(&Position::<Great>::start(), &searched);
        assert_eq!(searched.last().depth, u32::from(nodes > 1), "{nodes}");
    }
}

#[test]
fn limits_of_the_operator_hold_for_every_search() {
    let conduct = Conduct { depth: Some(3), nodes: Some(2_000), ..Conduct::default() };
    for &game in VariantId::ALL {
        let mut engine = told(game, conduct);
        for limits in [Limits::default(), depth_limit(9)] {
            engine.new_game();
            let searched = go(engine.as_mut(), &limits);
            let (depth, nodes) = (searched.last().depth, searched.last().nodes);
            assert!(depth == 3 && nodes <= 2_000 || nodes == 2_000, "{depth} plies, {nodes} nodes");
        }
    }
}

#[test]
fn a_game_is_drawn_after_its_last_move_unless_that_wins() {
    for Mate { game, sfen, number, plies } in MATES {
        // After so many moves more.
        let search = |more: Option<u32>| {
            let longest_game = more.map(|more| number - 1 + more);
            let mut engine = told(game, Conduct { longest_game, ..Conduct::default() });
            engine.set_position(Some(sfen), &[]).unwrap();
            let searched = go(engine.as_mut(), &depth_limit(7));
            with_variant!(game, V => {
                check_protocol(&Position::<V>::from_sfen(sfen).unwrap(), &searched);
            });
            searched.score()
        };
        let won = Score::Mate(plies);
        assert_eq!(search(None), won, "{sfen}");
        for more in 1..=plies + 1 {
            let expected = if more < plies { Score::Centipawns(0) } else { won };
            assert_eq!(search(Some(more.unsigned_abs())), expected, "{more} moves more, {sfen}");
        }
        // A game that goes on all the same has no known end.
        assert_eq!(search(Some(0)), won, "{sfen}");
    }
}

#[test]
fn another_length_of_the_game_is_another_game() {
    let Mate { game, sfen, number, plies } = &MATES[0];
    let mut engine = engine(*game);
    engine.set_position(Some(sfen), &[]).unwrap();
    assert_eq!(go(engine.as_mut(), &depth_limit(5)).score(), Score::Mate(*plies));
    // What was found is no longer true.
    engine.set_conduct(Conduct { longest_game: Some(*number), ..Conduct::default() });
    assert_eq!(go(engine.as_mut(), &depth_limit(5)).score(), Score::Centipawns(0));
}

/// An answer at a position under a wish to resign.
fn resigning(sfen: &str, resignation: Option<u32>, limits: &Limits) -> Searched {
    let mut engine = told(VariantId::Whale, Conduct { resignation, ..Conduct::default() });
    engine.set_position(Some(sfen), &[]).unwrap();
    go(engine.as_mut(), limits)
}

/// White lacks most of its pieces.
const BEHIND: &str = "4w1/dddddd/6/6/DDDDDD/HGWPNB w - 2";

#[test]
fn hopeless_games_are_resigned_where_that_is_wanted() {
    let limits = depth_limit(6);
    let plays = |searched: &Searched| matches!(searched.answer, Answer::Move { .. });
    let Score::Centipawns(score) = resigning(BEHIND, None, &limits).score() else {
        panic!("expected no mate here");
    };
    let behind = score.unsigned_abs();
    assert!(score < -300, "{score}");
    assert!(plays(&resigning(BEHIND, None, &limits)));
    assert!(plays(&resigning(BEHIND, Some(behind + 1), &limits)));
    let resigned = resigning(BEHIND, Some(behind), &limits);
    assert_eq!((&resigned.answer, resigned.score()), (&Answer::Resign, Score::Centipawns(score)));
    // Mated by force, whatever the threshold.
    let mated = "5w/2K3/5W/6/6/6 w - 1";
    assert!(matches!(resigning(mated, None, &limits).score(), Score::Mate(plies) if plies < 0));
    assert_eq!(resigning(mated, Some(90_000), &limits).answer, Answer::Resign);
    // Nobody resigns an even game, a won one, or without a look.
    let start = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1";
    assert!(plays(&resigning(start, Some(300), &limits)));
    assert!(plays(&resigning("5w/3K2/5W/6/6/6 b - 1", Some(1), &limits)));
    assert!(plays(&resigning(BEHIND, Some(1), &node_limit(1))));
    // Whoever asks for a mate, or for advice, wants moves.
    assert!(plays(&resigning(BEHIND, Some(1), &Limits { mate: true, ..limits.clone() })));
    assert!(plays(&resigning(BEHIND, Some(1), &Limits { advice: true, ..limits })));
}

#[test]
fn what_is_pondered_on_is_resigned_only_once_it_was_played() {
    let ponder = |hit: bool| {
        let mut engine =
            told(VariantId::Whale, Conduct { resignation: Some(1), ..Conduct::default() });
        engine.set_position(Some(BEHIND), &[]).unwrap();
        let control = Control::new();
        let limits = Limits { ponder: true, ..depth_limit(6) };
        std::thread::scope(|scope| {
            let search = scope.spawn(|| engine.go(&limits, &control, &Silent));
            std::thread::sleep(Duration::from_millis(100));
            if hit {
                control.ponder_hit(None)
            } else {
                control.stop()
            }
            search.join().unwrap()
        })
    };
    assert_eq!(ponder(true), Answer::Resign);
    assert!(matches!(ponder(false), Answer::Move { .. }));
}

#[test]
fn a_slip_is_no_reason_to_resign() {
    let conduct = Conduct { level: 1, resignation: Some(150), ..Conduct::default() };
    let mut engine = told(VariantId::Whale, conduct);
    let mut slipped = false;
    for _ in 0..60 {
        engine.new_game();
        let searched = go(engine.as_mut(), &Limits::default());
        assert!(matches!(searched.answer, Answer::Move { .. }));
        slipped |= centipawns(searched.score()) < -60;
    }
    assert!(slipped);
}

#[test]
fn lines_are_told_no_more_often_than_wanted() {
    let hour = Duration::from_secs(3600);
    let mut engine = told(VariantId::Whale, Conduct { pv_interval: hour, ..Conduct::default() });
    engine.set_multipv(2);
    let searched = go(engine.as_mut(), &depth_limit(7));
    // The first lines are due at once, the last are always told.
    let told: Vec<_> = searched.infos.iter().map(|info| (info.depth, info.multipv)).collect();
    assert_eq!(told, [(1, 1), (1, 2), (7, 1), (7, 2)]);
}

#[test]
fn lines_are_not_held_back_for_ever() {
    // The search of three plies is over at once, but nobody asked for its end.
    let interval = Duration::from_secs(3600);
    let conduct = Conduct { pv_interval: interval, depth: Some(3), ..Conduct::default() };
    let mut engine = told(VariantId::Whale, conduct);
    let (recorder, control) = (Recorder::default(), Control::new());
    let limits = Limits { infinite: true, ..Limits::default() };
    std::thread::scope(|scope| {
        let search = scope.spawn(|| engine.go(&limits, &control, &recorder));
        let begin = Instant::now();
        while recorder.infos().len() < 2 && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let depths: Vec<u32> = recorder.infos().iter().map(|info| info.depth).collect();
        control.stop();
        search.join().unwrap();
        assert_eq!(depths, [1, 3]);
    });
}

#[test]
fn seconds_that_are_paid_for_are_used() {
    let pace = Pace { percent: 10, full_seconds: true, ..Pace::default() };
    let mut engine = told(VariantId::Whale, Conduct { pace, ..Conduct::default() });
    let times = Times { left: [Duration::from_secs(60); 2], ..Times::default() };
    let start = Instant::now();
    go(engine.as_mut(), &Limits { times: Some(times), ..Limits::default() });
    // A tenth of the usual second is 0.1 s: the rest of it is free but for the 30 ms of the network.
    let taken = start.elapsed();
    assert!(taken >= Duration::from_millis(970), "{taken:?}");
    assert!(taken < Duration::from_secs(5), "{taken:?}");
}
