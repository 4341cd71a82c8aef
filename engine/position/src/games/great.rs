//! Great Whale Shogi, 11×11 (R. Wayne Schmittberger).
//!
//! Where the sources disagree, `docs/rules.md` says what was decided.

use crate::geometry::Geometry;
use crate::spec::{ClassSpec, Hook, KindSpec, Label, PawnRule, Spec, Tokens, WhaleRule};

/// The eight steps of a king.
const KING: &[(i8, i8)] = &[(0, 1), (1, 1), (1, 0), (-1, 1), (0, -1), (-1, -1), (-1, 0), (1, -1)];

/// A class that Betza notation describes in full.
const fn class(abbreviation: &'static str, name: &'static str, betza: &'static str) -> ClassSpec {
    ClassSpec { abbreviation, name, betza, hook: Hook::None }
}

/// A kind that can be in hand.
const fn kind(
    token: &'static str,
    class: &'static str,
    promotes_to: Option<&'static str>,
    material: u8,
) -> KindSpec {
    KindSpec { token, label: None, class, promotes_to, in_hand: token, material }
}

/// A calf: it moves like every calf and is named after the adult whose move it promotes to.
const fn calf(
    token: &'static str,
    written: &'static str,
    name: &'static str,
    promotes_to: &'static str,
) -> KindSpec {
    KindSpec {
        token,
        label: Some(Label { written, name }),
        class: "C",
        promotes_to: Some(promotes_to),
        in_hand: token,
        material: 2,
    }
}

/// A promoted kind: its token is `+` and the token of what it was.
const fn promoted(token: &'static str, class: &'static str, in_hand: &'static str) -> KindSpec {
    KindSpec { token, label: None, class, promotes_to: None, in_hand, material: 0 }
}

