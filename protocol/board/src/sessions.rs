//! The games in memory: each is found again by its name, and there are not too many.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use tokio::sync::{Mutex, broadcast, mpsc, oneshot};

use crate::config::Config;
use crate::session::{Input, Session};
use crate::store::{GameId, MOST_GAMES, Saved, Store};

/// How many inputs may wait for a session.
const WAITING: usize = 64;

/// The games in memory.
pub struct Sessions {
    config: Arc<Config>,
    store: Arc<Store>,
    open: Mutex<HashMap<GameId, mpsc::Sender<Input>>>,
}

/// A page's place at a session.
pub struct Seat {
    /// Where commands go.
    pub inputs: mpsc::Sender<Input>,
    /// The state when the page joined.
    pub state: Arc<str>,
    /// What everybody is told from then on.
    pub messages: broadcast::Receiver<Arc<str>>,
}

/// Why there is no seat.
#[derive(Debug)]
pub enum SeatError {
    /// There is no such game.
    Unknown,
    /// Too many games are in memory.
    Full(usize),
    /// Too many games are saved.
    TooMany,
    /// The game could not be read.
    Unreadable(io::Error),
}

impl SeatError {
    /// The reason in a word, for the page.
    #[must_use]
    pub fn why(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Full(_) | Self::TooMany => "full",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

impl std::fmt::Display for SeatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown => f.write_str("There is no such game any more."),
            Self::Full(most) => {
                write!(f, "At most {most} games can be open at once: close some pages first.")
            }
            Self::TooMany => {
                write!(f, "{MOST_GAMES} games are saved already: delete some first.")
            }
            Self::Unreadable(error) => write!(f, "The saved game cannot be read: {error}"),
        }
    }
}

impl std::error::Error for SeatError {}

impl Sessions {
    /// No games in memory yet.
    #[must_use]
    pub fn new(config: Arc<Config>, store: Arc<Store>) -> Self {
        Self { config, store, open: Mutex::new(HashMap::new()) }
    }

    /// The saved games.
    #[must_use]
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Opens a session for a new game.
    ///
    /// # Errors
    /// If there are too many, or the system has no random numbers.
    pub async fn create(&self, saved: Saved) -> Result<GameId, SeatError> {
        let ids = self.store.ids().map_err(SeatError::Unreadable)?;
        if ids.len() >= MOST_GAMES {
            return Err(SeatError::TooMany);
        }
        let id = GameId::random().map_err(SeatError::Unreadable)?;
        let mut open = self.open.lock().await;
        self.insert(&mut open, id.clone(), saved)?;
        Ok(id)
    }

    fn insert(
        &self,
        open: &mut HashMap<GameId, mpsc::Sender<Input>>,
        id: GameId,
        saved: Saved,
    ) -> Result<mpsc::Sender<Input>, SeatError> {
        open.retain(|_, inputs| !inputs.is_closed());
        if open.len() >= self.config.most_sessions {
            return Err(SeatError::Full(self.config.most_sessions));
        }
        let (sender, inputs) = mpsc::channel(WAITING);
        let (config, store) = (Arc::clone(&self.config), Arc::clone(&self.store));
        tokio::spawn(Session::new(id.clone(), saved, config, store).run(inputs));
        open.insert(id, sender.clone());
        Ok(sender)
    }

    /// A seat at a game, which is read from disk if it is not in memory.
    ///
    /// # Errors
    /// If there is no such game, it cannot be read, or too many are in memory.
    pub async fn join(&self, id: &GameId) -> Result<Seat, SeatError> {
        // A session can end between being found and being asked; then it is read anew.
        for _ in 0..5 {
            let inputs = self.find(id).await?;
            let (answer, seat) = oneshot::channel();
            if inputs.send(Input::Join(answer)).await.is_ok()
                && let Ok((state, messages)) = seat.await
            {
                return Ok(Seat { inputs, state, messages });
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        Err(SeatError::Unknown)
    }

    async fn find(&self, id: &GameId) -> Result<mpsc::Sender<Input>, SeatError> {
        let mut open = self.open.lock().await;
        if let Some(inputs) = open.get(id).filter(|inputs| !inputs.is_closed()) {
            return Ok(inputs.clone());
        }
        let saved = self.store.load(id).map_err(SeatError::Unreadable)?;
        self.insert(&mut open, id.clone(), saved.ok_or(SeatError::Unknown)?)
    }

    /// Deletes a saved game that nobody has open.
    ///
    /// # Errors
    /// If it is open, or deleting fails.
    pub async fn delete(&self, id: &GameId) -> io::Result<()> {
        let open = self.open.lock().await;
        if open.get(id).is_some_and(|inputs| !inputs.is_closed()) {
            return Err(io::Error::other("The game is open: close its pages and wait a minute."));
        }
        self.store.delete(id)
    }
}
