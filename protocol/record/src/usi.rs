//! Games as USI text: the words of a `position` command, `startpos moves …` or `sfen … moves …`.
//!
//! Lines `# USI_Variant whale` and `# Rules impasse` tell the game and its rules, `# Black NAME`, `# White NAME` and
//! `# Result 1-0 resignation` who played and how the next game ended; other lines that begin with `#`, and what `;`
//! begins, are comments; so are the operations of EPD lines. Behind the moves there may stand how the game ended:
//! `resign`, `draw`, `timeout`, or `win` for a claim of impasse.

use std::iter::Peekable;

use kujira_position::{VariantId, with_variant};
use kujira_usi::{Ending, Reason, Switches};

use crate::ended::ending;
use crate::error::{Error, Fault, Place};
use crate::game::{Game, Walk};
use crate::head::{Head, Record};
use crate::start::{start, told_by_moves, variant_named};
use crate::text::without_mark;

const VARIANT: &str = "USI_Variant";
const RULES: &str = "Rules";
const PLAYERS: [&str; 2] = ["Black", "White"];
const RESULT: &str = "Result";

/// Writes the main line, under comments that name the game and rules that are not as usual. How the
/// game ended is not written: programs take the line as it stands for a `position` command.
#[must_use]
pub fn write(game: &Game) -> String {
    remarks(game) + &game.usi(game.end()) + "\n"
}

/// Writes the main line; comments name the players and the result, too.
#[must_use]
pub fn write_with(game: &Game, head: &Head) -> String {
    let mut text = remarks(game);
    for (name, player) in PLAYERS.iter().zip(&head.players) {
        let words: Vec<_> = player.name.split_whitespace().collect();
        if !words.is_empty() {
            text += &format!("# {name} {}\n", words.join(" "));
        }
    }
    if let Some(ending) = game.node(game.end()).and_then(|node| node.ending) {
        text += &format!("# {RESULT} {} {}\n", ending.result(), ending.reason.text());
    }
    text + &game.usi(game.end()) + "\n"
}

/// The comments that name the game and its rules.
fn remarks(game: &Game) -> String {
    let spec = game.variant().spec();
    let mut text = format!("# {}\n# {VARIANT} {}\n", spec.name, spec.id);
    let rules = Switches::from(game.rules()).to_string();
    if !rules.is_empty() {
        text += &format!("# {RULES} {rules}\n");
    }
    text
}

/// A word of a text, with its place.
type Word<'a> = (usize, usize, &'a str);

/// A line that is a comment to other programs, read by us.
fn remark<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.strip_prefix('#')?.trim_start();
    let head = rest.get(..name.len())?;
    let value = rest.get(name.len()..)?;
    (head.eq_ignore_ascii_case(name) && value.starts_with([' ', '\t'])).then(|| value.trim())
}

