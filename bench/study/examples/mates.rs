//! Writes the sets of mates in `bench/positions`: positions of seeded self-play games in which the
//! side to move mates (or captures the white whale) by force with ply 3, 5, 7 or 9.
//!
//! `cargo run --release --locked -p kujira-study --example mates` writes the same files every time, as long as
//! the search plays the same games; with the id of a game only that one.
//!
//! A mate counts when it is *proved*: every reply is tried at every turn of the loser. The winner's
//! moves are checks and what a search of a few nodes would play, which can only make a mate longer or
//! miss one. The proof does not ask whether the search to be tested announces the mate.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

use kujira_position::{
    Great, Move, Outcome, Paulowich, Position, Threats, Variant, VariantId, Wanted, Whale,
};
use kujira_search::{Control, Limits, Searcher, Silent};
use kujira_study::mates::Mate;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Positions wanted of each length.
const EACH: usize = 25;
/// The lengths, in plies.
const LENGTHS: [usize; 4] = [3, 5, 7, 9];
/// Games longer than this are given up.
const LONGEST: usize = 300;
/// Nodes a move of a game.
const PLAY_NODES: u64 = 1_500;
/// Nodes of a search that suggests a move to a proof.
const SUGGESTION_NODES: u64 = 400;

/// How much is done for the set of one game.
struct Plan {
    seed: u64,
    /// Games played at most.
    games: usize,
    /// Positions a proof looks at before it is given up.
    effort: usize,
    /// Searches a proof asks before it is given up.
    suggestions: usize,
}

/// The move a fixed search plays.
fn search<V: Variant>(
    searcher: &mut Searcher<V>,
    position: &Position<V>,
    nodes: u64,
) -> Option<Move> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    // As if the game began there.
    let fresh = position.setup().validate().ok()?;
    searcher.search(&fresh, &limits, &Control::new(), &Silent).ok()?.best()
}

/// Proves mates by trying every reply.
struct Prover<'a, V: Variant> {
    plan: &'a Plan,
    searcher: Searcher<V>,
    known: HashMap<(u64, usize), bool>,
    effort: usize,
    suggestions: usize,
    capturing: bool,
}

impl<'a, V: Variant> Prover<'a, V> {
    fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            searcher: Searcher::new(),
            known: HashMap::new(),
            effort: 0,
            suggestions: 0,
            capturing: V::SPEC.captures_whales(),
        }
    }

    /// The least of [`LENGTHS`] in which the side to move wins, as far as the effort goes.
    fn length(&mut self, position: &mut Position<V>) -> Option<usize> {
        self.searcher.new_game();
        self.known.clear();
        if self.wins(position, 1) {
            return None;
        }
        LENGTHS.into_iter().find(|&plies| {
            (self.effort, self.suggestions) = (0, 0);
            self.wins(position, plies)
        })
    }

    /// Whether the side to move is proved to win with ply `plies` at the latest.
    fn wins(&mut self, position: &mut Position<V>, plies: usize) -> bool {
        if self.capturing && position.whale_attacked(!position.side()) {
            return true;
        }
        if plies == 1 {
            return !self.capturing && position.mate_in_one(&Threats::default()).is_some();
        }
        self.effort += 1;
        if self.effort > self.plan.effort || self.suggestions > self.plan.suggestions {
            return false;
        }
        let at = (position.key(), plies);
        if let Some(&known) = self.known.get(&at) {
            return known;
        }
        // With few plies left most checks fail at the first reply, and a search costs more.
        let early = if plies >= 5 { self.suggestion(position) } else { None };
        let mut won = early.is_some_and(|m| self.mates_with(position, m, plies));
        if !won {
            let mut moves = V::MoveList::default();
            position.generate(Wanted::Captures, &Threats::default(), &mut moves);
            position.generate_checks(&Threats::default(), &mut moves);
            won = moves.iter().any(|&m| Some(m) != early && self.mates_with(position, m, plies));
        }
        if !won && plies == 3 {
            let late = self.suggestion(position);
            won = late.is_some_and(|m| self.mates_with(position, m, plies));
        }
        self.known.insert(at, won);
        won
    }

    fn suggestion(&mut self, position: &Position<V>) -> Option<Move> {
        self.suggestions += 1;
        search(&mut self.searcher, position, SUGGESTION_NODES)
    }

    /// Whether `m` is proved to win with ply `plies` at the latest.
    fn mates_with(&mut self, position: &mut Position<V>, m: Move, plies: usize) -> bool {
        position.make(m);
        let won = self.loses(position, plies - 1);
        position.undo();
        won
    }

    /// Whether the side to move is proved to have lost with ply `plies` at the latest.
    fn loses(&mut self, position: &mut Position<V>, plies: usize) -> bool {
        if position.whale(position.side()).is_empty() {
            return true;
        }
        if self.capturing && position.whale_attacked(!position.side()) {
            return false;
        }
        let replies = position.legal_moves();
        replies.iter().all(|&m| {
            position.make(m);
            let won = self.wins(position, plies - 1);
            position.undo();
            won
        })
    }
}

