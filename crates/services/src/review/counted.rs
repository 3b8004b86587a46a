//! The positions list as it is looked at and worked through: exactly the positions behind a count, where
//! those of all labelers that are decided as one are one row.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    Actor, DisagreementKind, Filter, Page, Position, PositionKind, PositionList, PositionQuery,
    PositionRow, ProjectId, Sorting, Whose, base::policy::Action, covered, saturating,
};
use formats::TextIndex;
use live::Narrowing;

use super::{
    disputes::decided_group,
    groups::{self, List},
    quorum::Quorums,
};
use crate::{
    Result, Services,
    agreement::positions::{FoundPosition, Shown, find_all},
    base::{
        access::permit,
        names::Names,
        sorting::{PAGE_SIZE, page},
    },
};

/// A page of the positions that the query asks for. A group is there if one of its positions is, where the
/// first of them is.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: PositionQuery,
) -> Result<PositionList> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(store, project, &access.member).await?;
    let positions = query.switches.policy.positions();
    let whole =
        Narrowing { filter: Filter::of_question(query.switches.filter.question), positions };
    let whole = services.live.read_part(project, whole).await?;
    let (tallies, found) = find_all(services, project, &names, &query).await?;
    let at = |found: &FoundPosition| Position { document: found.document, range: found.range };
    let sorting = Sorting { order: (), descending: false, page: query.page };
    let listed = &found.listed;
    let (groups, Page { rows, total, number, size }) = match (query.whose, positions) {
        (Whose::Labelers, PositionKind::Exact) => {
            let quorums = Quorums::load(services, project).await?;
            let groups = groups::counted(services, project, &whole, &quorums).await?;
            let (all, question) = (Arc::clone(&found), PositionQuery { page: 0, ..query.clone() });
            let raters = names.raters().iter().map(|rater| (rater.id, rater.role)).collect();
            let list = List::Positions(question, raters, tallies.revision);
            let question = (list, quorums);
            let each = (listed.len(), move |place| all.listed.get(place).map(at));
            let rows = groups::rows(services, (&whole, &groups), question, each).await?;
            let Page { rows, total, number, size } = page(&*rows, &sorting, PAGE_SIZE);
            let rows = rows.into_iter().filter_map(|place| listed.get(*place)).collect();
            (Some(groups), Page { rows, total, number, size })
        }
        // What is decided as one are exact positions.
        _ => (None, page(listed, &sorting, PAGE_SIZE)),
    };
    let documents = rows.iter().map(|found| found.document).chain(query.document);
    let documents: Vec<_> = documents.filter(|id| tallies.document(*id).is_some()).collect();
    let texts = store::document::texts(store, &documents).await?;
    let indices: BTreeMap<_, _> = texts
        .iter()
        .map(|(document, (name, text))| (*document, (name, TextIndex::new(text))))
        .collect();
    let shown =
        Shown { tallies: &whole, counted: &tallies, names: &names, switches: query.switches };
    let row = |found: &&FoundPosition| {
        let (name, index) = indices.get(&found.document)?;
        let Some(ranges) = groups.as_ref().and_then(|groups| groups.group(at(found))) else {
            return shown.row(found, found.range, name, index);
        };
        let (group, decision) = decided_group(whole.document(found.document)?, &names, ranges);
        let kind = Some(DisagreementKind::Boundary);
        Some(PositionRow {
            kind,
            group: Some(group),
            decision,
            ..shown.row(found, covered(ranges), name, index)?
        })
    };
    let rows = rows.iter().filter_map(row).collect();
    let document_name =
        query.document.and_then(|id| indices.get(&id)).map(|(name, _)| (*name).clone());
    Ok(PositionList {
        revision: tallies.revision,
        raters: names.raters().to_vec(),
        document_name,
        positions: saturating::<u64>(listed.len()),
        unlisted: found.unlisted,
        page: Page { rows, total, number, size },
    })
}
