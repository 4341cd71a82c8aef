//! Games of matches, as the runner finishes them: a line of a journal, a line of USI text, PGN.

use kujira_position::{Color, Handicap, VariantId};
use kujira_usi::{Ending, Score, Switches};
use serde::{Deserialize, Serialize};

use crate::pgn::Writer;

pub use crate::seat::{GameId, Player};

/// A move and what the engine said about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move as USI text.
    pub usi: String,
    /// Score from the mover's point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Greatest depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time taken, in microseconds, as the runner saw it.
    #[serde(default)]
    pub us: u64,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of its match.
    #[serde(flatten)]
    pub id: GameId,
    /// Which kind of whale shogi.
    pub variant: String,
    /// Who played Black.
    pub black: Player,
    /// Who played White.
    pub white: Player,
    /// The position begun from and the moves given, as in a USI `position` line.
    pub opening: String,
    /// The moves played by the engines.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    #[serde(flatten, with = "kujira_usi::ending::journal")]
    pub ending: Ending,
    /// What else is to be said of the end: the illegal move and its position, how an engine died.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// When it began, in UTC: `2026-11-28T00:15:17Z`; empty where that is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub began: String,
    /// How the machine fared meanwhile; none where nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

/// How the machine fared during a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    /// Threads that ran or wanted to, for each core, in percent: its load average over a minute.
    pub load: u32,
    /// For how long the runner stood still, in milliseconds.
    pub still_ms: u64,
}

impl Machine {
    /// More load than this, in percent, is too much: every second thread waits for another.
    pub const MOST_LOAD: u32 = 150;

    /// Whether a move may have come late because of the machine.
    #[must_use]
    pub fn is_strained(self) -> bool {
        self.load > Self::MOST_LOAD || self.still_ms > 0
    }
}

/// What the PGN of a match says of all its games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnHead {
    /// What the match is called.
    pub event: String,
    /// What each engine calls itself, by its number.
    pub versions: Vec<String>,
    /// The rules of the games.
    pub rules: Switches,
}

impl GameRecord {
    /// The whole game as in a USI `position` line.
    #[must_use]
    pub fn usi(&self) -> String {
        let mut text = self.opening.clone();
        for (index, m) in self.moves.iter().enumerate() {
            let first = index == 0 && !text.contains(" moves");
            text.push_str(if first { " moves " } else { " " });
            text.push_str(&m.usi);
        }
        text
    }

    /// The game as PGN, and an empty line.
    #[must_use]
    pub fn pgn(&self, PgnHead { event, versions, rules }: &PgnHead) -> String {
        let given = self.given();
        let result = self.ending.result();
        let mut writer = Writer::default();
        let (date, time) = self.began.split_once('T').unwrap_or(("????-??-??", ""));
        writer.tag("Event", if event.is_empty() { "kujira-bench match" } else { event });
        writer.tag("Site", "?");
        writer.tag("Date", &date.replace('-', "."));
        writer.tag("Round", &format!("{}.{}", self.id.round + 1, self.id.leg + 1));
        writer.tag("White", &self.black.name);
        writer.tag("Black", &self.white.name);
        writer.tag("Result", result);
        writer.tag("Sente", &self.black.name);
        writer.tag("Gote", &self.white.name);
        writer.tag("Variant", &self.variant);
        if let Some(sfen) = self.start().strip_prefix("sfen ") {
            writer.tag("SetUp", "1");
            writer.tag("SFEN", sfen);
        }
        // Without it the moves may not be legal, and the end may not be one.
        if *rules != Switches::default() {
            writer.tag("Rules", &rules.to_string());
        }
        if !time.is_empty() {
            writer.tag("UTCTime", time.trim_end_matches('Z'));
        }
        let [white, black] = [&self.black.limit, &self.white.limit];
        if white == black {
            writer.tag("TimeControl", time_control(white));
        } else {
            writer.tag("WhiteTimeControl", time_control(white));
            writer.tag("BlackTimeControl", time_control(black));
        }
        writer.tag("WhiteLimit", white);
        writer.tag("BlackLimit", black);
        for (tag, engine) in ["WhiteVersion", "BlackVersion"].into_iter().zip(self.id.by_color()) {
            if let Some(version) = versions.get(engine).filter(|version| !version.is_empty()) {
                writer.tag(tag, version);
            }
        }
        writer.tag("Termination", self.ending.reason.name());
        if !self.detail.is_empty() {
            writer.tag("Detail", &self.detail);
        }
        writer.end_tags();
        let begins = if self.black_starts() { Color::Black } else { Color::White };
        for (index, m) in given.iter().enumerate() {
            writer.play(begins, index, index == 0, m);
            writer.comment("book");
        }
        for (index, m) in (given.len()..).zip(&self.moves) {
            writer.play(begins, index, index == 0, &m.usi);
            let score = m.score.map_or_else(|| "?".to_owned(), |score| score.to_string());
            let depth = m.depth.map_or_else(|| "?".to_owned(), |depth| depth.to_string());
            writer.comment(&format!("{score}/{depth} {:.3}s", m.us as f64 / 1e6));
        }
        writer.end(result) + "\n"
    }

