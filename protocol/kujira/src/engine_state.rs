//! The engine of the chosen game, with the settings and the position that outlast a change of game
//! or a defect.

use std::fmt;

use kujira_position::{
    AnyPosition, PositionError, Rules, SetupError, Tokens, VariantId, with_variant,
};
use kujira_search::eval::{NetworkError, NetworkFile};
use kujira_search::{Engine, HashError, LEVELS, Limits, SearchOptions};

use crate::book::{BookSettings, Books, FromBook};
use crate::errors::SessionError;
use crate::files::{self, Leave};

/// Default size of the transposition table in MiB.
pub const DEFAULT_HASH: usize = 64;

/// Makes an engine for a game.
pub type Factory = Box<dyn Fn(VariantId) -> Box<dyn Engine>>;

/// The values of the options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Number of searching threads.
    pub threads: usize,
    /// Number of lines a search reports.
    pub multipv: usize,
    /// Manner of playing, and of telling what is found.
    pub search: SearchOptions,
    /// Whether answers name the reply to ponder on.
    pub ponder: bool,
    /// The rule switches.
    pub rules: Rules,
    /// How books are used.
    pub book: BookSettings,
    /// Whether searches are for somebody who analyses: at full strength and without a book. Told in UCI.
    pub analysis: bool,
    /// Whether chances of winning are told, in UCI.
    pub chances: bool,
}

/// The engine in use, with what outlasts it.
pub struct EngineState {
    factory: Factory,
    engine: Box<dyn Engine>,
    settings: Settings,
    /// The position in play, with the moves that led to it.
    position: AnyPosition,
    /// The files of the networks that replace those built in, at most one a game.
    networks: Vec<(VariantId, Vec<u8>)>,
    /// The path that `EvalFile` was last set to and the game of the network there; no game if it was refused.
    named_network: Option<(String, Option<VariantId>)>,
    /// Whether it still has to be looked at whether that network is one for the game in play.
    network_due: bool,
    /// Books that moves are looked up in.
    books: Books,
    /// Size in MiB that a table was last made with, or that of the option at the start.
    hash_kept: usize,
    /// Whether the table still has to be made as large as the settings say.
    hash_due: bool,
    /// Whether a table was asked for since the engine was made, which has a small one.
    has_table: bool,
    /// Signal that the session is to end.
    leave: Leave,
}

impl fmt::Debug for EngineState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineState")
            .field("game", &self.engine.game())
            .field("settings", &self.settings)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

impl EngineState {
    /// An engine for a game, at its start, with every option at its default.
    #[must_use]
    pub fn new(game: VariantId, factory: Factory) -> Self {
        let engine = factory(game);
        let settings = Settings {
            hash: DEFAULT_HASH,
            threads: 1,
            multipv: 1,
            search: SearchOptions::default(),
            ponder: false,
            rules: Rules::DEFAULT,
            book: BookSettings::DEFAULT,
            analysis: false,
            chances: false,
        };
        let mut state = Self {
            factory,
            engine,
            settings,
            position: AnyPosition::start(game),
            networks: Vec::new(),
            named_network: None,
            network_due: false,
            books: Books::default(),
            hash_kept: DEFAULT_HASH,
            hash_due: true,
            has_table: false,
            leave: Leave::default(),
        };
        state.equip();
        state
    }

    /// The engine.
    #[must_use]
    pub fn engine(&mut self) -> &mut dyn Engine {
        self.engine.as_mut()
    }

    /// The position in play.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The engine, and the position in play for it to search.
    #[must_use]
    pub fn at_work(&mut self) -> (&mut dyn Engine, &AnyPosition) {
        (self.engine.as_mut(), &self.position)
    }

    /// The signal that ends the session: the state then waits for no file any more.
    #[must_use]
    pub fn leave(&self) -> &Leave {
        &self.leave
    }

    /// The settings in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Gives a new engine the settings. The table is made later: it may be large.
    fn equip(&mut self) {
        let Settings { threads, multipv, search, .. } = self.settings;
        let game = self.engine.game();
        if let Some((_, bytes)) = self.networks.iter().find(|(id, _)| *id == game)
            && let Err(error) = self.engine.set_network(Some(bytes))
        {
            // An engine of the same game took it before.
            log::error!("a network accepted before was refused: {error}");
        }
        self.engine.set_threads(threads);
        self.engine.set_multipv(multipv);
        self.engine.set_options(search);
        self.hash_due = true;
        self.has_table = false;
    }

