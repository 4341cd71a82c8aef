//! A trained network beside the search, and what rounding to integers did to it.

use kujira_position::{Board, Variant};
use kujira_search::eval::NetworkFile;
use rayon::prelude::*;

use super::aligned::Aligned;
use super::examples::Examples;
use super::export::shape;
use super::gradient::Network;
use super::settings::Settings;
use super::trainer::{Judgement, judge};

/// How a network does on positions it has not learnt from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Report {
    /// How well the scores of the search predict them: of outlooks, about as well as can be hoped for.
    pub search: Judgement,
    /// How well the network in floating point does.
    pub floating: Judgement,
    /// How well the network in integers does, as the engine computes it.
    pub integer: Judgement,
    /// How far the scores of these two are apart, in centipawns: on average, and at most.
    pub apart: (f64, f64),
    /// The mean size of a score, without its sign, in centipawns: of the search and of the
    /// network.
    pub sizes: [f64; 2],
}

impl Report {
    /// Compares the network `net`, made of `parameters`, with the search on positions and their boards.
    ///
    /// # Panics
    /// If there are not as many boards as positions, or the networks are of another shape.
    #[must_use]
    pub fn of<V: Variant>(
        settings: &Settings,
        parameters: &[f32],
        net: &NetworkFile,
        examples: &Examples,
        boards: &[Board<V>],
    ) -> Self {
        assert_eq!(examples.len(), boards.len(), "a board for each position");
        let scale = settings.scale as f32;
        let integer: Vec<f32> =
            boards.par_iter().map(|board| net.score::<V>(board) as f32).collect();
        let shape = shape::<V>(settings);
        let mut summed = Aligned::copy(parameters);
        shape.sum_up(&mut summed);
        let floating: Vec<f32> = (0..examples.len())
            .into_par_iter()
            .map_init(
                || Network::new(shape),
                |network, position| scale * network.output(&summed, examples.get(position)),
            )
            .collect();
        let judged = |scores: &[f32]| judge(examples, settings, || |at| scores[at] / scale);
        let size = |scores: &[f32]| mean(scores.iter().map(|score| score.abs()));
        let search: Vec<f32> =
            (0..examples.len()).map(|at| f32::from(examples.label(at).score)).collect();
        let apart = || floating.iter().zip(&integer).map(|(a, b)| (a - b).abs());
        Self {
            search: judged(&search),
            floating: judged(&floating),
            integer: judged(&integer),
            apart: (mean(apart()), f64::from(apart().fold(0.0, f32::max))),
            sizes: [size(&search), size(&integer)],
        }
    }
}

fn mean(numbers: impl ExactSizeIterator<Item = f32>) -> f64 {
    let count = numbers.len().max(1) as f64;
    numbers.map(f64::from).sum::<f64>() / count
}
