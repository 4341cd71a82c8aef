//! Moves as somebody gives them, and the legal moves that they mean.

use kujira_position::{
    AnyPosition, Color, Direction, HodgesError, Move, MoveError, Origin, Outcome, PositionError,
    Square, SquareText, VariantId, Way, WinReason, with_position,
};
use kujira_record::{Fault, read_move};

use crate::{Refused, names};

/// A move as somebody gives it.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// As a value.
    Move(Move),
    /// By its number, see [`number_of`].
    Number(u32),
    /// As a text: USI, or Hodges notation in Western or Japanese squares.
    Text(&'a str),
}

/// Set in the number of every move and in that of no action, so that neither is taken for the other.
const MARK: u32 = 1 << 31;

/// The number of a move.
#[must_use]
pub fn number_of(m: Move) -> u32 {
    m.bits() | MARK
}

/// The squares that a way captures, if all lie on the board.
#[must_use]
pub fn captured_on_way(game: VariantId, m: Move, way: Way) -> Option<Vec<String>> {
    let geometry = game.spec().geometry;
    let (dx, dy) = Direction::from_index(way.line()).offset();
    (1_i8..=2)
        .filter(|&step| way.captures_step(usize::from(step.unsigned_abs())))
        .map(|step| {
            let square = geometry.step(m.from(), Color::Black, dx * step, dy * step)?;
            Some(names::square(game, square))
        })
        .collect()
}

/// The move with this number, if it could be one of the game.
#[must_use]
pub fn from_number(game: VariantId, number: u32) -> Option<Move> {
    let spec = game.spec();
    let m = Move::from_bits(number ^ MARK)?;
    let kinds = if m.is_drop() { spec.hand_kinds + 1 } else { spec.kinds.len() };
    let geometry = spec.geometry;
    let on_board = [m.from(), m.to()]
        .into_iter()
        .all(|square| square.index() < geometry.squares() && geometry.contains(square));
    let ways = m.way().is_none_or(|way| captured_on_way(game, m, way).is_some());
    (m.kind().index() < kinds && on_board && ways).then_some(m)
}

/// Where a USI text begins and ends.
#[must_use]
pub fn ends(game: VariantId, text: &str) -> Option<(Origin, Square)> {
    if let Some((token, to)) = text.split_once('*') {
        let kind = game.spec().find_kind(token)?;
        return Some((Origin::Hand(kind), names::square_named(game, to).ok()?));
    }
    let geometry = game.spec().geometry;
    let mut squares = Vec::new();
    let mut rest = text.trim_end_matches('+');
    while !rest.is_empty() {
        let (square, tail) = SquareText::parse_prefix(geometry, rest)?;
        squares.push(square);
        rest = tail;
    }
    let [from, .., to] = squares[..] else { return None };
    Some((Origin::Square(from), to))
}

/// The moves that may be played; none after the end of the game.
#[must_use]
pub fn legal_moves(position: &AnyPosition) -> Vec<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() || position.outcome().is_none() { moves } else { Vec::new() }
}

/// The legal moves that begin as a text says.
fn near(position: &AnyPosition, text: &str) -> Vec<String> {
    let Some((origin, _)) = ends(position.game(), text) else { return Vec::new() };
    let begins = |m: &Move| match origin {
        Origin::Square(from) => !m.is_drop() && m.from() == from,
        Origin::Hand(kind) => m.is_drop() && m.kind() == kind,
    };
    legal_moves(position).into_iter().filter(begins).map(|m| position.usi(m)).collect()
}

/// The move with a text.
fn read(position: &AnyPosition, text: &str) -> Result<Move, Fault> {
    with_position!(position, position => read_move(position, text))
}

