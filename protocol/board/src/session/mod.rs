//! A game at the table: takes what people ask for and what engines say, one after the other, and
//! tells everybody who looks on.

mod engines;
mod play;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kujira_position::{Color, Rules, VariantId};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::clock::Clock;
use crate::config::Config;
use crate::engine::{EngineInput, Role, Slot};
use crate::explain::explain;
use crate::game::{Game, NodeId};
use crate::message::{Clocks, Command, NewGame, NodeView, Reply, State};
use crate::players::Player;
use crate::record;
use crate::side::{Ending, Reason, Side};
use crate::store::{GameId, Saved, Store};
use crate::view::view;

/// The most lines that analysis shows.
const MOST_LINES: u32 = 10;

/// The most threads and the largest table that the page can ask for.
const MOST_THREADS: u32 = 64;
const LARGEST_HASH: u32 = 4096;

/// Least time between two reports of what an engine finds.
const LINES_APART: Duration = Duration::from_millis(100);

/// How long engines go on without anybody looking.
const ABSENCE: Duration = Duration::from_secs(5);

/// Least time between two writes of what engines think of positions,
const WRITES_APART: Duration = Duration::from_secs(2);

/// and the most where writing fails and is tried again and again.
const MOST_APART: Duration = Duration::from_secs(60);

/// How many messages may wait for a page before it is told everything anew.
const UNREAD: usize = 64;

/// What a session is told.
pub enum Input {
    /// Somebody looks on from now: gives the state, and all messages after it.
    Join(oneshot::Sender<(Arc<str>, broadcast::Receiver<Arc<str>>)>),
    /// Somebody looks on no more.
    Leave,
    /// Somebody asks for something; what concerns nobody else goes to the sender.
    Command(Command, mpsc::Sender<Arc<str>>),
}

/// A message as it is sent.
#[must_use]
pub fn text(reply: &Reply) -> Arc<str> {
    serde_json::to_string(reply).unwrap_or_default().into()
}

/// A game that a page asked for.
#[derive(Debug)]
pub struct Made {
    /// The game.
    pub saved: Saved,
    /// What the page is to be told of it, for people.
    pub notice: Option<String>,
}

/// Makes a game as the page asks for it.
///
/// # Errors
/// What is wrong with the request.
pub fn new_game(request: &NewGame) -> Result<Made, String> {
    let variant = VariantId::named(&request.variant).ok_or_else(|| {
        format!("expected a game among {}, found {:?}", VariantId::choices(), request.variant)
    })?;
    let spec = variant.spec();
    if !request.players.iter().all(|player| player.valid()) {
        return Err("expected levels of engines from 1 to 10".to_owned());
    }
    if request.time.is_some_and(|time| !time.valid()) {
        return Err("expected at least a second and at most a day on the clocks".to_owned());
    }
    let imported = request.text.is_some();
    let mut notice = None;
    let game = match (&request.text, &request.handicap, &request.sfen) {
        (Some(text), ..) => {
            let read = record::read(text, variant).map_err(|error| error.to_string())?;
            notice = (read.more > 0)
                .then(|| format!("The text has {} games: this is the first.", read.more + 1));
            read.game
        }
        (None, Some(id), _) => {
            let handicap = spec.handicaps.iter().find(|handicap| handicap.id == id);
            let handicap =
                handicap.ok_or_else(|| format!("{} has no handicap {id:?}", spec.name))?;
            Game::new(variant, handicap.sfen, request.rules.into()).map_err(|e| e.to_string())?
        }
        (None, None, sfen) => {
            let sfen = sfen.as_deref().unwrap_or(spec.start);
            Game::new(variant, sfen, request.rules.into()).map_err(|error| error.to_string())?
        }
    };
    let end = game.end();
    let over = game.node(end).is_some_and(|node| node.ending.is_some());
    let saved = Saved {
        players: request.players,
        time: request.time,
        current: end,
        tip: end,
        playing: request.playing && !imported && !over,
        left: request.time.map(|time| [time.main; 2]),
        game,
    };
    Ok(Made { saved, notice })
}

