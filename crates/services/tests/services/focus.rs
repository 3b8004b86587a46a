//! Time on task: what browsers may report, and who is told.

use crate::{
    house::{House, houses, refused},
    world::TEXT,
};
use chrono::TimeDelta;
use domain::{
    Actor, AssignmentId, DocumentId, Error as Refusal, NoTime, RepeatAsk, Revision, Role, Task,
};
use services::{
    document::import::ImportOptions,
    review,
    work::{annotation, focus, repeats},
};

struct Copy {
    assignment: AssignmentId,
    document: DocumentId,
}

async fn assignment_of(
    house: &House,
    project: &crate::house::Project<'_>,
    labeler: &Actor,
) -> Copy {
    let member = project.member(labeler).await;
    let cards = store::work::assignments::list_of_member(&*house.store, member).await.unwrap();
    let assignment = cards[0].id;
    let found = store::work::assignments::find(&*house.store, assignment).await.unwrap().unwrap();
    Copy { assignment, document: found.document }
}

#[tokio::test]
async fn no_more_minutes_are_taken_than_have_passed_since_the_last_report() {
    for house in houses().await {
        let project = house.project().await;
        project
            .import(&[("one.txt", TEXT), ("two.txt", TEXT)], ImportOptions::default())
            .await
            .unwrap();
        let Copy { assignment, .. } = assignment_of(&house, &project, &project.labeler).await;
        let report = async |minutes| {
            focus::report(&house.services, &project.labeler, Task::Assignment(assignment), minutes)
                .await
                .unwrap()
        };
        // Nobody knows since when the first page was open.
        assert_eq!(report(30).await, 1);
        assert_eq!(report(1).await, 0, "the same report again");
        house.pass(TimeDelta::seconds(60));
        assert_eq!(report(1).await, 1);
        house.pass(TimeDelta::minutes(3));
        assert_eq!(report(2).await, 2);
        assert_eq!(report(2).await, 0);
        house.pass(TimeDelta::minutes(10));
        assert_eq!(report(1000).await, 10);
        house.pass(TimeDelta::days(1));
        assert_eq!(report(1000).await, 60, "an hour at most");
        assert_eq!(report(0).await, 0);
        let told = focus::own(&house.services, &project.labeler, project.id).await.unwrap();
        assert_eq!((told.time.minutes, told.time.medians), (74, Err(NoTime::NothingFinished)));

        // Two documents at once are not worked on for twice as long.
        let member = project.member(&project.labeler).await;
        let cards = store::work::assignments::list_of_member(&*house.store, member).await.unwrap();
        let other = Task::Assignment(cards[1].id);
        assert_eq!(focus::report(&house.services, &project.labeler, other, 1).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn managers_are_told_of_all_everybody_of_themselves_and_nobody_when_it_is_off() {
    for house in houses().await {
        let project = house.project().await;
        project.import(&[("one.txt", TEXT)], ImportOptions::default()).await.unwrap();
        let services = &house.services;
        let peer = project.with("peer", Role::Labeler).await;
        let Copy { assignment, document } = assignment_of(&house, &project, &project.labeler).await;
        let task = Task::Assignment(assignment);

        for (actor, refusal) in [
            (&Actor::Anonymous, Refusal::SignInRequired),
            (&project.outsider, Refusal::NotFound),
            (&peer, Refusal::NotFound),
            (&project.manager, Refusal::NotFound),
            (&project.reviewer, Refusal::NotFound),
        ] {
            assert_eq!(refused(focus::report(services, actor, task, 1).await), refusal);
        }
        let review = Task::Review(document);
        let denied = refused(focus::report(services, &project.labeler, review, 1).await);
        assert!(matches!(denied, Refusal::Denied(_)));
        // Whoever has opened a document and decided nothing has no pass.
        assert_eq!(focus::report(services, &project.reviewer, review, 1).await.unwrap(), 0);

        assert_eq!(focus::report(services, &project.labeler, task, 1).await.unwrap(), 1);
        annotation::submit(services, &project.labeler, assignment, Revision(0)).await.unwrap();
        review::submit(services, &project.reviewer, document, Revision(0)).await.unwrap();
        house.pass(TimeDelta::minutes(5));
        assert_eq!(focus::report(services, &project.reviewer, review, 1).await.unwrap(), 1);

        project
            .is_for_managers(async |actor| focus::board(services, actor, project.id).await)
            .await;
        project
            .is_for_managers(async |actor| {
                focus::set_measured(services, actor, project.id, false).await
            })
            .await;
        let board = focus::board(services, &project.manager, project.id).await.unwrap();
        let told: Vec<_> = board
            .people
            .iter()
            .map(|person| (person.name.as_str(), person.time.medians.map(|told| told.documents)))
            .collect();
        assert_eq!(
            told,
            [("labeler", Ok(1)), ("peer", Err(NoTime::NothingMeasured)), ("reviewer", Ok(1))]
        );
        let own = focus::own(services, &peer, project.id).await.unwrap();
        assert_eq!(own.time.minutes, 0, "nothing of others");
        assert_eq!(
            refused(focus::own(services, &project.outsider, project.id).await),
            Refusal::NotFound
        );

        focus::set_measured(services, &project.manager, project.id, false).await.unwrap();
        house.pass(TimeDelta::minutes(5));
        assert_eq!(focus::report(services, &project.labeler, task, 1).await.unwrap(), 0);
        assert!(!focus::own(services, &project.labeler, project.id).await.unwrap().is_measured);
        assert!(project.actions().await.contains(&"measure time".to_owned()));
    }
}

#[tokio::test]
async fn the_time_of_a_repeat_is_not_that_of_the_assignment() {
    for house in houses().await {
        let project = house.project().await;
        project.import(&[("one.txt", TEXT)], ImportOptions::default()).await.unwrap();
        let (services, labeler) = (&house.services, &project.labeler);
        let Copy { assignment, .. } = assignment_of(&house, &project, labeler).await;
        assert_eq!(
            focus::report(services, labeler, Task::Assignment(assignment), 1).await.unwrap(),
            1
        );
        annotation::submit(services, labeler, assignment, Revision(0)).await.unwrap();
        let ask = RepeatAsk { documents: 1, days: 0 };
        let plan = repeats::load(services, &project.manager, project.id, ask).await.unwrap().plan;
        repeats::give(services, &project.manager, project.id, ask, &plan.seen).await.unwrap();
        house.pass(TimeDelta::minutes(2));
        assert_eq!(
            focus::report(services, labeler, Task::Assignment(assignment), 2).await.unwrap(),
            2
        );
        let board = focus::board(services, &project.manager, project.id).await.unwrap();
        assert_eq!(board.people[0].time.minutes, 1);
        let own = focus::own(services, labeler, project.id).await.unwrap();
        assert_eq!(own.time.minutes, 2, "what is before them, as if it were the first time");
    }
}
