//! What a manager's wish comes down to: which assignments are given, taken and dated. Pure, so that what
//! is carried out is what was previewed.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use domain::{
    Code, DocumentId, Error as Refusal, MemberId, PersonLoad, ProjectId, WorkState, WorkloadAsk,
    WorkloadKind, WorkloadPlan, WorkloadShare, saturating,
};
use store::workload::{Holding, batches::HoldingChange};

use crate::{
    base::{drawing, secrets::checksum::checksum},
    workload::evenly::{self, Needs},
};

/// What is there before anything is given out.
pub(super) struct Ground {
    pub(super) project: ProjectId,
    /// In the order of import.
    pub(super) documents: Vec<DocumentId>,
    /// Every labeler who is still in the project, in the order in which they joined.
    pub(super) people: Vec<PersonLoad>,
    pub(super) holdings: Vec<Holding>,
    /// Who has skipped a document and has no assignment of it: they get it only by name.
    pub(super) turned_down: Vec<(DocumentId, MemberId)>,
    /// How often work was given out before: what documents are drawn with follows from it.
    pub(super) batches: u64,
}

/// What is to be done, and how it is told.
pub(super) struct Planned {
    pub(super) view: WorkloadPlan,
    pub(super) parts: Vec<HoldingChange>,
}

/// The assignments of a document by member.
type Assignments<'a> = BTreeMap<MemberId, &'a Holding>;

