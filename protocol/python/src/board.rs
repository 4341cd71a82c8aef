//! Boards: a position of any game, with the moves that led to it.

use std::collections::BTreeMap;

use kujira_binding::drawing::{self, Picture};
use kujira_binding::encode::Numbering;
use kujira_binding::{given, names as words, written};
use kujira_position::{AnyPosition, Color, Threats, VariantId, with_position, with_variant};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::errors::{self, refused, wrong};
use crate::given::{ArrowLike, MoveLike, MovesLike, arrows, marks};
use crate::moves::{Move, MoveList};
use crate::numbers::{Plies, number};
use crate::random::{self, playout};
use crate::run::{changing, reading, stoppable};
use crate::spec::{Rules, Spec};
use crate::{arrays, names};

/// A position with the moves that led to it. The same class for all three games.
#[pyclass(module = "whaleshogi")]
#[derive(Clone)]
pub struct Board {
    pub position: AnyPosition,
}

impl Board {
    /// A board with this position.
    pub fn of(position: AnyPosition) -> Self {
        Self { position }
    }

    /// The game.
    pub fn variant(&self) -> VariantId {
        self.position.game()
    }

    fn wrapped(&self, m: kujira_position::Move) -> Move {
        Move { game: self.variant(), m }
    }

    /// The moves that may be played; none after the end of the game.
    pub fn moves(&self) -> Vec<kujira_position::Move> {
        given::legal_moves(&self.position)
    }

    fn list(&self, moves: Vec<kujira_position::Move>) -> MoveList {
        MoveList { game: self.variant(), side: self.position.side(), alternates: false, moves }
    }

    /// The rules to keep to.
    fn rules_of(rules: Option<&Bound<'_, Rules>>) -> kujira_position::Rules {
        rules.map_or_else(kujira_position::Rules::default, |rules| rules.get().0)
    }

    /// The legal move that somebody gives.
    pub fn find(&self, given: &MoveLike) -> PyResult<kujira_position::Move> {
        given::find(&self.position, given.given(self.variant())?).map_err(refused)
    }

    /// Plays a move.
    pub fn play(&mut self, given: &MoveLike) -> PyResult<kujira_position::Move> {
        let given = given.given(self.variant())?;
        given::play(&mut self.position, given).map_err(refused)
    }

    /// Moves from here as a text.
    ///
    /// # Errors
    /// If a move is refused, or there is no such notation.
    pub fn line(&self, moves: &[MoveLike], notation: &str, numbers: bool) -> PyResult<String> {
        let game = self.variant();
        let moves: Vec<_> = moves.iter().map(|m| m.given(game)).collect::<PyResult<_>>()?;
        written::variation(&self.position, moves, notation, numbers).map_err(refused)
    }

