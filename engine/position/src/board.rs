//! What stands where, what is in hand, whose turn it is: everything a position is, but its past.

use crate::bitboard::Bitboard;
use crate::geometry::Direction;
use crate::hand::Hand;
use crate::rules::Rules;
use crate::tables::KindFacts;
use crate::types::{Color, Kind, Move, Piece, Square};
use crate::variant::{Boards, Facts, Variant};
use crate::zobrist;

/// A board with hands and the side to move, kept as bit sets, a list of squares and Zobrist keys at once.
///
/// What stands where changes in `Board::shift` alone, hands in `Board::give` and `Board::spend`,
/// the turn in `Board::pass_turn`, each together with its key; only `Board::revert`, which takes a
/// move back, brings the saved keys and the saved hand back instead. Debug builds compare the keys with
/// a recomputation after every [`Position::make`](crate::Position::make).
#[derive(Clone, Copy)]
pub struct Board<V: Variant> {
    boards: V::Boards,
    colors: [Bitboard<V::Bits>; 2],
    /// The pieces that promote, where the game has promotion.
    promotable: [Bitboard<V::Bits>; 2],
    /// What stands on each square, with a cell for every index that a [`Square`] can have, so that no
    /// index has to be checked.
    squares: [Option<Piece>; Square::LIMIT],
    hands: [Hand<V::Bits>; 2],
    board_key: u64,
    hand_key: u64,
    side: Color,
    rules: Rules,
}

/// What is known of the position after a move that was not made, see [`Board::foresee`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foreseen<V: Variant> {
    /// The key of board and side to move, see [`Board::board_key`].
    pub board_key: u64,
    /// The key of the hands, see [`Board::hand_key`].
    pub hand_key: u64,
    /// The hand of the side that made the move.
    pub hand: Hand<V::Bits>,
}

impl<V: Variant> Foreseen<V> {
    /// The key of the position, see [`Board::key`].
    #[inline(always)]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.board_key ^ self.hand_key
    }
}

/// What making a move forgets, see [`Board::apply`].
#[derive(Clone, Copy)]
pub(crate) struct Undo<V: Variant> {
    m: Move,
    /// What was captured: on the end square, then on the squares of the way.
    captured: [Option<Piece>; 3],
    /// The hand of the side that moved, and the keys, as they were before.
    hand: Hand<V::Bits>,
    board_key: u64,
    hand_key: u64,
}

impl<V: Variant> Undo<V> {
    /// The move made.
    pub(crate) fn played(&self) -> Move {
        self.m
    }

    /// Whether the move captured anything.
    pub(crate) fn captures(&self) -> bool {
        self.captured.iter().any(Option::is_some)
    }
}

impl<V: Variant> Board<V> {
    /// No piece anywhere, Black to move.
    pub(crate) fn empty(rules: Rules) -> Self {
        Self {
            boards: V::Boards::EMPTY,
            colors: [Bitboard::EMPTY; 2],
            promotable: [Bitboard::EMPTY; 2],
            squares: [None; Square::LIMIT],
            hands: [Hand::EMPTY; 2],
            board_key: 0,
            hand_key: 0,
            side: Color::Black,
            rules,
        }
    }

    /// The side to move.
    #[inline(always)]
    #[must_use]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The rule switches in force.
    #[inline(always)]
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub(crate) fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// What stands on `square`.
    #[inline(always)]
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// What stands on each square, by its index, and nothing behind the last one.
    #[inline(always)]
    pub(crate) fn cells(&self) -> &[Option<Piece>; Square::LIMIT] {
        &self.squares
    }

    /// All pieces of `color`.
    #[inline(always)]
    #[must_use]
    pub fn pieces(&self, color: Color) -> Bitboard<V::Bits> {
        self.colors[color.index()]
    }

