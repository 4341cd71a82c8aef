//! One game between two engines, decided by our own rules.

use std::time::{Duration, Instant};

use kujira_position::{Color, Position, Rules, Variant};
use kujira_record::played::MoveRecord;
use kujira_usi::{BestMove, Clocks, Ending, Go, Reason};

use crate::adjudication::{Adjudication, Scores};
use crate::clock::{Clock, Limit, TimeControl};
use crate::engine::{Failure, Session};
use crate::openings::{Opening, spell};
use crate::watchdog::Watchdog;

/// What holds for every game of a match.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The rule switches.
    pub rules: Rules,
    /// Longest game in plies, the opening included; a longer one is drawn.
    pub max_plies: usize,
    /// When scores end a game.
    pub adjudication: Adjudication,
    /// Time for a move where no clock sets one.
    pub hang: Duration,
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
}

impl Finished {
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
    mut players: [Contender<'_>; 2],
    terms: &Terms,
    watchdog: &Watchdog,
) -> Result<Finished, Failure> {
    let mut position =
        opening.playable::<V>(terms.rules).map_err(|error| Failure::Setup(error.to_string()))?;
    let mut requests = [String::new(), String::new()];
    for (player, request) in players.iter_mut().zip(&mut requests) {
        let text = spell::<V>(opening, player.session.dialect(), terms.rules);
        let text = text.map_err(Failure::Setup)?;
        *request = kujira_usi::SetPosition(&text).to_string();
        if opening.moves.is_empty() {
            request.push_str(" moves");
        }
    }
    let mut moves = Vec::new();
    for color in Color::BOTH {
        let player = &mut players[color.index()];
        if let Err(failure) = player.session.new_game() {
            let (ending, detail) = lost(color, failure)?;
            return Ok(Finished { ending, detail, moves, stall: None });
        }
    }
    let mut clocks = players.each_ref().map(|player| player.limit.clock.map(Clock::new));
    let mut scores = Scores::default();
    let mut stall = None;
    let (ending, detail) = loop {
        if let Some(outcome) = position.outcome() {
            break (outcome.into(), String::new());
        }
        if position.moves_made() >= terms.max_plies {
            break (Ending::draw(Reason::PlyLimit), String::new());
        }
        if let Some(ending) = scores.verdict(terms.adjudication, position.moves_made()) {
            break (ending, String::new());
        }
        let color = position.side();
        let player = &mut players[color.index()];
        let limit = move_limit(player, clocks[color.index()], terms.hang);
        let mut request = String::with_capacity(requests[color.index()].len() + 96);
        request.push_str(&requests[color.index()]);
        if moves.is_empty() && opening.moves.is_empty() {
            // The word stands there only to be followed by moves.
            request.truncate(request.len() - " moves".len());
        }
        let protocol = player.session.config().protocol;
        let go = go(player.limit, clocks, color);
        request.push_str(&format!("\n{}\n", go.display(protocol)));
        let asked = Instant::now();
        let reply = match player.session.go(&request, limit + player.margin) {
            Ok(reply) => reply,
            Err(failure) => break lost(color, failure)?,
        };
        if let Some(late) = late(player, &mut clocks[color.index()], reply.elapsed, limit) {
            // One too short to have made it late is no excuse.
            let still = watchdog.stood_still(asked, asked + reply.elapsed);
            stall = (!still.is_zero() && late <= still + player.margin).then_some(still);
            let detail = format!("{:.0} ms late", late.as_secs_f64() * 1e3);
            break (Ending::win(!color, Reason::Time), detail);
        }
        let text = match reply.answer {
            BestMove::Resign => break (Ending::win(!color, Reason::Resignation), String::new()),
            BestMove::Win => match position.impasse() {
                Some(outcome) => break (outcome.into(), String::new()),
                None => {
                    let detail = format!("claimed in {}", position.sfen());
                    break (Ending::win(!color, Reason::FalseClaim), detail);
                }
            },
            // Engines say "(none)" or "0000" when they see no legal move. Here there is one: that is a quarrel
            // about the rules and no resignation.
            BestMove::Move { best, .. } => best,
        };
        let m = match player.session.dialect().read(&position, &text) {
            Ok(m) => m,
            Err(_) => break wrong_move(&position, color, &text),
        };
        moves.push(MoveRecord {
            usi: position.usi(m),
            score: reply.info.score,
            depth: reply.info.depth,
            seldepth: reply.info.seldepth,
            nodes: reply.info.nodes,
            us: u64::try_from(reply.elapsed.as_micros()).unwrap_or(u64::MAX),
        });
        scores.add(color, reply.info.score.map(|score| score.centipawns()));
        for (player, request) in players.iter().zip(&mut requests) {
            request.push(' ');
            player.session.dialect().write(&position, m, request);
        }
        position.make(m);
    };
    for color in Color::BOTH {
        let how = ["lose", "draw", "win"][ending.half_points(color)];
        players[color.index()].session.game_over(how);
    }
    Ok(Finished { ending, detail, moves, stall })
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
    let clocks = clocks[color.index()].map(|own| {
        // An opponent without a clock is shown as having ours.
        let both = clocks.map(|clock| clock.unwrap_or(own));
        let TimeControl { increment, byoyomi, .. } = own.control();
        let increments = both.map(|clock| milliseconds(clock.control().increment));
        Clocks {
            left: both.map(|clock| milliseconds(clock.left())),
            increment: (!increment.is_zero() || byoyomi.is_zero()).then_some(increments),
            byoyomi: (!byoyomi.is_zero()).then(|| milliseconds(byoyomi)),
        }
    });
    let movetime = limit.move_time.map(milliseconds);
    Go { clocks, movetime, depth: limit.depth, nodes: limit.nodes, infinite: false }
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
fn lost(color: Color, failure: Failure) -> Result<(Ending, String), Failure> {
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
fn wrong_move<V: Variant>(position: &Position<V>, color: Color, text: &str) -> (Ending, String) {
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
        super::go(*limit, clocks, color).display(protocol).to_string()
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
