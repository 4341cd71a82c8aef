//! The three games as types, and the one place where a game is chosen at run time.

use std::fmt;
use std::ops::DerefMut;
use std::str::FromStr;

use arrayvec::ArrayVec;

use crate::bitboard::{Bitboard, Bits};
use crate::games;
use crate::geometry::{Direction, Geometry};
use crate::hand::counter_shift;
use crate::spec::{Hook, Spec, WhaleRule};
use crate::tables::{self, Slides, Tables};
use crate::types::{Class, Color, Kind, Move, Square};
use crate::zobrist;

/// A game as a type: code that is generic over it is compiled once a game, with the game's data as
/// constants.
///
/// The three games are all there are: the trait is sealed.
pub trait Variant: Sealed + Copy + fmt::Debug + Default + Send + Sync + 'static {
    /// The word of its bit sets.
    type Bits: Bits;
    /// A bit set a color and class.
    type Boards: Boards<Self::Bits>;
    /// Room for all legal moves of any position.
    type MoveList: MoveList;
    /// Which game it is, as a value.
    const ID: VariantId;
    /// The game's rules and pieces.
    const SPEC: &'static Spec;
    /// The game's tables.
    const TABLES: &'static Tables<Self::Bits>;
}

/// Private, so that there are no other games.
pub trait Sealed {}

/// A bit set for each color and move class.
pub trait Boards<B>: Copy + Send + Sync + 'static {
    /// No piece anywhere.
    const EMPTY: Self;
    /// The pieces of `color` that move like `class`.
    fn get(&self, color: Color, class: usize) -> Bitboard<B>;
    /// Adds or removes the squares of `change`.
    fn toggle(&mut self, color: Color, class: usize, change: Bitboard<B>);
}

impl<B: Bits, const CLASSES: usize> Boards<B> for [[Bitboard<B>; CLASSES]; 2] {
    const EMPTY: Self = [[Bitboard::EMPTY; CLASSES]; 2];

    #[inline(always)]
    fn get(&self, color: Color, class: usize) -> Bitboard<B> {
        self[color.index()][class]
    }

    #[inline(always)]
    fn toggle(&mut self, color: Color, class: usize, change: Bitboard<B>) {
        self[color.index()][class] ^= change;
    }
}

/// A list of moves that lives on the stack and has room for every legal move of a position.
pub trait MoveList:
    Default + Clone + fmt::Debug + DerefMut<Target = [Move]> + Send + Sync + 'static
{
    /// The most moves it holds.
    const CAPACITY: usize;
    /// Adds a move.
    ///
    /// # Panics
    /// If it is full, which the legal moves of one position cannot make it.
    fn push(&mut self, m: Move);
    /// Takes all moves out.
    fn clear(&mut self);
    /// Shortens it to `len` moves, if it holds more.
    fn truncate(&mut self, len: usize);
}

impl<const N: usize> MoveList for ArrayVec<Move, N> {
    const CAPACITY: usize = N;

    #[inline(always)]
    fn push(&mut self, m: Move) {
        Self::push(self, m);
    }

    #[inline(always)]
    fn clear(&mut self) {
        Self::clear(self);
    }

    fn truncate(&mut self, len: usize) {
        Self::truncate(self, len);
    }
}

/// The class that `kind` moves like: what [`Spec::class_of`] says, looked up in a table of the game.
#[must_use]
#[inline(always)]
pub fn class_of<V: Variant>(kind: Kind) -> Class {
    <V as Facts>::class_of(kind)
}

