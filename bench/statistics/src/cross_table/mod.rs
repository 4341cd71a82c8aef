//! Everybody against everybody: a cross-table as text, CSV and SVG.

mod svg;

use std::fmt::Write;

use kujira_program::outputs::Mark;

use crate::rating_list::{RatingList, name_width, points, rounded};

/// The points of a rating list's engines against each other.
#[derive(Clone, Copy, Debug)]
pub struct CrossTable<'a> {
    list: &'a RatingList,
}

/// The columns of the rating list in a cross-table as CSV.
const FIXED: &str = "rank,engine,elo,error,los,games,wins,draws,losses,points,score,opponents";

/// How a cross-table as CSV begins.
pub const CSV: Mark = Mark::new("a cross-table (CSV)", &[FIXED.as_bytes()]);

/// How a cross-table as SVG begins.
pub const SVG: Mark = Mark::new("a cross-table (SVG)", &[svg::BEGIN.as_bytes()]);

impl<'a> CrossTable<'a> {
    /// The cross-table of these engines.
    #[must_use]
    pub fn of(list: &'a RatingList) -> Self {
        Self { list }
    }

    /// Lines for people: points and games of each row against the engines of all rows.
    #[must_use]
    pub fn text(&self) -> String {
        let rows = &self.list.rows;
        let name = name_width(rows.iter().map(|row| &row.name[..]));
        let cells = rows.iter().enumerate().map(|(place, row)| {
            let against = row.against.iter().enumerate().map(|(other, counts)| match counts {
                _ if other == place => "x".to_owned(),
                Some(counts) => cell(*counts),
                None => "–".to_owned(),
            });
            against.collect::<Vec<String>>()
        });
        let cells: Vec<_> = cells.collect();
        let widths = cells.iter().flatten().map(|cell| cell.chars().count());
        let cell_width = widths.max().unwrap_or(0).max(3);
        let totals: Vec<String> = rows.iter().map(|row| cell(row.results)).collect();
        let total = totals.iter().map(String::len).max().unwrap_or(0).max(6);
        let mut text = format!("     {:<name$} {:>total$}", "engine", "points");
        for rank in 1..=rows.len() {
            let _ = write!(text, " {rank:>cell_width$}");
        }
        text.push('\n');
        for (place, ((row, points), cells)) in rows.iter().zip(&totals).zip(&cells).enumerate() {
            let _ = write!(text, "{:>4} {:<name$} {points:>total$}", place + 1, row.name);
            for cell in cells {
                let _ = write!(text, " {cell:>cell_width$}");
            }
            text.push('\n');
        }
        text
    }

    /// Comma-separated values, a line an engine: its row of the rating list, then points and games against each.
    /// Shares are from 0 to 1; what is not known is empty.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut lines = Vec::new();
        let fixed = FIXED.split(',').map(str::to_owned);
        let rows = &self.list.rows;
        let against = rows
            .iter()
            .flat_map(|row| ["points", "games"].map(|what| format!("{what} against {}", row.name)));
        lines.push(fixed.chain(against).collect::<Vec<String>>());
        let or_empty = |text: Option<String>| text.unwrap_or_default();
        for (place, row) in rows.iter().enumerate() {
            let [losses, draws, wins] = row.results;
            let fixed = [
                (place + 1).to_string(),
                row.name.clone(),
                or_empty(row.elo.map(|elo| format!("{:.2}", rounded(elo, 2)))),
                or_empty(row.error.map(|error| format!("{error:.2}"))),
                or_empty(row.superiority.map(|los| format!("{los:.4}"))),
                row.games().to_string(),
                wins.to_string(),
                draws.to_string(),
                losses.to_string(),
                format!("{:.1}", row.points()),
                format!("{:.4}", row.score()),
                or_empty(row.opponents.map(|elo| format!("{:.2}", rounded(elo, 2)))),
            ];
            let against = row.against.iter().flat_map(|counts| match counts {
                Some(counts) => {
                    [format!("{:.1}", points(*counts)), counts.iter().sum::<u64>().to_string()]
                }
                None => [String::new(), String::new()],
            });
            lines.push(fixed.into_iter().chain(against).collect());
        }
        let mut out = csv::Writer::from_writer(Vec::new());
        for line in lines {
            // A vector takes all.
            let _ = out.write_record(line);
        }
        String::from_utf8_lossy(&out.into_inner().unwrap_or_default()).into_owned()
    }

    /// A picture.
    #[must_use]
    pub fn svg(&self) -> String {
        svg::draw(self.list)
    }
}

/// Points and games, such as `12.5/20`.
fn cell(counts: [u64; 3]) -> String {
    let games: u64 = counts.iter().sum();
    format!("{:.1}/{games}", points(counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pentanomial;
    use crate::pool::Pool;

    fn list() -> RatingList {
        let mut pool = Pool::default();
        let none = Pentanomial::default();
        pool.add_results("whale", ["weak", "a \"b\", <c>"], [[6, 1, 3], [6, 1, 3]], none);
        pool.add_results("whale", ["weak", "weaker"], [[3, 0, 7], [3, 0, 7]], none);
        RatingList::of(&pool, &pool.ratings().anchored(0, 100.0))
    }

    #[test]
    fn the_text_is_lined_up() {
        let list = list();
        let expected = [
            "     engine      points       1       2       3",
            "   1 a \"b\", <c> 13.0/20       x 13.0/20       –",
            "   2 weak       21.0/40  7.0/20       x 14.0/20",
            "   3 weaker      6.0/20       –  6.0/20       x",
        ];
        let text = CrossTable::of(&list).text();
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_values_can_be_read() {
        let text = CrossTable::of(&list()).csv();
        assert!(CSV.fits(text.as_bytes()) && !SVG.fits(text.as_bytes()));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let heads: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(heads[..12].join(","), FIXED);
        assert_eq!(heads[12..14], ["points against a \"b\", <c>", "games against a \"b\", <c>"]);
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!((rows.len(), &rows[0][1], &rows[1][1]), (3, "a \"b\", <c>", "weak"));
        // 400 log10(13/7) above the anchor, whose rating has no error.
        assert_eq!((&rows[0][2], &rows[1][2], &rows[1][3]), ("207.54", "100.00", "0.00"));
        let weak: Vec<&str> = rows[1].iter().skip(5).collect();
        assert_eq!(weak[..6], ["40", "20", "2", "18", "21.0", "0.5250"]);
        assert_eq!(weak[7..], ["7.0", "20", "", "", "14.0", "20"]);
    }

    #[test]
    fn the_picture_shows_every_result() {
        let list = list();
        let svg = CrossTable::of(&list).svg();
        assert!(SVG.fits(svg.as_bytes()) && svg.ends_with("</svg>\n"), "{svg}");
        for (expected, times) in [
            (">13.0/20<", 2),
            ("<title>weak against a \"b\", &lt;c&gt;: +6 =2 -12</title>", 1),
            ("<title>a \"b\", &lt;c&gt;</title>a \"b\", &lt;c&gt;</text>", 1),
            ("class=\"self\"", 3),
            ("class=\"more\"", 2),
            ("class=\"less\"", 2),
            ("<text ", 4 * 9),
        ] {
            assert_eq!(svg.matches(expected).count(), times, "{expected} in {svg}");
        }
    }
}
