//! A second reviewer on a sample of what is reviewed: drawn with a seed that nobody chooses,
//! previewed, undone. Until both have ended their reviews, the second reviewer sees nothing of what
//! others decided: see `access`.

use std::sync::Arc;

use domain::{
    Actor, AuditEvent, Code, DocumentId, Error as Refusal, MemberId, ProjectId, Role,
    SecondReviewAsk, SecondReviewId, SecondReviewPlan, SecondReviewsView, base::policy::Action,
    saturating,
};
use serde_json::json;
use store::{Db, review::second_reviews::NewSample};

use crate::{
    Result, Services,
    base::{
        access::permit,
        change::{ProjectChange, check_seen, refuse_unpublished},
        drawing,
        secrets::checksum::checksum,
    },
};

/// What was drawn so far, and what would be drawn now.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    ask: SecondReviewAsk,
) -> Result<SecondReviewsView> {
    let db = services.store.begin_read().await?;
    permit(&db, actor, project, Action::ManageDocuments).await?;
    let reviewers = reviewers(&db, project).await?;
    let plan = match ask.reviewer {
        Some(reviewer) => Some(plan(&db, project, &reviewers, (ask, reviewer)).await?),
        None => None,
    };
    let samples = store::review::second_reviews::list(&db, project).await?;
    Ok(SecondReviewsView { reviewers, plan, samples })
}

async fn reviewers(db: &impl Db, project: ProjectId) -> Result<Vec<(MemberId, String)>> {
    let members = store::project::members::list(db, project).await?;
    let reviewers = members.into_iter().filter(|member| member.role == Role::Reviewer);
    Ok(reviewers.map(|member| (member.id, member.name)).collect())
}

/// What would be drawn, if it can be.
async fn plan(
    db: &impl Db,
    project: ProjectId,
    reviewers: &[(MemberId, String)],
    (ask, reviewer): (SecondReviewAsk, MemberId),
) -> Result<Result<SecondReviewPlan, Refusal>> {
    if let Err(refusal) = ask.checked() {
        return Ok(Err(refusal));
    }
    if reviewers.iter().all(|(id, _)| *id != reviewer) {
        let why = "this person is not a reviewer of the project";
        return Ok(Err(Code::Unsuitable.of("reviewer", why)));
    }
    let samples = store::review::second_reviews::list(db, project).await?.len();
    let seed = drawing::seed(&format!("second reviews of project {project}, act {}", samples + 1));
    let candidates = store::review::second_reviews::candidates(db, project, reviewer).await?;
    Ok(Ok(drawn(ask, seed, candidates)))
}

fn drawn(
    ask: SecondReviewAsk,
    seed: String,
    candidates: Vec<(DocumentId, String)>,
) -> SecondReviewPlan {
    let eligible = candidates.len();
    let percent = saturating::<usize>(ask.percent);
    let many = eligible.saturating_mul(percent).div_ceil(100);
    let mut chosen = drawing::draw(candidates, many, &seed, |(document, _)| *document);
    chosen.sort_by_key(|(document, _)| *document);
    let ids: Vec<_> = chosen.iter().map(|(document, _)| document.to_string()).collect();
    let previewed = checksum(format!("{ask:?}:{seed}:{}", ids.join(",")));
    let eligible = saturating::<u64>(eligible);
    SecondReviewPlan { ask, seed, eligible, chosen, seen: previewed }
}

/// Asks for the second reviews that were previewed; refused if they would be others by now.
pub async fn give(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    ask: SecondReviewAsk,
    seen: &str,
) -> Result<SecondReviewId> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    // Nobody ends or begins a review while it is drawn.
    let change = ProjectChange::begin_alone(services, access, project).await?;
    let tx = &change.tx;
    refuse_unpublished(tx, project).await?;
    let none = || Code::Missing.of("reviewer", "choose a second reviewer");
    let reviewer = ask.reviewer.ok_or_else(none)?;
    let reviewers = reviewers(tx, project).await?;
    let plan = plan(tx, project, &reviewers, (ask, reviewer)).await??;
    let moved_on = "reviews have changed meanwhile; check the preview again";
    check_seen(&plan.seen, seen, moved_on)?;
    if plan.chosen.is_empty() {
        let why = "no document reviewed by others";
        return Err(Code::NothingToDo.of("percent", why).into());
    }
    let documents: Vec<_> = plan.chosen.iter().map(|(document, _)| *document).collect();
    let (by, at) = (change.access.person.id, change.at);
    let new = NewSample { reviewer, percent: ask.percent, seed: &plan.seed, by, at };
    let sample = store::review::second_reviews::insert(tx, project, new, &documents).await?;
    let detail = json!({ "asked": ask, "seed": plan.seed, "documents": documents.len() });
    let subject = format!("second reviews {sample}");
    change.end(AuditEvent::AskForSecondReviews, subject, detail).await?;
    Ok(sample)
}

/// Undoes a sample. What the second reviewer has decided stays theirs.
pub async fn undo(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    sample: SecondReviewId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    if !store::review::second_reviews::undo(&change.tx, project, sample, change.at).await? {
        return Err(Refusal::NotFound.into());
    }
    let subject = format!("second reviews {sample}");
    change.end(AuditEvent::UndoSecondReviews, subject, json!({})).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_drawn_by_seed_and_rounded_up() {
        let candidates: Vec<_> = (1..=7).map(|id| (DocumentId(id), id.to_string())).collect();
        let ask = |percent| SecondReviewAsk { reviewer: Some(MemberId(1)), percent };
        let of = |percent, seed: &str| drawn(ask(percent), seed.to_owned(), candidates.clone());
        let sizes = [1, 20, 50, 100].map(|percent| of(percent, "s").chosen.len());
        assert_eq!(sizes, [1, 2, 4, 7]);
        assert_eq!(of(50, "s"), of(50, "s"));
        assert_ne!(of(50, "s").seen, of(50, "t").seen);
        let often = (0..200).filter(|seed| {
            of(20, &seed.to_string()).chosen.iter().any(|(id, _)| *id == DocumentId(3))
        });
        // Two of seven: 57 are expected, a standard deviation is 6.4.
        assert!((31..=83).contains(&often.count()));
    }
}
