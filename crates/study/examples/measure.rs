//! Measures a file with everything detected: `measure FILE [--json] [consensus or diagnostic …]`.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, stdout};

use study::command::{Options, Output, run};
use study::report::{ConsensusMethod, Diagnostic};

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let mut file = None;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--json" => options.output = Output::Json,
            "--ordinal" => options.read.level = study::read::Level::Ordinal,
            word => match (word.parse::<ConsensusMethod>(), word.parse::<Diagnostic>()) {
                (Ok(method), _) => options.report.consensus = Some(method),
                (_, Ok(diagnostic)) => options.report.diagnostics.push(diagnostic),
                _ => file = Some(word.to_owned()),
            },
        }
    }
    let input = BufReader::new(File::open(file.ok_or("which file?")?)?);
    run(&options, input, stdout().lock(), |_| ())?;
    Ok(())
}
