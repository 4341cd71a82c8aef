//! Paulowich Whale Shogi, 7×7 (David Paulowich, 2005).

use crate::geometry::Geometry;
use crate::spec::{
    ClassSpec, Handicap, Hook, Impasse, KindSpec, PawnRule, Spec, Tokens, WhaleRule,
};

/// A kind of a game without promotion: each moves in a way of its own, which has its name.
const fn kind(token: &'static str, in_hand: &'static str, material: u8) -> KindSpec {
    KindSpec { token, label: None, class: token, promotes_to: None, in_hand, material }
}

/// The rules and pieces.
pub const SPEC: Spec = Spec {
    id: "paulowich",
    fairy: Some("paulowichwhale"),
    name: "Paulowich Whale Shogi",
    // A stride of eight keeps ranks in bytes and leaves columns for steps to fall off into.
    geometry: Geometry { files: 7, ranks: 7, stride: 8 },
    tokens: Tokens::Letters,
    classes: &[
        ClassSpec { abbreviation: "W", name: "white whale", betza: "K", hook: Hook::None },
        ClassSpec { abbreviation: "K", name: "killer whale", betza: "FR", hook: Hook::None },
        ClassSpec { abbreviation: "H", name: "humpback", betza: "FbW", hook: Hook::None },
        ClassSpec { abbreviation: "G", name: "grey whale", betza: "fRbB", hook: Hook::None },
        ClassSpec { abbreviation: "N", name: "narwhal", betza: "fDsbW", hook: Hook::None },
        ClassSpec { abbreviation: "B", name: "blue whale", betza: "fFfbW", hook: Hook::None },
        ClassSpec {
            abbreviation: "D",
            name: "dolphin",
            betza: "fW",
            hook: Hook::Retreat { betza: "bB", short: "bB2" },
        },
        ClassSpec {
            abbreviation: "A",
            name: "Pacific northern right whale",
            betza: "fWbF",
            hook: Hook::None,
        },
        ClassSpec { abbreviation: "P", name: "porpoise", betza: "sW", hook: Hook::None },
    ],
    kinds: &[
        kind("W", "W", 2),
        // Only captured porpoises are killer whales.
        kind("K", "K", 2),
        kind("H", "H", 2),
        kind("G", "G", 2),
        kind("N", "N", 2),
        kind("B", "B", 2),
        kind("D", "D", 14),
        kind("A", "A", 2),
        kind("P", "K", 2),
    ],
    hand_kinds: 7,
    whale: WhaleRule::Check,
    promotion_zone: 0,
    // Retreating dolphins can bring three or more onto a file, so the limit is one of drops only.
    pawns: PawnRule { class: "D", file_limit: 2, limit_holds_on_board: false, must_promote: false },
    impasse: Some(Impasse { ranks: 2, heavy: "G", heavy_points: 5, needed: 14 }),
    start: "bnpwagh/ddddddd/7/7/7/DDDDDDD/HGAWPNB b - 1",
    handicaps: &[
        Handicap { id: "G", sfen: "bnpwa1h/ddddddd/7/7/7/DDDDDDD/HGAWPNB w - 1" },
        Handicap { id: "H", sfen: "bnpwag1/ddddddd/7/7/7/DDDDDDD/HGAWPNB w - 1" },
        Handicap { id: "P", sfen: "bn1wagh/ddddddd/7/7/7/DDDDDDD/HGAWPNB w - 1" },
        Handicap { id: "PG", sfen: "bn1wa1h/ddddddd/7/7/7/DDDDDDD/HGAWPNB w - 1" },
        Handicap { id: "PH", sfen: "bn1wag1/ddddddd/7/7/7/DDDDDDD/HGAWPNB w - 1" },
        Handicap { id: "PHG", sfen: "bn1wa2/ddddddd/7/7/7/DDDDDDD/HGAWPNB w - 1" },
    ],
};
