//! Moves that are played from a book, without a search.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};

use kujira_position::{AnyPosition, Move, Position, Variant, VariantId, with_position};
use kujira_record::book::{BookMove, Compact};
use kujira_search::{Answer, Bound, Control, Info, Reporter};
use kujira_usi::Score;

use crate::errors::SessionError;
use crate::files::{self, Leave};

/// The value of `BookFile` that names the books the engine was built with; so does none at all.
pub const INTERNAL: &str = "<internal>";

/// The largest file that is read as a book.
const LARGEST: u64 = 256 << 20;

/// The values of the options that have to do with books.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookSettings {
    /// Whether moves are played from the book.
    pub on: bool,
    /// The number of the last move, of both sides, that is.
    pub depth: u64,
    /// Centipawns that a move may be worse than the best.
    pub margin: u64,
    /// What the choice among several moves depends on; none: on chance.
    pub seed: Option<u64>,
}

impl BookSettings {
    /// How books are used where nobody says otherwise: not at all.
    pub const DEFAULT: Self = Self { on: false, depth: 60, margin: 10, seed: None };
}

/// What a book says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FromBook {
    /// The move to play.
    pub best: Move,
    /// The reply that the book expects.
    pub reply: Option<Move>,
    /// What the move is worth to its side.
    pub score: Score,
}

impl FromBook {
    /// Tells the reporter what the book says, as if a search had found it at once, and gives the answer to one.
    pub(crate) fn tell(self, control: &Control, reporter: &dyn Reporter) -> Answer {
        reporter.note("book");
        reporter.info(&Info {
            depth: 1,
            selective_depth: 1,
            multipv: 1,
            score: self.score.into(),
            bound: Bound::Exact,
            nodes: 0,
            time: control.elapsed(),
            hashfull: 0,
            pv: std::iter::once(self.best).chain(self.reply).collect(),
        });
        Answer::Move { best: self.best, ponder: self.reply }
    }
}

/// The books that a session looks moves up in.
#[derive(Debug, Default)]
pub(crate) struct Books {
    /// That of `BookFile`, and where it was.
    named: Option<(String, Compact)>,
    /// One that the engine was built with, read when it was first asked.
    internal: Option<Compact>,
    /// The game for which it was told that the named one is for another.
    told: Option<VariantId>,
}

/// The file of the book that the engine was built with.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn internal(game: VariantId) -> Cow<'static, [u8]> {
    Cow::Borrowed(match game {
        VariantId::Whale => include_bytes!("../books/whale.book"),
        VariantId::Paulowich => include_bytes!("../books/paulowich.book"),
        VariantId::Great => include_bytes!("../books/great.book"),
    })
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use fetched::fetch_books;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use fetched::internal;

/// Nobody waits for books that are not opened.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod fetched {
    use std::borrow::Cow;
    use std::sync::OnceLock;

    use kujira_position::VariantId;

    static FETCH: OnceLock<fn(VariantId) -> Vec<u8>> = OnceLock::new();

    /// Says how the file of a game's book is fetched; it is empty where it cannot be. Only the first call counts.
    pub fn fetch_books(fetch: fn(VariantId) -> Vec<u8>) {
        let _ = FETCH.set(fetch);
    }

    pub(super) fn internal(game: VariantId) -> Cow<'static, [u8]> {
        Cow::Owned(FETCH.get().map(|fetch| fetch(game)).unwrap_or_default())
    }
}

impl Books {
    /// Takes the book in a file, or, with [`INTERNAL`] or nothing, those that the engine was built with.
    ///
    /// # Errors
    /// If the file cannot be read or is no book; then the old one stays in use.
    pub(crate) fn open(&mut self, path: &str, leave: &Leave) -> Result<(), SessionError> {
        self.told = None;
        if path.is_empty() || path == INTERNAL {
            self.named = None;
            return Ok(());
        }
        let bytes = files::read_beside(path, LARGEST, leave)
            .map_err(|error| SessionError::unreadable("BookFile", path, error))?;
        let book = Compact::from_bytes(&bytes)
            .map_err(|error| SessionError::Book { path: path.to_owned(), error })?;
        self.named = Some((path.to_owned(), book));
        Ok(())
    }

    /// Why no move of this game is found in the book that was named, once.
    pub(crate) fn stray(&mut self, game: VariantId) -> Option<String> {
        let (path, book) = self.named.as_ref()?;
        if book.game() == game || self.told.replace(game) == Some(game) {
            return None;
        }
        let (path, found) = (path.escape_default(), book.game());
        Some(format!(
            "BookFile: expected a book for {game} in {path}, found one for {found}; moves are searched for"
        ))
    }

    /// The book for a game.
    fn book(&mut self, game: VariantId) -> Option<&Compact> {
        if let Some((_, book)) = &self.named {
            return Some(book).filter(|book| book.game() == game);
        }
        if self.internal.as_ref().is_none_or(|book| book.game() != game) {
            // A test reads all of them.
            self.internal = Compact::from_bytes(&internal(game)).ok();
        }
        self.internal.as_ref()
    }

