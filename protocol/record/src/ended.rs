//! How a game ended, as the words of a record say it.

use kujira_usi::{Ending, Reason, Side};

use crate::error::Fault;
use crate::game::{Game, Node, NodeId};

/// How a game ended at `end`, whose record has this result and `termination` as its reason.
pub(crate) fn ending(game: &Game, end: NodeId, result: &str, termination: &str) -> Option<Ending> {
    let winner = winner(result)?;
    let termination = termination.trim();
    let named = |reason: &Reason| reason.name() == termination || reason.text() == termination;
    // Ends by the rules follow from the moves, or are none.
    let mut told = Reason::ALL.into_iter().filter(named).map(|reason| Ending { winner, reason });
    if let Some(ending) = told.find(|&told| !told.by_rule() && makes_sense(told)) {
        return Some(ending);
    }
    // Words of others, `time forfeit`, begin as ours do.
    let word = termination.split(|letter: char| !letter.is_ascii_alphabetic()).next()?;
    let claim = game.impasse(end).filter(|claim| claim.winner == winner);
    let reason = match (word, winner) {
        ("impasse", _) if claim.is_some() => Reason::Impasse,
        ("resignation", Some(_)) => Reason::Resignation,
        ("time", Some(_)) => Reason::Time,
        ("agreement", None) => Reason::Agreement,
        _ => Reason::Recorded,
    };
    Some(Ending { winner, reason })
}

/// Notes how a game ended at `end`, as a record may say it.
///
/// # Errors
/// If the rules say otherwise, or the reason is none of a win, or of a draw.
pub fn finish(game: &mut Game, end: NodeId, told: Ending) -> Result<(), Fault> {
    let found = match told.reason {
        Reason::Impasse => game.impasse(end),
        _ => game.node(end).and_then(|node| node.ending).filter(|ending| ending.by_rule()),
    };
    match found {
        Some(found) if found == told => {}
        None if !told.by_rule() && makes_sense(told) => {}
        None if !told.by_rule() => {
            let expected = if told.winner.is_some() { "no winner" } else { "a winner" };
            let found = if told.winner.is_some() { "one" } else { "none" };
            let expected = format!("{expected} of a game that ended by {}", told.reason.name());
            return Err(Fault::instead(expected, found));
        }
        found => {
            let found = found.map_or_else(|| "no end".to_owned(), |found| format!("\"{found}\""));
            return Err(Fault::instead(format!("the end to be \"{told}\""), found));
        }
    }
    if let Some(node) = game.node_mut(end) {
        node.ending = Some(told);
    }
    Ok(())
}

/// Notes how a game ended at a node as far as a record tells it; what follows from the moves is beyond doubt.
///
/// # Errors
/// If the moves, or words behind them, have another result.
pub(crate) fn conclude(node: Option<&mut Node>, told: Option<Ending>) -> Result<(), Fault> {
    let Some(node) = node else { return Ok(()) };
    if let (Some(found), Some(told)) = (node.ending, told)
        && found.winner != told.winner
    {
        let why = if found.by_rule() { format!(" ({found})") } else { String::new() };
        let expected = format!("the result {} as behind the moves{why}", found.result());
        return Err(Fault::expected(expected, told.result()));
    }
    node.ending = node.ending.or(told);
    Ok(())
}

/// Whether a reason other than the rules fits a win or a draw, whichever it is.
fn makes_sense(Ending { winner, reason }: Ending) -> bool {
    let drawn = matches!(reason, Reason::Agreement | Reason::PlyLimit | Reason::AdjudicatedDraw);
    reason == Reason::Recorded || drawn == winner.is_none()
}

/// The results, and other spellings of them.
const RESULTS: [(&str, &str); 7] = [
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("1/2", "1/2-1/2"),
    ("½-½", "1/2-1/2"),
    ("½", "1/2-1/2"),
    ("*", "*"),
];

/// The result that a text is, in whatever spelling; `None` if it is none.
pub(crate) fn result(text: &str) -> Option<&'static str> {
    RESULTS.iter().find(|(spelt, _)| *spelt == text.trim()).map(|row| row.1)
}

/// The result that a head says; `*` where its words say that none is known.
///
/// # Errors
/// If it is none.
pub(crate) fn said(text: &str) -> Result<&'static str, Fault> {
    let unknown = matches!(text.trim(), "" | "?" | "-" | "–" | "unknown").then_some("*");
    let found = result(text).or(unknown);
    found.ok_or_else(|| Fault::expected("1-0, 0-1, 1/2-1/2 or *", text))
}

/// The winner by a result, `Some(None)` if it is a draw; `None`: the result is open.
pub(crate) fn winner(result: &str) -> Option<Option<Side>> {
    match result {
        "1-0" => Some(Some(Side::Black)),
        "0-1" => Some(Some(Side::White)),
        "1/2-1/2" => Some(None),
        _ => None,
    }
}
