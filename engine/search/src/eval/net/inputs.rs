//! What a network sees of a position: the list of its inputs, and which of them are on.
//!
//! A network looks at a board twice, once with the eyes of each side. Whoever looks is *we*: the board is
//! turned so that we move up it, and mirrored if our own white whale stands on the right half. Every
//! piece of every game moves alike to the left and to the right, so mirrored positions are worth the
//! same. A whale on the middle file of an odd board leaves the board as it is: there, and only there,
//! mirrored positions have other inputs.
//!
//! | section | an input is on for | present |
//! |---|---|---|
//! | square | a piece, ours or theirs, of a move class on a square | always |
//! | rank | a piece, ours or theirs, of a kind on a rank | if several kinds move alike |
//! | hand | the first, second, third … piece of a kind in our hand, in theirs | always |
//! | attacked | a piece, ours or theirs, of a move class on a square that the other side attacks | always |
//!
//! A piece on the board therefore turns on one or two inputs, and one more while it is attacked; a piece
//! in hand turns on one. Attacks are those of [`Board::controlled`], without the white whales'.

use std::marker::PhantomData;

use kujira_position::{Bitboard, Board, Color, Kind, Spec, Square, SquareText, Variant, class_of};

use crate::eval::threats;
use crate::eval::trail::Place;
use crate::eval::weights::checksum;

/// Changes with the meaning of an input, or of a bucket, where no name does.
const VERSION: u32 = 2;

/// More squares and kinds than any game has.
const SQUARES: usize = 128;
const KINDS: usize = 64;

/// How one side looks at a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    us: Color,
    mirrored: bool,
}

impl View {
    /// Number of views.
    pub(super) const COUNT: usize = 4;

    /// How `us` looks at `board`, by its own white whale; not mirrored once that is captured.
    #[inline(always)]
    #[must_use]
    pub fn of<V: Variant>(board: &Board<V>, us: Color) -> Self {
        board.whale(us).first().map_or(Self { us, mirrored: false }, |at| Self::with::<V>(us, at))
    }

    /// How `us` looks at a board on which its white whale stands on `whale`.
    #[inline(always)]
    #[must_use]
    pub fn with<V: Variant>(us: Color, whale: Square) -> Self {
        Self { us, mirrored: Inputs::<V>::MIRRORED[us.index()][whale.index()] }
    }

    /// Whose view it is.
    #[inline(always)]
    #[must_use]
    pub fn us(self) -> Color {
        self.us
    }

    /// A number below [`Self::COUNT`].
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        2 * self.us.index() + usize::from(self.mirrored)
    }
}

/// At which index the sections begin. In each of them our own inputs come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Layout {
    rank: usize,
    hand: usize,
    attacked: usize,
    len: usize,
    area: usize,
    ranks: usize,
    classes: usize,
    kinds: usize,
    /// Inputs of one hand.
    held: usize,
    /// The first input of each kind in a hand.
    first_held: [usize; KINDS],
    /// Pieces of both sides together.
    pieces: usize,
}

impl Layout {
    const fn of(spec: &Spec) -> Self {
        let (classes, kinds) = (spec.classes.len(), spec.kinds.len());
        let (area, ranks) = (spec.geometry.area(), spec.geometry.ranks as usize);
        let mut first_held = [0; KINDS];
        let mut held = 0;
        let mut kind = 1;
        while kind <= spec.hand_kinds {
            first_held[kind] = held;
            held += spec.kinds[kind].material as usize;
            kind += 1;
        }
        // Classes tell all kinds apart where there are as many.
        let ranked = if kinds > classes { kinds } else { 0 };
        let rank = 2 * classes * area;
        let hand = rank + 2 * ranked * ranks;
        let attacked = hand + 2 * held;
        let len = attacked + 2 * classes * area;
        Self {
            rank,
            hand,
            attacked,
            len,
            area,
            ranks,
            classes,
            kinds,
            held,
            first_held,
            pieces: held + spec.kinds[Kind::WHALE.index()].material as usize,
        }
    }
}

/// The inputs of a game's networks.
pub struct Inputs<V>(PhantomData<V>);

impl<V: Variant> Inputs<V> {
    const LAYOUT: Layout = Layout::of(V::SPEC);

    /// Number of inputs: their indices are below.
    pub const COUNT: usize = Self::LAYOUT.len;

    /// Pieces of both sides together, white whales included, on the board and in hand.
    pub const PIECES: usize = Self::LAYOUT.pieces;

    /// Whether a piece on the board has an input for its kind and rank beside that for its square.
    pub(super) const RANKED: bool = Self::LAYOUT.hand > Self::LAYOUT.rank;

