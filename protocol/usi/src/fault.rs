//! How engines say that something was wrong. There is no one way in USI or UCI; these are known:
//!
//! | line | said by |
//! |---|---|
//! | `info string error …` | Kujira |
//! | `info string Error! : …`, `info string ERROR! …` | YaneuraOu and its kin |
//! | `info string ERROR: …` | Stockfish and its kin, of networks |
//! | `Error: …`, `Error (unknown command): …` | engines of CECP origin |
//! | `Unknown command: …`, `No such option: …` | Stockfish and its kin |
//! | `Illegal move: …`, `Unknown option: …` | several |

use crate::words::Words;

/// How a complaint begins that does without the word "error".
const PHRASES: [&str; 7] = [
    "unknown command",
    "no such command",
    "unknown option",
    "no such option",
    "illegal move",
    "illegal position",
    "invalid position",
];

/// What an engine says was wrong, if the line says so; `is_info`: if it is the text behind `info string`.
pub(crate) fn fault(text: &str, is_info: bool) -> Option<&str> {
    let text = text.trim_ascii();
    let mut words = Words::new(text);
    let first = words.next()?;
    let word = first.trim_end_matches([':', '!']);
    if word.eq_ignore_ascii_case("error") {
        let rest = words.rest();
        if rest.starts_with('(') {
            return Some(text);
        }
        let marked = word.len() < first.len() || rest.starts_with([':', '!']);
        return (is_info || marked).then(|| rest.trim_start_matches([':', '!', ' ', '\t']));
    }
    let begins = |phrase: &&str| {
        let head = text.get(..phrase.len());
        let end = text.get(phrase.len()..).and_then(|rest| rest.chars().next());
        head.is_some_and(|head| head.eq_ignore_ascii_case(phrase))
            && end.is_none_or(|c| !c.is_alphanumeric())
    };
    PHRASES.iter().any(begins).then_some(text)
}

#[cfg(test)]
mod tests {
    fn fault(line: &str) -> Option<String> {
        match crate::Line::parse(line, crate::Protocol::Usi) {
            crate::Line::Error(text) => Some(text),
            _ => None,
        }
    }

    #[test]
    fn every_spelling_is_known() {
        for (line, expected) in [
            (
                "info string error setoption Threads: expected a number",
                "setoption Threads: expected a number",
            ),
            ("info string ERROR: the network file was not found", "the network file was not found"),
            ("info string Error! : combo value not found", "combo value not found"),
            ("info string ERROR! precondition", "precondition"),
            ("info string Error! go cmd before isready cmd.", "go cmd before isready cmd."),
            (" info  string Error", ""),
            ("info pv string error x", "x"),
            ("Error: no such file\r", "no such file"),
            ("Error ! no such file", "no such file"),
            ("error : :! no such file", "no such file"),
            ("error : :", ""),
            ("Error (unknown command): foo", "Error (unknown command): foo"),
            ("Unknown command: foo", "Unknown command: foo"),
            ("Unknown command", "Unknown command"),
            ("info string Unknown command: foo", "Unknown command: foo"),
            ("No such option: Hash", "No such option: Hash"),
            ("Illegal move: 1a1a", "Illegal move: 1a1a"),
            ("illegal move 1a1a", "illegal move 1a1a"),
        ] {
            assert_eq!(fault(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn other_lines_are_no_faults() {
        for line in [
            "",
            "error",
            "error in the third net",
            "errors: 0",
            "info string errors: 0",
            "info string no error",
            "info error",
            "info string",
            "info depth 3 string error",
            "illegal moves are kept apart",
            "an unknown command",
            "unknown",
            "ünknown command",
        ] {
            assert_eq!(fault(line), None, "{line}");
        }
    }
}
