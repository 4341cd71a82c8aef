//! Games as USI text: the words of a `position` command, `startpos moves …` or `sfen … moves …`.
//!
//! Lines `# USI_Variant whale` and `# Rules impasse` tell the game and its rules, `# Black NAME`, `# White NAME` and
//! `# Result 1-0 resignation` who played and how the next game ended; other lines that begin with `#`, and what `;`
//! begins, are comments; so are the operations of EPD lines. Behind the moves there may stand how the game ended:
//! `resign`, `draw`, `timeout`, or `win` for a claim of impasse.

use std::collections::VecDeque;
use std::io::BufRead;
use std::iter::Peekable;

use kujira_position::{SfenError, VariantId, with_variant};
use kujira_usi::{Ending, Reason, Switches};

use crate::ended::{conclude, ending, said};
use crate::error::{Error, Fault, Place, Spot};
use crate::game::{Game, Walk};
use crate::head::{Head, Record};
use crate::start::{start, told_by_moves, variant_named};
use crate::text::Lines;

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
type Word = (Spot, String);

/// A line that is a comment to other programs, read by us.
fn remark<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.strip_prefix('#')?.trim_start();
    let head = rest.get(..name.len())?;
    let value = rest.get(name.len()..)?;
    (head.eq_ignore_ascii_case(name) && value.starts_with([' ', '\t'])).then(|| value.trim())
}

/// What a comment line says, with its number.
type Said = Option<(usize, String)>;

/// A game as words, with the comment lines before it.
#[derive(Debug, Default)]
struct Raw {
    variant: Said,
    rules: Said,
    /// Black's name first.
    players: [Said; 2],
    /// The result and, behind it, the reason.
    result: Said,
    words: Vec<Word>,
    /// A comment line that says anew what another one said.
    fault: Option<Error>,
}

/// Whether a game begins with this word: moves contain no slash.
fn begins(word: &str) -> bool {
    matches!(word, "position" | "startpos" | "sfen") || word.contains('/')
}

impl Raw {
    /// Takes over what a comment line before the game says.
    fn take(&mut self, number: usize, line: &str) {
        let Self { variant, rules, players: [black, white], result, .. } = self;
        let [first, second] = PLAYERS;
        let places =
            [(VARIANT, variant), (RULES, rules), (first, black), (second, white), (RESULT, result)];
        for (name, place) in places {
            let Some(value) = remark(line, name) else { continue };
            match place {
                Some((_, told)) if told != value => {
                    self.fault = Some(Fault::again(told, value).in_line(number));
                }
                _ => *place = Some((number, value.to_owned())),
            }
        }
    }
}

/// Takes a text apart into its games. Which game it is, and its rules, holds for those that follow, too, until the
/// game is named anew.
fn split(reader: impl BufRead) -> impl Iterator<Item = Result<Raw, Error>> {
    let mut lines = Lines::new(reader);
    // Games begun: words may still come only of the last one. What comments say is of the next one.
    let (mut games, mut next) = (VecDeque::<Raw>::new(), Raw::default());
    // Game and rules of the last one.
    let mut before = (None, None);
    // Whether the words go on that begin a game, `position sfen BOARD`.
    let mut beginning = false;
    let mut read = move || {
        while games.len() < 2 {
            let (number, line) = match lines.next_text() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    // The words of the last game may go on in what cannot be read.
                    games.clear();
                    return Err(error);
                }
            };
            if line.trim().starts_with(['#', ';']) {
                next.take(number, line.trim());
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
                        let mut game = std::mem::take(&mut next);
                        if game.variant.is_none() {
                            let (variant, rules) = std::mem::take(&mut before);
                            (game.variant, game.rules) = (variant, game.rules.or(rules));
                        }
                        before = (game.variant.clone(), game.rules.clone());
                        games.push_back(game);
                    }
                    beginning = begin && !word.contains('/') && word != "startpos";
                    if let Some(game) = games.back_mut() {
                        game.words.push(((number, column), word.to_owned()));
                    }
                }
                column += part.chars().count();
            }
        }
        match next.result.take_if(|_| games.is_empty()) {
            Some((line, result)) => {
                Err(Fault::expected("a game behind its result", &result).in_line(line))
            }
            None => Ok(games.pop_front()),
        }
    };
    std::iter::from_fn(move || read().transpose())
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
pub fn read(text: &str, hint: impl Into<Option<VariantId>>) -> Result<(Game, usize), Error> {
    let mut games = split(text.as_bytes());
    let first = games.next().transpose()?.unwrap_or_default();
    Ok((game(&first, hint.into())?, games.count()))
}

