//! The bytes of a network file, format 4.
//!
//! Numbers are little endian; `i`, `h`, `b` are the numbers of inputs, hidden units and buckets, `k` and `c`
//! those of the game's kinds and of its kinds in hand.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `KujiraNN` |
//! | 4 | version of the format, 4 |
//! | 16 | the game's id, filled up with zeros |
//! | 8 | identity of the inputs, [`Inputs::identity`] |
//! | 2 + 2 | [`ACTIVATION`], [`OUTPUT`] |
//! | 4 + 4 | `h`, `b` |
//! | 4 | scale, in centipawns |
//! | 4 | a dolphin or calf in hand, in centipawns |
//! | 4 (`k` − 1) | piece values on the board, in centipawns, of every kind but the white whale |
//! | 4 `c` | piece values in hand, in centipawns, of every kind in hand |
//! | 2 `i` `h` | weights of the inputs, `[input][hidden]` |
//! | 2 `h` | hidden biases |
//! | 4 `b` `h` | output weights, `[bucket][2 × hidden]`, the side to move first |
//! | 4 `b` | output biases |
//! | 4 | CRC-32 of everything before |

use kujira_position::{Variant, VariantId};

use super::bounds::{ACTIVATION, OUTPUT, check_sizes, within};
use super::error::NetworkError;
use super::weights::NetworkFile;
use crate::eval::built_in;
use crate::eval::inputs::Inputs;
use crate::score::PAWN;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"KujiraNN";

/// The version of the format.
const VERSION: u32 = 4;

/// Bytes of the name of the game.
const NAME: usize = 16;

/// Bytes before the piece values.
const HEADER: usize = MAGIC.len() + 4 + NAME + 8 + 2 + 2 + 4 + 4 + 4 + 4;

/// Bytes of the checksum.
const CHECKSUM: usize = 4;

/// What a file says before its weights.
struct Header {
    hidden: usize,
    buckets: usize,
    scale: i32,
    pawn: i32,
}

/// Lengths of the parts of a file, as numbers of elements.
struct Lengths {
    /// Piece values on the board and in hand.
    values: [usize; 2],
    /// Weights of the inputs, hidden biases, output weights: numbers of two bytes.
    narrow: [usize; 3],
    /// Output biases: numbers of four bytes.
    wide: usize,
}

impl Lengths {
    fn of<V: Variant>(header: &Header) -> Self {
        let Header { hidden, buckets, .. } = *header;
        let values = [V::SPEC.kinds.len() - 1, V::SPEC.hand_kinds];
        let narrow = [Inputs::<V>::COUNT * hidden, hidden, 2 * buckets * hidden];
        Self { values, narrow, wide: buckets }
    }

    /// Bytes of the file.
    fn bytes(&self) -> usize {
        let sum = |numbers: &[usize]| numbers.iter().sum::<usize>();
        let (narrow, wide) = (sum(&self.narrow), sum(&self.values) + self.wide);
        HEADER + 2 * narrow + 4 * wide + CHECKSUM
    }
}

