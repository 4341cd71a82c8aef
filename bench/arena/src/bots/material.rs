//! What pieces and moves are worth to bots.

use kujira_position::{Board, Kind, Move, Variant};
use kujira_search::eval::{NetworkFile, captured};

/// Centipawns.
pub type Worth = i32;

/// More than all pieces of a game together.
pub(super) const WHALE: Worth = 1_000_000;

/// Beyond all that can be gained.
pub(super) const MOST: Worth = 100_000_000;

/// What pieces are worth: as the network that the engine was built with counts them.
#[derive(Clone, Debug)]
pub struct Material {
    /// By kind: what the enemy loses and the captor has in hand.
    captured: Vec<Worth>,
    /// By kind: what a piece gains by promotion.
    promoted: Vec<Worth>,
}

impl Material {
    /// The worth of the pieces of a game.
    #[must_use]
    pub fn of<V: Variant>() -> Self {
        let (file, spec) = (NetworkFile::built_in::<V>(), V::SPEC);
        let on_board = |kind: Kind| file.on_board.get(kind.index()).copied().unwrap_or(0);
        let in_hand = |kind: Kind| file.in_hand.get(kind.index()).copied().unwrap_or(0);
        let captured = |kind: Kind| match kind {
            Kind::WHALE => WHALE,
            _ => on_board(kind) + in_hand(spec.kind_named(spec.kind(kind).in_hand)),
        };
        let promoted = |kind: Kind| match spec.kind(kind).promotes_to {
            Some(token) => on_board(spec.kind_named(token)) - on_board(kind),
            None => 0,
        };
        Self {
            captured: spec.all_kinds().map(captured).collect(),
            promoted: spec.all_kinds().map(promoted).collect(),
        }
    }

    /// What the piece that makes the move costs its owner if it is captured in its place.
    #[must_use]
    pub fn risked(&self, kind: Kind) -> Worth {
        self.captured.get(kind.index()).copied().unwrap_or(0)
    }

    /// What `m`, legal on `board`, captures.
    #[must_use]
    pub fn taken<V: Variant>(&self, board: &Board<V>, m: Move) -> Worth {
        captured(board, m).map_or(0, |capture| {
            capture.pieces(board).map(|(_, piece)| self.risked(piece.kind())).sum()
        })
    }

    /// What `m`, legal on `board`, gains at once: captures and a promotion.
    #[must_use]
    pub fn gain<V: Variant>(&self, board: &Board<V>, m: Move) -> Worth {
        let promotion = if m.promotes() { self.promoted.get(m.kind().index()) } else { None };
        self.taken(board, m) + promotion.copied().unwrap_or(0)
    }
}
