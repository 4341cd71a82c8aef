//! A driver without sockets, processes and files: what happens waits in a queue, and time is a number.

use std::collections::{BTreeMap, BTreeSet};

use kujira_table::message::{Change, Command, Message, NewGame, NodeView, State};
use kujira_table::{
    Config, EngineCommand, EngineId, GameId, Level, Levels, Limit, Millis, Output, PageId, Player,
    Role, Saved, Table, new_game,
};
use serde_json::{Value, json};

use crate::declared;
use crate::engine::{Engine, Event, Script};

pub const SECOND: Millis = 1000;
pub const HOUR: Millis = 3600 * SECOND;

/// The page of most tests.
pub const PAGE: PageId = PageId(1);

/// Where time begins: nothing may hang on its being 0.
pub const START: Millis = 1_000_000_007;

pub const ENGINE: Player = Player::Engine { level: 2 };
pub const WEAK: Player = Player::Engine { level: 1 };

pub fn levels() -> Levels {
    let weak = Limit { depth: Some(1), nodes: Some(1_000) };
    let level = |name, elo, limit| Level { name, elo: Some(elo), limit };
    Levels::new([level("krill", 400, weak), level("whale", 4000, Limit::NONE)])
}

/// A new game between two people, with some fields of its request changed.
pub fn request(variant: &str, changes: Value) -> NewGame {
    let human = json!({"kind": "human"});
    let mut request = json!({"variant": variant, "players": [human, human]});
    for (name, value) in changes.as_object().expect("fields") {
        request[name] = value.clone();
    }
    serde_json::from_value(request).expect("a request")
}

/// What a record of the room holds.
#[derive(Debug)]
pub enum Entry {
    ToPage(PageId, Message),
    ToPages(Vec<PageId>, Message),
    ToAll(Message),
    Sent(EngineId, String),
    Kept(Box<Saved>),
}

/// A table, engines, pages, and what happens next.
pub struct Room {
    pub table: Table,
    pub now: Millis,
    /// How engines behave that are started from now on, by role.
    pub scripts: BTreeMap<Role, Script>,
    pub engines: BTreeMap<EngineId, Engine>,
    started: BTreeSet<EngineId>,
    /// Everything that was put out, with its time.
    pub record: Vec<(Millis, Entry)>,
    /// What comes of keeping.
    pub keeping: Result<(), String>,
    queue: BTreeMap<(Millis, u64), (EngineId, Option<u64>, Event)>,
    number: u64,
    /// How many things have happened at this time.
    steps: usize,
    wake: Option<Millis>,
    /// What each page that looks on shows: the state it was told, with the changes since.
    pages: BTreeMap<PageId, Option<State>>,
    /// What was told last of the state, to anybody.
    shown: Option<State>,
    last_kept: Option<Box<Saved>>,
}

impl Room {
    /// A room for a new game; nobody looks on yet.
    pub fn empty(request: &NewGame) -> Self {
        Self::open(new_game(request, &levels()).expect("a game").saved, false)
    }

    /// A room for a new game, with a page.
    pub fn new(request: &NewGame) -> Self {
        let mut room = Self::empty(request);
        room.join(PAGE);
        room
    }

    /// A room for a game that is made or was kept.
    pub fn open(saved: Saved, kept: bool) -> Self {
        let config = Config { kept, ..Config::new(GameId::from_bytes([7; 12]), levels()) };
        let last_kept = kept.then(|| Box::new(saved.clone()));
        let mut room = Self {
            table: Table::new(saved, config, START),
            now: START,
            scripts: BTreeMap::new(),
            engines: BTreeMap::new(),
            started: BTreeSet::new(),
            record: Vec::new(),
            keeping: Ok(()),
            queue: BTreeMap::new(),
            number: 0,
            steps: 0,
            wake: None,
            pages: BTreeMap::new(),
            shown: None,
            last_kept,
        };
        room.obey();
        room
    }

    /// The room with engines of one kind, also where one is being started.
    pub fn with(mut self, script: Script) -> Self {
        for (number, engine) in self.engines.values_mut().enumerate() {
            *engine = Engine::new(script.clone(), number as u64);
        }
        self.scripts.insert(Role::Player, script.clone());
        self.scripts.insert(Role::Analyst, script);
        self
    }

