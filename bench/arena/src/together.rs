//! Journals that are counted together: what must be alike in them, and what would count twice.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use kujira_record::played::GameId;

use crate::header::EngineHeader;
use crate::replay::{PlayedGame, PlayedMatch};

/// Refuses journals of which one tells of the match of another again: its games would count twice.
///
/// # Errors
/// Which match is there twice.
pub fn refuse_again(matches: &[PlayedMatch]) -> Result<(), String> {
    for (index, played) in matches.iter().enumerate() {
        if let Some(earlier) = matches[..index].iter().find(|earlier| played.is_again(earlier)) {
            let otherwise = match played.went_on_differently(earlier)? {
                true => ", gone on with otherwise",
                false => "",
            };
            let earlier = earlier.path.display();
            let what = format!(
                "expected every journal once, found the match of {earlier} again{otherwise}"
            );
            return Err(played.named(&what));
        }
    }
    Ok(())
}

/// Refuses void matches: those who say nothing about strength must not speak through others.
///
/// # Errors
/// Which match is void, or what is wrong with a game.
pub fn refuse_void(matches: &[PlayedMatch]) -> Result<(), String> {
    for played in matches {
        if played.replay()?.standings.is_void() {
            return Err(played.named(
                &"expected matches that are not void, to count them together, found a void one",
            ));
        }
    }
    Ok(())
}

/// Refuses journals in which one name stands for different engines: of other limits, options or builds. So it does shards
/// of one experiment that have pairs in common, and a shard beside all of them: what was played twice is no evidence of
/// its own.
///
/// # Errors
/// Which name, and what differs, or which shards.
pub fn refuse_mixed(matches: &[PlayedMatch]) -> Result<(), String> {
    let mut known: HashMap<&str, Vec<(&EngineHeader, &PlayedMatch)>> = HashMap::new();
    for played in matches {
        let plays = |other: &PlayedMatch| other.game() == played.game();
        for engine in &played.header.engines {
            let earlier = known.entry(&engine.player.name).or_default();
            let alike = earlier.iter().find(|(_, other)| plays(other)).or(earlier.first());
            if let Some(&(other, there)) = alike
                && let Some(what) = engine.differs(other, plays(there))
            {
                let (name, path) = (&engine.player.name, there.path.display());
                let what = format!("{name}: {what} in {path} (--mixed counts them together)");
                return Err(played.named(&what));
            }
            earlier.push((engine, played));
        }
    }
    refuse_overlaps(matches)
}

fn refuse_overlaps(matches: &[PlayedMatch]) -> Result<(), String> {
    let mut experiments: HashMap<String, Vec<&PlayedMatch>> = HashMap::new();
    for played in matches {
        let known = experiments.entry(played.header.experiment()).or_default();
        let overlaps = |other: &&&PlayedMatch| match (played.header.shard, other.header.shard) {
            (Some(one), Some(other)) => one.overlaps(other),
            (one, other) => one.is_some() || other.is_some(),
        };
        if let Some(other) = known.iter().find(overlaps) {
            return Err(played.named(&format!(
                "expected pairs that no other journal of this experiment has, found {} beside {} of {} (--mixed counts \
                 them together)",
                played.header.share_in_words(),
                other.header.share_in_words(),
                other.path.display()
            )));
        }
        known.push(played);
    }
    Ok(())
}

