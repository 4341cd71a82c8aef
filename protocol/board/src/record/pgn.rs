//! A game as PGN, for the tools of chess: moves as USI writes them, branches in brackets.
//!
//! The tag `White` names the side that moves up the board (our Black, who moves first unless there
//! is a handicap), because that is how chess programs show these games; `Sente` and `Gote` say it
//! without doubt. Results and numbers follow that: a game that our White begins starts with
//! `1... MOVE`, and its second move is number 2.
//!
//! A comment `{-1.25/9}` behind a move is what an engine thought of the position then, and its depth.
//! It is written as match runners do (cutechess, `kujira-bench`), which let an engine comment its own
//! move: in pawns as the mover sees it, `M` and the plies to a mate, the move among them.

use kujira_position::{Color, Coordinates, VariantId, with_variant};

use crate::game::{Game, NodeId};
use crate::rules::Switches;
use crate::side::{Ending, Reason, Score, Side};

/// How deep branches may stand in branches.
const MOST_NESTED: usize = 64;

/// Writes a game with all its branches.
pub(super) fn write(game: &Game, names: &[String; 2], date: &str) -> String {
    let spec = game.variant().spec();
    let end = game.line_through(0).last().copied().unwrap_or(0);
    let ending = game.node(end).and_then(|node| node.ending);
    let result = ending.map_or("*", |ending| ending.result());
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    };
    let [black, white] = names;
    tag("Event", "Kujira Board");
    tag("Site", "?");
    tag("Date", if date.is_empty() { "????.??.??" } else { date });
    tag("Round", "-");
    tag("White", black);
    tag("Black", white);
    tag("Result", result);
    tag("Sente", black);
    tag("Gote", white);
    tag("Variant", spec.id);
    if game.start() != spec.start {
        tag("SetUp", "1");
        tag("SFEN", game.start());
    }
    let rules = Switches::from(game.rules()).to_string();
    if !rules.is_empty() {
        tag("Rules", &rules);
    }
    if let Some(ending) = ending {
        tag("Termination", ending.reason.text());
    }
    let mut words = Vec::new();
    line(game, 0, true, &mut words);
    words.push(result.to_owned());
    text + "\n" + &wrap(&words) + "\n"
}

/// The moves after `node`: the main line, and behind each of its moves the others played instead.
/// `numbered` tells whether the first has its number also if it is the second of a pair.
fn line(game: &Game, node: NodeId, mut numbered: bool, words: &mut Vec<String>) {
    // Lines are followed in a loop and only branches by recursion, which is as deep as they nest.
    let mut at = node;
    while let Some((&main, others)) = game.node(at).and_then(|node| node.children.split_first()) {
        one(game, main, numbered, words);
        numbered = false;
        for &other in others {
            words.push("(".to_owned());
            one(game, other, true, words);
            line(game, other, false, words);
            words.push(")".to_owned());
            numbered = true;
        }
        at = main;
    }
}

fn one(game: &Game, id: NodeId, numbered: bool, words: &mut Vec<String>) {
    let Some(node) = game.node(id) else { return };
    let begins = game.node(0).map_or(Color::Black, |root| root.side);
    let index = game.path(id).len().saturating_sub(2) + begins.index();
    if index.is_multiple_of(2) {
        words.push(format!("{}.", index / 2 + 1));
    } else if numbered {
        words.push(format!("{}...", index / 2 + 1));
    }
    words.push(node.usi.clone());
    if let Some((score, depth)) = node.score {
        let score = match score.for_black(!node.side) {
            Score::Mate(plies) => Score::Mate(plies.saturating_add(plies.signum())),
            score => score,
        };
        words.push(format!("{{{score}/{depth}}}"));
    }
}

/// Notes what a comment says of the position behind a move.
fn note(game: &mut Game, at: NodeId, (score, depth): (Score, u32)) {
    let score = match score {
        // The game was over: there is nothing more to know.
        Score::Mate(-1..=1) => return,
        Score::Mate(plies) => Score::Mate(plies - plies.signum()),
        score => score,
    };
    if let Some(node) = game.node_mut(at).filter(|node| node.parent.is_some()) {
        node.score = Some((score.for_black(!node.side), depth));
    }
}

/// Lines of at most 80 characters, broken between words.
fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > 80 {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += word.len();
    }
    text
}

