//! Who plays whom, in which order, and what of it is done.

use std::collections::{BTreeSet, HashSet, VecDeque};

use clap::ValueEnum;
use kujira_program::shard::Share;
use kujira_record::played::{GameId, GameRecord};
use serde::{Deserialize, Serialize};

use crate::rounds::{Results, Round, games, knockout, swiss};

/// Who plays whom among more than two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays everybody else.
    Gauntlet,
    /// Each round pairs those of like points who have not met yet.
    #[value(skip)]
    Swiss {
        /// Pairs of games for each pairing of a round.
        pairs: u32,
    },
    /// Whoever loses is out; the bracket is that of the seeds, which are the numbers of the engines.
    #[value(skip)]
    Knockout {
        /// Pairs of games for each pairing.
        pairs: u32,
        /// Pairs of games at most that follow, one by one, where these come out even. Then the higher seed wins.
        extra: u32,
    },
}

impl Format {
    /// The pairings that there can be among `engines` engines.
    #[must_use]
    pub fn pairings(self, engines: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Self::Gauntlet => engines.min(1),
            Self::RoundRobin | Self::Swiss { .. } | Self::Knockout { .. } => engines,
        };
        (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect()
    }

    /// Whether two of `engines` engines may meet, in this order.
    #[must_use]
    pub fn has_pairing(self, engines: usize, [first, second]: [usize; 2]) -> bool {
        first < second && second < engines && (self != Self::Gauntlet || first == 0)
    }

    /// The number of a game's pair, from 0, in the order in which pairs begin where results decide nothing: all
    /// pairings from an opening, then those from the next.
    #[must_use]
    pub fn pair(
        self,
        engines: usize,
        GameId { round, engines: [first, second], .. }: GameId,
    ) -> u64 {
        let (all, first, second) = (engines as u64, first as u64, second as u64);
        // Those of the engines before the first, and those of the first with engines before the second.
        let before = first * (2 * all).saturating_sub(first + 1) / 2;
        let place = before + second.saturating_sub(first + 1);
        let pairings = match self {
            Self::Gauntlet => all.saturating_sub(1),
            _ => all * all.saturating_sub(1) / 2,
        };
        u64::from(round) * pairings + place
    }

    /// The rounds of a tournament that are known by its results: who meets whom, one round after the other. `openings`
    /// is the number of openings that there are for all of them. None for formats in which results decide nothing.
    #[must_use]
    pub fn rounds(self, engines: usize, openings: u32, results: &Results) -> Vec<Round> {
        match self {
            Self::RoundRobin | Self::Gauntlet => Vec::new(),
            Self::Swiss { pairs } => {
                swiss::rounds(engines, openings / pairs.max(1), pairs, results)
            }
            Self::Knockout { pairs, extra } => knockout::rounds(engines, pairs, extra, results),
        }
    }

    /// How many openings it takes: `wanted` pairs of games for each pairing, or rounds of a Swiss.
    #[must_use]
    pub fn openings(self, engines: usize, wanted: u32) -> u32 {
        match self {
            Self::RoundRobin | Self::Gauntlet => wanted,
            Self::Swiss { pairs } => wanted.saturating_mul(pairs),
            Self::Knockout { pairs, extra } => {
                knockout::number_of_rounds(engines).saturating_mul(pairs.saturating_add(extra))
            }
        }
    }

    /// How many rounds so many openings are for.
    fn number_of_rounds(self, engines: usize, openings: u32) -> usize {
        match self {
            Self::RoundRobin | Self::Gauntlet => 0,
            Self::Swiss { pairs } => (openings / pairs.max(1)) as usize,
            Self::Knockout { .. } => knockout::number_of_rounds(engines) as usize,
        }
    }

    /// Games, but for those that follow where a pairing comes out even.
    #[must_use]
    pub fn least_games(self, engines: usize, openings: u32) -> u64 {
        let pairings = match self {
            Self::RoundRobin | Self::Gauntlet => self.pairings(engines).len(),
            Self::Swiss { .. } => engines / 2,
            Self::Knockout { .. } => engines.saturating_sub(1),
        };
        let pairs = match self {
            Self::Knockout { pairs, .. } => pairs,
            _ => openings,
        };
        pairings as u64 * u64::from(pairs) * 2
    }
}

/// What there is to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// This game.
    Game(GameId),
    /// Nothing before a game that is being played has come to its end.
    Later,
    /// Nothing any more.
    Over,
}