    pub fn join(&mut self, page: PageId) {
        self.pages.entry(page).or_default();
        self.table.join(page, self.now);
        self.obey();
    }

    pub fn leave(&mut self, page: PageId) {
        self.pages.remove(&page);
        self.table.leave(page, self.now);
        self.obey();
    }

    pub fn command(&mut self, command: Command) {
        self.command_of(PAGE, command);
    }

    pub fn command_of(&mut self, page: PageId, command: Command) {
        self.table.command(page, command, self.now);
        self.obey();
    }

    /// Asks for something, as JSON; what comes of it must not be an error.
    pub fn ask(&mut self, command: Value) {
        self.ask_of(PAGE, command);
    }

    /// The same for another page.
    pub fn ask_of(&mut self, page: PageId, command: Value) {
        let before = self.record.len();
        self.command_of(page, serde_json::from_value(command.clone()).expect("a command"));
        let error = self.record[before..].iter().find_map(|(_, entry)| match entry {
            Entry::ToPage(_, Message::Error { text }) => Some(text),
            _ => None,
        });
        assert_eq!(error, None, "{command}");
    }

    /// Asks for something that cannot be done; returns why.
    pub fn refused(&mut self, command: Value) -> String {
        self.command(serde_json::from_value(command.clone()).expect("a command"));
        match self.record.last() {
            Some((_, Entry::ToPage(PAGE, Message::Error { text }))) => text.clone(),
            other => panic!("{command} must be refused, found {other:?}"),
        }
    }

    /// Asks for something that only the page that asks is told.
    pub fn answer(&mut self, command: Value) -> Message {
        self.command(serde_json::from_value(command.clone()).expect("a command"));
        match self.record.last() {
            Some((_, Entry::ToPage(PAGE, message))) => message.clone(),
            other => panic!("{command} must be answered, found {other:?}"),
        }
    }

    /// Plays moves, each where the last has led.
    pub fn play(&mut self, moves: &[&str]) {
        self.play_of(PAGE, moves);
    }

    /// The same for another page.
    pub fn play_of(&mut self, page: PageId, moves: &[&str]) {
        for usi in moves {
            let at = self.looks_at(page);
            self.ask_of(page, json!({"type": "play", "at": at, "usi": usi}));
        }
    }

    /// The node that a page shows.
    pub fn looks_at(&self, page: PageId) -> usize {
        self.view(page).shown.current
    }

    /// Something happens to an engine now.
    pub fn engine(&mut self, engine: EngineId, event: &Event) {
        self.table.engine(engine, event.as_told(), self.now);
        self.obey();
    }

    pub fn close(&mut self) {
        self.table.close(self.now);
        self.obey();
        assert!(self.engines.is_empty(), "no engine is left behind");
    }

    /// Strikes everything from the record.
    pub fn forget(&mut self) {
        self.record.clear();
    }

    /// The next time at which something happens.
    fn next(&self) -> Option<Millis> {
        let queued = self.queue.keys().next().map(|&(time, _)| time);
        [queued, self.wake].into_iter().flatten().min()
    }

    /// Lets the next thing happen, if it happens by `end`.
    fn step(&mut self, end: Millis) -> bool {
        let Some(time) = self.next().filter(|&time| time <= end) else { return false };
        self.steps = if time > self.now { 0 } else { self.steps + 1 };
        assert!(self.steps < 20_000, "time stands still: {:?}", self.record.last());
        self.now = self.now.max(time);
        match self.queue.first_key_value() {
            Some((&(time, _), _)) if time <= self.now => {
                let ((..), (engine, search, event)) = self.queue.pop_first().expect("it is there");
                self.happen(engine, search, &event);
            }
            _ => {
                self.table.wake(self.now);
                self.obey();
                assert!(self.wake.is_none_or(|wake| wake > self.now), "it would be woken for ever");
            }
        }
        true
    }

    fn happen(&mut self, engine: EngineId, search: Option<u64>, event: &Event) {
        // What an engine said before it ended is under way still, and the table must not heed it.
        if let Some(running) = self.engines.get_mut(&engine) {
            if search.is_some_and(|search| search != running.search) {
                return;
            }
            if matches!(event, Event::Line(text) if text.starts_with("bestmove")) {
                running.finished();
            }
            if *event == Event::Started && !running.starts() {
                let why = "it could not be started: no such file".to_owned();
                return self.engine(engine, &Event::NotStarted(why));
            }
        }
        if *event == Event::Started {
            self.started.insert(engine);
        }
        self.engine(engine, event);
    }

