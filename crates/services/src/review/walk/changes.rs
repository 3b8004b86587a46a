//! What a decision on the walk changes, document by document.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use domain::{
    Answer, AnswerKind, Attribute, Choice, Code, DecidedAnswer, Decision, DocumentId,
    Error as Refusal, Fact, GroupChoice, LabelSet, MemberId, Position, Role, SeenPosition, Span,
    Verdict, WalkDecision,
};
use live::DocumentWork;

use super::about::About;
use crate::{
    Result,
    review::{Answered, DocumentChange},
};

pub(super) const MOVED_ON: &str = "a review has changed since this page was loaded, so nothing was \
                                    decided; check it again";

/// What the command changes. Of a group, what is not chosen stays as it is unless it is to be rejected; a
/// decision that is there already stays with its reason.
pub(super) fn changes(
    about: &About,
    reviewer: MemberId,
    command: &WalkDecision,
    now: DateTime<Utc>,
) -> Result<Vec<DocumentChange>> {
    let mut documents: BTreeMap<DocumentId, DocumentChange> = BTreeMap::new();
    let is_of_one = command.seen.len() == 1;
    for SeenPosition { position, base } in command.seen.iter().copied() {
        let Position { document, range } = position;
        let wanted = match &command.choice {
            Choice::Give(labels) => Some(labels.clone()),
            Choice::Choose(GroupChoice { answer, reject_others }) => match answer.0.get(&range) {
                Some(labels) => Some(labels.clone()),
                None if *reject_others => Some(LabelSet::EMPTY),
                None => continue,
            },
            Choice::TakeBack => {
                // Of a group, some may be undecided.
                if about.own(reviewer, position).is_none() && !is_of_one {
                    continue;
                }
                None
            }
            Choice::Write(number) => Some(written(about, number)?),
        };
        let change =
            documents.entry(document).or_insert_with(|| DocumentChange::new(document, Some(base)));
        if change.base != Some(base) {
            return Err(Code::ChangedMeanwhile.of("seen", MOVED_ON).into());
        }
        let own = about.own_decision(reviewer, position);
        // A reason is one for labels. Where several are decided at once, nobody has those in sight that stand there.
        let is_kept = about.asked.is_some() || !is_of_one && command.note.is_empty();
        let kept = own.as_ref().filter(|_| is_kept);
        let note = match (kept, &about.asked) {
            (Some(own), _) => &own.note,
            (None, None) => &command.note,
            (None, Some(_)) => "",
        };
        let here = Here { about, at: position, own: own.as_ref(), note, now };
        match (&about.asked, wanted) {
            (None, Some(labels)) => change.changes.push((range, Some(here.decision(labels)))),
            (None, None) => {
                here.own.ok_or_else(nothing_to_undo)?;
                change.changes.push((range, None));
            }
            (Some(asked), wanted) => here.answer(change, &asked.attribute, reviewer, wanted)?,
        }
    }
    if documents.is_empty() {
        return Err(Code::NothingToDo.of("choice", "nothing to decide or undo").into());
    }
    Ok(documents.into_values().collect())
}

/// A position that is decided on.
struct Here<'a> {
    about: &'a About,
    at: Position,
    /// The reviewer's decision on its labels.
    own: Option<&'a Decision>,
    note: &'a str,
    now: DateTime<Utc>,
}

impl Here<'_> {
    /// The decision that these labels are to stand there.
    fn decision(&self, labels: LabelSet) -> Decision {
        let range = self.at.range;
        let work = self.about.labels().document(self.at.document);
        let work = work.into_iter().flat_map(DocumentWork::values);
        let labelers = work.filter(|work| work.role == Role::Labeler);
        let verdict = Verdict::of(&labels, labelers.filter_map(|work| work.judgements.get(&range)));
        let (decided_at, note, answers) = (self.now, self.note.to_owned(), BTreeSet::new());
        Decision { range, verdict, labels, decided_at, note, answers }
    }

    /// Changes the answer to a question: about the document, or on a span with the labels that stand there.
    fn answer(
        &self,
        change: &mut DocumentChange,
        attribute: &Attribute,
        reviewer: MemberId,
        wanted: Option<LabelSet>,
    ) -> Result<(), Refusal> {
        let (about, at) = (self.about, self.at);
        let answer = wanted.map(|categories| known(attribute, &categories)).transpose()?;
        if answer.is_none() && about.own(reviewer, at).is_none_or(|own| own.is_empty()) {
            return Err(nothing_to_undo());
        }
        let span = Span { range: at.range, label: attribute.label };
        let named = answer.map(|answer| DecidedAnswer {
            answer: Fact::chosen(span, attribute.id, answer),
            decided_at: self.now,
        });
        change.answers.insert(at.range, Answered::One(attribute.id, named));
        if !attribute.is_of_documents() {
            let why = "labelers differ on the span, so its label is decided first";
            let labels = about.comes_with(reviewer, at);
            let labels = labels.ok_or_else(|| Code::Unsuitable.of("choice", why))?;
            change.changes.push((at.range, Some(self.decision(labels))));
        }
        Ok(())
    }
}

fn nothing_to_undo() -> Refusal {
    Code::NothingToDo.of("choice", "no decision to undo")
}

/// The answer that categories stand for.
fn known(attribute: &Attribute, categories: &LabelSet) -> Result<Answer, Refusal> {
    let why = "the question has no such answer";
    attribute.answer_of(categories).ok_or_else(|| Code::Unknown.of("choice", why))
}

/// The category of a number that somebody wrote.
fn written(about: &About, number: &str) -> Result<LabelSet, Refusal> {
    let asked = about.asked.as_ref().map(|asked| &asked.attribute);
    let of_numbers = asked.filter(|asked| matches!(asked.answers, AnswerKind::Number(_)));
    let answer = of_numbers.and_then(|asked| asked.answer(number));
    let why = || match number.trim() {
        "" => "write a number of the scale".to_owned(),
        number => format!("{number} is not on the scale"),
    };
    let answer = answer.ok_or_else(|| Code::Unsuitable.of("written", why()))?;
    Ok(answer.categories())
}
