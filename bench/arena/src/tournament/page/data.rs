//! What the page of a tournament knows.

use std::collections::BTreeMap;
use std::ops::Range;

use kujira_position::{
    Color, Position, Rules, Square, SquareText, Variant, VariantId, with_variant,
};
use kujira_record::Game;
use kujira_record::played::{GameRecord, MoveRecord, Player};
use kujira_statistics::rating_list::{RatingList, Row};
use kujira_table::Levels;
use kujira_table::pieces::game_view;
use kujira_table::view::{Placement, hands, placement};
use kujira_usi::Score;
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::openings::Opening;
use crate::replay::{PlayedGame, PlayedMatch, number};
use crate::rounds::knockout;
use crate::schedule::Format;
use crate::tournament::{Placing, Table};

/// Everything that the page of a tournament shows. Games are read from the journal while it is written.
#[derive(Serialize, Debug)]
pub struct PageData<'a> {
    /// What was played, in a sentence or two.
    facts: String,
    /// The game as the page of the board knows it.
    game: Value,
    engines: Vec<EngineData>,
    placings: Vec<Placing>,
    ratings: Vec<RatingData>,
    /// What is to be known of the ratings.
    notes: Vec<String>,
    rounds: Vec<RoundData>,
    games: Games<'a>,
}

/// The games in the order of the page.
#[derive(Debug)]
struct Games<'a> {
    /// None: there are no games.
    played: Option<&'a PlayedMatch>,
    order: Vec<&'a PlayedGame>,
    /// The names of their rounds.
    rounds: Vec<String>,
    /// Which of these each game has.
    round_of: Vec<u32>,
}

impl Serialize for Games<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let records =
            self.played.map(|played| (played, played.records_of(self.order.iter().copied())));
        let Some((played, records)) = records else { return serializer.collect_seq([(); 0]) };
        let mut sequence = serializer.serialize_seq(Some(self.order.len()))?;
        for (record, &round) in records.zip(&self.round_of) {
            let round = self.rounds.get(round as usize).map_or("", String::as_str);
            let data = record.and_then(|game| {
                let made = with_variant!(played.game(), V => {
                    game_data::<V>(&game, played.header.rules.into(), round)
                });
                made.map_err(|error| played.named(&format!("game {}: {error}", number(game.id))))
            });
            sequence.serialize_element(&data.map_err(S::Error::custom)?)?;
        }
        sequence.end()
    }
}

#[derive(Serialize, Debug)]
struct EngineData {
    name: String,
    limit: String,
}

/// A row of the rating list; shares are from 0 to 1.
#[derive(Serialize, Debug)]
pub struct RatingData {
    name: String,
    elo: Option<f64>,
    error: Option<f64>,
    games: u64,
    score: f64,
    draws: f64,
    opponents: Option<f64>,
    superiority: Option<f64>,
}

impl From<&Row> for RatingData {
    fn from(row: &Row) -> Self {
        Self {
            name: row.name.clone(),
            elo: row.elo,
            error: row.error,
            games: row.games(),
            score: row.score(),
            draws: row.draws(),
            opponents: row.opponents,
            superiority: row.superiority,
        }
    }
}

#[derive(Serialize, Debug)]
struct RoundData {
    name: String,
    encounters: Vec<EncounterData>,
    byes: Vec<usize>,
}

#[derive(Serialize, Debug)]
struct EncounterData {
    engines: [usize; 2],
    /// Half points of the two, once all is played.
    score: [usize; 2],
    /// Numbers of games.
    games: Vec<usize>,
}

#[derive(Serialize, Debug)]
struct GameData {
    /// The name of its round.
    round: String,
    /// The engines' numbers, Black's first.
    players: [usize; 2],
    /// Their half points.
    half: [usize; 2],
    result: &'static str,
    /// The end in a sentence.
    ending: String,
    /// Why it ended, in a word or two.
    reason: String,
    detail: String,
    /// How many of the moves are the opening's.
    book: usize,
    /// Where it began, if that is not where all games do.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Placement>,
    moves: Vec<MoveData>,
}

