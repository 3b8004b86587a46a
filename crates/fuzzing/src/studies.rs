//! Tables of a study.

use study::Error;
use study::read::{Data, Extent, Form, Level, Options, read};

/// Reads a table as everything that it can be taken for.
pub(crate) fn study(bytes: &[u8]) {
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
            Err(error @ (Error::Read(_) | Error::Write(_))) => panic!("{error}"),
        }
    }
}
