//! What a walk decides: labels, or the answers to a question in their place.

use std::sync::Arc;

use domain::{
    Absence, Attribute, AttributeId, Code, Decision, Error as Refusal, Filter, LabelSet, MemberId,
    Position, ProjectId, Span, WorkState,
};
use live::{Narrowing, Tallies, Work};

use super::given::stand;
use crate::{
    Result, Services,
    review::{
        groups::{self, Groups},
        quorum::Quorums,
    },
};

/// A project as a walk goes through it.
#[derive(Clone)]
pub(super) struct About {
    /// What raters have of what is decided, answers as their categories.
    pub(super) tallies: Arc<Tallies>,
    /// What is decided together: labels on boundaries that differ, and no answers.
    pub(super) groups: Arc<Groups>,
    pub(super) quorums: Arc<Quorums>,
    pub(super) asked: Option<Asked>,
}

/// The question that a walk is about.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) attribute: Attribute,
    /// What raters have of labels: an answer is decided where its label stands.
    labels: Arc<Tallies>,
    /// The positions whose boundaries differ.
    disputed: Arc<Groups>,
}

impl About {
    /// A walk about a question of the project, or about labels.
    pub(super) async fn load(
        services: &Services,
        project: ProjectId,
        question: Option<AttributeId>,
    ) -> Result<Self> {
        let quorums = Quorums::load(services, project).await?;
        let labels = services.live.read(project).await?;
        let groups = groups::counted(services, project, &labels, &quorums).await?;
        let Some(question) = question else {
            return Ok(Self { tallies: labels, groups, quorums, asked: None });
        };
        let all = store::project::attributes::list(&services.store, project).await?;
        let attribute = all.into_iter().find(|attribute| attribute.id == question);
        let attribute = attribute.ok_or(Refusal::NotFound)?;
        let tallies = read(services, project, question).await?;
        let asked = Some(Asked { attribute, labels, disputed: groups });
        Ok(Self { tallies, groups: Arc::default(), quorums, asked })
    }

    /// The same groups after something was decided.
    pub(super) async fn moved(mut self, services: &Services, project: ProjectId) -> Result<Self> {
        let labels = services.live.read(project).await?;
        match &mut self.asked {
            None => self.tallies = labels,
            Some(asked) => {
                asked.labels = labels;
                self.tallies = read(services, project, asked.attribute.id).await?;
            }
        }
        Ok(self)
    }

    /// What raters have of labels.
    pub(super) fn labels(&self) -> &Tallies {
        self.asked.as_ref().map_or(&self.tallies, |asked| &asked.labels)
    }

    /// Whether a position is a document as a whole.
    pub(super) fn is_of_documents(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.attribute.is_of_documents())
    }

    /// Refuses a position that is none in a text of so many characters.
    pub(super) fn check(&self, at: Position, characters: u32) -> Result<(), Refusal> {
        if self.is_of_documents() {
            let is_document = at.range == Span::DOCUMENT.range;
            let why = || Code::OutOfRange.of("at", "the question is about documents as a whole");
            return is_document.then_some(()).ok_or_else(why);
        }
        at.range.checked(characters).map(|_| ())
    }

    fn own_work(&self, reviewer: MemberId, at: Position) -> Option<&Work> {
        self.labels().document(at.document)?.get(&reviewer)
    }

    /// A reviewer's decision on the labels of a position.
    pub(super) fn own_decision(&self, reviewer: MemberId, at: Position) -> Option<Decision> {
        self.own_work(reviewer, at)?.decision(at.range)
    }

    /// The labels that a reviewer has decided are to stand on a position.
    fn own_labels(&self, reviewer: MemberId, at: Position) -> Option<&LabelSet> {
        let work = self.own_work(reviewer, at)?;
        work.verdicts.get(&at.range).and_then(|_| work.judgements.get(&at.range))
    }

    /// The labels that stand where an answer to a span is decided: those that the reviewer has decided on, or
    /// else what all labelers gave who marked it. None where these are still to be decided, where the label that
    /// is asked about is not among them, and where no span is asked about.
    pub(super) fn comes_with(&self, reviewer: MemberId, at: Position) -> Option<LabelSet> {
        let Asked { attribute, labels, disputed } = self.asked.as_ref()?;
        let alike = || {
            let (given, absence) = stand(labels.document(at.document)?, at.range);
            let is_disputed = absence == Absence::Overlapping || disputed.group(at).is_some();
            (!is_disputed && given.len() == 1).then(|| given.into_iter().next()).flatten()
        };
        let stands = self.own_labels(reviewer, at).cloned().or_else(alike);
        stands.filter(|labels| labels.contains(attribute.label))
    }

    /// What a reviewer has decided is to stand on a position: nothing where a span was rejected, or is not of the
    /// label that the question is about.
    pub(super) fn own(&self, reviewer: MemberId, at: Position) -> Option<LabelSet> {
        let Some(Asked { attribute, .. }) = &self.asked else {
            return self.own_labels(reviewer, at).cloned();
        };
        let work = self.own_work(reviewer, at)?;
        if attribute.is_of_documents() {
            let chosen = work.document_answer(attribute.id)?.answer.choice;
            return chosen.map(|chosen| chosen.answer.categories());
        }
        let own = work.decision(at.range)?;
        let mut chosen = own.answers.iter().filter_map(|fact| fact.choice);
        match chosen.find(|chosen| chosen.attribute == attribute.id) {
            Some(chosen) => Some(chosen.answer.categories()),
            None => (!own.labels.contains(attribute.label)).then_some(LabelSet::EMPTY),
        }
    }

    /// Whether the reviewer has not ended the review of a document.
    pub(super) fn is_open(&self, reviewer: MemberId, at: Position) -> bool {
        let own = self.own_work(reviewer, at);
        own.is_none_or(|own| own.state != WorkState::Submitted)
    }

    /// Whether a reviewer has decided on a position.
    pub(super) fn has_decided(&self, reviewer: MemberId, at: Position) -> bool {
        match &self.asked {
            None => self.own_labels(reviewer, at).is_some(),
            Some(_) => self.own(reviewer, at).is_some(),
        }
    }

    /// Whether a reviewer can decide on the position, or on another of its group, and has not.
    pub(super) fn is_undecided(&self, reviewer: MemberId, at: Position) -> bool {
        let here = |range: &domain::Range| Position { range: *range, ..at };
        let is_undecided = |range: &domain::Range| !self.has_decided(reviewer, here(range));
        let is_about_span = self.asked.is_some() && !self.is_of_documents();
        self.is_open(reviewer, at)
            && self.groups.decided_with(at).iter().any(is_undecided)
            && (!is_about_span || self.comes_with(reviewer, at).is_some())
    }
}

/// What raters have of a question.
async fn read(
    services: &Services,
    project: ProjectId,
    question: AttributeId,
) -> Result<Arc<Tallies>> {
    let part = Narrowing::exact(Filter::of_question(Some(question)));
    services.live.read_part(project, part).await
}
