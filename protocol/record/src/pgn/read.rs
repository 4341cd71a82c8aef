//! PGN as it is read: tokens become games.

use std::io::BufRead;

use kujira_position::{Variant, VariantId, with_variant};
use kujira_usi::rules::UnknownSwitch;
use kujira_usi::{Ending, Reason, Switches};

use crate::ended::{conclude, ending, said, winner};
use crate::error::{Error, Fault, Place, Spot};
use crate::game::{Game, NodeId, Walk};
use crate::notation::Convention;
use crate::start::{start, told_by_moves, variant_named};

use super::comment::{append, note};
use super::token::{Token, Tokens};
use crate::tags::{PgnGame, Tags};

/// A game as tokens: nothing is known yet of its rules.
#[derive(Debug, Default)]
pub(super) struct Raw {
    tags: Vec<(Spot, String, String)>,
    /// The tokens of the moves, without the result that ends them.
    moves: Vec<(Spot, Token)>,
    /// What is said before the tags and between tags and moves.
    preface: String,
    /// What is said behind the result, in the same line.
    postscript: String,
    result: Option<(Spot, &'static str)>,
    /// A second result.
    surplus: Option<(Spot, &'static str)>,
}

impl Raw {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none()
    }

    /// Whether a tag in this line is the first of another game, though this one has neither moves nor result: a head
    /// has a name once, and no empty line.
    fn begins_anew(&self, line: usize, name: &str) -> bool {
        let apart = self.tags.last().is_some_and(|((last, _), ..)| last + 1 < line);
        (apart || name.eq_ignore_ascii_case("Event"))
            && self.tags.iter().any(|(_, told, _)| told.eq_ignore_ascii_case(name))
    }

    /// Where the game begins.
    fn begin(&self) -> Spot {
        let tag = self.tags.first().map(|tag| tag.0);
        tag.or(self.moves.first().map(|token| token.0)).unwrap_or((1, 1))
    }
}

/// Takes a text apart into its games. After something that is no token there are no more.
pub(super) fn split(reader: impl BufRead) -> impl Iterator<Item = Result<Raw, Error>> {
    let mut tokens = Tokens::new(reader);
    // A token that belongs to the next game, or what is wrong with that.
    let mut next = None;
    std::iter::from_fn(move || {
        let mut raw = Raw::default();
        let mut depth = 0usize;
        let mut ended = 0;
        while let Some(found) = next.take().or_else(|| tokens.next()) {
            let over = raw.result.is_some();
            let (spot, token) = match found {
                Ok(found) => found,
                Err(error) if !over => return Some(Err(error)),
                error => {
                    next = Some(error);
                    break;
                }
            };
            match token {
                // What follows a result in its line belongs to the game, and nothing else does.
                Token::Comment(text) if over && spot.0 == ended => {
                    append(&mut raw.postscript, &text);
                    ended = tokens.line();
                }
                // It begins no game.
                Token::Result(result) if over => {
                    raw.surplus = raw.surplus.or(Some((spot, result)));
                    ended = tokens.line();
                }
                token if over => {
                    next = Some(Ok((spot, token)));
                    break;
                }
                // Moves end where tags begin, though no result is there.
                Token::Tag(..) if !raw.moves.is_empty() => {
                    next = Some(Ok((spot, token)));
                    break;
                }
                Token::Tag(ref name, _) if raw.begins_anew(spot.0, name) => {
                    next = Some(Ok((spot, token)));
                    break;
                }
                Token::Tag(name, value) => raw.tags.push((spot, name, value)),
                Token::Comment(text) if raw.moves.is_empty() => append(&mut raw.preface, &text),
                Token::Result(result) if depth == 0 => {
                    raw.result = Some((spot, result));
                    ended = tokens.line();
                }
                token => {
                    match token {
                        Token::Open => depth += 1,
                        Token::Close => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    raw.moves.push((spot, token));
                }
            }
        }
        (!raw.is_empty()).then_some(Ok(raw))
    })
}

/// Plays a game through.
pub(super) fn game(raw: &Raw, hint: Option<VariantId>) -> Result<PgnGame, Error> {
    if let Some((spot, found)) = raw.surplus {
        return Err(Fault::expected("one result behind the moves", found).at(spot));
    }
    let tags =
        Tags(raw.tags.iter().map(|(_, name, value)| (name.clone(), value.clone())).collect());
    if let Some((index, fault)) = tags.repeated() {
        return Err(fault.at(raw.tags.get(index).map_or_else(|| raw.begin(), |tag| tag.0)));
    }
    let in_tag = |name: &str, fault: Fault| {
        let tag = raw.tags.iter().find(|(_, tag, _)| tag.eq_ignore_ascii_case(name));
        fault.at(tag.map_or_else(|| raw.begin(), |tag| tag.0))
    };
    let named = match tags.get("Variant") {
        Some(id) => Some(variant_named(id).map_err(|fault| in_tag("Variant", fault))?),
        None => None,
    };
    let rules: Switches = match tags.get("Rules") {
        Some(words) => {
            words.trim().parse().map_err(|error: UnknownSwitch| in_tag("Rules", error.into()))?
        }
        None => Switches::default(),
    };
    let sfen = ["SFEN", "FEN"].into_iter().find(|name| tags.get(name).is_some());
    let played = |mut game: Game| {
        let end = with_variant!(game.variant(), V => Line::<V>::play(raw, &mut game))?;
        Ok((game, end))
    };
    let (mut game, end) = match sfen {
        Some(tag) => {
            let game = start(named, hint, tags.get(tag).unwrap_or_default(), rules.into());
            played(game.map_err(|error| in_tag(tag, error.into()))?)?
        }
        // A start alone does not tell which game it is of: the moves do.
        None => told_by_moves(named, hint, |variant| {
            let game = Game::new(variant, variant.spec().start, rules.into());
            played(game.map_err(|error| in_tag("Variant", error.into()))?)
        })?,
    };
    let termination = tags.get("Termination").unwrap_or_default();
    // `*` says nothing: the result may only not have been filled in.
    if let Some((spot, result)) = raw.result {
        let told = ending(&game, end, result, termination);
        conclude(game.node_mut(end), told).map_err(|fault| fault.at(spot))?;
    }
    let tag = said(tags.get("Result").unwrap_or_default());
    let told = tag.map(|tag| ending(&game, end, tag, termination));
    told.and_then(|told| conclude(game.node_mut(end), told))
        .map_err(|fault| in_tag("Result", fault))?;
    if let Some(node) = game.node_mut(end) {
        append(&mut node.notes.comment, &raw.postscript);
    }
    Ok(PgnGame { tags, game })
}

/// A line that is read, and those that it interrupts.
struct Line<'a, V: Variant> {
    walk: Walk<'a, V>,
    convention: Convention,
    /// Where the lines go on that brackets interrupt, each with the place of its bracket.
    open: Vec<(NodeId, Spot)>,
    /// Whether a move of this line has been made.
    moved: bool,
    /// What is said before the first move of a branch.
    before: String,
    nags: Vec<u8>,
}

impl<'a, V: Variant> Line<'a, V> {
    /// Plays the moves of a game. Returns where its main line ends.
    fn play(raw: &Raw, game: &'a mut Game) -> Result<NodeId, Error> {
        let walk = Walk::new(game, 0).ok_or_else(|| Fault::expected("a start", ""))?;
        let mut line = Self {
            walk,
            convention: Convention::default(),
            open: Vec::new(),
            moved: false,
            before: String::new(),
            nags: Vec::new(),
        };
        line.comment(&raw.preface);
        for &(spot, ref token) in &raw.moves {
            line.token(spot, token).map_err(|fault| {
                let is_move = matches!(token, Token::Move(_));
                let ply = is_move.then(|| line.walk.game().path(line.walk.at()).len());
                fault.at(Place { ply, ..spot.into() })
            })?;
        }
        match line.open.pop() {
            None => Ok(line.walk.at()),
            Some((_, spot)) => Err(Fault::expected(") at the end of a branch", "").at(spot)),
        }
    }

