//! What a match has come to so far: results, strength, use of time.

use std::collections::{BTreeMap, HashMap};

use kujira_position::Color;

use kujira_usi::Reason;

use kujira_record::played::{GameRecord, Machine, MoveRecord};
use kujira_statistics::pool::Pool;
use kujira_statistics::{Estimate, Pentanomial};

/// Results of two engines against each other, from the point of view of the first.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// Finished pairs by points.
    pub pairs: Pentanomial,
    /// Losses, draws, wins with Black, then with White.
    pub by_color: [[u64; 3]; 2],
    /// Half points of pairs of which one game is finished, by round.
    open: HashMap<u32, usize>,
}

impl Pairing {
    /// Losses, draws, wins of all games.
    #[must_use]
    pub fn games(&self) -> [u64; 3] {
        let [black, white] = self.by_color;
        std::array::from_fn(|i| black[i] + white[i])
    }

    /// Points of all games, in halves.
    #[must_use]
    pub fn half_points(&self) -> u64 {
        let [_, draws, wins] = self.games();
        draws + 2 * wins
    }

    /// Adds the results of other games. Pairs of which one game is finished stay open: its other half
    /// is not among these.
    fn add_all(&mut self, other: &Self) {
        self.pairs.add_all(&other.pairs);
        for (sum, count) in
            self.by_color.as_flattened_mut().iter_mut().zip(other.by_color.as_flattened())
        {
            *sum += count;
        }
    }

    fn add(&mut self, game: &GameRecord) {
        let color = game.id.first_is();
        let points = game.ending.half_points(color);
        self.by_color[color.index()][points] += 1;
        match self.open.remove(&game.id.round) {
            Some(other) => self.pairs.add(points + other),
            None => {
                self.open.insert(game.id.round, points);
            }
        }
    }
}

/// What an engine used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// Moves made.
    pub moves: u64,
    /// Time taken for them, in microseconds.
    pub us: u64,
    /// Nodes of moves for which the engine told them.
    nodes: u64,
    /// How many moves those are.
    node_moves: u64,
    /// Time of the same moves.
    nodes_us: u64,
    depths: u64,
    depth_moves: u64,
    /// Games lost by anything but the rules, resignation or agreement.
    pub failures: u64,
    /// Games lost by a move or a claim that our rules refuse.
    pub disputes: u64,
}

impl Usage {
    fn add(&mut self, m: &MoveRecord) {
        self.moves += 1;
        // What an engine says, or a journal that people can edit, must not end the match.
        self.us = self.us.saturating_add(m.us);
        if let Some(nodes) = m.nodes {
            self.nodes = self.nodes.saturating_add(nodes);
            self.node_moves += 1;
            self.nodes_us = self.nodes_us.saturating_add(m.us);
        }
        if let Some(depth) = m.depth {
            self.depths += u64::from(depth);
            self.depth_moves += 1;
        }
    }

    fn add_all(&mut self, other: &Self) {
        let Self { moves, us, nodes, node_moves, nodes_us, depths, depth_moves, .. } = other;
        self.moves += moves;
        self.us = self.us.saturating_add(*us);
        self.nodes = self.nodes.saturating_add(*nodes);
        self.node_moves += node_moves;
        self.nodes_us = self.nodes_us.saturating_add(*nodes_us);
        self.depths += depths;
        self.depth_moves += depth_moves;
        self.failures += other.failures;
        self.disputes += other.disputes;
    }

    /// Mean depth in plies.
    #[must_use]
    pub fn depth(&self) -> Option<f64> {
        (self.depth_moves > 0).then(|| self.depths as f64 / self.depth_moves as f64)
    }

    /// Nodes a second, by the runner's clock.
    #[must_use]
    pub fn nps(&self) -> Option<f64> {
        (self.nodes_us > 0).then(|| self.nodes as f64 / self.nodes_us as f64 * 1e6)
    }

    /// Mean nodes of the moves for which the engine told them.
    #[must_use]
    pub fn nodes_per_move(&self) -> Option<f64> {
        (self.node_moves > 0).then(|| self.nodes as f64 / self.node_moves as f64)
    }
}

/// Where games began: who moved first, and whether White gave a handicap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Start {
    /// In the starting position: Black moved first.
    Usual,
    /// Without some of White's pieces, and White moved first: the id of the handicap.
    Handicap(&'static str),
    /// In another position.
    Other,
}

