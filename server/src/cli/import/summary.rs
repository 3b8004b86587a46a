//! What an import has brought, or would bring, in words.

use domain::{ImportPreview, ImportSummary, PersonChoice, RaterFiles};

/// What it has brought.
pub(super) fn summary(summary: &ImportSummary) -> String {
    let ImportSummary {
        import,
        documents,
        suggestions,
        worked,
        model_documents,
        spans,
        placeholders,
        labels,
        questions,
        answers,
        ..
    } = summary;
    let of_models = match model_documents {
        0 => String::new(),
        n => format!(" and {} of models", count(*n, "document")),
    };
    let answers = match answers {
        0 => String::new(),
        n => format!(" and {}", count(*n, "answer")),
    };
    let questions = match questions {
        0 => String::new(),
        n => format!(", {}", count(*n, "question")),
    };
    format!(
        "Imported {}, {}, {worked} assignments{of_models} with {}{answers}; {}{questions} and {} \
         added. Import number {import}.",
        count(*documents, "document"),
        count(*suggestions, "suggestion"),
        count(*spans, "span"),
        count(*placeholders, "labeler"),
        count(*labels, "label"),
    )
}

/// What it would bring.
pub(super) fn preview(preview: &ImportPreview) -> String {
    let in_files = || preview.files.iter().map(|file| file.documents).sum();
    // The work of several people on a document is one document.
    let changes = preview.work.as_ref().map(|work| work.changes);
    let documents = changes.map_or_else(in_files, |it| it.new_documents + it.known_documents);
    let spans: u64 = preview.files.iter().map(|file| file.spans).sum();
    let notes = preview.work.iter().flat_map(|work| work.notes.iter().cloned());
    let mut lines: Vec<String> = notes.collect();
    lines.push(format!(
        "{} with {} in {}.",
        count(documents, "document"),
        count(spans, "span"),
        domain::count(preview.files.len(), "file")
    ));
    if let Some(work) = &preview.work {
        lines.push(format!("Names: {}.", work.raters_from));
        for person in &work.people {
            let whose = match &person.choice {
                PersonChoice::Member(id) => format!("member {id}"),
                PersonChoice::Email(address) => address.clone(),
                PersonChoice::Placeholder => "a new labeler".to_owned(),
                PersonChoice::Model { name, version } => format!("model {name} {version}"),
                PersonChoice::LeaveOut => "left out".to_owned(),
            };
            let RaterFiles { name, documents, spans, .. } = &person.from;
            lines.push(format!(
                "{name} ← {}: {}, {}: {whose}",
                person.from.in_words(),
                count(*documents, "document"),
                count(*spans, "span")
            ));
        }
        let changes = work.changes;
        lines.push(format!(
            "Assignments: {} new, {} the same, {} kept, {} refused.",
            changes.new, changes.same, changes.kept, changes.refused
        ));
    }
    for question in &preview.questions {
        let answers = question.answers.iter().map(|(words, count)| format!("{words} ({count})"));
        let said = match &question.left_out {
            Some(why) => format!("left out: {why}"),
            None => answers.collect::<Vec<_>>().join(", "),
        };
        let label = question.label.as_ref();
        lines.push(format!(
            "{} question \"{}\"{}: {said}",
            if question.is_new { "New" } else { "Known" },
            question.name,
            label.map(|label| format!(" about {label}")).unwrap_or_default(),
        ));
    }
    lines.extend(preview.files.iter().flat_map(|file| file.notes.iter().cloned()));
    lines.join("\n")
}

/// So many of something, in words.
fn count(n: u64, noun: &str) -> String {
    domain::count(usize::try_from(n).unwrap_or(usize::MAX), noun)
}
