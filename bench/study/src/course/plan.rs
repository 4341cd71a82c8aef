//! What each course teaches, in which order: what stands on the board and what is asked for. Where it stands is found by
//! chance (`compose`).

use kujira_position::Spec;

/// What one move is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Capture something that nobody can capture back.
    Safe,
    /// Give check.
    Check,
    /// Save the white whale that is attacked.
    Parry,
    /// Mate.
    Mate,
    /// Mate, where the drop of a pawn-like piece would, too, and is not legal.
    MateWithoutDrop,
    /// Capture the white whale.
    Whale,
    /// Drop a pawn-like piece, where some files are full.
    PawnDrop,
    /// Capture and stay, where whoever goes there is captured.
    Igui,
    /// Move nothing.
    Pass,
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Go to marked squares.
    Reach {
        /// How many squares.
        marks: usize,
        /// At least and at most so many moves.
        moves: (usize, usize),
    },
    /// The same, and without a promotion it would take longer.
    Promote {
        /// How many squares.
        marks: usize,
        /// At least and at most so many moves.
        moves: (usize, usize),
    },
    /// Capture a piece of the last kind of the enemies, and drop what it becomes on the marked square.
    Turncoat,
    /// Capture all pieces of the other side but its white whale.
    Capture {
        /// At least and at most so many moves.
        moves: (usize, usize),
    },
    /// Find a move.
    Find(Aim),
    /// Look on until a position has occurred for the fourth time.
    Repetition,
    /// Win with few pieces a side, against level 1.
    Battle {
        /// The most moves for a full score: in how many the weakest of the players measured that won all its games from
        /// there, against the same level, won half of them. At 6×6 (60 games each) those were 12 moves of the rung of
        /// 2512 Elo; full strength with 20,000 nodes won half in 7 and all in 11. At 11×11 (40 games each) they were 11
        /// moves of the rung of 615 Elo; full strength won half in 2 and all in 3.
        moves: usize,
    },
    /// Play on the full board.
    Game,
}

/// A step of a course, before its position is found.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Its name: what was done is kept by it.
    pub id: &'static str,
    /// The group it belongs to.
    pub group: &'static str,
    /// The key of its sentence.
    pub text: &'static str,
    /// What it teaches or asks for.
    pub kinds: &'static [&'static str],
    /// The learner's pieces, without the white whale.
    pub own: &'static [&'static str],
    /// What the learner holds.
    pub hand: &'static [&'static str],
    /// The other side's pieces.
    pub enemies: &'static [&'static str],
    /// What is asked for.
    pub plan: Plan,
}

const fn lesson(id: &'static str, group: &'static str, text: &'static str, plan: Plan) -> Lesson {
    Lesson { id, group, text, kinds: &[], own: &[], hand: &[], enemies: &[], plan }
}

/// A step in which pieces go to marked squares.
const fn moves_of(
    id: &'static str,
    group: &'static str,
    kinds: &'static [&'static str],
    marks: usize,
    moves: (usize, usize),
) -> Lesson {
    let text = if kinds.len() == 1 { "reach" } else { "reach-both" };
    Lesson { kinds, own: kinds, ..lesson(id, group, text, Plan::Reach { marks, moves }) }
}

const WHALE: &[Lesson] = &[
    Lesson {
        kinds: &["W"],
        ..lesson("goal", "pieces", "goal-mate", Plan::Reach { marks: 2, moves: (3, 4) })
    },
    moves_of("porpoise", "pieces", &["P", "H"], 3, (3, 4)),
    moves_of("blue", "pieces", &["B", "N"], 3, (3, 4)),
    moves_of("grey", "pieces", &["G"], 3, (3, 4)),
    Lesson {
        kinds: &["K"],
        own: &["K"],
        enemies: &["D", "D", "H"],
        ..lesson("killer", "captures", "capture", Plan::Capture { moves: (3, 3) })
    },
    Lesson {
        kinds: &["P", "K"],
        own: &["H"],
        enemies: &["P"],
        ..lesson("turncoat", "captures", "turncoat", Plan::Turncoat)
    },
    Lesson {
        own: &["G"],
        kinds: &["G"],
        enemies: &["D", "N", "B"],
        ..lesson("safe", "captures", "safe", Plan::Find(Aim::Safe))
    },
    Lesson {
        kinds: &["D"],
        own: &["D"],
        ..lesson("retreat", "dolphins", "retreat", Plan::Reach { marks: 2, moves: (3, 4) })
    },
    Lesson {
        kinds: &["D"],
        own: &["D", "D", "D", "D", "D", "D"],
        hand: &["D"],
        ..lesson("files", "dolphins", "files", Plan::Find(Aim::PawnDrop))
    },
    Lesson {
        own: &["N", "G"],
        kinds: &["N"],
        enemies: &["D", "D"],
        ..lesson("check", "whale", "check", Plan::Find(Aim::Check))
    },
    Lesson {
        own: &["H"],
        enemies: &["G", "D", "D"],
        ..lesson("parry", "whale", "parry", Plan::Find(Aim::Parry))
    },
    Lesson {
        own: &["B", "D"],
        hand: &["H"],
        enemies: &["D", "N", "P"],
        ..lesson("mate", "whale", "mate", Plan::Find(Aim::Mate))
    },
    Lesson {
        kinds: &["D"],
        own: &["H", "G"],
        hand: &["D", "B"],
        enemies: &["N", "D"],
        ..lesson("mating-drop", "whale", "mating-drop", Plan::Find(Aim::MateWithoutDrop))
    },
    lesson("repetition", "whale", "repetition", Plan::Repetition),
    Lesson {
        own: &["G", "N", "B", "D", "D"],
        enemies: &["H", "D", "D"],
        ..lesson("battle", "games", "battle", Plan::Battle { moves: 12 })
    },
    lesson("game", "games", "game", Plan::Game),
];

