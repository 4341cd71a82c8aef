//! The program as it is started from a terminal. No browser is ever opened here: where one would be, a script is.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{fs, iter};

use kujira_board::address;

/// A board that ends with this value.
struct Board(Child);

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn board(state: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kujira-board"));
    command.args(["--port", "0", "--listen", "0.0.0.0", "--no-token", "--state"]).arg(state);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_board_tells_an_address_that_opens_and_keeps_its_folder_to_itself() {
    let state = tempfile::tempdir().unwrap();
    let mut first = Board(board(state.path()).spawn().unwrap());
    let mut output = BufReader::new(first.0.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("Kujira Board: http://127.0.0.1:"), "{line}");
    let mut second = Board(board(state.path()).spawn().unwrap());
    let mut status = None;
    for _ in 0..600 {
        status = second.0.try_wait().unwrap();
        if status.is_some() {
            break;
        }
        sleep(Duration::from_millis(100));
    }
    let status = status.expect("a second board on the same folder ends");
    let mut error = String::new();
    second.0.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert!(!status.success() && error.contains("a board is running there already"), "{error}");
}

/// The addresses that a board tells before it tells where games are kept.
fn told(board: &mut Board) -> Vec<SocketAddr> {
    let output = BufReader::new(board.0.stdout.as_mut().unwrap());
    let lines = output.lines().map(|line| line.unwrap());
    let addresses = lines.take_while(|line| !line.starts_with("Games are kept in "));
    let address = |line: String| {
        let address = line.strip_prefix("Kujira Board: http://").and_then(|a| a.strip_suffix('/'));
        address.and_then(|address| address.parse().ok()).unwrap_or_else(|| panic!("{line}"))
    };
    addresses.map(address).collect()
}

/// The status of what is answered to a request for the page.
fn status(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    line.trim().to_owned()
}

#[test]
fn every_address_that_is_told_leads_to_the_page() {
    let state = tempfile::tempdir().unwrap();
    let mut open = Board(board(state.path()).spawn().unwrap());
    let addresses = told(&mut open);
    let own = address::own().into_iter().filter(|ip| ip.is_ipv4() && !ip.is_loopback());
    let expected: BTreeSet<IpAddr> = own.chain([[127, 0, 0, 1].into()]).collect();
    assert_eq!(addresses.iter().map(SocketAddr::ip).collect::<BTreeSet<_>>(), expected);
    assert_eq!(addresses.len(), expected.len(), "one was told twice");
    for address in addresses {
        assert_eq!(status(address), "HTTP/1.1 200 OK", "{address}");
    }
}

#[test]
fn a_port_that_is_taken_is_an_error_where_it_is_asked_for() {
    let state = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_kujira-board"))
        .args(["--port", &port, "--state"])
        .arg(state.path())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains(&format!("cannot listen on 127.0.0.1:{port}: ")), "{error}");
    assert!(output.stdout.is_empty());
}

/// A machine with a screen, on which what opens browsers writes down what it is asked for.
#[cfg(all(unix, not(target_os = "macos")))]
struct Desk(tempfile::TempDir);

#[cfg(all(unix, not(target_os = "macos")))]
impl Desk {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let desk = Self(tempfile::tempdir().unwrap());
        let script = desk.0.path().join("xdg-open");
        fs::write(&script, "#!/bin/sh\necho \"$1\" >> \"${0%/*}/opened\"\n").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        desk
    }

    /// The program there, which finds nothing else that opens anything.
    fn start(&self, arguments: &[&str], screen: &str) -> Board {
        let folder = self.0.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kujira-board"));
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        command.env("PATH", folder).env("HOME", folder).env("XDG_DATA_HOME", folder);
        command.env("DISPLAY", screen).env_remove("WAYLAND_DISPLAY").env_remove("WSL_DISTRO_NAME");
        Board(command.spawn().unwrap())
    }

    fn opened(&self) -> String {
        fs::read_to_string(self.0.path().join("opened")).unwrap_or_default()
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn without_arguments_the_browser_is_opened_at_a_free_port() {
    // Whoever has it: the port that comes first is taken.
    let _taken = TcpListener::bind(("127.0.0.1", address::PORT));
    let desk = Desk::new();
    let mut board = desk.start(&[], ":7");
    let addresses = told(&mut board);
    let [address] = addresses[..] else { panic!("{addresses:?}") };
    assert!(address.port() > address::PORT && address.ip().is_loopback(), "{address}");
    assert_eq!(status(address), "HTTP/1.1 200 OK");
    let begun = Instant::now();
    while desk.opened().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no browser was opened");
        sleep(Duration::from_millis(20));
    }
    assert_eq!(desk.opened(), format!("http://{address}/\n"));
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn no_browser_is_opened_unasked() {
    let quiet: [(&[&str], &str); 4] = [
        (&["--no-open"], ":7"),
        (&["--port", "0"], ":7"),
        (&["--listen", "127.0.0.1"], ":7"),
        (&[], ""),
    ];
    let started: Vec<_> = quiet.iter().zip(iter::repeat_with(Desk::new)).collect();
    let mut boards: Vec<_> =
        started.iter().map(|((arguments, screen), desk)| desk.start(arguments, screen)).collect();
    for board in &mut boards {
        assert_eq!(status(told(board)[0]), "HTTP/1.1 200 OK");
    }
    sleep(Duration::from_millis(500));
    for ((arguments, screen), desk) in &started {
        assert_eq!(desk.opened(), "", "{arguments:?} {screen}");
    }
}
