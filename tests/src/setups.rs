//! Random positions that no game needs to have led to.

use kujira_position::{Color, Hook, Kind, Piece, Position, Rules, Setup, Square, Variant};
use rand::{Rng, RngExt};

/// What sort of positions to make up.
#[derive(Clone, Copy, Debug)]
pub enum Sort {
    /// Anything anywhere: every kind on the board, in a hand or absent.
    Mixed,
    /// Few pieces, those of hooks and pawns above all, crowded about a white whale that has few
    /// defenders, and pawns in the other side's hand: positions for mating drops, captures on the
    /// way and double checks.
    Hunt,
}

/// A random valid position.
pub fn random<V: Variant>(rng: &mut impl Rng, sort: Sort, rules: Rules) -> Position<V> {
    loop {
        let mut setup = Setup::<V>::empty();
        setup.side = if rng.random_bool(0.5) { Color::Black } else { Color::White };
        setup.ply = rng.random_range(1..200);
        setup.rules = rules;
        fill(rng, sort, &mut setup);
        if let Ok(position) = setup.validate() {
            return position;
        }
    }
}

fn fill<V: Variant>(rng: &mut impl Rng, sort: Sort, setup: &mut Setup<V>) {
    let spec = V::SPEC;
    let squares: Vec<Square> = spec.geometry.reading_order().collect();
    let mut whales = Vec::new();
    for color in Color::BOTH {
        let square = loop {
            let square = squares[rng.random_range(0..squares.len())];
            let back = spec.geometry.rank_from(square, color) <= 1;
            if setup.get(square).is_none() && (back || rng.random_bool(0.2)) {
                break square;
            }
        };
        setup.set(square, Some(Piece::new(color, Kind::WHALE)));
        whales.push(square);
    }
    // How much of the material is on the board, in hand, nowhere.
    let (board, hand) = match sort {
        Sort::Mixed => (rng.random_range(10..80), rng.random_range(0..40)),
        Sort::Hunt => (rng.random_range(10..60), rng.random_range(0..10)),
    };
    // In a hunt the side to move often has most of the pieces.
    let ours = match sort {
        Sort::Hunt if rng.random_bool(0.5) => 0.8,
        _ => 0.5,
    };
    for base in (1..=spec.hand_kinds).map(Kind::from_index) {
        let shapes: Vec<Kind> = spec
            .all_kinds()
            .filter(|&kind| kind != Kind::WHALE && spec.kind(kind).in_hand == spec.kind(base).token)
            .collect();
        let hooked = shapes.iter().any(|&kind| spec.class(spec.class_of(kind)).hook != Hook::None);
        for _ in 0..spec.kind(base).material {
            let (board, hand) = match sort {
                Sort::Hunt if spec.is_pawn(base) => (board / 2, 40),
                Sort::Hunt if hooked => (70, hand),
                _ => (board, hand),
            };
            let color = if rng.random_bool(ours) { setup.side } else { !setup.side };
            let fate = rng.random_range(0..100);
            if fate < board {
                // The promoted shape as often as the native one.
                let shape = shapes[rng.random_range(0..shapes.len())];
                let square = match sort {
                    Sort::Mixed => squares[rng.random_range(0..squares.len())],
                    Sort::Hunt => {
                        let hunted = if rng.random_bool(0.85) { !setup.side } else { setup.side };
                        near(rng, &squares, setup, whales[hunted.index()])
                    }
                };
                let piece = Piece::new(color, shape);
                if may_stand(setup, square, piece) {
                    setup.set(square, Some(piece));
                }
            } else if fate < board + hand {
                setup.set_in_hand(color, base, setup.in_hand(color, base) + 1);
            }
        }
    }
}

/// A square close to `centre`.
fn near<V: Variant>(
    rng: &mut impl Rng,
    squares: &[Square],
    setup: &Setup<V>,
    centre: Square,
) -> Square {
    for _ in 0..20 {
        let (dx, dy) = (rng.random_range(-2..=2), rng.random_range(-3..=3));
        if let Some(square) = V::SPEC.geometry.step(centre, Color::Black, dx, dy)
            && setup.get(square).is_none()
        {
            return square;
        }
    }
    squares[rng.random_range(0..squares.len())]
}

/// Whether a piece can be put down here without making the position impossible by itself.
fn may_stand<V: Variant>(setup: &Setup<V>, square: Square, piece: Piece) -> bool {
    let (spec, geometry) = (V::SPEC, V::SPEC.geometry);
    if setup.get(square).is_some() {
        return false;
    }
    if !spec.is_pawn(piece.kind()) {
        return true;
    }
    let last = geometry.rank_from(square, piece.color()) + 1 == geometry.height();
    let on_file = geometry
        .reading_order()
        .filter(|&other| geometry.x(other) == geometry.x(square))
        .filter_map(|other| setup.get(other))
        .filter(|other| other.color() == piece.color() && spec.is_pawn(other.kind()))
        .count();
    let stuck = spec.pawns.must_promote && last;
    let crowded = spec.pawns.limit_holds_on_board && on_file >= usize::from(spec.pawns.file_limit);
    !stuck && !crowded
}