    /// The handicap that White gave: that of the position begun from.
    #[must_use]
    pub fn handicap(&self) -> Option<&'static Handicap> {
        let sfen = self.start().strip_prefix("sfen ")?;
        // Without the number of the move, which says nothing about the position.
        let position = |sfen: &str| -> Vec<String> {
            sfen.split_ascii_whitespace().take(3).map(str::to_owned).collect()
        };
        let spec = VariantId::named(&self.variant)?.spec();
        spec.handicaps.iter().find(|handicap| position(handicap.sfen) == position(sfen))
    }

    /// The position begun from: `startpos`, or `sfen` and an SFEN.
    #[must_use]
    pub fn start(&self) -> &str {
        self.opening.split_once(" moves").map_or(self.opening.as_str(), |(start, _)| start)
    }

    /// The moves given.
    fn given(&self) -> Vec<&str> {
        let given = self.opening.split_once(" moves").map_or("", |(_, given)| given);
        given.split_ascii_whitespace().collect()
    }

    /// Whether Black made the first move of the whole game, those of the opening included.
    #[must_use]
    pub fn black_starts(&self) -> bool {
        self.start().split_ascii_whitespace().nth(2) != Some("w")
    }

    /// Whether Black made the first of [`Self::moves`].
    #[must_use]
    pub fn black_begins(&self) -> bool {
        self.given().len().is_multiple_of(2) == self.black_starts()
    }
}

/// A limit as PGN knows time controls: `8+0.08`, or none.
fn time_control(limit: &str) -> &str {
    let first = limit.split([' ', ',']).next().unwrap_or_default();
    if first.contains('+') { first } else { "-" }
}

#[cfg(test)]
mod tests {
    use kujira_usi::Reason;

    use super::*;
    use crate::pgn::{PgnGame, games};

    fn read(text: &str) -> Vec<PgnGame> {
        games(text.as_bytes(), VariantId::Great).collect::<Result<_, _>>().unwrap()
    }

    fn record() -> GameRecord {
        let player = |name: &str, limit: &str| Player {
            name: name.to_owned(),
            limit: limit.to_owned(),
            ..Player::default()
        };
        let m = |usi: &str, score| MoveRecord {
            usi: usi.to_owned(),
            score,
            depth: Some(7),
            seldepth: None,
            nodes: Some(5),
            us: 1_500,
        };
        GameRecord {
            id: GameId { round: 2, engines: [0, 1], leg: 1 },
            variant: "whale".to_owned(),
            black: player("a \\ \"b\"", "8+0.08, nodes 9"),
            white: player("w", "nodes 9"),
            opening: "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves 6b6c".to_owned(),
            moves: vec![
                m("2e2d", Some(Score::Cp(-125))),
                m("5b5c", Some(Score::Mate(3))),
                m("1e1d", None),
            ],
            ending: Ending::win(kujira_position::Color::White, Reason::Time),
            detail: "12 ms late".to_owned(),
            began: "2026-11-28T00:15:17Z".to_owned(),
            machine: None,
        }
    }

