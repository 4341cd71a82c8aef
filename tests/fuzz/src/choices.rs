//! Bytes of the fuzzer in the place of random numbers, so that it steers what makes up positions and games.

use std::convert::Infallible;

use kujira_position::VariantId;
use rand::{Rng, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A source of numbers: two bytes each, and when there are no more, numbers that follow from them. (Numbers that are
/// all the same would never lead to some things, such as a position without a fault.)
pub struct Choices<'a> {
    bytes: &'a [u8],
    rest: Xoshiro256PlusPlus,
}

impl<'a> Choices<'a> {
    /// The numbers of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, rest: Xoshiro256PlusPlus::seed_from_u64(crc32fast::hash(bytes).into()) }
    }

    /// The next byte; zero when there are no more.
    pub fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        byte
    }

    /// A number below `bound` from the next byte.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    /// A game from the next byte.
    pub fn game(&mut self) -> VariantId {
        VariantId::ALL[self.below(VariantId::ALL.len())]
    }

    /// Takes at most `most` bytes off the front.
    pub fn take(&mut self, most: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(most.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    /// The bytes that are left.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }
}

impl TryRng for Choices<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next_u64() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let Some((&number, rest)) = self.bytes.split_first_chunk::<2>() else {
            return Ok(self.rest.next_u64());
        };
        self.bytes = rest;
        // Whoever wants a small number looks at the highest bits.
        let number = u64::from(u16::from_be_bytes(number));
        Ok(number << 48 | number.wrapping_mul(0x9e37_79b9_7f4a) & 0xffff_ffff_ffff)
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        for part in to.chunks_mut(8) {
            part.copy_from_slice(&self.next_u64().to_be_bytes()[..part.len()]);
        }
        Ok(())
    }
}
