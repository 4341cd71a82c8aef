//! Ratings against published ones, against each other, and against what was put in.

use super::*;
use crate::Stream;
use crate::{Estimate, Pentanomial};

/// Games of Black against White: losses, draws, wins of Black.
fn games(black: usize, white: usize, counts: [u64; 3]) -> Encounter {
    Encounter::of_games([black, white], [counts, [0; 3]])
}

fn close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "expected {expected}, found {found}");
}

/// Five players, of whom one met but one other.
fn five() -> Vec<Encounter> {
    [
        (0, 1, [3, 5, 12]),
        (1, 0, [7, 6, 7]),
        (0, 2, [3, 3, 14]),
        (2, 0, [12, 4, 4]),
        (0, 3, [0, 2, 18]),
        (3, 0, [17, 1, 2]),
        (1, 2, [5, 4, 11]),
        (2, 1, [6, 6, 8]),
        (1, 3, [2, 3, 15]),
        (3, 1, [12, 5, 3]),
        (2, 3, [3, 4, 13]),
        (3, 2, [7, 7, 6]),
        (0, 4, [0, 1, 9]),
        (4, 0, [7, 3, 0]),
    ]
    .map(|(black, white, counts)| games(black, white, counts))
    .to_vec()
}

/// What Ordo 1.2.6 says of these games as PGN: `ordo -M -W -D -a 0 -N 3 -z 200.239519` (maximum likelihood,
/// White's advantage and the rate of draws fitted, 400 Elo for odds of ten to one; its default of `-z 202` stretches
/// all by 0.9 %). Its errors, by 1000 simulations, are themselves good for a few per cent.
#[test]
fn ratings_are_those_of_ordo() {
    let ratings = Ratings::of(5, &five());
    for (player, elo, error) in [
        (0, 207.365, 57.4),
        (1, 89.861, 65.3),
        (2, 17.397, 62.3),
        (3, -128.055, 69.0),
        (4, -186.568, 174.0),
    ] {
        close(ratings.elo(player).unwrap(), elo, 0.01);
        close(ratings.error(player).unwrap(), error, 0.06 * error);
    }
    close(ratings.advantage(0).unwrap(), 69.64, 0.01);
    close(ratings.draw_rate().unwrap(), 0.2647, 0.0001);
    assert_eq!(ratings.order(), [0, 1, 2, 3, 4]);
    assert_eq!((ratings.groups().len(), ratings.tied().len()), (1, 1));
}

/// Seven baseball teams of 1987, home and away: A. Agresti, *Categorical Data Analysis* (2nd edition, 2002), table
/// 10.10; the fit as in the example of the R package BradleyTerry2, whose tests hold Agresti's figures.
#[test]
fn ratings_are_those_of_agresti() {
    // Wins of the home team against each of the others, Milwaukee, Detroit, Toronto, New York, Boston,
    // Cleveland, Baltimore, and its losses.
    let home = [
        [[0, 0], [4, 3], [4, 2], [4, 3], [6, 1], [4, 2], [6, 0]],
        [[3, 3], [0, 0], [4, 2], [4, 3], [6, 0], [6, 1], [4, 3]],
        [[2, 5], [4, 3], [0, 0], [2, 4], [4, 3], [4, 2], [6, 0]],
        [[3, 3], [5, 1], [2, 5], [0, 0], [4, 3], [4, 2], [6, 1]],
        [[5, 1], [2, 5], [3, 3], [4, 2], [0, 0], [5, 2], [6, 0]],
        [[2, 5], [3, 3], [3, 4], [4, 3], [4, 2], [0, 0], [2, 4]],
        [[2, 5], [1, 5], [1, 6], [2, 4], [1, 6], [3, 4], [0, 0]],
    ];
    let mut encounters = Vec::new();
    for (black, row) in home.into_iter().enumerate() {
        for (white, [wins, losses]) in row.into_iter().enumerate() {
            encounters.push(games(black, white, [losses, 0, wins]));
        }
    }
    let ratings = Ratings::of(7, &encounters);
    let units = |elo: f64| elo / ELO_PER_UNIT;
    close(units(ratings.advantage(0).unwrap()), 0.302, 0.0006);
    let shares: Vec<f64> = (0..7).map(|team| units(ratings.elo(team).unwrap()).exp()).collect();
    let all: f64 = shares.iter().sum();
    for (share, published) in shares.iter().zip([0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044]) {
        close(share / all, published, 0.0006);
    }
    assert_eq!(ratings.draw_rate(), None, "nobody drew");
}

