//! From floating point to the integers that the engine computes with, and back.

use kujira_position::Variant;
use kujira_search::eval::{ACTIVATION, Inputs, NetworkFile, OUTPUT};

use super::parameters::Shape;
use super::settings::Settings;

/// How many inputs only the trainer has: what the inputs of pieces in their places have in common in all zones, which
/// are copies of it. (The factorised features of nnue-pytorch, the trainer of Stockfish.) 0 without zones.
#[must_use]
pub const fn shared<V: Variant>() -> usize {
    if Inputs::<V>::ZONES > 1 { Inputs::<V>::PLACED } else { 0 }
}

/// The shape of a game's network.
#[must_use]
pub fn shape<V: Variant>(settings: &Settings) -> Shape {
    Shape {
        inputs: shared::<V>() + Inputs::<V>::COUNT,
        // Each piece adds what is shared as well.
        active: Inputs::<V>::MOST + if shared::<V>() > 0 { Inputs::<V>::PIECES } else { 0 },
        hidden: settings.hidden,
        buckets: settings.buckets,
        shared: shared::<V>(),
        copies: Inputs::<V>::ZONES,
    }
}

/// The network rounded to integers, with the piece values of the network built in.
///
/// # Panics
/// If the parameters are of another shape.
#[must_use]
pub fn quantise<V: Variant>(settings: &Settings, parameters: &[f32]) -> NetworkFile {
    let shape = shape::<V>(settings);
    let (activation, output) = (f64::from(ACTIVATION), f64::from(OUTPUT));
    let mut summed = parameters.to_vec();
    shape.sum_up(&mut summed);
    let rows = shape.shared * shape.hidden..shape.rows().end;
    // Conversions saturate; what is out of bounds the network's own check refuses.
    let narrow = |range: std::ops::Range<usize>, unit: f64| -> Vec<i16> {
        summed[range].iter().map(|&number| (f64::from(number) * unit).round() as i16).collect()
    };
    let wide = |range: std::ops::Range<usize>, unit: f64| -> Vec<i32> {
        summed[range].iter().map(|&number| (f64::from(number) * unit).round() as i32).collect()
    };
    let scale = i32::try_from(settings.scale).unwrap_or(i32::MAX);
    let empty = NetworkFile::zero::<V>(shape.hidden, shape.buckets, scale);
    NetworkFile {
        weights: narrow(rows, activation),
        biases: narrow(shape.hidden_biases(), activation),
        outputs: narrow(shape.outputs(), output),
        output_biases: wide(shape.output_biases(), activation * activation * output),
        ..empty
    }
}

/// The parameters that [`quantise`] makes this network of, for a training to begin with: what rounding took away is
/// not in it, what is shared is the mean of its copies, and numbers beyond the bounds of training are cut off. A
/// network of one bucket is what all buckets begin with.
///
/// # Errors
/// What was expected and what was found, if [`NetworkFile::check`] refuses the network, or the one to be trained has
/// another size or scale.
pub fn restore<V: Variant>(settings: &Settings, net: &NetworkFile) -> Result<Vec<f32>, String> {
    net.check::<V>().map_err(|error| error.to_string())?;
    if net.hidden != settings.hidden {
        return Err(format!("hidden: expected {}, found {}", settings.hidden, net.hidden));
    }
    if ![1, settings.buckets].contains(&net.buckets) {
        let expected = match settings.buckets {
            1 => "1".to_owned(),
            buckets => format!("1 or {buckets}"),
        };
        return Err(format!("buckets: expected {expected}, found {}", net.buckets));
    }
    if i64::from(net.scale) != i64::from(settings.scale) {
        return Err(format!("scale: expected {}, found {}", settings.scale, net.scale));
    }
    let (activation, output) = (f64::from(ACTIVATION), f64::from(OUTPUT));
    let exact = |numbers: &[i16], unit: f64| -> Vec<f32> {
        numbers.iter().map(|&number| (f64::from(number) / unit) as f32).collect()
    };
    let unit = activation * activation * output;
    let output_biases = net.output_biases.iter().map(|&bias| (f64::from(bias) / unit) as f32);
    let output_biases: Vec<f32> = output_biases.collect();
    let times = settings.buckets / net.buckets;
    let shape = shape::<V>(settings);
    let mut weights = exact(&net.weights, activation);
    let copies = weights.len() - shape.copies * shape.shared * shape.hidden;
    let mut common = vec![0.0; shape.shared * shape.hidden];
    if !common.is_empty() {
        for copy in weights[copies..].chunks(common.len()) {
            common.iter_mut().zip(copy).for_each(|(sum, weight)| *sum += weight);
        }
        common.iter_mut().for_each(|sum| *sum /= shape.copies as f32);
        for copy in weights[copies..].chunks_mut(common.len()) {
            copy.iter_mut().zip(&common).for_each(|(weight, mean)| *weight -= mean);
        }
    }
    let mut parameters = [
        common,
        weights,
        exact(&net.biases, activation),
        exact(&net.outputs, output).repeat(times),
        output_biases.repeat(times),
    ]
    .concat();
    for (range, most) in shape.bounds() {
        parameters[range].iter_mut().for_each(|number| *number = number.clamp(-most, most));
    }
    Ok(parameters)
}
