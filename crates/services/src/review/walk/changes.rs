//! What a decision on the walk changes, document by document.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use domain::{
    Answer, Attribute, Choice, Code, DecidedAnswer, Decision, DocumentId, Error as Refusal, Fact,
    GroupChoice, LabelSet, MemberId, Position, Role, SeenPosition, Span, Verdict, WalkDecision,
};
use live::DocumentWork;

use super::{
    about::{About, Asked},
    same_text::given,
};
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
        // Where several are decided at once, nobody has the reasons in sight that stand there.
        let kept = own.as_ref().filter(|_| !is_of_one && command.note.is_empty());
        let note = kept.map_or(&command.note, |own| &own.note);
        let here = Here { about, at: position, own: own.as_ref(), note, now };
        match (&about.asked, wanted) {
            (None, Some(labels)) => change.changes.push((range, Some(here.decision(labels)))),
            (None, None) => {
                here.own.ok_or_else(nothing_to_undo)?;
                change.changes.push((range, None));
            }
            (Some(asked), wanted) => {
                let is_decided = about.own(reviewer, position).is_some();
                here.answer(change, asked, wanted, is_decided)?;
            }
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

    /// Changes the answer to a question: about the document, or with its label on a span.
    fn answer(
        &self,
        change: &mut DocumentChange,
        Asked { attribute, .. }: &Asked,
        wanted: Option<LabelSet>,
        is_decided: bool,
    ) -> Result<(), Refusal> {
        let is_reject = wanted.as_ref().is_some_and(LabelSet::is_empty);
        let answer = match wanted.filter(|_| !is_reject) {
            Some(categories) => Some(known(attribute, &categories)?),
            None => None,
        };
        let range = self.at.range;
        let span = Span { range, label: attribute.label };
        let named = answer.map(|answer| DecidedAnswer {
            answer: Fact::chosen(span, attribute.id, answer),
            decided_at: self.now,
        });
        if answer.is_none() && !is_reject && !is_decided {
            return Err(nothing_to_undo());
        }
        let named = Answered::One(attribute.id, named);
        if attribute.is_of_documents() {
            if is_reject {
                return Err(Code::Unsuitable.of("choice", "a document has an answer or none"));
            }
            change.answers.insert(range, named);
            return Ok(());
        }
        let kept = self.own.filter(|own| own.labels.contains(attribute.label));
        let decision = match (is_reject, answer, kept) {
            (true, ..) => Some(self.decision(LabelSet::EMPTY)),
            // What is taken back is the answer; where the label itself was decided against, that.
            (false, None, kept) => kept.map(|own| Decision {
                note: own.note.clone(),
                ..self.decision(own.labels.clone())
            }),
            (false, Some(_), Some(own)) => Some(self.decision(own.labels.clone())),
            (false, Some(_), None) => Some(self.decision(self.labels_with(attribute))),
        };
        if decision.as_ref().is_some_and(|decision| decision.labels.contains(attribute.label)) {
            change.answers.insert(range, named);
        }
        change.changes.push((range, decision));
        Ok(())
    }

    /// The labels that a decision on an answer comes with: of those that labelers gave together with the label,
    /// what most gave.
    fn labels_with(&self, attribute: &Attribute) -> LabelSet {
        let work = self.about.labels().document(self.at.document);
        let given = work.map(|work| given(work, self.at.range)).unwrap_or_default();
        let mut with = given.into_iter().map(|(labels, _)| labels);
        let with = with.find(|labels| labels.contains(attribute.label));
        with.unwrap_or_else(|| LabelSet::one(attribute.label))
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
    let asked = about.asked.as_ref();
    let answer = asked.and_then(|asked| asked.attribute.answer(number));
    let why = || match number.trim() {
        "" => "write a number of the scale".to_owned(),
        number => format!("{number} is not on the scale"),
    };
    let answer = answer.ok_or_else(|| Code::Unsuitable.of("written", why()))?;
    Ok(answer.categories())
}