impl Start {
    fn of(game: &GameRecord) -> Self {
        match game.handicap() {
            Some(handicap) => Self::Handicap(handicap.id),
            None if game.start() == "startpos" => Self::Usual,
            None => Self::Other,
        }
    }
}

/// The state of a match.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// The engines' names.
    pub names: Vec<String>,
    /// By numbers of the two engines.
    pub pairings: BTreeMap<[usize; 2], Pairing>,
    /// By number of the engine.
    pub usage: Vec<Usage>,
    /// Losses, draws, wins of Black, whoever that was, by where games began.
    pub black: BTreeMap<Start, [u64; 3]>,
    /// How games ended.
    pub reasons: BTreeMap<Reason, u64>,
    /// Games finished.
    pub games: u64,
    /// Moves of the engines in all games.
    pub plies: u64,
    /// Games that were dropped and played again because this program stood still, in this run.
    pub played_again: u64,
    /// Games lost on time while the machine stood still or was overloaded.
    pub strained: u64,
    /// Games lost by anything but the rules, resignation or agreement, by the machine, where a journal tells of it.
    pub failed_on: BTreeMap<String, u64>,
}

impl Standings {
    /// No games yet among engines of these names.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        Self { usage: vec![Usage::default(); names.len()], names, ..Self::default() }
    }

    /// Takes in further engines: these are all of them, in order.
    pub fn join(&mut self, names: Vec<String>) {
        if names.len() > self.names.len() {
            self.usage.resize(names.len(), Usage::default());
            self.names = names;
        }
    }

    /// What these games come to.
    #[must_use]
    pub fn of(names: Vec<String>, games: &[GameRecord]) -> Self {
        let mut standings = Self::new(names);
        for game in games {
            standings.add(game);
        }
        standings
    }

    /// Adds a finished game; the players' numbers must be among the names.
    pub fn add(&mut self, game: &GameRecord) {
        let players = game.id.by_color();
        if players.iter().any(|&engine| engine >= self.usage.len()) {
            return;
        }
        self.games += 1;
        self.plies += game.moves.len() as u64;
        *self.reasons.entry(game.ending.reason).or_default() += 1;
        let strained = game.machine.is_some_and(Machine::is_strained);
        self.strained += u64::from(strained && game.ending.reason == Reason::Time);
        let points = game.ending.half_points(Color::Black);
        self.black.entry(Start::of(game)).or_default()[points] += 1;
        self.pairings.entry(game.id.engines).or_default().add(game);
        let black_first = game.black_begins();
        for (index, m) in game.moves.iter().enumerate() {
            let color = usize::from(index.is_multiple_of(2) != black_first);
            self.usage[players[color]].add(m);
        }
        if !game.ending.reason.is_regular()
            && let Some(winner) = game.ending.winner
        {
            let loser = &mut self.usage[players[(!Color::from(winner)).index()]];
            loser.failures += 1;
            loser.disputes += u64::from(game.ending.reason.is_dispute());
        }
    }

    /// Adds the games of another match between as many engines, which count as the same ones.
    pub fn add_all(&mut self, other: &Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.played_again += other.played_again;
        self.strained += other.strained;
        for (&start, counts) in &other.black {
            let sum = self.black.entry(start).or_default();
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        for (machine, count) in &other.failed_on {
            *self.failed_on.entry(machine.clone()).or_default() += count;
        }
        for (&reason, count) in &other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        for (&engines, pairing) in &other.pairings {
            self.pairings.entry(engines).or_default().add_all(pairing);
        }
        for (usage, others) in self.usage.iter_mut().zip(&other.usage) {
            usage.add_all(others);
        }
    }

    /// Adds the results to those of other matches; the `setting` is what was played, in words.
    pub fn add_to(&self, pool: &mut Pool, setting: &str) {
        for (&[first, second], pairing) in &self.pairings {
            let names = [first, second].map(|engine| self.names[engine].as_str());
            pool.add_results(setting, names, pairing.by_color, pairing.pairs);
        }
    }

    /// The results of the first pairing: of the match, if there are but two engines.
    #[must_use]
    pub fn first_pairing(&self) -> Pairing {
        self.pairings.values().next().cloned().unwrap_or_default()
    }

    /// Pairs by points of one engine against all others.
    #[must_use]
    pub fn pairs_of(&self, engine: usize) -> Pentanomial {
        let mut all = Pentanomial::default();
        for (engines, pairing) in &self.pairings {
            let pairs = match engines {
                [first, _] if *first == engine => pairing.pairs,
                [_, second] if *second == engine => pairing.pairs.turned(),
                _ => continue,
            };
            all.add_all(&pairs);
        }
        all
    }

    /// How much stronger an engine is than its opponents together.
    #[must_use]
    pub fn strength(&self, engine: usize) -> Option<Estimate> {
        Estimate::of(&self.pairs_of(engine))
    }

    /// Games that ended by a move or a claim that our rules refuse.
    #[must_use]
    pub fn disputes(&self) -> u64 {
        self.usage.iter().map(|usage| usage.disputes).sum()
    }

    /// Games lost by anything but the rules, resignation or agreement.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.usage.iter().map(|usage| usage.failures).sum()
    }

    /// Whether so many games (over 2 %) were lost by failures that a test may have passed because of
    /// them.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.failures() * 100 > self.games * 2
    }

    /// Whether so many games (over 1 %) ended in a dispute about the rules that the result says
    /// nothing about strength.
    #[must_use]
    pub fn is_void(&self) -> bool {
        self.disputes() * 100 > self.games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_engines_do_not_overflow() {
        let mut usage = Usage::default();
        let nodes = Some(u64::MAX);
        let m = MoveRecord {
            usi: "2e2d".to_owned(),
            score: None,
            depth: Some(u32::MAX),
            seldepth: None,
            nodes,
            us: u64::MAX,
        };
        for _ in 0..2 {
            usage.add(&m);
        }
        assert_eq!((usage.moves, usage.us, usage.nodes), (2, u64::MAX, u64::MAX));
        assert_eq!(usage.nps(), Some(1e6));
    }

    #[test]
    fn matches_are_added_up() {
        use kujira_usi::Ending;

        use kujira_record::played::{GameId, Player};
        let names = vec!["A".to_owned(), "B".to_owned()];
        let game = |round, leg, ending| GameRecord {
            id: GameId { round, engines: [0, 1], leg },
            variant: "whale".to_owned(),
            black: Player::default(),
            white: Player::default(),
            opening: "startpos".to_owned(),
            moves: Vec::new(),
            ending,
            detail: String::new(),
            began: String::new(),
            machine: None,
        };
        let won = Ending::win(Color::Black, Reason::Checkmate);
        let refused = Ending::win(Color::White, Reason::IllegalMove);
        let mut all =
            Standings::of(names.clone(), &[game(0, 0, won), game(0, 1, won), game(1, 0, won)]);
        // The other half of the open pair is not that of another match, though it has its number.
        let draw = Ending::draw(Reason::PlyLimit);
        let more = [game(1, 1, draw), game(0, 0, refused), game(0, 1, refused)];
        all.add_all(&Standings::of(names, &more));
        let pairing = all.first_pairing();
        assert_eq!(pairing.pairs, Pentanomial::new([0, 0, 2, 0, 0]));
        assert_eq!(pairing.by_color, [[1, 0, 2], [1, 1, 1]]);
        assert_eq!((all.games, all.failures(), all.disputes()), (6, 2, 2));
        assert_eq!(all.usage.iter().map(|usage| usage.disputes).collect::<Vec<_>>(), [1, 1]);
        let reasons: Vec<_> = all.reasons.values().copied().collect();
        assert_eq!(reasons, [3, 1, 2]);
        assert_eq!(all.black, BTreeMap::from([(Start::Usual, [2, 1, 3])]));
        let opening = "sfen bn1w1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves 2b2c".to_owned();
        all.add(&GameRecord { opening, ..game(2, 0, refused) });
        assert_eq!(all.black.get(&Start::Handicap("PG")), Some(&[1, 0, 0]));
        let opening = "sfen bn4/dddddd/6/6/DDDDDD/HGWPNB w - 1".to_owned();
        all.add(&GameRecord { opening, ..game(2, 1, won) });
        assert_eq!(all.black.get(&Start::Other), Some(&[0, 0, 1]));
    }

    #[test]
    fn failures_make_a_result_doubtful() {
        let mut standings = Standings::new(vec!["A".to_owned(), "B".to_owned()]);
        assert!(!standings.is_doubtful());
        standings.games = 100;
        for (failures, expected) in [([1, 1], false), ([1, 2], true), ([3, 0], true)] {
            for (usage, failures) in standings.usage.iter_mut().zip(failures) {
                usage.failures = failures;
            }
            assert_eq!(standings.is_doubtful(), expected, "{failures:?}");
        }
    }
}
