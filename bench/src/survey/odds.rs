//! What pieces given as odds are worth: how much more often the side with them wins than it does from the start.

use std::fmt::Write as _;

use kujira_position::{Board, Color, Kind, Position, Rules, Variant, VariantId, with_variant};
use serde::Serialize;

use super::estimate::Mean;
use super::games::Row;
use crate::statistics::{ELO_PER_SCORE, elo_of_score};

/// Odds that White gave in the games of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Odds {
    /// The journal, without its folder and ending.
    pub journal: String,
    /// Which kind of whale shogi.
    pub game: String,
    /// The rules that are not the usual ones.
    pub rules: String,
    /// What an engine could use for a move.
    pub limit: String,
    /// The pieces that White lacks on the board.
    pub lacks: String,
    /// The pieces that Black has in hand.
    pub in_hand: String,
    /// Who moved first.
    pub first: &'static str,
    /// Games that ended by the rules, or by a limit of plies.
    pub games: usize,
    /// Points of Black, in percent of a game.
    pub black: f64,
    /// Half the width of its 95 % confidence interval; none of a single pair of games.
    pub black_error: Option<f64>,
    /// What the odds are worth: Black's Elo beyond that of a player who moves first or second from the start; none
    /// where either won all games.
    pub elo: Option<f64>,
    /// Half the width of its 95 % confidence interval.
    pub elo_error: Option<f64>,
}

impl Odds {
    /// The nodes a move, if that was the limit.
    #[must_use]
    pub fn nodes(&self) -> Option<f64> {
        self.limit.strip_prefix("nodes ")?.parse().ok()
    }

    /// The odds in a few words.
    #[must_use]
    pub fn name(&self) -> String {
        match (&self.lacks[..], &self.in_hand[..]) {
            (lacks, "") => format!("without {lacks}"),
            ("", held) => format!("{held} in hand"),
            (lacks, held) => format!("without {lacks}, {held} in hand"),
        }
    }
}

/// A score in percent as Elo; `None` where all games were won, or lost.
fn elo(first: f64, error: Option<f64>) -> Option<Mean> {
    let score = first / 100.0;
    let slope = ELO_PER_SCORE / (4.0 * score * (1.0 - score));
    let error = error.map_or(f64::NAN, |error| error / 100.0 * slope);
    (score > 0.0 && score < 1.0).then(|| Mean { value: elo_of_score(score), error })
}

/// The odds of matches. Those from the starting position are what the others with the same game, rules and limit are
/// compared with; they have no row of their own.
///
/// # Errors
/// If a match has nothing to be compared with, or its games do not all begin from one position in which White gives
/// odds.
pub fn odds(rows: &[Row]) -> Result<Vec<Odds>, String> {
    let given = rows.iter().filter(|row| row.start.as_deref() != Some("startpos"));
    given
        .map(|row| {
            let even = rows.iter().find(|other| {
                other.start.as_deref() == Some("startpos")
                    && (&other.game, &other.rules, &other.limit)
                        == (&row.game, &row.rules, &row.limit)
            });
            let even = even.ok_or_else(|| {
                format!(
                    "{}: expected a match from the start to compare with, too ({}, {}), found none",
                    row.journal, row.game, row.limit
                )
            })?;
            compared(row, even).map_err(|error| format!("{}: {error}", row.journal))
        })
        .collect()
}

fn compared(row: &Row, even: &Row) -> Result<Odds, String> {
    let game = VariantId::named(&row.game)
        .ok_or_else(|| format!("expected one of {}", VariantId::choices()))?;
    let sfen = row.start.as_deref().ok_or("expected games from one position, found several")?;
    let [lacks, in_hand, first] = with_variant!(game, V => given::<V>(sfen))?;
    let first = if first == "Black" { "Black" } else { "White" };
    let beyond = elo(row.first, row.first_error).zip(elo(even.first, even.first_error)).map(
        |(odds, even)| Mean { value: odds.value - even.value, error: odds.error.hypot(even.error) },
    );
    let sign = if first == "Black" { 1.0 } else { -1.0 };
    Ok(Odds {
        journal: row.journal.clone(),
        game: row.game.clone(),
        rules: row.rules.clone(),
        limit: row.limit.clone(),
        lacks,
        in_hand,
        first,
        games: row.games,
        black: if first == "Black" { row.first } else { 100.0 - row.first },
        black_error: row.first_error,
        elo: beyond.map(|beyond| sign * beyond.value),
        elo_error: beyond.and_then(Mean::known_error),
    })
}