    /// Makes the table that the settings ask for unless it is there, so that the next search begins at once.
    ///
    /// # Errors
    /// If there is no memory for the table; then the old one stays in use.
    pub fn prepare(&mut self) -> Result<(), HashError> {
        let mut result = Ok(());
        if self.hash_due {
            self.hash_due = false;
            result = self.engine.set_hash(self.settings.hash);
            if let Err(error) = &mut result {
                // A new engine may not have made the table of the old value yet.
                let old = self.hash_kept;
                if error.kept < old && self.engine.set_hash(old).is_ok() {
                    error.kept = old;
                }
                self.settings.hash = error.kept;
            }
            self.hash_kept = self.settings.hash;
        }
        self.has_table = true;
        result
    }

    /// Makes the engine ready as [`EngineState::prepare`] does, for a search whose clock runs or may run at any moment. A
    /// large table has to wait for the next `isready`, because memory is slow to come by.
    ///
    /// # Errors
    /// As [`EngineState::prepare`].
    pub fn prepare_in_time(&mut self) -> Result<(), HashError> {
        /// Size in MiB of a table that is there in an instant.
        const QUICK: usize = 64;
        if self.settings.hash <= QUICK {
            return self.prepare();
        }
        if self.has_table {
            return Ok(());
        }
        self.has_table = true;
        self.engine.set_hash(QUICK)
    }

    /// Makes a new engine in the place of one that failed: same game, settings and position.
    pub fn rebuild(&mut self) {
        self.engine = (self.factory)(self.engine.game());
        self.equip();
    }

    /// Takes over a position of the game in play.
    #[cfg(feature = "cecp")]
    pub(crate) fn show(&mut self, position: AnyPosition) {
        self.position = position;
    }

    /// Takes over a position and the moves played from it.
    ///
    /// # Errors
    /// Why it was refused; then the old position stays.
    pub fn set_position(&mut self, sfen: Option<&str>, moves: &str) -> Result<(), SessionError> {
        let (game, rules) = (self.engine.game(), self.settings.rules);
        match AnyPosition::replay(game, sfen, moves.split_ascii_whitespace(), rules) {
            Ok(position) => {
                self.position = position;
                Ok(())
            }
            Err(error) => {
                let other_board = match (&error, sfen) {
                    (PositionError::Sfen(_), Some(sfen)) => self.other_board(sfen),
                    _ => None,
                };
                Err(SessionError::Position { error, other_board })
            }
        }
    }

    /// The game in play and the one whose board an SFEN or FEN seems to show, if that is another one: a
    /// board is known by its number of ranks and by whether commas separate its items.
    pub(crate) fn other_board(&self, sfen: &str) -> Option<(VariantId, VariantId)> {
        let board = sfen.split_ascii_whitespace().next()?;
        let fits = |game: &VariantId| {
            let spec = game.spec();
            board.split('/').count() == usize::from(spec.geometry.ranks)
                && board.split('/').all(|rank| !rank.is_empty())
                && board.contains(',') == (spec.tokens == Tokens::Names)
        };
        let current = self.engine.game();
        if fits(&current) {
            return None;
        }
        let other = VariantId::ALL.iter().copied().find(fits)?;
        Some((current, other))
    }

    /// Turns the board round.
    pub fn flip(&mut self) {
        self.position = self.position.turned();
    }

    /// Chooses the game. Another game than before begins at its start; settings stay.
    pub fn choose_game(&mut self, game: VariantId) {
        if game != self.engine.game() {
            self.engine = (self.factory)(game);
            self.position = AnyPosition::start(game);
            // No rule forbids the start.
            if self.position.set_rules(self.settings.rules).is_err() {
                self.settings.rules = Rules::DEFAULT;
            }
            self.network_due = true;
            self.equip();
        }
    }

    /// Sets the size of the table in MiB; it is made by the next [`EngineState::prepare`].
    pub fn set_hash(&mut self, mebibytes: usize) {
        self.hash_due |= mebibytes != self.settings.hash;
        self.settings.hash = mebibytes;
    }

    /// Sets the number of searching threads.
    pub fn set_threads(&mut self, threads: usize) {
        self.settings.threads = threads;
        self.engine.set_threads(threads);
    }

    /// Sets how many lines a search reports.
    pub fn set_multipv(&mut self, lines: usize) {
        self.settings.multipv = lines;
        self.engine.set_multipv(lines);
    }