/// The games of a match in the order in which they begin: a pair of every pairing, then the next
/// opening. Where rounds depend on results, those of a round follow when all of the round before is played, so that
/// they are the same however often a match is taken up.
#[derive(Debug)]
pub struct Schedule {
    format: Format,
    engines: usize,
    pairings: Vec<[usize; 2]>,
    openings: u32,
    /// Which pairs are played; none: all.
    share: Option<Share>,
    /// Played or begun.
    begun: HashSet<GameId>,
    results: Results,
    next: u64,
    /// Known, and not begun when they were looked for.
    queue: VecDeque<GameId>,
    /// Engines that begin no more games.
    withdrawn: BTreeSet<usize>,
    /// Whether all was played when games were looked for.
    over: bool,
    /// Whether results have come in since then.
    stale: bool,
}

impl Schedule {
    /// Games from so many `openings`, without those that are `done`.
    ///
    /// # Errors
    /// If one of those does not follow from the others.
    pub fn new(
        format: Format,
        engines: usize,
        openings: u32,
        done: Results,
    ) -> Result<Self, String> {
        let schedule = Self {
            format,
            engines,
            pairings: format.pairings(engines),
            openings,
            share: None,
            begun: done.ids().collect(),
            results: done,
            next: 0,
            queue: VecDeque::new(),
            withdrawn: BTreeSet::new(),
            over: false,
            stale: true,
        };
        if schedule.is_staged() {
            let known: HashSet<GameId> = games(&schedule.rounds()).collect();
            let unknown = schedule.begun.iter().filter(|&id| !known.contains(id)).min();
            if let Some(&GameId { round, engines: [one, other], leg }) = unknown {
                return Err(format!(
                    "expected games of the rounds that there are, with the pairings that follow from those \
                     before, found game {}.{} of engines {} and {}",
                    round + 1,
                    leg + 1,
                    one + 1,
                    other + 1
                ));
            }
        }
        Ok(schedule)
    }

    /// The same, but only the pairs of this share; of a format in which results decide nothing.
    #[must_use]
    pub fn only(self, share: Option<Share>) -> Self {
        Self { share, ..self }
    }

    /// All games known to be played, those done included.
    #[must_use]
    pub fn total(&self) -> u64 {
        let mut least = self.format.least_games(self.engines, self.openings);
        if let Some(share) = self.share {
            least = 2 * share.count(least / 2);
        }
        if !self.withdrawn.is_empty() {
            return least.saturating_sub(self.never());
        }
        let Format::Knockout { pairs, extra } = self.format else { return least };
        let extra = |game: &&GameId| game.round % (pairs + extra).max(1) >= pairs;
        least + self.begun.iter().filter(extra).count() as u64
    }

    /// The engine begins no more games, where results do not decide who plays whom. Those it has played count.
    pub fn withdraw(&mut self, engine: usize) {
        if !self.is_staged() {
            self.withdrawn.insert(engine);
        }
    }

    /// Takes the result of a game that was begun.
    pub fn add(&mut self, game: &GameRecord) {
        self.results.add(game);
        self.stale = true;
    }

    /// What there is to begin now; it counts as begun.
    pub fn begin(&mut self) -> Next {
        if !self.is_staged() {
            let end = self.format.least_games(self.engines, self.openings);
            return self.next_of_all(end).map_or(Next::Over, Next::Game);
        }
        if self.queue.is_empty() && self.stale {
            let rounds = self.rounds();
            let all = self.format.number_of_rounds(self.engines, self.openings);
            self.queue = games(&rounds).filter(|id| !self.begun.contains(id)).collect();
            self.over = rounds.len() == all && rounds.last().is_none_or(Round::is_decided);
            self.stale = false;
        }
        match self.queue.pop_front() {
            Some(id) => {
                self.begun.insert(id);
                Next::Game(id)
            }
            None if self.over => Next::Over,
            None => Next::Later,
        }
    }

    /// Whether results decide who meets whom.
    fn is_staged(&self) -> bool {
        matches!(self.format, Format::Swiss { .. } | Format::Knockout { .. })
    }

    fn rounds(&self) -> Vec<Round> {
        self.format.rounds(self.engines, self.openings, &self.results)
    }

    /// How many games are never played, because an engine of theirs begins no more.
    fn never(&self) -> u64 {
        let out = |engines: &[usize; 2]| engines.iter().any(|e| self.withdrawn.contains(e));
        let pairs = 0..u64::from(self.openings) * self.pairings.len() as u64;
        let of_share = pairs.filter(|&pair| self.share.is_none_or(|share| share.has(pair)));
        let pairings = self.pairings.len() as u64;
        let pairs = of_share.filter(|pair| out(&self.pairings[(pair % pairings) as usize]));
        let begun = self.begun.iter().filter(|id| out(&id.engines)).count() as u64;
        (2 * pairs.count() as u64).saturating_sub(begun)
    }

