//! The courses of the page: every step is played again, and the files are what the command makes.

use std::collections::BTreeMap;

use kujira_position::{
    ClassSpec, Hook, Move, Position, Spec, Square, SquareText, UsiMove, Variant, VariantId, Whale,
    with_variant,
};
use kujira_study::course::{
    Aim, Course, Plan, SEED, Step, Task, course, fewest, lessons, replies, right, taught,
};

const FILES: [(VariantId, &str); 3] = [
    (VariantId::Whale, include_str!("../../../protocol/page/src/learn/whale.json")),
    (VariantId::Paulowich, include_str!("../../../protocol/page/src/learn/paulowich.json")),
    (VariantId::Great, include_str!("../../../protocol/page/src/learn/great.json")),
];

fn usi<V: Variant>(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&m| UsiMove::<V>::new(m).to_string()).collect()
}

fn square<V: Variant>(name: &str) -> Square {
    SquareText::parse_prefix(V::SPEC.geometry, name).unwrap().0
}

#[test]
fn the_files_are_what_the_command_makes() {
    for (game, file) in FILES {
        let made = with_variant!(game, V => course::<V>(SEED)).unwrap().text().unwrap();
        assert!(
            made == file,
            "kujira-bench course {game} --force --out protocol/page/src/learn/{game}.json"
        );
    }
}

#[test]
fn every_step_is_played_again() {
    for (game, file) in FILES {
        let course: Course = serde_json::from_str(file).unwrap();
        assert_eq!(course.game, game.to_string());
        with_variant!(game, V => {
            for (step, lesson) in course.steps.iter().zip(lessons(V::SPEC)) {
                assert_eq!(step.id, lesson.id);
                check::<V>(step, lesson.plan);
            }
        });
    }
}

fn check<V: Variant>(step: &Step, plan: Plan) {
    let name = format!("{} {}", V::ID, step.id);
    let position = Position::<V>::from_sfen(&step.sfen).unwrap();
    let marks: Vec<Square> = step.marks.iter().map(|mark| square::<V>(mark)).collect();
    let promotes = matches!(plan, Plan::Promote { .. });
    match step.task {
        Task::Reach | Task::Capture => {
            let captures = step.task == Task::Capture;
            let line = fewest(&position, &marks, captures, step.moves, promotes).unwrap();
            assert_eq!(usi::<V>(&line), step.line, "{name}");
            assert_eq!(line.len(), step.moves, "{name}");
            assert!(fewest(&position, &marks, captures, step.moves - 1, true).is_none(), "{name}");
            if promotes {
                let plain = fewest(&position, &marks, captures, step.moves, false);
                assert!(plain.is_none(), "{name}: a promotion is worth it");
            }
        }
        Task::Find => {
            let Plan::Find(aim) = plan else { panic!("{name}: {plan:?}") };
            assert_eq!(usi::<V>(&right(&position, aim)), step.right, "{name}");
            assert_eq!(replies(&position, aim), step.replies, "{name}");
            assert_eq!((step.moves, &step.line[..]), (1, &step.right[..1]), "{name}");
            for (wrong, reply) in &step.replies {
                assert!(!step.right.contains(wrong), "{name}: {wrong}");
                let mut next = position.clone();
                for text in [wrong, reply] {
                    let m = next.parse_usi(text).unwrap_or_else(|e| panic!("{name}: {text}: {e}"));
                    next.make(m);
                }
            }
            if matches!(aim, Aim::Safe | Aim::Igui)
                || aim == Aim::Parry && V::SPEC.captures_whales()
            {
                assert_ne!(
                    step.replies,
                    BTreeMap::new(),
                    "{name}: a careless move is shown to fail"
                );
            }
        }
        Task::Watch => {
            let mut next = position;
            for text in &step.line {
                assert_eq!(next.outcome(), None, "{name}");
                next.make(next.parse_usi(text).unwrap());
            }
            assert_eq!(next.outcome().unwrap().to_string(), "draw: fourfold repetition", "{name}");
        }
        Task::Battle => assert!(step.moves > 1, "{name}"),
        Task::Game => assert_eq!(step.sfen, V::SPEC.start, "{name}"),
    }
}

/// Whether a step in which a class moves has such a plan.
fn is_asked_for(spec: &Spec, class: &ClassSpec, plan: fn(Plan) -> bool) -> bool {
    let moves = |token: &&str| {
        spec.find_kind(token).is_some_and(|kind| spec.kind(kind).class == class.abbreviation)
    };
    lessons(spec).iter().any(|lesson| plan(lesson.plan) && lesson.own.iter().any(&moves))
}

#[test]
fn every_class_and_hook_is_taught() {
    let whale = VariantId::Whale.spec();
    for &game in VariantId::ALL {
        let spec = game.spec();
        let found = taught(spec, lessons(spec));
        for class in spec.classes {
            // What moves alike in the smallest game has been learnt there.
            let known = game == VariantId::Paulowich
                && whale.classes.iter().any(|other| {
                    (other.abbreviation, other.betza, other.hook)
                        == (class.abbreviation, class.betza, class.hook)
                });
            assert!(known || found.contains(&class.abbreviation), "{game}: {}", class.name);
            let is = |plan| known || is_asked_for(spec, class, plan);
            let asked = match class.hook {
                Hook::None => true,
                Hook::Retreat { .. } | Hook::TwoPhase { .. } => {
                    is(|plan| matches!(plan, Plan::Reach { .. }))
                }
                Hook::Lion { reach, pass, .. } => {
                    (reach == 1 || is(|plan| matches!(plan, Plan::Capture { .. })))
                        && (reach > 2 || is(|plan| plan == Plan::Find(Aim::Igui)))
                        && (!pass || is(|plan| plan == Plan::Find(Aim::Pass)))
                }
            };
            assert!(asked, "{game}: {}", class.name);
        }
    }
}

#[test]
fn other_seeds_make_other_courses() {
    let one = course::<Whale>(1).unwrap();
    let two = course::<Whale>(2).unwrap();
    assert_ne!(one.steps[1].sfen, two.steps[1].sfen);
    assert_eq!(one.steps.len(), two.steps.len());
}
