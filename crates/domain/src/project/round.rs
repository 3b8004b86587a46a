//! Rounds of work, and the versions of the guidelines that they are done under.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Code, Error, RoundId, check_name, project::check_guidelines};

/// A stretch of work. Every document belongs to exactly one round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    pub id: RoundId,
    /// From 1, in the order of their start.
    pub number: u64,
    /// May be empty; [`Round::name`] never is.
    pub title: String,
    pub note: String,
    /// The version of the guidelines at its start.
    pub guidelines_version: i64,
    pub started_at: DateTime<Utc>,
    /// The name of whoever started it; none for the first, which the project begins with.
    pub started_by: Option<String>,
    /// How many documents belong to it.
    pub documents: u64,
}

impl Round {
    /// "Round 2: dates as well", or "Round 2".
    pub fn name(&self) -> String {
        if self.title.is_empty() {
            format!("Round {}", self.number)
        } else {
            format!("Round {}: {}", self.number, self.title)
        }
    }
}

/// A round as something to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RoundName {
    pub id: RoundId,
    /// [`Round::name`].
    pub name: String,
}

/// What a manager says to start a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewRound {
    /// The number of the round that is under way: if it is another one by now, somebody was faster.
    pub after: u64,
    pub title: String,
    /// Why it was started, and what has changed in the guidelines.
    pub note: String,
    /// The guidelines from now on, in Markdown; the present ones if none are given.
    pub guidelines: Option<String>,
}

impl NewRound {
    /// Checks and tidies what was typed.
    pub fn checked(mut self) -> Result<Self, Error> {
        self.title = check_name("title", "a round's title", &self.title, 0..=120)?;
        self.note = self.note.trim().to_owned();
        if self.note.chars().count() > 2_000 {
            return Err(Code::TooLong.of("note", "a note has at most 2,000 characters"));
        }
        if let Some(guidelines) = &mut self.guidelines {
            // A form sends line ends in its own way: they are no change of the guidelines.
            *guidelines = guidelines.replace("\r\n", "\n");
            check_guidelines(guidelines)?;
        }
        Ok(self)
    }
}

/// A version of a project's guidelines, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuidelinesVersion {
    /// From 1.
    pub number: i64,
    /// Why they were changed.
    pub note: String,
    /// The name of whoever wrote it, where that is known.
    pub author: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// One version of a project's guidelines as its members read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuidelinesView {
    pub version: GuidelinesVersion,
    /// Safe HTML.
    pub html: String,
    /// All versions, the newest first.
    pub versions: Vec<GuidelinesVersion>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_called_by_its_number_and_by_its_title_if_it_has_one() {
        let round = |title: &str| Round {
            id: RoundId(7),
            number: 2,
            title: title.to_owned(),
            note: String::new(),
            guidelines_version: 1,
            started_at: DateTime::UNIX_EPOCH,
            started_by: None,
            documents: 0,
        };
        assert_eq!(round("").name(), "Round 2");
        assert_eq!(round("dates as well").name(), "Round 2: dates as well");
    }

    #[test]
    fn a_round_is_tidied_and_what_is_too_long_is_refused() {
        let new = |title: &str, note: String| NewRound {
            after: 1,
            title: title.to_owned(),
            note,
            guidelines: None,
        };
        let typed = NewRound { guidelines: Some("a\r\nb".to_owned()), ..NewRound::default() };
        assert_eq!(typed.checked().unwrap().guidelines.as_deref(), Some("a\nb"));
        let tidy = new("  Dates ", " why\n".to_owned()).checked().unwrap();
        assert_eq!((tidy.title.as_str(), tidy.note.as_str()), ("Dates", "why"));
        assert!(new(&"t".repeat(121), String::new()).checked().is_err());
        assert!(new("a\u{7}", String::new()).checked().is_err());
        assert!(new("t", "n".repeat(2_001)).checked().is_err());
        let long = Some("g".repeat(200_001));
        assert!(NewRound { guidelines: long, ..NewRound::default() }.checked().is_err());
    }
}
