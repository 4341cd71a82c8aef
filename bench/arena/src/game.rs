//! One game between two engines, decided by our own rules.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use kujira_position::{Color, Move, Position, Rules, Variant};
use kujira_record::played::{Machine, MoveRecord};
use kujira_usi::{BestMove, Clocks, Ending, Go, Reason};

use crate::adjudication::{Adjudication, Scores};
use crate::clock::{Clock, Limit, TimeControl};
use crate::engine::{Failure, LastInfo, Reply, Session};
use crate::openings::{Opening, spell};
use crate::watchdog::Watchdog;

/// What holds for every game of a match.
#[derive(Clone, Copy, Debug)]
pub struct GameRules {
    /// The rule switches.
    pub rules: Rules,
    /// Longest game in plies, the opening included; a longer one is drawn.
    pub max_plies: usize,
    /// When scores end a game.
    pub adjudication: Adjudication,
    /// Time for a move where no clock sets one.
    pub hang: Duration,
    /// Whether each game at a time has cores of its own.
    pub affinity: bool,
    /// How often in a row an engine may fail to start before it plays no more.
    pub start_tries: u32,
}

/// An engine in a game: what it is asked with and what it may use.
#[derive(Debug)]
pub struct Contender<'a> {
    /// The engine.
    pub session: &'a mut Session,
    /// What it may use for a move.
    pub limit: Limit,
    /// How late its moves may come.
    pub margin: Duration,
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// What else is to be said of it: the illegal move and its position, how an engine died.
    pub detail: String,
    /// The moves played by the engines.
    pub moves: Vec<MoveRecord>,
    /// If a move came too late while this program stood still: for how long it did. The game then says
    /// nothing about the engines and had better be played again.
    pub stall: Option<Duration>,
    /// When it began, in UTC.
    pub began: String,
    /// How the machine fared meanwhile.
    pub machine: Option<Machine>,
}

impl Finished {
    /// A game that ended before its first move.
    #[must_use]
    pub fn unplayed(ending: Ending, detail: String) -> Self {
        let began = now();
        Self { ending, detail, moves: Vec::new(), stall: None, began, machine: None }
    }

    /// How often a game is played again before it counts as it is: an engine that is always late must lose
    /// even where something always stalls.
    pub const MOST_AGAIN: u32 = 3;
}

/// What people are told when a game is dropped after a stall.
#[must_use]
pub fn dropped(game: &str, stall: Duration) -> String {
    format!(
        "!!! this program stood still for {} ms while a move of {game} was awaited, and it came too late: \
         the game is dropped and played again",
        stall.as_millis()
    )
}

