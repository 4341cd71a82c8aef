//! Who may talk to the server: a page that came from it, under a name that is its own.
//!
//! A page elsewhere on the web can make a browser send requests to this machine, and can have its
//! own name resolve to this machine's address. Both show in the headers: `Origin` is then foreign,
//! or `Host` is a name that is not ours.
use std::net::IpAddr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

use crate::config::Config;

/// Checks the headers of a request.
///
/// # Errors
/// What was expected and what was found.
pub fn check(headers: &HeaderMap, config: &Config) -> Result<(), String> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|value| value.to_str().ok()).unwrap_or_default();
    if hosts.next().is_some() || !is_ours(host, config) {
        return Err(format!(
            "expected a request for this machine's own name, found {host:?}; the board is told of more \
             names of its machine by --host NAME"
        ));
    }
    let mut origins = headers.get_all(ORIGIN).iter();
    if let Some(origin) = origins.next() {
        let origin = origin.to_str().unwrap_or_default();
        let authority = origin.strip_prefix("http://");
        let same = authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host));
        if origins.next().is_some() || !same {
            return Err(format!("expected a request from this page, found one from {origin:?}"));
        }
    }
    Ok(())
}

/// Whether a `Host` header names us: an address of this machine as it can stand there, `localhost`,
/// or a name the server was told.
fn is_ours(host: &str, config: &Config) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !port.is_empty() => name,
        _ => host,
    };
    if name.eq_ignore_ascii_case("localhost")
        || config.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
    {
        return true;
    }
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    // An address cannot be made to point elsewhere as a name can.
    address.is_ok_and(|address| address.is_loopback() || !config.address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Launch;
    use axum::http::{HeaderName, HeaderValue};

    fn config(address: &str) -> Config {
        let launch = Launch { program: "none".into(), arguments: Vec::new() };
        let mut config = Config::new(launch, address.parse().unwrap());
        config.hosts.push("board.example".to_owned());
        config
    }

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn our_own_names_pass() {
        let local = config("127.0.0.1");
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:80", "board.example:1"]
        {
            assert_eq!(check(&headers(&[(HOST, host)]), &local), Ok(()), "{host}");
            let origin = format!("http://{host}");
            assert_eq!(check(&headers(&[(HOST, host), (ORIGIN, &origin)]), &local), Ok(()));
        }
        let open = config("0.0.0.0");
        assert_eq!(check(&headers(&[(HOST, "192.0.2.7:80")]), &open), Ok(()));
    }

    #[test]
    fn foreign_hosts_and_origins_are_refused() {
        let local = config("127.0.0.1");
        for host in [
            "evil.example",
            "evil.example:8080",
            "127.0.0.1.evil.example",
            "192.0.2.7",
            "",
            "localhost.:1",
            ":8080",
        ] {
            let error = check(&headers(&[(HOST, host)]), &local).unwrap_err();
            assert!(error.contains(&format!("{host:?}")) && error.contains("--host"), "{error}");
        }
        assert!(check(&HeaderMap::new(), &local).is_err());
        assert!(check(&headers(&[(HOST, "localhost"), (HOST, "evil.example")]), &local).is_err());
        for origin in [
            "http://evil.example",
            "null",
            "https://localhost:1",
            "http://localhost:2",
            "http://localhost:1.evil.example",
            "",
        ] {
            let pairs = [(HOST, "localhost:1"), (ORIGIN, origin)];
            let error = check(&headers(&pairs), &local).unwrap_err();
            assert!(error.contains("expected a request from this page"), "{error}");
        }
        let two =
            [(HOST, "localhost"), (ORIGIN, "http://localhost"), (ORIGIN, "http://evil.example")];
        assert!(check(&headers(&two), &local).is_err());
    }
}
