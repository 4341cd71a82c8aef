//! The answer to `lift`: where a piece that is picked up can go.

use kujira_position::{Color, Kind, Move, Square, VariantId};

use crate::game::Game;
use crate::notation;

/// Whether a move is one of the piece that the user picked up, by XBoard's name of its square. The hands lie beside
/// the board, two files from its edges, that of the side that begins on the right and upwards, the other one on the
/// left and downwards.
fn lifted(game: VariantId, side: Color, name: &str) -> Option<impl Fn(Move) -> bool> {
    let spec = game.spec();
    let square = notation::square(spec, name);
    let held = || {
        let (file, rank) = name.split_at_checked(1)?;
        let rank: u8 = rank.parse().ok().filter(|rank| (1..=spec.geometry.ranks).contains(rank))?;
        let right = char::from(b'a' + spec.geometry.files + 1).to_string();
        let index = match (file, side) {
            ("_", Color::White) => spec.geometry.ranks - rank,
            (right_file, Color::Black) if right_file == right => rank - 1,
            _ => return None,
        };
        let index = usize::from(index) + 1;
        (index <= spec.hand_kinds).then(|| Kind::from_index(index))
    };
    let kind = if square.is_none() { Some(held()?) } else { None };
    Some(move |m: Move| match kind {
        Some(kind) => m.is_drop() && m.kind() == kind,
        None => !m.is_drop() && Some(m.from()) == square,
    })
}

/// The line that marks where the piece on `square` can go: yellow for a step or a drop, red for a
/// capture. A square that XBoard cannot mean marks nothing.
#[must_use]
pub fn line(game: &Game, square: &str) -> String {
    let position = game.position();
    let geometry = position.spec().geometry;
    let is_lifted = lifted(position.game(), position.side(), square);
    let targets: Vec<Square> = game
        .moves()
        .into_iter()
        .filter(|&m| is_lifted.as_ref().is_some_and(|is_lifted| is_lifted(m)))
        .map(Move::to)
        .collect();
    let mut rows = Vec::new();
    for rank in (0..geometry.ranks).rev() {
        let (mut row, mut unmarked) = (String::new(), 0);
        for file in 0..geometry.files {
            let square = geometry.square(file.cast_signed(), rank.cast_signed());
            let target = square.filter(|square| targets.contains(square));
            if let Some(target) = target {
                if unmarked > 0 {
                    row.push_str(&unmarked.to_string());
                    unmarked = 0;
                }
                row.push(if position.piece_on(target).is_some() { 'R' } else { 'Y' });
            } else {
                unmarked += 1;
            }
        }
        if unmarked > 0 {
            row.push_str(&unmarked.to_string());
        }
        rows.push(row);
    }
    format!("highlight {}", rows.join("/"))
}
