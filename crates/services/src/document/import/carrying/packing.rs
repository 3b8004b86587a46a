//! The second look at files: what is to be stored comes in batches, so that memory does not grow with the
//! number of documents.

use std::{ops::ControlFlow, sync::Arc};

use domain::Error as Refusal;
use store::document::shelf::Shelved;
use tokio::sync::mpsc;

use super::{
    super::{
        running::Job,
        scan::{Files, Scan},
    },
    parcel::{Packing, Parcel, changed},
};
use crate::document::reading::{FileToRead, ReadDocument, ReadingOptions, read_part};

/// A batch ends with so many documents, characters of text or spans.
const DOCUMENTS: usize = 512;
const TEXT_BYTES: usize = 1024 * 1024;
const SPANS: usize = 8_192;

/// How many batches wait for the database.
const WAITING: usize = 1;

/// A document with its place among the entries.
type Piece = (usize, ReadDocument);

/// The parcels of files that are read a second time.
pub(super) struct Parcels<'a> {
    packing: Packing<'a>,
    batches: mpsc::Receiver<Vec<Piece>>,
    job: &'a Job,
    /// How many entries were read, and how many there have to be.
    read: usize,
    entries: usize,
}

impl<'a> Parcels<'a> {
    /// Begins to read the files again, on a thread that may block.
    pub(super) fn of(
        packing: Packing<'a>,
        (files, scan, options): (&Files, &Scan, ReadingOptions),
        job: &'a Arc<Job>,
    ) -> Self {
        let (sender, batches) = mpsc::channel(WAITING);
        let (files, parts, reader) = (Arc::clone(files), scan.parts.clone(), Arc::clone(job));
        tokio::task::spawn_blocking(move || send(&files, &parts, &options, &reader, &sender));
        Self { packing, batches, job, read: 0, entries: scan.reading.entries.len() }
    }

    /// Of how many documents something has been read.
    pub(super) fn documents(&self) -> u64 {
        self.packing.documents()
    }

    /// The next batch of what is planned; none once all has been read.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Shelved<Parcel>>>, Refusal> {
        let batch = self.batches.recv().await;
        self.job.check()?;
        let Some(batch) = batch else {
            return if self.read == self.entries { Ok(None) } else { Err(changed()) };
        };
        self.read += batch.len();
        let mut parcels = Vec::with_capacity(batch.len());
        for piece in batch {
            parcels.extend(self.packing.pack(piece)?);
        }
        Ok(Some(parcels))
    }
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
        let rows = piece.1.work.iter().map(|work| work.spans.len() + work.answers.len());
        self.spans += rows.sum::<usize>();
        self.pieces.push(piece);
    }

    fn is_full(&self) -> bool {
        self.pieces.len() >= DOCUMENTS || self.bytes >= TEXT_BYTES || self.spans >= SPANS
    }

    fn take_pieces(&mut self) -> Vec<Piece> {
        std::mem::take(self).pieces
    }
}
