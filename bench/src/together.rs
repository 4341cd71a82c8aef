//! Journals that are counted together: what must be alike in them, and what would count twice.

use std::collections::{BTreeMap, HashMap, HashSet};

use kujira_record::played::{GameId, GameRecord};

use crate::fingerprint::fingerprint;
use crate::replay::{Account, PlayedMatch};

/// Refuses journals of which one tells of the match of another again: its games would count twice.
///
/// # Errors
/// Which match is there twice.
pub fn refuse_again(matches: &[PlayedMatch]) -> Result<(), String> {
    for (index, played) in matches.iter().enumerate() {
        if let Some(earlier) = matches[..index].iter().find(|earlier| played.is_again(earlier)) {
            let otherwise = match played.went_on_differently(earlier) {
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
/// Which match is void.
pub fn refuse_void(matches: &[PlayedMatch], accounts: &[Account]) -> Result<(), String> {
    match matches.iter().zip(accounts).find(|(_, account)| account.standings.is_void()) {
        Some((played, _)) => Err(played.named(
            &"expected matches that are not void, to count them together, found a void one",
        )),
        None => Ok(()),
    }
}

/// Refuses journals in which one name stands for different engines: of other limits, options or builds.
///
/// # Errors
/// Which name, and what differs.
pub fn refuse_mixed(matches: &[PlayedMatch]) -> Result<(), String> {
    let mut known = HashMap::new();
    for played in matches {
        for engine in &played.header.engines {
            let name = &engine.player.name;
            let &mut (earlier, path) = known.entry(name).or_insert((engine, &played.path));
            if let Some(what) = engine.differs(earlier) {
                let what =
                    format!("{name}: {what} in {} (--mixed counts them together)", path.display());
                return Err(played.named(&what));
            }
        }
    }
    Ok(())
}

/// Leaves out the games that another journal has move for move, in a pair from the same opening with the same seats, or
/// alone where a pair is not finished: one command line run twice plays them again, and they are no evidence of their
/// own. Within one journal nothing is left out. Returns how many games that were.
pub fn leave_out_repeated(matches: &mut [PlayedMatch]) -> usize {
    let mut repeated: Vec<HashSet<GameId>> = vec![HashSet::new(); matches.len()];
    // First the pairs; then the games of those that are not finished, wherever they stand.
    let mut pairs: HashMap<[u64; 2], usize> = HashMap::new();
    let mut games: HashMap<u64, usize> = HashMap::new();
    let units: Vec<_> = matches.iter().map(units).collect();
    for (index, unit) in units
        .iter()
        .enumerate()
        .flat_map(|(index, units)| units.iter().map(move |unit| (index, unit)))
    {
        let &[one, other] = &unit[..] else { continue };
        let mut keys = [one.1, other.1];
        keys.sort_unstable();
        if *pairs.entry(keys).or_insert(index) == index {
            for key in keys {
                games.entry(key).or_insert(index);
            }
        } else {
            repeated[index].extend([one.0, other.0]);
        }
    }
    for (index, units) in units.iter().enumerate() {
        for &[(id, key)] in
            units.iter().filter_map(|unit| unit.first_chunk().filter(|_| unit.len() == 1))
        {
            if *games.entry(key).or_insert(index) != index {
                repeated[index].insert(id);
            }
        }
    }
    for (played, repeated) in matches.iter_mut().zip(&repeated) {
        played.games.retain(|game| !repeated.contains(&game.id));
    }
    repeated.iter().map(HashSet::len).sum()
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
/// played again.
fn units(played: &PlayedMatch) -> Vec<Vec<Known>> {
    let mut units: BTreeMap<_, Vec<Known>> = BTreeMap::new();
    let rules = played.header.rules.to_string();
    for game in played.games.iter().filter(|game| !game.moves.is_empty()) {
        let unit = units.entry((game.id.round, game.id.engines)).or_default();
        unit.push((game.id, key(game, &rules)));
    }
    units.into_values().collect()
}

/// What a game is known by but for its times: game, rules, opening, who sat where, moves and end.
fn key(game: &GameRecord, rules: &str) -> u64 {
    let GameRecord { variant, black, white, opening, moves, ending, .. } = game;
    let mut text =
        format!("{variant}\n{rules}\n{}\n{}\n{opening}\n{ending}", black.name, white.name);
    for m in moves {
        text.push(' ');
        text.push_str(&m.usi);
    }
    fingerprint(text.as_bytes())
}
