//! The books that the engine is built with.

use kujira_position::{VariantId, with_variant};
use kujira_record::book::Compact;
use kujira_study::opening_book::{self, Graph, Worth};

/// Whoever changes one text changes one book: `kujira-bench book export GAME.txt --out GAME.book --force`.
#[test]
fn the_books_inside_are_those_beside_them_as_text() {
    for &game in VariantId::ALL {
        let path = |ending| {
            format!("{}/../../protocol/kujira/books/{game}.{ending}", env!("CARGO_MANIFEST_DIR"))
        };
        let text = std::fs::read_to_string(path("txt")).unwrap();
        let compact = with_variant!(game, V => {
            let found = kujira_record::book::read::<V>(&text).unwrap();
            let graph = Graph::of(found.searched.iter().map(|(_, searched)| searched));
            opening_book::compact(&graph, Worth::USUAL)
        });
        let inside = std::fs::read(path("book")).unwrap();
        assert_eq!(Compact::from_bytes(&inside), Ok(compact), "{game}");
    }
}
