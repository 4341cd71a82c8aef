//! Jobs for engines, and what the table does with their answers.
use kujira_record::{Game, NodeId};
use kujira_usi::{BestMove, Bound, Clocks, Ending, Go, Info, OptionName, Reason, names};

use super::{Table, review};
use crate::clock::Millis;
use crate::engine::{EngineEvent, EngineId, Role};
use crate::message::{LineView, Lines};
use crate::players::{Level, Limit, Player};
use crate::slot::{Done, Job, Purpose};

impl Table {
    pub(super) fn ask_for_hint(&mut self, node: NodeId) {
        let analysed = self.analyst.searching().and_then(|(job, lines)| {
            let best = lines.first().and_then(|line| line.pv.first())?;
            let fits = job.node == node && job.purpose.is_shown();
            (fits && lines.first()?.depth? >= 8).then(|| best.clone())
        });
        let found = analysed.or_else(|| self.best_at(node).cloned());
        self.hinting = found.is_none().then_some(node);
        self.hint = found.map(|usi| (node, usi));
    }

    /// What has happened to an engine.
    pub(super) fn hear(&mut self, engine: EngineId, event: EngineEvent<'_>) {
        let (role, now) = (engine.role(), self.now);
        let before = self.slot(role).view();
        let done = self.slot(role).hear(engine, event, now);
        if self.slot(role).searching().is_some() {
            self.lines_pending.insert(role);
        }
        if let Some(done) = done {
            // A search may be over before its lines are due, or while a game is kept. Those of a sweep stay few.
            let told = matches!(done.job.purpose, Purpose::Play | Purpose::Analyse);
            if told && self.lines_pending.remove(&role) {
                let lines = self.lines_of(role, &done.job, &done.lines);
                self.lines_ended.extend(lines);
            }
            self.finish(&done);
        }
        self.changed |= self.slot(role).view() != before;
    }

    fn finish(&mut self, done: &Done) {
        self.changed = true;
        let node = done.job.node;
        if let Some(best) = done.lines.first() {
            self.note_score(&done.job, best);
        }
        match done.job.purpose {
            Purpose::Play => {
                let score = done.lines.first().and_then(Info::score);
                self.thought = score.map(|score| (node, score));
                self.engine_answers(done.clone());
            }
            Purpose::Hint => self.take_hint(done),
            Purpose::Sweep => self.take_look(done),
            Purpose::Sight | Purpose::Consider | Purpose::Threat => self.take_sight(done),
            // The engine has nothing more to find: it is not asked the same again.
            Purpose::Analyse => self.analysed = Some(done.job.clone()),
        }
    }

    fn take_hint(&mut self, done: &Done) {
        self.hinting = None;
        let node = done.job.node;
        let best = match &done.best {
            BestMove::Move { best, .. } => Some(best),
            // No move is played here, but the engine may have searched some.
            BestMove::Resign | BestMove::Win => done.lines.first().and_then(|line| line.pv.first()),
        };
        let Some(best) = best else { return };
        if self.saved.game.line_text(node, std::slice::from_ref(best)).is_empty() {
            self.analyst.reject(&format!("expected a legal move, found {best}"));
        } else {
            self.hint = Some((node, best.clone()));
        }
    }

    /// The engine that plays has answered: without a clock its move waits until people can follow.
    fn engine_answers(&mut self, done: Done) {
        let now = self.now;
        let done = if self.clock.is_some() { Some(done) } else { self.pace.admit(done, now) };
        if let Some(done) = done {
            self.engine_moves(&done);
        }
    }

    /// Makes the move that has waited long enough, unless the game has gone elsewhere.
    pub(super) fn settle_pace(&mut self) {
        let stands = self.saved.playing.then_some(self.saved.tip);
        if let Some(done) = self.pace.admitted(stands, self.now) {
            self.changed = true;
            self.engine_moves(&done);
        }
    }