/// The likelihood written down once more, without ν in closed form, and climbed by trying.
#[test]
fn no_other_ratings_are_likelier() {
    let encounters = five();
    let none = Priors { player: 0.0, other: 0.0 };
    let ratings = Ratings::with(5, &encounters, none, vec![(0..5).collect()]);
    let likely = |at: &[f64; 7]| {
        let game = |difference: f64| {
            let score = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
            // The share of draws that is e^(that parameter) times the mean of the wins.
            let (mut low, mut high) = (0.0, 2.0 * score.min(1.0 - score));
            for _ in 0..100 {
                let draw = (low + high) / 2.0;
                let wins = (score - draw / 2.0) * (1.0 - score - draw / 2.0);
                if draw < at[6].exp() * wins.sqrt() { low = draw } else { high = draw }
            }
            [1.0 - score - low / 2.0, low, score - low / 2.0]
        };
        let log = |one: &Encounter| {
            let [black, white] = one.players;
            let chances = game(at[black] - at[white] + at[5]);
            one.by_color[0].iter().zip(chances).map(|(&n, p)| n as f64 * p.ln()).sum::<f64>()
        };
        encounters.iter().map(log).sum::<f64>()
    };
    let mut best = [0.0; 7];
    for (player, elo) in best.iter_mut().take(5).enumerate() {
        *elo = ratings.elo(player).unwrap();
    }
    (best[5], best[6]) = (ratings.advantage(0).unwrap(), ratings.parameters.draws);
    let height = likely(&best);
    for parameter in 0..7 {
        for step in [0.1, 1.0, 30.0] {
            for sign in [-1.0, 1.0] {
                let mut other = best;
                other[parameter] += sign * if parameter == 6 { step / 100.0 } else { step };
                let found = likely(&other);
                assert!(found < height, "{parameter} {step}: {found} {height}");
            }
        }
    }
}

/// Two engines: the same difference as in the account of their match, and nearly the same error.
#[test]
fn two_players_are_as_far_apart_as_their_estimate() {
    for (pairs, by_color) in [
        ([10, 20, 90, 40, 40], [[60, 40, 100], [60, 40, 100]]),
        ([0, 0, 70, 5, 25], [[35, 2, 63], [35, 3, 62]]),
        ([0, 10, 200, 8, 0], [[10, 198, 10], [10, 200, 8]]),
    ] {
        let pairs = Pentanomial::new(pairs);
        let [black, white] = by_color;
        let points: u64 = black[1] + white[1] + 2 * (black[2] + white[2]);
        let of_pairs: u64 = (0..).zip(pairs.by_score()).map(|(points, n)| points * n).sum();
        assert_eq!(points, of_pairs);
        let one = Encounter { players: [0, 1], setting: 0, by_color, pairs };
        let ratings = Ratings::of(2, &[one]).anchored(1, 0.0);
        let estimate = Estimate::of(&pairs).unwrap();
        close(ratings.elo(0).unwrap(), estimate.elo, 0.1);
        close(ratings.error(0).unwrap(), estimate.elo_error, 0.03 * estimate.elo_error);
        close(ratings.superiority(0, 1).unwrap(), estimate.los.unwrap(), 0.01);
        assert_eq!(ratings.error(1), Some(0.0));
    }
}

/// Colours and openings decide these games: of pairs there is little spread.
#[test]
fn errors_are_those_of_pairs() {
    let by_color = [[5, 0, 95], [90, 0, 10]];
    let pairs = Pentanomial::new([0, 0, 95, 0, 5]);
    let games = Encounter { players: [0, 1], setting: 0, by_color, pairs: Pentanomial::default() };
    let [alone, paired] = [games, Encounter { pairs, ..games }].map(|one| Ratings::of(2, &[one]));
    assert_eq!(alone.elo(0), paired.elo(0));
    let [alone, paired] = [alone, paired].map(|ratings| ratings.error(0).unwrap());
    assert!(paired < 0.8 * alone, "{paired} {alone}");
    let advantage = Ratings::of(2, &[games]).advantage(0).unwrap();
    assert!((400.0..500.0).contains(&advantage), "{advantage}");
}

