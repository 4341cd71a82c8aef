//! The two protocols, and where they differ in what stands here.

/// The language an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// Universal Shogi Interface: mates are counted in plies, Black moves up the board.
    #[default]
    Usi,
    /// Universal Chess Interface, as Fairy-Stockfish speaks it: mates are counted in moves of the side
    /// that mates, White moves up the board.
    Uci,
}

impl Protocol {
    /// The word that asks an engine to introduce itself.
    #[must_use]
    pub const fn hello(self) -> &'static str {
        match self {
            Self::Usi => "usi",
            Self::Uci => "uci",
        }
    }

    /// The word that ends the introduction.
    #[must_use]
    pub const fn hello_ok(self) -> &'static str {
        match self {
            Self::Usi => "usiok",
            Self::Uci => "uciok",
        }
    }

    /// The word that tells of another game.
    #[must_use]
    pub const fn new_game(self) -> &'static str {
        match self {
            Self::Usi => "usinewgame",
            Self::Uci => "ucinewgame",
        }
    }

    /// Plies to the mate from the number behind `score mate`.
    pub(crate) fn plies(self, number: i32) -> i32 {
        match self {
            Self::Usi => number,
            Self::Uci if number > 0 => number.saturating_mul(2).saturating_sub(1),
            Self::Uci => number.saturating_mul(2),
        }
    }

    /// The number behind `score mate` from plies to the mate.
    pub(crate) fn mate(self, plies: i32) -> i32 {
        match self {
            Self::Usi => plies,
            Self::Uci if plies > 0 => plies / 2 + plies % 2,
            Self::Uci => plies / 2,
        }
    }
}