/// The moves of a game that somebody won: random at first, then found by searches.
fn play<V: Variant>(
    searcher: &mut Searcher<V>,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Vec<Move>> {
    let mut position = Position::<V>::start();
    let random_plies = random.random_range(6..10);
    searcher.new_game();
    while position.moves_made() < LONGEST {
        match position.outcome() {
            Some(Outcome::Win { .. }) => return Some(position.played().collect()),
            Some(Outcome::Draw(_)) => return None,
            None => {}
        }
        let m = if position.moves_made() < random_plies {
            position.legal_moves().choose(random).copied()
        } else {
            search(searcher, &position, PLAY_NODES)
        };
        position.make(m?);
    }
    None
}

fn collect<V: Variant>(plan: &Plan) -> Vec<Mate> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
    let mut player = Searcher::<V>::new();
    let mut prover = Prover::<V>::new(plan);
    let mut found: Vec<Mate> = Vec::new();
    let mut seen = HashSet::new();
    let wanted = |found: &[Mate], plies: usize| {
        found.iter().filter(|mate| mate.plies as usize == plies).count() < EACH
    };
    for _ in 0..plan.games {
        if !LENGTHS.iter().any(|&plies| wanted(&found, plies)) {
            break;
        }
        let Some(moves) = play(&mut player, &mut random) else { continue };
        // Back from the end of the game, with the winner to move: one position of each length.
        let mut last = 1;
        for back in (3..=17).step_by(2).take_while(|&back| back <= moves.len()) {
            let mut position = Position::<V>::start();
            for &m in &moves[..moves.len() - back] {
                position.make(m);
            }
            let Some(plies) = prover.length(&mut position) else { continue };
            if plies > last && wanted(&found, plies) && seen.insert(position.key()) {
                last = plies;
                found.push(Mate::new(position.sfen(), plies as i32));
            }
        }
    }
    found.sort_by_key(|mate| mate.plies);
    found
}

fn write<V: Variant>(plan: &Plan, folder: &Path) -> std::io::Result<()> {
    let found = collect::<V>(plan);
    let mut text = String::new();
    for mate in &found {
        writeln!(text, "{mate}").map_err(std::io::Error::other)?;
    }
    let path = folder.join(format!("mates-{}.epd", V::ID));
    kujira_program::whole::write(&path, text.as_bytes())?;
    let counts = LENGTHS.map(|n| found.iter().filter(|mate| mate.plies as usize == n).count());
    kujira_program::status::tell(&format!("{}: {counts:?} of {LENGTHS:?} plies\n", V::ID));
    Ok(())
}

fn main() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../positions");
    let only = match std::env::args().nth(1) {
        Some(id) => Some(
            VariantId::named(&id)
                .ok_or_else(|| format!("expected one of {}, found `{id}`", VariantId::choices()))?,
        ),
        None => None,
    };
    let wanted = |game| only.is_none_or(|only| only == game);
    let small = |seed| Plan { seed, games: 600, effort: 60_000, suggestions: 250 };
    // A proof meets hundreds of replies at every turn.
    let great = Plan { seed: 13, games: 160, effort: 4_000, suggestions: 40 };
    let done = [
        wanted(VariantId::Whale).then(|| write::<Whale>(&small(11), &folder)),
        wanted(VariantId::Paulowich).then(|| write::<Paulowich>(&small(12), &folder)),
        wanted(VariantId::Great).then(|| write::<Great>(&great, &folder)),
    ];
    done.into_iter().flatten().try_for_each(|result| result.map_err(|error| error.to_string()))
}