/// Constants that follow from a game's data.
pub(crate) trait Facts: Variant {
    /// One more than the highest square index.
    const SQUARES: usize = Self::SPEC.geometry.squares();
    /// Number of move classes.
    const CLASSES: usize = Self::SPEC.classes.len();
    /// Whether a whale under attack must be saved at once.
    const ANSWERS_CHECK: bool = matches!(Self::SPEC.whale, WhaleRule::Check);
    /// Whether leaps can wrap round the edge and must be masked.
    const WRAPS: bool = wraps(Self::SPEC.geometry);
    /// Whether anything promotes by moving.
    const PROMOTES: bool = Self::SPEC.promotion_zone > 0;
    /// The class of the pawn rules.
    const PAWN: Class = Self::SPEC.class_named(Self::SPEC.pawns.class);
    /// Bits of the counters, in a [`Hand`](crate::Hand), of kinds under the pawn rules. Bit 0 of
    /// each counter, for [`Hand::held`](crate::Hand::held).
    const PAWN_SLOTS: u128 = pawn_slots(Self::SPEC, <Self::Bits as Bits>::LANE);
    /// The class with the retreat hook.
    const RETREATER: Option<Class> = retreater(Self::SPEC);
    /// The class with the two-phase hook.
    const TWO_PHASE: Option<Class> = two_phase(Self::SPEC);
    /// Whether there are pieces that capture on the way.
    const LIONS: bool = Self::SPEC.has_lions();

    /// Entries of a class and color in [`Tables::covers`].
    const ROWS: usize = tables::cover_count(Self::SPEC);

    /// How far a piece's code is shifted in the index of its Zobrist numbers.
    const KEY_SHIFT: u32 = key_shift(Self::SPEC);
    /// Whether every kind moves in a way of its own and stands at the same index as its class.
    const KINDS_ARE_CLASSES: bool = Self::SPEC.kinds_are_classes();

    /// The class a kind moves like.
    #[inline(always)]
    fn class_of(kind: Kind) -> Class {
        if Self::KINDS_ARE_CLASSES {
            Class::from_kind(kind)
        } else {
            Self::TABLES.kinds[kind.index()].class
        }
    }

    /// The squares of the board.
    #[inline(always)]
    fn board() -> Bitboard<Self::Bits> {
        Bitboard(Self::TABLES.board)
    }

    /// An entry of a flat `[color][square][class]` table.
    #[inline(always)]
    fn by_class(
        table: &'static [Self::Bits],
        class: Class,
        color: Color,
        square: Square,
    ) -> Bitboard<Self::Bits> {
        let row = color.index() * Self::SQUARES + square.index();
        Bitboard(table[row * Self::CLASSES + class.index()])
    }

    /// The entries of all classes in such a table.
    #[inline(always)]
    fn row(table: &'static [Self::Bits], color: Color, square: Square) -> &'static [Self::Bits] {
        let row = color.index() * Self::SQUARES + square.index();
        &table[row * Self::CLASSES..][..Self::CLASSES]
    }

    /// The squares from `square` in `direction` up to the edge.
    #[inline(always)]
    fn ray(direction: Direction, square: Square) -> Bitboard<Self::Bits> {
        Bitboard(Self::TABLES.rays[direction.index() * Self::SQUARES + square.index()])
    }

    /// The squares strictly between two squares of a line that pieces slide along.
    #[inline(always)]
    fn between(a: Square, b: Square) -> Bitboard<Self::Bits> {
        Bitboard(Self::TABLES.between[a.index() * Self::SQUARES + b.index()])
    }

    /// For each class the squares from which a piece of `color` reaches, on an empty board, every square
    /// of `set`, squares of the whale on `whale` and those beside it. Retreats are not looked at.
    #[inline(always)]
    fn covering(color: Color, whale: Square, set: Bitboard<Self::Bits>) -> Cover<Self::Bits> {
        let stride = Self::SPEC.geometry.stride;
        let around = set.moved(i32::from(stride) + 1 - i32::from(whale.byte()));
        let row = |row: u8| {
            let three = around.moved(-i32::from(row * stride)).0.low_byte() & 7;
            let middle = whale.index() + usize::from(row * stride);
            let entry = color.index() * Self::ROWS + 8 * middle + usize::from(three);
            &Self::TABLES.covers[entry * Self::CLASSES..][..Self::CLASSES]
        };
        Cover([row(0), row(1), row(2)])
    }

    /// The farthest rank of `color`.
    #[inline(always)]
    fn last_rank(color: Color) -> Bitboard<Self::Bits> {
        Bitboard(Self::TABLES.last_rank[color.index()])
    }

    /// The promotion zone of `color`.
    #[inline(always)]
    fn zone(color: Color) -> Bitboard<Self::Bits> {
        Bitboard(Self::TABLES.zone[color.index()])
    }
}

impl<V: Variant> Facts for V {}

/// What [`Facts::covering`] found: entries of the classes for the three ranks round a whale.
pub(crate) struct Cover<B: 'static>([&'static [B]; 3]);

