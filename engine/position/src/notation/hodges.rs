//! Hodges notation: moves as people write them, `P-4e`, `NBx6d+`, `FKx6ex6d`.
//!
//! `NAME [ORIGIN] ACTION [MARK]`: the written name of the piece (a promoted piece is written as what
//! it moves like, see [`Spec::written_name`](crate::Spec::written_name)); the starting square if
//! another piece of that written name could go there too; what it does; `+` if it promotes, `=` if
//! it could and does not.
//!
//! | action | text |
//! |---|---|
//! | moves, captures | `-6d`, `x6d` |
//! | captures on the way | `x6e-6d`, `x6ex6d`, `x6ex6dx6c` |
//! | captures and stays | `x!6e` |
//! | passes | `-pass` |
//! | is dropped | `*6f` |

use thiserror::Error;

use crate::board::Board;
use crate::coordinates::Coordinates;
use crate::geometry::Geometry;
use crate::position::Position;
use crate::types::{Kind, Move, Square};
use crate::variant::{Facts, Variant};

use super::sfen::quoted;

/// What a piece does, as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Action {
    Drop(Square),
    Pass,
    /// Captures on a square and stays.
    Igui(Square),
    Go {
        /// The squares captured on before the last, in the order travelled.
        way: Vec<Square>,
        to: Square,
        captures: bool,
    },
}

/// What a move says about promotion, its mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Promotion {
    /// Nothing: there is no choice.
    None,
    /// `+`.
    Promotes,
    /// `=`.
    Declines,
}

/// A move as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Written {
    name: &'static str,
    origin: Option<Square>,
    action: Action,
    mark: Promotion,
}

impl Written {
    /// Whether two pieces of one name do the same, so that only their starting squares tell the
    /// moves apart for a reader who does not know which piece can promote.
    fn alike(&self, other: &Self) -> bool {
        self.name == other.name && self.action == other.action
    }

    /// Whether `self`, as read, names `other`, which has its starting square.
    fn names(&self, other: &Self) -> bool {
        self.alike(other)
            && self.mark == other.mark
            && (self.origin.is_none() || self.origin == other.origin)
    }

    /// Whether the moves go to the same square with the same name, whatever else is written.
    fn resembles(&self, other: &Self) -> bool {
        let target = |written: &Self| match written.action {
            Action::Drop(square) | Action::Igui(square) => Some(square),
            Action::Go { to, .. } => Some(to),
            Action::Pass => None,
        };
        self.name == other.name && target(self) == target(other)
    }

    fn text(&self, geometry: Geometry, coordinates: Coordinates) -> String {
        let name = |square| coordinates.name(geometry, square);
        let mut text = self.name.to_owned();
        if let Some(origin) = self.origin {
            text += &name(origin);
        }
        match &self.action {
            Action::Drop(to) => text += &format!("*{}", name(*to)),
            Action::Pass => text += "-pass",
            Action::Igui(on) => text += &format!("x!{}", name(*on)),
            Action::Go { way, to, captures } => {
                for &on in way {
                    text += &format!("x{}", name(on));
                }
                text += if *captures { "x" } else { "-" };
                text += &name(*to);
            }
        }
        text += match self.mark {
            Promotion::None => "",
            Promotion::Promotes => "+",
            Promotion::Declines => "=",
        };
        text
    }
}

/// Why a text is no move, in Hodges notation, of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum HodgesError {
    /// The text is no move in Hodges notation on this board.
    #[error("expected {expected}, found {found}{}", if found == text { String::new() } else { format!(" in {text}") })]
    Syntax {
        /// What should have been there.
        expected: String,
        /// What was there.
        found: String,
        /// The whole text.
        text: String,
    },
    /// The text names a move that is not legal here.
    #[error("expected a legal move{}, found {text} in {sfen}", such_as(candidates))]
    Illegal {
        /// The text.
        text: String,
        /// The legal moves that come nearest: the same piece to the same square.
        candidates: Vec<String>,
        /// The position.
        sfen: String,
    },
    /// Several pieces of the name could make the move.
    #[error("expected one of {}, found {text}", candidates.join(", "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves it could be.
        candidates: Vec<String>,
    },
}

