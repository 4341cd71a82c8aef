//! Moves of more than one leg: killer whale, false killer whale, beluga and
//! blue whale of the 11×11 game.

use super::Oracle;
use super::board::{Color, Square};
use super::game::ALL_EIGHT;
use super::moves::{Journey, plain};

impl Oracle {
    /// Igui, jump, or capture and go on, on either forward diagonal.
    pub(super) fn push_killer_whale(
        &self,
        from: Square,
        color: Color,
        journeys: &mut Vec<Journey>,
    ) {
        for (dx, dy) in [(-1, 1), (1, 1)] {
            self.push_igui(from, color, (dx, dy), journeys);
            let near = self.neighbour(from, color, (dx, dy));
            if let Some(to) = self.neighbour(from, color, (2 * dx, 2 * dy))
                && !self.holds(to, color)
            {
                for way in self.capture_or_jump(near, color) {
                    journeys.push(Journey { from, way: [way, None], to });
                }
            }
        }
    }

    /// Straight forward: igui, pass, and two or three squares, capturing any
    /// of the enemies on the way and jumping the rest.
    pub(super) fn push_false_killer_whale(
        &self,
        from: Square,
        color: Color,
        journeys: &mut Vec<Journey>,
    ) {
        let [one, two, three] =
            [1, 2, 3].map(|distance| self.neighbour(from, color, (0, distance)));
        self.push_igui(from, color, (0, 1), journeys);
        if one.is_some_and(|square| self.is_empty(square)) {
            journeys.push(plain(from, from)); // the pass
        }
        if let Some(to) = two
            && !self.holds(to, color)
        {
            for first in self.capture_or_jump(one, color) {
                journeys.push(Journey { from, way: [first, None], to });
            }
        }
        if let Some(to) = three
            && !self.holds(to, color)
        {
            for first in self.capture_or_jump(one, color) {
                for second in self.capture_or_jump(two, color) {
                    let way = match first {
                        Some(_) => [first, second],
                        None => [second, None],
                    };
                    journeys.push(Journey { from, way, to });
                }
            }
        }
    }

    /// Igui on all sides.
    pub(super) fn push_beluga(&self, from: Square, color: Color, journeys: &mut Vec<Journey>) {
        for direction in ALL_EIGHT {
            self.push_igui(from, color, direction, journeys);
        }
    }

    /// One diagonal step, and if that was onto an empty square, a slide from
    /// there in any direction.
    ///
    /// The rules' sentence asks for a slide of at least one square after a step
    /// onto an empty square. The perft counts let it stop there too: in
    /// `great.epd` line 33 the whale on 1c reaches 2b and 2d in no other way,
    /// and the count includes both.
    pub(super) fn push_blue_whale(&self, from: Square, color: Color, journeys: &mut Vec<Journey>) {
        // Its own starting square counts as empty, so the slide is made on a
        // board without the whale, and may end where it began: the pass.
        let mut lifted = self.clone();
        lifted.board.set(from, None);
        for step in [(-1, 1), (1, 1), (-1, -1), (1, -1)] {
            let Some(corner) = self.neighbour(from, color, step) else {
                continue;
            };
            if self.holds(corner, color) {
                continue;
            }
            journeys.push(plain(from, corner));
            if self.is_empty(corner) {
                for direction in ALL_EIGHT {
                    for to in lifted.slide(corner, color, direction) {
                        journeys.push(plain(from, to));
                    }
                }
            }
        }
    }

    /// The capture of an enemy one step away without leaving the square.
    fn push_igui(
        &self,
        from: Square,
        color: Color,
        direction: (i8, i8),
        journeys: &mut Vec<Journey>,
    ) {
        if let Some(near) = self.neighbour(from, color, direction)
            && self.holds(near, color.opponent())
        {
            journeys.push(Journey { from, way: [Some(near), None], to: from });
        }
    }

    /// The ways to deal with a square that is passed: jump it, whatever is on
    /// it, or, if that is an enemy, capture it.
    fn capture_or_jump(&self, square: Option<Square>, color: Color) -> Vec<Option<Square>> {
        let captured = square.filter(|&square| self.holds(square, color.opponent()));
        match captured {
            Some(_) => vec![None, captured],
            None => vec![None],
        }
    }
}
