//! Results, lengths, ends and branching of the games of a match.

use std::collections::{BTreeMap, BTreeSet};

use kujira_arena::adjudication::Adjudication;
use kujira_arena::header::{EngineHeader, MatchHeader};
use kujira_arena::replay::{PlayedMatch, number};
use kujira_position::{Move, Position, Variant, VariantId, with_variant};
use kujira_record::played::GameRecord;
use serde::Serialize;

use super::Replayed;
use super::estimate::{Mean, Sample};

/// What the games of a match are like.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Row {
    /// The journal, without its folder and ending.
    pub journal: String,
    /// Which kind of whale shogi.
    pub game: String,
    /// The rules that are not the usual ones.
    pub rules: String,
    /// What an engine could use for a move.
    pub limit: String,
    /// Where all games began, before their openings: `startpos`, or an SFEN; none where they began from several
    /// positions.
    pub start: Option<String>,
    /// Games that ended by the rules, or by a limit of plies.
    pub games: usize,
    /// Points of the first player, in percent of a game.
    pub first: f64,
    /// Half the width of its 95 % confidence interval; none of a single pair of games.
    pub first_error: Option<f64>,
    /// Games drawn, in percent.
    pub draws: f64,
    /// Half the width of its 95 % confidence interval; none of a single pair of games.
    pub draws_error: Option<f64>,
    /// Mean length in plies, the opening included.
    pub plies: f64,
    /// Half the width of its 95 % confidence interval; none of a single pair of games.
    pub plies_error: Option<f64>,
    /// Median length in plies.
    pub plies_median: usize,
    /// Mean number of legal moves.
    pub branching: f64,
    /// Half the width of its 95 % confidence interval; none of a single pair of games.
    pub branching_error: Option<f64>,
    /// The greatest number of legal moves met.
    pub branching_most: usize,
    /// Decimal logarithm of the size of the game tree: the mean over games of the logarithm of the product of
    /// the numbers of legal moves.
    pub tree: f64,
    /// Half the width of its 95 % confidence interval; none of a single pair of games.
    pub tree_error: Option<f64>,
    /// Moves that could promote, in percent of all.
    pub promoting: f64,
    /// Of these the ones that declined to, in percent.
    pub declined: f64,
    /// How games ended, with percents: the most frequent end first.
    pub ends: String,
    /// What else was as it was.
    #[serde(skip)]
    pub terms: Terms,
}

/// What matches have in common whose games are alike but for game, rules, limit and start.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Terms {
    /// Who played.
    pub engines: Vec<EngineHeader>,
    /// Where the openings came from, but for the position that they follow.
    pub openings: String,
    /// Longest game in plies.
    pub max_plies: usize,
    /// When scores ended a game.
    pub adjudication: Adjudication,
}

impl Terms {
    fn of(header: &MatchHeader) -> Self {
        let MatchHeader { engines, openings, max_plies, adjudication, .. } = header;
        let follows = openings.starts_with("handicap ") || openings.starts_with("from ");
        let (_, openings) =
            openings.split_once(", ").filter(|_| follows).unwrap_or(("", openings.as_str()));
        Self {
            engines: engines.iter().map(EngineHeader::unversioned).collect(),
            openings: openings.to_owned(),
            max_plies: *max_plies,
            adjudication: *adjudication,
        }
    }
}

/// Adds up the games of a match.
#[derive(Default)]
struct Tally {
    first: Sample,
    draws: Sample,
    plies: Sample,
    lengths: Vec<usize>,
    branching: Sample,
    most: usize,
    tree: Sample,
    moves: usize,
    promoting: usize,
    declined: usize,
    ends: BTreeMap<&'static str, usize>,
    starts: BTreeSet<String>,
}

/// The move of a list that differs from `m` in its promotion alone, if there is one.
pub(super) fn twin(moves: &[Move], m: Move) -> Option<Move> {
    let alike =
        |other: Move| other.from() == m.from() && other.to() == m.to() && other.way() == m.way();
    let found =
        moves.iter().copied().find(|&other| alike(other) && other.promotes() != m.promotes());
    found.filter(|other| !other.is_drop() && !m.is_drop())
}

/// What the finished games of a match are like; games that an engine lost by failing are left out.
///
/// # Errors
/// If a game is not legal, or there is none.
pub fn survey(played: &PlayedMatch) -> Result<Row, String> {
    let mut tally = Tally::default();
    let game = played.game();
    for record in played.records() {
        let record = record?;
        if !record.ending.reason.is_regular() {
            continue;
        }
        with_variant!(game, V => tally.add::<V>(&record, played))
            .map_err(|error| played.named(&format!("game {}: {error}", number(record.id))))?;
    }
    tally
        .row(played, game)
        .ok_or_else(|| played.named(&"expected finished games, found none".to_owned()))
}

