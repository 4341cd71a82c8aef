//! What pages ask for and what they are told, as JSON.

use kujira_record::{Format, NodeId, Spoken};
use kujira_usi::{Ending, Score, Side, Switches};
use serde::{Deserialize, Serialize};

use crate::clock::TimeControl;
use crate::coach::Warning;
use crate::editor::Draft;
use crate::engine::Role;
use crate::explain::Why;
use crate::players::Player;
use crate::slot::SlotView;
use crate::view::PositionView;

/// The longest command, in bytes.
pub const LONGEST_COMMAND: usize = 320 * 1024;

/// The longest request for a new game, in bytes. It may hold a game as text, which JSON makes longer. A text that is
/// somewhat too long for a game is still read, so that the refusal says why.
pub const LONGEST_REQUEST: usize = 4 * kujira_record::LONGEST_TEXT;

/// What the page asks for in a game.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Sets how long a move of an engine waits after the move before, where no clock runs.
    Pace {
        /// Milliseconds, none by default.
        millis: u64,
    },
    /// Plays a move at a node.
    Play {
        /// The node.
        at: NodeId,
        /// The move.
        usi: String,
    },
    /// Gives the turn back to the side that has just moved: what stands at a node is the start of a new tree then. No
    /// rule allows it; lessons do, in which the other side does not move.
    Again {
        /// The node.
        at: NodeId,
    },
    /// Moves the view of this page to a node; other pages stay.
    Goto {
        /// The node.
        node: NodeId,
    },
    /// Takes the last move back, and the engine's before it. On a free board it is a step to the move before.
    TakeBack,
    /// Undoes the last take-back, as long as no move has been played since: moves, times and scores are as before.
    BringBack,
    /// Gives up.
    Resign {
        /// Who does.
        side: Side,
    },
    /// Ends the game as a draw if people play each other; offers a draw to an engine, which accepts or declines.
    Draw,
    /// Claims an impasse for the side to move.
    Claim,
    /// Stops the game, so that pieces can be moved freely.
    Pause,
    /// Goes on with the game from the node that the page shows.
    Resume,
    /// Makes the engine play the best move it has found so far.
    MoveNow,
    /// Changes who plays, Black first.
    Players {
        /// The players.
        players: [Player; 2],
    },
    /// Sets what the engine may use.
    Resources {
        /// Threads.
        threads: u32,
        /// Table size in MiB.
        hash: u32,
    },
    /// Starts or stops analysis, at the node of the page that asked or stepped last.
    Analysis {
        /// Whether it is to run.
        on: bool,
        /// How many lines.
        lines: u32,
    },
    /// Says whether the page is visible: analysis rests while no page is.
    Seen {
        /// Whether it is; a page that has not said so counts as visible.
        seen: bool,
    },
    /// Starts or stops the analysis of every position of the line that the page shows.
    Sweep {
        /// Whether it is to run.
        on: bool,
    },
    /// Asks for a move to be named, at the node that the page shows.
    Hint,
    /// Lets the coach look on while somebody is to move in a game that is on, or not.
    Coach {
        /// Whether it is to.
        on: bool,
    },
    /// Asks for a word on a move before it is made.
    Consider {
        /// The node.
        at: NodeId,
        /// The move.
        usi: String,
    },
    /// Ends an engine and starts it anew.
    Restart {
        /// Which.
        role: Role,
    },
    /// Makes the way to a node the main line.
    Promote {
        /// The node.
        node: NodeId,
    },
    /// Removes a move with all that follows.
    Delete {
        /// The node.
        node: NodeId,
    },
    /// Asks for the game as text.
    Export {
        /// As what.
        format: Format,
        /// Today, `YYYY.MM.DD`.
        #[serde(default)]
        date: String,
    },
    /// Asks why a move is not legal.
    Explain {
        /// Where.
        at: NodeId,
        /// The square it starts on.
        from: Option<String>,
        /// Or the token of the piece in hand.
        drop: Option<String>,
        /// The square it ends on.
        to: String,
    },
    /// Asks what is attacked.
    Attacks {
        /// Where.
        at: NodeId,
    },
    /// Asks whether a position is possible.
    Check {
        /// The position.
        draft: Draft,
    },
    /// Asks for the whole state, as when the page joined.
    State,
    /// Asks for a sign of life.
    Ping,
}

