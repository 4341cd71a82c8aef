//! Networks with random weights, for tests.

use kujira_position::Variant;

use super::inputs::Inputs;
use super::network_file::NetworkFile;

/// Numbers that are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number within `±bound`.
    pub(crate) fn number(&mut self, bound: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as i32 % (2 * bound + 1) - bound
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.number(i32::MAX / 4) + i32::MAX / 4) as usize % end
    }
}

/// A network whose units get as far as they may.
pub(crate) fn net<V: Variant>(
    hidden: usize,
    buckets: usize,
    linear: bool,
    seed: u64,
) -> NetworkFile {
    let mut random = Random(seed);
    let mut net = NetworkFile::zero::<V>(hidden, buckets, 400, linear);
    // At most three weights a piece, and the bias.
    let most = i32::from(i16::MAX) / (Inputs::<V>::MOST as i32 + 3);
    let mut fill = |weights: &mut [i16], bound: i32| {
        weights.iter_mut().for_each(|weight| *weight = random.number(bound) as i16);
    };
    fill(&mut net.weights, most);
    fill(&mut net.biases, most);
    fill(&mut net.outputs, i32::from(NetworkFile::MOST_OUTPUT) / 8);
    net.output_biases.iter_mut().for_each(|bias| *bias = random.number(2_000_000));
    net.linear.iter_mut().for_each(|weight| *weight = random.number(400));
    net
}
