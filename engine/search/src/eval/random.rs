//! Networks with random weights, for tests.

use kujira_position::Variant;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::inputs::Inputs;
use super::network_file::NetworkFile;

/// A network whose units get as far as they may.
pub(crate) fn net<V: Variant>(hidden: usize, buckets: usize, seed: u64) -> NetworkFile {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut net = NetworkFile::zero::<V>(hidden, buckets, 400);
    // At most three weights a piece, those of both sieges, and the bias.
    let most = i16::MAX / (i16::try_from(Inputs::<V>::MOST).unwrap() + 3);
    let mut fill = |weights: &mut [i16], bound: i16| {
        weights.fill_with(|| random.random_range(-bound..=bound));
    };
    fill(&mut net.weights, most);
    fill(&mut net.biases, most);
    fill(&mut net.outputs, NetworkFile::MOST_OUTPUT / 8);
    net.output_biases
        .iter_mut()
        .for_each(|bias| *bias = random.random_range(-2_000_000..=2_000_000));
    net
}
