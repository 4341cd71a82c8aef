//! The native part of the Python package `whaleshogi`: rules, notation, search, games and data of the whale shogi
//! family. What the package offers stands in `docs/python.md`.

mod analysis;
mod arrays;
mod board;
mod data;
mod engine;
mod errors;
mod games;
mod given;
mod moves;
mod names;
mod numbers;
mod proof;
mod random;
mod run;
mod spec;
mod usi;
mod vector;

use pyo3::prelude::*;

/// The native part of the package `whaleshogi`, which offers what is here.
#[pymodule]
mod _native {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_export]
    use crate::analysis::{Analysis, Line, Mate, Score};
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::data::{Batches, DataGames, Dataset, generate};
    #[pymodule_export]
    use crate::engine::{Engine, Search};
    #[pymodule_export]
    use crate::games::{Boards, Game, GameReader, Node, Review, format_of};
    #[pymodule_export]
    use crate::moves::{Move, MoveIterator, MoveList};
    #[pymodule_export]
    use crate::proof::{action_names, check_actions, plane_names};
    #[pymodule_export]
    use crate::spec::{Kind, Rules, Spec, kind, spec};
    #[pymodule_export]
    use crate::usi::Listener;
    #[pymodule_export]
    use crate::vector::VectorBoards;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("LEVELS", PyTuple::new(module.py(), kujira_search::LEVELS)?)?;
        let games = kujira_position::VariantId::ALL.iter().map(|game| game.spec().id);
        module.add("GAMES", PyTuple::new(module.py(), games)?)?;
        module.add("ENCODING", kujira_binding::encode::ENCODING)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