/// Leaves out the games that another journal has move for move, in a pair from the same opening with the same seats, or
/// alone where a pair is not finished: one command line run twice plays them again, and they are no evidence of their
/// own. What one journal has several times counts as often: of each pair and game so many remain as the journal has that
/// has most of them, whatever the order of the journals. Returns how many games were left out.
pub fn leave_out_repeated(matches: &mut [PlayedMatch]) -> usize {
    let mut repeated: Vec<HashSet<GameId>> = vec![HashSet::new(); matches.len()];
    // First the pairs; then the games of those that are not finished, wherever they stand.
    let (mut pairs, mut games) = (Owners::default(), Owners::default());
    let units: Vec<_> = matches.iter().map(units).collect();
    let all = || {
        units.iter().enumerate().flat_map(|(index, all)| all.iter().map(move |unit| (index, unit)))
    };
    for (index, unit) in all() {
        let &[one, other] = &unit[..] else { continue };
        let mut keys = [one.1, other.1];
        keys.sort_unstable();
        if !pairs.is_own(keys, index) {
            repeated[index].extend([one.0, other.0]);
        }
        for key in keys {
            games.is_own(key, index);
        }
    }
    for (index, unit) in all() {
        let &[(id, key)] = &unit[..] else { continue };
        if !games.is_own(key, index) {
            repeated[index].insert(id);
        }
    }
    for (played, repeated) in matches.iter_mut().zip(&repeated) {
        played.games.retain(|game| !repeated.contains(&game.id));
    }
    repeated.iter().map(HashSet::len).sum()
}

/// Which journal was the first to have something for the n-th time.
struct Owners<K> {
    first: HashMap<(K, usize), usize>,
    /// How often a journal has had something.
    times: HashMap<(K, usize), usize>,
}

