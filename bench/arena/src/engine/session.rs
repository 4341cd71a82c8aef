//! The protocol spoken with an engine, USI or UCI, and everything that can go wrong in it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kujira_usi::fairy::Dialect;
use kujira_usi::names::{HASH, PONDER, VARIANT};
use kujira_usi::{BestMove, DeclaredOption, Line, Protocol, SetOption, Spin};

use crate::tunables::means;
use crate::waiting::{Unmet, Waiting};

use super::config::{EngineConfig, Moves};
use super::info::LastInfo;
use super::process::{Event, Process, Unsent, shown};
use super::rule_options::RuleOptions;

/// How long the runner waits for what has no time limit of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For the answers to the handshake and to `isready`.
    pub start: Duration,
    /// For a move when neither a clock nor a time a move sets a limit.
    pub hang: Duration,
    /// For the move after `stop`, once the time is up.
    pub stop: Duration,
    /// For the end of the process after `quit`.
    pub quit: Duration,
}

impl Default for Patience {
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

/// Waiting for a move.
struct Wait {
    deadline: Instant,
    told_to_stop: bool,
    limit: Duration,
}

/// A running engine with which a conversation goes on.
#[derive(Debug)]
pub struct Session {
    config: Arc<EngineConfig>,
    patience: Patience,
    stopped: Arc<AtomicBool>,
    process: Process,
    name: String,
    dialect: Dialect,
    /// The whole numbers among its options.
    spins: Vec<Spin>,
    rules: RuleOptions,
    /// Whether the conversation went wrong: only a fresh start helps.
    broken: bool,
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
        patience: Patience,
        stopped: &Arc<AtomicBool>,
    ) -> Result<Self, Failure> {
        let process = Process::start(config).map_err(Failure::Start)?;
        let mut session = Self {
            config: Arc::clone(config),
            patience,
            stopped: Arc::clone(stopped),
            process,
            name: String::new(),
            dialect: Dialect::Usi,
            spins: Vec::new(),
            rules: RuleOptions::default(),
            broken: false,
            prepared: false,
        };
        session.handshake()?;
        Ok(session)
    }

