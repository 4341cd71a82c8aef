//! The positions from the root of a search to the one it is at.

/// The path, by keys of positions.
#[derive(Debug, Default)]
pub(super) struct Path {
    keys: Vec<u64>,
    /// What all positions up to each make together.
    prefixes: Vec<u64>,
}

impl Path {
    /// Forgets everything and begins with this position.
    pub(super) fn begin(&mut self, key: u64) {
        self.keys.clear();
        self.prefixes.clear();
        self.push(key);
    }

    /// Goes on to a position.
    pub(super) fn push(&mut self, key: u64) {
        let before = self.prefixes.last().copied().unwrap_or(0);
        self.keys.push(key);
        self.prefixes.push((before.rotate_left(23) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }

    /// Goes back one position.
    pub(super) fn pop(&mut self) {
        self.keys.pop();
        self.prefixes.pop();
    }

    /// The ply of the last position, from 0.
    #[inline]
    pub(super) fn ply(&self) -> u16 {
        u16::try_from(self.keys.len().saturating_sub(1)).unwrap_or(u16::MAX)
    }

    /// The ply at which the path came through a position.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u16> {
        let at = self.keys.iter().position(|&known| known == key)?;
        u16::try_from(at).ok()
    }

    /// Tells this path up to ply `ply` from others.
    #[inline]
    pub(super) fn tag(&self, ply: u16) -> Option<u32> {
        let prefix = *self.prefixes.get(usize::from(ply))?;
        u32::try_from(prefix >> 32).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_differ_from_where_they_part() {
        let walk = |keys: &[u64]| {
            let mut path = Path::default();
            path.begin(keys[0]);
            keys[1..].iter().for_each(|&key| path.push(key));
            path
        };
        let (one, other) = (walk(&[1, 2, 3, 4]), walk(&[1, 2, 5, 4]));
        assert_eq!((one.ply(), one.find(3), one.find(5)), (3, Some(2), None));
        for ply in 0..4 {
            assert_eq!(one.tag(ply) == other.tag(ply), ply < 2, "{ply}");
        }
        assert_eq!(one.tag(4), None);
        let mut back = walk(&[1, 2, 3, 4, 9]);
        back.pop();
        assert_eq!((back.ply(), back.tag(3)), (3, one.tag(3)));
        back.begin(7);
        assert_eq!((back.ply(), back.find(7), back.find(1)), (0, Some(0), None));
    }
}
