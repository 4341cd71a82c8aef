//! The weights of a network, and the file they come in.
//!
//! Numbers are little endian; `i`, `h`, `b` are the numbers of inputs, hidden units and buckets.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `KujiraNN` |
//! | 4 | version of the format, 2 |
//! | 16 | the game's id, filled up with zeros |
//! | 8 | identity of the inputs, [`Inputs::identity`] |
//! | 8 | identity of the features weighed linearly, 0 for none |
//! | 2 + 2 | [`ACTIVATION`], [`OUTPUT`] |
//! | 4 + 4 | `h`, `b` |
//! | 4 | scale, in centipawns |
//! | 4 | a dolphin or calf in hand, in centipawns; version 1 has 100 without these bytes |
//! | 2 `i` `h` | weights of the inputs, `[input][hidden]` |
//! | 2 `h` | hidden biases |
//! | 4 `b` `h` | output weights, `[bucket][2 × hidden]`, the side to move first |
//! | 4 `b` | output biases |
//! | 4 each | weights of these features, if any |
//! | 4 | CRC-32 of everything before |

use std::fmt;

use arrayvec::ArrayVec;
use kujira_position::{Kind, Variant, VariantId};

use super::inputs::Inputs;
use super::{ACTIVATION, OUTPUT};
use crate::eval::linear::{Features, MOST_WEIGHT};
use crate::score::PAWN;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"KujiraNN";

/// The version of the format.
const VERSION: u32 = 2;

/// The version before, which did not say what a pawn counts.
const WITHOUT_PAWN: u32 = 1;

/// Bytes of the name of the game.
const NAME: usize = 16;

/// Bytes that say what a pawn counts.
const PAWN_BYTES: usize = 4;

/// Bytes before the weights.
const HEADER: usize = MAGIC.len() + 4 + NAME + 8 + 8 + 2 + 2 + 4 + 4 + 4 + PAWN_BYTES;

/// Bytes of the checksum.
const CHECKSUM: usize = 4;

/// The weights of a network for one game.
///
/// The bounds below keep all integer arithmetic from overflowing, see [`NetworkFile::check`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkFile {
    /// Number of hidden units of each view: a multiple of [`Self::HIDDEN_STEP`] up to
    /// [`Self::MOST_HIDDEN`].
    pub hidden: usize,
    /// Number of sets of output weights, 1 to [`Self::MOST_BUCKETS`], see [`Inputs::bucket`].
    pub buckets: usize,
    /// What an output of 1 counts, in centipawns: 1 to [`Self::MOST_SCALE`].
    pub scale: i32,
    /// What a dolphin or the average calf in hand counts on average, in centipawns: 1 to
    /// [`Self::MOST_SCALE`]. Scores told to people are divided by this, so that it is 100 of theirs.
    pub pawn: i32,
    /// Weights of the inputs in units of [`ACTIVATION`]: `[input][hidden]`, flat.
    pub weights: Vec<i16>,
    /// Biases of the hidden units, the same for both views, in units of [`ACTIVATION`].
    pub biases: Vec<i16>,
    /// Output weights in units of [`OUTPUT`]: `[bucket][2 × hidden]`, flat, the view of the side to move
    /// first; within ±[`Self::MOST_OUTPUT`].
    pub outputs: Vec<i16>,
    /// Output biases by bucket in units of [`ACTIVATION`]² × [`OUTPUT`].
    pub output_biases: Vec<i32>,
    /// Weights of the features of the linear evaluation in [`UNIT`](crate::eval::linear::UNIT)s of a
    /// centipawn, by feature; empty if the net stands alone.
    pub linear: Vec<i32>,
}

