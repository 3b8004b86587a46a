//! The documents that are compared, each with the day on which its comparison was completed.

use std::hash::{DefaultHasher, Hash, Hasher};

use agreement::NominalTally;
use chrono::NaiveDate;
use domain::{DocumentId, LabelSet, Role, RoundId, TimeSubject, TimeSwitches, WorkState};
use live::{DocumentWork, Several, Tallies};

/// A document that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dated {
    pub(super) document: DocumentId,
    pub(super) round: RoundId,
    /// The day, in UTC, on which the last of the compared assignments was saved last.
    pub(super) day: NaiveDate,
    pub(super) tally: NominalTally<LabelSet>,
}

/// What is kept of a document that counted, to tell later whether anything of it has changed: its tally would
/// take a kilobyte, and there are many documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) document: DocumentId,
    round: RoundId,
    pub(super) day: NaiveDate,
    tally: u64,
}

impl Dated {
    pub(super) fn stamp(&self) -> Stamp {
        let mut hasher = DefaultHasher::new();
        self.tally.hash(&mut hasher);
        let Self { document, round, day, .. } = *self;
        Stamp { document, round, day, tally: hasher.finish() }
    }
}

/// All documents that count under the switches, in the order of their ids.
pub(super) fn dated(tallies: &Tallies, switches: TimeSwitches) -> Vec<Dated> {
    let counted: Vec<(DocumentId, Several)> = match switches.subject {
        TimeSubject::Labelers => tallies.several_by_document(switches.of_matrix()).collect(),
        TimeSubject::Reviewers => {
            tallies.with_reviewers_by_document(switches.of_matrix()).collect()
        }
    };
    counted
        .into_iter()
        .filter_map(|(document, several)| {
            let day = completed(tallies.document(document)?, switches)?;
            let round = tallies.round(document)?;
            Some(Dated { document, round, day, tally: several.tally })
        })
        .collect()
}

