//! Thousands of random commands, with engines that do anything: nothing panics, and what must hold does.

use kujira_position::VariantId;
use kujira_table::message::Command;
use kujira_table::{PageId, Role, Saved};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

use crate::engine::{Event, Script, Search, line};
use crate::room::{HOUR, PAGE, Room, levels, request};

fn pick<'a, T>(random: &mut impl Rng, choices: &'a [T]) -> &'a T {
    &choices[random.random_range(0..choices.len())]
}

fn chance(random: &mut impl Rng, percent: u32) -> bool {
    random.random_range(0..100) < percent
}

fn script(random: &mut impl Rng) -> Script {
    let nonsense = [
        line("bestmove 1a1b"),
        line("bestmove resign"),
        line("bestmove win"),
        line("bestmove"),
        line("info depth 5 score cp 10 pv 2e2d 9z9z"),
        line("readyok"),
        line("usiok"),
        Event::Ended(String::new()),
        Event::Silent,
        Event::Started,
    ];
    let search = match random.random_range(0..10) {
        0 => Search::Do(vec![pick(random, &nonsense).clone()]),
        1 => Search::Do(vec![]),
        2 => Search::PlayWhenStopped,
        _ => Search::Play,
    };
    Script {
        greets: !chance(random, 3),
        ready: !chance(random, 3),
        starts: !chance(random, 3),
        hears: !chance(random, 3),
        thinks: *pick(random, &[1, 50, 2_000]),
        delay: *pick(random, &[0, 1, 400]),
        search,
        ..Script::default()
    }
}

fn player(random: &mut impl Rng) -> Value {
    match random.random_range(0..4) {
        0 => json!({"kind": "engine", "level": 1}),
        1 => json!({"kind": "engine", "level": 2}),
        _ => json!({"kind": "human"}),
    }
}

fn command<R: Rng>(room: &Room, random: &mut R) -> Value {
    let saved = room.table.saved();
    // Mostly nodes that are there.
    let nodes = saved.game.reachable();
    let mut node = *pick(random, &nodes);
    if chance(random, 5) {
        node += random.random_range(0..5);
    }
    let usi = |random: &mut R| {
        let state = room.state();
        match state.shown.position.legal.len() {
            0 => "2e2d".to_owned(),
            _ => pick(random, &state.shown.position.legal).usi.clone(),
        }
    };
    match random.random_range(0..40) {
        0..12 => {
            let at = if chance(random, 80) { room.state().shown.current } else { node };
            json!({"type": "play", "at": at, "usi": usi(random)})
        }
        12 => json!({"type": "goto", "node": node}),
        13 => json!({"type": "take_back"}),
        14 if chance(random, 40) => json!({"type": "resign", "side": pick(random, &["b", "w"])}),
        15 if chance(random, 40) => json!({"type": "draw"}),
        16 => json!({"type": "claim"}),
        17 if chance(random, 50) => json!({"type": "pause"}),
        18..20 => json!({"type": "resume"}),
        20 => json!({"type": "move_now"}),
        21 => json!({"type": "players", "players": [player(random), player(random)]}),
        22 => {
            let (threads, hash) = (random.random::<u32>() % 100, random.random::<u32>() % 10_000);
            json!({"type": "resources", "threads": threads, "hash": hash})
        }
        23 => {
            json!({"type": "analysis", "on": chance(random, 70), "lines": random.random_range(0..12)})
        }
        24 => json!({"type": "sweep", "on": chance(random, 70)}),
        25 => json!({"type": "hint"}),
        26 => json!({"type": "restart", "role": pick(random, &["player", "analyst"])}),
        27 => json!({"type": "promote", "node": node}),
        28 => json!({"type": "delete", "node": node}),
        29 => json!({"type": "export", "format": pick(random, &["usi", "pgn"])}),
        30 => {
            let name = |random: &mut R| {
                let file = random.random_range(1..12);
                format!("{file}{}", pick(random, &["a", "b", "c", "d", "e", "f", "k", "z"]))
            };
            let (from, to) = (name(random), name(random));
            json!({"type": "explain", "at": node, "from": from, "to": to})
        }
        31 => json!({"type": "pace", "millis": random.random_range(0..20_000)}),
        32 => json!({"type": "seen", "seen": chance(random, 50)}),
        33 => json!({"type": "bring_back"}),
        34 => json!({"type": "coach", "on": chance(random, 80)}),
        35..37 => json!({"type": "consider", "at": node, "usi": usi(random)}),
        37 => json!({"type": "again", "at": node}),
        38 => json!({"type": "attacks", "at": node}),
        _ => json!({"type": *pick(random, &["state", "ping"])}),
    }
}

