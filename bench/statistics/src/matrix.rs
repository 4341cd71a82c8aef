//! Symmetric positive definite matrices: as much as Newton's method and its error bars need.

/// A square matrix, row by row.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    #[must_use]
    pub fn zero(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    /// The number in a row and column.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    /// Adds to the number in a row and column.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.size + column] += value;
    }

    /// The lower triangle `L` with `L Lᵀ` the matrix (Cholesky); `None` if it is not positive definite.
    pub fn factor(&self) -> Option<Factor> {
        let mut lower = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| lower.at(row, k) * lower.at(column, k)).sum();
                let rest = self.at(row, column) - known;
                let entry = if row == column {
                    if rest <= 0.0 || rest.is_nan() {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower.at(column, column)
                };
                lower.add(row, column, entry);
            }
        }
        Some(Factor(lower))
    }
}

/// The Cholesky factor of a matrix.
#[derive(Clone, Debug)]
pub struct Factor(Matrix);

impl Factor {
    /// The vector that the matrix takes to `right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Self(lower) = self;
        let mut found = right.to_vec();
        for row in 0..lower.size {
            let known: f64 = (0..row).map(|k| lower.at(row, k) * found[k]).sum();
            found[row] = (found[row] - known) / lower.at(row, row);
        }
        for row in (0..lower.size).rev() {
            let known: f64 = (row + 1..lower.size).map(|k| lower.at(k, row) * found[k]).sum();
            found[row] = (found[row] - known) / lower.at(row, row);
        }
        found
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::zero(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.add(row, column, value);
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix<const N: usize>(rows: [[f64; N]; N]) -> Matrix {
        Matrix { size: N, entries: rows.into_iter().flatten().collect() }
    }

    #[test]
    fn equations_are_solved() {
        let factor =
            matrix([[4.0, 2.0, -2.0], [2.0, 10.0, 5.0], [-2.0, 5.0, 6.0]]).factor().unwrap();
        let found = factor.solve(&[2.0, 37.0, 26.0]);
        for (found, expected) in found.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
        let inverse = factor.inverse();
        assert!((inverse.at(0, 0) - 35.0 / 36.0).abs() < 1e-12, "{inverse:?}");
        assert!((inverse.at(2, 0) - inverse.at(0, 2)).abs() < 1e-12, "{inverse:?}");
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        assert!(matrix([[1.0, 1.0], [1.0, 1.0]]).factor().is_none());
        assert!(matrix([[1.0, 2.0], [2.0, 1.0]]).factor().is_none());
        assert!(matrix([[f64::NAN]]).factor().is_none());
    }
}
