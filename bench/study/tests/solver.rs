//! The mate solver against trying everything, in positions of random games.

mod trial;

use kujira_position::{Great, Move, Paulowich, Position, Square, Variant, Whale};
use kujira_search::MateAnswer;
use kujira_search::mate::{Doubt, Progress, Solver};
use kujira_search::{Control, Limits, engine};
use kujira_study::mates::exhaustive::Exhaustive;
use kujira_study::mates::problem::is_mate;
use kujira_study::mates::selection::candidates;
use kujira_study::mates::{Finding, ask, problems, symmetries};
use trial::{Question, RandomPositions, Tally, compare};

/// Asks about `positions` positions.
fn tally<V: Variant>(mut solver: Solver<V>, positions: usize, plies: usize, seed: u64) -> Tally {
    let question = Question { plies, nodes: 60_000, effort: 200_000 };
    let (mut tally, mut exhaustive) = (Tally::default(), Exhaustive::default());
    for position in RandomPositions::<V>::new(seed).take(positions) {
        compare(&mut solver, &mut exhaustive, &position, question, &mut tally).unwrap();
    }
    tally
}

/// With a table that is large enough and one that is not, with the help of other hands and without: at least so many
/// mates and positions without one.
fn check<V: Variant>(positions: usize, plies: usize, wanted: [u64; 2]) {
    let solvers = [Solver::<V>::new(64), Solver::new(1), Solver::new(16).without_dominance()];
    let tallies = (1..).zip(solvers);
    let tallies: Vec<Tally> =
        tallies.map(|(seed, solver)| tally(solver, positions, plies, seed)).collect();
    let sum = |of: fn(&Tally) -> u64| tallies.iter().map(of).sum::<u64>();
    let (mates, none) = (sum(|tally| tally.mates), sum(|tally| tally.none));
    assert!(mates >= wanted[0] && none >= wanted[1], "{tallies:?}");
    // The hardest take longer than a test may.
    assert!(sum(|tally| tally.open) * 3 <= sum(Tally::positions), "{tallies:?}");
}

#[test]
fn whale_mates() {
    check::<Whale>(300, 5, [150, 500]);
}

#[test]
fn paulowich_mates() {
    check::<Paulowich>(200, 5, [60, 400]);
}

#[test]
fn great_mates() {
    check::<Great>(60, 3, [2, 120]);
}

/// The verdict on a position, with all first moves or some.
fn verdict(position: &Position<Whale>, first: &[Move]) -> MateAnswer {
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let mut solver = Solver::<Whale>::new(16);
    solver.solve(position, first, &limits, &Control::new(), &mut |_| ()).answer
}

/// The same position with a piece on another square.
fn moved(position: &Position<Whale>, from: Square, to: Square) -> Option<Position<Whale>> {
    let mut setup = position.setup();
    let piece = setup.get(from)?;
    (setup.get(to).is_none() && from != to).then_some(())?;
    setup.set(from, None);
    setup.set(to, Some(piece));
    setup.validate().ok()
}

/// A game in which the position after the only mating move has stood three times, and the position before it twice: a
/// piece comes to its square from two others by turns, and the defender goes to and fro.
fn repeated(position: &Position<Whale>, m: Move) -> Option<Position<Whale>> {
    let (kind, home, target) = (m.kind(), m.from(), m.to());
    let squares: Vec<Square> = Whale::SPEC.geometry.reading_order().collect();
    for &other in &squares {
        let Some(twin) = moved(position, home, other) else { continue };
        let step = |from, to| Move::board(kind, from, to, false);
        if !twin.is_legal(step(other, target)) {
            continue;
        }
        let mut after = position.clone();
        after.make(m);
        for &reply in after.legal_moves().iter().filter(|reply| !reply.is_drop()) {
            let back = Move::board(reply.kind(), reply.to(), reply.from(), false);
            let game = [
                m,
                reply,
                step(target, other),
                back,
                step(other, target),
                reply,
                step(target, home),
                back,
                m,
                reply,
                step(target, other),
                back,
            ];
            let mut played = position.clone();
            let legal = game.iter().all(|&m| {
                let legal = played.is_legal(m) && played.piece_on(m.to()).is_none();
                if legal {
                    played.make(m);
                }
                legal
            });
            if legal && played.key() == twin.key() && played.outcome().is_none() {
                return Some(played);
            }
        }
    }
    None
}

/// A position that would stand for the fourth time ends the game, and is no mate.
#[test]
fn what_has_stood_three_times_mates_nobody() {
    let mut found = 0;
    for position in RandomPositions::<Whale>::new(9).take(20_000) {
        let MateAnswer::Mate { line, .. } = verdict(&position, &[]) else { continue };
        let captures = position.piece_on(line[0].to()).is_some();
        if line.len() < 3 || line[0].is_drop() || captures {
            continue;
        }
        let Ok(fresh) = position.setup().validate() else { continue };
        let Some(game) = repeated(&fresh, line[0]) else { continue };
        let Ok(fresh) = game.setup().validate() else { continue };
        let MateAnswer::Mate { line, .. } = verdict(&fresh, &[]) else { continue };
        let moves = fresh.legal_moves();
        let others: Vec<Move> = moves.iter().copied().filter(|&m| m != line[0]).collect();
        if verdict(&fresh, &others) != MateAnswer::NoMate {
            continue;
        }
        assert_eq!(verdict(&game, &[]), MateAnswer::NoMate, "{}", game.sfen());
        found += 1;
        if found == 3 {
            return;
        }
    }
    panic!("too few to mean anything: {found}");
}

