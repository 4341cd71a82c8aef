//! Hand-made positions for each rule, with what is expected written out; text that is read and text
//! that is refused.

mod great;
mod impasse;
mod repetition;
mod sfen;
mod small;
mod switches;
mod usi;

use kujira_position::{Color, Position, Rules, Variant};
use kujira_tests::oracle::Oracle;
use kujira_tests::views;

/// The position of an SFEN. The oracle is asked about it too, so that nothing expected here can be
/// an error of the engine alone.
fn here<V: Variant>(sfen: &str) -> Position<V> {
    under(sfen, Rules::DEFAULT)
}

/// The position of an SFEN under `rules`, put to the oracle like [`here`].
fn under<V: Variant>(sfen: &str, rules: Rules) -> Position<V> {
    let position = views::ruled::<V>(sfen, rules);
    compare(&position, &views::oracle(&position));
    position
}

/// The position after some moves, separated by blanks. The oracle plays them too, and must see the same.
fn played<V: Variant>(mut position: Position<V>, moves: &str) -> Position<V> {
    let mut oracle = views::oracle(&position);
    for text in moves.split_whitespace() {
        position = views::played(position, text);
        oracle = oracle.play(text).unwrap_or_else(|error| panic!("{error}"));
        compare(&position, &oracle);
    }
    position
}

/// Fails if the oracle sees anything else than the engine.
fn compare<V: Variant>(position: &Position<V>, oracle: &Oracle) {
    let sfen = position.sfen();
    assert_eq!(sfen, oracle.sfen());
    assert_eq!(views::moves(position), oracle.moves().join(" "), "{sfen}");
    assert_eq!(position.checked(), oracle.in_check(), "{sfen}");
    let captured = Color::BOTH.into_iter().any(|color| position.whale(color).is_empty());
    assert_eq!(captured, oracle.whale_captured(), "{sfen}");
}

/// The position of a picture: a row of text a rank, items separated by blanks, `.` for an empty
/// square; then `SIDE HANDS`.
fn picture<V: Variant>(rows: &str, side_and_hands: &str) -> Position<V> {
    let separator = if V::SPEC.tokens == kujira_position::Tokens::Names { "," } else { "" };
    let ranks: Vec<String> = rows
        .lines()
        .filter(|row| !row.trim().is_empty())
        .map(|row| {
            let mut items = Vec::new();
            let mut empty = 0;
            for item in row.split_whitespace() {
                if item == "." {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    items.push(std::mem::take(&mut empty).to_string());
                }
                items.push(item.to_owned());
            }
            if empty > 0 {
                items.push(empty.to_string());
            }
            items.join(separator)
        })
        .collect();
    here(&format!("{} {side_and_hands} 1", ranks.join("/")))
}
