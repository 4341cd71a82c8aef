//! A session under XBoard: takes commands in order, and decides what the engine does in between.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use kujira_cecp::clock::Clock;
use kujira_cecp::command::{self, Command};
use kujira_cecp::game::Game;
use kujira_cecp::notation::{is_offered, named, offered, text, usi_of_move};
use kujira_cecp::{definition, highlight, result};
use kujira_position::{Color, Move, Outcome, PositionError, SfenError, VariantId, WinReason};
use kujira_search::{Answer, Control, Engine, HashError, Limits, Silent};
use kujira_usi::fairy::fen;

use crate::book::FromBook;
use crate::engine_state::EngineState;
use crate::errors::{SessionError, message_of};
use crate::files::Leave;
use crate::lines::{self, LineError, read_line};
use crate::options::{self, LARGEST_HASH, MOST_THREADS, OptionKind, OptionSpec};
use crate::output::{End, Output};

use super::search::{self, Purpose};
use super::state::{self, Event, Line, Role, Searched, State};
use super::thinking::Thinking;

// What a GUI can grant is what the options can take.
const _: () = assert!(command::MOST_MEMORY == LARGEST_HASH && command::MOST_CORES == MOST_THREADS);

/// Memory that the process takes beside the transposition table, in MiB, about.
const BESIDE_TABLE: usize = 24;

/// Nodes searched for a hint where none is at hand. That takes some hundredths of a second, and the next line,
/// perhaps a move of the opponent's, waits for it.
const HINT_NODES: u64 = 20_000;

/// Holds a session until `quit` or the end of `input`, the first line of which has been read; `factory`
/// makes an engine for a game.
pub(crate) fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    factory: impl Fn(VariantId) -> Box<dyn Engine> + 'static,
) -> End {
    let mut engine = EngineState::new(VariantId::default(), Box::new(factory));
    let output = Arc::new(Output::new(output));
    let (sender, events) = mpsc::channel();
    let (lines, leave) = (sender.clone(), engine.leave().clone());
    let reader = move || listen(input, &lines, &leave);
    let reader = thread::Builder::new().name("reader".to_owned()).spawn(reader);
    if let Err(error) = reader {
        output.lines(&format!("tellusererror no thread to read: {error}"));
        return End::of(&output);
    }
    if !is_offered(engine.engine().game())
        && let Some(game) = offered().next()
    {
        engine.choose_game(game);
    }
    let game = Game::start(engine.engine().game(), engine.settings().rules);
    let spec = engine.engine().game().spec();
    let state = State {
        output,
        post: Arc::new(AtomicBool::new(false)),
        sender,
        events,
        waiting: VecDeque::new(),
        game,
        spec,
        clock: Clock::new(),
        role: Role::Plays(Color::White),
        due: false,
        given_up: None,
        ponders: false,
        expected: None,
        refused: false,
        over: false,
    };
    let mut session = Session { engine, state };
    session.hold();
    End::of(&session.state.output)
}

/// Queues lines until there are no more or nobody wants them.
fn listen(mut input: impl BufRead, events: &Sender<Event>, leave: &Leave) {
    let _guard = EndAtEnd(events, leave);
    let mut bytes = Vec::new();
    loop {
        let command = match read_line(&mut input, &mut bytes) {
            Ok(lines::Line::Whole) => {
                log::debug!("< {}", String::from_utf8_lossy(&bytes));
                lines::text(&bytes)
                    .map_err(|error| error.to_string())
                    .and_then(|text| command::parse(text).map_err(|error| error.to_string()))
            }
            Ok(lines::Line::TooLong) => {
                bytes.clear();
                Err(LineError::TooLong.to_string())
            }
            Ok(lines::Line::End) => break,
            Err(error) => {
                log::error!("reading the input: {error}");
                break;
            }
        };
        let command = match command {
            Ok(None) => continue,
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => Ok(command),
            Err(error) => Err(error),
        };
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        if events.send(Event::Line(Line { text, command })).is_err() {
            return;
        }
    }
}

