//! Moves: what a piece can do, what a move does to the board, and which moves
//! are legal.

use super::Oracle;
use super::board::{Color, Piece, Square};
use super::game::Special;

/// How a piece gets from one square to another.
///
/// Two journeys of a piece that end alike and capture alike are the same,
/// whatever way it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Journey {
    pub(super) from: Square,
    /// The squares captured on the way, in the order travelled, empty places
    /// last. What stands on `to` is captured too, and is not among them.
    pub(super) way: [Option<Square>; 2],
    /// Where it ends, which is `from` for an igui and for a pass.
    pub(super) to: Square,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Move {
    Board { journey: Journey, promote: bool },
    Drop { token: &'static str, species: usize, to: Square },
}

impl Move {
    pub(super) const fn to(self) -> Square {
        match self {
            Self::Board { journey, .. } => journey.to,
            Self::Drop { to, .. } => to,
        }
    }
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Board { journey, promote } => {
                write!(f, "{}", journey.from)?;
                for square in journey.way.iter().flatten() {
                    write!(f, "{square}")?;
                }
                write!(f, "{}{}", journey.to, if *promote { "+" } else { "" })
            }
            Self::Drop { token, to, .. } => write!(f, "{token}*{to}"),
        }
    }
}

impl Oracle {
    /// Every legal move, each once.
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        if self.whale_captured() {
            return Vec::new();
        }
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| {
            (self.game.whale_may_hang() || !self.after(mv).can_capture_whale(self.side.opponent()))
                && !self.is_mating_drop(mv)
        });
        moves
    }

    /// Every move that obeys the rules of the pieces, whatever becomes of the
    /// own white whale, and drops that mate among them.
    pub(super) fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for journey in self.journeys(self.side) {
            if self.is_crowded_retreat(journey) {
                continue;
            }
            for &promote in self.promotion_choices(journey) {
                moves.push(Move::Board { journey, promote });
            }
        }
        self.push_drops(&mut moves);
        // A blue whale reaches one square by up to four paths.
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// Whether `attacker` could capture the other side's white whale, if it
    /// were to move (and the retreat file limit did not bind).
    pub(super) fn can_capture_whale(&self, attacker: Color) -> bool {
        self.whale_square(attacker.opponent())
            .is_some_and(|whale| self.journeys(attacker).iter().any(|j| captures(j, whale)))
    }

    /// Whether the piece on `from` itself could capture the other side's white
    /// whale.
    pub(super) fn piece_attacks_whale(&self, from: Square) -> bool {
        self.board.get(from).is_some_and(|piece| {
            let mut journeys = Vec::new();
            self.push_journeys(from, piece, &mut journeys);
            self.whale_square(piece.color.opponent())
                .is_some_and(|whale| journeys.iter().any(|j| captures(j, whale)))
        })
    }

    /// The position after a pseudo-legal move.
    pub(super) fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        let moved = match mv {
            Move::Board { journey, promote } => {
                let moved = next
                    .board
                    .get(journey.from)
                    .map(|piece| Piece { promoted: piece.promoted || promote, ..piece });
                // Lifted first, so that it does not capture itself where it
                // ends on its own square.
                next.board.set(journey.from, None);
                for square in journey.way.into_iter().flatten() {
                    next.capture_on(square);
                }
                next.capture_on(journey.to);
                moved
            }
            Move::Drop { species, .. } => {
                *next.hands.count_mut(self.side, species) -= 1;
                Some(Piece { color: self.side, species, promoted: false })
            }
        };
        next.board.set(mv.to(), moved);
        next.side = self.side.opponent();
        next.ply = self.ply.saturating_add(1);
        next
    }

    /// Takes what stands on `square`, if anything, into the mover's hand.
    fn capture_on(&mut self, square: Square) {
        let Some(victim) = self.board.get(square) else {
            return;
        };
        self.board.set(square, None);
        // A captured white whale goes into no hand: the game is over.
        if let Some(species) = self.species(victim).captured_as {
            *self.hands.count_mut(self.side, species) += 1;
        }
    }

    /// Whether a journey may, or must, be made with or without promotion.
    fn promotion_choices(&self, journey: Journey) -> &'static [bool] {
        const PROMOTION_RANKS: i8 = 3;
        let Some(piece) = self.board.get(journey.from) else {
            return &[];
        };
        let species = self.species(piece);
        let from_farthest = |square| self.rank_from_farthest(square, piece.color);
        let touches_zone = from_farthest(journey.from) <= PROMOTION_RANKS
            || from_farthest(journey.to) <= PROMOTION_RANKS;
        if piece.promoted || species.promoted.is_none() || !touches_zone {
            &[false]
        } else if species.minor && from_farthest(journey.to) == 1 {
            &[true] // a calf could never move from there
        } else {
            &[false, true]
        }
    }

    /// What all pieces of `color` can do. Some journeys may be listed twice.
    fn journeys(&self, color: Color) -> Vec<Journey> {
        let mut journeys = Vec::new();
        for from in self.squares() {
            if let Some(piece) = self.board.get(from)
                && piece.color == color
            {
                self.push_journeys(from, piece, &mut journeys);
            }
        }
        journeys
    }

    fn push_journeys(&self, from: Square, piece: Piece, journeys: &mut Vec<Journey>) {
        let gait = self.gait(piece);
        for &offset in &gait.jumps {
            if let Some(to) = self.neighbour(from, piece.color, offset)
                && !self.holds(to, piece.color)
            {
                journeys.push(plain(from, to));
            }
        }
        for &direction in &gait.slides {
            for to in self.slide(from, piece.color, direction) {
                journeys.push(plain(from, to));
            }
        }
        match gait.special {
            None => {}
            Some(Special::Dolphin) => self.push_dolphin(from, piece.color, journeys),
            Some(Special::KillerWhale) => self.push_killer_whale(from, piece.color, journeys),
            Some(Special::FalseKillerWhale) => {
                self.push_false_killer_whale(from, piece.color, journeys);
            }
            Some(Special::Beluga) => self.push_beluga(from, piece.color, journeys),
            Some(Special::BlueWhale) => self.push_blue_whale(from, piece.color, journeys),
        }
    }

    /// The squares that a slide of `color` from `from` can end on: empty ones,
    /// and the first enemy. Nothing stops it before its first step.
    pub(super) fn slide(&self, from: Square, color: Color, direction: (i8, i8)) -> Vec<Square> {
        let mut ends = Vec::new();
        let mut at = from;
        while let Some(next) = self.neighbour(at, color, direction) {
            if self.holds(next, color) {
                break;
            }
            ends.push(next);
            if !self.is_empty(next) {
                break;
            }
            at = next;
        }
        ends
    }

    /// One step forward; on the farthest rank, instead, a slide diagonally
    /// backward.
    fn push_dolphin(&self, from: Square, color: Color, journeys: &mut Vec<Journey>) {
        if self.rank_from_farthest(from, color) > 1 {
            if let Some(to) = self.neighbour(from, color, (0, 1))
                && !self.holds(to, color)
            {
                journeys.push(plain(from, to));
            }
            return;
        }
        let longest = if self.switches.retreat_two { 2 } else { usize::MAX };
        for direction in [(-1, -1), (1, -1)] {
            for to in self.slide(from, color, direction).into_iter().take(longest) {
                journeys.push(plain(from, to));
            }
        }
    }

    /// Whether a journey is a retreat that the file limit forbids.
    ///
    /// The limit is on where a retreat ends, not on what it passes, and on moves only: the dolphin
    /// still attacks such a square, as a pinned piece of chess still gives check.
    fn is_crowded_retreat(&self, journey: Journey) -> bool {
        self.switches.retreat_file_limit
            && self.board.get(journey.from).is_some_and(|piece| {
                matches!(self.gait(piece).special, Some(Special::Dolphin))
                    && self.rank_from_farthest(journey.from, piece.color) == 1
                    && self.minors_on_file(piece.color, journey.to.file) >= self.game.file_limit()
            })
    }
}

/// A journey that captures nothing on the way.
pub(super) const fn plain(from: Square, to: Square) -> Journey {
    Journey { from, way: [None; 2], to }
}

/// Whether a journey captures what stands on `square`, given that it is an
/// enemy.
fn captures(journey: &Journey, square: Square) -> bool {
    journey.to == square || journey.way.contains(&Some(square))
}