const PAULOWICH: &[Lesson] = &[
    moves_of("right", "pieces", &["A"], 3, (4, 5)),
    Lesson {
        kinds: &["A"],
        own: &["A"],
        enemies: &["D", "P", "N"],
        ..lesson("right-captures", "captures", "capture", Plan::Capture { moves: (3, 5) })
    },
    Lesson {
        kinds: &["A"],
        own: &["A", "G"],
        hand: &["A"],
        enemies: &["D", "B", "D"],
        ..lesson("right-mate", "whale", "mate", Plan::Find(Aim::Mate))
    },
    lesson("game", "games", "game", Plan::Game),
];

const GREAT: &[Lesson] = &[
    Lesson {
        kinds: &["W"],
        ..lesson("goal", "goal", "goal-capture", Plan::Reach { marks: 2, moves: (3, 4) })
    },
    Lesson {
        kinds: &["M"],
        own: &["M", "P"],
        enemies: &["BC", "F"],
        ..lesson("whale", "goal", "whale", Plan::Find(Aim::Whale))
    },
    moves_of("calf", "calves", &["PC", "SEC"], 2, (3, 4)),
    Lesson {
        kinds: &["DPC"],
        own: &["DPC"],
        ..lesson("promotion", "calves", "promotion", Plan::Promote { marks: 2, moves: (3, 4) })
    },
    Lesson {
        kinds: &["KC"],
        own: &["BRC", "DPC", "NBC", "BC", "FC", "MC", "SEC"],
        hand: &["KC"],
        ..lesson("files", "calves", "calf-files", Plan::Find(Aim::PawnDrop))
    },
    moves_of("minke", "baleen", &["M", "F"], 3, (3, 4)),
    moves_of("bryde", "baleen", &["B", "SE"], 3, (3, 4)),
    moves_of("bowhead", "baleen", &["BW", "BR"], 3, (3, 4)),
    moves_of("dolphins", "sea", &["BD", "RT"], 3, (3, 4)),
    moves_of("porpoises", "sea", &["HP", "DP"], 3, (3, 4)),
    moves_of("sperm", "sliders", &["S", "H"], 4, (4, 4)),
    moves_of("bottlenose", "sliders", &["NB", "P"], 3, (3, 4)),
    Lesson {
        kinds: &["HP", "+HP"],
        own: &["HP"],
        ..lesson("adult", "promoted", "adult", Plan::Promote { marks: 3, moves: (3, 4) })
    },
    moves_of("dwarf", "promoted", &["+BW", "+DP"], 3, (3, 4)),
    moves_of("pygmies", "promoted", &["+SE", "+B"], 3, (3, 4)),
    moves_of("beaked", "promoted", &["+M", "+F"], 3, (3, 4)),
    moves_of("pacific", "promoted", &["+P"], 3, (3, 4)),
    moves_of("gray", "promoted", &["+H"], 3, (3, 4)),
    Lesson {
        kinds: &["+S"],
        own: &["+S"],
        ..lesson("blue", "promoted", "two-phase", Plan::Reach { marks: 3, moves: (3, 3) })
    },
    Lesson {
        kinds: &["K"],
        own: &["K"],
        enemies: &["M", "F"],
        ..lesson("lion", "lions", "lion", Plan::Capture { moves: (1, 1) })
    },
    Lesson {
        kinds: &["K"],
        own: &["K"],
        enemies: &["M", "F"],
        ..lesson("igui", "lions", "igui", Plan::Find(Aim::Igui))
    },
    Lesson {
        kinds: &["+BR"],
        own: &["+BR"],
        enemies: &["M", "F", "NB"],
        ..lesson("false-killer", "lions", "way", Plan::Capture { moves: (1, 1) })
    },
    Lesson {
        kinds: &["+BR"],
        own: &["+BR"],
        enemies: &["M"],
        ..lesson("pass", "lions", "pass", Plan::Find(Aim::Pass))
    },
    Lesson {
        kinds: &["+NB"],
        own: &["+NB"],
        enemies: &["DP", "BD", "S"],
        ..lesson("beluga", "lions", "igui", Plan::Find(Aim::Igui))
    },
    Lesson {
        own: &["BD"],
        enemies: &["S", "M", "RT"],
        ..lesson("parry", "attack", "parry-capture", Plan::Find(Aim::Parry))
    },
    Lesson {
        own: &["K", "M", "S"],
        hand: &["NB"],
        enemies: &["M", "BC", "F"],
        ..lesson("mate", "attack", "mate-capture", Plan::Find(Aim::Mate))
    },
    Lesson {
        own: &["K", "S", "H", "NB", "M", "BC", "FC"],
        enemies: &["P", "F", "DP", "MC", "PC"],
        ..lesson("battle", "games", "battle", Plan::Battle { moves: 11 })
    },
    lesson("game", "games", "game", Plan::Game),
];

/// The steps of each course, by the games' ids.
const COURSES: [(&str, &[Lesson]); 3] =
    [("whale", WHALE), ("paulowich", PAULOWICH), ("great", GREAT)];

/// The steps of the course of a game; none where nobody has written one.
#[must_use]
pub fn lessons(spec: &Spec) -> &'static [Lesson] {
    let course = COURSES.iter().find(|(game, _)| *game == spec.id);
    course.map_or(&[], |&(_, lessons)| lessons)
}
