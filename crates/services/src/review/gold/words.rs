//! What is chosen of attributes, in the words that files have.

use std::collections::HashMap;

use domain::{
    AnswerKind, AnswerWords, Attribute, AttributeId, Chosen, Fact, GoldAnswer, Label, LabelId,
    ProjectId, Range, Span, saturating,
};
use formats::{AnnotatedAnswer, AnnotatedSpan};
use store::Db;

use crate::Result;

/// What labels and attributes are called.
pub(crate) struct Words {
    pub(crate) labels: Vec<Label>,
    names: HashMap<LabelId, String>,
    attributes: HashMap<AttributeId, Attribute>,
}

impl Words {
    pub(crate) async fn load(db: &impl Db, project: ProjectId) -> Result<Self> {
        let labels = store::project::labels::list(db, project).await?;
        let names = labels.iter().map(|label| (label.id, label.name.clone())).collect();
        let attributes = store::project::attributes::list(db, project).await?;
        let attributes = attributes.into_iter().map(|it| (it.id, it)).collect();
        Ok(Self { labels, names, attributes })
    }

    /// Whether anything is asked, or was.
    pub(super) fn asks(&self) -> bool {
        !self.attributes.is_empty()
    }

    pub(crate) fn span(&self, Span { range, label }: Span) -> Option<AnnotatedSpan> {
        let label = self.names.get(&label)?.clone();
        let Range { start, end } = range;
        Some(AnnotatedSpan { start: saturating(start), end: saturating(end), label })
    }

    /// The answers among facts.
    pub(crate) fn answers<'a>(
        &self,
        facts: impl IntoIterator<Item = &'a Fact>,
    ) -> Vec<AnnotatedAnswer> {
        facts.into_iter().filter_map(|fact| self.answer(fact)).collect()
    }

    fn answer(&self, fact: &Fact) -> Option<AnnotatedAnswer> {
        let Chosen { attribute, answer } = fact.choice?;
        let attribute = self.attributes.get(&attribute)?;
        let on_span = (fact.span != Span::DOCUMENT).then_some(fact.span);
        let span = match on_span {
            Some(span) => Some(self.span(span)?),
            None => None,
        };
        let answer = match attribute.answers {
            AnswerKind::One => AnswerWords::One(attribute.words(answer)?),
            AnswerKind::Number(_) => AnswerWords::Number(attribute.words(answer)?),
            AnswerKind::Several => {
                let names = attribute.names(answer)?.into_iter();
                AnswerWords::Several(names.map(str::to_owned).collect())
            }
        };
        Some(AnnotatedAnswer { span, question: attribute.name.clone(), answer })
    }
}

/// An answer to be locked.
pub(super) fn locked(answer: AnnotatedAnswer) -> GoldAnswer {
    let AnnotatedAnswer { span, question, answer } = answer;
    let span = span.map(|AnnotatedSpan { start, end, label }| {
        (Range::new(saturating(start), saturating(end)), label)
    });
    GoldAnswer { span, question, answer }
}

/// An answer that was locked, as files have it.
pub(crate) fn answer_of(answer: GoldAnswer) -> AnnotatedAnswer {
    let GoldAnswer { span, question, answer } = answer;
    let span = span.map(|(Range { start, end }, label)| AnnotatedSpan {
        start: saturating(start),
        end: saturating(end),
        label,
    });
    AnnotatedAnswer { span, question, answer }
}