    fn engine_moves(&mut self, done: &Done) {
        let side = self.side_at(done.job.node);
        if !self.saved.playing || done.job.node != self.saved.tip {
            return;
        }
        match &done.best {
            BestMove::Resign => {
                self.end(Ending { winner: Some((!side).into()), reason: Reason::Resignation });
            }
            BestMove::Win => match self.saved.game.impasse(self.saved.tip) {
                Some(ending) => self.end(ending),
                None => self.player.reject("it claims an impasse where there is none"),
            },
            BestMove::Move { best, .. } => match self.saved.game.play(self.saved.tip, best) {
                Ok(node) => self.advance(node),
                Err(error) => self.player.reject(&error.to_string()),
            },
        }
    }

    /// Whether a search tells what a position is worth: not one by which a weak player is to play.
    fn is_full(&self, job: &Job) -> bool {
        let Player::Engine { level } = self.player_at(job.node) else {
            return job.purpose.is_shown();
        };
        let limit = || self.config.levels.numbered(self.saved.game.variant(), level).limit;
        job.purpose.is_shown() && (job.purpose != Purpose::Play || limit() == Limit::NONE)
    }

    /// Keeps what an engine thought of a position, unless something deeper is known. A review replaces it all the same:
    /// its scores are to be compared with each other.
    fn note_score(&mut self, job: &Job, line: &Info) {
        let (Some(score), Some(depth), Bound::Exact) = (line.score(), line.depth, line.bound)
        else {
            return;
        };
        if !self.is_full(job) {
            return;
        }
        let reviewed = job.purpose == Purpose::Sweep;
        let Some(node) = self.saved.game.node_mut(job.node) else { return };
        let score = (score.for_black(node.side), depth);
        let better = reviewed || node.score.is_none_or(|(_, known)| known <= depth);
        if better && node.score != Some(score) {
            node.score = Some(score);
            self.unhurried.get_or_insert(self.now);
        }
    }

    fn options(&self, lines: u32) -> Vec<(OptionName, String)> {
        let own = [
            (names::THREADS, self.resources.threads.to_string()),
            (names::HASH, self.resources.hash.to_string()),
            (names::MULTI_PV, lines.to_string()),
        ];
        let rules = kujira_usi::rules::options(self.saved.game.rules());
        let rules = rules.map(|(usi, value)| (OptionName { usi, others: &[] }, value.to_owned()));
        rules.into_iter().chain(own).collect()
    }

    pub(super) fn job(&self, purpose: Purpose, node: NodeId, go: Go, lines: u32) -> Job {
        Job {
            purpose,
            node,
            position: self.saved.game.usi(node),
            go,
            options: self.options(lines),
            variant: self.saved.game.variant().spec().id,
            limit: None,
        }
    }

    /// A search of some milliseconds, which an engine that goes on is told to stop.
    fn timed_job(&self, purpose: Purpose, node: NodeId, millis: Millis) -> Job {
        let limit = self.config.timeouts.stop.saturating_add(millis);
        Job { limit: Some(limit), ..self.job(purpose, node, Go::movetime(millis), 1) }
    }

    /// What the engine that plays is to do now.
    fn player_job(&self) -> Option<Job> {
        let tip = self.saved.tip;
        let Player::Engine { level } = self.player_at(tip) else { return None };
        if !self.saved.playing || self.pace.due().is_some() {
            return None;
        }
        let Level { elo, limit: level, .. } =
            self.config.levels.numbered(self.saved.game.variant(), level);
        let Limit { depth, nodes } = level;
        let mut go = Go { depth: depth.map(u64::from), nodes, ..Go::default() };
        let mut limit = None;
        if let Some(clock) = &self.clock {
            let time = clock.control();
            let told = |millis: Millis| Some(millis).filter(|&millis| millis > 0);
            go.clocks = Clocks {
                left: clock.left(self.now).map(Some),
                increment: [told(time.increment); 2],
                byoyomi: told(time.byoyomi),
            };
        } else {
            limit = Some(self.config.timeouts.think);
            go.movetime = level.move_time();
        }
        let mut job = Job { limit, ..self.job(Purpose::Play, tip, go, 1) };
        // An engine that has such a scale overlooks moves at the lower levels; one that has none is only limited.
        if let Some(elo) = elo {
            job.options.push((names::LIMIT_STRENGTH, (level != Limit::NONE).to_string()));
            job.options.push((names::ELO, elo.to_string()));
        }
        Some(job)
    }

