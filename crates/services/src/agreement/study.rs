//! The judgements behind the matrix as a coding study, for other programs to measure.

use std::{collections::BTreeSet, sync::Arc};

use domain::{Actor, Documents, ProjectId, Switches, WorkState, policy::Action};
use formats::{write_study_header, write_study_row};

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