/// What holds whatever has happened.
fn check(room: &mut Room) {
    room.check_pages();
    let saved = room.table.saved();
    let nodes = saved.game.reachable();
    assert!(nodes.contains(&saved.current) && nodes.contains(&saved.tip));
    let over = saved.game.node(saved.tip).unwrap().ending;
    assert!(!saved.playing || over.is_none(), "a game that is on is not over: {over:?}");
    let json = saved.to_json().unwrap();
    let back = Saved::from_json(&json, &levels()).unwrap();
    assert_eq!(back.to_json().unwrap(), json, "what is kept comes back");
    assert_eq!(back.game.usi(back.tip), saved.game.usi(saved.tip));
    for role in [Role::Player, Role::Analyst] {
        assert!(room.engines.keys().filter(|engine| engine.role() == role).count() <= 1);
    }
}

/// Plays at a table with pages and engines that do whatever `random` says.
pub fn play(variant: &str, random: &mut impl Rng, commands: usize) {
    let mut changes = json!({"players": [player(random), player(random)]});
    if chance(random, 60) {
        let time = pick(random, &[[5_000, 100, 0], [1_000, 0, 2_000], [600_000, 0, 0]]);
        changes["time"] = json!({"main": time[0], "increment": time[1], "byoyomi": time[2]});
    }
    if chance(random, 30) {
        changes["rules"] = json!({"impasse": true});
    }
    let mut room = Room::new(&request(variant, changes)).with(script(random));
    for number in 0..commands {
        match random.random_range(0..20) {
            0 => room.leave(PAGE),
            1 => room.join(PageId(2)),
            2 => room.leave(PageId(2)),
            3 => room.scripts.insert(Role::Player, script(random)).map_or((), drop),
            4 => room.scripts.insert(Role::Analyst, script(random)).map_or((), drop),
            5 => room.keeping = if chance(random, 80) { Ok(()) } else { Err("full".to_owned()) },
            6 => {
                // Any engine of before or now says or does anything.
                let known: Vec<_> = room.engines.keys().copied().collect();
                if !known.is_empty() {
                    let text =
                        pick(random, &["bestmove 2e2d", "info depth 30 score mate -3 pv 2e2d"]);
                    room.engine(*pick(random, &known), &line(*text));
                }
            }
            _ => room.join(PAGE),
        }
        let command: Command = serde_json::from_value(command(&room, random)).unwrap();
        // Another page may be there or not, and do the same.
        room.command_of(if chance(random, 80) { PAGE } else { PageId(2) }, command);
        match random.random_range(0..10) {
            0 => room.pass(HOUR),
            1..4 => room.pass(3_000),
            4..8 => room.pass(random.random_range(0..300)),
            _ => {}
        }
        if number % 16 == 0 {
            check(&mut room);
            // Nothing of the past is needed but what was told last.
            room.forget();
        }
    }
    check(&mut room);
    room.close();
}

fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The games of one board, from this number on: `few`, or as many as `KUJIRA_RANDOM` says, which may take minutes:
/// `KUJIRA_RANDOM=200 cargo test --release --locked -p kujira-table random_commands`.
#[cfg(test)]
fn games(first: u64, few: u64) -> std::ops::Range<u64> {
    let asked = std::env::var("KUJIRA_RANDOM").ok();
    first..first + asked.map_or(few, |asked| asked.parse().expect("a number"))
}

#[test]
fn random_commands_at_the_small_board() {
    for seed in games(0, 12) {
        play(VariantId::Whale.spec().id, &mut random(seed), 150);
    }
}

#[test]
fn random_commands_at_the_middle_board() {
    for seed in games(100, 6) {
        play(VariantId::Paulowich.spec().id, &mut random(seed), 150);
    }
}

#[test]
fn random_commands_at_the_large_board() {
    for seed in games(200, 5) {
        play(VariantId::Great.spec().id, &mut random(seed), 100);
    }
}
