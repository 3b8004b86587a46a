//! The format of files, as addresses and forms name it.

use serde::{Deserialize, Deserializer, de::Error};
use services::document::ImportFormat;

/// The format of a name; none for an empty one, where each file tells it itself.
pub(super) fn format_named(name: &str) -> Result<Option<ImportFormat>, String> {
    if name.is_empty() { Ok(None) } else { name.parse().map(Some) }
}

pub(super) fn read_format<'de, D>(deserializer: D) -> Result<Option<ImportFormat>, D::Error>
where
    D: Deserializer<'de>,
{
    format_named(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}
