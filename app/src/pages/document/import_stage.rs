//! How far an import has come, as the server answers it to people: a piece of the page of
//! documents.

use domain::{
    Error, ImportId, ImportPreview, ImportProgress, ImportRecord, ImportState, ImportSummary,
    ProjectId,
};
use services::document::import::ImportOptions;

use super::preview::{Preview, ProblemTable};
use crate::{
    islands::icon::{Glyph, Icon},
    pages::components::prelude::*,
};

/// How far an import has come.
#[derive(Clone, Debug)]
pub enum ImportStage {
    /// The files can be imported, or are wrong.
    Read { preview: Box<ImportPreview>, options: Box<ImportOptions> },
    /// The files are being imported.
    Running {
        project: ProjectId,
        import: ImportId,
        progress: Option<ImportProgress>,
        /// Whether it is certain to come, and cannot be cancelled any more.
        is_decided: bool,
    },
    /// The files have been imported.
    Imported { project: ProjectId, summary: ImportSummary },
    /// Nothing has been imported.
    Failed(ApiError),
    /// Somebody has stopped it.
    Cancelled,
    /// What was imported is gone again.
    Undone,
}

impl ImportStage {
    /// The piece of the page that shows it.
    pub fn into_html(self) -> String {
        Owner::new().with(|| self.into_any().to_html())
    }

    /// An import that has just begun.
    pub const fn started(project: ProjectId, import: ImportId) -> Self {
        Self::Running { project, import, progress: None, is_decided: false }
    }

    /// How far an import has come.
    pub fn of(project: ProjectId, record: ImportRecord) -> Self {
        match (record.state, record.summary) {
            (ImportState::Running, _) => Self::Running {
                project,
                import: record.id,
                progress: record.progress,
                is_decided: record.is_decided,
            },
            (ImportState::Done, Some(summary)) => Self::Imported { project, summary },
            (ImportState::Undone, _) => Self::Undone,
            (ImportState::Cancelled, _) => Self::Cancelled,
            (ImportState::Done | ImportState::Failed, _) => {
                let broken = || Error::Internal { incident: "the import".to_owned() };
                Self::Failed(record.error.unwrap_or_else(broken).into())
            }
        }
    }

    pub(super) fn into_any(self) -> AnyView {
        let news = self.news();
        let follow = match &self {
            Self::Running { project, import, .. } => Some(address(*project, *import)),
            _ => None,
        };
        let shown = match self {
            Self::Read { preview, options } => {
                view! { <Preview preview=*preview options=*options/> }
            }
            Self::Running { project, import, progress, is_decided } => {
                view! { <Running address=address(project, import) progress is_decided/> }
            }
            Self::Imported { project, summary } => {
                let address = address(project, summary.import);
                view! { <Imported summary address/> <DropZone/> }
            }
            Self::Failed(error) => view! { <Failed error/> <DropZone/> },
            Self::Cancelled => {
                view! { <p class="notice warn">"Import cancelled. Nothing was saved."</p> <DropZone/> }
            }
            Self::Undone => {
                view! { <p class="notice good">"Import undone. Everything it added is gone."</p> <DropZone/> }
            }
        };
        view! { <div class="stack" data-news=news data-follow=follow>{shown}</div> }
    }

    /// What is said to people who do not see the stage change; a failure says itself.
    fn news(&self) -> String {
        match self {
            Self::Failed(_) => String::new(),
            Self::Read { preview, .. } if preview.problem_count > 0 => {
                display::count(preview.problem_count, "problem")
            }
            Self::Read { preview, .. } => {
                let documents = preview.files.iter().map(|file| file.documents).sum();
                format!("{} ready to import", display::count(documents, "document"))
            }
            Self::Running { .. } => "Importing".to_owned(),
            Self::Imported { summary, .. } => {
                format!("Imported {}", display::count(summary.documents, "document"))
            }
            Self::Cancelled => "Import cancelled".to_owned(),
            Self::Undone => "Import undone".to_owned(),
        }
    }
}

/// Where to ask for an import.
fn address(project: ProjectId, import: ImportId) -> String {
    format!("/api/v1/projects/{project}/imports/{import}")
}

/// How far an import has come, and the way to stop it.
#[component]
fn Running(address: String, progress: Option<ImportProgress>, is_decided: bool) -> impl IntoView {
    let ImportProgress { read, stored, all_read } = progress.unwrap_or_default();
    let told = if all_read || is_decided {
        let step = if is_decided { "Saving" } else { "Preparing" };
        format!("{step}: {} of {}", display::thousands(stored), display::count(read, "document"))
    } else {
        format!("Reading: {}", display::count(read, "document"))
    };
    let (most, value) = (read.max(1), if all_read { stored } else { 0 });
    view! {
        <div class="stack tight">
            <progress max=most value=value aria-label="Import"></progress>
            <p class="number" aria-live="off">{told}</p>
            {(!is_decided).then(|| view! {
                <button type="button" data-post=format!("{address}/cancel")>"Cancel"</button>
            })}
        </div>
    }
}

