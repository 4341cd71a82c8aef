//! Leaves per second, from the start and over the midgame sets: the table in `docs/benchmarks.md`.
//!
//! `cargo bench --locked -p kujira-bench --bench perft`; criterion prints millions of leaves a second as
//! `Melem/s`.

mod sets;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kujira_position::{Great, Leaves, Paulowich, Position, Variant, Whale, perft};

/// Perft of every position of a set to `depth`.
fn bench<V: Variant>(
    c: &mut Criterion,
    name: &str,
    positions: &[Position<V>],
    depth: u32,
    leaves: Leaves,
) {
    let run = || positions.iter().map(|position| perft(position, depth, leaves)).sum::<u64>();
    let mut group = c.benchmark_group(format!("perft/{}", V::ID));
    group.throughput(Throughput::Elements(run()));
    group.sample_size(10);
    group.bench_function(name, |b| b.iter(run));
    group.finish();
}

fn benches(c: &mut Criterion) {
    let (whale, paulowich, great) = ([Position::start()], [Position::start()], [Position::start()]);
    bench::<Whale>(c, "bulk start", &whale, 9, Leaves::Bulk);
    bench::<Whale>(c, "bulk midgames", &sets::whale(), 4, Leaves::Bulk);
    bench::<Whale>(c, "played start", &whale, 7, Leaves::Played);
    bench::<Whale>(c, "played midgames", &sets::whale(), 3, Leaves::Played);
    bench::<Paulowich>(c, "bulk start", &paulowich, 8, Leaves::Bulk);
    bench::<Paulowich>(c, "bulk midgames", &sets::paulowich(), 4, Leaves::Bulk);
    bench::<Paulowich>(c, "played midgames", &sets::paulowich(), 3, Leaves::Played);
    bench::<Great>(c, "bulk start", &great, 4, Leaves::Bulk);
    bench::<Great>(c, "bulk midgames", &sets::great(), 2, Leaves::Bulk);
    bench::<Great>(c, "played midgames", &sets::great(), 2, Leaves::Played);
    bench::<Great>(c, "bulk hand-rich", &sets::great_rich(), 2, Leaves::Bulk);
}

criterion_group!(perft_benches, benches);
criterion_main!(perft_benches);