/// Reads the games of a file one after the other, with the memory of one; one that is wrong leaves the others as they
/// are.
pub fn games(
    reader: impl BufRead,
    hint: impl Into<Option<VariantId>>,
) -> impl Iterator<Item = Result<Record, Error>> {
    let hint = hint.into();
    split(reader).map(move |raw| {
        let raw = raw?;
        Ok(Record {
            game: game(&raw, hint)?,
            head: Head::of(raw.players.map(|player| player.map(|said| said.1).unwrap_or_default())),
        })
    })
}

/// Plays a game through.
fn game(raw: &Raw, hint: Option<VariantId>) -> Result<Game, Error> {
    if let Some(error) = &raw.fault {
        return Err(error.clone());
    }
    let named = match &raw.variant {
        Some((line, id)) => Some(variant_named(id).map_err(|fault| fault.in_line(*line))?),
        None => None,
    };
    let rules = match &raw.rules {
        Some((line, words)) => {
            let words: Vec<_> = words.split_whitespace().collect();
            let rules = words.join(" ").parse::<Switches>();
            rules.map_err(|error| Fault::from(error).in_line(*line))?
        }
        None => Switches::default(),
    };
    let mut words = raw.words.iter().map(|(spot, word)| (*spot, &word[..])).peekable();
    words.next_if(|word| word.1 == "position");
    let (spot, first) = words.next().ok_or_else(|| Fault::expected("startpos or sfen", ""))?;
    let mut sfen = Vec::new();
    // A bare SFEN, as the page copies it.
    if first.contains('/') {
        sfen.push(first);
    }
    if first == "sfen" || first.contains('/') {
        sfen_words(&mut words, &mut sfen);
        if sfen.is_empty() {
            return Err(Fault::expected("an SFEN", "").at(spot));
        }
        leave_operations(&mut words);
    } else if first != "startpos" {
        return Err(Fault::expected("startpos or sfen", first).at(spot));
    }
    match words.next() {
        None | Some((_, "moves")) => {}
        Some((spot, word)) => return Err(Fault::expected("moves", word).at(spot)),
    }
    let words: Vec<_> = words.collect();
    let played = |game: Result<Game, SfenError>| {
        let mut game = game.map_err(|error| Fault::from(error).at(spot))?;
        play(&mut game, &words)?;
        Ok(game)
    };
    let mut game = if sfen.is_empty() {
        // A start alone does not tell which game it is of: the moves do.
        told_by_moves(named, hint, |variant| {
            played(Game::new(variant, variant.spec().start, rules.into()))
        })
    } else {
        played(start(named, hint, &sfen.join(" "), rules.into()))
    }?;
    let end = game.end();
    if let Some((line, told)) = &raw.result {
        let (result, reason) = told.split_once(char::is_whitespace).unwrap_or((told, ""));
        let told = said(result).map(|result| ending(&game, end, result, reason));
        let noted = told.and_then(|told| conclude(game.node_mut(end), told));
        noted.map_err(|fault| fault.in_line(*line))?;
    }
    Ok(game)
}

/// The words of an SFEN: board, side and hands; then the number of the move, which may be missing.
fn sfen_words<'a>(
    words: &mut Peekable<impl Iterator<Item = (Spot, &'a str)>>,
    sfen: &mut Vec<&'a str>,
) {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    while let Some((_, word)) = words.next_if(|&(_, word)| {
        word != "moves" && (sfen.len() < 3 || sfen.len() == 3 && is_number(word))
    }) {
        sfen.push(word);
    }
}

/// Leaves out the operations of an EPD line, as far as no semicolon stands before them: `bm 2e2d; id "x";`.
fn leave_operations<'a>(words: &mut Peekable<impl Iterator<Item = (Spot, &'a str)> + Clone>) {
    let Some(&((line, _), _)) = words.peek().filter(|word| word.1 != "moves") else { return };
    let same = |word: &(Spot, &str)| word.0.0 == line;
    if words.clone().take_while(same).any(|word| word.1.ends_with(';')) {
        while words.next_if(same).is_some() {}
    }
}

/// Plays the moves of a game, and notes how it ended.
fn play(game: &mut Game, words: &[(Spot, &str)]) -> Result<(), Error> {
    let variant = game.variant();
    with_variant!(variant, V => {
        let mut walk = Walk::<V>::new(game, 0).ok_or_else(|| Fault::expected("a start", ""))?;
        for (index, &(spot, word)) in words.iter().enumerate() {
            let wrong = |fault: Fault| fault.at(Place { ply: Some(index + 1), ..spot.into() });
            if index + 1 == words.len()
                && let Some(told) = ending_word(&walk, word)
            {
                let noted = told.and_then(|told| conclude(walk.node_mut(), Some(told)));
                return noted.map_err(wrong);
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
