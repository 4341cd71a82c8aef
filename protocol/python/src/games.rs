//! Games with branches, and files of them.

use std::io::{BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

use kujira_binding::drawing::{Chart, Picture, escaped};
use kujira_binding::{given, names};
use kujira_position::{AnyPosition, Color, Coordinates, VariantId, with_variant};
use kujira_record::review::{self, Judgement, Look};
use kujira_record::{FileFormat, Games, Head, NodeId, PlayError, Record};
use kujira_usi::Score as Told;
use kujira_usi::ending::{Ending, Reason};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::analysis::Score;
use crate::board::Board;
use crate::engine::Engine;
use crate::errors::{self, illegal, wrong};
use crate::given::{MoveLike, expected};
use crate::moves::Move;
use crate::numbers::number;
use crate::run::{alone, changing, reading};

/// The longest mate that a record tells, in plies: of the move before it, one more is said.
const LONGEST_MATE: u32 = u16::MAX as u32 - 1;

/// The format of files with this name.
fn format_named(name: &str) -> PyResult<FileFormat> {
    let choices = || FileFormat::ALL.map(FileFormat::name).join(", ");
    FileFormat::named(name).ok_or_else(|| errors::none_of(&choices(), name))
}

/// The name of the format of a file, by what its name ends with.
#[pyfunction]
pub fn format_of(path: std::path::PathBuf) -> Option<&'static str> {
    FileFormat::of(&path).map(FileFormat::name)
}

/// A game with branches: what was played, and what a record says of it.
#[pyclass(module = "whaleshogi")]
pub struct Game {
    pub record: Record,
}

/// A move of a game with what a record says of it; the root stands for the start.
#[pyclass(frozen, module = "whaleshogi")]
pub struct Node {
    game: Py<Game>,
    id: NodeId,
}

impl Game {
    fn node(&self, id: NodeId) -> PyResult<&kujira_record::Node> {
        self.record
            .game
            .node(id)
            .ok_or_else(|| PyIndexError::new_err("expected a move of this game"))
    }

    /// The position at a move, with all that led to it.
    fn position(&self, id: NodeId) -> AnyPosition {
        with_variant!(self.record.game.variant(), V => self.record.game.position::<V>(id).into())
    }

    fn main_line(&self) -> Vec<NodeId> {
        self.record.game.line_through(0)
    }

    fn ending(&self) -> Option<Ending> {
        self.record.game.node(self.record.game.end()).and_then(|node| node.ending)
    }

    /// What Black could expect after each move of the main line, where a score or the end says it.
    fn chances(&self) -> Vec<Option<f64>> {
        let game = &self.record.game;
        let chance = |id: &NodeId| {
            let node = game.node(*id)?;
            match node.ending.filter(|ending| ending.by_rule()) {
                Some(ending) => Some(points(ending)),
                None => node.score.map(|(score, _)| review::expected(game.variant(), score)),
            }
        };
        self.main_line().iter().map(chance).collect()
    }
}