/// What White lacks on the board, what Black has in hand, and who moves.
fn given<V: Variant>(sfen: &str) -> Result<[String; 3], String> {
    let position =
        Position::<V>::from_sfen_under(sfen, Rules::DEFAULT).map_err(|error| error.to_string())?;
    let start = Position::<V>::start();
    let count = |board: &Board<V>, color: Color, kind: Kind| {
        let pieces = board.occupied().into_iter().filter_map(|square| board.piece_on(square));
        pieces.filter(|piece| (piece.color(), piece.kind()) == (color, kind)).count()
    };
    let (mut lacks, mut in_hand) = (Vec::new(), Vec::new());
    for kind in V::SPEC.all_kinds() {
        let token = V::SPEC.kind(kind).token;
        let less = |color| {
            let [before, now] = [start.board(), position.board()].map(|b| count(b, color, kind));
            before as i64 - now as i64
        };
        if less(Color::Black) != 0 || less(Color::White) < 0 {
            return Err(format!("expected pieces that White lacks alone, found {token} otherwise"));
        }
        lacks.extend(vec![token; usize::try_from(less(Color::White)).unwrap_or(0)]);
        if position.hand(Color::White).count(kind) > 0 {
            return Err(format!("expected nothing in White's hand, found {token}"));
        }
        in_hand.extend(vec![token; position.hand(Color::Black).count(kind)]);
    }
    let first = if position.side() == Color::Black { "Black" } else { "White" };
    Ok([lacks.join(" "), in_hand.join(" "), first.to_owned()])
}

/// Odds as a table of Markdown.
#[must_use]
pub fn table(odds: &[Odds]) -> String {
    let mut text = String::from(
        "| game | limit | White lacks | Black's hand | first | games | Black % | Elo |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let told = |value: f64, error: Option<f64>| Mean { value, error: error.unwrap_or(f64::NAN) };
    for row in odds {
        let name = match row.rules.is_empty() {
            true => row.game.clone(),
            false => format!("{}, {}", row.game, row.rules),
        };
        let elo = row
            .elo
            .map_or_else(|| "–".to_owned(), |elo| format!("{:.0}", told(elo, row.elo_error)));
        let or =
            |pieces: &str| if pieces.is_empty() { "–".to_owned() } else { pieces.to_owned() };
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} | {elo} |",
            row.limit,
            or(&row.lacks),
            or(&row.in_hand),
            row.first,
            row.games,
            told(row.black, row.black_error),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(start: Option<&str>, first: f64) -> Row {
        Row {
            journal: "j".to_owned(),
            game: "whale".to_owned(),
            limit: "nodes 300".to_owned(),
            start: start.map(str::to_owned),
            games: 100,
            first,
            first_error: Some(6.0),
            ..Row::default()
        }
    }

    #[test]
    fn odds_are_compared_with_games_from_the_start() {
        let even = row(Some("startpos"), 60.0);
        let rows = [
            even.clone(),
            row(Some("bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1"), 40.0),
            row(Some("bnpw1h/dddddd/6/6/DDDDDD/HGWPNB b G 1"), 80.0),
            row(Some("bnpw1h/dddddd/6/6/DDDDDD/HGWPNB b - 1"), 100.0),
        ];
        let [handicap, held, all] = &odds(&rows).unwrap()[..] else { panic!() };
        assert_eq!(
            (&handicap.lacks[..], &handicap.in_hand[..], handicap.first),
            ("G", "", "White")
        );
        assert_eq!((handicap.black, handicap.name()), (60.0, "without G".to_owned()));
        // Moving first is worth 400 log10(3/2) Elo, and White lost as much by the piece twice over.
        let first = elo_of_score(0.6);
        assert!((handicap.elo.unwrap() - 2.0 * first).abs() < 1e-9);
        let error = 0.06 * ELO_PER_SCORE / (4.0 * 0.24);
        assert!((handicap.elo_error.unwrap() - error * 2.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!((&held.in_hand[..], held.first, held.black), ("G", "Black", 80.0));
        assert!((held.elo.unwrap() - (elo_of_score(0.8) - first)).abs() < 1e-9);
        assert_eq!((all.elo, all.elo_error), (None, None));
        assert_eq!(table(&odds(&rows).unwrap()).lines().count(), 5);
    }

    #[test]
    fn other_starts_are_refused() {
        let even = row(Some("startpos"), 60.0);
        for (start, expected) in [
            (None, "expected games from one position"),
            (Some("bnpwgh/dddddd/6/6/1DDDDD/HGWPNB b - 1"), "White lacks alone"),
            (Some("bnpw1h/dddddd/6/6/DDDDDD/HGWPNB b g 1"), "nothing in White's hand"),
        ] {
            let error = odds(&[even.clone(), row(start, 50.0)]).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let alone = odds(&[row(Some("bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1"), 40.0)]);
        assert!(alone.unwrap_err().contains("expected a match from the start"));
    }
}