    #[test]
    fn games_are_written_and_read() {
        let impasse = Switches { impasse: true, ..Switches::default() };
        let versions = vec!["Kujira 0.1".to_owned()];
        let head = PgnHead { event: "A cup".to_owned(), versions, rules: impasse };
        let text = record().pgn(&head);
        // Byte by byte what other tools have read for long.
        let expected = r#"[Event "A cup"]
[Site "?"]
[Date "2026.11.28"]
[Round "3.2"]
[White "a \\ \"b\""]
[Black "w"]
[Result "0-1"]
[Sente "a \\ \"b\""]
[Gote "w"]
[Variant "whale"]
[SetUp "1"]
[SFEN "bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1"]
[Rules "impasse"]
[UTCTime "00:15:17"]
[WhiteTimeControl "8+0.08"]
[BlackTimeControl "-"]
[WhiteLimit "8+0.08, nodes 9"]
[BlackLimit "nodes 9"]
[BlackVersion "Kujira 0.1"]
[Termination "time"]
[Detail "12 ms late"]

1... 6b6c {book} 2. 2e2d {-1.25/7 0.002s} 5b5c {+M3/7 0.002s} 3. 1e1d {?/7
0.002s} 0-1

"#;
        assert_eq!(text, expected);
        let games = read(&(text.clone() + &text));
        assert_eq!(games.len(), 2);
        for PgnGame { tags, game } in games {
            assert_eq!(tags.players(), ["a \\ \"b\"", "w"]);
            assert_eq!((game.variant(), game.usi(game.end())), (VariantId::Whale, record().usi()));
            assert_eq!(game.node(game.end()).and_then(|node| node.ending), Some(record().ending));
        }
    }

    #[test]
    fn handicaps_are_known_by_their_start() {
        let id = |variant: &str, opening: &str| {
            let (variant, opening) = (variant.to_owned(), opening.to_owned());
            GameRecord { variant, opening, ..record() }.handicap().map(|handicap| handicap.id)
        };
        let porpoise = "sfen bn1wgh/dddddd/6/6/DDDDDD/HGWPNB w -";
        assert_eq!(id("whale", &format!("{porpoise} 1 moves 2b2c")), Some("P"));
        assert_eq!(id("whale", porpoise), Some("P"));
        assert_eq!(id("whale", &porpoise.replace('w', "b")), None);
        assert_eq!(id("paulowich", porpoise), None);
        assert_eq!(id("whale", "startpos moves 2e2d"), None);
        assert_eq!(id("chess", porpoise), None);
        let seven = "sfen bn1wa2/ddddddd/7/7/7/DDDDDDD/HGAWPNB w - 1";
        assert_eq!(id("paulowich", seven), Some("PHG"));
    }

    /// The tag `White` is our Black, so a game that our White begins has no first move of `White`.
    #[test]
    fn numbers_follow_the_side_that_begins() {
        let white_first = "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1";
        for (opening, moves, expected) in [
            ("startpos", &["2e2d", "5b5c", "1e1d"] as &[&str], "1. 2e2d 5b5c 2. 1e1d 0-1"),
            ("startpos moves 2e2d", &["5b5c", "1e1d"], "1. 2e2d 5b5c 2. 1e1d 0-1"),
            (white_first, &["2b2c", "5e5d", "1b1c"], "1... 2b2c 2. 5e5d 1b1c 0-1"),
            (&format!("{white_first} moves 2b2c")[..], &["5e5d"], "1... 2b2c 2. 5e5d 0-1"),
            (
                &format!("{white_first} moves 2b2c 5e5d")[..],
                &["1b1c", "1e1d"],
                "1... 2b2c 2. 5e5d 1b1c 3. 1e1d 0-1",
            ),
            // The number in the SFEN is no number of a PGN: it counts single moves.
            ("sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB b - 9", &["2e2d", "2b2c"], "1. 2e2d 2b2c 0-1"),
        ] {
            let mut game = record();
            opening.clone_into(&mut game.opening);
            game.moves.truncate(moves.len());
            for (m, usi) in game.moves.iter_mut().zip(moves) {
                (*usi).clone_into(&mut m.usi);
            }
            let text = game.pgn(&PgnHead::default());
            assert!(!text.contains("[Rules "), "{text}");
            assert!(text.contains("[White \"a \\\\ \\\"b\\\"\"]\n[Black \"w\"]\n"), "{text}");
            let (_, body) = text.split_once("\n\n").unwrap();
            let mut depth = 0;
            let bare: Vec<_> = body
                .split_ascii_whitespace()
                .filter(|word| {
                    let within = depth > 0 || word.starts_with('{');
                    depth += word.matches('{').count();
                    depth -= word.matches('}').count();
                    !within
                })
                .collect();
            assert_eq!(bare.join(" "), expected, "{opening}");
            let back = &read(&text)[0].game;
            assert_eq!(back.usi(back.end()), game.usi());
        }
    }
}
