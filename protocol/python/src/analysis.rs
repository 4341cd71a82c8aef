//! What a search says: scores, lines, and what it found in the end.

use kujira_binding::drawing::{Picture, escaped};
use kujira_position::AnyPosition;
use kujira_record::review;
use kujira_search::{Answer, Info, MateAnswer, MateReport};
use kujira_usi::Score as Told;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::board::Board;
use crate::errors::{self, wrong};
use crate::given::MoveLike;
use crate::moves::Move;
use crate::numbers::number;

/// What a position is worth to the side to move: `cp`, hundredths of a dolphin or calf in hand, or `mate`, plies to the
/// mate, 0 or below for the side that is mated.
#[pyclass(frozen, eq, ord, hash, from_py_object, module = "whaleshogi")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Score(pub Told);

impl PartialOrd for Score {
    /// Mates lie beyond all evaluations, short ones farthest.
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.0.centipawns().cmp(&other.0.centipawns()))
    }
}

impl std::hash::Hash for Score {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.cp(), self.mate()).hash(state);
    }
}

#[pymethods]
impl Score {
    #[new]
    #[pyo3(signature = (*, cp=None, mate=None))]
    fn new(
        #[pyo3(from_py_with = number)] cp: Option<i32>,
        #[pyo3(from_py_with = number)] mate: Option<i32>,
    ) -> PyResult<Self> {
        match (cp, mate) {
            (Some(cp), None) => Ok(Self(Told::Cp(cp))),
            (None, Some(mate)) => Ok(Self(Told::Mate(mate))),
            _ => Err(wrong("expected cp or mate, found both or neither")),
        }
    }

    /// Centipawns; none for a mate.
    #[getter]
    fn cp(&self) -> Option<i32> {
        match self.0 {
            Told::Cp(value) => Some(value),
            Told::Mate(_) => None,
        }
    }

    /// Plies to the mate, 0 or below for the side that is mated; none without a mate.
    #[getter]
    fn mate(&self) -> Option<i32> {
        match self.0 {
            Told::Cp(_) => None,
            Told::Mate(plies) => Some(plies),
        }
    }

    /// The result that the score lets its side expect, from 0 (loss) to 1 (win).
    fn expected(&self, game: &str) -> PyResult<f64> {
        Ok(review::expected(errors::game(game)?, self.0))
    }

    fn __neg__(&self) -> Self {
        Self(self.0.turned())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        match self.0 {
            Told::Cp(value) => format!("Score(cp={value})"),
            Told::Mate(plies) => format!("Score(mate={plies})"),
        }
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Option<i32>, Option<i32>))> {
        Ok((py.get_type::<Self>().getattr("_of")?, (self.cp(), self.mate())))
    }

    /// As the constructor, without names: for pickles.
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn positional(cp: Option<i32>, mate: Option<i32>) -> PyResult<Self> {
        Self::new(cp, mate)
    }
}

/// A line of a search.
#[pyclass(frozen, eq, from_py_object, module = "whaleshogi")]
#[derive(Clone, PartialEq)]
pub struct Line {
    pub root: AnyPosition,
    pub info: Info,
}

#[pymethods]
impl Line {
    /// Its rank, from 1.
    #[getter]
    fn rank(&self) -> usize {
        self.info.multipv
    }

    /// What the side to move may expect.
    #[getter]
    pub fn score(&self) -> Score {
        Score(self.info.score.into())
    }

    /// Whether the score is `exact`, or the true one is at least (`lower`) or at most (`upper`) that.
    #[getter]
    fn bound(&self) -> &'static str {
        match self.info.bound {
            kujira_search::Bound::Exact => "exact",
            kujira_search::Bound::Lower => "lower",
            kujira_search::Bound::Upper => "upper",
        }
    }

    /// The moves expected.
    #[getter]
    fn pv(&self) -> Vec<Move> {
        let game = self.root.game();
        self.info.pv.iter().map(|&m| Move { game, m }).collect()
    }

    /// Depth in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.info.depth
    }

    /// The greatest depth reached, in plies.
    #[getter]
    fn seldepth(&self) -> u32 {
        self.info.selective_depth
    }

    /// Nodes searched so far.
    #[getter]
    fn nodes(&self) -> u64 {
        self.info.nodes
    }

    /// Time so far, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.info.time.as_secs_f64()
    }

    /// The moves expected as a text, with their numbers; see `Board.variation`.
    #[pyo3(signature = (notation="western"))]
    pub fn text(&self, notation: &str) -> PyResult<String> {
        let moves: Vec<_> = self.pv().into_iter().map(MoveLike::Move).collect();
        Board::of(self.root.clone()).line(&moves, notation, true)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Line {} depth {}: {}>",
            self.score().0,
            self.depth(),
            self.root.usi_line(&self.info.pv).join(" ")
        )
    }
}

/// What a search found: its lines, best first.
#[pyclass(frozen, sequence, module = "whaleshogi")]
pub struct Analysis {
    pub root: AnyPosition,
    pub found: kujira_search::Analysis,
}

impl Analysis {
    fn lines(&self) -> impl ExactSizeIterator<Item = Line> {
        self.found.lines.iter().map(|info| Line { root: self.root.clone(), info: info.clone() })
    }
}

#[pymethods]
impl Analysis {
    /// The move to play, if there is one.
    #[getter]
    pub fn best(&self) -> Option<Move> {
        self.found.best().map(|m| Move { game: self.root.game(), m })
    }

