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
pub const LOSS: i32 = 100;

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

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    fn sight(score: Score, line: &str) -> Sight {
        Sight { score, line: line.split_whitespace().map(str::to_owned).collect() }
    }

    /// What is said of a position that a move has led to: before it was worth `best`, and now a line is seen.
    fn word<V: Variant>(sfen: &str, best: Score, reply: Score, line: &str) -> Option<Warning> {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        judge(&position, best, &sight(reply, line), LOSS)
    }

    /// What is said of a move that loses 4.00, and of one that loses nothing.
    fn check<V: Variant>(sfen: &str, line: &str, token: &str, square: &str) {
        let lost = word::<V>(sfen, Score::Cp(300), Score::Cp(100), line).unwrap();
        let piece = Lost { token: token.to_owned(), square: Some(square.to_owned()), later: false };
        assert_eq!((lost.mate, lost.piece), (false, Some(piece)), "{sfen}");
        assert_eq!(lost.line, line.split(' ').collect::<Vec<_>>());
        assert_eq!(word::<V>(sfen, Score::Cp(300), Score::Cp(-290), line), None, "{sfen}");
        // The white whale is lost, unless it was before.
        let mated = word::<V>(sfen, Score::Cp(300), Score::Mate(1), line).unwrap();
        assert_eq!((mated.mate, mated.piece), (true, None));
        assert_eq!(word::<V>(sfen, Score::Mate(-2), Score::Mate(1), line), None);
    }

    #[test]
    fn a_piece_that_hangs_is_named_with_its_square() {
        check::<Whale>("w5/6/6/3d2/3G2/5W w - 2", "3d3e", "G", "3e");
        check::<Paulowich>("w6/7/7/3d3/3A3/7/6W w - 2", "4d4e", "A", "4e");
        // A lion takes two on its way: the first that is more than a calf is named.
        let great = "5,w,5/11/5,+br,5/5,FC,5/5,S,5/11/11/11/11/11/5,W,5 w - 2";
        check::<Great>(great, "6c6d6e6f", "S", "6e");
    }

    #[test]
    fn what_is_taken_later_is_told_by_where_it_stands_now() {
        let sfen = "w5/6/3d2/3N2/5D/5W w D 2";
        let piece = |line| word::<Whale>(sfen, Score::Cp(400), Score::Cp(200), line).unwrap().piece;
        let lost = |token: &str, square: Option<&str>| {
            Some(Lost { token: token.to_owned(), square: square.map(str::to_owned), later: true })
        };
        assert_eq!(piece("6a6b 1f2f 3c3d"), lost("N", Some("3d")));
        // It goes there first, or is yet to be dropped.
        assert_eq!(piece("6a6b 3d2d 3c3d 2d3d"), None);
        assert_eq!(piece("3c3d 1e1d 3d3e").map(|piece| piece.later), Some(false));
        assert_eq!(piece("6a6b 3d3e 3c3d 1e1d 3d3e"), lost("N", Some("3d")));
        assert_eq!(piece("6a6b D*2d 3c3d").map(|piece| piece.token), Some("N".to_owned()));
        // What is no move ends the line.
        assert_eq!(piece("6a6b 9z9z 3c3d"), None);
        let after = "w5/6/3d2/6/5D/5W w D 2";
        let line = "6a6b D*3d 3c3d";
        let found = word::<Whale>(after, Score::Cp(400), Score::Cp(200), line).unwrap();
        assert_eq!(found.piece, lost("D", None));
    }

    #[test]
    fn won_stays_won_and_much_is_lost_without_a_capture() {
        let sfen = "w5/6/6/3d2/3G2/5W w - 2";
        let said = |best, reply, line| word::<Whale>(sfen, best, reply, line).is_some();
        // A mate is missed, but the game is won as before.
        assert!(!said(Score::Mate(5), Score::Cp(-1_600), "3d3e"));
        assert!(said(Score::Mate(5), Score::Cp(-1_000), "3d3e"));
        // Nothing is seen to be taken.
        assert!(!said(Score::Cp(150), Score::Cp(0), "6a6b"));
        assert!(said(Score::Cp(300), Score::Cp(0), "6a6b"));
        // A lost game can be lost further.
        assert!(said(Score::Cp(-1_600), Score::Cp(2_300), "6a6b"));
        assert!(!said(Score::Cp(-3_000), Score::Cp(4_000), "3d3e"));
    }
}
