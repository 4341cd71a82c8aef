//! What comments say: scores, clocks, times, and words.
//!
//! | comment | says |
//! |---|---|
//! | `{-1.25/9}`, `{+M3/7 0.002s}`, `{+M1/19}` | what the engine that moved thought, how deep it looked, what it took: as match runners write it (cutechess, `kujira-bench`), in pawns or plies to the mate as the mover sees it, the move among the plies |
//! | `[%eval 0.35]`, `[%eval #-4,12]` | the same as the side `White` of the tags sees it, mates in moves, the depth behind the comma |
//! | `[%clk 1:02:03]` | what the mover's clock showed |
//! | `[%emt 0:00:05]` | what the move took |
//!
//! What is not understood, and what is said twice, stays in the words of the comment.

use kujira_position::Color;
use kujira_usi::Score;

use crate::game::Node;

/// Notes what a comment behind the move of a node says.
pub(crate) fn note(node: &mut Node, text: &str) {
    let mut words = String::new();
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once("[%") {
        let Some((command, after)) = tail.split_once(']') else { break };
        append(&mut words, before);
        if !obey(node, command) {
            append(&mut words, &format!("[%{command}]"));
        }
        rest = after;
    }
    append(&mut words, rest);
    let left = engine(node, &words);
    append(&mut node.notes.comment, left);
}

/// Adds words to a text: single blanks stand between words.
pub(crate) fn append(text: &mut String, words: &str) {
    for word in words.split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
}

/// Notes what a command says; `false` if it says nothing new that is understood.
fn obey(node: &mut Node, command: &str) -> bool {
    let Some((name, value)) = command.split_once(char::is_whitespace) else { return false };
    let value = value.trim();
    // At the start nobody has moved.
    if node.parent.is_none() {
        return false;
    }
    match name {
        "clk" => set(&mut node.notes.clock, clock(value)),
        "emt" => set(&mut node.notes.spent, clock(value)),
        // A move that mates leaves no position to be judged.
        "eval" if node.notes.mates.is_none() => {
            let score = eval(value, node.side);
            set(&mut node.score, score)
        }
        _ => false,
    }
}

fn set<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let news = place.is_none() && value.is_some();
    if news {
        *place = value;
    }
    news
}

/// Reads `1:02:03.5`, `2:03` or `3.5` as milliseconds.
fn clock(text: &str) -> Option<u64> {
    let mut parts = text.rsplit(':');
    let mut time = milliseconds(parts.next()?)?;
    for unit in [60_000, 3_600_000] {
        let Some(part) = parts.next() else { return Some(time) };
        let number: u64 = digits(part)?.parse().ok()?;
        time = number.checked_mul(unit)?.checked_add(time)?;
    }
    parts.next().is_none().then_some(time)
}

fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

/// Reads seconds, `3` or `3.5`; what is beyond milliseconds is cut off.
fn milliseconds(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let part = format!("{:0<3}", digits(part)?);
    let whole: u64 = digits(whole)?.parse().ok()?;
    whole.checked_mul(1000)?.checked_add(part.get(..3)?.parse().ok()?)
}

/// Writes a time as `[%clk …]` has it.
pub(super) fn clock_text(time: u64) -> String {
    let (seconds, part) = (time / 1000, time % 1000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let text = format!("{hours}:{minutes:02}:{:02}", seconds % 60);
    if part == 0 { text } else { format!("{text}.{part:03}") }
}

/// Reads an evaluation, `0.35`, `#-4` or either with a depth behind a comma, with `side` to move.
fn eval(text: &str, side: Color) -> Option<(Score, u32)> {
    let (score, depth) = text.split_once(',').unwrap_or((text, "0"));
    let depth = digits(depth.trim())?.parse().ok()?;
    let Some(mate) = score.trim().strip_prefix('#') else {
        return Some((Score::Cp(centipawns(score.trim())?), depth));
    };
    let (sign, moves) = match mate.strip_prefix('-') {
        Some(moves) => (-1, moves),
        None => (1, mate.strip_prefix('+').unwrap_or(mate)),
    };
    let moves: u16 = digits(moves)?.parse().ok()?;
    // The side that mates makes the last move; if it is to move now, it makes the first, too.
    let winner_moves = (sign > 0) == (side == Color::Black);
    let plies = 2 * i32::from(moves) - i32::from(winner_moves);
    (plies > 0).then_some((Score::Mate(sign * plies), depth))
}

fn centipawns(text: &str) -> Option<i32> {
    let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-'));
    let pawns: f64 = plain.then(|| text.parse().ok())??;
    let value = (pawns * 100.0).round();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "within the range, and no NaN is written in digits"
    )]
    (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value).then_some(value as i32)
}

/// Notes what words such as `+0.35/12 0.5s` at the beginning say, and returns the others.
fn engine<'a>(node: &mut Node, words: &'a str) -> &'a str {
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    let Some((score, depth)) = spoken(first).filter(|_| node.parent.is_some()) else {
        return words;
    };
    if !node.think(score, depth) {
        return words;
    }
    let (second, others) = rest.split_once(' ').unwrap_or((rest, ""));
    let second = second.strip_suffix(',').unwrap_or(second);
    let spent = second.strip_suffix('s').and_then(milliseconds);
    if set(&mut node.notes.spent, spent) { others } else { rest }
}

