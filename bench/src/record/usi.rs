//! Games as USI text, one a line.

use std::io::{self, Write};

use crate::openings::Opening;

use super::GameRecord;

/// Writes the game as one line, `startpos moves …` or `sfen … moves …`.
///
/// # Errors
/// If writing fails.
pub fn write_usi(out: &mut impl Write, game: &GameRecord) -> io::Result<()> {
    writeln!(out, "{}", game.usi())
}

/// Reads games, one a line; empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// What is wrong with which line.
pub fn read_usi(text: &str) -> Result<Vec<Opening>, String> {
    let games = text.lines().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    games
        .map(|(index, line)| line.parse().map_err(|error| format!("line {}: {error}", index + 1)))
        .collect()
}
