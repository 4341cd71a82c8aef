//! The games in memory: each is found again by its name, and there are not too many.
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kujira_table::message::Command;
use kujira_table::{GameId, PageId, Saved};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::{Mutex, oneshot};
use tokio::time::timeout;

use crate::config::Config;
use crate::session::{Audience, Input, Outgoing, Session, blocking};
use crate::store::{MOST_GAMES, Store, random_id};

/// How many inputs may wait for a session.
const WAITING: usize = 64;
/// How long a session may take to answer, and to leave the memory.
const REST: Duration = Duration::from_secs(1);

/// The games in memory.
pub struct Sessions {
    config: Arc<Config>,
    store: Arc<Store>,
    open: Mutex<HashMap<GameId, mpsc::Sender<Input>>>,
    /// How many pages there were.
    pages: AtomicU64,
}

/// A page's place at a session, which it leaves when this is dropped.
pub struct Seat {
    page: PageId,
    inputs: mpsc::Sender<Input>,
    messages: broadcast::Receiver<Outgoing>,
    /// Whether it has been told the whole state, and all that was said since.
    informed: bool,
    /// Whether messages were missed and the whole state is not asked for yet.
    behind: bool,
}

impl Seat {
    /// The next message for this page, the state first; `None` if the session has ended. A page that was too slow
    /// misses messages and then gets the whole state. Dropping this future loses nothing.
    pub async fn next(&mut self) -> Option<Arc<str>> {
        loop {
            if self.behind {
                self.ask(Command::State).await?;
                self.behind = false;
            }
            match self.messages.recv().await {
                Ok(told) => {
                    let mine = match &told.audience {
                        Audience::Page(page) => *page == self.page,
                        Audience::Pages(pages) => self.informed && pages.contains(&self.page),
                        Audience::All => self.informed,
                    };
                    if mine {
                        self.informed |= told.whole;
                        return Some(told.text);
                    }
                }
                Err(RecvError::Lagged(_)) => {
                    (self.behind, self.informed) = (true, false);
                    // Waiting messages are older than the state to come: they are dropped.
                    self.messages = self.messages.resubscribe();
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Asks for something; `None` if the session has ended.
    pub async fn ask(&self, command: Command) -> Option<()> {
        self.inputs.send(Input::Command(self.page, command)).await.ok()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let leave = Input::Leave(self.page);
        if let Err(TrySendError::Full(leave)) = self.inputs.try_send(leave) {
            let inputs = self.inputs.clone();
            // A session that has ended needs no notice.
            tokio::spawn(async move { inputs.send(leave).await });
        }
    }
}

/// Why there is no seat.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// There is no such game.
    #[error("There is no such game any more.")]
    Unknown,
    /// Too many games are in memory.
    #[error("At most {0} games can be open at once: close some pages first.")]
    Full(usize),
    /// Too many games are saved.
    #[error("{MOST_GAMES} games are saved already: delete some first.")]
    TooMany,
    /// The game could not be read.
    #[error("The saved game cannot be read: {0}")]
    Unreadable(io::Error),
    /// The new game could not be written.
    #[error("The game could not be saved: {0}")]
    Unwritten(io::Error),
}

impl SeatError {
    /// The reason in a word, for the page.
    #[must_use]
    pub fn why(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Full(_) => "full",
            Self::TooMany => "crowded",
            Self::Unreadable(_) => "unreadable",
            Self::Unwritten(_) => "unwritten",
        }
    }
}

/// Lets a game leave memory if it has no page; returns whether it has.
async fn rests(inputs: &mpsc::Sender<Input>) -> bool {
    let (answer, leaves) = oneshot::channel();
    // A session that has ended meanwhile does not answer.
    let _ = inputs.try_send(Input::Rest(answer));
    let left = async {
        let leaves = leaves.await.unwrap_or(true);
        if leaves {
            inputs.closed().await;
        }
        leaves
    };
    timeout(REST, left).await.unwrap_or(false)
}

impl Sessions {
    /// No games in memory yet.
    #[must_use]
    pub fn new(config: Arc<Config>, store: Arc<Store>) -> Self {
        Self { config, store, open: Mutex::new(HashMap::new()), pages: AtomicU64::new(0) }
    }

    /// The saved games.
    #[must_use]
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Opens a session for a new game, which is on disk when its name is given.
    ///
    /// # Errors
    /// If there are too many, it cannot be written, or the system has no random numbers.
    pub async fn create(&self, saved: Saved) -> Result<GameId, SeatError> {
        let id = random_id().map_err(SeatError::Unwritten)?;
        let json =
            saved.to_json().map_err(|error| SeatError::Unwritten(io::Error::other(error)))?;
        let mut open = self.open.lock().await;
        self.make_room(&mut open).await?;
        let (store, name) = (Arc::clone(&self.store), id.clone());
        let written = blocking(move || {
            let room = store.ids()?.len() < MOST_GAMES;
            if room {
                store.write(&name, &json)?;
            }
            Ok(room)
        });
        if !written.await.map_err(SeatError::Unwritten)? {
            return Err(SeatError::TooMany);
        }
        self.insert(&mut open, id.clone(), saved, Some(Arc::clone(&self.store)));
        Ok(id)
    }

    /// Opens a session for a new game that is on no disk and gone with the session.
    ///
    /// # Errors
    /// If there are too many, or the system has no random numbers.
    pub async fn create_fleeting(&self, saved: Saved) -> Result<GameId, SeatError> {
        let id = random_id().map_err(SeatError::Unwritten)?;
        let mut open = self.open.lock().await;
        self.make_room(&mut open).await?;
        self.insert(&mut open, id.clone(), saved, None);
        Ok(id)
    }

    /// Makes room for one more game in memory: if there is none, the game that has been without a page for longest
    /// leaves.
    async fn make_room(
        &self,
        open: &mut HashMap<GameId, mpsc::Sender<Input>>,
    ) -> Result<(), SeatError> {
        open.retain(|_, inputs| !inputs.is_closed());
        if open.len() < self.config.most_sessions {
            return Ok(());
        }
        let answers: Vec<_> = open
            .values()
            .filter_map(|inputs| {
                let (answer, since) = oneshot::channel();
                // A session whose queue is full is not idle.
                inputs.try_send(Input::AloneSince(answer)).ok().map(|()| (inputs.clone(), since))
            })
            .collect();
        let mut alone = Vec::new();
        let _ = timeout(REST, async {
            for (inputs, since) in answers {
                if let Ok(Some(since)) = since.await {
                    alone.push((since, inputs));
                }
            }
        })
        .await;
        // A game just begun, or reloaded, gets its page in a moment.
        alone.retain(|(since, _)| since.elapsed() >= self.config.coming);
        let longest = alone.into_iter().min_by_key(|&(since, _)| since);
        match longest {
            Some((_, inputs)) if rests(&inputs).await => {
                open.retain(|_, inputs| !inputs.is_closed());
                Ok(())
            }
            _ => Err(SeatError::Full(self.config.most_sessions)),
        }
    }

    fn insert(
        &self,
        open: &mut HashMap<GameId, mpsc::Sender<Input>>,
        id: GameId,
        saved: Saved,
        store: Option<Arc<Store>>,
    ) -> mpsc::Sender<Input> {
        let (sender, inputs) = mpsc::channel(WAITING);
        let config = Arc::clone(&self.config);
        tokio::spawn(Session::new(id.clone(), saved, config, store).run(inputs));
        open.insert(id, sender.clone());
        sender
    }

    /// A seat at a game, which is read from disk if it is not in memory.
    ///
    /// # Errors
    /// If there is no such game, it cannot be read, or too many are in memory.
    pub async fn join(&self, id: &GameId) -> Result<Seat, SeatError> {
        // A session can end before it is asked; then the game is read again.
        for _ in 0..5 {
            let inputs = self.find(id).await?;
            let page = PageId(self.pages.fetch_add(1, Ordering::Relaxed));
            let (answer, messages) = oneshot::channel();
            if inputs.send(Input::Join(page, answer)).await.is_ok()
                && let Ok(messages) = messages.await
            {
                return Ok(Seat { page, inputs, messages, informed: false, behind: false });
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err(SeatError::Unknown)
    }

    async fn find(&self, id: &GameId) -> Result<mpsc::Sender<Input>, SeatError> {
        let mut open = self.open.lock().await;
        if let Some(inputs) = open.get(id).filter(|inputs| !inputs.is_closed()) {
            return Ok(inputs.clone());
        }
        let (store, name) = (Arc::clone(&self.store), id.clone());
        let saved = blocking(move || store.load(&name)).await.map_err(SeatError::Unreadable)?;
        let saved = saved.ok_or(SeatError::Unknown)?;
        self.make_room(&mut open).await?;
        Ok(self.insert(&mut open, id.clone(), saved, Some(Arc::clone(&self.store))))
    }

    /// Deletes a saved game that nobody has open.
    ///
    /// # Errors
    /// If it is open, or deleting fails.
    pub async fn delete(&self, id: &GameId) -> io::Result<()> {
        let open = self.open.lock().await;
        if let Some(inputs) = open.get(id)
            && !rests(inputs).await
        {
            return Err(io::Error::other("The game is open: close its pages first."));
        }
        let (store, name) = (Arc::clone(&self.store), id.clone());
        blocking(move || store.delete(&name)).await
    }

    /// Ends all sessions: when this returns each has saved what it still had, and its engines are ended.
    pub async fn close(&self) {
        let open = self.open.lock().await;
        for inputs in open.values() {
            // A session that has ended meanwhile has saved everything.
            let _ = inputs.send(Input::Close).await;
        }
        for inputs in open.values() {
            inputs.closed().await;
        }
    }
}
