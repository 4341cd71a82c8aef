//! What another engine says in USI, as lines and analyses.

use std::time::Duration;

use kujira_position::{AnyPosition, Move};
use kujira_search::{Answer, Bound, Info};
use kujira_usi::{BestMove, Line as Told, Protocol};
use pyo3::prelude::*;

use crate::analysis::{Analysis, Line};
use crate::board::Board;
use crate::errors::wrong;
use crate::spec::Rules;

/// The moves of a line, as far as they are legal.
fn legal(root: &AnyPosition, texts: &[String]) -> Vec<Move> {
    let (mut position, mut moves) = (root.clone(), Vec::new());
    for text in texts {
        let Ok(m) = position.parse_usi(text) else { break };
        if position.outcome().is_some() || position.play(m).is_err() {
            break;
        }
        moves.push(m);
    }
    moves
}

/// A line of a search as ours are; none if it tells no score and no move.
fn line(root: &AnyPosition, told: &kujira_usi::Info) -> Option<Info> {
    let pv = legal(root, &told.pv);
    let score = told.score().filter(|_| !pv.is_empty())?;
    Some(Info {
        depth: told.depth.unwrap_or(0),
        selective_depth: told.seldepth.or(told.depth).unwrap_or(0),
        multipv: told.rank().max(1) as usize,
        score: score.into(),
        bound: match told.bound {
            kujira_usi::Bound::Exact => Bound::Exact,
            kujira_usi::Bound::Lower => Bound::Lower,
            kujira_usi::Bound::Upper => Bound::Upper,
        },
        nodes: told.nodes.unwrap_or(0),
        time: Duration::from_millis(told.time.unwrap_or(0)),
        hashfull: told.hashfull.unwrap_or(0),
        pv,
    })
}

/// What an engine says of a search, one line after the other.
#[pyclass(module = "whaleshogi")]
pub struct Listener {
    root: AnyPosition,
    lines: Vec<Info>,
    answer: Option<Answer>,
}

#[pymethods]
impl Listener {
    #[new]
    fn new(board: &Board) -> Self {
        Self { root: board.position.clone(), lines: Vec::new(), answer: None }
    }

    /// The options that tell an engine some rules: names and values.
    #[staticmethod]
    fn options(rules: &Rules) -> [(&'static str, &'static str); 4] {
        kujira_usi::rules::options(rules.0)
    }

    /// What an engine says was wrong, if a line says so.
    #[staticmethod]
    fn fault(text: &str) -> Option<String> {
        match Told::parse(text, Protocol::Usi) {
            Told::Error(text) => Some(text),
            _ => None,
        }
    }

    /// Hears a line; returns it if it tells a line of play with a score. `ValueError` for an answer that is no legal
    /// move.
    fn hear(&mut self, text: &str) -> PyResult<Option<Line>> {
        match Told::parse(text, Protocol::Usi) {
            Told::Info(told) => {
                let Some(info) = line(&self.root, &told) else { return Ok(None) };
                self.lines.retain(|known| known.multipv != info.multipv);
                self.lines.push(info.clone());
                Ok(Some(Line { root: self.root.clone(), info }))
            }
            Told::BestMove(told) => {
                self.answer = Some(match told {
                    BestMove::Resign => Answer::Resign,
                    BestMove::Win => Answer::Win,
                    BestMove::Move { best, ponder } => {
                        let texts: Vec<String> =
                            [Some(best), ponder].into_iter().flatten().collect();
                        let moves = legal(&self.root, &texts);
                        let &best = moves.first().ok_or_else(|| {
                            wrong(format!(
                                "expected a legal move of the engine, found {text:?} in {}",
                                self.root.sfen()
                            ))
                        })?;
                        Answer::Move { best, ponder: moves.get(1).copied() }
                    }
                });
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// What the search found, once the engine has answered.
    #[getter]
    fn found(&self) -> Option<Analysis> {
        let mut lines = self.lines.clone();
        lines.sort_by_key(|info| info.multipv);
        let nodes = lines.iter().map(|info| info.nodes).max().unwrap_or(0);
        let time = lines.iter().map(|info| info.time).max().unwrap_or_default();
        let found = kujira_search::Analysis { answer: self.answer?, lines, nodes, time };
        Some(Analysis { root: self.root.clone(), found })
    }
}
