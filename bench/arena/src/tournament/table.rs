//! How a tournament stands: the engines in order, by points or by how far they came.

use std::fmt::Write;

use kujira_statistics::rating_list::name_width;
use serde::Serialize;

use crate::rounds::knockout;
use crate::rounds::swiss::{self, Card};
use crate::rounds::{Results, Round};
use crate::schedule::Format;
use crate::standings::Standings;

/// An engine's place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Placing {
    /// Its number.
    pub engine: usize,
    /// From 1; engines that nothing tells apart share one.
    pub place: usize,
    /// Losses, draws, wins.
    pub results: [u64; 3],
    /// Half points, those of byes included.
    pub half_points: usize,
    /// Rounds without an opponent.
    pub byes: u32,
    /// Buchholz: the half points of all opponents, in a Swiss.
    pub buchholz: Option<usize>,
    /// Sonneborn-Berger: each opponent's points times those won from it, in quarters; where all meet all, or in a Swiss.
    pub sonneborn_berger: Option<usize>,
    /// In a knock-out how many rounds it survived.
    pub rounds_won: Option<usize>,
    /// Games lost by anything but the rules, resignation or agreement.
    pub failures: u64,
    /// Those of them that were lost by a move or a claim that our rules refuse.
    pub disputes: u64,
}

/// The state of a tournament.
#[derive(Clone, Debug)]
pub struct Table {
    /// The rounds that are known, if results decide about them.
    pub rounds: Vec<Round>,
    /// The engines, the first of them at the top.
    pub placings: Vec<Placing>,
    format: Format,
}

impl Table {
    /// How a tournament with so many `openings` stands after these games.
    #[must_use]
    pub fn of(format: Format, openings: u32, standings: &Standings, results: &Results) -> Self {
        let engines = standings.names.len();
        let rounds = format.rounds(engines, openings, results);
        let cards = match format {
            Format::Swiss { pairs } => swiss::cards(engines, &rounds, pairs),
            _ => cards(standings),
        };
        let points = |engine: usize| cards.get(engine).map_or(0, |card: &Card| card.half_points);
        let sum = |card: &Card, term: &dyn Fn(usize, usize) -> usize| {
            card.met.iter().map(|&(opponent, won)| term(points(opponent), won)).sum::<usize>()
        };
        let mut placings = Vec::new();
        for (engine, card) in cards.iter().enumerate() {
            let usage = standings.usage.get(engine).copied().unwrap_or_default();
            let mut placing = Placing {
                engine,
                results: results_of(standings, engine),
                half_points: card.half_points,
                byes: card.byes,
                failures: usage.failures,
                disputes: usage.disputes,
                ..Placing::default()
            };
            match format {
                Format::Swiss { pairs } => {
                    // A bye counts as an opponent with one's own points, as FIDE has it.
                    let (byes, won) = (card.byes as usize, swiss::bye(pairs));
                    placing.buchholz = Some(sum(card, &|other, _| other) + byes * card.half_points);
                    placing.sonneborn_berger =
                        Some(sum(card, &|other, won| other * won) + byes * card.half_points * won);
                }
                Format::RoundRobin => {
                    placing.sonneborn_berger = Some(sum(card, &|other, won| other * won));
                }
                Format::Gauntlet => {}
                Format::Knockout { .. } => placing.rounds_won = Some(rounds_won(&rounds, engine)),
            }
            placings.push(placing);
        }
        let mut table = Self { rounds, placings, format };
        table.sort();
        table
    }

    fn sort(&mut self) {
        // The best is the smallest. Of a knock-out only how far they came counts.
        let swiss = matches!(self.format, Format::Swiss { .. });
        let order = |one: &Placing, other: &Placing| match one.rounds_won {
            Some(_) => other.rounds_won.cmp(&one.rounds_won),
            None => {
                let key = |placing: &Placing| (placing.buchholz, placing.sonneborn_berger);
                let share = |placing: &Placing| {
                    // Not all may have played as often. To a Swiss byes are games, too.
                    let games = if swiss { 1 } else { placing.results.iter().sum::<u64>().max(1) };
                    placing.half_points as f64 / games as f64
                };
                share(other).total_cmp(&share(one)).then(key(other).cmp(&key(one)))
            }
        };
        self.placings.sort_by(|one, other| order(one, other).then(one.engine.cmp(&other.engine)));
        let mut before: Option<Placing> = None;
        for (index, placing) in self.placings.iter_mut().enumerate() {
            placing.place = match &before {
                Some(before) if order(before, placing).is_eq() => before.place,
                _ => index + 1,
            };
            before = Some(placing.clone());
        }
    }

