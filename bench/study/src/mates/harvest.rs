//! Problems from games that the engine plays with itself: mates near their ends, and positions with a single good move.

use kujira_position::{Color, Move, Outcome, Position, UsiMove, Variant};
use kujira_record::review;
use kujira_search::mate::Solver;
use kujira_search::{Control, Limits, Score, Searcher, Silent};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::problem::{Flaw, Sound, has_check, judge, themes};

/// Games longer than this are given up, plies.
const LONGEST: usize = 250;

/// Plies before the end of a game in which mates are looked for.
const END: usize = 40;

/// Nodes for the two best moves of a position, and for them once more.
const COMPARISON: [u64; 2] = [20_000, 200_000];

/// By how much more of a point the only good move is expected to bring.
const MARGIN: f64 = 0.4;

/// What the only good move is expected to bring at least: more than a lost game that is lost a little later.
const HOPE: f64 = 0.45;

/// A position with a single good move.
#[derive(Clone, Debug)]
pub struct OnlyMove<V: Variant> {
    /// The position.
    pub position: Position<V>,
    /// The move.
    pub best: Move,
    /// By how much more of a point it is expected to bring than the next best.
    pub margin: f64,
}

impl<V: Variant> OnlyMove<V> {
    /// A line of a file.
    #[must_use]
    pub fn text(&self, source: &str) -> String {
        let themes = only_themes(&self.position, self.best);
        format!(
            "{} bm {}; margin {:.2}; themes {}; source {source}",
            self.position.sfen(),
            UsiMove::<V>::new(self.best),
            self.margin,
            themes.join(" ")
        )
    }
}

/// What the only good move of a position is like.
#[must_use]
pub fn only_themes<V: Variant>(position: &Position<V>, best: Move) -> Vec<&'static str> {
    let mut themes = themes(position, &[best]);
    if position.captured(best).next().is_some() {
        themes.push("capture");
    } else if themes.is_empty() {
        themes.push("quiet");
    }
    if position.checked() {
        themes.push("defence");
    }
    themes
}

/// A mate, and a position shortly before it without one.
type MateAndMiss<V> = (Sound<V>, Option<Position<V>>);

/// Plays games and looks at their positions.
pub struct Harvester<V: Variant> {
    random: Xoshiro256PlusPlus,
    player: Searcher<V>,
    solver: Solver<V>,
    /// Nodes of the solver for each question.
    nodes: u64,
    /// Nodes a move of a game.
    play_nodes: u64,
}

/// What a score makes expect, in points of a game.
fn expected<V: Variant>(score: Score) -> f64 {
    review::expected(V::ID, score.into())
}

impl<V: Variant> Harvester<V> {
    /// A harvester whose games this number leads to; the solver may take so many nodes for each question, a move of a
    /// game so many.
    #[must_use]
    pub fn new(seed: u64, nodes: u64, play_nodes: u64) -> Self {
        Self {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            player: Searcher::new(),
            solver: Solver::new(128),
            nodes,
            play_nodes,
        }
    }

    /// The moves of a game that somebody won: random at first, then found by searches.
    pub fn play(&mut self) -> Option<Vec<Move>> {
        let mut position = Position::<V>::start();
        let random_plies = self.random.random_range(4..10);
        self.player.new_game();
        self.player.set_multipv(1);
        while position.moves_made() < LONGEST {
            match position.outcome() {
                Some(Outcome::Win { .. }) => return Some(position.played().collect()),
                Some(Outcome::Draw(_)) => return None,
                None => {}
            }
            let m = if position.moves_made() < random_plies {
                position.legal_moves().choose(&mut self.random).copied()
            } else {
                let limits = Limits { nodes: Some(self.play_nodes), ..Limits::default() };
                // Searched as if the game began there.
                let fresh = position.setup().validate().ok()?;
                self.player.search(&fresh, &limits, &Control::new(), &Silent).ok()?.best()
            };
            position.make(m?);
        }
        None
    }

    /// The longest sound mate of each side near the end of a game, with the last position before it in which that side
    /// had a check and no mate.
    pub fn mates(&mut self, moves: &[Move]) -> Vec<MateAndMiss<V>> {
        let mut found: [Option<MateAndMiss<V>>; 2] = [None, None];
        let mut misses: [Option<Position<V>>; 2] = [None, None];
        let mut position = Position::<V>::start();
        for (index, &m) in moves.iter().enumerate() {
            if index + END > moves.len()
                && !position.checked()
                && let Ok(fresh) = position.setup().validate()
            {
                let side = usize::from(fresh.side() == Color::White);
                match judge(&mut self.solver, &fresh, self.nodes) {
                    Ok(sound) => {
                        let length = |(other, _): &MateAndMiss<V>| other.line.len();
                        if found[side].as_ref().map_or(0, length) < sound.line.len() {
                            found[side] = Some((sound, misses[side].clone()));
                        }
                    }
                    Err(Flaw::NoMate) if has_check(&fresh) => misses[side] = Some(fresh),
                    Err(_) => {}
                }
            }
            position.make(m);
        }
        found.into_iter().flatten().collect()
    }

    /// Whether a mate is strict, see [`Sound::is_strict`].
    pub fn is_strict(&mut self, sound: &Sound<V>) -> bool {
        sound.is_strict(&mut self.solver, self.nodes)
    }

    /// A position of a game with a single good move that is no mate, if one chosen by chance is such.
    pub fn only_move(&mut self, moves: &[Move]) -> Option<OnlyMove<V>> {
        if moves.is_empty() {
            return None;
        }
        let at = self.random.random_range(moves.len().min(10)..=moves.len());
        let mut position = Position::<V>::start();
        moves.get(..at)?.iter().for_each(|&m| position.make(m));
        if position.outcome().is_some() || position.legal_moves().len() < 4 {
            return None;
        }
        let position = position.setup().validate().ok()?;
        let first = self.compare(&position, COMPARISON[0])?;
        let second = self.compare(&position, COMPARISON[1])?;
        (first.0 == second.0).then_some(OnlyMove {
            position,
            best: first.0,
            margin: first.1.min(second.1),
        })
    }

    /// The best move of a position, if it is by far the best: neither a mate nor lost all the same.
    fn compare(&mut self, position: &Position<V>, nodes: u64) -> Option<(Move, f64)> {
        self.player.new_game();
        self.player.set_multipv(2);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = self.player.search(position, &limits, &Control::new(), &Silent).ok()?;
        let [first, second] = &found.lines[..] else { return None };
        let (score, next) = (first.score, second.score);
        if matches!(score, Score::Mate(_)) {
            return None;
        }
        let margin = expected::<V>(score) - expected::<V>(next);
        (margin >= MARGIN && expected::<V>(score) >= HOPE).then_some((*first.pv.first()?, margin))
    }
}
