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
    cells: Vec<Cell>,
    width: f64,
}

/// A text, and what is told where the pointer rests on it.
struct Cell {
    text: String,
    title: Option<String>,
}

impl Cell {
    fn plain(text: String) -> Self {
        Self { text, title: None }
    }
}

impl Column {
    fn new(head: &str, side: Side, cells: Vec<Cell>) -> Self {
        let longest = cells.iter().map(|cell| width(&cell.text)).fold(width(head), f64::max);
        Self { head: head.to_owned(), side, cells, width: longest + SPACE }
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
    for column in &columns {
        let (anchor, at) = match column.side {
            Side::Left => ("start", x + SPACE / 2.0),
            Side::Middle => ("middle", x + column.width / 2.0),
            Side::Right => ("end", x + column.width - SPACE / 2.0),
        };
        let head = Cell::plain(column.head.clone());
        for (row, cell) in std::iter::once(&head).chain(&column.cells).enumerate() {
            let y = MARGIN + ROW * row + BASELINE;
            let class = if row == 0 { " class=\"head\"" } else { "" };
            let title = cell.title.iter().map(|title| format!("<title>{}</title>", escaped(title)));
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{y}\" text-anchor=\"{anchor}\"{class}>{}{}</text>",
                title.collect::<String>(),
                escaped(&cell.text)
            );
        }
        x += column.width;
    }
    svg.push_str("</svg>\n");
    svg
}

/// The columns of the list, then one for each engine.
fn columns(rows: &[Row]) -> Vec<Column> {
    let of = |head: &str, side, text: &dyn Fn(&Row) -> String| {
        Column::new(head, side, rows.iter().map(|row| Cell::plain(text(row))).collect())
    };
    let ranks = (1..=rows.len()).map(|rank| Cell::plain(rank.to_string())).collect();
    let names =
        rows.iter().map(|row| Cell { text: shown(&row.name), title: Some(row.name.clone()) });
    let mut columns = vec![
        Column::new("", Side::Right, ranks),
        Column::new("Engine", Side::Left, names.collect()),
        of("Elo", Side::Right, &|row| {
            row.elo.map_or_else(|| "–".to_owned(), |elo| format!("{:.0}", rounded(elo, 0)))
        }),
        of("±", Side::Right, &|row| {
            row.error.map_or_else(|| "–".to_owned(), |error| format!("{error:.0}"))
        }),
        of("Score", Side::Right, &|row| format!("{:.1} %", 100.0 * row.score())),
        of("Points", Side::Right, &|row| cell(row.results)),
    ];
    let fields = rows.iter().enumerate().map(|(other, opponent)| {
        let against = |row: &Row| {
            let Some(counts) = row.against.get(other).copied().flatten() else {
                return Cell::plain(String::new());
            };
            let [losses, draws, wins] = counts;
            let (one, other) = (&row.name, &opponent.name);
            let title = format!("{one} against {other}: +{wins} ={draws} -{losses}");
            Cell { text: cell(counts), title: Some(title) }
        };
        let head = (other + 1).to_string();
        Column::new(&head, Side::Middle, rows.iter().map(against).collect())
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
