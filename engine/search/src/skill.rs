//! What a weak player does not see: moves of both sides, for a whole search the same ones.
//!
//! As with people it is the move that is overlooked, wherever in the tree it comes up: whoever does not see a bishop's
//! diagonal does not see it in any line. The next position has other blind spots, a new game has others in the same
//! position. Answers to check are all seen, and a side all of whose moves are overlooked has not lost: what counts as
//! mated is mated. A mate some moves away may have a defence that is overlooked, so that it is not told as one.

use kujira_position::{Board, Kind, Move, Position, Variant};

use crate::eval::captured;
use crate::ladder::Rung;

/// Everything, in the unit of a [`Rung`].
const ALL: u32 = 1000;

/// The moves that a search does not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Skill {
    /// Tells the blind spots of one position and game from those of others.
    salt: u64,
    captures: u32,
    quiets: u32,
    whales: u32,
}

/// Mixes the bits of a number (Stafford, "Better bit mixing", 2011; his thirteenth variant).
const fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Whether something this plain is seen by somebody who overlooks so many of a thousand.
fn is_plain(plainness: u64, overlooked: u32) -> bool {
    (u128::from(plainness) * u128::from(ALL)) >> 64 >= u128::from(overlooked)
}

impl Skill {
    /// What a player of this strength overlooks in the position with this key; `None` if nothing. `game` is a number
    /// drawn for the game.
    pub(crate) fn of(rung: &Rung, key: u64, game: u64) -> Option<Self> {
        let Rung { captures, quiets, whales, .. } = *rung;
        let salt = mixed(key ^ mixed(game));
        rung.overlooks().then_some(Self { salt, captures, quiets, whales })
    }

    /// What tells the table's entries of this search from those of others, which saw other moves.
    pub(crate) fn salt(&self) -> u64 {
        self.salt
    }

