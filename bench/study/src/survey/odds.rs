//! What pieces given as odds are worth: how much more often the side with them wins than it does from the start.

use std::fmt::Write as _;

use kujira_arena::header::differences;
use kujira_position::{Color, Position, Rules, Variant, VariantId, with_variant};
use kujira_statistics::{elo_of_score, elo_width};
use serde::Serialize;

use super::estimate::Mean;
use super::games::{self, Row, setting, told};

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
    /// where a confidence interval reaches 0 or 100 %.
    pub elo: Option<f64>,
    /// Half the width of its 95 % confidence interval.
    pub elo_error: Option<f64>,
}

impl Odds {
    /// The nodes a move, if that was the limit.
    #[must_use]
    pub fn nodes(&self) -> Option<f64> {
        games::nodes(&self.limit)
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

/// A score in percent as Elo; `None` where that is infinite, or reaches so far, or all results were alike.
fn elo(percent: f64, error: Option<f64>) -> Option<Mean> {
    let (score, width) = (percent / 100.0, error? / 100.0);
    let mean = Mean { value: elo_of_score(score), error: elo_width(score, width) };
    (mean.value.is_finite() && mean.error.is_finite() && width > 0.0).then_some(mean)
}

/// The odds of matches. Those from the starting position are what the others with the same game, rules and limit are
/// compared with; they have no row of their own.
///
/// # Errors
/// If nobody gives odds, a match has nothing or several things to be compared with, or its games do not all begin from
/// one position in which White gives odds.
pub fn odds(rows: &[Row]) -> Result<Vec<Odds>, String> {
    let (even, giving): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.start.as_deref() == Some("startpos"));
    if giving.is_empty() {
        return Err("expected matches in which White gives odds, found none".to_owned());
    }
    let one = |row: &Row| {
        let setting = setting(&row.game, &row.rules);
        let alike = |other: &&&Row| {
            (&other.game, &other.rules, &other.limit) == (&row.game, &row.rules, &row.limit)
        };
        match even.iter().filter(alike).collect::<Vec<_>>()[..] {
            [even] => compared(row, even),
            [] => Err(format!(
                "expected a match from the start to compare with, too ({setting}, {}), found none",
                row.limit
            )),
            [one, other, ..] => Err(format!(
                "expected one match from the start to compare with, found {} and {}",
                one.journal, other.journal
            )),
        }
        .map_err(|error| format!("{}: {error}", row.journal))
    };
    giving.into_iter().map(one).collect()
}

fn compared(row: &Row, even: &Row) -> Result<Odds, String> {
    let different = differences(&row.terms, &even.terms, 0);
    if !different.is_empty() {
        let (other, what) = (&even.journal, different.join(", "));
        return Err(format!("expected a match like {other} but for its start, found {what}"));
    }
    if row.terms.openings.contains("within") {
        let what = "expected openings of which none is left out for its score, found --max-score";
        return Err(what.to_owned());
    }
    let game = VariantId::named(&row.game)
        .ok_or_else(|| format!("expected one of {}", VariantId::choices()))?;
    let sfen = row.start.as_deref().ok_or("expected games from one position, found several")?;
    let given = with_variant!(game, V => Given::of::<V>(sfen))?;
    let beyond = elo(row.first, row.first_error).zip(elo(even.first, even.first_error)).map(
        |(odds, even)| Mean { value: odds.value - even.value, error: odds.error.hypot(even.error) },
    );
    let (black, sign, first) = match given.first {
        Color::Black => (row.first, 1.0, "Black"),
        Color::White => (100.0 - row.first, -1.0, "White"),
    };
    Ok(Odds {
        journal: row.journal.clone(),
        game: row.game.clone(),
        rules: row.rules.clone(),
        limit: row.limit.clone(),
        lacks: given.lacks.join(" "),
        in_hand: given.in_hand.join(" "),
        first,
        games: row.games,
        black,
        black_error: row.first_error,
        elo: beyond.map(|beyond| sign * beyond.value),
        elo_error: beyond.map(|beyond| beyond.error),
    })
}

/// What White gives.
struct Given {
    /// The pieces that White lacks on the board.
    lacks: Vec<&'static str>,
    /// The pieces that Black has in hand.
    in_hand: Vec<&'static str>,
    /// Who moves.
    first: Color,
}

impl Given {
    /// What is given in this position, whatever the rules.
    fn of<V: Variant>(sfen: &str) -> Result<Self, String> {
        let position = Position::<V>::from_sfen_under(sfen, Rules::DEFAULT)
            .map_err(|error| error.to_string())?;
        let start = Position::<V>::start();
        let mut lacks = Vec::new();
        for at in start.occupied() | position.occupied() {
            match (start.piece_on(at), position.piece_on(at)) {
                (before, now) if before == now => {}
                (Some(piece), None) if piece.color() == Color::White => {
                    lacks.push(V::SPEC.kind(piece.kind()).token);
                }
                _ => {
                    let what = "expected the starting position but for pieces that White lacks";
                    return Err(format!("{what}, found {sfen}"));
                }
            }
        }
        let mut in_hand = Vec::new();
        for kind in V::SPEC.all_kinds() {
            let token = V::SPEC.kind(kind).token;
            if position.hand(Color::White).count(kind) > 0 {
                return Err(format!("expected nothing in White's hand, found {token}"));
            }
            in_hand.extend(vec![token; position.hand(Color::Black).count(kind)]);
        }
        if lacks.is_empty() && in_hand.is_empty() {
            return Err(format!("expected pieces that White gives, found none in {sfen}"));
        }
        Ok(Self { lacks, in_hand, first: position.side() })
    }
}

/// Odds as a table of Markdown.
#[must_use]
pub fn table(odds: &[Odds]) -> String {
    let mut text = String::from(
        "| game | limit | White lacks | Black's hand | first | games | Black % | Elo |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for row in odds {
        let elo = row
            .elo
            .map_or_else(|| "–".to_owned(), |elo| format!("{:.0}", told(elo, row.elo_error)));
        let or =
            |pieces: &str| if pieces.is_empty() { "–".to_owned() } else { pieces.to_owned() };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {elo} |",
            setting(&row.game, &row.rules),
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
    use crate::survey::games::Terms;

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
        let error = elo_width(0.6, 0.06);
        assert!((handicap.elo_error.unwrap() - error * 2.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!((&held.in_hand[..], held.first, held.black), ("G", "Black", 80.0));
        assert!((held.elo.unwrap() - (elo_of_score(0.8) - first)).abs() < 1e-9);
        assert_eq!((all.elo, all.elo_error), (None, None));
        assert_eq!(table(&odds(&rows).unwrap()).lines().count(), 5);
    }

    #[test]
    fn the_positions_with_odds_are_those_they_say() {
        let texts = [
            (VariantId::Whale, include_str!("../../../positions/odds-whale.epd")),
            (VariantId::Paulowich, include_str!("../../../positions/odds-paulowich.epd")),
            (VariantId::Great, include_str!("../../../positions/odds-great.epd")),
        ];
        for (game, text) in texts {
            for entry in kujira_record::list::entries(text) {
                let entry = entry.unwrap();
                let sfen = entry.opening.sfen.as_deref().unwrap();
                let given = with_variant!(game, V => Given::of::<V>(sfen)).unwrap();
                let (how, piece) = entry.operand("id").unwrap().split_once('-').unwrap();
                // A piece that was taken is in hand as what it becomes there.
                let spec = game.spec();
                let taken = spec.kind(spec.kind_named(piece)).in_hand;
                let held: &[&str] = if how == "taken" { &[taken] } else { &[] };
                assert_eq!((&given.lacks[..], &given.in_hand[..]), (&[piece][..], held), "{sfen}");
            }
        }
    }

    #[test]
    fn other_starts_are_refused() {
        let even = row(Some("startpos"), 60.0);
        for (start, expected) in [
            (None, "expected games from one position"),
            (Some("bnpwgh/dddddd/6/6/1DDDDD/HGWPNB b - 1"), "but for pieces that White lacks"),
            // Without one piece, but elsewhere.
            (Some("bnpw2/dddddd/6/6/DDDDDD/HGWPNB b g 1"), "nothing in White's hand"),
            (Some("bnpwh1/dddddd/6/6/DDDDDD/HGWPNB b - 1"), "but for pieces that White lacks"),
            (Some("bnpwgh/dddddd/6/6/DDDDDD/HGWPNB w - 1"), "pieces that White gives, found none"),
        ] {
            let error = odds(&[even.clone(), row(start, 50.0)]).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let giving = || row(Some("bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1"), 40.0);
        let alone = odds(&[giving()]).unwrap_err();
        assert!(alone.contains("expected a match from the start"), "{alone}");
        let nobody = odds(std::slice::from_ref(&even)).unwrap_err();
        assert!(nobody.contains("in which White gives odds, found none"), "{nobody}");
        let two = odds(&[even.clone(), giving(), even.clone()]).unwrap_err();
        assert!(two.contains("expected one match from the start"), "{two}");
        let longer = Terms { max_plies: 1000, ..Terms::default() };
        let other = odds(&[even.clone(), Row { terms: longer, ..giving() }]).unwrap_err();
        assert!(
            other.contains(
                "expected a match like j but for its start, found max-plies 1000, there 0"
            ),
            "{other}"
        );
        let openings = "4 to 4 random plies, seed 1, within 300 centipawns".to_owned();
        let judged =
            |row| Row { terms: Terms { openings: openings.clone(), ..Terms::default() }, ..row };
        let error = odds(&[judged(even), judged(giving())]).unwrap_err();
        assert!(error.contains("found --max-score"), "{error}");
    }
}