/// Why the text of a move is refused.
fn refused_text(position: &AnyPosition, text: &str, fault: &Fault) -> Refused {
    let why = ends(position.game(), text).and_then(|(origin, to)| position.why_not(origin, to));
    let illegal = |text: String, near: Vec<String>| Refused::Illegal { text, near };
    match (fault, why) {
        (Fault::Usi(_), Some(why)) => illegal(format!("{fault}: {why}"), near(position, text)),
        (Fault::Usi(MoveError::Illegal { text, .. }), None) => {
            illegal(fault.to_string(), near(position, text))
        }
        (
            Fault::Hodges(
                HodgesError::Illegal { candidates, .. } | HodgesError::Ambiguous { candidates, .. },
            ),
            _,
        ) => illegal(fault.to_string(), candidates.clone()),
        _ => Refused::Wrong(fault.to_string()),
    }
}

/// Why a move is refused.
fn refused(position: &AnyPosition, m: Move) -> Refused {
    let text = position.usi(m);
    let origin = if m.is_drop() { Origin::Hand(m.kind()) } else { Origin::Square(m.from()) };
    let why = position.why_not(origin, m.to()).map_or_else(String::new, |why| format!(": {why}"));
    let near = near(position, &text);
    Refused::Illegal {
        text: format!("expected a legal move, found {text} in {}{why}", position.sfen()),
        near,
    }
}

/// The legal move that somebody gives.
///
/// # Errors
/// If it is no move, or not legal, or the game is over.
pub fn find(position: &AnyPosition, given: Given<'_>) -> Result<Move, Refused> {
    if let Some(outcome) = position.outcome() {
        let text = format!("expected no move after the end of the game ({outcome})");
        return Err(Refused::Illegal { text, near: Vec::new() });
    }
    let game = position.game();
    let m = match given {
        Given::Text(text) => {
            return read(position, text).map_err(|fault| refused_text(position, text, &fault));
        }
        Given::Move(m) => m,
        Given::Number(number) => from_number(game, number).ok_or_else(|| {
            Refused::Wrong(format!(
                "expected the number of a move of {game}, found {number}; those of actions are others"
            ))
        })?,
    };
    if position.is_legal(m) { Ok(m) } else { Err(refused(position, m)) }
}

/// Plays the legal move that somebody gives.
///
/// # Errors
/// As [`find`]; then nothing changes.
pub fn play(position: &mut AnyPosition, given: Given<'_>) -> Result<Move, Refused> {
    let m = find(position, given)?;
    let played = position.play(m);
    played.map_err(|error| Refused::Illegal { text: error.to_string(), near: Vec::new() })?;
    Ok(m)
}

/// Why a move, given as text, is not legal, in words; none if it is legal.
///
/// # Errors
/// If the text is no move.
pub fn why_not(position: &AnyPosition, text: &str) -> Result<Option<String>, Refused> {
    let ends = ends(position.game(), text);
    if let Some(why) = ends.and_then(|(origin, to)| position.why_not(origin, to)) {
        return Ok(Some(why.to_string()));
    }
    match read(position, text) {
        Ok(_) => Ok(position.outcome().map(|outcome| format!("The game is over: {outcome}."))),
        Err(
            fault @ (Fault::Usi(MoveError::Syntax { .. })
            | Fault::Hodges(HodgesError::Syntax { .. })),
        ) => Err(Refused::Wrong(fault.to_string())),
        Err(fault) => Ok(Some(fault.to_string())),
    }
}

/// The position before the moves that led to it.
#[must_use]
pub fn start(position: &AnyPosition) -> AnyPosition {
    let mut start = position.clone();
    while start.undo().is_some() {}
    start
}

/// The position without the moves that led to it, so that no repetition is known. The move that captured a white whale is
/// kept.
///
/// # Errors
/// If the rules were changed and do not allow it.
pub fn without_past(position: &AnyPosition) -> Result<AnyPosition, PositionError> {
    let alone = |position: &AnyPosition| {
        AnyPosition::replay(position.game(), Some(&position.sfen()), [], position.rules())
    };
    // A captured white whale is there only behind the move that captured it.
    let captured = Outcome::Win { winner: !position.side(), reason: WinReason::WhaleCaptured };
    if position.outcome() != Some(captured) {
        return alone(position);
    }
    let mut before = position.clone();
    let last = before.undo();
    let mut copy = alone(&before)?;
    if let Some(m) = last {
        // It was legal there.
        let _ = copy.play(m);
    }
    Ok(copy)
}