    /// A position from an SFEN.
    fn set_up(game: VariantId, sfen: &str, rules: kujira_position::Rules) -> PyResult<AnyPosition> {
        AnyPosition::replay(game, Some(sfen), [], rules).map_err(|error| errors::position(&error))
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (game="whale", sfen=None, *, rules=None, handicap=None, moves=MovesLike::default()))]
    fn new(
        game: &str,
        sfen: Option<&str>,
        rules: Option<&Bound<'_, Rules>>,
        handicap: Option<&str>,
        moves: MovesLike,
    ) -> PyResult<Self> {
        let game = errors::game(game)?;
        let start = match (sfen, handicap) {
            (Some(_), Some(_)) => return Err(wrong("expected an SFEN or a handicap, found both")),
            (Some(sfen), None) => sfen,
            (None, Some(id)) => words::handicap(game, id).map_err(refused)?,
            (None, None) => game.spec().start,
        };
        let mut board = Self::of(Self::set_up(game, start, Self::rules_of(rules))?);
        for m in moves.list() {
            board.play(&m)?;
        }
        Ok(board)
    }

    /// The board of `startpos moves …` or `sfen … moves …`, as USI's command `position` has it.
    #[staticmethod]
    #[pyo3(signature = (position, game="whale"))]
    fn from_usi(position: &str, game: &str) -> PyResult<Self> {
        let game = errors::game(game)?;
        let position = position.trim();
        let position = position.strip_prefix("position ").unwrap_or(position);
        let read: Result<AnyPosition, _> = format!("{game} {position}").parse();
        read.map(Self::of).map_err(|error| errors::position(&error))
    }

    /// A position after random moves from the start: so many, or between two numbers of them, both included. No game is
    /// over after them.
    #[staticmethod]
    #[pyo3(signature = (game="whale", plies=(8, 8).into(), *, seed=None))]
    fn random(
        py: Python<'_>,
        game: &str,
        plies: Plies,
        #[pyo3(from_py_with = number)] seed: Option<u64>,
    ) -> PyResult<Self> {
        let game = errors::game(game)?;
        let range = plies.range()?;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(names::seed(seed));
        let rules = kujira_position::Rules::DEFAULT;
        let found = stoppable(py, range.1 <= 100, |stopped| {
            with_variant!(game, V => {
                random::position::<V>(range, rules, &mut random, stopped).map(Into::into)
            })
        })?;
        found.map(Self::of).ok_or_else(|| wrong(random::NONE))
    }

    /// The game's id.
    #[getter]
    fn game(&self) -> &'static str {
        self.position.spec().id
    }

    /// The game's rules and pieces.
    #[getter]
    fn spec(&self) -> Spec {
        Spec(self.variant())
    }

    /// The rule switches in force.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.position.rules())
    }

    /// Changes the rule switches of the game in progress.
    #[setter]
    fn set_rules(this: &Bound<'_, Self>, rules: &Bound<'_, Rules>) -> PyResult<()> {
        let mut board = changing(this)?;
        board.position.set_rules(rules.get().0).map_err(|error| errors::sfen(&error.into()))
    }

    /// The side to move, `black` or `white`.
    #[getter]
    fn turn(&self) -> &'static str {
        words::color(self.position.side())
    }

    /// Number of the next move, from 1.
    #[getter]
    fn ply(&self) -> u32 {
        self.position.ply()
    }

    /// The position as SFEN.
    #[getter]
    fn sfen(&self) -> String {
        self.position.sfen()
    }

    /// The Zobrist key of board, hands and side to move: the same in every build.
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// Every piece on the board: token by square, upper case for Black.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, spec) = (PyDict::new(py), self.position.spec());
        for square in spec.geometry.reading_order() {
            if let Some(piece) = self.position.piece_on(square) {
                all.set_item(
                    words::square(self.variant(), square),
                    spec.token(piece.color(), piece.kind()),
                )?;
            }
        }
        Ok(all)
    }

    /// What each side has in hand: how many by token.
    #[getter]
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, spec) = (PyDict::new(py), self.position.spec());
        for color in Color::BOTH {
            let held = PyDict::new(py);
            with_position!(&self.position, position => {
                let hand = position.hand(color);
                for kind in hand.iter() {
                    held.set_item(spec.kind(kind).token, hand.count(kind))?;
                }
            });
            all.set_item(words::color(color), held)?;
        }
        Ok(all)
    }

    /// The token of the piece on a square, upper case for Black. `ValueError` if there is no such square.
    fn __getitem__(&self, square: &str) -> PyResult<Option<String>> {
        let square = words::square_named(self.variant(), square).map_err(refused)?;
        let piece = self.position.piece_on(square);
        Ok(piece.map(|piece| self.position.spec().token(piece.color(), piece.kind())))
    }

    /// The legal moves; none after the end of the game.
    #[getter]
    fn legal_moves(&self) -> MoveList {
        self.list(self.moves())
    }

    /// The legal moves of the piece on a square.
    fn moves_from(&self, square: &str) -> PyResult<MoveList> {
        let from = words::square_named(self.variant(), square).map_err(refused)?;
        let mut moves = self.moves();
        moves.retain(|m| !m.is_drop() && m.from() == from);
        Ok(self.list(moves))
    }

    /// The legal drops of a kind. `KeyError` if the game does not have it.
    fn drops(&self, token: &str) -> PyResult<MoveList> {
        let kind = words::kind_named(self.variant(), token).map_err(refused)?;
        let mut moves = self.moves();
        moves.retain(|m| m.is_drop() && m.kind() == kind);
        Ok(self.list(moves))
    }

    /// The legal moves that give check.
    fn checks(&self) -> MoveList {
        let mut moves = self.moves();
        moves.retain(|&m| self.position.gives_check(m));
        self.list(moves)
    }

    /// A move that mates at once, if there is one; always none where white whales are captured.
    fn mate_in_one(&self) -> Option<Move> {
        if self.position.outcome().is_some() {
            return None;
        }
        let found =
            with_position!(&self.position, position => position.mate_in_one(&Threats::default()));
        found.map(|m| self.wrapped(m))
    }

    /// Whether a move is legal: a `Move`, a text or a number. A text that is no move is not.
    #[pyo3(signature = (m, /))]
    fn is_legal(&self, m: MoveLike) -> bool {
        self.find(&m).is_ok()
    }

    /// Why a move, given as text, is not legal, in words; none if it is legal. `ValueError` for a text that is no move.
    #[pyo3(signature = (m, /))]
    fn why_not(&self, m: &str) -> PyResult<Option<String>> {
        given::why_not(&self.position, m).map_err(refused)
    }

    /// The legal move with a text: USI, or Hodges notation in Western or Japanese squares.
    ///
    /// `IllegalMoveError` if it is not legal here, `KujiraError` if it is no move.
    #[pyo3(signature = (text, /))]
    fn parse(&self, text: String) -> PyResult<Move> {
        self.find(&MoveLike::Text(text)).map(|m| self.wrapped(m))
    }

    /// A legal move as a text: `usi`, or Hodges notation in `western` or `japanese` squares.
    #[pyo3(signature = (m, notation="western"))]
    fn write(&self, m: MoveLike, notation: &str) -> PyResult<String> {
        let m = self.find(&m)?;
        written::written(&self.position, m, notation).map_err(refused)
    }

    /// Moves from here as a text, with their numbers.
    #[pyo3(signature = (moves, notation="western", *, numbers=true))]
    fn variation(&self, moves: MovesLike, notation: &str, numbers: bool) -> PyResult<String> {
        self.line(&moves.list(), notation, numbers)
    }

    /// Plays a move: a `Move`, a text or a number; returns it. `IllegalMoveError` if it is not legal.
    #[pyo3(signature = (m, /))]
    fn push(this: &Bound<'_, Self>, m: MoveLike) -> PyResult<Move> {
        let mut board = changing(this)?;
        let m = board.play(&m)?;
        Ok(board.wrapped(m))
    }

    /// Takes the last move back and returns it. `IndexError` if there is none.
    fn pop(this: &Bound<'_, Self>) -> PyResult<Move> {
        let mut board = changing(this)?;
        let m = board.position.undo();
        m.map(|m| board.wrapped(m))
            .ok_or_else(|| PyIndexError::new_err("expected a move to take back, found none"))
    }

    /// The last move, if there was one.
    fn peek(&self) -> Option<Move> {
        let last = with_position!(&self.position, position => position.last_move());
        last.map(|(m, _)| self.wrapped(m))
    }

    /// The moves that led here since the board was set up.
    #[getter]
    fn stack(&self) -> MoveList {
        let moves = self.position.played();
        let now = self.position.side();
        let side = if moves.len().is_multiple_of(2) { now } else { !now };
        MoveList { game: self.variant(), side, alternates: true, moves }
    }

    /// A copy with a move played.
    #[pyo3(signature = (m, /))]
    fn after(&self, m: MoveLike) -> PyResult<Self> {
        let mut after = self.clone();
        after.play(&m)?;
        Ok(after)
    }

    /// A copy; without the moves that led here if `history` is false, so that no repetition is known. The move that
    /// captured a white whale is kept.
    #[pyo3(signature = (*, history=true))]
    fn copy(&self, history: bool) -> PyResult<Self> {
        if history {
            return Ok(self.clone());
        }
        given::without_past(&self.position).map(Self::of).map_err(|error| errors::position(&error))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The position turned by 180°, colors exchanged, without its past.
    fn turned(&self) -> Self {
        Self::of(self.position.turned())
    }

    /// The position with left and right exchanged, without its past.
    fn mirrored(&self) -> Self {
        Self::of(with_position!(&self.position, position => position.mirrored().into()))
    }

    /// Whether a legal move captures anything.
    #[pyo3(signature = (m, /))]
    fn is_capture(&self, m: MoveLike) -> PyResult<bool> {
        Ok(self.position.is_capture(self.find(&m)?))
    }

    /// What a legal move captures: squares and tokens, in the order travelled.
    #[pyo3(signature = (m, /))]
    fn captured(&self, m: MoveLike) -> PyResult<Vec<(String, String)>> {
        let spec = self.position.spec();
        let all = self.position.captured(self.find(&m)?).into_iter();
        Ok(all
            .map(|(on, piece)| {
                (words::square(self.variant(), on), spec.token(piece.color(), piece.kind()))
            })
            .collect())
    }

    /// Whether a legal move attacks the enemy's white whale.
    #[pyo3(signature = (m, /))]
    fn gives_check(&self, m: MoveLike) -> PyResult<bool> {
        Ok(self.position.gives_check(self.find(&m)?))
    }

    /// Whether the side to move is in check.
    #[getter]
    fn is_check(&self) -> bool {
        self.position.checked()
    }

    /// How the game ended, if it did.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        names::outcome(py, self.position.outcome())
    }

    /// How the game would end if the side to move claimed impasse now, if it may.
    #[getter]
    fn claim<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        names::outcome(py, self.position.impasse())
    }

    /// How often this position has stood on the board, now included.
    #[getter]
    fn occurrences(&self) -> usize {
        self.position.occurrences()
    }

    /// The squares of the pieces of a side that attack a square.
    fn attackers<'py>(
        &self,
        py: Python<'py>,
        square: &str,
        by: &str,
    ) -> PyResult<Bound<'py, PySet>> {
        let (square, by) = (
            words::square_named(self.variant(), square).map_err(refused)?,
            words::color_named(by).map_err(refused)?,
        );
        let all: Vec<String> = with_position!(&self.position, position => {
            let attackers = position.attackers(square, by, position.occupied());
            attackers.into_iter().map(|from| words::square(self.variant(), from)).collect()
        });
        PySet::new(py, all)
    }

    /// Counts the leaves of the tree of legal moves, `depth` plies deep; with `divide` below each move.
    #[pyo3(signature = (depth, *, divide=false, threads=1))]
    fn perft<'py>(
        this: PyRef<'py, Self>,
        py: Python<'py>,
        #[pyo3(from_py_with = number)] depth: u32,
        divide: bool,
        #[pyo3(from_py_with = number)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Others may change the board meanwhile.
        let position = this.position.clone();
        drop(this);
        crate::run::perft(py, &position, depth, divide, threads)
    }

    /// Plays a game to its end, at random or by `policy`, and says how it ended; none if it did not within `max_plies`.
    /// The board stays as it is.
    #[pyo3(signature = (*, seed=None, max_plies=500, policy=None))]
    fn playout<'py>(
        this: PyRef<'py, Self>,
        py: Python<'py>,
        #[pyo3(from_py_with = number)] seed: Option<u64>,
        #[pyo3(from_py_with = number)] max_plies: u32,
        policy: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let outcome = match policy {
            Some(policy) => {
                // The policy may change the board.
                let copy = Bound::new(py, this.clone())?;
                drop(this);
                for _ in 0..max_plies {
                    if reading(&copy)?.position.outcome().is_some() {
                        break;
                    }
                    let m: MoveLike = policy.call1((&copy,))?.extract()?;
                    changing(&copy)?.play(&m)?;
                }
                reading(&copy)?.position.outcome()
            }
            None => {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(names::seed(seed));
                let mut position = this.position.clone();
                drop(this);
                stoppable(py, max_plies <= 1000, |stopped| {
                    with_position!(&mut position, position => {
                        playout(position, max_plies, &mut random, stopped)
                    })
                })?
            }
        };
        names::outcome(py, outcome)
    }

    /// Planes as the side to move sees them, `uint8`, of the shape `spec.planes_shape`; written over `out` if it is
    /// given. See `docs/encoding.md`.
    #[pyo3(signature = (out=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let numbering = Numbering::of(self.variant());
        let (planes, ranks, files) = numbering.planes_shape();
        let mut array = arrays::target::<u8, 3>(py, out, [planes, ranks, files])?;
        let slice = array.as_slice_mut().map_err(wrong)?;
        with_position!(&self.position, position => {
            numbering.fill_planes(position, position.occurrences() - 1, slice);
        });
        Ok(array.as_any().clone())
    }

    /// Which actions are legal, `bool`, one for each action; written over `out` if it is given.
    #[pyo3(signature = (out=None))]
    fn action_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let numbering = Numbering::of(self.variant());
        let mut array = arrays::target::<bool, 1>(py, out, [numbering.actions()])?;
        let slice = array.as_slice_mut().map_err(wrong)?;
        numbering.fill_mask(self.position.side(), &self.moves(), slice);
        Ok(array.as_any().clone())
    }

    /// The action of a legal move.
    #[pyo3(signature = (m, /))]
    fn action(&self, m: MoveLike) -> PyResult<usize> {
        let m = self.find(&m)?;
        Ok(Numbering::of(self.variant()).action(self.position.side(), m))
    }

    /// The legal move with an action. `IllegalMoveError` if there is none.
    #[pyo3(signature = (action, /))]
    fn from_action(&self, #[pyo3(from_py_with = number)] action: i64) -> PyResult<Move> {
        let numbering = Numbering::of(self.variant());
        let number = usize::try_from(action).map_err(|_| {
            let most = numbering.actions() - 1;
            wrong(format!("expected an action from 0 to {most}, found {action}"))
        })?;
        let m = numbering.legal(&self.position, number).map_err(refused)?;
        Ok(self.wrapped(m))
    }

    /// The board as SVG. `arrows`: from, to and, if wanted, a color; `marks`: colors by square; `last`: a move whose
    /// squares are shown; `size`: the width in pixels; `turned`: White below; `theme`: `light`, `dark` or `print`.
    #[pyo3(signature = (*, squares="western", last=None, arrows=Vec::new(), marks=None, size=None, turned=false, theme="light"))]
    fn svg(
        &self,
        squares: &str,
        last: Option<Move>,
        #[pyo3(from_py_with = arrows)] arrows: Vec<ArrowLike>,
        #[pyo3(from_py_with = marks)] marks: Option<BTreeMap<String, String>>,
        #[pyo3(from_py_with = number)] size: Option<u32>,
        turned: bool,
        theme: &str,
    ) -> PyResult<String> {
        let arrows: Vec<_> = arrows.into_iter().map(ArrowLike::painted).collect();
        let marks: Vec<_> = marks.unwrap_or_default().into_iter().collect();
        let mut picture = Picture {
            squares: words::squares_named(squares).map_err(refused)?,
            last: last.map(|last| last.of(self.variant())).transpose()?,
            size,
            turned,
            theme: drawing::theme(theme).map_err(refused)?,
            ..Picture::default()
        };
        drawing::mark(&mut picture, &self.position, &arrows, &marks).map_err(refused)?;
        Ok(picture.of(&self.position))
    }

    fn _repr_svg_(&self) -> String {
        let last = with_position!(&self.position, position => position.last_move()).map(|(m, _)| m);
        Picture { last, ..Picture::default() }.of(&self.position)
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}', '{}')", self.game(), self.position.sfen())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let other = other.cast::<Self>().map(reading);
        other.map_or(Ok(false), |other| Ok(other?.position == self.position))
    }

    fn __hash__(&self) -> u64 {
        self.position.key()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, String, Rules, Vec<u32>))> {
        let make = py.get_type::<Self>().getattr("_restore")?;
        let moves = self.position.played().iter().map(|m| m.bits()).collect();
        Ok((
            make,
            (self.game().to_owned(), given::start(&self.position).sfen(), self.rules(), moves),
        ))
    }

    /// The board of a pickle.
    #[staticmethod]
    #[pyo3(name = "_restore")]
    fn restore(
        game: &str,
        sfen: &str,
        rules: &Bound<'_, Rules>,
        moves: Vec<u32>,
    ) -> PyResult<Self> {
        let game = errors::game(game)?;
        let mut board = Self::of(Self::set_up(game, sfen, rules.get().0)?);
        for m in moves {
            let m = kujira_position::Move::from_bits(m)
                .ok_or_else(|| wrong("expected the board of a pickle"))?;
            board.play(&MoveLike::Move(Move { game, m }))?;
        }
        Ok(board)
    }
}
