//! How far an import has come, as the server answers it to people: a piece of the page of
//! documents.

use domain::{Error, ImportPreview, ImportSummary};
use leptos::prelude::*;

use super::{
    import::DropZone,
    preview::{Preview, ProblemTable},
};
use crate::{
    ApiError, display,
    islands::icon::{Glyph, Icon},
    pages::components::field::Problem,
    view::view,
};

/// How far an import has come.
#[derive(Clone, Debug)]
pub enum ImportStage {
    /// The files can be imported, or are wrong.
    Read {
        preview: ImportPreview,
        /// Whether labels that the project does not have are created.
        create_labels: bool,
    },
    /// The files have been imported.
    Imported(ImportSummary),
    /// Nothing has been imported.
    Failed(ApiError),
}

impl ImportStage {
    /// The piece of the page that shows it.
    pub fn into_html(self) -> String {
        Owner::new().with(|| self.into_any().to_html())
    }

    pub(super) fn into_any(self) -> AnyView {
        let news = self.news();
        let shown = match self {
            Self::Read { preview, create_labels } => {
                view! { <Preview preview create_labels/> }
            }
            Self::Imported(summary) => view! { <Imported summary/> <DropZone/> },
            Self::Failed(error) => view! { <Failed error/> <DropZone/> },
        };
        view! { <div class="stack" data-news=news>{shown}</div> }
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
                format!("{} can be imported", display::count(documents, "document"))
            }
            Self::Imported(summary) => {
                format!("Imported {}", display::count(summary.documents, "document"))
            }
        }
    }
}

#[component]
fn Imported(summary: ImportSummary) -> impl IntoView {
    let ImportSummary { documents, suggestions, assignments } = summary;
    let brought =
        [display::count(documents, "document"), display::count(suggestions, "suggestion")]
            .join(", ");
    let assigned = if assignments == 1 {
        "1 copy is assigned.".to_owned()
    } else {
        format!("{} copies are assigned.", display::thousands(assignments))
    };
    view! {
        <p class="notice good">
            <span><Icon glyph=Glyph::Done/> " Imported " {brought} ". " {assigned}</span>
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

#[cfg(test)]
mod tests {
    use domain::ImportProblem;

    use super::*;

    fn summary() -> ImportSummary {
        ImportSummary { documents: 2, suggestions: 1, assignments: 1 }
    }

    #[test]
    fn what_was_imported_is_said_and_more_can_be_chosen() {
        let html = ImportStage::Imported(summary()).into_html();
        assert!(html.contains("data-news=\"Imported 2 documents\""), "{html}");
        assert!(html.contains("1 copy is assigned."), "{html}");
        assert!(html.contains("type=\"file\""), "{html}");
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
        assert!(html.contains("Nothing was imported: 1 error in the files."), "{html}");
    }

    #[test]
    fn files_that_are_wrong_cannot_be_imported() {
        let read = |problem_count| {
            let preview = ImportPreview {
                files: Vec::new(),
                problems: Vec::new(),
                problem_count,
                new_labels: vec!["PER".to_owned()],
            };
            ImportStage::Read { preview, create_labels: false }
        };
        assert!(read(2).news().starts_with("2 problems"));
        assert!(read(2).into_html().contains("<fieldset disabled"));
        assert!(!read(0).into_html().contains("<fieldset disabled"));
    }
}
