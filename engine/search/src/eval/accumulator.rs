//! A network that follows a search: its hidden units are brought up to date move by move, and only
//! where a position is evaluated.

use std::sync::Arc;

use kujira_position::{Board, Color, Move, Threats, Variant};

use super::inputs::View;
use super::kernels::Block;
use super::network::Network;
use crate::eval::Evaluator;
use crate::eval::dirty_pieces::{DirtyPieces, Place, Step};
use crate::score::Value;

/// Judges positions with a network.
pub struct Accumulator<V: Variant> {
    network: Arc<Network<V>>,
    dirty: DirtyPieces<V>,
    /// Whether units are up to date, by step and color.
    ready: Vec<[bool; 2]>,
    /// The hidden units: `[step][color][block]`, flat.
    units: Vec<Block>,
}

impl<V: Variant> Accumulator<V> {
    /// An evaluation by these weights; it begins with [`Evaluator::reset`].
    #[must_use]
    pub fn new(network: Arc<Network<V>>) -> Self {
        let steps = DirtyPieces::<V>::ROOM;
        let units = vec![Block::ZERO; steps * 2 * network.blocks];
        Self { network, dirty: DirtyPieces::new(), ready: vec![[false; 2]; steps], units }
    }

    /// Begins the step that a move or pass led to: nothing of it is computed yet.
    #[inline(always)]
    fn begin(&mut self) {
        let at = self.dirty.at();
        match self.ready.get_mut(at) {
            Some(ready) => *ready = [false; 2],
            None => self.grow(),
        }
    }

    /// Makes room for one more step: longer lines than a search has.
    #[cold]
    fn grow(&mut self) {
        self.ready.push([false; 2]);
        self.units.resize(self.ready.len() * 2 * self.network.blocks, Block::ZERO);
    }

    /// Whether the step changed the view that `color` has of the board, so that its units do not follow from
    /// those before.
    #[inline(always)]
    fn turns(step: &Step, color: Color) -> bool {
        if step.lost {
            return true;
        }
        if !step.moved[color.index()] {
            return false;
        }
        let Some(&(from, to)) = step.changes.first() else { return false };
        let view = |whale: Place| whale.square().map(|at| View::with::<V>(color, at));
        view(from) != view(to)
    }

    /// Brings the units of `color` up to date.
    #[inline(always)]
    fn update<const B: usize>(&mut self, board: &Board<V>, color: Color) {
        let (at, mut known) = (self.dirty.at(), self.dirty.at());
        while !self.ready[known][color.index()] {
            if known == 0 || Self::turns(self.dirty.step(known), color) {
                return self.refresh(board, color, known);
            }
            known -= 1;
        }
        if known == at {
            return;
        }
        let view = View::of(board, color);
        for step in known + 1..=at {
            self.follow::<B>(view, step);
        }
    }

    /// Computes the units of a step from those of the one before.
    #[inline(always)]
    fn follow<const B: usize>(&mut self, view: View, step: usize) {
        let (network, color) = (&*self.network, view.us().index());
        let blocks = network.blocks::<B>();
        let (before, after) = self.units.split_at_mut(step * 2 * blocks);
        let from = &before[((step - 1) * 2 + color) * blocks..][..blocks];
        let to = &mut after[color * blocks..][..blocks];
        let row = |place: Place| network.row::<B>(view, place);
        let rows = |(gone, come): (Place, Place)| (row(gone), row(come));
        let kernel = network.kernel;
        match self.dirty.step(step).changes[..] {
            [] => to.copy_from_slice(from),
            [change] => {
                let (gone, come) = rows(change);
                kernel.exchange(to, from, gone, come);
            }
            [first, second, ref others @ ..] => {
                let ((gone, come), (gone_too, come_too)) = (rows(first), rows(second));
                kernel.exchange_two(to, from, [gone, come, gone_too, come_too]);
                for &change in others {
                    let (gone, come) = rows(change);
                    kernel.exchange_in_place(to, gone, come);
                }
            }
        }
        self.ready[step][color] = true;
    }

    /// Computes the units of `color` from nothing, and from them those of all steps from `first` on, of which
    /// the later ones changed no view.
    #[inline(never)]
    fn refresh(&mut self, board: &Board<V>, color: Color, first: usize) {
        let (network, at) = (&*self.network, self.dirty.at());
        let (blocks, color) = (network.blocks, color.index());
        let begin = |step: usize| (step * 2 + color) * blocks;
        let view = View::of(board, Color::BOTH[color]);
        network.units_anew(board, view, &mut self.units[begin(at)..][..blocks]);
        self.ready[at][color] = true;
        for step in (first + 1..=at).rev() {
            let (before, after) = self.units.split_at_mut(begin(step));
            let (to, from) = (&mut before[begin(step - 1)..][..blocks], &after[..blocks]);
            to.copy_from_slice(from);
            for &(gone, come) in &self.dirty.step(step).changes {
                let row = |place: Place| network.row::<0>(view, place);
                network.kernel.exchange_in_place(to, row(come), row(gone));
            }
            self.ready[step - 1][color] = true;
        }
    }

