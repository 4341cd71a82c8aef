//! A game as it is kept: as JSON, and in few words for a list.
use std::borrow::Cow;

use kujira_position::VariantId;
use kujira_record::{Game, NodeId, Notes, PlayError};
use kujira_usi::{Ending, Reason, Score, Switches};
use serde::{Deserialize, Serialize};

use crate::clock::{Millis, TimeControl};
use crate::players::{Levels, Player};

const FORMAT: u32 = 1;

/// The name of a game: 24 hexadecimal digits, and nothing else, so that it can stand in a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct GameId(String);

impl GameId {
    /// The id with this text, if it is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (text.len() == 24 && digits).then(|| Self(text.to_owned()))
    }

    /// The id made of these bytes, of which nobody should be able to guess the next.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 12]) -> Self {
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// A game with what the table needs to go on with it.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The game.
    pub game: Game,
    /// Who plays, Black first.
    pub players: [Player; 2],
    /// The time control, if a clock runs.
    pub time: Option<TimeControl>,
    /// The node shown.
    pub current: NodeId,
    /// The node where the game stands.
    pub tip: NodeId,
    /// Whether the game is on, as against a board to move pieces on.
    pub playing: bool,
    /// What was left on the clocks, Black's first.
    pub left: Option<[Millis; 2]>,
}

impl Saved {
    /// The game as JSON, for a file or a database.
    ///
    /// # Errors
    /// If it cannot be written as JSON, which no game was seen to do.
    pub fn to_json(&self) -> Result<Vec<u8>, String> {
        serde_json::to_vec(&to_file(self)).map_err(|error| error.to_string())
    }

    /// Reads what [`Self::to_json`] wrote.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn from_json(json: &[u8], levels: &Levels) -> Result<Self, String> {
        let file: File<'_> = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        from_file(file, levels)
    }
}

#[derive(Serialize, Deserialize)]
struct File<'a> {
    format: u32,
    variant: Cow<'a, str>,
    start: Cow<'a, str>,
    #[serde(default)]
    rules: Switches,
    players: [Player; 2],
    time: Option<TimeControl>,
    left: Option<[Millis; 2]>,
    current: usize,
    tip: usize,
    playing: bool,
    moves: Vec<FileMove<'a>>,
    /// How it ended at the start, and what was thought of it.
    #[serde(default)]
    ending: Option<Ending>,
    #[serde(default)]
    score: Option<(Score, u32)>,
    /// What a record said before the first move.
    #[serde(default, skip_serializing_if = "silent")]
    notes: Cow<'a, Notes>,
    /// Missing in files of older boards.
    #[serde(default)]
    line: Option<MainLine>,
}

/// The main line in few words, so that games can be listed without being played through.
#[derive(Serialize, Deserialize)]
struct MainLine {
    moves: usize,
    ending: Option<Ending>,
}

/// What the list of games needs of a [`File`].
#[derive(Deserialize)]
struct Head {
    format: u32,
    variant: String,
    players: [Player; 2],
    #[serde(default)]
    line: Option<MainLine>,
}

/// A move; borrowed where it is written, which happens with every move of a game.
#[derive(Serialize, Deserialize)]
struct FileMove<'a> {
    /// Number of the move before, from 1; 0 is the start.
    after: usize,
    usi: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<(Score, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<[Millis; 2]>,
    /// An ending that does not follow from the rules: resignation, time, agreement, a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<Ending>,
    /// What a record said of the move: comments, signs, times.
    #[serde(default, skip_serializing_if = "silent")]
    notes: Cow<'a, Notes>,
}

fn silent(notes: &Notes) -> bool {
    notes.is_empty()
}

/// What a list of games tells of one.
#[derive(Serialize, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum Content {
    /// A game.
    Game {
        /// Its id.
        variant: &'static str,
        /// Who plays, Black first.
        players: [Player; 2],
        /// Moves of the main line.
        moves: usize,
        /// How it ended.
        ending: Option<Ending>,
    },
    /// Nothing that can be read.
    Unreadable {
        /// Why.
        unreadable: String,
    },
}

