//! Measures a file: `measure FILE [--json] [diagnostic …] [option=value …]`, with the options of
//! `concord measure`; what is not said is detected.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, stdout};

use study::command::{Output, run};
use study::fields;
use study::report::Diagnostic;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut said, mut output, mut file) = (Vec::new(), Output::default(), None);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            _ if argument == "--json" => output = Output::Json,
            Some((name, value)) => said.push((name.to_owned(), value.to_owned())),
            None if argument.parse::<Diagnostic>().is_ok() => {
                said.push(("diagnostics".to_owned(), argument));
            }
            None => file = Some(argument),
        }
    }
    let mut options = fields::options(said)?;
    options.output = output;
    let input = BufReader::new(File::open(file.ok_or("which file?")?)?);
    run(&options, input, stdout().lock(), |_| ())?;
    Ok(())
}
