//! Whom the spans of a file are taken for that does not say so itself.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Code, Error};

/// The longest pattern, in bytes.
const MAX_PATTERN: usize = 300;

/// The most folders in each other.
const MAX_LEVEL: u8 = 32;

/// Whom the spans of a file are taken for that does not say so itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum RatersFrom {
    /// What tells raters is inferred: the folders or the files' names between which documents
    /// repeat.
    #[default]
    Auto,
    /// The folder at this level, counted from the outermost that not all files lie in, or the
    /// innermost that a file has; without a number, the level is inferred.
    Folder(Option<u8>),
    /// The file's name without its ending.
    File,
    /// Nobody: only what a file names itself counts.
    Inside,
    /// What a regular expression's group `rater` matches in the path; its group `document`, if it
    /// has one, is what the document is called.
    Pattern(String),
}

impl fmt::Display for RatersFrom {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => out.write_str("auto"),
            Self::Folder(None) => out.write_str("folder"),
            Self::Folder(Some(level)) => write!(out, "folder:{level}"),
            Self::File => out.write_str("file"),
            Self::Inside => out.write_str("inside"),
            Self::Pattern(pattern) => write!(out, "pattern:{pattern}"),
        }
    }
}

impl FromStr for RatersFrom {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let level = |level: &str| {
            let level = level.parse().ok().filter(|level| (1..=MAX_LEVEL).contains(level));
            level.map(|level| Self::Folder(Some(level)))
        };
        let known = match text.split_once(':') {
            None => match text {
                "auto" => Some(Self::Auto),
                "folder" => Some(Self::Folder(None)),
                "file" => Some(Self::File),
                "inside" => Some(Self::Inside),
                _ => None,
            },
            Some(("folder", number)) => level(number),
            Some(("pattern", pattern)) if pattern.len() > MAX_PATTERN => {
                let why = format!("a pattern has at most {MAX_PATTERN} bytes");
                return Err(Code::TooLong.of("raters", why));
            }
            Some(("pattern", pattern)) => Some(Self::Pattern(pattern.to_owned())),
            Some(_) => None,
        };
        known.ok_or_else(|| {
            let why = "one of: auto, folder, folder:LEVEL, file, inside, pattern:REGEX";
            Code::Unknown.of("raters", why)
        })
    }
}

written_as_text! { RatersFrom }

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for RatersFrom {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .description(Some(
                "Whom the spans of a file are taken for that does not say so itself.",
            ))
            .pattern(Some("^(auto|file|inside|folder(:[1-9][0-9]?)?|pattern:.*)$"))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for RatersFrom {}

/// The files that somebody's spans are from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RaterFiles {
    pub name: String,
    /// The first of the files, with their folders.
    pub files: Vec<String>,
    pub file_count: u64,
    pub documents: u64,
    pub spans: u64,
}

impl RaterFiles {
    /// The files in words: the first of them, and how many more there are.
    pub fn in_words(&self) -> String {
        let shown = self.files.join(", ");
        match self.file_count.saturating_sub(crate::saturating(self.files.len())) {
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_written_as_it_is_read() {
        for text in ["auto", "folder", "folder:2", "file", "inside", "pattern:(?<rater>[^/]+)/"] {
            assert_eq!(
                text.parse::<RatersFrom>().map(|from| from.to_string()).as_deref(),
                Ok(text)
            );
        }
        for text in ["", "folders", "folder:0", "folder:", "folder:x", "file:1", "regex:a"] {
            assert!(text.parse::<RatersFrom>().is_err(), "{text}");
        }
        assert!(format!("pattern:{}", "a".repeat(301)).parse::<RatersFrom>().is_err());
    }
}
