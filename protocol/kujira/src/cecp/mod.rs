//! CECP, the protocol of XBoard and WinBoard: a session in the words of [`kujira_cecp`].
//!
//! Lines are read by a thread of their own and queued; the session answers them in order. While it searches, on yet
//! another thread, it goes on reading: every command then is dealt with at once, put off until the search is
//! over, or ends the search.

mod search;
mod session;
mod state;
mod thinking;

pub(crate) use session::run;