impl Tally {
    fn add<V: Variant>(&mut self, record: &GameRecord, played: &PlayedMatch) -> Result<(), String> {
        let Replayed { start, opened, moves } =
            Replayed::<V>::of(record, played.header.rules.into())?;
        // The two games of a pair begin alike.
        let cluster = u64::from(record.id.round);
        self.starts.insert(match start.key() == Position::<V>::start().key() {
            true => "startpos".to_owned(),
            false => start.sfen(),
        });
        let points = record.ending.half_points(start.side());
        self.first.add(cluster, points as f64 / 2.0);
        self.draws.add(cluster, f64::from(u8::from(points == 1)));
        let length = opened.moves_made() + moves.len();
        self.plies.add(cluster, length as f64);
        self.lengths.push(length);
        *self.ends.entry(record.ending.reason.text()).or_default() += 1;
        let mut position = opened;
        let mut tree = 0.0;
        for &m in &moves {
            let count = self.look(&position, m);
            self.branching.add(cluster, count as f64);
            tree += (count as f64).log10();
            position.make(m);
        }
        // The opening was random, but its moves have as many others beside them.
        self.tree.add(cluster, tree * length as f64 / moves.len().max(1) as f64);
        Ok(())
    }

    /// Looks at a position in which `played` was played; returns the number of legal moves.
    fn look<V: Variant>(&mut self, position: &Position<V>, played: Move) -> usize {
        let moves = position.legal_moves();
        self.most = self.most.max(moves.len());
        self.moves += 1;
        let twin = twin(&moves, played).is_some();
        self.promoting += usize::from(twin);
        self.declined += usize::from(twin && !played.promotes());
        moves.len()
    }

    fn row(mut self, played: &PlayedMatch, game: VariantId) -> Option<Row> {
        let games = self.lengths.len();
        self.lengths.sort_unstable();
        let percent = |sample: &Sample| sample.mean().map(|mean| mean.times(100.0));
        let first: Mean = percent(&self.first)?;
        let draws = percent(&self.draws)?;
        let (plies, branching) = (self.plies.mean()?, self.branching.mean()?);
        let tree = self.tree.mean()?;
        let mut ends: Vec<_> = self.ends.into_iter().collect();
        ends.sort_by_key(|&(name, count)| (usize::MAX - count, name));
        let share = |count: usize, all: usize| 100.0 * count as f64 / all.max(1) as f64;
        let ends = ends.iter().map(|&(name, count)| format!("{name} {:.1}", share(count, games)));
        let limits: Vec<&str> =
            played.header.engines.iter().map(|engine| engine.player.limit.as_str()).collect();
        let limit = match &limits[..] {
            [first, others @ ..] if others.iter().all(|other| other == first) => {
                (*first).to_owned()
            }
            all => all.join(", "),
        };
        let journal = played.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Some(Row {
            journal,
            game: game.to_string(),
            rules: played.header.rules.to_string(),
            limit,
            start: self.starts.pop_first().filter(|_| self.starts.is_empty()),
            games,
            first: first.value,
            first_error: first.known_error(),
            draws: draws.value,
            draws_error: draws.known_error(),
            plies: plies.value,
            plies_error: plies.known_error(),
            plies_median: *self.lengths.get(games / 2)?,
            branching: branching.value,
            branching_error: branching.known_error(),
            branching_most: self.most,
            tree: tree.value,
            tree_error: tree.known_error(),
            promoting: share(self.promoting, self.moves),
            declined: share(self.declined, self.promoting),
            ends: ends.collect::<Vec<_>>().join(", "),
            terms: Terms::of(&played.header),
        })
    }
}

impl Row {
    /// The nodes a move, if that was the limit.
    #[must_use]
    pub fn nodes(&self) -> Option<f64> {
        nodes(&self.limit)
    }
}

/// The nodes a move of a limit, if it is one of nodes.
pub(super) fn nodes(limit: &str) -> Option<f64> {
    limit.strip_prefix("nodes ")?.parse().ok()
}

/// The game with its rules, for people.
pub(super) fn setting(game: &str, rules: &str) -> String {
    if rules.is_empty() { game.to_owned() } else { format!("{game}, {rules}") }
}

/// A mean as it stands in a row.
pub(super) fn told(value: f64, error: Option<f64>) -> Mean {
    Mean { value, error: error.unwrap_or(f64::NAN) }
}

/// Rows as a table of Markdown.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| games of | limit | games | first player % | draws % | plies | median | moves | most | tree, 10^ | ends % |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let mut name = setting(&row.game, &row.rules);
        match row.start.as_deref() {
            Some("startpos") => {}
            Some(sfen) => name.push_str(&format!(", from {sfen}")),
            None => name.push_str(", from several positions"),
        }
        text.push_str(&format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            row.limit,
            row.games,
            told(row.first, row.first_error),
            told(row.draws, row.draws_error),
            told(row.plies, row.plies_error),
            row.plies_median,
            told(row.branching, row.branching_error),
            row.branching_most,
            told(row.tree, row.tree_error),
            row.ends,
        ));
    }
    text
}
