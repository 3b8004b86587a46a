//! Which of the documents that somebody has submitted they are given back: drawn with a seed that
//! nobody chooses, so that nobody can draw until they like it.

use std::collections::BTreeMap;

use domain::{Member, ProjectId, RepeatAsk, RepeatPlan, RepeatShare, Role, saturating};
use store::work::repeats::Candidate;

use crate::base::{drawing, secrets::checksum::checksum};

/// The seed of a project's next batch.
pub(super) fn seed(project: ProjectId, batches: usize) -> String {
    drawing::seed(&format!("repeats of project {project}, batch {}", batches + 1))
}

/// Draws for each labeler as many of their assignments as were asked for.
pub(super) fn draw(
    ask: RepeatAsk,
    seed: String,
    members: &[Member],
    candidates: Vec<Candidate>,
) -> (RepeatPlan, Vec<Candidate>) {
    let mut of_members: BTreeMap<_, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        of_members.entry(candidate.member).or_default().push(candidate);
    }
    let mut drawn = Vec::new();
    let labelers = members.iter().filter(|member| member.role == Role::Labeler);
    let shares = labelers
        .map(|member| {
            let own = of_members.remove(&member.id).unwrap_or_default();
            let eligible = saturating::<u64>(own.len());
            let many = saturating::<usize>(ask.documents);
            let mut own = drawing::draw(own, many, &seed, |one| one.assignment);
            own.sort_by_key(|one| one.document);
            let chosen = own.iter().map(|one| (one.document, one.document_name.clone())).collect();
            drawn.extend(own);
            RepeatShare { member: member.id, name: member.name.clone(), eligible, chosen }
        })
        .collect();
    let ids: Vec<_> = drawn.iter().map(|one| one.assignment.to_string()).collect();
    let previewed = checksum(format!("{seed}:{}", ids.join(",")));
    (RepeatPlan { ask, seed, shares, seen: previewed }, drawn)
}

#[cfg(test)]
mod tests {
    use domain::{AssignmentId, DocumentId, MemberId, UserId};

    use super::*;

    fn members(n: i64) -> Vec<Member> {
        let member = |id| Member {
            id: MemberId(id),
            user: UserId(id),
            name: format!("labeler {id}"),
            email: String::new(),
            role: Role::Labeler,
            is_placeholder: false,
        };
        (1..=n).map(member).collect()
    }

    fn candidates(members: i64, documents: i64) -> Vec<Candidate> {
        let candidate = |member: i64, document: i64| Candidate {
            assignment: AssignmentId(member * 1_000 + document),
            member: MemberId(member),
            document: DocumentId(document),
            document_name: format!("document {document}"),
        };
        (1..=members).flat_map(|m| (1..=documents).map(move |d| candidate(m, d))).collect()
    }

    fn ask(documents: u32) -> RepeatAsk {
        RepeatAsk { documents, days: 0 }
    }

    #[test]
    fn everybody_gets_what_was_asked_for_or_all_that_there_is() {
        for (documents, expected) in [(3, 3), (20, 8)] {
            let given = candidates(2, 8);
            let (plan, drawn) = draw(ask(documents), "s".to_owned(), &members(3), given);
            let sizes: Vec<_> = plan.shares.iter().map(|share| share.chosen.len()).collect();
            assert_eq!(sizes, [expected, expected, 0]);
            assert_eq!((plan.total(), drawn.len()), (2 * expected, 2 * expected));
            assert_eq!(plan.shares[0].eligible, 8);
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_and_another_one_others() {
        let of = |seed: &str| draw(ask(5), seed.to_owned(), &members(2), candidates(2, 40));
        assert_eq!(of("one"), of("one"));
        assert_ne!(of("one").1, of("two").1);
        assert_ne!(of("one").0.seen, of("two").0.seen);
        let documents = |share: usize| {
            of("one").0.shares[share].chosen.iter().map(|(id, _)| *id).collect::<Vec<_>>()
        };
        assert_ne!(documents(0), documents(1), "labelers are not given the same documents");
    }

    #[test]
    fn every_document_is_drawn_about_equally_often() {
        let mut often: BTreeMap<DocumentId, u32> = BTreeMap::new();
        for batch in 0..400 {
            let seed = seed(ProjectId(1), batch);
            for one in draw(ask(5), seed, &members(1), candidates(1, 20)).1 {
                *often.entry(one.document).or_default() += 1;
            }
        }
        // 100 are expected of each; a standard deviation is 8.7.
        assert!(often.len() == 20 && often.values().all(|n| (65..=135).contains(n)), "{often:?}");
    }
}
