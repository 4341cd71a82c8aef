//! What searches and games say about the games of the whale shogi family.
//!
//! - [`coach`]: how often the coach of the board is right;
//! - [`course`]: lessons for people who have never played;
//! - [`mates`]: positions with a known mate;
//! - [`opening_book`]: books of searched positions, built by drop-out expansion;
//! - [`analysis`]: what a search finds at each position of a game;
//! - [`survey`]: what the games say about the game itself;

#![forbid(unsafe_code)]

pub mod analysis;
pub mod coach;
pub mod course;
pub mod mates;
pub mod opening_book;
pub mod survey;