/// Why bytes are no network of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// They do not begin as a network does.
    NotANet,
    /// Another version of the format.
    Version {
        /// The version found.
        found: u32,
    },
    /// The network of another game.
    Game {
        /// The game wanted.
        expected: VariantId,
        /// What the file says.
        found: String,
    },
    /// A network for other inputs or features than this program knows.
    Inputs {
        /// Which of them.
        what: &'static str,
        /// Their identity here.
        expected: u64,
        /// Their identity in the file.
        found: u64,
    },
    /// A number beyond its bounds.
    Range {
        /// What it is.
        what: &'static str,
        /// Its bounds.
        expected: String,
        /// What it was.
        found: i64,
    },
    /// Another length than the header asks for.
    Length {
        /// Bytes wanted.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The bytes were changed.
    Checksum {
        /// The checksum of the bytes.
        expected: u32,
        /// The checksum in the file.
        found: u32,
    },
    /// A hidden unit could leave 16 bits.
    Overflow {
        /// Which one.
        unit: usize,
        /// How far it could get.
        reach: i64,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANet => f.write_str("expected a network of Kujira, found something else"),
            Self::Version { found } => {
                write!(
                    f,
                    "expected version {WITHOUT_PAWN} or {VERSION} of the format, found {found}"
                )
            }
            Self::Game { expected, found } => {
                write!(f, "expected a network for {expected}, found one for {found}")
            }
            Self::Inputs { what, expected, found } => {
                write!(f, "expected a network for {what} {expected:016x}, found {found:016x}")
            }
            Self::Range { what, expected, found } => {
                write!(f, "expected {what} {expected}, found {found}")
            }
            Self::Length { expected, found } => {
                write!(f, "expected {expected} bytes, found {found}")
            }
            Self::Checksum { expected, found } => {
                write!(f, "expected the checksum {expected:08x}, found {found:08x}")
            }
            Self::Overflow { unit, reach } => write!(
                f,
                "expected every hidden unit to stay within {}, found that unit {unit} can reach {reach}",
                i16::MAX
            ),
        }
    }
}

impl std::error::Error for NetworkError {}

/// An error if `found` is not within `bounds`.
fn within(
    what: &'static str,
    bounds: std::ops::RangeInclusive<i64>,
    found: i64,
) -> Result<(), NetworkError> {
    if bounds.contains(&found) {
        return Ok(());
    }
    let expected = if bounds.start() == bounds.end() {
        bounds.start().to_string()
    } else {
        format!("within {} and {}", bounds.start(), bounds.end())
    };
    Err(NetworkError::Range { what, expected, found })
}

