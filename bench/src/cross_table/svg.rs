//! A cross-table as a picture: rows of a rating list, and a field of points, blue where a row won more.

use std::fmt::Write;

use super::cell;
use crate::rating_list::{RatingList, Row, points};

/// How every picture begins.
pub(super) const BEGIN: &str = "<!-- Cross-table by kujira-bench -->\n<svg ";

/// Sizes in pixels.
const ROW: usize = 26;
const MARGIN: usize = 12;
/// What a letter of the text is wide at most, on average.
const LETTER: f64 = 7.6;
/// What is left of a cell's text to its sides.
const SPACE: f64 = 14.0;

/// Longer names are cut, and shown whole where the pointer rests on them.
const LONGEST_NAME: usize = 40;

/// Colours for light and dark pages; a viewer that knows no page shows the light ones.
const STYLE: &str = "\
text{font:13px system-ui,'Segoe UI','Helvetica Neue',Arial,sans-serif;fill:#1f2328}\
.head{font-weight:600}.paper{fill:#fff}.line{stroke:#d0d7de}.self{fill:#d0d7de}\
.more{fill:#2f6fde}.less{fill:#d9730d}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.line{stroke:#30363d}\
.self{fill:#30363d}.more{fill:#4c8df6}.less{fill:#e0853a}}";

/// Where the text of a column stands in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Middle,
    Right,
}

struct Column {
    head: String,
    side: Side,
    texts: Vec<String>,
    width: f64,
}

impl Column {
    fn new(head: &str, side: Side, texts: Vec<String>) -> Self {
        let longest = texts.iter().map(|text| width(text)).fold(width(head), f64::max);
        Self { head: head.to_owned(), side, texts, width: longest + SPACE }
    }
}

/// About what a text is wide: letters of East Asia are twice as wide as others.
fn width(text: &str) -> f64 {
    text.chars().map(|letter| if letter < '\u{1100}' { LETTER } else { 2.0 * LETTER }).sum()
}

/// A name as it is shown.
fn shown(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some(_) => name.chars().take(LONGEST_NAME - 1).chain(['…']).collect(),
        None => name.to_owned(),
    }
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

/// The picture.
pub(super) fn draw(list: &RatingList) -> String {
    let rows = &list.rows;
    let columns = columns(rows);
    let field: f64 = columns[..columns.len() - rows.len()].iter().map(|column| column.width).sum();
    let margin = MARGIN as f64;
    let wide = 2.0 * margin + columns.iter().map(|column| column.width).sum::<f64>();
    let high = 2 * MARGIN + ROW * (rows.len() + 1);
    let mut svg = String::from(BEGIN);
    let _ = write!(
        svg,
        "xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high}\" \
         viewBox=\"0 0 {wide:.0} {high}\" role=\"img\">\n<title>Cross-table of {} engines</title>\n\
         <style>{STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
        rows.len()
    );
    shades(&mut svg, rows, &columns, margin + field);
    for line in 1..=rows.len() {
        let y = MARGIN + ROW * line;
        let end = wide - margin;
        let _ = writeln!(svg, "<path class=\"line\" d=\"M{MARGIN} {y}H{end:.1}\"/>");
    }
    let mut x = margin;
    for (index, column) in columns.iter().enumerate() {
        let (anchor, at) = match column.side {
            Side::Left => ("start", x + SPACE / 2.0),
            Side::Middle => ("middle", x + column.width / 2.0),
            Side::Right => ("end", x + column.width - SPACE / 2.0),
        };
        let mut put = |class: &str, row: usize, text: &str, title: Option<&str>| {
            let y = MARGIN + ROW * row + 18;
            let _ = write!(
                svg,
                "<text x=\"{at:.1}\" y=\"{y}\" text-anchor=\"{anchor}\"{class}>{}",
                escaped(text)
            );
            if let Some(title) = title {
                let _ = write!(svg, "<title>{}</title>", escaped(title));
            }
            svg.push_str("</text>\n");
        };
        put(" class=\"head\"", 0, &column.head, None);
        for (row, text) in column.texts.iter().enumerate() {
            let title = rows.get(row).map(|row| row.name.as_str()).filter(|_| index == 1);
            put("", row + 1, text, title);
        }
        x += column.width;
    }
    svg.push_str("</svg>\n");
    svg
}

/// The columns of the list, then one for each engine.
fn columns(rows: &[Row]) -> Vec<Column> {
    let of = |head: &str, side, text: &dyn Fn(&Row) -> String| {
        Column::new(head, side, rows.iter().map(text).collect())
    };
    let ranks = (1..=rows.len()).map(|rank| rank.to_string()).collect();
    let mut columns = vec![
        Column::new("", Side::Right, ranks),
        of("Engine", Side::Left, &|row| shown(&row.name)),
        of("Elo", Side::Right, &|row| format!("{:.0}", row.elo)),
        of("±", Side::Right, &|row| {
            row.error.map_or_else(|| "–".to_owned(), |error| format!("{error:.0}"))
        }),
        of("Score", Side::Right, &|row| format!("{:.1} %", 100.0 * row.score())),
        of("Points", Side::Right, &|row| cell(row.results)),
    ];
    let fields = (0..rows.len()).map(|other| {
        let text = |row: &Row| row.against.get(other).copied().flatten().map(cell);
        of(&(other + 1).to_string(), Side::Middle, &|row| text(row).unwrap_or_default())
    });
    let mut fields: Vec<Column> = fields.collect();
    let widest = fields.iter().map(|column| column.width).fold(ROW as f64, f64::max);
    for column in &mut fields {
        column.width = widest;
    }
    columns.append(&mut fields);
    columns
}

/// What lies behind the points: the stronger a row was, the bluer; the weaker, the more orange.
fn shades(svg: &mut String, rows: &[Row], columns: &[Column], left: f64) {
    let wide = columns.last().map_or(0.0, |column| column.width);
    for (place, row) in rows.iter().enumerate() {
        let y = MARGIN + ROW * (place + 1);
        for (other, counts) in row.against.iter().enumerate() {
            let x = left + wide * other as f64;
            let class = match counts {
                _ if other == place => "class=\"self\"".to_owned(),
                Some(counts) => {
                    let games = counts.iter().sum::<u64>().max(1) as f64;
                    let above = points(*counts) / games - 0.5;
                    let class = if above > 0.0 { "more" } else { "less" };
                    format!("class=\"{class}\" fill-opacity=\"{:.2}\"", 1.1 * above.abs())
                }
                None => continue,
            };
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{wide:.1}\" height=\"{ROW}\" {class}/>"
            );
        }
    }
}
