//! The squares that each side attacks, and from where a piece in hand could attack a square: what an
//! evaluation wants to know of the whales' surroundings.

use std::cell::Cell;

use crate::attacks::slide_attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::types::{Class, Color, Kind, Move, Square};
use crate::variant::{Facts, Variant};

use super::setwise::{Gote, Sente};

/// The squares that one side attacks, empty or not, with all but its white whale. Pins are not looked at.
#[derive(Clone, Copy, Debug)]
pub struct SideThreats<V: Variant> {
    leaps: Bitboard<V::Bits>,
    slides: Bitboard<V::Bits>,
}

impl<V: Variant> SideThreats<V> {
    /// All squares attacked.
    #[inline(always)]
    #[must_use]
    pub fn all(self) -> Bitboard<V::Bits> {
        self.leaps | self.slides
    }

    /// The squares attacked by slides, retreats and two-phase moves, which pieces in between close and
    /// open. If a square that has a piece is not among them, nothing else is attacked when that piece
    /// leaves it.
    #[inline(always)]
    #[must_use]
    pub fn slides(self) -> Bitboard<V::Bits> {
        self.slides
    }
}

/// Squares that are found out where they are first asked for.
type Lazy<V> = Cell<Option<Bitboard<<V as Variant>::Bits>>>;

/// The squares that both sides of one board attack: found out where they are first asked for.
#[derive(Clone, Debug)]
pub struct Threats<V: Variant> {
    /// By color, as in [`SideThreats`].
    leaps: [Lazy<V>; 2],
    slides: [Lazy<V>; 2],
}

impl<V: Variant> Default for Threats<V> {
    #[inline(always)]
    fn default() -> Self {
        let unknown = || [Cell::new(None), Cell::new(None)];
        Self { leaps: unknown(), slides: unknown() }
    }
}

impl<V: Variant> Threats<V> {
    /// The squares that `color` attacks on `board`, which must always be the same but for who is to move.
    #[inline(always)]
    pub fn of(&self, board: &Board<V>, color: Color) -> SideThreats<V> {
        let (leaps, slides) = (&self.leaps[color.index()], &self.slides[color.index()]);
        SideThreats {
            leaps: known(leaps, || board.leap_threats(color)),
            slides: known(slides, || board.slide_threats(color)),
        }
    }

    /// Takes over as much of `before`, the threats on `board`, as was known and stays as it is when `m`, a
    /// legal move, is made there.
    ///
    /// The other side's leaps stay unless something is captured. Those of the side that moves stay where it
    /// moves its whale, whose leaps are left out, and grow by those of what it drops. Slides stay where none
    /// is opened or closed and what moves does not slide.
    #[inline(always)]
    pub fn inherit(&self, before: &Self, board: &Board<V>, m: Move) {
        let us = board.side();
        let (ours, theirs) = (us.index(), (!us).index());
        let captures = board.pieces(!us).has(m.to());
        let way = V::LIONS && m.way().is_some();
        // Where something is captured the square stays closed.
        let kept = |slides: &Bitboard<V::Bits>| {
            !way && (captures || !slides.has(m.to())) && (m.is_drop() || !slides.has(m.from()))
        };
        let arriving = V::class_of(Board::<V>::arriving(m));
        let is_slider = |class: Class, square: Square| {
            !V::TABLES.slide_lines[class.index()].is_empty()
                || V::TWO_PHASE == Some(class)
                || V::RETREATER == Some(class) && V::last_rank(us).has(square)
        };
        let plain = !is_slider(arriving, m.to())
            && (m.is_drop() || !is_slider(V::class_of(m.kind()), m.from()));
        self.slides[ours].set(before.slides[ours].get().filter(|all| plain && kept(all)));
        self.slides[theirs].set(before.slides[theirs].get().filter(|all| !captures && kept(all)));
        let stay = before.leaps[theirs].get();
        self.leaps[theirs].set(if captures || way { None } else { stay });
        let come = match (m.is_drop(), m.kind() == Kind::WHALE) {
            (true, _) => Some(Board::<V>::leaps(arriving, us, m.to())),
            (_, true) => Some(Bitboard::EMPTY),
            _ => None,
        };
        self.leaps[ours].set(match (before.leaps[ours].get(), come) {
            (Some(leaps), Some(come)) => Some(leaps | come),
            _ => None,
        });
    }

