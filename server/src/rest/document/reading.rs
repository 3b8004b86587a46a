//! How files are to be read, as addresses and forms name it.

use std::fmt;

use serde::{
    Deserializer,
    de::{Error, MapAccess, Visitor},
};
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
    /// The features that label the spans of layers, `LAYER.FEATURE`, or `LAYER` for its name, separated by
    /// commas; empty for `value`, `label`, or the only feature with words.
    feature: Option<String>,
    /// The field of a task's data that is its text, in Label Studio's files; empty for `text`, or the
    /// only one with a string.
    text_field: Option<String>,
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
    deserializer.deserialize_map(Options)
}

/// Sets an option for each pair, which there may be one of.
struct Options;

impl<'de> Visitor<'de> for Options {
    type Value = FileOptions;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("options of how files are read")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<FileOptions, A::Error> {
        let (mut options, mut seen) = (FileOptions::default(), Vec::new());
        while let Some((name, value)) = pairs.next_entry::<String, String>()? {
            if seen.contains(&name) {
                return Err(A::Error::custom(format!("duplicate field `{name}`")));
            }
            match options.set(&name, &value) {
                Ok(true) => seen.push(name),
                Ok(false) => return Err(A::Error::custom(format!("unknown field `{name}`"))),
                Err(refusal) => return Err(A::Error::custom(refusal)),
            }
        }
        Ok(options)
    }
}
