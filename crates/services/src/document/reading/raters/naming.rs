//! What a path says under a reading of it: whose the file is, and what its document is called.

use domain::{Code, Error, RatersFrom};
use regex::{Regex, RegexBuilder};

use crate::document::reading::paths::FilePath;

/// How much memory a pattern may take when it is compiled, in bytes.
const PATTERN_BYTES: usize = 1 << 20;

/// What tells raters.
#[derive(Clone, Debug)]
pub(crate) enum Naming {
    /// The folder at this level.
    Folder(usize),
    /// The file's name.
    File,
    /// Nothing of the path.
    Inside,
    Pattern(Regex),
}

/// A file as its raters are told by it: its name as it is, and in its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'a> {
    pub(crate) name: &'a str,
    pub(crate) path: &'a FilePath,
}

/// The pattern of a choice, if it is one that names raters.
pub(crate) fn pattern(pattern: &str) -> Result<Regex, Error> {
    let compiled = RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build();
    let why = match compiled {
        Ok(regex) if regex.capture_names().flatten().any(|name| name == RATER) => return Ok(regex),
        Ok(_) => "a pattern names the rater by a group: (?<rater>…)".to_owned(),
        Err(regex::Error::CompiledTooBig(_)) => "the pattern is too large".to_owned(),
        // The last line says what is wrong; those before it draw where.
        Err(error) => {
            let error = error.to_string();
            let last = error.lines().last().unwrap_or_default();
            format!("invalid pattern: {}", last.trim_start_matches("error: "))
        }
    };
    Err(Code::Unsuitable.of("raters", why))
}

/// The groups of a pattern.
const RATER: &str = "rater";
const DOCUMENT: &str = "document";

impl Naming {
    /// Whose a file is that does not say so itself.
    pub(crate) fn rater<'a>(&self, file: Named<'a>) -> Option<&'a str> {
        let Named { name, path } = file;
        match self {
            Self::Folder(level) => path.folders.get(path.folder_at(*level)?).map(String::as_str),
            Self::File => Some(&path.stem),
            Self::Inside => None,
            Self::Pattern(regex) => regex.captures(name)?.name(RATER).map(|it| it.as_str()),
        }
    }

    /// What the document is called that is the whole of the file; none if all of its path is the
    /// rater's.
    pub(crate) fn document(&self, file: Named<'_>) -> Option<String> {
        let Named { name, path } = file;
        let own = path.own();
        let whole = |folders: &[&str], stem: Option<&str>| {
            let parts: Vec<&str> = folders.iter().copied().chain(stem).collect();
            (!parts.is_empty()).then(|| parts.join("/"))
        };
        let folders: Vec<&str> = own.iter().map(String::as_str).collect();
        match self {
            Self::Folder(level) => {
                let raters = path.folder_at(*level).and_then(|at| at.checked_sub(path.shared));
                let others = folders.iter().enumerate().filter(|(at, _)| Some(*at) != raters);
                let others: Vec<&str> = others.map(|(_, folder)| *folder).collect();
                whole(&others, Some(&path.stem))
            }
            Self::File => whole(&folders, None),
            Self::Inside => whole(&folders, Some(&path.stem)),
            Self::Pattern(regex) => {
                let found = regex.captures(name)?;
                if let Some(document) = found.name(DOCUMENT) {
                    return Some(document.as_str().to_owned());
                }
                // What is left of the path without the rater and what parts names.
                let rater = found.name(RATER)?;
                let (before, after) = (name.get(..rater.start())?, name.get(rater.end()..)?);
                let after = after.rsplit_once('.').map_or(after, |(stem, _)| stem);
                let parts = |c: char| matches!(c, '/' | '\\' | '_' | '-' | '.' | ' ');
                let rest = [before, after].map(|part| part.trim_matches(parts));
                let rest: Vec<&str> = rest.into_iter().filter(|part| !part.is_empty()).collect();
                (!rest.is_empty()).then(|| rest.join("/"))
            }
        }
    }

    /// The choice that asks for it.
    pub(crate) fn choice(&self) -> RatersFrom {
        match self {
            Self::Folder(level) => RatersFrom::Folder(u8::try_from(*level).ok()),
            Self::File => RatersFrom::File,
            Self::Inside => RatersFrom::Inside,
            Self::Pattern(regex) => RatersFrom::Pattern(regex.as_str().to_owned()),
        }
    }
}