    /// The most inputs that are on at once in one view.
    pub const MOST: usize = Self::PIECES * (2 + Self::RANKED as usize);

    /// Squares of the board.
    pub(super) const AREA: usize = Self::LAYOUT.area;

    /// By color and square of a whale: whether its owner sees the board mirrored.
    const MIRRORED: [[bool; SQUARES]; 2] = {
        let geometry = V::SPEC.geometry;
        let mut mirrored = [[false; SQUARES]; 2];
        let mut index = 0;
        while index < geometry.squares() {
            let (x, files) = (geometry.x(Square::from_index(index)), geometry.files as i8);
            mirrored[Color::Black.index()][index] = 2 * x > files - 1;
            mirrored[Color::White.index()][index] = 2 * x < files - 1;
            index += 1;
        }
        mirrored
    };

    /// By view and square: the number of the square as seen, counted rank by rank from the left of
    /// our own first rank. Indices off the board have a number, too, which nobody asks for. What is in
    /// hand looks the same from everywhere.
    const SEEN: [[u8; 2 * SQUARES]; View::COUNT] = {
        let geometry = V::SPEC.geometry;
        let (files, ranks) = (geometry.files as usize, geometry.ranks as usize);
        let mut seen = [[0; 2 * SQUARES]; View::COUNT];
        let mut y = 0;
        while y < ranks {
            let mut x = 0;
            while x < files {
                let index = y * geometry.stride as usize + x;
                let (left, right) = (x, files - 1 - x);
                let (up, down) = (y, ranks - 1 - y);
                seen[0][index] = (up * files + left) as u8;
                seen[1][index] = (up * files + right) as u8;
                // The right of White is the left of Black.
                seen[2][index] = (down * files + right) as u8;
                seen[3][index] = (down * files + left) as u8;
                x += 1;
            }
            y += 1;
        }
        let mut view = 0;
        while view < View::COUNT {
            let mut before = 0;
            while before < SQUARES {
                seen[view][Place::HELD + before] = before as u8;
                before += 1;
            }
            view += 1;
        }
        seen
    };

    /// The number of the square with index `at` as seen, below [`Self::AREA`]; of a place in hand
    /// ([`Place::at`]) how many pieces are held before.
    #[inline(always)]
    pub(super) fn seen(view: View, at: usize) -> usize {
        usize::from(Self::SEEN[view.index()][at])
    }

    /// The input of a piece by its class and square; `theirs` says whose it is, `seen` where.
    #[inline(always)]
    pub(in crate::eval) fn square(theirs: bool, kind: Kind, seen: usize) -> usize {
        let side = usize::from(theirs) * Self::LAYOUT.classes;
        (side + class_of::<V>(kind).index()) * Self::LAYOUT.area + seen
    }

    /// The input of a piece by its kind and rank; only where there are such inputs.
    pub(super) fn rank(theirs: bool, kind: Kind, seen: usize) -> usize {
        let layout = &Self::LAYOUT;
        let side = usize::from(theirs) * layout.kinds;
        let rank = seen / usize::from(V::SPEC.geometry.files);
        layout.rank + (side + kind.index()) * layout.ranks + rank
    }

    /// The input of the first piece of `kind` in a hand; the second, third … follow.
    #[inline(always)]
    pub(in crate::eval) fn hand(theirs: bool, kind: Kind) -> usize {
        let layout = &Self::LAYOUT;
        layout.hand + usize::from(theirs) * layout.held + layout.first_held[kind.index()]
    }

    /// The first input of a hand; all others follow.
    pub(super) const HANDS: usize = Self::LAYOUT.hand;

    /// The input of a piece that is attacked, by its class and square.
    #[inline(always)]
    pub(super) fn attacked(theirs: bool, kind: Kind, seen: usize) -> usize {
        Self::LAYOUT.attacked + Self::square(theirs, kind, seen)
    }

    /// The squares of attacked pieces, of both sides; `controlled` is what each side controls, by color.
    #[inline(always)]
    pub(super) fn under_attack(
        board: &Board<V>,
        controlled: [Bitboard<V::Bits>; 2],
    ) -> Bitboard<V::Bits> {
        let of = |owner: Color| board.pieces(owner) & controlled[(!owner).index()];
        of(Color::Black) | of(Color::White)
    }