impl Content {
    /// What a list tells of a game that [`Saved::to_json`] wrote, also of one that cannot be read.
    #[must_use]
    pub fn of(json: &[u8], levels: &Levels) -> Self {
        content(json, levels).unwrap_or_else(|unreadable| Self::Unreadable { unreadable })
    }
}

fn content(json: &[u8], levels: &Levels) -> Result<Content, String> {
    let head: Head = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let variant = check_head(head.format, &head.variant)?;
    let line = match head.line {
        Some(line) => line,
        None => main_line(&Saved::from_json(json, levels)?.game),
    };
    Ok(Content::Game {
        variant: variant.spec().id,
        players: head.players,
        moves: line.moves,
        ending: line.ending,
    })
}

fn to_file(saved: &Saved) -> File<'_> {
    let game = &saved.game;
    let order = game.reachable();
    let mut numbers = vec![0; order.iter().max().map_or(0, |most| most + 1)];
    for (number, &id) in order.iter().enumerate() {
        if let Some(place) = numbers.get_mut(id) {
            *place = number;
        }
    }
    let number = |node: NodeId| numbers.get(node).copied().unwrap_or(0);
    let moves = order.iter().skip(1).filter_map(|&id| game.node(id)).map(|node| FileMove {
        after: node.parent.map_or(0, number),
        usi: Cow::Borrowed(&node.usi),
        score: node.score,
        left: node.left,
        ending: added(node.ending),
        notes: Cow::Borrowed(&node.notes),
    });
    File {
        format: FORMAT,
        variant: Cow::Borrowed(game.variant().spec().id),
        start: Cow::Borrowed(game.start()),
        rules: game.rules().into(),
        players: saved.players,
        time: saved.time,
        left: saved.left,
        current: number(saved.current),
        tip: number(saved.tip),
        playing: saved.playing,
        ending: game.node(0).and_then(|node| added(node.ending)),
        score: game.node(0).and_then(|node| node.score),
        notes: game.node(0).map(|node| Cow::Borrowed(&node.notes)).unwrap_or_default(),
        line: Some(main_line(game)),
        moves: moves.collect(),
    }
}

fn main_line(game: &Game) -> MainLine {
    let line = game.line_through(0);
    let end = line.last().and_then(|&end| game.node(end));
    MainLine { moves: line.len().saturating_sub(1), ending: end.and_then(|node| node.ending) }
}

/// An ending, if it does not follow from the moves alone.
fn added(ending: Option<Ending>) -> Option<Ending> {
    ending.filter(|ending| !ending.by_rule() || ending.reason == Reason::Impasse)
}

fn check_head(format: u32, variant: &str) -> Result<VariantId, String> {
    if format != FORMAT {
        return Err(format!("expected format {FORMAT}, found {format}"));
    }
    VariantId::named(variant)
        .ok_or_else(|| format!("expected a game among {}", VariantId::choices()))
}

fn from_file(file: File<'_>, levels: &Levels) -> Result<Saved, String> {
    let variant = check_head(file.format, &file.variant)?;
    let mut game =
        Game::new(variant, &file.start, file.rules.into()).map_err(|error| error.to_string())?;
    if let Some(root) = game.node_mut(0) {
        root.score = file.score;
        root.notes = file.notes.into_owned();
    }
    let list = file.moves.iter().map(|m| (m.after, &*m.usi));
    let ids = game.play_list(list).map_err(|error| match error {
        PlayError::NoNode(_) => "expected moves after those they follow".to_owned(),
        error => error.to_string(),
    })?;
    let mut endings = vec![(0, file.ending)];
    for (&id, m) in ids.iter().skip(1).zip(file.moves) {
        if let Some(node) = game.node_mut(id) {
            node.score = m.score;
            node.left = m.left;
            node.notes = m.notes.into_owned();
        }
        endings.push((id, m.ending));
    }
    // Only now: nobody could play on behind a claim, which may stand before moves that were there already.
    for (id, ending) in endings {
        if let Some(node) = game.node_mut(id) {
            node.ending = node.ending.or(ending);
        }
    }
    levels.check(variant, &file.players)?;
    let place = |number: usize| ids.get(number).copied().ok_or("expected a move of the game");
    Ok(Saved {
        current: place(file.current)?,
        tip: place(file.tip)?,
        game,
        players: file.players,
        time: file.time.filter(|time| time.valid()),
        playing: file.playing,
        left: file.left,
    })
}

