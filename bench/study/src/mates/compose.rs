//! Mate problems made by chance and improvement: pieces are put round a whale, what is not needed is taken away, and
//! small changes are kept as long as they make the mate longer.
//!
//! Black mates, and every problem is sound: the mate of the solver is proved to be the shortest, and it is proved that
//! no other first move mates at all. On the small boards White holds what is neither on the board nor in Black's
//! hand, as in the problems of shogi.

use kujira_position::{Color, Kind, Piece, Position, Setup, Square, Variant};
use kujira_search::mate::Solver;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::problem::{Flaw, Sound, has_check, judge};

/// Makes problems.
pub struct Composer<V: Variant> {
    random: Xoshiro256PlusPlus,
    solver: Solver<V>,
    nodes: u64,
    /// Kinds that can be in hand, with how many the game has.
    material: Vec<(Kind, u32)>,
    squares: Vec<Square>,
}

/// What a kind is in hand; `None` for the white whale.
fn in_hand<V: Variant>(kind: Kind) -> Option<Kind> {
    let token = V::SPEC.kind(kind).in_hand;
    V::SPEC.all_kinds().find(|&held| held != Kind::WHALE && V::SPEC.kind(held).token == token)
}

impl<V: Variant> Composer<V> {
    /// A composer whose problems this number leads to; the solver may take so many nodes for each question.
    #[must_use]
    pub fn new(seed: u64, nodes: u64) -> Self {
        let kinds = V::SPEC.all_kinds().filter(|&kind| {
            kind != Kind::WHALE
                && in_hand::<V>(kind) == Some(kind)
                && kind.index() <= V::SPEC.hand_kinds
        });
        Self {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            solver: Solver::new(128),
            nodes,
            material: kinds.map(|kind| (kind, u32::from(V::SPEC.kind(kind).material))).collect(),
            squares: V::SPEC.geometry.reading_order().collect(),
        }
    }

    const CAPTURES: bool = V::SPEC.captures_whales();

    /// Gives White what nobody has.
    fn fill(&self, setup: &mut Setup<V>) {
        if Self::CAPTURES {
            return;
        }
        for &(kind, most) in &self.material {
            let on_board = setup
                .pieces()
                .filter(|(_, piece)| in_hand::<V>(piece.kind()) == Some(kind))
                .count() as u32;
            let held = setup.in_hand(Color::Black, kind);
            setup.set_in_hand(Color::White, kind, most.saturating_sub(on_board + held));
        }
    }

    /// The judgement on a setup.
    ///
    /// # Errors
    /// Why it is no problem.
    fn judge(&mut self, setup: &Setup<V>) -> Result<Sound<V>, Flaw> {
        let position = setup.validate().map_err(|_| Flaw::Impossible)?;
        judge(&mut self.solver, &position, self.nodes)
    }

    fn piece(&mut self, color: Color) -> Option<Piece> {
        let kinds: Vec<Kind> = V::SPEC.all_kinds().filter(|&kind| kind != Kind::WHALE).collect();
        Some(Piece::new(color, *kinds.choose(&mut self.random)?))
    }

    fn empty_square(&mut self, setup: &Setup<V>) -> Option<Square> {
        let free: Vec<Square> =
            self.squares.iter().copied().filter(|&square| setup.get(square).is_none()).collect();
        free.choose(&mut self.random).copied()
    }

    /// Pieces by chance: most of Black's near White's whale.
    fn scatter(&mut self) -> Option<Setup<V>> {
        let mut setup = Setup::<V>::empty();
        let geometry = V::SPEC.geometry;
        let ranks = geometry.height();
        let high: Vec<Square> = self
            .squares
            .iter()
            .copied()
            .filter(|&square| geometry.rank_from(square, Color::Black) >= ranks / 2)
            .collect();
        let whale = *high.choose(&mut self.random)?;
        setup.set(whale, Some(Piece::new(Color::White, Kind::WHALE)));
        let own = self.empty_square(&setup)?;
        setup.set(own, Some(Piece::new(Color::Black, Kind::WHALE)));
        let near = |square: &Square| {
            let (dx, dy) = (
                geometry.x(*square).abs_diff(geometry.x(whale)),
                geometry.y(*square).abs_diff(geometry.y(whale)),
            );
            dx.max(dy) <= 3
        };
        let near: Vec<Square> = self.squares.iter().copied().filter(near).collect();
        let (black, white) = (self.random.random_range(1..6), self.random.random_range(0..6));
        for color in [vec![Color::Black; black], vec![Color::White; white]].concat() {
            let square = *near.choose(&mut self.random)?;
            if setup.get(square).is_none() {
                let piece = self.piece(color);
                setup.set(square, piece);
            }
        }
        for _ in 0..self.random.random_range(0..5) {
            let (kind, _) = *self.material.choose(&mut self.random)?;
            let held = setup.in_hand(Color::Black, kind);
            setup.set_in_hand(Color::Black, kind, held + 1);
        }
        self.fill(&mut setup);
        Some(setup)
    }

