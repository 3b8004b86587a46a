//! Disagreement as data: how people's judgements are distributed on each position, and who said what under
//! pseudonyms, for those who train and judge models with it.

use std::{collections::BTreeMap, sync::Arc};

use domain::{Actor, AuditEvent, Filter, ProjectId, base::policy::Action, saturating};
use formats::{
    SoftLabelPerson, SoftLabelRow, TextIndex, write_soft_label_json_line,
    write_soft_label_person_json_line,
};
use live::{DocumentWork, Tallies};

use super::{BATCH, Export, blocking};
use crate::{
    Error, Result, Services,
    agreement::disagreements::{SoftNames, SoftPosition, soft_positions},
    base::{
        access::{Access, permit},
        export::record,
        names::Names,
        quoting::slice,
    },
};

/// What both files are made of.
struct Judged {
    access: Access,
    names: Names,
    labels: Vec<domain::Label>,
    tallies: Arc<Tallies>,
}

impl Judged {
    async fn load(services: &Services, actor: &Actor, project: ProjectId) -> Result<Self> {
        let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
        let names = Names::load(&services.store, project, &access.member).await?;
        let labels = store::project::labels::list(&services.store, project).await?;
        let tallies = services.live.read(project).await?;
        Ok(Self { access, names, labels, tallies })
    }

    fn soft_names(&self) -> SoftNames<'_> {
        SoftNames::of(self.names.raters(), &self.labels, Filter::NONE)
    }
}

/// Every position that somebody marked in the documents that were submitted, with the share of those who had the
/// document to do who said what.
pub async fn soft_labels(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Export> {
    let judged = Judged::load(services, actor, project).await?;
    let names = judged.soft_names();
    let (mut body, mut rows) = (Vec::new(), 0);
    let documents: Vec<_> = judged.tallies.documents().collect();
    for batch in documents.chunks(BATCH) {
        let ids: Vec<_> = batch.iter().map(|(document, _)| *document).collect();
        let texts = store::document::texts(&services.store, &ids).await?;
        for (document, work) in batch {
            let Some((name, text)) = texts.get(document) else { continue };
            let index = TextIndex::new(text);
            for row in rows_of((document.0, name), work, &index, &names) {
                write_soft_label_json_line(&mut body, &row).map_err(Error::broken)?;
                rows += 1;
            }
        }
        tokio::task::yield_now().await;
    }
    finish(services, &judged.access, project, ("soft-labels", body, rows)).await
}

fn rows_of(
    (id, name): (i64, &str),
    work: &DocumentWork,
    index: &TextIndex<'_>,
    names: &SoftNames<'_>,
) -> Vec<SoftLabelRow> {
    let row = |position: SoftPosition<'_>| {
        let people = position.said.len();
        let share = |count: usize| {
            f64::from(saturating::<u32>(count)) / f64::from(saturating::<u32>(people))
        };
        let distribution = names.distribution(&position);
        let said = position.said.iter();
        SoftLabelRow {
            item: format!("{id}:{}-{}", position.range.start, position.range.end),
            document_id: id,
            document: name.to_owned(),
            start: position.range.start,
            end: position.range.end,
            text: slice(index, position.range),
            people: saturating(people),
            soft_label: distribution
                .into_iter()
                .map(|label| (label.name, share(label.people.len())))
                .collect(),
            judgements: said
                .map(|(id, labels)| (names.person(*id).to_owned(), names.judgement(labels)))
                .collect(),
        }
    };
    soft_positions(work).into_iter().map(row).collect()
}

/// The people of that file under the same pseudonyms, with how much and what each of them said.
pub async fn soft_label_people(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Export> {
    let judged = Arc::new(Judged::load(services, actor, project).await?);
    let counted = Arc::clone(&judged);
    let (body, rows) = blocking(move || {
        let mut body = Vec::new();
        let people = people_of(&counted);
        for person in people.values() {
            write_soft_label_person_json_line(&mut body, person).map_err(Error::broken)?;
        }
        Ok((body, people.len()))
    })
    .await?;
    finish(services, &judged.access, project, ("soft-labels-people", body, rows)).await
}

fn people_of(judged: &Judged) -> BTreeMap<domain::MemberId, SoftLabelPerson> {
    let names = judged.soft_names();
    let mut people = BTreeMap::new();
    for (_, work) in judged.tallies.documents() {
        let positions = soft_positions(work);
        for (place, position) in positions.iter().enumerate() {
            for (id, labels) in &position.said {
                let person = people.entry(*id).or_insert_with(|| SoftLabelPerson {
                    person: names.person(*id).to_owned(),
                    ..SoftLabelPerson::default()
                });
                person.documents += u64::from(place == 0);
                person.positions += 1;
                *person.judgements.entry(names.judgement(labels)).or_default() += 1;
                let alike = position.said.iter().filter(|(_, other)| other == labels).count();
                person.alone += u64::from(alike == 1 && position.said.len() > 1);
            }
        }
    }
    people
}

async fn finish(
    services: &Services,
    access: &Access,
    project: ProjectId,
    (name, body, rows): (&str, Vec<u8>, usize),
) -> Result<Export> {
    record(services, access, project, AuditEvent::ExportSoftLabels, rows).await?;
    Ok(Export {
        file_name: format!("{name}-{project}.jsonl"),
        content_type: "application/jsonl",
        body,
        losses: Vec::new(),
    })
}
