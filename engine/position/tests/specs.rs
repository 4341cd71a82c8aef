//! The tables of the games are checked when the crate is compiled: here, that the check finds what it
//! should, on copies of the games with one thing wrong.

use std::panic::catch_unwind;

use kujira_position::{
    ClassSpec, Geometry, Great, Hook, Impasse, KindSpec, Paulowich, Position, Spec, Variant, Whale,
    WhaleRule,
};

/// A copy of a game with a change.
fn changed<V: Variant>(change: impl FnOnce(&mut Spec)) -> Spec {
    let mut spec = *V::SPEC;
    change(&mut spec);
    spec
}

/// A copy of a game with a change to one class.
fn class<V: Variant>(abbreviation: &str, change: impl FnOnce(&mut ClassSpec)) -> Spec {
    changed::<V>(|spec| {
        let mut classes = spec.classes.to_vec();
        change(&mut classes[spec.class_named(abbreviation).index()]);
        spec.classes = classes.leak();
    })
}

/// A copy of a game with a change to one kind.
fn kind<V: Variant>(token: &str, change: impl FnOnce(&mut KindSpec)) -> Spec {
    changed::<V>(|spec| {
        let mut kinds = spec.kinds.to_vec();
        change(&mut kinds[spec.kind_named(token).index()]);
        spec.kinds = kinds.leak();
    })
}

/// What the check says against the game.
fn complaint<V: Variant>(spec: Spec) -> Option<String> {
    let check = || {
        spec.validate();
        spec.validate_word::<V::Bits>();
    };
    let panic = catch_unwind(check).err()?;
    Some(match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast::<&str>().expect("a message")).to_owned(),
    })
}

#[track_caller]
fn refused<V: Variant>(spec: Spec, expected: &str) {
    match complaint::<V>(spec) {
        Some(text) => assert!(text.contains(expected), "{text}"),
        None => panic!("expected: {expected}"),
    }
}

#[test]
fn the_games_pass() {
    assert_eq!(complaint::<Whale>(*Whale::SPEC), None);
    assert_eq!(complaint::<Paulowich>(*Paulowich::SPEC), None);
    assert_eq!(complaint::<Great>(*Great::SPEC), None);
}

#[test]
fn retreats() {
    let retreat =
        |betza, short| class::<Whale>("D", |class| class.hook = Hook::Retreat { betza, short });
    assert_eq!(complaint::<Whale>(retreat("bB", "bB2")), None);
    refused::<Whale>(retreat("bB", "bB5"), "the switch says two squares");
    refused::<Whale>(retreat("bB", "bB"), "the switch says two squares");
    refused::<Whale>(retreat("bB", "fB2"), "not the directions");
    refused::<Whale>(retreat("bB", "bB2bR2"), "not the directions");
    refused::<Whale>(retreat("bB3", "bB2"), "without the switch all the way");
    refused::<Whale>(retreat("bF", "bB2"), "a retreat slides");
    refused::<Whale>(retreat("NN", "NN2"), "queen lines");
    refused::<Whale>(retreat("bR", "bR2"), "does not look back");
    let second = class::<Whale>("P", |class| {
        class.hook = Hook::Retreat { betza: "bB", short: "bB2" };
    });
    refused::<Whale>(second, "one class at most");
    let great = class::<Great>("C", |class| {
        class.hook = Hook::Retreat { betza: "bB", short: "bB2" };
    });
    refused::<Great>(great, "where whales are captured");
}

#[test]
fn ways_to_move() {
    let betza = |betza| class::<Whale>("H", |class| class.betza = betza);
    refused::<Whale>(betza("NN"), "queen lines");
    refused::<Whale>(betza("fB2"), "only the switched retreat is limited");
    refused::<Whale>(betza("WR"), "one way to each square");
    refused::<Whale>(betza("BbB"), "the same slide twice");
    let hook = |hook| class::<Whale>("H", |class| (class.betza, class.hook) = ("", hook));
    refused::<Whale>(hook(Hook::TwoPhase { first: "F", then: "Q" }), "second phases");
    let lion = Hook::Lion { lines: &[(0, 1)], reach: 1, pass: false };
    refused::<Whale>(hook(lion), "captures on the way are not looked at");
    let two_phase =
        |first, then| class::<Great>("Bl", |class| class.hook = Hook::TwoPhase { first, then });
    assert_eq!(complaint::<Great>(two_phase("W", "B")), None);
    refused::<Great>(two_phase("F", "Q2"), "as far as it will go");
    refused::<Great>(two_phase("B", "Q"), "the first phase is a step");
    refused::<Great>(two_phase("F", "K"), "the second phase slides");
    let twice = class::<Great>("G", |class| {
        (class.betza, class.hook) = ("", Hook::TwoPhase { first: "F", then: "Q" });
    });
    refused::<Great>(twice, "one class at most");
    let far = class::<Great>("FK", |class| {
        class.hook = Hook::Lion { lines: &[(0, 1)], reach: 4, pass: true };
    });
    refused::<Great>(far, "two captures on the way");
    refused::<Whale>(class::<Whale>("H", |class| class.abbreviation = "G"), "no class has");
}

