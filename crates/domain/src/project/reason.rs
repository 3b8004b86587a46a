//! Why positions are decided as they are: a project's short list of reasons, and how often each is
//! given.

use serde::{Deserialize, Serialize};

use crate::{Code, Error, Label, check_name, check_words};

/// The reasons of a project whose manager has not said others.
pub const DEFAULT_REASONS: [&str; 6] =
    ["guideline unclear", "boundary", "wrong label", "missed", "not an entity", "slip"];

/// The most reasons of a project: each has a digit as its key.
pub const MOST_REASONS: usize = 9;

/// The most characters of a reason.
pub const LONGEST_REASON: usize = 60;

/// The reasons that a list names, one a line; refused if it has too many, or too long ones.
pub fn read_reasons(list: &str) -> Result<Vec<String>, Error> {
    let mut reasons: Vec<String> = Vec::new();
    for line in list.lines() {
        let reason = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let reason = check_name("reasons", "a reason", &reason, 0..=LONGEST_REASON)?;
        if !reason.is_empty() && !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    if reasons.len() > MOST_REASONS {
        let why = format!("at most {MOST_REASONS} reasons");
        return Err(Code::TooMany.of("reasons", why));
    }
    Ok(reasons)
}

/// The reason of the list that somebody gave: alone, or with words of their own after a colon.
pub fn reason_of<'a>(note: &str, reasons: &'a [String]) -> Option<&'a str> {
    let given = |reason: &&String| {
        let rest = note.strip_prefix(reason.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
    };
    reasons.iter().filter(given).max_by_key(|reason| reason.len()).map(String::as_str)
}

/// Why somebody decides, as a form has it: a reason of the list, and words of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Why {
    pub reason: String,
    pub note: String,
}

/// A reason of the list with words beside it, as one note.
pub fn because(reason: &str, note: &str) -> Result<String, Error> {
    let note = note.trim();
    if reason_of(note, &[reason.to_owned()]).is_some() {
        return check_words(note);
    }
    check_words(&match (reason, note) {
        ("", note) => note.to_owned(),
        (reason, "") => reason.to_owned(),
        (reason, note) => format!("{reason}: {note}"),
    })
}

/// Which reasons were given how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonCounts {
    /// The columns: what was decided. Beside them stands what was rejected.
    pub labels: Vec<Label>,
    /// The project's reasons in their order, then other words, then decisions without any.
    pub rows: Vec<ReasonRow>,
}

/// How often a reason was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonRow {
    pub reason: GivenReason,
    /// Decisions for each label; one for several labels counts for each.
    pub by_label: Vec<u64>,
    pub rejected: u64,
    pub total: u64,
}

/// What was given as a reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GivenReason {
    /// One of the list.
    Listed(String),
    /// Words of the reviewer's own.
    Words,
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_known_alone_and_before_words() {
        let reasons = read_reasons(" wrong  label\r\nwrong\n\nwrong").unwrap();
        assert_eq!(reasons, ["wrong label", "wrong"]);
        let of = |note| reason_of(note, &reasons);
        assert_eq!(of("wrong"), Some("wrong"));
        assert_eq!(of("wrong label: a place"), Some("wrong label"));
        assert_eq!(of("wrong: label"), Some("wrong"));
        assert_eq!(of("wrongly"), None);
        assert_eq!(of(""), None);
        for (reason, note) in [("wrong", ""), ("wrong label", "a place"), ("wrong", " x ")] {
            let told = because(reason, note).unwrap();
            assert_eq!(reason_of(&told, &reasons), Some(reason));
        }
        assert_eq!(because("", " free ").unwrap(), "free");
        assert_eq!(because("wrong", "wrong: x").unwrap(), "wrong: x");
    }

    #[test]
    fn a_list_is_short() {
        let list: Vec<_> = (0..=MOST_REASONS).map(|n| n.to_string()).collect();
        assert!(read_reasons(&list.join("\n")).is_err());
        assert!(read_reasons(&list[1..].join("\n")).is_ok());
        assert!(read_reasons(&"x".repeat(LONGEST_REASON + 1)).is_err());
        assert!(read_reasons("").unwrap().is_empty());
    }
}
