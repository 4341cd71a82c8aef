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
//! | attacked | a piece, ours or theirs, of a move class on a square that the other side attacks, by whether its own side defends it | always |
//! | siege | how many squares round a whale are attacked, with how many it can flee to; how many kinds its enemy holds, with the same; from how many squares a drop of a kind would check in safety | always |
//! | square | a piece, ours or theirs, of a move class on a square | always |
//! | rank | a piece, ours or theirs, of a kind on a rank | if several kinds move alike |
//! | hand | the first, second, third … piece of a kind in our hand, in theirs | always |
//!
//! Where all kinds move differently the last three sections, of pieces in their places, are there once for each zone
//! that our white whale may be in. A piece on the board turns on one or two inputs, and one more while it is attacked; a
//! piece in hand turns on one, and the first of a kind one more while it could check. Attacks are those of
//! [`Board::attacked_by`], without the white whales'; a piece beside its own white whale is defended, too. Sieges are
//! told of both whales, see `siege`. There are six zones: our first rank, our second, and the others; of each the
//! squares near the edge, and those near the middle.
//! What a piece does for the attack and defence of a whale depends on where the whale is; zones tell that
//! coarsely, so that each is seen often. What they have in common is learnt together: see the trainer.
//! (Mirroring by the side of the king is known from the HalfKAv2_hm inputs of Stockfish, 2021; zones are its
//! king buckets.)

use std::marker::PhantomData;
use std::ops::Range;

use kujira_position::{Bitboard, Board, Color, Kind, Spec, Square, SquareText, Variant, class_of};

use crate::eval::dirty_pieces::{Place, byte};
use crate::eval::identity::identity;
use crate::eval::siege;

/// The version of the inputs: it changes with the meaning of an input, of a zone or of a bucket whose name does
/// not change.
const VERSION: u32 = 3;

/// Zones of a board, as its owner sees it: three bands of ranks, two of files.
const ZONE_NAMES: [&str; 6] = [
    "first rank, edge",
    "first rank, middle",
    "second rank, edge",
    "second rank, middle",
    "farther, edge",
    "farther, middle",
];

/// At least as many squares as any game has.
const SQUARES: usize = 128;

/// At least as many kinds as any game has.
const KINDS: usize = 64;

/// The view that one side has of a board: whose it is, whether it is mirrored, and the zone of the white whale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    us: Color,
    mirrored: bool,
    zone: u8,
}

impl View {
    /// Number of views, but for zones.
    pub(super) const COUNT: usize = 4;

    /// The view that `us` has of `board`: not mirrored, and in the first zone, once its white whale is
    /// captured.
    #[inline(always)]
    #[must_use]
    pub fn of<V: Variant>(board: &Board<V>, us: Color) -> Self {
        let captured = Self { us, mirrored: false, zone: 0 };
        board.whale(us).first().map_or(captured, |at| Self::with::<V>(us, at))
    }

    /// The view that `us` has of a board on which its white whale stands on `whale`.
    #[inline(always)]
    #[must_use]
    pub fn with<V: Variant>(us: Color, whale: Square) -> Self {
        Self {
            us,
            mirrored: Inputs::<V>::MIRRORED[us.index()][whale.index()],
            zone: Inputs::<V>::ZONE[us.index()][whale.index()],
        }
    }

    /// The side whose view it is.
    #[inline(always)]
    #[must_use]
    pub fn us(self) -> Color {
        self.us
    }

    /// The zone of our white whale, below [`Inputs::ZONES`].
    #[inline(always)]
    pub(super) fn zone(self) -> usize {
        usize::from(self.zone)
    }

    /// A number below [`Self::COUNT`]: whose view it is, and whether it is mirrored.
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        2 * self.us.index() + usize::from(self.mirrored)
    }
}

