//! A refused position or game: the engine then holds another one than the GUI means, and does not search it.

use kujira_usi::{Protocol, names};

use crate::errors::SessionError;

/// What a line chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// The game.
    Game,
    /// The position.
    Position,
}

impl Choice {
    /// What a line chooses, however wrong the rest of it is.
    pub(super) fn of(line: &[u8], protocol: Protocol) -> Option<Self> {
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .map(|word| str::from_utf8(word).unwrap_or(""));
        match words.next()? {
            "position" => Some(Self::Position),
            "setoption" => {
                let option = words.find(|&word| word != "name")?;
                let is_known =
                    protocol == Protocol::Usi || !option.eq_ignore_ascii_case(names::VARIANT.usi);
                (is_known && names::VARIANT.is(option)).then_some(Self::Game)
            }
            _ => None,
        }
    }
}

/// Which of the game and the position that were chosen last are not in play, because they were refused.
#[derive(Debug, Default)]
pub(super) struct Refused {
    game: bool,
    position: bool,
}

impl Refused {
    /// A choice was refused.
    pub(super) fn note(&mut self, choice: Option<Choice>) {
        self.game |= choice == Some(Choice::Game);
        self.position |= choice == Some(Choice::Position);
    }

    /// A choice was accepted.
    pub(super) fn settle(&mut self, choice: Option<Choice>) {
        self.game &= choice.is_none();
        self.position &= choice != Some(Choice::Position);
    }

    /// Whether a command may go on with the game in play, wherever it stands.
    ///
    /// # Errors
    /// That the game was refused.
    pub(super) fn allow_game(&self, command: &'static str) -> Result<(), SessionError> {
        if self.game { Err(SessionError::Refused { command, what: "game" }) } else { Ok(()) }
    }

    /// Whether a command may go on with the position in play.
    ///
    /// # Errors
    /// That it, or the game, was refused.
    pub(super) fn allow_position(&self, command: &'static str) -> Result<(), SessionError> {
        self.allow_game(command)?;
        if self.position {
            Err(SessionError::Refused { command, what: "position" })
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_chooses_however_wrong_it_is() {
        for (line, choice) in [
            (&b"position"[..], Some(Choice::Position)),
            (b"\tposition sfen \xff", Some(Choice::Position)),
            (b"setoption name USI_Variant value x", Some(Choice::Game)),
            (b"setoption usi_variant", Some(Choice::Game)),
            (b"setoption name UCI_Variant valu \xff", Some(Choice::Game)),
            (b"setoption name EvalFile value USI_Variant", None),
            (b"setoption name", None),
            (b"go position", None),
            (b" ", None),
        ] {
            let told = Choice::of(line, Protocol::Usi);
            assert_eq!(told, choice, "{}", String::from_utf8_lossy(line));
        }
        // UCI has the option under another name alone.
        let chosen = |line: &[u8]| Choice::of(line, Protocol::Uci);
        assert_eq!(chosen(b"setoption name USI_Variant value whale"), None);
        assert_eq!(chosen(b"setoption name uci_variant value x"), Some(Choice::Game));
    }
}