    /// The other game of the last pair that was begun, if only one of it was: what there is to begin where no pair is
    /// to be begun any more. For formats in which results decide nothing.
    pub fn finish(&mut self) -> Next {
        let open = self.queue.is_empty() && self.next % 2 == 1;
        if open {
            self.next_of_all(self.next + 1).map_or(Next::Over, Next::Game)
        } else {
            Next::Over
        }
    }

    /// The next game before number `end` that nobody has begun.
    fn next_of_all(&mut self, end: u64) -> Option<GameId> {
        while self.next < end {
            let (pair, leg) = (self.next / 2, self.next % 2);
            self.next += 1;
            if let Some(share) = self.share.filter(|share| !share.has(pair)) {
                self.next = share.among(pair..end.div_ceil(2)).next().map_or(end, |own| 2 * own);
                continue;
            }
            let pairings = self.pairings.len() as u64;
            let id = GameId {
                round: (pair / pairings) as u32,
                engines: self.pairings[(pair % pairings) as usize],
                leg: leg as u8,
            };
            let out = id.engines.iter().any(|engine| self.withdrawn.contains(engine));
            if !out && self.begun.insert(id) {
                return Some(id);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use kujira_record::played::Player;
    use kujira_usi::{Ending, Reason, Side};

    use super::*;

    #[test]
    fn shares_of_many_pairs_are_found_at_once() {
        let pairs = u32::MAX;
        for (share, expected) in [
            (Share::Batch { first: pairs - 2, count: 9 }, vec![pairs - 2, pairs - 1]),
            (Share::Batch { first: 0, count: 1 }, vec![0]),
            ("4294967293/4294967295".parse().unwrap(), vec![pairs - 2]),
        ] {
            let schedule = Schedule::new(Format::RoundRobin, 2, pairs, Results::default()).unwrap();
            let begun = all(&mut schedule.only(Some(share)));
            let rounds: Vec<u32> = begun.iter().map(|id| id.round).collect();
            assert_eq!(rounds, expected.iter().flat_map(|&round| [round; 2]).collect::<Vec<_>>());
        }
    }

    fn all(schedule: &mut Schedule) -> Vec<GameId> {
        let next = || match schedule.begin() {
            Next::Game(id) => Some(id),
            Next::Later | Next::Over => None,
        };
        std::iter::from_fn(next).collect()
    }

    /// A game that the engine with the lower number wins, if `drawn` does not say otherwise.
    fn played(id: GameId, drawn: bool) -> GameRecord {
        let winner = (!drawn).then(|| Side::from(id.first_is()));
        GameRecord {
            id,
            variant: "whale".to_owned(),
            black: Player::default(),
            white: Player::default(),
            opening: "startpos".to_owned(),
            moves: Vec::new(),
            ending: Ending { winner, reason: Reason::Checkmate },
            detail: String::new(),
            began: String::new(),
            machine: None,
        }
    }

    #[test]
    fn pairings_of_all_formats() {
        assert_eq!(Format::RoundRobin.pairings(2), [[0, 1]]);
        assert_eq!(Format::RoundRobin.pairings(4).len(), 6);
        assert_eq!(Format::Swiss { pairs: 1 }.pairings(4).len(), 6);
        assert_eq!(Format::Gauntlet.pairings(4), [[0, 1], [0, 2], [0, 3]]);
        assert!(Format::Gauntlet.pairings(1).is_empty());
        assert!(Format::Gauntlet.pairings(0).is_empty());
    }

    #[test]
    fn every_pairing_gets_every_opening_with_both_colours() {
        let pairings = Format::RoundRobin.pairings(3);
        let mut schedule = Schedule::new(Format::RoundRobin, 3, 4, Results::default()).unwrap();
        let games = all(&mut schedule);
        assert_eq!((games.len() as u64, schedule.begin()), (schedule.total(), Next::Over));
        assert_eq!(games.len(), 24);
        for &engines in &pairings {
            for round in 0..4 {
                for leg in 0..2 {
                    let id = GameId { round, engines, leg };
                    assert_eq!(games.iter().filter(|&&game| game == id).count(), 1);
                }
            }
        }
        assert!(games.windows(2).all(|two| two[0].round <= two[1].round));
    }

    #[test]
    fn whoever_is_withdrawn_begins_no_more() {
        let mut schedule = Schedule::new(Format::RoundRobin, 3, 2, Results::default()).unwrap();
        let Next::Game(first) = schedule.begin() else { panic!("a game") };
        schedule.withdraw(1);
        let rest = all(&mut schedule);
        assert!(first.engines == [0, 1] && rest.iter().all(|id| id.engines == [0, 2]));
        assert_eq!((rest.len(), schedule.total()), (4, 5));
        // One that comes back, or is new, catches up.
        let played: Vec<_> = rest.into_iter().chain([first]).map(|id| played(id, true)).collect();
        let mut schedule = Schedule::new(Format::RoundRobin, 4, 2, Results::of(&played)).unwrap();
        assert_eq!(all(&mut schedule).len(), 24 - 5);
    }

    #[test]
    fn what_is_done_is_left_out() {
        let new = |done: &[GameRecord]| {
            Schedule::new(Format::RoundRobin, 2, 3, Results::of(done)).unwrap()
        };
        let every = all(&mut new(&[]));
        let rest = all(&mut new(&[played(every[0], false), played(every[3], false)]));
        assert_eq!(rest, [every[1], every[2], every[4], every[5]]);
    }

    #[test]
    fn pairs_are_numbered_in_the_order_in_which_they_begin() {
        for (format, engines) in
            [(Format::RoundRobin, 2), (Format::RoundRobin, 5), (Format::Gauntlet, 4)]
        {
            let games = all(&mut Schedule::new(format, engines, 3, Results::default()).unwrap());
            for (number, game) in games.iter().enumerate() {
                assert_eq!(format.pair(engines, *game), number as u64 / 2, "{game:?}");
            }
            let mut shared = Vec::new();
            for share in ["0/3", "1/3", "2/3"].map(|text| text.parse::<Share>().unwrap()) {
                let new = |done: &[GameRecord]| {
                    Schedule::new(format, engines, 3, Results::of(done)).unwrap().only(Some(share))
                };
                let own = all(&mut new(&[]));
                assert_eq!(own.len() as u64, new(&[]).total());
                assert_eq!(all(&mut new(&[played(own[1], false)])).len(), own.len() - 1);
                shared.extend(own);
            }
            shared.sort_by_key(|&id| (format.pair(engines, id), id.leg));
            assert_eq!(shared, games);
        }
    }

    #[test]
    fn a_pair_that_was_begun_is_finished() {
        let mut schedule = Schedule::new(Format::RoundRobin, 2, 3, Results::default()).unwrap();
        assert_eq!(schedule.finish(), Next::Over);
        let Next::Game(first) = schedule.begin() else { unreachable!("a game") };
        assert_eq!(schedule.finish(), Next::Game(GameId { leg: 1, ..first }));
        assert_eq!(schedule.finish(), Next::Over);
        let mut taken_up =
            Schedule::new(Format::RoundRobin, 2, 3, Results::of(&[played(first, false)])).unwrap();
        assert_eq!(taken_up.begin(), Next::Game(GameId { leg: 1, ..first }));
        assert_eq!(taken_up.finish(), Next::Over);
    }

    /// However often a tournament is taken up, and in whatever order its games end, it has the same games.
    #[test]
    fn rounds_that_depend_on_results_are_the_same_however_often_they_are_taken_up() {
        for (format, openings, expected) in [
            (Format::Swiss { pairs: 2 }, 6, 3 * 2 * 2 * 2),
            // Four pairings, two of which take an opening more.
            (Format::Knockout { pairs: 1, extra: 2 }, 9, 4 * 2 + 2 * 2),
        ] {
            let drawn = |id: GameId| format != Format::Swiss { pairs: 2 } && id.round == 3;
            let mut whole = Schedule::new(format, 5, openings, Results::default()).unwrap();
            let mut games = Vec::new();
            loop {
                let mut begun = all(&mut whole);
                if begun.is_empty() {
                    break;
                }
                assert_eq!(whole.begin(), Next::Later);
                begun.reverse();
                for id in begun {
                    games.push(played(id, drawn(id)));
                    whole.add(&games[games.len() - 1]);
                }
            }
            assert_eq!((games.len(), whole.begin()), (expected, Next::Over));
            assert_eq!(whole.total(), expected as u64);
            // One game at a time, each by a schedule of its own that knows no more than a journal.
            let mut journal: Vec<GameRecord> = Vec::new();
            while let Next::Game(id) =
                Schedule::new(format, 5, openings, Results::of(&journal)).unwrap().begin()
            {
                journal.push(played(id, drawn(id)));
            }
            let ids = |games: &[GameRecord]| games.iter().map(|g| g.id).collect::<HashSet<_>>();
            assert_eq!(ids(&journal), ids(&games));
            assert_eq!(journal.len(), expected);
            // A game that does not follow.
            journal[0].id.engines = [0, 1];
            let error = Schedule::new(format, 5, openings, Results::of(&journal)).unwrap_err();
            assert!(error.ends_with(".1 of engines 1 and 2"), "{error}");
        }
    }
}
