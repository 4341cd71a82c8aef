//! A game at the table: takes commands of pages and lines of engines, one after the other, and gives messages for
//! pages, commands for engines, and games to keep.

mod coaching;
mod commands;
mod draw;
mod engines;
mod known;
mod pace;
mod play;
mod review;
mod seat;
mod seats;
mod sights;
mod state;
mod sweep;
mod takeback;
mod taken;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use kujira_position::{Color, Rules};
use kujira_record::NodeId;
use kujira_usi::Score;

use crate::clock::{Clock, Millis};
use crate::config::{Config, Resources};
use crate::engine::{EngineEvent, EngineId, Role};
use crate::message::{Command, Lines, Message};
use crate::output::{Output, PageId};
use crate::players::Player;
use crate::saved::Saved;
use crate::slot::{Job, Slot};
use known::Known;
use pace::Pace;
use seat::Seat;
use sights::Coach;
use sweep::Sweep;
use taken::Taken;

/// Least time between two reports of what an engine finds.
const LINES_APART: Millis = 100;

/// How long engines and clocks go on without anybody looking.
const ABSENCE: Millis = 5_000;

/// Least time between two saves of what nobody waits for: scores of positions, and where a page looks.
const KEPT_APART: Millis = 2_000;

/// Greatest time between two tries while keeping fails.
const MOST_APART: Millis = 60_000;

/// An answer for the page that asked alone.
enum Answer {
    /// The whole state, once the table has done all that follows.
    State,
    /// What it looks at now.
    View,
    Message(Message),
}

/// A game at the table, without I/O: a driver feeds it events with the time, and asks it what to do.
///
/// Times are milliseconds since a point that the driver chooses. A time before an earlier one counts as that one. After
/// every call that feeds it, the driver takes [`Self::next_output`] until there is none.
pub struct Table {
    config: Config,
    saved: Saved,
    clock: Option<Clock>,
    player: Slot,
    analyst: Slot,
    analysis: Option<u32>,
    /// Analysis that the engine ended by itself.
    analysed: Option<Job>,
    /// The review that goes on, and what came of the last.
    sweep: Sweep,
    /// The node for which a move is to be named.
    hinting: Option<NodeId>,
    hint: Option<(NodeId, String)>,
    coach: Coach,
    /// What the engine that plays thought last, and where: at its level, for nobody but itself.
    thought: Option<(NodeId, Score)>,
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
    /// How many saves the driver has not answered yet: until it has, no page is told what has changed.
    keeping: usize,
    /// Why the game could not be kept the last time.
    trouble: Option<String>,
    /// Whether moves have been made since the game was kept.
    unsaved: bool,
    /// Since when something that nobody waits for has not been saved.
    unhurried: Option<Millis>,
    /// Least time between two such saves; longer while keeping fails.
    kept_apart: Millis,
    /// The engines whose lines have changed since they were told.
    lines_pending: BTreeSet<Role>,
    /// What was found by searches that were over before it was told.
    lines_ended: Vec<Lines>,
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
            sweep: Sweep::default(),
            hinting: None,
            hint: None,
            coach: Coach::default(),
            thought: None,
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
            lines_ended: Vec::new(),
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

    /// A page joins. It gets the state, then all later messages. It looks at the end of a game that is on, otherwise at
    /// the node that was looked at last.
    pub fn join(&mut self, page: PageId, now: Millis) {
        self.come_to(now);
        self.seat(page);
        self.settle(Some((page, Answer::State)));
    }

    /// A page leaves.
    pub fn leave(&mut self, page: PageId, now: Millis) {
        self.come_to(now);
        self.curious.remove(&page);
        if self.seats.remove(&page).is_some() {
            // The time without pages begins now, not with the last event before.
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

    /// Something happens to an engine. Events of a run before the last one are ignored.
    pub fn engine(&mut self, engine: EngineId, event: EngineEvent<'_>, now: Millis) {
        self.come_to(now);
        self.hear(engine, event);
        self.settle(None);
    }

    /// Does what is due by now. If the driver wakes the table too early, the table asks again for the same time.
    pub fn wake(&mut self, now: Millis) {
        self.come_to(now);
        self.wake_told.take_if(|at| *at > self.now);
        self.settle(None);
    }

    /// Answers the earliest open [`Output::Keep`]: the game is kept, or why it could not be. All pages are told of a
    /// failure once, and it stays in the state while it lasts. The table tries again with the next move, after a while,
    /// and when it is closed.
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

    /// Ends the engines and keeps what is not kept yet. After that no event changes anything.
    pub fn close(&mut self, now: Millis) {
        self.come_to(now);
        self.closed = true;
        self.player.shut();
        self.analyst.shut();
        self.order_engines();
        self.unsaved |= self.unhurried.is_some();
        self.keep();
    }

    /// What the driver is to do next; `None` until the next event. The driver may report the result before it asks for
    /// more.
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

    /// Whether a page is there, or was a moment ago.
    fn present(&self) -> bool {
        !self.seats.is_empty() || self.now < self.seen.saturating_add(ABSENCE)
    }

    /// Does what follows from an event, and queues the outputs: first for engines, so that they lose no time, then
    /// games to keep, then, once the driver has answered that, messages for pages.
    fn settle(&mut self, answer: Option<(PageId, Answer)>) {
        if self.closed {
            return;
        }
        self.look_at_engines();
        self.settle_flag();
        self.settle_pace();
        self.settle_coach();
        self.settle_attention();
        self.give_jobs();
        self.settle_review();
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

    /// When the table must be woken.
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
            self.word_due(),
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

    /// Whether the game differs from a new one.
    #[must_use]
    pub fn worth_keeping(&self) -> bool {
        let game = &self.saved.game;
        game.node(0).is_some_and(|root| {
            !root.children.is_empty() || root.ending.is_some() || !root.notes.is_empty()
        }) || game.start() != game.variant().spec().start
            || game.rules() != Rules::DEFAULT
            || self.saved.time.is_some()
    }

    /// Tells pages what has changed, once it is kept.
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
        let ended = std::mem::take(&mut self.lines_ended);
        if !self.seats.is_empty() {
            let told = ended.into_iter().map(|lines| Output::ToAll(Message::Lines(lines)));
            self.outputs.extend(told);
        }
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