impl Header {
    /// Reads the header of a file of `length` bytes.
    fn read<V: Variant>(reader: &mut Reader<'_>, length: usize) -> Result<Self, NetworkError> {
        if reader.array() != Some(*MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let short = || NetworkError::Length { expected: HEADER + CHECKSUM, found: length };
        let version = reader.u32().ok_or_else(short)?;
        if version != VERSION {
            return Err(NetworkError::Version { expected: VERSION, found: version });
        }
        let name: [u8; NAME] = reader.array().ok_or_else(short)?;
        if name != padded(V::SPEC.id) {
            let found = String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned();
            return Err(NetworkError::Game { expected: V::ID, found });
        }
        let (expected, found) = (Inputs::<V>::identity(), reader.u64().ok_or_else(short)?);
        if expected != found {
            return Err(NetworkError::Inputs { expected, found });
        }
        let mut unit = || reader.array().map(u16::from_le_bytes).map(i64::from).ok_or_else(short);
        let (activation, output) = (unit()?, unit()?);
        for (what, expected, found) in [
            ("the unit of activations", ACTIVATION, activation),
            ("the unit of output weights", OUTPUT, output),
        ] {
            within(what, i64::from(expected)..=i64::from(expected), found)?;
        }
        // Sizes beyond the address space are beyond the bounds, too.
        let mut size = || {
            let size = reader.u32().ok_or_else(short)?;
            Ok(usize::try_from(size).unwrap_or(usize::MAX))
        };
        let (hidden, buckets) = (size()?, size()?);
        let mut number = || reader.array().map(i32::from_le_bytes).ok_or_else(short);
        let (scale, pawn) = (number()?, number()?);
        check_sizes(hidden, buckets, [scale, pawn])?;
        Ok(Self { hidden, buckets, scale, pawn })
    }
}

impl NetworkFile {
    /// A network of these sizes for the game, all weights 0, with the piece values of the network that the
    /// program was built with.
    #[must_use]
    pub fn zero<V: Variant>(hidden: usize, buckets: usize, scale: i32) -> Self {
        let Self { on_board, in_hand, .. } = Self::built_in::<V>();
        Self {
            hidden,
            buckets,
            scale,
            pawn: PAWN,
            on_board,
            in_hand,
            weights: vec![0; Inputs::<V>::COUNT * hidden],
            biases: vec![0; hidden],
            outputs: vec![0; buckets * 2 * hidden],
            output_biases: vec![0; buckets],
        }
    }

    /// The network that the program was built with for the game, or the one that was
    /// [lent](crate::eval::lend_network).
    ///
    /// # Panics
    /// If there is neither: without the feature `embedded-networks` one has to be lent first.
    #[must_use]
    pub fn built_in<V: Variant>() -> Self {
        match Self::from_bytes::<V>(built_in::bytes(V::ID)) {
            Ok(file) => file,
            Err(error) => panic!("the network of {} built in: {error}", V::ID),
        }
    }

    /// The checksum with which the file of the network built in ends, see [`Self::checksum`].
    #[must_use]
    pub fn built_in_checksum(game: VariantId) -> u32 {
        Self::checksum(built_in::bytes(game)).unwrap_or_default()
    }

    /// The checksum that a file ends with, which tells networks apart. (A checksum of the whole file would
    /// be the same for all of them.) `None` if there are fewer bytes.
    #[must_use]
    pub fn checksum(bytes: &[u8]) -> Option<u32> {
        bytes.last_chunk().map(|&checksum| u32::from_le_bytes(checksum))
    }

    /// Reads a file. No memory is reserved before the length of the file has been found to
    /// be the one that its header asks for.
    ///
    /// # Errors
    /// What was expected and what was found, if the bytes are no network for the game, or one that
    /// [`Self::check`] refuses.
    pub fn from_bytes<V: Variant>(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader { rest: bytes };
        let header = Header::read::<V>(&mut reader, bytes.len())?;
        let lengths = Lengths::of::<V>(&header);
        let expected = lengths.bytes();
        let short = || NetworkError::Length { expected, found: bytes.len() };
        if bytes.len() != expected {
            return Err(short());
        }
        let (content, checksum) = bytes.split_at(expected - CHECKSUM);
        let (expected, found) =
            (crc32fast::hash(content), Reader { rest: checksum }.u32().ok_or_else(short)?);
        if expected != found {
            return Err(NetworkError::Checksum { expected, found });
        }
        let (on_board, in_hand) = reader.values::<V>(lengths.values).ok_or_else(short)?;
        let mut narrow = |count| reader.numbers(count, i16::from_le_bytes).ok_or_else(short);
        let [weights, biases, outputs] = lengths.narrow;
        let (weights, biases, outputs) = (narrow(weights)?, narrow(biases)?, narrow(outputs)?);
        let output_biases = reader.numbers(lengths.wide, i32::from_le_bytes).ok_or_else(short)?;
        let Header { hidden, buckets, scale, pawn, .. } = header;
        let file = Self {
            hidden,
            buckets,
            scale,
            pawn,
            on_board,
            in_hand,
            weights,
            biases,
            outputs,
            output_biases,
        };
        file.check::<V>()?;
        Ok(file)
    }