    /// Lets time pass.
    pub fn pass(&mut self, time: Millis) {
        let end = self.now + time;
        while self.step(end) {}
        self.now = end;
    }

    /// Lets time pass until something holds, for a day at most.
    pub fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let end = self.now + 24 * HOUR;
        while !holds(self) {
            assert!(self.step(end), "{what}: it did not happen");
        }
    }

    fn later(&mut self, delay: Millis, engine: EngineId, search: Option<u64>, event: Event) {
        self.number += 1;
        self.queue.insert((self.now + delay, self.number), (engine, search, event));
    }

    /// Does what the table says.
    fn obey(&mut self) {
        while let Some(output) = self.table.next_output() {
            match output {
                Output::ToPage(page, message) => {
                    check_message(&message);
                    if let Message::State(state) = &message {
                        self.check_kept(state);
                        self.shown = Some(State::clone(state));
                        if let Some(shows) = self.pages.get_mut(&page) {
                            *shows = Some(State::clone(state));
                        }
                    }
                    self.write(Entry::ToPage(page, message));
                }
                Output::ToPages(pages, message) => {
                    assert!(!pages.is_empty(), "nobody is told anything");
                    check_message(&message);
                    let Message::Change(change) = &message else { panic!("{message:?} to some") };
                    self.change(&pages, change);
                    self.write(Entry::ToPages(pages, message));
                }
                Output::ToAll(message) => {
                    assert!(!self.pages.is_empty(), "nobody is told anything");
                    check_message(&message);
                    let adds = matches!(message, Message::State(_) | Message::Change(_));
                    assert!(!adds, "each page has a view of its own");
                    self.write(Entry::ToAll(message));
                }
                Output::Engine(engine, command) => self.order(engine, command),
                Output::Keep => {
                    let saved = Box::new(self.table.saved().clone());
                    self.last_kept = Some(saved.clone());
                    self.write(Entry::Kept(saved));
                    self.table.kept(self.keeping.clone(), self.now);
                }
                Output::WakeAt(at) => self.wake = at,
            }
        }
    }

    fn write(&mut self, entry: Entry) {
        self.record.push((self.now, entry));
    }

    fn order(&mut self, engine: EngineId, command: EngineCommand) {
        match command {
            EngineCommand::Start => {
                let script = self.scripts.get(&engine.role()).cloned().unwrap_or_default();
                let mut running: Vec<_> = self.engines.keys().map(|id| id.role()).collect();
                running.retain(|&role| role == engine.role());
                assert!(running.is_empty(), "one engine a role");
                self.number += 1;
                assert!(self.engines.insert(engine, Engine::new(script, self.number)).is_none());
                self.later(3, engine, None, Event::Started);
            }
            EngineCommand::Send(text) => {
                assert!(self.started.contains(&engine), "{text} to an engine that has started");
                assert!(!text.contains(['\n', '\r']), "one line: {text:?}");
                let running = self.engines.get_mut(&engine).expect("an engine that runs");
                let hears = running.hears();
                let events = if hears { running.hear(&text) } else { Vec::new() };
                self.write(Entry::Sent(engine, text));
                if !hears {
                    self.later(0, engine, None, Event::Silent);
                }
                for (delay, search, event) in events {
                    self.later(delay, engine, search, event);
                }
            }
            EngineCommand::Quit | EngineCommand::Kill => {
                assert!(self.engines.remove(&engine).is_some(), "an engine that runs");
            }
        }
    }

    /// Pages take a change in: they show nothing then that is not kept.
    fn change(&mut self, pages: &[PageId], change: &Change) {
        for page in pages {
            let state = self.pages.get_mut(page).expect("a page that looks on");
            let state = state.as_mut().expect("a page is told the state first");
            apply(state, change);
            let state = state.clone();
            self.check_kept(&state);
            self.shown = Some(state);
        }
    }

    /// What every page shows is what it would be told if it asked for all of it.
    pub fn check_pages(&mut self) {
        for (page, shows) in self.pages.clone() {
            self.command_of(page, Command::State);
            let shows = shows.expect("a page is told the state");
            assert_eq!(comparable(&shows), comparable(self.view(page)), "{page:?}");
        }
    }

    /// What everybody is shown has been kept: a driver that obeys in order loses nothing that was seen.
    fn check_kept(&self, state: &State) {
        let Some(kept) = &self.last_kept else {
            assert_eq!(state.nodes.len(), 1, "moves are kept");
            return;
        };
        assert_eq!(kept.game.reachable().len(), state.nodes.len(), "every move shown is kept");
        assert_eq!(kept.playing, state.now.playing);
        let usi = |node| self.table.saved().game.usi(node);
        assert_eq!(kept.game.usi(kept.tip), usi(state.now.tip));
        assert_eq!(kept.players, state.now.players);
    }

    /// What the page of most tests shows, or, where it does not look on, what was told last of the state, with all
    /// that came before it.
    pub fn state(&self) -> &State {
        let page = self.pages.get(&PAGE).and_then(Option::as_ref);
        page.or(self.shown.as_ref()).expect("a state was told")
    }

    /// What a page shows.
    pub fn view(&self, page: PageId) -> &State {
        self.pages[&page].as_ref().expect("a page is told the state")
    }

    /// What was sent to an engine, in order.
    pub fn sent(&self, role: Role) -> Vec<&str> {
        let sent = self.record.iter().filter_map(|(_, entry)| match entry {
            Entry::Sent(engine, text) if engine.role() == role => Some(&text[..]),
            _ => None,
        });
        sent.collect()
    }

    /// The engine that runs in a role.
    pub fn running(&self, role: Role) -> Option<EngineId> {
        self.engines.keys().copied().find(|engine| engine.role() == role)
    }

    /// How often the game was kept.
    pub fn times_kept(&self) -> usize {
        self.record.iter().filter(|(_, entry)| matches!(entry, Entry::Kept(_))).count()
    }

    /// The errors that everybody was told.
    pub fn errors(&self) -> Vec<&str> {
        let errors = self.record.iter().filter_map(|(_, entry)| match entry {
            Entry::ToAll(Message::Error { text }) => Some(&text[..]),
            _ => None,
        });
        errors.collect()
    }

    /// The way to the tip as USI, without the start.
    pub fn line(&self) -> String {
        let saved = self.table.saved();
        let usi = saved.game.usi(saved.tip);
        usi.split_once(" moves ").map_or("", |(_, moves)| moves).to_owned()
    }

    /// The clocks now, and whose runs.
    pub fn clocks(&mut self) -> ([Millis; 2], Option<kujira_position::Color>) {
        let Message::State(state) = self.answer(json!({"type": "state"})) else {
            panic!("a state")
        };
        let clocks = state.now.clocks.as_ref().expect("clocks");
        (clocks.left, clocks.running.map(Into::into))
    }
}

