//! What a book and games say of the first moves, as a file that the board shows.
//!
//! ```json
//! {"openings":"whale",
//! "moves":[["2e2d","D-2d"],["3b3c","D-3c"]],
//! "names":[
//! ["2e2d","bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w -","Edge dolphin"]
//! ],
//! "positions":{
//! "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b -":[[0,38,24,12,1,7]],
//! "bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w -":[[1,31,23]]
//! }}
//! ```
//!
//! Positions are SFENs without their numbers. Each has its moves, the best first: the number of the move among `moves`
//! (as USI, and in Hodges notation with Japanese squares), the score as Black sees it (centipawns, `{"mate":3}` in plies,
//! or null), how many plies that looks ahead, and, where there are any, the games that Black won, that were drawn, and
//! that White won. Names are those of positions, with the moves that lead there.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use kujira_position::{Coordinates, Move, Position, Rules, UsiMove, Variant, VariantId};
use kujira_record::list;
use kujira_usi::Score;
use serde_json::{Value, json};

use super::expansion::Price;
use super::graph::Graph;
use super::results::{Results, Tally};
use super::values::{Values, score_of};

/// What an opening is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The moves from the start.
    pub moves: Vec<String>,
    /// The position that they lead to.
    pub position: String,
    /// The name.
    pub name: String,
}

/// Reads names of openings: a list of lines `startpos moves … ;id "the name";`.
///
/// # Errors
/// What is wrong with which line.
pub fn names<V: Variant>(text: &str) -> Result<Vec<Name>, String> {
    let mut names: Vec<Name> = Vec::new();
    for entry in list::entries(text) {
        let entry = entry?;
        let position = entry.position::<V>(Rules::DEFAULT)?;
        let wrong = |expected: &str| format!("line {}: expected {expected}", entry.line);
        let Some(name) = entry.operand("id").filter(|name| !name.is_empty()) else {
            return Err(wrong("a name, ;id \"…\", behind the moves, found none"));
        };
        if entry.opening.sfen.is_some() {
            return Err(wrong("startpos and moves, found an SFEN"));
        }
        let found = Name {
            moves: entry.opening.moves.clone(),
            position: key(&position),
            name: name.to_owned(),
        };
        if let Some(earlier) = names.iter().find(|earlier| earlier.position == found.position) {
            return Err(wrong(&format!(
                "each position once, found that of {} again",
                earlier.name
            )));
        }
        names.push(found);
    }
    Ok(names)
}

/// How much of a book and of games is taken over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Positions of the book: those whose lines of play cost least, as `book build` counts.
    pub positions: usize,
    /// What a ply of a line costs, in centipawns.
    pub per_ply: u32,
    /// Games that must have come to a position to be told of.
    pub least: u32,
}

/// A move of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    /// Its number among the moves.
    number: usize,
    /// The score as Black sees it, and how many plies it looks ahead, where the book tells of the move.
    book: Option<(Score, u32)>,
    tally: Tally,
}

impl Row {
    fn value(&self) -> Value {
        let (score, depth) = match self.book {
            Some((Score::Cp(value), depth)) => (json!(value), depth),
            Some((score, depth)) => (json!(score), depth),
            None => (Value::Null, 0),
        };
        let Tally { black, draws, white } = self.tally;
        match self.tally.games() {
            0 => json!([self.number, score, depth]),
            _ => json!([self.number, score, depth, black, draws, white]),
        }
    }
}

/// The openings of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    game: VariantId,
    /// As USI, and in Hodges notation.
    moves: Vec<(String, String)>,
    names: Vec<Name>,
    positions: BTreeMap<String, Vec<Row>>,
}

/// The SFEN without its number.
fn key<V: Variant>(position: &Position<V>) -> String {
    let sfen = position.sfen();
    sfen.rsplit_once(' ').map_or(&sfen[..], |(key, _ply)| key).to_owned()
}

