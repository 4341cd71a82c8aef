#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

// Its macros are for the modules below it.
#[macro_use]
mod variant;

mod any_position;
#[cfg(feature = "serde")]
mod as_text;
mod attacks;
pub mod betza;
mod bitboard;
mod board;
mod coordinates;
mod games;
mod geometry;
mod hand;
mod movegen;
mod notation;
mod perft;
mod position;
mod rules;
mod setup;
mod spec;
mod tables;
mod types;
mod why_not;
mod window;
mod zobrist;

pub use any_position::{AnyPosition, PositionError};
pub use bitboard::{Bitboard, Bits, Squares};
pub use board::{Board, Foreseen};
pub use coordinates::{Coordinates, SquareText};
pub use geometry::{Direction, Geometry};
pub use hand::Hand;
pub use movegen::{SideThreats, Threats, Wanted};
pub use notation::{
    Diagram, HodgesError, Mark, MoveError, SfenError, UsiMove, diagram, diagrams, sfen,
};
pub use perft::{Leaves, perft};
pub use position::{DrawReason, IllegalMove, Outcome, Position, Recurrence, Repetition, WinReason};
pub use rules::{Retreat, Rules};
pub use setup::{Setup, SetupError, SetupFault};
pub use spec::{
    ClassSpec, Handicap, Hook, Impasse, KindSpec, Label, PawnRule, Spec, Tokens, WhaleRule,
};
pub use tables::Tables;
pub use types::{Class, Color, Kind, Move, Piece, Square, Way};
pub use variant::{
    Boards, Great, MoveList, Paulowich, UnknownGame, Variant, VariantId, Whale, class_of,
};
pub use why_not::{Origin, WhyNot, WhyNotReason};
pub use window::Window;
