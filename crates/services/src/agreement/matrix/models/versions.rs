//! The versions of a model in the order of time, each beside people and against what reviewers decided: whether the
//! next is better than the one before.

use std::sync::Arc;

use domain::{
    Actor, Confidence, Error as Refusal, MemberId, ModelId, ModelVersion, NoInterval, ProjectId,
    Role, StandInFor, Switches, base::policy::Action,
};
use live::{Counted, LabelChoices, Narrowing, Subject, Tallies, resample_counted, seed};

use super::{Beside, State, counted, gold, row, stand_in, work};
use crate::{
    Result, Services,
    agreement::{breakdowns::Remembered, by_role},
    base::{access::permit, names::Names},
};

/// The intervals of versions with all labelers, for as long as nothing moves.
pub(crate) type Resampled = Remembered<Confidence, Question>;

type Question = (State, Switches, Vec<MemberId>);

/// All models with the name of one, by the day that they count from. What is said of each is what its own page and
/// the matrix say under these switches.
pub async fn versions(
    services: &Arc<Services>,
    actor: &Actor,
    (project, model): (ProjectId, ModelId),
    (switches, annotators): (Switches, StandInFor),
) -> Result<Vec<ModelVersion>> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let mut models = store::project::models::list(&services.store, project).await?;
    let called = models.iter().find(|it| it.id == model).ok_or(Refusal::NotFound)?.name.clone();
    models.retain(|it| it.name == called);
    models.sort_by_key(|it| (it.date(), it.created_at, it.id));
    let names = Names::load(&services.store, project, &access.member).await?;
    let labelers: Vec<_> = by_role(names.raters(), Role::Labeler).collect();
    // Of each label and answer a version's own page tells.
    let beside = Beside { labels: Vec::new(), ..Beside::load(services, project, switches).await? };
    let choices = Arc::new(beside.categories.choices(switches.filter));
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    let seed = seed(project, Subject::Units);
    let mut versions = Vec::with_capacity(models.len());
    for model in models {
        let against = counted(services, &tallies, &model, switches).await?;
        let whole = against.pooled(labelers.iter().copied());
        let row = row(model.clone(), &against, (names.raters(), &choices), switches);
        let agreement = row.pooled_with(Role::Labeler).copied();
        let value = agreement.and_then(|it| it.measured.value());
        let confidence = if value.is_some() {
            let state = (model.id, model.revision);
            let question = (state, switches.without_scale(), labelers.clone());
            resampled(services, &tallies, question, (&choices, whole, seed)).await?
        } else {
            Confidence::None(NoInterval::NoValue)
        };
        let scores = gold::with_others(services, &beside, (&model, Vec::new())).await?;
        let of = (model, names.raters());
        let tested = stand_in::beside_labelers(services, &beside, of, annotators).await?;
        versions.push(ModelVersion {
            model: tested.model,
            agreement,
            confidence,
            f1: scores.whole.f1,
            stand_in: tested.whole,
        });
    }
    Ok(versions)
}

/// The interval of a version with all labelers together, by document.
async fn resampled(
    services: &Services,
    tallies: &Arc<Tallies>,
    question: Question,
    (choices, whole, seed): (&Arc<LabelChoices>, Counted, u64),
) -> Result<Confidence> {
    let known = &services.models.resampled;
    if let Some(known) = known.find(tallies, &question) {
        return Ok(*known);
    }
    let outsider = work(services, question.0).await?;
    let choices = Arc::clone(choices);
    let count = move |tallies: &Tallies, (_, switches, labelers): &Question| {
        let documents = tallies.against_by_document(&outsider, *switches, labelers);
        resample_counted((documents, &whole), &choices, *switches, seed)
    };
    Ok(*known.find_or_count(tallies, question, count).await?)
}