/// Plays a game from `opening`; `players` by colour, Black first.
///
/// # Errors
/// If the match was stopped, or the game cannot be played at all; every other failure loses.
pub fn play<V: Variant>(
    opening: &Opening,
    players: [Contender<'_>; 2],
    game_rules: &GameRules,
    watchdog: &Watchdog,
) -> Result<Finished, Failure> {
    let (begun, began) = (Instant::now(), now());
    let mut game = Game::<V>::new(opening, players, game_rules, watchdog)?;
    let end = game.begin()?;
    if let Some((ending, detail)) = end {
        return Ok(Finished::unplayed(ending, detail));
    }
    let (ending, mut detail) = loop {
        if let Some(ending) = game.over() {
            break (ending, String::new());
        }
        if let Some(end) = game.turn()? {
            break end;
        }
    };
    for color in Color::BOTH {
        let how = ["lose", "draw", "win"][ending.half_points(color)];
        game.players[color.index()].session.game_over(how);
    }
    let machine = watchdog.machine(begun, Instant::now());
    if ending.reason == Reason::Time {
        detail.push_str(&strain(machine));
    }
    let (moves, stall) = (game.moves, game.stall);
    Ok(Finished { ending, detail, moves, stall, began, machine: Some(machine) })
}

/// This moment in UTC, to the second.
fn now() -> String {
    format!("{:.0}", Timestamp::now())
}

/// What is said of a loss on time where the machine may be the reason; nothing where it was not.
fn strain(machine: Machine) -> String {
    let mut text = String::new();
    if machine.still_ms > 0 {
        text.push_str(&format!(", and the runner stood still for {} ms", machine.still_ms));
    }
    if machine.load > Machine::MOST_LOAD {
        text.push_str(&format!(
            ", and the machine was overloaded: {} % of its cores",
            machine.load
        ));
    }
    text
}

/// How a game ended, and what else is to be said of it.
type End = (Ending, String);

/// A game that is played; pairs are by colour, Black first.
struct Game<'a, V: Variant> {
    position: Position<V>,
    players: [Contender<'a>; 2],
    /// What each is told of the game so far, in its own spelling.
    told: [String; 2],
    clocks: [Option<Clock>; 2],
    scores: Scores,
    moves: Vec<MoveRecord>,
    stall: Option<Duration>,
    game_rules: &'a GameRules,
    watchdog: &'a Watchdog,
}

/// How a position from the start goes on; it stands there only to be followed by moves.
const MOVES: &str = " moves";

impl<'a, V: Variant> Game<'a, V> {
    fn new(
        opening: &Opening,
        players: [Contender<'a>; 2],
        game_rules: &'a GameRules,
        watchdog: &'a Watchdog,
    ) -> Result<Self, Failure> {
        let position = opening
            .playable::<V>(game_rules.rules)
            .map_err(|error| Failure::Setup(error.to_string()))?;
        let mut told = [String::new(), String::new()];
        for (player, told) in players.iter().zip(&mut told) {
            let text = spell::<V>(opening, player.session.dialect(), game_rules.rules);
            *told = text.map_err(Failure::Setup)?;
            if opening.moves.is_empty() {
                told.push_str(MOVES);
            }
        }
        let clocks = players.each_ref().map(|player| player.limit.clock.map(Clock::new));
        Ok(Self {
            position,
            players,
            told,
            clocks,
            scores: Scores::default(),
            moves: Vec::new(),
            stall: None,
            game_rules,
            watchdog,
        })
    }

    /// Gets both engines ready; the loss of the first that does not get there.
    fn begin(&mut self) -> Result<Option<End>, Failure> {
        for color in Color::BOTH {
            if let Err(failure) = self.players[color.index()].session.new_game() {
                return lost(color, failure).map(Some);
            }
        }
        Ok(None)
    }

    /// The ending before another move is asked for, if there is one.
    fn over(&self) -> Option<Ending> {
        let plies = self.position.moves_made();
        if let Some(outcome) = self.position.outcome() {
            return Some(outcome.into());
        }
        if plies >= self.game_rules.max_plies {
            return Some(Ending::draw(Reason::PlyLimit));
        }
        self.scores.verdict(self.game_rules.adjudication, plies)
    }

    /// Has the side to move move; how the game ended if it did not.
    fn turn(&mut self) -> Result<Option<End>, Failure> {
        let color = self.position.side();
        let told = &self.told[color.index()];
        let told = told.strip_suffix(MOVES).unwrap_or(told);
        let player = &mut self.players[color.index()];
        let go = go(player.limit, self.clocks, color);
        let clock = &mut self.clocks[color.index()];
        let limit = move_limit(player, *clock, self.game_rules.hang);
        let asked = Instant::now();
        let reply = match player.session.go(told, &go, limit + player.margin) {
            Ok(reply) => reply,
            Err(failure) => return lost(color, failure).map(Some),
        };
        if let Some(late) = late(player, clock, reply.elapsed, limit) {
            // One too short to have made it late is no excuse.
            let still = self.watchdog.stood_still(asked, asked + reply.elapsed);
            self.stall = (!still.is_zero() && late <= still + player.margin).then_some(still);
            let detail = format!("{:.0} ms late", late.as_secs_f64() * 1e3);
            return Ok(Some((Ending::win(!color, Reason::Time), detail)));
        }
        let Reply { answer, elapsed, info } = reply;
        let text = match answer {
            BestMove::Resign => {
                return Ok(Some((Ending::win(!color, Reason::Resignation), String::new())));
            }
            BestMove::Win => return Ok(Some(self.claimed(color))),
            // Engines say "(none)" or "0000" when they see no legal move. Here there is one: that is a quarrel
            // about the rules and no resignation.
            BestMove::Move { best, .. } => best,
        };
        match player.session.dialect().read(&self.position, &text) {
            Ok(m) => {
                self.make(m, elapsed, &info);
                Ok(None)
            }
            Err(_) => Ok(Some(wrong_move(&self.position, color, &text))),
        }
    }

    /// The end of a game that a side says it has won by the impasse rule.
    fn claimed(&self, color: Color) -> End {
        match self.position.impasse() {
            Some(outcome) => (outcome.into(), String::new()),
            None => {
                let detail = format!("claimed in {}", self.position.sfen());
                (Ending::win(!color, Reason::FalseClaim), detail)
            }
        }
    }

    /// Makes a move that took `elapsed`, notes what was said of it, and tells both engines.
    fn make(&mut self, m: Move, elapsed: Duration, info: &LastInfo) {
        self.moves.push(MoveRecord {
            usi: self.position.usi(m),
            score: info.score,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            us: u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
        });
        self.scores.add(self.position.side(), info.score.map(|score| score.centipawns()));
        for (player, told) in self.players.iter().zip(&mut self.told) {
            told.push(' ');
            player.session.dialect().write(&self.position, m, told);
        }
        self.position.make(m);
    }
}

/// How long this move may take before the engine is told to stop.
fn move_limit(player: &Contender<'_>, clock: Option<Clock>, hang: Duration) -> Duration {
    let clock = clock.map(|clock| clock.longest());
    match (clock, player.limit.move_time) {
        (Some(clock), Some(time)) => clock.min(time),
        (Some(time), None) | (None, Some(time)) => time,
        (None, None) => hang,
    }
}

/// By how much a move that took `elapsed` was too late, if it was; sets the clock forward.
fn late(
    player: &Contender<'_>,
    clock: &mut Option<Clock>,
    elapsed: Duration,
    limit: Duration,
) -> Option<Duration> {
    if let Some(clock) = clock
        && let Err(late) = clock.spend(elapsed, player.margin)
    {
        return Some(late);
    }
    let late = elapsed.saturating_sub(limit);
    (late > player.margin).then_some(late)
}

/// What `color` is asked for.
fn go(limit: Limit, clocks: [Option<Clock>; 2], color: Color) -> Go {
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let told = clocks[color.index()].map(|own| {
        // An opponent without a clock is shown as having ours.
        let both = clocks.map(|clock| clock.unwrap_or(own));
        let TimeControl { increment, byoyomi, .. } = own.control();
        let increments = !increment.is_zero() || byoyomi.is_zero();
        let gain = |clock: Clock| milliseconds(clock.control().increment);
        Clocks {
            left: both.map(|clock| Some(milliseconds(clock.left()))),
            increment: both.map(|clock| increments.then(|| gain(clock))),
            byoyomi: (!byoyomi.is_zero()).then(|| milliseconds(byoyomi)),
        }
    });
    let movetime = limit.move_time.map(milliseconds);
    let (clocks, depth) = (told.unwrap_or_default(), limit.depth.map(u64::from));
    Go { clocks, movetime, depth, nodes: limit.nodes, ..Go::default() }
}

/// The loss of the side whose engine ended or fell silent while it was started afresh.
///
/// # Errors
/// If the match was stopped, the engine will never do, or the system does not let it start.
pub fn not_started(color: Color, failure: Failure) -> Result<(Ending, String), Failure> {
    let (_, detail) = lost(color, failure)?;
    Ok((Ending::win(!color, Reason::Died), format!("when it was started: {detail}")))
}

/// The loss of the side whose engine failed.
fn lost(color: Color, failure: Failure) -> Result<End, Failure> {
    let (reason, detail) = match failure {
        Failure::Died(detail) => (Reason::Died, detail),
        Failure::Silent(detail) => (Reason::Silent, detail),
        Failure::Flood(detail) => (Reason::Flood, detail),
        Failure::Nonsense(detail) => (Reason::Nonsense, detail),
        Failure::Start(_) | Failure::Setup(_) | Failure::Interrupted => return Err(failure),
    };
    Ok((Ending::win(!color, reason), detail))
}

/// The loss of the side that played `text`.
fn wrong_move<V: Variant>(position: &Position<V>, color: Color, text: &str) -> End {
    let shown: String = text.chars().take(40).flat_map(char::escape_default).collect();
    let plain = text == "(none)"
        || text.len() <= 16
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"*@+-".contains(&b))
            && text.bytes().any(|b| b.is_ascii_digit());
    let reason = if plain { Reason::IllegalMove } else { Reason::Nonsense };
    (Ending::win(!color, reason), format!("{shown} in {}", position.sfen()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_usi::Protocol;

    fn go(protocol: Protocol, limit: &Limit, others: &Limit, color: Color) -> String {
        let mut clocks = [limit.clock.map(Clock::new); 2];
        clocks[(!color).index()] = others.clock.map(Clock::new);
        super::go(*limit, clocks, color).text(protocol)
    }

    #[test]
    fn engines_are_told_both_clocks() {
        let clock = |text: &str| Limit { clock: text.parse().ok(), ..Limit::default() };
        let (fast, slow) = (clock("1+0.01"), clock("8+0.08"));
        let mut byoyomi = clock("5");
        byoyomi.clock_mut().byoyomi = Duration::from_secs(2);
        let none = Limit { nodes: Some(5000), depth: Some(9), ..Limit::default() };
        let time = Limit { move_time: Some(Duration::from_millis(30)), ..Limit::default() };
        for (protocol, limit, others, color, expected) in [
            (Protocol::Usi, fast, slow, Color::Black, "btime 1000 wtime 8000 binc 10 winc 80"),
            (Protocol::Usi, fast, slow, Color::White, "btime 8000 wtime 1000 binc 80 winc 10"),
            // To UCI the side that moves up the board is White.
            (Protocol::Uci, fast, slow, Color::Black, "wtime 1000 btime 8000 winc 10 binc 80"),
            (Protocol::Uci, fast, slow, Color::White, "wtime 8000 btime 1000 winc 80 binc 10"),
            (Protocol::Usi, slow, none, Color::White, "btime 8000 wtime 8000 binc 80 winc 80"),
            (Protocol::Usi, byoyomi, byoyomi, Color::Black, "btime 5000 wtime 5000 byoyomi 2000"),
            (Protocol::Usi, none, slow, Color::Black, "depth 9 nodes 5000"),
            (Protocol::Uci, time, time, Color::Black, "movetime 30"),
        ] {
            assert_eq!(go(protocol, &limit, &others, color), format!("go {expected}"));
        }
    }
}
