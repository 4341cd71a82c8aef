//! Positions of a game that is chosen at run time.

use std::any::Any;
use std::fmt;
use std::str::FromStr;

use crate::coordinates::{Coordinates, SquareText};
use crate::notation::{HodgesError, MoveError, SfenError, UsiMove};
use crate::perft::{self, Leaves};
use crate::position::{IllegalMove, Outcome, Position};
use crate::rules::Rules;
use crate::setup::SetupError;
use crate::spec::Spec;
use crate::types::{Color, Move, Piece, Square};
use crate::variant::{Great, Paulowich, UnknownGame, Variant, VariantId, Whale};
use crate::why_not::{Origin, WhyNot};

/// Why a text is no game up to a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// No game has this id.
    #[error(transparent)]
    Game(UnknownGame),
    /// Neither a start nor an SFEN follows the id of the game.
    #[error("expected startpos or sfen, and moves behind it, found {0:?}")]
    Start(
        /// What was found.
        String,
    ),
    /// The SFEN was refused.
    #[error("sfen: {0}")]
    Sfen(SfenError),
    /// A move was refused.
    #[error("move {number}: {error}")]
    Move {
        /// Its number in the list, from 1.
        number: usize,
        /// Why.
        error: MoveError,
    },
    /// The game was over before this move.
    #[error("move {number}: expected no move after the end of the game ({outcome})")]
    Over {
        /// Its number in the list, from 1.
        number: usize,
        /// How the game ended.
        outcome: Outcome,
    },
}

/// Writes down the games once more, as what a position can be of.
macro_rules! any_position {
    ($($name:ident)+) => {
        /// A position of a game that is known at run time alone.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub enum AnyPosition {
            $(
                #[doc = concat!("A position of [`", stringify!($name), "`].")]
                $name(Position<$name>),
            )+
        }

        impl<V: Variant> From<Position<V>> for AnyPosition {
            fn from(position: Position<V>) -> Self {
                let mut slot = Some(position);
                let any: &mut dyn Any = &mut slot;
                $(
                    let found = any.downcast_mut::<Option<Position<$name>>>();
                    if let Some(position) = found.and_then(Option::take) {
                        return Self::$name(position);
                    }
                )+
                unreachable!("there are no other games")
            }
        }

        /// Runs an expression with the [`Position`] inside an [`AnyPosition`], or a reference to one.
        ///
        /// ```
        /// use kujira_position::{AnyPosition, VariantId, with_position};
        ///
        /// let any = AnyPosition::start(VariantId::Great);
        /// assert_eq!(with_position!(&any, position => position.ply()), 1);
        /// ```
        #[macro_export]
        macro_rules! with_position {
            ($any:expr, $position:ident => $body:expr) => {
                match $any {
                    $($crate::AnyPosition::$name($position) => $body,)+
                }
            };
        }
    };
}

with_games!(any_position);

impl<V: Variant> Position<V> {
    /// The position after moves, as USI texts, from the start (`None`) or an SFEN.
    ///
    /// # Errors
    /// If the SFEN or a move is refused, or a move follows the end of the game.
    pub fn replay<'a>(
        sfen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
        rules: Rules,
    ) -> Result<Self, PositionError> {
        let start = sfen.unwrap_or(V::SPEC.start);
        let mut position = Self::from_sfen_under(start, rules).map_err(PositionError::Sfen)?;
        for (number, text) in (1..).zip(moves) {
            if let Some(outcome) = position.outcome() {
                return Err(PositionError::Over { number, outcome });
            }
            let m =
                position.parse_usi(text).map_err(|error| PositionError::Move { number, error })?;
            position.make(m);
        }
        Ok(position)
    }

    /// The position, if `any` is one of this game.
    #[must_use]
    pub fn of(any: &AnyPosition) -> Option<&Self> {
        with_position!(any, position => (position as &dyn Any).downcast_ref())
    }
}

impl VariantId {
    /// The USI text of a move of this game, which is the same in every position.
    ///
    /// # Panics
    /// If the move drops a kind that the game does not have.
    #[must_use]
    pub fn usi(self, m: Move) -> String {
        with_variant!(self, V => UsiMove::<V>::new(m).to_string())
    }
}

/// What people do with positions; the rest is reached by [`with_position!`](crate::with_position). Each says what the
/// method of [`Position`] with its name says.
impl AnyPosition {
    /// The starting position of a game under the usual rules.
    #[must_use]
    pub fn start(game: VariantId) -> Self {
        with_variant!(game, V => Position::<V>::start().into())
    }

    /// The position of an SFEN under the usual rules.
    ///
    /// # Errors
    /// As [`Position::from_sfen`].
    pub fn from_sfen(game: VariantId, sfen: &str) -> Result<Self, SfenError> {
        with_variant!(game, V => Position::<V>::from_sfen(sfen).map(Into::into))
    }

