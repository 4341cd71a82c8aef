//! A position as someone wrote it down, possible or not.

use std::fmt;

use crate::board::Board;
use crate::notation::usi::SquareText;
use crate::position::Position;
use crate::rules::Rules;
use crate::types::{Color, Kind, Piece, Square};
use crate::variant::{Facts, Variant};

/// Pieces, hands, side to move and move number, unchecked: what an SFEN or a position editor says.
///
/// [`Setup::validate`] makes a [`Position`] of it or says everything that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup<V: Variant> {
    squares: Vec<Option<Piece>>,
    /// Counts by color and kind.
    hands: [Vec<u32>; 2],
    /// The side to move.
    pub side: Color,
    /// Number of the next move, from 1.
    pub ply: u32,
    /// The rule switches.
    pub rules: Rules,
    game: std::marker::PhantomData<V>,
}

/// Why a setup is no position: every reason at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    reasons: Vec<SetupFault>,
}

/// One thing that is wrong with a setup. Its text says what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupFault {
    /// A side has not exactly one white whale.
    Whales {
        /// Which side.
        side: Color,
        /// How many it has.
        found: u32,
    },
    /// More of a kind than the game has, both sides and hands together, counted by what the pieces
    /// are in hand.
    TooMany {
        /// The names of all kinds counted together.
        kinds: String,
        /// How many the game has.
        most: u32,
        /// How many there are.
        found: u32,
    },
    /// A kind in hand that can never be there.
    NotInHand {
        /// Which side.
        side: Color,
        /// Its token.
        token: String,
    },
    /// The side not to move is in check.
    CheckLeft {
        /// The side that is in check.
        side: Color,
    },
    /// A pawn-like piece on its farthest rank, where it had to promote.
    Stuck {
        /// Its token.
        token: String,
        /// The square's USI text.
        square: String,
    },
    /// More pawn-like pieces of a side on a file than the rules let be there.
    FileLimit {
        /// Which side.
        side: Color,
        /// The file's number in USI.
        file: u32,
        /// The most there may be.
        most: u32,
        /// How many there are.
        found: u32,
    },
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whales { side, found } => {
                write!(f, "expected one white whale of {side}, found {found}")
            }
            Self::TooMany { kinds, most, found } => {
                write!(
                    f,
                    "expected at most {most} of {kinds} on both sides together, found {found}"
                )
            }
            Self::NotInHand { side, token } => {
                write!(f, "expected kinds that can be in hand, found {token} in the hand of {side}")
            }
            Self::CheckLeft { side } => {
                write!(f, "expected the side not to move out of check, but {side} is in check")
            }
            Self::Stuck { token, square } => {
                write!(
                    f,
                    "expected no unpromoted {token} on its farthest rank, found one on {square}"
                )
            }
            Self::FileLimit { side, file, most, found } => write!(
                f,
                "expected at most {most} unpromoted calf of {side} on file {file}, found {found}"
            ),
        }
    }
}

