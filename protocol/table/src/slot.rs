//! A place for an engine: starts it when it is needed, keeps it ready, gives it one job after the other, notices when
//! it dies or hangs. What is said to it and heard from it goes through [`kujira_usi::client`].
use std::collections::HashMap;
use std::time::Duration;

use kujira_record::NodeId;
use kujira_usi::client::{Client, Event, Fault, Settings, State};
use kujira_usi::names::VARIANT;
use kujira_usi::{BestMove, Command, Go, Info, OptionKind, OptionName, Protocol, SetOption};
use serde::Serialize;

use crate::clock::Millis;
use crate::engine::{EngineCommand, EngineEvent, EngineId, Role};

/// The longest name of an engine that is shown, in letters.
const LONGEST_NAME: usize = 80;
/// The longest complaint of an engine that is shown, in letters.
const LONGEST_REFUSAL: usize = 300;
/// The longest line of play that is kept, in moves.
const LONGEST_PV: usize = 64;

/// How long an engine may take to answer, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// From its start to `usiok`.
    pub greeting: Millis,
    /// From `isready` to `readyok`.
    pub ready: Millis,
    /// From `stop` to `bestmove`.
    pub stop: Millis,
    /// For a move that is limited by nodes or depth only.
    pub think: Millis,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { greeting: 10_000, ready: 60_000, stop: 5_000, think: 120_000 }
    }
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To play a move.
    Play,
    /// To show lines until told otherwise.
    Analyse,
    /// To look at one position of a game after the other.
    Sweep,
    /// To name one move.
    Hint,
    /// To know what the side to move can expect, for the coach.
    Sight,
    /// To know what comes of a move that somebody is about to make.
    Consider,
    /// To know what the other side would do if it were its turn.
    Threat,
}

impl Purpose {
    /// Whether what is found is shown, and of the position at the job's node.
    pub fn is_shown(self) -> bool {
        !matches!(self, Self::Sight | Self::Consider | Self::Threat)
    }
}

/// Something to search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Job {
    /// What for.
    pub purpose: Purpose,
    /// The node searched.
    pub node: NodeId,
    /// What follows `position`.
    pub position: String,
    /// How it is searched.
    pub go: Go,
    /// Options it needs; those the engine does not have are left out.
    pub options: Vec<(OptionName, String)>,
    /// The id of the game, which the engine must know.
    pub variant: &'static str,
    /// How long it may take before it is told to stop.
    pub limit: Option<Millis>,
}

/// A job that is finished.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    /// The job.
    pub job: Job,
    /// The answer.
    pub best: BestMove,
    /// The last complete information of each line, the best first.
    pub lines: Vec<Info>,
}

/// What the page is shown of a place for an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SlotView {
    /// `off`, `starting`, `ready`, `searching` or `failed`.
    pub state: &'static str,
    /// What the engine calls itself.
    pub name: String,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What the engine refused last, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}

/// A time as the client counts it.
fn at(now: Millis) -> Duration {
    Duration::from_millis(now)
}

/// A conversation with an engine that is dealt with patiently: however much it says, the game goes on.
fn client(timeouts: Timeouts) -> Client {
    Client::new(Settings {
        protocol: Protocol::Usi,
        hello: at(timeouts.greeting),
        ready: at(timeouts.ready),
        stop: at(timeouts.stop),
        most_lines: None,
        most_strange: None,
    })
}

/// A place for an engine.
pub(crate) struct Slot {
    timeouts: Timeouts,
    /// The engine's present run, or the one before the next.
    engine: EngineId,
    /// Whether that run has begun and not ended.
    alive: bool,
    /// Why it failed; it is not started again then before it is asked for anew.
    failure: Option<String>,
    client: Client,
    set: HashMap<String, String>,
    running: Option<Job>,
    /// Whether what the running search finds is still of interest.
    heeded: bool,
    wanted: Option<Job>,
    lines: Vec<Info>,
    refusal: Option<String>,
    new_game: bool,
    /// What the driver is to do.
    commands: Vec<(EngineId, EngineCommand)>,
}

impl Slot {
    /// A place for an engine, which is not started yet.
    pub fn new(role: Role, timeouts: Timeouts) -> Self {
        Self {
            timeouts,
            engine: EngineId { role, generation: 0 },
            alive: false,
            failure: None,
            client: client(timeouts),
            set: HashMap::new(),
            running: None,
            heeded: false,
            wanted: None,
            lines: Vec::new(),
            refusal: None,
            new_game: true,
            commands: Vec::new(),
        }
    }