/// When the last of the assignments that count was saved last.
fn completed(work: &DocumentWork, switches: TimeSwitches) -> Option<NaiveDate> {
    let counts = |state: WorkState| match switches.of_matrix().counted_documents() {
        domain::Documents::Saved => state.has_work(),
        domain::Documents::Submitted => state == WorkState::Submitted,
    };
    let takes_part = |role: Role| match switches.subject {
        TimeSubject::Labelers => role == Role::Labeler,
        TimeSubject::Reviewers => true,
    };
    work.values()
        .filter(|work| counts(work.state) && takes_part(work.role))
        .map(|work| work.saved_at.date_naive())
        .max()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use domain::{
        Decision, Documents, LabelId, Measure, MemberId, Range, Revision, Span, Switches, Verdict,
    };
    use live::{coefficient, several_coefficient};
    use store::agreement::ratings::{DocumentRatings, RatedAssignment, RatedReview};

    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn assignment(member: i64, state: WorkState, saved_at: &str, label: i64) -> RatedAssignment {
        let spans = vec![Span::new(0, 3, LabelId(label)), Span::new(4, 9, LabelId(1))];
        let (member, saved_at, choices) = (MemberId(member), at(saved_at), Vec::new());
        RatedAssignment { member, state, saved_at, spans, choices }
    }

    fn review(saved_at: &str, label: i64) -> RatedReview {
        let decision = |range, label| Decision {
            range,
            verdict: Verdict::Accept,
            labels: LabelSet::one(LabelId(label)),
            decided_at: at(saved_at),
            note: String::new(),
            answers: std::collections::BTreeSet::new(),
        };
        RatedReview {
            member: MemberId(9),
            state: WorkState::Submitted,
            saved_at: at(saved_at),
            decisions: vec![decision(Range::new(0, 3), label), decision(Range::new(4, 9), 1)],
            answers: Vec::new(),
        }
    }

    fn tallies(assignments: Vec<RatedAssignment>, reviews: Vec<RatedReview>) -> Tallies {
        let (document, round, characters) = (DocumentId(1), RoundId(4), 100);
        let ratings = DocumentRatings { document, round, characters, assignments, reviews };
        Tallies::rebuild(Revision(1), vec![ratings])
    }

    fn days(tallies: &Tallies, switches: TimeSwitches) -> Vec<String> {
        dated(tallies, switches).iter().map(|dated| dated.day.to_string()).collect()
    }

    #[test]
    fn a_document_belongs_to_the_utc_day_on_which_its_last_compared_assignment_was_saved() {
        use WorkState::{Saved, Submitted};
        let last = |third: RatedAssignment| {
            let first = assignment(1, Submitted, "2026-03-01T10:00:00Z", 1);
            let second = assignment(2, Submitted, "2026-03-02T23:59:59.999999Z", 2);
            tallies(vec![first, second, third], Vec::new())
        };
        let submitted = TimeSwitches { documents: Documents::Submitted, ..TimeSwitches::default() };
        let midnight = last(assignment(3, Submitted, "2026-03-03T00:00:00Z", 1));
        assert_eq!(days(&midnight, submitted), ["2026-03-03"]);
        let before = last(assignment(3, Submitted, "2026-03-02T00:00:00Z", 1));
        assert_eq!(days(&before, submitted), ["2026-03-02"]);
        // Half past midnight in Berlin is the day before in UTC.
        let elsewhere = last(assignment(3, Submitted, "2026-03-04T00:30:00+01:00", 1));
        assert_eq!(days(&elsewhere, submitted), ["2026-03-03"]);
        // Work that does not count under the switches does not date.
        let under_way = last(assignment(3, Saved, "2026-03-09T10:00:00Z", 1));
        assert_eq!(days(&under_way, submitted), ["2026-03-02"]);
        assert_eq!(days(&under_way, TimeSwitches::default()), ["2026-03-09"]);
    }

    #[test]
    fn the_reviewer_dates_what_is_compared_with_reviewers_only() {
        let one = |day| assignment(1, WorkState::Submitted, day, 1);
        let two = assignment(2, WorkState::Submitted, "2026-03-02T10:00:00Z", 1);
        let reviewed = tallies(
            vec![one("2026-03-01T10:00:00Z"), two],
            vec![review("2026-03-07T10:00:00Z", 1)],
        );
        let with = TimeSwitches { subject: TimeSubject::Reviewers, ..TimeSwitches::default() };
        assert_eq!(days(&reviewed, TimeSwitches::default()), ["2026-03-02"]);
        assert_eq!(days(&reviewed, with), ["2026-03-07"]);
        let alone = tallies(vec![one("2026-03-01T10:00:00Z")], Vec::new());
        assert_eq!(dated(&alone, TimeSwitches::default()), []);
        assert_eq!(dated(&alone, with), []);
    }

    #[test]
    fn labelers_with_reviewers_pool_the_tables_of_all_pairs() {
        let day = "2026-03-01T10:00:00Z";
        let assignments = vec![
            assignment(1, WorkState::Submitted, day, 1),
            assignment(2, WorkState::Submitted, day, 2),
        ];
        let tallies = tallies(assignments, vec![review(day, 1)]);
        let with = TimeSwitches { subject: TimeSubject::Reviewers, ..TimeSwitches::default() };
        let found = dated(&tallies, with);
        assert_eq!((found.len(), found[0].round), (1, RoundId(4)));
        let switches = Switches { measure: Measure::Alpha, ..Switches::default() };
        let pooled = tallies.pooled(MemberId(9), [MemberId(1), MemberId(2)], switches);
        assert_eq!(found[0].tally.items(), pooled.tally.table.total());
        for (of_pair, of_many) in [
            (Measure::Alpha, domain::SeveralMeasure::Alpha),
            (Measure::Pi, domain::SeveralMeasure::FleissKappa),
            (Measure::Percent, domain::SeveralMeasure::Percent),
        ] {
            let table = &pooled.tally.table;
            let expected =
                coefficient(table, of_pair, 0, &LabelSet::EMPTY, &live::Scores::default())
                    .unwrap()
                    .value;
            let (value, ..) = several_coefficient(&found[0].tally, of_many).unwrap();
            assert!((value - expected).abs() < 1e-12, "{of_pair}: {value}, not {expected}");
        }
    }
}
