//! Swiss system: as many rounds as one likes, in each of which engines of like points meet.
//!
//! Of those with the same points the upper half plays the lower half, by number of the engine, as in the Dutch system
//! of FIDE; whoever is left over plays the next points. Nobody meets the same engine again as long as there is any way
//! to pair the round otherwise, and the bye of an odd number of engines goes to the last who has had none. A bye counts
//! as all games of a round won. Colours need no balance: each pairing is played with both.

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};

use super::{Encounter, Results, Round, WIN};

/// The rounds that are known: those before are decided.
#[must_use]
pub fn rounds(engines: usize, number: u32, pairs: u32, results: &Results) -> Vec<Round> {
    let mut rounds = Vec::new();
    let mut state = State::new(engines);
    for round in 0..number {
        let (pairings, bye) = state.pair();
        let openings = round.saturating_mul(pairs)..(round + 1).saturating_mul(pairs);
        let meet = |engines: [usize; 2]| Encounter {
            engines,
            openings: openings.clone(),
            score: results.score(engines, openings.clone()),
        };
        let encounters: Vec<_> = pairings.into_iter().map(meet).collect();
        let round = Round { encounters, byes: bye.into_iter().collect() };
        let decided = round.is_decided();
        state.add(&round, pairs);
        rounds.push(round);
        if !decided {
            break;
        }
    }
    rounds
}

/// The rounds that a Swiss of so many engines takes for one of them to be alone in front, if none are drawn.
#[must_use]
pub fn usual_rounds(engines: usize) -> u32 {
    super::knockout::number_of_rounds(engines).max(1)
}

/// What an engine has after the rounds so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Card {
    /// Half points, byes included.
    pub half_points: usize,
    /// Whom it met, with its half points in these games.
    pub met: Vec<(usize, usize)>,
    /// Rounds without an opponent.
    pub byes: u32,
}

/// The cards of all engines after these rounds, as far as they are decided.
#[must_use]
pub fn cards(engines: usize, rounds: &[Round], pairs: u32) -> Vec<Card> {
    let mut state = State::new(engines);
    for round in rounds {
        state.add(round, pairs);
    }
    state.cards
}

/// The half points of a round without an opponent: all of its games won.
#[must_use]
pub fn bye(pairs: u32) -> usize {
    pairs as usize * 2 * WIN
}

struct State {
    cards: Vec<Card>,
}

impl State {
    fn new(engines: usize) -> Self {
        Self { cards: vec![Card::default(); engines] }
    }

    fn add(&mut self, round: &Round, pairs: u32) {
        for &engine in &round.byes {
            self.cards[engine].byes += 1;
            self.cards[engine].half_points += bye(pairs);
        }
        for Encounter { engines: [one, other], score, .. } in &round.encounters {
            let Some([first, second]) = *score else { continue };
            for (engine, opponent, half_points) in [(*one, *other, first), (*other, *one, second)] {
                self.cards[engine].half_points += half_points;
                self.cards[engine].met.push((opponent, half_points));
            }
        }
    }

    /// How often two engines have met.
    fn met(&self, one: usize, other: usize) -> usize {
        self.cards[one].met.iter().filter(|&&(engine, _)| engine == other).count()
    }

    /// Who meets whom in the next round, the first of them at the top, and who has a bye.
    fn pair(&self) -> (Vec<[usize; 2]>, Option<usize>) {
        let mut order: Vec<usize> = (0..self.cards.len()).collect();
        order.sort_by_key(|&engine| (std::cmp::Reverse(self.cards[engine].half_points), engine));
        if order.len() < 2 {
            return (Vec::new(), order.pop());
        }
        let mut byes: Vec<Option<usize>> = vec![None];
        if !order.len().is_multiple_of(2) {
            byes = order.iter().rev().copied().map(Some).collect();
            byes.sort_by_key(|bye| bye.map(|engine| self.cards[engine].byes));
        }
        // So few engines that have met so often that the round can be paired: mostly none.
        let most = self.cards.iter().map(|card| card.met.len()).max().unwrap_or(0);
        for again in 0..=most {
            for &bye in &byes {
                let rest: Vec<_> =
                    order.iter().copied().filter(|&engine| Some(engine) != bye).collect();
                if self.can_be_paired(&rest, again) {
                    return (self.pair_in_order(rest, again), bye);
                }
            }
        }
        (Vec::new(), None)
    }

    /// Pairs the first with the opponent that it should have, and so on, as long as the others can be paired, too.
    fn pair_in_order(&self, mut order: Vec<usize>, again: usize) -> Vec<[usize; 2]> {
        let mut pairings = Vec::new();
        while !order.is_empty() {
            let first = order.remove(0);
            let opponents = self.opponents(first, &order);
            let rest = |opponent: usize| {
                order.iter().copied().filter(move |&engine| engine != opponent).collect::<Vec<_>>()
            };
            let fits = |&&opponent: &&usize| {
                self.met(first, opponent) <= again && self.can_be_paired(&rest(opponent), again)
            };
            let Some(&opponent) = opponents.iter().find(fits) else { break };
            order = rest(opponent);
            pairings.push([first.min(opponent), first.max(opponent)]);
        }
        pairings
    }

    /// Opponents for the first of those that are left, the best first: the lower half of its own points from the top,
    /// its upper half from the bottom, then fewer points. Whoever it has met comes after all others.
    fn opponents(&self, first: usize, others: &[usize]) -> Vec<usize> {
        let points = |engine: usize| self.cards[engine].half_points;
        let group = others.iter().take_while(|&&other| points(other) == points(first)).count();
        let (own, lower) = others.split_at(group);
        let (upper_half, lower_half) = own.split_at(own.len() / 2);
        let mut order: Vec<usize> =
            lower_half.iter().chain(upper_half.iter().rev()).chain(lower).copied().collect();
        order.sort_by_key(|&other| self.met(first, other));
        order
    }

