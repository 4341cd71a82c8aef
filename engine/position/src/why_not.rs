//! Why a move that somebody tried is not legal.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::coordinates::SquareText;
use crate::position::{Outcome, Position};
use crate::setup::{Setup, SetupFault};
use crate::spec::WhaleRule;
use crate::types::{Color, Kind, Piece, Square};
use crate::variant::{Variant, VariantId};

/// Where a move that somebody tries begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A square of the board.
    Square(Square),
    /// A kind in hand.
    Hand(Kind),
}

/// Why nothing that begins and ends as somebody tried is legal. Its text is an English sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WhyNot {
    /// The game, by which squares and kinds have their names.
    pub game: VariantId,
    /// The reason.
    pub reason: WhyNotReason,
}

/// The reasons of a [`WhyNot`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WhyNotReason {
    /// The game is over.
    Over(Outcome),
    /// Nothing stands where the move begins.
    Empty(Square),
    /// A piece of the side that is not to move stands there.
    NotYours {
        /// Where it stands.
        from: Square,
        /// Whose it is.
        owner: Color,
    },
    /// The piece may not pass here.
    NoPass(Kind),
    /// A piece of one's own stands on the target.
    OwnPiece(Square),
    /// Something stands between the piece and the target.
    Blocked {
        /// The piece.
        kind: Kind,
        /// The target.
        to: Square,
    },
    /// The piece does not move so.
    Unreachable {
        /// The piece.
        kind: Kind,
        /// Where it stands.
        from: Square,
        /// The target.
        to: Square,
    },
    /// The white whale is in check and stays so.
    StaysInCheck,
    /// The white whale would come under attack.
    LeavesWhale,
    /// A pawn-like piece may not retreat to a file that holds as many of its kind as it may.
    RetreatFull {
        /// The piece.
        kind: Kind,
        /// The target.
        to: Square,
    },
    /// The side to move has none of the kind in hand.
    NotInHand {
        /// The side to move.
        side: Color,
        /// The kind.
        kind: Kind,
    },
    /// The target of a drop is not empty.
    Occupied(Square),
    /// The piece may not be dropped on the farthest rank.
    FarthestRank(Kind),
    /// The file holds as many pawn-like pieces as it may.
    FileFull(Kind),
    /// The drop would mate.
    MatingDrop(Kind),
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spec = self.game.spec();
        let name = |square| SquareText(spec.geometry, square);
        let what = |kind| spec.name_of(kind);
        match self.reason {
            WhyNotReason::Over(outcome) => write!(f, "The game is over: {outcome}."),
            WhyNotReason::Empty(from) => write!(f, "Nothing stands on {}.", name(from)),
            WhyNotReason::NotYours { from, owner } => {
                write!(f, "The piece on {} is {owner}'s, and it is {}'s turn.", name(from), !owner)
            }
            WhyNotReason::NoPass(kind) => write!(f, "The {} may not pass here.", what(kind)),
            WhyNotReason::OwnPiece(to) => write!(f, "Your own piece stands on {}.", name(to)),
            WhyNotReason::Blocked { kind, to } => {
                write!(f, "Something stands in the way of the {} to {}.", what(kind), name(to))
            }
            WhyNotReason::Unreachable { kind, from, to } => {
                write!(f, "The {} does not move from {} to {}.", what(kind), name(from), name(to))
            }
            WhyNotReason::StaysInCheck => {
                f.write_str("Your white whale is in check, and this does not save it.")
            }
            WhyNotReason::LeavesWhale => {
                f.write_str("This would leave your white whale under attack.")
            }
            WhyNotReason::RetreatFull { kind, to } => {
                let mut letters = what(kind).chars();
                let first = letters.next().map(char::to_uppercase).into_iter().flatten();
                let what: String = first.chain(letters).collect();
                let to = name(to);
                write!(
                    f,
                    "{what} may not retreat to {to}: two others of its kind stand on that file."
                )
            }
            WhyNotReason::NotInHand { side, kind } => {
                write!(f, "{side} has no {} in hand.", what(kind))
            }
            WhyNotReason::Occupied(to) => {
                write!(f, "Pieces are dropped on empty squares only; {} is not.", name(to))
            }
            WhyNotReason::FarthestRank(kind) => {
                write!(f, "The {} may not be dropped on the farthest rank.", what(kind))
            }
            WhyNotReason::FileFull(kind) => {
                let class = spec.class(spec.class_named(spec.pawns.class)).name;
                write!(f, "The {} may not be dropped on a file that holds ", what(kind))?;
                match spec.pawns.file_limit {
                    1 => write!(f, "another {class}")?,
                    most => write!(f, "{most} {class}s")?,
                }
                f.write_str(" of yours already.")
            }
            WhyNotReason::MatingDrop(kind) => {
                let end = match spec.whale {
                    WhaleRule::Check => "to give checkmate",
                    WhaleRule::Capture => "so that the white whale cannot escape capture",
                };
                write!(f, "The {} may not be dropped {end}.", what(kind))
            }
        }
    }
}

