//! What the raters together say, against the one who is right.

use agreement::inference::Level;
use agreement::{
    CategoryCounts, Iob2, MISSING, Ratings, SpanCounts, SpanMatch, Undefined, accuracy,
    category_counts, span_counts,
};

use super::labels::Labels;
use super::{ConsensusAgainstGold, RetrievalOf, ShareOfLabel};
use crate::count64;
use crate::read::Study;
use crate::report::Options;
use crate::report::consensus::{Crowd, Learned, Lesson};

/// The consensus by each method, of all but the one who is right.
pub(super) fn of(
    study: &Study,
    ratings: &Ratings<u32>,
    crowd: &Crowd,
    gold: usize,
    options: &Options,
    level: Level,
) -> Vec<ConsensusAgainstGold> {
    let tags = study.understood.iob2();
    let methods = count64(crowd.lessons.len());
    let against = |learned: &Learned| {
        let found = learned.categories.iter().map(|code| code.unwrap_or(MISSING));
        let codes: Vec<u32> = found.chain(ratings.codes(gold)).collect();
        let two = Ratings::from_codes(ratings.categories().to_vec(), 2, codes);
        let two = two.map_err(|_| Undefined::TooLarge)?;
        let labels = Labels::of(&two);
        let accuracy = accuracy(labels.table())?.value;
        let spans = tags.as_ref().zip(study.sequences.as_ref());
        let spans = spans.map(|(tags, sequences)| {
            let counts = sequences.iter().map(|sequence| spans_of(&two, tags, sequence));
            RetrievalOf::from(counts.fold(SpanCounts::default(), SpanCounts::plus))
        });
        Ok((labels.items(), accuracy, tags.as_deref().map(|it| tokens(&labels, it)), spans, labels))
    };
    let of_lesson = |lesson: &Lesson| {
        let none = ConsensusAgainstGold {
            method: lesson.method,
            undefined: None,
            items: 0,
            accuracy: None,
            tokens: None,
            spans: None,
            labels: Vec::new(),
        };
        match lesson.learned.as_ref().map_err(|undefined| *undefined).and_then(against) {
            Err(undefined) => ConsensusAgainstGold { undefined: Some(undefined.into()), ..none },
            Ok((items, accuracy, tokens, spans, labels)) => ConsensusAgainstGold {
                items,
                accuracy: Some(accuracy),
                tokens,
                spans,
                labels: labels.measure(&study.understood.categories, options, level, methods),
                ..none
            },
        }
    };
    crowd.lessons.iter().map(of_lesson).collect()
}

/// All tags but O, each token by itself.
fn tokens(labels: &Labels, tags: &[Iob2<'_>]) -> RetrievalOf {
    let is_outside = |code: u32| {
        let tag = usize::try_from(code).ok().and_then(|place| tags.get(place));
        tag == Some(&Iob2::Outside)
    };
    let of_tags = category_counts(labels.table());
    let of_tags = of_tags.into_iter().filter(|(code, _)| !is_outside(**code));
    of_tags
        .fold(CategoryCounts::default(), |all, (_, one)| CategoryCounts {
            agreed: all.agreed + one.agreed,
            said: all.said + one.said,
            right: all.right + one.right,
        })
        .into()
}

/// The spans of a sequence; a token that one of the two has no tag for is outside of all.
fn spans_of(two: &Ratings<u32>, tags: &[Iob2<'_>], sequence: &[usize]) -> SpanCounts {
    let tag = |code: &u32| usize::try_from(*code).ok().and_then(|place| tags.get(place)).copied();
    let (mut found, mut gold) = (Vec::new(), Vec::new());
    for &item in sequence {
        let mut said = two.item(item).map(|code| code.and_then(tag));
        let (of_all, of_gold) = (said.next().flatten(), said.next().flatten());
        let both = of_all.zip(of_gold);
        found.push(both.map(|(of_all, _)| of_all));
        gold.push(both.map(|(_, of_gold)| of_gold));
    }
    span_counts(&Iob2::spans(gold), &Iob2::spans(found), SpanMatch::Exact)
}

impl From<CategoryCounts> for RetrievalOf {
    fn from(counts: CategoryCounts) -> Self {
        Self {
            gold: counts.right,
            found: counts.said,
            matched: counts.agreed,
            precision: counts.precision().into(),
            recall: counts.recall().into(),
            f1: counts.f1().into(),
        }
    }
}

impl From<SpanCounts> for RetrievalOf {
    fn from(counts: SpanCounts) -> Self {
        Self {
            gold: counts.gold,
            found: counts.found,
            matched: counts.matched,
            precision: counts.precision().into(),
            recall: counts.recall().into(),
            f1: counts.f1().into(),
        }
    }
}

impl From<Result<f64, Undefined>> for ShareOfLabel {
    fn from(share: Result<f64, Undefined>) -> Self {
        Self {
            value: share.ok(),
            undefined: share.err().map(Into::into),
            interval: None,
            no_interval: None,
        }
    }
}
