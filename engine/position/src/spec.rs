//! A game as data: what [`crate::games`] writes down and everything else derives from.

use crate::betza::{Pattern, Slide};
use crate::bitboard::Bits;
use crate::geometry::{Direction, Geometry};
use crate::types::{Class, Color, Kind};

/// Everything that tells one game from another.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The name by which protocols choose the game.
    pub id: &'static str,
    /// The name by which clients of Fairy-Stockfish choose the game; none where it cannot be told its rules.
    pub fairy: Option<&'static str>,
    /// The name for people.
    pub name: &'static str,
    /// The board.
    pub geometry: Geometry,
    /// How tokens are written in SFEN.
    pub tokens: Tokens,
    /// The ways to move, at most 32; index 0 is the white whale's.
    pub classes: &'static [ClassSpec],
    /// The kinds, at most 62. Index 0 is the white whale, then come the kinds that can be in hand,
    /// in the order in which SFEN writes hands, then the others.
    pub kinds: &'static [KindSpec],
    /// How many kinds can be in hand.
    pub hand_kinds: usize,
    /// What an attack on the white whale means.
    pub whale: WhaleRule,
    /// How many of the farthest ranks are promotion zone.
    pub promotion_zone: u8,
    /// The rules for the little pieces that move straight ahead.
    pub pawns: PawnRule,
    /// The impasse rule, where the game has one.
    pub impasse: Option<Impasse>,
    /// The position at the start.
    pub start: &'static str,
    /// Starts with White giving odds, by increasing size.
    pub handicaps: &'static [Handicap],
}

/// How pieces are spelt in SFEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tokens {
    /// One letter a piece, nothing between items.
    Letters,
    /// Names of several letters, items separated by commas, `+` for promoted.
    Names,
}

/// A way to move.
#[derive(Clone, Copy, Debug)]
pub struct ClassSpec {
    /// The written name of a piece that moves so (Hodges notation).
    pub abbreviation: &'static str,
    /// The name of a piece that moves so, for people.
    pub name: &'static str,
    /// Leaps and slides, see [`crate::betza`].
    pub betza: &'static str,
    /// What a Betza string cannot say.
    pub hook: Hook,
}

impl ClassSpec {
    /// The leaps and slides.
    ///
    /// # Panics
    /// If the Betza string is wrong; the tables of every game are constants, so that such a game
    /// does not compile.
    #[must_use]
    pub const fn pattern(&self) -> Pattern {
        Pattern::parse(self.betza)
    }
}

/// What Betza cannot say about a way to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hook {
    /// Nothing.
    None,
    /// On the farthest rank the piece moves like `betza` instead (the dolphin); `short` is what the
    /// rule switch [`Retreat::Two`](crate::Retreat::Two) makes of it.
    Retreat {
        /// Slides on the farthest rank.
        betza: &'static str,
        /// Slides on the farthest rank as the rule switch limits them.
        short: &'static str,
    },
    /// Captures on the way: on each line the piece may take an enemy beside it and stay (igui), and
    /// may end up to `reach` squares away taking any enemies it comes across. Its jumps without
    /// such captures stand in the Betza string.
    Lion {
        /// The lines, as offsets of one step.
        lines: &'static [(i8, i8)],
        /// The farthest square of a line it can end on; 1 for igui only.
        reach: u8,
        /// Whether it may step out to an empty square of a line and back: a pass.
        pass: bool,
    },
    /// A step like `first`; if nothing is captured, a slide of at least one square like `then` from
    /// there, for which the starting square counts as empty: a slide that ends there is a pass.
    TwoPhase {
        /// The step.
        first: &'static str,
        /// The slide.
        then: &'static str,
    },
}

/// A kind of piece: what it is, as against how it moves.
#[derive(Clone, Copy, Debug)]
pub struct KindSpec {
    /// The token in SFEN, upper case, with `+` for a promoted kind.
    pub token: &'static str,
    /// What people call it, where that is not the name of its class.
    pub label: Option<Label>,
    /// Abbreviation of the class it moves like.
    pub class: &'static str,
    /// Token of the kind it promotes to, if it promotes.
    pub promotes_to: Option<&'static str>,
    /// Token of the kind it is in the captor's hand; the white whale never gets there.
    pub in_hand: &'static str,
    /// How many there are in the starting position, both sides together, counted with everything
    /// that has the same [`Self::in_hand`]. For the white whale: one a side.
    pub material: u8,
}

/// A name of its own for a kind that moves like others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// The written name (Hodges notation).
    pub written: &'static str,
    /// The name for people.
    pub name: &'static str,
}