/// Points of Black.
fn points(ending: Ending) -> f64 {
    match ending.half_points(Color::Black) {
        0 => 0.0,
        1 => 0.5,
        _ => 1.0,
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (board=None, **headers))]
    fn new(
        board: Option<&Bound<'_, PyAny>>,
        headers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let board = match board {
            None => Board::of(AnyPosition::start(VariantId::default())),
            Some(given) => match given.cast::<Board>() {
                Ok(board) => reading(board)?.clone(),
                Err(_) => {
                    let id: String = expected("a Board or the id of a game", given)?;
                    Board::of(AnyPosition::start(errors::game(&id)?))
                }
            },
        };
        let (start, rules) = (given::start(&board.position).sfen(), board.position.rules());
        let game = kujira_record::Game::new(board.variant(), &start, rules);
        let mut record =
            Record { game: game.map_err(|error| errors::sfen(&error))?, head: Head::default() };
        let mut at = 0;
        for m in board.position.played() {
            at = record.game.play(at, &board.position.usi(m)).map_err(wrong)?;
        }
        let mut made = Self { record };
        for (name, value) in headers.into_iter().flatten() {
            made.set_header(&name.extract::<String>()?, &value.extract::<String>()?)?;
        }
        Ok(made)
    }

    /// The game's id.
    #[getter]
    fn game(&self) -> &'static str {
        self.record.game.variant().spec().id
    }

    /// What else is said, as the tags of PGN say it: a copy.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, value) in &self.record.head.tags.0 {
            all.set_item(name, value)?;
        }
        Ok(all)
    }

    /// Sets a header; `black` and `white` are the players. `ValueError` for a name that is no word, and for those that
    /// say what the game says itself: `Result`, `Variant`, `FEN` and the like.
    fn set_header(&mut self, name: &str, value: &str) -> PyResult<()> {
        match name.to_ascii_lowercase().as_str() {
            "black" => value.clone_into(&mut self.record.head.players[0].name),
            "white" => value.clone_into(&mut self.record.head.players[1].name),
            _ => self.record.head.set(name, value).map_err(wrong)?,
        }
        Ok(())
    }

    /// The names of Black and White.
    #[getter]
    fn players(&self) -> (String, String) {
        let [black, white] = &self.record.head.players;
        (black.name.clone(), white.name.clone())
    }

    /// The result, `1-0` if Black won; none if the game has no end.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.ending().map(Ending::result)
    }

    /// The winner; none for a draw, or without an end.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.ending()?.winner.map(|side| names::color(side.into()))
    }

    /// Why the game ended.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.ending().map(|ending| ending.reason.name())
    }

    /// Says how the game ended, at the end of its main line. `ValueError` for an unknown reason, and for one that does
    /// not fit the winner or the rules.
    fn finish(&mut self, winner: Option<&str>, reason: &str) -> PyResult<()> {
        let reason: Reason = reason.parse().map_err(wrong)?;
        let ending = match winner {
            Some(winner) => {
                Ending::win(names::color_named(winner).map_err(errors::refused)?, reason)
            }
            None => Ending::draw(reason),
        };
        let end = self.record.game.end();
        kujira_record::finish(&mut self.record.game, end, ending).map_err(wrong)
    }

    /// The start of the game.
    #[getter]
    fn root(this: PyRef<'_, Self>) -> Node {
        Node { game: this.into(), id: 0 }
    }

    /// The last move of the main line.
    #[getter]
    fn end(this: PyRef<'_, Self>) -> Node {
        let id = this.record.game.end();
        Node { game: this.into(), id }
    }

    /// The moves of the main line, without the start.
    fn mainline(this: &Bound<'_, Self>) -> PyResult<Vec<Node>> {
        let line = reading(this)?.main_line();
        Ok(line.into_iter().skip(1).map(|id| Node { game: this.clone().unbind(), id }).collect())
    }

    /// The boards of the main line, the start first, replayed once.
    fn boards(&self) -> Boards {
        let line = self.main_line();
        let moves: Vec<_> =
            line.iter().filter_map(|&id| self.record.game.node(id)?.played()).collect();
        Boards { position: Some(self.position(0)), moves: moves.into_iter() }
    }

    /// The game as a text: `pgn`, `usi` (main line), `hodges` in these squares, or `jsonl` (everything).
    #[pyo3(signature = (format="pgn", squares="japanese"))]
    fn write(&self, format: &str, squares: &str) -> PyResult<String> {
        let squares = names::squares_named(squares).map_err(errors::refused)?;
        Ok(format_named(format)?.write(&self.record, squares))
    }

    /// Searches every position of the main line and says what its moves were worth. The game stays as it is.
    #[pyo3(signature = (engine, *, nodes=100_000))]
    fn review(
        this: &Bound<'_, Self>,
        engine: &Engine,
        #[pyo3(from_py_with = number)] nodes: u64,
    ) -> PyResult<Review> {
        let py = this.py();
        if nodes == 0 {
            return Err(wrong("expected a number of nodes from 1, found 0"));
        }
        let boards: Vec<Board> = {
            let mut boards = reading(this)?.boards();
            std::iter::from_fn(|| boards.__next__()).collect()
        };
        let mut looks = Vec::with_capacity(boards.len());
        for board in &boards {
            if board.position.outcome().is_some() {
                looks.push(None);
                continue;
            }
            let found = engine.look(py, board, nodes)?;
            looks.push(found.lines.first().map(|line| Look {
                score: kujira_usi::Score::from(line.score).for_black(board.position.side()),
                depth: line.depth,
                line: board.position.usi_line(&line.pv),
            }));
        }
        let review = review::Review::of(&reading(this)?.record.game, &looks);
        Ok(Review { game: this.clone().unbind(), looks, review })
    }

    fn __len__(&self) -> usize {
        self.main_line().len() - 1
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let (black, white) = self.players();
        let result = self.result().unwrap_or("*");
        format!(
            "<Game of {}: {black:?} against {white:?}, {} plies, {result}>",
            self.game(),
            self.__len__()
        )
    }

    /// The board at the end, the winning chances and the moves.
    fn _repr_html_(&self) -> PyResult<String> {
        let (game, end) = (&self.record.game, self.record.game.end());
        let (black, white) = self.players();
        let line = self.main_line();
        let texts = game.notations(line.iter().copied());
        let moves: Vec<&str> = line
            .iter()
            .skip(1)
            .filter_map(|id| Some(texts.get(id)?.text_in(Coordinates::Western)))
            .collect();
        let last = game.node(end).and_then(kujira_record::Node::played);
        let board = Picture { last, ..Picture::default() }.of(&self.position(end));
        let chances = self.chances();
        let chart = if chances.iter().flatten().count() > 1 {
            Chart { chances }.svg()
        } else {
            String::new()
        };
        Ok(format!(
            "<div><b>{} – {}</b> {} {}</div>{board}{chart}<div>{}</div>",
            escaped(&black),
            escaped(&white),
            self.result().unwrap_or("*"),
            self.reason().unwrap_or_default(),
            escaped(&moves.join(" ")),
        ))
    }
}

