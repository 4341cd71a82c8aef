//! What operators set about how to play: rungs and levels, limits, the length of a game, when to resign, when to tell.

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use common::{
    LOOK, Player, Said, Searched, Told, check_protocol, depth_limit, eventually, go, go_ticking,
    go_under, node_limit,
};
use kujira_position::{Great, Position, Variant, VariantId, with_variant};
use kujira_search::{Control, LEVELS, Ladder, Limits, Score, SearchOptions, TimeOptions, Times};

/// An engine that has been told how to play.
fn told(game: VariantId, options: SearchOptions) -> Player {
    let mut engine = Player::new(game);
    engine.set_options(options);
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

/// An engine on the rung at this place of the game's ladder.
fn on_rung(game: VariantId, place: usize) -> Player {
    let elo = Ladder::of(game).rungs[place].elo;
    told(game, SearchOptions { limits_strength: true, elo, ..SearchOptions::default() })
}

/// The first rungs of each game, from the random mover up: they overlook most.
const BLIND: std::ops::Range<usize> = 0..12;

/// Every rung that overlooks something plays games: each move is legal and was searched within the limits of the rung,
/// a mate in one that is told is one, and nobody is told to be mated who is not.
fn plays_within_bounds<V: Variant>() {
    let ladder = Ladder::of(V::ID);
    let mut mates = 0;
    for place in BLIND {
        let rung = ladder.rungs[place];
        let mut engine = on_rung(V::ID, place);
        for _ in 0..2 {
            engine.new_game();
            let mut position = Position::<V>::start();
            let mut moves: Vec<String> = Vec::new();
            while position.outcome().is_none() && moves.len() < 120 {
                let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
                engine.set_position(None, &texts).unwrap();
                let searched = go(&mut engine, &Limits::default());
                check_protocol(&position, &searched);
                let last = searched.last();
                assert!(
                    Some(last.nodes) <= rung.nodes && Some(last.depth) <= rung.depth,
                    "{last:?}"
                );
                let m = position.parse_usi(searched.best()).unwrap();
                position.make(m);
                match last.score {
                    Score::Mate(1) => {
                        assert!(position.outcome().is_some(), "{} {last:?}", position.sfen());
                        mates += 1;
                    }
                    Score::Mate(plies) => panic!("a mate in {plies} is not certain: {last:?}"),
                    Score::Centipawns(_) => {}
                }
                moves.push(searched.best().to_owned());
            }
        }
    }
    assert!(mates > 0, "no game was won by a mate that was seen");
}

#[test]
fn weak_rungs_play_legal_moves_and_tell_no_false_mate() {
    for &game in VariantId::ALL {
        with_variant!(game, V => plays_within_bounds::<V>());
    }
}

/// What is overlooked stays so in a game, and is something else in the next.
#[test]
fn blind_spots_belong_to_a_game() {
    for &game in VariantId::ALL {
        let mut engine = on_rung(game, 2);
        let mut played = BTreeSet::new();
        for _ in 0..30 {
            engine.new_game();
            let first = go(&mut engine, &Limits::default()).best().to_owned();
            let again = go(&mut engine, &Limits::default()).best().to_owned();
            assert_eq!(first, again, "{game}");
            played.insert(first);
        }
        assert!(played.len() > 3, "{game}: {played:?}");
    }
}

/// The random mover chooses among all moves: in a few hundred games of one move each is played.
#[test]
fn the_random_mover_plays_every_move() {
    for &game in VariantId::ALL {
        let mut engine = on_rung(game, 0);
        // It is emptied for every game.
        engine.set_hash(1).unwrap();
        let moves = engine.legal_moves();
        let mut played = BTreeSet::new();
        // Beyond any doubt: of so many draws one is missing once in e^20.
        for _ in 0..moves.len() * (20 + 8) {
            engine.new_game();
            played.insert(go(&mut engine, &Limits::default()).best().to_owned());
        }
        assert!(played.iter().eq(moves.iter()), "{game}: {played:?}");
    }
}

#[test]
fn full_strength_and_analysis_overlook_nothing() {
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let best = go(&mut Player::new(VariantId::Whale), &limits);
    let mut full =
        told(VariantId::Whale, SearchOptions { level: LEVELS.len(), ..SearchOptions::default() });
    let same = go(&mut full, &limits);
    assert_eq!((&same.answer, same.last().nodes), (&best.answer, best.last().nodes));
    let mut weak = told(VariantId::Whale, SearchOptions { level: 1, ..SearchOptions::default() });
    let strong = go(&mut weak, &Limits { advice: true, ..limits });
    assert_eq!((strong.last().depth, strong.last().nodes), (6, best.last().nodes));
}

/// Nothing that a blind search learnt is left when strength is full again.
#[test]
fn full_strength_after_a_weak_search_is_as_ever() {
    let limits = Limits { depth: Some(6), ..Limits::default() };
    for &game in VariantId::ALL {
        let best = go(&mut Player::new(game), &limits);
        let mut engine = on_rung(game, 3);
        go(&mut engine, &Limits::default());
        engine.set_options(SearchOptions::default());
        let after = go(&mut engine, &limits);
        assert_eq!(
            (&after.answer, after.last().nodes),
            (&best.answer, best.last().nodes),
            "{game}"
        );
    }
}

#[test]
fn a_weak_player_without_time_plays_one_of_the_moves_it_looked_at() {
    let mut engine = told(VariantId::Great, SearchOptions { level: 1, ..SearchOptions::default() });
    for nodes in [1, 100, 500] {
        engine.new_game();
        let searched = go(&mut engine, &node_limit(nodes));
        check_protocol(&Position::<Great>::start(), &searched);
        assert!(searched.last().depth <= u32::from(nodes > 1), "{nodes}");
    }
}

#[test]
fn limits_of_the_operator_hold_for_every_search() {
    let options = SearchOptions { depth: Some(3), nodes: Some(2_000), ..SearchOptions::default() };
    for &game in VariantId::ALL {
        let mut engine = told(game, options);
        for limits in [Limits::default(), depth_limit(9)] {
            engine.new_game();
            let searched = go(&mut engine, &limits);
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
            let mut engine = told(game, SearchOptions { longest_game, ..SearchOptions::default() });
            engine.set_position(Some(sfen), &[]).unwrap();
            let searched = go(&mut engine, &depth_limit(7));
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
    let mut engine = Player::new(*game);
    engine.set_position(Some(sfen), &[]).unwrap();
    assert_eq!(go(&mut engine, &depth_limit(5)).score(), Score::Mate(*plies));
    // What was found is no longer true.
    engine.set_options(SearchOptions { longest_game: Some(*number), ..SearchOptions::default() });
    assert_eq!(go(&mut engine, &depth_limit(5)).score(), Score::Centipawns(0));
}

/// An answer at a position under a wish to resign.
fn resigning(sfen: &str, resignation: Option<u32>, limits: &Limits) -> Searched {
    let mut engine =
        told(VariantId::Whale, SearchOptions { resignation, ..SearchOptions::default() });
    engine.set_position(Some(sfen), &[]).unwrap();
    go(&mut engine, limits)
}

/// White lacks most of its pieces.
const BEHIND: &str = "4w1/dddddd/6/6/DDDDDD/HGWPNB w - 2";

#[test]
fn hopeless_games_are_resigned_where_that_is_wanted() {
    let limits = depth_limit(6);
    let plays = |searched: &Searched| matches!(searched.answer, Said::Move { .. });
    let Score::Centipawns(score) = resigning(BEHIND, None, &limits).score() else {
        panic!("expected no mate here");
    };
    let behind = score.unsigned_abs();
    assert!(score < -300, "{score}");
    assert!(plays(&resigning(BEHIND, None, &limits)));
    assert!(plays(&resigning(BEHIND, Some(behind + 1), &limits)));
    let resigned = resigning(BEHIND, Some(behind), &limits);
    assert_eq!((&resigned.answer, resigned.score()), (&Said::Resign, Score::Centipawns(score)));
    // Mated by force, whatever the threshold.
    let mated = "5w/2K3/5W/6/6/6 w - 1";
    assert!(matches!(resigning(mated, None, &limits).score(), Score::Mate(plies) if plies < 0));
    assert_eq!(resigning(mated, Some(90_000), &limits).answer, Said::Resign);
    // Nobody resigns an even game, a won one, or without a look.
    let start = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1";
    assert!(plays(&resigning(start, Some(300), &limits)));
    assert!(plays(&resigning("5w/3K2/5W/6/6/6 b - 1", Some(1), &limits)));
    assert!(plays(&resigning(BEHIND, Some(1), &node_limit(1))));
    // Whoever asks for advice wants moves.
    assert!(plays(&resigning(BEHIND, Some(1), &Limits { advice: true, ..limits })));
}

#[test]
fn what_is_pondered_on_is_resigned_only_once_it_was_played() {
    let ponder = |hit: bool| {
        let mut engine = told(
            VariantId::Whale,
            SearchOptions { resignation: Some(1), ..SearchOptions::default() },
        );
        engine.set_position(Some(BEHIND), &[]).unwrap();
        let control = Control::new();
        // As soon as it knows all that it may look for.
        let react = |infos: &[Told]| match infos.last() {
            Some(info) if info.depth < 6 => {}
            _ if hit => control.ponder_hit(None),
            _ => control.stop(),
        };
        let limits = Limits { ponder: true, ..depth_limit(6) };
        go_under(&mut engine, &limits, &control, react).answer
    };
    assert_eq!(ponder(true), Said::Resign);
    assert!(matches!(ponder(false), Said::Move { .. }));
}

#[test]
fn lines_are_told_no_more_often_than_wanted() {
    let hour = Duration::from_secs(3600);
    let mut engine =
        told(VariantId::Whale, SearchOptions { pv_interval: hour, ..SearchOptions::default() });
    engine.set_multipv(2);
    let searched = go(&mut engine, &depth_limit(7));
    // The first lines are due at once, the last are always told.
    let told: Vec<_> = searched.infos.iter().map(|info| (info.depth, info.multipv)).collect();
    assert_eq!(told, [(1, 1), (1, 2), (7, 1), (7, 2)]);
}

#[test]
fn lines_are_not_held_back_for_ever() {
    // The search of three plies is over at once, but nobody asked for its end.
    let interval = Duration::from_secs(3600);
    let options =
        SearchOptions { pv_interval: interval, depth: Some(3), ..SearchOptions::default() };
    let mut engine = told(VariantId::Whale, options);
    let (recorder, control) = (engine.recorder(), Control::new());
    let limits = Limits { infinite: true, ..Limits::default() };
    std::thread::scope(|scope| {
        let search = scope.spawn(|| engine.search(&limits, &control, &recorder));
        eventually(|| recorder.infos().len() == 2);
        let depths: Vec<u32> = recorder.infos().iter().map(|info| info.depth).collect();
        control.stop();
        search.join().unwrap();
        assert_eq!(depths, [1, 3]);
    });
}

#[test]
fn seconds_that_are_paid_for_are_used() {
    let time = TimeOptions { percent: 10, full_seconds: true, ..TimeOptions::default() };
    let mut engine = told(VariantId::Whale, SearchOptions { time, ..SearchOptions::default() });
    let times = Times { left: [Duration::from_secs(60); 2], ..Times::default() };
    let limits = Limits { times: Some(times), ..Limits::default() };
    let (_, taken) = go_ticking(&mut engine, &limits);
    // A tenth of the usual second is 0.1 s: the rest of it is free but for the 30 ms of the network.
    let second = Duration::from_millis(970);
    assert!(taken >= second && taken < second + LOOK * 20, "{taken:?}");
}