    /// The score of `board`, with `B` blocks a row, see [`Network::blocks`].
    #[inline(never)]
    fn judge<const B: usize>(&mut self, board: &Board<V>, threats: &Threats<V>) -> Value {
        self.update::<B>(board, Color::Black);
        self.update::<B>(board, Color::White);
        let attacked = Color::BOTH.map(|color| threats.of(board, color).all());
        let blocks = self.network.blocks::<B>();
        let units = &self.units[self.dirty.at() * 2 * blocks..][..2 * blocks];
        let (black, white) = units.split_at(blocks);
        match board.side() {
            Color::Black => self.network.score::<B>(board, [black, white], attacked),
            Color::White => self.network.score::<B>(board, [white, black], attacked),
        }
    }
}

impl<V: Variant> Evaluator<V> for Accumulator<V> {
    fn reset(&mut self, _: &Board<V>) {
        self.dirty.reset();
        self.ready[0] = [false; 2];
    }

    #[inline]
    fn make(&mut self, board: &Board<V>, m: Move) {
        self.dirty.make(board, m);
        self.begin();
    }

    #[inline]
    fn pass(&mut self) {
        self.dirty.pass();
        self.begin();
    }

    #[inline]
    fn undo(&mut self) {
        self.dirty.undo();
    }

    #[inline]
    fn evaluate(&mut self, board: &Board<V>, threats: &Threats<V>) -> Value {
        // The widths used most are compiled as constants.
        match self.network.blocks {
            1 => self.judge::<1>(board, threats),
            2 => self.judge::<2>(board, threats),
            _ => self.judge::<0>(board, threats),
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Position, Whale};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::eval::captured;
    use crate::eval::kernels::Kernel;
    use crate::eval::random;
    use crate::eval::{Inputs, NetworkFile};
    use crate::score::{EVAL_LIMIT, MAX_PLY};

    /// Whether a white whale stands on the middle file: then a mirror changes what is seen.
    fn whale_in_the_middle<V: Variant>(board: &Board<V>) -> bool {
        let geometry = V::SPEC.geometry;
        Color::BOTH
            .into_iter()
            .filter_map(|color| board.whale(color).first())
            .any(|whale| 2 * geometry.x(whale) == geometry.files as i8 - 1)
    }

    /// What happened in random games.
    #[derive(Default, Debug)]
    struct Seen {
        positions: usize,
        mirrored: usize,
        captured_whales: usize,
        several_captures: usize,
        mirrors: usize,
        zones: usize,
        moderate: usize,
    }

    /// Random games: the value kept up to date, evaluated at once or several moves later, is that of the
    /// definition; turned and mirrored positions have the same; taking back leads back.
    fn check<V: Variant>(net: &NetworkFile, games: usize) -> Seen {
        net.check::<V>().unwrap();
        let network = Arc::new(Network::new(net));
        let portable = Arc::new(Network::with_kernel(net, Kernel::Portable));
        let (mut accumulator, mut lazy) =
            (Accumulator::<V>::new(network.clone()), Accumulator::new(network));
        let mut fresh = Accumulator::<V>::new(portable);
        let (mut random, mut seen) = (Xoshiro256PlusPlus::seed_from_u64(1), Seen::default());
        for _ in 0..games {
            let mut position = Position::<V>::start();
            accumulator.reset(position.board());
            lazy.reset(position.board());
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.board().whale(position.side()).is_empty() {
                    break;
                }
                // Captures on the way and captures of whales are rare where moves are drawn evenly.
                let draw = (0..4).map(|_| moves[random.random_range(0..moves.len())]);
                let m = draw.max_by_key(|m| m.way().is_some()).unwrap();
                let captures = captured(position.board(), m)
                    .map_or(0, |capture| capture.pieces(position.board()).count());
                seen.several_captures += usize::from(captures > 1);
                let (former, before) = (
                    *position.board(),
                    accumulator.evaluate(position.board(), &Threats::default()),
                );
                for evaluator in [&mut accumulator, &mut lazy] {
                    evaluator.make(position.board(), m);
                }
                position.make(m);
                let board = position.board();
                seen.positions += 1;
                seen.captured_whales += usize::from(board.whale(position.side()).is_empty());
                let [now, then] = [board, &former].map(|board| {
                    Color::BOTH.map(|color| View::of(board, color)).map(|v| (v.index(), v.zone()))
                });
                let differ = |k: fn((usize, usize)) -> usize| now.map(k) != then.map(k);
                seen.mirrors += usize::from(differ(|view| view.0));
                seen.zones += usize::from(differ(|view| view.1));
                let value = accumulator.evaluate(board, &Threats::default());
                seen.moderate += usize::from(value.abs() < EVAL_LIMIT);
                assert_eq!(value, net.score(board), "{m:?} {position:?}");
                if random.random_ratio(1, 5) {
                    assert_eq!(
                        lazy.evaluate(board, &Threats::default()),
                        value,
                        "{m:?} {position:?}"
                    );
                }
                if !board.whale(position.side()).is_empty() {
                    let turned = position.turned();
                    fresh.reset(turned.board());
                    assert_eq!(
                        fresh.evaluate(turned.board(), &Threats::default()),
                        value,
                        "{turned:?}"
                    );
                    if !whale_in_the_middle(board) {
                        seen.mirrored += 1;
                        let mirrored = position.mirrored();
                        fresh.reset(mirrored.board());
                        assert_eq!(
                            fresh.evaluate(mirrored.board(), &Threats::default()),
                            value,
                            "{mirrored:?}"
                        );
                    }
                }
                if random.random_ratio(1, 4) {
                    accumulator.undo();
                    position.undo();
                    assert_eq!(accumulator.evaluate(position.board(), &Threats::default()), before);
                    accumulator.make(position.board(), m);
                    position.make(m);
                    assert_eq!(accumulator.evaluate(position.board(), &Threats::default()), value);
                }
            }
        }
        seen
    }

