//! One game of an engine against itself.

use kujira_data::record::{GameRecord, Ply};
use kujira_data::score::PackedScore;
use kujira_position::{Color, Move, Position, Variant};
use kujira_search::{Control, Limits, Searcher, Silent};
use kujira_statistics::Stream;

use kujira_data::ending::Ending;

use crate::openings::Opening;
use crate::settings::{Settings, WinRule};

/// Searched plies in a row that must see the same side win by force: both sides agree.
const MATE_PLIES: usize = 2;

/// What came of an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Played {
    /// A game.
    Game(GameRecord),
    /// The opening was too good for one side.
    Lopsided,
}

/// An engine with one thread that plays itself.
pub struct Player<V: Variant> {
    searcher: Searcher<V>,
    settings: Settings,
    limits: Limits,
    position: Position<V>,
}

/// What a search found.
#[derive(Clone, Copy)]
struct Found {
    best: Move,
    score: PackedScore,
    broken_off: bool,
}

impl<V: Variant> Player<V> {
    /// A player for games with these settings.
    ///
    /// # Errors
    /// If there is no memory for the transposition table.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        let mut searcher = Searcher::new();
        searcher.set_hash(settings.hash).map_err(|error| error.to_string())?;
        let limits = Limits {
            soft_nodes: Some(settings.nodes),
            nodes: Some(settings.hard_nodes()),
            ..Limits::default()
        };
        Ok(Self { searcher, settings: settings.clone(), limits, position: Position::start() })
    }

    /// Plays from an opening to the end. What comes of it depends on the settings and the opening
    /// alone, not on earlier games.
    ///
    /// # Errors
    /// If the engine does something no engine may do.
    pub fn play(&mut self, opening: Opening) -> Result<Played, String> {
        let Opening { number, moves: opening, mut random } = opening;
        self.searcher.new_game();
        self.position = Position::start();
        for &m in &opening {
            self.position.make(m);
        }
        let mut plies: Vec<Ply> = Vec::new();
        let mut lead = Lead::default();
        loop {
            let Found { best, score, broken_off } = self
                .search()
                .map_err(|error| format!("opening {number}, {}: {error}", self.position.sfen()))?;
            if plies.is_empty() && score.value().abs() > self.settings.opening_score {
                return Ok(Played::Lopsided);
            }
            let drawn = self.random_move(&mut random);
            let m = drawn.unwrap_or(best);
            plies.push(Ply { m, score, random: drawn.is_some(), broken_off });
            if broken_off {
                lead = Lead::default();
            } else {
                lead.add(self.position.side(), score, self.settings.win);
            }
            self.position.make(m);
            let too_long = self.position.moves_made() >= self.settings.max_plies;
            let ending = match self.position.outcome() {
                Some(outcome) => Some(outcome.into()),
                None => lead
                    .verdict(self.settings.win)
                    .or_else(|| too_long.then_some(Ending::PLY_LIMIT)),
            };
            if let Some(ending) = ending {
                return Ok(Played::Game(GameRecord { number, opening, plies, ending }));
            }
        }
    }

    /// The best move of this position and its score.
    fn search(&mut self) -> Result<Found, String> {
        let (limits, control) = (&self.limits, Control::new());
        let found = self.searcher.search(&self.position, limits, &control, &Silent);
        let found = found.map_err(|error| error.to_string())?;
        match (found.best(), found.score()) {
            (Some(best), Some(score)) => {
                // The last score is told as exact whatever it is. On one thread nodes are counted exactly.
                let broken_off = found.nodes >= self.settings.hard_nodes();
                Ok(Found { best, score: score.into(), broken_off })
            }
            _ => Err(format!("expected a move with a score, found {found:?}")),
        }
    }

    /// A move to play instead of the best one, if chance wants it.
    fn random_move(&self, random: &mut Stream) -> Option<Move> {
        if self.settings.random_move <= 0.0 || random.unit() >= self.settings.random_move {
            return None;
        }
        let legal = self.position.legal_moves();
        legal.get(random.below(legal.len())).copied()
    }
}

