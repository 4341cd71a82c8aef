//! Files of networks, as bytes and as damaged networks whose checksum is right: what is read is written the same and
//! judges positions as its definition says.
//!
//! Bytes: game, `f` for a file or anything else for a network, then the file; or sizes and bounds of weights, how many
//! patches, and the patches, each a place and a value; then choices for a game.

use std::sync::Arc;

use kujira_position::{Position, Threats, Variant, with_variant};
use kujira_search::eval::{Accumulator, Evaluator, Inputs, Network, NetworkFile};
use kujira_tests::playouts::{self, Taste};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::choices::Choices;

/// Bytes of the checksum at the end of a file.
const CHECKSUM: usize = 4;

/// Bytes of a header and of the piece values behind it, with some of the weights.
const HEADER: usize = 400;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    with_variant!(choices.game(), V => of::<V>(&mut choices));
}

fn of<V: Variant>(choices: &mut Choices<'_>) {
    if choices.byte() == b'f' {
        return check::<V>(choices.rest(), choices);
    }
    let mut file = network::<V>(choices).to_bytes::<V>().expect("within the bounds");
    let patches = choices.below(8);
    for _ in 0..patches {
        let (place, value) = (choices.next_u32(), choices.next_u32());
        let length = match place % 4 {
            0 | 1 => HEADER.min(file.len() - 4),
            _ => file.len() - 4,
        };
        let at = (place >> 2) as usize % length;
        let bytes = value.to_le_bytes();
        match place % 3 {
            0 => file[at] ^= 1 << (value >> 29),
            1 => file[at..at + 2].copy_from_slice(&bytes[2..]),
            _ => file[at..at + 4].copy_from_slice(&bytes),
        }
    }
    match choices.below(8) {
        0 => file.truncate(file.len() - choices.below(64).min(file.len() - CHECKSUM)),
        1 => file.extend(choices.take(16)),
        _ => {}
    }
    // Mostly right, so that what comes behind it is seen.
    if choices.below(16) > 0 {
        let end = file.len() - CHECKSUM;
        let sum = crc32fast::hash(&file[..end]);
        file[end..].copy_from_slice(&sum.to_le_bytes());
    }
    check::<V>(&file, choices);
}

/// A network whose weights are random and as large as a byte says, up to the bounds.
fn network<V: Variant>(choices: &mut Choices<'_>) -> NetworkFile {
    let step = NetworkFile::HIDDEN_STEP;
    let (hidden, buckets) = (step * [1, 1, 1, 2, 3][choices.below(5)], 1 + choices.below(3));
    let scale = 1 + i32::from(choices.byte()) * 39;
    let mut net = NetworkFile::zero::<V>(hidden, buckets, scale);
    // At most so many weights a unit, and the bias: none gets beyond the bounds.
    let bound = i32::from(i16::MAX) / (Inputs::<V>::MOST as i32 + 3);
    let most = bound * i32::from(choices.byte()) / 255;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(choices.next_u64());
    let mut fill = |weights: &mut [i16], most: i32| {
        let most = most as i16;
        weights.fill_with(|| random.random_range(-most..=most));
    };
    fill(&mut net.weights, most);
    fill(&mut net.biases, most);
    fill(&mut net.outputs, i32::from(NetworkFile::MOST_OUTPUT).min(most));
    for bias in &mut net.output_biases {
        *bias = choices.next_u32() as i32;
    }
    net
}

fn check<V: Variant>(bytes: &[u8], choices: &mut Choices<'_>) {
    let net = match NetworkFile::from_bytes::<V>(bytes) {
        Ok(net) => net,
        Err(error) => return assert!(error.to_string().contains("expected "), "{error}"),
    };
    let again = net.to_bytes::<V>().expect("what was read can be written");
    assert!(again == bytes, "what was read is written the same");
    let mut accumulator = Accumulator::<V>::new(Arc::new(Network::new(&net)));
    let mut position = Position::<V>::start();
    accumulator.reset(position.board());
    let taste = Taste::ALL[choices.below(Taste::ALL.len())];
    for _ in 0..12 {
        let value = accumulator.evaluate(position.board(), &Threats::default());
        assert_eq!(value, net.score(position.board()), "{}", position.sfen());
        let Some(m) = playouts::choose(choices, taste, &mut position) else { return };
        accumulator.make(position.board(), m);
        position.make(m);
    }
}
