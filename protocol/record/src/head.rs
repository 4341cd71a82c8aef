//! What a record says of a game beside its moves.

use crate::error::Fault;
use crate::game::Game;
use crate::seat::{GameId, Player};
use crate::tags::{PgnGame, Tags};

/// A game with its head. Every reader returns this and every writer takes it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The game.
    pub game: Game,
    /// Who played it, when and where.
    pub head: Head,
}

/// Who played a game, when and where.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Head {
    /// The players, Black first.
    pub players: [Player; 2],
    /// Which game of a match it is.
    pub id: Option<GameId>,
    /// What else is said, as the tags of PGN say it; neither the game's start nor its end.
    pub tags: Tags,
}

/// Tags whose content stands elsewhere: players, game, start and end.
const TOLD: [&str; 13] = [
    "White",
    "Black",
    "Sente",
    "Gote",
    "WhiteLimit",
    "BlackLimit",
    "Result",
    "Termination",
    "Variant",
    "SetUp",
    "SFEN",
    "FEN",
    "Rules",
];

/// The values of tags that say nothing.
const UNKNOWN: [&str; 4] = ["", "?", "-", "????.??.??"];

/// Whether every format can write the name of a tag.
pub(crate) fn is_word(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
}

impl Head {
    /// A head that names the players alone, Black's name first.
    #[must_use]
    pub fn of(names: [String; 2]) -> Self {
        let players = names.map(|name| Player { name, ..Player::default() });
        Self { players, ..Self::default() }
    }

    /// What tags say.
    #[must_use]
    pub fn from_tags(tags: &Tags) -> Self {
        let mut head = Self::of(tags.players().map(str::to_owned));
        // The tag White is our Black.
        for (player, name) in head.players.iter_mut().zip(["WhiteLimit", "BlackLimit"]) {
            tags.get(name).unwrap_or_default().clone_into(&mut player.limit);
        }
        let other = |(name, value): &&(String, String)| {
            !TOLD.iter().any(|told| told.eq_ignore_ascii_case(name))
                && !UNKNOWN.contains(&value.trim())
        };
        head.tags = Tags(tags.0.iter().filter(other).cloned().collect());
        head
    }

    /// Sets what else is said.
    ///
    /// # Errors
    /// If the name is no word, or what it names stands elsewhere: players, game, start and end.
    ///
    /// ```
    /// let mut head = kujira_record::Head::default();
    /// assert!(head.set("Event", "a match").is_ok());
    /// assert!(head.set("Two words", "").is_err() && head.set("fen", "").is_err());
    /// assert_eq!(head.tags.get("event"), Some("a match"));
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let is_told = TOLD.iter().any(|told| told.eq_ignore_ascii_case(name));
        if !is_word(name) || is_told {
            let expected = format!("a tag whose name is one word, none of {}", TOLD.join(", "));
            return Err(Fault::expected(expected, name));
        }
        self.tags.set(name, value);
        Ok(())
    }

    /// The value of a tag, or which game of a match it is for `Round`.
    pub(crate) fn tag(&self, name: &str) -> Option<String> {
        match self.id {
            Some(id) if name == "Round" => Some(format!("{}.{}", id.round + 1, id.leg + 1)),
            _ => self.tags.get(name).map(str::to_owned),
        }
    }
}

impl From<PgnGame> for Record {
    fn from(PgnGame { tags, game }: PgnGame) -> Self {
        Self { game, head: Head::from_tags(&tags) }
    }
}
