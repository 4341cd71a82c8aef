//! A course of a game for people who have never played it: small positions with a task each, put together by chance and
//! checked by a search, so that a change of a rule changes them.

mod compose;
mod plan;
mod search;
mod step;

use kujira_position::{Spec, Variant};

pub use compose::build;
pub use plan::{Aim, Lesson, Plan, lessons};
pub use search::{fewest, replies, right};
pub use step::{Course, Step, Task};

/// The seed of the courses of the page.
pub const SEED: u64 = 1;

/// The course of a game.
///
/// # Errors
/// The step for which no position was found.
pub fn course<V: Variant>(seed: u64) -> Result<Course, String> {
    let steps = lessons(V::SPEC).iter().enumerate().map(|(index, lesson)| {
        build::<V>(lesson, seed.wrapping_mul(1000) + index as u64)
            .ok_or_else(|| format!("no position was found for the step {}", lesson.id))
    });
    Ok(Course { game: V::ID.to_string(), seed, steps: steps.collect::<Result<_, _>>()? })
}

/// The classes that lessons of a game teach, by their abbreviations.
#[must_use]
pub fn taught(spec: &Spec, lessons: &[Lesson]) -> Vec<&'static str> {
    let kinds = lessons.iter().flat_map(|lesson| lesson.kinds);
    kinds.filter_map(|token| Some(spec.kind(spec.find_kind(token)?).class)).collect()
}
