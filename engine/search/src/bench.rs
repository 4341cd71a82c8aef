//! The bench: positions searched to a fixed depth. The sum of nodes is the signature of the search:
//! it changes exactly when the search or the evaluation does.

use kujira_position::VariantId;

/// The bench of one game.
pub(crate) struct Bench {
    /// The depth of the signature.
    pub(crate) depth: u32,
    /// The start, midgames of random play, some with full hands.
    pub(crate) positions: &'static [&'static str],
}

/// The bench of `game`.
pub(crate) const fn of(game: VariantId) -> &'static Bench {
    match game {
        VariantId::Whale => &WHALE,
        VariantId::Paulowich => &PAULOWICH,
        VariantId::Great => &GREAT,
    }
}

const WHALE: Bench = Bench { depth: 9, positions: &["bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1"] };
const PAULOWICH: Bench =
    Bench { depth: 8, positions: &["bnpwagh/ddddddd/7/7/7/DDDDDDD/HGAWPNB b - 1"] };
const GREAT: Bench = Bench {
    depth: 5,
    positions: &[
        "br,dp,hp,b,f,w,m,se,rt,bd,bw/2,h,2,nb,2,s,2/brc,dpc,nb,bc,fc,k,mc,sec,p,bdc,bwc/2,nbc,2,kc,2,pc,2/11/11/11/2,PC,2,KC,2,NBC,2/BWC,BDC,P,SEC,MC,K,FC,BC,NB,DPC,BRC/2,S,2,NB,2,H,2/BW,BD,RT,SE,M,W,F,B,HP,DP,BR b - 1",
    ],
};