    /// Whether everything known here is true of `board`.
    #[must_use]
    pub fn agree_with(&self, board: &Board<V>) -> bool {
        Color::BOTH.into_iter().all(|color| {
            let fresh = board.threats(color);
            let agrees = |known: &Lazy<V>, fresh| known.get().is_none_or(|known| known == fresh);
            agrees(&self.leaps[color.index()], fresh.leaps)
                && agrees(&self.slides[color.index()], fresh.slides)
        })
    }

    /// Takes over all that `from`, the threats of the same board, knows.
    #[inline(always)]
    pub fn copy(&self, from: &Self) {
        for (place, known) in
            self.leaps.iter().chain(&self.slides).zip(from.leaps.iter().chain(&from.slides))
        {
            place.set(known.get());
        }
    }
}

#[inline(always)]
fn known<T: Copy>(place: &Cell<Option<T>>, find: impl FnOnce() -> T) -> T {
    place.get().unwrap_or_else(|| {
        let found = find();
        place.set(Some(found));
        found
    })
}

impl<V: Variant> Board<V> {
    /// Every square that some piece of `color` attacks, empty or not; what the white whale alone
    /// attacks is left out. Pins are not looked at.
    #[inline]
    #[must_use]
    pub fn attacked_by(&self, color: Color) -> Bitboard<V::Bits> {
        self.threats(color).all()
    }

    /// The squares that the pieces of `color` attack, the white whale's left out, with slides told apart.
    #[must_use]
    pub fn threats(&self, color: Color) -> SideThreats<V> {
        SideThreats { leaps: self.leap_threats(color), slides: self.slide_threats(color) }
    }

    #[inline(never)]
    fn leap_threats(&self, color: Color) -> Bitboard<V::Bits> {
        // Whales leap, they do not slide.
        let pieces = !self.whale(color);
        let map = match color {
            Color::Black => self.leap_map::<Sente>(pieces),
            Color::White => self.leap_map::<Gote>(pieces),
        };
        map & V::board()
    }

    #[inline(never)]
    fn slide_threats(&self, color: Color) -> Bitboard<V::Bits> {
        let occupied = self.occupied();
        if !V::WRAPS {
            let empty = V::board() & !occupied;
            let map = match color {
                Color::Black => self.slide_map::<Sente>(empty),
                Color::White => self.slide_map::<Gote>(empty),
            };
            return map & V::board();
        }
        let mut slides = Bitboard::EMPTY;
        for index in 0..V::CLASSES {
            let lines = &V::TABLES.slide_lines[index];
            if lines.is_empty() {
                continue;
            }
            for from in self.movers(color, index) {
                slides |= slide_attacks::<V>(lines, color, from, occupied);
            }
        }
        for from in self.retreaters(color) {
            slides |= self.retreat_attacks(color, from, occupied);
        }
        if let Some(class) = V::TWO_PHASE {
            for from in self.movers(color, class.index()) {
                slides |= Self::two_phase_ends(color, from, occupied) & !Bitboard::of(from);
            }
        }
        slides
    }

    /// The squares from which a piece of `kind` and `color` would attack `square` by its leaps and
    /// slides, with what now stands on the board in their way. Hooks are not looked at: no piece is
    /// dropped where one would apply.
    #[inline]
    #[must_use]
    pub fn attacking_squares(&self, kind: Kind, color: Color, square: Square) -> Bitboard<V::Bits> {
        let class = V::class_of(kind);
        let lines = &V::TABLES.slide_lines[class.index()];
        Self::leaps(class, !color, square)
            | slide_attacks::<V>(lines, !color, square, self.occupied())
    }

    /// The squares beside the white whale of `color`.
    #[inline(always)]
    pub(super) fn whale_ring(&self, color: Color) -> Bitboard<V::Bits> {
        self.whale(color).first().map_or(Bitboard::EMPTY, Self::ring)
    }

