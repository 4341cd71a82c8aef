//! The signatures: how many nodes the bench takes. They change exactly when the search or the
//! evaluation does; a commit that changes them says so.

use kujira_position::VariantId;
use kujira_search::{Control, engine};

#[test]
fn signatures() {
    let found: Vec<(String, u64)> = VariantId::ALL
        .iter()
        .map(|&game| {
            let report = engine(game).bench(None, 1, 16, &Control::new()).unwrap();
            (game.to_string(), report.nodes)
        })
        .collect();
    let expected = [("whale", 688_199), ("paulowich", 786_097), ("great", 294_812)];
    let expected: Vec<(String, u64)> =
        expected.iter().map(|&(game, nodes)| (game.to_owned(), nodes)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_stopped_bench_has_no_signature() {
    let control = Control::new();
    control.stop();
    assert_eq!(engine(VariantId::Whale).bench(None, 1, 1, &control), None);
}
