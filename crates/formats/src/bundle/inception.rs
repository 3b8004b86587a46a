//! What the export of a project of INCEpTION says beside the work: who is done, and work in zips.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use serde::Deserialize;

use crate::bundle::directory;
use crate::bundle::layout::{Author, Layout, Origin};
use crate::bundle::limits::BundleLimits;
use crate::bundle::source::{open, open_zip};
use crate::import::answer::Answer;
use crate::import::findings::note::{ImportNote, Note, Notes};
use crate::import::limits::{MAX_RECORD_BYTES, count64};
use crate::import::options::ReadOptions;
use crate::problem::Problem;
use crate::problem::bundle::BundleProblem;

/// The file that says how far everybody is.
pub(super) const PROJECT: &str = "exportedproject.json";

/// The state of a document whose curation is not finished.
const CURATING: &str = "CURATION_IN_PROGRESS";

/// How far annotators are with documents, as a project's file has it.
#[derive(Debug, Default)]
pub(super) struct States {
    /// By document and annotator.
    work: HashMap<(String, String), String>,
    /// By document, with how far its curation is.
    documents: HashMap<String, String>,
}

#[derive(Deserialize)]
struct Project {
    #[serde(default)]
    annotation_documents: Vec<AnnotationDocument>,
    #[serde(default)]
    source_documents: Vec<SourceDocument>,
}

#[derive(Deserialize)]
struct SourceDocument {
    name: String,
    state: Option<String>,
}

#[derive(Deserialize)]
struct AnnotationDocument {
    name: String,
    user: String,
    state: Option<String>,
}

impl States {
    /// What a project's file says; nothing where there is none. That it is there and cannot be read is
    /// noted: then all work counts.
    pub(super) fn of(file: Option<&[u8]>, notes: &mut Notes) -> Self {
        let Some(file) = file else { return Self::default() };
        let Ok(project) = serde_json::from_slice::<Project>(file) else {
            let what = "states of work, which cannot be read: all work counts as finished";
            let note = Note::PassedOver(what.to_owned());
            notes.add(ImportNote::new(PROJECT, None, 1, note));
            return Self::default();
        };
        let states = project.annotation_documents.into_iter();
        let work = states.filter_map(|one| Some(((one.name, one.user), one.state?))).collect();
        let documents = project.source_documents.into_iter();
        let documents = documents.filter_map(|one| Some((one.name, one.state?))).collect();
        Self { work, documents }
    }

    /// The origin of a file, which is nobody's judgement where its rater is not done; that is noted.
    pub(super) fn applied(
        &self,
        origin: Origin,
        file: &str,
        options: &ReadOptions,
        notes: &mut Notes,
    ) -> Origin {
        let state = match &origin.author {
            Author::Rater(rater) => self.work.get(&(origin.document.clone(), rater.clone())),
            // A curation that somebody has opened is exported before it is one.
            Author::Nobody => self.documents.get(&origin.document).filter(|it| *it == CURATING),
            Author::Unjudged | Author::PassedOver => None,
        };
        let (counted, note) = match state.map(String::as_str) {
            Some("IN_PROGRESS" | "INPROGRESS" | CURATING) => {
                let answer = Answer::InProgress;
                let counted = options.counts(answer);
                (counted, Note::Answer { answer, counted })
            }
            Some("NEW") => (false, Note::PassedOver("work that is not begun".to_owned())),
            // What INCEpTION shows as locked.
            Some("IGNORE" | "LOCKED") => (false, Note::PassedOver("locked work".to_owned())),
            _ => return origin,
        };
        notes.add(ImportNote::new(file, None, 1, note));
        if counted { origin } else { Origin { author: Author::Unjudged, ..origin } }
    }
}

/// Whether a zip in the zip is the work of somebody, as INCEpTION writes XMI with its types.
pub(super) fn is_zipped_work(layout: Layout, path: &str, folder: usize) -> bool {
    let is_zip = path.rsplit_once('.').is_some_and(|(_, extension)| extension == "zip");
    is_zip
        && layout == Layout::Inception
        && layout.origin(path, folder).author != Author::PassedOver
}

/// The XMI in the zip of somebody's work.
pub(super) fn zipped_xmi(zip: Vec<u8>) -> Result<Vec<u8>, Problem> {
    let (mut zip, limits) = (Cursor::new(zip), BundleLimits::default());
    directory::check(&mut zip, &limits)?;
    let (mut archive, files) = open_zip(zip, &limits).map_err(|(_, problem)| problem)?;
    let is_xmi =
        |path: &str| path.rsplit_once('.').is_some_and(|(_, extension)| extension == "xmi");
    let file = files.iter().find(|file| is_xmi(&file.path)).ok_or(BundleProblem::NothingKnown)?;
    let mut bytes = Vec::new();
    open(&mut archive, file)?.take(count64(MAX_RECORD_BYTES)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
