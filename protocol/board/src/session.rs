//! A game at the table: takes what people ask for and what engines say, one after the other, and
//! tells everybody who looks on.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kujira_position::{Color, VariantId};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::clock::Clock;
use crate::config::Config;
use crate::engine::{Done, EngineInput, Info, Job, Purpose, Role, Slot};
use crate::explain::explain;
use crate::game::{Game, NodeId};
use crate::message::{Clocks, Command, LineView, Lines, NewGame, NodeView, Reply, State};
use crate::players::{CARELESS_LINES, Player, strength};
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

/// Least time between two writes of what engines think of positions.
const SCORES_APART: Duration = Duration::from_secs(2);

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

/// Makes a game as the page asks for it.
///
/// # Errors
/// What is wrong with the request.
pub fn new_game(request: &NewGame) -> Result<Saved, String> {
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
    let game = match (&request.text, &request.handicap, &request.sfen) {
        (Some(text), ..) => record::read(text, variant)?,
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
    let end = game.line_through(0).last().copied().unwrap_or(0);
    let over = game.node(end).is_some_and(|node| node.ending.is_some());
    Ok(Saved {
        players: request.players,
        time: request.time,
        current: end,
        tip: end,
        playing: !imported && !over,
        left: request.time.map(|time| [time.main; 2]),
        game,
    })
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
    lines_pending: [bool; 2],
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
            unsaved: false,
            scores_unsaved: None,
            lines_pending: [false; 2],
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
                        self.hear(event);
                    }
                },
                () = tokio::time::sleep_until(wake) => {}
            }
            self.settle();
            self.publish();
            self.save().await;
            let now = Instant::now();
            if self.audience.receiver_count() > 0 {
                self.seen = now;
            } else if now >= self.seen + self.config.idle {
                break;
            }
        }
        inputs.close();
        self.player.shut();
        self.analyst.shut();
        self.unsaved |= self.scores_unsaved.is_some();
        self.save().await;
    }

    /// When something must be looked at again.
    fn wake(&self) -> Instant {
        let now = Instant::now();
        let pending = self.lines_pending.contains(&true).then_some(self.lines_sent + LINES_APART);
        let alone = (self.audience.receiver_count() == 0).then(|| {
            let absent = self.seen + ABSENCE;
            if now < absent { absent } else { self.seen + self.config.idle }
        });
        [
            self.clock.as_ref().and_then(Clock::flag),
            self.player.deadline(),
            self.analyst.deadline(),
            pending,
            alone,
            self.scores_unsaved.map(|since| since + SCORES_APART),
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
            Input::Leave => {}
            Input::Command(command, asker) => {
                let reply = match self.obey(command) {
                    Ok(None) => return,
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
        self.changed = true;
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
            Command::Restart { role } => {
                self.slot(role).restart(Instant::now());
            }
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
        }
        Ok(None)
    }

    fn check_node(&self, node: NodeId) -> Result<(), String> {
        match self.saved.game.node(node) {
            Some(_) => Ok(()),
            None => Err(format!("expected a move of this game, found number {node}")),
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

    fn play(&mut self, at: NodeId, usi: &str) -> Result<(), String> {
        if self.saved.playing && at == self.saved.tip && self.player_at(at) != Player::Human {
            return Err("It is the engine's turn.".to_owned());
        }
        let before = self.saved.game.node(at).map_or(0, |node| node.children.len());
        let node = self.saved.game.play(at, usi).map_err(|error| error.to_string())?;
        let is_new = self.saved.game.node(at).is_some_and(|node| node.children.len() > before);
        if self.saved.playing && at == self.saved.tip {
            self.advance(node);
        } else if self.saved.playing && !is_new {
            // Steps forward along what was played.
            self.saved.current = node;
        } else {
            if self.saved.playing {
                // The game goes on from here: with the time there was.
                self.restore_clock(at);
            }
            self.saved.tip = at;
            self.saved.current = at;
            self.advance(node);
        }
        self.unsaved = true;
        Ok(())
    }

    /// The game goes on from its tip to `node`.
    fn advance(&mut self, node: NodeId) {
        let now = Instant::now();
        if let Some(clock) = &mut self.clock
            && self.saved.playing
        {
            if clock.running().is_some() {
                clock.moved(now);
            }
            let left = clock.left(now);
            if let Some(node) = self.saved.game.node_mut(node) {
                node.left = Some(left);
            }
        }
        if self.saved.current == self.saved.tip {
            self.saved.current = node;
        }
        self.saved.tip = node;
        self.hint = None;
        self.hinting = false;
        if self.saved.game.node(node).is_some_and(|node| node.ending.is_some()) {
            self.pause();
        }
        self.unsaved = true;
        self.changed = true;
    }

    fn restore_clock(&mut self, node: NodeId) {
        let left = self.saved.game.path(node).into_iter().rev();
        let left = left.filter_map(|id| self.saved.game.node(id)?.left).next();
        if let Some(clock) = &mut self.clock {
            clock.set(left.unwrap_or([clock.control().main; 2]));
        }
    }

    fn pause(&mut self) {
        self.saved.playing = false;
        if let Some(clock) = &mut self.clock {
            clock.stop(Instant::now());
        }
        self.unsaved = true;
    }

    fn end(&mut self, ending: Ending) {
        if let Some(node) = self.saved.game.node_mut(self.saved.tip) {
            node.ending = Some(ending);
        }
        self.saved.current = self.saved.tip;
        self.pause();
        self.changed = true;
    }

    fn resume(&mut self) -> Result<(), String> {
        let current = self.saved.current;
        let Some(node) = self.saved.game.node_mut(current) else { return Ok(()) };
        if let Some(ending) = node.ending {
            if ending.by_rule() {
                return Err(format!("The game is over here ({ending})."));
            }
            node.ending = None;
        }
        if self.saved.tip != current {
            self.restore_clock(current);
        }
        // A flag that has fallen stays down: who goes on anyway does so with the time at the start.
        if let Some(clock) = &mut self.clock
            && clock.left(Instant::now()).contains(&0)
            && clock.control().byoyomi == 0
        {
            clock.set([clock.control().main; 2]);
        }
        self.saved.tip = current;
        self.saved.playing = true;
        self.unsaved = true;
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), String> {
        let from = if self.saved.playing { self.saved.tip } else { self.saved.current };
        let mut cut = from;
        let mut to = self.saved.game.node(from).and_then(|node| node.parent);
        let humans = self.saved.players.contains(&Player::Human);
        // Back to where somebody at the board is to move.
        while let Some(node) = to
            && humans
            && self.player_at(node) != Player::Human
            && let Some(parent) = self.saved.game.node(node).and_then(|node| node.parent)
        {
            cut = node;
            to = Some(parent);
        }
        let to = to.ok_or("There is no move to take back.")?;
        let over = self.saved.game.node(from).is_some_and(|node| node.ending.is_some());
        self.saved.game.remove(cut);
        self.saved.current = to;
        self.saved.tip = to;
        self.restore_clock(to);
        // Who takes back the end of a game wants to go on with it.
        self.saved.playing = (self.saved.playing || over) && humans;
        self.hint = None;
        self.unsaved = true;
        Ok(())
    }

    fn delete(&mut self, node: NodeId) -> Result<(), String> {
        let parent = self.saved.game.node(node).and_then(|node| node.parent);
        let parent = parent.ok_or("The start of the game cannot be deleted.")?;
        if self.saved.playing && self.saved.game.descends(self.saved.tip, node) {
            return Err("The game is going on there: take moves back instead.".to_owned());
        }
        for place in [self.saved.current, self.saved.tip] {
            if self.saved.game.descends(place, node) {
                self.saved.current = parent;
            }
        }
        if self.saved.game.descends(self.saved.tip, node) {
            self.saved.tip = parent;
        }
        self.saved.game.remove(node);
        self.sweep.clear();
        self.unsaved = true;
        Ok(())
    }

    fn ask_for_hint(&mut self) {
        let current = self.saved.current;
        let found = self.analyst.searching().and_then(|(job, lines)| {
            let best = lines.first().and_then(|line| line.pv.first())?;
            (job.node == current && lines.first()?.depth? >= 8).then(|| best.clone())
        });
        self.hinting = found.is_none();
        self.hint = found.map(|usi| (current, usi));
    }

    /// What an engine said.
    fn hear(&mut self, input: EngineInput) {
        let now = Instant::now();
        let role = input.role();
        let before = self.slot(role).view();
        let done = self.slot(role).hear(input, now);
        self.lines_pending[role as usize] |= self.slot(role).searching().is_some();
        if let Some(done) = done {
            self.finish(&done);
        }
        self.changed |= self.slot(role).view() != before;
    }

    fn finish(&mut self, done: &Done) {
        self.changed = true;
        let node = done.job.node;
        if let Some(best) = done.lines.first() {
            self.note_score(node, best);
        }
        match done.job.purpose {
            Purpose::Play => self.engine_moves(done),
            Purpose::Hint => {
                self.hinting = false;
                self.hint = Some((node, done.best.clone()));
            }
            Purpose::Sweep => {
                if self.sweep.front() == Some(&node) {
                    self.sweep.pop_front();
                }
            }
            // It has nothing more to find.
            Purpose::Analyse => {}
        }
    }

    fn engine_moves(&mut self, done: &Done) {
        let side = self.saved.game.node(done.job.node).map_or(Color::Black, |node| node.side);
        if !self.saved.playing || done.job.node != self.saved.tip {
            return;
        }
        match &done.best[..] {
            "resign" => {
                self.end(Ending { winner: Some((!side).into()), reason: Reason::Resignation });
            }
            "win" => match self.saved.game.impasse(self.saved.tip) {
                Some(ending) => self.end(ending),
                None => self.player.reject("it claims an impasse where there is none"),
            },
            best => {
                let chosen = self.careless(done).unwrap_or_else(|| best.to_owned());
                match self.saved.game.play(self.saved.tip, &chosen) {
                    Ok(node) => self.advance(node),
                    Err(error) => self.player.reject(&error.to_string()),
                }
            }
        }
    }

    /// A move that a weak engine plays instead of its best: any that is not much worse.
    fn careless(&mut self, done: &Done) -> Option<String> {
        let Player::Engine { level } = self.player_at(done.job.node) else { return None };
        let slack = strength(level).slack;
        let best = done.lines.first()?.score?.value();
        let near: Vec<&String> = done
            .lines
            .iter()
            .filter(|line| line.score.is_some_and(|score| score.value() >= best - slack))
            .filter_map(|line| line.pv.first())
            .collect();
        let choice = self.random.random_range(0..near.len().max(1));
        (slack > 0).then(|| near.get(choice).map(|&usi| usi.clone())).flatten()
    }

    /// Keeps what an engine thought of a position, unless something deeper is known.
    fn note_score(&mut self, node: NodeId, line: &Info) {
        let (Some(score), Some(depth), false) = (line.score, line.depth, line.bound) else {
            return;
        };
        let Some(node) = self.saved.game.node_mut(node) else { return };
        let score = (score.for_black(node.side), depth);
        if node.score.is_none_or(|(_, known)| known <= depth) && node.score != Some(score) {
            node.score = Some(score);
            self.scores_unsaved.get_or_insert_with(Instant::now);
        }
    }

    /// Does what follows from what has changed: clocks, engines, flags.
    fn settle(&mut self) {
        let now = Instant::now();
        for role in [Role::Player, Role::Analyst] {
            let before = self.slot(role).view();
            self.slot(role).tick(now);
            self.changed |= self.slot(role).view() != before;
        }
        self.settle_clock(now);
        let before = (self.player.view(), self.analyst.view());
        let present = self.audience.receiver_count() > 0 || now < self.seen + ABSENCE;
        let job = if present { self.player_job(now) } else { None };
        let keeps =
            |job: &Job, running: &Job| (job.purpose, job.node) == (running.purpose, running.node);
        match (&job, self.player.job()) {
            (Some(job), Some(running)) if keeps(job, running) => {}
            _ => self.player.want(job, now),
        }
        let job = if present { self.analyst_job() } else { None };
        self.analyst.want(job, now);
        self.changed |= (self.player.view(), self.analyst.view()) != before;
    }

    fn settle_clock(&mut self, now: Instant) {
        let Some(clock) = &mut self.clock else { return };
        if !self.saved.playing {
            return;
        }
        if clock.flag().is_some_and(|flag| flag <= now)
            && let Some(loser) = clock.running()
        {
            self.end(Ending { winner: Some((!loser).into()), reason: Reason::Time });
            return;
        }
        if let Some(tip) = self.saved.game.node(self.saved.tip) {
            clock.start(tip.side, now);
        }
    }

    fn options(&self, lines: u32) -> Vec<(String, String)> {
        let rules = crate::rules::Switches::from(self.saved.game.rules());
        let own = [
            ("Threads", self.threads.to_string()),
            ("USI_Hash", self.hash.to_string()),
            ("MultiPV", lines.to_string()),
        ];
        let rules = rules.options().map(|(name, value)| (name, value.to_owned()));
        rules.into_iter().chain(own).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn job(&self, purpose: Purpose, node: NodeId, go: &str, lines: u32) -> Job {
        Job {
            purpose,
            node,
            position: self.saved.game.usi(node),
            go: go.to_owned(),
            options: self.options(lines),
            variant: self.saved.game.variant().spec().id,
            limit: None,
        }
    }

    /// What the engine that plays is to do now.
    fn player_job(&self, now: Instant) -> Option<Job> {
        let tip = self.saved.tip;
        let Player::Engine { level } = self.player_at(tip) else { return None };
        if !self.saved.playing {
            return None;
        }
        let level = strength(level);
        let mut go = String::new();
        let mut limit = None;
        if let Some(clock) = &self.clock {
            let [black, white] = clock.left(now);
            let time = clock.control();
            go += &format!("btime {black} wtime {white}");
            if time.byoyomi > 0 {
                go += &format!(" byoyomi {}", time.byoyomi);
            }
            if time.increment > 0 {
                go += &format!(" binc {0} winc {0}", time.increment);
            }
        } else {
            limit = Some(self.config.timeouts.think);
            if let Some(movetime) = level.movetime {
                go += &format!("movetime {movetime}");
            }
        }
        if let Some(depth) = level.depth {
            go += &format!(" depth {depth}");
        }
        if let Some(nodes) = level.nodes {
            go += &format!(" nodes {nodes}");
        }
        let lines = if level.slack > 0 { CARELESS_LINES } else { 1 };
        Some(Job { limit, ..self.job(Purpose::Play, tip, go.trim(), lines) })
    }

    /// What the engine that analyses is to do now.
    fn analyst_job(&mut self) -> Option<Job> {
        let current = self.saved.current;
        let open = |game: &Game, node| {
            game.node(node).is_some_and(|node| node.ending.is_none_or(|ending| !ending.by_rule()))
        };
        if self.hinting {
            if open(&self.saved.game, current) {
                return Some(self.job(Purpose::Hint, current, "movetime 1500", 1));
            }
            self.hinting = false;
        }
        while let Some(&node) = self.sweep.front() {
            if open(&self.saved.game, node) {
                return Some(self.job(Purpose::Sweep, node, "movetime 300", 1));
            }
            self.sweep.pop_front();
            self.changed = true;
        }
        let lines = self.analysis?;
        open(&self.saved.game, current)
            .then(|| self.job(Purpose::Analyse, current, "infinite", lines))
    }

    /// Tells everybody what has changed.
    fn publish(&mut self) {
        let now = Instant::now();
        if self.lines_pending.contains(&true) && now >= self.lines_sent + LINES_APART {
            for role in [Role::Player, Role::Analyst] {
                if std::mem::take(&mut self.lines_pending[role as usize])
                    && let Some(lines) = self.lines(role)
                {
                    let _ = self.audience.send(text(&Reply::Lines(lines)));
                }
            }
            self.lines_sent = now;
        }
        if std::mem::take(&mut self.changed) && self.audience.receiver_count() > 0 {
            let _ = self.audience.send(text(&Reply::State(Box::new(self.state()))));
        }
    }

    fn lines(&mut self, role: Role) -> Option<Lines> {
        let (job, found) = self.slot(role).searching()?;
        let (node, found) = (job.node, found.to_vec());
        let first = found.first()?.clone();
        self.note_score(node, &first);
        let side = self.saved.game.node(node)?.side;
        let lines = found.iter().filter_map(|info| {
            Some(LineView {
                depth: info.depth.unwrap_or(0),
                seldepth: info.seldepth,
                score: info.score?.for_black(side),
                bound: info.bound,
                usi: info.pv.clone(),
                text: self.saved.game.line_text(node, &info.pv),
            })
        });
        Some(Lines {
            role,
            node,
            lines: lines.collect(),
            nodes: first.nodes,
            nps: first.nps,
            time: first.time,
            hashfull: first.hashfull,
        })
    }

    /// Writes the game, if it has changed and holds more than nothing.
    async fn save(&mut self) {
        let due = self.scores_unsaved.is_some_and(|since| since.elapsed() >= SCORES_APART);
        if !self.unsaved && !due {
            return;
        }
        self.unsaved = false;
        self.scores_unsaved = None;
        self.saved.left = self.clock.as_ref().map(|clock| clock.left(Instant::now()));
        let started = self.saved.game.node(0).is_some_and(|root| !root.children.is_empty());
        if !started && !self.store.has(&self.id) {
            return;
        }
        let (store, id, saved) = (Arc::clone(&self.store), self.id.clone(), self.saved.clone());
        let written = tokio::task::spawn_blocking(move || store.save(&id, &saved)).await;
        let error = match written {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        let text = text(&Reply::Error { text: format!("The game could not be saved: {error}") });
        let _ = self.audience.send(text);
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
