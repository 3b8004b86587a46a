//! What raters are called for whoever is looking: names for managers, pseudonyms for reviewers of
//! a project that hides names.

use std::collections::BTreeMap;

use domain::{Error as Refusal, Member, MemberId, ProjectId, Rater, Role};
use store::Db;

use crate::Result;

/// The raters of a project, labelers first, each with the name that the viewer may know.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    raters: Vec<Rater>,
    places: BTreeMap<MemberId, usize>,
}

impl Names {
    /// The raters as `viewer` may see them.
    pub(crate) async fn load(db: &impl Db, project: ProjectId, viewer: &Member) -> Result<Self> {
        let settings = store::project::find(db, project).await?.ok_or(Refusal::NotFound)?.settings;
        let members = store::project::members::list_all_raters(db, project).await?;
        let hidden = viewer.role != Role::Manager && !settings.reviewers_see_names;
        Ok(Self::of(members, hidden))
    }

    /// Labelers in the order they joined, then reviewers; labelers under pseudonyms if `hidden`.
    pub(crate) fn of(members: Vec<Member>, hidden: bool) -> Self {
        let mut members = members;
        members.sort_by_key(|member| (member.role == Role::Reviewer, member.id));
        let raters: Vec<_> = members
            .into_iter()
            .filter(|member| member.role != Role::Manager)
            .enumerate()
            .map(|(index, member)| Rater {
                id: member.id,
                name: if hidden && member.role == Role::Labeler {
                    format!("Labeler {}", index + 1)
                } else {
                    member.name
                },
                role: member.role,
            })
            .collect();
        let places = raters.iter().enumerate().map(|(place, rater)| (rater.id, place)).collect();
        Self { raters, places }
    }

    /// The same with everybody under a pseudonym.
    pub(crate) fn under_pseudonyms(self) -> Self {
        Self { raters: under_pseudonyms(self.raters), places: self.places }
    }

    /// All raters, in order.
    pub(crate) fn raters(&self) -> &[Rater] {
        &self.raters
    }

    /// One rater; `None` for members who do not rate.
    pub(crate) fn rater(&self, id: MemberId) -> Option<Rater> {
        self.raters.get(*self.places.get(&id)?).cloned()
    }

    /// A rater's name.
    pub(crate) fn name(&self, id: MemberId) -> Option<&str> {
        Some(self.raters.get(*self.places.get(&id)?)?.name.as_str())
    }
}

/// The raters as "Labeler 1" and "Reviewer 1", in the order in which they joined, for files that others than
/// members read. Whoever knows the order knows the people.
pub(crate) fn under_pseudonyms(mut raters: Vec<Rater>) -> Vec<Rater> {
    let mut places: BTreeMap<&'static str, u64> = BTreeMap::new();
    for rater in &mut raters {
        let role = if rater.role == Role::Labeler { "Labeler" } else { "Reviewer" };
        let place = places.entry(role).or_default();
        *place += 1;
        rater.name = format!("{role} {place}");
    }
    raters
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::UserId;

    use super::*;

    fn member(id: i64, name: &str, role: Role) -> Member {
        let (user, email) = (UserId(id), format!("{id}@example.org"));
        let (id, name) = (MemberId(id), name.to_owned());
        Member { id, user, name, email, role, is_placeholder: false }
    }

    #[test]
    fn labelers_come_first_and_hide_behind_numbers() {
        let members = vec![
            member(1, "Max", Role::Manager),
            member(2, "Rita", Role::Reviewer),
            member(3, "Lea", Role::Labeler),
            member(4, "Leo", Role::Labeler),
        ];
        let shown = |hidden| {
            let names = Names::of(members.clone(), hidden);
            names.raters().iter().map(|rater| rater.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(shown(true), ["Labeler 1", "Labeler 2", "Rita"]);
        assert_eq!(shown(false), ["Lea", "Leo", "Rita"]);
    }

    #[test]
    fn nobody_is_named() {
        let rater = |id, name: &str, role| Rater { id: MemberId(id), name: name.to_owned(), role };
        let raters = vec![
            rater(3, "Lea", Role::Labeler),
            rater(4, "Leo", Role::Labeler),
            rater(2, "Rita", Role::Reviewer),
        ];
        let names: BTreeSet<_> =
            under_pseudonyms(raters).into_iter().map(|rater| rater.name).collect();
        assert_eq!(names, ["Labeler 1", "Labeler 2", "Reviewer 1"].map(str::to_owned).into());
    }
}