    /// The file that [`Self::from_bytes`] reads.
    ///
    /// # Errors
    /// If [`Self::check`] refuses the network.
    pub fn to_bytes<V: Variant>(&self) -> Result<Vec<u8>, NetworkError> {
        self.check::<V>()?;
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(padded(V::SPEC.id));
        bytes.extend(Inputs::<V>::identity().to_le_bytes());
        for unit in [ACTIVATION, OUTPUT] {
            bytes.extend(u16::try_from(unit).unwrap_or(u16::MAX).to_le_bytes());
        }
        for size in [self.hidden, self.buckets] {
            bytes.extend(u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
        }
        let values = self.on_board.iter().skip(1);
        let values = values.chain(self.in_hand.iter().skip(1).take(V::SPEC.hand_kinds));
        for number in [&self.scale, &self.pawn].into_iter().chain(values) {
            bytes.extend(number.to_le_bytes());
        }
        for weight in [&self.weights, &self.biases, &self.outputs].into_iter().flatten() {
            bytes.extend(weight.to_le_bytes());
        }
        for weight in &self.output_biases {
            bytes.extend(weight.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }
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

    /// `count` numbers of `N` bytes each; `None` if there are fewer.
    fn numbers<T, const N: usize>(
        &mut self,
        count: usize,
        number: impl Fn([u8; N]) -> T,
    ) -> Option<Vec<T>> {
        let (bytes, rest) = self.rest.split_at_checked(count.checked_mul(N)?)?;
        self.rest = rest;
        let (chunks, _) = bytes.as_chunks::<N>();
        Some(chunks.iter().map(|&bytes| number(bytes)).collect())
    }

    /// Piece values on the board and in hand, by kind; `counts` says how many of each stand in the file.
    fn values<V: Variant>(&mut self, counts: [usize; 2]) -> Option<(Vec<i32>, Vec<i32>)> {
        let mut by_kind = |count| {
            let mut values = self.numbers(count, i32::from_le_bytes)?;
            // The white whale comes first, kinds that are never in hand last: these have none.
            values.insert(0, 0);
            values.resize(V::SPEC.kinds.len(), 0);
            Some(values)
        };
        let [on_board, in_hand] = counts;
        Some((by_kind(on_board)?, by_kind(in_hand)?))
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    /// A network whose weights all differ from their neighbours'.
    fn counted<V: Variant>(hidden: usize, buckets: usize) -> NetworkFile {
        let mut net = NetworkFile::zero::<V>(hidden, buckets, 400);
        let narrow = |index: usize, bound: usize| (index % (2 * bound + 1)) as i16 - bound as i16;
        for kind in V::SPEC.all_kinds().skip(1) {
            let held = kind.index() <= V::SPEC.hand_kinds;
            net.on_board[kind.index()] = 50 * kind.index() as i32 - 300;
            net.in_hand[kind.index()] = if held { 4_000 - 90 * kind.index() as i32 } else { 0 };
        }
        net.weights.iter_mut().enumerate().for_each(|(i, weight)| *weight = narrow(i, 101));
        net.biases.iter_mut().enumerate().for_each(|(i, weight)| *weight = narrow(i, 300));
        net.outputs.iter_mut().enumerate().for_each(|(i, weight)| *weight = narrow(i, 127));
        for (i, weight) in net.output_biases.iter_mut().enumerate() {
            *weight = 70_000 - 1_000 * i as i32;
        }
        net
    }

    fn round_trip<V: Variant>() {
        for (hidden, buckets) in [(16, 1), (48, 3), (64, 16)] {
            let net = NetworkFile { pawn: 77 + buckets as i32, ..counted::<V>(hidden, buckets) };
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
        let bytes = counted::<Whale>(16, 2).to_bytes::<Whale>().unwrap();
        let read = |bytes: &[u8]| NetworkFile::from_bytes::<Whale>(bytes).unwrap_err().to_string();
        let length = bytes.len();
        assert_eq!(read(b""), "expected a network of Kujira, found something else");
        assert_eq!(refused(&bytes, 0, b"k"), "expected a network of Kujira, found something else");
        for version in [3, 5] {
            let expected = format!("expected version 4 of the format, found {version}");
            assert_eq!(refused(&bytes, 8, &[version]), expected);
        }
        let paulowich = counted::<Paulowich>(16, 1).to_bytes::<Paulowich>().unwrap();
        assert_eq!(read(&paulowich), "expected a network for whale, found one for paulowich");
        let identity = Inputs::<Whale>::identity();
        assert_eq!(
            refused(&bytes, 28, &[0; 8]),
            format!("expected a network for inputs {identity:016x}, found 0000000000000000")
        );
        for (at, patch, message) in [
            (36, 126, "expected the unit of activations 127, found 126"),
            (38, 63, "expected the unit of output weights 64, found 63"),
            (40, 0, "expected hidden units within 16 and 512, found 0"),
            (40, 17, "expected hidden units beyond a multiple of 16: 0, found 1"),
            (44, 0, "expected buckets within 1 and 16, found 0"),
            (44, 17, "expected buckets within 1 and 16, found 17"),
        ] {
            assert_eq!(refused(&bytes, at, &[patch]), message);
        }
        assert_eq!(
            refused(&bytes, 40, &[0, 4, 0, 0]),
            "expected hidden units within 16 and 512, found 1024"
        );
        assert_eq!(
            refused(&bytes, 48, &(-400_i32).to_le_bytes()),
            "expected a scale within 1 and 10000, found -400"
        );
        assert_eq!(
            refused(&bytes, 52, &[0; 4]),
            "expected a dolphin or calf in hand within 1 and 10000, found 0"
        );
        for end in (8..=HEADER).chain((HEADER..length).step_by(61)).chain([length - 1]) {
            let expected = if end < HEADER { HEADER + CHECKSUM } else { length };
            assert_eq!(read(&bytes[..end]), format!("expected {expected} bytes, found {end}"));
        }
        let longer = [&bytes[..], b"x"].concat();
        assert_eq!(read(&longer), format!("expected {length} bytes, found {}", length + 1));
        // A file half as long as its header says.
        let wider = refused(&bytes, 40, &[32]);
        assert!(wider.ends_with(&format!("bytes, found {length}")), "{wider}");
        // A length that lies as much as it may: 34 MB of weights in a file of a few hundred kilobytes.
        let widest = refused(&bytes, 40, &512_u32.to_le_bytes());
        let wanted = length + 2 * (Inputs::<Whale>::COUNT + 5) * (512 - 16);
        assert_eq!(widest, format!("expected {wanted} bytes, found {length}"));
        assert_eq!(
            refused(&bytes, HEADER + 4 * 6, &4_001_i32.to_le_bytes()),
            "expected piece values within -4000 and 4000, found 4001"
        );
        let mut changed = bytes.clone();
        changed[HEADER] ^= 1;
        let (expected, found) =
            (crc32fast::hash(&changed[..length - 4]), crc32fast::hash(&bytes[..length - 4]));
        assert_eq!(
            read(&changed),
            format!("expected the checksum {expected:08x}, found {found:08x}")
        );
        let outputs = HEADER + 4 * (7 + 6) + 2 * (Inputs::<Whale>::COUNT * 16 + 16);
        assert_eq!(
            refused(&bytes, outputs, &128_i16.to_le_bytes()),
            "expected output weights within -127 and 127, found 128"
        );
    }

    #[test]
    fn networks_built_in_are_small_and_tell_themselves_apart() {
        for (game, most) in [
            (VariantId::Whale, 1_000_000),
            (VariantId::Paulowich, 1_000_000),
            (VariantId::Great, 4_000_000),
        ] {
            let bytes = built_in::bytes(game);
            assert!(bytes.len() <= most, "{game}: {} bytes", bytes.len());
            let found = crc32fast::hash(&bytes[..bytes.len() - CHECKSUM]);
            assert_eq!(NetworkFile::built_in_checksum(game), found);
        }
    }

    #[test]
    fn networks_of_wrong_sizes_are_not_written() {
        let mut net = counted::<Whale>(16, 1);
        net.biases.pop();
        assert_eq!(
            net.to_bytes::<Whale>().unwrap_err().to_string(),
            "expected hidden biases: 16, found 15"
        );
    }
}
