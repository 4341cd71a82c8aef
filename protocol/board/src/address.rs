//! Where the board listens, and at which addresses people reach it.
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::TcpListener;

/// The port if none is asked for.
pub const PORT: u16 = 8330;

/// How many ports are tried if none is asked for.
const PORTS: u16 = 20;

/// Listens on an address: on the port asked for, or else on the first from [`PORT`] on that nobody has.
///
/// # Errors
/// If that port, or each of those, is taken or may not be listened on.
pub async fn listen(ip: IpAddr, port: Option<u16>) -> Result<TcpListener, String> {
    if let Some(port) = port {
        let address = SocketAddr::new(ip, port);
        return TcpListener::bind(address).await.map_err(|error| {
            format!("cannot listen on {address}: {error}; choose another port with --port")
        });
    }
    let last = PORT + PORTS - 1;
    for port in PORT..=last {
        let address = SocketAddr::new(ip, port);
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            // Some systems keep ports to themselves.
            Err(error)
                if matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::PermissionDenied) => {}
            Err(error) => return Err(format!("cannot listen on {address}: {error}")),
        }
    }
    Err(format!(
        "expected a free port from {PORT} to {last}, found none; choose another with --port"
    ))
}

/// The address to open on this machine, also where the board listens on all networks.
#[must_use]
pub fn here(listened: SocketAddr) -> SocketAddr {
    let ip = match listened.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listened.port())
}

/// The addresses besides [`here`] under which others reach a board that listens on `listened`, if this machine has the
/// addresses `own`; IPv4 first.
#[must_use]
pub fn others(listened: SocketAddr, own: &[IpAddr]) -> Vec<SocketAddr> {
    if !listened.ip().is_unspecified() {
        return Vec::new();
    }
    let reached = |ip: &&IpAddr| match ip {
        // Listening on all addresses of IPv6 includes those of IPv4, except on Windows.
        IpAddr::V4(_) => listened.is_ipv4() || cfg!(unix),
        // Link-local addresses need the name of an interface, which browsers do not accept.
        IpAddr::V6(ip) => listened.is_ipv6() && !ip.is_unicast_link_local(),
    };
    let mut ips: Vec<_> = own.iter().filter(|ip| !ip.is_loopback()).filter(reached).collect();
    ips.sort();
    ips.dedup();
    ips.into_iter().map(|&ip| SocketAddr::new(ip, listened.port())).collect()
}

/// The addresses of this machine's networks, as far as the system tells them.
#[must_use]
pub fn own() -> Vec<IpAddr> {
    let found = if_addrs::get_if_addrs().unwrap_or_default();
    found.iter().map(if_addrs::Interface::ip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_told_can_be_opened() {
        for (listened, told) in [
            ("0.0.0.0:8330", "127.0.0.1:8330"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.7:8330", "192.0.2.7:8330"),
            ("127.0.0.1:1", "127.0.0.1:1"),
        ] {
            assert_eq!(here(listened.parse().unwrap()).to_string(), told);
        }
    }

    #[test]
    fn all_addresses_are_told_where_all_are_listened_on() {
        let own = [
            "2001:db8::7",
            "192.0.2.7",
            "fe80::1",
            "127.0.0.1",
            "::1",
            "198.51.100.2",
            "192.0.2.7",
        ];
        let own = own.map(|ip| ip.parse().unwrap());
        let told = |listened: &str| {
            let told = others(listened.parse().unwrap(), &own);
            told.iter().map(SocketAddr::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told("0.0.0.0:8330"), "192.0.2.7:8330 198.51.100.2:8330");
        let both = "192.0.2.7:80 198.51.100.2:80 [2001:db8::7]:80";
        assert_eq!(told("[::]:80"), if cfg!(unix) { both } else { "[2001:db8::7]:80" });
        for one in ["127.0.0.1:8330", "[::1]:8330", "192.0.2.7:8330"] {
            assert_eq!(told(one), "", "{one}");
        }
    }

    #[tokio::test]
    async fn the_next_free_port_is_taken_unless_one_is_asked_for() {
        // Where Linux has more than one, nobody else listens there.
        let [_, second, third, fourth] = std::process::id().to_be_bytes();
        let own = [127, second | 128, third, fourth];
        let ip = IpAddr::from(if cfg!(target_os = "linux") { own } else { [127, 0, 0, 1] });
        let first = listen(ip, None).await.unwrap();
        let second = listen(ip, None).await.unwrap();
        let port = |listener: &TcpListener| listener.local_addr().unwrap().port();
        assert!((PORT..PORT + PORTS).contains(&port(&first)));
        assert!(port(&second) > port(&first));
        let error = listen(ip, Some(port(&first))).await.unwrap_err();
        let told = format!("cannot listen on {ip}:{}: ", port(&first));
        assert!(error.starts_with(&told) && error.contains("--port"), "{error}");
    }
}
