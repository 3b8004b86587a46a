//! Which document to have annotated a second time: what the pooled interval is expected to gain.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use agreement::{
    NominalTally, Undefined,
    inference::{Cluster, Level, NextCluster},
    percent_by_rating,
};
use domain::{
    Actor, DocumentId, LabelSet, Measured, NoPrecision, Page, PolicyChoice, Precision, ProjectId,
    SecondRow, SecondView, SeveralMeasure, Sorting, Switches, base::policy::Action, saturating,
};
use live::{Tallies, labelers_counted, several_measured};

use crate::{
    Result, Services,
    agreement::breakdowns::Remembered,
    base::{
        access::permit,
        names::Names,
        sorting::{PAGE_SIZE, page},
    },
};

/// So many comparisons as usual are added to those of a label, so that a label seen twice does not
/// count for more than it shows.
const USUAL: f64 = 4.0;

/// Under which the coefficient is counted: saved documents, cleaned, as the matrix is at first.
const SWITCHES: Switches = Switches {
    measure: domain::Measure::Alpha,
    policy: PolicyChoice::Cleaned,
    scale: domain::ScaleChoice::LandisKoch,
    documents: domain::Documents::Saved,
    filter: domain::Filter::NONE,
};

/// A page of the documents that one labeler alone has worked on and nobody else has before them.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    number: u64,
) -> Result<SecondView> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ManageDocuments).await?;
    let names = Names::load(store, project, &access.member).await?;
    let held = Arc::new(store::workload::held_once(store, project).await?);
    let tallies = services.live.read(project).await?;
    let counted = services.singles.find_or_count(&tallies, held, Counted::of).await?;
    let Counted { alpha, documents, ratings, now, ref rows } = *counted;
    let sorting = Sorting { order: (), descending: false, page: number };
    let Page { rows, total, number, size } = page(rows, &sorting, PAGE_SIZE);
    let rows = rows.into_iter().cloned().collect();
    let mut found: Page<SecondRow> = Page { rows, total, number, size };
    let shown: Vec<_> = found.rows.iter().map(|row| row.document).collect();
    let mut titles = store::document::names_of(store, &shown).await?;
    for row in &mut found.rows {
        row.name = titles.remove(&row.document).unwrap_or_default();
        names.name(row.labeler).unwrap_or_default().clone_into(&mut row.labeler_name);
    }
    Ok(SecondView { alpha, documents, ratings, now, page: found })
}

/// What was counted of the documents that one labeler alone has, by which these are; remembered while nothing
/// moves.
pub(crate) type Known = Remembered<Counted, Held>;

type Held = Arc<BTreeSet<DocumentId>>;

/// Rows are without names.
pub(crate) struct Counted {
    alpha: Measured,
    documents: u64,
    ratings: u64,
    now: std::result::Result<Precision, NoPrecision>,
    rows: Vec<SecondRow>,
}

impl Counted {
    fn of(tallies: &Tallies, held: &Held) -> Self {
        let whole = tallies.several(SWITCHES);
        let alpha = several_measured(&whole.tally, whole.documents, SeveralMeasure::Alpha);
        let next = next(tallies, alpha);
        let usual = Usual::of(tallies);
        let single = |(place, document): (usize, DocumentId)| {
            let mut labelers =
                tallies.document(document)?.iter().filter(|(_, work)| work.is_of_labeler());
            let (labeler, work) = labelers.next()?;
            let is_alone = labelers.next().is_none() && held.contains(&document);
            if !is_alone || work.judgements.is_empty() {
                return None;
            }
            let expected = usual.expected(work.judgements.values());
            Some(SecondRow {
                document,
                name: String::new(),
                place: saturating::<u64>(place).saturating_add(1),
                labeler: *labeler,
                labeler_name: String::new(),
                submitted: work.state == domain::WorkState::Submitted,
                spans: saturating::<u64>(work.judgements.len()),
                compared: expected.ratings / 2.0,
                disagreeing: expected.disagreement / 2.0,
                half_width: next.ok().map(|next| next.half_width_with(expected, Level::P95)),
            })
        };
        let mut rows: Vec<_> = tallies.all_documents().enumerate().filter_map(single).collect();
        // Without a width what there is most of to compare comes first.
        rows.sort_by(|one, other| match (one.half_width, other.half_width) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            _ => other.compared.total_cmp(&one.compared),
        });
        Self {
            alpha,
            documents: whole.documents,
            ratings: whole.tally.pairable().into_values().sum(),
            now: next.map(|next| Precision {
                half_width: next.half_width(Level::P95),
                disagreement: next.share(),
                correlation: next.correlation(),
            }),
            rows,
        }
    }
}

