//! What chosen files would bring, what is wrong with them, and the choices before importing them.

use domain::{FilePreview, ImportAs, ImportPreview, ImportProblem, QuestionPreview};
use services::document::import::ImportOptions;

use super::{
    import_work::{LabelChoices, WhoseWork, WorkChoices},
    reading::ReadingChoices,
};
use crate::pages::components::prelude::*;

#[component]
pub(super) fn Preview(
    preview: ImportPreview,
    /// What was chosen so far.
    options: ImportOptions,
) -> impl IntoView {
    let ImportPreview { files, problems, problem_count, new_labels, labels, questions, work } =
        preview;
    let create_labels = options.create_labels;
    let is_work = options.import_as == ImportAs::Work;
    let documents = files.iter().map(|file| file.documents).sum::<u64>();
    let more_problems = problem_count.saturating_sub(u64::try_from(problems.len()).unwrap_or(0));
    let is_wrong = problem_count > 0;
    let trouble = is_wrong.then(|| {
        view! {
            <p class="notice danger">
                {display::count(problem_count, "problem")}
                ". Fix the files or change the choices below."
            </p>
            <ProblemTable problems/>
            {(more_problems > 0)
                .then(|| view! { <p class="soft">"… and " {display::thousands(more_problems)} " more."</p> })}
        }
    });
    let missing = (!new_labels.is_empty()).then(|| {
        let names = new_labels
            .into_iter()
            .map(|name| view! { <li class="chip"><bdi>{name}</bdi></li> })
            .collect_view();
        view! {
            <fieldset class="stack">
                <legend>"New labels"</legend>
                <ul class="plain-list row">{names}</ul>
                <Check name="create_labels" checked=create_labels>"Create these labels"</Check>
            </fieldset>
        }
    });
    view! {
        <FileTable files/>
        {trouble}
        <ReadingChoices chosen=options.files.clone()/>
        <WhoseWork options=options.clone()/>
        {work.map(|work| view! { <WorkChoices work options/> })}
        {missing}
        <LabelChoices labels/>
        {(!questions.is_empty()).then(|| view! { <QuestionTable questions/> })}
        <form class="stack">
            <fieldset class="stack tight" disabled=is_wrong>
                <legend>"Assign new documents to"</legend>
                <Check kind="radio" name="assign" value="everyone" checked=!is_work>"Every labeler, including later ones"</Check>
                <Check kind="radio" name="assign" value="nobody" checked=is_work>{if is_work { "Only the people whose work it is" } else { "Nobody yet" }}</Check>
                <div class="check">
                    <input type="radio" name="assign" value="some" id="assign-some"/>
                    <label for="assign-some">"This many labelers per document, evenly: "</label>
                    <input
                        class="short"
                        type="number"
                        name="labelers"
                        value="2"
                        min="1"
                        max="1000"
                        required
                        aria-label="Labelers per document"
                    />
                </div>
            </fieldset>
            <div class="row">
                <button class="primary" disabled=is_wrong || documents == 0>
                    {if is_work { "Import work".to_owned() } else { format!("Import {}", display::count(documents, "document")) }}
                </button>
                <button type="button" class="start-over">"Choose other files"</button>
            </div>
        </form>
    }
}

/// A row for each file, with the beginning of its first documents.
#[component]
fn FileTable(files: Vec<FilePreview>) -> impl IntoView {
    let rows = files.into_iter().map(|file| view! { <FileRow file/> }).collect_view();
    view! {
        <Table label="Files">
            {heads([
                Text("File"), Text("Kind"), Number("Documents"), Number("Characters"),
                Number("Spans"), Text("Begins with"),
            ])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

#[component]
fn FileRow(file: FilePreview) -> impl IntoView {
    let FilePreview { name, format, documents, characters, spans, samples, notes } = file;
    let notes = notes.into_iter().map(|note| view! { <li class="soft" dir="auto">{note}</li> });
    let notes = notes.collect_view();
    let samples = samples
        .into_iter()
        .map(|(name, text)| {
            view! {
                <li class="sample">
                    <bdi class="soft">{name}</bdi>
                    " "
                    <q dir="auto">{text}</q>
                </li>
            }
        })
        .collect_view();
    view! {
        <tr>
            <th scope="row" dir="auto">{name}</th>
            <td>{format.unwrap_or_else(|| "unknown".to_owned())}</td>
            <td class="number">{display::thousands(documents)}</td>
            <td class="number">{display::thousands(characters)}</td>
            <td class="number">{display::thousands(spans)}</td>
            <td><ul class="plain-list samples">{samples}{notes}</ul></td>
        </tr>
    }
}

/// A row for each question, with how often it is answered how.
#[component]
fn QuestionTable(questions: Vec<QuestionPreview>) -> impl IntoView {
    let rows = questions
        .into_iter()
        .map(|QuestionPreview { label, name, is_new, answers, left_out }| {
            let becomes = match (left_out, is_new) {
                (Some(why), _) => format!("Left out: {why}"),
                (None, true) => "New question".to_owned(),
                (None, false) => "Question of the project".to_owned(),
            };
            let answers = answers
                .into_iter()
                .map(|(words, count)| {
                    view! { <li><bdi>{words}</bdi>" "<span class="soft">{display::thousands(count)}</span></li> }
                })
                .collect_view();
            view! {
                <tr>
                    <th scope="row" dir="auto">{name}</th>
                    <td><bdi>{label.unwrap_or_else(|| "Documents".to_owned())}</bdi></td>
                    <td>{becomes}</td>
                    <td><ul class="plain-list">{answers}</ul></td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <Table label="Questions">
            {heads([Text("Question"), Text("About"), Text("Becomes"), Text("Answers")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

/// What is wrong with the files, and where; nothing if nothing is.
#[component]
pub(crate) fn ProblemTable(problems: Vec<ImportProblem>) -> impl IntoView {
    let rows = problems
        .into_iter()
        .map(|ImportProblem { file, line, field, message }| {
            view! {
                <tr>
                    <td dir="auto">{file}</td>
                    <td class="number">{line.map(display::thousands)}</td>
                    <td>{field.map(|field| view! { <code>{field}</code> })}</td>
                    <td dir="auto">{message}</td>
                </tr>
            }
        })
        .collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <div class="scroll-x problems" tabindex="0" role="region" aria-label="Problems">
                <table class="rows">
                    {heads([Text("File"), Number("Line"), Text("Field"), Text("Problem")])}
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
    })
}
