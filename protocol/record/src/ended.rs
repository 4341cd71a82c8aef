//! How a game ended, as the words of a record say it.

use kujira_usi::{Ending, Reason, Side};

use crate::game::{Game, NodeId};

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

/// Whether a reason other than the rules fits a win or a draw, whichever it is.
pub(crate) fn makes_sense(Ending { winner, reason }: Ending) -> bool {
    let drawn = matches!(reason, Reason::Agreement | Reason::PlyLimit | Reason::AdjudicatedDraw);
    reason == Reason::Recorded || drawn == winner.is_none()
}

/// The winner by a result, `Some(None)` if it is a draw; `None`: the result is open.
pub(crate) fn winner(result: &str) -> Option<Option<Side>> {
    match result.trim() {
        "1-0" => Some(Some(Side::Black)),
        "0-1" => Some(Some(Side::White)),
        "1/2-1/2" => Some(None),
        _ => None,
    }
}
