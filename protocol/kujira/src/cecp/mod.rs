//! CECP, the protocol of XBoard and WinBoard, version 2 (`engine-intf.html` of XBoard 4.9.1).
//!
//! XBoard does not know our games; the engine defines them for it ([`definition`]). Lines are read by a
//! thread of their own and queued; the session answers them in order. While it searches, on yet another
//! thread, it goes on reading: every command then is dealt with at once, put off until the search is
//! over, or ends the search.

mod clock;
pub mod command;
pub mod definition;
pub mod features;
mod game;
mod highlight;
pub mod notation;
mod search;
mod session;
mod state;
mod thinking;

pub(crate) use session::run;
