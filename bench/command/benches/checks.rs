//! Mate in one and quiet checks over the midgame sets, without and with a mate: time per position.
//!
//! `cargo bench --locked -p kujira-bench --bench checks`

mod sets;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kujira_position::{MoveList, Position, Threats, Variant};

fn bench<V: Variant>(c: &mut Criterion, set: &str, positions: &[Position<V>]) {
    let (mates, others): (Vec<_>, Vec<_>) =
        positions.iter().partition(|position| position.mate_in_one(&Threats::default()).is_some());
    for (sort, positions) in [("no mate", others), ("mate", mates)] {
        if positions.is_empty() {
            continue;
        }
        let mut group = c.benchmark_group(format!("checks/{set}/{sort}"));
        group.throughput(Throughput::Elements(positions.len() as u64)).sample_size(20);
        group.bench_function("mate in one", |b| {
            b.iter(|| {
                positions
                    .iter()
                    .filter_map(|p| black_box(p).mate_in_one(&Threats::default()))
                    .count()
            });
        });
        group.bench_function("quiet checks", |b| {
            let mut list = V::MoveList::default();
            b.iter(|| {
                for position in &positions {
                    list.clear();
                    position.generate_checks(&Threats::default(), &mut list);
                    black_box(&list);
                }
            });
        });
        group.finish();
    }
}

fn benches(c: &mut Criterion) {
    bench(c, "whale", &sets::whale());
    bench(c, "paulowich", &sets::paulowich());
    bench(c, "great", &sets::great());
    bench(c, "great-rich", &sets::great_rich());
}

criterion_group!(check_benches, benches);
criterion_main!(check_benches);