/// Hands out the boards of a game.
#[pyclass(module = "whaleshogi")]
pub struct Boards {
    position: Option<AnyPosition>,
    moves: std::vec::IntoIter<kujira_position::Move>,
}

#[pymethods]
impl Boards {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<Board> {
        let now = self.position.take()?;
        if let Some(m) = self.moves.next() {
            let mut next = now.clone();
            self.position = next.play(m).is_ok().then_some(next);
        }
        Some(Board::of(now))
    }
}

impl Node {
    fn with<T>(&self, py: Python<'_>, ask: impl FnOnce(&kujira_record::Node) -> T) -> PyResult<T> {
        reading(self.game.bind(py))?.node(self.id).map(ask)
    }

    fn change(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut kujira_record::Node),
    ) -> PyResult<()> {
        if let Some(node) = changing(self.game.bind(py))?.record.game.node_mut(self.id) {
            change(node);
        }
        Ok(())
    }

    fn at(&self, py: Python<'_>, id: NodeId) -> Self {
        Self { game: self.game.clone_ref(py), id }
    }
}

/// Milliseconds as seconds.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1000.0
}

#[pymethods]
impl Node {
    /// The move; none at the start.
    #[getter(r#move)]
    fn played(&self, py: Python<'_>) -> PyResult<Option<Move>> {
        let game = reading(self.game.bind(py))?.record.game.variant();
        self.with(py, |node| node.played().map(|m| Move { game, m }))
    }

    /// The number of the next move, from 1.
    #[getter]
    fn ply(&self, py: Python<'_>) -> PyResult<u32> {
        self.with(py, |node| node.ply)
    }

