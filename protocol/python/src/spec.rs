//! The games as data: kinds, boards, starts, rule switches.

use kujira_binding::drawing::{escaped, kind_svg};
use kujira_binding::encode::Numbering;
use kujira_binding::names as words;
use kujira_position::{VariantId, diagram};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::{self, refused};
use crate::names;

/// A kind of piece of a game.
#[pyclass(frozen, eq, hash, module = "whaleshogi")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind {
    pub game: VariantId,
    pub kind: kujira_position::Kind,
}

impl Kind {
    fn of(&self, token: &str) -> Option<Self> {
        self.game.spec().find_kind(token).map(|kind| Self { kind, ..*self })
    }
}

#[pymethods]
impl Kind {
    /// The token in SFEN, upper case, with `+` in front if promoted.
    #[getter]
    fn token(&self) -> &'static str {
        self.game.spec().kind(self.kind).token
    }

    /// The name for people.
    #[getter]
    fn name(&self) -> &'static str {
        self.game.spec().name_of(self.kind)
    }

    /// The index in `Spec.kinds`.
    #[getter]
    fn index(&self) -> usize {
        self.kind.index()
    }

    /// The kind it promotes to, if it promotes.
    #[getter]
    fn promotes_to(&self) -> Option<Self> {
        self.game.spec().kind(self.kind).promotes_to.and_then(|token| self.of(token))
    }

    /// The kind it is in the captor's hand; none for the white whale.
    #[getter]
    fn in_hand(&self) -> Option<Self> {
        let whale = self.kind == kujira_position::Kind::WHALE;
        if whale { None } else { self.of(self.game.spec().kind(self.kind).in_hand) }
    }

    /// How it moves, in Betza's notation; captures on the way and retreats are not told by it.
    #[getter]
    fn betza(&self) -> &'static str {
        let spec = self.game.spec();
        spec.class(spec.class_of(self.kind)).betza
    }

    /// How it moves, as a picture of text.
    fn diagram(&self) -> String {
        diagram(self.game.spec(), self.kind)
    }

    fn _repr_svg_(&self) -> String {
        kind_svg(self.game.spec(), self.kind)
    }

    /// The tile and the diagram of how it moves.
    fn _repr_html_(&self) -> String {
        format!(
            "{}<b>{}</b><pre>{}</pre>",
            self._repr_svg_(),
            escaped(self.name()),
            escaped(&self.diagram())
        )
    }

    fn __repr__(&self) -> String {
        format!("kind('{}', '{}')", self.game, self.token())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, &'static str))> {
        let make = py.import("whaleshogi")?.getattr("kind")?;
        Ok((make, (self.game.to_string(), self.token())))
    }
}

/// Rules and pieces of a game.
#[pyclass(frozen, eq, hash, module = "whaleshogi")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spec(pub VariantId);

#[pymethods]
impl Spec {
    /// The name by which functions choose the game.
    #[getter]
    fn id(&self) -> &'static str {
        self.0.spec().id
    }

    /// The name for people.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.spec().name
    }

    /// Number of files.
    #[getter]
    fn files(&self) -> u8 {
        self.0.spec().geometry.files
    }

    /// Number of ranks.
    #[getter]
    fn ranks(&self) -> u8 {
        self.0.spec().geometry.ranks
    }

    /// SFEN of the start.
    #[getter]
    fn start(&self) -> &'static str {
        self.0.spec().start
    }

    /// Every kind: first the white whale, then those that can be in hand.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let kinds = self.0.spec().all_kinds().map(|kind| Kind { game: self.0, kind });
        PyTuple::new(py, kinds.collect::<Vec<_>>())
    }

    /// The kinds that can be in hand.
    #[getter]
    fn hand_kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let spec = self.0.spec();
        let kinds = spec.all_kinds().skip(1).take(spec.hand_kinds);
        PyTuple::new(py, kinds.map(|kind| Kind { game: self.0, kind }).collect::<Vec<_>>())
    }

    /// SFEN of each start with odds, by the pieces that White gives.
    #[getter]
    fn handicaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for handicap in self.0.spec().handicaps {
            all.set_item(handicap.id, handicap.sfen)?;
        }
        Ok(all)
    }

    /// The number of actions, see `docs/encoding.md`.
    #[getter]
    fn num_actions(&self) -> usize {
        Numbering::of(self.0).actions()
    }

    /// Planes, ranks, files.
    #[getter]
    fn planes_shape(&self) -> (usize, usize, usize) {
        Numbering::of(self.0).planes_shape()
    }

    fn __repr__(&self) -> String {
        format!("spec('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.import("whaleshogi")?.getattr("spec")?, (self.0.to_string(),)))
    }
}

/// Rules and pieces of a game: `spec("whale")`. `KeyError` for an unknown game.
#[pyfunction]
pub fn spec(game: &str) -> PyResult<Spec> {
    errors::game(game).map(Spec)
}

/// A kind of piece: `kind("great", "FC")`. `KeyError` for an unknown game or token.
#[pyfunction]
pub fn kind(game: &str, token: &str) -> PyResult<Kind> {
    let game = errors::game(game)?;
    Ok(Kind { game, kind: words::kind_named(game, token).map_err(refused)? })
}

/// The switches on which the sources differ.
#[pyclass(frozen, eq, hash, module = "whaleshogi")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rules(pub kujira_position::Rules);

impl std::hash::Hash for Rules {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        names::rules_number(self.0).hash(state);
    }
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (*, retreat="slide", retreat_file_limit=false, impasse=false, repetition=true))]
    fn new(
        retreat: &str,
        retreat_file_limit: bool,
        impasse: bool,
        repetition: bool,
    ) -> PyResult<Self> {
        let retreat = words::retreat_named(retreat).map_err(refused)?;
        Ok(Self(kujira_position::Rules { retreat, retreat_file_limit, impasse, repetition }))
    }

    /// How far a dolphin slides back from the farthest rank: `slide` or `two`.
    #[getter]
    fn retreat(&self) -> &'static str {
        words::retreat(self.0.retreat)
    }

    /// Whether a dolphin may not retreat onto a file with two of its own.
    #[getter]
    fn retreat_file_limit(&self) -> bool {
        self.0.retreat_file_limit
    }

    /// Whether the impasse rule may be claimed.
    #[getter]
    fn impasse(&self) -> bool {
        self.0.impasse
    }

    /// Whether the fourth occurrence of a position ends the game.
    #[getter]
    fn repetition(&self) -> bool {
        self.0.repetition
    }

    fn __repr__(&self) -> String {
        let flag = |on| if on { "True" } else { "False" };
        format!(
            "Rules(retreat='{}', retreat_file_limit={}, impasse={}, repetition={})",
            self.retreat(),
            flag(self.0.retreat_file_limit),
            flag(self.0.impasse),
            flag(self.0.repetition),
        )
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (&'static str, bool, bool, bool))> {
        let make = py.get_type::<Self>().getattr("_of")?;
        let rules = self.0;
        Ok((make, (self.retreat(), rules.retreat_file_limit, rules.impasse, rules.repetition)))
    }

    /// As the constructor, without names: for pickles.
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn positional(
        retreat: &str,
        retreat_file_limit: bool,
        impasse: bool,
        repetition: bool,
    ) -> PyResult<Self> {
        Self::new(retreat, retreat_file_limit, impasse, repetition)
    }
}
