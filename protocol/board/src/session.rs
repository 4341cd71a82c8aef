//! The driver of a table: one task a game. It feeds the table commands of pages, lines of engines and the time, and
//! does what the table asks for, one thing after the other.
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use kujira_table::message::{Command, Message};
use kujira_table::{
    EngineCommand, EngineEvent, EngineId, GameId, Millis, Output, PageId, Resources, Saved, Table,
};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::Instant;

use crate::config::Config;
use crate::engine::{Event, Process};
use crate::store::Store;

/// How many messages may wait for a page before it gets the whole state instead.
const UNREAD: usize = 64;

/// How many lines of engines may wait before the engines do.
const UNHEARD: usize = 256;

/// Whom a message is for.
#[derive(Clone, Debug)]
pub enum Audience {
    /// One page, whatever it knows.
    Page(PageId),
    /// Those of these pages that know the state, to which it adds.
    Pages(Arc<[PageId]>),
    /// All pages that know the state.
    All,
}

/// A message as it is sent.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Whom it is for.
    pub audience: Audience,
    /// Whether it is the whole state.
    pub whole: bool,
    /// The message.
    pub text: Arc<str>,
}

/// What a session is told.
pub enum Input {
    /// A page joins: answered with its messages, the state first.
    Join(PageId, oneshot::Sender<broadcast::Receiver<Outgoing>>),
    /// A page leaves.
    Leave(PageId),
    /// A page asks for something.
    Command(PageId, Command),
    /// Asks since when the game has had no page, if it has none.
    AloneSince(oneshot::Sender<Option<Instant>>),
    /// Asks the game to leave memory if it has no page; answered by whether it does.
    Rest(oneshot::Sender<bool>),
    /// The server ends.
    Close,
}

/// A message as it is sent.
#[must_use]
pub fn text(message: &Message) -> Arc<str> {
    serde_json::to_string(message).unwrap_or_default().into()
}

/// The driver of a table.
pub struct Session {
    table: Table,
    /// When the table's time was 0.
    start: Instant,
    wake: Option<Millis>,
    id: GameId,
    config: Arc<Config>,
    /// Where the game is kept; one that is not kept ends with this session.
    store: Option<Arc<Store>>,
    audience: broadcast::Sender<Outgoing>,
    engines: HashMap<EngineId, Process>,
    sink: mpsc::Sender<(EngineId, Event)>,
    events: mpsc::Receiver<(EngineId, Event)>,
}

impl Session {
    /// A session for a game.
    #[must_use]
    pub fn new(id: GameId, saved: Saved, config: Arc<Config>, store: Option<Arc<Store>>) -> Self {
        let (sink, events) = mpsc::channel(UNHEARD);
        let table = kujira_table::Config {
            timeouts: config.timeouts,
            resources: Resources::USUAL.within(config.most),
            most: config.most,
            // Its file is there before there is a session.
            kept: true,
            ..kujira_table::Config::new(id.clone(), config.levels.clone())
        };
        Self {
            table: Table::new(saved, table, 0),
            start: Instant::now(),
            wake: None,
            id,
            config,
            store,
            audience: broadcast::Sender::new(UNREAD),
            engines: HashMap::new(),
            sink,
            events,
        }
    }

    /// Runs the session until the game has had no page for a while, or the server ends. A game that is no different
    /// from a new one is deleted when its last page has left.
    pub async fn run(mut self, mut inputs: mpsc::Receiver<Input>) {
        self.obey().await;
        let left = loop {
            if self.idle() {
                break true;
            }
            let wake = self.wake();
            tokio::select! {
                input = inputs.recv() => match input {
                    Some(Input::Join(page, seat)) => self.seat(page, seat),
                    Some(Input::Leave(page)) => self.table.leave(page, self.now()),
                    Some(Input::Command(page, command)) => {
                        self.table.command(page, command, self.now());
                    }
                    Some(Input::AloneSince(answer)) => {
                        let _ = answer.send(self.alone_since());
                    }
                    Some(Input::Rest(answer)) => {
                        let alone = self.table.alone_since().is_some();
                        let _ = answer.send(alone);
                        if alone {
                            break true;
                        }
                    }
                    Some(Input::Close) | None => break false,
                },
                event = self.events.recv() => {
                    if let Some((engine, event)) = event {
                        self.hear(engine, &event);
                    }
                },
                () = wake => self.table.wake(self.now()),
            }
            self.obey().await;
        };
        self.table.close(self.now());
        self.obey().await;
        if left
            && !self.table.worth_keeping()
            && let Some(store) = self.store
        {
            let id = self.id;
            // One that cannot be deleted stays in the list.
            let _ = blocking(move || store.delete(&id)).await;
        }
    }

