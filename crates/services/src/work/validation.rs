//! Whether an assignment is fit to be handed in: its spans within the limits of their labels, and a choice of
//! every required attribute on each; and whether a review has all answers that are required.

use std::{collections::BTreeSet, fmt::Write};

use domain::{
    Code, DocumentId, Error as Refusal, Fact, Label, LabelDetail, LabelId, ProjectId, Span,
    base::text, breaches, chosen_on, count,
};
use store::{Tx, work::assignments::Assignment};

use crate::{Result, work::assignment_updates::spans_of};

/// How many problems are told; the first of them are enough to begin with.
const TOLD: usize = 20;

/// How much of a span's text is quoted.
const QUOTE: usize = 40;

/// Refuses an assignment that is not fit, with what is wrong where.
pub(crate) async fn check(tx: &Tx, assignment: &Assignment, facts: &BTreeSet<Fact>) -> Result<()> {
    let details = store::project::label_details::list(tx, assignment.project).await?;
    refuse(tx, assignment.document, problems(&details, facts)).await
}

/// Refuses the end of a review of a document in which something that is required has no answer: which labels
/// stand where is for the reviewer to decide, whatever limits say.
pub(crate) async fn check_answers(
    tx: &Tx,
    (project, document): (ProjectId, DocumentId),
    facts: &BTreeSet<Fact>,
) -> Result<()> {
    let details = store::project::label_details::list(tx, project).await?;
    let mut found = unanswered(&details, facts);
    found.sort();
    refuse(tx, document, found).await
}

async fn refuse(tx: &Tx, document: DocumentId, found: Vec<Problem>) -> Result<()> {
    let Some(first) = found.first() else { return Ok(()) };
    let range = first.at().range;
    let document = store::document::find(tx, document).await?.ok_or(Refusal::NotFound)?;
    let labels = store::project::labels::list(tx, document.project).await?;
    let what = format!("{} to fix before submitting:", count(found.len(), "thing"));
    let words = Words { labels: &labels, text: &document.text };
    let lines = found.iter().take(TOLD).map(|problem| words.of(problem));
    let more = found.len().saturating_sub(TOLD);
    let more = (more > 0).then(|| format!("and {more} more"));
    let lines: Vec<String> = std::iter::once(what).chain(lines).chain(more).collect();
    let field = format!("spans.{}-{}", range.start, range.end);
    Err(Code::RulesBroken.of(field, lines.join("\n")).into())
}

/// What is not as it has to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Problem {
    /// Two spans may not be there together.
    Together(Span, Span),
    /// An attribute, by name, has no choice.
    Unanswered(Span, String),
}

impl Problem {
    const fn at(&self) -> Span {
        match self {
            Self::Together(span, _) | Self::Unanswered(span, _) => *span,
        }
    }
}

/// What is wrong with these facts, in order of position.
fn problems(details: &[LabelDetail], facts: &BTreeSet<Fact>) -> Vec<Problem> {
    let mut found = unanswered(details, facts);
    let breaches = breaches(details, spans_of(facts)).into_iter();
    found.extend(breaches.map(|(one, other)| Problem::Together(one, other)));
    found.sort_by(|one, other| (one.at(), one).cmp(&(other.at(), other)));
    found
}

/// What is required and has no answer.
fn unanswered(details: &[LabelDetail], facts: &BTreeSet<Fact>) -> Vec<Problem> {
    let spans = spans_of(facts);
    let mut found: Vec<Problem> = Vec::new();
    for detail in details {
        let required: Vec<_> =
            detail.attributes.iter().filter(|it| it.required && it.offered).collect();
        if required.is_empty() {
            continue;
        }
        let of_label = spans.iter().copied().filter(|span| span.label == detail.id);
        let document = (detail.id == LabelId::DOCUMENT).then_some(Span::DOCUMENT);
        for span in document.into_iter().chain(of_label) {
            let chosen = chosen_on(facts, span);
            let is_open =
                |id| !chosen.iter().any(|it| it.choice.is_some_and(|c| c.attribute == id));
            let open = required.iter().filter(|attribute| is_open(attribute.id));
            found.extend(open.map(|it| Problem::Unanswered(span, it.name.clone())));
        }
    }
    found
}

/// Says problems in words.
struct Words<'a> {
    labels: &'a [Label],
    text: &'a str,
}

impl Words<'_> {
    fn of(&self, problem: &Problem) -> String {
        match problem {
            Problem::Together(one, other) => {
                format!("{} and {} cannot overlap here", self.span(*one), self.span(*other))
            }
            Problem::Unanswered(Span::DOCUMENT, name) => format!("The document: answer {name}"),
            Problem::Unanswered(span, name) => {
                format!("{}: answer {name}", self.span(*span))
            }
        }
    }

    /// A span by label, words and position.
    fn span(&self, span: Span) -> String {
        let words = text::slice(self.text, span.range);
        let mut quote: String = words.chars().take(QUOTE).collect();
        if quote.len() < words.len() {
            quote.push('…');
        }
        let mut shown = self.name(span.label).to_owned();
        // It cannot fail for a string.
        let _ = write!(shown, " \"{quote}\" ({} to {})", span.range.start, span.range.end);
        shown
    }

    fn name(&self, id: LabelId) -> &str {
        let found = self.labels.iter().find(|label| label.id == id);
        found.map_or("?", |label| label.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use domain::{AnswerKind, Attribute, AttributeId, Limits};

    use super::*;

    fn details() -> Vec<LabelDetail> {
        let attribute = |id, required, offered| Attribute {
            id: AttributeId(id),
            label: LabelId(1),
            name: format!("attribute {id}"),
            required,
            offered,
            answers: AnswerKind::One,
            choices: vec![],
        };
        let attributes =
            vec![attribute(1, true, true), attribute(2, false, true), attribute(3, true, false)];
        let limits = Limits { crosses_own: false, ..Limits::default() };
        vec![LabelDetail { id: LabelId(1), limits, attributes, ..LabelDetail::default() }]
    }

    #[test]
    fn what_is_required_and_still_asked_needs_a_choice_on_every_span() {
        let (one, two) = (Span::new(0, 5, LabelId(1)), Span::new(3, 8, LabelId(1)));
        let other = Span::new(4, 9, LabelId(2));
        let mut facts: BTreeSet<Fact> = [one, two, other].map(Fact::from).into();
        facts.insert(Fact::chosen(two, AttributeId(1), 0));
        let unanswered = Problem::Unanswered(one, "attribute 1".to_owned());
        assert_eq!(problems(&details(), &facts), [Problem::Together(one, two), unanswered]);
        facts.remove(&two.into());
        facts.insert(Fact::chosen(one, AttributeId(1), 1));
        assert_eq!(problems(&details(), &facts), []);
        let [mut of_document] = <[LabelDetail; 1]>::try_from(details()).unwrap();
        of_document.id = LabelId::DOCUMENT;
        let unanswered = Problem::Unanswered(Span::DOCUMENT, "attribute 1".to_owned());
        assert_eq!(problems(std::slice::from_ref(&of_document), &facts), [unanswered]);
        facts.insert(Fact::chosen(Span::DOCUMENT, AttributeId(1), 0));
        assert_eq!(problems(&[of_document], &facts), []);
    }
}
