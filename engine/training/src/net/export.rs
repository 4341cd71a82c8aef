//! From floating point to the integers that the engine computes with.

use kujira_position::Variant;
use kujira_search::PAWN;
use kujira_search::eval::net::{ACTIVATION, Inputs, Net, OUTPUT};
use kujira_search::eval::weights::Weights;

use super::parameters::Shape;
use super::settings::Settings;

/// The shape of a game's network.
#[must_use]
pub fn shape<V: Variant>(settings: &Settings) -> Shape {
    Shape {
        inputs: Inputs::<V>::COUNT,
        active: Inputs::<V>::MOST,
        hidden: settings.hidden,
        buckets: settings.buckets,
        shared: Inputs::<V>::SHARED,
        copies: Inputs::<V>::ZONES,
    }
}

/// The network rounded to integers, with the weights of the linear evaluation it is added to, if any.
///
/// # Panics
/// If the parameters are of another shape.
#[must_use]
pub fn quantise<V: Variant>(
    settings: &Settings,
    linear: Option<&Weights>,
    parameters: &[f32],
) -> Net {
    let shape = shape::<V>(settings);
    let (activation, output) = (f64::from(ACTIVATION), f64::from(OUTPUT));
    // Conversions saturate; what is out of bounds the network's own check refuses.
    let narrow = |range: std::ops::Range<usize>, unit: f64| -> Vec<i16> {
        parameters[range].iter().map(|&number| (f64::from(number) * unit).round() as i16).collect()
    };
    let wide = |range: std::ops::Range<usize>, unit: f64| -> Vec<i32> {
        parameters[range].iter().map(|&number| (f64::from(number) * unit).round() as i32).collect()
    };
    Net {
        hidden: shape.hidden,
        buckets: shape.buckets,
        scale: i32::try_from(settings.scale).unwrap_or(i32::MAX),
        pawn: PAWN,
        weights: narrow(shape.rows(), activation),
        biases: narrow(shape.hidden_biases(), activation),
        outputs: narrow(shape.outputs(), output),
        output_biases: wide(shape.output_biases(), activation * activation * output),
        linear: linear.map_or(Vec::new(), |weights| weights.features.clone()),
    }
}