    /// A move for a position under the rules that hold without a switch.
    pub(crate) fn find(
        &mut self,
        position: &AnyPosition,
        settings: &BookSettings,
    ) -> Option<FromBook> {
        let book = self.book(position.game())?;
        with_position!(position, position => look_up(book, position, settings))
    }
}

fn look_up<V: Variant>(
    book: &Compact,
    position: &Position<V>,
    settings: &BookSettings,
) -> Option<FromBook> {
    if u64::from(position.ply()) > settings.depth || position.outcome().is_some() {
        return None;
    }
    let mut position = position.clone();
    let mut good: Vec<&BookMove> = book.moves(position.key()).iter().collect();
    // A key says nothing of what has been on the board already.
    good.retain(|found| leads_on(&mut position, &found.text));
    let worth = |found: &&BookMove| i64::from(found.score.centipawns());
    let best = good.iter().map(worth).max()?;
    good.retain(|found| worth(found).saturating_add_unsigned(settings.margin) >= best);
    let number = match settings.seed {
        Some(seed) => mixed(seed ^ position.key()),
        None => RandomState::new().hash_one(position.key()),
    };
    let index = usize::try_from(number % good.len().max(1) as u64).unwrap_or(0);
    let found = *good.get(index)?;
    let best = position.parse_usi(&found.text).ok()?;
    position.make(best);
    let reply = book.moves(position.key()).first();
    let reply = reply.and_then(|reply| position.parse_usi(&reply.text).ok());
    Some(FromBook { best, reply, score: found.score })
}

/// Whether a move is legal and leads to a position that this game has not seen.
fn leads_on<V: Variant>(position: &mut Position<V>, text: &str) -> bool {
    let Ok(m) = position.parse_usi(text) else { return false };
    position.make(m);
    let new = position.occurrences() == 1;
    position.undo();
    new
}

/// A number that looks like chance (the last step of SplitMix64, Steele, Lea, Flood 2014).
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Rules, Whale};
    use kujira_record::book::Entry;

    use super::*;

    #[test]
    fn the_books_inside_are_books() {
        for &game in VariantId::ALL {
            let book = Compact::from_bytes(&internal(game)).unwrap();
            assert_eq!(book.game(), game);
            let found = Books::default().find(&AnyPosition::start(game), &BookSettings::DEFAULT);
            assert!(found.is_some(), "{game}");
        }
    }

    /// A book of the start, with a move that is no move among them.
    fn book() -> Compact {
        let key = Position::<Whale>::start().key();
        let m = |text: &str, value| BookMove { text: text.to_owned(), score: Score::Cp(value) };
        let moves = vec![m("2e2d", 40), m("2e2c", 35), m("1e1d", 31), m("3e3d", 20)];
        Compact::new(VariantId::Whale, vec![Entry { key, moves }])
    }

    fn found(moves: &str, settings: &BookSettings) -> Option<String> {
        let position = Position::<Whale>::replay(None, moves.split_whitespace(), Rules::DEFAULT);
        let position = position.unwrap();
        look_up(&book(), &position, settings).map(|found| position.usi(found.best))
    }

    #[test]
    fn moves_within_the_margin_are_chosen_by_the_seed() {
        let chosen = |margin| {
            let one = |seed| {
                let settings = BookSettings { margin, seed: Some(seed), ..BookSettings::DEFAULT };
                assert_eq!(found("", &settings), found("", &settings), "the same seed, the same");
                found("", &settings).unwrap()
            };
            let mut all: Vec<String> = (1..100).map(one).collect();
            all.sort();
            all.dedup();
            all
        };
        assert_eq!(chosen(8), ["2e2d"]);
        assert_eq!(chosen(9), ["1e1d", "2e2d"]);
        assert_eq!(chosen(1000), ["1e1d", "2e2d", "3e3d"]);
    }

    /// A key says nothing of what has been on the board.
    #[test]
    fn no_move_brings_back_a_position_of_the_game() {
        // Both whales step out, and Black's back: were White's to do so, too, all would be as before.
        const PLAYED: &str = "3e3d 4b4c 4f3e 3a4b 3e4f";
        let mut position = Position::<Whale>::start();
        for text in PLAYED.split(' ') {
            position.make(position.parse_usi(text).unwrap());
        }
        let found = |moves: &[(&str, i32)]| {
            let m = |&(text, value): &(&str, i32)| BookMove {
                text: str::to_owned(text),
                score: Score::Cp(value),
            };
            let entry = Entry { key: position.key(), moves: moves.iter().map(m).collect() };
            let book = Compact::new(VariantId::Whale, vec![entry]);
            let found = |position: &Position<Whale>| {
                let found = look_up(&book, position, &BookSettings::DEFAULT);
                found.map(|found| position.usi(found.best))
            };
            (found(&position), found(&Position::from_sfen(&position.sfen()).unwrap()))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(found(&[("4b3a", 50), ("6b6c", 0)]), (some("6b6c"), some("4b3a")));
        assert_eq!(found(&[("4b3a", 50)]), (None, some("4b3a")));
    }

    #[test]
    fn a_book_ends_where_the_depth_says() {
        let at = |depth, moves| found(moves, &BookSettings { depth, ..BookSettings::DEFAULT });
        assert_eq!(at(0, ""), None);
        assert!(at(1, "").is_some());
    }
}