/// A game as words, with the comment lines before it.
#[derive(Debug, Default)]
struct Raw<'a> {
    variant: Option<(usize, &'a str)>,
    rules: Option<(usize, &'a str)>,
    /// Black's name first.
    players: [Option<&'a str>; 2],
    /// The result and, behind it, the reason.
    result: Option<&'a str>,
    words: Vec<Word<'a>>,
}

/// Whether a game begins with this word: moves contain no slash.
fn begins(word: &str) -> bool {
    matches!(word, "position" | "startpos" | "sfen") || word.contains('/')
}

/// Takes a text apart into its games. Which game it is, and its rules, holds for those that follow, too, until the
/// game is named anew.
fn split(text: &str) -> Vec<Raw<'_>> {
    let mut games: Vec<Raw<'_>> = Vec::new();
    let mut next = Raw::default();
    // Whether the words go on that begin a game, `position sfen BOARD`.
    let mut beginning = false;
    // Whether the rules are those of the game before.
    let mut inherited = false;
    for (number, line) in (1..).zip(text.lines()) {
        let bare = line.trim();
        if bare.starts_with(['#', ';']) {
            let said = |name: &str| remark(bare, name).map(|found| (number, found));
            if let Some(variant) = said(VARIANT) {
                next.variant = Some(variant);
                next.rules = next.rules.filter(|_| !inherited);
            }
            if let Some(rules) = said(RULES) {
                next.rules = Some(rules);
                inherited = false;
            }
            for (place, name) in next.players.iter_mut().zip(PLAYERS) {
                *place = said(name).map(|(_, found)| found).or(*place);
            }
            next.result = said(RESULT).map(|(_, found)| found).or(next.result);
            continue;
        }
        let mut column = 1;
        for part in line.split_inclusive(char::is_whitespace) {
            let word = part.trim_end();
            // What follows are the operations of an EPD line, or a comment.
            if word.starts_with(';') {
                break;
            }
            if !word.is_empty() {
                let begin = begins(word);
                if begin && !beginning || games.is_empty() {
                    let Raw { variant, rules, .. } = next;
                    games.push(std::mem::take(&mut next));
                    next = Raw { variant, rules, ..Raw::default() };
                    inherited = true;
                }
                beginning = begin && !word.contains('/') && word != "startpos";
                if let Some(game) = games.last_mut() {
                    game.words.push((number, column, word));
                }
            }
            column += part.chars().count();
        }
    }
    games
}

/// Reads the first game of a text, and says how many more there are. `hint` is the game that a start
/// is taken for which the text leaves open. The words `position` and `startpos` may be missing where
/// an SFEN stands.
///
/// # Errors
/// What is wrong with the first game, and where.
///
/// ```
/// use kujira_position::VariantId;
///
/// let text = "startpos moves 2e2d 5b5c resign\nstartpos\n";
/// let (game, more) = kujira_record::usi::read(text, VariantId::Whale)?;
/// let end = game.node(game.end()).and_then(|node| node.ending);
/// assert_eq!(end.map(|end| end.to_string()).as_deref(), Some("White wins: resignation"));
/// assert_eq!(more, 1);
/// # Ok::<(), kujira_record::Error>(())
/// ```
pub fn read(text: &str, hint: VariantId) -> Result<(Game, usize), Error> {
    let mut games = split(without_mark(text)).into_iter();
    let first = games.next().unwrap_or_default();
    Ok((game(first, hint)?, games.len()))
}

/// Reads the games of a text one after the other; one that is wrong leaves the others as they are.
pub fn read_all(text: &str, hint: VariantId) -> impl Iterator<Item = Result<Record, Error>> {
    split(without_mark(text)).into_iter().map(move |raw| {
        let head = Head::of(raw.players.map(|name| name.unwrap_or_default().to_owned()));
        Ok(Record { game: game(raw, hint)?, head })
    })
}

/// Plays a game through.
fn game(raw: Raw<'_>, hint: VariantId) -> Result<Game, Error> {
    let in_line = |line: usize, fault: Fault| fault.in_line(line);
    let named = match raw.variant {
        Some((line, id)) => Some(variant_named(id).map_err(|fault| in_line(line, fault))?),
        None => None,
    };
    let rules = match raw.rules {
        Some((line, words)) => words
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .parse::<Switches>()
            .map_err(|error| in_line(line, Fault::Other(error.to_string())))?,
        None => Switches::default(),
    };
    let mut words = raw.words.into_iter().peekable();
    words.next_if(|word| word.2 == "position");
    let mut sfen = Vec::new();
    let first = words.next();
    let begun = match first {
        Some((line, column, "startpos")) => Some((line, column)),
        Some((line, column, "sfen")) => {
            sfen_words(&mut words, &mut sfen);
            if sfen.is_empty() {
                return Err(at((line, column), Fault::expected("an SFEN", "")));
            }
            Some((line, column))
        }
        // A bare SFEN, as the page copies it.
        Some((line, column, board)) if board.contains('/') => {
            sfen.push(board);
            sfen_words(&mut words, &mut sfen);
            Some((line, column))
        }
        _ => None,
    };
    let Some(place) = begun else {
        let found = first.map_or("", |word| word.2);
        let fault = Fault::expected("startpos or sfen", found);
        return Err(first.map_or(fault.clone().nowhere(), |word| at((word.0, word.1), fault)));
    };
    if !sfen.is_empty() {
        leave_operations(&mut words);
    }
    match words.next() {
        None | Some((_, _, "moves")) => {}
        Some((line, column, word)) => {
            return Err(at((line, column), Fault::expected("moves", word)));
        }
    }
    let words: Vec<_> = words.collect();
    let from = |named, sfen: &str| {
        let mut game = start(named, hint, sfen, rules.into()).map_err(|fault| at(place, fault))?;
        play(&mut game, &words)?;
        Ok(game)
    };
    let begun = |variant: VariantId| from(Some(variant), variant.spec().start);
    let mut game = match (named, &sfen[..]) {
        // A start alone does not tell which game it is of: the moves do.
        (None, []) => told_by_moves(hint, begun),
        (Some(variant), []) => begun(variant),
        (named, sfen) => from(named, &sfen.join(" ")),
    }?;
    let end = game.end();
    let told = raw.result.unwrap_or_default();
    let (result, reason) = told.split_once(' ').unwrap_or((told, ""));
    let told = ending(&game, end, result, reason);
    let word = game.node(end).and_then(|node| node.ending).filter(|ending| !ending.by_rule());
    if let (Some(word), Some(told)) = (word, told)
        && word.winner != told.winner
    {
        let expected = format!("the result {} as behind the moves", word.result());
        return Err(at(place, Fault::expected(expected, result)));
    }
    if let Some(node) = game.node_mut(end) {
        node.ending = node.ending.or(told);
    }
    Ok(game)
}

/// The words of an SFEN: board, side and hands; then the number of the move, which may be missing.
fn sfen_words<'a>(words: &mut Peekable<impl Iterator<Item = Word<'a>>>, sfen: &mut Vec<&'a str>) {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    while let Some((_, _, word)) = words.next_if(|&(_, _, word)| {
        word != "moves" && (sfen.len() < 3 || sfen.len() == 3 && is_number(word))
    }) {
        sfen.push(word);
    }
}

