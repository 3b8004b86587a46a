//! Progress: numbered steps with their seconds, and a table of them at the end.

use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The steps of one command, in the order in which they are run.
pub(crate) struct Steps {
    total: usize,
    started: Instant,
    finished: Vec<(&'static str, StepOutcome)>,
}

enum StepOutcome {
    Passed(Duration),
    Skipped(&'static str),
    Failed(Duration),
}

impl Steps {
    /// `total` is the number of calls to [`Steps::run`] and [`Steps::skip`] that will follow.
    pub(crate) fn new(total: usize) -> Self {
        Self { total, started: Instant::now(), finished: Vec::new() }
    }

    /// Runs a step, says so before and after; an error carries the step's name.
    pub(crate) fn run<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        self.announce(name);
        let start = Instant::now();
        let result = work();
        let took = start.elapsed();
        let (outcome, verdict) = match &result {
            Ok(_) => (StepOutcome::Passed(took), "done in"),
            Err(_) => (StepOutcome::Failed(took), "FAILED after"),
        };
        println!("--- {name}: {verdict} {:.1} s", took.as_secs_f64());
        self.finished.push((name, outcome));
        result.with_context(|| format!("step `{name}`"))
    }

    /// Notes a step that is not run, and why.
    pub(crate) fn skip(&mut self, name: &'static str, reason: &'static str) {
        self.announce(name);
        println!("--- {name}: skipped: {reason}");
        self.finished.push((name, StepOutcome::Skipped(reason)));
    }

    /// One line per step so far and the total, for people to read.
    pub(crate) fn summary(&self) -> String {
        let width = self.finished.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(5);
        let mut table = String::new();
        for (name, outcome) in &self.finished {
            let _infallible = match outcome {
                StepOutcome::Passed(took) => {
                    writeln!(table, "{name:width$} {:8.1} s", took.as_secs_f64())
                }
                StepOutcome::Skipped(reason) => writeln!(table, "{name:width$}  skipped: {reason}"),
                StepOutcome::Failed(took) => {
                    writeln!(table, "{name:width$} {:8.1} s  FAILED", took.as_secs_f64())
                }
            };
        }
        let seconds = self.started.elapsed().as_secs_f64();
        let _infallible = write!(table, "{:width$} {seconds:8.1} s", "total");
        table
    }

    fn announce(&self, name: &str) {
        let seconds = self.started.elapsed().as_secs();
        println!("\n[{}/{}] {name} ({seconds} s so far)", self.finished.len() + 1, self.total);
    }
}

#[cfg(test)]
mod tests {
    use super::Steps;
    use anyhow::bail;

    #[test]
    fn failure_names_its_step() {
        let mut steps = Steps::new(1);
        let error = steps.run::<()>("clippy", || bail!("two warnings")).unwrap_err();
        assert_eq!(format!("{error:#}"), "step `clippy`: two warnings");
    }

    #[test]
    fn summary_has_every_step_with_its_outcome() {
        let mut steps = Steps::new(3);
        steps.run("fmt", || Ok(())).unwrap();
        steps.skip("deny", "cargo-deny is not installed");
        steps.run::<()>("docs", || bail!("broken link")).unwrap_err();
        let summary = steps.summary();
        let lines: Vec<_> = summary.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0].starts_with("fmt ") && lines[0].ends_with(" s"));
        assert_eq!(lines[1], "deny   skipped: cargo-deny is not installed");
        assert!(lines[2].starts_with("docs ") && lines[2].ends_with("FAILED"));
        assert!(lines[3].starts_with("total "));
    }
}
