//! What `Statistics` counts, against counting by hand.

mod common;

use std::collections::HashSet;

use common::{Scratch, make, read, settings};
use kujira_data::ending::Reason;
use kujira_data::sample::samples;
use kujira_data::statistics::{Bin, Statistics};
use kujira_position::{Color, Paulowich, VariantId};
use kujira_training::settings::Settings;

#[test]
fn everything_is_counted() {
    let scratch = Scratch::new("statistics");
    let path = scratch.file("games");
    let settings = Settings { random_move: 0.1, ..settings(VariantId::Paulowich) };
    make::<Paulowich>(&path, &settings, 15, 1);
    let games = read(&path);
    let mut statistics = Statistics::new(400);
    for game in &games {
        statistics.add::<Paulowich>(game).unwrap();
    }

    assert_eq!(statistics.games(), 15);
    let winners = [Some(Color::White), None, Some(Color::Black)];
    let won = |winner| games.iter().filter(|game| game.ending.winner() == winner).count() as u64;
    assert_eq!(statistics.results, winners.map(won));
    for (reason, &count) in Reason::ALL.iter().zip(&statistics.reasons) {
        let same = games.iter().filter(|game| game.ending.reason() == *reason).count();
        assert_eq!(count, same as u64, "{reason}");
    }
    let lengths: Vec<_> = games.iter().map(|game| game.opening.len() + game.plies.len()).collect();
    assert_eq!(statistics.lengths, lengths);

    let all: Vec<_> = games.iter().flat_map(|game| samples::<Paulowich>(game).unwrap()).collect();
    let count = |holds: &dyn Fn(usize) -> bool| (0..all.len()).filter(|&i| holds(i)).count() as u64;
    assert_eq!(statistics.positions, all.len() as u64);
    let keys: HashSet<u64> = all.iter().map(|sample| sample.board.key()).collect();
    assert_eq!(statistics.distinct, keys);
    assert_eq!(statistics.in_check, count(&|i| all[i].in_check));
    assert_eq!(statistics.noisy, count(&|i| all[i].captures || all[i].promotes));
    assert_eq!(statistics.unknown, count(&|i| all[i].best.is_none()));
    assert_eq!(statistics.beyond, count(&|i| all[i].score.value().abs() > 400));
    assert_eq!(statistics.quiet, count(&|i| all[i].is_quiet(400)));
    assert_eq!(statistics.bins.iter().map(|bin| bin.positions).sum::<u64>(), all.len() as u64);
    // The bin in the middle.
    let even: Vec<_> = all.iter().filter(|s| (-25..25).contains(&s.score.value())).collect();
    let balance = even.iter().map(|sample| i64::from(sample.result)).sum();
    assert_eq!(statistics.bins[8], Bin { positions: even.len() as u64, balance });
    assert!(statistics.unknown > 0 && statistics.in_check > 0 && !even.is_empty());

    let text = statistics.to_string();
    let line = format!("  -25 to 24      {:>9}", even.len());
    assert!(text.contains(&line), "{text}");
    assert!(text.contains(&format!("positions  {}\n", all.len())), "{text}");
}

#[test]
fn means_lie_between_lost_and_won() {
    assert_eq!(Bin::default().mean(), None);
    for (positions, balance, mean) in [(4, -4, 0.0), (4, 0, 0.5), (4, 2, 0.75), (4, 4, 1.0)] {
        assert_eq!(Bin { positions, balance }.mean(), Some(mean));
    }
}
