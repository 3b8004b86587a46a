//! The disagreement walk: the positions of a list one after the other, with what is said about
//! each, the decision on it, and agreement beside it.

mod about;
mod agreement;
mod changes;
mod deciding;
mod given;
mod labels;
mod list;
mod same_text;
mod step;

use std::sync::Arc;

use domain::{
    ActId, ActSummary, Actor, AttributeId, Documents, Error as Refusal, LabelSet, ProjectId, Span,
    WalkList, WalkQuery, WalkView,
    base::policy::{Action, Standpoint, offers},
    covered, saturating,
};
use formats::TextIndex;
use store::review::decision_batches::DecidedPosition;

use crate::{
    Result, Services,
    base::{
        access::{Access, permit},
        names::Names,
        quoting::slice,
    },
};
use about::About;
pub use deciding::{decide, undo};
pub(crate) use labels::Kept as KeptLabelCounts;
pub use labels::load_labels;
pub(crate) use list::Known;
pub use same_text::load as load_same_text;
use step::Walking;

/// The step of a walk that the query asks for, as of now.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: WalkQuery,
) -> Result<WalkView> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(store, project, &access.member).await?;
    let settings = store::project::find(store, project).await?.ok_or(Refusal::NotFound)?.settings;
    let about = About::load(services, project, query.list.question()).await?;
    let standpoint = Standpoint::Member { role: access.member.role, owns: false };
    let reviewer = offers(Action::Review, standpoint).then_some(access.member.id);
    let progress = list::load(services, project, &names, &query.list, &about, reviewer).await?;
    let list::Progress { listed, undecided } = &*progress;
    let first = undecided.and_then(|(_, first)| first).or(listed.0.first().copied());
    let at = query.at.or(first);
    let walking = Walking {
        services,
        about: &about,
        names: &names,
        project,
        documents: counted(&query.list),
        reviewer,
    };
    let step = match at {
        Some(at) => Some(walking.step(at).await?),
        None => None,
    };
    let act = match query.act {
        Some(act) => summary(services, project, &access, act, query.list.question()).await?,
        None => None,
    };
    let count = |n: usize| saturating::<u64>(n);
    let decision = at.map(|at| about.groups.decision(at));
    let (previous, next) = decision.map(|at| listed.neighbours(at)).unwrap_or_default();
    Ok(WalkView {
        revision: about.tallies.revision,
        raters: names.raters().to_vec(),
        total: count(listed.0.len()),
        undecided: undecided.map(|(undecided, _)| count(undecided)),
        place: decision.and_then(|at| listed.place(at)).map(|place| count(place + 1)),
        previous,
        next,
        step,
        agreement: agreement::current_values(&about.tallies, names.raters(), query.list.switches()),
        act,
        guidelines_html: services.markdown.render(settings.guidelines).await?,
    })
}

/// Whose work counts in a list.
fn counted(list: &WalkList) -> Documents {
    match list {
        WalkList::Disagreements(query) => query.filter.documents,
        WalkList::Positions(query) => query.switches.counted_documents(),
        WalkList::Label(_) => Documents::Saved,
    }
}

/// What the viewer did, as one decides answers to a question, or labels; nothing of what others did.
pub(crate) async fn summary(
    services: &Services,
    project: ProjectId,
    access: &Access,
    act: ActId,
    question: Option<AttributeId>,
) -> Result<Option<ActSummary>> {
    let found = store::review::decision_batches::find(&services.store, act).await?;
    let own = found.filter(|act| act.project == project && act.member == access.member.id);
    let Some(act) = own else { return Ok(None) };
    let decision = |part: &DecidedPosition| part.after.as_ref()?.decision().cloned();
    let is_reject =
        |part: &&DecidedPosition| decision(part).is_some_and(|now| now.labels.is_empty());
    let decided = |part: &DecidedPosition| match question {
        Some(_) if is_reject(&part) => Some(LabelSet::EMPTY),
        Some(question) => {
            let mut chosen = part.after.as_ref()?.answers().filter_map(|fact| fact.choice);
            Some(chosen.find(|it| it.attribute == question)?.answer.categories())
        }
        None => decision(part).map(|now| now.labels),
    };
    let rejected = act.positions.iter().filter(is_reject).count();
    let chosen = act.positions.iter().find(|part| !is_reject(part));
    let first = chosen.or(act.positions.first());
    let is_group = act.positions.windows(2).any(|two| match two {
        [one, other] => {
            let (one, other) = (one.position, other.position);
            one.document == other.document && one.range.overlaps(other.range)
        }
        _ => false,
    });
    let mut position = first.map(|part| part.position);
    if let (true, None, Some(position)) = (is_group, chosen, &mut position) {
        let ranges: Vec<_> = act.positions.iter().map(|part| part.position.range).collect();
        position.range = covered(&ranges);
    }
    let quote = match position {
        None => String::new(),
        Some(position) => {
            let texts = store::document::texts(&services.store, &[position.document]).await?;
            let text = texts.get(&position.document);
            let words = |(name, text): &(String, String)| {
                let is_document = position.range == Span::DOCUMENT.range;
                if is_document {
                    name.clone()
                } else {
                    slice(&TextIndex::new(text), position.range)
                }
            };
            text.map(words).unwrap_or_default()
        }
    };
    let rejected = if chosen.is_some() { rejected } else { 0 };
    Ok(Some(ActSummary {
        id: act.id,
        decided: first.and_then(decided),
        positions: saturating::<u64>(act.positions.len()),
        is_group,
        rejected: saturating::<u64>(rejected),
        quote,
        undone: act.undone_at.is_some(),
        left_alone: act
            .positions
            .iter()
            .filter(|part| part.left_alone)
            .map(|part| part.position)
            .collect(),
    }))
}
