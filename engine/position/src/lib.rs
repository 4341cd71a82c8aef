//! Boards, rules, moves, notation and perft of three games of the whale shogi family:
//! Whale Shogi (6×6), Paulowich Whale Shogi (7×7) and Great Whale Shogi (11×11).
//!
//! A game is a type ([`Whale`], [`Paulowich`], [`Great`]) that implements [`Variant`]; its rules are
//! data ([`Spec`]), turned into constant tables when the crate is compiled. [`Position`] is generic
//! over the game; [`with_variant!`] gets from a [`VariantId`] known at run time to the type.
//!
//! ```
//! use kujira_position::{Outcome, Position, Whale};
//!
//! let mut position = Position::<Whale>::from_sfen("5w/3K2/5W/6/6/6 b D 1").unwrap();
//! // Dropping the dolphin would be mate: not allowed. Other moves are.
//! assert!(position.parse_usi("D*1b").is_err());
//! let mate = position.parse_usi("3b2b").unwrap();
//! position.make(mate);
//! assert_eq!(position.outcome().map(|o| o.to_string()).as_deref(), Some("Black wins: checkmate"));
//! ```
//!
//! The crate does no input or output and knows nothing of search.

#![expect(long_running_const_eval, reason = "the tables of three games take about a second")]

mod attacks;
pub mod betza;
mod bitboard;
mod board;
pub mod games;
mod geometry;
mod movegen;
mod notation;
mod perft;
mod position;
mod rules;
mod setup;
mod spec;
mod tables;
mod types;
mod variant;

pub use bitboard::{Bitboard, Bits, Squares};
pub use board::Board;
pub use geometry::{Direction, Geometry};
pub use movegen::Wanted;
pub use notation::{
    Coordinates, Diagram, GameTextError, GameTextFault, HodgesError, Mark, MoveError, SfenError,
    SquareText, UsiMove, diagram, diagrams, sfen,
};
pub use perft::{Leaves, divide, perft};
pub use position::{DrawReason, Outcome, Position, Recurrence, WinReason};
pub use rules::{Retreat, Rules};
pub use setup::{Setup, SetupError, SetupFault};
pub use spec::{
    ClassSpec, Handicap, Hook, Impasse, KindSpec, Label, PawnRule, Spec, Tokens, WhaleRule,
};
pub use tables::Tables;
pub use types::{Class, Color, Hand, Kind, Move, Piece, Square, Way};
pub use variant::{Boards, Great, Mailbox, MoveList, Paulowich, Variant, VariantId, Whale};
