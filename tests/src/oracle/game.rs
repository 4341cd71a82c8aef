//! The piece tables, transcribed from the rules.
//!
//! A piece's move is kept as the text of the rules, `slide (0,1); leaps (±2,2)`,
//! so that a reader can lay the two side by side. What such text cannot say is
//! named by one word, after which the move is programmed in `moves.rs` or
//! `lions.rs`.

use std::sync::LazyLock;

/// A step, leap or slide direction from the mover's point of view: squares to
/// its right, ranks forward.
pub(super) type Offset = (i8, i8);

/// The eight neighbours of a square.
pub(super) const ALL_EIGHT: [Offset; 8] =
    [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)];

/// Which of the three games is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Whale Shogi, 6×6.
    Whale,
    /// Paulowich Whale Shogi, 7×7.
    Paulowich,
    /// Great Whale Shogi, 11×11.
    Great,
}

impl Game {
    /// All games, smallest first.
    pub const ALL: [Self; 3] = [Self::Whale, Self::Paulowich, Self::Great];

    /// The identifier of the game, `whale`, `paulowich` or `great`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Whale => "whale",
            Self::Paulowich => "paulowich",
            Self::Great => "great",
        }
    }

    /// The game named by an identifier.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.id() == id)
    }

    /// Number of files, and of ranks.
    pub(super) const fn size(self) -> i8 {
        match self {
            Self::Whale => 6,
            Self::Paulowich => 7,
            Self::Great => 11,
        }
    }

    /// The SFEN of the starting position.
    #[must_use]
    pub const fn start_sfen(self) -> &'static str {
        match self {
            Self::Whale => "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1",
            Self::Paulowich => "bnpwagh/ddddddd/7/7/7/DDDDDDD/HGAWPNB b - 1",
            Self::Great => concat!(
                "br,dp,hp,b,f,w,m,se,rt,bd,bw/2,h,2,nb,2,s,2/",
                "brc,dpc,nb,bc,fc,k,mc,sec,p,bdc,bwc/2,nbc,2,kc,2,pc,2/",
                "11/11/11/",
                "2,PC,2,KC,2,NBC,2/BWC,BDC,P,SEC,MC,K,FC,BC,NB,DPC,BRC/",
                "2,S,2,NB,2,H,2/BW,BD,RT,SE,M,W,F,B,HP,DP,BR b - 1"
            ),
        }
    }

    /// Whether a move may leave the own white whale to be captured.
    pub(super) const fn whale_may_hang(self) -> bool {
        matches!(self, Self::Great)
    }

    /// How many dolphins, or unpromoted calves, on a file forbid the drop of
    /// another there.
    pub(super) const fn file_limit(self) -> usize {
        match self {
            Self::Whale | Self::Paulowich => 2,
            Self::Great => 1,
        }
    }

    /// The pieces of the game, those that can be in hand in hand order.
    pub(super) fn species(self) -> &'static [Species] {
        match self {
            // The right whale A stands at the end of the table; no other text
            // of the 6×6 game can bring it in.
            Self::Whale => SMALL.split_last().map_or(&[], |(_, rest)| rest),
            Self::Paulowich => &SMALL,
            Self::Great => &GREAT,
        }
    }
}

/// What a piece is apart from its colour and promotion: what it started as.
pub(super) struct Species {
    /// Upper-case name in SFEN and USI.
    pub(super) token: &'static str,
    /// The white whale, whose loss loses the game.
    pub(super) royal: bool,
    /// A dolphin (6×6, 7×7) or a calf (11×11): the drop rules bind it.
    pub(super) minor: bool,
    /// The move of the unpromoted piece.
    pub(super) own: Gait,
    /// The move of the promoted piece, if it can promote.
    pub(super) promoted: Option<Gait>,
    /// Which species of the same table it becomes in the hand of its captor.
    pub(super) captured_as: Option<usize>,
}

/// How a piece moves.
pub(super) struct Gait {
    /// Steps and leaps: both go straight to their square, over anything.
    pub(super) jumps: Vec<Offset>,
    /// Slides, each given by its first step.
    pub(super) slides: Vec<Offset>,
    /// What else it can do.
    pub(super) special: Option<Special>,
}

/// Moves that are more than a jump or a slide.
#[derive(Clone, Copy)]
pub(super) enum Special {
    Dolphin,
    KillerWhale,
    FalseKillerWhale,
    Beluga,
    BlueWhale,
}

/// Small games: token and move, with the tokens that can be in hand in hand
/// order (K H G N B D A) at the end of the list.
const SMALL_TEXT: [(&str, &str); 9] = [
    ("W", "all 8 steps"),
    ("P", "steps (±1,0)"),
    ("K", "slides (0,±1) (±1,0); steps (±1,±1)"),
    ("H", "steps (±1,±1) (0,-1)"),
    ("G", "slides (0,1) (±1,-1)"),
    ("N", "leap (0,2); steps (±1,0) (0,-1)"),
    ("B", "steps (0,1) (±1,1) (0,-1)"),
    ("D", "dolphin"),
    ("A", "step (0,1); steps (±1,-1)"),
];

const SPERM_WHALE: &str = "slides (±1,1) (±1,0) (0,-1)";
const KILLER_WHALE: &str = "steps (±1,±1) (0,1) (±1,0); killer-whale";
/// In the promoted column: the piece never promotes.
const NEVER: &str = "";

