//! Positions as lists of inputs, with what is to be learnt of them.

use crate::tune::scale;

/// Positions one after the other, each seen from both sides, as compact lists in a few long vectors.
///
/// Everything is from the point of view of the side to move, which comes first.
#[derive(Clone, PartialEq, Debug)]
pub struct Examples {
    /// Inputs of the side to move, then those of the other side.
    inputs: Vec<u16>,
    /// Linear terms and how often each occurs.
    terms: Vec<u16>,
    times: Vec<i8>,
    /// Where the lists of each position end.
    ends: Vec<Ends>,
    /// Centipawns.
    scores: Vec<i16>,
    /// 1 for a win, 0 for a draw, -1 for a loss.
    results: Vec<i8>,
    buckets: Vec<u8>,
}

/// Where the lists of a position end.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Ends {
    /// Of the side to move, in the inputs.
    ours: usize,
    /// Of the other side.
    theirs: usize,
    terms: usize,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Example<'a> {
    /// Inputs that are on, as the side to move sees the board.
    pub ours: &'a [u16],
    /// Inputs that are on, as the other side sees it.
    pub theirs: &'a [u16],
    /// Linear terms.
    pub terms: &'a [u16],
    /// How often each of them occurs.
    pub times: &'a [i8],
    /// The output that judges the position.
    pub bucket: usize,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// What the search found, in centipawns.
    pub score: i16,
    /// What the game brought: 1 for a win, 0 for a draw, -1 for a loss.
    pub result: i8,
}

impl Default for Examples {
    fn default() -> Self {
        Self::new()
    }
}

impl Examples {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            inputs: Vec::new(),
            terms: Vec::new(),
            times: Vec::new(),
            ends: vec![Ends::default()],
            scores: Vec::new(),
            results: Vec::new(),
            buckets: Vec::new(),
        }
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// A position.
    ///
    /// # Panics
    /// If there is no such position.
    #[inline]
    #[must_use]
    pub fn get(&self, position: usize) -> Example<'_> {
        let (begin, end) = (self.ends[position], self.ends[position + 1]);
        Example {
            ours: &self.inputs[begin.theirs..end.ours],
            theirs: &self.inputs[end.ours..end.theirs],
            terms: &self.terms[begin.terms..end.terms],
            times: &self.times[begin.terms..end.terms],
            bucket: usize::from(self.buckets[position]),
        }
    }

    /// What is known of a position.
    ///
    /// # Panics
    /// If there is no such position.
    #[inline]
    #[must_use]
    pub fn label(&self, position: usize) -> Label {
        Label { score: self.scores[position], result: self.results[position] }
    }

    /// Adds a position.
    pub fn push(&mut self, example: Example<'_>, label: Label) {
        self.inputs.extend_from_slice(example.ours);
        let ours = self.inputs.len();
        self.inputs.extend_from_slice(example.theirs);
        self.terms.extend_from_slice(example.terms);
        self.times.extend_from_slice(example.times);
        let (theirs, terms) = (self.inputs.len(), self.terms.len());
        self.ends.push(Ends { ours, theirs, terms });
        self.scores.push(label.score);
        self.results.push(label.result);
        self.buckets.push(u8::try_from(example.bucket).unwrap_or(u8::MAX));
    }

    /// Adds all positions of `other`.
    pub fn append(&mut self, other: &Self) {
        let (inputs, terms) = (self.inputs.len(), self.terms.len());
        self.ends.extend(other.ends.iter().skip(1).map(|end| Ends {
            ours: inputs + end.ours,
            theirs: inputs + end.theirs,
            terms: terms + end.terms,
        }));
        self.inputs.extend_from_slice(&other.inputs);
        self.terms.extend_from_slice(&other.terms);
        self.times.extend_from_slice(&other.times);
        self.scores.extend_from_slice(&other.scores);
        self.results.extend_from_slice(&other.results);
        self.buckets.extend_from_slice(&other.buckets);
    }

    /// The centipawns to a unit of odds with which the scores predict the results best.
    #[must_use]
    pub fn fit_scale(&self) -> f64 {
        let results = self.results.iter().map(|&result| 0.5 + 0.5 * f32::from(result));
        let scores = self.scores.iter().map(|&score| f32::from(score));
        scale::fit_pairs(&scores.zip(results).collect::<Vec<_>>())
    }

    /// How many inputs are on for a side, on average.
    #[must_use]
    pub fn mean_inputs(&self) -> f64 {
        self.inputs.len() as f64 / (2 * self.len().max(1)) as f64
    }

    /// A checksum (CRC-32) of all of it: the same for the same positions in the same order.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        let mut bytes = Vec::new();
        for position in 0..self.len() {
            let (example, label) = (self.get(position), self.label(position));
            bytes.clear();
            for list in [example.ours, example.theirs, example.terms] {
                bytes.extend((list.len() as u32).to_le_bytes());
                bytes.extend(list.iter().flat_map(|index| index.to_le_bytes()));
            }
            bytes.extend(example.times.iter().map(|times| times.cast_unsigned()));
            bytes.extend(label.score.to_le_bytes());
            bytes.extend([label.result.cast_unsigned(), self.buckets[position]]);
            crc.update(&bytes);
        }
        crc.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Example<'_> =
        Example { ours: &[1, 2, 3], theirs: &[9, 8], terms: &[4], times: &[-2], bucket: 1 };
    const SECOND: Example<'_> =
        Example { ours: &[5], theirs: &[6, 7], terms: &[], times: &[], bucket: 0 };
    const WON: Label = Label { score: 130, result: 1 };
    const LOST: Label = Label { score: -40, result: -1 };

    #[test]
    fn positions_come_back_as_they_were() {
        let mut all = Examples::new();
        assert!(all.is_empty());
        all.push(FIRST, WON);
        let mut more = Examples::new();
        more.push(SECOND, LOST);
        more.push(FIRST, LOST);
        all.append(&more);
        assert_eq!(all.len(), 3);
        for (position, (example, label)) in
            [(FIRST, WON), (SECOND, LOST), (FIRST, LOST)].into_iter().enumerate()
        {
            assert_eq!((all.get(position), all.label(position)), (example, label));
        }
        assert!((all.mean_inputs() - 13.0 / 6.0).abs() < 1e-9);
    }

    #[test]
    fn the_checksum_tells_positions_apart() {
        let sum = |positions: &[(Example<'_>, Label)]| {
            let mut all = Examples::new();
            for &(example, label) in positions {
                all.push(example, label);
            }
            all.checksum()
        };
        let moved = Example { ours: &[1, 2], theirs: &[3, 9, 8], ..FIRST };
        let sums = [
            sum(&[]),
            sum(&[(FIRST, WON)]),
            sum(&[(FIRST, LOST)]),
            sum(&[(moved, WON)]),
            sum(&[(Example { bucket: 0, ..FIRST }, WON)]),
            sum(&[(Example { times: &[2], ..FIRST }, WON)]),
            sum(&[(FIRST, WON), (SECOND, WON)]),
            sum(&[(SECOND, WON), (FIRST, WON)]),
        ];
        for (i, a) in sums.iter().enumerate() {
            assert!(sums[i + 1..].iter().all(|b| a != b), "{i}");
        }
    }
}
