//! Measures a file: `measure FILE [--json] [diagnostic …] [option=value …]`, with the options of
//! `concord measure`; what is not said is detected. `predictions=FILE` may be said several times.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, stdout};

use study::command::{Output, run};
use study::fields;
use study::predictions::PredictionFile;
use study::report::Diagnostic;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut said, mut output, mut file) = (Vec::new(), Output::default(), None);
    let mut predictions = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            _ if argument == "--json" => output = Output::Json,
            Some(("predictions", path)) => {
                let (name, bytes) = (path.to_owned(), std::fs::read(path)?);
                predictions.push(PredictionFile { name, bytes });
            }
            Some((name, value)) => said.push((name.to_owned(), value.to_owned())),
            None if argument.parse::<Diagnostic>().is_ok() => {
                said.push(("diagnostics".to_owned(), argument));
            }
            None => file = Some(argument),
        }
    }
    let mut options = fields::options(said)?;
    (options.output, options.predictions) = (output, predictions);
    let input = BufReader::new(File::open(file.ok_or("which file?")?)?);
    run(&options, input, stdout().lock(), |_| ())?;
    Ok(())
}
