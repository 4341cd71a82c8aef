//! The transposition table, and whole searches to fixed nodes.
//!
//! `cargo bench --locked -p kujira-bench --bench search`; criterion prints nodes or probes a second.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kujira_position::{AnyPosition, VariantId};
use kujira_search::{Bound, Control, Entry, Limits, Silent, Table, engine};

/// Probes and stores at keys without order, in a table that fits the caches and in one that does
/// not.
fn table(c: &mut Criterion) {
    const KEYS: u64 = 100_000;
    // Multiples of an odd number near 2^64 divided by the golden ratio: far from each other.
    let keys = || (1..=KEYS).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let (bound, eval) = (Bound::Lower, Some(25));
    let entry = Entry { best: None, score: 30, depth: 5, bound, eval, was_pv: false };
    for mebibytes in [1, 256] {
        let table = Table::new(mebibytes).expect("memory for a table");
        keys().for_each(|key| table.store(key, entry));
        let mut group = c.benchmark_group(format!("table/{mebibytes} MiB"));
        group.throughput(Throughput::Elements(KEYS)).sample_size(20);
        group.bench_function("probe", |b| {
            b.iter(|| keys().filter(|&key| table.probe(black_box(key)).is_some()).count());
        });
        group.bench_function("store", |b| {
            b.iter(|| keys().for_each(|key| table.store(black_box(key), entry)));
        });
        group.finish();
    }
}

/// A search of the starting position from nothing, on one thread.
fn search(c: &mut Criterion) {
    const NODES: u64 = 100_000;
    let mut group = c.benchmark_group("search");
    group.throughput(Throughput::Elements(NODES)).sample_size(10);
    for &game in VariantId::ALL {
        let (mut engine, start) = (engine(game), AnyPosition::start(game));
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        group.bench_function(game.to_string(), |b| {
            b.iter(|| {
                engine.new_game();
                engine.search(&start, &limits, &Control::new(), &Silent)
            });
        });
    }
    group.finish();
}

criterion_group!(search_benches, table, search);
criterion_main!(search_benches);