    /// Whether everybody can meet somebody whom it has met no more than `again` times.
    fn can_be_paired(&self, engines: &[usize], again: usize) -> bool {
        let mut graph = UnGraph::<(), ()>::default();
        let nodes: Vec<NodeIndex> = engines.iter().map(|_| graph.add_node(())).collect();
        for (index, (&one, &node)) in engines.iter().zip(&nodes).enumerate() {
            for (&other, &to) in engines.iter().zip(&nodes).skip(index + 1) {
                if self.met(one, other) <= again {
                    graph.add_edge(node, to, ());
                }
            }
        }
        maximum_matching(&graph).is_perfect()
    }
}

#[cfg(test)]
mod tests {
    use kujira_statistics::Stream;

    use super::*;

    /// Plays a Swiss in which the lower number wins both games; returns its rounds.
    fn play(engines: usize, number: u32) -> Vec<Round> {
        let mut results = Results::default();
        for round in 0..number {
            for found in &rounds(engines, number, 1, &results)[round as usize].encounters {
                super::super::tests::set(&mut results, found.engines, round, [2, 2]);
            }
        }
        rounds(engines, number, 1, &results)
    }

    fn pairings(round: &Round) -> Vec<[usize; 2]> {
        round.encounters.iter().map(|found| found.engines).collect()
    }

    #[test]
    fn the_upper_half_meets_the_lower_half_of_its_points() {
        let rounds = play(8, 3);
        assert_eq!(pairings(&rounds[0]), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(pairings(&rounds[1]), [[0, 2], [1, 3], [4, 6], [5, 7]]);
        // One with all points, six with more or less, one with none.
        assert_eq!(pairings(&rounds[2]), [[0, 1], [2, 4], [3, 5], [6, 7]]);
        let cards = cards(8, &rounds, 1);
        let points: Vec<_> = cards.iter().map(|card| card.half_points / 4).collect();
        assert_eq!(points, [3, 2, 2, 2, 1, 1, 1, 0]);
        assert_eq!(cards[2].met, [(6, 4), (0, 0), (4, 4)]);
    }

    #[test]
    fn the_next_round_waits_for_all_games() {
        let mut results = Results::default();
        super::super::tests::set(&mut results, [0, 2], 0, [2, 2]);
        assert_eq!(rounds(4, 2, 1, &results).len(), 1);
        super::super::tests::set(&mut results, [1, 3], 0, [1, 1]);
        let known = rounds(4, 2, 1, &results);
        assert_eq!((known.len(), pairings(&known[1])), (2, vec![[0, 1], [2, 3]]));
    }

    #[test]
    fn a_bye_goes_to_the_last_who_had_none() {
        let rounds = play(5, 5);
        let byes: Vec<_> = rounds.iter().map(|round| round.byes[0]).collect();
        let mut sorted = byes.clone();
        sorted.sort_unstable();
        assert_eq!((byes[0], sorted), (4, vec![0, 1, 2, 3, 4]));
        // As much as two games won.
        assert_eq!(cards(5, &rounds[..1], 1)[4].half_points, 4);
    }

    #[test]
    fn nobody_meets_anybody_twice_before_it_has_met_everybody() {
        for (engines, number) in [(4, 3), (6, 5), (8, 7), (5, 5), (7, 7)] {
            let mut random = Stream::new(engines as u64);
            for _ in 0..20 {
                let mut state = State::new(engines);
                for round in 0..number {
                    let (pairings, bye) = state.pair();
                    assert_eq!(pairings.len(), engines / 2);
                    let encounters = pairings.iter().map(|&engines| {
                        let first = random.below(5);
                        let score = Some([first, 4 - first]);
                        // The fewest rematches there can be: one must not be forced by a round before.
                        Encounter { engines, openings: 0..1, score }
                    });
                    let encounters: Vec<_> = encounters.collect();
                    let unmet = every_pairing(
                        &(0..engines).filter(|&e| Some(e) != bye).collect::<Vec<_>>(),
                    )
                    .any(|all| all.iter().all(|&[one, other]| state.met(one, other) == 0));
                    let again = pairings.iter().any(|&[one, other]| state.met(one, other) > 0);
                    assert_eq!(again, !unmet, "round {round} of {engines}: {pairings:?}");
                    state.add(&Round { encounters, byes: bye.into_iter().collect() }, 1);
                }
            }
        }
    }

    /// All ways to pair these, one after the other.
    fn every_pairing(engines: &[usize]) -> Box<dyn Iterator<Item = Vec<[usize; 2]>> + '_> {
        let Some((&first, others)) = engines.split_first() else {
            return Box::new(std::iter::once(Vec::new()));
        };
        Box::new(others.iter().flat_map(move |&other| {
            let rest: Vec<_> = others.iter().copied().filter(|&engine| engine != other).collect();
            let all: Vec<_> = every_pairing(&rest).collect();
            all.into_iter().map(move |mut pairings| {
                pairings.push([first, other]);
                pairings
            })
        }))
    }

    #[test]
    fn more_rounds_than_opponents_are_played() {
        let rounds = play(4, 6);
        assert!(rounds.len() == 6 && rounds.iter().all(|round| round.encounters.len() == 2));
        let cards = cards(4, &rounds, 1);
        for card in cards {
            for other in 0..4 {
                let met = card.met.iter().filter(|&&(engine, _)| engine == other).count();
                assert!(met <= 3, "{card:?}");
            }
        }
        assert_eq!([2, 3, 4, 5, 8, 9].map(usual_rounds), [1, 2, 2, 3, 3, 4]);
    }
}
