//! Loss curves: a table with a line an epoch, and a picture of it.

use std::io;
use std::path::Path;

use kujira_program::outputs::Mark;
use kujira_program::whole;
use plotters::prelude::*;

use super::trainer::Epoch;

/// How our tables begin.
pub const TABLE: Mark = Mark::new("a table of losses", &[HEADER.as_bytes()]);

/// How our pictures begin.
pub const PICTURE: Mark = Mark::new("a picture of losses", &[MADE_BY.as_bytes()]);

/// What tells our pictures from those of others.
const MADE_BY: &str = "<!-- Made by kujira-training. -->\n";

/// The first line of a table.
const HEADER: &str =
    "epoch,training,held_out,held_out_scores,held_out_outlooks,held_out_signs,rate,lambda";

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (900, 560);

/// An epoch as a line of a table.
fn line(epoch: &Epoch) -> String {
    let Epoch { number, training, held_out, rate, lambda } = epoch;
    format!(
        "{number},{training:.7},{:.7},{:.7},{:.7},{:.5},{rate:.8},{lambda:.5}\n",
        held_out.loss, held_out.scores, held_out.outlooks, held_out.signs
    )
}

/// Writes the epochs there are as a table.
///
/// # Errors
/// If the file system refuses.
pub fn write(path: &Path, history: &[Epoch]) -> io::Result<()> {
    let lines: String = history.iter().map(line).collect();
    whole::write(path, format!("{HEADER}\n{lines}").as_bytes())
}

/// Draws the losses by epoch, as an SVG, with `title` above them.
///
/// # Errors
/// If the file system refuses, or what cannot be drawn.
pub fn draw(path: &Path, title: &str, history: &[Epoch]) -> Result<(), String> {
    let picture = picture(title, history).map_err(|error| error.to_string())?;
    whole::write(path, picture.as_bytes()).map_err(|error| error.to_string())
}

/// Name and colour of a curve, and the loss it shows.
type Curve = (&'static str, RGBColor, fn(&Epoch) -> f64);

fn picture(title: &str, history: &[Epoch]) -> Result<String, Box<dyn std::error::Error>> {
    let curves: [Curve; 2] = [
        ("training", RGBColor(0x1f, 0x77, 0xb4), |epoch| epoch.training),
        ("held out", RGBColor(0xd6, 0x27, 0x28), |epoch| epoch.held_out.loss),
    ];
    let losses = || history.iter().flat_map(|epoch| curves.map(|(_, _, of)| of(epoch)));
    let (low, high) =
        losses().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    let (low, high) = if low < high { (low, high) } else { (0.0, high.max(1e-6)) };
    let margin = 0.05 * (high - low);
    let last = history.last().map_or(1, |epoch| epoch.number).max(2);

    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(1..last, low - margin..high + margin)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("epoch")
            .y_desc("loss")
            .y_label_formatter(&|loss| format!("{loss:.4}"))
            .draw()?;
        for (name, color, of) in curves {
            let points = history.iter().map(|epoch| (epoch.number, of(epoch)));
            chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?.label(name).legend(
                move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)),
            );
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE)
            .border_style(BLACK)
            .draw()?;
        root.present()?;
    }
    // A text file ends with a line break.
    Ok(format!("{MADE_BY}{svg}\n"))
}

#[cfg(test)]
mod tests {
    use super::super::trainer::Judgement;
    use super::*;

    fn epoch(number: u32, loss: f64) -> Epoch {
        let held_out = Judgement { loss, scores: 0.01, outlooks: 0.2, signs: 0.75 };
        Epoch { number, training: loss - 0.01, held_out, rate: 1e-3, lambda: 0.1 }
    }

    #[test]
    fn a_table_grows_line_by_line() {
        let path = std::env::temp_dir().join(format!("kujira-curve-{}", std::process::id()));
        write(&path, &[epoch(1, 0.08)]).unwrap();
        write(&path, &[epoch(1, 0.08), epoch(2, 0.0675)]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                HEADER,
                "1,0.0700000,0.0800000,0.0100000,0.2000000,0.75000,0.00100000,0.10000",
                "2,0.0575000,0.0675000,0.0100000,0.2000000,0.75000,0.00100000,0.10000",
            ]
        );
    }

    #[test]
    fn a_picture_has_both_curves() {
        let history = [epoch(1, 0.08), epoch(2, 0.07), epoch(3, 0.065)];
        let svg = picture("a title", &history).unwrap();
        assert!(
            PICTURE.fits(svg.as_bytes())
                && svg.contains("\n<svg")
                && svg.trim_end().ends_with("</svg>")
        );
        for text in ["a title", "training", "held out", "epoch", "loss"] {
            assert!(svg.contains(text), "{text}");
        }
        // A line in the chart and one in the legend each.
        for color in ["#1F77B4", "#D62728"] {
            assert_eq!(svg.matches(color).count(), 2, "{color}");
        }
        // Neither one epoch nor none is a reason to fail.
        assert!(picture("", &history[..1]).is_ok() && picture("", &[]).is_ok());
    }
}
