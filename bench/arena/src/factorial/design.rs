//! The design: which row sets which factor to which of its values.

use kujira_usi::Spin;

/// A number of an engine and its two values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    /// The name of the option.
    pub name: String,
    /// The first value.
    pub low: i64,
    /// The second value; usually, but not always, above the first.
    pub high: i64,
}

impl std::str::FromStr for Factor {
    type Err = String;

    /// Reads `NAME=LOW,HIGH`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected NAME=LOW,HIGH with whole numbers, found \"{text}\"");
        let (name, values) = text.split_once('=').ok_or_else(wrong)?;
        let (low, high) = values.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
        let (low, high) = (number(low)?, number(high)?);
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(wrong());
        }
        if low == high {
            return Err(format!("{name}: expected two values, found {low} twice"));
        }
        Ok(Self { name, low, high })
    }
}

impl Factor {
    /// Whether the engine's declaration allows both values.
    ///
    /// # Errors
    /// Which of them it does not.
    pub fn check(&self, spin: &Spin) -> Result<(), String> {
        let Spin { name, min, max, .. } = spin;
        match [self.low, self.high].into_iter().find(|value| !(min..=max).contains(&value)) {
            None => Ok(()),
            Some(value) => {
                Err(format!("{name}: expected values from {min} to {max}, found {value}"))
            }
        }
    }
}

/// A two-level design: rows of a Hadamard matrix.
///
/// The matrix is Sylvester's of the least order beyond the number of factors,
/// `H[i][j] = (-1)^(bits that i and j share)`. Its first column is the same in all rows and belongs to
/// no factor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Design {
    factors: Vec<Factor>,
    rows: usize,
}

impl Design {
    /// The most factors: those of the matrix of order 256.
    pub const MOST_FACTORS: usize = 255;

    /// The most rows.
    pub const MOST_ROWS: usize = Self::MOST_FACTORS + 1;

    /// The design for these factors, in this order.
    ///
    /// # Errors
    /// If there are none or too many of them, or one is there twice.
    pub fn new(factors: Vec<Factor>) -> Result<Self, String> {
        if !(1..=Self::MOST_FACTORS).contains(&factors.len()) {
            let (most, found) = (Self::MOST_FACTORS, factors.len());
            return Err(format!("expected 1 to {most} factors, found {found}"));
        }
        for (index, factor) in factors.iter().enumerate() {
            if factors[..index]
                .iter()
                .any(|earlier| earlier.name.eq_ignore_ascii_case(&factor.name))
            {
                return Err(format!("expected every factor once, found {} twice", factor.name));
            }
        }
        let rows = (factors.len() + 1).next_power_of_two();
        Ok(Self { factors, rows })
    }

    /// The factors.
    #[must_use]
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether a row (from 0) sets a factor (from 0) to its second value.
    #[must_use]
    pub fn is_high(&self, row: usize, factor: usize) -> bool {
        (row & (factor + 1)).count_ones().is_multiple_of(2)
    }

    /// The options of a row (from 0), and those of its opposite.
    #[must_use]
    pub fn options(&self, row: usize) -> [Vec<(String, String)>; 2] {
        [false, true].map(|turned| {
            let options = self.factors.iter().enumerate().map(|(index, factor)| {
                let high = self.is_high(row, index) != turned;
                let value = if high { factor.high } else { factor.low };
                (factor.name.clone(), value.to_string())
            });
            options.collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors(count: usize) -> Vec<Factor> {
        (0..count).map(|index| Factor { name: format!("f{index}"), low: 1, high: 2 }).collect()
    }

    /// Names of options are the same in any case.
    #[test]
    fn a_factor_comes_once() {
        let [one, two] =
            ["Level", "level"].map(|name| Factor { name: name.to_owned(), low: 1, high: 2 });
        let error = Design::new(vec![one, two]).unwrap_err();
        assert_eq!(error, "expected every factor once, found level twice");
    }

    #[test]
    fn factors_are_told_apart() {
        for (count, rows) in
            [(1, 2), (2, 4), (3, 4), (4, 8), (7, 8), (15, 16), (16, 32), (69, 128), (255, 256)]
        {
            let design = Design::new(factors(count)).unwrap();
            assert_eq!(design.rows(), rows);
            let sign = |row, factor| if design.is_high(row, factor) { 1 } else { -1 };
            for a in 0..count {
                let sum: i32 = (0..rows).map(|row| sign(row, a)).sum();
                assert_eq!(sum, 0, "as often high as low");
                for b in 0..a {
                    let product: i32 = (0..rows).map(|row| sign(row, a) * sign(row, b)).sum();
                    assert_eq!(product, 0, "{a} and {b} of {count}");
                }
            }
        }
    }

    #[test]
    fn a_row_is_opposed_by_its_opposite() {
        let factor = |text: &str| text.parse::<Factor>().unwrap();
        let design = Design::new(vec![factor("a=1,9"), factor("b=-5,-7"), factor("c = 2, 3")]);
        let design = design.unwrap();
        let values = |row: usize| {
            design.options(row).map(|options| {
                assert_eq!(options.iter().map(|(name, _)| &name[..]).collect::<String>(), "abc");
                options.into_iter().map(|(_, value)| value).collect::<Vec<_>>().join(" ")
            })
        };
        assert_eq!(values(0), ["9 -7 3", "1 -5 2"]);
        assert_eq!(values(1), ["1 -7 2", "9 -5 3"]);
        assert_eq!(values(2), ["9 -5 2", "1 -7 3"]);
        assert_eq!(values(3), ["1 -5 3", "9 -7 2"]);
    }

    #[test]
    fn what_is_no_design_is_refused() {
        for (text, expected) in [
            ("tempo", "expected NAME=LOW,HIGH with whole numbers, found \"tempo\""),
            ("tempo=3", "expected NAME=LOW,HIGH"),
            ("tempo=3,x", "expected NAME=LOW,HIGH"),
            ("tempo=3,4,5", "expected NAME=LOW,HIGH"),
            ("=3,4", "expected NAME=LOW,HIGH"),
            ("tempo=3,3", "tempo: expected two values, found 3 twice"),
        ] {
            let error = text.parse::<Factor>().unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        let spin = Spin { name: "tempo".to_owned(), default: 3, min: 1, max: 6 };
        for (text, expected) in [
            ("tempo=6,1", None),
            ("tempo=0,6", Some("tempo: expected values from 1 to 6, found 0")),
            ("tempo=1,7", Some("tempo: expected values from 1 to 6, found 7")),
        ] {
            let found = text.parse::<Factor>().unwrap().check(&spin);
            assert_eq!(found.err().as_deref(), expected);
        }
        let error = |factors| Design::new(factors).unwrap_err();
        assert_eq!(error(factors(0)), "expected 1 to 255 factors, found 0");
        assert_eq!(error(factors(256)), "expected 1 to 255 factors, found 256");
        let twice = [factors(2), factors(1)].concat();
        assert_eq!(error(twice), "expected every factor once, found f0 twice");
    }
}