    /// All pieces.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> Bitboard<V::Bits> {
        self.colors[0] | self.colors[1]
    }

    /// The pieces of `color` that move like class number `class`.
    #[inline(always)]
    pub(crate) fn movers(&self, color: Color, class: usize) -> Bitboard<V::Bits> {
        self.boards.get(color, class)
    }

    /// The pieces of `color` that could promote.
    #[inline(always)]
    pub(crate) fn promotable(&self, color: Color) -> Bitboard<V::Bits> {
        self.promotable[color.index()]
    }

    /// The white whale of `color` as a set: empty once it is captured.
    #[inline(always)]
    #[must_use]
    pub fn whale(&self, color: Color) -> Bitboard<V::Bits> {
        self.boards.get(color, 0)
    }

    /// The hand of `color`.
    #[inline(always)]
    #[must_use]
    pub fn hand(&self, color: Color) -> Hand<V::Bits> {
        self.hands[color.index()]
    }

    /// The Zobrist key of board, hands and side to move: the same in every build.
    #[inline(always)]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.board_key ^ self.hand_key
    }

    /// The Zobrist key of board and side to move, without the hands.
    #[inline(always)]
    #[must_use]
    pub fn board_key(&self) -> u64 {
        self.board_key
    }

    /// The Zobrist key of the hands alone.
    #[inline(always)]
    #[must_use]
    pub fn hand_key(&self) -> u64 {
        self.hand_key
    }

    /// The table entry of a kind.
    #[inline(always)]
    pub(crate) fn facts(kind: Kind) -> &'static KindFacts {
        &V::TABLES.kinds[kind.index()]
    }

    /// The Zobrist number of a piece on a square.
    #[inline(always)]
    fn piece_key(piece: Piece, square: Square) -> u64 {
        let index = piece.code() << V::KEY_SHIFT | square.index();
        if zobrist::WORKED_OUT {
            zobrist::key(zobrist::PIECES, index)
        } else {
            V::TABLES.piece_keys[index]
        }
    }

    /// Moves `piece` from one square to another, empty one; `None` for where it comes from or goes to
    /// stands for off the board. The one place where bit sets and squares change, and, if `KEYED`, the
    /// key with them.
    #[inline(always)]
    fn shift<const KEYED: bool>(&mut self, piece: Piece, from: Option<Square>, to: Option<Square>) {
        let (color, kind) = (piece.color(), piece.kind());
        let (mut change, mut key) = (Bitboard::EMPTY, 0);
        if let Some(from) = from {
            debug_assert_eq!(self.squares[from.index()], Some(piece), "the piece stands there");
            change ^= Bitboard::of(from);
            self.squares[from.index()] = None;
            if KEYED {
                key ^= Self::piece_key(piece, from);
            }
        }
        if let Some(to) = to {
            debug_assert!(self.squares[to.index()].is_none(), "a square holds one piece");
            change ^= Bitboard::of(to);
            self.squares[to.index()] = Some(piece);
            if KEYED {
                key ^= Self::piece_key(piece, to);
            }
        }
        if KEYED {
            self.board_key ^= key;
        }
        self.boards.toggle(color, V::class_of(kind).index(), change);
        self.colors[color.index()] ^= change;
        if V::PROMOTES && Self::facts(kind).promotes_to.is_some() {
            self.promotable[color.index()] ^= change;
        }
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        self.shift::<true>(piece, None, Some(square));
    }

    /// The Zobrist number of one piece in hand. A key holds the sum over all pieces in hand, so that
    /// no count has to be looked up when one comes or goes.
    #[inline(always)]
    fn hand_number(color: Color, kind: Kind) -> u64 {
        V::TABLES.hand_keys[color.index() * V::SPEC.hand_kinds + kind.index() - 1]
    }

    /// Puts one more of `kind` into the hand of `color`.
    #[inline(always)]
    pub(crate) fn give(&mut self, color: Color, kind: Kind) {
        let hand = &mut self.hands[color.index()];
        *hand = hand.with(kind);
        self.hand_key = self.hand_key.wrapping_add(Self::hand_number(color, kind));
    }

    /// Takes one of `kind` out of the hand of `color`.
    #[inline(always)]
    pub(crate) fn spend(&mut self, color: Color, kind: Kind) {
        let hand = &mut self.hands[color.index()];
        *hand = hand.without(kind);
        self.hand_key = self.hand_key.wrapping_sub(Self::hand_number(color, kind));
    }

    /// Gives the move to the other side.
    #[inline(always)]
    pub(crate) fn pass_turn(&mut self) {
        self.side = !self.side;
        self.board_key ^= V::TABLES.side_key;
    }

    /// Takes an enemy piece off and into the hand of `by`; a white whale goes nowhere.
    #[inline(always)]
    fn capture(&mut self, square: Square, by: Color) -> Option<Piece> {
        let captured = self.squares[square.index()]?;
        self.shift::<true>(captured, Some(square), None);
        if V::ANSWERS_CHECK || captured.kind() != Kind::WHALE {
            self.give(by, Self::facts(captured.kind()).in_hand);
        }
        Some(captured)
    }

    /// The `step`-th square of a lion's way.
    #[inline(always)]
    pub(crate) fn way_square(from: Square, line: usize, step: usize) -> Option<Square> {
        let (dx, dy) = Direction::from_index(line).steps(step);
        V::SPEC.geometry.step(from, Color::Black, dx, dy)
    }

    /// The squares that `m` captures on the way, in the order travelled.
    pub(crate) fn captured_on_way(m: Move) -> impl Iterator<Item = Square> {
        m.way().into_iter().flat_map(move |way| {
            let steps = [1, 2].into_iter().filter(move |&step| way.captures_step(step));
            steps.filter_map(move |step| Self::way_square(m.from(), way.line(), step))
        })
    }

    /// Plays a move that [`Board::is_legal`] accepts.
    #[inline(always)]
    pub(crate) fn apply(&mut self, m: Move) -> Undo<V> {
        let (us, to) = (self.side, m.to());
        let piece = Piece::new(us, m.kind());
        let mut undo = Undo {
            m,
            captured: [None; 3],
            hand: self.hand(us),
            board_key: self.board_key,
            hand_key: self.hand_key,
        };
        if m.is_drop() {
            self.spend(us, m.kind());
            self.put(to, piece);
        } else {
            if V::LIONS
                && let Some(way) = m.way()
            {
                for step in 1..=2 {
                    if way.captures_step(step)
                        && let Some(square) = Self::way_square(m.from(), way.line(), step)
                    {
                        undo.captured[step] = self.capture(square, us);
                    }
                }
            }
            if !V::LIONS || m.from() != to {
                undo.captured[0] = self.capture(to, us);
                if V::PROMOTES && m.promotes() {
                    self.shift::<true>(piece, Some(m.from()), None);
                    self.put(to, Piece::new(us, Self::arriving(m)));
                } else {
                    self.shift::<true>(piece, Some(m.from()), Some(to));
                }
            }
        }
        self.pass_turn();
        undo
    }

    /// The keys after `m`, a move that [`Board::is_legal`] accepts, and the hand of whoever makes it, without
    /// making it.
    #[inline(always)]
    #[must_use]
    pub fn foresee(&self, m: Move) -> Foreseen<V> {
        let (us, to) = (self.side, m.to());
        let mut board_key = self.board_key ^ V::TABLES.side_key;
        let (mut hand_key, mut hand) = (self.hand_key, self.hand(us));
        let mut capture = |square: Square| {
            let Some(captured) = self.squares[square.index()] else { return };
            board_key ^= Self::piece_key(captured, square);
            if V::ANSWERS_CHECK || captured.kind() != Kind::WHALE {
                let held = Self::facts(captured.kind()).in_hand;
                hand_key = hand_key.wrapping_add(Self::hand_number(us, held));
                hand = hand.with(held);
            }
        };
        if m.is_drop() {
            hand_key = hand_key.wrapping_sub(Self::hand_number(us, m.kind()));
            hand = hand.without(m.kind());
        } else {
            if !V::LIONS || m.from() != to {
                capture(to);
            }
            if V::LIONS
                && let Some(way) = m.way()
            {
                for step in 1..=2 {
                    if way.captures_step(step)
                        && let Some(square) = Self::way_square(m.from(), way.line(), step)
                    {
                        capture(square);
                    }
                }
            }
            board_key ^= Self::piece_key(Piece::new(us, m.kind()), m.from());
        }
        board_key ^= Self::piece_key(Piece::new(us, Self::arriving(m)), to);
        Foreseen { board_key, hand_key, hand }
    }

    /// The key after `m`, a move that [`Board::is_legal`] accepts, without making it: so that a search
    /// can have the memory fetched in which it will look the position up.
    #[inline]
    #[must_use]
    pub fn key_after(&self, m: Move) -> u64 {
        self.foresee(m).key()
    }

    /// The key if the turn were passed.
    #[inline(always)]
    #[must_use]
    pub fn key_after_pass(&self) -> u64 {
        self.key() ^ V::TABLES.side_key
    }

    /// Takes a move back that [`Self::apply`] made.
    #[inline(always)]
    pub(crate) fn revert(&mut self, undo: Undo<V>) {
        self.side = !self.side;
        let (m, us, to) = (undo.m, self.side, undo.m.to());
        let piece = Piece::new(us, m.kind());
        if m.is_drop() {
            self.shift::<false>(piece, Some(to), None);
        } else {
            if !V::LIONS || m.from() != to {
                if V::PROMOTES && m.promotes() {
                    self.shift::<false>(Piece::new(us, Self::arriving(m)), Some(to), None);
                    self.shift::<false>(piece, None, Some(m.from()));
                } else {
                    self.shift::<false>(piece, Some(to), Some(m.from()));
                }
                if let Some(captured) = undo.captured[0] {
                    self.shift::<false>(captured, None, Some(to));
                }
            }
            if V::LIONS
                && let Some(way) = m.way()
            {
                for step in 1..=2 {
                    if let Some(captured) = undo.captured[step] {
                        let square = Self::way_square(m.from(), way.line(), step);
                        self.shift::<false>(captured, None, square);
                    }
                }
            }
        }
        self.hands[us.index()] = undo.hand;
        self.board_key = undo.board_key;
        self.hand_key = undo.hand_key;
    }

    /// What stands on the end square after the move.
    #[inline(always)]
    pub(crate) fn arriving(m: Move) -> Kind {
        if V::PROMOTES && m.promotes() {
            Self::facts(m.kind()).promotes_to.unwrap_or(m.kind())
        } else {
            m.kind()
        }
    }

    /// The keys `(board, hands)` computed from nothing.
    pub(crate) fn keys_from_scratch(&self) -> (u64, u64) {
        let mut fresh = Self::empty(self.rules);
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                fresh.put(square, piece);
            }
        }
        for color in Color::BOTH {
            for kind in self.hand(color).iter() {
                for _ in 0..self.hand(color).count(kind) {
                    fresh.give(color, kind);
                }
            }
        }
        if self.side == Color::White {
            fresh.pass_turn();
        }
        (fresh.board_key, fresh.hand_key)
    }

    /// This board without the piece on `square`, for asking what that piece is worth. The result need not
    /// be a position of the game.
    #[must_use]
    pub fn without(&self, square: Square) -> Self {
        let mut less = *self;
        if let Some(piece) = self.piece_on(square) {
            less.shift::<true>(piece, Some(square), None);
        }
        less
    }

    /// This board without one piece of `kind` in the hand of `color`, if it holds one.
    #[must_use]
    pub fn without_held(&self, color: Color, kind: Kind) -> Self {
        let mut less = *self;
        if self.hand(color).has(kind) {
            less.spend(color, kind);
        }
        less
    }

    /// The board turned by 180° with the colors, hands and the side to move swapped.
    #[must_use]
    pub(crate) fn turned(&self) -> Self {
        self.carried(|square| V::SPEC.geometry.turned(square), |color| !color)
    }

    /// The board with left and right exchanged.
    #[must_use]
    pub(crate) fn mirrored(&self) -> Self {
        self.carried(|square| V::SPEC.geometry.mirrored(square), |color| color)
    }

    /// The board with every piece on another square, of another color.
    fn carried(&self, there: impl Fn(Square) -> Square, owner: impl Fn(Color) -> Color) -> Self {
        let mut carried = Self::empty(self.rules);
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                carried.put(there(square), Piece::new(owner(piece.color()), piece.kind()));
            }
        }
        for color in Color::BOTH {
            for kind in self.hand(color).iter() {
                for _ in 0..self.hand(color).count(kind) {
                    carried.give(owner(color), kind);
                }
            }
        }
        if owner(self.side) == Color::White {
            carried.pass_turn();
        }
        carried
    }
}

impl<V: Variant> PartialEq for Board<V> {
    /// Equal boards, hands, sides and rules.
    fn eq(&self, other: &Self) -> bool {
        self.side == other.side
            && self.rules == other.rules
            && self.hands == other.hands
            && self.colors == other.colors
            && self
                .occupied()
                .into_iter()
                .all(|square| self.piece_on(square) == other.piece_on(square))
    }
}

impl<V: Variant> Eq for Board<V> {}
