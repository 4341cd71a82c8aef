//! A game at a table in simulated time, in the room that the tests of the table have: what pages send, as bytes and as
//! commands that make sense, from engines that do anything. New games, kept games, drafts of positions.
//!
//! Bytes: game, `t` for lines of JSON or anything else for choices, then the lines or choices.

use kujira_table::message::{Command, NewGame};
use kujira_table::{Content, Saved, new_game};
use serde_json::json;

use crate::choices::Choices;
use crate::random;
use crate::room::{self, HOUR, Room};

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let variant = choices.game().spec().id;
    if choices.byte() != b't' {
        return random::play(variant, &mut choices, 40);
    }
    let mut room = Room::new(&room::request(variant, json!({})));
    for line in choices.rest().split(|&byte| byte == b'\n').take(60) {
        if let Ok(command) = serde_json::from_slice::<Command>(line) {
            room.command(command);
            room.pass(500);
        } else if let Ok(request) = serde_json::from_slice::<NewGame>(line) {
            match new_game(&request, &room::levels()) {
                Ok(made) => {
                    room.close();
                    room = Room::new(&request);
                    assert_eq!(made.saved.game.variant(), room.table.saved().game.variant());
                }
                Err(error) => assert!(!error.is_empty()),
            }
        } else if let Ok(saved) = Saved::from_json(line, &room::levels()) {
            let json = saved.to_json().expect("what was read can be written");
            let back =
                Saved::from_json(&json, &room::levels()).expect("what was written can be read");
            assert_eq!(back.to_json().expect("again"), json);
            room.close();
            room = Room::open(saved, true);
            room.join(room::PAGE);
        }
        let _ = Content::of(line, &room::levels());
    }
    room.pass(HOUR);
    room.close();
}