/// The moves that come nearest, behind `a legal move`.
fn such_as(candidates: &[String]) -> String {
    if candidates.is_empty() {
        return String::new();
    }
    format!(" such as {}", candidates.join(" or "))
}

impl<V: Variant> Position<V> {
    /// A legal move of this position as people write it.
    ///
    /// ```
    /// use kujira_position::{Coordinates, Position, Whale};
    ///
    /// let position = Position::<Whale>::start();
    /// let m = position.parse_usi("2e2d").unwrap();
    /// assert_eq!(position.hodges(m, Coordinates::Western), "D-e3");
    /// assert_eq!(position.hodges(m, Coordinates::Japanese), "D-2d");
    /// assert_eq!(position.parse_hodges("D-e3", Coordinates::Western), Ok(m));
    /// ```
    #[must_use]
    pub fn hodges(&self, m: Move, coordinates: Coordinates) -> String {
        self.shortest(m, &self.legal_moves()).text(V::SPEC.geometry, coordinates)
    }

    /// The legal move with this text. The starting square may be written where it is not needed;
    /// nothing else may differ from what [`Self::hodges`] writes.
    ///
    /// # Errors
    /// If the text is no move on this board, the move is not legal here, or several pieces could
    /// make it.
    pub fn parse_hodges(&self, text: &str, coordinates: Coordinates) -> Result<Move, HodgesError> {
        let read = read::<V>(text, coordinates)?;
        let legal = self.legal_moves();
        let texts = |moves: &mut dyn Iterator<Item = Move>| -> Vec<String> {
            moves.map(|m| self.shortest(m, &legal).text(V::SPEC.geometry, coordinates)).collect()
        };
        let mut named = legal.iter().copied().filter(|&m| read.names(&self.written(m)));
        if let Some(m) = named.next() {
            if self.shortest(m, &legal).origin.is_none() || read.origin.is_some() {
                return Ok(m);
            }
            let mut alike = legal.iter().copied().filter(|&m| read.alike(&self.written(m)));
            return Err(HodgesError::Ambiguous {
                text: quoted(text),
                candidates: texts(&mut alike),
            });
        }
        let mut near = legal.iter().copied().filter(|&m| read.resembles(&self.written(m)));
        Err(HodgesError::Illegal {
            text: quoted(text),
            candidates: texts(&mut near),
            sfen: self.sfen(),
        })
    }

    /// How `m` is written, with its starting square.
    fn written(&self, m: Move) -> Written {
        let (from, to) = (m.from(), m.to());
        let name = V::SPEC.written_name(m.kind());
        if m.is_drop() {
            return Written { name, origin: None, action: Action::Drop(to), mark: Promotion::None };
        }
        let way: Vec<Square> = Board::<V>::captured_on_way(m).collect();
        let action = match way.first() {
            None if from == to => Action::Pass,
            Some(&on) if from == to => Action::Igui(on),
            _ => Action::Go { way, to, captures: self.piece_on(to).is_some() },
        };
        let mark = if m.promotes() {
            Promotion::Promotes
        } else if self.could_promote(m) {
            Promotion::Declines
        } else {
            Promotion::None
        };
        Written { name, origin: Some(from), action, mark }
    }

    /// Whether the piece that moves could promote with this move.
    fn could_promote(&self, m: Move) -> bool {
        let zone = V::zone(self.side());
        let promotes = V::SPEC.kind(m.kind()).promotes_to.is_some();
        promotes && (zone.has(m.from()) || zone.has(m.to()))
    }

    /// How `m` is written among the legal moves: without its starting square if that goes without
    /// saying.
    fn shortest(&self, m: Move, legal: &[Move]) -> Written {
        let written = self.written(m);
        let rival = |&other: &Move| {
            other.from() != m.from() && !other.is_drop() && written.alike(&self.written(other))
        };
        if legal.iter().any(rival) { written } else { Written { origin: None, ..written } }
    }
}

