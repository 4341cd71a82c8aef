//! Knock-out: whoever loses a pairing is out.
//!
//! The bracket is that of seeds, which are the numbers of the engines: the first two can meet in the last round alone,
//! the first four in the last two. Where engines are no power of two the first of them have a bye in the first round.
//! Two engines that come out even play further pairs of games, one by one; where the last of these leaves them even, the
//! higher seed goes on.

use super::{Encounter, Results, Round};

/// How many rounds there are among so many engines.
#[must_use]
pub fn number_of_rounds(engines: usize) -> u32 {
    engines.max(1).next_power_of_two().ilog2()
}

/// The rounds that are known: those before are decided. Each pairing has `pairs` pairs of games and up to `extra` more.
#[must_use]
pub fn rounds(engines: usize, pairs: u32, extra: u32, results: &Results) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    let mut left = bracket(engines);
    for number in 0..number_of_rounds(engines) {
        let mut round = Round::default();
        let mut winners = Vec::new();
        for two in left.chunks(2) {
            let (Some(one), other) = (two[0], two.get(1).copied().flatten()) else { continue };
            let Some(other) = other else {
                round.byes.push(one);
                winners.push(Some(one));
                continue;
            };
            let first = number.saturating_mul(pairs.saturating_add(extra));
            let encounter = meet([one.min(other), one.max(other)], first, [pairs, extra], results);
            winners.push(winner(&encounter));
            round.encounters.push(encounter);
        }
        let decided = round.is_decided();
        rounds.push(round);
        if !decided {
            break;
        }
        left = winners;
    }
    rounds
}

/// Who goes on, once that is known.
#[must_use]
pub fn winner(encounter: &Encounter) -> Option<usize> {
    let [first, second] = encounter.score?;
    // The lower number is the higher seed.
    Some(encounter.engines[usize::from(second > first)])
}

fn meet(engines: [usize; 2], first: u32, most: [u32; 2], results: &Results) -> Encounter {
    let [pairs, extra] = most;
    let mut more = 0;
    loop {
        let openings = first..first.saturating_add(pairs.saturating_add(more));
        let score = results.score(engines, openings.clone());
        if score.is_none_or(|[one, other]| one != other) || more == extra {
            return Encounter { engines, openings, score };
        }
        more += 1;
    }
}

/// The engines in the order of the bracket; neighbours meet. Nobody stands opposite whoever has a bye.
fn bracket(engines: usize) -> Vec<Option<usize>> {
    let mut order = vec![0];
    while order.len() < engines {
        let last = 2 * order.len() - 1;
        order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    order.into_iter().map(|seed| Some(seed).filter(|&seed| seed < engines)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_seeds_meet_last() {
        let seeds = |engines| bracket(engines).into_iter().map(|seed| seed.map_or(99, |s| s + 1));
        assert!(seeds(8).eq([1, 8, 4, 5, 2, 7, 3, 6]));
        assert!(seeds(5).eq([1, 99, 4, 5, 2, 99, 3, 99]));
        assert!(seeds(1).eq([1]));
        assert_eq!([1, 2, 3, 4, 5, 8, 9].map(number_of_rounds), [0, 1, 2, 2, 3, 3, 4]);
    }

    /// Sets the score of the first of two engines in the games from an opening, in half points.
    fn play(results: &mut Results, engines: [usize; 2], opening: u32, score: [usize; 2]) {
        super::super::tests::set(results, engines, opening, score);
    }

    #[test]
    fn winners_meet_in_the_next_round() {
        let mut results = Results::default();
        let known = |results: &Results| rounds(5, 1, 2, results);
        let first = known(&results);
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].byes, [0, 1, 2]);
        assert_eq!(
            first[0].encounters,
            [Encounter { engines: [3, 4], openings: 0..1, score: None }]
        );
        // The fifth beats the fourth.
        play(&mut results, [3, 4], 0, [0, 1]);
        let second = known(&results);
        assert_eq!(second[0].encounters[0].score, Some([1, 3]));
        let engines: Vec<_> = second[1].encounters.iter().map(|found| found.engines).collect();
        assert_eq!((second.len(), engines), (2, vec![[0, 4], [1, 2]]));
        assert!(second[1].encounters.iter().all(|found| found.openings == (3..4)));
    }

    #[test]
    fn further_pairs_decide_and_then_the_higher_seed() {
        let mut results = Results::default();
        let only = |results: &Results| rounds(2, 2, 2, results)[0].encounters[0].clone();
        play(&mut results, [0, 1], 0, [2, 2]);
        assert_eq!(only(&results), Encounter { engines: [0, 1], openings: 0..2, score: None });
        play(&mut results, [0, 1], 1, [0, 0]);
        assert_eq!(only(&results), Encounter { engines: [0, 1], openings: 0..3, score: None });
        play(&mut results, [0, 1], 2, [1, 1]);
        assert_eq!(only(&results).openings, 0..4);
        let mut decided = results.clone();
        play(&mut decided, [0, 1], 3, [0, 1]);
        assert_eq!((only(&decided).score, winner(&only(&decided))), (Some([7, 9]), Some(1)));
        play(&mut results, [0, 1], 3, [2, 0]);
        assert_eq!((only(&results).score, winner(&only(&results))), (Some([8, 8]), Some(0)));
    }
}
