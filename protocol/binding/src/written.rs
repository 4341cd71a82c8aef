//! Moves as people write them.

use kujira_position::{AnyPosition, Color, Move};

use crate::given::{Given, find};
use crate::{Refused, names};

/// What is written before the next move: its number, before White's only if it is the `first` of a line.
#[must_use]
pub fn number(position: &AnyPosition, first: bool) -> Option<String> {
    let (ply, black) = (position.ply(), position.side() == Color::Black);
    // Where White began, Black's first move is the second number's.
    let number = if black == (ply % 2 == 1) { ply.div_ceil(2) } else { ply / 2 + 1 };
    match black {
        true => Some(format!("{number}.")),
        false => first.then(|| format!("{number}. …")),
    }
}

/// A legal move as a text: `usi`, or Hodges notation in `western` or `japanese` squares.
///
/// # Errors
/// If there is no such notation.
pub fn written(position: &AnyPosition, m: Move, notation: &str) -> Result<String, Refused> {
    match notation {
        "usi" => Ok(position.usi(m)),
        "western" | "japanese" => Ok(position.hodges(m, names::squares_named(notation)?)),
        _ => Err(Refused::none_of("usi, western, japanese", notation)),
    }
}

/// Moves from here as a text, with their numbers if they are wanted.
///
/// # Errors
/// If a move is refused, or there is no such notation.
pub fn variation<'a>(
    position: &AnyPosition,
    moves: impl IntoIterator<Item = Given<'a>>,
    notation: &str,
    numbers: bool,
) -> Result<String, Refused> {
    let mut position = position.clone();
    let mut words = Vec::new();
    for given in moves {
        let m = find(&position, given)?;
        if numbers {
            words.extend(number(&position, words.is_empty()));
        }
        words.push(written(&position, m, notation)?);
        let played = position.play(m);
        played.map_err(|error| Refused::Illegal { text: error.to_string(), near: Vec::new() })?;
    }
    Ok(words.join(" "))
}
