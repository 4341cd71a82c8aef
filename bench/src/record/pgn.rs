//! Games as PGN, for the tools of chess.
//!
//! The moves are USI texts. The tag `White` names the side that moves up the board (our Black, who
//! moves first unless there is a handicap), because that is how XBoard shows these games; `Sente` and
//! `Gote` say it without doubt. Results and numbers of moves follow the tags: a number covers a move of
//! the tag `White` (our Black) and the answer to it. A game that our White begins therefore starts
//! with `1... MOVE`, as PGN has it for a position with Black to move, and its second move is number 2.
//! The comment behind a move is what its engine said: score as the mover sees it (plies to a mate), depth
//! and time, as cutechess writes it.

use std::io::{self, Write};

use kujira_usi::{Side, Switches};

use super::GameRecord;

/// Writes the game, which was played under these rules, followed by an empty line.
///
/// # Errors
/// If writing fails.
pub fn write_pgn(out: &mut impl Write, game: &GameRecord, rules: Switches) -> io::Result<()> {
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
    tag(out, "Result", game.ending.result())?;
    tag(out, "Sente", &game.black.name)?;
    tag(out, "Gote", &game.white.name)?;
    tag(out, "Variant", &game.variant)?;
    if let Some(sfen) = start.strip_prefix("sfen ") {
        tag(out, "SetUp", "1")?;
        tag(out, "SFEN", sfen)?;
    }
    // Without it the moves may not be legal, and the end may not be one.
    if rules != Switches::default() {
        tag(out, "Rules", &rules.to_string())?;
    }
    tag(out, "WhiteLimit", &game.black.limit)?;
    tag(out, "BlackLimit", &game.white.limit)?;
    tag(out, "Termination", game.ending.reason.name())?;
    if !game.detail.is_empty() {
        tag(out, "Detail", &game.detail)?;
    }
    writeln!(out)?;
    let mut text = String::new();
    let black_starts = game.black_starts();
    for (index, m) in given.iter().enumerate() {
        text.push_str(&numbered(index, black_starts, m));
        text.push_str(" {book} ");
    }
    for (index, m) in game.moves.iter().enumerate() {
        text.push_str(&numbered(given.len() + index, black_starts, &m.usi));
        let score = m.score.map_or_else(|| "?".to_owned(), |score| score.to_string());
        let depth = m.depth.map_or_else(|| "?".to_owned(), |depth| depth.to_string());
        text.push_str(&format!(" {{{score}/{depth} {:.3}s}} ", m.us as f64 / 1e6));
    }
    text.push_str(game.ending.result());
    writeln!(out, "{}\n", wrap(&text))
}

/// The move with its number, where one stands: before those of our Black, and before the first of a
/// game whoever makes it. `index` counts all moves of the game from 0.
fn numbered(index: usize, black_starts: bool, m: &str) -> String {
    let ply = index + usize::from(!black_starts);
    let number = ply / 2 + 1;
    match (ply.is_multiple_of(2), index) {
        (true, _) => format!("{number}. {m}"),
        (false, 0) => format!("{number}... {m}"),
        (false, _) => m.to_owned(),
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
            let quoted = value.trim().strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            let value =
                quoted.ok_or_else(|| format!("expected a value in quotes, found {line}"))?;
            tags.push((name.to_owned(), unescape(value)));
        } else {
            body.push_str(line);
            body.push(' ');
        }
    }
    finish(&mut tags, &mut body)?;
    Ok(games)
}

