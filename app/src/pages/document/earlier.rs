//! What was imported before: when, by whom, what it brought, and the way to undo it.

use domain::{ImportRecord, ImportState, ImportSummary, ProjectId};

use crate::{api::document::UndoImport, pages::components::prelude::*};

/// The project's latest imports, if there are any.
#[component]
pub(super) fn Earlier(project: ProjectId, imports: Vec<ImportRecord>) -> impl IntoView {
    if imports.is_empty() {
        return ().into_any();
    }
    let (undo, refused) = form_action::<UndoImport>();
    let rows = imports
        .into_iter()
        .map(|record| {
            let undoing = (record.state == ImportState::Done).then(|| {
                let label = format!("Undo the import of {}", files(&record));
                view! {
                    <ActionForm action=undo>
                        {hidden_fields([("project", &project), ("import", &record.id)])}
                        <button class="small" aria-label=label>"Undo"</button>
                    </ActionForm>
                }
            });
            let (sign, word, class) = state(record.state);
            view! {
                <tr>
                    <th scope="row" class="import-files" dir="auto">{files(&record)}</th>
                    <td class="time"><Moment at=record.made_at/></td>
                    <td dir="auto">{record.made_by.clone().unwrap_or_else(|| "command line".to_owned())}</td>
                    <td>
                        <span class=format!("badge {class}")>
                            <span aria-hidden="true">{sign}</span>{word}
                        </span>
                    </td>
                    <td>{brought(&record)}</td>
                    <td class="tools">{undoing}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <Section title_id="imports-title" title="Earlier imports">
            <Problem refusal=refused/>
            <Table labelled_by="imports-title">
                {heads([Text("Files"), Text("When"), Text("By"), Text("State"), Text("Contents"), Hidden("Undo")])}
                <tbody>{rows}</tbody>
            </Table>
        </Section>
    }
    .into_any()
}

const fn state(state: ImportState) -> (&'static str, &'static str, &'static str) {
    match state {
        ImportState::Running => ("○", "running", "soft"),
        ImportState::Done => ("✓", "imported", "good"),
        ImportState::Failed => ("■", "refused", "danger"),
        ImportState::Cancelled => ("–", "cancelled", "soft"),
        ImportState::Undone => ("↶", "undone", "soft"),
    }
}

/// "a.jsonl", "a.jsonl and 3 more".
fn files(record: &ImportRecord) -> String {
    let first = record.files.first().map_or("no file", String::as_str);
    match record.file_count {
        0 | 1 => first.to_owned(),
        count => format!("{first} and {} more", display::thousands(count - 1)),
    }
}

/// "12 documents, 24 assignments with 310 spans", or why it brought nothing.
fn brought(record: &ImportRecord) -> String {
    let Some(summary) = &record.summary else {
        return record.error.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
    };
    let ImportSummary { documents, suggestions, worked, spans, placeholders, labels, .. } =
        *summary;
    let mut parts = vec![display::count(documents, "document")];
    if suggestions > 0 {
        parts.push(display::count(suggestions, "suggestion"));
    }
    if worked > 0 {
        let spans = display::count(spans, "span");
        parts.push(format!("{} with {spans}", display::count(worked, "assignment")));
    }
    if summary.model_documents > 0 {
        let documents = display::count(summary.model_documents, "document");
        parts.push(format!("work of models on {documents}"));
    }
    let (questions, answers) = (summary.questions, summary.answers);
    for (count, noun) in
        [(answers, "answer"), (placeholders, "labeler"), (labels, "label"), (questions, "question")]
    {
        if count > 0 {
            parts.push(display::count(count, noun));
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use domain::{Code, ImportAs, ImportChanges, ImportId};

    use super::*;

    fn record() -> ImportRecord {
        ImportRecord {
            id: ImportId(3),
            state: ImportState::Done,
            is_decided: false,
            import_as: ImportAs::Work,
            made_by: None,
            made_at: DateTime::UNIX_EPOCH,
            ended_at: None,
            files: vec!["a.jsonl".to_owned()],
            file_count: 1,
            progress: None,
            summary: None,
            error: None,
        }
    }

    #[test]
    fn files_are_told_by_the_first_of_them() {
        assert_eq!(files(&record()), "a.jsonl");
        assert_eq!(
            files(&ImportRecord { file_count: 1_201, ..record() }),
            "a.jsonl and 1,200 more"
        );
    }

    #[test]
    fn what_an_import_brought_is_told_without_what_it_did_not() {
        let summary = ImportSummary {
            import: ImportId(3),
            documents: 12,
            suggestions: 0,
            assignments: 0,
            model_documents: 0,
            worked: 1,
            spans: 310,
            placeholders: 2,
            labels: 0,
            questions: 0,
            answers: 0,
            changes: ImportChanges::default(),
        };
        let record = ImportRecord { summary: Some(summary), ..record() };
        assert_eq!(brought(&record), "12 documents, 1 assignment with 310 spans, 2 labelers");
    }

    #[test]
    fn what_brought_nothing_says_why() {
        assert_eq!(brought(&record()), "nothing");
        let error = Some(Code::Interrupted.because("the server stopped"));
        assert!(brought(&ImportRecord { error, ..record() }).contains("the server stopped"));
    }
}
