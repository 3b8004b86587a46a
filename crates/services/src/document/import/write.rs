//! The second look at files: what is to be stored is stored, a batch at a time, so that memory does
//! not grow with the number of documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
    sync::Arc,
};

use chrono::{DateTime, Utc};
use domain::{
    AssignTo, Code, Delta, DocumentId, Error as Refusal, Fact, ImportAs, ImportId, LabelId,
    MemberId, ProjectId, Range, Span, UserId, VersionKind, WorkState, base::text, saturating,
};
use formats::ImportedSpan;
use store::{
    Tx,
    document::{
        NewDocument,
        imports::{Filling, NewWork},
    },
    work::versions::{NewVersion, Pass},
};
use tokio::sync::mpsc;

use super::{
    Job, Order,
    plan::{Plan, Todo},
    scan::{Files, Scan},
};
use crate::{
    Error, Result,
    base::secrets::checksum::{digest, in_digits},
    document::{
        Has,
        reading::{FileToRead, ReadDocument, ReadingOptions, read_part, same_documents},
    },
};

/// A batch ends with so many documents, characters of text or marks.
const DOCUMENTS: usize = 512;
const TEXT_BYTES: usize = 2 * 1024 * 1024;
const SPANS: usize = 8_192;

/// How many batches wait for the database.
const WAITING: usize = 1;

/// Everything that writing needs to know.
pub(super) struct Writing<'a> {
    pub(super) tx: &'a Tx,
    pub(super) project: ProjectId,
    pub(super) import: ImportId,
    pub(super) by: Option<UserId>,
    pub(super) now: DateTime<Utc>,
    pub(super) order: &'a Order,
    pub(super) scan: &'a Scan,
    pub(super) plan: &'a Plan,
    /// The labels by their names in the files.
    pub(super) labels: &'a BTreeMap<String, LabelId>,
    /// The labelers by the places of the raters.
    pub(super) members: &'a [Option<MemberId>],
    pub(super) job: &'a Arc<Job>,
}

/// What was written.
#[derive(Default)]
pub(super) struct Written {
    /// The new documents.
    pub(super) documents: Vec<DocumentId>,
    pub(super) suggestions: u64,
    pub(super) worked: u64,
    pub(super) spans: u64,
    /// Who has new documents already, where others are to get them, too.
    pub(super) has: Has,
}

/// A document with its place among the entries.
type Piece = (usize, ReadDocument);

/// Reads the files again, and stores what is planned.
pub(super) async fn write(writing: Writing<'_>, files: &Files) -> Result<Written> {
    let (sender, mut batches) = mpsc::channel(WAITING);
    let (files, parts) = (Arc::clone(files), writing.scan.parts.clone());
    let (options, job) = (writing.order.reading(), Arc::clone(writing.job));
    let reading =
        tokio::task::spawn_blocking(move || send(&files, &parts, &options, &job, &sender));
    let groups = writing.group_of_entries();
    let mut documents = writing.plan.documents.clone();
    let (mut written, mut read) = (Written::default(), 0);
    while let Some(batch) = batches.recv().await {
        writing.job.check()?;
        read += batch.len();
        let count = batch.len();
        writing.store(batch, &groups, &mut documents, &mut written).await?;
        writing.job.count_stored(count);
    }
    reading.await.map_err(Error::broken)?;
    writing.job.check()?;
    if read != writing.scan.reading.entries.len() {
        return Err(changed().into());
    }
    Ok(written)
}

