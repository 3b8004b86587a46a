//! The list of disagreements as it is looked at and worked through: positions that are decided as one are
//! one row. Files and programs get the positions themselves.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    Actor, DecisionSummary, DisagreementKind, DisagreementQuery, Dispute, DisputeList, Group,
    GroupPosition, Page, Position, ProjectId, Range, base::policy::Action, covered, saturating,
};
use formats::TextIndex;
use live::DocumentWork;

use super::{
    groups::{self, List, group_of},
    quorum::Quorums,
};
use crate::{
    Result, Services,
    agreement::disagreements::{Found, PAGE_SIZE, decision, find_all, row},
    base::{access::permit, names::Names},
};

/// A page of the decisions that the disagreements of the query ask for. A group is there if one of its
/// positions is, where the first of them is.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: DisagreementQuery,
) -> Result<DisputeList> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(store, project, &access.member).await?;
    let (tallies, found) = find_all(services, project, query).await?;
    let quorums = Quorums::load(services, project).await?;
    let groups = groups::counted(services, project, &tallies, &quorums).await?;
    let positions = found.len();
    let all = Arc::clone(&found);
    let at = move |place| {
        let found: &Found = all.get(place)?;
        Some(Position { document: found.document, range: found.range })
    };
    let question = (List::Disagreements(DisagreementQuery { page: 0, ..query }), quorums);
    let rows = groups::rows(services, (&tallies, &groups), question, (positions, at)).await?;
    let count = |n: usize| saturating::<u64>(n);
    let total = count(rows.len());
    let skipped = usize::try_from(query.page).unwrap_or(usize::MAX).saturating_mul(PAGE_SIZE);
    let page = rows.iter().skip(skipped).take(PAGE_SIZE);
    let page: Vec<_> = page.filter_map(|place| found.get(*place)).collect();
    let documents: Vec<_> = page.iter().map(|found| found.document).collect();
    let texts = store::document::texts(store, &documents).await?;
    let indices: BTreeMap<_, _> = texts
        .iter()
        .map(|(document, (name, text))| (*document, (name, TextIndex::new(text))))
        .collect();
    let dispute = |found: &&Found| {
        let (name, index) = indices.get(&found.document)?;
        let at = Position { document: found.document, range: found.range };
        let Some(ranges) = groups.group(at) else {
            let row = row(&tallies, &names, found, query.filter.documents, name, index);
            return row.map(Dispute::of);
        };
        let whole =
            Found { range: covered(ranges), kind: DisagreementKind::Boundary, ..(*found).clone() };
        let mut row = row(&tallies, &names, &whole, query.filter.documents, name, index)?;
        let (group, decision) = decided_group(tallies.document(found.document)?, &names, ranges);
        row.decision = decision;
        Some(Dispute { row, group: Some(group) })
    };
    let rows = page.iter().filter_map(dispute).collect();
    Ok(DisputeList {
        raters: names.raters().to_vec(),
        positions: count(positions),
        page: Page { rows, total, number: query.page, size: count(PAGE_SIZE) },
    })
}

/// A group with the decision that is told of it: the latest that lets something stand, or else the latest.
pub(super) fn decided_group(
    work: &DocumentWork,
    names: &Names,
    ranges: &[Range],
) -> (Group, Option<DecisionSummary>) {
    let group = group_of(work, ranges, |range| GroupPosition {
        range,
        decision: decision(work, names, range),
        own: None,
    });
    let decisions = group.positions.iter().filter_map(|one| one.decision.as_ref());
    let latest =
        decisions.max_by_key(|decision| (!decision.labels.is_empty(), decision.at)).cloned();
    (group, latest)
}
