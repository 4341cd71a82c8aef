//! Games and positions for serde: as the texts that people read and write.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::any_position::AnyPosition;
use crate::position::Position;
use crate::variant::{Variant, VariantId};

impl Serialize for VariantId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for VariantId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Writes the SFEN: the past is left out.
impl<V: Variant> Serialize for Position<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.sfen())
    }
}

/// Reads an SFEN, under the usual rules.
impl<'de, V: Variant> Deserialize<'de> for Position<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Writes the game and the SFEN, `whale sfen …`: the past is left out.
impl Serialize for AnyPosition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{} sfen {}", self.game(), self.sfen()))
    }
}

/// Reads what [`AnyPosition`]'s `FromStr` reads, moves included.
impl<'de> Deserialize<'de> for AnyPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_str, to_string};

    use super::*;
    use crate::position::{DrawReason, Outcome, WinReason};
    use crate::rules::Rules;
    use crate::types::Color;
    use crate::variant::Whale;

    #[test]
    fn what_is_written_is_read() {
        let any: AnyPosition = "whale startpos moves 2e2d".parse().unwrap();
        let written = to_string(&any).unwrap();
        assert_eq!(written, r#""whale sfen bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w - 2""#);
        let read: AnyPosition = from_str(&written).unwrap();
        assert_eq!(read.sfen(), any.sfen());
        let moves = from_str::<AnyPosition>(r#""whale startpos moves 2e2d""#).unwrap();
        assert_eq!(moves, any);
        let typed = Position::<Whale>::of(&any).unwrap();
        let again: Position<Whale> = from_str(&to_string(typed).unwrap()).unwrap();
        assert_eq!(again.sfen(), typed.sfen());
        for &game in VariantId::ALL {
            assert_eq!(from_str::<VariantId>(&to_string(&game).unwrap()).unwrap(), game);
        }
        let won = Outcome::Win { winner: Color::White, reason: WinReason::WhaleCaptured };
        for (outcome, text) in [
            (won, r#"{"win":{"winner":"white","reason":"whale_captured"}}"#),
            (Outcome::Draw(DrawReason::Repetition), r#"{"draw":"repetition"}"#),
        ] {
            assert_eq!(to_string(&outcome).unwrap(), text);
            assert_eq!(from_str::<Outcome>(text).unwrap(), outcome);
        }
        let rules = to_string(&Rules::DEFAULT).unwrap();
        assert_eq!(from_str::<Rules>(&rules).unwrap(), Rules::DEFAULT);
    }

    #[test]
    fn what_is_none_says_what_was_expected() {
        let error = from_str::<AnyPosition>(r#""chess startpos""#).unwrap_err().to_string();
        assert!(error.starts_with("expected one of whale, paulowich, great"), "{error}");
        assert!(from_str::<Position<Whale>>(r#""6/6 b - 1""#).is_err());
    }
}
