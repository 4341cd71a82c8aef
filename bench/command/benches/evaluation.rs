//! The evaluations over the midgame sets: time per position when it is one move away from one evaluated
//! before, as in a search, and when it comes from nowhere.
//!
//! `cargo bench --locked -p kujira-bench --bench evaluation`

mod sets;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kujira_position::{Board, Move, Position, Threats, Variant};
use kujira_search::eval::{Accumulator, Evaluator, Inputs, Network, NetworkFile};
use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Moves evaluated of each position.
const MOVES: usize = 16;

/// A network with random weights: its arithmetic takes as long as that of any other.
fn random_net<V: Variant>(hidden: usize) -> NetworkFile {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut net = NetworkFile::zero::<V>(hidden, 4, 400);
    let most = i16::MAX / (Inputs::<V>::MOST as i16 + 1);
    for weight in net.weights.iter_mut().chain(&mut net.biases) {
        *weight = random.random_range(-most..=most);
    }
    net.outputs.iter_mut().for_each(|weight| *weight = random.random_range(-40..=40));
    net
}

/// Boards, each with moves and the boards they lead to.
type Family<V> = Vec<(Board<V>, Vec<(Move, Board<V>)>)>;

fn families<V: Variant>(positions: &[Position<V>]) -> Family<V> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let family = |position: &Position<V>| {
        let moves = position.legal_moves();
        let mut child = |_| {
            let (m, mut after) = (moves[random.random_range(0..moves.len())], position.clone());
            after.make(m);
            (m, *after.board())
        };
        (*position.board(), (0..MOVES).map(&mut child).collect())
    };
    positions.iter().filter(|p| !p.legal_moves().is_empty()).map(family).collect()
}

fn measure<V: Variant, E: Evaluator<V>>(
    c: &mut Criterion,
    group: &str,
    name: &str,
    families: &Family<V>,
    mut evaluator: E,
) {
    let mut group = c.benchmark_group(format!("evaluation/{group}"));
    group.sample_size(20).throughput(Throughput::Elements((families.len() * MOVES) as u64));
    group.bench_function(format!("{name}/by moves"), |b| {
        b.iter(|| {
            for (board, children) in families {
                evaluator.reset(board);
                black_box(evaluator.evaluate(board, &Threats::default()));
                for (m, child) in children {
                    evaluator.make(board, *m);
                    black_box(evaluator.evaluate(child, &Threats::default()));
                    evaluator.undo();
                }
            }
        });
    });
    group.throughput(Throughput::Elements(families.len() as u64));
    group.bench_function(format!("{name}/anew"), |b| {
        b.iter(|| {
            for (board, _) in families {
                evaluator.reset(board);
                black_box(evaluator.evaluate(board, &Threats::default()));
            }
        });
    });
    group.finish();
}

fn bench<V: Variant>(c: &mut Criterion, set: &str, positions: &[Position<V>]) {
    let families = families(positions);
    for hidden in [16, 64, 128, 256] {
        let network = Arc::new(Network::<V>::new(&random_net::<V>(hidden)));
        let name = format!("network of {hidden}");
        measure(c, set, &name, &families, Accumulator::new(network));
    }
}

fn benches(c: &mut Criterion) {
    bench(c, "whale", &sets::whale());
    bench(c, "paulowich", &sets::paulowich());
    bench(c, "great", &sets::great());
}

criterion_group!(evaluation_benches, benches);
criterion_main!(evaluation_benches);
