//! The list of the features of the linear evaluation: their names, and their indices.
//!
//! Every feature counts for one side: how often Black has it minus how often White has it, the board
//! turned round for White. Mirrored positions have the same features, because every piece of every
//! game moves alike to the left and to the right.
//!
//! | section | row | what it counts |
//! |---|---|---|
//! | `square` | move class | pieces on a square, the files folded to half a board |
//! | `rank` | kind | pieces on a rank |
//! | `hand` | kind in hand | the first, second, third … piece held |
//! | `own-whale` | move class | pieces by where they stand as seen from their own white whale |
//! | `enemy-whale` | move class | pieces by where they stand as seen from the enemy's white whale |
//! | `ring` | turn | squares round the enemy whale that we attack: the first, second … |
//! | `bare` | turn | squares round the enemy whale that we attack and nothing but the whale defends |
//! | `flights` | turn | squares the enemy whale could go to |
//! | `squeeze` | turn | how many kinds we hold, together with how many flights the enemy whale has |
//! | `drop-check` | turn, kind in hand | squares from which a drop of the kind would check in safety |
//! | `hanging` | turn, kind | our pieces that are attacked and not defended |
//! | `space` | | squares we attack that no piece of ours stands on |
//! | `guarded` | | pieces of ours that we defend |
//! | `tempo` | | having the move |
//!
//! Rows that depend on the turn stand there twice: for the side to move and for the other one. Distances
//! from a whale are clamped to [`REACH`] squares. `square`, `rank` and the two offsets are sums over the
//! pieces on the board, which [`LinearAccumulator`](super::accumulator::LinearAccumulator) keeps up to
//! date move by move. The others change with every move wherever it is made, and are found anew in each
//! position evaluated, by `extraction`.

use kujira_position::{Color, Kind, Spec, Square, Variant};

use crate::eval::identity::identity;

/// A centipawn in units of a linear weight: weights are sixteenths of a centipawn.
pub const UNIT: i32 = 16;

/// The greatest linear weight, of either sign: 4,000 centipawns.
pub(in crate::eval) const MOST_WEIGHT: i32 = 4_000 * UNIT;

/// The version of the features: it changes with the meaning of one whose name does not change.
const VERSION: u32 = 1;

/// The farthest that a whale sees, in files or ranks: a larger offset counts as this one.
pub(super) const REACH: i8 = 5;

/// Files of an offset from a whale, without their sign.
pub(super) const FILES: usize = REACH.unsigned_abs() as usize + 1;

/// Number of offsets from a whale: files without their sign, ranks with it.
pub(super) const OFFSETS: usize = FILES * (2 * REACH.unsigned_abs() as usize + 1);

/// The most squares round a whale.
pub(super) const RING: usize = 8;

/// Counts of the squares for checking drops of a kind: one to this many; more count as this many.
pub(super) const CHECKS: usize = 4;

/// Counts of the kinds held, from none; more count as the last.
pub(super) const HELD: usize = 8;

/// Counts of the flights of a whale beside which kinds in hand are counted, from none; more count as the last.
pub(super) const FLIGHTS: usize = 5;

/// At which index the features of each section begin, in the order of the table above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    square: usize,
    rank: usize,
    hand: usize,
    own_whale: usize,
    enemy_whale: usize,
    ring: usize,
    bare: usize,
    flights: usize,
    squeeze: usize,
    drop_check: usize,
    hanging: usize,
    space: usize,
    guarded: usize,
    tempo: usize,
    len: usize,
    /// Files of half a board, the middle one included.
    half: usize,
    ranks: usize,
    kinds: usize,
    hand_kinds: usize,
    /// Most pieces of a kind in hand.
    most: usize,
}

