//! A course as its file has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is to be done in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Go to all marked squares. The other side does not move.
    Reach,
    /// Capture all marked pieces. The other side does not move.
    Capture,
    /// Play one of the moves that are right.
    Find,
    /// Look on.
    Watch,
    /// Win against the engine.
    Battle,
    /// Begin a game on the full board.
    Game,
}

/// A step of a course.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its name, the same in every file: what was done is kept by it.
    pub id: String,
    /// The group it belongs to.
    pub group: String,
    /// The key of its sentence.
    pub text: String,
    /// The tokens of the kinds that it teaches or asks for.
    pub kinds: Vec<String>,
    /// The position.
    pub sfen: String,
    /// What is to be done.
    pub task: Task,
    /// The marked squares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    /// The fewest moves of the learner, or the moves after which a battle is to be won.
    pub moves: usize,
    /// Moves that do it, of the learner alone; what is shown, of both sides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// Every move that is right, where one is to be found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub right: Vec<String>,
    /// How the other side answers moves that are not.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub replies: BTreeMap<String, String>,
}

/// A file of a course.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// The game.
    pub game: String,
    /// What chose the positions.
    pub seed: u64,
    /// The steps, in the order in which they are taken.
    pub steps: Vec<Step>,
}

impl Course {
    /// The file as text, a line a step.
    ///
    /// # Errors
    /// None that can be: all of it is text and numbers.
    pub fn text(&self) -> serde_json::Result<String> {
        let lines: Result<Vec<_>, _> = self.steps.iter().map(serde_json::to_string).collect();
        let game = serde_json::to_string(&self.game)?;
        let seed = self.seed;
        Ok(format!("{{\"game\":{game},\"seed\":{seed},\"steps\":[\n{}\n]}}\n", lines?.join(",\n")))
    }
}