/// What an attack on the white whale means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhaleRule {
    /// The whale may not be left under attack; attacked without a legal move is mate.
    Check,
    /// The whale is captured like any piece, and that ends the game.
    Capture,
}

/// Pieces that step straight ahead, one square: dolphins, calves.
///
/// They may not be dropped on the farthest rank, nor on a file with `file_limit` or more of the
/// dropper's of this class, nor to give mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PawnRule {
    /// Abbreviation of their class.
    pub class: &'static str,
    /// How many on a file forbid another drop there.
    pub file_limit: u8,
    /// Whether more than `file_limit` of a side on a file make a position impossible.
    pub limit_holds_on_board: bool,
    /// Whether one that reaches the farthest rank must promote.
    pub must_promote: bool,
}

/// The impasse rule: both whales in the farthest ranks, points decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Impasse {
    /// How many farthest ranks.
    pub ranks: u8,
    /// Token of the piece that counts more than one point.
    pub heavy: &'static str,
    /// The points that the heavy piece counts.
    pub heavy_points: u32,
    /// Fewer points than this lose.
    pub needed: u32,
}

/// A start with pieces missing on White's side; White moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// The pieces taken off, by token.
    pub id: &'static str,
    /// The starting position.
    pub sfen: &'static str,
}

/// Equality of strings in constant expressions.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

impl Spec {
    /// The class with this abbreviation.
    ///
    /// # Panics
    /// If there is none: in a game's constants, a compile error.
    #[must_use]
    pub const fn class_named(&self, abbreviation: &str) -> Class {
        let mut index = 0;
        while index < self.classes.len() {
            if same(self.classes[index].abbreviation, abbreviation) {
                return Class::from_index(index);
            }
            index += 1;
        }
        panic!("no class has this abbreviation")
    }

    /// The kind with this token, exactly as written in the spec.
    #[must_use]
    pub const fn find_kind(&self, token: &str) -> Option<Kind> {
        let mut index = 0;
        while index < self.kinds.len() {
            if same(self.kinds[index].token, token) {
                return Some(Kind::from_index(index));
            }
            index += 1;
        }
        None
    }

    /// The kind with this token.
    ///
    /// # Panics
    /// If there is none: in a game's constants, a compile error.
    #[must_use]
    pub const fn kind_named(&self, token: &str) -> Kind {
        match self.find_kind(token) {
            Some(kind) => kind,
            None => panic!("no kind has this token"),
        }
    }

    /// The class `kind` moves like.
    #[must_use]
    pub const fn class_of(&self, kind: Kind) -> Class {
        self.class_named(self.kinds[kind.index()].class)
    }

    /// The data of a class.
    #[must_use]
    pub const fn class(&self, class: Class) -> &ClassSpec {
        &self.classes[class.index()]
    }

    /// The data of a kind.
    #[must_use]
    pub const fn kind(&self, kind: Kind) -> &KindSpec {
        &self.kinds[kind.index()]
    }

    /// Whether `kind` is a pawn-like piece (see [`PawnRule`]).
    #[must_use]
    pub const fn is_pawn(&self, kind: Kind) -> bool {
        same(self.kinds[kind.index()].class, self.pawns.class)
    }

