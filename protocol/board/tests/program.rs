//! The program as it is started from a terminal.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

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
    command.args(["--port", "0", "--listen", "0.0.0.0", "--state"]).arg(state);
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
