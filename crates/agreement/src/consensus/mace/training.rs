//! How parameters are estimated.

/// How the parameters of [`Mace`](super::Mace) are estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaceTraining {
    /// By EM: the most probable ones, after `smoothing`, divided by the number of categories, was
    /// added to each expected count. The paper's number is 0.01; 0 is maximum likelihood.
    Likelihood {
        /// What is added.
        smoothing: f64,
    },
    /// By variational Bayes: all that are possible, weighed.
    Variational {
        /// Both parameters of the Beta distribution of competences, above 0.
        competence_prior: f64,
        /// All parameters of the Dirichlet distributions of what those say who guess, above 0.
        strategy_prior: f64,
    },
}