/// The text of a quoted value: a backslash stands before quotes and backslashes.
fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        text.push(if letter == '\\' { letters.next().unwrap_or(letter) } else { letter });
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_usi::{Ending, Reason, Score};

    use crate::record::{GameId, MoveRecord, Player};

    fn record() -> GameRecord {
        let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
        let m = |usi: &str, score| MoveRecord {
            usi: usi.to_owned(),
            score,
            depth: Some(7),
            seldepth: None,
            nodes: Some(5),
            us: 1_500,
        };
        GameRecord {
            id: GameId { round: 2, engines: [0, 1], leg: 1 },
            variant: "whale".to_owned(),
            black: player("a \\ \"b\""),
            white: player("w"),
            opening: "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves 6b6c".to_owned(),
            moves: vec![
                m("2e2d", Some(Score::Cp(-125))),
                m("5b5c", Some(Score::Mate(3))),
                m("1e1d", None),
            ],
            ending: Ending::win(kujira_position::Color::White, Reason::Time),
            detail: "12 ms late".to_owned(),
        }
    }

    #[test]
    fn games_are_written_and_read() {
        let mut text = Vec::new();
        let impasse = Switches { impasse: true, ..Switches::default() };
        write_pgn(&mut text, &record(), impasse).unwrap();
        write_pgn(&mut text, &record(), impasse).unwrap();
        let text = String::from_utf8(text).unwrap();
        for line in [
            "[Round \"3.2\"]",
            "[White \"a \\\\ \\\"b\\\"\"]",
            "[SFEN \"bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1\"]",
            "[Rules \"impasse\"]",
            "[Termination \"time\"]",
            "1... 6b6c {book} 2. 2e2d {-1.25/7 0.002s} 5b5c {+M3/7 0.002s} 3. 1e1d {?/7",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
        let games = read_pgn(&text).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0], games[1]);
        assert_eq!(games[0].names, ["a \\ \"b\"", "w"]);
        assert_eq!(games[0].usi, record().usi());
        assert_eq!((games[0].winner, &games[0].termination[..]), (Some(Side::White), "time"));
    }

    /// The tag `White` is our Black, so a game that our White begins has no first move of `White`.
    #[test]
    fn numbers_follow_the_side_that_begins() {
        let white_first = "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1";
        for (opening, moves, expected) in [
            ("startpos", &["2e2d", "5b5c", "1e1d"] as &[&str], "1. 2e2d 5b5c 2. 1e1d 0-1"),
            ("startpos moves 2e2d", &["5b5c", "1e1d"], "1. 2e2d 5b5c 2. 1e1d 0-1"),
            (white_first, &["2b2c", "5e5d", "1b1c"], "1... 2b2c 2. 5e5d 1b1c 0-1"),
            (&format!("{white_first} moves 2b2c")[..], &["5e5d"], "1... 2b2c 2. 5e5d 0-1"),
            (
                &format!("{white_first} moves 2b2c 5e5d")[..],
                &["1b1c", "1e1d"],
                "1... 2b2c 2. 5e5d 1b1c 3. 1e1d 0-1",
            ),
            // The number in the SFEN is no number of a PGN: it counts single moves.
            ("sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB b - 9", &["2e2d", "2b2c"], "1. 2e2d 2b2c 0-1"),
        ] {
            let mut game = record();
            opening.clone_into(&mut game.opening);
            game.moves.truncate(moves.len());
            for (m, usi) in game.moves.iter_mut().zip(moves) {
                (*usi).clone_into(&mut m.usi);
            }
            let mut text = Vec::new();
            write_pgn(&mut text, &game, Switches::default()).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert!(!text.contains("[Rules "), "{text}");
            assert!(text.contains("[White \"a \\\\ \\\"b\\\"\"]\n[Black \"w\"]\n"), "{text}");
            let (_, body) = text.split_once("\n\n").unwrap();
            let mut depth = 0;
            let bare: Vec<_> = body
                .split_ascii_whitespace()
                .filter(|word| {
                    let within = depth > 0 || word.starts_with('{');
                    depth += word.matches('{').count();
                    depth -= word.matches('}').count();
                    !within
                })
                .collect();
            assert_eq!(bare.join(" "), expected, "{opening}");
            assert_eq!(read_pgn(&text).unwrap()[0].usi, game.usi());
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let whole = "[White \"a\"]\n[Black \"b\"]\n[Variant \"whale\"]\n\n1. 2e2d 1-0\n";
        assert_eq!(read_pgn(whole).unwrap()[0].usi, "startpos moves 2e2d");
        assert_eq!(read_pgn("").unwrap(), []);
        for (text, expected) in [
            (whole.replace("1-0", ""), "game 1: expected a result after the moves, found nothing"),
            (whole.replace("[Variant \"whale\"]\n", ""), "expected the tag Variant"),
            (whole.replace("\"b\"", "b"), "expected a value in quotes"),
            (whole.replace("[Black \"b\"]", "[Black]"), "expected [Name \"value\"]"),
        ] {
            let error = read_pgn(&text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