impl<V: Variant> Position<V> {
    /// Why no move that begins at `origin` and ends on `to` is legal; `None` if one is.
    ///
    /// ```
    /// use kujira_position::{AnyPosition, Origin, VariantId};
    ///
    /// let position = AnyPosition::start(VariantId::Whale);
    /// let square = |text| position.square(text).unwrap();
    /// let why = position.why_not(Origin::Square(square("2e")), square("2c")).unwrap();
    /// assert_eq!(why.to_string(), "The dolphin does not move from 2e to 2c.");
    /// assert_eq!(position.why_not(Origin::Square(square("2e")), square("2d")), None);
    /// ```
    #[must_use]
    pub fn why_not(&self, origin: Origin, to: Square) -> Option<WhyNot> {
        let reason = match (self.outcome(), origin) {
            (Some(outcome), _) => Some(WhyNotReason::Over(outcome)),
            (None, Origin::Square(from)) => self.why_not_move(from, to),
            (None, Origin::Hand(kind)) => self.why_not_drop(kind, to),
        };
        reason.map(|reason| WhyNot { game: V::ID, reason })
    }

    fn why_not_move(&self, from: Square, to: Square) -> Option<WhyNotReason> {
        let us = self.side();
        let Some(piece) = self.piece_on(from) else { return Some(WhyNotReason::Empty(from)) };
        if piece.color() != us {
            return Some(WhyNotReason::NotYours { from, owner: !us });
        }
        if self.legal_moves().iter().any(|m| !m.is_drop() && m.from() == from && m.to() == to) {
            return None;
        }
        let kind = piece.kind();
        if to == from {
            return Some(WhyNotReason::NoPass(kind));
        }
        if self.piece_on(to).is_some_and(|own| own.color() == us) {
            return Some(WhyNotReason::OwnPiece(to));
        }
        let reaches = |occupied: Bitboard<V::Bits>| self.attackers(to, us, occupied).has(from);
        if !reaches(self.occupied()) {
            let alone = reaches(Bitboard::of(from));
            return Some(if alone {
                WhyNotReason::Blocked { kind, to }
            } else {
                WhyNotReason::Unreachable { kind, from, to }
            });
        }
        let hangs = hangs(self, |setup| {
            setup.set(from, None);
            setup.set(to, Some(piece));
        });
        Some(match hangs {
            true if self.checked() => WhyNotReason::StaysInCheck,
            true => WhyNotReason::LeavesWhale,
            false => WhyNotReason::RetreatFull { kind, to },
        })
    }

    fn why_not_drop(&self, kind: Kind, to: Square) -> Option<WhyNotReason> {
        let (spec, us) = (V::SPEC, self.side());
        if kind.index() > spec.hand_kinds || !self.hand(us).has(kind) {
            return Some(WhyNotReason::NotInHand { side: us, kind });
        }
        if self.legal_moves().iter().any(|m| m.is_drop() && m.kind() == kind && m.to() == to) {
            return None;
        }
        if self.piece_on(to).is_some() {
            return Some(WhyNotReason::Occupied(to));
        }
        if spec.is_pawn(kind) {
            if spec.geometry.rank_from(to, us) == spec.geometry.ranks.cast_signed() - 1 {
                return Some(WhyNotReason::FarthestRank(kind));
            }
            if pawns_on_file(self, to) >= usize::from(spec.pawns.file_limit) {
                return Some(WhyNotReason::FileFull(kind));
            }
        }
        Some(if hangs(self, |setup| setup.set(to, Some(Piece::new(us, kind)))) {
            WhyNotReason::StaysInCheck
        } else {
            WhyNotReason::MatingDrop(kind)
        })
    }
}

/// Whether a change of the board leaves the whale of the side to move under attack, where that is
/// not allowed.
fn hangs<V: Variant>(position: &Position<V>, change: impl FnOnce(&mut Setup<V>)) -> bool {
    let mut setup = position.setup();
    change(&mut setup);
    setup.side = !position.side();
    let left = |fault: &SetupFault| matches!(fault, SetupFault::CheckLeft { .. });
    setup.validate().is_err_and(|error| error.reasons().iter().any(left))
}

