//! Whose work the spans of people in files become.

use std::collections::BTreeMap;

use domain::{
    Code, Error as Refusal, Member, MemberId, Model, ModelId, NewModel, PersonChoice,
    PersonPreview, ProjectId, RaterFiles, Role,
};
use store::Db;

use super::super::scan::Scan;
use crate::{Result, document::reading::raters::understood};

/// Whose the spans of a person in files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Who {
    Member(MemberId, String),
    /// A labeler who is to be made, by this name.
    New(String),
    /// A model, which is to be added if it is not there.
    Model(Option<ModelId>, NewModel),
    Nobody,
}

/// The people of the files, in the order of the raters.
pub(in super::super) struct People {
    pub(in super::super) who: Vec<Who>,
    /// The labelers whose work it may be.
    pub(in super::super) labelers: Vec<Member>,
    /// The models whose work it may be.
    pub(in super::super) models: Vec<Model>,
}

impl People {
    /// Finds everybody.
    pub(in super::super) async fn find(
        db: &impl Db,
        project: ProjectId,
        names: &[String],
        choices: &BTreeMap<String, PersonChoice>,
    ) -> Result<Self> {
        let mut labelers = store::project::members::list(db, project).await?;
        labelers.retain(|member| member.role == Role::Labeler);
        let models = store::project::models::list(db, project).await?;
        let who = names.iter().map(|name| match choices.get(name) {
            None => Ok(by_name(&labelers, name)),
            Some(PersonChoice::Placeholder) => Ok(Who::New(name.clone())),
            Some(PersonChoice::Model { name, version }) => model(&models, name, version),
            Some(PersonChoice::LeaveOut) => Ok(Who::Nobody),
            Some(PersonChoice::Member(id)) => {
                chosen(labelers.iter().find(|labeler| labeler.id == *id), name)
            }
            Some(PersonChoice::Email(address)) => {
                let address = address.trim().to_lowercase();
                let is_theirs = |labeler: &&Member| labeler.email.to_lowercase() == address;
                chosen(labelers.iter().find(is_theirs), name)
            }
        });
        let who = who.collect::<Result<_, Refusal>>()?;
        Ok(Self { who, labelers, models })
    }

    /// How many documents and spans each of them has, and what becomes of these.
    pub(in super::super) fn preview(&self, scan: &Scan) -> Vec<PersonPreview> {
        let found = understood(&scan.reading, &scan.rated);
        let preview = |(who, from): (&Who, RaterFiles)| PersonPreview {
            from,
            choice: match who {
                Who::Member(id, _) => PersonChoice::Member(*id),
                Who::New(_) => PersonChoice::Placeholder,
                Who::Model(_, NewModel { name, version, .. }) => {
                    PersonChoice::Model { name: name.clone(), version: version.clone() }
                }
                Who::Nobody => PersonChoice::LeaveOut,
            },
        };
        self.who.iter().zip(found).map(preview).collect()
    }
}

/// The one labeler of this name or address, or else a new one.
fn by_name(labelers: &[Member], name: &str) -> Who {
    let wanted = name.trim().to_lowercase();
    let is_called = |labeler: &&Member| {
        labeler.name.trim().to_lowercase() == wanted || labeler.email.to_lowercase() == wanted
    };
    let mut called = labelers.iter().filter(is_called);
    match (called.next(), called.next()) {
        (Some(one), None) => Who::Member(one.id, one.name.clone()),
        _ => Who::New(name.trim().to_owned()),
    }
}

/// The model of this name and version, or else a new one without a prompt.
fn model(models: &[Model], name: &str, version: &str) -> Result<Who, Refusal> {
    let new = NewModel {
        name: name.to_owned(),
        version: version.to_owned(),
        prompt_hash: String::new(),
        made_on: None,
    };
    let new = new.checked()?;
    let is_it = |model: &&Model| (&model.name, &model.version) == (&new.name, &new.version);
    Ok(Who::Model(models.iter().find(is_it).map(|model| model.id), new))
}

fn chosen(labeler: Option<&Member>, name: &str) -> Result<Who, Refusal> {
    let member = labeler.ok_or_else(|| {
        let why = format!("assign the work of \"{name}\" to a labeler of this project");
        Code::Unsuitable.of("people", why)
    })?;
    Ok(Who::Member(member.id, member.name.clone()))
}

#[cfg(test)]
mod tests {
    use domain::UserId;

    use super::*;

    #[test]
    fn a_name_is_somebodys_only_if_it_is_nobody_elses() {
        let member = |id: i64, name: &str| Member {
            id: MemberId(id),
            user: UserId(id),
            name: name.to_owned(),
            email: format!("{id}@example.org"),
            role: Role::Labeler,
            is_placeholder: false,
        };
        let labelers = [member(1, "Ana"), member(2, "Bo"), member(3, "bo ")];
        assert_eq!(by_name(&labelers, "ana"), Who::Member(MemberId(1), "Ana".to_owned()));
        assert_eq!(by_name(&labelers, "1@Example.org"), by_name(&labelers, "ana"));
        assert_eq!(by_name(&labelers, "Bo"), Who::New("Bo".to_owned()));
        assert_eq!(by_name(&labelers, "Cy"), Who::New("Cy".to_owned()));
    }
}
