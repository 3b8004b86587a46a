//! Our side of the comparison with other libraries: writes the data, prints what we take for it.
//!
//! `benches/peers/run.py` starts it, and gives the same files to the others.

#![expect(clippy::unwrap_used, reason = "the generated data is valid")]
#[path = "../data/codes.rs"]
mod codes;
#[path = "../data/units.rs"]
mod units;

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;
use std::{env, fs};

use agreement::{
    Continuum, GammaOptions, GammaStudy, NominalPairs, Undefined, alpha_nominal, fleiss_kappa,
    gamma_alignment,
};
use codes::{SHAPES, codes, study};
use units::continuum;

/// The sizes at which alignments are compared: raters, and units of each.
const UNITS: [(usize, u64); 4] = [(2, 50), (2, 200), (3, 20), (3, 50)];

/// A value, or why there is none.
type Measured = Result<f64, Undefined>;

/// Each figure is the best of so many runs.
const RUNS: u32 = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(env::args_os().nth(1).ok_or("usage: peers DIRECTORY")?);
    for (raters, items) in SHAPES {
        let bytes: Vec<u8> = codes(raters, items)
            .iter()
            .map(|&code| u8::try_from(code).unwrap_or(u8::MAX))
            .collect();
        fs::write(directory.join(format!("codes-{raters}-{items}")), bytes)?;
        measure_codes(raters, items)?;
    }
    for (raters, units) in UNITS {
        let continuum = continuum(raters, units);
        let mut lines = String::new();
        for unit in continuum.all_units() {
            writeln!(lines, "{},{},{},{}", unit.rater, unit.start, unit.end(), unit.category)?;
        }
        fs::write(directory.join(format!("units-{raters}-{units}")), lines)?;
        measure_units(&continuum, raters, units)?;
    }
    Ok(())
}

fn measure_codes(raters: usize, items: usize) -> Result<(), Box<dyn Error>> {
    let study = study(raters, items);
    report("pairs", (raters, items), || {
        let pairs = NominalPairs::of(&study);
        black_box(pairs.krippendorff_alpha());
        // Their sum shows that they are the kappas that the others find.
        Ok(pairs.cohen_kappa().values().map(|kappa| Ok(kappa?.value)).sum::<Measured>()?)
    })?;
    report("alpha", (raters, items), || Ok(alpha_nominal(&study.nominal_tally())?.value))?;
    report("fleiss", (raters, items), || Ok(fleiss_kappa(&study.nominal_tally())?.value))
}

fn measure_units(
    continuum: &Continuum<u64>,
    raters: usize,
    units: u64,
) -> Result<(), Box<dyn Error>> {
    let size = (raters, usize::try_from(units)?);
    let options = GammaOptions { most_samples: 30, ..GammaOptions::default() };
    report("alignment", size, || Ok(gamma_alignment(continuum, &options)?.disorder))?;
    report("gamma", size, || Ok(GammaStudy::new(continuum, &options)?.gamma()?.value))
}

/// Prints task, size, seconds and value.
#[expect(clippy::print_stdout, reason = "this is what the program is for")]
fn report(
    task: &str,
    (raters, size): (usize, usize),
    run: impl Fn() -> Result<f64, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut best = f64::INFINITY;
    let mut value = 0.0;
    for _ in 0..RUNS {
        let start = Instant::now();
        value = black_box(run()?);
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("result,{task},{raters},{size},{best:e},{value}");
    Ok(())
}