/// Sends the documents of the files in batches, until nobody wants any more.
fn send(
    files: &Files,
    parts: &[FileToRead],
    options: &ReadingOptions,
    job: &Job,
    to: &mpsc::Sender<Vec<Piece>>,
) {
    let (mut batch, mut place) = (Batch::default(), 0);
    for part in parts {
        let Some(file) = files.get(part.file) else { continue };
        let text = part.text.and_then(|text| files.get(text)).map(Box::as_ref);
        let mut stopped = false;
        let mut take = |outcome: Result<ReadDocument, _>| {
            // Every problem was found at the first look: a file that has one now has changed, which
            // the number of its documents tells.
            if let Ok(document) = outcome {
                batch.add((place, document));
                place += 1;
            }
            if batch.is_full() {
                stopped = to.blocking_send(batch.take_pieces()).is_err();
            }
            if stopped || job.is_cancelled() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        read_part(part, (file.as_ref(), text), options, &mut take);
        if stopped || job.is_cancelled() {
            return;
        }
    }
    if !batch.pieces.is_empty() {
        // If nobody listens, nobody misses it.
        let _ = to.blocking_send(batch.take_pieces());
    }
}

#[derive(Default)]
struct Batch {
    pieces: Vec<Piece>,
    bytes: usize,
    spans: usize,
}

impl Batch {
    fn add(&mut self, piece: Piece) {
        self.bytes += piece.1.text.len();
        self.spans += piece.1.work.iter().map(|(_, spans)| spans.len()).sum::<usize>();
        self.pieces.push(piece);
    }

    fn is_full(&self) -> bool {
        self.pieces.len() >= DOCUMENTS || self.bytes >= TEXT_BYTES || self.spans >= SPANS
    }

    fn take_pieces(&mut self) -> Vec<Piece> {
        std::mem::take(self).pieces
    }
}

impl Writing<'_> {
    /// The place of the group of each entry.
    fn group_of_entries(&self) -> Vec<usize> {
        let mut groups = vec![0; self.scan.reading.entries.len()];
        for (group, members) in self.scan.groups.iter().enumerate() {
            for member in members {
                if let Some(mine) = groups.get_mut(*member) {
                    *mine = group;
                }
            }
        }
        groups
    }

    /// Stores a batch.
    async fn store(
        &self,
        batch: Vec<Piece>,
        groups: &[usize],
        documents: &mut [Option<DocumentId>],
        written: &mut Written,
    ) -> Result<()> {
        let (mut new, mut new_groups, mut begun) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut works = Vec::new();
        for (place, document) in batch {
            let entry = self.scan.reading.entries.get(place).ok_or_else(changed)?;
            let group = *groups.get(place).ok_or_else(changed)?;
            let ReadDocument { text, work, .. } = document;
            if digest(&text) != entry.text || work.len() != entry.work.len() {
                return Err(changed().into());
            }
            if documents.get(group).is_some_and(Option::is_none) && begun.insert(group) {
                new.push(self.new_document(group, text));
                new_groups.push(group);
            }
            works.push((place, group, work));
        }
        self.add_documents((new, &new_groups), documents, written).await?;
        match self.order.options.import_as {
            ImportAs::Suggestions => self.suggest(works, documents, written).await,
            ImportAs::Work => self.give(works, documents, written).await,
        }
    }

    fn new_document(&self, group: usize, body: String) -> NewDocument {
        let members = self.scan.groups.get(group).map_or(&[][..], Vec::as_slice);
        let (reading, rated) = (&self.scan.reading, &self.scan.rated);
        let entries = || members.iter().filter_map(|place| reading.entries.get(*place));
        let todo = members.iter().filter_map(|place| self.plan.todo.get(*place)).flatten();
        let raters = todo.filter(|todo| **todo != Todo::Nothing).count();
        let name = match self.order.options.import_as {
            ImportAs::Suggestions => entries().next().map_or("", |entry| &entry.name),
            ImportAs::Work => same_documents::name_of(reading, rated, members),
        };
        NewDocument {
            external_id: same_documents::id_of(reading, members).map(str::to_owned),
            name: name.to_owned(),
            characters: text::length(&body),
            sha256: entries().next().map(|entry| in_digits(&entry.text)).unwrap_or_default(),
            text: body,
            overlap: match self.order.options.assign {
                AssignTo::Everyone => None,
                AssignTo::Some(overlap) => Some(overlap),
                AssignTo::Nobody => Some(saturating::<u32>(raters)),
            },
        }
    }

    async fn add_documents(
        &self,
        (new, groups): (Vec<NewDocument>, &[usize]),
        documents: &mut [Option<DocumentId>],
        written: &mut Written,
    ) -> Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        let ids = match store::document::insert_many(self.tx, self.project, new, self.now).await {
            Err(store::Error::Duplicate(_)) => {
                let why =
                    "a document with one of these ids was just imported; check the preview again";
                return Err(Code::ChangedMeanwhile.of("files", why).into());
            }
            stored => stored?,
        };
        store::document::imports::own_documents(self.tx, self.import, &ids).await?;
        for (group, id) in groups.iter().zip(&ids) {
            if let Some(document) = documents.get_mut(*group) {
                *document = Some(*id);
            }
        }
        written.documents.extend(ids);
        Ok(())
    }

    /// Stores marks as suggestions.
    async fn suggest(
        &self,
        works: Vec<Work>,
        documents: &[Option<DocumentId>],
        written: &mut Written,
    ) -> Result<()> {
        let mut suggestions = Vec::new();
        for (_, group, work) in works {
            let Some(document) = documents.get(group).copied().flatten() else { continue };
            for (_, spans) in work {
                suggestions.extend(self.spans(&spans).into_iter().map(|span| (document, span)));
            }
        }
        store::work::suggestions::insert_many(self.tx, &suggestions).await?;
        written.suggestions += saturating::<u64>(suggestions.len());
        Ok(())
    }

    /// Stores marks as people's work.
    async fn give(
        &self,
        works: Vec<Work>,
        documents: &[Option<DocumentId>],
        written: &mut Written,
    ) -> Result<()> {
        let mut new = Vec::new();
        for (place, group, work) in works {
            let Some(document) = documents.get(group).copied().flatten() else { continue };
            let todo = self.plan.todo.get(place).map_or(&[][..], Vec::as_slice);
            for ((_, spans), todo) in work.into_iter().zip(todo) {
                let Todo::Store(rater, assignment) = *todo else { continue };
                let Some(member) = self.members.get(rater).copied().flatten() else { continue };
                let spans = self.spans(&spans).into_iter().collect();
                new.push(NewWork { document, member, assignment, spans });
            }
        }
        let state = self.order.options.state();
        let filling = Filling { import: self.import, state, now: self.now };
        let filled = match store::document::imports::fill_assignments(self.tx, &new, filling).await
        {
            Err(store::Error::Duplicate(_)) => {
                let why = "one of these assignments was just started; check the preview again";
                return Err(Code::ChangedMeanwhile.of("files", why).into());
            }
            filled => filled?,
        };
        if self.order.options.assign != AssignTo::Nobody {
            for work in &new {
                written.has.entry(work.document).or_default().push(work.member);
            }
        }
        let (mut spans, mut history) = (Vec::new(), Vec::with_capacity(new.len()));
        written.worked += saturating::<u64>(new.len());
        for (work, (assignment, revision)) in new.into_iter().zip(filled) {
            spans.extend(work.spans.iter().map(|span| (assignment, *span)));
            let added = work.spans.into_iter().map(Fact::from).collect();
            history.push(NewVersion {
                pass: Pass { assignment, repeat: None },
                revision,
                at: self.now,
                by: self.by,
                kind: match state {
                    WorkState::Submitted => VersionKind::Submit,
                    WorkState::Open | WorkState::Saved => VersionKind::Save,
                },
                restored: None,
                state,
                delta: Delta { removed: Vec::new(), added },
            });
        }
        written.spans += saturating::<u64>(spans.len());
        Ok(store::document::imports::add_spans(self.tx, &spans, &history).await?)
    }

    /// Marks as the project has them: those whose labels stay out are none, and two that become the
    /// same are one.
    fn spans(&self, imported: &[ImportedSpan]) -> BTreeSet<Span> {
        let span = |one: &ImportedSpan| {
            let range = Range::new(u32::try_from(one.start).ok()?, u32::try_from(one.end).ok()?);
            Some(Span { range, label: *self.labels.get(&one.label)? })
        };
        imported.iter().filter_map(span).collect()
    }
}

/// The works of an entry, with its place and that of its group.
type Work = (usize, usize, Vec<(Option<String>, Vec<ImportedSpan>)>);

fn changed() -> Refusal {
    Code::ChangedMeanwhile.of("files", "the files changed while being read; nothing imported")
}
