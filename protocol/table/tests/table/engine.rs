//! An engine of the tests: answers each line with what it does later, and plays moves drawn from a stream.

use kujira_position::{Position, UsiMove, Variant, VariantId, with_variant};
use kujira_table::{EngineEvent, Millis};
use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// What happens to an engine, kept until its time comes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    Started,
    NotStarted(String),
    Line(String),
    Ended(String),
    Silent,
}

impl Event {
    pub fn as_told(&self) -> EngineEvent<'_> {
        match self {
            Self::Started => EngineEvent::Started,
            Self::NotStarted(why) => EngineEvent::NotStarted(why),
            Self::Line(line) => EngineEvent::Line(line),
            Self::Ended(complaint) => EngineEvent::Ended(complaint),
            Self::Silent => EngineEvent::Silent,
        }
    }
}

pub fn line(text: impl Into<String>) -> Event {
    Event::Line(text.into())
}

/// What an engine does when it is to search.
#[derive(Clone, Debug)]
pub enum Search {
    /// Plays a legal move.
    Play,
    /// Plays a legal move, but only when it is told to stop.
    PlayWhenStopped,
    /// Does these things, and hears `stop`, but does no more.
    Do(Vec<Event>),
    /// Says of a position, by what follows `position`, the score and the line that it expects.
    Says(fn(&str) -> (&'static str, &'static str)),
}

/// How an engine of the tests behaves.
#[derive(Clone, Debug)]
pub struct Script {
    /// What it answers to `usi`, without `usiok`.
    pub greeting: Vec<&'static str>,
    /// Whether it says `usiok` and `readyok`.
    pub greets: bool,
    pub ready: bool,
    /// How long it thinks where nothing else is said, and how long each of its answers is under way.
    pub thinks: Millis,
    pub delay: Millis,
    pub search: Search,
    /// Whether it can be started, and hears what it is sent.
    pub starts: bool,
    pub hears: bool,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            greeting: vec![
                "id name Fake",
                "option name USI_Variant type combo default whale var whale var paulowich var great",
                "option name MultiPV type spin default 1 min 1 max 8",
                "option name USI_Hash type spin default 16 min 1 max 32",
            ],
            greets: true,
            ready: true,
            thinks: 700,
            delay: 1,
            search: Search::Play,
            starts: true,
            hears: true,
        }
    }
}

impl Script {
    /// Hears `go` and does these things.
    pub fn does(events: &[Event]) -> Self {
        Self { search: Search::Do(events.to_vec()), ..Self::default() }
    }

    /// Hears `go` and never answers.
    pub fn hangs() -> Self {
        Self::does(&[])
    }
}

/// A run of an engine.
pub struct Engine {
    script: Script,
    random: Xoshiro256PlusPlus,
    variant: VariantId,
    position: String,
    lines: usize,
    /// What it says when it is told to stop.
    best: Option<String>,
    /// The number of its search: what an earlier one was to say is not said.
    pub search: u64,
}

impl Engine {
    pub fn starts(&self) -> bool {
        self.script.starts
    }

    pub fn hears(&self) -> bool {
        self.script.hears
    }

    pub fn new(script: Script, seed: u64) -> Self {
        Self {
            script,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            variant: VariantId::Whale,
            position: String::new(),
            lines: 1,
            best: None,
            search: 0,
        }
    }