    /// What an engine thought of the position after the move, **as Black sees it**. No format has one of the start.
    #[getter]
    fn score(&self, py: Python<'_>) -> PyResult<Option<Score>> {
        self.with(py, |node| node.score.map(|(score, _)| Score(score)))
    }

    #[setter]
    fn set_score(&self, py: Python<'_>, score: Option<Score>) -> PyResult<()> {
        // No format tells the others: who is mated has lost.
        if let Some(Score(Told::Mate(plies))) = score
            && !(1..=LONGEST_MATE).contains(&plies.unsigned_abs())
        {
            return Err(wrong(format!(
                "expected a mate in 1 to {LONGEST_MATE} plies, found {plies}"
            )));
        }
        self.change(py, |node| {
            node.score = score.map(|score| (score.0, node.score.map_or(0, |old| old.1)))
        })
    }

    /// How deep it looked, in plies; none if nobody said.
    #[getter]
    fn depth(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        self.with(py, |node| node.score.map(|(_, depth)| depth).filter(|&depth| depth > 0))
    }

    /// The comment behind the move.
    #[getter]
    fn comment(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |node| node.notes.comment.clone())
    }

    #[setter]
    fn set_comment(&self, py: Python<'_>, comment: String) -> PyResult<()> {
        self.change(py, |node| node.notes.comment = comment)
    }

    /// Numeric annotation glyphs: 1 is a good move, 2 a mistake.
    #[getter]
    fn nags(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.with(py, |node| node.notes.nags.iter().map(|&nag| u32::from(nag)).collect())
    }

    #[setter]
    fn set_nags(&self, nags: &Bound<'_, PyAny>) -> PyResult<()> {
        let found = expected("annotation glyphs as a sequence of numbers from 0 to 255", nags)?;
        self.change(nags.py(), |node| node.notes.nags = found)
    }

    /// What the mover's clock showed after the move, in seconds.
    #[getter]
    fn clock(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.with(py, |node| node.notes.clock.map(seconds))
    }

    /// What the move took, in seconds.
    #[getter]
    fn spent(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.with(py, |node| node.notes.spent.map(seconds))
    }

    /// The move before.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        let parent = self.with(py, |node| node.parent)?;
        Ok(parent.map(|id| self.at(py, id)))
    }

    /// The moves played from here, the main line first.
    #[getter]
    fn children(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let children = self.with(py, |node| node.children.clone())?;
        Ok(children.into_iter().map(|id| self.at(py, id)).collect())
    }

    /// How the game ended here: winner and reason.
    #[getter]
    fn ending(&self, py: Python<'_>) -> PyResult<Option<(Option<&'static str>, &'static str)>> {
        self.with(py, |node| {
            let winner = |ending: Ending| ending.winner.map(|side| names::color(side.into()));
            node.ending.map(|ending| (winner(ending), ending.reason.name()))
        })
    }

    /// The board after the move.
    fn board(&self, py: Python<'_>) -> PyResult<Board> {
        Ok(Board::of(reading(self.game.bind(py))?.position(self.id)))
    }

    /// Plays a move from here, a branch if there is another one; returns it.
    #[pyo3(signature = (m, /))]
    fn add(&self, py: Python<'_>, m: MoveLike) -> PyResult<Self> {
        let board = self.board(py)?;
        let usi = board.position.usi(board.find(&m)?);
        // It would not be the end any more, and no format tells of another one.
        if let Some(ending) = self.with(py, |node| node.ending)? {
            return Err(illegal(PlayError::Over(ending), Vec::new()));
        }
        let id = changing(self.game.bind(py))?.record.game.play(self.id, &usi).map_err(wrong)?;
        Ok(self.at(py, id))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().id == self.id && other.get().game.is(&self.game))
    }

    fn __hash__(&self) -> usize {
        self.id
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |node| {
            format!("<Node {}>", if node.usi.is_empty() { "start" } else { &node.usi })
        })
    }
}

