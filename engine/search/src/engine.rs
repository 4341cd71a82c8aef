//! An engine for a game that is chosen at run time: the only dynamic dispatch, one virtual call a command.

use kujira_position::{
    AnyPosition, IllegalMove, Leaves, Position, Variant, VariantId, with_variant,
};

use crate::answer::{Analysis, BenchError, BenchReport, HashError};
use crate::bench::BenchLimit;
use crate::eval::NetworkError;
use crate::limits::Limits;
use crate::mate::MateReport;
use crate::options::SearchOptions;
use crate::perft::{self, PerftReport};
use crate::report::{Reporter, Score};
use crate::searcher::Searcher;
use crate::system::Control;

/// Why a search did not begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The position is one of another game than the engine's.
    #[error("expected a position of {expected}, found one of {found}")]
    Game {
        /// The game of the engine.
        expected: VariantId,
        /// The game of the position.
        found: VariantId,
    },
    /// A move to choose among is not legal.
    #[error("search moves: {0}")]
    Move(#[from] IllegalMove),
}

/// An engine for one game that is chosen at run time: a [`Searcher`] behind a pointer. [`engine`] makes one.
pub trait Engine: Send {
    /// The game that is played.
    fn game(&self) -> VariantId;
    /// As [`Searcher::new_game`].
    fn new_game(&mut self);
    /// As [`Searcher::set_network`].
    ///
    /// # Errors
    /// If the bytes are no network for the game; then the old one stays.
    fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetworkError>;
    /// As [`Searcher::set_hash`].
    ///
    /// # Errors
    /// If there is no memory for it.
    fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError>;
    /// As [`Searcher::clear_hash`].
    fn clear_hash(&mut self);
    /// As [`Searcher::set_threads`].
    fn set_threads(&mut self, threads: usize);
    /// As [`Searcher::set_multipv`].
    fn set_multipv(&mut self, lines: usize);
    /// As [`Searcher::set_options`].
    fn set_options(&mut self, options: SearchOptions);
    /// As [`Searcher::search`].
    ///
    /// # Errors
    /// If the position is one of another game, or a move to choose among is not legal.
    fn search(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<Analysis, SearchError>;
    /// As [`Searcher::mate`].
    ///
    /// # Errors
    /// As [`Engine::search`].
    fn mate(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<MateReport, SearchError>;
    /// As [`Searcher::explain`].
    ///
    /// # Errors
    /// If the position is one of another game.
    fn explain(&self, position: &AnyPosition) -> Result<String, SearchError>;
    /// As [`Searcher::evaluate`].
    ///
    /// # Errors
    /// If a position is one of another game.
    fn evaluate(&self, positions: &[&AnyPosition]) -> Result<Vec<Score>, SearchError>;
    /// As [`perft::count`].
    fn perft(
        &self,
        position: &AnyPosition,
        depth: u32,
        leaves: Leaves,
        threads: usize,
        control: &Control,
    ) -> Option<PerftReport> {
        perft::count(position, depth, leaves, threads, control)
    }
    /// As [`Searcher::bench`].
    ///
    /// # Errors
    /// If `control` stopped it, or there is no memory for the table.
    fn bench(
        &self,
        limit: BenchLimit,
        threads: usize,
        mebibytes: usize,
        control: &Control,
    ) -> Result<BenchReport, BenchError>;
}

/// An engine for `game`.
///
/// ```
/// use kujira_position::{AnyPosition, VariantId};
/// use kujira_search::{Control, Limits, Silent, engine};
///
/// let position = AnyPosition::from_sfen(VariantId::Whale, "5w/3K2/5W/6/6/6 b - 1").unwrap();
/// let limits = Limits { depth: Some(3), ..Limits::default() };
/// let found = engine(VariantId::Whale).search(&position, &limits, &Control::new(), &Silent)?;
/// assert_eq!(found.best().map(|m| position.usi(m)).as_deref(), Some("3b2b"));
/// # Ok::<(), kujira_search::SearchError>(())
/// ```
#[must_use]
pub fn engine(game: VariantId) -> Box<dyn Engine> {
    with_variant!(game, V => Box::new(Searcher::<V>::new()))
}

/// The position, which has to be one of `V`.
fn typed<V: Variant>(position: &AnyPosition) -> Result<&Position<V>, SearchError> {
    let wrong = || SearchError::Game { expected: V::ID, found: position.game() };
    Position::of(position).ok_or_else(wrong)
}

impl<V: Variant> Engine for Searcher<V> {
    fn game(&self) -> VariantId {
        V::ID
    }

    fn new_game(&mut self) {
        self.new_game();
    }

    fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetworkError> {
        self.set_network(file)
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError> {
        self.set_hash(mebibytes)
    }

    fn clear_hash(&mut self) {
        self.clear_hash();
    }

    fn set_threads(&mut self, threads: usize) {
        self.set_threads(threads);
    }

    fn set_multipv(&mut self, lines: usize) {
        self.set_multipv(lines);
    }

    fn set_options(&mut self, options: SearchOptions) {
        self.set_options(options);
    }

    fn search(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<Analysis, SearchError> {
        Ok(self.search(typed(position)?, limits, control, reporter)?)
    }

    fn mate(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<MateReport, SearchError> {
        Ok(self.mate(typed(position)?, limits, control, reporter)?)
    }

    fn explain(&self, position: &AnyPosition) -> Result<String, SearchError> {
        Ok(self.explain(typed(position)?))
    }

    fn evaluate(&self, positions: &[&AnyPosition]) -> Result<Vec<Score>, SearchError> {
        let typed: Vec<_> =
            positions.iter().map(|position| typed(position)).collect::<Result<_, _>>()?;
        Ok(self.evaluate(typed))
    }

    fn bench(
        &self,
        limit: BenchLimit,
        threads: usize,
        mebibytes: usize,
        control: &Control,
    ) -> Result<BenchReport, BenchError> {
        self.bench(limit, threads, mebibytes, control)
    }
}
