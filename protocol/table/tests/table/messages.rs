//! Page and table know the same messages: what the page declares in `messages.d.ts` is what is read and written here.

use std::collections::BTreeSet;

use kujira_position::{Position, Whale};
use kujira_table::message::{Command, NewGame};
use kujira_table::spec::spec_view;
use kujira_table::view::placement;
use kujira_table::{Content, Levels, Resources};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::declared::{PAGE, check};
use crate::engine::{Event, Script, line};
use crate::room::{ENGINE, Entry, Room, SECOND, levels, request};

/// The names that serde's error about an unknown one offers instead of it.
fn offered(error: &serde_json::Error) -> BTreeSet<String> {
    error.to_string().split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

/// Where there is something in a value.
fn pointers(value: &Value) -> Vec<String> {
    let within =
        |(key, value)| pointers(value).into_iter().map(move |pointer| format!("/{key}{pointer}"));
    let mut found: Vec<_> = match value {
        Value::Array(values) => {
            let values = values.iter().enumerate().map(|(i, value)| (i.to_string(), value));
            values.flat_map(within).collect()
        }
        Value::Object(map) => {
            map.iter().map(|(key, value)| (key.clone(), value)).flat_map(within).collect()
        }
        _ => Vec::new(),
    };
    found.push(String::new());
    found
}

/// A pointer in which one entry of a list is as another.
fn shape(pointer: &str) -> String {
    pointer.replace(|letter: char| letter.is_ascii_digit(), "#")
}

/// The texts of a value at pointers of a shape.
fn words(value: &Value, of: &str) -> Vec<String> {
    let there = pointers(value).into_iter().filter(|pointer| shape(pointer) == of);
    there.filter_map(|pointer| Some(value.pointer(&pointer)?.as_str()?.to_owned())).collect()
}

/// Every value that the page may send is read, and a field or word that the page does not have is not.
fn is_read<T: DeserializeOwned>(name: &str) {
    let read = |value: &Value| serde_json::from_value::<T>(value.clone());
    let values = PAGE.values(PAGE.named(name));
    for value in &values {
        assert!(read(value).is_ok(), "{value}: {:?}", read(value).err());
    }
    let mut tags = BTreeSet::new();
    for whole in values.iter().filter(|value| tags.insert(value["type"].to_string())) {
        let alike = values.iter().filter(|value| value["type"] == whole["type"]);
        let alike: Vec<_> = alike.cloned().collect();
        for pointer in pointers(whole) {
            let mut changed = whole.clone();
            let there = changed.pointer_mut(&pointer).expect("it is there");
            let known: BTreeSet<_> = match there {
                Value::Object(map) => {
                    let tag = |name: &&String| !["type", "kind"].contains(&name.as_str());
                    let known = map.keys().filter(tag).cloned().collect();
                    map.insert("no such".to_owned(), Value::Null);
                    known
                }
                Value::String(text) => {
                    *text = "no such".to_owned();
                    let others = if pointer == "/type" { &values } else { &alike };
                    others.iter().flat_map(|value| words(value, &shape(&pointer))).collect()
                }
                _ => continue,
            };
            if let Some(error) =
                read(&changed).err().filter(|error| error.to_string().contains("no such"))
            {
                assert_eq!(known, offered(&error), "{pointer} of {whole}: {error}");
            }
        }
    }
}

#[test]
fn commands_are_those_of_the_page() {
    is_read::<Command>("Command");
    is_read::<NewGame>("NewGame");
}

/// Asserts that what was seen is everything that the page declares.
fn complete(seen: &BTreeSet<usize>, name: &str) {
    let missing = PAGE
        .places(PAGE.named(name))
        .difference(seen)
        .map(|&place| PAGE.text(place))
        .collect::<Vec<_>>();
    assert!(missing.is_empty(), "nothing was seen of {missing:#?}");
}

/// What the messages of rooms have been.
fn told(rooms: &[Room]) -> BTreeSet<usize> {
    let entries = rooms.iter().flat_map(|room| &room.record);
    let told = entries.filter_map(|(_, entry)| match entry {
        Entry::ToPage(_, message) | Entry::ToPages(_, message) | Entry::ToAll(message) => {
            Some(check(&json!(message), "Message"))
        }
        _ => None,
    });
    told.flatten().collect()
}

#[test]
fn messages_are_those_of_the_page() {
    let mut rooms = Vec::new();
    // Moves of every sort, a check, a claim, and how games end.
    let lion = "5,w,5/11/11/4,p,6/4,f,6/4,+BR,6/11/11/11/11/5,W,5 b M 1";
    rooms.push(Room::new(&request("great", json!({"sfen": lion}))));
    let promotes = "5,w,5/11/11/4,BR,6/11/11/11/11/11/11/5,W,5 b - 1";
    rooms.push(Room::new(&request("great", json!({"sfen": promotes}))));
    let claim = json!({"sfen": "W5/6/6/6/5w/6 b 2G4D8d 1", "rules": {"impasse": true}});
    rooms.push(Room::new(&request("whale", claim)));
    rooms.push(Room::new(&request("whale", json!({"sfen": "2w3/2D3/6/6/6/2W3 w - 1"}))));
    for end in [
        json!({"type": "resign", "side": "b"}),
        json!({"type": "resign", "side": "w"}),
        json!({"type": "draw"}),
    ] {
        let mut room = Room::new(&request("whale", json!({})));
        room.ask(end);
        rooms.push(room);
    }
    // What engines find, with little and with much said of it.
    let search = |room: &mut Room| {
        room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
        room.pass(10 * SECOND);
        room.ask(json!({"type": "analysis", "on": false, "lines": 1}));
    };
    let much = "info depth 9 seldepth 12 score mate 3 nodes 5 nps 6 time 7 hashfull 8 pv 2e2d";
    for said in ["info depth 1 score cp 20 pv 2e2d", much] {
        let mut room = Room::new(&request("whale", json!({}))).with(Script::does(&[line(said)]));
        search(&mut room);
        rooms.push(room);
    }
    let mut room = Room::new(&request("whale", json!({}))).with(Script::default());
    room.play(&["2e2d", "3b3c"]);
    room.ask(json!({"type": "sweep", "on": true}));
    room.pass(10 * SECOND);
    room.ask(json!({"type": "hint"}));
    room.pass(10 * SECOND);
    rooms.push(room);
    rooms.extend(crate::coach::rooms());
    // A game on clocks with an engine that refuses something and dies, and one that declines a draw.
    let dies =
        Script::does(&[line("info string error: no"), Event::Ended("out of luck".to_owned())]);
    let thinks = Script { thinks: 5 * SECOND, ..Script::default() };
    let clock = json!({"main": 600_000, "increment": 0, "byoyomi": 0});
    for script in [dies, thinks] {
        let wishes =
            json!({"handicap": "P", "players": [{"kind": "human"}, ENGINE], "time": clock});
        let mut room = Room::new(&request("whale", wishes)).with(script);
        room.ask(json!({"type": "draw"}));
        room.pass(10 * SECOND);
        rooms.push(room);
    }
    // A board on which pieces hang.
    let mut room = Room::new(&request("whale", json!({"sfen": "w5/6/6/3d2/3D2/5W b - 1"})));
    room.ask(json!({"type": "attacks", "at": 0}));
    rooms.push(room);
    // What is asked for.
    let mut room = Room::new(&request("whale", json!({})));
    room.play(&["2e2d", "3b3c"]);
    room.ask(json!({"type": "take_back"}));
    room.ask(json!({"type": "export", "format": "usi"}));
    room.ask(json!({"type": "ping"}));
    for (from, to) in [("5e", "5d"), ("5e", "5a")] {
        room.ask(json!({"type": "explain", "at": 0, "from": from, "to": to}));
    }
    for squares in [json!({}), json!({"3f": "W", "3a": "w", "2b": "d"})] {
        let draft = json!({"variant": "whale", "squares": squares, "hands": [{}, {}], "side": "b"});
        room.ask(json!({"type": "check", "draft": draft}));
    }
    room.refused(json!({"type": "claim"}));
    room.keeping = Err("no room left".to_owned());
    room.play(&["3b3c"]);
    rooms.push(room);
    let mut seen = told(&rooms);
    // What drivers say themselves.
    seen.extend(check(&json!({"type": "gone", "why": "", "text": ""}), "Message"));
    complete(&seen, "Message");
}

#[test]
fn the_games_are_told_as_the_page_declares() {
    let mut seen = check(&json!(spec_view(&levels(), Resources::MOST)), "Spec");
    // Where levels have no Elo.
    seen.extend(check(&json!(spec_view(&Levels::new([]), Resources::MOST)), "Spec"));
    // No game begins with pieces in hand.
    let later = Position::<Whale>::from_sfen("2w3/6/6/6/6/2W3 b G 1").expect("a position");
    seen.extend(check(&json!(placement(&later)), "Placement"));
    complete(&seen, "Spec");
}

#[test]
fn saved_games_are_listed_as_the_page_declares() {
    let mut room = Room::new(&request("whale", json!({})));
    let list = |room: &Room| {
        let content = Content::of(&room.table.saved().to_json().expect("JSON"), &Levels::new([]));
        serde_json::to_value(content).expect("JSON")
    };
    let mut contents = vec![list(&room), json!(Content::of(b"", &levels()))];
    room.ask(json!({"type": "resign", "side": "b"}));
    contents.push(list(&room));
    for end in [json!({"type": "resign", "side": "w"}), json!({"type": "draw"})] {
        let mut room = Room::new(&request("whale", json!({})));
        room.ask(end);
        contents.push(list(&room));
    }
    let engine = json!({"players": [{"kind": "human"}, ENGINE]});
    contents.push(list(&Room::new(&request("whale", engine))));
    let seen = contents.iter_mut().flat_map(|content| {
        // The driver adds them.
        (content["id"], content["modified"]) = (json!(""), json!(0));
        check(content, "Saved")
    });
    complete(&seen.collect(), "Saved");
}
