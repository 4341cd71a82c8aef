//! The side of a GUI in a conversation with an engine, without I/O: it is fed with lines and the time, and tells what
//! is to be sent and what has happened.
//!
//! ```text
//! New ──hello──▶ Asked ──its answer──▶ Idle ──go──▶ Searching ──stop, time──▶ Stopping
//!                  ▲                   │ ▲ ▲            │                        │
//!                  └──ready, ask───────┘ │ └──bestmove──┘                        │
//!                                        └──bestmove─────────────────────────────┘
//! ```
//! Any of them ends in Dead at a [`Fault`], which no further line changes.
use std::time::Duration;

use crate::{
    BestMove, Command, DeclaredOption, Go, Info, Line, OptionName, PonderHit, Protocol, SetPosition,
};

/// The most options that an engine may have.
const MOST_OPTIONS: usize = 1000;

/// The answers to `isready` and `go`.
const READYOK: &str = "readyok";
const BESTMOVE: &str = "bestmove";

/// The most letters of a line of no known kind that a message shows.
const LONGEST_SHOWN: usize = 60;

/// How an engine is dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What is spoken.
    pub protocol: Protocol,
    /// Time for the answer to [`Client::hello`].
    pub hello: Duration,
    /// Time for the answer to [`Client::ready`].
    pub ready: Duration,
    /// Time for the move after `stop`.
    pub stop: Duration,
    /// The most lines for one answer, if too many are a fault.
    pub most_lines: Option<usize>,
    /// The most lines of no known kind for one move, if too many are a fault. `bestmove` without a move is one then, too.
    pub most_strange: Option<usize>,
}

/// What an engine has done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// It has introduced itself: its name and options are known.
    Introduced,
    /// It is ready.
    Ready,
    /// It tells of its search.
    Info(Info),
    /// It has answered `go`.
    BestMove(BestMove),
    /// It complains about what it was told, in its own words.
    Refusal(String),
}

/// What makes an engine useless: only a fresh start helps.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It does not answer, not even after `stop`.
    #[error("no {answer} within {waited:.1?}{}", last(.strange))]
    Late {
        /// The answer that is missing: `usiok`, `readyok`, `bestmove`.
        answer: &'static str,
        /// For how long.
        waited: Duration,
        /// The last line of no known kind, or nothing.
        strange: String,
    },
    /// It says too much.
    #[error("more than {lines} lines {}", flooded(*.answer))]
    Flood {
        /// The most lines there may be.
        lines: usize,
        /// The answer that was to come, if any.
        answer: Option<&'static str>,
    },
    /// It says too much of no known kind.
    #[error("{lines} lines of no known kind{}", last(.strange))]
    Strange {
        /// How many lines.
        lines: usize,
        /// The last one.
        strange: String,
    },
    /// It answers `bestmove` without a move.
    #[error("expected a move after bestmove, found nothing")]
    NoMove,
    /// It has too many options.
    #[error("expected at most {MOST_OPTIONS} options, found more")]
    Options,
}

fn last(strange: &str) -> String {
    if strange.is_empty() {
        return String::new();
    }
    let shown = strange.chars().take(LONGEST_SHOWN).flat_map(char::escape_default);
    format!(", the last one \"{}\"", shown.collect::<String>())
}

fn flooded(answer: Option<&str>) -> String {
    match answer {
        None => "that nobody asked for".to_owned(),
        Some(BESTMOVE) => "for one move".to_owned(),
        Some(answer) => format!("before {answer}"),
    }
}

/// What an engine is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Nothing was said to it.
    New,
    /// It is to give this answer, which is not one to `go`.
    Asked(&'static str),
    /// It waits for us.
    Idle,
    /// It searches.
    Searching,
    /// It was told to end its search.
    Stopping,
    /// It is of no use any more.
    Dead,
}

/// A conversation with an engine. Times are counted from a moment of the driver's choice; what is asked for in a state
/// that does not allow it is not done.
#[derive(Debug)]
pub struct Client {
    settings: Settings,
    state: State,
    /// When [`Self::tick`] is to be called.
    deadline: Option<Duration>,
    /// When the search was asked for: what was said before is no answer to it.
    asked: Duration,
    /// Time given for the answer.
    limit: Duration,
    /// Lines since the last request or its answer.
    lines: usize,
    strange: usize,
    last_strange: String,
    name: String,
    options: Vec<DeclaredOption>,
    outgoing: Vec<String>,
    fault: Option<Fault>,
}

