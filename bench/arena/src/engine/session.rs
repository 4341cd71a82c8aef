//! The protocol spoken with an engine, USI or UCI, and everything that can go wrong in it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kujira_position::VariantId;
use kujira_usi::client::{Client, Event, Fault, Settings, State};
use kujira_usi::fairy::Dialect;
use kujira_usi::names::{HASH, PONDER, VARIANT};
use kujira_usi::{BestMove, Command, DeclaredOption, Go, Protocol, SetOption, Spin};

use crate::waiting::{Unmet, Waiting};

use super::config::{EngineConfig, Moves};
use super::info::LastInfo;
use super::process::{self, Process, Unsent, shown};
use super::rule_options::RuleOptions;
use super::talk::Talk;

/// How long the runner waits for what has no time limit of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// For the answers to the handshake and to `isready`.
    pub start: Duration,
    /// For a move when neither a clock nor a time a move sets a limit.
    pub hang: Duration,
    /// For the move after `stop`, once the time is up.
    pub stop: Duration,
    /// For the end of the process after `quit`.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30),
            hang: Duration::from_secs(60),
            stop: Duration::from_secs(2),
            quit: Duration::from_secs(2),
        }
    }
}

/// An answer with what was said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The answer; a move in the engine's spelling.
    pub answer: BestMove,
    /// From the request to the answer, as the runner saw it.
    pub elapsed: Duration,
    /// The last state of the search.
    pub info: LastInfo,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The program could not be started.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// The engine ended.
    #[error("ended: {0}")]
    Died(String),
    /// It did not answer, not even after `stop`.
    #[error("does not answer: {0}")]
    Silent(String),
    /// It printed without end.
    #[error("floods: {0}")]
    Flood(String),
    /// It said what makes no sense.
    #[error("talks nonsense: {0}")]
    Nonsense(String),
    /// It was set up wrongly: another try would not help.
    #[error("{0}")]
    Setup(String),
    /// The match was stopped.
    #[error("was interrupted")]
    Interrupted,
}

/// More lines than this for one move are a flood.
const MOST_LINES: usize = 200_000;
/// More lines than this that no protocol knows are nonsense.
const MOST_NONSENSE: usize = 2_000;

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let what = fault.to_string();
        match fault {
            Fault::Late { .. } => Self::Silent(what),
            Fault::Flood { .. } => Self::Flood(what),
            Fault::Strange { .. } | Fault::NoMove | Fault::Options => Self::Nonsense(what),
        }
    }
}

/// What a line without an end comes to.
fn overlong() -> Failure {
    Failure::Flood(format!("a line of more than {} bytes", process::LONGEST_LINE))
}

/// What to call an engine that has not said its name.
fn name_of(config: &EngineConfig) -> String {
    if config.name.is_empty() { name_of_file(config) } else { config.name.clone() }
}

fn name_of_file(config: &EngineConfig) -> String {
    let stem = config.command.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| "engine".to_owned())
}

/// A running engine with which a conversation goes on.
#[derive(Debug)]
pub struct Session {
    config: Arc<EngineConfig>,
    timeouts: Timeouts,
    stopped: Arc<AtomicBool>,
    process: Process,
    talk: Option<Talk>,
    client: Client,
    /// From when the client's times are counted.
    begun: Instant,
    name: String,
    dialect: Dialect,
    rules: RuleOptions,
    /// Whether it is ready for a game that has not begun.
    prepared: bool,
}

impl Session {
    /// Starts an engine and sets it up. `stopped` ends every waiting.
    ///
    /// # Errors
    /// Why the engine cannot be used.
    pub fn start(
        config: &Arc<EngineConfig>,
        timeouts: Timeouts,
        stopped: &Arc<AtomicBool>,
    ) -> Result<Self, Failure> {
        let talk = config.log.as_ref().map(|log| Talk::new(log, name_of(config)));
        let process = Process::start(config, talk.clone()).map_err(Failure::Start)?;
        let client = Client::new(Settings {
            protocol: config.protocol,
            hello: timeouts.start,
            ready: timeouts.start,
            stop: timeouts.stop,
            most_lines: Some(MOST_LINES),
            most_strange: Some(MOST_NONSENSE),
        });
        let mut session = Self {
            config: Arc::clone(config),
            timeouts,
            stopped: Arc::clone(stopped),
            process,
            talk,
            client,
            begun: Instant::now(),
            name: String::new(),
            dialect: Dialect::Usi,
            rules: RuleOptions::default(),
            prepared: false,
        };
        session.handshake()?;
        Ok(session)
    }

