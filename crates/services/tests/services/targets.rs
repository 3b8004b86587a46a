//! Targets: who sets them, what is refused, and what the matrix says of them.

use crate::{
    house::{houses, invalid_field, refused},
    world::worlds,
};
use domain::{
    Actor, Documents, Error as Refusal, Measure, PolicyChoice, Range, Span, Switches, Target,
    TargetBasis, TargetVerdict,
};
use services::{
    agreement::{self, target},
    project,
};

#[tokio::test]
async fn a_target_is_set_by_managers_and_seen_by_whoever_sees_agreement() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let set =
            async |actor: &Actor, wanted| target::set(services, actor, project.id, wanted).await;
        let load = async |actor: &Actor| target::load(services, actor, project.id).await;
        project.is_for_managers(async |actor| set(actor, Some(Target::PROPOSED)).await).await;
        set(&project.manager, None).await.unwrap();
        assert_eq!(load(&project.manager).await.unwrap(), None);

        let strict = Target {
            measure: Measure::Kappa,
            policy: PolicyChoice::Cleaned,
            basis: TargetBasis::LowerBound,
            at_least: 0.667,
        };
        for wanted in [Some(Target::PROPOSED), Some(strict), None, Some(strict)] {
            let before = project.revision().await;
            set(&project.manager, wanted).await.unwrap();
            assert_eq!(load(&project.manager).await.unwrap(), wanted);
            assert_eq!(load(&project.reviewer).await.unwrap(), wanted);
            assert_eq!(project.actions().await.last().unwrap(), "save target");
            assert_eq!(project.revision().await, before, "no number moves by it");
        }
        assert!(matches!(refused(load(&project.labeler).await), Refusal::Denied(_)));
        assert_eq!(refused(load(&project.outsider).await), Refusal::NotFound);
        assert_eq!(refused(load(&Actor::Anonymous).await), Refusal::SignInRequired);
        project::delete(services, &project.manager, project.id, "Tragedies").await.unwrap();
    }
}

#[tokio::test]
async fn what_is_no_target_is_refused_and_changes_nothing() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (&house.services, &project.manager);
        target::set(services, manager, project.id, Some(Target::PROPOSED)).await.unwrap();
        for (wrong, field) in [
            (Target { measure: Measure::F1, ..Target::PROPOSED }, "measure"),
            (Target { at_least: 80.0, ..Target::PROPOSED }, "at_least"),
            (Target { at_least: f64::NAN, ..Target::PROPOSED }, "at_least"),
        ] {
            let set = target::set(services, manager, project.id, Some(wrong)).await;
            assert_eq!(invalid_field(set), field);
            let name = "Comedies".to_owned();
            let created = project::create(services, manager, name, Some(wrong)).await;
            assert_eq!(invalid_field(created), field);
        }
        let loaded = target::load(services, manager, project.id).await.unwrap();
        assert_eq!(loaded, Some(Target::PROPOSED));
        assert_eq!(project::list(services, manager).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_project_is_created_with_its_target() {
    for house in houses().await {
        let (services, manager) = (&house.services, house.person("manager", true).await);
        for wanted in [None, Some(Target::PROPOSED)] {
            let name = "Tragedies".to_owned();
            let project = project::create(services, &manager, name, wanted).await.unwrap();
            assert_eq!(target::load(services, &manager, project).await.unwrap(), wanted);
        }
    }
}

#[tokio::test]
async fn the_two_numbers_tell_whether_the_target_is_met_where_it_is_about_one_of_them() {
    // Four words that both labelers call the same in each of eight documents, and one that they do not.
    const WORDS: [(u32, u32); 4] = [(0, 3), (4, 11), (15, 21), (23, 29)];
    for world in worlds(2, 8).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        let judge = async |target: Target, switches: Switches| {
            target::set(services, manager, world.project, Some(target)).await.unwrap();
            let told = agreement::headlines(services, manager, world.project, switches).await;
            told.unwrap().target.unwrap().1
        };
        let cleaned = Target { policy: PolicyChoice::Cleaned, ..Target::PROPOSED };
        let switches = cleaned.switches();
        for document in 0..8 {
            assert_eq!(judge(cleaned, switches).await, Some(TargetVerdict::Unclear), "{document}");
            for labeler in 0..2 {
                let spans = WORDS.iter().zip(0..).map(|((start, end), place)| {
                    let label = world.labels[(place + usize::from(place == 3) * labeler) % 3];
                    Span { range: Range::new(*start, *end), label }
                });
                world.mark(labeler, document, &spans.collect::<Vec<_>>()).await;
            }
        }
        // κ, α and the percentage are 0.62, 0.625 and 0.75, of 32 positions.
        for (measure, at_least, verdict) in [
            (Measure::Kappa, 0.6, TargetVerdict::Met),
            (Measure::Alpha, 0.6, TargetVerdict::Met),
            (Measure::Alpha, 0.7, TargetVerdict::NotMet),
            (Measure::Percent, 0.75, TargetVerdict::Met),
            (Measure::Percent, 0.76, TargetVerdict::NotMet),
        ] {
            let target = Target { measure, at_least, ..cleaned };
            assert_eq!(judge(target, switches).await, Some(verdict), "{measure} {at_least}");
        }
        // Both policies are told, whichever the page is under, and nothing has been submitted that the other
        // counts. Of other documents the target says nothing.
        assert_eq!(judge(Target::PROPOSED, switches).await, Some(TargetVerdict::Unclear));
        let submitted = Switches { documents: Documents::Submitted, ..switches };
        assert_eq!(judge(cleaned, submitted).await, None);
    }
}
