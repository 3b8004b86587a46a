//! One rater's work on a document, written by token.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{LabelId, LabelSet, Range, base::text::touched_places};
use litemap::LiteMap;

use super::work::{Decided, Work};

/// A judgement with its place among all; later ones count more where they were decided at the same time.
#[derive(Clone, Copy)]
struct Judgement<'a> {
    place: usize,
    labels: &'a LabelSet,
    decided: Option<&'a Decided>,
}

/// Where a judgement comes to touch tokens, or ceases to.
#[derive(Clone, Copy)]
struct Edge<'a> {
    token: usize,
    begins: bool,
    of: Judgement<'a>,
}

/// What touches a token.
#[derive(Default)]
struct Touching<'a> {
    judgements: usize,
    /// How many judgements have each label.
    labels: BTreeMap<LabelId, usize>,
    decisions: BTreeMap<(DateTime<Utc>, usize), &'a Decided>,
}

impl<'a> Touching<'a> {
    fn cross(&mut self, Edge { begins, of, .. }: Edge<'a>) {
        let Judgement { place, labels, decided } = of;
        if begins {
            self.judgements += 1;
            labels.iter().for_each(|label| *self.labels.entry(label).or_default() += 1);
            self.decisions.extend(decided.map(|decided| ((decided.at, place), decided)));
        } else {
            self.judgements -= 1;
            labels.iter().for_each(|label| *self.labels.entry(label).or_default() -= 1);
            self.labels.retain(|_, judgements| *judgements > 0);
            if let Some(decided) = decided {
                self.decisions.remove(&(decided.at, place));
            }
        }
    }

    /// The labels that touch it; none where nothing does.
    fn labels(&self) -> Option<LabelSet> {
        (self.judgements > 0).then(|| self.labels.keys().copied().collect())
    }

    fn latest_decision(&self) -> Option<&'a Decided> {
        self.decisions.last_key_value().map(|(_, decided)| *decided)
    }
}

impl Work {
    /// The same by token: the labels of all judgements that touch one, and of the decisions the latest. Goes
    /// through judgements and tokens once, however many touch one.
    pub(super) fn by_token(&self, tokens: &[Range]) -> Self {
        let mut edges = Vec::with_capacity(2 * self.judgements.len());
        for (place, (range, labels)) in self.judgements.iter().enumerate() {
            let of = Judgement { place, labels, decided: self.verdicts.get(range) };
            let touched = touched_places(tokens, *range);
            if !touched.is_empty() {
                edges.push(Edge { token: touched.start, begins: true, of });
                edges.push(Edge { token: touched.end, begins: false, of });
            }
        }
        edges.sort_by_key(|edge| edge.token);
        let mut touching = Touching::default();
        let (mut judgements, mut verdicts) = (Vec::new(), Vec::new());
        let mut from = 0;
        for edges in edges.chunk_by(|one, other| one.token == other.token) {
            let to = edges.first().map_or(from, |edge| edge.token);
            if let Some(labels) = touching.labels() {
                let touched = tokens.get(from..to).unwrap_or_default();
                judgements.extend(touched.iter().map(|token| (*token, labels.clone())));
                let latest = touching.latest_decision();
                verdicts.extend(touched.iter().filter_map(|token| Some((*token, latest?.clone()))));
            }
            for edge in edges {
                touching.cross(*edge);
            }
            from = to;
        }
        let judgements: LiteMap<Range, LabelSet> = judgements.into_iter().collect();
        self.with(judgements, verdicts.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        time::{Duration, Instant},
    };

    use chrono::TimeDelta;
    use domain::{Decision, Span, Verdict, WorkState, base::text::touched};
    use proptest::prelude::*;

    use super::*;

    const SAVED_AT: DateTime<Utc> = DateTime::<Utc>::UNIX_EPOCH;

    /// Token by token, of all judgements those that touch it.
    fn expected(work: &Work, tokens: &[Range]) -> Work {
        let mut by_token = Work::of_reviewer(work.state, work.saved_at, []);
        for (range, labels) in &work.judgements {
            for token in touched(tokens, *range) {
                let of_token = by_token.judgements.entry(*token).or_default();
                labels.iter().for_each(|label| of_token.insert(label));
                let decided = work.verdicts.get(range).unwrap();
                let before = by_token.verdicts.get(token);
                if before.is_none_or(|before| before.at <= decided.at) {
                    by_token.verdicts.insert(*token, decided.clone());
                }
            }
        }
        by_token
    }

    fn decision(
        ((start, length), labels, minute): ((u32, u32), Vec<i64>, i64),
    ) -> (Range, Decision) {
        let range = Range::new(start, start + length);
        let labels: LabelSet = labels.into_iter().map(LabelId).collect();
        let decision = Decision {
            range,
            verdict: if labels.is_empty() { Verdict::Reject } else { Verdict::Accept },
            labels,
            decided_at: SAVED_AT + TimeDelta::minutes(minute),
            note: format!("{start} {length}"),
            answers: BTreeSet::new(),
        };
        (range, decision)
    }

    proptest! {
        #[test]
        fn a_token_has_the_labels_of_all_that_touches_it_and_the_latest_decision(
            decided in prop::collection::vec(
                ((0..30_u32, 1..12_u32), prop::collection::vec(0..4_i64, 0..3), 0..3_i64),
                0..12,
            ),
            tokens in prop::collection::vec((1..4_u32, 0..2_u32), 0..14),
        ) {
            let decisions: BTreeMap<_, _> = decided.into_iter().map(decision).collect();
            let work = Work::of_reviewer(WorkState::Saved, SAVED_AT, decisions.into_values());
            let mut at = 0;
            let tokens: Vec<_> = tokens.into_iter().map(|(length, gap)| {
                let start = at + gap;
                at = start + length;
                Range::new(start, at)
            }).collect();
            prop_assert_eq!(work.by_token(&tokens), expected(&work, &tokens));
        }
    }

    /// Token by token it would be 2 · 10⁹ steps. The deadline is generous: tests are not optimised.
    #[test]
    fn spans_in_one_another_take_no_longer_than_spans_side_by_side() {
        let tokens: Vec<_> =
            (0..100_000).map(|token| Range::new(token * 2, token * 2 + 1)).collect();
        let span = |place: u32| Span::new(place, 200_000 - place, LabelId((place % 7).into()));
        let work = Work::of_labeler(WorkState::Saved, SAVED_AT, (0..20_000).map(span));
        let begun = Instant::now();
        assert_eq!(work.by_token(&tokens).judgements.len(), tokens.len());
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }

    #[test]
    fn one_note_of_a_decision_on_much_text_is_kept_once() {
        let tokens: Vec<_> = (0..1_000).map(|token| Range::new(token * 2, token * 2 + 1)).collect();
        let (_, decision) = decision(((0, 2_000), vec![1], 0));
        let work = Work::of_reviewer(
            WorkState::Saved,
            SAVED_AT,
            [Decision { note: "so it is".repeat(1_000), ..decision }],
        );
        assert_eq!(work.by_token(&tokens).verdicts.len(), tokens.len());
        assert!(work.by_token(&tokens).bytes() < 200_000);
    }
}