/// A place where a text stops being a move: what was expected there, and the rest of the text.
struct Stop<'a> {
    expected: String,
    rest: &'a str,
}

/// Reads a text as a move of whatever position.
fn read<V: Variant>(text: &str, coordinates: Coordinates) -> Result<Written, HodgesError> {
    // One name can begin another (`B`, `Bl`) and a Western square can follow (`Bg5-f6`): try all of
    // them; where none fits, the one that got farthest says what is wrong.
    let mut farthest: Option<Stop<'_>> = None;
    for kind in V::SPEC.all_kinds() {
        let name = V::SPEC.written_name(kind);
        let Some(rest) = text.strip_prefix(name) else { continue };
        match read_after_name::<V>(kind, rest, coordinates) {
            Ok(written) => return Ok(written),
            Err(stop) if farthest.as_ref().is_none_or(|f| stop.rest.len() < f.rest.len()) => {
                farthest = Some(stop);
            }
            Err(_) => {}
        }
    }
    let stop = farthest.unwrap_or_else(|| {
        let kinds = [Kind::WHALE, Kind::from_index(1)].map(|kind| V::SPEC.written_name(kind));
        let expected =
            format!("the name of a piece of {} such as {}", V::SPEC.name, kinds.join(" or "));
        Stop { expected, rest: text }
    });
    Err(HodgesError::Syntax {
        expected: stop.expected,
        found: quoted(stop.rest),
        text: quoted(text),
    })
}

fn read_after_name<V: Variant>(
    kind: Kind,
    text: &str,
    coordinates: Coordinates,
) -> Result<Written, Stop<'_>> {
    let geometry = V::SPEC.geometry;
    let prefix = |text| coordinates.parse_prefix(geometry, text);
    let square = |text| {
        prefix(text).ok_or_else(|| Stop {
            expected: format!(
                "a square of a {}x{} board such as {}",
                geometry.files,
                geometry.ranks,
                coordinates.example(geometry)
            ),
            rest: text,
        })
    };
    let name = V::SPEC.written_name(kind);
    let ended = |action, origin, mark, rest| match rest {
        "" => Ok(Written { name, origin, action, mark }),
        _ => Err(Stop { expected: "the end of the move".to_owned(), rest }),
    };
    if let Some(rest) = text.strip_prefix('*') {
        let (to, rest) = square(rest)?;
        return ended(Action::Drop(to), None, Promotion::None, rest);
    }
    let (origin, text) = match prefix(text) {
        Some((origin, rest)) => (Some(origin), rest),
        None => (None, text),
    };
    if let Some(rest) = text.strip_prefix("-pass") {
        return ended(Action::Pass, origin, Promotion::None, rest);
    }
    if let Some(rest) = text.strip_prefix("x!") {
        let (on, rest) = square(rest)?;
        return ended(Action::Igui(on), origin, Promotion::None, rest);
    }
    let mut way = Vec::new();
    let mut rest = text;
    let (to, captures) = loop {
        if let Some(tail) = rest.strip_prefix('-') {
            let (to, tail) = square(tail)?;
            rest = tail;
            break (to, false);
        }
        let Some(tail) = rest.strip_prefix('x') else {
            let expected = "- and a square, x and a square, or * and a square".to_owned();
            return Err(Stop { expected, rest });
        };
        let (on, tail) = square(tail)?;
        rest = tail;
        if !rest.starts_with(['x', '-']) {
            break (on, true);
        }
        way.push(on);
    };
    let (mark, rest) = match rest.as_bytes().first() {
        Some(b'+') => (Promotion::Promotes, rest.get(1..).unwrap_or_default()),
        Some(b'=') => (Promotion::Declines, rest.get(1..).unwrap_or_default()),
        _ => (Promotion::None, rest),
    };
    ended(Action::Go { way, to, captures }, origin, mark, rest)
}
