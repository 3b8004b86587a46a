//! The adjudication list to take away, as it is filtered.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    Actor, AuditEvent, Disagreement, DisagreementQuery, Filter, Judgement, Label, ProjectId, Rater,
    base::policy::Action, reason_of, saturating,
};
use formats::{
    DisagreementCsv, DisagreementRow, DisagreementXlsx, RaterCell, SheetRow, TextIndex,
    write_disagreement_json_line,
};

use super::{BATCH, Export, blocking};
use crate::{
    Error, Result, Services,
    agreement::disagreements::{Found, documents_of, find_all, row},
    base::categories::Categories,
    base::{access::permit, export::record, names::Names, secrets::checksum::checksum},
    review::gold::names_of,
};

/// The form of an exported adjudication list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    Csv,
    JsonLines,
    Xlsx,
}

/// An adjudication list while it is written.
pub(crate) struct ListFile {
    kind: Kind,
    losses: Vec<String>,
}

enum Kind {
    Csv(DisagreementCsv, Vec<u8>),
    JsonLines(Vec<u8>),
    Xlsx(Box<DisagreementXlsx>),
}

impl ListFile {
    /// Begins a list with these raters as columns.
    pub(crate) fn new(format: ListFormat, raters: &[Rater]) -> Result<Self> {
        let raters = raters.iter().map(|rater| rater.name.clone()).collect();
        let kind = match format {
            ListFormat::Csv => {
                let (csv, mut body) = (DisagreementCsv::new(raters), Vec::new());
                csv.write_header(&mut body).map_err(Error::broken)?;
                Kind::Csv(csv, body)
            }
            ListFormat::JsonLines => Kind::JsonLines(Vec::new()),
            ListFormat::Xlsx => {
                Kind::Xlsx(Box::new(DisagreementXlsx::new(raters).map_err(Error::broken)?))
            }
        };
        Ok(Self { kind, losses: Vec::new() })
    }

    /// Adds a row. May write to a file of the system's.
    pub(crate) fn write(&mut self, row: &DisagreementRow) -> Result<()> {
        match &mut self.kind {
            Kind::Csv(csv, body) => csv.write_row(body, row),
            Kind::JsonLines(body) => write_disagreement_json_line(body, row),
            Kind::Xlsx(sheet) => sheet.write_row(row).map(|written| {
                let DisagreementRow { document, start, end, .. } = row;
                let what = match written {
                    SheetRow::Whole => return,
                    SheetRow::Shortened => "a text was cut: cells have a limit",
                    SheetRow::LeftOut => "was left out: the sheet is full",
                };
                self.losses.push(format!("{document}: {start}–{end}: {what}"));
            }),
        }
        .map_err(Error::broken)
    }

    /// How many bytes are written so far; none are while a sheet grows.
    pub(crate) fn len(&self) -> usize {
        match &self.kind {
            Kind::Csv(_, body) | Kind::JsonLines(body) => body.len(),
            Kind::Xlsx(_) => 0,
        }
    }

    /// The file, under a name that is given without its end.
    pub(crate) fn named(self, name: &str) -> Result<Export> {
        let (extension, content_type, body) = match self.kind {
            Kind::Csv(_, body) => ("csv", "text/csv; charset=utf-8", body),
            Kind::JsonLines(body) => ("jsonl", "application/jsonl", body),
            Kind::Xlsx(sheet) => ("xlsx", XLSX, sheet.finish().map_err(Error::broken)?),
        };
        let file_name = format!("{name}.{extension}");
        Ok(Export { file_name, content_type, body, losses: self.losses })
    }
}

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

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
    let of = Filter::of_question(query.filter.question);
    let labels = Categories::load(&services.store, project, of).await?;
    let reasons = store::project::reasons::list(&services.store, project).await?;
    let (tallies, found) = find_all(services, project, query).await?;
    let mut file = ListFile::new(format, names.raters())?;
    for batch in found.chunks(BATCH) {
        let texts = store::document::texts(&services.store, &documents_of(batch)).await?;
        let indices: BTreeMap<_, _> = texts
            .iter()
            .map(|(id, (name, text))| (*id, (name, TextIndex::new(text), checksum(text))))
            .collect();
        let mut rows = Vec::with_capacity(batch.len());
        for found in batch {
            let Some((name, index, hash)) = indices.get(&found.document) else { continue };
            let Some(row) = row(&tallies, &names, found, query.filter.documents, name, index)
            else {
                continue;
            };
            rows.push(exported(&row, found, index, hash, names.raters(), (&labels, &reasons)));
        }
        file = blocking(move || {
            for row in &rows {
                file.write(row)?;
            }
            Ok(file)
        })
        .await?;
    }
    record(services, &access, project, AuditEvent::ExportDisagreements, found.len()).await?;
    blocking(move || file.named(&format!("disagreements-{project}"))).await
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
    let (start, end) = (saturating(found.range.start), saturating(found.range.end));
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
