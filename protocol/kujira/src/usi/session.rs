//! A session: takes commands in order and answers them.

use std::fmt::{Display, Write as _};
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use kujira_position::{Leaves, Move, VariantId};
use kujira_program::cpu;
use kujira_search::{Answer, Control, Engine, Limits, MateAnswer, MateReport};
use kujira_usi::fairy::Game;
use kujira_usi::{ArgumentError, BestMove, Checkmate, Line, Protocol};

use crate::engine_state::EngineState;
use crate::errors::{SessionError, message_of};
use crate::options;
use crate::output::{End, Output, per_second};
use crate::{NAME, bench};

use super::alive;
use super::command::{Bench, Command, Verb, verbs};
use super::go::Go;
use super::info::{SearchOutput, say_effort};
use super::reader::{Reader, Request};
use super::refused::{Choice, Refused};
use super::root::Root;
use super::searches::Searches;
use super::voice::Voice;

/// The answer of UCI where there is no move.
const NO_MOVE: &str = "(none)";

/// Holds a session until `quit` or the end of `input`; `factory` makes an engine for a game.
///
/// The input is read by a thread of its own, which may outlive the session if nobody reads `output`
/// any more.
pub(crate) fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    factory: impl Fn(VariantId) -> Box<dyn Engine> + 'static,
) -> End {
    let (reader, mut session) = open(VariantId::default(), output, factory);
    let listen = move || reader.listen(input);
    if let Err(error) = thread::Builder::new().name("reader".to_owned()).spawn(listen) {
        let message = format!("no thread to read: {error}");
        session.voice.error(&SessionError::Internal { message });
        return End::of(session.voice.output());
    }
    while let Ok(request) = session.requests.recv() {
        session.take(request);
        if session.voice.output().broken() {
            log::warn!("nobody reads the output any more");
            break;
        }
    }
    End::of(session.voice.output())
}

/// A session that begins with `game` and writes to `output`, and whoever takes its lines; `factory` makes an
/// engine for a game.
///
/// ```
/// use kujira_position::VariantId;
///
/// let (reader, mut session) =
///     kujira::usi::open(VariantId::Whale, std::io::stdout(), kujira_search::engine);
/// assert!(reader.hear(b"position startpos"));
/// assert!(reader.hear(b"go depth 1"));
/// session.serve();
/// ```
pub fn open(
    game: VariantId,
    output: impl Write + Send + 'static,
    factory: impl Fn(VariantId) -> Box<dyn Engine> + 'static,
) -> (Reader, Session) {
    let state = EngineState::new(game, Box::new(factory));
    let voice = Arc::new(Voice::new(Output::new(output)));
    let searches = Arc::new(Searches::default());
    let (queue, requests) = mpsc::channel();
    let reader = Reader {
        searches: Arc::clone(&searches),
        leave: state.leave().clone(),
        voice: Arc::clone(&voice),
        queue,
    };
    let refused = Refused::default();
    (reader, Session { state, voice, searches, requests, refused, told: Vec::new() })
}

/// Answers what its reader has heard, one request after the other.
#[derive(Debug)]
pub struct Session {
    state: EngineState,
    voice: Arc<Voice>,
    searches: Arc<Searches>,
    requests: Receiver<Request>,
    refused: Refused,
    /// What was said of the game in play that our rules do not allow.
    told: Vec<String>,
}

impl Session {
    /// Answers everything that has been heard and what is heard meanwhile, then returns.
    pub fn serve(&mut self) {
        while let Ok(request) = self.requests.try_recv() {
            self.take(request);
        }
    }