impl<B: Bits> Cover<B> {
    /// The squares from which a piece that moves like `class` reaches all that is to be reached.
    #[inline(always)]
    pub(crate) fn by(&self, class: Class) -> Bitboard<B> {
        let [below, beside, above] = self.0;
        Bitboard(below[class.index()] & beside[class.index()] & above[class.index()])
    }
}

/// Whether a layout has no empty columns to catch what leaves the board sideways; where it has some,
/// [`Spec::validate`] holds every leap to them.
const fn wraps(geometry: Geometry) -> bool {
    geometry.stride == geometry.files
}

const fn pawn_slots(spec: &Spec, lane: u32) -> u128 {
    let mut slots = 0;
    let mut kind = 1;
    while kind <= spec.hand_kinds {
        if spec.is_pawn(Kind::from_index(kind)) {
            slots |= 1 << counter_shift(Kind::from_index(kind), lane);
        }
        kind += 1;
    }
    slots
}

/// A power of two for the squares, so that an index is put together without a multiplication.
const fn key_shift(spec: &Spec) -> u32 {
    spec.geometry.squares().next_power_of_two().trailing_zeros()
}

const fn retreater(spec: &Spec) -> Option<Class> {
    let mut index = 0;
    while index < spec.classes.len() {
        if matches!(spec.classes[index].hook, Hook::Retreat { .. }) {
            return Some(Class::from_index(index));
        }
        index += 1;
    }
    None
}

const fn two_phase(spec: &Spec) -> Option<Class> {
    let mut index = 0;
    while index < spec.classes.len() {
        if matches!(spec.classes[index].hook, Hook::TwoPhase { .. }) {
            return Some(Class::from_index(index));
        }
        index += 1;
    }
    None
}

/// Narrows a table built in 128 bits by a function.
macro_rules! narrowed {
    ($narrow:ident, $wide:expr) => {{
        let wide = $wide;
        let mut table = [0; _];
        let mut i = 0;
        while i < table.len() {
            table[i] = $narrow(wide[i]);
            i += 1;
        }
        table
    }};
}

