//! A game as files keep it.
//!
//! ```text
//! number   u32         of the opening in its run
//! opening  u8          moves of the opening
//! plies    u16         searched plies
//! winner   u8          0 nobody, 1 Black, 2 White
//! reason   u8          place in Reason::ALL
//! opening  × u32       Move::bits
//! plies    × 7 bytes   Move::bits u32, score i16, flags u8
//! ```
//!
//! All numbers are little endian. Positions are implied: a game begins at the starting position.

use kujira_position::{Color, Move};

use crate::ending::{Ending, Reason};
use crate::score::PackedScore;

/// The move was drawn at random, not found by the search.
const RANDOM: u8 = 1;

/// The search was broken off.
const BROKEN_OFF: u8 = 2;

/// A ply that was searched and played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move played.
    pub m: Move,
    /// What the search found, from the point of view of the side to move.
    pub score: PackedScore,
    /// Whether the move was drawn at random instead of being the best one found.
    pub random: bool,
    /// Whether the search was broken off: its score may be a bound, or that of the position without search,
    /// and its move may be one that was not looked at.
    pub broken_off: bool,
}

/// A game from the starting position to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The number of its opening in the run that made it, from 0; unique in a file.
    pub number: u32,
    /// Random moves from the starting position, not searched.
    pub opening: Vec<Move>,
    /// What was played after that.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub ending: Ending,
}

impl GameRecord {
    /// The most bytes that a game takes in a file.
    pub const LARGEST: usize = 9 + 4 * u8::MAX as usize + 7 * u16::MAX as usize;

    /// Appends the game to `out`.
    ///
    /// # Errors
    /// If the game has more than 255 moves in its opening or 65,535 after it; then nothing is
    /// appended.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), String> {
        let opening = u8::try_from(self.opening.len())
            .map_err(|_| format!("expected at most 255 moves, found {}", self.opening.len()))?;
        let plies = u16::try_from(self.plies.len())
            .map_err(|_| format!("expected at most 65535 plies, found {}", self.plies.len()))?;
        out.extend(self.number.to_le_bytes());
        out.push(opening);
        out.extend(plies.to_le_bytes());
        out.push(match self.ending.winner() {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        });
        out.push(self.ending.reason().number());
        for m in &self.opening {
            out.extend(m.bits().to_le_bytes());
        }
        for ply in &self.plies {
            out.extend(ply.m.bits().to_le_bytes());
            out.extend(ply.score.bits().to_le_bytes());
            let flags = [(ply.random, RANDOM), (ply.broken_off, BROKEN_OFF)];
            out.push(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum());
        }
        Ok(())
    }

    /// Takes a game off the front of `bytes`. Whether its moves are legal only a replay tells, see
    /// [`crate::sample`].
    ///
    /// # Errors
    /// What was expected and what was found, if these bytes begin with no game.
    pub fn decode(bytes: &mut &[u8]) -> Result<Self, String> {
        let number = u32::from_le_bytes(take(bytes)?);
        let [opening] = take(bytes)?;
        let plies = u16::from_le_bytes(take(bytes)?);
        let [winner, reason] = take(bytes)?;
        let winner = match winner {
            0 => None,
            1 => Some(Color::Black),
            2 => Some(Color::White),
            other => return Err(format!("expected a winner from 0 to 2, found {other}")),
        };
        let reason = *Reason::ALL.get(usize::from(reason)).ok_or_else(|| {
            format!("expected a reason below {}, found {reason}", Reason::ALL.len())
        })?;
        let ending = Ending::new(winner, reason)
            .ok_or_else(|| format!("expected a winner that goes with the end \"{reason}\""))?;
        let opening = (0..opening).map(|_| take_move(bytes)).collect::<Result<_, _>>()?;
        let plies = (0..plies).map(|_| take_ply(bytes)).collect::<Result<_, _>>()?;
        Ok(Self { number, opening, plies, ending })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], String> {
    let (taken, rest) = bytes
        .split_first_chunk::<N>()
        .ok_or_else(|| format!("expected {N} more bytes of a game, found {}", bytes.len()))?;
    *bytes = rest;
    Ok(*taken)
}

fn take_move(bytes: &mut &[u8]) -> Result<Move, String> {
    let bits = u32::from_le_bytes(take(bytes)?);
    Move::from_bits(bits).ok_or_else(|| format!("expected a move, found the bits {bits:#x}"))
}

fn take_ply(bytes: &mut &[u8]) -> Result<Ply, String> {
    let m = take_move(bytes)?;
    let bits = i16::from_le_bytes(take(bytes)?);
    let score = PackedScore::from_bits(bits)
        .ok_or_else(|| format!("expected a score within 32000, found {bits}"))?;
    let [flags] = take(bytes)?;
    let known = RANDOM | BROKEN_OFF;
    if flags & !known != 0 {
        return Err(format!("expected flags from 0 to {known}, found {flags}"));
    }
    let [random, broken_off] = [RANDOM, BROKEN_OFF].map(|flag| flags & flag != 0);
    Ok(Ply { m, score, random, broken_off })
}

#[cfg(test)]
mod tests {
    use kujira_position::{Kind, Square, WinReason};

    use super::*;

    fn sample() -> GameRecord {
        let step =
            Move::board(Kind::from_index(3), Square::from_index(7), Square::from_index(13), false);
        let drop = Move::drop(Kind::from_index(2), Square::from_index(20));
        let score = |bits| PackedScore::from_bits(bits).unwrap();
        GameRecord {
            number: 0x0102_0304,
            opening: vec![step, drop],
            plies: vec![
                Ply { m: drop, score: score(-55), random: true, broken_off: false },
                Ply { m: step, score: score(31_999), random: false, broken_off: true },
            ],
            ending: Ending::new(Some(Color::White), Reason::Win(WinReason::Checkmate)).unwrap(),
        }
    }

    #[test]
    fn a_game_comes_back_as_it_was() {
        let game = sample();
        let mut bytes = Vec::new();
        game.encode(&mut bytes).unwrap();
        assert_eq!(bytes.len(), 9 + 2 * 4 + 2 * 7);
        assert_eq!(bytes[..9], [4, 3, 2, 1, 2, 2, 0, 2, 0]);
        game.encode(&mut bytes).unwrap();
        let mut rest = bytes.as_slice();
        assert_eq!(GameRecord::decode(&mut rest), Ok(game.clone()));
        assert_eq!(GameRecord::decode(&mut rest), Ok(game));
        assert!(rest.is_empty());
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let mut whole = Vec::new();
        sample().encode(&mut whole).unwrap();
        for cut in 0..whole.len() {
            let error = GameRecord::decode(&mut &whole[..cut]).unwrap_err();
            assert!(error.contains("more bytes of a game"), "{cut}: {error}");
        }
        for (at, byte, expected) in [
            (7, 3, "expected a winner from 0 to 2, found 3"),
            (7, 0, "expected a winner that goes with the end \"checkmate\""),
            (8, 10, "expected a reason below 10, found 10"),
            (8, 9, "goes with the end \"ply limit\""),
            (12, 0xff, "expected a move, found the bits 0xff"),
            (22, 0x7f, "expected a score within 32000, found"),
            (23, 4, "expected flags from 0 to 3, found 4"),
        ] {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            let error = GameRecord::decode(&mut bytes.as_slice()).unwrap_err();
            assert!(error.contains(expected), "{at}: {error}");
        }
    }
}