/// A new game, as the page asks for it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The id of the game.
    pub variant: String,
    /// The id of a handicap.
    #[serde(default)]
    pub handicap: Option<String>,
    /// Or the SFEN to start from.
    #[serde(default)]
    pub sfen: Option<String>,
    /// Or a game as PGN or USI text to go on with.
    #[serde(default)]
    pub text: Option<String>,
    /// The rule switches.
    #[serde(default)]
    pub rules: Switches,
    /// Who plays, Black first.
    pub players: [Player; 2],
    /// The time control, if a clock is to run.
    #[serde(default)]
    pub time: Option<TimeControl>,
    /// Whether the game is to be on, as against a board to move pieces on. A game read from a text is not.
    #[serde(default = "yes")]
    pub playing: bool,
    /// Whether it is not kept: it ends when the last page leaves, and no list has it.
    #[serde(default)]
    pub fleeting: bool,
}

fn yes() -> bool {
    true
}

/// What a page is told.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The whole state: the first message of a page, and the answer to [`Command::State`].
    State(Box<State>),
    /// What has changed since the last state or change, for pages that have the state.
    Change(Box<Change>),
    /// What an engine has found so far.
    Lines(Lines),
    /// Something asked for could not be done.
    Error {
        /// Why.
        text: String,
    },
    /// Something is to be said that is no error.
    Notice {
        /// What.
        text: String,
    },
    /// The game as text.
    Text {
        /// As what it is written.
        format: &'static str,
        /// The text.
        text: String,
    },
    /// Why a move is not legal.
    Explanation {
        /// In English; none if it is.
        text: Option<String>,
        /// The reason, for pages in other languages; none if it is not one of the rules.
        why: Option<Why>,
    },
    /// What is attacked.
    Attacks(crate::attacks::Attacks),
    /// Whether a position is possible.
    Verdict(crate::editor::Verdict),
    /// What the coach says of a move that is not made yet.
    Considered {
        /// Where.
        at: NodeId,
        /// The move.
        usi: String,
        /// What is wrong with it; none if nothing is, or if nobody knows.
        #[serde(skip_serializing_if = "Option::is_none")]
        warning: Option<Warning>,
        /// The best reply, as USI, if the engine found one.
        #[serde(skip_serializing_if = "Option::is_none")]
        reply: Option<String>,
    },
    /// A sign of life.
    Pong,
}

/// The whole state of a game, for a page.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    /// The game's name.
    pub id: String,
    /// Which game it is.
    pub variant: &'static str,
    /// The handicap it began with.
    pub handicap: Option<&'static str>,
    /// The SFEN that the game began with.
    pub start: String,
    /// The rule switches.
    pub rules: Switches,
    /// The time control.
    pub time: Option<TimeControl>,
    /// Every move, parents before children.
    pub nodes: Vec<NodeView>,
    /// What the page looks at.
    #[serde(flatten)]
    pub shown: Shown,
    /// Whether somebody at the board may move there.
    pub movable: bool,
    /// Everything else.
    #[serde(flatten)]
    pub now: Situation,
}

/// What has changed of a [`State`]. A page may take it in twice, or know part of it already.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The moves that are new or not as they were, parents before children.
    pub nodes: Vec<NodeView>,
    /// The moves that are gone.
    pub removed: Vec<NodeId>,
    /// What the page looks at, where it is something else.
    #[serde(flatten)]
    pub shown: Option<Shown>,
    /// Whether somebody at the board may move where the page looks.
    pub movable: bool,
    /// Everything else that can change.
    #[serde(flatten)]
    pub now: Situation,
}