    /// Changes settings that are looked up where they matter.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
    }

    /// Changes how to play and what to tell.
    pub fn change_search(&mut self, change: impl FnOnce(&mut SearchOptions)) {
        change(&mut self.settings.search);
        self.engine.set_options(self.settings.search);
    }

    /// Lets positions of the game that a network was made for be judged by it: the file says which game that is, and
    /// it need not be the one in play, so that games and files can be named in any order. Where `path` is empty, all
    /// games are judged by what the engine was built with.
    ///
    /// # Errors
    /// If the file cannot be read or is no network for any game; then the old ones stay.
    pub fn set_network(&mut self, path: &str) -> Result<(), SessionError> {
        self.network_due = true;
        if path.is_empty() {
            self.named_network = None;
            let current = self.engine.game();
            if self.networks.iter().any(|(game, _)| *game == current) {
                self.engine
                    .set_network(None)
                    .map_err(|error| SessionError::Network { path: path.to_owned(), error })?;
            }
            self.networks.clear();
            return Ok(());
        }
        self.named_network = Some((path.to_owned(), None));
        let bytes = files::read_beside(path, NetworkFile::LARGEST, &self.leave)
            .map_err(|error| SessionError::unreadable("EvalFile", path, error))?;
        let game = self
            .take_network(&bytes)
            .map_err(|error| SessionError::Network { path: path.to_owned(), error })?;
        self.networks.retain(|(known, _)| *known != game);
        self.networks.push((game, bytes));
        self.named_network = Some((path.to_owned(), Some(game)));
        Ok(())
    }

    /// Gives a network to the engine if it was made for the game in play. Returns the game it was made for.
    fn take_network(&mut self, bytes: &[u8]) -> Result<VariantId, NetworkError> {
        let refused = match self.engine.set_network(Some(bytes)) {
            Ok(()) => return Ok(self.engine.game()),
            Err(error) => error,
        };
        let made_for = match &refused {
            NetworkError::Game { found, .. } => VariantId::named(found),
            _ => None,
        };
        let Some(game) = made_for else { return Err(refused) };
        with_variant!(game, V => NetworkFile::from_bytes::<V>(bytes).map(|_| game))
    }

    /// What is to be said, once, of a file named by `EvalFile` that does not judge the game in play.
    pub fn stray_network(&mut self) -> Option<String> {
        let (path, made_for) = self.named_network.as_ref()?;
        let current = self.engine.game();
        if !std::mem::take(&mut self.network_due) || *made_for == Some(current) {
            return None;
        }
        let (found, kept) = match made_for {
            Some(game) => (format!("one for {game}"), ", which it is kept for"),
            None => ("none".to_owned(), ""),
        };
        let path = path.escape_default();
        Some(format!("EvalFile: expected a network for {current} in {path}, found {found}{kept}"))
    }

    /// Looks moves up in the book in this file: the book says which game it is for. Where `path` is empty or
    /// [`INTERNAL`](crate::book::INTERNAL), in those that the engine was built with.
    ///
    /// # Errors
    /// If the file cannot be read or is no book; then the old one stays.
    pub fn set_book(&mut self, path: &str) -> Result<(), SessionError> {
        self.books.open(path, &self.leave)
    }

    /// What is to be said, once, of a file named by `BookFile` that has no moves for the game in play.
    pub fn stray_book(&mut self) -> Option<String> {
        let game = self.engine.game();
        self.settings.book.on.then(|| self.books.stray(game)).flatten()
    }

    /// The move that the book has for a search of the position in play. It has none for analyses, for several lines,
    /// for a choice of moves, on the opponent's time, under switched rules, and for weaker players.
    pub fn book_move(&mut self, limits: &Limits) -> Option<FromBook> {
        let Settings { book, rules, multipv, search, .. } = &self.settings;
        let analysed = limits.infinite || limits.advice;
        let asked = analysed || limits.ponder || !limits.search_moves.is_empty();
        let weak = search.level < LEVELS.len() || search.limits_strength;
        if !book.on || asked || weak || *multipv > 1 || *rules != Rules::DEFAULT {
            return None;
        }
        self.books.find(&self.position, book)
    }

    /// Changes a rule switch.
    ///
    /// # Errors
    /// If the position in play is impossible under it; then nothing changes.
    pub fn change_rules(&mut self, change: impl FnOnce(&mut Rules)) -> Result<(), SetupError> {
        let mut rules = self.settings.rules;
        change(&mut rules);
        self.position.set_rules(rules)?;
        self.settings.rules = rules;
        Ok(())
    }
}
