//! What a sequential test is made of, as `sprt` and `report` take it.

use clap::Args;

use kujira_statistics::{Model, Sprt};

/// The risks of a test and the meaning of its bounds.
#[derive(Args, Clone, Copy)]
pub(super) struct RiskArgs {
    /// Probability that no gain passes.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability that a gain fails.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Which Elo is meant.
    #[arg(long, value_enum, default_value = "normalized")]
    model: Model,
}

impl RiskArgs {
    /// The test between these bounds.
    ///
    /// # Errors
    /// If there is no such test.
    pub(super) fn test(self, elo0: f64, elo1: f64) -> Result<Sprt, String> {
        let Self { alpha, beta, model } = self;
        let risk = |risk: f64| risk > 0.0 && risk < 0.5;
        if elo0 >= elo1 || !elo0.is_finite() || !elo1.is_finite() {
            return Err(format!("expected --elo0 below --elo1, found {elo0} and {elo1}"));
        }
        if !risk(alpha) || !risk(beta) {
            return Err(format!(
                "expected --alpha and --beta between 0 and 0.5, found {alpha} and {beta}"
            ));
        }
        Ok(Sprt { model, elo0, elo1, alpha, beta })
    }
}