impl Openings {
    /// What a book and games say.
    #[must_use]
    pub fn of<V: Variant>(
        graph: &Graph<V>,
        results: &Results<V>,
        names: Vec<Name>,
        scope: Scope,
    ) -> Self {
        let values = Values::of(graph);
        let mut numbers = Numbers::default();
        let mut positions = BTreeMap::new();
        let chosen = graph.cheapest(&values, Price::even(scope.per_ply));
        for &(_, index) in chosen.iter().take(scope.positions) {
            let node = &graph.nodes()[index];
            let position = &node.position;
            let mut known: Vec<(i32, Move, u32)> = Vec::new();
            for (number, choice) in node.choices.iter().enumerate() {
                let value = values.after(graph, index, number);
                known.push((value, choice.m, graph.depth(&values, index, number)));
            }
            known.sort_by_key(|&(value, ..)| Reverse(value));
            let mut rows: Vec<Row> = known
                .into_iter()
                .map(|(value, m, depth)| Row {
                    number: numbers.of(position, m),
                    book: Some((score_of(value).for_black(position.side()), depth)),
                    tally: Tally::default(),
                })
                .collect();
            add_games(&mut rows, results, position, scope.least, &mut numbers);
            positions.insert(key(position), rows);
        }
        for occurred in results.common(scope.least) {
            let position = &occurred.position;
            positions.entry(key(position)).or_insert_with(|| {
                let mut rows = Vec::new();
                add_games(&mut rows, results, position, scope.least, &mut numbers);
                rows
            });
        }
        let mut openings = Self { game: V::ID, moves: numbers.moves, names, positions };
        openings.sort_moves();
        openings
    }

    /// Numbers moves by their texts, whatever the order in which they were met.
    fn sort_moves(&mut self) {
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by(|&a, &b| self.moves[a].cmp(&self.moves[b]));
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &number)| places[number] = place);
        self.moves.sort();
        for row in self.positions.values_mut().flatten() {
            row.number = places[row.number];
        }
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Positions that games are told of.
    #[must_use]
    pub fn played(&self) -> usize {
        let played = |rows: &&Vec<Row>| rows.iter().any(|row| row.tally.games() > 0);
        self.positions.values().filter(played).count()
    }

    /// The file as text, a line a position.
    #[must_use]
    pub fn text(&self) -> String {
        let moves: Vec<Value> = self.moves.iter().map(|(usi, text)| json!([usi, text])).collect();
        let names: Vec<String> = self
            .names
            .iter()
            .map(|name| json!([name.moves.join(" "), name.position, name.name]).to_string())
            .collect();
        let positions: Vec<String> = self
            .positions
            .iter()
            .map(|(key, rows)| {
                let rows = Value::Array(rows.iter().map(Row::value).collect());
                format!("{}:{rows}", Value::from(&key[..]))
            })
            .collect();
        format!(
            "{}{},\n\"moves\":{},\n\"names\":[\n{}\n],\n\"positions\":{{\n{}\n}}}}\n",
            Self::BEGINS,
            json!(self.game.to_string()),
            Value::Array(moves),
            names.join(",\n"),
            positions.join(",\n")
        )
    }

    /// How every such file begins.
    pub const BEGINS: &str = "{\"openings\":";
}

/// The moves met, and their numbers.
#[derive(Default)]
struct Numbers {
    moves: Vec<(String, String)>,
    known: BTreeMap<(String, String), usize>,
}

impl Numbers {
    fn of<V: Variant>(&mut self, position: &Position<V>, m: Move) -> usize {
        let usi = UsiMove::<V>::new(m).to_string();
        let texts = (usi, position.hodges(m, Coordinates::Japanese));
        *self.known.entry(texts).or_insert_with_key(|texts| {
            self.moves.push(texts.clone());
            self.moves.len() - 1
        })
    }
}

/// Adds to moves of a position how games went on with them; those that the book does not tell of come last.
fn add_games<V: Variant>(
    rows: &mut Vec<Row>,
    results: &Results<V>,
    position: &Position<V>,
    least: u32,
    numbers: &mut Numbers,
) {
    let Some(occurred) = results.at(position.key(), least) else { return };
    let mut others = Vec::new();
    for &(m, tally) in &occurred.moves {
        let number = numbers.of(position, m);
        match rows.iter_mut().find(|row| row.number == number) {
            Some(row) => row.tally = tally,
            None => {
                others.push((UsiMove::<V>::new(m).to_string(), Row { number, book: None, tally }))
            }
        }
    }
    others.sort_by_key(|(usi, row)| (Reverse(row.tally.games()), usi.clone()));
    rows.extend(others.into_iter().map(|(_, row)| row));
}
