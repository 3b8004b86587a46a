//! The adjudication list: every position on which raters differ, filtered, sorted, paged.

mod find;
mod soft_labels;

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    Actor, DecisionSummary, Disagreement, DisagreementList, DisagreementQuery, DocumentId,
    Documents, Filter, Page, ProjectId, Range, base::policy::Action, saturating,
};
use formats::TextIndex;
use live::{DocumentWork, Narrowing, Tallies};

use crate::{
    Result, Services,
    agreement::{
        breakdowns::{ByDocument, Remembered},
        latest_decision,
    },
    base::{access::permit, categories::Categories, names::Names, quoting::Quote},
};

pub(crate) use find::{Found, find, judgement, kind_among_all};
use find::{Kept, find_kept};
pub(crate) use soft_labels::{SoftNames, SoftPosition, soft_positions};

/// Rows on a page.
pub(crate) const PAGE_SIZE: usize = 50;

/// Rows on a page where the list is a part of another.
const FEW: usize = 10;

/// A page of the adjudication list.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: DisagreementQuery,
) -> Result<DisagreementList> {
    list_some(services, actor, project, query, PAGE_SIZE).await
}

/// The same, a few rows a page.
pub async fn list_few(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: DisagreementQuery,
) -> Result<DisagreementList> {
    list_some(services, actor, project, query, FEW).await
}

async fn list_some(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: DisagreementQuery,
    size: usize,
) -> Result<DisagreementList> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let (tallies, found) = find_all(services, project, query).await?;
    let total = saturating::<u64>(found.len());
    let skipped = saturating::<usize>(query.page).saturating_mul(size);
    let page: Vec<_> = found.iter().skip(skipped).take(size).collect();
    let documents: Vec<_> = page.iter().map(|found| found.document).collect();
    let texts = store::document::texts(&services.store, &documents).await?;
    let indices: BTreeMap<_, _> = texts
        .iter()
        .map(|(document, (name, text))| (*document, (name, TextIndex::new(text))))
        .collect();
    let rows = page
        .iter()
        .filter_map(|found| {
            let (name, index) = indices.get(&found.document)?;
            row(&tallies, &names, found, query.filter.documents, name, index)
        })
        .collect();
    Ok(DisagreementList {
        raters: names.raters().to_vec(),
        page: Page { rows, total, number: query.page, size: saturating::<u64>(size) },
    })
}

/// A few lists of disagreements, remembered while nothing moves.
pub(crate) struct Known {
    all: Remembered<Vec<Found>, DisagreementQuery>,
    kept: Arc<Kept>,
}

impl Known {
    /// Nothing yet, and never more than so many lists.
    pub(crate) fn of(most: usize) -> Self {
        Self { all: Remembered::of(most), kept: Arc::new(ByDocument::of(most)) }
    }
}

/// Everything that the query asks for, whatever its page, found on a thread that may block.
pub(crate) async fn find_all(
    services: &Services,
    project: ProjectId,
    query: DisagreementQuery,
) -> Result<(Arc<Tallies>, Arc<Vec<Found>>)> {
    let filter = Filter::of_question(query.filter.question);
    if filter.question.is_some() {
        // What is asked has to be of the project.
        Categories::load(&services.store, project, filter).await?;
    }
    let part = Narrowing::exact(filter);
    let tallies = services.live.read_part(project, part).await?;
    let question = DisagreementQuery { page: 0, ..query };
    let kept = Arc::clone(&services.disagreements.kept);
    let find = move |tallies: &Tallies, query: &DisagreementQuery| {
        find_kept(&kept, (project, tallies), *query)
    };
    let found = services.disagreements.all.find_or_count(&tallies, question, find).await?;
    Ok((tallies, found))
}

/// A row in full; `None` if the document has gone meanwhile.
pub(crate) fn row(
    tallies: &Tallies,
    names: &Names,
    found: &Found,
    documents: Documents,
    name: &str,
    index: &TextIndex<'_>,
) -> Option<Disagreement> {
    let work = tallies.document(found.document)?;
    let judgements = names
        .raters()
        .iter()
        .map(|rater| judgement(work.get(&rater.id), found.range, documents))
        .collect();
    let Quote { words: quote, left, right } = Quote::of(index, found.range);
    Some(Disagreement {
        document: found.document,
        document_name: name.to_owned(),
        range: found.range,
        quote,
        left,
        right,
        kind: found.kind,
        judgements,
        decision: decision(work, names, found.range),
    })
}

/// The latest decision on a position, with the name of whose it is.
pub(crate) fn decision(
    work: &DocumentWork,
    names: &Names,
    range: Range,
) -> Option<DecisionSummary> {
    latest_decision(work, range).map(|decision| DecisionSummary {
        verdict: decision.verdict,
        labels: decision.labels.clone(),
        by: names.name(decision.reviewer).unwrap_or_default().to_owned(),
        at: decision.at,
        note: decision.note.to_owned(),
    })
}

/// The documents of found positions, each once, in order.
pub(crate) fn documents_of(found: &[Found]) -> Vec<DocumentId> {
    let mut documents: Vec<_> = found.iter().map(|found| found.document).collect();
    documents.sort_unstable();
    documents.dedup();
    documents
}