/// Tournaments of four by chance, from openings that favour one side: the ratings that endless play would give lie
/// within nineteen intervals of twenty. Intervals from single games would be too wide.
#[test]
fn intervals_hold_what_they_promise() {
    const ELO: [f64; 4] = [180.0, 60.0, -40.0, -200.0];
    const OPENINGS: [f64; 2] = [1.8, -1.4];
    const TOURNAMENTS: u32 = 400;
    let pairings = (0..4).flat_map(|first| (first + 1..4).map(move |second| [first, second]));
    let pairings: Vec<_> = pairings.collect();
    let game = |[first, second]: [usize; 2], for_first: f64| {
        Expected::new((ELO[first] - ELO[second]) / ELO_PER_UNIT + for_first, -1.5)
    };
    let endless = pairings.iter().map(|&players| {
        let by_color = [1.0, -1.0].map(|side| {
            let games = OPENINGS.map(|opening| game(players, side * opening));
            let many = |chance: fn(&Expected) -> f64| {
                (1e6 * games.iter().map(chance).sum::<f64>()).round() as u64
            };
            [many(|game| game.loss), many(|game| game.draw), many(|game| game.win)]
        });
        Encounter::of_games(players, by_color)
    });
    let endless = Ratings::of(4, &endless.collect::<Vec<_>>());
    let mut random = Stream::new(7);
    let mut within = [0; 2];
    for _ in 0..TOURNAMENTS {
        let encounters = pairings.iter().map(|&players| {
            let (mut by_color, mut pairs) = ([[0; 3]; 2], Pentanomial::default());
            for _ in 0..40 {
                let opening = OPENINGS[random.below(2)];
                let points = [opening, -opening].map(|for_first| {
                    let Expected { loss, draw, .. } = game(players, for_first);
                    let chance = random.unit();
                    usize::from(chance >= loss) + usize::from(chance >= loss + draw)
                });
                for (counts, points) in by_color.iter_mut().zip(points) {
                    counts[points] += 1;
                }
                pairs.add(points[0] + points[1]);
            }
            Encounter { players, setting: 0, by_color, pairs }
        });
        let paired: Vec<_> = encounters.collect();
        let none = Pentanomial::default();
        let single: Vec<_> = paired.iter().map(|&one| Encounter { pairs: none, ..one }).collect();
        for (within, encounters) in within.iter_mut().zip([paired, single]) {
            let found = Ratings::of(4, &encounters);
            for player in 0..4 {
                let off = (found.elo(player).unwrap() - endless.elo(player).unwrap()).abs();
                *within += u32::from(off <= found.error(player).unwrap());
            }
        }
    }
    let [paired, single] = within.map(|count| f64::from(count) / f64::from(4 * TOURNAMENTS));
    assert!((0.93..0.97).contains(&paired) && single > paired + 0.02, "{paired} {single}");
}

#[test]
fn results_that_are_all_alike_have_no_errors() {
    let by_color = [[0, 0, 10], [10, 0, 0]];
    let pairs = Pentanomial::new([0, 0, 10, 0, 0]);
    let even = |players| Encounter { players, setting: 0, by_color, pairs };
    let ratings = Ratings::of(3, &[even([0, 1]), even([1, 2]), even([0, 2])]);
    for player in 0..3 {
        close(ratings.elo(player).unwrap(), 0.0, 1e-6);
        assert_eq!(ratings.error(player), None);
    }
    assert_eq!(ratings.superiority(0, 1), None);
    assert_eq!((ratings.advantage(0), ratings.draw_rate()), (None, None));
}

