//! The midgame sets, see `bench/examples/midgames.rs`.

// Every bench takes the sets it needs.
#![allow(dead_code)]

use kujira_position::{Great, Paulowich, Position, Variant, Whale};

fn parse<V: Variant>(text: &str) -> Vec<Position<V>> {
    let position = |line| Position::from_sfen(line).expect("the sets hold valid positions");
    text.lines().map(position).collect()
}

pub fn whale() -> Vec<Position<Whale>> {
    parse(include_str!("../../positions/whale.sfen"))
}

pub fn paulowich() -> Vec<Position<Paulowich>> {
    parse(include_str!("../../positions/paulowich.sfen"))
}

pub fn great() -> Vec<Position<Great>> {
    parse(include_str!("../../positions/great.sfen"))
}

pub fn great_rich() -> Vec<Position<Great>> {
    parse(include_str!("../../positions/great-rich.sfen"))
}