#[component]
fn Imported(summary: ImportSummary, address: String) -> impl IntoView {
    let ImportSummary { documents, suggestions, assignments, worked, spans, placeholders, .. } =
        summary;
    let of_models = summary.model_documents;
    let mut brought = vec![display::count(documents, "document")];
    if worked == 0 && of_models == 0 {
        brought.push(display::count(suggestions, "suggestion"));
    } else {
        if worked > 0 {
            brought.push(format!("work on {}", display::count(worked, "assignment")));
        }
        if of_models > 0 {
            brought.push(format!("work of models on {}", display::count(of_models, "document")));
        }
        brought.push(display::count(spans, "span"));
        if summary.answers > 0 {
            brought.push(display::count(summary.answers, "answer"));
        }
    }
    let assigned = match assignments {
        0 => "Not assigned yet.".to_owned(),
        n => format!("{} created.", display::count(n, "assignment")),
    };
    let unclaimed = (placeholders > 0)
        .then(|| format!(" {} added, not yet claimed.", display::count(placeholders, "labeler")));
    view! {
        <p class="notice good">
            <span>
                <Icon glyph=Glyph::Done/> " Imported " {brought.join(", ")} ". " {assigned} {unclaimed}
            </span>
            <button type="button" data-post=format!("{address}/undo")>"Undo import"</button>
        </p>
    }
}

#[component]
fn Failed(error: ApiError) -> impl IntoView {
    let problems = match &error {
        ApiError::App(Error::InvalidImport(problems)) => problems.clone(),
        _ => Vec::new(),
    };
    view! {
        <Problem refusal=Some(error)/>
        <ProblemTable problems/>
    }
}

/// Takes files by drop or by the browser's own file dialog.
#[component]
pub(super) fn DropZone() -> impl IntoView {
    view! {
        <label class="drop-zone">
            <span><Icon glyph=Glyph::Upload/> " Drop files here, or choose them:"</span>
            <input
                type="file"
                multiple
                aria-describedby="import-hint"
            />
            <span class="soft" id="import-hint">
                "Plain text, JSON Lines, CoNLL, a table of spans, a zip, or exports of brat, INCEpTION, WebAnno, doccano, Label Studio, Prodigy, spaCy or Datasaur. Nothing is saved before you confirm the preview."
            </span>
        </label>
    }
}

#[cfg(test)]
mod tests {
    use domain::ImportProblem;

    use super::*;

    fn imported(worked: u64) -> String {
        let summary = ImportSummary {
            import: ImportId(9),
            documents: 2,
            suggestions: 1,
            assignments: 1,
            worked,
            model_documents: 0,
            spans: 5,
            placeholders: worked,
            labels: 0,
            questions: 0,
            answers: 0,
            changes: domain::ImportChanges::default(),
        };
        ImportStage::Imported { project: ProjectId(4), summary }.into_html()
    }

    #[test]
    fn what_was_imported_is_said_and_more_can_be_chosen() {
        let html = imported(0);
        assert!(html.contains("data-news=\"Imported 2 documents\""), "{html}");
        assert!(html.contains("1 assignment created."), "{html}");
        assert!(html.contains("type=\"file\""), "{html}");
        assert!(html.contains("/api/v1/projects/4/imports/9/undo"), "{html}");
        let work = imported(3);
        assert!(work.contains("work on 3 assignments"), "{work}");
        assert!(work.contains("3 labelers added, not yet claimed."), "{work}");
    }

    #[test]
    fn an_import_that_runs_is_followed_and_can_be_stopped() {
        let progress = ImportProgress { read: 40, stored: 10, all_read: true };
        let (project, import) = (ProjectId(4), ImportId(9));
        let running = |is_decided| {
            let progress = Some(progress);
            ImportStage::Running { project, import, progress, is_decided }.into_html()
        };
        let html = running(false);
        assert!(html.contains("data-follow=\"/api/v1/projects/4/imports/9\""), "{html}");
        assert!(html.contains("Preparing: 10 of 40 documents"), "{html}");
        assert!(html.contains("/api/v1/projects/4/imports/9/cancel"), "{html}");
        let decided = running(true);
        assert!(decided.contains("Saving: 10 of 40 documents"), "{decided}");
        assert!(!decided.contains("/cancel"), "{decided}");
    }

    #[test]
    fn names_and_texts_of_files_are_text_in_the_page() {
        let problem = ImportProblem {
            file: "<b>.txt".to_owned(),
            line: Some(3),
            field: Some("label".to_owned()),
            message: "not <i>".to_owned(),
        };
        let error = ApiError::App(Error::InvalidImport(vec![problem]));
        let html = ImportStage::Failed(error).into_html();
        assert!(html.contains("&lt;b&gt;.txt") && html.contains("not &lt;i&gt;"), "{html}");
        assert!(!html.contains("<b>") && !html.contains("<i>"), "{html}");
        assert!(html.contains("Nothing imported: 1 error in the files."), "{html}");
    }

    #[test]
    fn files_that_are_wrong_cannot_be_imported() {
        let read = |problem_count| {
            let preview = ImportPreview {
                files: Vec::new(),
                problems: Vec::new(),
                problem_count,
                new_labels: vec!["PER".to_owned()],
                labels: Vec::new(),
                questions: Vec::new(),
                work: None,
            };
            ImportStage::Read { preview: Box::new(preview), options: Box::default() }
        };
        assert!(read(2).news().starts_with("2 problems"));
        assert!(read(2).into_html().contains("<fieldset disabled"));
        assert!(!read(0).into_html().contains("<fieldset disabled"));
    }
}