impl Client {
    /// A conversation with an engine that has just been started.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self {
            settings,
            state: State::New,
            deadline: None,
            asked: Duration::ZERO,
            limit: Duration::ZERO,
            lines: 0,
            strange: 0,
            last_strange: String::new(),
            name: String::new(),
            options: Vec::new(),
            outgoing: Vec::new(),
            fault: None,
        }
    }

    /// What it is doing.
    #[must_use]
    pub const fn state(&self) -> State {
        self.state
    }

    /// When [`Self::tick`] must be called, if nothing is heard before.
    #[must_use]
    pub const fn deadline(&self) -> Option<Duration> {
        self.deadline
    }

    /// What it calls itself; empty if it does not.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What made it useless, if it was its own doing.
    #[must_use]
    pub const fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The options that it declared, in its order.
    #[must_use]
    pub fn options(&self) -> &[DeclaredOption] {
        &self.options
    }

    /// Its option of one of these names; that of USI goes first.
    #[must_use]
    pub fn option(&self, name: OptionName) -> Option<&DeclaredOption> {
        let mut names = std::iter::once(&name.usi).chain(name.others);
        names.find_map(|name| self.options.iter().rfind(|option| option.is_named(name)))
    }

    /// The lines to send, without their ends; each is told once.
    pub fn outgoing(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outgoing)
    }

    /// Sends a line that has no answer.
    pub fn send(&mut self, command: &Command<'_>) {
        if self.state != State::Dead {
            self.outgoing.push(command.text(self.settings.protocol));
        }
    }

    /// Asks the engine to introduce itself.
    pub fn hello(&mut self, now: Duration) {
        let protocol = self.settings.protocol;
        self.ask(protocol.hello(), protocol.hello_ok(), self.settings.hello, now);
    }

    /// Asks an idle engine whether it is ready.
    pub fn ready(&mut self, now: Duration) {
        self.ask("isready", READYOK, self.settings.ready, now);
    }

    /// Asks an idle engine something to be answered within `limit`. The driver says when an answer that is not of the
    /// protocol has come: [`Self::answered`].
    pub fn ask(&mut self, line: &str, answer: &'static str, limit: Duration, now: Duration) {
        if matches!(self.state, State::New | State::Idle) {
            self.outgoing.push(line.to_owned());
            self.wait(State::Asked(answer), Some(limit), now);
        }
    }

    /// Has an idle engine search: until it is told to stop, as in analysis and pondering, or up to `limit`.
    pub fn go(&mut self, position: &str, go: &Go, limit: Option<Duration>, now: Duration) {
        if self.state == State::Idle {
            self.outgoing.push(SetPosition(position).to_string());
            self.outgoing.push(go.text(self.settings.protocol));
            self.asked = now;
            self.wait(State::Searching, limit, now);
        }
    }

    /// The move pondered on was played: the search may go on up to `limit`.
    pub fn ponder_hit(&mut self, hit: PonderHit, limit: Option<Duration>, now: Duration) {
        if self.state == State::Searching {
            self.outgoing.push(hit.to_string());
            self.wait(State::Searching, limit, now);
        }
    }

    /// Ends the search; the move is still to come.
    pub fn stop(&mut self, now: Duration) {
        if self.state == State::Searching {
            self.outgoing.push("stop".to_owned());
            self.state = State::Stopping;
            self.deadline = Some(now.saturating_add(self.settings.stop));
        }
    }

    /// The answer of the driver's own request has come.
    pub fn answered(&mut self) {
        if matches!(self.state, State::Asked(_)) {
            self.rest();
        }
    }

    fn rest(&mut self) {
        self.state = State::Idle;
        self.deadline = None;
        self.lines = 0;
    }

    /// Its process has ended, or the driver has given it up.
    pub fn mark_dead(&mut self) {
        self.state = State::Dead;
        self.deadline = None;
        self.outgoing.clear();
    }

    fn wait(&mut self, state: State, limit: Option<Duration>, now: Duration) {
        self.state = state;
        self.limit = limit.unwrap_or_default();
        self.deadline = limit.map(|limit| now.saturating_add(limit));
        (self.lines, self.strange) = (0, 0);
        self.last_strange.clear();
    }

    fn fail<T>(&mut self, fault: Fault) -> Result<T, Fault> {
        self.mark_dead();
        self.fault = Some(fault.clone());
        Err(fault)
    }

    /// The answer that is to come.
    fn answer(&self) -> Option<&'static str> {
        match self.state {
            State::Asked(answer) => Some(answer),
            State::Searching | State::Stopping => Some(BESTMOVE),
            State::New | State::Idle | State::Dead => None,
        }
    }

    /// Looks whether an answer is overdue; a search is told to stop then.
    ///
    /// # Errors
    /// If there is no answer.
    pub fn tick(&mut self, now: Duration) -> Result<(), Fault> {
        if self.deadline.is_none_or(|deadline| now < deadline) {
            return Ok(());
        }
        let waited = match self.state {
            State::Searching => {
                self.stop(now);
                return Ok(());
            }
            State::Stopping => now.saturating_sub(self.asked),
            _ => self.limit,
        };
        let answer = self.answer().unwrap_or_default();
        let strange = std::mem::take(&mut self.last_strange);
        self.fail(Fault::Late { answer, waited, strange })
    }

    /// Takes a line that came at this time.
    ///
    /// # Errors
    /// If the engine is of no use any more.
    pub fn line(&mut self, text: &str, at: Duration) -> Result<Option<Event>, Fault> {
        if self.state == State::Dead {
            return Ok(None);
        }
        self.lines = self.lines.saturating_add(1);
        if let Some(lines) = self.settings.most_lines.filter(|&most| self.lines > most) {
            return self.fail(Fault::Flood { lines, answer: self.answer() });
        }
        let searching = matches!(self.state, State::Searching | State::Stopping);
        if searching && at < self.asked {
            return Ok(None);
        }
        let protocol = self.settings.protocol;
        let hello_ok = protocol.hello_ok();
        Ok(Some(match Line::parse(text, protocol) {
            Line::Introduced(by) if self.state == State::Asked(by.hello_ok()) => {
                self.rest();
                Event::Introduced
            }
            Line::ReadyOk if self.state == State::Asked(READYOK) => {
                self.rest();
                Event::Ready
            }
            Line::BestMove(best) if searching => {
                self.rest();
                Event::BestMove(best)
            }
            Line::Incomplete(BESTMOVE) if searching && self.settings.most_strange.is_some() => {
                return self.fail(Fault::NoMove);
            }
            Line::Info(info) if searching => Event::Info(info),
            Line::Name(name) => {
                self.name = name;
                return Ok(None);
            }
            Line::Option(option) if self.state == State::Asked(hello_ok) => {
                if self.options.len() >= MOST_OPTIONS {
                    return self.fail(Fault::Options);
                }
                self.options.push(option);
                return Ok(None);
            }
            Line::Error(error) => {
                // In the spelling of the protocol it is an answer; in any other it may be anything.
                if searching && !text.trim_ascii_start().starts_with("info") {
                    self.count_strange(text)?;
                }
                Event::Refusal(error)
            }
            Line::Other(text) if searching => {
                self.count_strange(&text)?;
                return Ok(None);
            }
            _ => return Ok(None),
        }))
    }

    /// Counts a line of no known kind.
    fn count_strange(&mut self, text: &str) -> Result<(), Fault> {
        self.strange = self.strange.saturating_add(1);
        self.last_strange = text.chars().take(LONGEST_SHOWN).collect();
        if self.settings.most_strange.is_some_and(|most| self.strange > most) {
            let strange = std::mem::take(&mut self.last_strange);
            return self.fail(Fault::Strange { lines: self.strange, strange });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SetOption;
    use crate::names::HASH;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const SETTINGS: Settings = Settings {
        protocol: Protocol::Usi,
        hello: s(10),
        ready: s(60),
        stop: s(5),
        most_lines: Some(5),
        most_strange: Some(2),
    };

    /// Says lines at a time; the last event.
    fn hear(client: &mut Client, now: u64, lines: &[&str]) -> Result<Option<Event>, Fault> {
        let mut event = None;
        for line in lines {
            event = client.line(line, s(now))?;
        }
        Ok(event)
    }

    fn idle(settings: Settings) -> Client {
        let mut client = Client::new(settings);
        client.hello(s(0));
        let hello = [settings.protocol.hello_ok()];
        assert_eq!(hear(&mut client, 1, &hello), Ok(Some(Event::Introduced)));
        client.outgoing();
        client
    }

    fn searching(settings: Settings, limit: Option<u64>) -> Client {
        let mut client = idle(settings);
        client.go("startpos", &Go::infinite(), limit.map(s), s(100));
        assert_eq!(client.outgoing(), ["position startpos", "go infinite"]);
        client
    }

    #[test]
    fn a_conversation_from_hello_to_move() {
        let mut client = Client::new(SETTINGS);
        assert_eq!((client.state(), client.deadline()), (State::New, None));
        client.hello(s(1));
        assert_eq!((client.outgoing(), client.deadline()), (vec!["usi".to_owned()], Some(s(11))));
        let options = [
            "id name Some Engine",
            "option name Hash type spin default 16 min 1 max 64",
            "option name USI_Hash type spin default 8 min 1 max 64",
            "info string hello",
        ];
        assert_eq!(hear(&mut client, 2, &options), Ok(None));
        assert_eq!(client.line("usiok", s(2)), Ok(Some(Event::Introduced)));
        assert_eq!((client.name(), client.options().len()), ("Some Engine", 2));
        assert_eq!(client.option(HASH).map(|option| &option.name[..]), Some("USI_Hash"));
        assert_eq!((client.state(), client.deadline()), (State::Idle, None));

        client.send(&Command::SetOption(SetOption::new("USI_Hash", "32")));
        client.send(&Command::NewGame);
        client.ready(s(3));
        let lines = ["setoption name USI_Hash value 32", "usinewgame", "isready"];
        assert_eq!(client.outgoing(), lines);
        let refusal = Event::Refusal("no such size".to_owned());
        assert_eq!(client.line("info string error no such size", s(3)), Ok(Some(refusal)));
        assert_eq!(client.line("bestmove 1a1b", s(4)), Ok(None));
        assert_eq!(client.line("readyok", s(4)), Ok(Some(Event::Ready)));

        client.go("startpos moves 2e2d", &Go::movetime(300), Some(s(1)), s(5));
        assert_eq!(client.outgoing(), ["position startpos moves 2e2d", "go movetime 300"]);
        assert_eq!((client.state(), client.deadline()), (State::Searching, Some(s(6))));
        // What was on its way is no answer.
        assert_eq!(hear(&mut client, 4, &["bestmove 3a3b", "readyok"]), Ok(None));
        let info = client.line("info depth 3", s(5));
        assert!(matches!(info, Ok(Some(Event::Info(Info { depth: Some(3), .. })))), "{info:?}");
        let best = Event::BestMove(BestMove::of("1a1b"));
        assert_eq!(client.line("bestmove 1a1b", s(6)), Ok(Some(best)));
        assert_eq!((client.state(), client.deadline()), (State::Idle, None));
    }

    #[test]
    fn uci_has_words_of_its_own() {
        let mut client = Client::new(Settings { protocol: Protocol::Uci, ..SETTINGS });
        client.hello(s(0));
        assert_eq!(client.line("usiok", s(0)), Ok(None));
        assert_eq!(client.line("uciok", s(0)), Ok(Some(Event::Introduced)));
        client.send(&Command::NewGame);
        assert_eq!(client.outgoing(), ["uci", "ucinewgame"]);
    }

    #[test]
    fn what_is_asked_for_at_the_wrong_time_is_not_done() {
        let mut client = Client::new(SETTINGS);
        client.stop(s(0));
        client.go("startpos", &Go::infinite(), None, s(0));
        assert_eq!((client.outgoing(), client.state()), (Vec::new(), State::New));
        let mut client = searching(SETTINGS, None);
        client.ready(s(101));
        client.go("startpos", &Go::infinite(), None, s(101));
        assert!(client.outgoing().is_empty());
        client.stop(s(102));
        client.stop(s(103));
        assert_eq!((client.outgoing(), client.deadline()), (vec!["stop".to_owned()], Some(s(107))));
    }

    #[test]
    fn answers_are_waited_for_but_not_for_ever() {
        let late = |mut client: Client, at: u64| {
            assert_eq!(client.tick(s(at - 1)), Ok(()));
            let fault = client.tick(s(at)).unwrap_err();
            assert_eq!((client.state(), client.deadline()), (State::Dead, None));
            assert_eq!(client.line("usiok", s(at)), Ok(None));
            fault.to_string()
        };
        let mut client = Client::new(SETTINGS);
        client.hello(s(0));
        assert_eq!(late(client, 10), "no usiok within 10.0s");
        let mut client = idle(SETTINGS);
        client.ready(s(2));
        assert_eq!(late(client, 62), "no readyok within 60.0s");
        let mut client = idle(SETTINGS);
        client.ask("bench", "signature", s(7), s(2));
        assert_eq!(client.outgoing(), ["bench"]);
        assert_eq!(late(client, 9), "no signature within 7.0s");
        let mut client = searching(SETTINGS, Some(3));
        assert_eq!((client.tick(s(103)), client.state()), (Ok(()), State::Stopping));
        assert_eq!(client.outgoing(), ["stop"]);
        assert_eq!(client.line("Hm\u{7}", s(104)), Ok(None));
        assert_eq!(late(client, 108), "no bestmove within 8.0s, the last one \"Hm\\u{7}\"");
    }

    #[test]
    fn a_search_without_a_limit_goes_on_until_it_is_stopped_or_its_move_is_played() {
        let mut client = searching(SETTINGS, None);
        assert_eq!((client.tick(s(1_000_000)), client.deadline()), (Ok(()), None));
        client.ponder_hit(PonderHit::default(), Some(s(2)), s(200));
        assert_eq!(client.outgoing(), ["ponderhit"]);
        assert_eq!((client.state(), client.deadline()), (State::Searching, Some(s(202))));
    }

    #[test]
    fn too_many_lines_are_a_fault_where_they_are_to_be() {
        let flood = |client: &mut Client| hear(client, 200, &["info"; 6]).unwrap_err().to_string();
        assert_eq!(flood(&mut idle(SETTINGS)), "more than 5 lines that nobody asked for");
        assert_eq!(flood(&mut searching(SETTINGS, None)), "more than 5 lines for one move");
        let mut client = idle(SETTINGS);
        client.ready(s(2));
        assert_eq!(flood(&mut client), "more than 5 lines before readyok");
        // Each request is counted for itself.
        let mut client = idle(SETTINGS);
        for _ in 0..3 {
            client.ready(s(2));
            assert_eq!(hear(&mut client, 2, &["info"; 4]), Ok(None));
            assert_eq!(client.line("readyok", s(2)), Ok(Some(Event::Ready)));
        }
        let mut client = searching(SETTINGS, None);
        let lines = ["a", "Error: b", "info string error c", "c"];
        let fault = hear(&mut client, 200, &lines).unwrap_err().to_string();
        assert_eq!(fault, "3 lines of no known kind, the last one \"c\"");
        let patient = Settings { most_lines: None, most_strange: None, ..SETTINGS };
        let mut client = searching(patient, None);
        assert_eq!(hear(&mut client, 200, &["a"; 10_000]), Ok(None));
        assert_eq!(client.line("bestmove", s(200)), Ok(None));
    }

    #[test]
    fn an_answer_without_a_move_and_a_thousand_options_are_faults() {
        let mut client = searching(SETTINGS, None);
        assert_eq!(client.line("bestmove", s(200)), Err(Fault::NoMove));
        let mut client = Client::new(Settings { most_lines: None, ..SETTINGS });
        client.hello(s(0));
        let options = ["option name A type check"; MOST_OPTIONS];
        assert_eq!(hear(&mut client, 1, &options), Ok(None));
        assert_eq!(client.line(options[0], s(1)), Err(Fault::Options));
    }

    #[test]
    fn the_dead_say_nothing() {
        let mut client = searching(SETTINGS, Some(1));
        client.stop(s(101));
        client.mark_dead();
        client.send(&Command::GameOver("win"));
        assert!(client.outgoing().is_empty());
        assert_eq!((client.tick(s(900)), client.line("bestmove 1a1b", s(900))), (Ok(()), Ok(None)));
    }
}