    /// What the engine does when it hears a line, and after how long. What comes of a search is void when the
    /// number of the search has changed by then.
    pub fn hear(&mut self, text: &str) -> Vec<(Millis, Option<u64>, Event)> {
        let delay = self.script.delay;
        let at_once = |event| (delay, None, event);
        let mut words = text.split(' ');
        match words.next().unwrap_or_default() {
            "usi" => {
                let mut events: Vec<_> =
                    self.script.greeting.iter().map(|&text| at_once(line(text))).collect();
                if self.script.greets {
                    events.push(at_once(line("usiok")));
                }
                events
            }
            "setoption" => {
                let (name, value) = text
                    .strip_prefix("setoption name ")
                    .and_then(|rest| rest.split_once(" value "))
                    .expect("a name and a value");
                match name {
                    "USI_Variant" => self.variant = VariantId::named(value).expect("a game"),
                    "USI_LimitStrength" => assert!(["true", "false"].contains(&value)),
                    "USI_Elo" => assert!((0..=3000).contains(&value.parse::<u32>().unwrap())),
                    "MultiPV" => self.lines = value.parse().expect("a number"),
                    "USI_Hash" => assert!((1..=32).contains(&value.parse::<u32>().unwrap())),
                    other => panic!("an option that was declared, not {other}"),
                }
                Vec::new()
            }
            "isready" if self.script.ready => vec![at_once(line("readyok"))],
            "position" => {
                self.position = text.to_owned();
                Vec::new()
            }
            "go" => self.go(text),
            "stop" => {
                let best = self.best.take();
                self.search += 1;
                best.map(|best| at_once(line(best))).into_iter().collect()
            }
            "usinewgame" | "isready" => Vec::new(),
            other => panic!("a line of USI, not {other:?}"),
        }
    }

    fn go(&mut self, text: &str) -> Vec<(Millis, Option<u64>, Event)> {
        self.search += 1;
        let search = Some(self.search);
        if let Search::Do(events) = &self.script.search {
            return events.iter().map(|event| (self.script.delay, search, event.clone())).collect();
        }
        if let Search::Says(say) = self.script.search {
            let (score, pv) = say(self.position.strip_prefix("position ").expect("a position"));
            let first = pv.split(' ').next().expect("a move");
            let texts = [
                format!("info depth 9 score {score} nodes 99 pv {pv}"),
                format!("bestmove {first}"),
            ];
            return texts.map(|text| (self.script.delay, search, line(text))).into();
        }
        let moves = self.moves();
        assert!(!moves.is_empty(), "a game that is over is not searched: {}", self.position);
        let mut events = Vec::new();
        for (rank, usi) in moves.iter().take(self.lines).enumerate() {
            let score = -10 * rank as i32;
            let info =
                format!("info depth 9 multipv {} score cp {score} nodes 99 pv {usi}", rank + 1);
            events.push((self.script.delay, search, line(info)));
        }
        let best = format!("bestmove {}", moves[0]);
        if text.contains("infinite") || matches!(self.script.search, Search::PlayWhenStopped) {
            self.best = Some(best);
            return events;
        }
        let word = |name: &str| {
            let mut words = text.split(' ').skip_while(|&word| word != name);
            words.nth(1).map(|number| number.parse::<Millis>().expect("a number"))
        };
        self.best = Some(best.clone());
        let thinks = word("movetime").unwrap_or(self.script.thinks);
        events.push((thinks, search, line(best)));
        events
    }

    /// The search has ended by itself.
    pub fn finished(&mut self) {
        self.best = None;
    }

    /// The legal moves, in an order drawn anew, captures first: a game of them ends.
    fn moves(&mut self) -> Vec<String> {
        let (position, random) = (&self.position, &mut self.random);
        with_variant!(self.variant, V => moves::<V>(position, random))
    }
}

fn moves<V: Variant>(text: &str, random: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let text = text.strip_prefix("position ").expect("a position");
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let mut position = match start.strip_prefix("sfen ") {
        Some(sfen) => Position::<V>::from_sfen(sfen).expect("a position of this game"),
        None => Position::<V>::default(),
    };
    for usi in moves.split_ascii_whitespace() {
        let m = position.parse_usi(usi).expect("legal moves");
        position.make(m);
    }
    let mut moves: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|&m| {
            let captures = !m.is_drop() && position.piece_on(m.to()).is_some();
            (!captures, random.random::<u32>(), UsiMove::<V>::new(m).to_string())
        })
        .collect();
    moves.sort();
    moves.into_iter().map(|(_, _, usi)| usi).collect()
}