/// A number of things as a number of a file.
fn wide(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl NetworkFile {
    /// The number of hidden units is a multiple of this.
    pub const HIDDEN_STEP: usize = 16;
    /// The most hidden units of a view.
    pub const MOST_HIDDEN: usize = 512;
    /// The most sets of output weights.
    pub const MOST_BUCKETS: usize = 16;
    /// The greatest scale, and the most that a pawn may count, in centipawns.
    pub const MOST_SCALE: i32 = 10_000;
    /// The greatest output weight, of either sign: its product with an active unit fits 16 bits.
    pub const MOST_OUTPUT: i16 = 127;

    /// A network of these sizes for the game, all weights 0.
    #[must_use]
    pub fn zero<V: Variant>(hidden: usize, buckets: usize, scale: i32, linear: bool) -> Self {
        Self {
            hidden,
            buckets,
            scale,
            pawn: PAWN,
            weights: vec![0; Inputs::<V>::COUNT * hidden],
            biases: vec![0; hidden],
            outputs: vec![0; buckets * 2 * hidden],
            output_biases: vec![0; buckets],
            linear: vec![0; if linear { Features::<V>::LAYOUT.len() } else { 0 }],
        }
    }

    /// The weights of `input`, one a hidden unit.
    pub(super) fn row(&self, input: usize) -> &[i16] {
        &self.weights[input * self.hidden..][..self.hidden]
    }

    /// Checks that sizes and numbers are within their bounds, and that no hidden unit can leave 16 bits
    /// whatever the position: that is so if its bias and, for each piece of the game, the greatest weight
    /// that the piece can add in any place of the board, attacked or not, or in either hand, wherever the
    /// whale is, are together within 16 bits, and the same with the least weights.
    ///
    /// # Errors
    /// The first bound that does not hold.
    pub fn check<V: Variant>(&self) -> Result<(), NetworkError> {
        let Self { hidden, buckets, .. } = *self;
        check_sizes(hidden, buckets, [self.scale, self.pawn])?;
        let linear = if self.linear.is_empty() { 0 } else { Features::<V>::LAYOUT.len() };
        for (what, expected, found) in [
            ("weights of the inputs:", Inputs::<V>::COUNT * hidden, self.weights.len()),
            ("hidden biases:", hidden, self.biases.len()),
            ("output weights:", buckets * 2 * hidden, self.outputs.len()),
            ("output biases:", buckets, self.output_biases.len()),
            ("linear weights:", linear, self.linear.len()),
        ] {
            within(what, wide(expected)..=wide(expected), wide(found))?;
        }
        let most = i64::from(Self::MOST_OUTPUT);
        for &weight in &self.outputs {
            within("output weights", -most..=most, i64::from(weight))?;
        }
        let most = i64::from(MOST_WEIGHT);
        for &weight in &self.linear {
            within("linear weights", -most..=most, i64::from(weight))?;
        }
        for (unit, reach) in self.reach::<V>().into_iter().enumerate() {
            if reach > i64::from(i16::MAX) {
                return Err(NetworkError::Overflow { unit, reach });
            }
        }
        Ok(())
    }

    /// How far each hidden unit can get from 0, at most: see [`Self::check`].
    #[must_use]
    pub fn reach<V: Variant>(&self) -> Vec<i64> {
        let spec = V::SPEC;
        let mut highest: Vec<i64> = self.biases.iter().map(|&bias| i64::from(bias)).collect();
        let mut lowest = highest.clone();
        let captured = |kind: Kind| spec.kind_named(spec.kind(kind).in_hand);
        for material in (0..=spec.hand_kinds).map(Kind::from_index) {
            let pieces = i64::from(spec.kind(material).material);
            let forms: Vec<Kind> = spec.all_kinds().filter(|&k| captured(k) == material).collect();
            // Of one piece, by hidden unit.
            let mut most = vec![(i64::MIN, i64::MAX); self.hidden];
            let mut place = |inputs: &mut dyn Iterator<Item = usize>| {
                // Of square, rank and zone, and of the attack on the piece.
                let rows: ArrayVec<&[i16], 4> = inputs.map(|input| self.row(input)).collect();
                for (unit, (high, low)) in most.iter_mut().enumerate() {
                    let sum = rows.iter().map(|row| i64::from(row[unit])).sum();
                    (*high, *low) = ((*high).max(sum), (*low).min(sum));
                }
            };
            for theirs in [false, true] {
                for &kind in &forms {
                    for seen in 0..Inputs::<V>::AREA {
                        let attacked = Inputs::<V>::attacked(theirs, kind, seen);
                        for zone in 0..Inputs::<V>::ZONES {
                            let inputs = || Inputs::<V>::on_board(zone, theirs, kind, seen);
                            place(&mut inputs());
                            place(&mut inputs().chain([attacked]));
                        }
                    }
                }
                if material != Kind::WHALE {
                    let first = Inputs::<V>::hand(theirs, material);
                    for input in first..first + usize::from(spec.kind(material).material) {
                        for zone in 0..Inputs::<V>::ZONES {
                            place(&mut Inputs::<V>::held(zone, input));
                        }
                    }
                }
            }
            for (unit, (high, low)) in most.into_iter().enumerate() {
                highest[unit] += pieces * high.max(0);
                lowest[unit] += pieces * low.min(0);
            }
        }
        highest.into_iter().zip(lowest).map(|(high, low)| high.max(-low)).collect()
    }

    /// The checksum that a file ends with, which tells networks apart: one over the whole file would be the same for
    /// all of them. `None` if there are fewer bytes.
    #[must_use]
    pub fn checksum(bytes: &[u8]) -> Option<u32> {
        bytes.last_chunk().map(|&checksum| u32::from_le_bytes(checksum))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What was expected and what was found, if the bytes are no network for the game, or one that
    /// [`Self::check`] refuses.
    pub fn from_bytes<V: Variant>(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader { rest: bytes };
        if reader.array() != Some(*MAGIC) {
            return Err(NetworkError::NotANet);
        }
        let short = || NetworkError::Length { expected: HEADER + CHECKSUM, found: bytes.len() };
        let version = reader.u32().ok_or_else(short)?;
        if ![WITHOUT_PAWN, VERSION].contains(&version) {
            return Err(NetworkError::Version { found: version });
        }
        let missing = if version == WITHOUT_PAWN { PAWN_BYTES } else { 0 };
        let short =
            || NetworkError::Length { expected: HEADER - missing + CHECKSUM, found: bytes.len() };
        let name: [u8; NAME] = reader.array().ok_or_else(short)?;
        if name != padded(V::SPEC.id) {
            let found = String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned();
            return Err(NetworkError::Game { expected: V::ID, found });
        }
        let (inputs, features) = (reader.u64().ok_or_else(short)?, reader.u64().ok_or_else(short)?);
        same("inputs", Inputs::<V>::identity(), inputs)?;
        if features != 0 {
            same("features", Features::<V>::identity(), features)?;
        }
        let mut unit = || reader.array().map(u16::from_le_bytes).map(i64::from).ok_or_else(short);
        let (activation, output) = (unit()?, unit()?);
        for (what, expected, found) in [
            ("the unit of activations", ACTIVATION, activation),
            ("the unit of output weights", OUTPUT, output),
        ] {
            within(what, i64::from(expected)..=i64::from(expected), found)?;
        }
        let mut size = || reader.u32().map(|size| size as usize).ok_or_else(short);
        let (hidden, buckets) = (size()?, size()?);
        let mut number = || reader.array().map(i32::from_le_bytes).ok_or_else(short);
        let scale = number()?;
        let pawn = if version == WITHOUT_PAWN { PAWN } else { number()? };
        check_sizes(hidden, buckets, [scale, pawn])?;

        let zero = Self::zero::<V>(hidden, buckets, scale, features != 0);
        let mut net = Self { pawn, ..zero };
        let expected = net.bytes() - missing;
        if bytes.len() != expected {
            return Err(NetworkError::Length { expected, found: bytes.len() });
        }
        let (content, checksum) = bytes.split_at(expected - CHECKSUM);
        let (expected, found) =
            (crc32fast::hash(content), Reader { rest: checksum }.u32().ok_or_else(short)?);
        if expected != found {
            return Err(NetworkError::Checksum { expected, found });
        }
        let filled = [&mut net.weights, &mut net.biases, &mut net.outputs]
            .into_iter()
            .flatten()
            .try_for_each(|weight| reader.array().map(|bytes| *weight = i16::from_le_bytes(bytes)))
            .and_then(|()| {
                [&mut net.output_biases, &mut net.linear].into_iter().flatten().try_for_each(
                    |weight| reader.array().map(|bytes| *weight = i32::from_le_bytes(bytes)),
                )
            });
        filled.ok_or_else(short)?;
        net.check::<V>()?;
        Ok(net)
    }

    /// The file that [`Self::from_bytes`] reads.
    ///
    /// # Errors
    /// If [`Self::check`] refuses the network.
    pub fn to_bytes<V: Variant>(&self) -> Result<Vec<u8>, NetworkError> {
        self.check::<V>()?;
        let mut bytes = Vec::with_capacity(self.bytes());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&padded(V::SPEC.id));
        bytes.extend_from_slice(&Inputs::<V>::identity().to_le_bytes());
        let features = if self.linear.is_empty() { 0 } else { Features::<V>::identity() };
        bytes.extend_from_slice(&features.to_le_bytes());
        bytes.extend_from_slice(&(ACTIVATION as u16).to_le_bytes());
        bytes.extend_from_slice(&(OUTPUT as u16).to_le_bytes());
        bytes.extend_from_slice(&(self.hidden as u32).to_le_bytes());
        bytes.extend_from_slice(&(self.buckets as u32).to_le_bytes());
        bytes.extend_from_slice(&self.scale.to_le_bytes());
        bytes.extend_from_slice(&self.pawn.to_le_bytes());
        for weight in [&self.weights, &self.biases, &self.outputs].into_iter().flatten() {
            bytes.extend_from_slice(&weight.to_le_bytes());
        }
        for weight in [&self.output_biases, &self.linear].into_iter().flatten() {
            bytes.extend_from_slice(&weight.to_le_bytes());
        }
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// The length of its file.
    fn bytes(&self) -> usize {
        let narrow = self.weights.len() + self.biases.len() + self.outputs.len();
        let wide = self.output_biases.len() + self.linear.len();
        HEADER + 2 * narrow + 4 * wide + CHECKSUM
    }
}

fn check_sizes(hidden: usize, buckets: usize, [scale, pawn]: [i32; 2]) -> Result<(), NetworkError> {
    let step = NetworkFile::HIDDEN_STEP;
    within("hidden units", wide(step)..=wide(NetworkFile::MOST_HIDDEN), wide(hidden))?;
    within("hidden units beyond a multiple of 16:", 0..=0, wide(hidden % step))?;
    within("buckets", 1..=wide(NetworkFile::MOST_BUCKETS), wide(buckets))?;
    within("a scale", 1..=i64::from(NetworkFile::MOST_SCALE), i64::from(scale))?;
    within("a dolphin or calf in hand", 1..=i64::from(NetworkFile::MOST_SCALE), i64::from(pawn))
}

fn same(what: &'static str, expected: u64, found: u64) -> Result<(), NetworkError> {
    if expected == found { Ok(()) } else { Err(NetworkError::Inputs { what, expected, found }) }
}

/// A game's id filled up with zeros.
fn padded(id: &str) -> [u8; NAME] {
    let mut name = [0; NAME];
    name.iter_mut().zip(id.bytes()).for_each(|(to, from)| *to = from);
    name
}

/// Takes numbers off the front of bytes.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*first)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    /// A network whose weights all differ from their neighbours'.
    fn counted<V: Variant>(hidden: usize, buckets: usize, linear: bool) -> NetworkFile {
        let mut net = NetworkFile::zero::<V>(hidden, buckets, 400, linear);
        let narrow = |index: usize, bound: usize| (index % (2 * bound + 1)) as i16 - bound as i16;
        net.weights.iter_mut().enumerate().for_each(|(i, weight)| *weight = narrow(i, 101));
        net.biases.iter_mut().enumerate().for_each(|(i, weight)| *weight = narrow(i, 300));
        net.outputs.iter_mut().enumerate().for_each(|(i, weight)| *weight = narrow(i, 127));
        for (i, weight) in
            [&mut net.output_biases, &mut net.linear].into_iter().flatten().enumerate()
        {
            *weight = 70_000 - 1_000 * i as i32;
            *weight = (*weight).clamp(-MOST_WEIGHT, MOST_WEIGHT);
        }
        net
    }

    fn round_trip<V: Variant>() {
        for (hidden, buckets, linear) in [(16, 1, false), (48, 3, true), (64, 16, false)] {
            let net =
                NetworkFile { pawn: 77 + buckets as i32, ..counted::<V>(hidden, buckets, linear) };
            let bytes = net.to_bytes::<V>().unwrap();
            assert_eq!(NetworkFile::from_bytes::<V>(&bytes), Ok(net));
        }
    }

    #[test]
    fn files_round_trip() {
        round_trip::<Whale>();
        round_trip::<Paulowich>();
        round_trip::<Great>();
    }

    /// The bytes with a checksum that is right again.
    fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - CHECKSUM);
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The message with which a file is refused whose bytes from `at` on are `patch`.
    fn refused(bytes: &[u8], at: usize, patch: &[u8]) -> String {
        let mut bytes = bytes.to_vec();
        bytes[at..at + patch.len()].copy_from_slice(patch);
        NetworkFile::from_bytes::<Whale>(&signed(bytes)).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_said() {
        let bytes = counted::<Whale>(16, 2, true).to_bytes::<Whale>().unwrap();
        let read = |bytes: &[u8]| NetworkFile::from_bytes::<Whale>(bytes).unwrap_err().to_string();
        let length = bytes.len();
        assert_eq!(read(b""), "expected a network of Kujira, found something else");
        assert_eq!(refused(&bytes, 0, b"k"), "expected a network of Kujira, found something else");
        assert_eq!(refused(&bytes, 8, &[3]), "expected version 1 or 2 of the format, found 3");
        let paulowich = counted::<Paulowich>(16, 1, false).to_bytes::<Paulowich>().unwrap();
        assert_eq!(read(&paulowich), "expected a network for whale, found one for paulowich");
        let identity = Inputs::<Whale>::identity();
        assert_eq!(
            refused(&bytes, 28, &[0; 8]),
            format!("expected a network for inputs {identity:016x}, found 0000000000000000")
        );
        let identity = Features::<Whale>::identity();
        assert_eq!(
            refused(&bytes, 36, &[1, 0, 0, 0, 0, 0, 0, 0]),
            format!("expected a network for features {identity:016x}, found 0000000000000001")
        );
        for (at, patch, message) in [
            (44, 254, "expected the unit of activations 255, found 254"),
            (46, 63, "expected the unit of output weights 64, found 63"),
            (48, 0, "expected hidden units within 16 and 512, found 0"),
            (48, 17, "expected hidden units beyond a multiple of 16: 0, found 1"),
            (52, 0, "expected buckets within 1 and 16, found 0"),
            (52, 17, "expected buckets within 1 and 16, found 17"),
        ] {
            assert_eq!(refused(&bytes, at, &[patch]), message);
        }
        assert_eq!(
            refused(&bytes, 48, &[0, 4, 0, 0]),
            "expected hidden units within 16 and 512, found 1024"
        );
        assert_eq!(
            refused(&bytes, 56, &(-400_i32).to_le_bytes()),
            "expected a scale within 1 and 10000, found -400"
        );
        assert_eq!(
            refused(&bytes, 60, &[0; 4]),
            "expected a dolphin or calf in hand within 1 and 10000, found 0"
        );
        for end in (8..length).step_by(61).chain([length - 1]) {
            let expected = if end < HEADER { HEADER + CHECKSUM } else { length };
            assert_eq!(read(&bytes[..end]), format!("expected {expected} bytes, found {end}"));
        }
        let longer = [&bytes[..], b"x"].concat();
        assert_eq!(read(&longer), format!("expected {length} bytes, found {}", length + 1));
        // A file half as long as its header says.
        let wider = refused(&bytes, 48, &[32]);
        assert!(wider.ends_with(&format!("bytes, found {length}")), "{wider}");
        let mut changed = bytes.clone();
        changed[HEADER] ^= 1;
        let (expected, found) =
            (crc32fast::hash(&changed[..length - 4]), crc32fast::hash(&bytes[..length - 4]));
        assert_eq!(
            read(&changed),
            format!("expected the checksum {expected:08x}, found {found:08x}")
        );
        let outputs = HEADER + 2 * (Inputs::<Whale>::COUNT * 16 + 16);
        assert_eq!(
            refused(&bytes, outputs, &128_i16.to_le_bytes()),
            "expected output weights within -127 and 127, found 128"
        );
        assert_eq!(
            refused(&bytes, length - 8, &64_001_i32.to_le_bytes()),
            "expected linear weights within -64000 and 64000, found 64001"
        );
    }

    #[test]
    fn files_of_the_version_before_are_read() {
        let net = counted::<Whale>(16, 2, true);
        let mut bytes = net.to_bytes::<Whale>().unwrap();
        bytes.drain(60..64);
        bytes[8] = 1;
        assert_eq!(NetworkFile::from_bytes::<Whale>(&signed(bytes.clone())), Ok(net));
        let whole = bytes.len();
        for (found, expected) in [(whole - 1, whole), (60, whole), (59, HEADER), (20, HEADER)] {
            let error = NetworkFile::from_bytes::<Whale>(&bytes[..found]).unwrap_err();
            assert_eq!(error, NetworkError::Length { expected, found });
        }
    }

    #[test]
    fn networks_of_wrong_sizes_are_not_written() {
        let mut net = counted::<Whale>(16, 1, false);
        net.biases.pop();
        assert_eq!(
            net.to_bytes::<Whale>().unwrap_err().to_string(),
            "expected hidden biases: 16, found 15"
        );
    }

    #[test]
    fn the_reach_of_a_unit_counts_every_piece_once() {
        let mut net = NetworkFile::zero::<Whale>(16, 1, 400, false);
        let kind = |token| Whale::SPEC.kind_named(token);
        net.biases[3] = 1_000;
        // Twelve dolphins, each 100 at most; two porpoises that become killer whales, 50 at most.
        net.weights[Inputs::<Whale>::square(false, kind("D"), 20) * 16 + 3] = 100;
        net.weights[Inputs::<Whale>::square(true, kind("D"), 21) * 16 + 3] = 90;
        net.weights[Inputs::<Whale>::square(true, kind("P"), 2) * 16 + 3] = 50;
        net.weights[(Inputs::<Whale>::hand(false, kind("K")) + 1) * 16 + 3] = 40;
        net.weights[Inputs::<Whale>::square(false, kind("G"), 2) * 16 + 5] = -16_384;
        let mut expected = vec![0; 16];
        (expected[3], expected[5]) = (1_000 + 12 * 100 + 2 * 50, 2 * 16_384);
        assert_eq!(net.reach::<Whale>(), expected);
        assert_eq!(net.check::<Whale>(), Err(NetworkError::Overflow { unit: 5, reach: 32_768 }));
        net.weights[Inputs::<Whale>::square(false, kind("G"), 2) * 16 + 5] += 1;
        assert_eq!(net.check::<Whale>(), Ok(()));
    }

    #[test]
    fn the_reach_of_a_unit_counts_rank_and_square_of_a_piece() {
        let mut net = NetworkFile::zero::<Great>(16, 1, 400, false);
        let kind = |token| Great::SPEC.kind_named(token);
        // BR and the promoted calf stand for the same class; only the calf's rank counts here.
        net.weights[Inputs::<Great>::square(false, kind("BR"), 20) * 16] = 10;
        net.weights[Inputs::<Great>::rank(false, kind("+BRC"), 20) * 16] = 5;
        assert_eq!(net.reach::<Great>()[0], 2 * 10 + 2 * 15);
    }

    #[test]
    fn the_reach_of_a_unit_counts_the_zone_that_adds_most() {
        let mut net = NetworkFile::zero::<Whale>(16, 1, 400, false);
        let mut on = |zone: usize, first: usize, weight: i16| {
            let input = Inputs::<Whale>::held(zone, first).last().unwrap();
            net.weights[input * 16] = weight;
        };
        let dolphin = Inputs::<Whale>::hand(false, Whale::SPEC.kind_named("D"));
        on(0, dolphin, 7);
        on(5, dolphin, 9);
        net.weights[dolphin * 16] = 30;
        assert_eq!(net.reach::<Whale>()[0], 12 * 39);
        // A dolphin on a square, in a zone, attacked: more than one in hand.
        let kind = Whale::SPEC.kind_named("D");
        let zoned = Inputs::<Whale>::on_board(3, false, kind, 8).last().unwrap();
        net.weights[zoned * 16] = 25;
        net.weights[Inputs::<Whale>::attacked(false, kind, 8) * 16] = 20;
        assert_eq!(net.reach::<Whale>()[0], 12 * 45);
    }
}