/// Reads the first game of a PGN text. Moves may be USI or Hodges notation in Japanese squares.
pub(super) fn read(text: &str) -> Result<Game, String> {
    let mut tags = Vec::new();
    let mut body = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') && body.trim().is_empty() {
            tags.push(tag(line)?);
        } else if line.starts_with("[Event ") {
            // The next game.
            break;
        } else if !line.starts_with('%') {
            body.push_str(line);
            body.push(' ');
        }
    }
    let find = |name: &str| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| &value[..]);
    let id = find("Variant").ok_or("expected the tag Variant, found none")?;
    let variant = super::variant(id)?;
    let rules = super::rules(find("Rules").unwrap_or_default())?;
    let sfen = find("SFEN").or(find("FEN")).unwrap_or(variant.spec().start);
    let mut game = super::start(Some(variant), variant, sfen, rules)?;
    let (end, result) = moves(&mut game, &body)?;
    let result = result.or(find("Result")).unwrap_or("*");
    let told = ending(&game, end, result, find("Termination").unwrap_or_default());
    if let Some(node) = game.node_mut(end) {
        // What follows from the moves is beyond doubt.
        node.ending = node.ending.or(told);
    }
    Ok(game)
}

/// How a game ended at `end` whose record has this result, and `termination` as its reason.
fn ending(game: &Game, end: NodeId, result: &str, termination: &str) -> Option<Ending> {
    let winner = match result {
        "1-0" => Some(Side::Black),
        "0-1" => Some(Side::White),
        "1/2-1/2" => None,
        _ => return None,
    };
    // Our own words and those of others, `time ran out` and `time forfeit`, begin alike.
    let word = termination.split(|letter: char| !letter.is_ascii_alphabetic()).next()?;
    let claim = game.impasse(end).filter(|claim| claim.winner == winner);
    let reason = match (word, winner) {
        ("impasse", _) if claim.is_some() => Reason::Impasse,
        ("resignation", Some(_)) => Reason::Resignation,
        ("time", Some(_)) => Reason::Time,
        ("agreement", None) => Reason::Agreement,
        _ => Reason::Recorded,
    };
    Some(Ending { winner, reason })
}

/// Reads a tag, `[Name "value"]`.
fn tag(line: &str) -> Result<(String, String), String> {
    let wrong = || format!("expected [Name \"value\"], found {line}");
    let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).ok_or_else(wrong)?;
    let (name, value) = inner.split_once(' ').ok_or_else(wrong)?;
    let value = value.trim().strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let mut text = String::new();
    let mut letters = value.ok_or_else(wrong)?.chars();
    while let Some(letter) = letters.next() {
        text.push(if letter == '\\' { letters.next().unwrap_or(letter) } else { letter });
    }
    Ok((name.to_owned(), text))
}

/// Plays the moves of a text. Returns where its main line ends, and the result written there.
fn moves<'a>(game: &mut Game, body: &'a str) -> Result<(NodeId, Option<&'a str>), String> {
    let mut at = 0;
    let mut result = None;
    // Where the lines go on that brackets interrupt.
    let mut open: Vec<NodeId> = Vec::new();
    let mut rest = body;
    while let Some(first) = rest.trim_start().chars().next() {
        rest = rest.trim_start();
        if first == '{' {
            let (comment, after) =
                rest.split_once('}').ok_or("expected } at the end of a comment")?;
            if let Some(score) = score(comment.trim_start_matches('{')) {
                note(game, at, score);
            }
            rest = after;
            continue;
        }
        if first == '(' || first == ')' {
            rest = rest.get(1..).unwrap_or_default();
            if first == ')' {
                at = open.pop().ok_or("expected a move or a result, found )")?;
                continue;
            }
            if open.len() >= MOST_NESTED {
                return Err(format!("expected at most {MOST_NESTED} branches in branches"));
            }
            let parent = game.node(at).and_then(|node| node.parent);
            open.push(at);
            at = parent.ok_or("expected a move before (, found none")?;
            continue;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '{' | '(' | ')'))
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        match word {
            "1-0" | "0-1" | "1/2-1/2" | "*" => {
                result = Some(word);
                break;
            }
            _ if word.starts_with('$') => {}
            _ => {
                // A number may stand without a blank before its move, `1.2e2d`.
                let number = word.bytes().take_while(|b| b.is_ascii_digit()).count();
                let text = match word.get(number..) {
                    Some(tail) if tail.starts_with('.') => tail.trim_start_matches('.'),
                    _ => word,
                };
                if !text.is_empty() && text != "…" {
                    at = play(game, at, text)?;
                }
            }
        }
    }
    if !open.is_empty() {
        return Err("expected ) at the end, found nothing".to_owned());
    }
    Ok((at, result))
}

fn play(game: &mut Game, at: NodeId, text: &str) -> Result<NodeId, String> {
    match game.play(at, text) {
        Ok(node) => Ok(node),
        Err(error) => match from_hodges(game, at, text) {
            Some(usi) => game.play(at, &usi).map_err(|error| error.to_string()),
            None => Err(format!("move {}: {error}", game.path(at).len())),
        },
    }
}

