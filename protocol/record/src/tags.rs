//! The tags of a game.

use crate::error::Fault;
use crate::game::Game;

/// A game read from PGN.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// What its tags say.
    pub tags: Tags,
    /// The game.
    pub game: Game,
}

/// The tags of a game, in the order written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tags(pub Vec<(String, String)>);

impl Tags {
    /// The value of a tag, in whatever case its name is written; that of the first of several.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
        Some(&found.1)
    }

    /// Gives a tag a value, in the place of the one that it has.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(tag, _)| tag.eq_ignore_ascii_case(name)) {
            Some((_, old)) => value.clone_into(old),
            None => self.0.push((name.to_owned(), value.to_owned())),
        }
    }

    /// What says anew, and otherwise, what a tag before it says, and where it stands.
    pub(crate) fn repeated(&self) -> Option<(usize, Fault)> {
        let same = |name: &str| self.get(name).unwrap_or_default();
        let again = |(_, (name, value)): &(_, &(String, String))| same(name) != value;
        let (index, (name, value)) = self.0.iter().enumerate().find(again)?;
        Some((index, Fault::again(same(name), value)))
    }

    /// The names of the players, Black's first; empty where there is none.
    #[must_use]
    pub fn players(&self) -> [&str; 2] {
        let named = |names: [&str; 2]| names.into_iter().find_map(|name| self.get(name));
        [["Sente", "White"], ["Gote", "Black"]].map(|names| named(names).unwrap_or_default())
    }
}