/// A game at the table.
pub struct Session {
    id: GameId,
    config: Arc<Config>,
    store: Arc<Store>,
    saved: Saved,
    clock: Option<Clock>,
    player: Slot,
    analyst: Slot,
    engine_events: mpsc::Receiver<EngineInput>,
    analysis: Option<u32>,
    sweep: VecDeque<NodeId>,
    sweep_total: usize,
    hinting: bool,
    hint: Option<(NodeId, String)>,
    threads: u32,
    hash: u32,
    audience: broadcast::Sender<Arc<str>>,
    seen: Instant,
    /// Whether the state has changed since it was sent.
    changed: bool,
    /// Whether moves have been made since the game was saved.
    unsaved: bool,
    /// Since when scores have not been saved.
    scores_unsaved: Option<Instant>,
    /// Least time between two writes of scores; longer while writing fails.
    writes_apart: Duration,
    /// The engines whose lines have changed since they were sent.
    lines_pending: Vec<Role>,
    lines_sent: Instant,
    random: Xoshiro256PlusPlus,
}

impl Session {
    /// A session for a game.
    #[must_use]
    pub fn new(id: GameId, saved: Saved, config: Arc<Config>, store: Arc<Store>) -> Self {
        let (sink, engine_events) = mpsc::channel(256);
        let slot = |role| Slot::new(role, config.engine.clone(), config.timeouts, sink.clone());
        let now = Instant::now();
        let clock = saved.time.map(|time| {
            let mut clock = Clock::new(time);
            clock.set(saved.left.unwrap_or([time.main; 2]));
            clock
        });
        let mut seed = [0; 8];
        // Without random numbers of the system every session plays alike: no harm.
        let _ = getrandom::fill(&mut seed);
        Self {
            player: slot(Role::Player),
            analyst: slot(Role::Analyst),
            engine_events,
            clock,
            analysis: None,
            sweep: VecDeque::new(),
            sweep_total: 0,
            hinting: false,
            hint: None,
            threads: 1,
            hash: 64,
            audience: broadcast::Sender::new(UNREAD),
            seen: now,
            changed: false,
            // A game made from a text begins with moves that nothing holds yet.
            unsaved: !store.has(&id),
            scores_unsaved: None,
            writes_apart: WRITES_APART,
            lines_pending: Vec::new(),
            lines_sent: now,
            random: Xoshiro256PlusPlus::seed_from_u64(u64::from_le_bytes(seed)),
            id,
            config,
            store,
            saved,
        }
    }

    /// Runs the session until nobody has looked on for a while, or nobody can any more.
    pub async fn run(mut self, mut inputs: mpsc::Receiver<Input>) {
        loop {
            let wake = tokio::time::Instant::from_std(self.wake());
            tokio::select! {
                input = inputs.recv() => match input {
                    Some(input) => self.take(input),
                    None => break,
                },
                event = self.engine_events.recv() => {
                    if let Some(event) = event {
                        self.hear(event, Instant::now());
                    }
                },
                () = tokio::time::sleep_until(wake) => {}
            }
            self.settle(Instant::now());
            self.publish();
            self.save().await;
            let now = Instant::now();
            if self.audience.receiver_count() > 0 {
                self.seen = now;
            } else if now >= self.seen + self.config.idle {
                break;
            }
        }
        self.player.shut();
        self.analyst.shut();
        self.unsaved |= self.scores_unsaved.is_some();
        self.save().await;
    }

