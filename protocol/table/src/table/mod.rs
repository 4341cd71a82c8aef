//! A game at the table: takes what people ask for and what engines say, one after the other, and says what
//! everybody is to be told, what engines are to do, and what is to be kept.

mod commands;
mod draw;
mod engines;
mod known;
mod pace;
mod play;
mod seat;
mod seats;
mod state;
mod takeback;
mod taken;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use kujira_position::{Color, Rules};
use kujira_record::NodeId;

use crate::clock::{Clock, Millis};
use crate::config::{Config, Resources};
use crate::engine::{EngineEvent, EngineId, Role};
use crate::message::{Command, Message};
use crate::output::{Output, PageId};
use crate::players::Player;
use crate::saved::Saved;
use crate::slot::{Job, Slot};
use known::Known;
use pace::Pace;
use seat::Seat;
use taken::Taken;

/// Least time between two reports of what an engine finds.
const LINES_APART: Millis = 100;

/// How long engines and clocks go on without anybody looking.
const ABSENCE: Millis = 5_000;

/// Least time between two times that what nobody waits for is kept: scores of positions, where somebody looks.
const KEPT_APART: Millis = 2_000;

/// Greatest time between two tries to keep that where keeping fails.
const MOST_APART: Millis = 60_000;

/// What only the page that asked is told.
enum Answer {
    /// All there is to show, as it stands once everything has followed.
    State,
    /// What it looks at now.
    View,
    Message(Message),
}

/// A game at the table, without I/O: it is fed what happens and the time, and asked what is to be done.
///
/// Times are milliseconds since a point that the driver chooses; one that lies before an earlier one counts as that.
/// After every call that feeds it, the driver takes [`Self::next_output`] until there is none.
pub struct Table {
    config: Config,
    saved: Saved,
    clock: Option<Clock>,
    player: Slot,
    analyst: Slot,
    analysis: Option<u32>,
    /// Analysis that the engine ended by itself.
    analysed: Option<Job>,
    sweep: VecDeque<NodeId>,
    sweep_total: usize,
    /// The node for which a move is to be named.
    hinting: Option<NodeId>,
    hint: Option<(NodeId, String)>,
    resources: Resources,
    pace: Pace,
    /// What was taken back where the game stands, the last at the end; a move that is played there ends that.
    taken: Vec<Taken>,
    /// The pages that look on.
    seats: BTreeMap<PageId, Seat>,
    /// When somebody looked on last, while nobody does.
    seen: Millis,
    /// The time of the latest call.
    now: Millis,
    /// Whether the state has changed since it was told.
    changed: bool,
    /// What pages know of it.
    known: Known,
    /// The pages that are to be told all of it.
    curious: BTreeSet<PageId>,
    /// How often the game is being kept: until that is answered nobody is shown what has changed.
    keeping: usize,
    /// Why the game could not be kept the last time.
    trouble: Option<String>,
    /// Whether moves have been made since the game was kept.
    unsaved: bool,
    /// Since when what nobody waits for has not been kept.
    unhurried: Option<Millis>,
    /// Least time between two times that it is; longer while keeping fails.
    kept_apart: Millis,
    /// The engines whose lines have changed since they were told.
    lines_pending: BTreeSet<Role>,
    lines_told: Millis,
    outputs: VecDeque<Output>,
    wake_told: Option<Millis>,
    closed: bool,
}

impl Table {
    /// A table for a game. Nobody looks on yet.
    #[must_use]
    pub fn new(saved: Saved, config: Config, now: Millis) -> Self {
        let clock = saved.time.map(|time| {
            let mut clock = Clock::new(time);
            clock.set(saved.left.unwrap_or([time.main; 2]));
            clock
        });
        let mut table = Self {
            clock,
            player: Slot::new(Role::Player, config.timeouts),
            analyst: Slot::new(Role::Analyst, config.timeouts),
            analysis: None,
            analysed: None,
            sweep: VecDeque::new(),
            sweep_total: 0,
            hinting: None,
            hint: None,
            resources: config.resources.within(config.most),
            pace: Pace::new(now),
            taken: Vec::new(),
            seats: BTreeMap::new(),
            seen: now,
            now,
            changed: false,
            known: Known::default(),
            curious: BTreeSet::new(),
            keeping: 0,
            trouble: None,
            // A game made from a text begins with moves that nothing holds yet.
            unsaved: !config.kept,
            unhurried: None,
            kept_apart: KEPT_APART,
            lines_pending: BTreeSet::new(),
            lines_told: now,
            outputs: VecDeque::new(),
            wake_told: None,
            closed: false,
            saved,
            config,
        };
        table.settle(None);
        table
    }

