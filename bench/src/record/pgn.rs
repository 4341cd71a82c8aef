//! Games as PGN, for the tools of chess.
//!
//! The moves are USI texts. The tag `White` names the side that moves up the board (our Black, who
//! moves first unless there is a handicap), because that is how XBoard shows these games; `Sente` and
//! `Gote` say it without doubt.

use std::io::{self, Write};

use crate::engine::Score;

use super::{GameRecord, Reason, Side};

/// Writes the game, followed by an empty line.
///
/// # Errors
/// If writing fails.
pub fn write_pgn(out: &mut impl Write, game: &GameRecord) -> io::Result<()> {
    let (start, given) = match game.opening.split_once(" moves ") {
        Some((start, moves)) => (start, moves.split_ascii_whitespace().collect()),
        None => (game.opening.as_str(), Vec::new()),
    };
    let tag = |out: &mut dyn Write, name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "[{name} \"{value}\"]")
    };
    tag(out, "Event", "kujira-bench match")?;
    tag(out, "Site", "?")?;
    tag(out, "Date", "????.??.??")?;
    tag(out, "Round", &format!("{}.{}", game.id.round + 1, game.id.leg + 1))?;
    tag(out, "White", &game.black.name)?;
    tag(out, "Black", &game.white.name)?;
    tag(out, "Result", game.result())?;
    tag(out, "Sente", &game.black.name)?;
    tag(out, "Gote", &game.white.name)?;
    tag(out, "Variant", &game.variant)?;
    if let Some(sfen) = start.strip_prefix("sfen ") {
        tag(out, "SetUp", "1")?;
        tag(out, "SFEN", sfen)?;
    }
    tag(out, "WhiteLimit", &game.black.limit)?;
    tag(out, "BlackLimit", &game.white.limit)?;
    tag(out, "Termination", &serde_name(game.ending.reason))?;
    if !game.ending.detail.is_empty() {
        tag(out, "Detail", &game.ending.detail)?;
    }
    writeln!(out)?;
    let mut text = String::new();
    for (index, m) in given.iter().enumerate() {
        text.push_str(&numbered(index, m));
        text.push_str(" {book} ");
    }
    for (index, m) in game.moves.iter().enumerate() {
        text.push_str(&numbered(given.len() + index, &m.usi));
        let score = match m.score {
            Some(Score::Cp(value)) => format!("{:+.2}", f64::from(value) / 100.0),
            Some(Score::Mate(plies)) => {
                format!("{}M{}", if plies > 0 { '+' } else { '-' }, plies.unsigned_abs())
            }
            None => "?".to_owned(),
        };
        let depth = m.depth.map_or_else(|| "?".to_owned(), |depth| depth.to_string());
        text.push_str(&format!(" {{{score}/{depth} {:.3}s}} ", m.us as f64 / 1e6));
    }
    text.push_str(game.result());
    writeln!(out, "{}\n", wrap(&text))
}

fn numbered(index: usize, m: &str) -> String {
    if index.is_multiple_of(2) { format!("{}. {m}", index / 2 + 1) } else { m.to_owned() }
}

fn serde_name(reason: Reason) -> String {
    match serde_json::to_value(reason) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// Lines of at most 80 characters, broken at blanks.
fn wrap(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let mut width = 0;
    for word in text.split_ascii_whitespace() {
        if width > 0 && width + 1 + word.len() > 80 {
            wrapped.push('\n');
            width = 0;
        } else if width > 0 {
            wrapped.push(' ');
            width += 1;
        }
        wrapped.push_str(word);
        width += word.len();
    }
    wrapped
}

/// A game read from PGN: what our own writer puts there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// Names, of Black (who moves up the board) first.
    pub names: [String; 2],
    /// Which kind of whale shogi.
    pub variant: String,
    /// The whole game as in a USI `position` line.
    pub usi: String,
    /// The winner; none: a draw.
    pub winner: Option<Side>,
    /// Why it ended, as the tag `Termination` says.
    pub termination: String,
}

/// Reads games that [`write_pgn`] wrote.
///
/// # Errors
/// What was expected in which game.
pub fn read_pgn(text: &str) -> Result<Vec<PgnGame>, String> {
    let mut games = Vec::new();
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut body = String::new();
    let mut finish = |tags: &mut Vec<(String, String)>, body: &mut String| {
        if tags.is_empty() && body.trim().is_empty() {
            return Ok(());
        }
        let number = games.len() + 1;
        games.push(game(tags, body).map_err(|error| format!("game {number}: {error}"))?);
        tags.clear();
        body.clear();
        Ok::<(), String>(())
    };
    for line in text.lines() {
        if let Some(tag) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            if !body.trim().is_empty() {
                finish(&mut tags, &mut body)?;
            }
            let (name, value) = tag
                .split_once(' ')
                .ok_or_else(|| format!("expected [Name \"value\"], found {line}"))?;
            let value = value.trim().trim_matches('"');
            tags.push((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")));
        } else {
            body.push_str(line);
            body.push(' ');
        }
    }
    finish(&mut tags, &mut body)?;
    Ok(games)
}

fn game(tags: &[(String, String)], body: &str) -> Result<PgnGame, String> {
    let find =
        |name: &str| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.clone());
    let need =
        |name: &str| find(name).ok_or_else(|| format!("expected the tag {name}, found none"));
    let mut usi = find("SFEN").map_or_else(|| "startpos".to_owned(), |sfen| format!("sfen {sfen}"));
    let mut moves = 0;
    let mut depth = 0u32;
    let mut result = None;
    for word in body.replace('{', " { ").replace('}', " } ").split_ascii_whitespace() {
        match word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "1-0" | "0-1" | "1/2-1/2" | "*" => result = Some(word.to_owned()),
            _ if word.ends_with('.') => {}
            _ => {
                usi.push_str(if moves == 0 { " moves " } else { " " });
                usi.push_str(word);
                moves += 1;
            }
        }
    }
    let winner = match result.as_deref() {
        Some("1-0") => Some(Side::Black),
        Some("0-1") => Some(Side::White),
        Some("1/2-1/2") => None,
        other => {
            let found = other.unwrap_or("nothing");
            return Err(format!("expected a result after the moves, found {found}"));
        }
    };
    Ok(PgnGame {
        names: [need("White")?, need("Black")?],
        variant: need("Variant")?,
        usi,
        winner,
        termination: find("Termination").unwrap_or_default(),
    })
}
