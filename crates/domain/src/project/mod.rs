//! A project and its settings.

mod answer;
mod choice;
mod label;
mod label_rules;
mod member;
mod model;
mod reason;
mod round;
mod stand_in;
mod start;
mod suggestions;

pub use answer::*;
pub use choice::*;
pub use label::*;
pub use label_rules::*;
pub use member::*;
pub use model::*;
pub use reason::*;
pub use round::*;
pub use stand_in::*;
pub use start::*;
pub use suggestions::*;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{AttributeId, Code, Error, MemberId, ProjectId, Revision, check_name};

/// What a labeler is shown of their own agreement, and when (DESIGN: blind by default).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseLevel {
    /// Nothing, ever.
    None,
    /// Against the reviewers' decisions only, as they come.
    GoldOnly,
    /// Pooled over peers and against reviewers, as of the manager's last release.
    #[default]
    AfterRelease,
    /// Pooled over peers and against reviewers, as they come.
    Open,
}

named! {
    ReleaseLevel, Unknown, "release_level", "unknown release level";
    None = "none", GoldOnly = "gold-only", AfterRelease = "after-release", Open = "open",
}

/// What a manager may change about a project besides its labels and members.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectSettings {
    pub name: String,
    /// Markdown.
    pub guidelines: String,
    pub release_level: ReleaseLevel,
    /// Whether reviewers see the labelers' names instead of pseudonyms.
    pub reviewers_see_names: bool,
    /// Whether reviewers see the consensus of labelers before they decide, instead of after.
    pub reviewers_see_consensus: bool,
    /// Whether the project is open only to members whose account has a second factor.
    pub requires_second_factor: bool,
}

impl ProjectSettings {
    /// Checks and tidies what was typed.
    pub fn checked(mut self) -> Result<Self, Error> {
        self.name = check_name("name", "a project's name", &self.name, 1..=120)?;
        // A form sends line ends in its own way: they are no change of the guidelines.
        self.guidelines = self.guidelines.replace("\r\n", "\n");
        check_guidelines(&self.guidelines)?;
        Ok(self)
    }
}

/// Refuses guidelines that nobody would read to their end.
pub(crate) fn check_guidelines(markdown: &str) -> Result<(), Error> {
    if markdown.len() > 200_000 {
        return Err(Code::TooLong.of("guidelines", "guidelines have at most 200,000 bytes"));
    }
    Ok(())
}

/// A project as one of its members sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProjectView {
    pub id: ProjectId,
    pub name: String,
    /// The viewer's own membership and role.
    pub member: MemberId,
    pub role: Role,
    pub labels: Vec<Label>,
    /// What is asked of the spans of labels, and what was.
    pub attributes: Vec<Attribute>,
    /// In the order of their start; for members who may see agreement.
    pub rounds: Vec<RoundName>,
    /// The guidelines as safe HTML, and their version: how often they were changed.
    pub guidelines_html: String,
    pub guidelines_version: i64,
    /// For members who may see it: it moves with everybody's work.
    pub revision: Option<Revision>,
    /// Since when nobody changes it, if it is archived.
    pub archived_at: Option<DateTime<Utc>>,
    /// Whether this server was started with `--demo`; for managers only.
    pub demo: bool,
}

impl ProjectView {
    /// What raters choose from: the labels, or the choices of a question.
    pub fn categories(&self, question: Option<AttributeId>) -> Vec<Label> {
        match question {
            None => self.labels.clone(),
            Some(id) => self.attribute(id).map(Attribute::categories).unwrap_or_default(),
        }
    }

    /// An attribute of one of the labels, or of documents.
    pub fn attribute(&self, id: AttributeId) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.id == id)
    }
}

/// What a manager can change of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsView {
    pub project: ProjectId,
    pub settings: ProjectSettings,
    pub labels: Vec<Label>,
    /// What is said of them beyond their names, descriptions in Markdown.
    pub details: Vec<LabelDetail>,
    pub suggestions: SuggestionSettings,
    /// When agreement was last released to the labelers.
    pub released_at: Option<DateTime<Utc>>,
    /// Since when nobody changes it, if it is archived.
    pub archived_at: Option<DateTime<Utc>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_a_form_are_no_change_of_the_guidelines() {
        let typed = ProjectSettings {
            name: " Hymns ".to_owned(),
            guidelines: "a\r\nb".to_owned(),
            ..ProjectSettings::default()
        };
        let checked = typed.checked().unwrap();
        assert_eq!((checked.name.as_str(), checked.guidelines.as_str()), ("Hymns", "a\nb"));
    }
}
