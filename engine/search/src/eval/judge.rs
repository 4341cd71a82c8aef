//! Which evaluation judges: chosen at run time, once a search.

use std::sync::Arc;

use kujira_position::{Board, Variant};

use super::built_in::built_in;
use super::explain::explain;
use super::linear::{Linear, LinearWeights};
use super::weights::Weights;
use super::{Accumulator, Network, NetworkError, NetworkFile};
use crate::score::{PAWN, Value};

/// What every thread's evaluation looks up.
pub(crate) enum Judge<V: Variant> {
    /// The weights of the linear evaluation.
    Linear(Arc<LinearWeights<V>>),
    /// A network.
    Network(Arc<Network<V>>),
}

impl<V: Variant> Clone for Judge<V> {
    fn clone(&self) -> Self {
        match self {
            Self::Linear(terms) => Self::Linear(terms.clone()),
            Self::Network(network) => Self::Network(network.clone()),
        }
    }
}

impl<V: Variant> Judge<V> {
    /// The one the program was built with: the game's network, or the linear evaluation with `weights`
    /// where the game has none.
    ///
    /// # Panics
    /// Never: a test reads every network built in.
    pub(crate) fn built_in(weights: &Weights) -> Self {
        match built_in::<V>() {
            None => Self::Linear(Arc::new(LinearWeights::new(&weights.features))),
            Some(Ok(net)) => Self::of(&net),
            Some(Err(error)) => panic!("the network of {} built in: {error}", V::ID),
        }
    }

    /// The network in a file.
    ///
    /// # Errors
    /// If the bytes are no network for the game.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        Ok(Self::of(&NetworkFile::from_bytes::<V>(bytes)?))
    }

    fn of(net: &NetworkFile) -> Self {
        Self::Network(Arc::new(Network::new(net)))
    }

    /// What it counts for a dolphin or the average calf in hand, on average.
    pub(crate) fn pawn(&self) -> Value {
        match self {
            // The weights are tuned to that.
            Self::Linear(_) => PAWN,
            Self::Network(network) => network.pawn(),
        }
    }

    /// What it says of a board, for people.
    pub(crate) fn explain(&self, board: &Board<V>) -> String {
        match self {
            Self::Linear(terms) => {
                explain(&mut Linear::new(terms.clone()), "the linear evaluation", PAWN, board)
            }
            Self::Network(network) => {
                let name = format!("a network of {} hidden units", network.hidden());
                explain(&mut Accumulator::new(network.clone()), &name, self.pawn(), board)
            }
        }
    }
}