    fn token(&mut self, spot: Spot, token: &Token) -> Result<(), Fault> {
        match token {
            Token::Move(text) => {
                let m = self.convention.read(self.walk.position(), text).map_err(|fault| {
                    // Every move has letters: numbers alone are a result in a spelling that nobody knows.
                    if text.contains(char::is_numeric) && !text.contains(char::is_alphabetic) {
                        return Fault::expected(
                            "a move, or a result: 1-0, 0-1, 1/2-1/2 or *",
                            text,
                        );
                    }
                    // What follows the end of the game is no legal move either.
                    self.over().unwrap_or(fault)
                })?;
                // A result in a branch does not end it where the branch goes on.
                if let Some(node) = self.walk.node_mut() {
                    node.ending = node.ending.filter(|ending| ending.by_rule());
                }
                let at = self.walk.at();
                self.walk.play(m)?;
                let begins = self.begins_branch(at);
                let before = std::mem::take(&mut self.before);
                let nags = std::mem::take(&mut self.nags);
                if let Some(node) = self.walk.node_mut() {
                    // A branch may repeat a line that was there before it.
                    let said =
                        if begins { &mut node.notes.before } else { &mut node.notes.comment };
                    append(said, &before);
                    node.notes.nags.extend(nags);
                }
                self.moved = true;
            }
            Token::Comment(text) => self.comment(text),
            Token::Nag(nag) if self.moved || self.open.is_empty() => {
                if let Some(node) = self.walk.node_mut() {
                    node.notes.nags.push(*nag);
                }
            }
            Token::Nag(nag) => self.nags.push(*nag),
            Token::Open => {
                let at = self.walk.at();
                let parent = self.walk.game().node(at).and_then(|node| node.parent);
                let parent = parent.filter(|_| self.moved);
                let parent = parent.ok_or_else(|| Fault::expected("a move before (", "("))?;
                self.open.push((at, spot));
                self.walk.go(parent);
                self.moved = false;
            }
            Token::Close => {
                let (at, _) =
                    self.open.pop().ok_or_else(|| Fault::expected("a move or a result", ")"))?;
                self.walk.go(at);
                self.moved = true;
                // A branch of words alone is about the move that it would have replaced.
                let before = std::mem::take(&mut self.before);
                self.nags.clear();
                self.comment(&before);
            }
            Token::Result(result) => {
                let winner = winner(result).filter(|_| self.moved);
                let told = winner.map(|winner| Ending { winner, reason: Reason::Recorded });
                conclude(self.walk.node_mut(), told)?;
            }
            Token::Number | Token::Tag(..) => {}
        }
        Ok(())
    }

    /// Whether the move made from a node is no move of the line that was there before.
    fn begins_branch(&self, at: NodeId) -> bool {
        let main = self.walk.game().node(at).and_then(|node| node.children.first());
        main.is_some_and(|&main| main != self.walk.at())
    }

    /// That the game is over here, if it is.
    fn over(&self) -> Option<Fault> {
        let node = self.walk.game().node(self.walk.at())?;
        let ending = node.ending.filter(|ending| ending.by_rule())?;
        Some(crate::game::PlayError::Over(ending).into())
    }

    fn comment(&mut self, text: &str) {
        if self.moved || self.open.is_empty() {
            if let Some(node) = self.walk.node_mut() {
                note(node, text);
            }
        } else {
            append(&mut self.before, text);
        }
    }
}