/// Writes the score behind a node's move, which [`note`] reads again.
pub(super) fn score_text(node: &Node) -> Option<String> {
    let (score, depth) = node.thought()?;
    let spent = node.notes.spent.map(|spent| format!(" {}.{:03}s", spent / 1000, spent % 1000));
    Some(format!("{score}/{depth}{}", spent.unwrap_or_default()))
}

/// Reads `+0.35/12` or `-M4/7`.
fn spoken(text: &str) -> Option<(Score, u32)> {
    let (score, depth) = text.strip_suffix(',').unwrap_or(text).split_once('/')?;
    let depth = digits(depth)?.parse().ok()?;
    let sign = match score.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    match score.get(1..)?.strip_prefix('M') {
        Some(plies) => {
            let plies: u16 = digits(plies)?.parse().ok()?;
            Some((Score::Mate(sign * i32::from(plies)), depth))
        }
        None => Some((Score::Cp(centipawns(score)?), depth)),
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Rules, VariantId};

    use super::*;
    use crate::game::Game;

    /// The first node of a game after this comment. White is to move.
    fn noted(comments: &[&str]) -> Node {
        let start = VariantId::Whale.spec().start;
        let mut game = Game::new(VariantId::Whale, start, Rules::DEFAULT).unwrap();
        let id = game.play(0, "2e2d").unwrap();
        let node = game.node_mut(id).unwrap();
        for comment in comments {
            note(node, comment);
        }
        node.clone()
    }

    #[test]
    fn scores_of_engines_are_read() {
        let scores = |text: &str| {
            let node = noted(&[text]);
            (node.score, node.notes.spent, node.notes.comment)
        };
        // The move that mates, and what it took; nobody mates himself.
        let node = noted(&["+M1/3 0.002s mate"]);
        assert_eq!((node.thought(), node.score), (Some((Score::Mate(1), 3)), None));
        assert_eq!((node.notes.spent, &node.notes.comment[..]), (Some(2), "mate"));
        assert_eq!(score_text(&node).as_deref(), Some("+M1/3 0.002s"));
        for (text, score, spent, comment) in [
            ("+0.35/12", Some((Score::Cp(35), 12)), None, ""),
            ("-1.25/7 0.002s", Some((Score::Cp(-125), 7)), Some(2), ""),
            ("+0.35/12 0.57s, White\n mates", Some((Score::Cp(35), 12)), Some(570), "White mates"),
            ("-M4/7 31s", Some((Score::Mate(-3), 7)), Some(31_000), ""),
            ("+M3/7 good", Some((Score::Mate(2), 7)), None, "good"),
            ("-M1/3", None, None, "-M1/3"),
            ("?/7 0.002s", None, None, "?/7 0.002s"),
            ("book", None, None, "book"),
            ("good +0.35/12", None, None, "good +0.35/12"),
            ("0.35/12", None, None, "0.35/12"),
            ("+inf/3", None, None, "+inf/3"),
            ("+1e9/3", None, None, "+1e9/3"),
            ("+13636.68/5", Some((Score::Cp(1_363_668), 5)), None, ""),
            ("-21474836.48/5", Some((Score::Cp(i32::MIN), 5)), None, ""),
            ("+99999999999/3", None, None, "+99999999999/3"),
            ("+M70000/3", None, None, "+M70000/3"),
        ] {
            assert_eq!(scores(text), (score, spent, comment.to_owned()), "{text}");
        }
        let node = noted(&["+0.35/12", "+0.40/13", "[%eval 1]"]);
        assert_eq!(
            (node.score, &node.notes.comment[..]),
            (Some((Score::Cp(35), 12)), "+0.40/13 [%eval 1]")
        );
    }

    #[test]
    fn commands_are_read() {
        let node = noted(&["[%clk 1:02:03.5] why [%emt 0:00:05]not", "[%eval -0.35]"]);
        assert_eq!((node.notes.clock, node.notes.spent), (Some(3_723_500), Some(5000)));
        assert_eq!((node.score, &node.notes.comment[..]), (Some((Score::Cp(-35), 0)), "why not"));
        for (text, score, depth) in [
            ("0.35,12", Score::Cp(35), 12),
            ("+3", Score::Cp(300), 0),
            // White is to move: Black mates in three has six plies to go, White five.
            ("#3", Score::Mate(6), 0),
            ("#-3,9", Score::Mate(-5), 9),
        ] {
            assert_eq!(noted(&[&format!("[%eval {text}]")]).score, Some((score, depth)), "{text}");
        }
        for text in [
            "[%clk]",
            "[%clk x]",
            "[%clk 1:2:3:4]",
            "[%clk 1:-2]",
            "[%eval #]",
            "[%csl Ga4]",
            "[%clk 1",
            "[%clk 99999999999999999:00:00]",
        ] {
            let node = noted(&[text]);
            assert_eq!((node.notes.clock, node.score, &node.notes.comment[..]), (None, None, text));
        }
    }

    #[test]
    fn times_are_written_as_they_are_read() {
        for time in [0, 7, 999, 1000, 61_000, 3_600_000, 86_399_999, 100 * 3_600_000] {
            assert_eq!(clock(&clock_text(time)), Some(time));
        }
        assert_eq!(
            (clock("2:03"), clock("3.25"), clock_text(3_723_500)),
            (Some(123_000), Some(3250), "1:02:03.500".to_owned())
        );
    }
}
