//! Tuning of weights, on games whose scores are known to come from given weights.

mod common;

use common::{Scratch, make, read, settings};
use kujira_data::ending::Ending;
use kujira_data::record::{GameRecord, Ply};
use kujira_data::score::PackedScore;
use kujira_position::{Color, Position, Variant, VariantId, Whale};
use kujira_search::eval::NetworkFile;
use kujira_search::eval::linear::UNIT;
use kujira_search::eval::linear::{Features, Sink};
use kujira_training::tune::{
    Dataset, Filter, Regression, Settings, from_odds, scale::sigmoid, to_odds,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const FILTER: Filter = Filter { limit: 3000, held_out: 0.2, seed: 5 };

const SETTINGS: Settings = Settings {
    scale: 400.0,
    result_share: 0.0,
    pull: 0.0,
    epochs: 30,
    batch: 256,
    rate: 0.05,
    seed: 3,
};

/// The sum of weights of a position, for Black.
struct Sum<'a> {
    weights: &'a [i32],
    sum: i32,
}

impl Sink for Sum<'_> {
    fn add(&mut self, feature: usize, times: i32) {
        self.sum += times * self.weights[feature];
    }

    fn climb(&mut self, first: usize, steps: usize, times: i32) {
        for feature in first..first + steps {
            self.add(feature, times);
        }
    }
}

/// Weights unlike those of the engine: hands and ranks of dolphins, and having the move.
fn teacher() -> Vec<i32> {
    let mut weights = vec![0; Features::<Whale>::LAYOUT.len()];
    for row in Features::<Whale>::rows() {
        let value = match row.name.as_str() {
            "hand D" => 100,
            "hand K" => 600,
            "rank D" => 60,
            "tempo" => 25,
            "space" => 11,
            _ => 0,
        };
        weights[row.first..row.first + row.width].fill(value * UNIT);
    }
    weights
}

/// Games of random moves, with the scores that `weights` give their positions.
fn lessons(weights: &[i32], games: u32) -> Vec<GameRecord> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    (0..games)
        .map(|number| {
            let mut position = Position::<Whale>::start();
            let mut plies = Vec::new();
            let mut opening = Vec::new();
            while plies.len() < 60 && position.outcome().is_none() {
                let moves = position.legal_moves();
                let m = moves[random.random_range(0..moves.len())];
                if opening.len() < 4 {
                    opening.push(m);
                    position.make(m);
                    continue;
                }
                let mut sum = Sum { weights, sum: 0 };
                Features::<Whale>::extract(position.board(), &mut sum);
                let sign = if position.side() == Color::Black { 1 } else { -1 };
                let score = (sign * sum.sum / UNIT).clamp(-5000, 5000) as i16;
                let score = PackedScore::from_bits(score).unwrap();
                plies.push(Ply { m, score, random: false, broken_off: false });
                position.make(m);
            }
            let ending = position.outcome().map_or(Ending::PLY_LIMIT, Into::into);
            GameRecord { number, opening, plies, ending }
        })
        .collect()
}

fn dataset(games: &[GameRecord]) -> Dataset<Whale> {
    let mut dataset = Dataset::new();
    dataset.add(games, &FILTER).unwrap();
    dataset
}

#[test]
fn the_teacher_is_found_again() {
    let teacher = teacher();
    let dataset = dataset(&lessons(&teacher, 400));
    assert!(dataset.training.len() > 3000, "{}", dataset.training.len());
    let zero = NetworkFile::zero::<Whale>(16, 1, 400, true);
    let start = to_odds(&zero.linear, SETTINGS.scale);
    let mut regression = Regression::new(&dataset.training, &dataset.held_out, start, SETTINGS);
    let before = regression.error(&dataset.held_out);
    let mut last = None;
    while let Some(epoch) = regression.epoch() {
        last = Some(epoch);
    }
    let last = last.unwrap();
    assert_eq!(last.number, SETTINGS.epochs);
    assert!(last.held_out < before / 20.0, "{before} {}", last.held_out);
    assert!((regression.error(&dataset.held_out) - last.held_out).abs() < 1e-12);

    // A dolphin in hand is worth 100 by definition; a killer whale six times as much.
    let (found, _) = from_odds(regression.weights(), &zero, &dataset, SETTINGS.scale);
    let value = |token| found.in_hand[Whale::SPEC.kind_named(token).index()];
    assert!((95..=105).contains(&value("D")), "{}", value("D"));
    let ratio = f64::from(value("K")) / f64::from(value("D"));
    assert!((4.5..=7.5).contains(&ratio), "{ratio}");
    // The network says what the weights found say, and nothing else.
    let bytes = found.to_bytes::<Whale>().unwrap();
    assert_eq!(NetworkFile::from_bytes::<Whale>(&bytes).as_ref(), Ok(&found));
    let start = Position::<Whale>::start();
    let said = kujira_training::net::linear::score::<Whale>(&found.linear, start.board());
    assert_eq!(found.score::<Whale>(start.board()), said as i32);
    assert!(said as i32 != 0 && (found.hidden, found.pawn) == (16, 100), "{said}");
    // A kind that was never met keeps its value; all of this game were.
    assert_ne!(found.on_board, zero.on_board);
}

