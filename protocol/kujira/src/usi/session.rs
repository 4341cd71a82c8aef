//! A session: takes commands in order and answers them.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use kujira_position::{Leaves, VariantId};
use kujira_search::{Answer, Control, Engine, Limits, MateAnswer, MateReport};
use kujira_shell::cpu;
use kujira_usi::{BestMove, Checkmate, Line, Protocol};

use crate::errors::{SessionError, message_of};
use crate::host::Host;
use crate::options::{self, OPTIONS};
use crate::output::{End, Output, per_second};
use crate::{NAME, bench};

use super::alive;
use super::command::{Bench, Command, VERBS, Verb};
use super::fault::wrong;
use super::go::Go;
use super::info::{self, SearchOutput};
use super::reader::{Reader, Request};
use super::searches::Searches;

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
        info::error(&session.output, &SessionError::Internal { message });
        return End::of(&session.output);
    }
    while let Ok(request) = session.requests.recv() {
        session.take(request);
        if session.output.broken() {
            log::warn!("nobody reads the output any more");
            break;
        }
    }
    End::of(&session.output)
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
    let host = Host::new(game, Box::new(factory));
    let output = Arc::new(Output::new(output));
    let searches = Arc::new(Searches::default());
    let (queue, requests) = mpsc::channel();
    let reader = Reader {
        searches: Arc::clone(&searches),
        leave: host.leave().clone(),
        output: Arc::clone(&output),
        queue,
    };
    (reader, Session { host, output, searches, requests })
}