    /// The name of `kind` for people: a promoted piece is called after the way it moves.
    #[must_use]
    pub const fn name_of(&self, kind: Kind) -> &'static str {
        match self.kinds[kind.index()].label {
            Some(label) => label.name,
            None => self.classes[self.class_of(kind).index()].name,
        }
    }

    /// The written name of `kind` (Hodges notation): a promoted piece is written as what it moves
    /// like.
    #[must_use]
    pub const fn written_name(&self, kind: Kind) -> &'static str {
        match self.kinds[kind.index()].label {
            Some(label) => label.written,
            None => self.classes[self.class_of(kind).index()].abbreviation,
        }
    }

    /// Whether white whales are captured, so that nobody has to answer a check.
    #[must_use]
    pub const fn captures_whales(&self) -> bool {
        matches!(self.whale, WhaleRule::Capture)
    }

    /// Whether there are pieces that capture on the way.
    #[must_use]
    pub const fn has_lions(&self) -> bool {
        let mut index = 0;
        while index < self.classes.len() {
            if matches!(self.classes[index].hook, Hook::Lion { .. }) {
                return true;
            }
            index += 1;
        }
        false
    }

    /// Whether every kind moves in a way of its own and has the index of its class: then what a piece is
    /// and how it moves are one.
    #[must_use]
    pub const fn kinds_are_classes(&self) -> bool {
        let mut index = 0;
        while index < self.kinds.len() {
            if self.class_named(self.kinds[index].class).index() != index {
                return false;
            }
            index += 1;
        }
        true
    }

    /// Every kind of the game.
    pub fn all_kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..self.kinds.len()).map(Kind::from_index)
    }

    /// The token of `kind` as SFEN writes it for `color`.
    #[must_use]
    pub fn token(&self, color: Color, kind: Kind) -> String {
        let token = self.kinds[kind.index()].token;
        match color {
            Color::Black => token.to_owned(),
            Color::White => token.to_ascii_lowercase(),
        }
    }

    /// Checks that the game fits a word of bits and its hands the word's counters: called by every
    /// game's constants.
    ///
    /// # Panics
    /// If they do not fit: in a game's constants, a compile error.
    pub const fn validate_word<B: Bits>(&self) {
        assert!(
            self.geometry.squares() <= 8 * size_of::<B>(),
            "the word has a bit for each square"
        );
        assert!(self.hand_kinds <= B::LANES, "the word has a counter for each kind in hand");
        let mut index = 1;
        while index <= self.hand_kinds {
            assert!(
                self.kinds[index].material < 1 << (B::LANE - 1),
                "a counter holds all pieces of a kind with its top bit clear"
            );
            index += 1;
        }
    }

    /// Checks what the types cannot: called by every game's constants.
    ///
    /// # Panics
    /// If the data contradict themselves: in a game's constants, a compile error.
    pub const fn validate(&self) {
        assert!(self.classes.len() <= 32 && self.kinds.len() < 63, "packed formats hold no more");
        assert!(self.hand_kinds < self.kinds.len(), "the white whale is never in hand");
        let Geometry { files, ranks, stride } = self.geometry;
        assert!(stride >= files && self.geometry.squares() <= 128, "not a layout");
        assert!(
            matches!(self.whale, WhaleRule::Capture) || (stride > files && ranks <= 8),
            "where checks are answered slides are filled, which needs empty columns and doubles thrice"
        );
        assert!(
            matches!(self.whale, WhaleRule::Capture) || self.promotion_zone == 0,
            "where checks are answered moves are listed and counted without promotion"
        );
        let pawn = &self.classes[self.class_named(self.pawns.class).index()];
        let step = pawn.pattern();
        assert!(
            step.leaps().len() == 1 && step.leaps_by(0, 1) && step.slides().is_empty(),
            "the drop rules take it that a pawn attacks the square in front of it and no other"
        );
        assert!(
            self.pawns.file_limit == 1 || self.pawns.file_limit == 2,
            "files are told apart by whether they hold one and whether they hold two"
        );
        assert!(self.promotion_zone <= ranks, "a zone of ranks of the board");
        if let Some(impasse) = self.impasse {
            assert!(impasse.ranks >= 1 && impasse.ranks <= ranks, "ranks of the board");
            let heavy = self.kind_named(impasse.heavy).index();
            assert!(heavy >= 1 && heavy <= self.hand_kinds, "the heavy piece is a kind in hand");
        }
        self.check_kinds();
        let (mut retreats, mut two_phases) = (0, 0);
        let mut index = 0;
        while index < self.classes.len() {
            let class = &self.classes[index];
            self.check_class(class);
            assert!(
                self.class_named(class.abbreviation).index() == index,
                "an abbreviation names one class"
            );
            match class.hook {
                Hook::Retreat { .. } => retreats += 1,
                Hook::TwoPhase { .. } => two_phases += 1,
                Hook::Lion { .. } | Hook::None => {}
            }
            index += 1;
        }
        assert!(retreats <= 1 && two_phases <= 1, "one class at most has such a hook");
    }

    const fn check_kinds(&self) {
        let mut index = 0;
        while index < self.kinds.len() {
            let kind = &self.kinds[index];
            assert!(self.kind_named(kind.token).index() == index, "a token names one kind");
            assert!(
                (index == 0) == (self.class_named(kind.class).index() == 0),
                "the white whale, and nothing else, is of the first class"
            );
            let hand = self.kind_named(kind.in_hand).index();
            assert!(index == 0 || (hand >= 1 && hand <= self.hand_kinds), "not a kind in hand");
            assert!(index > self.hand_kinds || hand == index, "a kind in hand is itself there");
            if let Some(promoted) = kind.promotes_to {
                let promoted = self.kind_named(promoted).index();
                assert!(promoted > self.hand_kinds, "promoted kinds last");
                assert!(same(self.kinds[promoted].in_hand, kind.in_hand), "captured alike");
                assert!(self.promotion_zone > 0, "what promotes has somewhere to do so");
            }
            index += 1;
        }
    }

    const fn check_class(&self, class: &ClassSpec) {
        let pattern = class.pattern();
        let Geometry { files, stride, .. } = self.geometry;
        let checks = matches!(self.whale, WhaleRule::Check);
        let mut i = 0;
        while i < pattern.leaps().len() {
            assert!(
                stride == files || pattern.leaps()[i].0.unsigned_abs() <= stride - files,
                "a leap would pass over the empty columns and wrap round"
            );
            i += 1;
        }
        let mut i = 0;
        while i < pattern.slides().len() {
            let slide = pattern.slides()[i];
            assert!(
                Direction::from_offset(slide.dx, slide.dy).is_some(),
                "a slide follows one of the sixteen directions"
            );
            let mut j = 0;
            while j < pattern.leaps().len() {
                let (dx, dy) = pattern.leaps()[j];
                assert!(
                    dx * slide.dy != dy * slide.dx || dx * slide.dx + dy * slide.dy <= 0,
                    "moves are counted by leap and by slide: one way to each square"
                );
                j += 1;
            }
            assert!(slide.range == Slide::UNLIMITED, "only the switched retreat is limited");
            assert!(
                !checks || slide.dx.abs() <= 1 && slide.dy.abs() <= 1,
                "where checks are answered, slides are filled, which queen lines alone are"
            );
            i += 1;
        }
        match class.hook {
            Hook::None => {}
            Hook::Retreat { betza, short } => {
                assert!(checks, "where whales are captured, retreats are not counted");
                check_retreat(&pattern, &Pattern::parse(betza), &Pattern::parse(short));
            }
            Hook::Lion { lines, reach, .. } => {
                assert!(
                    !checks,
                    "where checks are answered, captures on the way are not looked at"
                );
                check_lion(&pattern, lines, reach);
            }
            Hook::TwoPhase { first, then } => {
                assert!(!checks, "where checks are answered, second phases are not looked at");
                check_two_phase(&pattern, &Pattern::parse(first), &Pattern::parse(then));
            }
        }
    }
}

