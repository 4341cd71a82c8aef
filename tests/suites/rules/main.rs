//! Hand-made positions for each rule, with what is expected written out; text that is read and text
//! that is refused.

mod great;
mod impasse;
mod repetition;
mod sfen;
mod small;
mod switches;
mod usi;

use kujira_position::{Position, Rules, Variant};
use kujira_tests::views;

/// The position of an SFEN. The oracle is asked about it too, so that nothing expected here can be
/// an error of the engine alone.
fn here<V: Variant>(sfen: &str) -> Position<V> {
    under(sfen, Rules::DEFAULT)
}

/// The same, under other rules.
fn under<V: Variant>(sfen: &str, rules: Rules) -> Position<V> {
    let position = views::ruled::<V>(sfen, rules);
    let oracle = views::oracle(&position);
    assert_eq!(views::moves(&position), oracle.moves().join(" "), "{sfen}");
    assert_eq!(position.checked(), oracle.in_check(), "{sfen}");
    position
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
