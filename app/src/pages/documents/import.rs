//! Adding documents: choose files, see what they would bring, bring it.

use domain::{Error, ImportPreview, ImportSummary, ProjectId};
use leptos::{ev::DragEvent, html, prelude::*, task::spawn_local};
use web_sys::HtmlInputElement;

use crate::{
    ApiError,
    components::{
        field::Problem,
        icon::{Glyph, Icon},
    },
    display,
    pages::documents::{
        preview::{Preview, ProblemTable},
        upload::{Files, Mode, address, files_of, send},
    },
    view::{dynamic, view},
};

/// How far an import has come.
#[derive(Clone, Debug)]
enum Stage {
    /// No files have been chosen.
    Choosing,
    /// The server looks at the files.
    Reading,
    /// The files can be imported, or are wrong.
    Read(ImportPreview),
    /// The files are being imported.
    Importing,
    Imported(ImportSummary),
    Failed(ApiError),
}

/// An import and what moves it on.
#[derive(Clone, Copy)]
struct Process {
    project: Memo<ProjectId>,
    on_import: Callback<()>,
    stage: RwSignal<Stage>,
    files: RwSignal<Files>,
    create_labels: RwSignal<bool>,
    /// The share of the files that has been sent, 0 to 1.
    sent: RwSignal<f64>,
    /// Counts requests: the answer to an older one is not shown any more.
    turn: StoredValue<u32>,
}

impl Process {
    fn new(project: Memo<ProjectId>, on_import: Callback<()>) -> Self {
        Self {
            project,
            on_import,
            stage: RwSignal::new(Stage::Choosing),
            files: RwSignal::new(Vec::new()),
            create_labels: RwSignal::new(true),
            sent: RwSignal::new(0.0),
            turn: StoredValue::new(0),
        }
    }

    /// Takes files and asks what they would bring.
    fn choose(self, files: Files) {
        if files.is_empty() || matches!(self.stage.get_untracked(), Stage::Importing) {
            return;
        }
        self.files.set(files);
        self.preview();
    }

    fn preview(self) {
        self.run(Stage::Reading, &Mode::Preview, Stage::Read);
    }

    fn set_create_labels(self, create_labels: bool) {
        self.create_labels.set(create_labels);
        self.preview();
    }

    fn commit(self, assign: String) {
        self.run(Stage::Importing, &Mode::Commit { assign }, move |summary| {
            self.files.set(Vec::new());
            self.on_import.run(());
            Stage::Imported(summary)
        });
    }

    fn start_over(self) {
        self.turn.update_value(|turn| *turn += 1);
        self.files.set(Vec::new());
        self.stage.set(Stage::Choosing);
    }

    /// Sends the files; shows `meanwhile`, then what became of it.
    fn run<T: serde::de::DeserializeOwned + 'static>(
        self,
        meanwhile: Stage,
        mode: &Mode,
        done: impl FnOnce(T) -> Stage + 'static,
    ) {
        let Self { stage, sent, turn, .. } = self;
        turn.update_value(|turn| *turn += 1);
        let mine = turn.get_value();
        let is_wanted = move || turn.try_get_value() == Some(mine);
        sent.set(0.0);
        stage.set(meanwhile);
        let files = self.files.get_untracked();
        let create_labels = self.create_labels.get_untracked();
        let address = address(self.project.get_untracked(), mode, create_labels);
        spawn_local(async move {
            let answer = send(&address, &files, move |share| {
                if is_wanted() {
                    sent.set(share);
                }
            })
            .await;
            if is_wanted() {
                stage.set(answer.map_or_else(Stage::Failed, done));
            }
        });
    }
}