/// Tells the session that the input has ended, whatever ended its reading.
struct EndAtEnd<'a>(&'a Sender<Event>, &'a Leave);

impl Drop for EndAtEnd<'_> {
    fn drop(&mut self) {
        self.1.now();
        // The session may have gone before.
        let _ = self.0.send(Event::Ended);
    }
}

/// The engine, and everything else.
struct Session {
    engine: EngineState,
    state: State,
}

impl Session {
    fn hold(&mut self) {
        while !self.state.over && !self.state.output.broken() {
            // A move that is due comes before the lines that came after what it answers: they are dealt
            // with while it is searched for.
            let next = if self.state.due && !self.state.refused {
                None
            } else {
                self.state.waiting.pop_front()
            };
            let line = match next {
                Some(line) => line,
                None if self.proceed() => continue,
                None => match self.state.next_event() {
                    Event::Line(line) => line,
                    Event::Ended => break,
                    Event::Searched(_) => continue,
                },
            };
            self.take(&line);
            self.move_after_all();
        }
    }

    /// Plays what a search had found when a command ended it that was then refused: that changes nothing, so that
    /// the move is still to be made.
    fn move_after_all(&mut self) {
        match self.state.given_up.take() {
            Some((end, 1)) => self.move_found(end),
            Some((end, lines)) => self.state.given_up = Some((end, lines - 1)),
            None => {}
        }
    }

    /// Searches, if there is anything to search for; a defect of the engine must not end the session.
    fn proceed(&mut self) -> bool {
        let searched = catch_unwind(AssertUnwindSafe(|| match self.purpose() {
            Some(purpose) => {
                self.search(purpose);
                true
            }
            None => false,
        }));
        searched.unwrap_or_else(|panic| {
            // Not again and again.
            self.state.role = Role::Nobody;
            self.failed(message_of(panic.as_ref()));
            true
        })
    }

    /// What the engine has to search for now.
    fn purpose(&mut self) -> Option<Purpose> {
        if self.state.refused {
            return None;
        }
        match self.state.role {
            Role::Nobody => None,
            Role::Analyses => Some(Purpose::Analysis),
            Role::Plays(_) if self.state.due => Some(Purpose::Move),
            Role::Plays(side) => {
                let state = &mut self.state;
                if !state.ponders || side == state.game.side() {
                    return None;
                }
                let expected = state.expected.take()?;
                let mut game = state.game.clone();
                if !game.moves().contains(&expected) {
                    return None;
                }
                game.play(expected);
                if game.outcome().is_some() {
                    return None;
                }
                state.expected = Some(expected);
                Some(Purpose::Ponder(expected, Box::new(game)))
            }
        }
    }

