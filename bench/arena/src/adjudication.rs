//! Games that the engines' own scores end.

use kujira_position::Color;
use kujira_usi::{Ending, Reason};
use serde::{Deserialize, Serialize};

/// When the engines' own scores end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// A side wins when both have put it this many centipawns ahead for this many moves each.
    pub win: Option<(u32, usize)>,
    /// A side loses when it has put itself this many centipawns behind for this many of its moves, whatever the other
    /// thinks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<(u32, usize)>,
    /// A draw when both have put it within so many centipawns for so many moves each, from a ply on.
    pub draw: Option<(u32, usize, usize)>,
}

impl Adjudication {
    /// The most moves on end that can be asked for.
    pub const MOST_MOVES: usize = 32;
}

/// What both engines have thought of the game lately.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    sides: [History; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct History {
    /// How many scores there were.
    length: usize,
    /// The latest of them, in a ring, from the mover's point of view; an unknown one breaks every
    /// streak.
    scores: [Option<i32>; Scores::LONGEST],
}

impl Scores {
    /// The most moves that adjudication can ask for.
    const LONGEST: usize = Adjudication::MOST_MOVES;

    /// Notes what a side thought of the position before its move, in centipawns, if it said so.
    pub(crate) fn add(&mut self, color: Color, score: Option<i32>) {
        let side = &mut self.sides[color.index()];
        side.scores[side.length % Self::LONGEST] = score;
        side.length += 1;
    }

    /// Whether the last `moves` scores of `color` all satisfy `holds`.
    fn all(&self, color: Color, moves: usize, holds: impl Fn(i32) -> bool) -> bool {
        let side = &self.sides[color.index()];
        moves <= Self::LONGEST
            && side.length >= moves
            && (1..=moves)
                .all(|back| side.scores[(side.length - back) % Self::LONGEST].is_some_and(&holds))
    }

    /// The ending after so many plies, if scores end the game.
    pub(crate) fn verdict(&self, terms: Adjudication, plies: usize) -> Option<Ending> {
        if let Some((score, moves)) = terms.win {
            let score = i32::try_from(score).unwrap_or(i32::MAX);
            for winner in Color::BOTH {
                if self.all(winner, moves, |s| s >= score)
                    && self.all(!winner, moves, |s| s <= -score)
                {
                    return Some(Ending::win(winner, Reason::AdjudicatedWin));
                }
            }
        }
        if let Some((score, moves)) = terms.resign {
            let score = i32::try_from(score).unwrap_or(i32::MAX);
            let resigns = |&loser: &Color| self.all(loser, moves, |s| s <= -score);
            if let Some(loser) = Color::BOTH.into_iter().find(resigns) {
                return Some(Ending::win(!loser, Reason::AdjudicatedWin));
            }
        }
        if let Some((score, moves, from)) = terms.draw
            && plies >= from
        {
            let even = |s: i32| s.unsigned_abs() <= score;
            if Color::BOTH.into_iter().all(|color| self.all(color, moves, even)) {
                return Some(Ending::draw(Reason::AdjudicatedDraw));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_usi::Side;

    fn scores(pairs: &[(Option<i32>, Option<i32>)]) -> Scores {
        let mut scores = Scores::default();
        for &(black, white) in pairs {
            scores.add(Color::Black, black);
            scores.add(Color::White, white);
        }
        scores
    }

    #[test]
    fn a_win_needs_both_scores_for_long_enough() {
        let terms = Adjudication { win: Some((1000, 2)), ..Adjudication::default() };
        let winner = |pairs: &[_]| scores(pairs).verdict(terms, 50).and_then(|e| e.winner);
        assert_eq!(
            winner(&[(Some(1200), Some(-1100)), (Some(1000), Some(-1000))]),
            Some(Side::Black)
        );
        assert_eq!(
            winner(&[(Some(-1200), Some(1100)), (Some(-1000), Some(1000))]),
            Some(Side::White)
        );
        for pairs in [
            &[(Some(1200), Some(-1100))] as &[_],
            &[(Some(1200), Some(-1100)), (Some(1000), Some(-999))],
            &[(Some(1200), Some(-1100)), (Some(1000), Some(1000))],
            &[(Some(1200), Some(-1100)), (None, Some(-1000))],
        ] {
            assert_eq!(winner(pairs), None, "{pairs:?}");
        }
    }

    #[test]
    fn a_side_resigns_by_its_own_scores() {
        let terms = Adjudication { resign: Some((900, 2)), ..Adjudication::default() };
        let winner = |pairs: &[_]| scores(pairs).verdict(terms, 50).and_then(|e| e.winner);
        let (black, white) = (Some(Side::Black), Some(Side::White));
        assert_eq!(winner(&[(Some(5), Some(-900)), (None, Some(-1000))]), black);
        assert_eq!(winner(&[(Some(-900), Some(5)), (Some(-950), Some(7))]), white);
        for pairs in [
            &[(Some(5), Some(-900))] as &[_],
            &[(Some(900), Some(-900)), (Some(900), Some(-899))],
            &[(Some(900), Some(900)), (Some(900), Some(900))],
        ] {
            assert_eq!(winner(pairs), None, "{pairs:?}");
        }
    }

    #[test]
    fn a_draw_waits_for_its_ply() {
        let terms = Adjudication { draw: Some((10, 3, 80)), ..Adjudication::default() };
        let even = scores(&[(Some(3), Some(-10)), (Some(0), Some(10)), (Some(1), Some(2))]);
        assert_eq!(even.verdict(terms, 80), Some(Ending::draw(Reason::AdjudicatedDraw)));
        assert_eq!(even.verdict(terms, 79), None);
        let uneven = scores(&[(Some(3), Some(-10)), (Some(0), Some(11)), (Some(1), Some(2))]);
        assert_eq!(uneven.verdict(terms, 100), None);
        assert_eq!(Scores::default().verdict(terms, 100), None);
    }
}