    /// Lines for people.
    #[must_use]
    pub fn text(&self, names: &[String]) -> String {
        let name = |engine: usize| names.get(engine).map_or("", String::as_str);
        let width = name_width(names.iter().map(String::as_str));
        let mut text = format!("     {:<width$} {:>7} {:>14}", "engine", "points", "results");
        let columns = COLUMNS.iter().filter(|column| {
            self.placings
                .iter()
                .any(|placing| (column.cell)(placing).is_some_and(|cell| cell != "0"))
        });
        let columns: Vec<&Column> = columns.collect();
        for Column { head, .. } in &columns {
            let _ = write!(text, "  {head}");
        }
        text.push('\n');
        for placing in &self.placings {
            let [losses, draws, wins] = placing.results;
            let results = format!("+{wins} ={draws} -{losses}");
            let _ = write!(
                text,
                "{:>4} {:<width$} {:>7} {results:>14}",
                placing.place,
                name(placing.engine),
                halves(placing.half_points)
            );
            for Column { head, cell } in &columns {
                let cell = cell(placing).unwrap_or_default();
                let _ = write!(text, "  {cell:>0$}", head.chars().count());
            }
            text.push('\n');
        }
        text
    }
}

/// A column that is shown where it says something.
struct Column {
    head: &'static str,
    cell: fn(&Placing) -> Option<String>,
}

const COLUMNS: [Column; 6] = [
    Column { head: "rounds won", cell: |p| p.rounds_won.map(|rounds| rounds.to_string()) },
    Column { head: "byes", cell: |p| Some(p.byes.to_string()) },
    Column { head: "Buchholz", cell: |p| p.buchholz.map(halves) },
    Column { head: "Sonneborn-Berger", cell: |p| p.sonneborn_berger.map(quarters) },
    Column { head: "lost by failure", cell: |p| Some(p.failures.to_string()) },
    Column { head: "by an illegal move or claim", cell: |p| Some(p.disputes.to_string()) },
];

/// Half points as points.
fn halves(half_points: usize) -> String {
    format!("{:.1}", half_points as f64 / 2.0)
}

/// Quarters of points as points.
fn quarters(quarters: usize) -> String {
    format!("{:.2}", quarters as f64 / 4.0)
}

/// Cards of engines whose rounds do not depend on results.
fn cards(standings: &Standings) -> Vec<Card> {
    let mut cards = vec![Card::default(); standings.names.len()];
    for (&[first, second], pairing) in &standings.pairings {
        let games: u64 = pairing.games().iter().sum();
        let won = pairing.half_points();
        for (engine, opponent, won) in [(first, second, won), (second, first, 2 * games - won)] {
            if let Some(card) = cards.get_mut(engine) {
                card.half_points += won as usize;
                card.met.push((opponent, won as usize));
            }
        }
    }
    cards
}

/// Losses, draws, wins of an engine.
fn results_of(standings: &Standings, engine: usize) -> [u64; 3] {
    let mut results = [0; 3];
    for (engines, pairing) in &standings.pairings {
        let mut games = pairing.games();
        match engines {
            [first, _] if *first == engine => {}
            [_, second] if *second == engine => games.reverse(),
            _ => continue,
        }
        for (sum, count) in results.iter_mut().zip(games) {
            *sum += count;
        }
    }
    results
}

/// How many rounds of a knock-out an engine survived, those without an opponent included.
fn rounds_won(rounds: &[Round], engine: usize) -> usize {
    let survived = |round: &&Round| {
        round.byes.contains(&engine)
            || round.encounters.iter().any(|found| knockout::winner(found) == Some(engine))
    };
    rounds.iter().filter(survived).count()
}

#[cfg(test)]
mod tests {
    use kujira_position::Color;
    use kujira_record::played::{GameId, GameRecord, Player};
    use kujira_usi::{Ending, Reason};

    use super::*;