    /// The position after moves, as USI texts, from the start (`None`) or an SFEN.
    ///
    /// # Errors
    /// As [`Position::replay`].
    pub fn replay<'a>(
        game: VariantId,
        sfen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
        rules: Rules,
    ) -> Result<Self, PositionError> {
        with_variant!(game, V => Position::<V>::replay(sfen, moves, rules).map(Into::into))
    }

    /// The position that USI's command `position` says: `startpos moves …` or `sfen … moves …`.
    ///
    /// # Errors
    /// As [`Position::replay`], or if neither a start nor an SFEN comes first.
    pub fn from_usi(game: VariantId, text: &str, rules: Rules) -> Result<Self, PositionError> {
        let (start, moves) = text.split_once(" moves").unwrap_or((text, ""));
        let sfen = match start.trim().split_once(' ') {
            Some(("sfen", sfen)) => Some(sfen),
            None if start.trim() == "startpos" => None,
            _ => return Err(PositionError::Start(text.to_owned())),
        };
        Self::replay(game, sfen, moves.split_ascii_whitespace(), rules)
    }

    /// Which game it is.
    #[must_use]
    pub fn game(&self) -> VariantId {
        fn of<V: Variant>(_: &Position<V>) -> VariantId {
            V::ID
        }
        with_position!(self, position => of(position))
    }

    /// The game's rules and pieces.
    #[must_use]
    pub fn spec(&self) -> &'static Spec {
        self.game().spec()
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Color {
        with_position!(self, position => position.side())
    }

    /// Number of the next move, from 1.
    #[must_use]
    pub fn ply(&self) -> u32 {
        with_position!(self, position => position.ply())
    }

    /// The rule switches.
    #[must_use]
    pub fn rules(&self) -> Rules {
        with_position!(self, position => position.rules())
    }

    /// Changes the rule switches of the game in progress.
    ///
    /// # Errors
    /// As [`Position::set_rules`].
    pub fn set_rules(&mut self, rules: Rules) -> Result<(), SetupError> {
        with_position!(self, position => position.set_rules(rules))
    }

    /// The Zobrist key of board, hands and side to move.
    #[must_use]
    pub fn key(&self) -> u64 {
        with_position!(self, position => position.key())
    }

    /// The position as SFEN.
    #[must_use]
    pub fn sfen(&self) -> String {
        with_position!(self, position => position.sfen())
    }

    /// The square with this USI name, such as `6f`, if the board has it.
    #[must_use]
    pub fn square(&self, name: &str) -> Option<Square> {
        let (square, rest) = SquareText::parse_prefix(self.spec().geometry, name)?;
        rest.is_empty().then_some(square)
    }

    /// The piece on a square of the board.
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        with_position!(self, position => position.piece_on(square))
    }

    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        with_position!(self, position => position.legal_moves().to_vec())
    }

    /// Whether a move is legal, wherever it came from.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        with_position!(self, position => position.is_legal(m))
    }

    /// Plays a move, if it is legal.
    ///
    /// # Errors
    /// If it is not; then nothing changes.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        with_position!(self, position => position.play(m))
    }

    /// Takes the last move back and returns it, if there was one.
    pub fn undo(&mut self) -> Option<Move> {
        with_position!(self, position => position.undo())
    }

    /// The moves that led here since the position was set up.
    #[must_use]
    pub fn played(&self) -> Vec<Move> {
        with_position!(self, position => position.played().collect())
    }

    /// What a legal move captures: on the way, in the order travelled, and where it ends.
    #[must_use]
    pub fn captured(&self, m: Move) -> Vec<(Square, Piece)> {
        with_position!(self, position => position.captured(m).collect())
    }

    /// Whether a legal move captures anything.
    #[must_use]
    pub fn is_capture(&self, m: Move) -> bool {
        with_position!(self, position => position.is_capture(m))
    }

    /// Whether a legal move attacks the enemy's white whale.
    #[must_use]
    pub fn gives_check(&self, m: Move) -> bool {
        with_position!(self, position => position.gives_check(m))
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn checked(&self) -> bool {
        with_position!(self, position => position.checked())
    }

    /// How the game ended, if it did.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        with_position!(self, position => position.outcome())
    }

    /// How the game would end if the side to move claimed impasse now, if it may.
    #[must_use]
    pub fn impasse(&self) -> Option<Outcome> {
        with_position!(self, position => position.impasse())
    }

    /// How often this position has stood on the board, now included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        with_position!(self, position => position.occurrences())
    }

    /// The position with the board turned by 180°, colors, hands and side to move swapped; without its past.
    #[must_use]
    pub fn turned(&self) -> Self {
        with_position!(self, position => position.turned().into())
    }

    /// The legal move with this USI text.
    ///
    /// # Errors
    /// If the text is no move on this board, or the move is not legal here.
    pub fn parse_usi(&self, text: &str) -> Result<Move, MoveError> {
        with_position!(self, position => position.parse_usi(text))
    }

    /// The USI text of a move of this game.
    ///
    /// # Panics
    /// If the move drops a kind that the game does not have.
    #[must_use]
    pub fn usi(&self, m: Move) -> String {
        with_position!(self, position => position.usi(m))
    }

    /// The USI texts of moves of this game.
    ///
    /// # Panics
    /// If a move drops a kind that the game does not have.
    #[must_use]
    pub fn usi_line(&self, moves: &[Move]) -> Vec<String> {
        with_position!(self, position => position.usi_line(moves))
    }

    /// Why no move that begins at `origin` and ends on `to` is legal; `None` if one is.
    #[must_use]
    pub fn why_not(&self, origin: Origin, to: Square) -> Option<WhyNot> {
        with_position!(self, position => position.why_not(origin, to))
    }

    /// The legal move with this text in Hodges notation.
    ///
    /// # Errors
    /// As [`Position::parse_hodges`].
    pub fn parse_hodges(&self, text: &str, coordinates: Coordinates) -> Result<Move, HodgesError> {
        with_position!(self, position => position.parse_hodges(text, coordinates))
    }

    /// A legal move in Hodges notation.
    #[must_use]
    pub fn hodges(&self, m: Move, coordinates: Coordinates) -> String {
        with_position!(self, position => position.hodges(m, coordinates))
    }

    /// Counts the leaves of the tree of legal moves of this depth, in plies.
    #[must_use]
    pub fn perft(&self, depth: u32, leaves: Leaves) -> u64 {
        with_position!(self, position => perft::perft(position, depth, leaves))
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_position!(self, position => position.fmt(f))
    }
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_position!(self, position => write!(f, "{} {position:?}", self.game()))
    }
}

