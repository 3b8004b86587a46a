//! Tables of a study.

use study::Error;
use study::predictions::{self, PredictionFile, Predictions};
use study::read::{Data, Extent, Form, Level, Options, read};

/// A study whose items and categories are short enough to be found.
const STUDY: &str = "item,A,B\n1,x,y\n2,y,y\n";

/// Reads bytes as predictions of a study.
fn predicted(bytes: &[u8]) {
    let study = read(STUDY.as_bytes(), &Options { item_names: true, ..Options::default() }, |_| ());
    let file = PredictionFile { name: "file".to_owned(), bytes: bytes.to_vec() };
    match predictions::read(&file, &study.unwrap_or_else(|error| panic!("{error}"))) {
        Ok(Predictions::Soft(items)) => assert_eq!(items.len(), 2),
        Ok(Predictions::Perspectives(raters)) => assert_eq!(raters.len(), 2),
        Err(Error::Predictions { refusal, .. }) => {
            assert!(refusal.place.is_none_or(|at| at.line > 0 && at.column > 0));
        }
        Err(error) => panic!("{error}"),
    }
}

/// Reads a table as everything that it can be taken for.
pub(crate) fn study(bytes: &[u8]) {
    predicted(bytes);
    let all = [
        Options::default(),
        Options { form: Some(Form::Long), item_names: true, ..Options::default() },
        Options { header: Some(false), level: Level::Ratio, ..Options::default() },
        Options { units: Some(Some(Extent::End)), ..Options::default() },
    ];
    for options in all {
        let mut heard = 0;
        match read(bytes, &options, |bytes| heard = bytes) {
            Ok(study) => {
                assert_eq!(u64::try_from(bytes.len()), Ok(heard), "not all bytes were read");
                let raters = match &study.data {
                    Data::Coding(ratings) => ratings.raters(),
                    Data::Unitizing(continuum) => continuum.raters(),
                };
                assert_eq!(study.understood.raters.len(), raters);
            }
            Err(Error::Misuse(_)) => {}
            Err(Error::Refused(refusal)) => {
                assert!(refusal.place.is_none_or(|at| at.line > 0 && at.column > 0));
                assert!(!refusal.to_string().is_empty());
            }
            Err(error @ (Error::Predictions { .. } | Error::Read(_) | Error::Write(_))) => {
                panic!("{error}")
            }
        }
    }
}