#[component]
pub(super) fn Import(
    project: Memo<ProjectId>,
    /// Called when documents have been imported.
    on_import: Callback<()>,
) -> impl IntoView {
    let process = Process::new(project, on_import);
    let shown = dynamic(move || match process.stage.get() {
        Stage::Choosing => view! { <DropZone process/> },
        Stage::Reading => view! { <Sending sent=process.sent afterwards="Reading …"/> },
        Stage::Importing => view! { <Sending sent=process.sent afterwards="Saving …"/> },
        Stage::Read(preview) => view! {
            <Preview
                preview
                create_labels=process.create_labels.get_untracked()
                on_create_labels=Callback::new(move |create| process.set_create_labels(create))
                on_commit=Callback::new(move |assign| process.commit(assign))
                on_discard=Callback::new(move |()| process.start_over())
            />
        },
        Stage::Imported(summary) => view! { <Imported summary/> <DropZone process/> },
        Stage::Failed(error) => view! { <Failed error/> <DropZone process/> },
    });
    // What had the focus is gone with the stage that it belonged to.
    let panel = NodeRef::<html::Div>::new();
    Effect::new(move |previous: Option<()>| {
        process.stage.track();
        if let (Some(()), Some(panel)) = (previous, panel.get_untracked()) {
            // It cannot fail for an element in the page.
            drop(panel.focus());
        }
    });
    let news = dynamic(move || process.stage.with(news));
    view! {
        <section class="card" aria-labelledby="import-title">
            <h2 id="import-title">"Add documents"</h2>
            <p class="visually-hidden" role="status">{news}</p>
            <div class="stack" node_ref=panel tabindex="-1">{shown}</div>
        </section>
    }
}

/// What is said to people who do not see the stage change.
fn news(stage: &Stage) -> String {
    match stage {
        Stage::Choosing | Stage::Failed(_) => String::new(),
        Stage::Reading => "Reading the files".to_owned(),
        Stage::Read(preview) if preview.problem_count > 0 => {
            display::count(preview.problem_count, "problem")
        }
        Stage::Read(preview) => {
            let documents = preview.files.iter().map(|file| file.documents).sum();
            format!("{} can be imported", display::count(documents, "document"))
        }
        Stage::Importing => "Importing".to_owned(),
        Stage::Imported(summary) => {
            format!("Imported {}", display::count(summary.documents, "document"))
        }
    }
}

/// Takes files by drop or by the browser's own file dialog.
#[component]
fn DropZone(process: Process) -> impl IntoView {
    let is_over = RwSignal::new(false);
    let on_drop = move |event: DragEvent| {
        event.prevent_default();
        is_over.set(false);
        process.choose(files_of(event.data_transfer().and_then(|data| data.files())));
    };
    let on_change = move |event| {
        let input = event_target::<HtmlInputElement>(&event);
        let files = files_of(input.files());
        // The same file chosen again, after it was mended, is a change again.
        input.set_value("");
        process.choose(files);
    };
    view! {
        <label
            class="drop-zone"
            class:over=is_over
            on:dragover=move |event: DragEvent| {
                event.prevent_default();
                is_over.set(true);
            }
            on:dragleave=move |_| is_over.set(false)
            on:drop=on_drop
        >
            <span><Icon glyph=Glyph::Upload/> " Drop files here, or choose them:"</span>
            <input
                type="file"
                multiple
                accept=".txt,.jsonl,.conll"
                aria-describedby="import-hint"
                on:change=on_change
            />
            <span class="soft" id="import-hint">
                "Plain text (.txt, one document a file), JSON lines (.jsonl, one document a line) or CoNLL-2003 (.conll). You see what they bring before anything is saved."
            </span>
        </label>
    }
}

/// How much has been sent; then what the server does with it.
#[component]
fn Sending(sent: RwSignal<f64>, afterwards: &'static str) -> impl IntoView {
    let text = dynamic(move || {
        let share = sent.get();
        if share < 1.0 {
            format!("Sending: {} %", display::decimals(share * 100.0, 0))
        } else {
            afterwards.to_owned()
        }
    });
    view! {
        <div class="stack tight">
            <progress max="1" prop:value=sent aria-label="Upload"></progress>
            <p class="number" aria-live="off">{text}</p>
        </div>
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
        <Problem refusal=Signal::stored(Some(error))/>
        <ProblemTable problems/>
    }
}
