//! The secret in the link that a board on the network prints: whoever knows it may play.
//!
//! The link is `http://ADDRESS/?token=SECRET`. The answer sets a cookie and redirects to the address without the
//! secret, so that the secret stands in no address bar and is not copied from there. From then on the browser sends the
//! cookie.

use std::fmt::{self, Write as _};
use std::hint::black_box;
use std::io;

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::refusal::refused;

/// Bytes of the secret.
const SECRET: usize = 16;

/// The page for a browser that has neither link nor cookie.
const CLOSED: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Kujira Board</title>\
     <p>This board opens by its whole link, which it printed where it was started: the address with \
     <code>?token=…</code> behind it. A new start makes a new link.";

/// The page for the first request. After a link on another site the browser sends no cookie, even if the link is ours:
/// this page loads itself once more, at the same place.
const ASKS: &str = "<script src=again.js></script>";
const AGAIN: &str = "location.replace(`./?again${location.hash}`);";

/// A secret, and the cookie in which browsers keep it.
#[derive(Clone)]
pub struct Token {
    secret: String,
    /// The name of the cookie.
    cookie: String,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("cookie", &self.cookie).finish_non_exhaustive()
    }
}

impl Token {
    /// A new secret for the board at a port; browsers keep the cookies of all ports of a machine together.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn new(port: u16) -> io::Result<Self> {
        let mut bytes = [0; SECRET];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        let mut secret = String::new();
        for byte in bytes {
            let _ = write!(secret, "{byte:02x}");
        }
        Ok(Self { secret, cookie: format!("kujira-board-{port}") })
    }

    /// What stands behind the address in the link.
    #[must_use]
    pub fn query(&self) -> String {
        format!("?token={}", self.secret)
    }

    /// The answer to a request without the secret, or to one that still has it in its address; `None` lets it pass.
    pub(crate) fn answer(&self, request: &Request) -> Option<Response> {
        let query = request.uri().query().unwrap_or_default();
        let mut given = query.split('&').filter_map(|pair| pair.strip_prefix("token="));
        let linked = given.any(|given| self.is(given));
        let known = linked || self.in_cookie(request.headers());
        let path = request.uri().path();
        match if path == "/index.html" { "/" } else { path } {
            "/" if linked => {
                let Self { secret, cookie } = self;
                let cookie = format!("{cookie}={secret}; Path=/; HttpOnly; SameSite=Strict");
                Some(([(header::SET_COOKIE, cookie)], onward()).into_response())
            }
            "/" if known => (query == "again").then(onward),
            "/" => {
                let asks = if query == "again" { "" } else { ASKS };
                Some((StatusCode::FORBIDDEN, Html([CLOSED, asks].concat())).into_response())
            }
            "/again.js" => {
                Some(([(header::CONTENT_TYPE, "text/javascript")], AGAIN).into_response())
            }
            _ if known => None,
            _ => {
                let error =
                    "expected the token of the link that the board printed, found none or another";
                Some(refused(StatusCode::FORBIDDEN, error))
            }
        }
    }

    /// Whether a browser shows the cookie.
    fn in_cookie(&self, headers: &HeaderMap) -> bool {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut pairs =
            lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, secret)| name == self.cookie && self.is(secret))
    }

    /// Whether this is the secret, in constant time.
    fn is(&self, given: &str) -> bool {
        let (ours, given) = (self.secret.as_bytes(), given.as_bytes());
        let differing = ours.iter().zip(given).fold(0, |bits, (a, b)| bits | (a ^ b));
        black_box(differing) == 0 && ours.len() == given.len()
    }
}

/// A redirect to the address without the query.
fn onward() -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, "./")]).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_is_the_secret() {
        let token = Token::new(8330).unwrap();
        let secret = token.query().replace("?token=", "");
        assert_eq!(secret.len(), 2 * SECRET);
        assert!(token.is(&secret));
        for wrong in ["", &secret[1..], &format!("{secret}0")] {
            assert!(!token.is(wrong), "{wrong}");
        }
        assert_ne!(Token::new(8330).unwrap().query(), token.query());
        assert!(!format!("{token:?}").contains(&secret));
    }
}