    /// Says which game it plays from now on, and what it is called, to those who read the log.
    pub fn label(&self, game: &str, name: &str) {
        if let Some(talk) = &self.talk {
            talk.label(game, name);
        }
    }

    /// What to call the engine: as configured, or as it calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.config.name.is_empty() { &self.name } else { &self.config.name }
    }

    /// What it calls itself.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.name
    }

    /// How it spells moves.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The whole numbers among the options that it declares, with their ranges.
    pub fn spins(&self) -> impl Iterator<Item = Spin> {
        self.client.options().iter().filter_map(DeclaredOption::spin)
    }

    /// What it was told about the rules.
    #[must_use]
    pub fn rules(&self) -> &RuleOptions {
        &self.rules
    }

    /// What it was started with.
    #[must_use]
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// Whether it must be started afresh before it can play again.
    #[must_use]
    pub fn broken(&self) -> bool {
        self.client.state() == State::Dead
    }

    fn handshake(&mut self) -> Result<(), Failure> {
        let config = Arc::clone(&self.config);
        for line in &config.preamble {
            self.client.send(&Command::Other(line));
        }
        self.client.hello(self.now());
        self.until(|_, event| (event == Some(Event::Introduced)).then_some(()))?;
        let file = name_of_file(&config);
        let name = Some(self.client.name()).filter(|name| !name.is_empty()).unwrap_or(&file);
        // Blanks are not what one name differs from another by.
        self.name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        self.dialect = match (config.moves, config.protocol) {
            (Moves::In(dialect), _) => dialect,
            (Moves::Auto, Protocol::Uci) => Dialect::FairyUci,
            (Moves::Auto, Protocol::Usi) if self.name.starts_with("Fairy-Stockfish") => {
                Dialect::FairyUsi
            }
            (Moves::Auto, Protocol::Usi) => Dialect::Usi,
        };
        self.set_options()?;
        self.ready(true)
    }

    /// Sends the game, the rules and the options.
    fn set_options(&mut self) -> Result<(), Failure> {
        let config = Arc::clone(&self.config);
        let declared = self.client.options().to_vec();
        if !config.options.iter().any(|(name, _)| VARIANT.is(name)) {
            self.set_game(&declared)?;
        }
        self.rules = RuleOptions::new(config.rules, &declared, &config.options);
        for (name, value) in self.rules.told.clone() {
            self.set(&name, &value);
        }
        for (name, value) in &config.options {
            // A misspelt option would void the match without a word. Those that every USI engine
            // must take need not be declared.
            let understood = config.protocol == Protocol::Usi
                && [HASH, PONDER].iter().any(|option| option.usi.eq_ignore_ascii_case(name));
            match declared.iter().find(|option| option.is_named(name)) {
                Some(option) => option.check(value).map_err(|expected| {
                    Failure::Setup(format!("option.{name}: {expected}, found \"{value}\""))
                })?,
                None if understood => {}
                None => {
                    let names: Vec<_> = declared.iter().map(|option| &option.name[..]).collect();
                    return Err(Failure::Setup(format!(
                        "expected one of the engine's options ({}), found option.{name}",
                        names.join(", ")
                    )));
                }
            }
            // It would lose every game of this one.
            if VARIANT.is(name)
                && let Some(other) =
                    VariantId::named(value).filter(|id| id.spec().id != config.variant)
            {
                return Err(Failure::Setup(format!(
                    "option.{name}: expected the game that is played, {}, found {other}",
                    config.variant
                )));
            }
            self.set(name, value);
        }
        Ok(())
    }

    /// Sets the game, under our name or the one in Fairy-Stockfish's format, where the engine has a choice of games.
    fn set_game(&mut self, declared: &[DeclaredOption]) -> Result<(), Failure> {
        let Some(game) = VariantId::named(&self.config.variant) else { return Ok(()) };
        let spec = game.spec();
        let names = [Some(spec.id), spec.fairy].into_iter().flatten();
        let choices = declared.iter().rev().filter(|option| VARIANT.is(&option.name));
        let offered = |option: &DeclaredOption| names.clone().find(|name| option.offers(name));
        let found = choices.clone().find_map(|option| Some((&option.name, offered(option)?)));
        if let Some((option, name)) = found {
            self.set(option, name);
            return Ok(());
        }
        // It would play another game, and lose all of these.
        let is_uci = self.config.protocol == Protocol::Uci;
        match choices.map(|option| &option.name[..]).next() {
            None if spec.fairy.is_some() || !is_uci => Ok(()),
            None => Err(Failure::Setup(format!(
                "expected an engine that declares {}, found none that has UCI_Variant",
                spec.id
            ))),
            Some(option) => Err(Failure::Setup(format!(
                "expected a choice {} of {option}, found none (option.{option}=NAME sets another)",
                names.collect::<Vec<_>>().join(" or ")
            ))),
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        self.client.send(&Command::SetOption(SetOption::new(name, value)));
    }

    /// Sets whole numbers between two games, before [`Self::new_game`]. Nothing is checked.
    pub fn set_numbers(&mut self, numbers: &[(String, i64)]) {
        for (name, value) in numbers {
            self.set(name, &value.to_string());
        }
    }

    /// Asks whether the engine is ready and waits for its answer. If it is to be `obedient`, one that complains about
    /// what it was told is refused: it would go on as if it had not been told, and play, but not as it should.
    fn ready(&mut self, obedient: bool) -> Result<(), Failure> {
        self.client.ready(self.now());
        let mut refusal = None;
        self.until(|line, event| match event? {
            Event::Ready => Some(()),
            Event::Refusal(_) => {
                refusal.get_or_insert_with(|| shown(line, 300));
                None
            }
            _ => None,
        })?;
        match refusal.filter(|_| obedient) {
            None => Ok(()),
            Some(line) => {
                self.client.mark_dead();
                let what = format!("expected it to take its options, found \"{line}\"");
                Err(Failure::Setup(what))
            }
        }
    }

    /// Gets ready for another game, unless it is.
    ///
    /// # Errors
    /// What went wrong; the engine must then be started afresh.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        if !self.prepared {
            self.client.send(&Command::NewGame);
            self.ready(false)?;
            self.prepared = true;
        }
        Ok(())
    }

    /// How its process ended by itself, if it has.
    pub fn ended(&mut self) -> Option<String> {
        let status = self.process.ended()?;
        Some(self.process.exit_report(status))
    }

    /// Tells the engine how the game ended: `win`, `lose` or `draw`.
    pub fn game_over(&mut self, how: &str) {
        if self.config.protocol == Protocol::Usi && !self.broken() {
            // If it is gone by now the next game will show it.
            let _ = self.process.send(format!("gameover {how}\n"));
        }
    }

    /// Asks for a move and waits for the answer: up to `limit`, then the engine is told to stop and waited for a little
    /// longer. Whether the answer came too late is for the caller to judge.
    ///
    /// # Errors
    /// Why there is no answer; the engine must then be started afresh.
    pub fn go(&mut self, position: &str, go: &Go, limit: Duration) -> Result<Reply, Failure> {
        self.prepared = false;
        // What was said before the question is no answer to it.
        while let Some(event) = self.process.pending() {
            self.take(event)?;
        }
        let asked = Instant::now();
        self.client.go(position, go, Some(limit), asked.saturating_duration_since(self.begun));
        let mut info = LastInfo::default();
        let (answer, at) = self.until(|_, event| match event? {
            Event::Info(said) => {
                info.update(&said);
                None
            }
            Event::BestMove(answer) => Some(answer),
            _ => None,
        })?;
        Ok(Reply { answer, elapsed: at.saturating_duration_since(asked), info })
    }

    /// Has the engine run its bench, as long as a move may take that nothing else limits, and returns the signature
    /// that it tells: `signature 382210`.
    ///
    /// # Errors
    /// Why there is none; the engine must then be started afresh.
    pub fn bench(&mut self) -> Result<u64, Failure> {
        let (answer, now) = ("signature of its bench", self.now());
        self.client.ask("bench", answer, self.timeouts.hang, now);
        let (signature, _) = self.until(|line, _| {
            let mut words = line.split_ascii_whitespace().skip_while(|&word| word != "signature");
            words.nth(1)?.parse().ok()
        })?;
        self.client.answered();
        Ok(signature)
    }

    /// Ends the engine: politely first.
    pub fn quit(mut self) {
        if self.process.send("quit\n").is_ok() {
            self.process.wait(self.timeouts.quit);
        }
    }

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Listens until `wanted` finds what it waits for in a line and what comes of it; also when the line came.
    fn until<T>(
        &mut self,
        mut wanted: impl FnMut(&str, Option<Event>) -> Option<T>,
    ) -> Result<(T, Instant), Failure> {
        loop {
            // Nothing more is to come of it.
            if self.client.state() == State::Dead {
                if self.stopped.load(Ordering::Relaxed) {
                    return Err(Failure::Interrupted);
                }
                return Err(self
                    .client
                    .fault()
                    .map_or_else(overlong, |fault| fault.clone().into()));
            }
            self.flush()?;
            let waiting = self
                .client
                .deadline()
                .map_or_else(Waiting::default, |deadline| Waiting::until(self.begun + deadline));
            match waiting.unless(&self.stopped).wait(|time| self.process.next(time)) {
                Ok(event) => {
                    let (at, line, event) = self.take(event)?;
                    if let Some(found) = wanted(&line, event) {
                        return Ok((found, at));
                    }
                }
                Err(Unmet::TimeUp) => {
                    let now = self.now();
                    if let Err(fault) = self.client.tick(now) {
                        // Its output stays open as long as anything that it started holds it.
                        return Err(match self.process.ended() {
                            Some(status) => Failure::Died(self.process.exit_report(status)),
                            None => fault.into(),
                        });
                    }
                }
                Err(Unmet::CalledOff) => {
                    self.client.mark_dead();
                    return Err(Failure::Interrupted);
                }
            }
        }
    }

    /// Passes on what came from the process.
    fn take(&mut self, event: process::Event) -> Result<(Instant, String, Option<Event>), Failure> {
        match event {
            process::Event::Line(at, line) => {
                let event = self.client.line(&line, at.saturating_duration_since(self.begun))?;
                Ok((at, line, event))
            }
            process::Event::Overlong => {
                self.client.mark_dead();
                Err(overlong())
            }
            process::Event::Closed => Err(self.ended_early()),
        }
    }

    /// Sends what is to be sent.
    fn flush(&mut self) -> Result<(), Failure> {
        let lines = self.client.outgoing();
        if lines.is_empty() {
            return Ok(());
        }
        match self.process.send(lines.join("\n") + "\n") {
            Ok(()) => Ok(()),
            Err(Unsent::Closed) => Err(self.ended_early()),
            Err(Unsent::Full) => {
                self.client.mark_dead();
                Err(Failure::Silent("what is sent to it is not read".to_owned()))
            }
        }
    }

    /// The failure of an engine whose pipes are closed.
    fn ended_early(&mut self) -> Failure {
        self.client.mark_dead();
        if self.stopped.load(Ordering::Relaxed) {
            return Failure::Interrupted;
        }
        Failure::Died(match self.process.wait(self.timeouts.quit) {
            Some(status) => self.process.exit_report(status),
            None => "closed its output and runs on".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_is_a_failure_to_start() {
        let config = EngineConfig::parse(["cmd=./no such program"]).map(Arc::new).unwrap();
        let stopped = Arc::new(AtomicBool::new(false));
        let failure = Session::start(&config, Timeouts::default(), &stopped).unwrap_err();
        assert!(matches!(failure, Failure::Start(_)), "{failure}");
    }
}