    fn game(round: u32, engines: [usize; 2], leg: u8, winner: Option<usize>) -> GameRecord {
        let id = GameId { round, engines, leg };
        let reason = if round == 9 { Reason::IllegalMove } else { Reason::Checkmate };
        let ending = match winner {
            Some(winner) => {
                let black = id.by_color()[0] == winner;
                Ending::win(if black { Color::Black } else { Color::White }, reason)
            }
            None => Ending::draw(Reason::Repetition),
        };
        GameRecord {
            id,
            variant: "whale".to_owned(),
            black: Player::default(),
            white: Player::default(),
            opening: "startpos".to_owned(),
            moves: Vec::new(),
            ending,
            detail: String::new(),
            began: String::new(),
            machine: None,
        }
    }

    fn table(format: Format, openings: u32, engines: usize, games: &[GameRecord]) -> Table {
        let names = (0..engines).map(|engine| format!("E{engine}")).collect();
        Table::of(format, openings, &Standings::of(names, games), &Results::of(games))
    }

    fn row(placing: &Placing) -> (usize, usize, usize) {
        (placing.place, placing.engine, placing.half_points)
    }

    #[test]
    fn a_round_robin_is_ordered_by_points_and_sonneborn_berger() {
        // Everybody wins twice: against the strong one that counts more.
        let games = [
            game(0, [0, 1], 0, Some(1)),
            game(0, [0, 1], 1, Some(1)),
            game(0, [0, 2], 0, Some(0)),
            game(0, [0, 2], 1, Some(0)),
            game(0, [1, 2], 0, None),
            game(9, [1, 2], 1, Some(2)),
        ];
        let table = table(Format::RoundRobin, 10, 3, &games);
        let rows: Vec<_> = table.placings.iter().map(row).collect();
        assert_eq!(rows, [(1, 1, 5), (2, 0, 4), (3, 2, 3)]);
        // Opponents have 4 and 3 half points; of them it won 4 and 1.
        assert_eq!(table.placings[0].sonneborn_berger, Some(4 * 4 + 3));
        assert_eq!((table.placings[0].failures, table.placings[0].disputes), (1, 1));
        let names = ["E0", "E1", "E2"].map(str::to_owned);
        let text = table.text(&names);
        let expected = "   1 E1         2.5       +2 =1 -1              4.75";
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with(expected)), "{text}");
        assert!(text.contains("lost by failure") && !text.contains("byes"), "{text}");
    }

    #[test]
    fn a_swiss_is_ordered_by_points_buchholz_and_sonneborn_berger() {
        let format = Format::Swiss { pairs: 1 };
        let games = [
            game(0, [0, 1], 0, Some(0)),
            game(0, [0, 1], 1, Some(0)),
            // The third had the bye of the first round, the second has that of the second one.
            game(1, [0, 2], 0, Some(0)),
            game(1, [0, 2], 1, None),
        ];
        let table = table(format, 2, 3, &games);
        let rows: Vec<_> = table.placings.iter().map(row).collect();
        assert_eq!(rows, [(1, 0, 7), (2, 2, 5), (3, 1, 4)]);
        let [first, second, third] = &table.placings[..] else { panic!("{table:?}") };
        assert_eq!((first.buchholz, first.sonneborn_berger), (Some(4 + 5), Some(4 * 4 + 5 * 3)));
        assert_eq!((second.buchholz, second.sonneborn_berger), (Some(7 + 5), Some(7 + 5 * 4)));
        assert_eq!((second.byes, third.byes, third.buchholz), (1, 1, Some(7 + 4)));
    }

    #[test]
    fn a_knockout_is_ordered_by_how_far_they_came() {
        let format = Format::Knockout { pairs: 1, extra: 0 };
        let games = [
            game(0, [1, 2], 0, Some(2)),
            game(0, [1, 2], 1, Some(2)),
            game(1, [0, 2], 0, Some(0)),
            game(1, [0, 2], 1, Some(2)),
        ];
        let table = table(format, 2, 3, &games);
        // Even: the higher seed wins.
        let rows: Vec<_> =
            table.placings.iter().map(|p| (p.place, p.engine, p.rounds_won)).collect();
        assert_eq!(rows, [(1, 0, Some(2)), (2, 2, Some(1)), (3, 1, Some(0))]);
    }
}