/// How many pawn-like pieces of the side to move stand on the file of `square`.
fn pawns_on_file<V: Variant>(board: &Board<V>, square: Square) -> usize {
    let spec = V::SPEC;
    let file = spec.geometry.x(square);
    let pieces = board.pieces(board.side()).into_iter();
    pieces
        .filter(|&on| spec.geometry.x(on) == file)
        .filter_map(|on| board.piece_on(on))
        .filter(|piece| spec.is_pawn(piece.kind()))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any_position::AnyPosition;
    use crate::rules::{Retreat, Rules};

    fn check(variant: VariantId, sfen: &str, rules: Rules, cases: &[(&str, &str, Option<&str>)]) {
        let position = AnyPosition::replay(variant, Some(sfen), [], rules).unwrap();
        let square = |text| position.square(text).unwrap();
        for &(what, to, expected) in cases {
            let drop = what.chars().next().filter(char::is_ascii_uppercase).map(|_| what);
            let kind = drop.and_then(|token| variant.spec().find_kind(token));
            let origin = kind.map_or_else(|| Origin::Square(square(what)), Origin::Hand);
            let found = position.why_not(origin, square(to)).map(|why| why.to_string());
            assert_eq!(found.as_deref(), expected, "{what} to {to} in {sfen}");
        }
    }

    #[test]
    fn every_reason_on_the_small_board() {
        check(
            VariantId::Whale,
            VariantId::Whale.spec().start,
            Rules::DEFAULT,
            &[
                ("2e", "2d", None),
                ("2e", "2c", Some("The dolphin does not move from 2e to 2c.")),
                ("2b", "2c", Some("The piece on 2b is White's, and it is Black's turn.")),
                ("3d", "2c", Some("Nothing stands on 3d.")),
                ("4f", "4e", Some("Your own piece stands on 4e.")),
                ("5f", "5c", Some("Something stands in the way of the grey whale to 5c.")),
                ("2e", "2e", Some("The dolphin may not pass here.")),
                ("D", "2d", Some("Black has no dolphin in hand.")),
            ],
        );
        // The grey whale on 2b checks down the file of the white whale, which a humpback shields.
        check(
            VariantId::Whale,
            "4w1/4G1/6/1D4/1D2h1/1N2W1 w D 1",
            Rules::DEFAULT,
            &[("2e", "3f", Some("Your white whale is in check, and this does not save it."))],
        );
        check(
            VariantId::Whale,
            "w5/6/6/1D4/1D4/1N2W1 b Dh 1",
            Rules::DEFAULT,
            &[
                (
                    "D",
                    "5c",
                    Some(
                        "The dolphin may not be dropped on a file that holds 2 dolphins of yours already.",
                    ),
                ),
                ("D", "3a", Some("The dolphin may not be dropped on the farthest rank.")),
                ("D", "5d", Some("Pieces are dropped on empty squares only; 5d is not.")),
                ("D", "4c", None),
            ],
        );
        let rules = Rules { retreat_file_limit: true, retreat: Retreat::Slide, ..Rules::DEFAULT };
        check(
            VariantId::Whale,
            "1D3w/6/6/2D3/2D3/1N2W1 b - 1",
            rules,
            &[
                (
                    "5a",
                    "4b",
                    Some(
                        "Dolphin may not retreat to 4b: two others of its kind stand on that file.",
                    ),
                ),
                ("5a", "6b", None),
            ],
        );
    }

    #[test]
    fn mating_drops_are_named() {
        // The killer whale keeps the corner shut, the blue whale protects the dolphin.
        check(
            VariantId::Whale,
            "w5/6/B5/1K4/6/5W b DN 1",
            Rules::DEFAULT,
            &[
                ("D", "6b", Some("The dolphin may not be dropped to give checkmate.")),
                ("D", "5b", None),
                ("N", "6b", None),
            ],
        );
        check(
            VariantId::Great,
            "5,w,5/11/11/11/11/5,FC,5/11/11/11/11/5,W,5 b MC 1",
            Rules::DEFAULT,
            &[
                (
                    "MC",
                    "6h",
                    Some(
                        "The minke whale calf may not be dropped on a file that holds another calf of yours already.",
                    ),
                ),
                ("MC", "5h", None),
            ],
        );
    }
}