    /// How plain the move is to see: any number, each as likely.
    fn plainness(&self, m: Move) -> u64 {
        mixed(self.salt.wrapping_add(u64::from(m.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Whether `m`, legal on `board`, is seen.
    pub(crate) fn sees<V: Variant>(&self, board: &Board<V>, m: Move) -> bool {
        let overlooked = if captured(board, m).is_some() { self.captures } else { self.quiets };
        is_plain(self.plainness(m), overlooked)
    }

    /// The moves to choose among, which are those seen of `moves`, or the plainest if none is. Somebody who sees a check
    /// sees all moves.
    pub(crate) fn narrow<V: Variant>(&self, position: &Position<V>, moves: &[Move]) -> Vec<Move> {
        let board = position.board();
        if position.checked() && is_plain(mixed(self.salt), self.whales) {
            return moves.to_vec();
        }
        let takes_whale = |m: Move| {
            captured(board, m).is_some_and(|capture| {
                capture.pieces(board).any(|(_, piece)| piece.kind() == Kind::WHALE)
            })
        };
        let seen = |&m: &Move| {
            self.sees(board, m) || takes_whale(m) && is_plain(self.plainness(m), self.whales)
        };
        let seen: Vec<Move> = moves.iter().copied().filter(seen).collect();
        if seen.is_empty() {
            return moves.iter().copied().max_by_key(|&m| self.plainness(m)).into_iter().collect();
        }
        seen
    }

    /// Takes off the list, from `begin` on, the entries whose moves are not seen.
    #[cold]
    #[inline(never)]
    pub(crate) fn thin<V: Variant, T>(
        &self,
        board: &Board<V>,
        list: &mut Vec<T>,
        begin: usize,
        its_move: impl Fn(&T) -> Move,
    ) {
        if board.in_check() {
            return;
        }
        let mut end = begin;
        for index in begin..list.len() {
            if self.sees(board, its_move(&list[index])) {
                list.swap(end, index);
                end += 1;
            }
        }
        list.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    fn rung(captures: u32, quiets: u32) -> Rung {
        Rung { captures, quiets, ..Rung::FULL }
    }

    #[test]
    fn full_strength_overlooks_nothing() {
        assert_eq!(Skill::of(&Rung::FULL, 1, 2), None);
        assert!(Skill::of(&rung(0, 1), 1, 2).is_some());
    }

    /// Of a thousand games each overlooks about as many moves as it should, and not the same.
    #[test]
    fn as_many_moves_are_overlooked_as_a_rung_says() {
        // One capture and many quiet moves.
        let position = Position::<Whale>::from_sfen("5w/6/6/2d3/2K3/W5 b - 1").unwrap();
        let moves = position.legal_moves().to_vec();
        let captures = |m: &Move| captured(position.board(), *m).is_some();
        let quiets = moves.iter().filter(|m| !captures(m)).count();
        let (mut seen, mut quiets_seen) = (0, 0);
        for game in 0..1000 {
            let skill = Skill::of(&rung(300, 800), position.board().key(), game).unwrap();
            let sees = |m: &&Move| skill.sees(position.board(), **m);
            seen += moves.iter().filter(|m| captures(m)).filter(sees).count();
            quiets_seen += moves.iter().filter(|m| !captures(m)).filter(sees).count();
        }
        assert!((650..750).contains(&seen), "{seen} of 1000");
        let share = quiets_seen as f64 / (1000 * quiets) as f64;
        assert!((0.18..0.22).contains(&share), "{share}");
    }

    /// The random mover plays every legal move equally often: a chi-squared test, far beyond its 99.9 % point only if
    /// something is wrong.
    fn uniform<V: Variant>() {
        let position = Position::<V>::start();
        let moves = position.legal_moves().to_vec();
        let mut counts = vec![0_u32; moves.len()];
        let games = 400 * moves.len() as u64;
        for game in 0..games {
            let skill = Skill::of(&Rung::RANDOM, position.board().key(), game).unwrap();
            let chosen = skill.narrow(&position, &moves);
            assert_eq!(chosen.len(), 1);
            counts[moves.iter().position(|&m| m == chosen[0]).unwrap()] += 1;
        }
        let deviations = counts.iter().map(|&count| (f64::from(count) - 400.0).powi(2) / 400.0);
        let (sum, freedom) = (deviations.sum::<f64>(), counts.len() as f64 - 1.0);
        assert!(
            sum < freedom + 4.0 * (2.0 * freedom).sqrt() + 6.0,
            "{sum} at {freedom}: {counts:?}"
        );
    }

    #[test]
    fn the_random_mover_plays_every_move_equally_often() {
        uniform::<Whale>();
        uniform::<Paulowich>();
        uniform::<Great>();
    }

    #[test]
    fn somebody_in_check_sees_all_answers() {
        let position = Position::<Whale>::from_sfen("5w/6/6/k5/6/W5 b D 1").unwrap();
        assert!(position.checked());
        let moves = position.legal_moves().to_vec();
        let skill = Skill::of(&rung(999, 999), 3, 4).unwrap();
        assert_eq!(skill.narrow(&position, &moves), moves);
        let mut list = moves.clone();
        skill.thin(position.board(), &mut list, 0, |&m| m);
        assert_eq!(list, moves);
    }

    #[test]
    fn a_whale_that_can_be_taken_is_seen() {
        let sfen = "w,10/11/11/11/11/5,S,5/11/11/11/11/5,W,5 b - 1";
        let position = Position::<Great>::from_sfen(sfen).unwrap();
        let takes = position.parse_usi("6f11a").unwrap();
        let moves = position.legal_moves().to_vec();
        for game in 0..50 {
            let skill = Skill::of(&rung(999, 999), position.board().key(), game).unwrap();
            assert!(skill.narrow(&position, &moves).contains(&takes));
        }
    }

    /// What a list loses is what is not seen, from where it begins.
    #[test]
    fn lists_lose_what_is_not_seen() {
        let position = Position::<Great>::start();
        let skill = Skill::of(&rung(500, 500), 8, 9).unwrap();
        let moves = position.legal_moves().to_vec();
        let mut left = moves.clone();
        skill.thin(position.board(), &mut left, 5, |&m| m);
        let seen = moves[5..].iter().copied().filter(|&m| skill.sees(position.board(), m));
        let expected: Vec<Move> = moves[..5].iter().copied().chain(seen).collect();
        assert_eq!(left, expected);
        assert!(left.len() > moves.len() / 4 && left.len() < moves.len() * 3 / 4, "{}", left.len());
    }
}