#[cfg(test)]
mod tests {
    use kujira_position::Rules;

    use super::*;
    use crate::players::{Level, Limit};
    use kujira_usi::Side;

    fn levels() -> Levels {
        Levels::new([Level { name: "shrimp", elo: None, limit: Limit::NONE }; 3])
    }

    fn sample() -> Saved {
        let mut game =
            Game::new(VariantId::Whale, VariantId::Whale.spec().start, Rules::DEFAULT).unwrap();
        let a = game.play(0, "2e2d").unwrap();
        let b = game.play(a, "3b3c").unwrap();
        let cut = game.play(0, "3e3d").unwrap();
        let c = game.play(0, "5e5d").unwrap();
        game.remove(cut);
        game.node_mut(b).unwrap().score = Some((Score::Mate(-4), 9));
        game.node_mut(a).unwrap().left = Some([1000, 2000]);
        let resigned = Ending { winner: Some(Side::White), reason: Reason::Resignation };
        game.node_mut(c).unwrap().ending = Some(resigned);
        Saved {
            game,
            players: [Player::Human, Player::Engine { level: 3 }],
            time: Some(TimeControl { main: 60_000, increment: 0, byoyomi: 5_000 }),
            current: c,
            tip: b,
            playing: true,
            left: Some([50_000, 40_000]),
        }
    }

    fn read(text: &str) -> Result<Saved, String> {
        Saved::from_json(text.as_bytes(), &levels())
    }

    fn written(saved: &Saved) -> String {
        String::from_utf8(saved.to_json().unwrap()).unwrap()
    }

    #[test]
    fn games_come_back_as_they_were() {
        let saved = sample();
        let text = written(&saved);
        let back = read(&text).unwrap();
        assert_eq!(back.game.usi(back.tip), "startpos moves 2e2d 3b3c");
        assert_eq!(back.game.usi(back.current), "startpos moves 5e5d");
        assert_eq!(back.game.reachable().len(), 4, "what was cut is not saved");
        assert_eq!(back.game.node(back.tip).unwrap().score, Some((Score::Mate(-4), 9)));
        assert_eq!(
            back.game.node(back.current).unwrap().ending,
            saved.game.node(saved.current).unwrap().ending
        );
        assert_eq!((back.players, back.time, back.left), (saved.players, saved.time, saved.left));
        assert_eq!(written(&back), text);
        let game =
            Content::Game { variant: "whale", players: saved.players, moves: 2, ending: None };
        assert_eq!(Content::of(text.as_bytes(), &levels()), game);
        // A file of an older board does not tell its main line, which is then played through.
        let older = text.replace("\"line\":", "\"unknown\":");
        assert_ne!(older, text);
        assert_eq!(Content::of(older.as_bytes(), &levels()), game);
    }

    #[test]
    fn comments_and_signs_of_a_record_come_back() {
        let text = "[Variant \"whale\"]\n\n{a start} 1. 2e2d! {good} ( {or} 1. 5e5d $6 ) 3b3c *";
        let game = kujira_record::read(text, VariantId::Whale).unwrap().game;
        let pgn = |game: &Game| {
            kujira_record::write(game, kujira_record::Format::Pgn, &Default::default(), "")
        };
        let written_once = pgn(&game);
        for note in ["{a start}", "$1", "{good}", "{or}", "$6"] {
            assert!(written_once.contains(note), "{note} in {written_once}");
        }
        let saved = Saved { current: 0, tip: 0, game, ..sample() };
        let back = read(&written(&saved)).unwrap();
        assert_eq!(pgn(&back.game), written_once);
    }