    /// The squares one step of a white whale away from `square`.
    ///
    /// # Panics
    /// If `square` is beyond the last square of the board.
    #[inline(always)]
    #[must_use]
    pub fn ring(square: Square) -> Bitboard<V::Bits> {
        Self::leaps(Class::WHALE, Color::Black, square)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::movegen::generate::Wanted;
    use crate::position::Position;
    use crate::rules::{Retreat, Rules};
    use crate::types::Piece;
    use crate::variant::{Great, Paulowich, Whale};

    /// Random games: a square is attacked exactly if a piece other than the whale is among its
    /// attackers, and a kind attacks a square from where its piece would be one of them.
    fn check<V: Variant>(games: usize, rules: Rules) {
        // Times that something was handed on: of the side that moved, and of the other.
        let (mut kept_leaps, mut kept_slides) = ([0; 2], [0; 2]);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut next = |below: usize| random.random_range(0..below);
        for _ in 0..games {
            let mut position = Position::<V>::start();
            position.set_rules(rules).unwrap();
            let (mut inherited, mut next_ply) = (Threats::default(), Threats::default());
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[next(moves.len())];
                let before = *position.board();
                // Now and then nothing is asked, so that only a part is known to hand on.
                if next(4) > 0 {
                    for color in Color::BOTH {
                        inherited.of(&before, color);
                    }
                }
                let them = (!before.side()).index();
                let leaps_known = inherited.leaps[them].get().is_some();
                next_ply.inherit(&inherited, &before, m);
                std::mem::swap(&mut inherited, &mut next_ply);
                position.make(m);
                let board = position.board();
                assert!(inherited.agree_with(board), "{m:?} {before:?}");
                for color in Color::BOTH {
                    let (leaps, slides) =
                        (&inherited.leaps[color.index()], &inherited.slides[color.index()]);
                    let to_move = usize::from(color == board.side());
                    kept_leaps[to_move] += usize::from(leaps.get().is_some());
                    kept_slides[to_move] += usize::from(slides.get().is_some());
                }
                let leaps_kept = inherited.leaps[them].get().is_some();
                let captures = position.last_move().is_some_and(|(_, captures)| captures);
                assert_eq!(leaps_kept, leaps_known && !captures, "{m:?} {before:?}");
                if board.whale(board.side()).is_empty() {
                    break;
                }
                for color in Color::BOTH {
                    let others = board.pieces(color) & !board.whale(color);
                    let expected: Bitboard<V::Bits> = V::board()
                        .into_iter()
                        .filter(|&s| (board.attackers(s, color, board.occupied()) & others).any())
                        .collect();
                    assert_eq!(board.attacked_by(color), expected, "{position:?}");
                    // Attacks that are no slides do not depend on who stands elsewhere.
                    let slides = board.threats(color).slides();
                    for at in board.pieces(!color) & !slides {
                        assert_eq!(board.without(at).attacked_by(color), expected, "{position:?}");
                    }
                }
                let threats = Threats::default();
                for color in [board.side(), !board.side(), board.side()] {
                    let both = |side: SideThreats<V>| (side.all(), side.slides());
                    assert_eq!(both(threats.of(board, color)), both(board.threats(color)));
                }
                // Lists made with what is known are those made without.
                let stops = board.check_stops();
                let mut lists = [(); 6].map(|()| V::MoveList::default());
                for (lists, known) in lists.chunks_mut(3).zip([&inherited, &Threats::default()]) {
                    let [all, saving, checks] = lists else { continue };
                    board.generate(Wanted::All, known, all);
                    board.generate_saving(stops, known, saving);
                    board.generate_checks(known, checks);
                }
                assert!((0..3).all(|index| *lists[index] == *lists[index + 3]), "{position:?}");
                let empty: Vec<Square> = (V::board() & !board.occupied()).into_iter().collect();
                let target = empty[next(empty.len())];
                let (kind, color) =
                    (Kind::from_index(1 + next(V::SPEC.hand_kinds)), Color::BOTH[next(2)]);
                let squares = board.attacking_squares(kind, color, target);
                for &from in &empty {
                    if from == target || V::last_rank(color).has(from) {
                        continue;
                    }
                    let mut with = *board;
                    with.put(from, Piece::new(color, kind));
                    let attackers = with.attackers(target, color, board.occupied());
                    assert_eq!(squares.has(from), attackers.has(from), "{with:?} {kind:?}");
                }
            }
        }
        assert!(kept_slides.iter().all(|&kept| kept > games), "{kept_slides:?} in {games} games");
        assert!(kept_leaps[0] > games && kept_leaps[1] > 20 * games, "{kept_leaps:?} in {games}");
    }

    #[test]
    fn threats_are_what_attackers_say() {
        check::<Whale>(40, Rules::DEFAULT);
        check::<Paulowich>(30, Rules { retreat: Retreat::Two, ..Rules::DEFAULT });
        check::<Paulowich>(30, Rules::DEFAULT);
        check::<Great>(12, Rules::DEFAULT);
    }

    #[test]
    fn a_ring_has_eight_squares_away_from_the_edge() {
        let corner = Square::from_index(0);
        assert_eq!(Board::<Whale>::ring(corner).count(), 3);
        assert_eq!(Board::<Great>::ring(Square::from_index(60)).count(), 8);
    }
}
