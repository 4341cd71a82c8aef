//! Games as JSON Lines: the journals of matches, and the same with all that a record can say of a game.
//!
//! A line is `{"game":{…}}`, as [`played`](crate::played) has it, or the header of a match, whose rules hold for the
//! games behind it. Beyond that a game may have `rules`, `comment` and `nags` before its first move, `tags` (pairs of
//! name and value) and `branches`: moves played instead, each `after` a move by its number; moves of the opening count,
//! and those of branches go on from there. A move may have `comment`, `before`, `nags`, `clock`, and in a branch
//! `result`. A game without `reason` is not over, unless it has a `winner`.
//!
//! Moves of the opening have the comment `book` in other formats, as in the PGN of matches.

use std::collections::HashMap;
use std::io::BufRead;

use kujira_position::with_variant;
use kujira_usi::{Ending, Reason, Score, Side, Switches};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::ended::{conclude, finish, said, winner};
use crate::error::{Error, Fault, Place};
use crate::game::{Game, Node, Walk};
use crate::head::{Head, Record};
use crate::journal;
use crate::list::Opening;
use crate::pgn::{Tags, append, note};
use crate::played::{GameId, Player};
use crate::start::variant_named;
use crate::text::Lines;

/// A comment behind the moves of an opening that a match gives.
const BOOK: &str = "book";

/// The tag for details of the end.
const DETAIL: &str = "Detail";

/// A line as it is read.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Match(Match),
    /// An engine that joins a match.
    Joined(IgnoredAny),
    /// Where games were played: nothing about a game.
    Host(IgnoredAny),
    Game(Box<Written>),
}

/// A line as it is written.
#[derive(Serialize)]
struct GameLine {
    game: Written,
}

/// What the header of a match says of its games.
#[derive(Deserialize)]
struct Match {
    #[serde(default, with = "kujira_usi::rules::words")]
    rules: Switches,
}