/// Every message is one that the page declares.
fn check_message(message: &Message) {
    declared::check(&json!(message), "Message");
}

/// What a page does with a change.
fn apply(state: &mut State, change: &Change) {
    let mut nodes: BTreeMap<_, _> = state.nodes.drain(..).map(|node| (node.id, node)).collect();
    for id in &change.removed {
        assert!(nodes.remove(id).is_some(), "what is gone was there: {id}");
    }
    for node in &change.nodes {
        nodes.insert(node.id, node.clone());
    }
    // Numbers of moves are greater than those of the moves before them.
    state.nodes = nodes.into_values().collect();
    if let Some(shown) = &change.shown {
        assert_ne!(shown.current, state.shown.current, "what it shows it knows");
        state.shown = shown.clone();
    }
    assert!(
        state.nodes.iter().any(|node| node.id == state.shown.current),
        "it shows what is there"
    );
    state.movable = change.movable;
    state.now = change.now.clone();
}

/// All that a page shows but what changes with time and what it is told by lines, in one order.
fn comparable(state: &State) -> Value {
    let mut state = state.clone();
    state.nodes.sort_by_key(|node: &NodeView| node.id);
    let mut json = serde_json::to_value(state).expect("JSON");
    for node in json["nodes"].as_array_mut().expect("nodes") {
        node["score"] = Value::Null;
    }
    json["clocks"]["left"] = Value::Null;
    json["clocks"]["byoyomi"] = Value::Null;
    json
}
