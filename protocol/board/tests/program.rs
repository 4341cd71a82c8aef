//! The program as it is started from a terminal. No browser is ever opened here: where one would be, a script is.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
#[cfg(all(unix, not(target_os = "macos")))]
use std::{fs, iter};

use kujira_board::address;
use kujira_trial::wait_until;

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
    let ended = "a second board on the same folder ends";
    wait_until(ended, || second.0.try_wait().unwrap().is_some());
    let status = second.0.wait().unwrap();
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
        let desk = Self(tempfile::tempdir().unwrap());
        let words = "echo \"$1\" >> \"${0%/*}/opened\"";
        kujira_trial::program::script(words, &desk.0.path().join("xdg-open"));
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

/// One test, for all of them listen where a board does that was told no port.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn without_arguments_the_browser_is_opened_at_a_free_port_and_otherwise_not() {
    let quiet: [(&[&str], &str); 4] = [
        (&["--no-open"], ":7"),
        (&["--port", "0"], ":7"),
        (&["--listen", "127.0.0.1"], ":7"),
        (&[], ""),
    ];
    let started: Vec<_> = quiet.iter().zip(iter::repeat_with(Desk::new)).collect();
    let mut boards: Vec<_> =
        started.iter().map(|((arguments, screen), desk)| desk.start(arguments, screen)).collect();
    let others: Vec<_> = boards.iter_mut().map(|board| told(board)[0]).collect();
    let desk = Desk::new();
    let mut board = desk.start(&[], ":7");
    let addresses = told(&mut board);
    let [address] = addresses[..] else { panic!("{addresses:?}") };
    assert!(address.port() >= address::PORT && address.ip().is_loopback(), "{address}");
    assert!(!others.contains(&address), "the first ports are taken");
    for &address in &others {
        assert_eq!(status(address), "HTTP/1.1 200 OK", "{address}");
    }
    assert_eq!(status(address), "HTTP/1.1 200 OK");
    wait_until("a browser is opened", || desk.opened().ends_with('\n'));
    assert_eq!(desk.opened(), format!("http://{address}/\n"));
    // Those before it would have done so by now.
    for ((arguments, screen), desk) in &started {
        assert_eq!(desk.opened(), "", "{arguments:?} {screen}");
    }
}