    /// The reply expected to it.
    #[getter]
    fn ponder(&self) -> Option<Move> {
        match self.found.answer {
            Answer::Move { ponder, .. } => ponder.map(|m| Move { game: self.root.game(), m }),
            Answer::Resign | Answer::Win => None,
        }
    }

    /// Whether the game is lost or drawn, so that there is no move to play.
    #[getter]
    fn resigns(&self) -> bool {
        self.found.answer == Answer::Resign
    }

    /// Whether the side to move has won or can claim the win of an impasse.
    #[getter]
    fn claims(&self) -> bool {
        self.found.answer == Answer::Win
    }

    /// Nodes searched.
    #[getter]
    fn nodes(&self) -> u64 {
        self.found.nodes
    }

    /// Time it took, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.found.time.as_secs_f64()
    }

    /// The score of the best line; none if nothing was searched.
    #[getter]
    fn score(&self) -> Option<Score> {
        self.found.score().map(|score| Score(score.into()))
    }

    /// The position searched.
    #[getter]
    fn board(&self) -> Board {
        Board::of(self.root.clone())
    }

    fn __len__(&self) -> usize {
        self.found.lines.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        PyTuple::new(py, self.lines())?.as_any().get_item(index)
    }

    /// The first place of a line. `ValueError` if it is none of these.
    fn index(&self, line: &Line) -> PyResult<usize> {
        let place = self.lines().position(|own| own == *line);
        place.ok_or_else(|| wrong("expected one of the lines, found another"))
    }

    /// How often it holds a line: once or not at all.
    fn count(&self, line: &Line) -> usize {
        self.lines().filter(|own| own == line).count()
    }

    /// A row for each line, as `pandas.DataFrame` takes them: rank, score, depth, nodes, time, line.
    #[pyo3(signature = (notation="western"))]
    fn table<'py>(&self, py: Python<'py>, notation: &str) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for line in self.lines() {
            let row = PyDict::new(py);
            row.set_item("rank", line.rank())?;
            row.set_item("score", line.score().__str__())?;
            row.set_item("depth", line.depth())?;
            row.set_item("nodes", line.nodes())?;
            row.set_item("time", line.time())?;
            row.set_item("line", line.text(notation)?)?;
            rows.append(row)?;
        }
        Ok(rows)
    }

    /// The board with the best move, and a table of the lines.
    fn _repr_html_(&self) -> PyResult<String> {
        let best = self.found.best();
        let arrows = best
            .filter(|m| !m.is_drop())
            .map(|m| (m.from(), m.to(), "#c0392b"))
            .into_iter()
            .collect();
        let marks = best.filter(|m| m.is_drop()).map(|m| (m.to(), "#f3d36b")).into_iter().collect();
        let board = Picture { arrows, marks, ..Picture::default() }.of(&self.root);
        let mut rows = String::new();
        for line in self.lines() {
            let text = escaped(&line.text("western")?);
            rows += &format!(
                "<tr><td>{}</td><td>{}</td><td>{text}</td></tr>",
                line.score().0,
                line.depth()
            );
        }
        let head = "<tr><th>score</th><th>depth</th><th>line</th></tr>";
        Ok(format!("{board}<table>{head}{rows}</table>"))
    }

    fn __repr__(&self) -> String {
        let best = self.best().map_or_else(|| "no move".to_owned(), |m| m.usi());
        let score =
            self.found.score().map_or_else(String::new, |score| format!(", {}", Told::from(score)));
        format!("<Analysis {best}{score}, {} nodes>", self.found.nodes)
    }
}

/// What looking for a mate by checks alone came to: `proved`, `refuted` or `unknown`. True if it is proved.
#[pyclass(frozen, module = "whaleshogi")]
pub struct Mate {
    pub root: AnyPosition,
    pub report: MateReport,
}

#[pymethods]
impl Mate {
    /// `proved`: the side to move mates; `refuted`: no checks mate; `unknown`: a limit came first.
    #[getter]
    fn status(&self) -> &'static str {
        match self.report.answer {
            MateAnswer::Mate { .. } => "proved",
            MateAnswer::NoMate => "refuted",
            MateAnswer::Unknown => "unknown",
        }
    }

    /// The moves of both sides with the longest defence; empty without a mate.
    #[getter]
    fn line(&self) -> Vec<Move> {
        let game = self.root.game();
        match &self.report.answer {
            MateAnswer::Mate { line, .. } => line.iter().map(|&m| Move { game, m }).collect(),
            MateAnswer::NoMate | MateAnswer::Unknown => Vec::new(),
        }
    }

    /// How many plies the mate takes at most; none without a mate.
    #[getter]
    fn plies(&self) -> Option<u32> {
        match self.report.answer {
            MateAnswer::Mate { plies, .. } => Some(plies),
            MateAnswer::NoMate | MateAnswer::Unknown => None,
        }
    }

    /// Whether it is proved that no shorter mate by checks exists.
    #[getter]
    fn shortest(&self) -> bool {
        matches!(self.report.answer, MateAnswer::Mate { shortest: true, .. })
    }

    /// Moves made to find out.
    #[getter]
    fn nodes(&self) -> u64 {
        self.report.nodes
    }

    fn __bool__(&self) -> bool {
        self.status() == "proved"
    }

    fn __repr__(&self) -> String {
        let line: Vec<String> = self.line().iter().map(Move::usi).collect();
        let line = if line.is_empty() { String::new() } else { format!(": {}", line.join(" ")) };
        format!("<Mate {}{line}>", self.status())
    }
}
