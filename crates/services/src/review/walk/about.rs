//! What a walk decides: labels, or the answers to a question in their place.

use std::sync::Arc;

use domain::{
    Attribute, AttributeId, Code, Decision, Error as Refusal, LabelSet, MemberId, Position,
    ProjectId, Span, WorkState,
};
use live::{Narrowing, Tallies, Work};

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
    pub(super) groups: Arc<Groups>,
    pub(super) quorums: Arc<Quorums>,
    pub(super) asked: Option<Asked>,
}

/// The question that a walk is about.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) attribute: Attribute,
    /// What raters have of labels: a decision on an answer is one on its label.
    labels: Arc<Tallies>,
}

impl About {
    /// A walk about a question of the project, or about labels.
    pub(super) async fn load(
        services: &Services,
        project: ProjectId,
        question: Option<AttributeId>,
    ) -> Result<Self> {
        let quorums = Quorums::load(services, project).await?;
        let asked = match question {
            None => None,
            Some(question) => {
                let all = store::project::attributes::list(&services.store, project).await?;
                let attribute = all.into_iter().find(|attribute| attribute.id == question);
                let attribute = attribute.ok_or(Refusal::NotFound)?;
                Some(Asked { attribute, labels: services.live.read(project).await? })
            }
        };
        let tallies = read(services, project, question).await?;
        let groups = groups::counted(services, project, &tallies, &quorums).await?;
        Ok(Self { tallies, groups, quorums, asked })
    }

    /// The same groups after something was decided.
    pub(super) async fn moved(mut self, services: &Services, project: ProjectId) -> Result<Self> {
        let question = self.asked.as_ref().map(|asked| asked.attribute.id);
        self.tallies = read(services, project, question).await?;
        if let Some(asked) = &mut self.asked {
            asked.labels = services.live.read(project).await?;
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

    /// What a reviewer has decided is to stand on a position: nothing where a span was rejected, or is not of the
    /// label that the question is about.
    pub(super) fn own(&self, reviewer: MemberId, at: Position) -> Option<LabelSet> {
        let work = self.own_work(reviewer, at)?;
        let Some(Asked { attribute, .. }) = &self.asked else {
            return work.decision(at.range).map(|own| own.labels);
        };
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

    /// Whether a reviewer can decide on the position, or on another of its group, and has not.
    pub(super) fn is_undecided(&self, reviewer: MemberId, at: Position) -> bool {
        let is_undecided =
            |range: &domain::Range| self.own(reviewer, Position { range: *range, ..at }).is_none();
        self.is_open(reviewer, at) && self.groups.decided_with(at).iter().any(is_undecided)
    }
}

/// What raters have of labels, or of a question.
async fn read(
    services: &Services,
    project: ProjectId,
    question: Option<AttributeId>,
) -> Result<Arc<Tallies>> {
    let part = Narrowing::exact(domain::Filter::of_question(question));
    services.live.read_part(project, part).await
}