/// The rules and pieces.
pub const SPEC: Spec = Spec {
    id: "great",
    fairy: None,
    name: "Great Whale Shogi",
    // 11 ranks of 12 would not fit 128 bits: this board is dense, and steps are masked.
    geometry: Geometry { files: 11, ranks: 11, stride: 11 },
    tokens: Tokens::Names,
    classes: &[
        class("W", "white whale", "K"),
        class("Bw", "bowhead whale", "fRbWbD"),
        class("BD", "bottlenose dolphin", "FD"),
        class("RT", "rough-toothed dolphin", "bWfDfA"),
        class("Se", "sei whale", "fFbWbA"),
        class("M", "minke whale", "FvW"),
        class("F", "fin whale", "FsW"),
        class("B", "Bryde's whale", "fWbFfD"),
        class("HP", "harbor porpoise", "vWffZ"),
        class("DP", "Dall's porpoise", "WA"),
        class("BR", "black right whale", "fRbWsH"),
        class("S", "sperm whale", "fBsbR"),
        class("NB", "northern bottlenose whale", "FfW"),
        class("H", "humpback whale", "fsRbB"),
        class("P", "pilot whale", "W"),
        ClassSpec {
            abbreviation: "K",
            name: "killer whale",
            betza: "FfsWfA",
            hook: Hook::Lion { lines: &[(1, 1), (-1, 1)], reach: 2, pass: false },
        },
        class("C", "calf", "fW"),
        class("DM", "dwarf minke whale", "fFWbB"),
        class("PK", "pygmy killer whale", "FA"),
        class("GB", "giant bottlenose whale", "FvWAvD"),
        class("CB", "Cuvier's beaked whale", "FsWAsD"),
        class("PS", "pygmy sperm whale", "WD"),
        class("N", "narwhal", "FfH"),
        ClassSpec {
            abbreviation: "FK",
            name: "false killer whale",
            betza: "KfDfH",
            hook: Hook::Lion { lines: &[(0, 1)], reach: 3, pass: true },
        },
        ClassSpec {
            abbreviation: "Bl",
            name: "blue whale",
            betza: "",
            hook: Hook::TwoPhase { first: "F", then: "Q" },
        },
        ClassSpec {
            abbreviation: "Bg",
            name: "beluga whale",
            betza: "K",
            hook: Hook::Lion { lines: KING, reach: 1, pass: false },
        },
        class("G", "gray whale", "NN"),
        class("PN", "Pacific northern right whale", "DA"),
    ],
    kinds: &[
        kind("W", "W", None, 2),
        kind("BW", "Bw", Some("+BW"), 2),
        kind("BD", "BD", Some("+BD"), 2),
        kind("RT", "RT", Some("+RT"), 2),
        kind("SE", "Se", Some("+SE"), 2),
        kind("M", "M", Some("+M"), 2),
        kind("F", "F", Some("+F"), 2),
        kind("B", "B", Some("+B"), 2),
        kind("HP", "HP", Some("+HP"), 2),
        kind("DP", "DP", Some("+DP"), 2),
        kind("BR", "BR", Some("+BR"), 2),
        kind("S", "S", Some("+S"), 2),
        kind("NB", "NB", Some("+NB"), 4),
        kind("H", "H", Some("+H"), 2),
        kind("P", "P", Some("+P"), 2),
        kind("K", "K", None, 2),
        calf("BRC", "BRC", "black right whale calf", "+BRC"),
        calf("DPC", "DPC", "Dall's porpoise calf", "+DPC"),
        calf("NBC", "NBC", "northern bottlenose whale calf", "+NBC"),
        calf("BC", "BC", "Bryde's whale calf", "+BC"),
        calf("FC", "FC", "fin whale calf", "+FC"),
        calf("KC", "KC", "killer whale calf", "+KC"),
        calf("MC", "MC", "minke whale calf", "+MC"),
        calf("SEC", "SeC", "sei whale calf", "+SEC"),
        calf("PC", "PC", "pilot whale calf", "+PC"),
        calf("BDC", "BDC", "bottlenose dolphin calf", "+BDC"),
        calf("BWC", "BwC", "bowhead whale calf", "+BWC"),
        promoted("+BW", "DM", "BW"),
        promoted("+BD", "K", "BD"),
        promoted("+RT", "S", "RT"),
        promoted("+SE", "PK", "SE"),
        promoted("+M", "GB", "M"),
        promoted("+F", "CB", "F"),
        promoted("+B", "PS", "B"),
        promoted("+HP", "S", "HP"),
        promoted("+DP", "N", "DP"),
        promoted("+BR", "FK", "BR"),
        promoted("+S", "Bl", "S"),
        promoted("+NB", "Bg", "NB"),
        promoted("+H", "G", "H"),
        promoted("+P", "PN", "P"),
        promoted("+BRC", "BR", "BRC"),
        promoted("+DPC", "DP", "DPC"),
        promoted("+NBC", "NB", "NBC"),
        promoted("+BC", "B", "BC"),
        promoted("+FC", "F", "FC"),
        promoted("+KC", "K", "KC"),
        promoted("+MC", "M", "MC"),
        promoted("+SEC", "Se", "SEC"),
        promoted("+PC", "P", "PC"),
        promoted("+BDC", "BD", "BDC"),
        promoted("+BWC", "Bw", "BWC"),
    ],
    hand_kinds: 26,
    whale: WhaleRule::Capture,
    promotion_zone: 3,
    pawns: PawnRule { class: "C", file_limit: 1, limit_holds_on_board: true, must_promote: true },
    impasse: None,
    start: concat!(
        "br,dp,hp,b,f,w,m,se,rt,bd,bw/2,h,2,nb,2,s,2/brc,dpc,nb,bc,fc,k,mc,sec,p,bdc,bwc/",
        "2,nbc,2,kc,2,pc,2/11/11/11/2,PC,2,KC,2,NBC,2/",
        "BWC,BDC,P,SEC,MC,K,FC,BC,NB,DPC,BRC/2,S,2,NB,2,H,2/BW,BD,RT,SE,M,W,F,B,HP,DP,BR b - 1"
    ),
    handicaps: &[],
};