/// The USI text of a move in Hodges notation, if it is one.
fn from_hodges(game: &Game, at: NodeId, text: &str) -> Option<String> {
    let variant: VariantId = game.variant();
    with_variant!(variant, V => {
        let position = game.position::<V>(at);
        position.parse_hodges(text, Coordinates::Japanese).ok().map(|m| position.usi(m))
    })
}

/// Reads a comment such as `+0.35/12` or `-M4/7`.
fn score(comment: &str) -> Option<(Score, u32)> {
    let (score, depth) = comment.split_ascii_whitespace().next()?.split_once('/')?;
    let depth = depth.parse().ok()?;
    let (sign, number) = match score.split_at_checked(1)? {
        ("+", number) => (1, number),
        ("-", number) => (-1, number),
        _ => return None,
    };
    if let Some(plies) = number.strip_prefix('M') {
        return Some((Score::Mate(sign * plies.parse::<u16>().map(i32::from).ok()?), depth));
    }
    let pawns: f64 = number.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some((Score::Cp(sign * (pawns * 100.0).round().clamp(0.0, 1e6) as i32), depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_what_tools_expect() {
        let game = super::super::tests::sample();
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
        let game = read(&format!("{head}{moves} 0-1\n")).unwrap();
        let scores: Vec<_> = (1..5).map(|id| game.node(id).unwrap().score).collect();
        // As Black sees them: White, who moved to the third, mates with two plies more.
        assert_eq!(scores, [None, Some((Score::Cp(-125), 7)), Some((Score::Mate(-2), 7)), None]);
        assert!(game.rules().impasse);
        let lost = Ending { winner: Some(Side::White), reason: Reason::Time };
        assert_eq!(game.node(4).unwrap().ending, Some(lost));
        let text = write(&game, &["a".to_owned(), "b".to_owned()], "");
        let line = "1... 6b6c 2. 2e2d {-1.25/7} 5b5c {+M3/7} 3. 1e1d 0-1";
        assert!(text.lines().any(|found| found == line), "{text}");
        assert!(
            text.contains("[Result \"0-1\"]") && text.contains("[Rules \"impasse\"]"),
            "{text}"
        );
        // A mate that was played needs no score.
        let mated = read("[Variant \"whale\"]\n\n1. 2e2d {+M1/3} *").unwrap();
        assert_eq!(mated.node(1).unwrap().score, None);
    }

    #[test]
    fn results_that_no_move_implies_are_kept() {
        let ending = |result: &str, termination: &str| {
            let text = format!(
                "[Variant \"whale\"]\n[Termination \"{termination}\"]\n\n1. 2e2d ( 1. 5e5d ) {result}"
            );
            let game = read(&text).unwrap();
            let end = *game.line_through(0).last().unwrap();
            assert_eq!(game.node(end).unwrap().usi, "2e2d");
            let written = write(&game, &["a".to_owned(), "b".to_owned()], "");
            let back = read(&written).unwrap();
            assert_eq!(back.node(end).unwrap().ending, game.node(end).unwrap().ending, "{written}");
            game.node(end).unwrap().ending
        };
        let told = |winner, reason| Some(Ending { winner, reason });
        assert_eq!(ending("1-0", "resignation"), told(Some(Side::Black), Reason::Resignation));
        assert_eq!(ending("0-1", "time forfeit"), told(Some(Side::White), Reason::Time));
        assert_eq!(ending("1/2-1/2", "agreement"), told(None, Reason::Agreement));
        assert_eq!(ending("1/2-1/2", "ply-limit"), told(None, Reason::Recorded));
        assert_eq!(ending("0-1", "impasse"), told(Some(Side::White), Reason::Recorded));
        assert_eq!(ending("1-0", ""), told(Some(Side::Black), Reason::Recorded));
        assert_eq!(ending("*", "resignation"), None);
        // A claim stands where it could be made; without it the game goes on there.
        let claim = "[Variant \"whale\"]\n[SFEN \"W5/6/6/6/5w/6 b 2G4D8d 1\"]\n[Rules \"impasse\"]\n\
                     [Result \"1-0\"]\n[Termination \"impasse\"]\n\n";
        let game = read(claim).unwrap();
        assert_eq!(game.node(0).unwrap().ending, told(Some(Side::Black), Reason::Impasse));
    }

    #[test]
    fn hodges_moves_numbers_and_comments_are_read() {
        let text = "[Variant \"whale\"]\n\n1.D-2d {a comment} D-3c 2... 2. 5e5d $1 1-0 junk";
        let game = read(text).unwrap();
        assert_eq!(game.usi(3), "startpos moves 2e2d 3b3c 5e5d");
        assert_eq!(score("+0.35/12 1.2s"), Some((Score::Cp(35), 12)));
        assert_eq!(score("-M4/7"), Some((Score::Mate(-4), 7)));
        assert_eq!(score("good move"), None);
    }
}