    /// A page looks on from now. It is told the state, and what everybody is told after it. It looks at the end of a
    /// game that is on, and else at what was looked at last.
    pub fn join(&mut self, page: PageId, now: Millis) {
        self.come_to(now);
        self.seat(page);
        self.settle(Some((page, Answer::State)));
    }

    /// A page looks on no more.
    pub fn leave(&mut self, page: PageId, now: Millis) {
        self.come_to(now);
        self.curious.remove(&page);
        if self.seats.remove(&page).is_some() {
            // Only from now on is nobody there, however long nothing has happened.
            self.seen = self.now;
        }
        self.settle(None);
    }

    /// A page asks for something.
    pub fn command(&mut self, page: PageId, command: Command, now: Millis) {
        self.come_to(now);
        if self.closed {
            return;
        }
        let answer = match self.obey(page, command) {
            Ok(answer) => answer,
            Err(text) => Some(Answer::Message(Message::Error { text })),
        };
        self.changed |= answer.is_none();
        self.settle(answer.map(|answer| (page, answer)));
    }

    /// Something happens to an engine. An earlier run than the last that was started is not heard any more.
    pub fn engine(&mut self, engine: EngineId, event: EngineEvent<'_>, now: Millis) {
        self.come_to(now);
        self.hear(engine, event);
        self.settle(None);
    }

    /// The time has come that was asked for, or any other: what is due is done. Whoever comes early is told again when
    /// to come.
    pub fn wake(&mut self, now: Millis) {
        self.come_to(now);
        self.wake_told.take_if(|at| *at > self.now);
        self.settle(None);
    }

    /// What came of the earliest [`Output::Keep`] that has not been answered yet: nothing, or why the game could
    /// not be kept. That is told everybody once and stands in the state as long as it is so; it is tried again with
    /// the next move, in a while, and when the table is closed.
    pub fn kept(&mut self, result: Result<(), String>, now: Millis) {
        self.come_to(now);
        self.keeping = self.keeping.saturating_sub(1);
        self.changed |= self.trouble.as_ref() != result.as_ref().err();
        self.trouble = result.err();
        match &self.trouble {
            None => {
                self.config.kept = true;
                self.kept_apart = KEPT_APART;
            }
            Some(error) => {
                if self.kept_apart == KEPT_APART && !self.seats.is_empty() {
                    let text = format!("The game could not be saved: {error}");
                    self.outputs.push_back(Output::ToAll(Message::Error { text }));
                }
                self.kept_apart = (self.kept_apart * 2).min(MOST_APART);
                self.unhurried = Some(self.now);
            }
        }
        self.settle(None);
    }

    /// Ends the engines and keeps what is not kept. Whatever it is fed after that changes nothing any more.
    pub fn close(&mut self, now: Millis) {
        self.come_to(now);
        self.closed = true;
        self.player.shut();
        self.analyst.shut();
        self.order_engines();
        self.unsaved |= self.unhurried.is_some();
        self.keep();
    }

    /// What the driver is to do next; `None` until the table is fed again. The driver may feed the table what came
    /// of it before it asks for more.
    pub fn next_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// The game with its players and clocks, as it would be kept.
    #[must_use]
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// Since when nobody has looked on; `None` while somebody does.
    #[must_use]
    pub fn alone_since(&self) -> Option<Millis> {
        self.seats.is_empty().then_some(self.seen)
    }

    fn come_to(&mut self, now: Millis) {
        self.now = self.now.max(now);
    }