    /// What the driver is to do, in this order; each is told once.
    pub fn commands(&mut self) -> Vec<(EngineId, EngineCommand)> {
        self.flush();
        std::mem::take(&mut self.commands)
    }

    /// What the page is shown.
    pub fn view(&self) -> SlotView {
        let state = match self.client.state() {
            _ if self.failure.is_some() => "failed",
            _ if !self.alive => "off",
            State::Idle => "ready",
            State::Searching | State::Stopping => "searching",
            State::New | State::Asked(_) | State::Dead => "starting",
        };
        SlotView {
            state,
            name: self.client.name().chars().take(LONGEST_NAME).collect(),
            message: self.failure.clone(),
            refusal: self.refusal.clone(),
        }
    }

    /// Whether the engine has failed.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }

    /// The job that runs and still counts, and the lines found so far.
    pub fn searching(&self) -> Option<(&Job, &[Info])> {
        let job = self.running.as_ref().filter(|_| self.heeded)?;
        Some((job, &self.lines))
    }

    /// The job that runs or waits to run.
    pub fn job(&self) -> Option<&Job> {
        self.wanted.as_ref().or(self.running.as_ref().filter(|_| self.heeded))
    }

    /// When [`Self::tick`] must be called next.
    pub fn deadline(&self) -> Option<Millis> {
        let millis = |time: Duration| Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX);
        self.client.deadline().map(millis)
    }

    /// Asks for a job instead of what the engine does now, or for none.
    pub fn want(&mut self, job: Option<Job>, now: Millis) {
        match (&job, self.job()) {
            (Some(job), Some(current)) if job == current => return,
            (None, None) => return,
            _ => {}
        }
        self.wanted = job;
        if !self.alive {
            if self.failure.is_none() && self.wanted.is_some() {
                self.start();
            }
            return;
        }
        match self.client.state() {
            State::Searching | State::Stopping => {
                self.heeded = false;
                self.client.stop(at(now));
            }
            State::Idle => self.proceed(now),
            _ => {}
        }
    }

    /// Ends the running search and takes what it has found.
    pub fn hurry(&mut self, now: Millis) {
        if self.heeded {
            self.client.stop(at(now));
        }
    }

    /// Ends the engine, if it runs or has failed, and forgets its jobs; the next job starts it anew.
    pub fn shut(&mut self) {
        self.release(EngineCommand::Quit);
        self.failure = None;
        self.wanted = None;
        self.refusal = None;
    }

    fn start(&mut self) {
        self.engine.generation += 1;
        self.alive = true;
        self.client = client(self.timeouts);
        self.set.clear();
        self.new_game = true;
        self.commands.push((self.engine, EngineCommand::Start));
    }

    /// Forgets the engine's present run, and what it does.
    fn release(&mut self, command: EngineCommand) {
        self.flush();
        self.client.mark_dead();
        self.running = None;
        self.heeded = false;
        self.lines.clear();
        if std::mem::take(&mut self.alive) {
            self.commands.push((self.engine, command));
        }
    }

    fn fail(&mut self, message: &str) {
        self.release(EngineCommand::Kill);
        self.failure = Some(message.to_owned());
    }

    /// What the client has found wrong.
    fn fault(&mut self, fault: &Fault) {
        let message = match fault {
            Fault::Late { answer, .. } => {
                let (what, limit) = match *answer {
                    "usiok" => ("usi", self.timeouts.greeting),
                    "readyok" => ("isready", self.timeouts.ready),
                    _ => ("stop", self.timeouts.stop),
                };
                format!("the engine did not answer {what} within {} s", limit as f64 / 1000.0)
            }
            Fault::Options => fault.to_string(),
            fault => return self.reject(&fault.to_string()),
        };
        self.fail(&message);
    }

    /// The engine has given an impossible answer: it counts as failed.
    pub fn reject(&mut self, reason: &str) {
        self.fail(&format!("the engine answered wrongly: {reason}"));
    }

    /// Has the driver send what is to be sent.
    fn flush(&mut self) {
        let lines = self.client.outgoing().into_iter();
        self.commands.extend(lines.map(|line| (self.engine, EngineCommand::Send(line))));
    }

    /// Gives an idle engine its next command.
    fn proceed(&mut self, now: Millis) {
        let Some(job) = &self.wanted else { return };
        let Some(option) = self.client.option(VARIANT) else {
            self.fail("the engine has no option USI_Variant, so that it cannot know this game");
            return;
        };
        if !option.offers(job.variant) {
            let games = match &option.kind {
                OptionKind::Combo { choices, .. } => choices.join(", "),
                _ => String::new(),
            };
            let message =
                format!("expected an engine that plays {}, found one for {games}", job.variant);
            self.fail(&message);
            return;
        }
        let mut missing = vec![(option.name.clone(), job.variant.to_owned())];
        for (name, value) in &job.options {
            if let Some(option) = self.client.option(*name) {
                missing.push((option.name.clone(), option.nearest(value)));
            }
        }
        missing.retain(|(name, value)| self.set.get(name) != Some(value));
        if !missing.is_empty() {
            self.refusal = None;
            for (name, value) in missing {
                self.client.send(&Command::SetOption(SetOption::new(&name, &value)));
                self.set.insert(name, value);
            }
            self.client.ready(at(now));
            return;
        }
        let Some(job) = self.wanted.take() else { return };
        if std::mem::take(&mut self.new_game) {
            self.client.send(&Command::NewGame);
        }
        self.client.go(&job.position, &job.go, job.limit.map(at), at(now));
        self.lines.clear();
        self.heeded = true;
        self.running = Some(job);
    }

    /// Takes an event of an engine; those of an earlier run are ignored. Returns a finished job; lines found are in
    /// [`Self::searching`].
    pub fn hear(&mut self, engine: EngineId, event: EngineEvent<'_>, now: Millis) -> Option<Done> {
        if !self.alive || engine != self.engine {
            return None;
        }
        match event {
            EngineEvent::Started if self.client.state() == State::New => {
                self.client.hello(at(now));
            }
            EngineEvent::Started => {}
            EngineEvent::NotStarted(why) => self.fail(why),
            EngineEvent::Line(text) => return self.read(text, now),
            EngineEvent::Ended("") => self.fail("the engine has ended"),
            EngineEvent::Ended(complaint) => {
                self.fail(&format!("the engine has ended: {complaint}"));
            }
            EngineEvent::Silent => self.fail("the engine has ended or does not read any more"),
        }
        None
    }

    fn read(&mut self, text: &str, now: Millis) -> Option<Done> {
        match self.client.line(text, at(now)) {
            Ok(Some(Event::Introduced | Event::Ready)) => self.proceed(now),
            Ok(Some(Event::Refusal(error))) => {
                self.refusal = Some(error.chars().take(LONGEST_REFUSAL).collect());
            }
            Ok(Some(Event::Info(info))) if self.heeded => self.note(info),
            Ok(Some(Event::BestMove(best))) => {
                let heeded = std::mem::take(&mut self.heeded);
                let lines = std::mem::take(&mut self.lines);
                let done = self.running.take().filter(|_| heeded);
                self.proceed(now);
                return done.map(|job| Done { job, best, lines });
            }
            Ok(_) => {}
            Err(fault) => self.fault(&fault),
        }
        None
    }

    fn note(&mut self, mut info: Info) {
        info.pv.truncate(LONGEST_PV);
        let Some(index) = (info.rank() as usize).checked_sub(1).filter(|&index| index < 64) else {
            return;
        };
        if info.score().is_none() || info.pv.is_empty() {
            // Numbers only: they belong to the search as a whole.
            if let Some(first) = self.lines.first_mut() {
                first.nodes = info.nodes.or(first.nodes);
                first.nps = info.nps.or(first.nps);
                first.time = info.time.or(first.time);
                first.hashfull = info.hashfull.or(first.hashfull);
            }
            return;
        }
        while self.lines.len() <= index {
            let rank = self.lines.len() as u32 + 1;
            self.lines.push(Info { multipv: Some(rank), ..Info::default() });
        }
        if let Some(line) = self.lines.get_mut(index) {
            *line = info;
        }
    }

    /// Looks whether an answer is overdue.
    pub fn tick(&mut self, now: Millis) {
        if let Err(fault) = self.client.tick(at(now)) {
            self.fault(&fault);
        }
    }
}
