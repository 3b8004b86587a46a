//! How files are to be read, as addresses and forms name it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de::Error};
use services::document::FileOptions;
use utoipa::IntoParams;

/// What an address may say of how files are read. A description: [`FileOptions::set`] reads it.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "a description: the options are read as they come")]
pub(super) struct ReadingParams {
    /// The format of all files; empty where each tells it itself.
    format: Option<String>,
    /// The layers, columns or keys that spans are read from, separated by commas; empty for the
    /// format's.
    layer: Option<String>,
    /// Which of two annotations of one document by one person counts.
    #[param(value_type = Option<String>, default = "last", pattern = "^(last|first|each)?$")]
    second_annotation: Option<String>,
    /// Whether the parts of a span that has text between are joined. Otherwise it is left out and listed.
    join_parts: Option<bool>,
    /// Whether annotations in a state count as judgements: `rejected=yes`, separated by commas.
    count_state: Option<String>,
    /// Whether what is otherwise repaired and listed is refused.
    strict: Option<bool>,
    /// Whether documents in which something is wrong are left out, and the others read.
    leave_out_wrong: Option<bool>,
}

/// Reads from all of an address that is nothing else.
pub(super) fn read_file_options<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<FileOptions, D::Error> {
    let mut options = FileOptions::default();
    for (name, value) in BTreeMap::<String, String>::deserialize(deserializer)? {
        match options.set(&name, &value) {
            Ok(true) => {}
            Ok(false) => return Err(D::Error::custom(format!("unknown field `{name}`"))),
            Err(refusal) => return Err(D::Error::custom(refusal)),
        }
    }
    Ok(options)
}