    /// Answers a request, come what may: a defect of the engine must not leave a GUI waiting.
    fn take(&mut self, request: Request) {
        let (command, choice, control) = match request {
            Request::Refused(error, choice) => return self.refuse(&error, choice),
            Request::Run(command, choice, control) => (command, choice, control),
        };
        if let Some(control) = &control {
            for _ in 0..self.searches.start(control) {
                self.voice.say(&Line::ReadyOk);
            }
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| self.execute(&command, control.as_ref())));
        match outcome {
            Ok(Ok(())) => self.refused.settle(choice),
            Ok(Err(error)) => self.refuse(&self.told(&error), choice),
            Err(panic) => {
                let message = message_of(panic.as_ref());
                log::error!("{message} in {command:?}");
                let error = SessionError::Internal { message: message.to_owned() };
                self.refuse(&self.told(&error), choice);
                self.recover(&command, control.as_ref());
            }
        }
        if let Some(control) = &control {
            self.searches.finish(control);
        }
    }

    /// Replaces a failed engine, and gives the answer that is still owed.
    fn recover(&mut self, command: &Command, control: Option<&Arc<Control>>) {
        let first_move = catch_unwind(AssertUnwindSafe(|| {
            self.state.rebuild();
            let position = self.state.position();
            position.legal_moves().into_iter().min_by_key(|&m| position.usi(m))
        }));
        if let (Command::Go(go), Some(control)) = (command, control) {
            control.wait_until_wanted(&go.limits);
            if go.mate {
                return self.end(&Line::Checkmate(Checkmate::Timeout), control);
            }
            let answer = match first_move {
                Ok(Some(best)) => Answer::Move { best, ponder: None },
                _ => Answer::Resign,
            };
            self.answer(&answer, control);
        } else if matches!(command, Command::IsReady) {
            self.voice.say(&Line::ReadyOk);
        }
    }

    fn execute(
        &mut self,
        command: &Command,
        control: Option<&Arc<Control>>,
    ) -> Result<(), SessionError> {
        // Whatever can be stopped was read with a control.
        let fresh = Arc::new(Control::new());
        let control = control.unwrap_or(&fresh);
        match command {
            Command::Introduce => self.introduce(),
            Command::IsReady => {
                let prepared =
                    self.with_signs_of_life(EngineState::prepare).map_err(SessionError::Hash);
                if let Err(error) = prepared {
                    self.fault(&error);
                }
                if let Some(note) = self.state.stray_network() {
                    self.voice.note(&note);
                }
                self.tell_of_book();
                self.voice.say(&Line::ReadyOk);
            }
            Command::NewGame => {
                self.told.clear();
                self.with_signs_of_life(|state| state.engine().new_game());
            }
            Command::SetOption { name, value } => {
                let protocol = self.voice.protocol();
                options::set_in(protocol, &mut self.state, name, value.as_deref())?;
            }
            Command::Position { start, moves } => {
                // Whoever tells a position tells its board; a start is that of a game.
                if start.is_none() {
                    self.refused.allow_game("position")?;
                }
                match self.voice.protocol() {
                    Protocol::Usi => self.state.set_position(start.as_deref(), moves)?,
                    Protocol::Uci => self.take_game(start.as_deref(), moves)?,
                }
            }
            Command::Go(go) => {
                let allowed = self.refused.allow_position("go");
                if let Err(error) = allowed.and_then(|()| self.go(go, control)) {
                    self.decline(go, &error, control);
                }
            }
            Command::Show => self.show(),
            Command::Eval => {
                self.refused.allow_position("eval")?;
                let (engine, position) = self.state.at_work();
                let text = engine.explain(position);
                self.voice.lines(&text.map_err(internal)?);
            }
            Command::Moves => self.list_moves(),
            Command::Side => self.voice.lines(self.root().side_told()),
            &Command::Perft { depth, threads, leaves } => {
                self.refused.allow_position("perft")?;
                let threads = threads.unwrap_or(self.state.settings().threads);
                self.perft(depth, threads, leaves, control);
            }
            Command::Bench(bench) => {
                self.refused.allow_game("bench")?;
                self.bench(bench, control);
            }
            Command::Flip => self.state.flip(),
            Command::Compiler => self.voice.lines(&compiler()),
            Command::Help => self.voice.lines(&help(self.voice.protocol())),
            // Now there is time for it: when the next game begins the clock may be running already.
            Command::GameOver => self.with_signs_of_life(|state| state.engine().clear_hash()),
            // The reader deals with these; here nothing is left to do.
            Command::PonderHit(_) | Command::Stop | Command::Quit | Command::Nothing => {}
        }
        Ok(())
    }

    /// An error in the words of the protocol.
    fn told(&self, error: &SessionError) -> String {
        error.told(self.voice.protocol()).to_string()
    }

    /// Says what a command had to do without.
    fn fault(&self, error: &SessionError) {
        self.voice.error(&self.told(error));
    }

    /// Says why a command had no effect; what it chose is not in play.
    fn refuse(&mut self, why: &dyn Display, choice: Option<Choice>) {
        self.voice.error(why);
        self.refused.note(choice, &why.to_string());
    }

    /// Answers a search that cannot be, such as one of a position that was refused.
    fn decline(&self, go: &Go, error: &SessionError, control: &Arc<Control>) {
        self.fault(error);
        if !go.mate {
            control.wait_until_wanted(&go.limits);
        }
        let answer = match self.voice.protocol() {
            _ if go.mate => Line::Checkmate(Checkmate::Timeout),
            Protocol::Usi => Line::BestMove(BestMove::Resign),
            Protocol::Uci => Line::BestMove(BestMove::of(NO_MOVE.to_owned())),
        };
        self.end(&answer, control);
    }

    /// The position in play, as the client knows it.
    fn root(&self) -> Root {
        Root { position: self.state.position().clone(), protocol: self.voice.protocol() }
    }

    fn introduce(&self) {
        let protocol = self.voice.protocol();
        let who = [Line::Name(NAME.to_owned()), Line::Author(env!("CARGO_PKG_AUTHORS").to_owned())];
        let options =
            options::offered(protocol).map(|option| Line::Option(option.declared(protocol)));
        let lines = who.into_iter().chain(options).chain([Line::Introduced(protocol)]);
        self.voice.lines(&lines.map(|line| line.to_string()).collect::<Vec<_>>().join("\n"));
    }

    /// Takes over a game that a client of UCI tells, and says what our rules do not allow in it, unless it was said
    /// when the client told the game up to there.
    fn take_game(&mut self, fen: Option<&str>, moves: &str) -> Result<(), SessionError> {
        let game = self.state.engine().game();
        let Game { sfen, moves, notes } = Game::read(game, fen, moves).map_err(|error| {
            let other_board = fen.and_then(|fen| self.state.other_board(fen));
            SessionError::FairyGame { error, other_board }
        })?;
        self.state.set_position(sfen.as_deref(), &moves)?;
        let known = notes.iter().zip(&self.told).take_while(|(note, told)| note == told).count();
        notes.iter().skip(known).for_each(|note| self.voice.note(note));
        self.told = notes;
        Ok(())
    }

    /// Does something that may take long, with a blank line now and then.
    fn with_signs_of_life<T>(&mut self, work: impl FnOnce(&mut EngineState) -> T) -> T {
        alive::during(self.voice.output(), || work(&mut self.state))
    }

    fn go(&mut self, go: &Go, control: &Arc<Control>) -> Result<(), SessionError> {
        if let Some(fault) = &go.fault {
            self.voice.error(fault);
        }
        let root = self.root();
        let limits = self.limits(go, &root);
        self.tell_of_book();
        let mut reporter = SearchOutput::new(&self.voice, control, root);
        if !go.mate
            && let Some(found) = self.state.book_move(&limits)
        {
            let answer = found.tell(control, &reporter);
            self.answer(&answer, control);
            return Ok(());
        }
        let prepared = if limits.times.is_some() || limits.move_time.is_some() || limits.ponder {
            self.state.prepare_in_time()
        } else {
            self.state.prepare()
        };
        if let Err(error) = prepared {
            self.fault(&SessionError::Hash(error));
        }
        let settings = self.state.settings();
        reporter.multipv = settings.multipv > 1;
        reporter.chances = settings.chances;
        // On the opponent's time nothing but a stop or a hit ends a search, and an infinite one nothing but a stop.
        reporter.mate = go.mate_in.filter(|_| !limits.ponder && !limits.infinite);
        let (engine, position) = self.state.at_work();
        if go.mate {
            let report = engine.mate(position, &limits, control, &reporter).map_err(internal)?;
            self.checkmate(report, control, &limits);
        } else {
            let found = engine.search(position, &limits, control, &reporter).map_err(internal)?;
            control.wait_until_wanted(&limits);
            self.answer(&found.answer, control);
        }
        Ok(())
    }

    /// The limits of a search, as the engine takes them.
    fn limits(&self, go: &Go, root: &Root) -> Limits {
        let mut limits = match root.protocol {
            Protocol::Usi => go.limits.clone(),
            Protocol::Uci => go.limits_of(root.position.side()),
        };
        let (chosen, wrong_move) = root.read_all(&go.search_moves);
        limits.search_moves = chosen;
        if let Some(found) = wrong_move {
            self.voice.error(&ArgumentError::new("go", "legal moves after searchmoves", found));
        }
        if root.protocol == Protocol::Uci {
            limits.advice = self.state.settings().analysis || go.mate_in.is_some();
            self.leave_out(&root.losing_mates(), root, &mut limits);
        }
        limits
    }

    /// Leaves moves out of a search in UCI, if that leaves any.
    fn leave_out(&self, moves: &[Move], root: &Root, limits: &mut Limits) {
        let mut chosen = match &limits.search_moves[..] {
            [] => root.position.legal_moves(),
            chosen => chosen.to_vec(),
        };
        let all = chosen.len();
        chosen.retain(|m| !moves.contains(m));
        if chosen.is_empty() || chosen.len() == all {
            return;
        }
        let spelt: Vec<String> = moves.iter().map(|&m| root.spell_one(m)).collect();
        self.voice.note(&format!(
            "{} mates by a retreat, which Fairy-Stockfish takes for a mating drop: left out",
            spelt.join(" ")
        ));
        limits.search_moves = chosen;
    }

    /// A move where our rules have none, if Fairy-Stockfish has one.
    fn last_resort(&self, root: &Root) -> Option<String> {
        let found = root.last_resort()?;
        self.voice.note(&format!(
            "by our rules there is no move: {found} is legal to Fairy-Stockfish alone"
        ));
        Some(found)
    }

    /// Says, once, that the book in use is for another game.
    fn tell_of_book(&mut self) {
        if let Some(what) = self.state.stray_book() {
            self.voice.error(&what);
        }
    }

    fn answer(&self, answer: &Answer, control: &Arc<Control>) {
        let root = self.root();
        let answer = match (root.protocol, answer) {
            (Protocol::Usi, Answer::Resign) => BestMove::Resign,
            (Protocol::Usi, Answer::Win) => BestMove::Win,
            // UCI has no word for it.
            (Protocol::Uci, Answer::Resign | Answer::Win) => {
                BestMove::of(self.last_resort(&root).unwrap_or_else(|| NO_MOVE.to_owned()))
            }
            (_, &Answer::Move { best, ponder }) => {
                let ponder = ponder.filter(|_| self.state.settings().ponder);
                let line: Vec<Move> = std::iter::once(best).chain(ponder).collect();
                let mut spelt = root.spell(&line).into_iter();
                let best = spelt.next().unwrap_or_else(|| root.position.usi(best));
                BestMove::Move { best, ponder: spelt.next() }
            }
        };
        self.end(&Line::BestMove(answer), control);
    }

    /// Answers the question for a mate: at once if it is known.
    fn checkmate(&self, report: MateReport, control: &Arc<Control>, limits: &Limits) {
        say_effort(&self.voice, report.nodes, control.elapsed());
        if let Some(doubt) = report.doubt {
            self.voice.note(&doubt.to_string());
        }
        let answer = match report.answer {
            MateAnswer::Mate { line, plies, shortest } => {
                let known = if shortest { "no shorter one" } else { "there may be a shorter one" };
                let most = if report.doubt.is_some() && !shortest { "at most " } else { "" };
                self.voice.note(&format!("mate in {most}{plies} plies, {known}"));
                Checkmate::Mate(self.root().spell(&line))
            }
            MateAnswer::NoMate => Checkmate::NoMate,
            MateAnswer::Unknown => {
                control.wait_until_wanted(limits);
                Checkmate::Timeout
            }
        };
        self.end(&Line::Checkmate(answer), control);
    }

    /// Answers a search with its last line.
    fn end(&self, line: &Line, control: &Arc<Control>) {
        self.searches.finish(control);
        self.voice.say(line);
    }

    fn show(&self) {
        let root = self.root();
        let (position, spec) = (&root.position, root.position.spec());
        let chosen = match root.protocol {
            Protocol::Usi => format!("USI_Variant {}", spec.id),
            Protocol::Uci => format!("UCI_Variant {}", spec.fairy.unwrap_or(spec.id)),
        };
        let mut text = format!("{} ({chosen})\n{position}\nkey {:016x}", spec.name, position.key());
        if root.protocol == Protocol::Uci {
            let _ = write!(text, "\nfen {}", root.fen());
        }
        if let Some(outcome) = position.outcome() {
            let _ = write!(text, "\nover: {outcome}");
        }
        self.voice.lines(&text);
    }

    fn list_moves(&self) {
        let root = self.root();
        let moves = root.position.legal_moves();
        let mut moves: Vec<String> = moves.into_iter().map(|m| root.spell_one(m)).collect();
        moves.sort_unstable();
        self.voice.note(&format!("{} legal moves", moves.len()));
        self.voice.lines(&moves.join(" "));
    }

    fn perft(&mut self, depth: u32, threads: usize, leaves: Leaves, control: &Control) {
        let root = self.root();
        let (engine, position) = self.state.at_work();
        let Some(report) = engine.perft(position, depth, leaves, threads, control) else {
            return self.voice.note("perft: stopped");
        };
        let mut text = String::new();
        let mut moves: Vec<_> =
            report.moves.iter().map(|&(m, count)| (root.spell_one(m), count)).collect();
        moves.sort_unstable();
        for (m, count) in moves {
            let _ = writeln!(text, "{m} {count}");
        }
        let total = report.total();
        let _ = write!(
            text,
            "total {total}\ntime {:.3} s\nspeed {} leaves/s",
            report.time.as_secs_f64(),
            per_second(total, report.time)
        );
        self.voice.lines(&text);
    }

    fn bench(&mut self, bench: &Bench, control: &Arc<Control>) {
        let engine = self.state.engine();
        match bench::line(engine, bench, control) {
            Ok(line) => self.voice.lines(&line),
            Err(error) => self.voice.note(&format!("bench: {error}")),
        }
    }
}

/// A search that did not begin, though the session had looked at what was asked.
fn internal(error: impl Display) -> SessionError {
    SessionError::Internal { message: error.to_string() }
}

fn compiler() -> String {
    let features = cpu::compiled();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(" ") };
    format!(
        "{NAME}\ncompiler {}\ntarget {}\ninstruction set extensions {features}\ndebug assertions {}",
        env!("KUJIRA_RUSTC"),
        env!("KUJIRA_TARGET"),
        if cfg!(debug_assertions) { "on" } else { "off" },
    )
}

fn help(protocol: Protocol) -> String {
    let line = |verb: &Verb| {
        let arguments = if verb.arguments.is_empty() { "" } else { " " };
        format!("{}{arguments}{}: {}", verb.word, verb.arguments, verb.about.replace('`', ""))
    };
    verbs(protocol).iter().map(line).collect::<Vec<_>>().join("\n")
}
