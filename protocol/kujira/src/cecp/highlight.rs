//! The answer to `lift`: where a piece that is picked up can go.

use kujira_position::{Color, Kind, Spec};

use super::game::View;
use super::notation::{Origin, Place, ends_of_usi, parse_square, squares_of_sfen};

/// The piece that the user picked up, by XBoard's name of its square. The hands lie beside the board, two files
/// from its edges, that of the side that begins on the right and upwards, the other one on the left and
/// downwards.
fn lifted(spec: &Spec, view: &View, square: &str) -> Option<Origin> {
    if let Some(place) = parse_square(spec, square) {
        return Some(Origin::Board(place));
    }
    let (file, rank) = square.split_at_checked(1)?;
    let rank: u8 = rank.parse().ok().filter(|rank| (1..=spec.geometry.ranks).contains(rank))?;
    let right = char::from(b'a' + spec.geometry.files + 1).to_string();
    let index = match (file, view.side()) {
        ("_", Color::White) => spec.geometry.ranks - rank,
        (right_file, Color::Black) if right_file == right => rank - 1,
        _ => return None,
    };
    let index = usize::from(index) + 1;
    (index <= spec.hand_kinds)
        .then(|| Origin::Hand(spec.kind(Kind::from_index(index)).token.to_owned()))
}

/// The line that marks where the piece on `square` can go: yellow for a step or a drop, red for a
/// capture. A square that XBoard cannot mean marks nothing.
pub(crate) fn line(spec: &Spec, view: &View, square: &str) -> String {
    let origin = lifted(spec, view, square);
    let targets: Vec<Place> = view
        .moves
        .iter()
        .filter_map(|m| ends_of_usi(spec, m))
        .filter_map(|(from, to)| (Some(&from) == origin.as_ref()).then_some(to))
        .collect();
    let mut taken = squares_of_sfen(spec, &view.sfen).into_iter();
    let mut rows = Vec::new();
    for rank in (0..spec.geometry.ranks).rev() {
        let (mut row, mut unmarked) = (String::new(), 0);
        for file in 0..spec.geometry.files {
            let mark = if taken.next().flatten().is_some() { 'R' } else { 'Y' };
            if !targets.contains(&Place { file, rank }) {
                unmarked += 1;
                continue;
            }
            if unmarked > 0 {
                row.push_str(&unmarked.to_string());
                unmarked = 0;
            }
            row.push(mark);
        }
        if unmarked > 0 {
            row.push_str(&unmarked.to_string());
        }
        rows.push(row);
    }
    format!("highlight {}", rows.join("/"))
}
