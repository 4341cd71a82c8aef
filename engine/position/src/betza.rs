//! Betza notation, the part these games need, parsed in constant expressions: a string that is
//! wrong stops the build.
//!
//! An atom is a leap: `W` (1,0), `F` (1,1), `D` (2,0), `N` (2,1), `A` (2,2), `H` (3,0), `Z` (3,2).
//! `K` is `WF`; `R`, `B`, `Q`, `NN` are the riders of `W`, `F`, `WF`, `N`, and a digit behind one
//! limits its range (`B2`). Modifiers before an atom choose among its directions: `f` forward, `b`
//! back, `s` sideways, `v` both forward and back; several add up (`fsW`). For an atom with two
//! different lengths `ff` and `bb` keep the two leaps whose long leg is forward or back. All pieces
//! of these games are left-right symmetric, so left and right alone are refused.

/// How a piece leaps and slides, as offsets `(dx, dy)` from the mover's point of view.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    leaps: [(i8, i8); Self::MOST],
    leap_count: usize,
    slides: [Slide; Self::MOST],
    slide_count: usize,
}

/// A slide: steps of `(dx, dy)`, at most `range` of them, until something stands in the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slide {
    /// Files a step goes to the mover's right.
    pub dx: i8,
    /// Ranks a step goes forward.
    pub dy: i8,
    /// The most steps it can take; [`Slide::UNLIMITED`] if only the board limits it.
    pub range: u8,
}

impl Slide {
    /// The range of a slide that only the board limits.
    pub const UNLIMITED: u8 = u8::MAX;
}

impl Pattern {
    const MOST: usize = 24;
    const NONE: Self = Self {
        leaps: [(0, 0); Self::MOST],
        leap_count: 0,
        slides: [Slide { dx: 0, dy: 0, range: 0 }; Self::MOST],
        slide_count: 0,
    };

    /// The leaps, single steps included.
    #[must_use]
    pub const fn leaps(&self) -> &[(i8, i8)] {
        self.leaps.split_at(self.leap_count).0
    }

    /// The slides.
    #[must_use]
    pub const fn slides(&self) -> &[Slide] {
        self.slides.split_at(self.slide_count).0
    }

    /// Whether there is a leap of `(dx, dy)`.
    #[must_use]
    pub const fn leaps_by(&self, dx: i8, dy: i8) -> bool {
        let mut i = 0;
        while i < self.leap_count {
            if self.leaps[i].0 == dx && self.leaps[i].1 == dy {
                return true;
            }
            i += 1;
        }
        false
    }

    pub(crate) const fn add_leap(&mut self, dx: i8, dy: i8) {
        assert!(!self.leaps_by(dx, dy), "Betza: the same leap twice");
        assert!(self.leap_count < Self::MOST, "Betza: too many leaps");
        self.leaps[self.leap_count] = (dx, dy);
        self.leap_count += 1;
    }

    const fn add_slide(&mut self, dx: i8, dy: i8, range: u8) {
        let mut i = 0;
        while i < self.slide_count {
            let slide = self.slides[i];
            assert!(slide.dx != dx || slide.dy != dy, "Betza: the same slide twice");
            i += 1;
        }
        assert!(self.slide_count < Self::MOST, "Betza: too many slides");
        self.slides[self.slide_count] = Slide { dx, dy, range };
        self.slide_count += 1;
    }

    /// Parses a Betza string; the empty string is a piece that neither leaps nor slides.
    ///
    /// # Panics
    /// On anything but the notation described at the head of this module.
    #[must_use]
    pub const fn parse(text: &str) -> Self {
        let text = text.as_bytes();
        let mut pattern = Self::NONE;
        let mut i = 0;
        while i < text.len() {
            let mut modifiers = Modifiers { forward: 0, back: 0, sideways: false };
            while i < text.len() && text[i].is_ascii_lowercase() {
                modifiers.add(text[i]);
                i += 1;
            }
            assert!(i < text.len(), "Betza: modifiers without an atom");
            let atom = text[i];
            i += 1;
            let doubled = i < text.len() && text[i] == atom;
            if doubled {
                assert!(atom == b'N', "Betza: NN is the only doubled atom in use");
                i += 1;
            }
            let rider = doubled || matches!(atom, b'R' | b'B' | b'Q');
            let mut range = Slide::UNLIMITED;
            if i < text.len() && text[i].is_ascii_digit() {
                assert!(rider, "Betza: a range belongs to a rider");
                range = text[i] - b'0';
                assert!(range > 1, "Betza: a range below 2 is a leap");
                i += 1;
            }
            pattern.add_atom(atom, modifiers, rider, range);
        }
        pattern
    }