impl Layout {
    /// The features of a game.
    #[must_use]
    pub const fn of(spec: &Spec) -> Self {
        let (classes, kinds, hand_kinds) = (spec.classes.len(), spec.kinds.len(), spec.hand_kinds);
        let (half, ranks) =
            ((spec.geometry.files as usize).div_ceil(2), spec.geometry.ranks as usize);
        let mut most = 0;
        let mut kind = 1;
        while kind <= hand_kinds {
            let material = spec.kinds[kind].material as usize;
            most = if material > most { material } else { most };
            kind += 1;
        }
        let square = 0;
        let rank = square + classes * half * ranks;
        let hand = rank + kinds * ranks;
        let own_whale = hand + hand_kinds * most;
        let enemy_whale = own_whale + classes * OFFSETS;
        let ring = enemy_whale + classes * OFFSETS;
        let bare = ring + 2 * RING;
        let flights = bare + 2 * RING;
        let squeeze = flights + 2 * RING;
        let drop_check = squeeze + 2 * HELD * FLIGHTS;
        let hanging = drop_check + 2 * hand_kinds * CHECKS;
        let space = hanging + 2 * kinds;
        let (guarded, tempo, len) = (space + 1, space + 2, space + 3);
        Self {
            square,
            rank,
            hand,
            own_whale,
            enemy_whale,
            ring,
            bare,
            flights,
            squeeze,
            drop_check,
            hanging,
            space,
            guarded,
            tempo,
            len,
            half,
            ranks,
            kinds,
            hand_kinds,
            most,
        }
    }

    /// One more than the highest index of a feature.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no feature, which is never so.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// A row of features: one line of a file of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The section and what the row is for: `own-whale K`, `drop-check waiting G`.
    pub name: String,
    /// Index of the first feature.
    pub first: usize,
    /// Number of features.
    pub width: usize,
    /// Whether a feature never occurs without those before it in the row.
    pub climbs: bool,
}

/// The features of a game: their indices.
pub struct Features<V>(std::marker::PhantomData<V>);

impl<V: Variant> Features<V> {
    /// Where the sections begin.
    pub const LAYOUT: Layout = Layout::of(V::SPEC);

    /// A piece that moves like class number `class` on `square`, as Black stands.
    pub(super) fn square(class: usize, square: Square) -> usize {
        let (geometry, layout) = (V::SPEC.geometry, Self::LAYOUT);
        let [x, y] = [geometry.x(square), geometry.y(square)]
            .map(|number| usize::from(number.unsigned_abs()));
        let folded = x.min(usize::from(geometry.files) - 1 - x);
        layout.square + (class * layout.ranks + y) * layout.half + folded
    }

    /// A piece of `kind` on the rank of `square`, as Black stands.
    pub(super) fn rank(kind: Kind, square: Square) -> usize {
        let y = usize::from(V::SPEC.geometry.y(square).unsigned_abs());
        Self::LAYOUT.rank + kind.index() * Self::LAYOUT.ranks + y
    }

    /// The first piece of `kind` in hand; the next ones follow.
    #[inline(always)]
    pub(super) const fn hand(kind: Kind) -> usize {
        Self::LAYOUT.hand + (kind.index() - 1) * Self::LAYOUT.most
    }

    /// A piece of a class at an offset, as the owner of the piece sees the board, from its own whale.
    pub(super) const fn own_whale(class: usize, offset: usize) -> usize {
        Self::LAYOUT.own_whale + class * OFFSETS + offset
    }

    /// A piece of a class at an offset, as the owner of the piece sees the board, from the enemy whale.
    pub(super) const fn enemy_whale(class: usize, offset: usize) -> usize {
        Self::LAYOUT.enemy_whale + class * OFFSETS + offset
    }

    /// The number of the offset of `square` from `whale`, as `color` sees the board.
    pub(super) fn offset(color: Color, whale: Square, square: Square) -> usize {
        let geometry = V::SPEC.geometry;
        let dx = (geometry.x(square) - geometry.x(whale)).abs().min(REACH);
        let up = geometry.rank_from(square, color) - geometry.rank_from(whale, color);
        let dy = up.clamp(-REACH, REACH) + REACH;
        usize::from(dy.unsigned_abs()) * FILES + usize::from(dx.unsigned_abs())
    }

    /// The first of the squares attacked round the enemy whale.
    #[inline(always)]
    pub(super) const fn ring(moves: bool) -> usize {
        Self::LAYOUT.ring + RING * !moves as usize
    }

    /// The first of the squares attacked round the enemy whale that only the whale defends.
    #[inline(always)]
    pub(super) const fn bare(moves: bool) -> usize {
        Self::LAYOUT.bare + RING * !moves as usize
    }

    /// The first flight of the enemy whale.
    #[inline(always)]
    pub(super) const fn flights(moves: bool) -> usize {
        Self::LAYOUT.flights + RING * !moves as usize
    }

    /// A number of kinds held and a number of flights of the enemy whale, below [`HELD`] and [`FLIGHTS`].
    #[inline(always)]
    pub(super) const fn squeeze(moves: bool, held: usize, flights: usize) -> usize {
        Self::LAYOUT.squeeze + (HELD * !moves as usize + held) * FLIGHTS + flights
    }