/// Answers what its reader has heard, one request after the other.
#[derive(Debug)]
pub struct Session {
    host: Host,
    output: Arc<Output>,
    searches: Arc<Searches>,
    requests: Receiver<Request>,
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
        let (command, control) = match request {
            Request::Refused(error) => return info::error(&self.output, &error),
            Request::Run(command, control) => (command, control),
        };
        if let Some(control) = &control {
            for _ in 0..self.searches.start(control) {
                info::say(&self.output, &Line::ReadyOk);
            }
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| self.execute(&command, control.as_ref())));
        match outcome {
            Ok(Ok(())) => {}
            Ok(Err(error)) => info::error(&self.output, &error),
            Err(panic) => {
                let message = message_of(panic.as_ref());
                log::error!("{message} in {command:?}");
                info::error(&self.output, &SessionError::Internal { message: message.to_owned() });
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
            self.host.rebuild();
            self.host.engine().legal_moves().into_iter().next()
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
            info::say(&self.output, &Line::ReadyOk);
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
            Command::Usi => self.introduce(),
            Command::IsReady => {
                let prepared = self.with_signs_of_life(Host::prepare).map_err(SessionError::Hash);
                if let Err(error) = prepared {
                    info::error(&self.output, &error);
                }
                if let Some(note) = self.host.stray_network() {
                    info::note(&self.output, &note);
                }
                self.tell_of_book();
                info::say(&self.output, &Line::ReadyOk);
            }
            Command::UsiNewGame => self.with_signs_of_life(|host| host.engine().new_game()),
            Command::SetOption { name, value } => {
                options::set(&mut self.host, name, value.as_deref())?;
            }
            Command::Position { sfen, moves } => {
                self.host.set_position(sfen.clone(), moves.clone())?;
            }
            Command::Go(go) => self.go(go, control),
            Command::Show => self.show(),
            Command::Eval => {
                let text = self.host.engine().explain();
                self.output.lines(&text);
            }
            Command::Moves => {
                let moves = self.host.engine().legal_moves();
                let count = moves.len();
                self.output
                    .lines(&[vec![format!("{count} legal moves:")], moves].concat().join(" "));
            }
            &Command::Perft { depth, threads, leaves } => {
                let threads = threads.unwrap_or(self.host.settings().threads);
                self.perft(depth, threads, leaves, control);
            }
            Command::Bench(bench) => self.bench(bench, control),
            Command::Flip => self.host.flip(),
            Command::Compiler => self.output.lines(&compiler()),
            Command::Help => self.output.lines(&help()),
            // Now there is time for it: when the next game begins the clock may be running already.
            Command::GameOver => self.with_signs_of_life(|host| host.engine().clear_hash()),
            // The reader deals with these; here nothing is left to do.
            Command::PonderHit(_) | Command::Stop | Command::Quit => {}
        }
        Ok(())
    }

    fn introduce(&self) {
        let who = [Line::Name(NAME.to_owned()), Line::Author(env!("CARGO_PKG_AUTHORS").to_owned())];
        let options = OPTIONS.iter().map(|option| Line::Option(option.declared()));
        let lines = who.into_iter().chain(options).chain([Line::Introduced(Protocol::Usi)]);
        self.output.lines(&lines.map(|line| line.to_string()).collect::<Vec<_>>().join("\n"));
    }

    /// Does something that may take long, with a blank line now and then.
    fn with_signs_of_life<T>(&mut self, work: impl FnOnce(&mut Host) -> T) -> T {
        alive::during(&self.output, || work(&mut self.host))
    }

    fn go(&mut self, go: &Go, control: &Arc<Control>) {
        if let Some(fault) = &go.fault {
            info::error(&self.output, fault);
        }
        if let Some(found) = self.illegal(&go.limits.search_moves) {
            let fault = wrong("go", "legal moves after searchmoves", &found);
            info::error(&self.output, &fault);
        }
        self.tell_of_book();
        if !go.mate
            && let Some(found) = self.host.book_move(&go.limits)
        {
            let answer = found.tell(control, &SearchOutput::new(&self.output, control, 1));
            return self.answer(&answer, control);
        }
        let Limits { times, move_time, ponder, .. } = go.limits;
        let prepared = if times.is_some() || move_time.is_some() || ponder {
            self.host.prepare_in_time()
        } else {
            self.host.prepare()
        };
        if let Err(error) = prepared {
            info::error(&self.output, &SessionError::Hash(error));
        }
        let reporter = SearchOutput::new(&self.output, control, self.host.settings().multipv);
        if go.mate {
            let report = self.host.engine().solve(&go.limits, control, &reporter);
            return self.checkmate(report, control, &go.limits);
        }
        let answer = self.host.engine().go(&go.limits, control, &reporter);
        control.wait_until_wanted(&go.limits);
        self.answer(&answer, control);
    }

    /// Says, once, that the book in use is for another game.
    fn tell_of_book(&mut self) {
        if let Some(what) = self.host.stray_book() {
            info::error(&self.output, &what);
        }
    }

    /// The first of these texts that is no legal move.
    fn illegal(&mut self, moves: &[String]) -> Option<String> {
        if moves.is_empty() {
            return None;
        }
        let legal = self.host.engine().legal_moves();
        moves.iter().find(|m| !legal.contains(m)).cloned()
    }

    fn answer(&self, answer: &Answer, control: &Arc<Control>) {
        let answer = match answer {
            Answer::Move { best, ponder } => BestMove::Move {
                best: best.clone(),
                ponder: ponder.clone().filter(|_| self.host.settings().ponder),
            },
            Answer::Resign => BestMove::Resign,
            Answer::Win => BestMove::Win,
        };
        self.end(&Line::BestMove(answer), control);
    }

    /// Answers the question for a mate: at once if it is known.
    fn checkmate(&self, report: MateReport, control: &Arc<Control>, limits: &Limits) {
        info::say_effort(&self.output, report.nodes, control.elapsed());
        if let Some(doubt) = report.doubt {
            info::note(&self.output, &doubt.to_string());
        }
        let answer = match report.answer {
            MateAnswer::Mate { line, plies, shortest } => {
                let known = if shortest { "no shorter one" } else { "there may be a shorter one" };
                let most = if report.doubt.is_some() && !shortest { "at most " } else { "" };
                info::note(&self.output, &format!("mate in {most}{plies} plies, {known}"));
                Checkmate::Mate(line)
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
        info::say(&self.output, line);
    }

    fn show(&mut self) {
        let engine = self.host.engine();
        let spec = engine.game().spec();
        let mut text = format!("{} (USI_Variant {})\n{}", spec.name, spec.id, engine.picture());
        if let Some(outcome) = engine.outcome() {
            let _ = write!(text, "\nover: {outcome}");
        }
        self.output.lines(text.trim_end());
    }

    fn perft(&mut self, depth: u32, threads: usize, leaves: Leaves, control: &Arc<Control>) {
        let Some(report) = self.host.engine().perft(depth, leaves, threads, control) else {
            return info::note(&self.output, "perft: stopped");
        };
        let mut text = String::new();
        let mut moves = report.moves.clone();
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
        self.output.lines(&text);
    }

    fn bench(&mut self, bench: &Bench, control: &Arc<Control>) {
        let engine = self.host.engine();
        match bench::line(engine, bench, control) {
            Ok(line) => self.output.lines(&line),
            Err(error) => info::note(&self.output, &format!("bench: {error}")),
        }
    }
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

fn help() -> String {
    let line = |verb: &Verb| {
        let arguments = if verb.arguments.is_empty() { "" } else { " " };
        format!("{}{arguments}{}: {}", verb.word, verb.arguments, verb.about.replace('`', ""))
    };
    VERBS.iter().map(line).collect::<Vec<_>>().join("\n")
}