    #[test]
    fn values_kept_are_those_of_the_definition() {
        let seen = check::<Whale>(&random::net::<Whale>(64, 4, 5), 60);
        assert!(seen.mirrored > 1_000 && seen.mirrors > 50 && seen.zones > 100, "{seen:?}");
        assert!(seen.moderate > seen.positions / 2, "{seen:?}");
        let seen = check::<Paulowich>(&random::net::<Paulowich>(48, 1, 6), 40);
        assert!(seen.mirrored > 500 && seen.mirrors > 50 && seen.zones > 100, "{seen:?}");
        let seen = check::<Great>(&random::net::<Great>(32, 2, 7), 200);
        assert!(seen.captured_whales > 5 && seen.several_captures > 20, "{seen:?}");
        assert!(seen.mirrored > 1_000 && seen.mirrors > 50, "{seen:?}");
    }

    #[test]
    fn every_width_of_the_hidden_layer_works() {
        for hidden in
            (NetworkFile::HIDDEN_STEP..=NetworkFile::MOST_HIDDEN).step_by(NetworkFile::HIDDEN_STEP)
        {
            check::<Whale>(&random::net::<Whale>(hidden, 3, hidden as u64), 1);
        }
    }

    #[test]
    fn a_pass_changes_whose_turn_it_is_and_nothing_else() {
        let net = random::net::<Whale>(32, 1, 3);
        let mut accumulator = Accumulator::<Whale>::new(Arc::new(Network::new(&net)));
        let mut position = Position::<Whale>::start();
        accumulator.reset(position.board());
        let m = position.parse_usi("2e2d").unwrap();
        accumulator.make(position.board(), m);
        position.make(m);
        let before = accumulator.evaluate(position.board(), &Threats::default());
        accumulator.pass();
        position.pass();
        assert_eq!(
            accumulator.evaluate(position.board(), &Threats::default()),
            net.score(position.board())
        );
        accumulator.undo();
        position.undo();
        assert_eq!(accumulator.evaluate(position.board(), &Threats::default()), before);
    }

    #[test]
    fn lines_longer_than_those_of_a_search_have_room() {
        let net = random::net::<Whale>(16, 1, 3);
        let mut accumulator = Accumulator::<Whale>::new(Arc::new(Network::new(&net)));
        let mut position = Position::<Whale>::from_sfen("3w2/6/6/6/6/2W3 b - 1").unwrap();
        accumulator.reset(position.board());
        for text in ["4f5f", "3a2a", "5f4f", "2a3a"].into_iter().cycle().take(2 * MAX_PLY) {
            let m = position.parse_usi(text).unwrap();
            accumulator.make(position.board(), m);
            position.make(m);
        }
        assert_eq!(
            accumulator.evaluate(position.board(), &Threats::default()),
            net.score(position.board())
        );
    }

    /// A network that counts dolphins or calves in hand, 100 centipawns each, and nothing else.
    #[test]
    fn scores_are_in_centipawns() {
        let mut net = NetworkFile::zero::<Whale>(16, 1, 100);
        let dolphin = Whale::SPEC.kind_named("D");
        // The unit goes up by 1 for the first dolphin we hold.
        for zone in 0..Inputs::<Whale>::ZONES {
            let input = Inputs::<Whale>::placed(zone, Inputs::<Whale>::hand(false, dolphin));
            net.weights[input * 16] = 127;
        }
        net.outputs[0] = 64;
        net.outputs[16] = -64;
        let mut accumulator = Accumulator::<Whale>::new(Arc::new(Network::new(&net)));
        for (sfen, score) in [
            ("3w2/6/6/6/6/2W3 b D 1", 100),
            ("3w2/6/6/6/6/2W3 w D 1", -100),
            ("3w2/6/6/6/6/2W3 w Dd 1", 0),
        ] {
            let position = Position::<Whale>::from_sfen(sfen).unwrap();
            accumulator.reset(position.board());
            assert_eq!(
                accumulator.evaluate(position.board(), &Threats::default()),
                score,
                "{sfen}"
            );
        }
    }
}
