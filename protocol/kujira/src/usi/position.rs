//! What follows `position`.

use crate::lines::split_word;

use super::fault::{CommandError, wrong};

/// Reads what follows `position`: a start, none if it is the usual one, and the moves from there, separated by blanks.
/// Any other start stands behind `keyword`, which is `sfen` or `fen`.
pub(super) fn read(rest: &str, keyword: &str) -> Result<(Option<String>, String), CommandError> {
    let (found, rest) = split_word(rest);
    if found == "startpos" {
        return match split_word(rest) {
            ("", _) => Ok((None, String::new())),
            ("moves", moves) => Ok((None, moves.to_owned())),
            (found, _) => Err(wrong("position", "moves after startpos", found)),
        };
    }
    if found != keyword {
        return Err(wrong("position", format!("startpos or {keyword}"), found));
    }
    // No part of a position is the word "moves": a rank or hand of that name would need an M,
    // an O and a V, and no game has a piece called O or V.
    let moves_at = rest.match_indices("moves").map(|(at, _)| at).find(|&at| {
        let blank = |c: Option<char>| c.is_none_or(|c| c.is_ascii_whitespace());
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        blank(before.chars().next_back()) && blank(from.chars().nth("moves".len()))
    });
    let (start, moves) = match moves_at.and_then(|at| rest.split_at_checked(at)) {
        Some((start, moves)) => (start, split_word(moves).1),
        None => (rest, ""),
    };
    if start.is_empty() {
        let article = if keyword == "sfen" { "an" } else { "a" };
        let expected = format!("{article} {} after {keyword}", keyword.to_ascii_uppercase());
        return Err(wrong("position", expected, moves));
    }
    Ok((Some(start.trim_ascii().to_owned()), moves.to_owned()))
}