impl<K> Default for Owners<K> {
    fn default() -> Self {
        Self { first: HashMap::new(), times: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash> Owners<K> {
    /// Notes that a journal has this once more; returns whether no other had it as often before.
    fn is_own(&mut self, key: K, journal: usize) -> bool {
        let times = self.times.entry((key, journal)).or_insert(0);
        *times += 1;
        *self.first.entry((key, *times)).or_insert(journal) == journal
    }
}

/// A word about games that were [left out](leave_out_repeated), if there are any.
#[must_use]
pub fn left_out(games: usize) -> String {
    match games {
        0 => String::new(),
        _ => format!(
            "{games} games are left out: another journal has them move for move, from the same opening with the \
             same seats\n"
        ),
    }
}

/// A game, and what it is known by.
type Known = (GameId, u64);

/// The games of each pair that has any, with what they are known by. A game without a move says nothing of what was
/// played again, nor does its pair.
fn units(played: &PlayedMatch) -> Vec<Vec<Known>> {
    let mut units: BTreeMap<_, Vec<&PlayedGame>> = BTreeMap::new();
    for game in &played.games {
        units.entry((game.id.round, game.id.engines)).or_default().push(game);
    }
    let moved = units.into_values().filter(|unit| unit.iter().all(|game| game.moved));
    moved.map(|unit| unit.iter().map(|game| (game.id, game.key)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::{MatchHeader, RunNumber};
    use crate::journal::Line;
    use kujira_record::played::{GameRecord, MoveRecord, Player};
    use kujira_usi::{Ending, Reason};

    /// For each round the move of each game, or "" for a game without one.
    type Rounds = &'static [&'static [&'static str]];

    /// A journal as a match wrote it.
    fn played(game: &str, change: impl Fn(&mut EngineHeader), rounds: Rounds) -> PlayedMatch {
        let players = ["A", "B"].map(|name| Player { name: name.to_owned(), ..Player::default() });
        let engine = |player: &Player| {
            let mut engine = EngineHeader {
                player: player.clone(),
                command: vec!["k".to_owned()],
                files: [("k".to_owned(), "01".to_owned())].into(),
                settings: Vec::new(),
                signature: None,
                version: None,
            };
            change(&mut engine);
            engine
        };
        let header = MatchHeader {
            game: game.to_owned(),
            rules: Default::default(),
            engines: players.iter().map(engine).collect(),
            format: Default::default(),
            openings: "some".to_owned(),
            max_plies: 500,
            adjudication: Default::default(),
            sprt: None,
            title: None,
            shard: None,
            experiment: None,
            run: RunNumber::random().ok(),
        };
        let mut text = Vec::new();
        kujira_record::journal::write(&mut text, &Line::Match(Box::new(header))).unwrap();
        for (round, games) in (0..).zip(rounds) {
            for (leg, usi) in (0..).zip(games.iter()) {
                let id = GameId { round, engines: [0, 1], leg };
                let [black, white] = id.by_color().map(|engine| players[engine].clone());
                let m = MoveRecord {
                    usi: (*usi).to_owned(),
                    score: None,
                    depth: None,
                    seldepth: None,
                    nodes: None,
                    us: 0,
                };
                let game = GameRecord {
                    id,
                    variant: game.to_owned(),
                    black,
                    white,
                    opening: "startpos".to_owned(),
                    moves: Vec::from_iter((!usi.is_empty()).then_some(m)),
                    ending: Ending::draw(Reason::PlyLimit),
                    detail: String::new(),
                    began: String::new(),
                    machine: None,
                };
                kujira_record::journal::write(&mut text, &Line::Game(Box::new(game))).unwrap();
            }
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        PlayedMatch::read(file.path(), false).unwrap()
    }

    /// The order of the journals says nothing, and together they tell no less than one of them.
    #[test]
    fn what_is_left_out_does_not_depend_on_the_order() {
        const PAIR: &[&str] = &["a", "b"];
        const OTHER: &[&str] = &["a", "c"];
        let pools: [(&[Rounds], usize); 9] = [
            (&[&[PAIR, PAIR], &[PAIR]], 2),
            (&[&[PAIR, PAIR], &[PAIR, PAIR, PAIR], &[PAIR]], 6),
            (&[&[&["a"], &["a"]], &[&["a"]]], 1),
            (&[&[PAIR], &[&["a"], &["a"]]], 1),
            (&[&[PAIR, OTHER], &[PAIR, &["a"]], &[OTHER, &["a"]]], 6),
            (&[&[PAIR], &[OTHER]], 0),
            // A pair is one, though a game of it has no move; so it is no evidence that was played again.
            (&[&[&["a", ""]], &[&["a", ""]]], 0),
            (&[&[&["a", ""]], &[&["a"]]], 0),
            (&[&[PAIR, &["", "b"]], &[PAIR, &["", "b"]]], 2),
        ];
        for (journals, expected) in pools {
            let count = journals.len();
            for turn in 0..2 * count {
                let mut order: Vec<usize> =
                    (0..count).map(|index| (index + turn) % count).collect();
                if turn >= count {
                    order.reverse();
                }
                let journal = |&index: &usize| played("whale", |_| (), journals[index]);
                let mut matches: Vec<_> = order.iter().map(journal).collect();
                let before: usize = matches.iter().map(|played| played.games.len()).sum();
                assert_eq!(leave_out_repeated(&mut matches), expected, "{journals:?} {order:?}");
                let after: usize = matches.iter().map(|played| played.games.len()).sum();
                assert_eq!(before - after, expected);
            }
        }
    }

    /// One build has a signature in each game.
    #[test]
    fn signatures_of_different_games_do_not_compare() {
        let journal = |game: &str, signature, print: &str| {
            let change = |engine: &mut EngineHeader| {
                engine.signature = Some(signature);
                engine.files.insert("k".to_owned(), print.to_owned());
            };
            played(game, change, &[])
        };
        let pool =
            [journal("whale", 5, "01"), journal("great", 7, "01"), journal("great", 7, "02")];
        assert_eq!(refuse_mixed(&pool), Ok(()));
        for (game, signature, print) in
            [("great", 8, "01"), ("whale", 7, "01"), ("paulowich", 5, "02")]
        {
            let other = journal(game, signature, print);
            let pool = [journal("whale", 5, "01"), journal("great", 7, "01"), other];
            let error = refuse_mixed(&pool).unwrap_err();
            assert!(
                error.contains(&format!("A: build {print}, signature {signature}, there 01")),
                "{error}"
            );
        }
    }
}
