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

/// Why the game and the position that were chosen last are not in play, as far as they are not.
#[derive(Debug, Default)]
pub(super) struct Refused {
    game: Option<String>,
    position: Option<String>,
}

impl Refused {
    /// A choice was refused.
    pub(super) fn note(&mut self, choice: Option<Choice>, why: &str) {
        match choice {
            Some(Choice::Game) => self.game = Some(why.to_owned()),
            Some(Choice::Position) => self.position = Some(why.to_owned()),
            None => {}
        }
    }

    /// A choice was accepted.
    pub(super) fn settle(&mut self, choice: Option<Choice>) {
        match choice {
            Some(Choice::Game) => self.game = None,
            Some(Choice::Position) => *self = Self::default(),
            None => {}
        }
    }

    /// Whether a command may go on with the game in play, wherever it stands.
    ///
    /// # Errors
    /// Why the game was refused.
    pub(super) fn allow_game(&self, command: &'static str) -> Result<(), SessionError> {
        allow(command, "game", self.game.as_ref())
    }

    /// Whether a command may go on with the position in play.
    ///
    /// # Errors
    /// Why it, or the game, was refused.
    pub(super) fn allow_position(&self, command: &'static str) -> Result<(), SessionError> {
        self.allow_game(command)?;
        allow(command, "position", self.position.as_ref())
    }
}

fn allow(
    command: &'static str,
    what: &'static str,
    why: Option<&String>,
) -> Result<(), SessionError> {
    why.map_or(Ok(()), |why| Err(SessionError::Refused { command, what, why: why.clone() }))
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
