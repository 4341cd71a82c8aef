//! What pieces are worth to a network, and with that what its scores are measured in: see [`NetworkFile::pawn`].

use kujira_position::{Board, Color, Kind, Variant};
use kujira_search::PAWN;
use kujira_search::eval::NetworkFile;
use kujira_statistics::Z95;
use rayon::prelude::*;

/// Networks for which a pawn-like piece counts less or more than this are hardly trained: what they say
/// of one piece is chance.
const BELIEVED: std::ops::RangeInclusive<i32> = PAWN / 2..=PAWN * 2;

/// What was lost with pieces, added up.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Losses {
    /// How many pieces were taken away, each by itself.
    pub pieces: u64,
    /// What their owners lost, in the network's centipawns.
    pub sum: i64,
}

impl Losses {
    /// What an owner loses on average; `None` if there was no such piece.
    #[must_use]
    pub fn mean(self) -> Option<f64> {
        (self.pieces > 0).then(|| self.sum as f64 / self.pieces as f64)
    }

    fn add(&mut self, lost: i32) {
        self.pieces += 1;
        self.sum += i64::from(lost);
    }

    fn merge(&mut self, other: Self) {
        self.pieces += other.pieces;
        self.sum += other.sum;
    }

    /// The mean of what owners lost in several games, and half the width of its 95 % confidence interval, as that of a
    /// ratio of two sums over games (Cochran, *Sampling Techniques*, 1977, chapter 9A): positions of one game are alike.
    /// `None` if there was no such piece; no width of a single game.
    #[must_use]
    pub fn over_games(games: &[Self]) -> Option<(f64, Option<f64>)> {
        let mut all = Self::default();
        games.iter().for_each(|&game| all.merge(game));
        let mean = all.mean()?;
        let with = games.iter().filter(|game| game.pieces > 0);
        let count = with.clone().count() as f64;
        let square: f64 =
            with.map(|game| (game.sum as f64 - mean * game.pieces as f64).powi(2)).sum();
        let width = Z95 * (square * count / (count - 1.0)).sqrt() / all.pieces as f64;
        Some((mean, (count > 1.0).then_some(width)))
    }
}

/// What the owners of pieces lose without them, by kind: each piece is taken away by itself, of several
/// alike in hand one.
#[derive(Clone, PartialEq, Debug)]
pub struct Worth {
    /// Losses of pieces on the board, by kind; nothing is counted for whales.
    pub on_board: Vec<Losses>,
    /// Losses of pieces in hand, by kind.
    pub in_hand: Vec<Losses>,
}

impl Worth {
    /// What `net` says of the pieces of `boards`.
    ///
    /// # Panics
    /// If [`NetworkFile::check`] refuses the network.
    #[must_use]
    pub fn of<V: Variant>(net: &NetworkFile, boards: &[Board<V>]) -> Self {
        boards
            .par_iter()
            .fold(Self::none::<V>, |mut worth, board| {
                worth.add(net, board);
                worth
            })
            .reduce(Self::none::<V>, |mut worth, other| {
                worth.merge(&other);
                worth
            })
    }

    /// What was lost in several lots of boards together.
    #[must_use]
    pub fn sum<V: Variant>(lots: &[Self]) -> Self {
        lots.iter().fold(Self::none::<V>(), |mut sum, lot| {
            sum.merge(lot);
            sum
        })
    }

    fn none<V: Variant>() -> Self {
        let none = vec![Losses::default(); V::SPEC.kinds.len()];
        Self { on_board: none.clone(), in_hand: none }
    }

    fn merge(&mut self, other: &Self) {
        let merge = |ours: &mut [Losses], theirs: &[Losses]| {
            ours.iter_mut().zip(theirs).for_each(|(ours, &theirs)| ours.merge(theirs));
        };
        merge(&mut self.on_board, &other.on_board);
        merge(&mut self.in_hand, &other.in_hand);
    }

    fn add<V: Variant>(&mut self, net: &NetworkFile, board: &Board<V>) {
        let total = net.score::<V>(board);
        let lost = |owner: Color, less: Board<V>| {
            let lost = total - net.score::<V>(&less);
            if owner == board.side() { lost } else { -lost }
        };
        for at in board.occupied() {
            if let Some(piece) = board.piece_on(at).filter(|piece| piece.kind() != Kind::WHALE) {
                let lost = lost(piece.color(), board.without(at));
                self.on_board[piece.kind().index()].add(lost);
            }
        }
        for owner in Color::BOTH {
            for kind in board.hand(owner).iter() {
                let lost = lost(owner, board.without_held(owner, kind));
                self.in_hand[kind.index()].add(lost);
            }
        }
    }

