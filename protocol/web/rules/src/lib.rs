//! The rules of all three games for JavaScript: the entry `whaleshogi` of the npm package, described in
//! `docs/javascript.md`. Nothing here stands on anything but JavaScript; elsewhere the crate is empty.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]
#![forbid(unsafe_code)]

mod board;
mod games;
mod types;
mod value;
