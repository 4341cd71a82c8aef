//! What pieces are worth on average: the piece values that follow from linear weights and positions.

use std::marker::PhantomData;

use kujira_position::{Board, Color, Kind, Variant};
use kujira_search::eval::linear::{Features, Sink};

/// How often features come with a kind, counted over positions: with weights, its average value.
#[derive(Clone, Debug)]
pub struct Appraisal<V> {
    /// The features that come with a piece on the board, by kind.
    on_board: Vec<Share>,
    /// The features that come with the first piece in hand, by kind.
    in_hand: Vec<Share>,
    /// What each feature has to do with pieces in hand, by feature.
    roles: Vec<Role>,
    game: PhantomData<V>,
}

/// The features of a kind.
#[derive(Clone, Debug)]
struct Share {
    /// Pieces counted.
    pieces: i64,
    /// How often each feature came with the kind, by feature.
    counts: Vec<i64>,
}

/// What a feature that depends on the hand stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Nothing in hand.
    None,
    /// The first piece of this kind in hand.
    Held(Kind),
    /// A checking drop of this kind.
    Dropped(Kind),
    /// A number of kinds in hand; with one less the feature of this index.
    Kinds(usize),
}

/// The features in which a side's hand plays a part.
struct InHand<'a> {
    roles: &'a [Role],
    /// 1 for Black's features, -1 for White's.
    sign: i32,
    found: Vec<(usize, Role)>,
}

impl Sink for InHand<'_> {
    fn add(&mut self, feature: usize, times: i32) {
        if times == self.sign && self.roles[feature] != Role::None {
            self.found.push((feature, self.roles[feature]));
        }
    }

    fn climb(&mut self, first: usize, steps: usize, times: i32) {
        (first..first + steps).for_each(|feature| self.add(feature, times));
    }
}

/// Averages over positions, by kind, in units of a linear weight; `None` for a kind that was never met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    /// What a piece on the board is worth: the sum of all its features but those that stand for attacks.
    pub on_board: Vec<Option<i32>>,
    /// What the first piece in hand is worth.
    pub in_hand: Vec<Option<i32>>,
}

impl<V: Variant> Default for Appraisal<V> {
    fn default() -> Self {
        let none = Share { pieces: 0, counts: vec![0; Features::<V>::LAYOUT.len()] };
        let shares = vec![none; V::SPEC.kinds.len()];
        Self { on_board: shares.clone(), in_hand: shares, roles: roles::<V>(), game: PhantomData }
    }
}

/// What each feature has to do with pieces in hand, by feature, as the names of the rows say.
fn roles<V: Variant>() -> Vec<Role> {
    let mut roles = vec![Role::None; Features::<V>::LAYOUT.len()];
    let mut fewer_kinds = None;
    for row in Features::<V>::rows() {
        let words: Vec<&str> = row.name.split(' ').collect();
        let features = row.first..row.first + row.width;
        match words[..] {
            ["hand", token] => roles[row.first] = Role::Held(V::SPEC.kind_named(token)),
            ["drop-check", _, token] => {
                roles[features].fill(Role::Dropped(V::SPEC.kind_named(token)))
            }
            ["squeeze", _, "0"] => fewer_kinds = Some(row.first),
            ["squeeze", ..] => {
                if let Some(before) = fewer_kinds.replace(row.first) {
                    for (offset, feature) in features.enumerate() {
                        roles[feature] = Role::Kinds(before + offset);
                    }
                }
            }
            _ => {}
        }
    }
    roles
}