/// The sets of problems are what they say: their mates are the shortest, and those without have none.
fn check_set<V: Variant>(text: &str, wanted: [usize; 3]) {
    let candidates = candidates::<V>(text).unwrap();
    let mates: Vec<usize> = candidates
        .iter()
        .filter_map(|candidate| candidate.problem.plies)
        .map(|n| n as usize)
        .collect();
    let longest = mates.last().copied().unwrap_or(0);
    assert!(mates.is_sorted(), "by length");
    assert!(mates.len() >= wanted[0] && longest >= wanted[1], "{} to {longest}", mates.len());
    assert!(candidates.len() - mates.len() >= wanted[2], "{}", candidates.len());
    let mut solver = Solver::<V>::new(64);
    let limits = Limits { nodes: Some(5_000_000), ..Limits::default() };
    // Every fourth, and none that takes long: all of them are verified where the set is made.
    let quick = candidates.iter().filter(|candidate| candidate.nodes <= 300_000);
    for candidate in quick.step_by(4) {
        let report = solver.solve(&candidate.position, &[], &limits, &Control::new(), &mut |_| ());
        match (report.answer, candidate.problem.plies) {
            (MateAnswer::Mate { line, shortest: true, .. }, Some(plies)) => {
                assert_eq!(line.len(), plies as usize, "{}", candidate.text);
                assert!(is_mate(&candidate.position, &line), "{}", candidate.text);
            }
            (MateAnswer::NoMate, None) => {}
            (verdict, _) => panic!("{}: {verdict:?}", candidate.text),
        }
    }
}

#[test]
fn whale_problems_are_what_they_say() {
    check_set::<Whale>(include_str!("../../positions/problems-whale.epd"), [300, 25, 300]);
}

#[test]
fn paulowich_problems_are_what_they_say() {
    check_set::<Paulowich>(include_str!("../../positions/problems-paulowich.epd"), [300, 25, 300]);
}

#[test]
fn great_problems_are_what_they_say() {
    check_set::<Great>(include_str!("../../positions/problems-great.epd"), [150, 15, 150]);
}

/// Twenty of the set, mirrored, turned with the colors exchanged, and both, have the answers of the set.
fn check_symmetries<V: Variant>(text: &str) {
    let problems = problems(V::ID, text).unwrap();
    let quick = candidates::<V>(text).unwrap();
    let quick = problems.iter().zip(quick).filter(|(_, of)| (100..=20_000).contains(&of.nodes));
    let quick: Vec<_> = quick.map(|(problem, _)| problem).collect();
    let mut engine = engine(V::ID);
    let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
    for problem in quick.iter().step_by(quick.len() / 20).take(20) {
        for twin in symmetries(V::ID, problem).unwrap() {
            let asked = ask(engine.as_mut(), &twin, &limits, true).unwrap();
            assert_eq!(asked.finding, Finding::Right, "{twin}");
        }
    }
}

#[test]
fn problems_are_the_same_in_a_mirror() {
    check_symmetries::<Whale>(include_str!("../../positions/problems-whale.epd"));
    check_symmetries::<Paulowich>(include_str!("../../positions/problems-paulowich.epd"));
    check_symmetries::<Great>(include_str!("../../positions/problems-great.epd"));
}

/// A position whose mate was given up because its proof had no room, while that of its mirror image had.
#[test]
fn a_mate_that_is_proved_is_told() {
    let sfen = "3,p,3,b,1,h,br/1,k,p,1,+BW,2,f,hp,w,1/1,bdc,m,sec,3,bc,nb,dpc,1/6,+M,1,dp,1,brc/7,+SE,bw,2/11/11/2,NBC,\
                1,HP,KC,NB,SEC,3/BRC,DPC,1,BC,FC,NB,+rt,1,+pc,BDC,BWC/BR,1,H,F,W,DP,1,+nb,3/3,B,7 w rt,se,s,mc,2BD,S,K,\
                NBC,FC,KC,MC,PC,BWC 1";
    let position = Position::<Great>::from_sfen(sfen).unwrap();
    let mut solver = Solver::<Great>::new(64);
    let limits = Limits { nodes: Some(3_000_000), ..Limits::default() };
    for position in [position.mirrored(), position] {
        let control = Control::new();
        let report = solver.solve(&position, &[], &limits, &control, &mut |progress| {
            if let Progress::Mate { .. } = progress {
                control.stop();
            }
        });
        let MateAnswer::Mate { line, .. } = report.answer else { panic!("{report:?}") };
        assert!(is_mate(&position, &line), "{line:?}");
        assert_ne!(report.doubt, Some(Doubt::Wrong));
    }
}