    /// As every board wrote it since there are saved games: names of fields, tags, and their order.
    #[test]
    fn the_form_stays() {
        assert_eq!(
            written(&sample()),
            concat!(
                r#"{"format":1,"variant":"whale","#,
                r#""start":"bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1","#,
                r#""rules":{"retreat_two":false,"retreat_file_limit":false,"#,
                r#""impasse":false,"repetition":true},"players":[{"kind":"human"},"#,
                r#"{"kind":"engine","level":3}],"time":{"main":60000,"increment":0,"#,
                r#""byoyomi":5000},"left":[50000,40000],"current":2,"tip":3,"#,
                r#""playing":true,"moves":[{"after":0,"usi":"2e2d","left":[1000,2000]},"#,
                r#"{"after":0,"usi":"5e5d","ending":{"winner":"w","#,
                r#""reason":"resignation"}},{"after":1,"usi":"3b3c","score":[{"mate":-4},"#,
                r#"9]}],"ending":null,"score":null,"line":{"moves":2,"ending":null}}"#,
            )
        );
    }

    #[test]
    fn what_is_no_game_is_told() {
        let text = written(&sample());
        for (from, to, expected) in [
            ("\"format\":1", "\"format\":2", "expected format 1, found 2"),
            ("2e2d", "2e2a", "expected a legal move"),
            ("\"after\":0", "\"after\":9", "expected moves after those they follow"),
            ("\"level\":3", "\"level\":30", "expected levels of engines from 1 to 3"),
            ("whale", "chess", "expected a game among"),
        ] {
            let error = read(&text.replace(from, to)).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        for length in [0, 1, text.len() / 2, text.len() - 1] {
            assert!(read(&text[..length]).is_err(), "cut to {length} bytes");
        }
        let cut = Content::of(&text.as_bytes()[..9], &levels());
        let Content::Unreadable { unreadable } = &cut else { panic!("no game: {cut:?}") };
        assert!(unreadable.contains("EOF"), "{unreadable}");
        assert_eq!(serde_json::to_value(&cut).unwrap()["unreadable"], *unreadable);
    }

    /// Nobody can play on behind a claim, but what had been played there before stays.
    #[test]
    fn a_claim_among_moves_comes_back() {
        let rules = Rules { impasse: true, ..Rules::DEFAULT };
        let start = "W5/6/6/6/5w/6 b 2G4D8d 1";
        let mut game = Game::new(VariantId::Whale, start, rules).unwrap();
        let a = game.play(0, "6a5a").unwrap();
        let b = game.play(a, "1e1f").unwrap();
        let claimed = game.impasse(a).unwrap();
        assert_eq!(claimed.reason, Reason::Impasse);
        game.node_mut(a).unwrap().ending = Some(claimed);
        let resigned = Ending { winner: Some(Side::White), reason: Reason::Resignation };
        game.node_mut(0).unwrap().ending = Some(resigned);
        let saved = Saved { game, current: a, tip: a, ..sample() };
        let back = read(&written(&saved)).unwrap().game;
        assert_eq!(back.node(a).unwrap().ending, Some(claimed));
        assert_eq!(back.node(b).unwrap().usi, "1e1f");
        assert_eq!(back.node(0).unwrap().ending, Some(resigned));
    }

    #[test]
    fn names_hold_nothing_but_digits() {
        for text in ["", "../../../../etc/passwd00", "0123456789ABCDEF01234567", "0123"] {
            assert_eq!(GameId::parse(text), None, "{text}");
        }
        let id = GameId::from_bytes([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255]);
        assert_eq!(id.text(), "000102030405060708090aff");
        assert_eq!(GameId::parse(id.text()), Some(id));
    }
}