    /// Tells `sink` every input that is on in the view that `us` has of `board`, each once: at most
    /// [`Self::MOST`], in no order to rely on. A board without a white whale is seen like any other.
    ///
    /// ```
    /// use kujira_position::{Color, Position, Whale};
    /// use kujira_search::eval::net::Inputs;
    ///
    /// let start = Position::<Whale>::start();
    /// let mut on = Vec::new();
    /// Inputs::<Whale>::active(start.board(), Color::Black, |input| on.push(input));
    /// assert_eq!(on.len(), 24);
    /// assert!(on.iter().any(|&input| Inputs::<Whale>::name(input) == "own W 4f"));
    /// ```
    #[inline]
    pub fn active(board: &Board<V>, us: Color, mut sink: impl FnMut(usize)) {
        let view = View::of(board, us);
        let under_attack = Self::under_attack(board, threats::controlled(board));
        for at in board.occupied() {
            let Some(piece) = board.piece_on(at) else { continue };
            let (theirs, seen) = (piece.color() != us, Self::seen(view, at.index()));
            sink(Self::square(theirs, piece.kind(), seen));
            if under_attack.has(at) {
                sink(Self::attacked(theirs, piece.kind(), seen));
            }
            if Self::RANKED {
                sink(Self::rank(theirs, piece.kind(), seen));
            }
        }
        for owner in Color::BOTH {
            let hand = board.hand(owner);
            for kind in hand.iter() {
                let first = Self::hand(owner != us, kind);
                (first..first + hand.count(kind)).for_each(&mut sink);
            }
        }
    }

    /// Which of `buckets` sets of output weights judges `board`, from 0: by the pieces that are off
    /// the board, in even steps up to half of all; from half of all on it is the last.
    #[inline(always)]
    #[must_use]
    pub fn bucket(board: &Board<V>, buckets: usize) -> usize {
        let held = Self::PIECES.saturating_sub(board.occupied().count() as usize);
        (2 * held * buckets / Self::PIECES).min(buckets.saturating_sub(1))
    }

    /// What an input stands for, for people: `own D 3c`, `enemy +BRC rank b`, `own hand D 4`,
    /// `own D 3c attacked`. Squares and ranks are those that Black would call so.
    ///
    /// # Panics
    /// If there is no such input.
    #[must_use]
    pub fn name(input: usize) -> String {
        let (spec, layout) = (V::SPEC, Self::LAYOUT);
        assert!(input < layout.len, "an input below {}", layout.len);
        let owner = |theirs: bool| if theirs { "enemy" } else { "own" };
        let square = |x: usize, y: usize| {
            let at = spec.geometry.square(x as i8, y as i8).unwrap_or(Square::from_index(0));
            SquareText(spec.geometry, at).to_string()
        };
        if input >= layout.attacked {
            format!("{} attacked", Self::name(input - layout.attacked))
        } else if input < layout.rank {
            let (row, seen) = (input / layout.area, input % layout.area);
            let files = usize::from(spec.geometry.files);
            let (theirs, class) = (row / layout.classes > 0, row % layout.classes);
            let class = spec.classes[class].abbreviation;
            format!("{} {class} {}", owner(theirs), square(seen % files, seen / files))
        } else if input < layout.hand {
            let (row, rank) =
                ((input - layout.rank) / layout.ranks, (input - layout.rank) % layout.ranks);
            let (theirs, kind) = (row / layout.kinds > 0, row % layout.kinds);
            let letter =
                square(0, rank).trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
            format!("{} {} rank {letter}", owner(theirs), spec.kinds[kind].token)
        } else {
            let (theirs, held) =
                ((input - layout.hand) / layout.held > 0, (input - layout.hand) % layout.held);
            let kind = (1..=spec.hand_kinds)
                .rev()
                .find(|&kind| layout.first_held[kind] <= held)
                .unwrap_or(1);
            let number = held - layout.first_held[kind] + 1;
            format!("{} hand {} {number}", owner(theirs), spec.kinds[kind].token)
        }
    }