/// The indices at which the sections begin; those of places count from where their zone begins. Our own inputs come
/// first in each section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Layout {
    siege: usize,
    /// Where the first zone begins.
    placed: usize,
    rank: usize,
    hand: usize,
    /// Inputs of a zone.
    zone: usize,
    zones: usize,
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
        let ranked = if spec.kinds_are_classes() { 0 } else { kinds };
        let rank = 2 * classes * area;
        let hand = rank + 2 * ranked * ranks;
        let zone = hand + 2 * held;
        let siege = 2 * 2 * classes * area;
        let placed = siege + 2 * siege::inputs(spec);
        let zones = if spec.kinds_are_classes() { ZONE_NAMES.len() } else { 1 };
        let len = placed + zones * zone;
        Self {
            siege,
            placed,
            rank,
            hand,
            zone,
            zones,
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

    /// Number of inputs; their indices are below it.
    pub const COUNT: usize = Self::LAYOUT.len;

    /// Pieces of both sides together, white whales included, on the board and in hand.
    pub const PIECES: usize = Self::LAYOUT.pieces;

    /// Whether a piece on the board has an input for its kind and rank beside that for its square.
    const RANKED: bool = Self::LAYOUT.hand > Self::LAYOUT.rank;

    /// Zones that whales are told apart by; 1 where they are not.
    pub const ZONES: usize = Self::LAYOUT.zones;

    /// Number of inputs of pieces in their places for one zone. Zone by zone, they are the last inputs.
    pub const PLACED: usize = Self::LAYOUT.zone;

    /// The most inputs that are on at once in one view.
    pub const MOST: usize = Self::PIECES * (2 + Self::RANKED as usize) + siege::ALWAYS;

    /// Squares of the board.
    pub(super) const AREA: usize = Self::LAYOUT.area;

    /// Whether the owner of a white whale sees the board mirrored, by color and square of the whale.
    const MIRRORED: [[bool; SQUARES]; 2] = {
        let geometry = V::SPEC.geometry;
        let mut mirrored = [[false; SQUARES]; 2];
        let mut index = 0;
        while index < geometry.squares() {
            let (x, files) = (geometry.x(Square::from_index(index)), geometry.width());
            mirrored[Color::Black.index()][index] = 2 * x > files - 1;
            mirrored[Color::White.index()][index] = 2 * x < files - 1;
            index += 1;
        }
        mirrored
    };

    /// The zone of a white whale, as its owner sees it, by color and square of the whale.
    const ZONE: [[u8; SQUARES]; 2] = {
        let geometry = V::SPEC.geometry;
        let (files, ranks) = (geometry.files as usize, geometry.ranks as usize);
        let mut zone = [[0; SQUARES]; 2];
        let mut square = if Self::ZONES > 1 { 0 } else { files * ranks };
        while square < files * ranks {
            let (x, y) = (square % files, square / files);
            let edge = if x < files - 1 - x { x } else { files - 1 - x };
            // Two files of six, three of seven.
            let inner = 2 * edge >= files.div_ceil(2);
            let mut color = 0;
            while color < 2 {
                let rank = if color == Color::Black.index() { y } else { ranks - 1 - y };
                let band = if rank < 2 { rank } else { 2 };
                assert!(2 * band + 1 < Self::ZONES, "zones for all squares");
                zone[color][y * geometry.stride as usize + x] = byte(2 * band + inner as usize);
                color += 1;
            }
            square += 1;
        }
        zone
    };

    /// The number of a square as seen, by view and square, counted rank by rank from the left of our own first
    /// rank. Indices off the board have a number, too, which nobody asks for. What is in hand looks the same
    /// from everywhere.
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
                seen[0][index] = byte(up * files + left);
                seen[1][index] = byte(up * files + right);
                // The right of White is the left of Black.
                seen[2][index] = byte(down * files + right);
                seen[3][index] = byte(down * files + left);
                x += 1;
            }
            y += 1;
        }
        let mut view = 0;
        while view < View::COUNT {
            let mut before = 0;
            while before < SQUARES {
                seen[view][Place::HELD + before] = byte(before);
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

    /// The input of a piece by its class and square, as counted in a zone; `theirs` says whose it is, `seen` where.
    #[inline(always)]
    pub(super) fn square(theirs: bool, kind: Kind, seen: usize) -> usize {
        let side = usize::from(theirs) * Self::LAYOUT.classes;
        (side + class_of::<V>(kind).index()) * Self::LAYOUT.area + seen
    }

    /// The input of a piece by its kind and rank, as counted in a zone; only where there are such inputs.
    fn rank(theirs: bool, kind: Kind, seen: usize) -> usize {
        let layout = &Self::LAYOUT;
        let side = usize::from(theirs) * layout.kinds;
        let rank = seen / usize::from(V::SPEC.geometry.files);
        layout.rank + (side + kind.index()) * layout.ranks + rank
    }

    /// The input of the first piece of `kind` in a hand, as counted in a zone; the second, third … follow.
    #[inline(always)]
    pub(super) fn hand(theirs: bool, kind: Kind) -> usize {
        let layout = &Self::LAYOUT;
        layout.hand + usize::from(theirs) * layout.held + layout.first_held[kind.index()]
    }

    /// The inputs of both hands, as counted in a zone.
    pub(super) const HANDS: Range<usize> = Self::LAYOUT.hand..Self::LAYOUT.zone;

    /// The inputs of attacked pieces.
    pub(super) const ATTACKED: Range<usize> = 0..Self::LAYOUT.siege;

    /// So far behind the input of an attacked piece lies that of one defended as well.
    pub(super) const DEFENDED: usize = 2 * Self::LAYOUT.classes * Self::LAYOUT.area;

    /// The inputs of both sieges: ours, then theirs.
    pub(super) const SIEGE: Range<usize> = Self::LAYOUT.siege..Self::LAYOUT.placed;

    /// Inputs of one side's siege.
    pub(super) const SIEGE_OF_SIDE: usize = siege::inputs(V::SPEC);

    /// The inputs of one side's siege that follow `numbers`.
    fn siege(theirs: bool, numbers: Range<usize>) -> Range<usize> {
        let first = Self::LAYOUT.siege + usize::from(theirs) * Self::SIEGE_OF_SIDE;
        first + numbers.start..first + numbers.end
    }

    /// The inputs of both sieges of which always one is on, lot by lot.
    pub(super) fn sieges() -> impl Iterator<Item = Range<usize>> {
        let of_side = |theirs| siege::ONE_OF.map(|numbers| Self::siege(theirs, numbers));
        [false, true].into_iter().flat_map(of_side)
    }

    /// The inputs of safe checks by drops of a kind, of which at most one is on, and none unless it is in hand.
    pub(super) fn checks(theirs: bool, kind: Kind) -> Range<usize> {
        Self::siege(theirs, siege::checks(kind))
    }

    /// The inputs of a piece on the board in its place.
    pub(super) fn on_board(
        zone: usize,
        theirs: bool,
        kind: Kind,
        seen: usize,
    ) -> impl Iterator<Item = usize> {
        let rank = Self::RANKED.then(|| Self::rank(theirs, kind, seen));
        let square = Self::square(theirs, kind, seen);
        [square].into_iter().chain(rank).map(move |input| Self::placed(zone, input))
    }

    /// The input of a piece in its place; `input` counts in the zone.
    #[inline(always)]
    pub(super) fn placed(zone: usize, input: usize) -> usize {
        Self::LAYOUT.placed + zone * Self::LAYOUT.zone + input
    }

    /// The input of a piece that is attacked, by its class and square, and whether it is defended.
    #[inline(always)]
    pub(super) fn attacked(theirs: bool, kind: Kind, seen: usize, defended: bool) -> usize {
        let step = if defended { Self::DEFENDED } else { 0 };
        Self::ATTACKED.start + step + Self::square(theirs, kind, seen)
    }

    /// The squares of pieces that their own side defends; `attacked` is what each side attacks, by color.
    #[inline(always)]
    pub(super) fn defended(
        board: &Board<V>,
        attacked: [Bitboard<V::Bits>; 2],
    ) -> Bitboard<V::Bits> {
        let of = |owner: Color| {
            let beside = board.whale(owner).first().map_or(Bitboard::EMPTY, Board::<V>::ring);
            board.pieces(owner) & (attacked[owner.index()] | beside)
        };
        of(Color::Black) | of(Color::White)
    }

    /// The squares of attacked pieces, of both sides; `attacked` is what each side attacks, by color.
    #[inline(always)]
    pub(super) fn under_attack(
        board: &Board<V>,
        attacked: [Bitboard<V::Bits>; 2],
    ) -> Bitboard<V::Bits> {
        let of = |owner: Color| board.pieces(owner) & attacked[(!owner).index()];
        of(Color::Black) | of(Color::White)
    }

    /// Tells `sink` every input that is on in the view that `us` has of `board`, each once: at most
    /// [`Self::MOST`], in no order to rely on. A board without a white whale is seen like any other.
    ///
    /// ```
    /// use kujira_position::{Color, Position, Whale};
    /// use kujira_search::eval::Inputs;
    ///
    /// let start = Position::<Whale>::start();
    /// let mut on = Vec::new();
    /// Inputs::<Whale>::active(start.board(), Color::Black, |input| on.push(input));
    /// // Of each piece one, and of each siege two.
    /// assert_eq!(on.len(), 24 + 2 * 2);
    /// let name = "own W 4f, whale first rank, middle";
    /// assert!(on.iter().any(|&input| Inputs::<Whale>::name(input) == name));
    /// ```
    #[inline]
    pub fn active(board: &Board<V>, us: Color, mut sink: impl FnMut(usize)) {
        let view = View::of(board, us);
        let attacked = Color::BOTH.map(|color| board.attacked_by(color));
        let (under_attack, defended) =
            (Self::under_attack(board, attacked), Self::defended(board, attacked));
        for at in board.occupied() {
            let Some(piece) = board.piece_on(at) else { continue };
            let (theirs, seen) = (piece.color() != us, Self::seen(view, at.index()));
            Self::on_board(view.zone(), theirs, piece.kind(), seen).for_each(&mut sink);
            if under_attack.has(at) {
                sink(Self::attacked(theirs, piece.kind(), seen, defended.has(at)));
            }
        }
        for owner in Color::BOTH {
            let hand = board.hand(owner);
            for kind in hand.iter() {
                let first = Self::hand(owner != us, kind);
                let pieces = first..first + hand.count(kind);
                pieces.for_each(|input| sink(Self::placed(view.zone(), input)));
            }
            let siege = Self::LAYOUT.siege + if owner == us { 0 } else { Self::SIEGE_OF_SIDE };
            siege::each(board, attacked, owner, |number| sink(siege + number));
        }
    }

    /// The number of the set of output weights that judges `board`, from 0 and below `buckets`. It follows from
    /// the pieces that are off the board, in even steps up to half of all; from half of all on it is the last.
    #[inline(always)]
    #[must_use]
    pub fn bucket(board: &Board<V>, buckets: usize) -> usize {
        let held = Self::PIECES.saturating_sub(board.occupied().count() as usize);
        (2 * held * buckets / Self::PIECES).min(buckets.saturating_sub(1))
    }

    /// The name of an input, for people: `own D 3c`, `enemy +BRC rank b`, `own hand D 4`,
    /// `own D 3c attacked`, `own D 3c attacked, defended`, `own D 3c, whale first rank, edge`,
    /// `own siege, 3 attacked, 2 flights`. Squares and ranks are those that Black would call so.
    ///
    /// # Panics
    /// If there is no such input.
    #[must_use]
    pub fn name(input: usize) -> String {
        let (spec, layout) = (V::SPEC, Self::LAYOUT);
        assert!(input < layout.len, "an input below {}", layout.len);
        if input >= layout.placed {
            let (zone, input) =
                ((input - layout.placed) / layout.zone, (input - layout.placed) % layout.zone);
            let zone = (layout.zones > 1).then(|| format!(", whale {}", ZONE_NAMES[zone]));
            Self::name_placed(input) + &zone.unwrap_or_default()
        } else if input >= layout.siege {
            let number = input - layout.siege;
            let theirs = number >= Self::SIEGE_OF_SIDE;
            format!("{} {}", Self::owner(theirs), siege::name(spec, number % Self::SIEGE_OF_SIDE))
        } else {
            let defended = if input >= Self::DEFENDED { ", defended" } else { "" };
            format!("{} attacked{defended}", Self::name_placed(input % Self::DEFENDED))
        }
    }

    fn owner(theirs: bool) -> &'static str {
        if theirs { "enemy" } else { "own" }
    }

    /// The name of a piece in its place; `input` counts in a zone.
    fn name_placed(input: usize) -> String {
        let (spec, layout, owner) = (V::SPEC, Self::LAYOUT, Self::owner);
        let square = |x: usize, y: usize| {
            let [x, y] = [x, y].map(|number| i8::try_from(number).unwrap_or(i8::MAX));
            let at = spec.geometry.square(x, y).unwrap_or(Square::from_index(0));
            SquareText(spec.geometry, at).to_string()
        };
        if input < layout.rank {
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

    /// The identity of the inputs: a number that changes with their list, their order and the choice of
    /// buckets. A network made for other inputs is of no use here.
    #[must_use]
    pub fn identity() -> u64 {
        let names: String = (0..Self::COUNT).map(|input| Self::name(input) + "\n").collect();
        identity(&format!("inputs {VERSION}\n{names}"))
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

    /// The same but for sieges, and without the zone that all places are told in.
    fn without_zones<V: Variant>(sfen: &str, us: Color, zone: &str) -> Vec<String> {
        let names = names::<V>(sfen, us).into_iter().filter(|name| !name.contains("siege"));
        let told = names.map(|name| match name.strip_suffix(&format!(", whale {zone}")) {
            Some(name) => name.to_owned(),
            None => {
                assert!(name.contains("attacked") && !name.contains("whale"), "{name}");
                name
            }
        });
        told.collect()
    }

    #[test]
    fn there_are_as_many_as_documented() {
        assert_eq!(
            (Inputs::<Whale>::COUNT, Inputs::<Whale>::MOST),
            (2 * (2 * 8 * 36 + 81 + 40 + 4 * 6) + 6 * 2 * (8 * 36 + 22), 52)
        );
        assert_eq!(
            (Inputs::<Paulowich>::COUNT, Inputs::<Paulowich>::MOST),
            (2 * (2 * 9 * 49 + 81 + 40 + 4 * 7) + 6 * 2 * (9 * 49 + 26), 60)
        );
        let great = 2 * (2 * 28 * 121 + 81 + 40 + 4 * 26 + 28 * 121 + 52 * 11 + 54);
        assert_eq!((Inputs::<Great>::COUNT, Inputs::<Great>::MOST), (great, 172));
    }

    #[test]
    fn each_side_sees_its_own_men_come_up_the_board() {
        // Both whales on the left half as their owners see it: nothing is mirrored.
        let sfen = "3w2/6/6/D5/6/2W3 b 2Kd 1";
        assert_eq!(
            without_zones::<Whale>(sfen, Color::Black, "first rank, middle"),
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
            without_zones::<Whale>(sfen, Color::White, "first rank, middle"),
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
        assert_eq!(
            without_zones::<Whale>(sfen, Color::Black, "first rank, middle"),
            ["enemy W 4a", "own D 1d", "own W 4f"]
        );
        assert_eq!(
            without_zones::<Whale>(sfen, Color::White, "first rank, middle"),
            ["enemy D 1c", "enemy W 4a", "own W 4f"]
        );
    }

    #[test]
    fn zones_are_told_of_pieces_and_hands_and_not_of_attacks() {
        // White's whale has come forward, and Black's, mirrored, stands at the edge of its second rank.
        let sfen = "6/6/2w3/3d2/4DW/6 b Kb 1";
        assert_eq!(
            without_zones::<Whale>(sfen, Color::Black, "second rank, edge"),
            ["enemy D 4d", "enemy W 3c", "enemy hand B 1", "own D 5e", "own W 6e", "own hand K 1"]
        );
        assert_eq!(
            without_zones::<Whale>(sfen, Color::White, "farther, middle"),
            ["enemy D 2b", "enemy W 1b", "enemy hand K 1", "own D 3c", "own W 4d", "own hand B 1"]
        );
        let sfen = "3w2/6/6/3d2/3D2/2W3 b - 1";
        let attacked = without_zones::<Whale>(sfen, Color::Black, "first rank, middle");
        assert!(attacked.contains(&"enemy D 3d attacked".to_owned()), "{attacked:?}");
    }

    #[test]
    fn whales_are_in_zones() {
        let small = |rows: [&str; 3], us: Color| {
            rows.map(|row| {
                let sfen = format!("{}/6/6/6/6/{} b - 1", row, row.to_uppercase());
                let view = View::of(Position::<Whale>::from_sfen(&sfen).unwrap().board(), us);
                view.zone()
            })
        };
        for us in Color::BOTH {
            assert_eq!(small(["w5", "1w4", "2w3"], us), [0, 0, 1]);
            assert_eq!(small(["5w", "4w1", "3w2"], us), [0, 0, 1]);
        }
        let zones = |sfen: &str| {
            let position = Position::<Paulowich>::from_sfen(sfen).unwrap();
            Color::BOTH.map(|us| View::of(position.board(), us).zone())
        };
        assert_eq!(zones("7/1w5/7/7/7/4W2/7 b - 1"), [3, 2]);
        assert_eq!(zones("7/7/5w1/7/7/7/2W4 b - 1"), [1, 4]);
        assert_eq!(zones("7/7/7/7/3w3/7/3W3 b - 1"), [1, 5]);
        let great = Position::<Great>::start();
        assert_eq!(Color::BOTH.map(|us| View::of(great.board(), us).zone()), [0, 0]);
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
                "enemy siege, 0 attacked, 5 flights",
                "enemy siege, 0 kinds held, 4 flights",
                "own BR 6f",
                "own BR rank f",
                "own P 6e",
                "own P 6e attacked, defended",
                "own P rank e",
                "own W 6k",
                "own W rank k",
                "own siege, 0 attacked, 5 flights",
                "own siege, 0 kinds held, 4 flights",
            ]
        );
    }

    #[test]
    fn defended_pieces_are_told_apart() {
        // A dolphin defended by another, one beside its own white whale, and one alone, all attacked.
        let sfen = "3w2/6/2k3/2D3/2D3/1W4 b - 1";
        let ours = names::<Whale>(sfen, Color::Black);
        assert!(ours.contains(&"own D 4d attacked, defended".to_owned()), "{ours:?}");
        let sfen = "3w2/6/6/6/1kD3/1W4 b - 1";
        let ours = names::<Whale>(sfen, Color::Black);
        assert!(ours.contains(&"own D 4e attacked, defended".to_owned()), "{ours:?}");
        let theirs = names::<Whale>(sfen, Color::White);
        assert!(
            theirs.iter().any(|name| name.starts_with("enemy D") && name.ends_with("defended"))
        );
        let ours = names::<Whale>("3w2/6/6/1kD3/6/W5 b - 1", Color::Black);
        assert!(ours.contains(&"own D 4d attacked".to_owned()), "{ours:?}");
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
            ["b574c3332461e207", "7a0c3deef10e48d3", "e30c57a909f623d9"]
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