    /// The position with a small change.
    fn change(&mut self, setup: &Setup<V>) -> Option<Setup<V>> {
        let mut setup = setup.clone();
        for _ in 0..self.random.random_range(1..3) {
            let pieces: Vec<(Square, Piece)> = setup.pieces().collect();
            match self.random.random_range(0..6) {
                0 | 1 => {
                    let &(from, piece) = pieces.choose(&mut self.random)?;
                    let to = self.empty_square(&setup)?;
                    setup.set(from, None);
                    setup.set(to, Some(piece));
                }
                2 | 3 => {
                    let color = if self.random.random() { Color::Black } else { Color::White };
                    let to = self.empty_square(&setup)?;
                    let piece = self.piece(color);
                    setup.set(to, piece);
                }
                4 => {
                    let &(from, piece) = pieces.choose(&mut self.random)?;
                    if piece.kind() != Kind::WHALE {
                        let other = self.piece(piece.color());
                        setup.set(from, other);
                    }
                }
                _ => {
                    let (kind, _) = *self.material.choose(&mut self.random)?;
                    let held = setup.in_hand(Color::Black, kind);
                    let more = held == 0 || self.random.random();
                    setup.set_in_hand(Color::Black, kind, if more { held + 1 } else { held - 1 });
                }
            }
        }
        self.fill(&mut setup);
        Some(setup)
    }

    /// Takes away what the mate does not need. Returns what is left, and a position that lacks one thing more and has
    /// no mate.
    fn simplify(&mut self, problem: Sound<V>) -> (Sound<V>, Option<Position<V>>) {
        let (mut best, mut miss) = (problem, None);
        let mut pieces: Vec<(Square, Piece)> = best.position.setup().pieces().collect();
        pieces.shuffle(&mut self.random);
        let mut held: Vec<Kind> = self.material.iter().map(|&(kind, _)| kind).collect();
        held.shuffle(&mut self.random);
        let squares = pieces.into_iter().filter(|(_, piece)| piece.kind() != Kind::WHALE);
        let board = squares.map(|(square, _)| (Some(square), None));
        let hand = held.into_iter().map(|kind| (None, Some(kind)));
        for (square, kind) in board.chain(hand) {
            let mut less = best.position.setup();
            if let Some(square) = square {
                less.set(square, None);
            }
            if let Some(kind) = kind {
                match less.in_hand(Color::Black, kind) {
                    0 => continue,
                    held => less.set_in_hand(Color::Black, kind, held - 1),
                }
            }
            self.fill(&mut less);
            match self.judge(&less) {
                Ok(simpler) if simpler.line.len() >= best.line.len() => best = simpler,
                Err(Flaw::NoMate) => miss = less.validate().ok().filter(has_check).or(miss),
                _ => {}
            }
        }
        (best, miss)
    }

    /// Whether a mate is strict, see [`Sound::is_strict`].
    pub fn is_strict(&mut self, sound: &Sound<V>) -> bool {
        sound.is_strict(&mut self.solver, self.nodes)
    }

    /// A sound problem made from `parent`, or from nothing, and a position like it without a mate; `None` where
    /// chance gave none. It tries so many changes.
    pub fn compose(
        &mut self,
        parent: Option<&Setup<V>>,
        changes: usize,
    ) -> Option<(Sound<V>, Option<Position<V>>)> {
        let first = match parent {
            Some(parent) => parent.clone(),
            None => self.scatter()?,
        };
        let mut best = self.judge(&first).ok()?;
        for _ in 0..changes {
            let Some(changed) = self.change(&best.position.setup()) else { continue };
            if let Ok(other) = self.judge(&changed)
                && other.line.len() >= best.line.len()
            {
                best = other;
            }
        }
        Some(self.simplify(best))
    }
}