/// Leaves out the operations of an EPD line, as far as no semicolon stands before them: `bm 2e2d; id "x";`.
fn leave_operations<'a>(words: &mut Peekable<impl Iterator<Item = Word<'a>> + Clone>) {
    let Some(&(line, ..)) = words.peek().filter(|word| word.2 != "moves") else { return };
    let same = |word: &Word<'a>| word.0 == line;
    if words.clone().take_while(same).any(|word| word.2.ends_with(';')) {
        while words.next_if(same).is_some() {}
    }
}

fn at((line, column): (usize, usize), fault: Fault) -> Error {
    fault.at(Place { line: Some(line), column: Some(column), ..Place::default() })
}

/// Plays the moves of a game, and notes how it ended.
fn play(game: &mut Game, words: &[Word<'_>]) -> Result<(), Error> {
    let variant = game.variant();
    with_variant!(variant, V => {
        let mut walk = Walk::<V>::new(game, 0).ok_or_else(|| Fault::expected("a start", "").nowhere())?;
        for (index, &(line, column, word)) in words.iter().enumerate() {
            let place =
                Place { line: Some(line), column: Some(column), ply: Some(index + 1), ..Place::default() };
            let wrong = |fault: Fault| fault.at(place.clone());
            if index + 1 == words.len()
                && let Some(told) = ending_word(&walk, word)
            {
                let told = told.map_err(wrong)?;
                if let Some(node) = walk.node_mut() {
                    // What follows from the moves is beyond doubt.
                    node.ending = node.ending.or(Some(told));
                }
                return Ok(());
            }
            let m = walk.position().parse_usi(word).map_err(|error| wrong(error.into()))?;
            walk.play(m).map_err(|error| wrong(error.into()))?;
        }
        Ok(())
    })
}

/// How the game ended, if a word says so.
fn ending_word<V: kujira_position::Variant>(
    walk: &Walk<'_, V>,
    word: &str,
) -> Option<Result<Ending, Fault>> {
    let side = walk.position().side();
    match word {
        "resign" => Some(Ok(Ending::win(!side, Reason::Resignation))),
        "timeout" => Some(Ok(Ending::win(!side, Reason::Time))),
        "draw" => Some(Ok(Ending::draw(Reason::Agreement))),
        "win" => {
            let claim = walk.position().impasse().map(Ending::from);
            Some(
                claim.ok_or_else(|| {
                    Fault::expected("a claim of impasse that the rules allow", word)
                }),
            )
        }
        _ => None,
    }
}