/// Who has been ahead, for how many searched plies in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Lead {
    /// Ahead by the score that wins.
    ahead: Option<Color>,
    plies: usize,
    /// Winning by force.
    mating: Option<Color>,
    mate_plies: usize,
}

impl Lead {
    /// Adds what a search with `side` to move found.
    fn add(&mut self, side: Color, score: PackedScore, win: Option<WinRule>) {
        let leader = if score.value() >= 0 { side } else { !side };
        let far = win.is_some_and(|win| score.value().abs() >= win.score);
        (self.ahead, self.plies) = follow((self.ahead, self.plies), far.then_some(leader));
        let mate = score.is_mate().then_some(leader);
        (self.mating, self.mate_plies) = follow((self.mating, self.mate_plies), mate);
    }

    fn verdict(self, win: Option<WinRule>) -> Option<Ending> {
        let win = win?;
        match (self.mating, self.ahead) {
            (Some(winner), _) if self.mate_plies >= MATE_PLIES => {
                Some(Ending::adjudicated(winner, true))
            }
            (_, Some(winner)) if self.plies >= win.plies => {
                Some(Ending::adjudicated(winner, false))
            }
            _ => None,
        }
    }
}

/// The streak after another ply with `now` in front.
fn follow(streak: (Option<Color>, usize), now: Option<Color>) -> (Option<Color>, usize) {
    match now {
        Some(_) if streak.0 == now => (now, streak.1 + 1),
        Some(_) => (now, 1),
        None => (None, 0),
    }
}

#[cfg(test)]
mod tests {
    use kujira_search::Score;

    use super::*;

    const RULE: Option<WinRule> = Some(WinRule { score: 2000, plies: 3 });

    /// The verdict after these scores, Black to move first.
    fn verdict(scores: &[Score], rule: Option<WinRule>) -> Option<Ending> {
        let mut lead = Lead::default();
        let sides = [Color::Black, Color::White].into_iter().cycle();
        for (side, &score) in sides.zip(scores) {
            lead.add(side, score.into(), rule);
        }
        lead.verdict(rule)
    }

    #[test]
    fn a_lead_must_last() {
        use Score::Centipawns as Cp;
        let black = Some(Ending::adjudicated(Color::Black, false));
        let white = Some(Ending::adjudicated(Color::White, false));
        for (scores, expected) in [
            (&[Cp(2000), Cp(-2000), Cp(2500)] as &[_], black),
            (&[Cp(-2000), Cp(2000), Cp(-9000)], white),
            (&[Cp(2000), Cp(-2000)], None),
            (&[Cp(2000), Cp(-1999), Cp(2000)], None),
            (&[Cp(2000), Cp(2000), Cp(2000)], None),
            (&[Cp(0), Cp(-2000), Cp(2000), Cp(-2000)], black),
        ] {
            assert_eq!(verdict(scores, RULE), expected, "{scores:?}");
            assert_eq!(verdict(scores, None), None);
        }
    }

    #[test]
    fn both_sides_must_see_a_mate() {
        use Score::{Centipawns as Cp, Mate};
        let black = Some(Ending::adjudicated(Color::Black, true));
        for (scores, expected) in [
            (&[Mate(5), Mate(-4)] as &[_], black),
            (&[Cp(10), Mate(-4), Mate(3)], black),
            (&[Mate(5)], None),
            (&[Mate(5), Mate(3)], None),
            (&[Mate(5), Cp(-2500)], None),
            (&[Mate(5), Cp(-2500), Mate(3)], Some(Ending::adjudicated(Color::Black, false))),
        ] {
            assert_eq!(verdict(scores, RULE), expected, "{scores:?}");
            assert_eq!(verdict(scores, None), None);
        }
    }
}