#[derive(Serialize, Debug, Default)]
struct MoveData {
    usi: String,
    /// In Japanese and in Western squares.
    text: [String; 2],
    /// The squares that it changes, each with what stands there then.
    set: Vec<(String, Option<String>)>,
    /// What both sides hold then, if the move changes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<[Vec<(String, usize)>; 2]>,
    /// Where the white whale stands that is in check then.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
    /// As Black sees it.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    /// The time it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<u64>,
}

impl<'a> PageData<'a> {
    /// What there is to show of a tournament with these games.
    ///
    /// # Errors
    /// If the game cannot be described.
    pub fn of(
        facts: String,
        table: &Table,
        list: &RatingList,
        played: &'a PlayedMatch,
    ) -> Result<Self, String> {
        let header = &played.header;
        let engines = header.engines.iter().map(|engine| {
            let Player { name, limit, .. } = engine.player.clone();
            EngineData { name, limit }
        });
        let mut order: Vec<&PlayedGame> = played.games.iter().collect();
        // Whatever the order in which they came to their ends.
        order.sort_by_key(|game| (game.id.round, game.id.engines, game.id.leg));
        let rounds = rounds(header.format, table, &order);
        let mut round_of = vec![0; order.len()];
        for (index, round) in (0..).zip(&rounds) {
            for &number in round.encounters.iter().flat_map(|found| &found.games) {
                round_of[number] = index;
            }
        }
        let names = rounds.iter().map(|round| round.name.clone()).collect();
        Ok(Self {
            facts,
            game: game_of(played.game())?,
            engines: engines.collect(),
            placings: table.placings.clone(),
            ratings: list.rows.iter().map(RatingData::from).collect(),
            notes: list.notes.clone(),
            rounds,
            games: Games { played: Some(played), order, rounds: names, round_of },
        })
    }
}

#[cfg(test)]
impl PageData<'_> {
    /// A tournament of one engine of this name without games.
    pub(super) fn named(name: &str) -> Self {
        Self {
            facts: String::new(),
            game: Value::Null,
            engines: vec![EngineData { name: name.to_owned(), limit: String::new() }],
            placings: Vec::new(),
            ratings: Vec::new(),
            notes: Vec::new(),
            rounds: Vec::new(),
            games: Games {
                played: None,
                order: Vec::new(),
                rounds: Vec::new(),
                round_of: Vec::new(),
            },
        }
    }
}

/// The game as the page of the board knows it, but for what only lessons and new games need.
fn game_of(variant: VariantId) -> Result<Value, String> {
    let mut game = serde_json::to_value(game_view(variant, &Levels::new([])))
        .map_err(|error| error.to_string())?;
    if let Value::Object(fields) = &mut game {
        for name in ["handicaps", "levels", "usual_level"] {
            fields.remove(name);
        }
        if let Some(Value::Array(kinds)) = fields.get_mut("kinds") {
            for kind in kinds.iter_mut().filter_map(Value::as_object_mut) {
                kind.remove("diagrams");
            }
        }
    }
    Ok(game)
}

/// The rounds of a tournament, and where results decide nothing the openings, with the numbers of their games. Games are
/// in the order of their openings, and of pairings in each.
fn rounds(format: Format, table: &Table, games: &[&PlayedGame]) -> Vec<RoundData> {
    // The games of each pairing from each opening, by their numbers.
    let mut units: BTreeMap<(u32, [usize; 2]), Range<usize>> = BTreeMap::new();
    for (number, game) in games.iter().enumerate() {
        units.entry((game.id.round, game.id.engines)).or_insert(number..number).end = number + 1;
    }
    let mut rounds = Vec::new();
    let all = knockout::number_of_rounds(table.placings.len()) as usize;
    for (number, round) in table.rounds.iter().enumerate() {
        let name = match format {
            Format::Knockout { .. } => knockout_round(all, number),
            _ => format!("Round {}", number + 1),
        };
        let encounters = round.encounters.iter().map(|found| {
            let numbers =
                found.openings.clone().filter_map(|round| units.get(&(round, found.engines)));
            encounter(found.engines, games, numbers.cloned().flatten())
        });
        let encounters = encounters.filter(|encounter| !encounter.games.is_empty()).collect();
        rounds.push(RoundData { name, encounters, byes: round.byes.clone() });
    }
    if !rounds.is_empty() {
        return rounds;
    }
    let mut openings: Vec<(u32, Vec<EncounterData>)> = Vec::new();
    for ((opening, engines), numbers) in units {
        let found = encounter(engines, games, numbers);
        match openings.last_mut() {
            Some((last, encounters)) if *last == opening => encounters.push(found),
            _ => openings.push((opening, vec![found])),
        }
    }
    let rounds = openings.into_iter().map(|(opening, encounters)| RoundData {
        name: format!("Opening {}", opening + 1),
        encounters,
        byes: Vec::new(),
    });
    rounds.collect()
}

