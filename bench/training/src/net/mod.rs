//! Training of efficiently updatable networks (NNUE, Yu Nasu 2018).
//!
//! A network learns from positions of self-play what the search found and how the games went; stochastic
//! gradient descent in single precision on the processor, then quantisation to the integers that the
//! engine computes with.
//!
//! - [`dataset`]: positions of games;
//! - [`excluded`]: positions that are not to be learnt from;
//! - [`examples`]: positions as lists of inputs, with their labels;
//! - [`parameters`]: sizes, and where the numbers of a network lie;
//! - [`aligned`]: numbers that begin where a line of the cache does;
//! - [`gradient`]: outputs, and the gradient of the loss;
//! - [`odds`]: chances of winning by centipawns;
//! - [`outlook`]: what the rest of a game said about a position;
//! - [`objective`]: the loss;
//! - [`adam`]: steps down the gradient;
//! - [`settings`]: what is to be set, and how it changes on the way;
//! - [`trainer`]: batches and epochs;
//! - [`checkpoint`]: interrupting and going on;
//! - [`curve`]: the losses as a table and as a picture;
//! - [`export`]: the network as integers, and back;
//! - [`report`]: the network beside the search;
//! - [`worth`]: what pieces are worth to a network.

pub mod adam;
pub mod aligned;
pub mod checkpoint;
pub mod curve;
pub mod dataset;
pub mod examples;
pub mod excluded;
pub mod export;
pub mod gradient;
pub mod objective;
pub mod odds;
pub mod outlook;
pub mod parameters;
pub mod report;
pub mod settings;
pub mod trainer;
pub mod worth;