    fn now(&self) -> Millis {
        Millis::try_from(self.start.elapsed().as_millis()).unwrap_or(Millis::MAX)
    }

    fn alone_since(&self) -> Option<Instant> {
        self.start.checked_add(Duration::from_millis(self.table.alone_since()?))
    }

    /// When the game leaves the memory, if nobody comes.
    fn end(&self) -> Option<Millis> {
        let idle = Millis::try_from(self.config.idle.as_millis()).unwrap_or(Millis::MAX);
        self.table.alone_since().map(|since| since.saturating_add(idle))
    }

    fn idle(&self) -> bool {
        self.end().is_some_and(|end| end <= self.now())
    }

    /// Waits until the table is to be woken, or the game leaves memory.
    fn wake(&self) -> impl Future<Output = ()> + use<> {
        let at = [self.wake, self.end()].into_iter().flatten().min();
        let at = at.and_then(|at| self.start.checked_add(Duration::from_millis(at)));
        async move {
            match at {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        }
    }

    fn seat(&mut self, page: PageId, seat: oneshot::Sender<broadcast::Receiver<Outgoing>>) {
        if seat.send(self.audience.subscribe()).is_ok() {
            self.table.join(page, self.now());
        }
    }

    fn hear(&mut self, engine: EngineId, event: &Event) {
        let event = match event {
            Event::Line(line) => EngineEvent::Line(line),
            Event::Closed(complaint) => EngineEvent::Ended(complaint),
        };
        self.table.engine(engine, event, self.now());
    }

    /// Does what the table says.
    async fn obey(&mut self) {
        while let Some(output) = self.table.next_output() {
            match output {
                Output::ToPage(page, message) => self.tell(Audience::Page(page), &message),
                Output::ToPages(pages, message) => {
                    self.tell(Audience::Pages(pages.into()), &message);
                }
                Output::ToAll(message) => self.tell(Audience::All, &message),
                Output::Engine(engine, command) => self.order(engine, command),
                Output::Keep => {
                    let result = self.keep().await.map_err(|error| error.to_string());
                    self.table.kept(result, self.now());
                }
                Output::WakeAt(at) => self.wake = at,
            }
        }
    }

    fn tell(&self, audience: Audience, message: &Message) {
        let whole = matches!(message, Message::State(_));
        // There may be no page any more.
        let _ = self.audience.send(Outgoing { audience, whole, text: text(message) });
    }

    fn order(&mut self, engine: EngineId, command: EngineCommand) {
        match command {
            EngineCommand::Start => {
                let wrap = move |event| (engine, event);
                let launch = &self.config.engine;
                match Process::start(launch, self.sink.clone(), wrap) {
                    Ok(process) => {
                        self.engines.insert(engine, process);
                        self.table.engine(engine, EngineEvent::Started, self.now());
                    }
                    Err(error) => {
                        let program = launch.program.display();
                        let why = format!("{program} could not be started: {error}");
                        self.table.engine(engine, EngineEvent::NotStarted(&why), self.now());
                    }
                }
            }
            EngineCommand::Send(line) => {
                if !self.engines.get(&engine).is_some_and(|process| process.send(&line)) {
                    self.table.engine(engine, EngineEvent::Silent, self.now());
                }
            }
            EngineCommand::Quit => {
                if let Some(process) = self.engines.remove(&engine) {
                    process.quit();
                }
            }
            // It is killed as it is dropped.
            EngineCommand::Kill => drop(self.engines.remove(&engine)),
        }
    }

    async fn keep(&self) -> io::Result<()> {
        let Some(store) = self.store.clone() else { return Ok(()) };
        let id = self.id.clone();
        let json = self.table.saved().to_json().map_err(io::Error::other)?;
        blocking(move || store.write(&id, &json)).await
    }
}

/// Runs work that may wait for the disk.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}
