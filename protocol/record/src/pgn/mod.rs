//! Games as PGN, for the tools of chess: tags, moves, and branches in brackets.
//!
//! The tag `White` names the side that moves up the board (our Black, who moves first unless there
//! is a handicap), because that is how chess programs show these games; `Sente` and `Gote` say it
//! without doubt. Results and numbers follow that: a game that our White begins starts with
//! `1... MOVE`, and its second move is number 2.
//!
//! Moves are written as USI and read as USI or in Hodges notation, in the square convention that the
//! moves themselves tell. Which game it is says the tag `Variant`, the position of the tag `SFEN`, or
//! else the moves: they are tried in the game that the caller names, then in the others.
//!
//! A comment `{-1.25/9}` behind a move is what an engine thought of the position then, and its depth.
//! It is written as match runners do (cutechess, `kujira-bench`), which let an engine comment its own
//! move: in pawns as the mover sees it, `M` and the plies to a mate, the move among them.

mod comment;
mod read;
mod token;
mod write;

use std::io::BufRead;

use kujira_position::VariantId;
use kujira_usi::Switches;

use crate::error::{Error, Fault};
use crate::game::Game;
use crate::head::Head;

pub use crate::tags::{PgnGame, Tags};
pub(crate) use comment::{append, note};
pub(crate) use token::HEADERS;
pub(crate) use write::{Writer, moves};

/// Reads the first game of a text, and says how many more there are. `hint` is the game that moves
/// without tags are tried in first.
///
/// # Errors
/// What is wrong with the first game, and where.
///
/// ```
/// use kujira_position::VariantId;
///
/// let text = "[Variant \"whale\"]\n\n1. D-e3! (1. D-b3 {quiet}) D-c4 *\n\n1. 2e2d 1-0";
/// let (first, more) = kujira_record::pgn::read(text, VariantId::Whale)?;
/// assert_eq!(first.game.usi(first.game.end()), "startpos moves 2e2d 4b4c");
/// assert_eq!((first.game.reachable().len(), more), (4, 1));
/// # Ok::<(), kujira_record::Error>(())
/// ```
pub fn read(text: &str, hint: impl Into<Option<VariantId>>) -> Result<(PgnGame, usize), Error> {
    let mut games = read::split(text.as_bytes());
    let first = games.next().ok_or_else(|| Fault::expected("a game", ""))??;
    Ok((read::game(&first, hint.into())?, games.count()))
}

/// Reads the games of a file one after the other, with the memory of one. A game with a wrong move leaves the others as
/// they are; behind what is no PGN there are no more.
pub fn games(
    reader: impl BufRead,
    hint: impl Into<Option<VariantId>>,
) -> impl Iterator<Item = Result<PgnGame, Error>> {
    let hint = hint.into();
    read::split(reader).map(move |raw| read::game(&raw?, hint))
}

/// Writes a game of the board with all its branches; `names` are the players', Black's first, `date` is `YYYY.MM.DD`
/// or empty.
#[must_use]
pub fn write(game: &Game, names: &[String; 2], date: &str) -> String {
    let mut head = Head::of(names.clone());
    head.tags.set("Event", "Kujira Board");
    if !date.is_empty() {
        head.tags.set("Date", date);
    }
    write_with(game, &head)
}

/// The tags that every game has, with their values if nothing is known.
const ROSTER: [(&str, &str); 4] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "-")];

/// Writes a game with all its branches, notes and tags.
#[must_use]
pub fn write_with(game: &Game, head: &Head) -> String {
    let spec = game.variant().spec();
    let ending = game.node(game.end()).and_then(|node| node.ending);
    let result = ending.map_or("*", |ending| ending.result());
    let mut writer = Writer::default();
    for (name, unknown) in ROSTER {
        writer.tag(name, head.tag(name).as_deref().unwrap_or(unknown));
    }
    let [black, white] = &head.players;
    writer.tag("White", &black.name);
    writer.tag("Black", &white.name);
    writer.tag("Result", result);
    writer.tag("Sente", &black.name);
    writer.tag("Gote", &white.name);
    writer.tag("Variant", spec.id);
    if game.start() != spec.start {
        writer.tag("SetUp", "1");
        writer.tag("SFEN", game.start());
    }
    let rules = Switches::from(game.rules()).to_string();
    if !rules.is_empty() {
        writer.tag("Rules", &rules);
    }
    if let Some(ending) = ending {
        writer.tag("Termination", ending.reason.text());
    }
    for (name, player) in [("WhiteLimit", black), ("BlackLimit", white)] {
        if !player.limit.is_empty() {
            writer.tag(name, &player.limit);
        }
    }
    let told = |name: &str| ROSTER.iter().any(|(told, _)| told.eq_ignore_ascii_case(name));
    for (name, value) in head.tags.0.iter().filter(|(name, _)| !told(name)) {
        writer.tag(name, value);
    }
    writer.end_tags();
    moves(game, None, &mut writer);
    writer.end(result)
}

