//! Which protocol a GUI speaks: the first word says it.

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};

use kujira_position::VariantId;
use kujira_search::Engine;

#[cfg(feature = "cecp")]
use crate::cecp;
use crate::output::End;
use crate::{logging, usi};

/// The word with which a GUI that speaks CECP begins.
const XBOARD: &[u8] = b"xboard";

/// The byte order mark that some editors and shells put before a text; it is skipped.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Bytes that are enough to know the first word.
const ENOUGH: usize = 64;

/// Holds a session until `quit` or the end of `input`, in CECP if the first word is `xboard`, in UCI if it is `uci`,
/// else in USI; `factory` makes an engine for a game.
///
/// The input is read by a thread of its own, which may outlive the session if nobody reads `output`
/// any more.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    factory: impl Fn(VariantId) -> Box<dyn Engine> + 'static,
) -> End {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let end = match read_beginning(&mut input) {
        #[cfg(feature = "cecp")]
        Ok(Beginning::XBoard) => cecp::run(input, output, factory),
        // A word that is no command.
        #[cfg(not(feature = "cecp"))]
        Ok(Beginning::XBoard) => {
            usi::run(Cursor::new([XBOARD, b"\n"].concat()).chain(input), output, factory)
        }
        Ok(Beginning::Other(bytes)) => usi::run(Cursor::new(bytes).chain(input), output, factory),
        Err(error) => {
            log::error!("reading the input: {error}");
            End::Over
        }
    };
    logging::settle();
    end
}

/// How an input begins.
#[derive(PartialEq, Eq, Debug)]
enum Beginning {
    /// With a line whose first word is `xboard`; it has been read.
    XBoard,
    /// With something else: the bytes that have been read.
    Other(Vec<u8>),
}

/// Reads blank lines and as much of the first other one as it takes to know its first word.
fn read_beginning(input: &mut impl BufRead) -> io::Result<Beginning> {
    let mut seen = Vec::new();
    while seen.len() < ENOUGH {
        let byte = input.by_ref().bytes().next().transpose()?;
        let word = seen.trim_ascii_start();
        if word == XBOARD && byte.is_none_or(|byte| byte.is_ascii_whitespace()) {
            if byte.is_some_and(|byte| byte != b'\n') {
                input.skip_until(b'\n')?;
            }
            return Ok(Beginning::XBoard);
        }
        let Some(byte) = byte else { break };
        if word.is_empty() && byte == b'\n' {
            seen.clear();
            continue;
        }
        seen.push(byte);
        if seen == MARK {
            seen.clear();
        }
        if !XBOARD.starts_with(seen.trim_ascii_start()) && !MARK.starts_with(&seen) {
            break;
        }
    }
    Ok(Beginning::Other(seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How an input begins, and what is left to read.
    fn split(mut input: &[u8]) -> (Beginning, &[u8]) {
        let beginning = read_beginning(&mut input).unwrap();
        (beginning, input)
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(split("\u{feff}xboard\nnew\n".as_bytes()), (Beginning::XBoard, &b"new\n"[..]));
        let usi = (Beginning::Other(b"u".to_vec()), &b"si\n"[..]);
        assert_eq!(split("\u{feff}usi\n".as_bytes()), usi);
        // Another beginning stays whole, to be told what is wrong with it.
        assert_eq!(split(b"\xef\xbbusi\n").0, Beginning::Other(b"\xef\xbbu".to_vec()));
    }

    #[test]
    fn xboard_is_the_first_word_or_not() {
        for input in ["xboard\nnew\n", "xboard\r\nnew\n", "\n \r\n  xboard 2\nnew\n"] {
            assert_eq!(split(input.as_bytes()), (Beginning::XBoard, &b"new\n"[..]), "{input:?}");
        }
        assert_eq!(split(b"xboard"), (Beginning::XBoard, &b""[..]));
        for input in ["usi\nxboard\n", "xboards\n", "xboar\n", "", "\n\n", " x\n", "go xboard\n"] {
            let (beginning, rest) = split(input.as_bytes());
            let Beginning::Other(seen) = beginning else { panic!("{input:?}") };
            assert_eq!([&seen, rest].concat(), input.trim_start_matches('\n').as_bytes());
        }
        let blanks = vec![b' '; 3 * ENOUGH];
        let (beginning, rest) = split(&blanks);
        assert_eq!(beginning, Beginning::Other(vec![b' '; ENOUGH]));
        assert_eq!(rest.len(), 2 * ENOUGH);
    }
}