fn encounter(
    engines: [usize; 2],
    games: &[&PlayedGame],
    numbers: impl Iterator<Item = usize>,
) -> EncounterData {
    let mut found = EncounterData { engines, score: [0, 0], games: Vec::new() };
    for number in numbers {
        let first = games.get(number).map_or(0, |game| usize::from(game.half_points));
        found.score[0] += first;
        found.score[1] += 2 - first;
        found.games.push(number);
    }
    found
}

/// What a round of a knock-out is called: one of so many, counted from 0.
fn knockout_round(all: usize, number: usize) -> String {
    match all.saturating_sub(number) {
        0 | 1 => "Final".to_owned(),
        2 => "Semi-finals".to_owned(),
        3 => "Quarter-finals".to_owned(),
        left => format!("Round of {}", 1_u64 << left.min(63)),
    }
}

fn game_data<V: Variant>(game: &GameRecord, rules: Rules, round: &str) -> Result<GameData, String> {
    let opening: Opening = game.opening.parse()?;
    opening.playable::<V>(rules)?;
    let start = opening.sfen.as_deref().unwrap_or(V::SPEC.start);
    let mut position =
        Position::<V>::from_sfen_under(start, rules).map_err(|error| error.to_string())?;
    let begun = opening.sfen.is_some().then(|| placement(&position));
    let played = game.moves.iter().map(|m| m.usi.clone());
    let moves: Vec<String> = opening.moves.iter().cloned().chain(played).collect();
    let texts =
        Game::new(V::ID, start, rules).map_err(|error| error.to_string())?.line_text(0, &moves);
    let book = opening.moves.len();
    let mut made = Vec::new();
    for (index, usi) in moves.into_iter().enumerate() {
        let m = position.parse_usi(&usi).map_err(|error| format!("move {}: {error}", index + 1))?;
        let (color, before) = (position.side(), position.clone());
        position.make(m);
        let said = index.checked_sub(book).and_then(|index| game.moves.get(index));
        made.push(MoveData {
            text: texts.get(index).cloned().unwrap_or_else(|| [usi.clone(), usi.clone()]),
            usi,
            set: changes(&before, &position),
            hands: changed_hands(&before, &position),
            check: position
                .checked()
                .then(|| position.whale(position.side()).first())
                .flatten()
                .map(name::<V>),
            ..said.map_or_else(MoveData::default, |said| thought(said, color))
        });
    }
    Ok(GameData {
        round: round.to_owned(),
        players: game.id.by_color(),
        half: Color::BOTH.map(|color| game.ending.half_points(color)),
        result: game.ending.result(),
        ending: game.ending.to_string(),
        reason: game.ending.reason.to_string(),
        detail: game.detail.clone(),
        book,
        start: begun,
        moves: made,
    })
}

/// What the engine said of its move.
fn thought(said: &MoveRecord, color: Color) -> MoveData {
    MoveData {
        score: said.score.map(|score| score.for_black(color)),
        depth: said.depth,
        nodes: said.nodes,
        ms: Some(said.us / 1000),
        ..MoveData::default()
    }
}

fn name<V: Variant>(square: Square) -> String {
    SquareText(V::SPEC.geometry, square).to_string()
}

/// The squares on which two positions differ, with what stands there in the second.
fn changes<V: Variant>(before: &Position<V>, after: &Position<V>) -> Vec<(String, Option<String>)> {
    let squares = V::SPEC.geometry.reading_order();
    let squares = squares.filter(|&square| before.piece_on(square) != after.piece_on(square));
    let token =
        |square| after.piece_on(square).map(|piece| V::SPEC.token(piece.color(), piece.kind()));
    squares.map(|square| (name::<V>(square), token(square))).collect()
}

