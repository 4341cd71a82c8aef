//! Everybody against everybody: a cross-table as text, CSV and SVG.

mod svg;

use std::fmt::Write;

use kujira_shell::outputs::Mark;

use crate::rating_list::{RatingList, points};

/// The points of a rating list's engines against each other.
#[derive(Clone, Copy, Debug)]
pub struct CrossTable<'a> {
    list: &'a RatingList,
}

/// How a cross-table as CSV begins.
pub const CSV: Mark = Mark::new("a cross-table (CSV)", &[b"rank,engine,elo,error,los,games,"]);

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
        let name = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(6);
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(|row| {
                row.against
                    .iter()
                    .map(|counts| counts.map_or_else(|| "–".to_owned(), cell))
                    .collect()
            })
            .collect();
        let cell_width =
            cells.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(0).max(3);
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
    ///
    /// # Errors
    /// None that memory does not make.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut out = csv::Writer::from_writer(Vec::new());
        let fixed = [
            "rank",
            "engine",
            "elo",
            "error",
            "los",
            "games",
            "wins",
            "draws",
            "losses",
            "points",
            "score",
            "opponents",
        ];
        let rows = &self.list.rows;
        let against = rows
            .iter()
            .flat_map(|row| ["points", "games"].map(|what| format!("{what} against {}", row.name)));
        out.write_record(fixed.map(str::to_owned).into_iter().chain(against))?;
        let or_empty = |text: Option<String>| text.unwrap_or_default();
        for (place, row) in rows.iter().enumerate() {
            let [losses, draws, wins] = row.results;
            let fixed = [
                (place + 1).to_string(),
                row.name.clone(),
                format!("{:.2}", row.elo),
                or_empty(row.error.map(|error| format!("{error:.2}"))),
                or_empty(row.superiority.map(|los| format!("{los:.4}"))),
                row.games().to_string(),
                wins.to_string(),
                draws.to_string(),
                losses.to_string(),
                format!("{:.1}", row.points()),
                format!("{:.4}", row.score()),
                format!("{:.2}", row.opponents),
            ];
            let against = row.against.iter().flat_map(|counts| match counts {
                Some(counts) => {
                    [format!("{:.1}", points(*counts)), counts.iter().sum::<u64>().to_string()]
                }
                None => [String::new(), String::new()],
            });
            out.write_record(fixed.into_iter().chain(against))?;
        }
        let bytes = out.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
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