    /// When something must be looked at again.
    fn wake(&self) -> Instant {
        let now = Instant::now();
        let pending = (!self.lines_pending.is_empty()).then_some(self.lines_sent + LINES_APART);
        let alone = (self.audience.receiver_count() == 0).then(|| {
            let ends = [ABSENCE, self.config.idle].map(|absence| self.seen + absence);
            ends.into_iter().filter(|&end| end > now).min()
        });
        [
            self.flag(),
            self.player.deadline(),
            self.analyst.deadline(),
            pending,
            alone.flatten(),
            self.scores_unsaved.map(|since| since + self.writes_apart),
        ]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(now + Duration::from_secs(60))
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Join(answer) => {
                let state = text(&Reply::State(Box::new(self.state())));
                let _ = answer.send((state, self.audience.subscribe()));
                self.seen = Instant::now();
            }
            // Only from now on is nobody there, however long nothing has happened.
            Input::Leave => self.seen = Instant::now(),
            Input::Command(command, asker) => {
                let reply = match self.obey(command) {
                    Ok(None) => {
                        self.changed = true;
                        return;
                    }
                    Ok(Some(reply)) => reply,
                    Err(text) => Reply::Error { text },
                };
                // A page that does not read its answers does not get them.
                let _ = asker.try_send(text(&reply));
            }
        }
    }

    /// Does what somebody asks for; returns what only they want to know.
    fn obey(&mut self, command: Command) -> Result<Option<Reply>, String> {
        match command {
            Command::Play { at, usi } => self.play(at, &usi)?,
            Command::Goto { node } => {
                self.check_node(node)?;
                self.saved.current = node;
                self.unsaved = true;
            }
            Command::TakeBack => self.take_back()?,
            Command::Resign { side } => {
                self.check_playing()?;
                let winner = Some((!Color::from(side)).into());
                self.end(Ending { winner, reason: Reason::Resignation });
            }
            Command::Draw => {
                self.check_playing()?;
                if self.saved.players.iter().any(|player| *player != Player::Human) {
                    return Err("The engine does not agree on draws.".to_owned());
                }
                self.end(Ending { winner: None, reason: Reason::Agreement });
            }
            Command::Claim => {
                let node = if self.saved.playing { self.saved.tip } else { self.saved.current };
                let ending = self.saved.game.impasse(node);
                let ending = ending.ok_or("An impasse cannot be claimed here.")?;
                self.saved.tip = node;
                self.end(ending);
            }
            Command::Pause => self.pause(),
            Command::Resume => self.resume()?,
            Command::MoveNow => self.player.hurry(Instant::now()),
            Command::Players { players } => {
                if !players.iter().all(|player| player.valid()) {
                    return Err("expected levels of engines from 1 to 10".to_owned());
                }
                self.saved.players = players;
                self.player.want(None, Instant::now());
                self.unsaved = true;
            }
            Command::Resources { threads, hash } => {
                self.threads = threads.clamp(1, MOST_THREADS);
                self.hash = hash.clamp(1, LARGEST_HASH);
            }
            Command::Analysis { on, lines } => {
                self.analysis = on.then_some(lines.clamp(1, MOST_LINES));
            }
            Command::Sweep { on } => {
                self.sweep.clear();
                if on {
                    self.sweep.extend(self.saved.game.line_through(self.saved.current));
                }
                self.sweep_total = self.sweep.len();
            }
            Command::Hint => self.ask_for_hint(),
            // What it is to do it is told anew: its time has gone on since.
            Command::Restart { role } => self.slot(role).shut(),
            Command::Promote { node } => {
                self.check_node(node)?;
                self.saved.game.promote(node);
                self.unsaved = true;
            }
            Command::Delete { node } => self.delete(node)?,
            Command::Export { format, date } => {
                let date = if date.len() <= 10 { &date[..] } else { "" };
                let names = self.saved.players.map(Player::name);
                let text = record::write(&self.saved.game, format, &names, date);
                let format = match format {
                    record::Format::Usi => "usi",
                    record::Format::Pgn => "pgn",
                };
                return Ok(Some(Reply::Text { format, text }));
            }
            Command::Explain { at, from, drop, to } => {
                self.check_node(at)?;
                let text = explain(&self.saved.game, at, from.as_deref(), drop.as_deref(), &to);
                return Ok(Some(Reply::Explanation { text }));
            }
            Command::Check { draft } => {
                return Ok(Some(Reply::Verdict(crate::editor::check(&draft))));
            }
            Command::State => return Ok(Some(Reply::State(Box::new(self.state())))),
            Command::Ping => return Ok(Some(Reply::Pong)),
        }
        Ok(None)
    }

    fn check_node(&self, node: NodeId) -> Result<(), String> {
        if self.saved.game.reachable().contains(&node) {
            Ok(())
        } else {
            Err(format!("expected a move of this game, found number {node}"))
        }
    }

    fn check_playing(&self) -> Result<(), String> {
        if self.saved.playing { Ok(()) } else { Err("No game is going on.".to_owned()) }
    }

    fn slot(&mut self, role: Role) -> &mut Slot {
        match role {
            Role::Player => &mut self.player,
            Role::Analyst => &mut self.analyst,
        }
    }

    fn player_at(&self, node: NodeId) -> Player {
        let side = self.saved.game.node(node).map_or(Color::Black, |node| node.side);
        let [black, white] = self.saved.players;
        if side == Color::Black { black } else { white }
    }

    /// Tells everybody what has changed.
    fn publish(&mut self) {
        let now = Instant::now();
        if !self.lines_pending.is_empty() && now >= self.lines_sent + LINES_APART {
            for role in std::mem::take(&mut self.lines_pending) {
                if let Some(lines) = self.lines(role) {
                    let _ = self.audience.send(text(&Reply::Lines(lines)));
                }
            }
            self.lines_sent = now;
        }
        if std::mem::take(&mut self.changed) && self.audience.receiver_count() > 0 {
            let _ = self.audience.send(text(&Reply::State(Box::new(self.state()))));
        }
    }

    /// Whether the game holds anything that a new one would not.
    fn worth_keeping(&self) -> bool {
        let game = &self.saved.game;
        game.node(0).is_some_and(|root| !root.children.is_empty())
            || game.start() != game.variant().spec().start
            || game.rules() != Rules::DEFAULT
            || self.saved.time.is_some()
    }

    /// Writes the game, if it has changed and is worth it.
    async fn save(&mut self) {
        let due = self.scores_unsaved.is_some_and(|since| since.elapsed() >= self.writes_apart);
        if !self.unsaved && !due {
            return;
        }
        self.unsaved = false;
        self.scores_unsaved = None;
        self.saved.left = self.clock.as_ref().map(|clock| clock.left(Instant::now()));
        if !self.worth_keeping() && !self.store.has(&self.id) {
            return;
        }
        let (store, id, saved) = (Arc::clone(&self.store), self.id.clone(), self.saved.clone());
        let written = tokio::task::spawn_blocking(move || store.save(&id, &saved)).await;
        let error = match written {
            Ok(Ok(())) => {
                self.writes_apart = WRITES_APART;
                return;
            }
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        // Told once, and tried again with the next move, in a while, and at the end of the session.
        if self.writes_apart == WRITES_APART {
            let error = format!("The game could not be saved: {error}");
            let _ = self.audience.send(text(&Reply::Error { text: error }));
        }
        self.writes_apart = (self.writes_apart * 2).min(MOST_APART);
        self.scores_unsaved = Some(Instant::now());
    }

    fn state(&self) -> State {
        let now = Instant::now();
        let game = &self.saved.game;
        let spec = game.variant().spec();
        let current = self.saved.current;
        let nodes = game.reachable().into_iter().filter_map(|id| {
            let node = game.node(id)?;
            Some(NodeView {
                id,
                parent: node.parent,
                children: node.children.clone(),
                usi: node.usi.clone(),
                text: node.text.clone(),
                spoken: node.spoken.clone(),
                side: node.side.into(),
                ply: node.ply,
                ending: node.ending.map(|ending| ending.to_string()),
                result: node.ending.map(|ending| ending.result()),
                score: node.score,
            })
        });
        let engines_turn = self.saved.playing
            && current == self.saved.tip
            && self.player_at(current) != Player::Human;
        State {
            id: self.id.text().to_owned(),
            variant: game.variant().spec().id,
            handicap: spec.handicaps.iter().find(|h| h.sfen == game.start()).map(|h| h.id),
            rules: game.rules().into(),
            players: self.saved.players,
            time: self.saved.time,
            clocks: self.clock.as_ref().map(|clock| Clocks {
                left: clock.left(now),
                byoyomi: clock.byoyomi_left(now),
                running: clock.running().map(Side::from),
            }),
            current,
            tip: self.saved.tip,
            playing: self.saved.playing,
            movable: !engines_turn,
            nodes: nodes.collect(),
            position: view(game, current),
            player: self.player.view(),
            analyst: self.analyst.view(),
            analysis: self.analysis,
            sweep: (!self.sweep.is_empty())
                .then(|| [self.sweep_total - self.sweep.len(), self.sweep_total]),
            hint: self.hint.clone(),
            threads: self.threads,
            hash: self.hash,
        }
    }
}