/// Checks a retreat hook: its slides, without and with the rule switch, of a class that moves by `pattern`
/// elsewhere.
const fn check_retreat(pattern: &Pattern, long: &Pattern, short: &Pattern) {
    assert!(long.leaps().is_empty() && short.leaps().is_empty(), "a retreat slides");
    assert!(
        long.slides().len() == short.slides().len(),
        "the switch changes the range, not the directions"
    );
    let mut i = 0;
    while i < long.slides().len() {
        let (long, short) = (long.slides()[i], short.slides()[i]);
        assert!(
            long.dx.abs() <= 1 && long.dy.abs() <= 1,
            "retreats are filled, which queen lines alone are"
        );
        assert!(
            long.dx == short.dx && long.dy == short.dy,
            "the switch changes the range, not the directions"
        );
        assert!(long.range == Slide::UNLIMITED, "without the switch all the way");
        assert!(short.range == 2, "the switch says two squares");
        let mut j = 0;
        while j < pattern.leaps().len() {
            let (dx, dy) = pattern.leaps()[j];
            assert!(
                dx * long.dy != dy * long.dx || dx * long.dx + dy * long.dy >= 0,
                "a retreat does not look back over the square it was reached from"
            );
            j += 1;
        }
        i += 1;
    }
}

/// Checks a lion hook of a class that moves by `pattern` without capturing on the way.
const fn check_lion(pattern: &Pattern, lines: &[(i8, i8)], reach: u8) {
    assert!(reach >= 1 && reach <= 3, "a packed move holds two captures on the way");
    let mut i = 0;
    while i < lines.len() {
        let (dx, dy) = lines[i];
        let mut steps = 1;
        while steps <= reach.cast_signed() {
            assert!(
                pattern.leaps_by(dx * steps, dy * steps),
                "wherever a lion can end it can also go without capturing on the way"
            );
            steps += 1;
        }
        i += 1;
    }
}

/// Checks a two-phase hook of a class whose other moves are `pattern`.
const fn check_two_phase(pattern: &Pattern, first: &Pattern, then: &Pattern) {
    assert!(pattern.leaps().is_empty() && pattern.slides().is_empty(), "all in phases");
    assert!(first.slides().is_empty(), "the first phase is a step");
    assert!(then.leaps().is_empty(), "the second phase slides");
    let mut i = 0;
    while i < then.slides().len() {
        assert!(then.slides()[i].range == Slide::UNLIMITED, "as far as it will go");
        i += 1;
    }
}