    /// What the engine that analyses is to do now.
    fn analyst_job(&mut self) -> Option<Job> {
        let current = self.saved.current;
        let open = |game: &Game, node| {
            game.node(node).is_some_and(|node| node.ending.is_none_or(|ending| !ending.by_rule()))
        };
        if let Some(job) = self.coach_job() {
            return Some(job);
        }
        if let Some(node) = self.hinting {
            if open(&self.saved.game, node) {
                return Some(self.timed_job(Purpose::Hint, node, 1500));
            }
            self.hinting = None;
        }
        while let Some(node) = self.sweep.next() {
            if open(&self.saved.game, node) {
                let go = Go { nodes: Some(review::NODES), ..Go::default() };
                let limit = Some(review::PATIENCE);
                return Some(Job { limit, ..self.job(Purpose::Sweep, node, go, 1) });
            }
            self.sweep.skip();
            self.changed = true;
        }
        let lines = self.analysis?;
        if !self.seats.is_empty() && self.seats.values().all(|seat| !seat.seen) {
            return None;
        }
        let job = open(&self.saved.game, current)
            .then(|| self.job(Purpose::Analyse, current, Go::infinite(), lines));
        job.filter(|job| self.analysed.as_ref() != Some(job))
    }

    pub(super) fn lines(&mut self, role: Role) -> Option<Lines> {
        let (job, found) = self.slot(role).searching().filter(|(job, _)| job.purpose.is_shown())?;
        let (job, found) = (job.clone(), found.to_vec());
        self.note_score(&job, found.first()?);
        self.lines_of(role, &job, &found)
    }

    fn lines_of(&self, role: Role, job: &Job, found: &[Info]) -> Option<Lines> {
        let (node, first) = (job.node, found.first()?);
        let side = self.saved.game.node(node)?.side;
        let lines = found.iter().filter_map(|info| {
            Some(LineView {
                depth: info.depth.unwrap_or(0),
                seldepth: info.seldepth,
                score: info.score()?.for_black(side),
                bound: info.bound != Bound::Exact,
                usi: info.pv.clone(),
                text: self.saved.game.line_text(node, &info.pv),
            })
        });
        Some(Lines {
            role,
            node,
            lines: lines.collect(),
            nodes: first.nodes,
            nps: first.nps,
            time: first.time,
            hashfull: first.hashfull,
        })
    }

    /// Looks whether answers of engines are overdue.
    pub(super) fn look_at_engines(&mut self) {
        let now = self.now;
        for role in [Role::Player, Role::Analyst] {
            let before = self.slot(role).view();
            self.slot(role).tick(now);
            self.changed |= self.slot(role).view() != before;
        }
    }

    /// Gives engines their jobs; none while no page is there.
    pub(super) fn give_jobs(&mut self) {
        let (present, now) = (self.present(), self.now);
        let before = (self.player.view(), self.analyst.view());
        let job = if present { self.player_job() } else { None };
        let keeps =
            |job: &Job, running: &Job| (job.purpose, job.node) == (running.purpose, running.node);
        match (&job, self.player.job()) {
            (Some(job), Some(running)) if keeps(job, running) => {}
            _ => self.player.want(job, now),
        }
        let job = if present { self.analyst_job() } else { None };
        self.analyst.want(job, now);
        self.changed |= (self.player.view(), self.analyst.view()) != before;
    }
}
