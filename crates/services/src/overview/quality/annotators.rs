//! Who annotated, how much and when.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{Documents, MemberId, Rater, Role, saturating};
use formats::ReportBlock;
use live::Tallies;

use super::words::{NOT_RECORDED, points};
use crate::agreement::{table, tables};

/// What one rater has submitted.
struct Submitted {
    documents: u64,
    positions: u64,
    first: DateTime<Utc>,
    last: DateTime<Utc>,
}

/// What all raters have submitted.
pub(super) struct Annotators {
    of_raters: BTreeMap<MemberId, Submitted>,
    /// Documents by the number of labelers who have submitted them.
    by_labelers: BTreeMap<u64, u64>,
}

impl Annotators {
    pub(super) fn of(tallies: &Tallies) -> Self {
        let mut of_raters: BTreeMap<MemberId, Submitted> = BTreeMap::new();
        let (mut by_labelers, mut with_work): (BTreeMap<u64, u64>, u64) = (BTreeMap::new(), 0);
        for (_, work) in tallies.documents() {
            let submitted = work.iter().filter(|(_, work)| work.counts(Documents::Submitted));
            let mut labelers = 0;
            for (rater, work) in submitted {
                labelers += u64::from(work.is_of_labeler());
                let at = work.saved_at;
                let of_rater = of_raters.entry(*rater).or_insert(Submitted {
                    documents: 0,
                    positions: 0,
                    first: at,
                    last: at,
                });
                of_rater.documents += 1;
                of_rater.positions += saturating::<u64>(work.judgements.len());
                of_rater.first = of_rater.first.min(at);
                of_rater.last = of_rater.last.max(at);
            }
            *by_labelers.entry(labelers).or_default() += 1;
            with_work += 1;
        }
        let without = saturating::<u64>(tallies.all_documents().count()).saturating_sub(with_work);
        if without > 0 {
            *by_labelers.entry(0).or_default() += without;
        }
        Self { of_raters, by_labelers }
    }

    /// Documents that fewer labelers have submitted.
    pub(super) fn documents_below(&self, labelers: u64) -> u64 {
        self.by_labelers.range(..labelers).map(|(_, documents)| documents).sum()
    }

    pub(super) fn blocks(&self, raters: &[Rater]) -> Vec<ReportBlock> {
        let with_work = |role: Role| {
            let of_role = raters.iter().filter(|rater| rater.role == role);
            let active = of_role.clone().filter(|rater| self.of_raters.contains_key(&rater.id));
            format!("{}, of these {} with submitted work", of_role.count(), active.count())
        };
        let row = |rater: &Rater| {
            let done = self.of_raters.get(&rater.id)?;
            Some(vec![
                rater.name.clone(),
                done.documents.to_string(),
                done.positions.to_string(),
                done.first.date_naive().to_string(),
                done.last.date_naive().to_string(),
            ])
        };
        let heads = tables::heads(["Rater", "Documents", "Positions", "From", "To"]);
        let overlap = self.by_labelers.iter();
        let overlap =
            overlap.map(|(many, documents)| vec![many.to_string(), documents.to_string()]);
        let overlap_heads = tables::heads(["Labelers who submitted", "Documents"]);
        vec![
            points(
                "Who annotated",
                [
                    ("Labelers", with_work(Role::Labeler)),
                    ("Reviewers", with_work(Role::Reviewer)),
                    ("Background and pay", NOT_RECORDED.to_owned()),
                ],
            ),
            table(
                "Submitted work, of reviewers their decisions",
                (heads, raters.iter().filter_map(row).collect()),
            ),
            table("Labelers a document", (overlap_heads, overlap.collect())),
        ]
    }
}
