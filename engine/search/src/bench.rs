//! The bench: fixed positions, searched to a fixed depth or number of nodes. The sum of nodes at the
//! depth of the signature is the signature of the search: it changes exactly when the search or the
//! evaluation does.

use kujira_position::VariantId;

use crate::limits::Limits;

/// How far each position of the bench is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BenchLimit {
    /// To the depth at which the sum of nodes is the signature of the search.
    #[default]
    Signature,
    /// To this depth in plies.
    Depth(u32),
    /// For so many nodes.
    Nodes(u64),
}

/// The bench of one game.
pub(crate) struct Bench {
    game: VariantId,
    /// The depth of the signature.
    depth: u32,
    /// The start, then positions of self-played games, hands empty to full.
    pub(crate) positions: &'static [&'static str],
}

impl Bench {
    /// The limits of the search of one position.
    pub(crate) fn limits(&self, limit: BenchLimit) -> Limits {
        match limit {
            BenchLimit::Signature => Limits { depth: Some(self.depth), ..Limits::default() },
            BenchLimit::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
            BenchLimit::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        }
    }
}

/// The bench of `game`.
pub(crate) fn of(game: VariantId) -> Option<&'static Bench> {
    BENCHES.iter().find(|bench| bench.game == game)
}

static BENCHES: [Bench; 3] = [
    Bench {
        game: VariantId::Whale,
        depth: 11,
        positions: &[
            "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1",
            "2pwgh/Dddd1d/2n3/1DD1dD/2dDd1/HGWPNB b B 17",
            "bnp1gw/d1N3/1d1Ddd/2d3/DDD1DD/HGWP1B b Hd 17",
            "b1n1g1/d4w/1d1D1d/2D3/DD2dD/HGWP1B b KHn3d 25",
            "2N1gh/Dd1dwd/6/WDN1dd/2d3/HGk2B b KB2D2d 37",
            "b3g1/d3w1/1d1D1d/2D3/DD2BD/HG1W2 b KH2NDk3d 37",
            "4gw/6/Nd1k1d/2D3/DDWB1D/HG2d1 b KHNB2D3d 51",
            "1np3/bdwd2/6/1D1D2/1GD3/2WP2 b HGNDhb6d 51",
            "D1N3/4wd/2hb2/1D2dd/Wg4/6 b KHGB5Dkn2d 71",
            "2nD2/wdd1N1/1h3B/1gDK2/3K1d/1dW3 b 4Dhgb2d 101",
        ],
    },
    Bench {
        game: VariantId::Paulowich,
        depth: 11,
        positions: &[
            "bnpwagh/ddddddd/7/7/7/DDDDDDD/HGAWPNB b - 1",
            "b1pwa2/dd1dd1d/n1d1hg1/DD3d1/1G4D/1HDDDD1/2AWPNB b - 17",
            "1npwaHb/2dd1gd/ddb1dd1/7/DDDD1D1/1HA1D1D/1G1WPN1 b - 25",
            "2pwa2/bd1d1h1/2d3d/dD2dg1/1GD1N1D/1HADD1B/2WP3 b ND2d 37",
            "1pw4/dbddagd/7/G1Dh1d1/3n3/DHAD1DD/4PWB b 2Dn2d 37",
            "2pwa2/bd1d1D1/2d2H1/dD3B1/1GD3d/1H1Dd2/2WA3 b G2NDk3d 51",
            "3a1w1/K2d1gd/d4g1/1D1B1d1/1k4D/D1ANDDB/3W1h1 b N4Dhd 71",
            "2nw3/1n1da1K/4h2/5d1/3Dd2/2H1DDD/2d1WPB b 2GB5Dda 71",
            "1p1wa1D/d2dd2/1DD2bD/1d5/1hNBD2/2n4/3W3 b 2G4Dkhda 101",
            "3w3/2ndd2/7/2n4/2hD3/1addKDD/3W1PB b H2GB7DA 101",
        ],
    },
    Bench {
        game: VariantId::Great,
        depth: 7,
        positions: &[
            concat!(
                "br,dp,hp,b,f,w,m,se,rt,bd,bw/2,h,2,nb,2,s,2/brc,dpc,nb,bc,fc,k,mc,sec,p,bdc,bwc/",
                "2,nbc,2,kc,2,pc,2/11/11/11/2,PC,2,KC,2,NBC,2/",
                "BWC,BDC,P,SEC,MC,K,FC,BC,NB,DPC,BRC/2,S,2,NB,2,H,2/BW,BD,RT,SE,M,W,F,B,HP,DP,BR",
                " b - 1",
            ),
            concat!(
                "br,dp,1,b,1,w,1,se,rt,1,bw/2,h,f,1,nb,s,m,bd,2/brc,dpc,1,bc,fc,1,mc,sec,p,bdc,bwc/",
                "2,nbc,nb,hp,kc,k,1,pc,2/11/11/5,K,2,NBC,2/2,PC,2,KC,HP,BC,3/",
                "BWC,BDC,P,SEC,MC,1,FC,DP,NB,DPC,BRC/2,BD,1,S,NB,2,H,2/BW,1,RT,SE,M,W,F,B,2,BR",
                " b - 17",
            ),
            concat!(
                "br,dp,1,b,f,w,1,se,rt,1,bw/4,h,nb,m,1,s,2/brc,dpc,1,bc,fc,k,mc,sec,p,bdc,bwc/",
                "hp,1,nbc,nb,4,pc,2/5,K,3,bd,1/5,S,5/11/2,PC,SEC,1,KC,2,NBC,1,HP/",
                "BWC,BDC,P,1,MC,1,FC,BC,NB,DPC,BRC/2,BD,1,SE,NB,2,H,2/BW,1,RT,1,M,W,F,B,1,DP,BR",
                " b KC 17",
            ),
            concat!(
                "1,dp,1,b,f,w,m,1,rt,1,bw/br,2,h,1,nb,se,1,bd,2/brc,dpc,nb,bc,fc,1,mc,1,p,bdc,bwc/",
                "2,nbc,2,kc,1,sec,pc,2/1,S,2,HP,6/11/6,hp,4/2,PC,2,KC,1,DP,NBC,2/",
                "BWC,BDC,P,SEC,MC,1,FC,BC,NB,DPC,BRC/2,BD,2,NB,H,4/BW,1,RT,SE,M,W,F,B,2,BR",
                " b S,2k 25",
            ),
            concat!(
                "dp,4,w,m,se,rt,1,bw/3,f,1,nb,1,s,bd,BR,1/brc,2,b,fc,k,mc,sec,p,bdc,bwc/",
                "3,bc,h,kc,2,pc,2/11/11/1,pc,6,NB,2/2,+S,SEC,1,KC,2,NBC,2/",
                "BWC,BDC,P,1,MC,K,FC,BC,1,DPC,BRC/2,BD,2,NB,1,B,3/BW,1,RT,SE,M,W,F,2,DP,BR",
                " b HP,NB,H,DPC,NBC,hp 37",
            ),
            concat!(
                "3,b,f,2,se,rt,2/3,br,w,nb,m,1,s,2/brc,dpc,h,bc,dp,k,1,sec,p,bdc,bw/",
                "2,nbc,nb,fc,1,mc,1,pc,1,bwc/7,bd,3/2,BD,1,K,S,5/4,RT,5,HP/",
                "BWC,1,PC,SEC,MC,KC,1,DP,NBC,2/1,BDC,+hp,2,SE,FC,BC,NB,DPC,BRC/",
                "BW,2,M,1,NB,W,B,H,2/6,F,BR,3 b KC,p 51",
            ),
            concat!(
                "br,2,b,2,m,se,rt,1,bw/2,w,2,nb,2,bd,2/brc,1,f,1,fc,k,mc,1,p,bdc,bwc/",
                "2,K,bc,1,kc,1,sec,pc,2/2,nbc,8/11/11/BWC,1,PC,SEC,1,M,1,dp,NBC,S,1/",
                "BW,BDC,P,1,MC,1,FC,2,DPC,BRC/5,NB,+nb,4/2,RT,SE,W,1,F,1,DP,1,BR",
                " b S,NB,DPC,bd,b,2hp,2h,bc,kc 71",
            ),
            concat!(
                "1,dp,1,b,3,se,p,2/2,h,f,w,nb,4,bw/br,dpc,1,bc,fc,m,mc,BD,1,bdc,bwc/",
                "brc,1,nbc,nb,4,pc,2/4,hp,2,sec,3/11/2,PC,SEC,MC,KC,5/BWC,P,1,+s,BD,3,NBC,1,HP/",
                "1,BDC,1,+rt,1,NB,FC,BC,NB,DPC,BRC/6,K,B,H,1,BR/3,SE,F,W,5",
                " b RT,DP,S,KC,bw,m,k 71",
            ),
            concat!(
                "2,dp,b,7/3,f,w,nb,se,1,p,2/br,dpc,h,bc,fc,m,mc,1,RT,1,bwc/brc,1,nbc,nb,4,+BD,2/",
                "7,sec,RT,2/4,hp,+s,5/BWC,2,SEC,4,NBC,2/1,P,5,NB,2,HP/1,BDC,4,FC,BC,H,DPC,BRC/",
                "5,F,K,B,2,BR/4,SE,1,W,4 b BW,DP,S,2KC,PC,BDC,bw,bd,m,nb,k,mc,pc 101",
            ),
            concat!(
                "3,b,f,6/3,br,1,nb,5/brc,dpc,nb,dp,fc,w,2,+S,bdc,bwc/2,nbc,bc,3,sec,pc,2/",
                "4,h,kc,5/4,P,6/11/2,PC,1,W,KC,1,BC,+rt,2/BWC,BDC,P,+hp,MC,1,FC,bd,2,BRC/",
                "4,M,NB,5/BW,1,+nb,7,BR b BW,RT,SE,M,DP,H,2K,MC,bd,se,f,b,hp,s,dpc,nbc,sec 101",
            ),
        ],
    },
];

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Variant, with_variant};

    use super::*;

    fn readable<V: Variant>(sfen: &str) -> bool {
        Position::<V>::from_sfen(sfen).is_ok_and(|position| position.outcome().is_none())
    }

    #[test]
    fn every_game_has_ten_positions_that_can_be_searched() {
        for &game in VariantId::ALL {
            let bench = of(game).unwrap();
            assert_eq!(bench.positions.len(), 10);
            for (i, sfen) in bench.positions.iter().enumerate() {
                assert!(with_variant!(game, V => readable::<V>(sfen)), "{sfen}");
                assert!(!bench.positions[..i].contains(sfen), "{sfen}");
            }
        }
    }
}