/// Writes down every game once: its type, its tables, its place in [`VariantId`], and the `match`
/// that gets from the value to the type.
macro_rules! games {
    ($($(#[$doc:meta])* $name:ident, $module:ident, $word:ty, $most_moves:expr;)+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
            pub struct $name;

            const _: () = {
                const SPEC: &Spec = &games::$module::SPEC;
                const _: () = SPEC.validate_word::<$word>();
                const SQUARES: usize = SPEC.geometry.squares();
                const CLASSES: usize = SPEC.classes.len();
                const KINDS: usize = SPEC.kinds.len();
                const PAIRS: usize = SQUARES * SQUARES;
                const STEPS: usize = tables::step_count(SPEC);

                /// The word of a set built in 128 bits: all squares fit, which `validate_word` holds.
                #[allow(clippy::unnecessary_cast, clippy::cast_possible_truncation)]
                const fn narrow(wide: u128) -> $word {
                    wide as $word
                }

                const BY_CLASS: usize = CLASSES * 2 * SQUARES;
                const WIDE_LEAPS: [u128; BY_CLASS] = tables::leaps(SPEC);
                const WIDE_SLIDES: [u128; BY_CLASS] = tables::slides(SPEC, Slides::Plain);
                const fn slides(slides: Slides) -> [u128; BY_CLASS] {
                    tables::by_square(SPEC, tables::slides::<BY_CLASS>(SPEC, slides))
                }
                static LEAPS: [$word; BY_CLASS] =
                    narrowed!(narrow, tables::by_square(SPEC, WIDE_LEAPS));
                static SLIDES: [$word; BY_CLASS] =
                    narrowed!(narrow, tables::by_square(SPEC, WIDE_SLIDES));
                static RETREATS: [$word; BY_CLASS] = narrowed!(narrow, slides(Slides::Retreat));
                static SHORT_RETREATS: [$word; BY_CLASS] =
                    narrowed!(narrow, slides(Slides::ShortRetreat));
                static RAYS: [$word; Direction::COUNT * SQUARES] =
                    narrowed!(narrow, tables::rays::<{ Direction::COUNT * SQUARES }>(SPEC));
                static BETWEEN: [$word; PAIRS] = narrowed!(narrow, tables::between::<PAIRS>(SPEC));
                const COVERS: usize = match SPEC.whale {
                    WhaleRule::Check => CLASSES * 2 * tables::cover_count(SPEC),
                    WhaleRule::Capture => 0,
                };
                static COVER: [$word; COVERS] = narrowed!(narrow,
                    tables::covers::<COVERS>(SPEC, &WIDE_LEAPS, &WIDE_SLIDES)
                );
                static FIRST_STEPS: [$word; 2 * SQUARES] =
                    narrowed!(narrow, tables::first_steps::<{ 2 * SQUARES }>(SPEC));
                static PIECE_KEYS: [u64; (2 * KINDS + 1) << key_shift(SPEC)] = zobrist::keys(zobrist::PIECES);
                static HAND_KEYS: [u64; 2 * SPEC.hand_kinds] = zobrist::keys(2);
                const SIDE_KEY: [u64; 1] = zobrist::keys(3);
                const WIDE_STEPS: [tables::Step<u128>; STEPS] = tables::steps(SPEC);
                const NARROW_STEPS: [tables::Step<$word>; STEPS] = {
                    let mut steps = [tables::Step::<$word> {
                        by: 0,
                        lands: [0; 2],
                        promotes: [0; 2],
                        classes: [Class::WHALE; Class::LIMIT],
                        count: 0,
                        pawns: false,
                    }; STEPS];
                    let mut i = 0;
                    while i < STEPS {
                        let wide = WIDE_STEPS[i];
                        steps[i] = tables::Step {
                            by: wide.by,
                            lands: [narrow(wide.lands[0]), narrow(wide.lands[1])],
                            promotes: [narrow(wide.promotes[0]), narrow(wide.promotes[1])],
                            classes: wide.classes,
                            count: wide.count,
                            pawns: wide.pawns,
                        };
                        i += 1;
                    }
                    steps
                };
                const BLACK: Color = Color::Black;
                const WHITE: Color = Color::White;

                impl Variant for $name {
                    type Bits = $word;
                    type Boards = [[Bitboard<$word>; CLASSES]; 2];
                    type MoveList = ArrayVec<Move, { $most_moves }>;
                    const ID: VariantId = VariantId::$name;
                    const SPEC: &'static Spec = SPEC;
                    const TABLES: &'static Tables<$word> = &Tables {
                        leaps: &LEAPS,
                        slides: &SLIDES,
                        retreats: &RETREATS,
                        short_retreats: &SHORT_RETREATS,
                        rays: &RAYS,
                        between: &BETWEEN,
                        covers: &COVER,
                        steps: &NARROW_STEPS,
                        fills: &tables::fills(SPEC),
                        slide_lines: &tables::slide_lines::<CLASSES>(SPEC),
                        retreat_lines: tables::retreats(SPEC),
                        first_steps: &FIRST_STEPS,
                        second_lines: tables::second_lines(SPEC),
                        lions: &tables::lions::<CLASSES>(SPEC),
                        board: narrow(SPEC.geometry.board_mask()),
                        last_rank: [
                            narrow(SPEC.geometry.farthest_ranks(BLACK, 1)),
                            narrow(SPEC.geometry.farthest_ranks(WHITE, 1)),
                        ],
                        zone: [
                            narrow(SPEC.geometry.farthest_ranks(BLACK, SPEC.promotion_zone)),
                            narrow(SPEC.geometry.farthest_ranks(WHITE, SPEC.promotion_zone)),
                        ],
                        kinds: &tables::kinds::<KINDS>(SPEC),
                        piece_keys: if zobrist::WORKED_OUT { &[] } else { &PIECE_KEYS },
                        hand_keys: &HAND_KEYS,
                        side_key: SIDE_KEY[0],
                    };
                }
            };
        )+

        /// Which game, as a value.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub enum VariantId {
            #[default]
            $($(#[$doc])* $name,)+
        }

        impl VariantId {
            /// Every game.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The game's rules and pieces.
            #[must_use]
            pub const fn spec(self) -> &'static Spec {
                match self {
                    $(Self::$name => <$name as Variant>::SPEC,)+
                }
            }
        }

        $(impl Sealed for $name {})+

        /// Calls a macro with the names of all games.
        macro_rules! with_games {
            ($call:ident) => {
                $call! { $($name)+ }
            };
        }

        /// Runs an expression with a type alias bound to the game that a [`VariantId`] names: the
        /// only way from the value to the type.
        ///
        /// ```
        /// use kujira_position::{Position, Variant, VariantId, with_variant};
        ///
        /// let moves = with_variant!(VariantId::Whale, V => Position::<V>::start().legal_moves().len());
        /// assert_eq!(moves, 7);
        /// ```
        #[macro_export]
        macro_rules! with_variant {
            ($id:expr, $v:ident => $body:expr) => {
                match $id {
                    $($crate::VariantId::$name => {
                        type $v = $crate::$name;
                        $body
                    })+
                }
            };
        }
    };
}

