//! Spans of two raters, backwards and empty ones too: counted under every policy.
#![no_main]

use agreement::{
    Policy, Span, SpanMatch, cohen_kappa, judgements, krippendorff_alpha_nominal, overlap_tally,
    position_tally, span_counts, token_tally,
};
use libfuzzer_sys::fuzz_target;

type Spans = Vec<(u64, u64, u8)>;

fuzz_target!(|input: (Spans, Spans, Vec<(u64, u64)>)| {
    let (first, second, tokens) = input;
    let spans = |spans: Spans| -> Vec<Span<u8>> {
        spans.into_iter().map(|(start, end, label)| Span { start, end, label }).collect()
    };
    let (first, second) = (spans(first), spans(second));
    for by in [SpanMatch::Exact, SpanMatch::Overlap, SpanMatch::Tokens(&tokens)] {
        let counts = span_counts(&first, &second, by);
        assert!(counts.matched <= counts.gold.min(counts.found));
        assert_eq!(counts.f1(), span_counts(&second, &first, by).f1());
        for value in [counts.precision(), counts.recall(), counts.f1()].into_iter().flatten() {
            assert!((0.0..=1.0).contains(&value));
        }
    }
    let (first, second) = (judgements(first), judgements(second));
    let mut tallies = vec![token_tally(&first, &second, &tokens)];
    for policy in [Policy::Cleaned, Policy::EmptyLabel] {
        tallies.push(position_tally(&first, &second, policy));
        tallies.extend(overlap_tally(&first, &second, policy));
    }
    for tally in tallies {
        for value in [cohen_kappa(&tally.table), krippendorff_alpha_nominal(&tally.table)] {
            assert!(value.is_err() || value.is_ok_and(|c| c.value.is_finite() && c.value <= 1.0));
        }
    }
});