#[test]
fn the_gradient_leads_downhill_and_the_pull_holds_back() {
    let teacher = teacher();
    let dataset = dataset(&lessons(&teacher, 120));
    let start = to_odds(&teacher, SETTINGS.scale);
    let tuned = |pull, seed| {
        let settings = Settings { pull, seed, result_share: 1.0, epochs: 4, ..SETTINGS };
        let mut regression =
            Regression::new(&dataset.training, &dataset.held_out, start.clone(), settings);
        let errors: Vec<f64> =
            std::iter::from_fn(|| regression.epoch()).map(|epoch| epoch.training).collect();
        let far: f32 = regression.weights().iter().zip(&start).map(|(a, b)| (a - b).powi(2)).sum();
        (errors, far, regression.weights().to_vec())
    };
    let (errors, far, weights) = tuned(0.0, 3);
    assert!(errors[3] < errors[0], "{errors:?}");
    let (_, near, _) = tuned(1e5, 3);
    assert!(near < far / 10.0, "{near} {far}");
    // The same whatever the number of threads, and another with another seed.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(|| tuned(0.0, 3)).2, weights);
    assert_ne!(tuned(0.0, 4).2, weights);
}

#[test]
fn games_are_held_out_as_a_whole() {
    let games = lessons(&teacher(), 300);
    let all = dataset(&games);
    assert_eq!(all.games, games.len());
    let (kept, out) = (all.training.len(), all.held_out.len());
    let share = out as f64 / (kept + out) as f64;
    assert!((0.1..0.3).contains(&share), "{share}");
    // Game by game, each is on one side.
    let mut sums = (0, 0);
    for game in &games {
        let one = dataset(std::slice::from_ref(game));
        assert!(one.training.is_empty() || one.held_out.is_empty(), "{}", game.number);
        sums.0 += one.training.len();
        sums.1 += one.held_out.len();
    }
    assert_eq!(sums, (kept, out));
    // Games with one opening are on one side, whatever their numbers.
    let renumbered = |game: &GameRecord| GameRecord { number: 1000 + game.number, ..game.clone() };
    let again: Vec<GameRecord> = games.iter().map(renumbered).collect();
    let both = dataset(&again);
    assert_eq!((both.training.len(), both.held_out.len()), (kept, out));
    let mut none = Dataset::<Whale>::new();
    none.add(&games, &Filter { held_out: 0.0, ..FILTER }).unwrap();
    assert_eq!((none.training.len(), none.held_out.len()), (kept + out, 0));
}

#[test]
fn a_position_is_the_sum_of_its_features() {
    let teacher = teacher();
    let dataset = dataset(&lessons(&teacher, 40));
    let weights = to_odds(&teacher, SETTINGS.scale);
    for position in 0..dataset.training.len() {
        let odds = dataset.training.evaluate(position, &weights);
        let score = dataset.training.scores[position] / SETTINGS.scale as f32;
        assert!((odds - score).abs() < 0.01, "{odds} {score}");
    }
    assert!((sigmoid(0.0) - 0.5).abs() < 1e-6 && sigmoid(2.0) > 0.88);
}

#[test]
fn the_command_writes_weights() {
    let scratch = Scratch::new("tune");
    let (data, out) = (scratch.file("games"), scratch.file("linear.net"));
    make::<Whale>(&data, &settings(VariantId::Whale), 12, 1);
    assert_eq!(read(&data).len(), 12);
    let run = |more: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_kujira-training"))
            .args(["tune", "--game", "whale", "--epochs", "2", "--data"])
            .arg(&data)
            .arg("--out")
            .arg(&out)
            .args(more)
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    };
    let (good, said, _) = run(&[]);
    assert!(good && said.contains("epoch    2  training 0."), "{said}");
    let network = NetworkFile::from_bytes::<Whale>(&std::fs::read(&out).unwrap()).unwrap();
    let dolphin = network.in_hand[Whale::SPEC.kind_named("D").index()];
    assert!((99..=100).contains(&dolphin), "{dolphin}");
    // The engine judges by it.
    let mut searcher = kujira_search::Searcher::<Whale>::new();
    searcher.set_network(Some(&std::fs::read(&out).unwrap())).unwrap();
    assert!(searcher.explain(&Position::start()).contains("by a network of 16 hidden units"));
    let alone = scratch.file("alone.net");
    let bytes = NetworkFile::zero::<Whale>(16, 1, 400, false).to_bytes::<Whale>().unwrap();
    std::fs::write(&alone, bytes).unwrap();
    // Once more from its own result, which is kept.
    let start = scratch.file("first.net");
    std::fs::copy(&out, &start).unwrap();
    assert!(run(&["--start", &start.display().to_string()]).0);
    let (good, _, said) = run(&["--start", &out.display().to_string()]);
    assert!(!good && said.contains("linear.net: expected another file than --start"), "{said}");
    for (more, expected) in [
        (["--result-share", "1.5"], "--result-share: expected 0 to 1, found 1.5"),
        (["--rate", "0"], "--rate: expected a positive number"),
        (
            ["--rate", "1e308"],
            "the weights have grown beyond all numbers: expected a smaller --rate",
        ),
        (["--start", "nowhere"], "nowhere: "),
        (
            ["--start", &alone.display().to_string()],
            "expected linear weights in the network to begin with, found none",
        ),
        (["--game", "great"], "cannot be used multiple times"),
    ] {
        let (good, _, said) = run(&more);
        assert!(!good && said.contains(expected), "{more:?}: {said}");
    }
}
