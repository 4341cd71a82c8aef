#![doc = include_str!("../README.md")]

mod attacks;
pub mod betza;
mod bitboard;
mod board;
pub mod games;
mod geometry;
#[cfg(debug_assertions)]
mod instances;
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
#[cfg(debug_assertions)]
#[doc(hidden)]
pub use instances::instances;
pub use movegen::{SideThreats, Threats, Wanted};
pub use notation::{
    Coordinates, Diagram, GameTextError, GameTextFault, HodgesError, Mark, MoveError, SfenError,
    SquareText, UsiMove, diagram, diagrams, sfen,
};
pub use perft::{Leaves, divide, perft};
pub use position::{DrawReason, Outcome, Position, Recurrence, Returned, WinReason};
pub use rules::{Retreat, Rules};
pub use setup::{Setup, SetupError, SetupFault};
pub use spec::{
    ClassSpec, Handicap, Hook, Impasse, KindSpec, Label, PawnRule, Spec, Tokens, WhaleRule,
};
pub use tables::Tables;
pub use types::{Class, Color, Hand, Kind, Move, Piece, Square, Way};
pub use variant::{
    Boards, Great, Mailbox, MoveList, Paulowich, Variant, VariantId, Whale, class_of,
};
