//! Positions as lists of inputs, with what is to be learnt of them.

use super::odds;
use super::outlook::Outlook;

/// Positions one after the other, each seen from both sides, as compact lists in one long vector.
///
/// Everything is from the point of view of the side to move, which comes first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Examples {
    entries: Vec<Entry>,
    /// Inputs of the side to move, then those of the other side.
    inputs: Vec<u16>,
}

/// An entry of the list: where the inputs of a position are, and what is known of it. All in one place, because
/// positions are visited in random order and memory is slow.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Entry {
    /// Where its inputs begin.
    inputs: usize,
    /// How many inputs the side to move has, and how many the other.
    ours: u16,
    theirs: u16,
    label: Label,
    bucket: u8,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Example<'a> {
    /// Inputs that are on, as the side to move sees the board.
    pub ours: &'a [u16],
    /// Inputs that are on, as the other side sees it.
    pub theirs: &'a [u16],
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
    /// What came after it in the game.
    pub outlook: Outlook,
}

impl Examples {
    /// A list of no positions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A position.
    ///
    /// # Panics
    /// If there is no such position.
    #[inline]
    #[must_use]
    pub fn get(&self, position: usize) -> Example<'_> {
        self.lists(&self.entries[position])
    }

    #[inline]
    fn lists(&self, entry: &Entry) -> Example<'_> {
        let middle = entry.inputs + usize::from(entry.ours);
        Example {
            ours: &self.inputs[entry.inputs..middle],
            theirs: &self.inputs[middle..middle + usize::from(entry.theirs)],
            bucket: usize::from(entry.bucket),
        }
    }

    /// What is known of a position.
    ///
    /// # Panics
    /// If there is no such position.
    #[inline]
    #[must_use]
    pub fn label(&self, position: usize) -> Label {
        self.entries[position].label
    }

    /// Adds a position.
    ///
    /// # Panics
    /// If a list is longer than 65,535.
    #[inline]
    pub fn push(&mut self, example: Example<'_>, label: Label) {
        let count = |length: usize| u16::try_from(length).expect("a list of at most 65535");
        self.entries.push(Entry {
            inputs: self.inputs.len(),
            ours: count(example.ours.len()),
            theirs: count(example.theirs.len()),
            label,
            bucket: u8::try_from(example.bucket).unwrap_or(u8::MAX),
        });
        self.inputs.extend_from_slice(example.ours);
        self.inputs.extend_from_slice(example.theirs);
    }

    /// Adds all positions of `other`.
    pub fn append(&mut self, other: &Self) {
        let begin = self.inputs.len();
        let moved = |entry: &Entry| Entry { inputs: begin + entry.inputs, ..*entry };
        self.entries.extend(other.entries.iter().map(moved));
        self.inputs.extend_from_slice(&other.inputs);
    }

    /// Becomes the chosen positions of `other`.
    ///
    /// Entries are fetched first, then lists: so many reads are under way at a time, where visiting
    /// position by position would wait for each (45 % of the time of a training with 64 units).
    ///
    /// # Panics
    /// If there is no such position.
    pub fn gather(&mut self, other: &Self, positions: &[u32]) {
        self.entries.clear();
        self.inputs.clear();
        self.entries.extend(positions.iter().map(|&position| other.entries[position as usize]));
        for entry in &mut self.entries {
            let begin = entry.inputs;
            let end = begin + usize::from(entry.ours) + usize::from(entry.theirs);
            entry.inputs = self.inputs.len();
            self.inputs.extend_from_slice(&other.inputs[begin..end]);
        }
    }

    /// The centipawns to a unit of odds with which the scores predict the results best.
    #[must_use]
    pub fn fit_scale(&self) -> f64 {
        let pair = |entry: &Entry| {
            let Label { score, result, .. } = entry.label;
            (f32::from(score), 0.5 + 0.5 * f32::from(result))
        };
        odds::fit(&self.entries.iter().map(pair).collect::<Vec<_>>())
    }

    /// How many inputs are listed for a side, on average.
    #[must_use]
    pub fn mean_inputs(&self) -> f64 {
        self.inputs.len() as f64 / (2 * self.len().max(1)) as f64
    }

    /// A checksum (CRC-32) of all of it: the same for the same positions in the same order.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        let mut bytes = Vec::new();
        for entry in &self.entries {
            let (example, label) = (self.lists(entry), entry.label);
            bytes.clear();
            for list in [example.ours, example.theirs] {
                bytes.extend((list.len() as u32).to_le_bytes());
                bytes.extend(list.iter().flat_map(|index| index.to_le_bytes()));
            }
            bytes.extend(label.score.to_le_bytes());
            bytes.extend([label.result.cast_unsigned(), entry.bucket]);
            bytes.extend(label.outlook.bits().to_le_bytes());
            crc.update(&bytes);
        }
        crc.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Example<'_> = Example { ours: &[1, 2, 3], theirs: &[9, 8], bucket: 1 };
    const SECOND: Example<'_> = Example { ours: &[5], theirs: &[6, 7], bucket: 0 };
    const WON: Label = Label { score: 130, result: 1, outlook: Outlook::of_result(1) };
    const LOST: Label = Label { score: -40, result: -1, outlook: Outlook::of_result(-1) };

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

        let mut chosen = more.clone();
        chosen.gather(&all, &[2, 1, 2]);
        let mut expected = Examples::new();
        for (example, label) in [(FIRST, LOST), (SECOND, LOST), (FIRST, LOST)] {
            expected.push(example, label);
        }
        assert_eq!(chosen, expected);
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
            sum(&[(FIRST, Label { outlook: Outlook::of_result(0), ..WON })]),
            sum(&[(moved, WON)]),
            sum(&[(Example { bucket: 0, ..FIRST }, WON)]),
            sum(&[(FIRST, WON), (SECOND, WON)]),
            sum(&[(SECOND, WON), (FIRST, WON)]),
        ];
        for (i, a) in sums.iter().enumerate() {
            assert!(sums[i + 1..].iter().all(|b| a != b), "{i}");
        }
    }
}
