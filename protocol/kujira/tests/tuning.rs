//! What a build with the feature `tuning` adds: every tunable number is an option and has its effect.

#![cfg(feature = "tuning")]

use kujira::options::{OPTIONS, USUAL};
use kujira_search::PARAMS;
use support::gui::Gui;

mod support;

/// The answer to a search of so many plies in a new game, with its score and nodes.
fn searched(gui: &mut Gui, depth: u32) -> String {
    gui.send("usinewgame\nisready\nposition startpos");
    gui.until("readyok");
    gui.send(&format!("go depth {depth}"));
    let lines = gui.until("bestmove");
    let [.., info, best] = &lines[..] else { panic!("{lines:?}") };
    let words: Vec<&str> = info.split(' ').collect();
    let after = |word| words.iter().skip_while(|&&w| w != word).nth(1).unwrap().to_string();
    let score = words.iter().skip_while(|&&w| w != "score").nth(2).unwrap();
    format!("{best} {score} {}", after("nodes"))
}

#[test]
fn the_handshake_declares_every_number() {
    assert_eq!(OPTIONS.len(), USUAL.len() + PARAMS.len());
    let mut gui = Gui::of_process();
    gui.send("usi");
    let lines = gui.until("usiok");
    for param in PARAMS {
        let (name, value, min, max) = (param.name, param.value, param.min, param.max);
        let line = format!("option name {name} type spin default {value} min {min} max {max}");
        assert!(lines.contains(&line), "{line}");
    }
}

#[test]
fn a_number_out_of_its_range_is_refused() {
    let mut gui = Gui::of_process();
    let param = PARAMS[0];
    let refused = gui.ask(&format!("setoption name {} value {}", param.name, param.max + 1));
    let expected = format!(
        "info string error setoption {}: expected a number from {} to {}, found \"{}\"; the old \
         value stays",
        param.name,
        param.min,
        param.max,
        param.max + 1
    );
    assert_eq!(refused, [expected]);
}

/// Numbers change searches between two games of one process, and set back they leave no trace.
#[test]
fn numbers_take_effect_between_games() {
    let mut gui = Gui::of_process();
    let usual = searched(&mut gui, 8);
    let mut without_effect = Vec::new();
    // Where no clock runs, one thread searches and whales are saved these rule over nothing.
    let elsewhere = |name: &str| {
        name.starts_with("time_") || name.starts_with("vote_") || name.ends_with("_captured")
    };
    let searching: Vec<_> = PARAMS.iter().filter(|param| !elsewhere(param.name)).collect();
    for param in &searching {
        let changed = [param.min, param.max].map(|value| {
            gui.send(&format!("setoption name {} value {value}", param.name));
            searched(&mut gui, 8)
        });
        gui.send(&format!("setoption name {} value {}", param.name, param.value));
        if changed == [&usual[..]; 2] {
            without_effect.push(param.name);
        }
    }
    assert_eq!(searched(&mut gui, 8), usual);
    // Some rule over what does not come up so soon, or in another game.
    assert!(without_effect.len() < searching.len() / 3, "{without_effect:?}");
}

/// A number of games whose whales are captured has its effect there.
#[test]
fn numbers_of_great_whale_shogi_take_effect() {
    let mut gui = Gui::of_process();
    gui.send("setoption name UCI_Variant value great");
    let usual = searched(&mut gui, 5);
    gui.send("setoption name reduction_growth_captured value 600");
    assert_ne!(searched(&mut gui, 5), usual);
    gui.send("setoption name reduction_growth_captured value 260");
    assert_eq!(searched(&mut gui, 5), usual);
}