/// One player wins every game with White and draws every game with Black: no advantage is too great for that.
#[test]
fn what_the_games_leave_open_is_not_told() {
    for pairs in [1, 12, 100_000] {
        let by_color = [[0, pairs, 0], [0, 0, pairs]];
        let all = Pentanomial::new([0, 0, 0, pairs, 0]);
        let one = Encounter { players: [0, 1], setting: 0, by_color, pairs: all };
        let ratings = Ratings::of(2, &[one]);
        assert_eq!((ratings.advantage(0), ratings.draw_rate()), (None, None), "{pairs}");
        // Three points of four, without a spread.
        close(ratings.elo(0).unwrap() - ratings.elo(1).unwrap(), 190.85, 0.1);
        assert_eq!(ratings.error(0), None);
    }
    // Colours that nobody changed: what is the player's is the colour's, too.
    let ratings = Ratings::of(2, &[games(0, 1, [10, 20, 30])]);
    assert_eq!(ratings.advantage(0), None);
    close(ratings.elo(0).unwrap() - ratings.elo(1).unwrap(), 120.4, 0.1);
    assert!(ratings.draw_rate().is_some());
    // Whoever is stronger wins or draws: that even players draw nearly all is no more likely than that they draw
    // half.
    let ladder: Vec<_> = (0..4)
        .flat_map(|player| {
            let counts = [[0, 4, 6], [0, 5, 5]];
            [Encounter::of_games([player, player + 1], counts)]
        })
        .collect();
    let ratings = Ratings::of(5, &ladder);
    assert_eq!(ratings.draw_rate(), None);
    assert!(ratings.advantage(0).is_some() && ratings.elo(0).is_some());
    // A single game lost makes it known.
    let lost = Encounter::of_games([0, 1], [[1, 0, 0], [0, 0, 0]]);
    assert!(Ratings::of(5, &[&ladder[..], &[lost]].concat()).draw_rate().is_some());
    // In one setting Black wins all, in the other not: the one says nothing of the other.
    let even = Encounter::of_games([0, 1], [[3, 4, 5], [4, 4, 4]]);
    let black = Encounter { setting: 1, ..Encounter::of_games([0, 1], [[0, 0, 9], [9, 0, 0]]) };
    let ratings = Ratings::of(2, &[even, black]);
    assert_eq!((ratings.advantage(0).is_some(), ratings.advantage(1)), (true, None));
    // Two games are enough, however little that is.
    let two = Ratings::of(2, &[Encounter::of_games([0, 1], [[0, 1, 0], [1, 0, 1]])]);
    assert!(two.elo(0).is_some());
}

/// Where the likeliest share of draws is all of them, one draw would prove that two are even.
#[test]
fn a_few_draws_prove_nothing() {
    let one = Ratings::of(2, &[games(0, 1, [0, 1, 0])]);
    assert_eq!((one.elo(0), one.draw_rate()), (Some(0.0), None));
    assert!(one.error(0).is_some_and(|error| error > 200.0), "{:?}", one.error(0));
    // The first wins or draws, the third drew once: far less is known of the third.
    let by_color = [[0, 9, 9], [0, 9, 9]];
    let pairs = Pentanomial::new([0, 0, 4, 10, 4]);
    let met = Encounter { players: [0, 1], setting: 0, by_color, pairs };
    let ratings = Ratings::of(3, &[met, games(2, 0, [0, 1, 0])]);
    assert_eq!((ratings.draw_rate(), ratings.order()[2]), (None, 1));
    let [first, second, third] = [0, 1, 2].map(|player| ratings.error(player).unwrap());
    assert!(third > 250.0 && third > 1.5 * first.max(second), "{first} {second} {third}");
    let anchored = ratings.clone().anchored(0, 0.0);
    assert!(anchored.error(2).unwrap() > 300.0 && anchored.error(1).unwrap() > 40.0);
    let sure = ratings.superiority(2, 1).unwrap();
    assert!((0.55..0.95).contains(&sure), "{sure}");
}