#[test]
fn kinds() {
    refused::<Whale>(kind::<Whale>("P", |kind| kind.token = "H"), "a token names one kind");
    refused::<Whale>(kind::<Whale>("H", |kind| kind.class = "W"), "the white whale");
    refused::<Whale>(kind::<Whale>("W", |kind| kind.class = "K"), "the white whale");
    refused::<Whale>(kind::<Whale>("P", |kind| kind.in_hand = "P"), "not a kind in hand");
    refused::<Whale>(kind::<Whale>("D", |kind| kind.material = 255), "with its top bit clear");
    refused::<Whale>(kind::<Whale>("D", |kind| kind.material = 128), "with its top bit clear");
    assert_eq!(complaint::<Whale>(kind::<Whale>("D", |kind| kind.material = 127)), None);
    refused::<Great>(kind::<Great>("NB", |kind| kind.material = 8), "with its top bit clear");
    refused::<Whale>(kind::<Whale>("H", |kind| kind.promotes_to = Some("P")), "captured alike");
    let swapped = kind::<Great>("BW", |kind| kind.promotes_to = Some("+BD"));
    refused::<Great>(swapped, "captured alike");
    let counters = || Great::SPEC.validate_word::<u64>();
    assert!(catch_unwind(counters).is_err(), "neither 121 squares nor 26 counters fit");
}

#[test]
fn rules_and_boards() {
    for limit in [0, 3, 255] {
        let spec = changed::<Whale>(|spec| spec.pawns.file_limit = limit);
        refused::<Whale>(spec, "whether they hold one and whether they hold two");
    }
    let impasse = |change: fn(&mut Impasse)| {
        changed::<Whale>(|spec| change(spec.impasse.as_mut().expect("this game has the rule")))
    };
    refused::<Whale>(impasse(|rule| rule.heavy = "X"), "no kind has this token");
    refused::<Whale>(impasse(|rule| rule.heavy = "P"), "the heavy piece is a kind in hand");
    refused::<Whale>(impasse(|rule| rule.ranks = 9), "ranks of the board");
    refused::<Whale>(impasse(|rule| rule.ranks = 0), "ranks of the board");
    let zone = changed::<Whale>(|spec| spec.promotion_zone = 1);
    refused::<Whale>(zone, "without promotion");
    let zone = changed::<Great>(|spec| spec.promotion_zone = 12);
    refused::<Great>(zone, "a zone of ranks of the board");
    let none = changed::<Great>(|spec| spec.promotion_zone = 0);
    refused::<Great>(none, "what promotes has somewhere to do so");
    let dense = changed::<Whale>(|spec| {
        spec.geometry = Geometry { files: 6, ranks: 6, stride: 6 };
    });
    refused::<Whale>(dense, "empty columns");
    let checks = changed::<Great>(|spec| spec.whale = WhaleRule::Check);
    refused::<Great>(checks, "where checks are answered");
    let pawns = class::<Whale>("D", |class| class.betza = "fF");
    refused::<Whale>(pawns, "a pawn attacks the square in front of it");
}

/// Keys are saved in books and tables: they are the same in every build, for ever.
#[test]
fn the_keys_of_the_starts_stay() {
    fn key<V: Variant>() -> u64 {
        Position::<V>::start().key()
    }
    assert_eq!(
        [key::<Whale>(), key::<Paulowich>(), key::<Great>()].map(|key| format!("{key:016x}")),
        ["adf09947fd6d293f", "da83a331268ca111", "9fe38b8454cae7f8"]
    );
}
