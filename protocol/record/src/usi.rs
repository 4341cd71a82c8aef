//! Games as USI text: the words of a `position` command, `startpos moves …` or `sfen … moves …`.
//!
//! Lines `# USI_Variant whale` and `# Rules impasse` tell the game and its rules; other lines that
//! begin with `#`, and what `;` begins, are comments; so are the operations of EPD lines. Behind the moves there may stand how
//! the game ended: `resign`, `draw`, `timeout`, or `win` for a claim of impasse.

use std::iter::Peekable;

use kujira_position::{VariantId, with_variant};
use kujira_usi::{Ending, Reason, Switches};

use crate::error::{Error, Fault, Place};
use crate::game::{Game, Walk};
use crate::start::{start, told_by_moves, variant_named};
use crate::text::without_mark;

const VARIANT: &str = "USI_Variant";
const RULES: &str = "Rules";

/// Writes the main line, under comments that name the game and rules that are not as usual. How the
/// game ended is not written: programs take the line as it stands for a `position` command.
#[must_use]
pub fn write(game: &Game) -> String {
    let spec = game.variant().spec();
    let mut text = format!("# {}\n# {VARIANT} {}\n", spec.name, spec.id);
    let rules = Switches::from(game.rules()).to_string();
    if !rules.is_empty() {
        text += &format!("# {RULES} {rules}\n");
    }
    text + &game.usi(game.end()) + "\n"
}

/// A word of a text, with its place.
type Word<'a> = (usize, usize, &'a str);

/// What a line says that is a comment for others.
fn remark<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.strip_prefix('#')?.trim_start();
    let head = rest.get(..name.len())?;
    let value = rest.get(name.len()..)?;
    (head.eq_ignore_ascii_case(name) && value.starts_with([' ', '\t'])).then(|| value.trim())
}

/// A game as words, with what was said before it.
#[derive(Debug, Default)]
struct Raw<'a> {
    variant: Option<(usize, &'a str)>,
    rules: Option<(usize, &'a str)>,
    words: Vec<Word<'a>>,
}

/// Whether a game begins with this word: moves contain no slash.
fn begins(word: &str) -> bool {
    matches!(word, "position" | "startpos" | "sfen") || word.contains('/')
}

/// Takes a text apart: the first game, and how many more there are.
fn split(text: &str) -> (Raw<'_>, usize) {
    let mut raw = Raw::default();
    let mut games = 0usize;
    // Whether the words go on that begin a game, `position sfen BOARD`.
    let mut beginning = false;
    for (number, line) in (1..).zip(text.lines()) {
        let bare = line.trim();
        if bare.starts_with(['#', ';']) {
            if games == 0 {
                let at = |found| (number, found);
                raw.variant = remark(bare, VARIANT).map(at).or(raw.variant);
                raw.rules = remark(bare, RULES).map(at).or(raw.rules);
            }
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
                games += usize::from(begin && !beginning || games == 0);
                beginning = begin && !word.contains('/') && word != "startpos";
                if games == 1 {
                    raw.words.push((number, column, word));
                }
            }
            column += part.chars().count();
        }
    }
    (raw, games.saturating_sub(1))
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
    let (raw, more) = split(without_mark(text));
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
    let game = match (named, &sfen[..]) {
        // A start alone does not tell which game it is of: the moves do.
        (None, []) => told_by_moves(hint, begun),
        (Some(variant), []) => begun(variant),
        (named, sfen) => from(named, &sfen.join(" ")),
    }?;
    Ok((game, more))
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
            let place = Place { line: Some(line), column: Some(column), ply: Some(index + 1), file: None };
            let wrong = |fault: Fault| fault.at(place.clone());
            if index + 1 == words.len()
                && let Some(told) = ending(&walk, word)
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
fn ending<V: kujira_position::Variant>(
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
