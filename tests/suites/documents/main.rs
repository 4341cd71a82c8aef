//! What the documents show is what the games' data say.

use kujira_position::{Diagram, VariantId};
use kujira_record::review;

#[path = "../../examples/diagrams.rs"]
mod diagrams;

const RULES: &str = include_str!("../../../docs/rules.md");
const CHANCES: &str = include_str!("../../../protocol/page/src/chances.js");
const RECORDS: &str = include_str!("../../../docs/records.md");

#[test]
fn the_diagrams_of_the_rules_are_up_to_date() {
    let fresh = diagrams::redraw(RULES).unwrap();
    assert!(
        fresh == RULES,
        "run: cargo run --locked -p kujira-tests --example diagrams -- docs/rules.md"
    );
}

#[test]
fn the_rules_show_every_way_to_move() {
    let mut shown = Vec::new();
    for game in VariantId::ALL {
        let spec = game.spec();
        let marker = format!("<!-- diagrams: {} ", spec.id);
        let orders =
            RULES.lines().filter_map(|line| line.strip_prefix(&marker)?.strip_suffix(" -->"));
        for token in orders.flat_map(|tokens| tokens.split(' ')) {
            shown.push(Diagram::of(spec, spec.kind_named(token)));
        }
    }
    for game in VariantId::ALL {
        let spec = game.spec();
        let mut classes = vec![false; spec.classes.len()];
        for kind in spec.all_kinds() {
            classes[spec.class_of(kind).index()] |= shown.contains(&Diagram::of(spec, kind));
        }
        for (class, has_diagram) in spec.classes.iter().zip(classes) {
            assert!(has_diagram, "no diagram of {} of {}", class.name, spec.name);
        }
    }
}

#[test]
fn the_rules_hold_every_start() {
    for game in VariantId::ALL {
        let spec = game.spec();
        assert!(RULES.contains(spec.start), "{}", spec.name);
        for handicap in spec.handicaps {
            let rank = handicap.sfen.split('/').next().unwrap();
            assert!(RULES.contains(rank), "handicap {} of {}", handicap.id, spec.name);
        }
        for kind in spec.all_kinds() {
            let name = spec.name_of(kind);
            let named = RULES.contains(name)
                || name.strip_suffix(" calf").is_some_and(|adult| RULES.contains(adult));
            assert!(named, "{name} of {}", spec.name);
        }
    }
}

#[test]
fn documents_that_cannot_be_drawn_are_refused() {
    for (text, message) in [
        ("<!-- diagrams: whale W", "line 1: expected --> at the end, found <!-- diagrams: whale W"),
        (
            "a\n<!-- diagrams: chess W -->",
            "line 2: expected the id of a game, found <!-- diagrams: chess W -->",
        ),
        (
            "<!-- diagrams: whale X -->",
            "line 1: expected tokens of the game, found <!-- diagrams: whale X -->",
        ),
        (
            "<!-- diagrams: whale W -->\n```",
            "line 1: expected a code block behind the line, found <!-- diagrams: whale W -->",
        ),
    ] {
        assert_eq!(diagrams::redraw(text), Err(message.to_owned()));
    }
    let old = "x\n<!-- diagrams: whale P -->\n```text\nold\n```\ny\n";
    let drawn = diagrams::redraw(old).unwrap();
    assert!(
        drawn.contains("\nP\n") && drawn.ends_with("```\ny\n") && !drawn.contains("old"),
        "{drawn}"
    );
}

/// What a score makes expect stands once; the page and the document say the same.
#[test]
fn the_page_and_the_records_know_what_scores_stand_for() {
    let scales = VariantId::ALL.iter().map(|&game| (game.spec().id, review::scale(game)));
    let scales: Vec<_> = scales.collect();
    let in_page: Vec<_> = scales.iter().map(|(id, scale)| format!("{id}: {scale}")).collect();
    let in_page = format!("const SCALES = {{ {} }};", in_page.join(", "));
    assert!(CHANCES.contains(&in_page), "expected {in_page} in chances.js");
    for (id, scale) in scales {
        assert!(RECORDS.contains(&format!("| {id} | {scale} |")), "expected | {id} | {scale} |");
    }
    for judgement in review::Judgement::ALL {
        let row = format!("| {} | ", judgement.name());
        assert!(RECORDS.contains(&row), "expected {row}");
    }
}
