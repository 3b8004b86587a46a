//! The positions list: exactly the positions behind a count, so that each count can be a link.

mod find;
pub(crate) mod latest_decision;

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    Actor, DisagreementKind, Documents, Error as Refusal, Judgement, MemberId, Page, PositionList,
    PositionQuery, PositionRow, ProjectId, Range, Said, Sorting, Whose, base::policy::Action,
};
use formats::TextIndex;
use live::{DocumentWork, Tallies};

use crate::{
    Error, Result, Services,
    agreement::disagreements::{decision, judgement, kind_among_all},
    base::{
        access::permit,
        names::Names,
        quoting::{Quote, slice},
        sorting::{PAGE_SIZE, page},
    },
};
use find::find;
pub(crate) use find::{FoundPosition, Of};

/// A page of the positions that the query asks for; its total is the count that led here.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: PositionQuery,
) -> Result<PositionList> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let whole = services.live.read(project).await?;
    let (tallies, found) = find_all(services, project, &names, query.clone()).await?;
    let sorting = Sorting { order: (), descending: false, page: query.page };
    let page = page(found, &sorting, PAGE_SIZE);
    let documents = page.rows.iter().map(|found| found.document).chain(query.document);
    let documents: Vec<_> = documents.filter(|id| tallies.document(*id).is_some()).collect();
    let texts = store::document::texts(&services.store, &documents).await?;
    let indices: BTreeMap<_, _> = texts
        .iter()
        .map(|(document, (name, text))| (*document, (name, TextIndex::new(text))))
        .collect();
    let shown =
        Shown { tallies: &whole, names: &names, documents: query.switches.counted_documents() };
    let rows = page
        .rows
        .iter()
        .filter_map(|found| {
            let (name, index) = indices.get(&found.document)?;
            shown.row(found, name, index)
        })
        .collect();
    let document_name =
        query.document.and_then(|id| indices.get(&id)).map(|(name, _)| (*name).clone());
    Ok(PositionList {
        revision: tallies.revision,
        raters: names.raters().to_vec(),
        document_name,
        page: Page { rows, total: page.total, number: page.number, size: page.size },
    })
}

/// Everything that the query asks for, whatever its page, found on a thread that may block.
pub(crate) async fn find_all(
    services: &Services,
    project: ProjectId,
    names: &Names,
    query: PositionQuery,
) -> Result<(Arc<Tallies>, Vec<FoundPosition>)> {
    let compared: &[MemberId] = match &query.whose {
        Whose::Pair(first, second) => &[*first, *second],
        Whose::Pooled(rater, _) => &[*rater],
        Whose::Labelers => &[],
    };
    if compared.iter().any(|id| names.rater(*id).is_none()) {
        return Err(Refusal::NotFound.into());
    }
    let tallies = services.live.read_part(project, query.switches.filter).await?;
    let roles: Vec<_> = names.raters().iter().map(|rater| (rater.id, rater.role)).collect();
    tokio::task::spawn_blocking(move || {
        let found = find(&tallies, &query, &roles);
        (tallies, found)
    })
    .await
    .map_err(Error::broken)
}

/// What rows are made of.
struct Shown<'a> {
    tallies: &'a Tallies,
    names: &'a Names,
    documents: Documents,
}

impl Shown<'_> {
    /// A row in full; `None` if the document has gone meanwhile.
    fn row(&self, found: &FoundPosition, name: &str, index: &TextIndex<'_>) -> Option<PositionRow> {
        let work = self.tallies.document(found.document)?;
        let Quote { words: quote, left, right } = Quote::of(index, found.range);
        let judgement_of = |rater: &MemberId| Said {
            rater: *rater,
            judgement: self.judgement(work, *rater, found.range),
            elsewhere: None,
        };
        let said = match &found.of {
            Of::Two(first, second) => vec![judgement_of(first), judgement_of(second)],
            Of::Labelers(labelers) => labelers.iter().map(judgement_of).collect(),
            Of::Group(first, second, group) => {
                let of_rater = |rater: MemberId, ranges: &[Range]| -> Vec<Said> {
                    let one = |range: &Range| Said {
                        rater,
                        judgement: self.judgement(work, rater, *range),
                        elsewhere: Some((*range, slice(index, *range))),
                    };
                    ranges.iter().map(one).collect()
                };
                [of_rater(*first, &group.first), of_rater(*second, &group.second)].concat()
            }
        };
        Some(PositionRow {
            document: found.document,
            document_name: name.to_owned(),
            range: found.range,
            quote,
            left,
            right,
            kind: match &found.of {
                Of::Two(..) | Of::Labelers(_) => kind_among_all(work, found.range, self.documents),
                Of::Group(..) => Some(DisagreementKind::Boundary),
            },
            said,
            decision: decision(work, self.names, found.range),
        })
    }

    fn judgement(&self, work: &DocumentWork, rater: MemberId, range: Range) -> Judgement {
        judgement(work.get(&rater), range, self.documents)
    }
}
