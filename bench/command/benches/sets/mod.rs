//! The midgame sets, see `bench/command/examples/midgames.rs`.

// Every bench takes the sets it needs.
#![allow(dead_code)]

use kujira_position::{Great, Paulowich, Position, Rules, Variant, Whale};
use kujira_record::list;

fn parse<V: Variant>(text: &str) -> Vec<Position<V>> {
    list::entries(text)
        .map(|entry| entry.and_then(|entry| entry.position(Rules::DEFAULT)))
        .collect::<Result<_, _>>()
        .expect("the sets hold valid positions")
}

pub fn whale() -> Vec<Position<Whale>> {
    parse(include_str!("../../../positions/whale.sfen"))
}

pub fn paulowich() -> Vec<Position<Paulowich>> {
    parse(include_str!("../../../positions/paulowich.sfen"))
}

pub fn great() -> Vec<Position<Great>> {
    parse(include_str!("../../../positions/great.sfen"))
}

pub fn great_rich() -> Vec<Position<Great>> {
    parse(include_str!("../../../positions/great-rich.sfen"))
}
