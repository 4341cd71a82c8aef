//! The parts of the position crate over the midgame sets: time per position (or per move).
//!
//! `cargo bench --locked -p kujira-bench --bench position`

mod sets;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use kujira_position::{Color, MoveList, Position, Threats, Variant, Wanted};

fn group<'a>(c: &'a mut Criterion, name: String, elements: usize) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(elements as u64)).sample_size(20);
    group
}

fn bench<V: Variant>(c: &mut Criterion, set: &str, positions: &[Position<V>]) {
    let moves: Vec<_> = positions.iter().map(|p| p.legal_moves().to_vec()).collect();
    let all_moves = moves.iter().map(Vec::len).sum();
    let sfens: Vec<String> = positions.iter().map(Position::sfen).collect();

    let mut per_position = group(c, format!("position/{set}"), positions.len());
    per_position.bench_function("whale attacked", |b| {
        b.iter(|| {
            let attacked = |p: &&Position<V>| p.whale_attacked(black_box(Color::Black));
            positions.iter().filter(attacked).count()
        });
    });
    per_position.bench_function("attackers of every piece", |b| {
        let attackers = |p: &Position<V>| -> u32 {
            let of = |square| p.attackers(square, black_box(Color::Black), p.occupied()).count();
            p.occupied().into_iter().map(of).sum()
        };
        b.iter(|| positions.iter().map(attackers).sum::<u32>());
    });
    per_position.bench_function("count", |b| {
        b.iter(|| positions.iter().map(|p| p.count_moves()).sum::<usize>());
    });
    for (name, wanted) in [("generate all", Wanted::All), ("generate captures", Wanted::Captures)] {
        per_position.bench_function(name, |b| {
            let mut list = V::MoveList::default();
            b.iter(|| {
                for position in positions {
                    list.clear();
                    position.generate(wanted, &Threats::default(), &mut list);
                    black_box(&list);
                }
            });
        });
    }
    per_position.bench_function("read SFEN", |b| {
        b.iter(|| {
            let read = |sfen: &String| Position::<V>::from_sfen(sfen).map_or(0, |p| p.key());
            sfens.iter().map(read).fold(0, |sum, key| sum ^ key)
        });
    });
    per_position.bench_function("write SFEN", |b| {
        b.iter(|| positions.iter().map(|p| p.sfen().len()).sum::<usize>());
    });
    per_position.finish();

    let mut per_move = group(c, format!("move/{set}"), all_moves);
    per_move.bench_function("make and undo", |b| {
        let mut positions = positions.to_vec();
        for position in &mut positions {
            position.reserve(1);
        }
        b.iter(|| {
            for (position, moves) in positions.iter_mut().zip(&moves) {
                for &m in moves {
                    position.make(m);
                    black_box(position.key());
                    position.undo();
                }
            }
        });
    });
    per_move.bench_function("is legal", |b| {
        b.iter(|| {
            let legal = |(p, moves): (&Position<V>, &Vec<_>)| {
                moves.iter().filter(|&&m| p.is_legal(m)).count()
            };
            positions.iter().zip(&moves).map(legal).sum::<usize>()
        });
    });
    per_move.finish();
}

fn benches(c: &mut Criterion) {
    bench(c, "whale", &sets::whale());
    bench(c, "paulowich", &sets::paulowich());
    bench(c, "great", &sets::great());
    bench(c, "great-rich", &sets::great_rich());
}

criterion_group!(position_benches, benches);
criterion_main!(position_benches);
