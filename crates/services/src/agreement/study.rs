//! The judgements behind the matrix as a coding study, and labelers' spans as a unitizing study,
//! for other programs to measure.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, Documents, Filter, LabelSet, MemberId, ProjectId, Switches, WorkState, policy::Action,
};
use formats::{UnitCell, write_study_header, write_study_row, write_unit_row, write_units_header};

use super::steps::category_name;
use crate::{
    Error, Result, Services,
    access::permit,
    exporting::{Export, record},
    names::Names,
};

/// Every position that somebody judged in the documents that count, with what each rater said. A
/// rater who did not judge it has a missing rating: the policy `cleaned`, whatever the switches say.
pub async fn study(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<Export> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = store::labels::list(&services.store, project).await?;
    let tallies = services.live.read_part(&services.store, project, switches.filter).await?;
    let raters = names.raters().to_vec();
    let (body, rows) = tokio::task::spawn_blocking(move || {
        let mut body = Vec::new();
        let heads: Vec<_> = raters.iter().map(|rater| rater.name.clone()).collect();
        write_study_header(&mut body, &heads).map_err(Error::broken)?;
        let mut rows = 0;
        for (document, work) in tallies.documents() {
            let counts = |state: WorkState| match switches.documents {
                Documents::Saved => state.has_work(),
                Documents::Submitted => state == WorkState::Submitted,
            };
            let of_raters: Vec<_> = raters
                .iter()
                .map(|rater| work.get(&rater.id).filter(|work| counts(work.state)))
                .collect();
            let positions: BTreeSet<_> =
                of_raters.iter().flatten().flat_map(|work| work.judgements.keys()).collect();
            for position in positions {
                let said: Vec<_> = of_raters
                    .iter()
                    .map(|work| {
                        let labels_of = work.as_ref()?.judgements.get(position)?;
                        Some(category_name(labels_of, &labels, switches.filter))
                    })
                    .collect();
                let name = format!("{document}:{}-{}", position.start, position.end);
                write_study_row(&mut body, &name, &said).map_err(Error::broken)?;
                rows += 1;
            }
        }
        Ok::<_, Error>((body, rows))
    })
    .await
    .map_err(Error::broken)??;
    record(services, &access, project, "export study", rows).await?;
    Ok(Export {
        file_name: format!("study-{project}.csv"),
        content_type: "text/csv; charset=utf-8",
        body,
        losses: Vec::new(),
    })
}

/// Labelers' spans in the documents that α_U is computed from, as units on one continuum: the
/// documents lie on it end to end. Where it begins and ends is in the file's name, since the text
/// after the last span belongs to it too.
pub async fn units(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<Export> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = store::labels::list(&services.store, project).await?;
    let tallies = services.live.read_part(&services.store, project, switches.filter).await?;
    let (body, rows, length) = tokio::task::spawn_blocking(move || {
        let unitized = tallies.unitized(switches);
        let mut body = Vec::new();
        write_units_header(&mut body).map_err(Error::broken)?;
        let heads: Vec<_> = unitized.labelers.iter().map(|id| head(&names, *id)).collect();
        let marked: BTreeSet<_> = unitized
            .documents
            .iter()
            .flat_map(|document| document.units())
            .map(|(labeler, ..)| *labeler)
            .collect();
        for (_, name) in heads.iter().enumerate().filter(|(place, _)| !marked.contains(place)) {
            write_unit_row(&mut body, name, None).map_err(Error::broken)?;
        }
        let mut begin = 0;
        for document in &unitized.documents {
            for &(labeler, range, label) in document.units() {
                let rater = heads.get(labeler).map(String::as_str).unwrap_or_default();
                let label = category_name(&LabelSet::one(label), &labels, Filter::NONE);
                let unit = UnitCell {
                    start: begin + u64::from(range.start),
                    end: begin + u64::from(range.end),
                    label: &label,
                    document: document.document.0,
                };
                write_unit_row(&mut body, rater, Some(unit)).map_err(Error::broken)?;
            }
            begin += u64::from(document.characters);
        }
        Ok::<_, Error>((body, unitized.units(), begin))
    })
    .await
    .map_err(Error::broken)??;
    record(services, &access, project, "export units", rows).await?;
    Ok(Export {
        file_name: format!("units-{project}-continuum-0-{length}.csv"),
        content_type: "text/csv; charset=utf-8",
        body,
        losses: Vec::new(),
    })
}

/// What a labeler is called where names tell raters apart: two of one name are not one.
fn head(names: &Names, id: MemberId) -> String {
    let name = names.name(id).unwrap_or_default();
    let alike = names.raters().iter().filter(|rater| rater.name == name).count();
    if alike < 2 { name.to_owned() } else { format!("{name} ({id})") }
}