impl FromStr for AnyPosition {
    type Err = PositionError;

    /// Reads the id of a game, and behind it what USI's command `position` says: `great startpos moves 6h6g`.
    fn from_str(text: &str) -> Result<Self, PositionError> {
        let text = text.trim();
        let (game, rest) = text.split_once(' ').unwrap_or((text, ""));
        Self::from_usi(game.parse().map_err(PositionError::Game)?, rest, Rules::DEFAULT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_played_and_taken_back() {
        let mut any: AnyPosition = "whale startpos moves 2e2d 4b4c".parse().unwrap();
        assert_eq!((any.game(), any.ply(), any.side()), (VariantId::Whale, 3, Color::Black));
        assert_eq!(any, "whale sfen bnpwgh/dd1ddd/2d3/4D1/DDDD1D/HGWPNB b - 3".parse().unwrap());
        let m = any.parse_usi("2d2c").unwrap();
        assert!(!any.is_capture(m) && !any.gives_check(m) && any.is_legal(m));
        any.play(m).unwrap();
        let square = any.square("2c").unwrap();
        assert_eq!(any.piece_on(square).map(Piece::color), Some(Color::Black));
        assert_eq!((any.played().len(), any.square("2g"), any.square("2cc")), (3, None, None));
        let before = any.sfen();
        assert_eq!(any.play(m).unwrap_err().sfen, before);
        assert_eq!(any.sfen(), before);
        assert_eq!(any.undo(), Some(m));
        assert!(Position::<Whale>::of(&any).is_some() && Position::<Great>::of(&any).is_none());
    }

    #[test]
    fn a_text_that_is_no_game_says_what_was_expected() {
        for (text, error) in [
            ("", "expected one of whale, paulowich, great"),
            ("chess startpos", "expected one of whale, paulowich, great"),
            ("whale", "expected startpos or sfen, and moves behind it, found \"\""),
            ("whale start", "expected startpos or sfen, and moves behind it, found \"start\""),
            ("whale startpos moves 2e2d 2e2d", "move 2: expected a legal move, found 2e2d in"),
            ("whale sfen 6/6 b - 1", "sfen: "),
        ] {
            let found = text.parse::<AnyPosition>().unwrap_err().to_string();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }

    /// A lion captures on its way and where it ends, and none where it stays.
    #[test]
    fn captures_are_told_with_their_squares() {
        for &game in VariantId::ALL {
            let mut any = AnyPosition::start(game);
            for ply in 0..200_usize {
                let moves = any.legal_moves();
                let Some(&m) = moves.get(ply * 7919 % moves.len().max(1)) else { break };
                let count = |any: &AnyPosition| with_position!(any, position => position.occupied().into_iter().count());
                let (captured, dropped) = (any.captured(m).len(), usize::from(m.is_drop()));
                let (pieces, checks) = (count(&any), any.gives_check(m));
                any.play(m).unwrap();
                assert_eq!(count(&any), pieces + dropped - captured, "{game} {m:?}");
                assert_eq!(any.checked(), checks, "{game} {m:?}");
                if any.outcome().is_some() {
                    any = AnyPosition::start(game);
                }
            }
        }
    }
}