impl SetupError {
    /// Every reason, at least one.
    #[must_use]
    pub fn reasons(&self) -> &[SetupFault] {
        &self.reasons
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("impossible position: ")?;
        for (index, reason) in self.reasons.iter().enumerate() {
            write!(f, "{}{reason}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}

impl<V: Variant> Setup<V> {
    /// An empty board, Black to move.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            squares: vec![None; V::SQUARES],
            hands: [vec![0; V::SPEC.kinds.len()], vec![0; V::SPEC.kinds.len()]],
            side: Color::Black,
            ply: 1,
            rules: Rules::DEFAULT,
            game: std::marker::PhantomData,
        }
    }

    pub(crate) fn from_board(board: &Board<V>, ply: u32) -> Self {
        let mut setup = Self { side: board.side(), ply, rules: board.rules(), ..Self::empty() };
        for square in board.occupied() {
            setup.set(square, board.piece_on(square));
        }
        for color in Color::BOTH {
            for kind in board.hand(color).iter() {
                setup.set_in_hand(color, kind, board.hand(color).count(kind) as u32);
            }
        }
        setup
    }

    /// What stands on `square`; nothing on a square that the board does not have.
    #[must_use]
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.squares.get(square.index()).copied().flatten()
    }

    /// Puts `piece`, or nothing, on `square`; a square that the board does not have is ignored.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        if let Some(cell) = self.squares.get_mut(square.index()) {
            *cell = piece;
        }
    }

    /// How many of `kind` are in the hand of `color`.
    #[must_use]
    pub fn in_hand(&self, color: Color, kind: Kind) -> u32 {
        self.hands[color.index()].get(kind.index()).copied().unwrap_or(0)
    }

    /// Sets how many of `kind` are in the hand of `color`; a kind that the game does not have is
    /// ignored.
    pub fn set_in_hand(&mut self, color: Color, kind: Kind, count: u32) {
        if let Some(cell) = self.hands[color.index()].get_mut(kind.index()) {
            *cell = count;
        }
    }

    /// The pieces on the board.
    fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        V::SPEC.geometry.reading_order().filter_map(|square| Some((square, self.get(square)?)))
    }

    /// The position, if it is possible.
    ///
    /// # Errors
    /// Every reason why it is not.
    pub fn validate(&self) -> Result<Position<V>, SetupError> {
        let mut reasons = Vec::new();
        self.check_whales(&mut reasons);
        self.check_material(&mut reasons);
        self.check_hands(&mut reasons);
        self.check_pawns(&mut reasons);
        if !reasons.is_empty() {
            // Without the right pieces there is no board to look for checks on, unless they only
            // stand wrong: then say that too.
            let countable = reasons
                .iter()
                .all(|r| matches!(r, SetupFault::Stuck { .. } | SetupFault::FileLimit { .. }));
            if !countable {
                self.check_loosely(&mut reasons);
                return Err(SetupError { reasons });
            }
        }
        let position = Position::from_board(self.board(), self.ply);
        if V::ANSWERS_CHECK && position.whale_attacked(!self.side) {
            reasons.push(SetupFault::CheckLeft { side: !self.side });
        }
        if reasons.is_empty() { Ok(position) } else { Err(SetupError { reasons }) }
    }

    fn board(&self) -> Board<V> {
        let mut board = Board::empty(self.rules);
        for (square, piece) in self.pieces() {
            board.put(square, piece);
        }
        for color in Color::BOTH {
            for kind in V::SPEC.all_kinds() {
                for _ in 0..self.in_hand(color, kind) {
                    board.give(color, kind);
                }
            }
        }
        if self.side == Color::White {
            board.pass_turn();
        }
        board
    }

    /// Looks for a check left standing in a setup whose counts are wrong: hands play no part in it,
    /// and any one whale of the side will do.
    fn check_loosely(&self, reasons: &mut Vec<SetupFault>) {
        if !V::ANSWERS_CHECK {
            return;
        }
        let mut board = Board::<V>::empty(self.rules);
        for (square, piece) in self.pieces() {
            board.put(square, piece);
        }
        let idle = !self.side;
        let occupied = board.occupied();
        let left = board
            .whale(idle)
            .into_iter()
            .any(|whale| board.attackers(whale, self.side, occupied).any());
        if left {
            reasons.push(SetupFault::CheckLeft { side: idle });
        }
    }

    fn check_whales(&self, reasons: &mut Vec<SetupFault>) {
        for side in Color::BOTH {
            let found =
                self.pieces().filter(|&(_, p)| p == Piece::new(side, Kind::WHALE)).count() as u32;
            if found != 1 {
                reasons.push(SetupFault::Whales { side, found });
            }
        }
    }

    fn check_material(&self, reasons: &mut Vec<SetupFault>) {
        for base in (1..=V::SPEC.hand_kinds).map(Kind::from_index) {
            let alike = |kind: Kind| Board::<V>::facts(kind).in_hand == base;
            let on_board = self.pieces().filter(|&(_, p)| alike(p.kind())).count() as u32;
            let in_hand: u32 = Color::BOTH.iter().map(|&color| self.in_hand(color, base)).sum();
            let most = u32::from(V::SPEC.kind(base).material);
            if on_board + in_hand > most {
                let kinds: Vec<_> = V::SPEC
                    .all_kinds()
                    .filter(|&kind| kind != Kind::WHALE && alike(kind))
                    .map(|kind| V::SPEC.kind(kind).token)
                    .collect();
                reasons.push(SetupFault::TooMany {
                    kinds: kinds.join(" and "),
                    most,
                    found: on_board + in_hand,
                });
            }
        }
    }

    fn check_hands(&self, reasons: &mut Vec<SetupFault>) {
        for side in Color::BOTH {
            for kind in V::SPEC.all_kinds() {
                let allowed = (1..=V::SPEC.hand_kinds).contains(&kind.index());
                if !allowed && self.in_hand(side, kind) > 0 {
                    reasons.push(SetupFault::NotInHand { side, token: V::SPEC.token(side, kind) });
                }
            }
        }
    }

    fn check_pawns(&self, reasons: &mut Vec<SetupFault>) {
        let rule = V::SPEC.pawns;
        let geometry = V::SPEC.geometry;
        let is_pawn = |piece: Piece| Board::<V>::facts(piece.kind()).pawn;
        if rule.must_promote {
            for (square, piece) in self.pieces() {
                if is_pawn(piece) && V::last_rank(piece.color()).has(square) {
                    reasons.push(SetupFault::Stuck {
                        token: V::SPEC.token(piece.color(), piece.kind()),
                        square: SquareText(geometry, square).to_string(),
                    });
                }
            }
        }
        if rule.limit_holds_on_board {
            for side in Color::BOTH {
                for x in (0..geometry.files as i8).rev() {
                    let found = self
                        .pieces()
                        .filter(|&(s, p)| p.color() == side && is_pawn(p) && geometry.x(s) == x)
                        .count() as u32;
                    if found > u32::from(rule.file_limit) {
                        reasons.push(SetupFault::FileLimit {
                            side,
                            file: u32::from(geometry.files) - x as u32,
                            most: rule.file_limit.into(),
                            found,
                        });
                    }
                }
            }
        }
    }
}