    /// What a pawn-like piece in hand counts, in the network's centipawns: the mean over the kinds that were
    /// held.
    #[must_use]
    pub fn pawn<V: Variant>(&self) -> Option<f64> {
        let kinds: Vec<f64> = (1..=V::SPEC.hand_kinds)
            .map(Kind::from_index)
            .filter(|&kind| V::SPEC.is_pawn(kind))
            .filter_map(|kind| self.in_hand[kind.index()].mean())
            .collect();
        (!kinds.is_empty()).then(|| kinds.iter().sum::<f64>() / kinds.len() as f64)
    }

    /// What [`NetworkFile::pawn`] of the network is to be: [`Self::pawn`], rounded. `None` where none was held, or
    /// it counts less than half or more than twice of what it should.
    #[must_use]
    pub fn believed_pawn<V: Variant>(&self) -> Option<i32> {
        let pawn = self.pawn::<V>()?.round() as i32;
        BELIEVED.contains(&pawn).then_some(pawn)
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Whale};
    use kujira_search::eval::Inputs;

    use super::*;

    /// A network for which a killer whale on the board counts 50 and a first dolphin in hand 160 for its owner,
    /// each further one `more`.
    fn net(more: i16) -> NetworkFile {
        // So that a step of the direct unit is a centipawn.
        let mut net = NetworkFile::zero::<Whale>(16, 1, 127);
        (net.outputs[15], net.outputs[31]) = (64, -64);
        for input in 0..Inputs::<Whale>::COUNT {
            let name = Inputs::<Whale>::name(input);
            let place = name.split(", ").next().unwrap_or_default();
            net.weights[input * 16 + 15] = match place.split(' ').collect::<Vec<_>>()[..] {
                ["own", "K", _] => 50,
                ["own", "hand", "D", "1"] => 160,
                ["own", "hand", "D", _] => more,
                _ => 0,
            };
        }
        net
    }

    fn board(sfen: &str) -> Board<Whale> {
        *Position::from_sfen(sfen).unwrap().board()
    }

    #[test]
    fn owners_lose_what_pieces_are_worth() {
        let boards = ["3w2/6/3d2/6/1K4/2W3 w 2Dd 1", "3w2/6/3k2/6/1K4/2W3 b D 1"].map(board);
        let kind = |token| Whale::SPEC.kind_named(token).index();
        let worth = Worth::of::<Whale>(&net(80), &boards);
        assert_eq!(worth.on_board[kind("K")], Losses { pieces: 3, sum: 150 });
        assert_eq!(worth.on_board[kind("D")], Losses { pieces: 1, sum: 0 });
        assert_eq!(worth.in_hand[kind("D")], Losses { pieces: 3, sum: 80 + 160 + 160 });
        assert_eq!(worth.in_hand[kind("K")].mean(), None);
        assert_eq!(worth.believed_pawn::<Whale>(), Some(133));
    }

    #[test]
    fn games_are_the_units_of_error_bars() {
        let lost = |pieces, sum| Losses { pieces, sum };
        assert_eq!(Losses::over_games(&[lost(0, 0)]), None);
        assert_eq!(Losses::over_games(&[lost(2, 60), lost(0, 0)]), Some((30.0, None)));
        // Two games whose means are 20 and 40: a standard error of 10.
        let (mean, width) = Losses::over_games(&[lost(1, 20), lost(1, 40)]).unwrap();
        assert!((mean - 30.0).abs() < 1e-12 && (width.unwrap() - Z95 * 10.0).abs() < 1e-9);
        // The same positions several times over say no more.
        let again = Losses::over_games(&[lost(5, 100), lost(5, 200)]).unwrap();
        assert!((again.1.unwrap() - Z95 * 10.0).abs() < 1e-9);
    }

    #[test]
    fn chance_is_not_believed() {
        let none = Worth::of::<Whale>(&net(80), &[*Position::start().board()]);
        assert_eq!((none.pawn::<Whale>(), none.believed_pawn::<Whale>()), (None, None));
        let two = board("3w2/6/6/6/6/2W3 w 2D 1");
        for (more, believed) in [(49, None), (50, Some(50)), (200, Some(200)), (201, None)] {
            let worth = Worth::of::<Whale>(&net(more), &[two]);
            assert_eq!(worth.believed_pawn::<Whale>(), believed);
        }
    }
}
