//! What the page knows of a game before the first move: board, pieces, diagrams, handicaps.
use kujira_position::{
    Coordinates, Diagram, Hook, Kind, Mark, Position, Spec, VariantId, WhaleRule, with_variant,
};
use serde::Serialize;

use crate::players::{Level, Levels};
use crate::view::{Placement, placement};

/// A game for the page.
#[derive(Serialize, Debug)]
pub struct GameView {
    id: &'static str,
    name: &'static str,
    files: u8,
    ranks: u8,
    start: &'static str,
    setup: Placement,
    /// Whether the white whale is captured rather than mated.
    capture: bool,
    promotion_zone: u8,
    /// Whether an impasse rule exists.
    impasse: bool,
    /// Whether some piece moves in another way on the farthest rank.
    retreats: bool,
    handicaps: Vec<HandicapView>,
    kinds: Vec<KindView>,
    /// Squares in reading order, as USI and in Western squares.
    squares: Vec<[String; 2]>,
    levels: Vec<LevelView>,
    /// The number of the level that a new game offers first.
    usual_level: usize,
}

#[derive(Serialize, Debug)]
struct LevelView {
    name: &'static str,
    elo: Option<u32>,
}

#[derive(Serialize, Debug)]
struct HandicapView {
    id: &'static str,
    name: String,
    setup: Placement,
}

/// A kind of piece for the page.
#[derive(Serialize, Debug)]
struct KindView {
    token: &'static str,
    /// The letters on the tile.
    written: &'static str,
    name: &'static str,
    /// What it moves like, for people.
    class: &'static str,
    /// Whether it is one of the little pieces that step straight ahead.
    pawn: bool,
    promoted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotes_to: Option<&'static str>,
    /// The token it has in its captor's hand; none for the white whale.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_hand: Option<&'static str>,
    /// How many there are at the start, both sides together.
    material: u8,
    diagrams: Vec<DiagramView>,
}

#[derive(Serialize, Debug)]
struct DiagramView {
    radius: i8,
    farthest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// `[dx, dy, mark]`: files to the right, ranks forward, and `step`, `leap`, `slide`, `rider`,
    /// `igui`, `way2`, `way3` or `second`.
    marks: Vec<(i8, i8, &'static str)>,
}

const fn mark(dx: i8, dy: i8, mark: Mark) -> &'static str {
    match mark {
        Mark::Leap if dx.abs() <= 1 && dy.abs() <= 1 => "step",
        Mark::Leap => "leap",
        Mark::Slide { dx: -1..=1, dy: -1..=1 } => "slide",
        Mark::Slide { .. } => "rider",
        Mark::Igui => "igui",
        Mark::Way(2) => "way2",
        Mark::Way(_) => "way3",
        Mark::SecondPhase => "second",
    }
}

fn diagram_view(diagram: &Diagram) -> DiagramView {
    DiagramView {
        radius: diagram.radius(),
        farthest: diagram.farthest(),
        note: diagram.note(),
        marks: diagram.marks().iter().map(|&(dx, dy, m)| (dx, dy, mark(dx, dy, m))).collect(),
    }
}

fn kind_view(spec: &Spec, kind: Kind) -> KindView {
    let data = spec.kind(kind);
    KindView {
        token: data.token,
        written: spec.written_name(kind),
        name: spec.name_of(kind),
        class: spec.class(spec.class_of(kind)).name,
        pawn: spec.is_pawn(kind),
        promoted: data.token.starts_with('+'),
        promotes_to: data.promotes_to,
        in_hand: (kind != Kind::WHALE).then_some(data.in_hand),
        material: data.material,
        diagrams: Diagram::of(spec, kind).iter().map(diagram_view).collect(),
    }
}

/// The name of a handicap: of the pieces that its id, one letter each, takes off.
fn handicap_name(spec: &Spec, id: &str) -> String {
    let names = id.chars().filter_map(|letter| spec.find_kind(letter.encode_utf8(&mut [0; 4])));
    names.map(|kind| spec.name_of(kind)).collect::<Vec<_>>().join(", ")
}

/// What the page needs to know of a game.
#[must_use]
pub fn game_view(variant: VariantId, levels: &Levels) -> GameView {
    let spec = variant.spec();
    let squares = spec.geometry.reading_order().map(|square| {
        [Coordinates::Japanese, Coordinates::Western].map(|c| c.name(spec.geometry, square))
    });
    let setup = |sfen: &str| {
        // The positions of a spec are valid, which tests of the games hold.
        with_variant!(variant, V => placement(&Position::<V>::from_sfen(sfen).unwrap_or_default()))
    };
    GameView {
        id: spec.id,
        name: spec.name,
        files: spec.geometry.files,
        ranks: spec.geometry.ranks,
        start: spec.start,
        setup: setup(spec.start),
        capture: spec.whale == WhaleRule::Capture,
        promotion_zone: spec.promotion_zone,
        impasse: spec.impasse.is_some(),
        retreats: spec.classes.iter().any(|class| matches!(class.hook, Hook::Retreat { .. })),
        handicaps: spec
            .handicaps
            .iter()
            .map(|h| HandicapView {
                id: h.id,
                name: handicap_name(spec, h.id),
                setup: setup(h.sfen),
            })
            .collect(),
        kinds: spec.all_kinds().map(|kind| kind_view(spec, kind)).collect(),
        squares: squares.collect(),
        levels: levels
            .levels(variant)
            .iter()
            .map(|&Level { name, elo, .. }| LevelView { name, elo })
            .collect(),
        usual_level: levels.usual(variant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_diagram_with_marks() {
        let counts = [8, 9, 52];
        for (&variant, kinds) in VariantId::ALL.iter().zip(counts) {
            let view = game_view(variant, &Levels::new([]));
            assert_eq!(view.kinds.len(), kinds);
            for kind in &view.kinds {
                assert!(kind.diagrams.iter().all(|d| !d.marks.is_empty()), "{}", kind.token);
            }
        }
    }

    #[test]
    fn hooks_reach_the_page() {
        let great = game_view(VariantId::Great, &Levels::new([]));
        let marks = |token: &str| {
            let kind = great.kinds.iter().find(|kind| kind.token == token).unwrap();
            let marks = kind.diagrams.iter().flat_map(|d| d.marks.iter().copied());
            marks.collect::<Vec<_>>()
        };
        assert!(marks("+BR").contains(&(0, 3, "way3")) && marks("+BR").contains(&(0, 1, "igui")));
        assert!(marks("K").contains(&(1, 1, "igui")) && marks("K").contains(&(-2, 2, "way2")));
        assert!(marks("+S").contains(&(1, 1, "step")) && marks("+S").contains(&(0, 2, "second")));
        assert!(marks("+H").contains(&(2, 4, "rider")) && marks("BR").contains(&(3, 0, "leap")));
        assert!(marks("S").contains(&(2, 2, "slide")));
        let whale = game_view(VariantId::Whale, &Levels::new([]));
        let names: Vec<_> = whale.handicaps.iter().map(|h| &h.name[..]).collect();
        assert_eq!(names.last(), Some(&"porpoise, humpback, grey whale"));
        let dolphin = whale.kinds.iter().find(|kind| kind.token == "D").unwrap();
        assert!(dolphin.diagrams[1].farthest);
    }
}
