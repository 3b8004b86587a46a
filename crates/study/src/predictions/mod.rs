//! What a model predicts of a study, in a file: a distribution for each item, or what each rater says.

mod collect;
mod json_lines;
mod names;
mod table;

use crate::read::{Data, Form, Study};
use crate::{Error, Misuse};
use collect::Collected;
pub use collect::Predictions;
use names::Names;

/// A file of predictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredictionFile {
    /// What it is called.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Reads predictions of a study: a table of item, category and probability, or of item, rater and category; or
/// a JSON object a line, of `item` and `soft_label`, or of `item`, `rater` and `label`.
///
/// Items, raters and categories are those of the study, by name; a category that an item's distribution does
/// not name has the probability 0.
pub fn read(file: &PredictionFile, study: &Study) -> Result<Predictions, Error> {
    let names = match &study.data {
        Data::Coding(_) if study.understood.form == Some(Form::Contingency) => {
            Err(Misuse::NoItems { option: "predictions", study: "a contingency table" })
        }
        Data::Coding(ratings) => Ok(Names::of(study, ratings.items())),
        Data::Unitizing(_) => {
            Err(Misuse::NoItems { option: "predictions", study: "a study of units" })
        }
    };
    let mut collected = Collected::of(names?);
    let is_space = |byte: &&u8| byte.is_ascii_whitespace();
    let bytes = file.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&file.bytes);
    let read = match bytes.iter().find(|byte| !is_space(byte)) {
        Some(b'{') => json_lines::read(bytes, &mut collected),
        _ => table::read(bytes, &mut collected),
    };
    let read = read.and_then(|()| Ok(collected.finish()?));
    read.map_err(|error| match error {
        Error::Refused(refusal) => Error::Predictions { file: file.name.clone(), refusal },
        other => other,
    })
}
