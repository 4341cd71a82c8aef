//! The program as it is started from a terminal.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

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
    let second = board(state.path()).output().unwrap();
    let error = String::from_utf8_lossy(&second.stderr);
    assert!(
        !second.status.success() && error.contains("a board is running there already"),
        "{error}"
    );
}
