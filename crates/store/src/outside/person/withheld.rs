//! What is somebody's and not told for now: whoever read it could not do their work as they are to.

use domain::{MemberId, ProjectId, ReleaseLevel, UserId, WorkState};
use sea_orm::sea_query::Condition;

use crate::{
    Snapshot,
    base::prelude::*,
    entity::{assignment, member, project, repeat},
};

/// How the audit trail calls a pass over a document: the first, and the second.
const PASSES: [&str; 2] = ["assignment %", "repeat of assignment %"];

/// Where somebody labels documents again at present. Nothing of their assignments there is told, not even of those
/// that are no repeats: what is missing would say which are.
pub(super) struct Withheld(Vec<(MemberId, ProjectId)>);

impl Withheld {
    pub(super) async fn find(db: &Snapshot, person: UserId) -> Result<Self, Error> {
        let open = repeat::Entity::find()
            .select_only()
            .column(repeat::Column::AssignmentId)
            .filter(repeat::Column::State.ne(WorkState::Submitted.name()));
        let labeling = assignment::Entity::find()
            .select_only()
            .column(assignment::Column::MemberId)
            .filter(assignment::Column::Id.in_subquery(open.into_query()));
        let theirs = member::Entity::find()
            .select_only()
            .columns([member::Column::Id, member::Column::ProjectId])
            .filter(member::Column::UserId.eq(person.0))
            .filter(member::Column::RemovedAt.is_null())
            .filter(member::Column::Id.in_subquery(labeling.into_query()))
            .order_by_asc(member::Column::Id);
        sql::all(db, theirs).await.map(Self)
    }

    /// The projects in which it is.
    pub(super) fn projects(&self) -> impl Iterator<Item = ProjectId> {
        self.0.iter().map(|(_, project)| *project)
    }

    /// What holds of the rows of a table that are told.
    pub(super) fn condition(&self, table: &str) -> Condition {
        match table {
            "assignment" | "focus_day" => {
                let members = self.0.iter().map(|(member, _)| member.0);
                Condition::all().add(Expr::col("member_id").is_not_in(members))
            }
            "audit" => {
                let chains = self.projects().map(|project| project.0);
                let mut others = Condition::all();
                for pass in PASSES {
                    others = others.add(Expr::col("subject").not_like(pass));
                }
                Condition::any().add(Expr::col("chain").is_not_in(chains)).add(others)
            }
            // As their page shows it: after a release, where that is what the project wants.
            "own_release" => {
                let released = project::Entity::find()
                    .select_only()
                    .column(project::Column::Id)
                    .filter(project::Column::ReleaseLevel.eq(ReleaseLevel::AfterRelease.name()));
                let own = Expr::col("project_id").in_subquery(released.into_query());
                Condition::all().add(own)
            }
            _ => Condition::all(),
        }
    }
}
