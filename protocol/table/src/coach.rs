//! What a coach says of a move before it is made: that it leaves a piece to be taken, or lets the white whale be mated.
//!
//! It judges by what a full engine found before the move and after it, whoever asked that engine: a table of a page, or
//! the laboratory, which measures how often the coach is right (`kujira-bench coach`).

use kujira_position::{Kind, Move, Position, Square, SquareText, Variant};
use kujira_record::review::scale;
use kujira_usi::Score;
use serde::Serialize;

/// Nodes that the engine searches for each of the two positions of a judgement.
pub const NODES: u64 = 8_000;

/// Centipawns that a move loses from which on a piece counts as lost. A dolphin on the board and in the enemy's hand is
/// worth about twice as much, but so short a search does not see all of it (`docs/board.md` has what that comes to).
pub const LOSS: i32 = 120;

/// How many times [`LOSS`] a move loses from which on there is a word on it though nothing is seen to be taken.
const MUCH: i32 = 2;

/// Beyond so many times the scale of a game's scores a position is won, by chances of 99 %, however much more it is
/// worth; and below so many it is lost, however much less.
const WON: f64 = 5.0;
const LOST: f64 = 10.0;

/// Moves of the other side that are looked at for what they take.
const REPLIES: usize = 3;

/// What an engine found at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    /// The score as the side to move there sees it.
    pub score: Score,
    /// The line that it expects, as USI texts.
    pub line: Vec<String>,
}

/// What is wrong with a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Warning {
    /// Whether it is the white whale that is lost.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mate: bool,
    /// Or the piece that is lost; none if it is only seen that much is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<Lost>,
    /// What the other side plays, and how it goes on, as USI texts.
    pub line: Vec<String>,
}

/// A piece that is lost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Lost {
    /// Its token.
    pub token: String,
    /// Where it stands after the move; none if it is yet to be dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
    /// Whether it is taken later than with the next move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub later: bool,
}

/// A score as a number of which no more counts than that a position is won or lost.
fn within<V: Variant>(score: Score) -> f64 {
    let scale = scale(V::ID);
    f64::from(score.centipawns()).clamp(-LOST * scale, WON * scale)
}

/// What is wrong with a move, or with giving the turn away, that led to `position`: `best` is what its side could expect
/// before it, `reply` what the engine found after it. A move loses something if it loses `loss` centipawns and the reply
/// takes a piece, or if it loses much more.
#[must_use]
pub fn judge<V: Variant>(
    position: &Position<V>,
    best: Score,
    reply: &Sight,
    loss: i32,
) -> Option<Warning> {
    let warning = |mate, piece| Some(Warning { mate, piece, line: reply.line.clone() });
    let mates = |score| matches!(score, Score::Mate(plies) if plies > 0);
    if mates(reply.score) {
        // Where nothing helps nobody needs a warning.
        return if matches!(best, Score::Mate(..=0)) { None } else { warning(true, None) };
    }
    let lost = within::<V>(best) - within::<V>(reply.score.turned());
    if lost < f64::from(loss) {
        return None;
    }
    let piece = taken(position, &reply.line);
    if piece.is_none() && lost < f64::from(MUCH * loss) { None } else { warning(false, piece) }
}

/// The piece that the first moves of a line take from the side that does not begin it: the first, or the first that is
/// more than one of the little pieces.
fn taken<V: Variant>(start: &Position<V>, line: &[String]) -> Option<Lost> {
    let mut position = start.clone();
    let mut own = Vec::new();
    let mut little = None;
    for (ply, usi) in line.iter().take(2 * REPLIES - 1).enumerate() {
        let Ok(m) = position.parse_usi(usi) else { break };
        if ply % 2 == 1 {
            own.push(m);
        } else {
            let pieces = position.captured(m).filter(|(_, piece)| piece.kind() != Kind::WHALE);
            for (at, piece) in pieces {
                let lost = Lost {
                    token: V::SPEC.kind(piece.kind()).token.to_owned(),
                    square: origin(&own, at)
                        .map(|square| SquareText(V::SPEC.geometry, square).to_string()),
                    later: ply > 0,
                };
                if !V::SPEC.is_pawn(piece.kind()) {
                    return Some(lost);
                }
                little.get_or_insert(lost);
            }
        }
        position.make(m);
    }
    little
}

/// Where what stands on `at` after some moves of its side stood before them; `None` if it was dropped.
fn origin(moves: &[Move], at: Square) -> Option<Square> {
    moves.iter().rev().try_fold(at, |at, m| {
        if m.to() == at { (!m.is_drop()).then(|| m.from()) } else { Some(at) }
    })
}
