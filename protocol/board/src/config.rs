//! What the server is told when it starts.
use std::net::IpAddr;
use std::time::Duration;

use kujira_table::{Levels, Resources, Timeouts};

use crate::connections;
use crate::engine::Launch;
use crate::token::Token;

/// What the server is told when it starts.
#[derive(Clone, Debug)]
pub struct Config {
    /// How an engine is started.
    pub engine: Launch,
    /// The levels that engines play at.
    pub levels: Levels,
    /// How long engines may take to answer.
    pub timeouts: Timeouts,
    /// How long a game stays in memory, with its engines, when nobody looks on.
    pub idle: Duration,
    /// The least time that a game without a page stays in memory when another needs its room.
    pub coming: Duration,
    /// Time between two pings to a page: one that has not answered the last is gone.
    pub ping: Duration,
    /// The most games in memory at once.
    pub most_sessions: usize,
    /// The most pages connected at once.
    pub most_pages: usize,
    /// The most connections at once that are not pages yet. Beyond that the one that has asked for nothing for the
    /// longest time is closed.
    pub most_connections: usize,
    /// How long a client may take to send the head of a request, and between two requests.
    pub head: Duration,
    /// How long a client may take to send the body of a request.
    pub body: Duration,
    /// The address listened on.
    pub address: IpAddr,
    /// Names besides `localhost` under which the page may be asked for.
    pub hosts: Vec<String>,
    /// What a request has to show, if it has to show anything.
    pub token: Option<Token>,
    /// The most that pages may have an engine use.
    pub most: Resources,
}

impl Config {
    /// The usual limits, for an engine and an address.
    #[must_use]
    pub fn new(engine: Launch, address: IpAddr) -> Self {
        Self {
            engine,
            levels: Levels::kujira(),
            timeouts: Timeouts::default(),
            idle: Duration::from_secs(60),
            coming: Duration::from_secs(5),
            ping: Duration::from_secs(20),
            most_sessions: 32,
            most_pages: 64,
            most_connections: connections::most(),
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            address,
            hosts: Vec::new(),
            token: None,
            most: Resources::MOST,
        }
    }
}
