//! A position with its past: making and taking back moves, repetition, the end of the game.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use crate::board::{Board, Undo};
use crate::movegen::{Threats, Wanted};
use crate::rules::Rules;
use crate::setup::{Setup, SetupError, check_left};
use crate::types::{Color, Kind, Move, Piece, Square};
use crate::variant::{Facts, Variant};

/// A valid position of a game, with the moves that led to it.
///
/// A `Position` is made from a valid [`Setup`] and changed by legal moves alone, which the caller of
/// [`Self::make`] vouches for, so that it never holds an impossible position. It dereferences to its
/// [`Board`].
///
/// ```
/// use kujira_position::{Position, Whale};
///
/// let mut position = Position::<Whale>::start();
/// let m = position.parse_usi("2e2d").unwrap();
/// position.make(m);
/// assert_eq!(position.sfen(), "bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w - 2");
/// position.undo();
/// assert_eq!(position, Position::start());
/// ```
#[derive(Clone)]
pub struct Position<V: Variant> {
    board: Board<V>,
    /// Number of the first move of the past, from 1.
    first_ply: u32,
    /// Whether the side to move is in check.
    checked: bool,
    past: Vec<Past<V>>,
    /// Board keys of the past, in the same order: most look-ups find nothing, and these lie close
    /// together.
    past_boards: Vec<u64>,
}

/// An earlier position, and the move that left it.
#[derive(Clone, Copy)]
struct Past<V: Variant> {
    key: u64,
    checked: bool,
    /// `None` for a turn passed by [`Position::pass`].
    undo: Option<Undo<V>>,
}

/// A move was played that is not legal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a legal move, found {m:?} in {sfen}")]
pub struct IllegalMove {
    /// The move.
    pub m: Move,
    /// The position.
    pub sfen: String,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// One side won.
    Win {
        /// The winner.
        winner: Color,
        /// Why the winner won.
        reason: WinReason,
    },
    /// Nobody won.
    Draw(DrawReason),
}

/// Why a game was won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum WinReason {
    /// The loser is in check and has no legal move.
    Checkmate,
    /// The loser has no legal move and is not in check.
    NoMoves,
    /// The loser's white whale was captured.
    WhaleCaptured,
    /// The loser gave check with every move of a fourfold repetition.
    PerpetualCheck,
    /// Points after a claimed impasse.
    Impasse,
}

/// Why a game was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum DrawReason {
    /// The position occurred for the fourth time.
    Repetition,
    /// Enough points on both sides after a claimed impasse.
    Impasse,
}

impl fmt::Display for WinReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::NoMoves => "no legal move",
            Self::WhaleCaptured => "white whale captured",
            Self::PerpetualCheck => "perpetual check",
            Self::Impasse => "impasse, points",
        })
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Repetition => "fourfold repetition",
            Self::Impasse => "impasse",
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { winner, reason } => write!(f, "{winner} wins: {reason}"),
            Self::Draw(reason) => write!(f, "draw: {reason}"),
        }
    }
}

/// What a recurrence of the position means for the side to move, see [`Position::repetition`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recurrence {
    /// Nobody, or both sides, checked all the way.
    Draw,
    /// The enemy gave check with every move of the cycle: it loses if it goes on.
    Win,
    /// The side to move gave check with every move of the cycle.
    Loss,
}

/// How a position compares with an earlier one that had the same board and side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// The hands are the same, too: the position recurs.
    Repeated(Recurrence),
    /// The side to move now holds more of something and less of nothing.
    Superior,
    /// The side to move now holds less of something and more of nothing.
    Inferior,
}

impl<V: Variant> Position<V> {
    pub(crate) fn from_board(board: Board<V>, ply: u32) -> Self {
        let checked = board.in_check();
        Self { board, first_ply: ply, checked, past: Vec::new(), past_boards: Vec::new() }
    }

    /// The setup of the position: what it looks like, without its past.
    #[must_use]
    pub fn setup(&self) -> Setup<V> {
        Setup::from_board(&self.board, self.ply())
    }

    /// Board, hands and side to move.
    #[inline(always)]
    #[must_use]
    pub fn board(&self) -> &Board<V> {
        &self.board
    }