    /// Carries out a command, come what may: a defect of the engine must not end the session.
    fn take(&mut self, line: &Line) {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.execute(line)));
        if let Err(panic) = outcome {
            let message = message_of(panic.as_ref());
            log::error!("{message} in {line:?}");
            self.state.error(format!("internal: {message}; the engine starts afresh"), &line.text);
            self.rebuild();
        }
    }

    /// Puts a fresh engine in the place of one that failed.
    fn rebuild(&mut self) {
        self.engine.rebuild();
        self.state.interrupt();
    }

    /// Carries out a command between two searches.
    fn execute(&mut self, line: &Line) {
        let (engine, state) = (&mut self.engine, &mut self.state);
        let Ok(command) = &line.command else { return state.at_once(line) };
        match command {
            Command::New => self.new_game(),
            Command::Variant(name) => match named(name) {
                Some(game) => self.choose_game(game),
                None => {
                    state.unknown_variant(line);
                    // What comes next is meant for that game.
                    state.refused = true;
                    state.interrupt();
                }
            },
            // It leaves the analysis, and nothing else.
            Command::Exit if state.role != Role::Analyses => {}
            Command::Force | Command::Exit => state.take_role(Role::Nobody),
            // Moves may be taken back, and the engine then plays on.
            Command::Result => state.interrupt(),
            Command::Analyze => state.take_role(Role::Analyses),
            // There is no move on that board.
            Command::Lift(_) if state.refused => {}
            Command::Go | Command::PlayOther | Command::Hint | Command::Book if state.refused => {
                state.error("expected another game or position first", &line.text);
            }
            Command::Go => {
                state.take_role(Role::Plays(state.game.side()));
                state.due = true;
            }
            Command::PlayOther => state.take_role(Role::Plays(!state.game.side())),
            &Command::Level { moves, base, increment } => {
                let made = state.made();
                state.clock.set_session(moves, base, increment, made);
            }
            &Command::MoveTime(time) => state.clock.set_move_time(time),
            &Command::Depth(depth) => state.clock.set_depth(depth),
            &Command::OwnTime(left) => state.clock.set_own(left),
            &Command::OtherTime(left) => state.clock.set_other(left),
            Command::Move(text) => self.opponents_move(text),
            Command::Ping(_) => self.answer_prepared(line),
            Command::SetBoard(fen) => self.set_board(fen),
            Command::Hint => self.hint(),
            Command::Undo => self.take_back(1, line),
            Command::Remove => self.take_back(2, line),
            &Command::Ponder(on) => state.ponders = on,
            &Command::Post(on) => state.post.store(on, Ordering::Relaxed),
            &Command::Memory(size) => engine.set_hash(size.saturating_sub(BESIDE_TABLE).max(1)),
            &Command::Cores(cores) => engine.set_threads(cores),
            Command::Option { name, value } => self.set_option(name, value.as_deref()),
            Command::Lift(square) => {
                state.output.lines(&highlight::line(&state.game, square));
            }
            Command::Book => self.tell_book(),
            Command::Protover | Command::Nothing => state.at_once(line),
            Command::Status if state.role == Role::Analyses => state.tell_of_no_search(),
            // Nothing is searched now.
            Command::MoveNow | Command::Status | Command::Quit => {}
        }
    }

    /// Begins a game in which the engine plays the second side, unless it analyses.
    fn new_game(&mut self) {
        self.engine.engine().new_game();
        self.state.clock.restart();
        if self.state.role != Role::Analyses {
            self.state.role = Role::Plays(Color::White);
        }
        self.start();
    }

    /// Begins another game from the start, and tells XBoard of its board and pieces.
    fn choose_game(&mut self, game: VariantId) {
        self.engine.choose_game(game);
        self.state.spec = game.spec();
        let rules = self.engine.settings().rules;
        self.state.output.lines(&definition::lines(self.state.spec, rules).join("\n"));
        self.start();
    }

    /// Answers a ping once the engine could search at once.
    fn answer_prepared(&mut self, line: &Line) {
        self.prepare();
        self.state.at_once(line);
    }

    /// Begins the game in play from its start.
    fn start(&mut self) {
        self.state.game = Game::start(self.engine.engine().game(), self.engine.settings().rules);
        self.state.refused = false;
        self.state.interrupt();
    }

    /// Makes the engine ready for a search.
    fn prepare(&mut self) {
        let prepared = self.engine.prepare();
        self.tell_of_lacks(prepared);
    }

    /// Makes the engine ready for a search whose clock runs, or may run at any moment.
    fn prepare_in_time(&mut self) {
        let prepared = self.engine.prepare_in_time();
        self.tell_of_lacks(prepared);
    }

    /// Says what a search will have to do without.
    fn tell_of_lacks(&mut self, prepared: Result<(), HashError>) {
        if let Err(error) = prepared {
            self.state.tell_user(&format!("memory: {error}"));
        }
        let strays = [self.engine.stray_network(), self.engine.stray_book()];
        strays.iter().flatten().for_each(|note| self.state.tell_user(note));
    }

    fn opponents_move(&mut self, text: &str) {
        let state = &mut self.state;
        let refuse = |why: &str| state.refuse(why, text);
        if state.refused {
            return refuse(" (the game or the position was refused)");
        }
        if let Some(outcome) = state.game.outcome() {
            return refuse(&format!(" (the game is over: {outcome})"));
        }
        let mover = state.game.side();
        let Some(usi) = usi_of_move(state.spec, text) else {
            return refuse(" (expected a move such as e2e3 or D@c4)");
        };
        let Ok(m) = state.game.position().parse_usi(&usi) else { return refuse("") };
        state.game.play(m);
        state.expected = None;
        state.due = state.role == Role::Plays(!mover);
        state.claim();
    }

    fn set_board(&mut self, fen: &str) {
        let rules = self.engine.settings().rules;
        let state = &mut self.state;
        // A position that could stand on this board does so at the other end, now. A text that is none
        // changes nothing: at its start, XBoard sends positions before it has read of the game.
        let (refused, error) = match fen::to_sfen(state.spec, fen) {
            Err(error) => (state.refused, error.to_string()),
            Ok(sfen) => match Game::from_sfen(state.game.position().game(), &sfen, rules) {
                Ok(game) => {
                    state.game = game;
                    state.refused = false;
                    return state.interrupt();
                }
                Err(error) => {
                    let impossible = matches!(error, PositionError::Sfen(SfenError::Impossible(_)));
                    (impossible || state.refused, error.to_string())
                }
            },
        };
        state.refused = refused;
        if refused {
            state.interrupt();
        }
        state.tell_user(&format!("Illegal position: {error}"));
    }

    fn take_back(&mut self, plies: usize, line: &Line) {
        let taken = !self.state.refused && self.state.game.take_back(plies);
        if taken {
            self.state.interrupt();
        } else {
            self.state.error("expected a move to take back", &line.text);
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let (engine, state) = (&mut self.engine, &mut self.state);
        let Some(option) = options::find(name) else {
            let names: Vec<&str> = state::options().map(|option| option.name).collect();
            let error =
                SessionError::UnknownOption { found: name.to_owned(), names: names.join(", ") };
            return state.tell_user(&error.in_cecp().to_string());
        };
        if let Some(command) = option.cecp {
            return state.tell_user(&format!("option {name}: expected the command {command}"));
        }
        let rules = engine.settings().rules;
        engine.show(state.game.position().clone());
        match option.apply(engine, value_of(option, value)) {
            // The engine forgets what is impossible under new rules.
            Ok(()) => {
                state.game.set_rules(engine.settings().rules);
                state.expected = None;
                // What was found under the old ones may be no move any more.
                if engine.settings().rules != rules && state.given_up.take().is_some() {
                    state.due = true;
                }
            }
            Err(error) => state.tell_user(&error.in_cecp().to_string()),
        }
    }

    /// Suggests a move for whoever is to move: the one expected, or what a short search finds.
    fn hint(&mut self) {
        if self.state.game.outcome().is_some() {
            return;
        }
        let mut hint = self.state.expected;
        if hint.is_none() {
            self.prepare_in_time();
            self.show_game();
            let limits = Limits { nodes: Some(HINT_NODES), advice: true, ..Limits::default() };
            let (engine, position) = self.engine.at_work();
            let found = engine.search(position, &limits, &Control::new(), &Silent);
            hint = found.ok().and_then(|found| found.best());
        }
        if let Some(hint) = hint {
            self.tell_hint(hint);
        }
    }

    /// Puts the engine before the position of the game.
    fn show_game(&mut self) {
        self.engine.show(self.state.game.position().clone());
    }

    fn tell_hint(&self, hint: Move) {
        let hint = text(self.state.game.position().game(), hint);
        self.state.output.lines(&format!("Hint: {hint}"));
    }

    fn search(&mut self, purpose: Purpose) {
        if purpose == Purpose::Move && self.state.game.outcome().is_some() {
            return self.state.claim();
        }
        let mut limits = self.state.limits(&self.state.game);
        match &purpose {
            Purpose::Move => self.prepare_in_time(),
            Purpose::Ponder(expected, game) => {
                limits = self.state.limits(game);
                limits.ponder = true;
                self.prepare_in_time();
                if self.state.post.load(Ordering::Relaxed) {
                    self.tell_hint(*expected);
                }
            }
            Purpose::Analysis => {
                limits = Limits { infinite: true, ..Limits::default() };
                self.prepare();
            }
        }
        if purpose == Purpose::Move {
            self.show_game();
            if let Some(found) = self.engine.book_move(&limits) {
                return self.play_from_book(found);
            }
        }
        let analysed = purpose == Purpose::Analysis;
        let end = search::run(&mut self.engine, &mut self.state, purpose, &limits);
        if end.wanted {
            self.move_found(end);
        } else {
            if let Err(message) = &end.answer {
                self.failed(message);
                if analysed {
                    // Not again and again.
                    self.state.role = Role::Nobody;
                }
            }
            self.state.due = false;
            if end.answer.is_ok() {
                self.state.given_up = end.broken_off.map(|lines| (end, lines));
            }
        }
    }

    fn play_from_book(&mut self, found: FromBook) {
        let (control, state) = (Control::new(), &self.state);
        let moves = state.game.moves().len();
        let thinking = Thinking::new(
            &state.output,
            &control,
            &state.post,
            self.engine.position().game(),
            moves,
        );
        let answer = Ok(found.tell(&control, &thinking));
        let begun = control.received();
        self.move_found(Searched { answer, wanted: true, begun, broken_off: None });
    }

    /// Says which move the book has for the position in play.
    fn tell_book(&mut self) {
        self.show_game();
        let told = match self.engine.book_move(&Limits::default()) {
            None => "there is no move in the book".to_owned(),
            Some(found) => {
                format!("{} {}", text(self.engine.position().game(), found.best), found.score)
            }
        };
        self.state.output.lines(&format!(" {told}\n"));
    }

    /// A defect of the engine: says so, and goes on with another one.
    fn failed(&mut self, message: &str) {
        self.state.error(format!("internal: {message}; the engine starts afresh"), "search");
        self.rebuild();
    }

    /// Plays what the search found.
    fn move_found(&mut self, end: Searched) {
        self.state.due = false;
        let (best, reply) = match end.answer {
            Ok(Answer::Move { best, ponder }) => (Some(best), ponder),
            Ok(Answer::Win) if self.state.game.outcome().is_none() => {
                let (winner, reason) = (self.state.game.side(), WinReason::Impasse);
                let claim = Outcome::Win { winner, reason };
                self.state.output.lines(&result::line(claim));
                return self.state.interrupt();
            }
            Ok(Answer::Resign) if self.state.game.outcome().is_none() => {
                self.state.output.lines(&result::resignation(self.state.game.side()));
                return self.state.interrupt();
            }
            Ok(Answer::Win | Answer::Resign) => return self.state.claim(),
            Err(message) => {
                self.failed(&message);
                let (position, moves) = (self.state.game.position(), self.state.game.moves());
                (moves.into_iter().min_by_key(|&m| position.usi(m)), None)
            }
        };
        let Some(best) = best else { return };
        let state = &mut self.state;
        let side = state.game.side();
        state.game.play(best);
        state.clock.spend(end.begun.elapsed(), state.game.made_by(side));
        state.output.lines(&format!("move {}", text(state.game.position().game(), best)));
        state.expected = reply;
        state.claim();
    }
}

/// A value of CECP's as the table of options reads it: a check is 1 or 0.
fn value_of<'a>(option: &OptionSpec, value: Option<&'a str>) -> Option<&'a str> {
    match (&option.kind, value) {
        (OptionKind::Check { .. }, Some("1")) => Some("true"),
        (OptionKind::Check { .. }, Some("0")) => Some("false"),
        _ => value,
    }
}
