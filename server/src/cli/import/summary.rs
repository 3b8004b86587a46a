//! What an import has brought, or would bring, in words.

use domain::{ImportPreview, ImportSummary, PersonChoice};

/// What it has brought.
pub(super) fn summary(summary: &ImportSummary) -> String {
    let ImportSummary {
        import, documents, suggestions, worked, spans, placeholders, labels, ..
    } = summary;
    format!(
        "Imported {}, {}, {worked} assignments with {}; {} and {} added. Import number {import}.",
        count(*documents, "document"),
        count(*suggestions, "suggestion"),
        count(*spans, "span"),
        count(*placeholders, "labeler"),
        count(*labels, "label"),
    )
}

/// What it would bring.
pub(super) fn preview(preview: &ImportPreview) -> String {
    let documents: u64 = preview.files.iter().map(|file| file.documents).sum();
    let spans: u64 = preview.files.iter().map(|file| file.spans).sum();
    let mut lines = vec![format!(
        "{} with {} in {}.",
        count(documents, "document"),
        count(spans, "span"),
        domain::count(preview.files.len(), "file")
    )];
    if let Some(work) = &preview.work {
        for person in &work.people {
            let whose = match &person.choice {
                PersonChoice::Member(id) => format!("member {id}"),
                PersonChoice::Email(address) => address.clone(),
                PersonChoice::Placeholder => "a new labeler".to_owned(),
                PersonChoice::LeaveOut => "left out".to_owned(),
            };
            let (documents, spans) = (person.documents, person.spans);
            lines.push(format!(
                "{}: {}, {}: {whose}",
                person.name,
                count(documents, "document"),
                count(spans, "span")
            ));
        }
        let changes = work.changes;
        lines.push(format!(
            "Assignments: {} new, {} the same, {} kept, {} refused.",
            changes.new, changes.same, changes.kept, changes.refused
        ));
        lines.extend(work.notes.iter().cloned());
    }
    lines.extend(preview.files.iter().flat_map(|file| file.notes.iter().cloned()));
    lines.join("\n")
}

/// So many of something, in words.
fn count(n: u64, noun: &str) -> String {
    domain::count(usize::try_from(n).unwrap_or(usize::MAX), noun)
}