    /// Whether somebody looks on, or has a moment ago.
    fn present(&self) -> bool {
        !self.seats.is_empty() || self.now < self.seen.saturating_add(ABSENCE)
    }

    /// Does what follows from what has happened, and tells of it: engines first, which lose no time by it, then
    /// what is to be kept, then, when that has been answered, what is to be shown.
    fn settle(&mut self, answer: Option<(PageId, Answer)>) {
        if self.closed {
            return;
        }
        self.look_at_engines();
        self.settle_flag();
        self.settle_pace();
        self.settle_attention();
        self.give_jobs();
        self.settle_clock();
        self.order_engines();
        if self.unsaved || self.unhurried_due().is_some_and(|due| due <= self.now) {
            self.keep();
        }
        self.publish(answer);
        let wake = self.wake_at();
        if wake != self.wake_told {
            self.wake_told = wake;
            self.outputs.push_back(Output::WakeAt(wake));
        }
    }

    fn order_engines(&mut self) {
        for slot in [&mut self.player, &mut self.analyst] {
            let commands = slot.commands().into_iter();
            self.outputs.extend(commands.map(|(engine, command)| Output::Engine(engine, command)));
        }
    }

    fn unhurried_due(&self) -> Option<Millis> {
        Some(self.unhurried?.saturating_add(self.kept_apart))
    }

    fn lines_due(&self) -> Option<Millis> {
        (!self.lines_pending.is_empty()).then(|| self.lines_told.saturating_add(LINES_APART))
    }

    /// When something must be looked at again.
    fn wake_at(&self) -> Option<Millis> {
        let absent = self.seen.saturating_add(ABSENCE);
        let absence = (self.seats.is_empty() && absent > self.now).then_some(absent);
        [
            self.flag(),
            self.player.deadline(),
            self.pace.due(),
            self.analyst.deadline(),
            self.lines_due().filter(|_| self.keeping == 0),
            absence,
            self.unhurried_due(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Keeps the game, if it is worth it.
    fn keep(&mut self) {
        self.unsaved = false;
        self.unhurried = None;
        self.saved.left = self.clock.as_ref().map(|clock| clock.left(self.now));
        if self.config.kept || self.worth_keeping() {
            self.outputs.push_back(Output::Keep);
            self.keeping += 1;
        }
    }

    /// Whether the game holds anything that a new one would not.
    #[must_use]
    pub fn worth_keeping(&self) -> bool {
        let game = &self.saved.game;
        game.node(0).is_some_and(|root| {
            !root.children.is_empty() || root.ending.is_some() || !root.notes.is_empty()
        }) || game.start() != game.variant().spec().start
            || game.rules() != Rules::DEFAULT
            || self.saved.time.is_some()
    }

    /// Tells what has changed, once it is kept.
    fn publish(&mut self, answer: Option<(PageId, Answer)>) {
        match answer {
            Some((page, Answer::Message(message))) => {
                self.outputs.push_back(Output::ToPage(page, message));
            }
            Some((page, Answer::State)) => {
                self.curious.insert(page);
            }
            Some((_, Answer::View)) | None => {}
        }
        if self.keeping > 0 {
            return;
        }
        if self.lines_due().is_some_and(|due| due <= self.now) {
            for role in std::mem::take(&mut self.lines_pending) {
                if let Some(lines) = self.lines(role)
                    && !self.seats.is_empty()
                {
                    self.outputs.push_back(Output::ToAll(Message::Lines(lines)));
                }
            }
            self.lines_told = self.now;
        }
        self.inform();
    }

    fn slot(&mut self, role: Role) -> &mut Slot {
        match role {
            Role::Player => &mut self.player,
            Role::Analyst => &mut self.analyst,
        }
    }

    fn player_at(&self, node: NodeId) -> Player {
        let [black, white] = self.saved.players;
        if self.side_at(node) == Color::Black { black } else { white }
    }

    fn side_at(&self, node: NodeId) -> Color {
        self.saved.game.node(node).map_or(Color::Black, |node| node.side)
    }
}