/// Plans what is asked for.
pub(super) fn plan(ground: &Ground, ask: WorkloadAsk) -> Result<Planned, Refusal> {
    let ask = ask.checked()?;
    let known = |id: Option<MemberId>| {
        id.is_none_or(|id| ground.people.iter().any(|person| person.member == id))
    };
    if !known(ask.to) || !known(ask.from) {
        return Err(Code::Unsuitable.of("to", "this person is not a labeler of the project"));
    }
    if ground.people.is_empty() {
        return Err(Code::Unsuitable.of("to", "no labelers yet; invite some"));
    }
    let mut assignments: BTreeMap<DocumentId, Assignments<'_>> = BTreeMap::new();
    for holding in &ground.holdings {
        assignments.entry(holding.document).or_default().insert(holding.member, holding);
    }
    let nobody = Assignments::new();
    let chosen: Vec<(DocumentId, &Assignments<'_>)> = ground
        .documents
        .iter()
        .enumerate()
        .filter(|(place, _)| ask.has_place(*place))
        .map(|(_, id)| (*id, assignments.get(id).unwrap_or(&nobody)))
        .filter(|(_, assignments)| !ask.unassigned || assignments.is_empty())
        .take(ask.most.map_or(usize::MAX, saturating::<usize>))
        .collect();
    let due = ask.due_at();
    let mut seed = None;
    let (parts, stay) = match ask.kind {
        WorkloadKind::Person => person(&chosen, ask.to, due),
        WorkloadKind::HandOver => hand_over(&chosen, ask.from, ask.to, due),
        WorkloadKind::TakeBack => take_back(&chosen, ask.from),
        WorkloadKind::Due => dates(&chosen, ask.to, due),
        WorkloadKind::Overlap => {
            let overlap = saturating::<usize>(u64::from(ask.overlap));
            if overlap > ground.people.len() {
                let why = "not enough labelers; invite more, or use fewer per document";
                return Err(Code::OutOfRange.of("overlap", why));
            }
            evenly_given(ground, &chosen, due, |_| overlap)
        }
        WorkloadKind::Double => {
            if ground.people.len() < 2 {
                let why = "annotating a document twice needs two labelers";
                return Err(Code::Unsuitable.of("percent", why));
            }
            let drawn_with = self::seed(ground.project, ground.batches);
            let twice = drawn(&chosen, ask.percent, &drawn_with);
            seed = Some(drawn_with);
            evenly_given(ground, &chosen, due, |id| if twice.contains(&id) { 2 } else { 1 })
        }
    };
    let view = view(ground, ask, seed, &parts, stay);
    Ok(Planned { view, parts })
}

/// The seed of a project's next act: nobody chooses it, so that nobody can draw again.
fn seed(project: ProjectId, batches: u64) -> String {
    drawing::seed(&format!("work of project {project}, act {}", batches + 1))
}

/// Which documents are to have two labelers: those that have, and as many more as it takes to reach
/// the percentage (rounded up), drawn from the others.
fn drawn(
    chosen: &[(DocumentId, &Assignments<'_>)],
    percent: u32,
    seed: &str,
) -> BTreeSet<DocumentId> {
    let wanted = (chosen.len() * saturating::<usize>(u64::from(percent))).div_ceil(100);
    let (twice, others): (Vec<_>, Vec<_>) = chosen.iter().partition(|(_, assignments)| {
        assignments.values().filter(|assignment| !assignment.skipped).count() > 1
    });
    let more = wanted.saturating_sub(twice.len());
    let others = drawing::draw(others, more, seed, |(document, _)| *document);
    twice.into_iter().chain(others).map(|(document, _)| document).collect()
}

fn given(document: DocumentId, member: MemberId, due: Option<DateTime<Utc>>) -> HoldingChange {
    HoldingChange { document, member, before: None, after: Some(due) }
}

/// Every document to one person; those that they have stay as they are.
fn person(
    chosen: &[(DocumentId, &Assignments<'_>)],
    to: Option<MemberId>,
    due: Option<DateTime<Utc>>,
) -> (Vec<HoldingChange>, u64) {
    let mut parts = Vec::new();
    let mut stay = 0;
    for (document, assignments) in chosen {
        match to {
            Some(to) if !assignments.contains_key(&to) => parts.push(given(*document, to, due)),
            _ => stay += 1,
        }
    }
    (parts, stay)
}

/// Every document to as many people as it is to have, each to those with the least.
fn evenly_given(
    ground: &Ground,
    chosen: &[(DocumentId, &Assignments<'_>)],
    due: Option<DateTime<Utc>>,
    overlap: impl Fn(DocumentId) -> usize,
) -> (Vec<HoldingChange>, u64) {
    // Nothing new for who is paused.
    let loads: Vec<_> = ground
        .people
        .iter()
        .filter(|person| person.paused_at.is_none())
        .map(|person| (person.member, person.counts.total()))
        .collect();
    // Who has put a document aside, or turned it down, does not do it: another does.
    let turned_down = |document: DocumentId| {
        let of = ground.turned_down.iter().filter(move |(turned, _)| *turned == document);
        of.map(|(_, member)| *member)
    };
    let spared = |document: DocumentId, there: &Assignments<'_>| {
        there.values().filter(|assignment| assignment.skipped).count()
            + turned_down(document).count()
    };
    let needs: Vec<_> = chosen
        .iter()
        .map(|(document, there)| Needs {
            document: *document,
            has: there.keys().copied().chain(turned_down(*document)).collect(),
            overlap: overlap(*document) + spared(*document, there),
        })
        .collect();
    let stay = chosen.iter().map(|(_, assignments)| saturating::<u64>(assignments.len())).sum();
    let plan = evenly::plan(&loads, &needs);
    (plan.into_iter().map(|(document, member)| given(document, member, due)).collect(), stay)
}

/// What one person has not begun goes to another; what the other has already stays, too.
fn hand_over(
    chosen: &[(DocumentId, &Assignments<'_>)],
    from: Option<MemberId>,
    to: Option<MemberId>,
    due: Option<DateTime<Utc>>,
) -> (Vec<HoldingChange>, u64) {
    let mut parts = Vec::new();
    let mut stay = 0;
    let (Some(from), Some(to)) = (from, to) else { return (parts, stay) };
    for (document, assignments) in chosen {
        let Some(assignment) = assignments.get(&from) else { continue };
        if assignment.state != WorkState::Open || assignments.contains_key(&to) {
            stay += 1;
            continue;
        }
        parts.push(HoldingChange {
            document: *document,
            member: from,
            before: Some(assignment.due_at),
            after: None,
        });
        parts.push(given(*document, to, due.or(assignment.due_at)));
    }
    (parts, stay)
}

/// What one person has not begun is taken from them.
fn take_back(
    chosen: &[(DocumentId, &Assignments<'_>)],
    from: Option<MemberId>,
) -> (Vec<HoldingChange>, u64) {
    let mut parts = Vec::new();
    let mut stay = 0;
    let held = chosen.iter().filter_map(|(document, assignments)| {
        from.and_then(|from| assignments.get(&from)).map(|assignment| (*document, *assignment))
    });
    for (document, assignment) in held {
        if assignment.state == WorkState::Open {
            let before = Some(assignment.due_at);
            parts.push(HoldingChange { document, member: assignment.member, before, after: None });
        } else {
            stay += 1;
        }
    }
    (parts, stay)
}

/// Another due date for assignments that are not submitted.
fn dates(
    chosen: &[(DocumentId, &Assignments<'_>)],
    whose: Option<MemberId>,
    due: Option<DateTime<Utc>>,
) -> (Vec<HoldingChange>, u64) {
    let mut parts = Vec::new();
    let mut stay = 0;
    for (document, assignments) in chosen {
        for (member, assignment) in
            assignments.iter().filter(|(id, _)| whose.is_none_or(|who| who == **id))
        {
            if assignment.state == WorkState::Submitted || assignment.due_at == due {
                stay += 1;
                continue;
            }
            let (before, after) = (Some(assignment.due_at), Some(due));
            parts.push(HoldingChange { document: *document, member: *member, before, after });
        }
    }
    (parts, stay)
}

fn view(
    ground: &Ground,
    ask: WorkloadAsk,
    seed: Option<String>,
    parts: &[HoldingChange],
    stay: u64,
) -> WorkloadPlan {
    let mut of_documents: BTreeMap<DocumentId, u64> =
        ground.documents.iter().map(|document| (*document, 0)).collect();
    for holding in &ground.holdings {
        *of_documents.entry(holding.document).or_default() += 1;
    }
    let before = spread(&of_documents);
    for part in parts {
        let assignments = of_documents.entry(part.document).or_default();
        match (part.before, part.after) {
            (None, Some(_)) => *assignments += 1,
            (Some(_), None) => *assignments = assignments.saturating_sub(1),
            _ => {}
        }
    }
    let shares = ground
        .people
        .iter()
        .map(|person| {
            let own = |wanted: fn(&HoldingChange) -> bool| {
                let own = parts.iter().filter(|part| part.member == person.member);
                saturating::<u64>(own.filter(|part| wanted(part)).count())
            };
            WorkloadShare {
                member: person.member,
                name: person.name.clone(),
                has: person.counts.total(),
                gets: own(|part| part.before.is_none()),
                loses: own(|part| part.after.is_none()),
                dated: own(|part| part.before.is_some() && part.after.is_some()),
            }
        })
        .collect();
    let changes: Vec<_> = parts.iter().map(|part| format!("{part:?}")).collect();
    WorkloadPlan {
        ask,
        shares,
        before,
        after: spread(&of_documents),
        stay,
        changes: saturating::<u64>(parts.len()),
        seen: checksum(format!("{ask:?}:{seed:?}:{}", changes.join(","))),
        seed,
    }
}

/// How many documents have so many assignments.
fn spread(of_documents: &BTreeMap<DocumentId, u64>) -> Vec<(u64, u64)> {
    let mut spread: BTreeMap<u64, u64> = BTreeMap::new();
    for assignments in of_documents.values() {
        *spread.entry(*assignments).or_default() += 1;
    }
    spread.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use domain::StateCounts;
    use proptest::prelude::*;

    use super::*;

    fn ground(people: i64, documents: i64, holdings: &[(i64, i64, WorkState)]) -> Ground {
        let load = |id| PersonLoad {
            member: MemberId(id),
            name: format!("labeler {id}"),
            paused_at: None,
            counts: StateCounts {
                open: saturating::<u64>(
                    holdings.iter().filter(|(_, member, _)| *member == id).count(),
                ),
                ..StateCounts::default()
            },
            overdue: 0,
            flagged: 0,
        };
        Ground {
            project: ProjectId(1),
            documents: (1..=documents).map(DocumentId).collect(),
            people: (1..=people).map(load).collect(),
            holdings: holdings
                .iter()
                .map(|(document, member, state)| Holding {
                    document: DocumentId(*document),
                    member: MemberId(*member),
                    state: *state,
                    due_at: None,
                    skipped: false,
                })
                .collect(),
            turned_down: Vec::new(),
            batches: 0,
        }
    }

    fn ask(kind: WorkloadKind) -> WorkloadAsk {
        WorkloadAsk { kind, ..WorkloadAsk::default() }
    }

    fn assignments_after(
        ground: &Ground,
        parts: &[HoldingChange],
    ) -> BTreeMap<DocumentId, BTreeSet<MemberId>> {
        let mut after: BTreeMap<DocumentId, BTreeSet<MemberId>> = BTreeMap::new();
        for holding in &ground.holdings {
            after.entry(holding.document).or_default().insert(holding.member);
        }
        for part in parts {
            let members = after.entry(part.document).or_default();
            let changed = match part.after {
                Some(_) if part.before.is_none() => members.insert(part.member),
                Some(_) => members.contains(&part.member),
                None => members.remove(&part.member),
            };
            assert!(
                changed,
                "nobody gets an assignment twice, and none is taken that is not there"
            );
        }
        after
    }

    #[test]
    fn what_is_begun_or_submitted_stays_whose_it_is() {
        use WorkState::{Open, Saved, Submitted};
        let ground = ground(
            2,
            5,
            &[(1, 1, Open), (2, 1, Saved), (3, 1, Submitted), (4, 1, Open), (4, 2, Open)],
        );
        let over = WorkloadAsk {
            from: Some(MemberId(1)),
            to: Some(MemberId(2)),
            ..ask(WorkloadKind::HandOver)
        };
        let Planned { view, parts } = plan(&ground, over).unwrap();
        assert_eq!((view.changes, view.stay), (2, 3));
        assert!(parts.iter().all(|part| part.document == DocumentId(1)));
        assert_eq!((view.shares[0].loses, view.shares[1].gets), (1, 1));
    }

    #[test]
    fn the_same_question_gives_the_same_answer_and_another_seed_others() {
        let mut ground = ground(3, 100, &[]);
        let double = ask(WorkloadKind::Double);
        let twice = |ground: &Ground| plan(ground, double).unwrap();
        let one = twice(&ground);
        assert_eq!(one.view, twice(&ground).view);
        assert_eq!(one.view.after, [(1, 80), (2, 20)]);
        ground.batches = 1;
        let other = twice(&ground);
        assert_ne!(one.view.seed, other.view.seed);
        assert_ne!(one.parts, other.parts);
    }

    #[test]
    fn who_is_paused_gets_nothing_new() {
        let mut ground = ground(3, 9, &[]);
        ground.people[1].paused_at = Some(DateTime::<Utc>::UNIX_EPOCH);
        let view = plan(&ground, ask(WorkloadKind::Overlap)).unwrap().view;
        let gets: Vec<_> = view.shares.iter().map(|share| share.gets).collect();
        assert_eq!(gets, [9, 0, 9]);
    }

    proptest! {
        #[test]
        fn overlap_reaches_every_document_and_takes_nothing_away(
            people in 2_i64..6, documents in 1_i64..30, overlap in 1_u32..6,
            there in prop::collection::btree_set((1_i64..30, 1_i64..6), 0..40),
        ) {
            let there: Vec<_> = there
                .into_iter()
                .filter(|(document, member)| *document <= documents && *member <= people)
                .map(|(document, member)| (document, member, WorkState::Open))
                .collect();
            let ground = ground(people, documents, &there);
            let overlap = overlap.min(u32::try_from(people).unwrap());
            let ask = WorkloadAsk { overlap, ..ask(WorkloadKind::Overlap) };
            let planned = plan(&ground, ask).unwrap();
            prop_assert!(planned.parts.iter().all(|part| part.before.is_none()));
            let after = assignments_after(&ground, &planned.parts);
            for document in &ground.documents {
                prop_assert!(after[document].len() >= usize::try_from(overlap).unwrap());
            }
            // Asked for again there is nothing left to give.
            let given: Vec<_> = after
                .iter()
                .flat_map(|(document, members)| {
                    members.iter().map(|member| (document.0, member.0, WorkState::Open))
                })
                .collect();
            prop_assert_eq!(plan(&self::ground(people, documents, &given), ask).unwrap().parts, []);
        }

        #[test]
        fn a_percentage_of_the_documents_is_annotated_twice(
            people in 2_i64..5, documents in 1_i64..60, percent in 1_u32..101,
            single in 0_i64..60,
        ) {
            let there: Vec<_> =
                (1..=single.min(documents)).map(|id| (id, 1, WorkState::Submitted)).collect();
            let ground = ground(people, documents, &there);
            let double = WorkloadAsk { percent, ..ask(WorkloadKind::Double) };
            let after = assignments_after(&ground, &plan(&ground, double).unwrap().parts);
            let twice = after.values().filter(|members| members.len() == 2).count();
            let all = usize::try_from(documents).unwrap();
            prop_assert_eq!(twice, (all * usize::try_from(percent).unwrap()).div_ceil(100));
            prop_assert!(after.len() == all && after.values().all(|members| !members.is_empty()));
        }
    }
}