impl<V: Variant> Appraisal<V> {
    /// Counts a position with both whales; others are left out.
    pub fn add(&mut self, board: &Board<V>) {
        let [Some(black), Some(white)] = Color::BOTH.map(|color| board.whale(color).first()) else {
            return;
        };
        for at in board.occupied() {
            let Some(piece) = board.piece_on(at) else { continue };
            let share = &mut self.on_board[piece.kind().index()];
            share.pieces += 1;
            for feature in Features::<V>::of_piece(piece, at, [black, white]) {
                share.counts[feature] += 1;
            }
        }
        for us in Color::BOTH {
            let sign = if us == Color::Black { 1 } else { -1 };
            let mut side = InHand { roles: &self.roles, sign, found: Vec::new() };
            Features::<V>::extract(board, &mut side);
            for (feature, role) in side.found {
                match role {
                    Role::None => {}
                    Role::Held(kind) => {
                        let share = &mut self.in_hand[kind.index()];
                        share.pieces += 1;
                        share.counts[feature] += 1;
                    }
                    Role::Dropped(kind) => self.in_hand[kind.index()].counts[feature] += 1,
                    Role::Kinds(with_one_less) => {
                        for kind in board.hand(us).iter() {
                            let share = &mut self.in_hand[kind.index()];
                            share.counts[feature] += 1;
                            share.counts[with_one_less] -= 1;
                        }
                    }
                }
            }
        }
    }

    /// Counts what `other` has counted as well.
    pub fn merge(&mut self, other: &Self) {
        let theirs = other.on_board.iter().chain(&other.in_hand);
        for (ours, theirs) in self.on_board.iter_mut().chain(&mut self.in_hand).zip(theirs) {
            ours.pieces += theirs.pieces;
            for (ours, theirs) in ours.counts.iter_mut().zip(&theirs.counts) {
                *ours += theirs;
            }
        }
    }

    /// What the features of the pieces come to on average by these linear weights. A white whale has no value.
    #[must_use]
    pub fn appraise(&self, weights: &[i32]) -> Values {
        let value = |share: &Share| -> Option<i32> {
            let products = share.counts.iter().zip(weights);
            let sum: i64 = products.map(|(&count, &weight)| count * i64::from(weight)).sum();
            i32::try_from(sum.checked_div(share.pieces)?).ok()
        };
        let values = |shares: &[Share]| -> Vec<Option<i32>> {
            let mut values: Vec<Option<i32>> = shares.iter().map(value).collect();
            values[Kind::WHALE.index()] = None;
            values
        };
        Values { on_board: values(&self.on_board), in_hand: values(&self.in_hand) }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Whale};

    use super::*;

    #[test]
    fn values_are_means() {
        // A dolphin of Black on its third rank, one of White on its first; Black holds a killer
        // whale that checks in safety from three squares.
        let position = Position::<Whale>::from_sfen("w3d1/6/6/D5/6/5W b K 1").unwrap();
        let mut appraisal = Appraisal::<Whale>::default();
        appraisal.add(position.board());
        let kind = |token| Whale::SPEC.kind_named(token).index();
        let mut weights = vec![0; Features::<Whale>::LAYOUT.len()];
        for row in Features::<Whale>::rows() {
            let weights = &mut weights[row.first..row.first + row.width];
            match row.name.as_str() {
                "rank D" => weights.copy_from_slice(&[100, 200, 300, 400, 500, 600]),
                "own-whale D" => weights.fill(10),
                "enemy-whale D" => weights.fill(-4),
                "hand K" => weights.copy_from_slice(&[700, 50]),
                "drop-check moving K" => weights.copy_from_slice(&[5, 6, 7, 8]),
                "squeeze moving 0" => weights.fill(3),
                "squeeze moving 1" => weights.fill(33),
                _ => {}
            }
        }
        let values = appraisal.appraise(&weights);
        assert_eq!(values.on_board[kind("D")], Some((300 + 100) / 2 + 10 - 4));
        assert_eq!(values.in_hand[kind("K")], Some(700 + 5 + 6 + 7 + 30));
        assert_eq!((values.in_hand[kind("H")], values.on_board[kind("W")]), (None, None));
        let twin = appraisal.clone();
        appraisal.merge(&twin);
        assert_eq!(appraisal.appraise(&weights), values);
    }
}