#[cfg(test)]
mod tests {
    use kujira_usi::{Ending, Reason, Score, Side};

    use super::*;

    fn from(text: &str) -> Game {
        read(text, VariantId::Whale).unwrap().0.game
    }

    #[test]
    fn the_text_is_what_tools_expect() {
        let game = crate::tests::sample();
        let names = ["a \"b\"".to_owned(), "c".to_owned()];
        let text = write(&game, &names, "2026.11.21");
        for line in [
            "[White \"a \\\"b\\\"\"]",
            "[SFEN \"bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1\"]",
            "[Rules \"impasse\"]",
            "[Result \"*\"]",
            "1... 6b6c 2. 2e2d {-1.25/9} ( 2. 1e1d 4b4c ( 2... 5b5c ) 3. 2e2d ) 2... 5b5c *",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
    }

    /// The text is what `kujira-bench` writes.
    #[test]
    fn records_of_matches_are_read_and_written_alike() {
        let head = "[Variant \"whale\"]\n[SFEN \"bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1\"]\n\
                    [Rules \"impasse\"]\n[Result \"0-1\"]\n[Termination \"time\"]\n\n";
        let moves =
            "1... 6b6c {book} 2. 2e2d {-1.25/7 0.002s} 5b5c {+M3/7 0.002s} 3. 1e1d {?/7 0.002s}";
        let game = from(&format!("{head}{moves} 0-1\n"));
        let scores: Vec<_> = (1..5).map(|id| game.node(id).unwrap().score).collect();
        // As Black sees them: White, who moved to the third, mates with two plies more.
        assert_eq!(scores, [None, Some((Score::Cp(-125), 7)), Some((Score::Mate(-2), 7)), None]);
        assert!(game.rules().impasse);
        let lost = Ending { winner: Some(Side::White), reason: Reason::Time };
        assert_eq!(game.node(4).unwrap().ending, Some(lost));
        let text = write(&game, &["a".to_owned(), "b".to_owned()], "");
        let line = "1... 6b6c {book} 2. 2e2d {-1.25/7 0.002s} 5b5c {+M3/7 0.002s} 3. 1e1d {?/7";
        assert!(text.contains(&format!("\n{line}\n0.002s}} 0-1\n")), "{text}");
        assert!(
            text.contains("[Result \"0-1\"]") && text.contains("[Rules \"impasse\"]"),
            "{text}"
        );
        // A mate that was played has no score, but is told.
        let mated = from("[Variant \"whale\"]\n\n1. 2e2d {+M1/3} *");
        assert_eq!(mated.node(1).unwrap().score, None);
        assert!(write(&mated, &Default::default(), "").contains("1. 2e2d {+M1/3} *\n"));
    }

    #[test]
    fn results_that_no_move_implies_are_kept() {
        let ending = |result: &str, termination: &str| {
            let text = format!(
                "[Variant \"whale\"]\n[Termination \"{termination}\"]\n\n1. 2e2d ( 1. 5e5d ) {result}"
            );
            let game = from(&text);
            let end = *game.line_through(0).last().unwrap();
            assert_eq!(game.node(end).unwrap().usi, "2e2d");
            let written = write(&game, &["a".to_owned(), "b".to_owned()], "");
            let back = from(&written);
            assert_eq!(back.node(end).unwrap().ending, game.node(end).unwrap().ending, "{written}");
            game.node(end).unwrap().ending
        };
        let told = |winner, reason| Some(Ending { winner, reason });
        assert_eq!(ending("1-0", "resignation"), told(Some(Side::Black), Reason::Resignation));
        assert_eq!(ending("0-1", "time forfeit"), told(Some(Side::White), Reason::Time));
        assert_eq!(ending("1/2-1/2", "agreement"), told(None, Reason::Agreement));
        assert_eq!(ending("1/2-1/2", "ply-limit"), told(None, Reason::PlyLimit));
        assert_eq!(ending("0-1", "died"), told(Some(Side::White), Reason::Died));
        for (result, winner) in [("1-0", Some(Side::Black)), ("1/2-1/2", None)] {
            let reason =
                [Reason::AdjudicatedDraw, Reason::AdjudicatedWin][usize::from(winner.is_some())];
            assert_eq!(ending(result, reason.text()), told(winner, reason));
            assert_eq!(ending(result, reason.name()), told(winner, reason));
        }
        // No reason for a draw is one for a win.
        assert_eq!(ending("1-0", "ply-limit"), told(Some(Side::Black), Reason::Recorded));
        assert_eq!(ending("0-1", "impasse"), told(Some(Side::White), Reason::Recorded));
        assert_eq!(ending("1-0", ""), told(Some(Side::Black), Reason::Recorded));
        assert_eq!(ending("*", "resignation"), None);
        // A claim stands where it could be made; without it the game goes on there.
        let claim = "[Variant \"whale\"]\n[SFEN \"W5/6/6/6/5w/6 b 2G4D8d 1\"]\n[Rules \"impasse\"]\n\
                     [Result \"1-0\"]\n[Termination \"impasse\"]\n\n";
        let game = from(claim);
        assert_eq!(game.node(0).unwrap().ending, told(Some(Side::Black), Reason::Impasse));
    }

    /// A tag that contradicts the text is no result to choose from; nor is a dash that only looks like ours.
    #[test]
    fn results_that_contradict_each_other_are_told() {
        let game = |tag: &str, result: &str| {
            let text = format!("[Variant \"whale\"]\n[Result \"{tag}\"]\n\n1. 2e2d {result}\n");
            let read = read(&text, VariantId::Whale);
            read.map(|(read, _)| read.game.node(1).unwrap().ending.map(|ending| ending.result()))
                .map_err(|error| error.to_string())
        };
        for (tag, result, expected) in [
            ("1-0", "1-0", Some("1-0")),
            ("1-0", "*", Some("1-0")),
            ("*", "0-1", Some("0-1")),
            ("½-½", "1/2-1/2", Some("1/2-1/2")),
            ("1/2", "", Some("1/2-1/2")),
            ("?", "0-1", Some("0-1")),
            ("*", "*", None),
        ] {
            assert_eq!(game(tag, result), Ok(expected), "{tag} {result}");
        }
        let told = "line 2, column 1: expected the result 0-1 as behind the moves, found \"1-0\"";
        assert_eq!(game("1-0", "0-1").unwrap_err(), told);
        assert!(game("½-½", "0-1").is_err());
        for tag in ["1–0", "0—1", "½–½", "1:0", "1-0 (time)", "2"] {
            let error = game(tag, "1-0").unwrap_err();
            let told = "line 2, column 1: expected 1-0, 0-1, 1/2-1/2 or *, found";
            assert_eq!(error, format!("{told} \"{tag}\""));
        }
        for tag in ["", "unknown", "–"] {
            assert_eq!(game(tag, "1-0"), Ok(Some("1-0")), "{tag}");
        }
        for result in ["1–0", "0—1", "½–½", "1:0", "0,5"] {
            let error = game("*", result).unwrap_err();
            let told = "line 4, column 9: move 2: expected a move, or a result: 1-0, 0-1, 1/2-1/2 or *, found";
            assert_eq!(error, format!("{told} \"{result}\""));
        }
    }

    #[test]
    fn hodges_moves_numbers_and_comments_are_read() {
        let text = "[Variant \"whale\"]\n\n1.D-2d {a comment} D-3c 2... 2. 5e5d $1 1-0 junk";
        let game = from(text);
        assert_eq!(game.usi(3), "startpos moves 2e2d 3b3c 5e5d");
        let notes = |id| game.node(id).unwrap().notes.clone();
        assert_eq!((&notes(1).comment[..], &notes(3).nags[..]), ("a comment", &[1][..]));
    }
}
