//! Files to take away: the adjudication list as it is filtered, and the gold standard.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    Actor, Disagreement, DisagreementQuery, Judgement, Label, LabelSet, ProjectId, Rater,
    policy::Action, reason_of, text,
};
use formats::{
    ChoiceRow, DisagreementCsv, DisagreementRow, GoldDocument, RaterCell, TextIndex,
    write_choice_json_line, write_disagreement_json_line, write_gold_conll, write_gold_json_line,
};
use serde_json::json;
use store::audit::Audit;

use crate::{
    Error, Result, Services,
    access::{Access, permit},
    checksum::checksum,
    disagreements::{Found, documents_of, find_all, row},
    gold::{marks_of, names_of, written},
    labelling::named,
    names::Names,
};

/// How many rows or documents are written between two looks into the database.
pub(crate) const BATCH: usize = 500;

/// The form of an exported adjudication list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    Csv,
    JsonLines,
}

/// The form of an exported gold standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoldFormat {
    JsonLines,
    Conll,
}

/// A file to take away.
pub struct Export {
    pub file_name: String,
    pub content_type: &'static str,
    pub body: Vec<u8>,
    /// What the format could not hold, one sentence each.
    pub losses: Vec<String>,
}

/// All rows of the adjudication list that the query asks for, in its order.
pub async fn disagreements(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: DisagreementQuery,
    format: ListFormat,
) -> Result<Export> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = store::labels::list(&services.store, project).await?;
    let reasons = store::reasons::list(&services.store, project).await?;
    let (tallies, found) = find_all(services, project, query).await?;
    let csv = DisagreementCsv::new(names.raters().iter().map(|r| r.name.clone()).collect());
    let mut body = Vec::new();
    if format == ListFormat::Csv {
        csv.write_header(&mut body).map_err(Error::broken)?;
    }
    for batch in found.chunks(BATCH) {
        let texts = store::documents::texts(&services.store, &documents_of(batch)).await?;
        let indices: BTreeMap<_, _> = texts
            .iter()
            .map(|(id, (name, text))| (*id, (name, TextIndex::new(text), checksum(text))))
            .collect();
        for found in batch {
            let Some((name, index, hash)) = indices.get(&found.document) else { continue };
            let Some(row) = row(&tallies, &names, found, query.filter.documents, name, index)
            else {
                continue;
            };
            let row = exported(&row, found, index, hash, names.raters(), (&labels, &reasons));
            match format {
                ListFormat::Csv => csv.write_row(&mut body, &row),
                ListFormat::JsonLines => write_disagreement_json_line(&mut body, &row),
            }
            .map_err(Error::broken)?;
        }
        tokio::task::yield_now().await;
    }
    record(services, &access, project, "export disagreements", found.len()).await?;
    let (extension, content_type) = match format {
        ListFormat::Csv => ("csv", "text/csv; charset=utf-8"),
        ListFormat::JsonLines => ("jsonl", "application/jsonl"),
    };
    Ok(Export {
        file_name: format!("disagreements-{project}.{extension}"),
        content_type,
        body,
        losses: Vec::new(),
    })
}

/// The gold standard of all documents, in their order.
pub async fn gold(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    format: GoldFormat,
) -> Result<Export> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let labels = store::labels::list(&services.store, project).await?;
    let tallies = services.live.read(&services.store, project).await?;
    let documents = store::documents::names(&services.store, project).await?;
    let mut file = GoldFile::new(format);
    for batch in documents.chunks(BATCH) {
        let ids: Vec<_> = batch.iter().map(|(id, _)| *id).collect();
        let mut texts = store::documents::texts(&services.store, &ids).await?;
        for id in ids {
            let Some((name, text)) = texts.remove(&id) else { continue };
            let marks =
                tallies.document(id).map(|work| marks_of(work, &labels)).unwrap_or_default();
            file.write(&GoldDocument { id: id.0, name, text, spans: written(&marks) })?;
        }
        tokio::task::yield_now().await;
    }
    record(services, &access, project, "export gold standard", documents.len()).await?;
    Ok(file.named(&format!("gold-{project}")))
}

