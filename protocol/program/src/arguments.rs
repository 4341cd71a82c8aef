//! Arguments that several programs take.

/// Reads a number or a range of numbers of `things`, such as `6` or `6-9`: the least and the most.
///
/// # Errors
/// What else it is; a range that begins behind its end is none.
pub fn range(text: &str, things: &str) -> Result<(usize, usize), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok((least, most)),
        _ => Err(format!("expected a number of {things} such as 6 or a range such as 6-9")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        for (text, expected) in [("6", (6, 6)), ("6-9", (6, 9)), ("0-0", (0, 0))] {
            assert_eq!(range(text, "plies"), Ok(expected));
        }
        for text in ["", "-", "9-6", "6..9", "x", "6-", "-6", "6-9-12", "99999999999999999999"] {
            let error = range(text, "plies").unwrap_err();
            assert_eq!(
                error, "expected a number of plies such as 6 or a range such as 6-9",
                "{text}"
            );
        }
    }
}
