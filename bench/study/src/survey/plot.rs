//! Figures by level of play as pictures.

use kujira_program::outputs::Mark;
use plotters::prelude::*;

/// How our pictures begin.
pub const PICTURE: Mark = Mark::new("a picture of a survey", &[MADE_BY.as_bytes()]);

/// What tells our pictures from those of others.
const MADE_BY: &str = "<!-- Made by kujira-bench. -->\n";

/// Size of a picture in pixels.
const SIZE: (u32, u32) = (760, 440);

/// Colours that are told apart by colour-blind people, too (Okabe and Ito 2008).
const COLORS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x00, 0x00, 0x00),
];

/// Lines across.
const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);

/// Height of a line of the names of curves, pixels.
const LINE: f64 = 26.0;

/// By what factor points of the next curve stand to the right.
const APART: f64 = 1.05;

/// A point with half the width of its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Nodes a move.
    pub nodes: f64,
    /// The figure.
    pub value: f64,
    /// Half the width of its interval.
    pub error: f64,
}

/// A picture of curves with error bars over nodes a move.
///
/// # Errors
/// What cannot be drawn.
pub fn picture(
    title: &str,
    unit: &str,
    curves: &[(String, Vec<Point>)],
) -> Result<String, Box<dyn std::error::Error>> {
    let points = || curves.iter().flat_map(|(_, points)| points);
    let ends = points().flat_map(|point| [point.value - point.error, point.value + point.error]);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
    let (least, most) = points().fold((f64::MAX, f64::MIN), |(low, high), point| {
        (low.min(point.nodes), high.max(point.nodes))
    });
    if low > high {
        return Err("expected points to draw, found none".into());
    }
    let margin = (0.08 * (high - low)).max(0.5);
    // Room above for the names, a line each.
    let names = (high - low + 2.0 * margin) * curves.len() as f64 * LINE / f64::from(SIZE.1);
    let mut levels: Vec<f64> = points().map(|point| point.nodes).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let across = (least / 1.6..most * 1.6).log_scale().with_key_points(levels);
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(across, low - margin..high + margin + names)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .x_desc("nodes a move")
            .y_desc(unit)
            .x_label_formatter(&|nodes| format!("{nodes:.0}"))
            .y_label_formatter(&|value| format!("{value:.0}"))
            .draw()?;
        for (index, ((name, points), color)) in curves.iter().zip(COLORS.iter().cycle()).enumerate()
        {
            // Beside each other, so that no error bar hides another.
            let aside = APART.powf(index as f64 - (curves.len() - 1) as f64 / 2.0);
            let points = points.iter().map(|&point| Point { nodes: point.nodes * aside, ..point });
            let line = points.clone().map(|point| (point.nodes, point.value));
            chart.draw_series(LineSeries::new(line, color.stroke_width(2)))?.label(name).legend(
                move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)),
            );
            chart.draw_series(points.clone().map(|point| {
                let ends = [point.value - point.error, point.value + point.error];
                PathElement::new(ends.map(|y| (point.nodes, y)), color.stroke_width(1))
            }))?;
            let dots =
                points.map(|point| Circle::new((point.nodes, point.value), 4, color.filled()));
            chart.draw_series(dots)?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK)
            .draw()?;
        root.present()?;
    }
    // A text file ends with one line break.
    Ok(format!("{MADE_BY}{}\n", svg.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_every_curve() {
        let point = |nodes, value| Point { nodes, value, error: 2.0 };
        let curves = [
            ("whale".to_owned(), vec![point(300.0, 50.0), point(3000.0, 52.0)]),
            ("great".to_owned(), vec![point(300.0, 49.0)]),
        ];
        let svg = picture("a title", "%", &curves).unwrap();
        assert!(
            PICTURE.fits(svg.as_bytes()) && svg.ends_with("</svg>\n") && !svg.ends_with("\n\n"),
            "{svg}"
        );
        for text in ["a title", "whale", "great"] {
            assert!(svg.contains(text), "{text}");
        }
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(picture("a title", "%", &[]).is_err());
    }
}