/// What a page looks at: each has a view of its own.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// The node.
    pub current: NodeId,
    /// The position there.
    pub position: PositionView,
}

/// Who plays, where the game stands, and what engines do: what every page is told with every change.
#[derive(Clone, Debug, Serialize)]
pub struct Situation {
    /// Who plays, Black first.
    pub players: [Player; 2],
    /// The clocks.
    pub clocks: Option<Clocks>,
    /// The node where the game stands.
    pub tip: NodeId,
    /// Whether the game is on.
    pub playing: bool,
    /// Whether moves were taken back that can be brought back.
    pub taken: bool,
    /// The engine that plays.
    pub player: SlotView,
    /// The engine that analyses.
    pub analyst: SlotView,
    /// How many lines analysis shows; none while it is off.
    pub analysis: Option<u32>,
    /// Positions done of an analysis of the whole game, and all of them.
    pub sweep: Option<[usize; 2]>,
    /// The moves that decided the game, in the order of play, once a review has looked at every position.
    pub moments: Option<Vec<Moment>>,
    /// A hint, and the node it is for.
    pub hint: Option<(NodeId, String)>,
    /// What the coach sees where the game stands, once it has looked.
    pub coach: Option<Watch>,
    /// Threads of the engine.
    pub threads: u32,
    /// Table size in MiB.
    pub hash: u32,
    /// Why what is shown could not be saved, while it could not.
    pub unsaved: Option<String>,
}

/// What the coach sees where somebody is to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Watch {
    /// The node.
    pub node: NodeId,
    /// What the other side would do if it were its turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threat: Option<Warning>,
}

/// A move that lost much.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Moment {
    /// The move.
    pub node: NodeId,
    /// `inaccuracy`, `mistake` or `blunder`.
    pub judgement: &'static str,
    /// The chances of the side that made it before, in per cent.
    pub before: u32,
    /// And after it.
    pub after: u32,
    /// What was better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<Better>,
}

/// A move that was better than the one made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Better {
    /// As USI.
    pub usi: String,
    /// As people write it, in Japanese and Western squares.
    pub text: [String; 2],
}

/// The clocks as they stand when the state is sent.
#[derive(Clone, Debug, Serialize)]
pub struct Clocks {
    /// What is left, Black's first, in milliseconds.
    pub left: [u64; 2],
    /// What each has left of its byoyomi: nothing, whose time has run out.
    pub byoyomi: [u64; 2],
    /// Whose clock runs; nobody's while an engine is not yet at work, or nobody looks on.
    pub running: Option<Side>,
}

/// A move for the list of moves.
#[derive(Clone, Debug, Serialize)]
pub struct NodeView {
    /// Its number.
    pub id: NodeId,
    /// The number of the move before.
    pub parent: Option<NodeId>,
    /// The moves after it.
    pub children: Vec<NodeId>,
    /// As USI.
    pub usi: String,
    /// As people write it, in Japanese and Western squares.
    pub text: [String; 2],
    /// What it does, to be told in words; none at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spoken: Option<Spoken>,
    /// Who is to move after it.
    pub side: Side,
    /// The number of the next move.
    pub ply: u32,
    /// How the game ended with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// The result as PGN writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
    /// What an engine thought, as Black sees it, and its depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<(Score, u32)>,
}

/// What an engine has found so far.
#[derive(Clone, Debug, Serialize)]
pub struct Lines {
    /// Which engine.
    pub role: Role,
    /// For which node.
    pub node: NodeId,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// Milliseconds.
    pub time: Option<u64>,
    /// How full the table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The lines, the best first.
    pub lines: Vec<LineView>,
}

/// A line of play.
#[derive(Clone, Debug, Serialize)]
pub struct LineView {
    /// Plies searched.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: Option<u32>,
    /// The score as Black sees it.
    pub score: Score,
    /// Whether the score is only a bound.
    pub bound: bool,
    /// The moves as USI.
    pub usi: Vec<String>,
    /// The moves as people write them.
    pub text: Vec<[String; 2]>,
}