    const fn add_atom(&mut self, atom: u8, modifiers: Modifiers, rider: bool, range: u8) {
        let (long, short) = match atom {
            b'W' | b'R' => (1, 0),
            b'F' | b'B' => (1, 1),
            b'D' => (2, 0),
            b'N' => (2, 1),
            b'A' => (2, 2),
            b'H' => (3, 0),
            b'Z' => (3, 2),
            b'K' | b'Q' => {
                let (straight, diagonal) = if atom == b'K' { (b'W', b'F') } else { (b'R', b'B') };
                self.add_atom(straight, modifiers, rider, range);
                self.add_atom(diagonal, modifiers, rider, range);
                return;
            }
            _ => panic!("Betza: unknown atom"),
        };
        let before = self.leap_count + self.slide_count;
        let mut dx = -3;
        while dx <= 3 {
            let mut dy = -3;
            while dy <= 3 {
                let (ax, ay) = (if dx < 0 { -dx } else { dx }, if dy < 0 { -dy } else { dy });
                let fits = (ax == long && ay == short) || (ax == short && ay == long);
                if fits && modifiers.allow(dx, dy, long != short && short != 0) {
                    if rider {
                        self.add_slide(dx, dy, range);
                    } else {
                        self.add_leap(dx, dy);
                    }
                }
                dy += 1;
            }
            dx += 1;
        }
        assert!(
            self.leap_count + self.slide_count > before,
            "Betza: these modifiers leave this atom no direction"
        );
    }
}

/// How often each modifier letter stands before an atom.
#[derive(Clone, Copy)]
struct Modifiers {
    forward: u8,
    back: u8,
    sideways: bool,
}

impl Modifiers {
    const fn add(&mut self, letter: u8) {
        match letter {
            b'f' => self.forward += 1,
            b'b' => self.back += 1,
            b's' => self.sideways = true,
            b'v' => {
                self.forward += 1;
                self.back += 1;
            }
            _ => panic!("Betza: unknown modifier"),
        }
    }

    /// Whether `(dx, dy)` is among the directions chosen; `oblique` for atoms of two lengths.
    const fn allow(self, dx: i8, dy: i8, oblique: bool) -> bool {
        if self.forward == 0 && self.back == 0 && !self.sideways {
            return true;
        }
        if oblique {
            assert!(
                !self.sideways && self.forward != 1 && self.back != 1,
                "Betza: an oblique atom takes ff and bb only"
            );
            let upright = dy > 2 || dy < -2 || (dx > -2 && dx < 2);
            return upright && ((self.forward > 0 && dy > 0) || (self.back > 0 && dy < 0));
        }
        assert!(self.forward < 2 && self.back < 2, "Betza: ff and bb are for oblique atoms");
        (self.forward > 0 && dy > 0) || (self.back > 0 && dy < 0) || (self.sideways && dy == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(text: &str) -> Vec<(i8, i8)> {
        let mut leaps = Pattern::parse(text).leaps().to_vec();
        leaps.sort_unstable();
        leaps
    }

    #[test]
    fn leaps() {
        assert_eq!(sorted("K").len(), 8);
        assert_eq!(sorted("sW"), [(-1, 0), (1, 0)]);
        assert_eq!(sorted("fDsbW"), [(-1, 0), (0, -1), (0, 2), (1, 0)]);
        assert_eq!(sorted("ffZ"), [(-2, 3), (2, 3)]);
        assert_eq!(
            sorted("FbWbA"),
            [(-2, -2), (-1, -1), (-1, 1), (0, -1), (1, -1), (1, 1), (2, -2)]
        );
        assert_eq!(sorted(""), []);
    }

    #[test]
    fn slides() {
        let grey = Pattern::parse("fRbB2");
        assert!(grey.leaps().is_empty());
        let mut slides: Vec<_> = grey.slides().iter().map(|s| (s.dx, s.dy, s.range)).collect();
        slides.sort_unstable();
        assert_eq!(slides, [(-1, -1, 2), (0, 1, Slide::UNLIMITED), (1, -1, 2)]);
        assert_eq!(Pattern::parse("NN").slides().len(), 8);
        assert_eq!(Pattern::parse("Q").slides().len(), 8);
    }

    #[test]
    fn wrong_strings_are_refused() {
        for text in
            ["f", "x", "X", "lW", "W2", "ffW", "fZ", "sZ", "WW", "WK", "sB", "R1", "BbB2", "QR"]
        {
            assert!(std::panic::catch_unwind(|| Pattern::parse(text)).is_err(), "{text}");
        }
    }
}