/// Who won or lost every game is beyond all measure; the others are where they are without those games.
#[test]
fn who_wins_all_is_not_rated() {
    let middle = [games(0, 1, [30, 10, 60]), games(1, 0, [60, 10, 30])];
    let alone = Ratings::of(2, &middle);
    let with = [&middle[..], &[games(2, 0, [0, 0, 50]), games(3, 1, [50, 0, 0])]].concat();
    let ratings = Ratings::of(4, &with);
    assert_eq!(ratings.tied(), [vec![0, 1], vec![2], vec![3]]);
    assert_eq!(ratings.groups(), [[0, 1, 2, 3]]);
    assert_eq!(ratings.order(), [2, 0, 1, 3]);
    for player in [0, 1] {
        close(ratings.elo(player).unwrap(), alone.elo(player).unwrap(), 0.1);
        close(ratings.error(player).unwrap(), alone.error(player).unwrap(), 0.1);
    }
    for player in [2, 3] {
        assert_eq!((ratings.elo(player), ratings.error(player)), (None, None));
        assert_eq!(ratings.superiority(player, 0), None);
    }
    close(ratings.advantage(0).unwrap(), alone.advantage(0).unwrap(), 0.1);
    // Whose rating is given has it; nobody else compares.
    let given = ratings.clone().anchored(2, 1500.0);
    assert_eq!((given.elo(2), given.error(2), given.elo(3)), (Some(1500.0), Some(0.0), None));
    assert_eq!(given.error(0), None);
    // One game each way in a chain, and everybody drawn.
    for (counts, rated) in [([0, 0, 1], false), ([0, 1, 0], true), ([0, 0, 1_000_000], false)] {
        let chain: Vec<_> = (0..9).map(|player| games(player, player + 1, counts)).collect();
        let ratings = Ratings::of(10, &chain);
        assert!((0..10).all(|player| ratings.elo(player).is_some() == rated), "{counts:?}");
        assert!(rated || ratings.order() == (0..10).collect::<Vec<_>>(), "{counts:?}");
    }
}

#[test]
fn groups_that_never_met_are_apart() {
    let twice = [[10, 5, 20], [10, 5, 20]];
    let even = [[0, 1], [2, 3]].map(|players| Encounter::of_games(players, twice));
    let ratings = Ratings::of(5, &even);
    assert_eq!(ratings.groups(), [vec![0, 1], vec![2, 3], vec![4]]);
    close(ratings.elo(0).unwrap(), ratings.elo(2).unwrap(), 1e-6);
    assert_eq!(ratings.elo(4), None);
    let [within, across] = [1, 3].map(|other| {
        let ratings = ratings.clone().anchored(other, 0.0);
        ratings.error(0)
    });
    assert!(within.is_some_and(|error| error < 250.0) && across.is_none(), "{within:?}");
}

#[test]
fn an_anchor_moves_everybody() {
    let free = Ratings::of(5, &five());
    let fixed = free.clone().anchored(2, 1500.0);
    for player in 0..5 {
        let [fixed, free, third] =
            [fixed.elo(player), free.elo(player), free.elo(2)].map(Option::unwrap);
        close(fixed - 1500.0, free - third, 1e-9);
    }
    assert_eq!(fixed.error(2), Some(0.0));
    let mean: f64 = (0..5).map(|player| free.elo(player).unwrap()).sum();
    close(mean, 0.0, 1e-9);
    // Nobody has that number: all stays.
    assert_eq!(free.clone().anchored(5, 1500.0).elo(0), free.elo(0));
}

/// In each setting Black has another advantage; the order of players and sides says nothing.
#[test]
fn settings_and_sides_are_told_apart() {
    let mut encounters = five();
    let elo: Vec<_> =
        (0..5).map(|player| Ratings::of(5, &encounters).elo(player).unwrap()).collect();
    for one in &mut encounters {
        one.players.reverse();
        one.by_color.reverse();
        for counts in &mut one.by_color {
            counts.reverse();
        }
    }
    let turned = Ratings::of(5, &encounters);
    for (player, elo) in elo.iter().enumerate() {
        close(turned.elo(player).unwrap(), *elo, 1e-6);
    }
    for one in five() {
        let [[losses, draws, wins], _] = one.by_color;
        let by_color = [[wins, draws, losses], [0; 3]];
        let [black, white] = one.players;
        encounters.push(Encounter { players: [white, black], setting: 1, by_color, ..one });
    }
    let both = Ratings::of(5, &encounters);
    close(both.advantage(0).unwrap(), 69.64, 0.1);
    close(both.advantage(1).unwrap(), -69.64, 0.1);
    assert_eq!(both.advantage(2), None);
}

#[test]
fn without_games_there_is_nothing_to_say() {
    let ratings = Ratings::of(2, &[]);
    assert_eq!((ratings.elo(0), ratings.error(0), ratings.superiority(0, 1)), (None, None, None));
    assert!(Ratings::of(0, &[]).order().is_empty());
    // Nobody plays against himself, and nobody is beyond the last.
    let strange = [games(0, 0, [0, 0, 9]), games(0, 7, [0, 0, 9])];
    assert_eq!(Ratings::of(2, &strange).elo(0), None);
}
