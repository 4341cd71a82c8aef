//! What a network says, computed from its definition: slow and simple.

use kujira_position::{Board, Color, Variant};

use super::inputs::Inputs;
use super::network::{ONE, centipawns};
use super::network_file::{ACTIVATION, NetworkFile, OUTPUT};

const _: () = assert!(ONE == (ACTIVATION * ACTIVATION * OUTPUT) as i64);

impl NetworkFile {
    /// The score of a position for the side to move, in centipawns, as the engine's evaluation has it to
    /// the last digit. For checking what was trained; the search has faster means.
    ///
    /// # Panics
    /// If [`NetworkFile::check`] refuses the network.
    #[must_use]
    pub fn score<V: Variant>(&self, board: &Board<V>) -> i32 {
        let bucket = Inputs::<V>::bucket(board, self.buckets);
        let mut sum = i64::from(self.output_biases[bucket]);
        let outputs = &self.outputs[bucket * 2 * self.hidden..][..2 * self.hidden];
        let views = [board.side(), !board.side()];
        for (us, outputs) in views.into_iter().zip(outputs.chunks(self.hidden)) {
            for (number, (unit, output)) in
                self.units(board, us).into_iter().zip(outputs).enumerate()
            {
                let part = if number == self.direct() {
                    i64::from(unit * ACTIVATION)
                } else {
                    i64::from(unit.clamp(0, ACTIVATION).pow(2))
                };
                sum += part * i64::from(*output);
            }
        }
        centipawns(sum * i64::from(self.scale) / ONE)
    }

    /// The hidden units in the view of `us`, before they are clipped.
    fn units<V: Variant>(&self, board: &Board<V>, us: Color) -> Vec<i32> {
        let mut units: Vec<i32> = self.biases.iter().map(|&bias| i32::from(bias)).collect();
        Inputs::<V>::active(board, us, |input| {
            for (unit, weight) in units.iter_mut().zip(self.row(input)) {
                *unit += i32::from(*weight);
            }
        });
        units
    }
}