games! {
    /// Whale Shogi, 6×6.
    ///
    /// A move list holds 512 moves: at most 6 kinds in hand times 34 empty squares make 204 drops.
    /// Of the 24 pieces 12 are dolphins. A piece on the board takes 6 drops away and has at most 14
    /// moves (killer whale), so that 22 of them add less than 22 × (14 − 5) = 198 (five of the six
    /// kinds go anywhere), and the whale at most 8: at most 410.
    Whale, whale, u64, 512;
    /// Paulowich Whale Shogi, 7×7.
    ///
    /// A move list holds 768 moves: at most 7 kinds in hand times 47 empty squares make 329 drops;
    /// 26 pieces on the board with at most 16 moves each (killer whale) add less than 416, the whale at
    /// most 8: less than 753.
    Paulowich, paulowich, u64, 768;
    /// Great Whale Shogi, 11×11.
    ///
    /// A move list holds 5120 moves: at most 26 kinds in hand times 119 empty squares make 3,094
    /// drops. Two blue whales at most reach 120 squares each and pass; no other piece has more than
    /// 80 moves (each end with and without promotion), the white whale 8. With one of each kind kept in
    /// hand 28 pieces are left for the board, and each takes away at least the 15 drops of the kinds
    /// that go anywhere, all but the calves: 3094 + 2 × 121 + 26 × 80 + 8 − 28 × 15 = 5,004 at most.
    Great, great, u128, 5120;
}

impl VariantId {
    /// The game whose id is `id`, in any case.
    ///
    /// ```
    /// use kujira_position::VariantId;
    ///
    /// assert_eq!(VariantId::named("Great"), Some(VariantId::Great));
    /// assert_eq!(VariantId::named("chess"), None);
    /// assert_eq!("whale".parse(), Ok(VariantId::Whale));
    /// ```
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|game| game.spec().id.eq_ignore_ascii_case(id))
    }

    /// The ids of all games, for messages: `whale, paulowich, great`.
    #[must_use]
    pub fn choices() -> String {
        Self::ALL.iter().map(|game| game.spec().id).collect::<Vec<_>>().join(", ")
    }
}

/// No game has this id.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected one of {}", VariantId::choices())]
pub struct UnknownGame(
    /// The id asked for.
    pub String,
);

impl FromStr for VariantId {
    type Err = UnknownGame;

    fn from_str(id: &str) -> Result<Self, UnknownGame> {
        Self::named(id).ok_or_else(|| UnknownGame(id.to_owned()))
    }
}

impl fmt::Display for VariantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec().id)
    }
}