    /// What to call the engine: as configured, or as it calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.config.name.is_empty() { &self.name } else { &self.config.name }
    }

    /// How it spells moves.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The whole numbers among the options that it declares, with their ranges.
    #[must_use]
    pub fn spins(&self) -> &[Spin] {
        &self.spins
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
        self.broken
    }

    fn handshake(&mut self) -> Result<(), Failure> {
        let protocol = self.config.protocol;
        let mut text = String::new();
        for line in &self.config.preamble {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(protocol.hello());
        text.push('\n');
        self.send(&text)?;
        let mut declared = Vec::new();
        let mut name = String::new();
        // The engine's name of the option that chooses the game, where the game is among the choices.
        let mut variant_option = None;
        let config = Arc::clone(&self.config);
        self.listen(self.patience.start, protocol.hello_ok(), |line| {
            match Line::parse(line, protocol) {
                Line::Name(found) => name = found,
                Line::Option(option) => {
                    if VARIANT.is(&option.name) && option.offers(&config.variant) {
                        variant_option = Some(option.name.clone());
                    }
                    declared.push(option);
                }
                Line::Introduced(by) => return by == protocol,
                _ => {}
            }
            false
        })?;
        if name.trim().is_empty() {
            name = self
                .config
                .command
                .file_stem()
                .map_or_else(|| "engine".to_owned(), |stem| stem.to_string_lossy().into_owned());
        }
        self.dialect = match (self.config.moves, self.config.protocol) {
            (Moves::In(dialect), _) => dialect,
            (Moves::Auto, Protocol::Uci) => Dialect::FairyUci,
            (Moves::Auto, Protocol::Usi) if name.starts_with("Fairy-Stockfish") => {
                Dialect::FairyUsi
            }
            (Moves::Auto, Protocol::Usi) => Dialect::Usi,
        };
        // Blanks are not what one name differs from another by.
        self.name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(option) = variant_option
            && !config.options.iter().any(|(name, _)| VARIANT.is(name))
        {
            let variant = SetOption::new(&option, &config.variant);
            self.send(&format!("{variant}\n"))?;
        }
        self.spins = declared.iter().filter_map(DeclaredOption::spin).collect();
        self.set_options(&declared)?;
        self.ping_after_options()
    }

    /// Sends the rules and the options.
    fn set_options(&mut self, declared: &[DeclaredOption]) -> Result<(), Failure> {
        let mut text = String::new();
        self.rules = RuleOptions::new(self.config.rules, declared, &self.config.options);
        for (name, value) in &self.rules.told {
            text.push_str(&format!("{}\n", SetOption::new(name, value)));
        }
        for (name, value) in &self.config.options {
            // A misspelt option would void the match without a word. Those that every USI engine
            // must take need not be declared.
            let understood = self.config.protocol == Protocol::Usi
                && [HASH, PONDER].iter().any(|option| option.usi.eq_ignore_ascii_case(name));
            match declared.iter().find(|option| means(&option.name, name)) {
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
            text.push_str(&format!("{}\n", SetOption::new(name, value)));
        }
        self.send(&text)
    }

    /// Sets whole numbers between two games, before [`Self::new_game`]. Nothing is checked.
    ///
    /// # Errors
    /// What went wrong; the engine must then be started afresh.
    pub fn set_numbers<'a>(
        &mut self,
        numbers: impl IntoIterator<Item = (&'a str, i64)>,
    ) -> Result<(), Failure> {
        let mut text = String::new();
        for (name, value) in numbers {
            text.push_str(&format!("{}\n", SetOption::new(name, &value.to_string())));
        }
        self.send(&text)
    }

    /// Asks whether the engine is ready and waits for its answer. One that complains about what it was told
    /// before goes on as if it had not been told: it would play, but not as it should.
    fn ping_after_options(&mut self) -> Result<(), Failure> {
        self.send("isready\n")?;
        let (mut refusal, protocol) = (None, self.config.protocol);
        self.listen(self.patience.start, "readyok", |line| match Line::parse(line, protocol) {
            Line::ReadyOk => true,
            Line::Error(_) => {
                refusal.get_or_insert_with(|| shown(line, 300));
                false
            }
            _ => false,
        })?;
        match refusal {
            None => Ok(()),
            Some(line) => {
                let what = format!("expected it to take its options, found \"{line}\"");
                Err(self.fail(Failure::Setup(what)))
            }
        }
    }

    /// Gets ready for another game, unless it is.
    ///
    /// # Errors
    /// What went wrong; the engine must then be started afresh.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        if self.prepared {
            return Ok(());
        }
        let protocol = self.config.protocol;
        self.send(&format!("{}\nisready\n", protocol.new_game()))?;
        let ready = |line: &str| Line::parse(line, protocol) == Line::ReadyOk;
        self.listen(self.patience.start, "readyok", ready)?;
        self.prepared = true;
        Ok(())
    }

    /// How its process ended by itself, if it has.
    pub fn ended(&mut self) -> Option<String> {
        let status = self.process.ended()?;
        Some(self.process.exit_report(status))
    }

    /// Tells the engine how the game ended: `win`, `lose` or `draw`.
    pub fn game_over(&mut self, how: &str) {
        if self.config.protocol == Protocol::Usi && !self.broken {
            // If it is gone by now the next game will show it.
            let _ = self.process.send(format!("gameover {how}\n"));
        }
    }

    /// Sends `request`, lines that end in `go …`, and waits for the answer: up to `limit`, then
    /// sends `stop` and waits a little longer. Whether the answer came too late is for the caller to
    /// judge.
    ///
    /// # Errors
    /// Why there is no answer; the engine must then be started afresh.
    pub fn go(&mut self, request: &str, limit: Duration) -> Result<Reply, Failure> {
        self.prepared = false;
        // What was said before the question is no answer to it.
        match drain(|| self.process.pending()) {
            Drained::Empty => {}
            Drained::Event(event) => return Err(self.fail_with(event)),
            Drained::TooMuch => {
                let what = format!("more than {MOST_LINES} lines that nobody asked for");
                return Err(self.fail(Failure::Flood(what)));
            }
        }
        let asked = Instant::now();
        self.send(request)?;
        let mut wait = Wait { deadline: asked + limit, told_to_stop: false, limit };
        let (mut info, mut strange, mut last) = (LastInfo::default(), 0, String::new());
        for _ in 0..MOST_LINES {
            let (at, line) = self.hear_or_stop(&mut wait, &last)?;
            // Nor what was said before but was still on its way: told after the last move, for example.
            if at < asked {
                continue;
            }
            match Line::parse(&line, self.config.protocol) {
                Line::Info(said) => info.update(&said),
                Line::BestMove(answer) => {
                    let elapsed = at.saturating_duration_since(asked);
                    return Ok(Reply { answer, elapsed, info });
                }
                Line::Incomplete("bestmove") => {
                    let what = "expected a move after bestmove, found nothing".to_owned();
                    return Err(self.fail(Failure::Nonsense(what)));
                }
                Line::Error(_) if line.split_ascii_whitespace().next() == Some("info") => {}
                Line::Other(_) | Line::Error(_) => {
                    strange += 1;
                    if strange > MOST_NONSENSE {
                        let what = format!("{strange} lines of no known kind{}", told(&line));
                        return Err(self.fail(Failure::Nonsense(what)));
                    }
                    last = line;
                }
                _ => {}
            }
        }
        let what = format!("more than {MOST_LINES} lines for one move");
        Err(self.fail(Failure::Flood(what)))
    }

    /// The next line; when the time is up the engine is told to stop, and when that is of no use
    /// it is silent. `last` is the last line that made no sense.
    fn hear_or_stop(&mut self, wait: &mut Wait, last: &str) -> Result<(Instant, String), Failure> {
        loop {
            if let Some(heard) = self.hear(wait.deadline)? {
                return Ok(heard);
            }
            if wait.told_to_stop {
                let waited = wait.limit + self.patience.stop;
                let what = format!("no bestmove within {waited:.1?}{}", told(last));
                return Err(self.silent(what));
            }
            self.send("stop\n")?;
            wait.told_to_stop = true;
            wait.deadline = Instant::now() + self.patience.stop;
        }
    }

    /// Has the engine run its bench, as long as a move may take that nothing else limits, and returns the signature
    /// that it tells: `signature 382210`.
    ///
    /// # Errors
    /// Why there is none; the engine must then be started afresh.
    pub fn bench(&mut self) -> Result<u64, Failure> {
        self.send("bench\n")?;
        let mut found = None;
        self.listen(self.patience.hang, "signature of its bench", |line| {
            let mut words = line.split_ascii_whitespace().skip_while(|&word| word != "signature");
            found = words.nth(1).and_then(|number| number.parse().ok());
            found.is_some()
        })?;
        found.ok_or_else(|| Failure::Nonsense("expected a signature, found none".to_owned()))
    }

    /// Ends the engine: politely first.
    pub fn quit(mut self) {
        if self.process.send("quit\n").is_ok() {
            self.process.wait(self.patience.quit);
        }
    }

    /// Listens until `wanted` has heard what it waited for.
    fn listen(
        &mut self,
        patience: Duration,
        what: &str,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<(), Failure> {
        let deadline = Instant::now() + patience;
        for _ in 0..MOST_LINES {
            match self.hear(deadline)? {
                Some((_, line)) if wanted(&line) => return Ok(()),
                Some(_) => {}
                None => {
                    let text = format!("no {what} within {patience:.1?}");
                    return Err(self.silent(text));
                }
            }
        }
        let text = format!("more than {MOST_LINES} lines before {what}");
        Err(self.fail(Failure::Flood(text)))
    }

    /// The next line, or nothing if the deadline comes first.
    fn hear(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Failure> {
        match Waiting::until(deadline).unless(&self.stopped).wait(|time| self.process.next(time)) {
            Ok(Event::Line(at, line)) => Ok(Some((at, line))),
            Ok(event) => Err(self.fail_with(event)),
            Err(Unmet::TimeUp) => Ok(None),
            Err(Unmet::CalledOff) => Err(self.fail(Failure::Interrupted)),
        }
    }

    fn send(&mut self, text: &str) -> Result<(), Failure> {
        match self.process.send(text) {
            Ok(()) => Ok(()),
            Err(Unsent::Closed) => Err(self.fail_with(Event::Closed)),
            Err(Unsent::Full) => {
                let what = "what is sent to it is not read".to_owned();
                Err(self.fail(Failure::Silent(what)))
            }
        }
    }

    fn fail(&mut self, failure: Failure) -> Failure {
        self.broken = true;
        failure
    }

    /// The failure of an engine that did not answer: `what` is missing.
    fn silent(&mut self, what: String) -> Failure {
        // Its output stays open as long as anything that it started holds it.
        let failure = match self.process.ended() {
            Some(status) => Failure::Died(self.process.exit_report(status)),
            None => Failure::Silent(what),
        };
        self.fail(failure)
    }

    fn fail_with(&mut self, event: Event) -> Failure {
        let failure = match event {
            Event::Overlong => Failure::Flood(format!(
                "a line of more than {} bytes",
                super::process::LONGEST_LINE
            )),
            _ if self.stopped.load(Ordering::Relaxed) => Failure::Interrupted,
            _ => Failure::Died(match self.process.wait(self.patience.quit) {
                Some(status) => self.process.exit_report(status),
                None => "closed its output and runs on".to_owned(),
            }),
        };
        self.fail(failure)
    }
}

/// What became of the lines that had come already.
#[derive(Debug)]
enum Drained {
    /// They are gone.
    Empty,
    /// There was something else among them.
    Event(Event),
    /// They came faster than they could be taken.
    TooMuch,
}

/// Takes lines until there are no more of them, but not for ever.
fn drain(mut pending: impl FnMut() -> Option<Event>) -> Drained {
    for _ in 0..=MOST_LINES {
        match pending() {
            None => return Drained::Empty,
            Some(Event::Line(..)) => {}
            Some(event) => return Drained::Event(event),
        }
    }
    Drained::TooMuch
}

fn told(line: &str) -> String {
    if line.is_empty() {
        return String::new();
    }
    format!(", the last one \"{}\"", shown(line, 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_nobody_asked_for_are_taken_but_not_for_ever() {
        let line = || Some(Event::Line(Instant::now(), "info string".to_owned()));
        let lines = |count: usize, last: Option<Event>| {
            let (mut left, mut last) = (count, last);
            drain(move || match left {
                0 => last.take(),
                _ => {
                    left -= 1;
                    line()
                }
            })
        };
        assert!(matches!(lines(0, None), Drained::Empty));
        assert!(matches!(lines(MOST_LINES, None), Drained::Empty));
        assert!(matches!(lines(MOST_LINES + 1, None), Drained::TooMuch));
        assert!(matches!(lines(3, Some(Event::Closed)), Drained::Event(Event::Closed)));
        assert!(matches!(lines(3, Some(Event::Overlong)), Drained::Event(Event::Overlong)));
        assert!(matches!(drain(line), Drained::TooMuch));
    }

    #[test]
    fn a_program_that_is_not_there_is_a_failure_to_start() {
        let config = EngineConfig::parse(["cmd=./no such program"]).map(Arc::new).unwrap();
        let stopped = Arc::new(AtomicBool::new(false));
        let failure = Session::start(&config, Patience::default(), &stopped).unwrap_err();
        assert!(matches!(failure, Failure::Start(_)), "{failure}");
    }
}
