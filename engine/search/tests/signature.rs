//! The signatures: how many nodes the bench takes. They change exactly when the search or the
//! evaluation does; a commit that changes them says so.

use kujira_position::VariantId;
use kujira_search::{BenchError, BenchLimit, Control, engine};

#[test]
fn signatures() {
    let found: Vec<(String, u64)> = VariantId::ALL
        .iter()
        .map(|&game| {
            let report = engine(game).bench(BenchLimit::Signature, 1, 16, &Control::new()).unwrap();
            (game.to_string(), report.nodes)
        })
        .collect();
    let expected = [("whale", 608_442), ("paulowich", 742_043), ("great", 543_881)];
    let expected: Vec<(String, u64)> =
        expected.iter().map(|&(game, nodes)| (game.to_owned(), nodes)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_stopped_bench_has_no_signature() {
    let control = Control::new();
    control.stop();
    let found = engine(VariantId::Whale).bench(BenchLimit::Signature, 1, 1, &control);
    assert_eq!(found, Err(BenchError::Stopped));
}

#[test]
fn a_bench_without_memory_says_so() {
    let wanted = usize::MAX >> 24;
    let found = engine(VariantId::Whale).bench(BenchLimit::Signature, 1, wanted, &Control::new());
    assert_eq!(found, Err(BenchError::Memory(wanted)));
}

#[test]
fn fixed_nodes_are_kept_and_the_same_every_time() {
    const NODES: u64 = 3_000;
    for &game in VariantId::ALL {
        let run = |limit| engine(game).bench(limit, 1, 1, &Control::new()).unwrap().nodes;
        let nodes = run(BenchLimit::Nodes(NODES));
        // Ten positions, each with a few nodes more or less than it was given.
        assert!((9 * NODES..=11 * NODES).contains(&nodes), "{game}: {nodes}");
        assert_eq!(run(BenchLimit::Nodes(NODES)), nodes, "{game}");
        assert!(run(BenchLimit::Depth(2)) < run(BenchLimit::Depth(3)), "{game}");
    }
}
