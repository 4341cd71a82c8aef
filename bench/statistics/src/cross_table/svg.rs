//! A cross-table as a picture: rows of a rating list, and a field of points, blue where a row won more.

use std::fmt::Write;

use super::cell;
use crate::rating_list::{RatingList, Row, points, rounded};

/// How every picture begins.
pub(super) const BEGIN: &str = "<!-- Cross-table by kujira-bench -->\n<svg ";

/// Sizes in pixels.
const ROW: usize = 26;
/// Where letters stand in a row.
const BASELINE: usize = 18;
const MARGIN: usize = 12;
/// What a letter of the text is wide at most, on average.
const LETTER: f64 = 7.6;
/// What is left of a cell's text to its sides.
const SPACE: f64 = 14.0;

/// Longer names are cut in the middle, and shown whole where the pointer rests on them.
const LONGEST_NAME: usize = 40;

/// Colours for light and dark pages; a viewer that knows no page shows the light ones.
const STYLE: &str = "\
text{font:13px system-ui,'Segoe UI','Helvetica Neue',Arial,sans-serif;fill:#1f2328}\
.head{font-weight:600}.paper{fill:#fff}.line{stroke:#d0d7de}.self{fill:#d0d7de}\
.more{fill:#2f6fde}.less{fill:#d9730d}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.line{stroke:#30363d}\
.self{fill:#30363d}.more{fill:#4c8df6}.less{fill:#e0853a}}";

/// A text, what is told where the pointer rests on it, and the attributes of what lies behind it.
#[derive(Default)]
struct Cell {
    text: String,
    title: Option<String>,
    shade: Option<String>,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// About what a text is wide: letters of East Asia are twice as wide as others.
fn width(text: &str) -> f64 {
    text.chars().map(|letter| if letter < '\u{1100}' { LETTER } else { 2.0 * LETTER }).sum()
}

/// A name as it is shown: long ones mostly differ at their ends.
fn shown(name: &str) -> String {
    const END: usize = LONGEST_NAME / 2 - 1;
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LONGEST_NAME {
        return name.to_owned();
    }
    let (begin, end) = (&letters[..LONGEST_NAME - END - 1], &letters[letters.len() - END..]);
    begin.iter().chain(&['…']).chain(end).collect()
}

/// A text between tags; what XML has no letters for is left out.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => safe.push(letter),
        }
    }
    safe
}

/// The heads of the columns before those of the opponents; all but the name stand at the right.
const HEADS: [&str; 6] = ["", "Engine", "Elo", "±", "Score", "Points"];

/// The picture.
pub(super) fn draw(list: &RatingList) -> String {
    let rows = &list.rows;
    let numbers = (1..=rows.len()).map(|number| number.to_string());
    let heads = HEADS.map(str::to_owned).into_iter().chain(numbers).map(Cell::from).collect();
    let mut lines: Vec<Vec<Cell>> = vec![heads];
    lines.extend((0..rows.len()).map(|place| cells(rows, place)));
    let longest = |column: usize| lines.iter().map(move |line| width(&line[column].text));
    let mut widths: Vec<f64> =
        (0..lines[0].len()).map(|column| longest(column).fold(0.0, f64::max) + SPACE).collect();
    let fields = &mut widths[HEADS.len()..];
    let widest = fields.iter().copied().fold(ROW as f64, f64::max);
    fields.fill(widest);

    let margin = MARGIN as f64;
    let wide = 2.0 * margin + widths.iter().sum::<f64>();
    let high = 2 * MARGIN + ROW * lines.len();
    let mut svg = String::from(BEGIN);
    let _ = write!(
        svg,
        "xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high}\" \
         viewBox=\"0 0 {wide:.0} {high}\" role=\"img\">\n<title>Cross-table of {} engines</title>\n\
         <style>{STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
        rows.len()
    );
    // Above the shades of the fields.
    let mut below = String::new();
    for (line, cells) in lines.iter().enumerate() {
        let (y, mut x) = (MARGIN + ROW * line, margin);
        let class = if line == 0 { " class=\"head\"" } else { "" };
        for ((column, cell), &width) in cells.iter().enumerate().zip(&widths) {
            if let Some(shade) = &cell.shade {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{ROW}\" {shade}/>"
                );
            }
            let (anchor, at) = match column {
                1 => ("start", x + SPACE / 2.0),
                _ => ("end", x + width - SPACE / 2.0),
            };
            let title = cell.title.iter().map(|title| format!("<title>{}</title>", escaped(title)));
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"{anchor}\"{class}>{}{}</text>",
                y + BASELINE,
                title.collect::<String>(),
                escaped(&cell.text)
            );
            x += width;
        }
        let (y, end) = (y + ROW, wide - margin);
        let _ = writeln!(below, "<path class=\"line\" d=\"M{MARGIN} {y}H{end:.1}\"/>");
    }
    svg.push_str(&below);
    svg.push_str("</svg>\n");
    svg
}

/// The line of an engine: its row of the list, then what it made of each opponent.
fn cells(rows: &[Row], place: usize) -> Vec<Cell> {
    let row = &rows[place];
    let number = |number: Option<f64>| number.map_or("–".to_owned(), |n| format!("{n:.0}"));
    let mut cells = vec![
        Cell::from((place + 1).to_string()),
        Cell { text: shown(&row.name), title: Some(row.name.clone()), shade: None },
        number(row.elo.map(|elo| rounded(elo, 0))).into(),
        number(row.error).into(),
        format!("{:.1} %", 100.0 * row.score()).into(),
        cell(row.results).into(),
    ];
    cells.extend(row.against.iter().zip(rows).enumerate().map(|(other, (counts, opponent))| {
        let Some(counts @ [losses, draws, wins]) = *counts else {
            let shade = (other == place).then(|| "class=\"self\"".to_owned());
            return Cell { shade, ..Cell::default() };
        };
        // The stronger the row was, the bluer; the weaker, the more orange.
        let above = points(counts) / counts.iter().sum::<u64>().max(1) as f64 - 0.5;
        let class = if above > 0.0 { "more" } else { "less" };
        let title = format!("{} against {}: +{wins} ={draws} -{losses}", row.name, opponent.name);
        let shade = format!("class=\"{class}\" fill-opacity=\"{:.2}\"", 1.1 * above.abs());
        Cell { text: cell(counts), title: Some(title), shade: Some(shade) }
    }));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shown("鯨"), "鯨");
        let name: String = ('a'..='z').chain('A'..='Z').collect();
        assert_eq!(shown(&name[..40]), name[..40]);
        assert_eq!(shown(&name), "abcdefghijklmnopqrst…HIJKLMNOPQRSTUVWXYZ");
    }

    #[test]
    fn names_are_text_and_no_markup() {
        assert_eq!(escaped("<a & \u{7}b>"), "&lt;a &amp; b&gt;");
    }
}
