//! Whose spans an export has, and who may have them.

use std::collections::BTreeSet;

use domain::{
    Actor, Code, Error as Refusal, ExportFormat, ExportQuery, ExportWhat, MemberId, ProjectId,
    Role, UserId, base::policy::Action,
};
use store::Db;

use crate::{
    Result,
    base::{
        access::{Access, independent, permit, permit_assignment},
        names::Names,
    },
};

/// Whose spans an export has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A labeler's assignments as they have them before them.
    Own(RaterName),
    /// What one rater has.
    Rater(RaterName),
    /// What all labelers have.
    Labelers(Vec<RaterName>),
    Gold,
    GoldVersion(i64),
}

/// A rater under the name that the reader may know, which no other of them has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RaterName {
    pub(super) id: MemberId,
    pub(super) name: String,
}

/// A part of an export that is read from the first document to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExportPart {
    pub(super) source: Source,
    /// Whether it has a folder of its own.
    in_folder: bool,
}

impl Source {
    /// What the export's file is called, without its end.
    pub(super) fn file_name(&self, project: ProjectId) -> String {
        match self {
            Self::Own(rater) | Self::Rater(rater) => format!("work-{project}-{}", rater.name),
            Self::Labelers(_) => format!("work-{project}"),
            Self::Gold => format!("gold-{project}"),
            Self::GoldVersion(number) => format!("gold-{project}-version-{number}"),
        }
    }

    /// The parts that are written one after the other: a folder for each labeler where files name
    /// nobody, else the whole.
    pub(super) fn parts(self, query: ExportQuery) -> Vec<ExportPart> {
        let format: ExportFormat = query.format;
        match self {
            Self::Labelers(raters) if !format.names_raters() && !format.is_one_document() => {
                let part = |rater| ExportPart { source: Self::Rater(rater), in_folder: true };
                raters.into_iter().map(part).collect()
            }
            source => vec![ExportPart { source, in_folder: false }],
        }
    }
}

impl ExportPart {
    /// The name of the rater whose folder this part has.
    pub(super) fn folder(&self) -> Option<&str> {
        match &self.source {
            Source::Rater(rater) if self.in_folder => Some(&rater.name),
            _ => None,
        }
    }
}

/// What somebody may take away of what they ask for, and who that is.
pub(super) async fn permitted(
    db: &impl Db,
    actor: &Actor,
    project: ProjectId,
    what: ExportWhat,
) -> Result<(Source, UserId)> {
    match what {
        ExportWhat::Own => {
            let own = actor.person()?.id;
            let access = permit_assignment(db, actor, project, Action::ExportWork, own).await?;
            Ok((own_work(&access)?, own))
        }
        ExportWhat::Rater(member) => {
            let found = store::project::members::find_by_id(db, project, member).await?;
            // Nobody owns what nobody has: it is refused as if it were somebody else's.
            let owner = found.as_ref().map_or(UserId(0), |member| member.user);
            let access = permit_assignment(db, actor, project, Action::ExportWork, owner).await?;
            let user = access.person.id;
            if access.member.id == member {
                return Ok((own_work(&access)?, user));
            }
            independent(db, &access).await?;
            let names = Names::load(db, project, &access.member).await?;
            Ok((of_rater(&names, member)?, user))
        }
        ExportWhat::Labelers | ExportWhat::Gold | ExportWhat::GoldVersion(_) => {
            let access = permit(db, actor, project, Action::ViewAgreement).await?;
            let names = Names::load(db, project, &access.member).await?;
            Ok((shared(db, project, &names, what).await?, access.person.id))
        }
    }
}

/// What is asked for, with everybody under their names.
pub(super) async fn of_database(
    db: &impl Db,
    project: ProjectId,
    what: ExportWhat,
) -> Result<Source> {
    if store::project::find(db, project).await?.is_none() {
        return Err(Refusal::NotFound.into());
    }
    let names = Names::of(store::project::members::list_all_raters(db, project).await?, false);
    match what {
        ExportWhat::Own => {
            let why = "not signed in: use rater-<id>";
            Err(Code::Unsuitable.of("what", why).into())
        }
        ExportWhat::Rater(member) => of_rater(&names, member),
        _ => shared(db, project, &names, what).await,
    }
}

async fn shared(
    db: &impl Db,
    project: ProjectId,
    names: &Names,
    what: ExportWhat,
) -> Result<Source> {
    match what {
        ExportWhat::GoldVersion(number) => {
            let versions = store::review::gold_versions::list(db, project).await?;
            if versions.iter().all(|version| version.number != number) {
                return Err(Refusal::NotFound.into());
            }
            Ok(Source::GoldVersion(number))
        }
        ExportWhat::Labelers => Ok(Source::Labelers(
            unique_names(names)
                .into_iter()
                .filter(|(_, role)| *role == Role::Labeler)
                .map(|(r, _)| r)
                .collect(),
        )),
        _ => Ok(Source::Gold),
    }
}

/// What a labeler has before them, or a reviewer has decided.
fn own_work(Access { member, .. }: &Access) -> Result<Source> {
    let rater = RaterName { id: member.id, name: member.name.clone() };
    match member.role {
        Role::Labeler => Ok(Source::Own(rater)),
        Role::Reviewer => Ok(Source::Rater(rater)),
        Role::Manager => {
            let why = "managers have no spans: use labelers, gold or rater-<id>";
            Err(Code::Unsuitable.of("what", why).into())
        }
    }
}

fn of_rater(names: &Names, member: MemberId) -> Result<Source> {
    let found = unique_names(names).into_iter().find(|(rater, _)| rater.id == member);
    let (rater, _) = found.ok_or(Refusal::NotFound)?;
    Ok(Source::Rater(rater))
}

/// The raters, each under a name of their own: of those who are called the same, all but the first
/// have their number behind it, since whoever reads a file tells raters by their names.
fn unique_names(names: &Names) -> Vec<(RaterName, Role)> {
    let mut taken = BTreeSet::new();
    let mut unlike = Vec::with_capacity(names.raters().len());
    for rater in names.raters() {
        let mut name = rater.name.clone();
        while taken.contains(&name) {
            name = format!("{name} ({})", rater.id);
        }
        taken.insert(name.clone());
        unlike.push((RaterName { id: rater.id, name }, rater.role));
    }
    unlike
}

#[cfg(test)]
mod tests {
    use domain::Member;

    use super::*;

    #[test]
    fn two_people_of_one_name_stay_two() {
        let member = |id: i64, name: &str| Member {
            id: MemberId(id),
            user: UserId(id),
            name: name.to_owned(),
            email: format!("{id}@example.org"),
            role: Role::Labeler,
            is_placeholder: false,
        };
        let members = vec![member(1, "Ana"), member(2, "Ana (3)"), member(3, "Ana")];
        let names: Vec<_> = unique_names(&Names::of(members, false))
            .into_iter()
            .map(|(rater, _)| rater.name)
            .collect();
        assert_eq!(names, ["Ana", "Ana (3)", "Ana (3) (3)"]);
    }
}