    /// Number of the next move, from 1. It stays at [`u32::MAX`] once it gets there.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.first_ply.saturating_add(u32::try_from(self.past.len()).unwrap_or(u32::MAX))
    }

    /// How many moves led here since the position was set up, turns given away by [`Self::pass`]
    /// included.
    #[inline(always)]
    #[must_use]
    pub fn moves_made(&self) -> usize {
        self.past.len()
    }

    /// The moves that led here since the position was set up, without turns given away.
    pub fn played(&self) -> impl Iterator<Item = Move> + '_ {
        self.past.iter().filter_map(|past| Some(past.undo?.played()))
    }

    /// The last move and whether it captured, if one was made.
    #[must_use]
    pub fn last_move(&self) -> Option<(Move, bool)> {
        let undo = self.past.last()?.undo?;
        Some((undo.played(), undo.captures()))
    }

    /// Changes the rule switches of the game in progress.
    ///
    /// The past stays as far back as its positions are possible under the new rules; what lies
    /// before is forgotten, and can neither be taken back nor repeated.
    ///
    /// # Errors
    /// If the position is impossible under the new rules; then nothing changes.
    pub fn set_rules(&mut self, rules: Rules) -> Result<(), SetupError> {
        let mut board = self.board;
        board.set_rules(rules);
        if let Some(fault) = check_left(&board) {
            return Err(fault.into());
        }
        self.board = board;
        self.checked = board.in_check();
        let mut forgotten = self.past.len();
        for past in self.past.iter_mut().rev() {
            match past.undo {
                Some(undo) => board.revert(undo),
                None => board.pass_turn(),
            }
            if check_left(&board).is_some() {
                break;
            }
            past.checked = board.in_check();
            forgotten -= 1;
        }
        // The move number stays.
        self.first_ply =
            self.first_ply.saturating_add(u32::try_from(forgotten).unwrap_or(u32::MAX));
        self.past.drain(..forgotten);
        self.past_boards.drain(..forgotten);
        Ok(())
    }

    /// Whether the side to move is in check. Costs nothing: it was found out when the last move was
    /// made.
    #[inline(always)]
    #[must_use]
    pub fn checked(&self) -> bool {
        self.checked
    }

    /// Plays a move, if it is legal.
    ///
    /// # Errors
    /// If it is not; then nothing changes.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.board.is_legal(m) {
            return Err(IllegalMove { m, sfen: self.sfen() });
        }
        self.make(m);
        Ok(())
    }

    /// What a legal move captures: on the way, in the order travelled, and where it ends.
    pub fn captured(&self, m: Move) -> impl Iterator<Item = (Square, Piece)> + '_ {
        // A lion that stays where it is captures nothing there.
        let end = (m.is_drop() || m.from() != m.to()).then_some(m.to());
        let squares = Board::<V>::captured_on_way(m).chain(end);
        squares.filter_map(|square| Some((square, self.board.piece_on(square)?)))
    }

    /// Whether a legal move captures anything.
    #[must_use]
    pub fn is_capture(&self, m: Move) -> bool {
        self.captured(m).next().is_some()
    }

    /// Whether a legal move attacks the enemy's white whale.
    #[must_use]
    pub fn gives_check(&self, m: Move) -> bool {
        let mut board = self.board;
        board.apply(m);
        board.in_check()
    }

    /// Plays a move that is known to be legal: the fast path of [`Self::play`].
    ///
    /// The move must be one that [`Board::is_legal`] accepts: debug builds stop otherwise, release
    /// builds trust the caller.
    #[inline]
    pub fn make(&mut self, m: Move) {
        debug_assert!(self.board.is_legal(m), "{m:?} is not legal in {self:?}");
        let (key, checked) = (self.board.key(), self.checked);
        self.past_boards.push(self.board.board_key());
        let foretold = cfg!(debug_assertions).then(|| self.board.foresee(m));
        let undo = Some(self.board.apply(m));
        self.past.push(Past { key, checked, undo });
        self.checked = self.board.checked_by(m);
        debug_assert_eq!(self.checked, self.board.in_check());
        debug_assert_eq!(foretold.map(|key| key.key()), foretold.map(|_| self.board.key()));
        debug_assert_eq!(
            foretold.map(|seen| seen.hand),
            foretold.map(|_| self.board.hand(!self.board.side()))
        );
        debug_assert_eq!(
            (self.board.board_key(), self.board.hand_key()),
            self.board.keys_from_scratch()
        );
    }

    /// Gives the turn away without a move, which no rule allows: for the null move of a search.
    /// [`Self::undo`] takes it back. The caller must not be in check, and must not ask
    /// [`Self::repetition`] to look back beyond it.
    #[inline]
    pub fn pass(&mut self) {
        debug_assert!(!self.checked, "the whale could be captured at once");
        let (key, checked) = (self.board.key(), self.checked);
        self.past_boards.push(self.board.board_key());
        let foretold = cfg!(debug_assertions).then(|| self.board.key_after_pass());
        self.board.pass_turn();
        debug_assert_eq!(foretold, cfg!(debug_assertions).then(|| self.board.key()));
        self.past.push(Past { key, checked, undo: None });
        self.checked = self.board.in_check();
    }

    /// Takes the last move back and returns it; `None` if there was none, or if it was a turn given away.
    #[inline]
    pub fn undo(&mut self) -> Option<Move> {
        let past = self.past.pop()?;
        self.past_boards.pop();
        match past.undo {
            Some(undo) => self.board.revert(undo),
            None => self.board.pass_turn(),
        }
        self.checked = past.checked;
        past.undo.map(|undo| undo.played())
    }

    /// Makes room for `plies` more moves, so that [`Self::make`] does not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.past.reserve(plies);
        self.past_boards.reserve(plies);
    }

    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> V::MoveList {
        let mut list = V::MoveList::default();
        self.board.generate(Wanted::All, &Threats::default(), &mut list);
        list
    }

    /// How often this position (board, hands, side to move) has stood on the board, now included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        1 + self.earlier(usize::MAX).count()
    }

    /// The keys ([`Board::key`]) of the positions that have stood on the board at least `times` times, now
    /// included.
    #[must_use]
    pub fn recurring(&self, times: usize) -> Vec<u64> {
        let mut keys: Vec<u64> = self.past.iter().map(|past| past.key).collect();
        keys.push(self.board.key());
        keys.sort_unstable();
        let runs = keys.chunk_by(|a, b| a == b);
        runs.filter(|run| run.len() >= times).map(|run| run[0]).collect()
    }

    /// How many plies ago the position stood on the board before, latest first, looking back at most
    /// `plies`.
    #[inline]
    fn earlier(&self, plies: usize) -> impl Iterator<Item = usize> + '_ {
        let key = self.board.key();
        let len = self.past.len();
        (2..=len.min(plies)).step_by(2).filter(move |back| self.past[len - back].key == key)
    }

    /// How the position compares with the earlier ones of the last `plies` plies that had the same board
    /// and side to move; `None` if there is none, or if each side has gained something in hand.
    ///
    /// A recurrence of the position goes before a gain or loss in hand. It is judged by the moves since the
    /// latest occurrence, so that a search need not wait for the fourth; where this is the fourth, and all
    /// four lie within those plies, by the moves since the first, as the rules have it.
    #[inline]
    #[must_use]
    pub fn repetition(&self, plies: usize) -> Option<Repetition> {
        let (key, board_key) = (self.board.key(), self.board.board_key());
        let len = self.past.len();
        let (mut like, mut latest, mut times) = (None, None, 0);
        let recent = &self.past_boards[len - len.min(plies)..];
        // Almost never any, which is soon seen with vectors.
        if !recent.contains(&board_key) {
            return None;
        }
        // Every other position back is one of the same side to move.
        for (index, &earlier) in recent.iter().rev().skip(1).step_by(2).enumerate() {
            if earlier == board_key {
                let back = 2 * (index + 1);
                if self.past[len - back].key == key {
                    times += 1;
                    latest = latest.or(Some(back));
                    if times == 3 {
                        return Some(Repetition::Repeated(self.verdict(back)));
                    }
                }
                like = like.or(Some(back));
            }
        }
        match latest {
            Some(back) => Some(Repetition::Repeated(self.verdict(back))),
            None => self.compare_hands(like?),
        }
    }

    /// How the hand of the side to move compares with the one it had `back` plies ago on the same
    /// board. What one side holds the other lacks, so that one hand tells.
    #[cold]
    #[inline(never)]
    fn compare_hands(&self, back: usize) -> Option<Repetition> {
        let us = self.board.side();
        let mut earlier = self.board;
        for past in self.past[self.past.len() - back..].iter().rev() {
            earlier.revert(past.undo?);
        }
        let (now, then) = (self.board.hand(us), earlier.hand(us));
        match (now.covers(then), then.covers(now)) {
            (true, false) => Some(Repetition::Superior),
            (false, true) => Some(Repetition::Inferior),
            _ => None,
        }
    }

    /// Who checked all the way in the last `plies` plies, a cycle that ends here.
    fn verdict(&self, plies: usize) -> Recurrence {
        // Positions after the moves of the cycle: an even distance from here is our turn again, so
        // that the enemy gave the check.
        let checks = |parity: usize| {
            (0..plies).filter(|back| back % 2 == parity).all(|back| match back {
                0 => self.checked,
                back => self.past[self.past.len() - back].checked,
            })
        };
        match (checks(1), checks(0)) {
            (true, false) => Recurrence::Loss,
            (false, true) => Recurrence::Win,
            _ => Recurrence::Draw,
        }
    }

    /// How the game ended, if it did: whale captured, no legal move, fourfold repetition.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let us = self.board.side();
        let lost = |reason| Outcome::Win { winner: !us, reason };
        if self.board.whale(us).is_empty() {
            return Some(lost(WinReason::WhaleCaptured));
        }
        if self.board.count_moves() == 0 {
            let mated = self.checked && V::ANSWERS_CHECK;
            return Some(lost(if mated { WinReason::Checkmate } else { WinReason::NoMoves }));
        }
        if self.board.rules().repetition
            && let Some(first) = self.earlier(usize::MAX).nth(2)
        {
            return Some(match self.verdict(first) {
                Recurrence::Draw => Outcome::Draw(DrawReason::Repetition),
                Recurrence::Win => Outcome::Win { winner: us, reason: WinReason::PerpetualCheck },
                Recurrence::Loss => lost(WinReason::PerpetualCheck),
            });
        }
        None
    }

    /// How the game would end if the side to move claimed impasse now; `None` if it may not: the
    /// switch is off, it is in check, a whale is outside the farthest ranks, the position stands there
    /// for the fourth time, which has ended the game, or it has no legal move and so has lost already.
    #[must_use]
    pub fn impasse(&self) -> Option<Outcome> {
        let rule = V::SPEC.impasse?;
        let us = self.board.side();
        let arrived = |color: Color| {
            self.board.whale(color).first().is_some_and(|whale| {
                V::SPEC.geometry.rank_from(whale, color)
                    >= V::SPEC.geometry.height() - rule.ranks.cast_signed()
            })
        };
        let rules = self.board.rules();
        if !rules.impasse || self.checked || !Color::BOTH.into_iter().all(arrived) {
            return None;
        }
        if rules.repetition && self.earlier(usize::MAX).nth(2).is_some() {
            return None;
        }
        if self.board.count_moves() == 0 {
            return None;
        }
        let points = |color: Color| {
            let worth = |kind: Kind| {
                let spec = V::SPEC.kind(kind);
                if spec.in_hand == rule.heavy { rule.heavy_points } else { 1 }
            };
            let on_board: u32 = self
                .board
                .pieces(color)
                .into_iter()
                .filter_map(|square| self.board.piece_on(square))
                .filter(|piece| piece.kind() != Kind::WHALE)
                .map(|piece| worth(piece.kind()))
                .sum();
            let hand = self.board.hand(color);
            let held = |kind| worth(kind) * u32::from(hand.counter(kind));
            let in_hand: u32 = hand.iter().map(held).sum();
            on_board + in_hand
        };
        Some(if points(us) < rule.needed {
            Outcome::Win { winner: !us, reason: WinReason::Impasse }
        } else if points(!us) < rule.needed {
            Outcome::Win { winner: us, reason: WinReason::Impasse }
        } else {
            Outcome::Draw(DrawReason::Impasse)
        })
    }

    /// The position with the board turned by 180°, colors, hands and side to move swapped; without
    /// its past. Every count of moves and every score stays the same.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self::from_board(self.board.turned(), self.ply())
    }

    /// The position with left and right exchanged, without its past. Every piece of every game moves alike to the left
    /// and to the right, so every count of moves stays the same.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self::from_board(self.board.mirrored(), self.ply())
    }

    /// The Zobrist keys `(board, hands)` computed from nothing, for tests of the incremental ones
    /// ([`Board::board_key`], [`Board::hand_key`]).
    #[must_use]
    pub fn keys_from_scratch(&self) -> (u64, u64) {
        self.board.keys_from_scratch()
    }
}

impl<V: Variant> Deref for Position<V> {
    type Target = Board<V>;

    #[inline(always)]
    fn deref(&self) -> &Board<V> {
        &self.board
    }
}

impl<V: Variant> PartialEq for Position<V> {
    /// The same board, hands, side to move, rules and move number, whatever the past.
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board && self.ply() == other.ply()
    }
}

impl<V: Variant> Eq for Position<V> {}

impl<V: Variant> Hash for Position<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.board.key(), self.ply()).hash(state);
    }
}

impl<V: Variant> fmt::Debug for Position<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({:?} {})", self.board, self.ply())
    }
}

impl<V: Variant> Setup<V> {
    /// The position, if it is possible.
    ///
    /// # Errors
    /// Every reason why it is not.
    pub fn validate(&self) -> Result<Position<V>, SetupError> {
        Ok(Position::from_board(self.checked_board()?, self.ply))
    }
}

impl<V: Variant> TryFrom<Setup<V>> for Position<V> {
    type Error = SetupError;

    fn try_from(setup: Setup<V>) -> Result<Self, SetupError> {
        setup.validate()
    }
}