    /// A number for the inputs there are, their order, and how buckets are chosen: a network made
    /// for others is of no use here.
    #[must_use]
    pub fn identity() -> u64 {
        let names: String = (0..Self::COUNT).map(|input| Self::name(input) + "\n").collect();
        checksum(&format!("inputs {VERSION}\n{names}"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use kujira_position::{Great, Paulowich, Position, Whale};

    use super::*;

    fn names<V: Variant>(sfen: &str, us: Color) -> Vec<String> {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        let mut names = Vec::new();
        Inputs::<V>::active(position.board(), us, |input| names.push(Inputs::<V>::name(input)));
        names.sort();
        names
    }

    #[test]
    fn there_are_as_many_as_documented() {
        assert_eq!(
            (Inputs::<Whale>::COUNT, Inputs::<Whale>::MOST),
            (2 * (8 * 36 + 22 + 8 * 36), 48)
        );
        assert_eq!(
            (Inputs::<Paulowich>::COUNT, Inputs::<Paulowich>::MOST),
            (2 * (9 * 49 + 26 + 9 * 49), 56)
        );
        let great = 2 * (28 * 121 + 52 * 11 + 54 + 28 * 121);
        assert_eq!((Inputs::<Great>::COUNT, Inputs::<Great>::MOST), (great, 168));
    }

    #[test]
    fn each_side_sees_its_own_men_come_up_the_board() {
        // Both whales on the left half as their owners see it: nothing is mirrored.
        let sfen = "3w2/6/6/D5/6/2W3 b 2Kd 1";
        assert_eq!(
            names::<Whale>(sfen, Color::Black),
            [
                "enemy W 3a",
                "enemy hand D 1",
                "own D 6d",
                "own W 4f",
                "own hand K 1",
                "own hand K 2"
            ]
        );
        assert_eq!(
            names::<Whale>(sfen, Color::White),
            [
                "enemy D 1c",
                "enemy W 3a",
                "enemy hand K 1",
                "enemy hand K 2",
                "own W 4f",
                "own hand D 1"
            ]
        );
        // Black's whale on the right half: mirrored for Black alone.
        let sfen = "3w2/6/6/D5/6/3W2 b - 1";
        assert_eq!(names::<Whale>(sfen, Color::Black), ["enemy W 4a", "own D 1d", "own W 4f"]);
        assert_eq!(names::<Whale>(sfen, Color::White), ["enemy D 1c", "enemy W 4a", "own W 4f"]);
    }

    #[test]
    fn kinds_that_move_alike_are_told_apart_by_rank() {
        let sfen = "5,w,5/11/11/5,+brc,5/5,P,5/5,BR,5/11/11/11/11/5,W,5 b - 1";
        assert_eq!(
            names::<Great>(sfen, Color::Black),
            [
                "enemy +BRC rank d",
                "enemy BR 6d",
                "enemy BR 6d attacked",
                "enemy W 6a",
                "enemy W rank a",
                "own BR 6f",
                "own BR rank f",
                "own P 6e",
                "own P 6e attacked",
                "own P rank e",
                "own W 6k",
                "own W rank k",
            ]
        );
    }

    fn names_are_distinct<V: Variant>() {
        let names: HashSet<String> = (0..Inputs::<V>::COUNT).map(Inputs::<V>::name).collect();
        assert_eq!(names.len(), Inputs::<V>::COUNT);
    }

    #[test]
    fn every_input_has_a_name_of_its_own() {
        names_are_distinct::<Whale>();
        names_are_distinct::<Paulowich>();
        names_are_distinct::<Great>();
    }

    #[test]
    fn inputs_are_recognised() {
        // These numbers stand in files: they change only with the inputs.
        let found = [
            Inputs::<Whale>::identity(),
            Inputs::<Paulowich>::identity(),
            Inputs::<Great>::identity(),
        ];
        assert_eq!(
            found.map(|identity| format!("{identity:016x}")),
            ["07160975ecd025cc", "6666332a82630e2c", "1f413ce52ae86116"]
        );
    }

    #[test]
    fn a_board_without_a_whale_has_inputs() {
        let sfen = "5,w,5/5,P,5/11/11/11/11/11/11/11/11/5,W,5 b - 1";
        let mut position = Position::<Great>::from_sfen(sfen).unwrap();
        position.make(position.parse_usi("6b6a").unwrap());
        let mut on = 0;
        Inputs::<Great>::active(position.board(), Color::White, |_| on += 1);
        assert_eq!(on, 4);
    }

    #[test]
    fn buckets_go_by_the_pieces_off_the_board() {
        let bucket = |sfen: &str, buckets| {
            Inputs::<Whale>::bucket(Position::<Whale>::from_sfen(sfen).unwrap().board(), buckets)
        };
        let start = Whale::SPEC.start;
        let few = "bnpwg1/ddd1dd/6/6/DD1DDD/HGWPNB b Dhd 1";
        let many = "3w2/6/6/D5/6/2W3 b 2Kd 1";
        assert_eq!([start, few, many].map(|sfen| bucket(sfen, 1)), [0, 0, 0]);
        assert_eq!([start, few, many].map(|sfen| bucket(sfen, 4)), [0, 1, 3]);
        assert_eq!([start, few, many].map(|sfen| bucket(sfen, 8)), [0, 2, 7]);
    }
}
