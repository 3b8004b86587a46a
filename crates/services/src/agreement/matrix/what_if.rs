//! A project's judgements for a browser to predict from: who said what, under ids alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use agreement::PairMeasure;
use domain::{
    Actor, Code, Documents, Filter, Label, LabelSet, MemberId, PolicyChoice, ProjectId, Range,
    Rater, Role, Switches, base::policy::Action,
};
use live::{DocumentWork, Narrowing, Tallies, pair_measure};
use whatif::{Rules, Study, Work};

use crate::{
    Error, Result, Services,
    base::{access::permit, categories::Categories, names::Names},
};

/// The judgements behind the matrix under the given switches, as [`Study::read`] takes them. No
/// names are in it.
///
/// One label against everything else is left to whoever reads it: labels are merged first. Only exact
/// positions can be otherwise.
pub async fn what_if(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<Vec<u8>> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    switches.policy.check_exact()?;
    let measure = pair_measure(switches.measure)
        .ok_or_else(|| Code::Unsuitable.of("measure", "no predictions of graded measures"))?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = Categories::of(&services.store, project, switches).await?;
    let all_labels = Filter { label: None, ..switches.filter };
    let tallies = services.live.read_part(project, Narrowing::exact(all_labels)).await?;
    tokio::task::spawn_blocking(move || {
        study(&tallies, names.raters(), labels.offered(), (measure, switches)).written()
    })
    .await
    .map_err(Error::broken)
}

fn study(
    tallies: &Tallies,
    raters: &[Rater],
    labels: &[Label],
    (measure, switches): (PairMeasure, Switches),
) -> Study {
    let sets: BTreeSet<&LabelSet> = tallies
        .documents()
        .flat_map(|(_, work)| work.values())
        .flat_map(|work| work.judgements.values())
        .chain([&live::NOTHING])
        .collect();
    let places = Places {
        raters: raters.iter().map(|rater| rater.id).zip(0..).collect(),
        sets: sets.iter().copied().zip(0..).collect(),
    };
    let several = switches.of_positions();
    Study {
        revision: whole(tallies.revision.0),
        measure,
        pairs: Rules {
            submitted: switches.counted_documents() == Documents::Submitted,
            one_sided: switches.counts_one_sided(),
        },
        several: Rules {
            submitted: several.counted_documents() == Documents::Submitted,
            one_sided: several.policy == PolicyChoice::EmptyLabel,
        },
        only_label: switches.filter.label.map(|label| whole(label.0)),
        labels: labels.iter().map(|label| whole(label.id.0)).collect(),
        raters: raters
            .iter()
            .map(|rater| whatif::Rater {
                id: whole(rater.id.0),
                reviews: rater.role == Role::Reviewer,
            })
            .collect(),
        sets: sets.iter().map(|set| set.iter().map(|label| whole(label.0)).collect()).collect(),
        documents: tallies.documents().map(|(_, work)| places.document(work)).collect(),
    }
}

/// Where raters and sets of labels stand in their lists.
struct Places<'a> {
    raters: BTreeMap<MemberId, usize>,
    sets: BTreeMap<&'a LabelSet, usize>,
}

impl Places<'_> {
    fn document(&self, work: &DocumentWork) -> whatif::Document {
        let works = work.iter().filter_map(|(rater, own)| {
            let of_judgement = |(range, labels): (&Range, &LabelSet)| {
                let position = (u64::from(range.start), u64::from(range.end));
                Some((position, *self.sets.get(labels)?))
            };
            Some(Work {
                rater: *self.raters.get(rater)?,
                submitted: own.counts(Documents::Submitted),
                judgements: own.judgements.iter().filter_map(of_judgement).collect(),
                turns: own
                    .verdicts
                    .keys()
                    .map(|range| decision_rank(work, *rater, *range))
                    .collect(),
            })
        });
        let mut works: Vec<_> = works.collect();
        works.sort_by_key(|work| work.rater);
        works
    }
}

/// How many decisions on the position had been taken when this reviewer took theirs.
fn decision_rank(work: &DocumentWork, reviewer: MemberId, range: Range) -> usize {
    let when = |id: MemberId| work.get(&id)?.verdicts.get(&range).map(|decided| (decided.at, id));
    let own = when(reviewer);
    work.keys().filter(|other| when(**other).is_some_and(|other| Some(other) < own)).count()
}

/// Ids and revisions count from 1, and choices from 0.
fn whole(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use domain::{Decision, Verdict, WorkState};

    use super::*;

    fn reviewer(decided: &[(u32, i64)]) -> live::Work {
        let at = |second| DateTime::<Utc>::from_timestamp(second, 0).unwrap();
        let decisions = decided.iter().map(|&(start, second)| Decision {
            range: Range::new(start, start + 3),
            verdict: Verdict::Reject,
            labels: LabelSet::EMPTY,
            decided_at: at(second),
            note: String::new(),
            answers: BTreeSet::new(),
        });
        live::Work::of_reviewer(WorkState::Saved, at(0), decisions)
    }

    #[test]
    fn decisions_on_one_position_are_in_turn_as_the_gold_standard_has_them() {
        // At the same time the reviewer with the higher id is taken for the later one.
        let work = DocumentWork::from_iter([
            (MemberId(7), reviewer(&[(0, 5), (10, 5), (20, 5)])),
            (MemberId(8), reviewer(&[(0, 4), (10, 6), (20, 5)])),
            (MemberId(9), reviewer(&[(10, 1)])),
        ]);
        let turns = |id, starts: &[u32]| -> Vec<usize> {
            let range = |start| Range::new(start, start + 3);
            starts.iter().map(|&start| decision_rank(&work, MemberId(id), range(start))).collect()
        };
        assert_eq!(turns(7, &[0, 10, 20]), [1, 1, 0]);
        assert_eq!(turns(8, &[0, 10, 20]), [0, 2, 1]);
        assert_eq!(turns(9, &[10]), [0]);
        for start in [0, 10, 20] {
            let range = Range::new(start, start + 3);
            let latest = crate::agreement::latest_decision(&work, range).unwrap().reviewer;
            let last = work.keys().max_by_key(|id| {
                let decided = work[id].verdicts.contains_key(&range);
                decided.then(|| decision_rank(&work, **id, range))
            });
            assert_eq!(last, Some(&latest));
        }
    }
}