    /// The first safe drop of `kind` that checks.
    #[inline(always)]
    pub(super) const fn drop_check(moves: bool, kind: Kind) -> usize {
        Self::LAYOUT.drop_check
            + (Self::LAYOUT.hand_kinds * !moves as usize + kind.index() - 1) * CHECKS
    }

    /// A piece of `kind` attacked and not defended.
    #[inline(always)]
    pub(super) const fn hanging(moves: bool, kind: Kind) -> usize {
        Self::LAYOUT.hanging + Self::LAYOUT.kinds * !moves as usize + kind.index()
    }

    /// A square attacked.
    #[inline(always)]
    pub(super) const fn space() -> usize {
        Self::LAYOUT.space
    }

    /// A piece defended.
    #[inline(always)]
    pub(super) const fn guarded() -> usize {
        Self::LAYOUT.guarded
    }

    /// Having the move.
    #[inline(always)]
    pub(super) const fn tempo() -> usize {
        Self::LAYOUT.tempo
    }

    /// Every row in the order of the indices. Some indices belong to no row: what they would stand
    /// for cannot occur.
    #[must_use]
    pub fn rows() -> Vec<Row> {
        let (spec, layout) = (V::SPEC, Self::LAYOUT);
        let class = |class: usize| spec.classes[class].abbreviation;
        let token = |kind: Kind| spec.kind(kind).token;
        let classes = 0..spec.classes.len();
        let hand_kinds = || (1..=spec.hand_kinds).map(Kind::from_index);
        let turns = [(true, "moving"), (false, "waiting")];
        let mut rows = Vec::new();
        let mut push = |name: String, first: usize, width: usize, climbs: bool| {
            rows.push(Row { name, first, width, climbs });
        };
        let squares = layout.half * layout.ranks;
        for index in classes.clone() {
            let first = layout.square + index * squares;
            push(format!("square {}", class(index)), first, squares, false);
        }
        for kind in spec.all_kinds() {
            let first = layout.rank + kind.index() * layout.ranks;
            push(format!("rank {}", token(kind)), first, layout.ranks, false);
        }
        for kind in hand_kinds() {
            let width = usize::from(spec.kind(kind).material);
            push(format!("hand {}", token(kind)), Self::hand(kind), width, true);
        }
        // A whale seen from the other one is the same for both sides: nothing to weigh.
        for index in classes.clone().skip(1) {
            let first = Self::own_whale(index, 0);
            push(format!("own-whale {}", class(index)), first, OFFSETS, false);
        }
        for index in classes.skip(1) {
            let first = Self::enemy_whale(index, 0);
            push(format!("enemy-whale {}", class(index)), first, OFFSETS, false);
        }
        for (moves, turn) in turns {
            push(format!("ring {turn}"), Self::ring(moves), RING, true);
        }
        for (moves, turn) in turns {
            push(format!("bare {turn}"), Self::bare(moves), RING, true);
        }
        for (moves, turn) in turns {
            push(format!("flights {turn}"), Self::flights(moves), RING, true);
        }
        for (moves, turn) in turns {
            for held in 0..HELD {
                let first = Self::squeeze(moves, held, 0);
                push(format!("squeeze {turn} {held}"), first, FLIGHTS, false);
            }
        }
        for (moves, turn) in turns {
            for kind in hand_kinds() {
                let first = Self::drop_check(moves, kind);
                push(format!("drop-check {turn} {}", token(kind)), first, CHECKS, true);
            }
        }
        for (moves, turn) in turns {
            for kind in spec.all_kinds().skip(1) {
                let first = Self::hanging(moves, kind);
                push(format!("hanging {turn} {}", token(kind)), first, 1, false);
            }
        }
        push("space".to_owned(), Self::space(), 1, false);
        push("guarded".to_owned(), Self::guarded(), 1, false);
        push("tempo".to_owned(), Self::tempo(), 1, false);
        rows
    }

    /// A number for the features and their order.
    pub(in crate::eval) fn identity() -> u64 {
        let rows = Self::rows();
        let names: String =
            rows.iter().map(|row| format!("{} {} {}\n", row.name, row.first, row.width)).collect();
        identity(&format!("features {VERSION} {UNIT}\n{names}"))
    }
}
