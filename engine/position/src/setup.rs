//! A position as someone wrote it down, possible or not.

use thiserror::Error;

use crate::board::Board;
use crate::coordinates::SquareText;
use crate::rules::Rules;
use crate::types::{Color, Kind, Piece, Square};
use crate::variant::{Facts, Variant};

/// Pieces, hands, side to move and move number, unchecked: what an SFEN or a position editor says.
///
/// [`Setup::validate`] makes a [`Position`](crate::Position) of it or says everything that is wrong.
#[derive(Clone, Debug)]
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
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("impossible position: {}", listed(reasons))]
pub struct SetupError {
    reasons: Vec<SetupFault>,
}

/// One thing that is wrong with a setup. Its text says what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SetupFault {
    /// A piece that the game does not have.
    #[error("expected a piece of the game on {square}, found kind number {kind}")]
    Foreign {
        /// The square's USI text.
        square: String,
        /// The index of its kind.
        kind: usize,
    },
    /// A side has not exactly one white whale.
    #[error("expected one white whale of {side}, found {found}")]
    Whales {
        /// Which side.
        side: Color,
        /// How many white whales the side has.
        found: u32,
    },
    /// More of a kind than the game has, both sides and hands together, counted by what the pieces
    /// are in hand.
    #[error("expected at most {most} of {kinds} on both sides together, found {found}")]
    TooMany {
        /// The tokens of all kinds counted together.
        kinds: String,
        /// How many the game has.
        most: u32,
        /// How many were found.
        found: u64,
    },
    /// A kind in hand that can never be there.
    #[error("expected kinds that can be in hand, found {token} in the hand of {side}")]
    NotInHand {
        /// Which side.
        side: Color,
        /// The token of the piece.
        token: String,
    },
    /// The move number is 0: the first move has number 1.
    #[error("expected a move number from 1, found 0")]
    MoveNumber,
    /// The side not to move is in check.
    #[error("expected the side not to move out of check, but {side} is in check")]
    CheckLeft {
        /// The side that is in check.
        side: Color,
    },
    /// A pawn-like piece on its farthest rank, where it had to promote.
    #[error("expected no unpromoted {token} on its farthest rank, found one on {square}")]
    Stuck {
        /// The token of the piece.
        token: String,
        /// The square's USI text.
        square: String,
    },
    /// More pawn-like pieces of a side on a file than the rules let be there.
    #[error("expected at most {most} {class} of {side} on file {file}, found {found}")]
    FileLimit {
        /// Which side.
        side: Color,
        /// What they move like, for people.
        class: &'static str,
        /// The file's number in USI.
        file: u32,
        /// The most there may be.
        most: u32,
        /// How many were found.
        found: u32,
    },
}