/// What labelers chose of the attributes of their spans, in the order of documents, labelers and
/// positions; without repeats. None of it is in the gold standard: reviewers decide on labels.
pub async fn choices(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Export> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = store::labels::list(&services.store, project).await?;
    let details = store::label_details::list(&services.store, project).await?;
    let chosen = store::choices::of_project(&services.store, project).await?;
    let mut documents: Vec<_> = chosen.iter().map(|(document, ..)| *document).collect();
    documents.dedup();
    let mut body = Vec::new();
    let mut rows = chosen.iter().peekable();
    for batch in documents.chunks(BATCH) {
        let texts = store::documents::texts(&services.store, batch).await?;
        while let Some((document, member, fact)) =
            rows.next_if(|(document, ..)| batch.contains(document))
        {
            let Some((name, text)) = texts.get(document) else { continue };
            let Some((attribute, choice)) = named(fact, &details) else { continue };
            let range = fact.span.range;
            let row = ChoiceRow {
                document_id: document.0,
                document: name.clone(),
                start: range.start,
                end: range.end,
                quote: text::slice(text, range).to_owned(),
                rater: names.name(*member).unwrap_or_default().to_owned(),
                label: names_of(&LabelSet::one(fact.span.label), &labels).concat(),
                attribute: attribute.to_owned(),
                choice: choice.to_owned(),
            };
            write_choice_json_line(&mut body, &row).map_err(Error::broken)?;
        }
        tokio::task::yield_now().await;
    }
    record(services, &access, project, "export choices", chosen.len()).await?;
    Ok(Export {
        file_name: format!("choices-{project}.jsonl"),
        content_type: "application/jsonl",
        body,
        losses: Vec::new(),
    })
}

/// A gold standard while it is written to a file.
pub(crate) struct GoldFile {
    format: GoldFormat,
    body: Vec<u8>,
    losses: Vec<String>,
}

impl GoldFile {
    pub(crate) const fn new(format: GoldFormat) -> Self {
        Self { format, body: Vec::new(), losses: Vec::new() }
    }

    pub(crate) fn write(&mut self, document: &GoldDocument) -> Result<()> {
        match self.format {
            GoldFormat::JsonLines => {
                write_gold_json_line(&mut self.body, document).map_err(Error::broken)
            }
            GoldFormat::Conll => {
                let lost = write_gold_conll(&mut self.body, document).map_err(Error::broken)?;
                self.losses.extend(lost.iter().map(ToString::to_string));
                Ok(())
            }
        }
    }

    /// The file, under a name that is given without its end.
    pub(crate) fn named(self, name: &str) -> Export {
        let (extension, content_type) = match self.format {
            GoldFormat::JsonLines => ("jsonl", "application/jsonl"),
            GoldFormat::Conll => ("conll", "text/plain; charset=utf-8"),
        };
        let file_name = format!("{name}.{extension}");
        Export { file_name, content_type, body: self.body, losses: self.losses }
    }
}

/// An export is an event worth remembering.
pub(crate) async fn record(
    services: &Services,
    access: &Access,
    project: ProjectId,
    action: &'static str,
    rows: usize,
) -> Result<()> {
    let tx = services.store.begin().await?;
    let audit = Audit {
        project: Some(project),
        user: Some(access.person.id),
        at: services.clock.now(),
        action,
        subject: format!("project {project}"),
        detail: json!({ "rows": rows }),
        revision: None,
    };
    store::audit::append(&tx, audit).await?;
    tx.commit().await?;
    Ok(())
}

/// A row of the list as it is written to files: labels by name, times and hashes as text.
pub(crate) fn exported(
    row: &Disagreement,
    found: &Found,
    index: &TextIndex<'_>,
    hash: &str,
    raters: &[Rater],
    (labels, reasons): (&[Label], &[String]),
) -> DisagreementRow {
    let (start, end) = (offset(found.range.start), offset(found.range.end));
    let cell = |judgement: &Judgement| match judgement {
        Judgement::NotJudged => RaterCell::NotJudged,
        Judgement::Nothing => RaterCell::NothingMarked,
        Judgement::Labels(set) if set.is_empty() => RaterCell::Rejected,
        Judgement::Labels(set) => RaterCell::Labels(names_of(set, labels)),
    };
    let decision = row.decision.as_ref();
    DisagreementRow {
        document_id: row.document.0,
        document: row.document_name.clone(),
        start,
        end,
        start_utf16: index.utf16(start).unwrap_or(start),
        end_utf16: index.utf16(end).unwrap_or(end),
        quote: row.quote.clone(),
        left: row.left.clone(),
        right: row.right.clone(),
        kind: row.kind.name().to_owned(),
        raters: raters
            .iter()
            .zip(&row.judgements)
            .map(|(rater, judgement)| (rater.name.clone(), cell(judgement)))
            .collect(),
        decision: decision.map(|decision| decision.verdict.name().to_owned()),
        decided_labels: decision
            .map(|decision| names_of(&decision.labels, labels))
            .unwrap_or_default(),
        decided_by: decision.map(|decision| decision.by.clone()),
        decided_at: decision.map(|decision| decision.at.to_rfc3339()),
        decided_because: decision
            .map(|decision| decision.note.clone())
            .filter(|note| !note.is_empty()),
        decided_code: decision
            .and_then(|decision| reason_of(&decision.note, reasons))
            .map(str::to_owned),
        text_sha256: hash.to_owned(),
    }
}

fn offset(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