/// What the documents that were done twice say of the interval.
fn next(tallies: &Tallies, alpha: Measured) -> std::result::Result<NextCluster, NoPrecision> {
    let expected = match alpha {
        Measured::Undefined(reason) => return Err(NoPrecision::NoValue(reason)),
        Measured::Value { expected, .. } => 1.0 - expected,
    };
    let clusters: Vec<_> = tallies
        .several_by_document(SWITCHES)
        .filter_map(|(_, several)| {
            let ratings = ratings(&several.tally);
            let agreeing = percent_by_rating(&several.tally).ok()?.value;
            Some(Cluster { ratings, disagreement: (1.0 - agreeing) * ratings })
        })
        .collect();
    NextCluster::new(&clusters, expected).map_err(|reason| match reason {
        Undefined::TooFewUnits => NoPrecision::TooFewDocuments,
        _ => NoPrecision::NoVariance,
    })
}

/// Ratings that have a partner.
fn ratings(tally: &NominalTally<LabelSet>) -> f64 {
    let ratings: u64 = tally.pairable().into_values().sum();
    u32::try_from(ratings).map_or(f64::from(u32::MAX), f64::from)
}

/// How often a span was compared with another labeler's work on the document, how often the other
/// marked the position, too, and how often otherwise.
#[derive(Clone, Copy, Default)]
struct Often {
    marked: f64,
    both: f64,
    differ: f64,
}

/// What usually becomes of a span when a second labeler looks at the document.
struct Usual {
    all: Often,
    by_labels: BTreeMap<LabelSet, Often>,
}

impl Usual {
    fn of(tallies: &Tallies) -> Self {
        let mut usual = Self { all: Often::default(), by_labels: BTreeMap::new() };
        for (_, work) in tallies.documents() {
            let labelers = labelers_counted(work, SWITCHES);
            for (one, own) in &labelers {
                let others = labelers.iter().filter(|(other, _)| one != other);
                for (_, other) in others {
                    for (range, labels) in &own.judgements {
                        usual.count(labels, other.judgements.get(range));
                    }
                }
            }
        }
        usual
    }

    fn count(&mut self, labels: &LabelSet, other: Option<&LabelSet>) {
        let of_labels = self.by_labels.entry(labels.clone()).or_default();
        for often in [&mut self.all, of_labels] {
            often.marked += 1.0;
            if let Some(other) = other {
                often.both += 1.0;
                if other != labels {
                    often.differ += 1.0;
                }
            }
        }
    }

    /// What comparing these spans with a second labeler's is expected to give.
    fn expected<'a>(&self, judgements: impl Iterator<Item = &'a LabelSet>) -> Cluster {
        let share =
            |part: f64, of: f64, otherwise: f64| if of > 0.0 { part / of } else { otherwise };
        let kept = share(self.all.both, self.all.marked, 1.0);
        let differs = share(self.all.differ, self.all.both, 0.5);
        let mut cluster = Cluster { ratings: 0.0, disagreement: 0.0 };
        for labels in judgements {
            let often = self.by_labels.get(labels).copied().unwrap_or_default();
            let both = (often.both + USUAL * kept) / (often.marked + USUAL);
            let differ = (often.differ + USUAL * differs) / (often.both + USUAL);
            // Each compared position has two ratings.
            cluster.ratings += 2.0 * both;
            cluster.disagreement += 2.0 * both * differ;
        }
        cluster
    }
}

#[cfg(test)]
mod tests {
    use domain::LabelId;

    use super::*;

    fn usual(counts: &[(i64, Option<i64>)]) -> Usual {
        let set = |label| LabelSet::one(LabelId(label));
        let mut usual = Usual { all: Often::default(), by_labels: BTreeMap::new() };
        for (one, other) in counts {
            usual.count(&set(*one), other.map(set).as_ref());
        }
        usual
    }

    #[test]
    fn a_label_that_others_dispute_is_expected_to_be_disputed_again() {
        let mut counts = vec![(1, Some(1)); 40];
        counts.extend(vec![(2, Some(1)); 40]);
        counts.extend(vec![(3, None); 40]);
        let usual = usual(&counts);
        let of = |label| usual.expected(std::iter::once(&LabelSet::one(LabelId(label))));
        let share = |label| of(label).disagreement / of(label).ratings;
        assert!(share(1) < 0.1 && share(2) > 0.9, "{} {}", share(1), share(2));
        // What others do not mark is not compared.
        assert!(of(3).ratings < 0.2 && of(1).ratings > 1.8);
    }

    #[test]
    fn nothing_known_expects_half_of_what_is_marked_to_differ() {
        let cluster = usual(&[]).expected([&LabelSet::one(LabelId(1))].into_iter());
        assert!((cluster.ratings - 2.0).abs() < 1e-12);
        assert!((cluster.disagreement - 1.0).abs() < 1e-12);
    }
}