/// Great Whale Shogi, the adults: token, own move, promoted move; without the
/// white whale in hand order.
const ADULTS: [(&str, &str, &str); 16] = [
    ("W", "all 8 steps", NEVER),
    ("BW", "slide (0,1); step (0,-1); leap (0,-2)", "all 8 steps; slides (1,-1) (-1,-1)"),
    ("BD", "steps (±1,±1); leaps (0,±2) (±2,0)", KILLER_WHALE),
    ("RT", "step (0,-1); leaps (0,2) (±2,2)", SPERM_WHALE),
    // The table's row has a step on all four diagonals, the decision below it
    // ("one mark at -1" in the diagram) only on the forward ones; the perft
    // counts follow the decision.
    ("SE", "steps (±1,1) (0,-1); leaps (±2,-2)", "steps (±1,±1); leaps (±2,±2)"),
    ("M", "steps (±1,±1) (0,±1)", "steps (±1,±1) (0,±1); leaps (±2,±2) (0,±2)"),
    ("F", "steps (±1,±1) (±1,0)", "steps (±1,±1) (±1,0); leaps (±2,±2) (±2,0)"),
    ("B", "steps (0,1) (±1,-1); leap (0,2)", "steps (0,±1) (±1,0); leaps (0,±2) (±2,0)"),
    ("HP", "steps (0,±1); leaps (±2,3)", SPERM_WHALE),
    ("DP", "steps (0,±1) (±1,0); leaps (±2,±2)", "steps (±1,±1); leap (0,3)"),
    ("BR", "slide (0,1); step (0,-1); leaps (±3,0)", "all 8 steps; false-killer-whale"),
    ("S", SPERM_WHALE, "blue-whale"),
    ("NB", "steps (±1,±1) (0,1)", "all 8 steps; beluga"),
    ("H", "slides (0,1) (±1,0) (±1,-1)", "slides (±1,±2) (±2,±1)"),
    ("P", "steps (0,±1) (±1,0)", "leaps (0,±2) (±2,0) (±2,±2)"),
    ("K", KILLER_WHALE, NEVER),
];

/// Great Whale Shogi, the calves: token, and the adult it is named after, as
/// which a promoted calf moves.
const CALVES: [(&str, &str); 11] = [
    ("BRC", "BR"),
    ("DPC", "DP"),
    ("NBC", "NB"),
    ("BC", "B"),
    ("FC", "F"),
    ("KC", "K"),
    ("MC", "M"),
    ("SEC", "SE"),
    ("PC", "P"),
    ("BDC", "BD"),
    ("BWC", "BW"),
];

static SMALL: LazyLock<Vec<Species>> = LazyLock::new(|| {
    let place = |token| SMALL_TEXT.iter().position(|&(other, _)| other == token);
    SMALL_TEXT
        .iter()
        .map(|&(token, moves)| Species {
            token,
            royal: token == "W",
            minor: token == "D",
            own: gait(moves),
            promoted: None,
            captured_as: match token {
                "W" => None,
                // A captured porpoise is a killer whale for good.
                "P" => place("K"),
                _ => place(token),
            },
        })
        .collect()
});

static GREAT: LazyLock<Vec<Species>> = LazyLock::new(|| {
    let adults = ADULTS.iter().map(|&(token, own, promoted)| {
        let promoted = (promoted != NEVER).then(|| gait(promoted));
        (token, false, gait(own), promoted)
    });
    let calves = CALVES.iter().map(|&(token, adult)| {
        let promoted =
            ADULTS.iter().find(|&&(other, ..)| other == adult).map(|&(_, own, _)| gait(own));
        (token, true, gait("step (0,1)"), promoted)
    });
    adults
        .chain(calves)
        .enumerate()
        .map(|(place, (token, minor, own, promoted))| Species {
            token,
            royal: token == "W",
            minor,
            own,
            promoted,
            // Into hand as what it started as: a promoted BRC as BRC.
            captured_as: (token != "W").then_some(place),
        })
        .collect()
});

/// Reads the move text of the tables above, and only of those: a slip in a
/// table is a panic at the first use, which every test would see.
fn gait(text: &str) -> Gait {
    let mut gait = Gait { jumps: Vec::new(), slides: Vec::new(), special: None };
    for part in text.split("; ") {
        let (verb, rest) = part.split_once(' ').unwrap_or((part, ""));
        let pairs = rest.split(' ').flat_map(offsets);
        match verb {
            "all" => gait.jumps.extend(ALL_EIGHT),
            "step" | "steps" | "leap" | "leaps" => gait.jumps.extend(pairs),
            "slide" | "slides" => gait.slides.extend(pairs),
            "dolphin" => gait.special = Some(Special::Dolphin),
            "killer-whale" => gait.special = Some(Special::KillerWhale),
            "false-killer-whale" => gait.special = Some(Special::FalseKillerWhale),
            "beluga" => gait.special = Some(Special::Beluga),
            "blue-whale" => gait.special = Some(Special::BlueWhale),
            _ => panic!("expected a verb of the piece tables, found `{verb}` in `{text}`"),
        }
    }
    gait
}

/// `(±2,3)` → `(2,3)` and `(-2,3)`.
fn offsets(text: &str) -> Vec<Offset> {
    let numbers = |text: &str| -> Vec<i8> {
        let (both, digits) = match text.strip_prefix('±') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let number: i8 = digits.parse().expect("the piece tables hold numbers");
        if both { vec![number, -number] } else { vec![number] }
    };
    let (right, forward) = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
        .and_then(|text| text.split_once(','))
        .expect("the piece tables hold pairs in brackets");
    let forward = numbers(forward);
    numbers(right)
        .into_iter()
        .flat_map(|dx| forward.iter().map(move |&dy| (dx, dy)).collect::<Vec<_>>())
        .collect()
}
