//! From floating point to the integers that the engine computes with, and back.

use kujira_position::Variant;
use kujira_search::eval::{ACTIVATION, Inputs, NetworkFile, OUTPUT};

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

/// The network rounded to integers, with the weights of the linear evaluation it is added to, if any, and the piece
/// values of the network built in.
///
/// # Panics
/// If the parameters are of another shape.
#[must_use]
pub fn quantise<V: Variant>(
    settings: &Settings,
    linear: Option<&[i32]>,
    parameters: &[f32],
) -> NetworkFile {
    let shape = shape::<V>(settings);
    let (activation, output) = (f64::from(ACTIVATION), f64::from(OUTPUT));
    // Conversions saturate; what is out of bounds the network's own check refuses.
    let narrow = |range: std::ops::Range<usize>, unit: f64| -> Vec<i16> {
        parameters[range].iter().map(|&number| (f64::from(number) * unit).round() as i16).collect()
    };
    let wide = |range: std::ops::Range<usize>, unit: f64| -> Vec<i32> {
        parameters[range].iter().map(|&number| (f64::from(number) * unit).round() as i32).collect()
    };
    let scale = i32::try_from(settings.scale).unwrap_or(i32::MAX);
    let empty = NetworkFile::zero::<V>(shape.hidden, shape.buckets, scale, false);
    NetworkFile {
        weights: narrow(shape.rows(), activation),
        biases: narrow(shape.hidden_biases(), activation),
        outputs: narrow(shape.outputs(), output),
        output_biases: wide(shape.output_biases(), activation * activation * output),
        linear: linear.map_or(Vec::new(), <[i32]>::to_vec),
        ..empty
    }
}

/// The parameters that [`quantise`] makes this network of, for a training to begin with: what rounding took away is
/// not in it, and numbers beyond the bounds of training are cut off. A network of one bucket is what all buckets begin
/// with.
///
/// # Errors
/// What was expected and what was found, if [`NetworkFile::check`] refuses the network, or the one to be trained has
/// another size or scale, or is added to other weights of the linear evaluation.
pub fn restore<V: Variant>(
    settings: &Settings,
    linear: Option<&[i32]>,
    net: &NetworkFile,
) -> Result<Vec<f32>, String> {
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
    match (linear, net.linear.is_empty()) {
        (None, false) => {
            return Err(
                "expected a network that stands alone, found one with linear weights".into()
            );
        }
        (Some(_), true) => {
            return Err(
                "expected a network with linear weights, found one that stands alone".into()
            );
        }
        (Some(weights), false) if weights != net.linear => {
            return Err("expected the linear weights built in, found others".into());
        }
        _ => {}
    }
    let (activation, output) = (f64::from(ACTIVATION), f64::from(OUTPUT));
    let exact = |numbers: &[i16], unit: f64| -> Vec<f32> {
        numbers.iter().map(|&number| (f64::from(number) / unit) as f32).collect()
    };
    let unit = activation * activation * output;
    let output_biases = net.output_biases.iter().map(|&bias| (f64::from(bias) / unit) as f32);
    let output_biases: Vec<f32> = output_biases.collect();
    let times = settings.buckets / net.buckets;
    let mut parameters = [
        exact(&net.weights, activation),
        exact(&net.biases, activation),
        exact(&net.outputs, output).repeat(times),
        output_biases.repeat(times),
    ]
    .concat();
    for (range, most) in shape::<V>(settings).bounds() {
        parameters[range].iter_mut().for_each(|number| *number = number.clamp(-most, most));
    }
    Ok(parameters)
}