#[derive(Serialize, Deserialize)]
struct Winner(#[serde(with = "SideName")] Side);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Side", rename_all = "lowercase")]
enum SideName {
    Black,
    White,
}

#[derive(Default, Serialize, Deserialize)]
struct Written {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engines: Option<[usize; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    leg: Option<u8>,
    variant: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(default)]
    black: Player,
    #[serde(default)]
    white: Player,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
    opening: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    moves: Vec<Step>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    branches: Vec<Step>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    winner: Option<Winner>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    detail: String,
    /// When it began, as matches write it.
    #[serde(default, skip_serializing)]
    began: String,
}

/// A move with its notes.
#[derive(Default, Serialize, Deserialize)]
struct Step {
    /// The number of the move before it; the last one of the list if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<usize>,
    usi: String,
    /// As the mover saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    us: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    before: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    result: String,
}

/// Reads the games of a file one after the other, with the memory of one; one that is wrong leaves the others as they
/// are. A last line that was cut off is an error that [says so](Error::is_cut_off).
pub fn games(reader: impl BufRead) -> impl Iterator<Item = Result<Record, Error>> {
    let mut rules = Switches::default();
    let mut lines = Lines::new(reader);
    let mut next = move || {
        while let Some((number, line)) = lines.next()? {
            if line.trim_ascii().is_empty() {
                continue;
            }
            match journal::line_of(number, line, "games")?.value {
                Line::Match(found) => rules = found.rules,
                Line::Joined(_) | Line::Host(_) => {}
                Line::Game(written) => {
                    let record = record(*written, rules).map_err(|error| error.in_line(number));
                    return record.map(Some);
                }
            }
        }
        Ok(None)
    };
    std::iter::from_fn(move || next().transpose())
}

fn record(written: Written, of_match: Switches) -> Result<Record, Error> {
    let rules = match &written.rules {
        Some(words) => words.parse::<Switches>()?,
        None => of_match,
    };
    let game = play(&written, rules)?;
    let Written { round, engines, leg, black, white, tags, detail, began, .. } = written;
    let id = match (round, engines, leg) {
        (Some(round), Some(engines), Some(leg)) => Some(GameId { round, engines, leg }),
        _ => None,
    };
    // As PGN has them.
    let apart = |letter: char| letter.is_whitespace() || "\"[]{}%".contains(letter);
    let is_name = |name: &str| !name.is_empty() && !name.contains(apart);
    if let Some((name, _)) = tags.iter().find(|(name, _)| !is_name(name)) {
        return Err(Fault::expected("a tag whose name is one word", name).into());
    }
    let mut tags = Head::from_tags(&Tags(tags)).tags;
    if let Some((date, time)) = began.split_once('T') {
        tags.set("Date", &date.replace('-', "."));
        tags.set("UTCTime", time.trim_end_matches('Z'));
    }
    if !detail.is_empty() {
        tags.0.push((DETAIL.to_owned(), detail));
    }
    if let Some((_, fault)) = tags.repeated() {
        return Err(fault.into());
    }
    Ok(Record { game, head: Head { players: [black, white], id, tags } })
}

/// Plays a game through.
fn play(written: &Written, rules: Switches) -> Result<Game, Error> {
    let variant = variant_named(&written.variant)?;
    let opening: Opening = written.opening.parse()?;
    let start = opening.sfen.as_deref().unwrap_or(variant.spec().start);
    let mut game = Game::new(variant, start, rules.into())?;
    if let Some(root) = game.node_mut(0) {
        note(root, &written.comment);
        root.notes.nags.clone_from(&written.nags);
    }
    let given = opening.moves.iter().map(|usi| Step {
        usi: usi.clone(),
        comment: BOOK.to_owned(),
        ..Step::default()
    });
    let given: Vec<_> = given.collect();
    with_variant!(variant, V => {
        let mut walk = Walk::<V>::new(&mut game, 0).ok_or_else(|| Fault::expected("a start", ""))?;
        let mut ids = vec![0];
        let main = given.iter().chain(&written.moves).map(|step| (step, false));
        for (step, branch) in main.chain(written.branches.iter().map(|step| (step, true))) {
            if let Some(after) = step.after.filter(|_| branch) {
                let id = ids.get(after).ok_or_else(|| {
                    let expected = format!("the number of a move up to {}", ids.len() - 1);
                    Fault::expected(expected, &after.to_string())
                })?;
                walk.go(*id);
            }
            let ply = 1 + walk.game().node(walk.at()).map_or(0, Node::depth);
            make(&mut walk, step, branch).map_err(|fault| {
                fault.at(Place { ply: Some(ply), ..Place::default() })
            })?;
            ids.push(walk.at());
        }
        Ok::<_, Error>(())
    })?;
    let end = game.end();
    let reason = written.reason.as_deref().map(str::parse::<Reason>).transpose()?;
    let winner = written.winner.as_ref().map(|winner| winner.0);
    match reason {
        Some(reason) => finish(&mut game, end, Ending { winner, reason })?,
        None => {
            let told = winner.map(|_| Ending { winner, reason: Reason::Recorded });
            conclude(game.node_mut(end), told)?;
        }
    }
    Ok(game)
}

/// Makes a move and takes over its notes.
fn make<V: kujira_position::Variant>(
    walk: &mut Walk<'_, V>,
    step: &Step,
    branch: bool,
) -> Result<(), Fault> {
    // A result before further moves does not count.
    if let Some(node) = walk.node_mut() {
        node.ending = node.ending.filter(|ending| ending.by_rule());
    }
    walk.play_usi(&step.usi)?;
    let Some(node) = walk.node_mut() else { return Ok(()) };
    let depth = step.depth.unwrap_or(0);
    if let Some(score) = step.score
        && !node.think(score, depth)
    {
        // What no move can have is kept as it was said, as from PGN.
        note(node, &format!("{score}/{depth}"));
    }
    node.notes.spent = step.us.map(|us| us.saturating_add(500) / 1000);
    node.notes.clock = step.clock;
    node.notes.nags.clone_from(&step.nags);
    append(&mut node.notes.before, &step.before);
    note(node, &step.comment);
    let winner = winner(said(&step.result)?).filter(|_| branch && node.children.is_empty());
    conclude(Some(node), winner.map(|winner| Ending { winner, reason: Reason::Recorded }))
}

/// Writes a game as a line, with all its branches, notes and tags.
#[must_use]
pub fn write(game: &Game, head: &Head) -> String {
    let line = GameLine { game: written(game, head) };
    // Nothing in it can fail to be written.
    let mut text = serde_json::to_string(&line).unwrap_or_default();
    text.push('\n');
    text
}

fn written(game: &Game, head: &Head) -> Written {
    let [black, white] = head.players.clone();
    let rules = Switches::from(game.rules());
    let mut tags = head.tags.0.clone();
    let detail = tags.iter().position(|(name, _)| name == DETAIL);
    let detail = detail.map(|at| tags.remove(at).1).unwrap_or_default();
    let main = game.line_through(0);
    // Every node in the order written, which is how branches name them.
    let mut order = main.clone();
    order.extend(game.reachable().into_iter().filter(|id| !main.contains(id)));
    let numbers: HashMap<_, _> = order.iter().copied().zip(0..).collect();
    let mut opening = game.usi(0);
    let mut moves = Vec::new();
    let mut branches = Vec::new();
    let mut given = 0;
    for (number, node) in order.iter().enumerate().skip(1) {
        let Some(node) = game.node(*node) else { continue };
        if number >= main.len() {
            let after = node.parent.and_then(|id| numbers.get(&id).copied());
            branches.push(Step { after, result: result(node), ..step(node) });
        } else if given + 1 == number && is_given(node) {
            given = number;
            opening += if number == 1 { " moves " } else { " " };
            opening += &node.usi;
        } else {
            moves.push(step(node));
        }
    }
    let ending = game.node(game.end()).and_then(|node| node.ending);
    let said = game.node(0).map(|root| root.notes.clone()).unwrap_or_default();
    Written {
        round: head.id.map(|id| id.round),
        engines: head.id.map(|id| id.engines),
        leg: head.id.map(|id| id.leg),
        variant: game.variant().spec().id.to_owned(),
        rules: (rules != Switches::default()).then(|| rules.to_string()),
        black,
        white,
        tags,
        opening,
        comment: said.comment,
        nags: said.nags,
        moves,
        branches,
        winner: ending.and_then(|ending| ending.winner).map(Winner),
        reason: ending.map(|ending| ending.reason.name().to_owned()),
        detail,
        began: String::new(),
    }
}

/// Whether a move is one of an opening that a match gave, and nothing else is said of it.
fn is_given(node: &Node) -> bool {
    let notes = crate::game::Notes { comment: BOOK.to_owned(), ..Default::default() };
    node.score.is_none() && node.notes == notes
}

fn step(node: &Node) -> Step {
    let (score, depth) = node.thought().unzip();
    let notes = node.notes.clone();
    Step {
        after: None,
        usi: node.usi.clone(),
        score,
        depth: depth.filter(|&depth| depth > 0),
        us: notes.spent.map(|spent| spent.saturating_mul(1000)),
        clock: notes.clock,
        nags: notes.nags,
        before: notes.before,
        comment: notes.comment,
        result: String::new(),
    }
}

/// The result of a branch that ends with a node, if no rule gives it.
fn result(node: &Node) -> String {
    let ending = node.ending.filter(|ending| !ending.by_rule() && node.children.is_empty());
    ending.map_or("", |ending| ending.result()).to_owned()
}