/// What the moves of a game were worth.
#[pyclass(frozen, module = "whaleshogi")]
pub struct Review {
    game: Py<Game>,
    looks: Vec<Option<Look>>,
    review: review::Review,
}

#[pymethods]
impl Review {
    /// How accurate Black and White played, from 0 to 100; none for a side without a move.
    #[getter]
    fn accuracy(&self) -> (Option<f64>, Option<f64>) {
        (self.review.accuracy(Color::Black), self.review.accuracy(Color::White))
    }

    /// For each move of the main line what it lost, in points of a game, and how that is judged: `inaccuracy`,
    /// `mistake`, `blunder` or none.
    #[getter]
    fn losses(&self) -> Vec<(f64, Option<&'static str>)> {
        let told = self.review.moves.iter().map(|worth| worth.map_or(0.0, |worth| worth.loss));
        told.map(|loss| (loss, Judgement::of(loss).map(Judgement::name))).collect()
    }

    /// The result that Black could expect before the first move and after each, from 0 to 1.
    #[getter]
    fn chances(&self, py: Python<'_>) -> PyResult<Vec<Option<f64>>> {
        let game = reading(self.game.bind(py))?;
        let game = &game.record.game;
        let line = game.line_through(0);
        let looks = self.looks.iter().zip(&line);
        Ok(looks
            .map(|(look, &id)| match look {
                Some(look) => Some(review::expected(game.variant(), look.score)),
                None => game.node(id)?.ending.map(points),
            })
            .collect())
    }

    /// Writes scores, signs, words and better lines, `plies` long, into the game.
    #[pyo3(signature = (plies=6))]
    fn annotate(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number)] plies: usize,
    ) -> PyResult<()> {
        let mut game = changing(self.game.bind(py))?;
        self.review.annotate(&mut game.record.game, &self.looks, plies);
        Ok(())
    }

    fn __repr__(&self) -> String {
        let side = |side| {
            self.review.accuracy(side).map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"))
        };
        format!("<Review: accuracy {} and {}>", side(Color::Black), side(Color::White))
    }

    /// A graph of the winning chances.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(Chart { chances: self.chances(py)? }.svg())
    }
}

/// What a file of Python raised.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// A binary file of Python.
struct PyFile(Py<PyAny>, Raised);

impl Read for PyFile {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (buffer.len(),))?;
            let read: &[u8] = read.extract()?;
            let count = read.len().min(buffer.len());
            buffer[..count].copy_from_slice(&read[..count]);
            PyResult::Ok(count)
        })
        .map_err(|error| {
            *self.1.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            std::io::Error::other("raised")
        })
    }
}

/// Reads the games of a binary file one after the other. Behind a faulty game it goes on with the next. What the file
/// raises is raised.
#[pyclass(frozen, module = "whaleshogi")]
pub struct GameReader {
    games: Mutex<Games<'static>>,
    raised: Raised,
    name: Option<String>,
}

#[pymethods]
impl GameReader {
    #[new]
    #[pyo3(signature = (file, format, game=None, name=None))]
    fn new(
        file: Py<PyAny>,
        format: &str,
        game: Option<&str>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let hint = game.map(errors::game).transpose()?;
        let raised = Raised::default();
        let file = BufReader::with_capacity(1 << 16, PyFile(file, raised.clone()));
        let games = Mutex::new(kujira_record::games(file, format_named(format)?, hint));
        Ok(Self { games, raised, name })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self) -> PyResult<Option<Game>> {
        let mut games = alone(self.games.try_lock())?;
        let record = games.next().transpose().map_err(|error| {
            let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
            raised.unwrap_or_else(|| match &self.name {
                Some(name) => errors::record(&error.in_file(name)),
                None => errors::record(&error),
            })
        })?;
        Ok(record.map(|record| Game { record }))
    }
}