/// Reasons as a sentence has them.
fn listed(reasons: &[SetupFault]) -> String {
    reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl SetupError {
    /// Every reason, at least one.
    #[must_use]
    pub fn reasons(&self) -> &[SetupFault] {
        &self.reasons
    }
}

impl From<SetupFault> for SetupError {
    fn from(fault: SetupFault) -> Self {
        Self { reasons: vec![fault] }
    }
}

/// A count of squares: no board has more than fit.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Whether the side not to move is in check, where checks must be answered: any whale of that side
/// counts, should there be several.
pub(crate) fn check_left<V: Variant>(board: &Board<V>) -> Option<SetupFault> {
    let side = !board.side();
    let occupied = board.occupied();
    let attacked = |whale| board.attackers(whale, board.side(), occupied).any();
    let left = V::ANSWERS_CHECK && board.whale(side).into_iter().any(attacked);
    left.then_some(SetupFault::CheckLeft { side })
}

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
                setup.set_in_hand(color, kind, board.hand(color).counter(kind).into());
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
        if V::SPEC.geometry.contains(square) {
            self.squares[square.index()] = piece;
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

    /// The pieces on the board that the game has.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let known = |piece: &Piece| piece.kind().index() < V::SPEC.kinds.len();
        V::SPEC
            .geometry
            .reading_order()
            .filter_map(move |square| Some((square, self.get(square).filter(known)?)))
    }

    /// The board of the position, if it is possible; else every reason why it is not.
    pub(crate) fn checked_board(&self) -> Result<Board<V>, SetupError> {
        let mut reasons = Vec::new();
        self.check_kinds(&mut reasons);
        self.check_whales(&mut reasons);
        self.check_material(&mut reasons);
        self.check_hands(&mut reasons);
        self.check_pawns(&mut reasons);
        if self.ply == 0 {
            reasons.push(SetupFault::MoveNumber);
        }
        let mut board = self.board();
        reasons.extend(check_left(&board));
        if !reasons.is_empty() {
            return Err(SetupError { reasons });
        }
        for color in Color::BOTH {
            for kind in V::SPEC.all_kinds() {
                for _ in 0..self.in_hand(color, kind) {
                    board.give(color, kind);
                }
            }
        }
        Ok(board)
    }

    /// The board without the hands, which hold only what fits once they are found right.
    fn board(&self) -> Board<V> {
        let mut board = Board::empty(self.rules);
        for (square, piece) in self.pieces() {
            board.put(square, piece);
        }
        if self.side == Color::White {
            board.pass_turn();
        }
        board
    }

    fn check_kinds(&self, reasons: &mut Vec<SetupFault>) {
        let geometry = V::SPEC.geometry;
        for square in geometry.reading_order() {
            if let Some(piece) = self.get(square)
                && piece.kind().index() >= V::SPEC.kinds.len()
            {
                reasons.push(SetupFault::Foreign {
                    square: SquareText(geometry, square).to_string(),
                    kind: piece.kind().index(),
                });
            }
        }
    }

    fn check_whales(&self, reasons: &mut Vec<SetupFault>) {
        for side in Color::BOTH {
            let whale = Piece::new(side, Kind::WHALE);
            let found = number(self.pieces().filter(|&(_, p)| p == whale).count());
            if found != 1 {
                reasons.push(SetupFault::Whales { side, found });
            }
        }
    }

    fn check_material(&self, reasons: &mut Vec<SetupFault>) {
        for base in (1..=V::SPEC.hand_kinds).map(Kind::from_index) {
            let alike: Vec<Kind> = V::SPEC
                .all_kinds()
                .filter(|&kind| kind != Kind::WHALE && Board::<V>::facts(kind).in_hand == base)
                .collect();
            let on_board = number(self.pieces().filter(|(_, p)| alike.contains(&p.kind())).count());
            // What can never be in hand counts too: it is as much too many there.
            let in_hand: u64 = Color::BOTH
                .into_iter()
                .flat_map(|color| alike.iter().map(move |&kind| (color, kind)))
                .map(|(color, kind)| u64::from(self.in_hand(color, kind)))
                .sum();
            let most = u32::from(V::SPEC.kind(base).material);
            let found = u64::from(on_board) + in_hand;
            if found > u64::from(most) {
                let tokens: Vec<_> = alike.iter().map(|&kind| V::SPEC.kind(kind).token).collect();
                reasons.push(SetupFault::TooMany { kinds: tokens.join(" and "), most, found });
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
                for x in (0..geometry.width()).rev() {
                    let found = self
                        .pieces()
                        .filter(|&(s, p)| p.color() == side && is_pawn(p) && geometry.x(s) == x)
                        .count();
                    let found = number(found);
                    if found > u32::from(rule.file_limit) {
                        reasons.push(SetupFault::FileLimit {
                            side,
                            class: V::SPEC.class(V::PAWN).name,
                            file: u32::from(geometry.files - x.cast_unsigned()),
                            most: rule.file_limit.into(),
                            found,
                        });
                    }
                }
            }
        }
    }
}

// Derived, this would ask the game to be comparable, which is only a name here.
impl<V: Variant> PartialEq for Setup<V> {
    fn eq(&self, other: &Self) -> bool {
        self.squares == other.squares
            && self.hands == other.hands
            && (self.side, self.ply, self.rules) == (other.side, other.ply, other.rules)
    }
}

impl<V: Variant> Eq for Setup<V> {}