/// What both sides hold in the second position, if it is something else.
fn changed_hands<V: Variant>(
    before: &Position<V>,
    after: &Position<V>,
) -> Option<[Vec<(String, usize)>; 2]> {
    let same = Color::BOTH.into_iter().all(|color| before.hand(color) == after.hand(color));
    (!same).then(|| hands(after))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use kujira_position::Great;
    use kujira_record::played::GameId;
    use kujira_statistics::Stream;
    use kujira_usi::{Ending, Reason};

    use super::*;

    fn game(opening: &str, moves: &[&str]) -> GameRecord {
        let moves = moves.iter().map(|usi| MoveRecord {
            usi: (*usi).to_owned(),
            score: Some(Score::Cp(30)),
            depth: Some(7),
            seldepth: None,
            nodes: None,
            us: 2_500,
        });
        GameRecord {
            id: GameId { round: 0, engines: [0, 1], leg: 1 },
            variant: "whale".to_owned(),
            black: Player::default(),
            white: Player::default(),
            opening: opening.to_owned(),
            moves: moves.collect(),
            ending: Ending::win(Color::White, Reason::Died),
            detail: "<gone>".to_owned(),
            began: String::new(),
            machine: None,
        }
    }

    /// What the page makes of the data is where the pieces are.
    #[test]
    fn changes_lead_to_every_position() {
        fn check<V: Variant>(seed: u64) {
            let mut random = Stream::new(seed);
            let mut position = Position::<V>::start();
            let mut moves = Vec::new();
            while position.outcome().is_none() && moves.len() < 120 {
                let legal = position.legal_moves();
                let m = legal[random.below(legal.len())];
                moves.push(position.usi(m));
                position.make(m);
            }
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            let data = game_data::<V>(&game("startpos", &moves), Rules::DEFAULT, "").unwrap();
            assert_eq!((data.moves.len(), data.book, data.start.is_none()), (moves.len(), 0, true));
            let begun = placement(&Position::<V>::start());
            let mut squares: BTreeMap<_, _> = begun.squares.into_iter().collect();
            let mut hands = begun.hands;
            for m in data.moves {
                for (square, token) in m.set {
                    match token {
                        Some(token) => squares.insert(square, token),
                        None => squares.remove(&square),
                    };
                }
                hands = m.hands.unwrap_or(hands);
            }
            let ended = placement(&position);
            assert_eq!(squares, ended.squares.into_iter().collect());
            assert_eq!(hands, ended.hands);
        }
        for seed in 0..3 {
            for variant in VariantId::ALL {
                with_variant!(variant, V => check::<V>(seed));
            }
        }
    }

    #[test]
    fn a_game_is_told_as_black_sees_it() {
        let game = game("sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves 2b2c", &["2e2d", "2c2d"]);
        let data = game_data::<kujira_position::Whale>(&game, Rules::DEFAULT, "Final").unwrap();
        assert_eq!((data.book, data.players, data.half, data.result), (1, [1, 0], [0, 2], "0-1"));
        let json = serde_json::to_value(&data).unwrap();
        assert_eq!(json["start"]["side"], "w");
        let opening = serde_json::json!({
            "usi": "2b2c", "text": ["D-2c", "D-e4"], "set": [["2b", null], ["2c", "d"]]
        });
        assert_eq!(json["moves"][0], opening);
        let capture = serde_json::json!({
            "usi": "2c2d", "text": ["Dx2d", "Dxe3"], "set": [["2c", null], ["2d", "d"]],
            "hands": [[], [["D", 1]]], "score": {"cp": -30}, "depth": 7, "ms": 2
        });
        assert_eq!(json["moves"][2], capture);
        assert_eq!(json["ending"], "White wins: the other engine ended");
        let wrong = super::tests::game("startpos", &["2e2d", "2e2d"]);
        let error = game_data::<Great>(&wrong, Rules::DEFAULT, "").unwrap_err();
        assert!(error.starts_with("move 1: "), "{error}");
    }

    #[test]
    fn rounds_of_a_knockout_have_names() {
        let names: Vec<_> = (0..4).map(|number| knockout_round(4, number)).collect();
        assert_eq!(names, ["Round of 16", "Quarter-finals", "Semi-finals", "Final"]);
    }
}
