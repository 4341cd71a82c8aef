//! What a line of the engine tells, for whoever wants values: `Told` in `protocol/web/package/engine/index.d.ts`.

use kujira_usi::{BestMove, Bound, Checkmate, Line, Protocol, Score};
use serde::Serialize;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Told {
    Info {
        depth: u32,
        seldepth: u32,
        multipv: u32,
        score: Score,
        bound: &'static str,
        nodes: u64,
        time: u64,
        hashfull: u32,
        pv: Vec<String>,
    },
    BestMove {
        answer: &'static str,
        best: Option<String>,
        ponder: Option<String>,
    },
    Checkmate {
        status: &'static str,
        line: Vec<String>,
    },
    Error {
        text: String,
    },
}

/// What a line tells, as JSON; none if that is nothing of a search.
pub(crate) fn told(line: &str) -> Option<String> {
    let told = match Line::parse(line, Protocol::Usi) {
        Line::Info(info) => Told::Info {
            depth: info.depth?,
            seldepth: info.seldepth.or(info.depth)?,
            multipv: info.rank(),
            score: info.score()?,
            bound: match info.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            nodes: info.nodes.unwrap_or(0),
            time: info.time.unwrap_or(0),
            hashfull: info.hashfull.unwrap_or(0),
            pv: info.pv,
        },
        Line::BestMove(BestMove::Move { best, ponder }) => {
            Told::BestMove { answer: "move", best: Some(best), ponder }
        }
        Line::BestMove(BestMove::Resign) => nobody("resign"),
        Line::BestMove(BestMove::Win) => nobody("win"),
        Line::Checkmate(Checkmate::Mate(line)) => Told::Checkmate { status: "proved", line },
        Line::Checkmate(Checkmate::NoMate) => none("refuted"),
        Line::Checkmate(Checkmate::Timeout | Checkmate::NotImplemented) => none("unknown"),
        Line::Error(text) => Told::Error { text },
        _ => return None,
    };
    serde_json::to_string(&told).ok()
}

fn nobody(answer: &'static str) -> Told {
    Told::BestMove { answer, best: None, ponder: None }
}

fn none(status: &'static str) -> Told {
    Told::Checkmate { status, line: Vec::new() }
}
