//! Rounds: the guidelines change, untouched documents move on, everybody can read what was before.

use crate::{
    house::{House, houses, invalid_field, refused},
    world::worlds,
};
use domain::{Error as Refusal, NewRound, ProjectId, ProjectSettings, Span};
use services::{
    document::import::ImportOptions,
    project::{self, guidelines, rounds},
};

fn new_round(after: u64, guidelines: Option<&str>) -> NewRound {
    NewRound {
        after,
        title: "Dates".to_owned(),
        note: "dates are marked, too".to_owned(),
        guidelines: guidelines.map(str::to_owned),
    }
}

/// Number, title, version of the guidelines, and documents of every round.
async fn listed(house: &House, project: ProjectId) -> Vec<(u64, String, i64, u64)> {
    let rounds = store::project::rounds::list(&*house.store, project).await.unwrap();
    let told = |r: domain::Round| (r.number, r.title, r.guidelines_version, r.documents);
    rounds.into_iter().map(told).collect()
}

#[tokio::test]
async fn a_round_begins_with_new_guidelines_and_later_imports_join_it() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (&house.services, &project.manager);
        project.import(&[("one.txt", "One.")], ImportOptions::default()).await.unwrap();
        assert_eq!(listed(&house, project.id).await, [(1, String::new(), 1, 1)]);

        let before = project.revision().await;
        let started =
            rounds::start(services, manager, project.id, new_round(1, Some("Mark dates."))).await;
        assert_eq!(started.unwrap(), 2);
        assert_eq!(project.revision().await, before.next());
        assert_eq!(project.actions().await.last().unwrap(), "start round");
        project.import(&[("two.txt", "Two.")], ImportOptions::default()).await.unwrap();
        assert_eq!(
            listed(&house, project.id).await,
            [(1, String::new(), 1, 0), (2, "Dates".to_owned(), 2, 2)]
        );
        // The same guidelines once more are no new version.
        rounds::start(services, manager, project.id, new_round(2, Some("Mark dates.")))
            .await
            .unwrap();
        rounds::start(services, manager, project.id, new_round(3, None)).await.unwrap();
        let versions: Vec<_> = listed(&house, project.id).await.iter().map(|r| r.2).collect();
        assert_eq!(versions, [1, 2, 2, 2]);
    }
}

#[tokio::test]
async fn only_managers_start_rounds_and_nobody_starts_one_twice() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        project
            .is_for_managers(async |actor| {
                rounds::start(services, actor, project.id, new_round(1, None)).await
            })
            .await;
        let start = async |new| rounds::start(services, &project.manager, project.id, new).await;
        let long = NewRound { title: "t".repeat(121), ..new_round(1, None) };
        assert_eq!(invalid_field(start(long).await), "title");
        start(new_round(1, None)).await.unwrap();
        let before = project.revision().await;
        assert_eq!(invalid_field(start(new_round(1, Some("other"))).await), "after");
        assert_eq!(project.revision().await, before);
        assert_eq!(listed(&house, project.id).await.len(), 2);
        let versions = store::project::guidelines::list(&*house.store, project.id).await.unwrap();
        assert_eq!(versions.len(), 1, "what was refused has changed nothing");
    }
}

#[tokio::test]
async fn documents_with_saved_work_stay_in_their_round() {
    for world in worlds(2, 3).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        world.mark(0, 1, &[Span::new(0, 3, world.labels[0])]).await;
        rounds::start(services, manager, world.project, new_round(1, None)).await.unwrap();
        let rounds = store::project::rounds::list(&*world.store, world.project).await.unwrap();
        let snapshot = world.store.begin_read().await.unwrap();
        let loaded =
            store::agreement::ratings::load_project(&snapshot, world.project).await.unwrap();
        let of_document: Vec<_> = loaded.unwrap().1.iter().map(|rated| rated.round).collect();
        let [first, second] = [rounds[0].id, rounds[1].id];
        assert_eq!(of_document, [second, first, second]);
    }
}

#[tokio::test]
async fn members_read_every_version_and_only_managers_who_wrote_it() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let settings = ProjectSettings {
            name: "Tragedies".to_owned(),
            guidelines: "Mark *people*.".to_owned(),
            ..ProjectSettings::default()
        };
        project::save_settings(services, &project.manager, project.id, settings).await.unwrap();
        let new = new_round(1, Some("Mark **dates**, too."));
        rounds::start(services, &project.manager, project.id, new).await.unwrap();

        let read =
            async |actor, number| guidelines::load(services, actor, project.id, number).await;
        let old = read(&project.labeler, Some(2)).await.unwrap();
        assert_eq!(old.html, "<p>Mark <em>people</em>.</p>\n");
        let present = read(&project.labeler, None).await.unwrap();
        assert_eq!(present.version.number, 3);
        assert_eq!(present.version.note, "dates are marked, too");
        assert_eq!(present.html, "<p>Mark <strong>dates</strong>, too.</p>\n");
        let numbers: Vec<_> = present.versions.iter().map(|version| version.number).collect();
        assert_eq!(numbers, [3, 2, 1]);
        for member in [&project.labeler, &project.reviewer] {
            let seen = read(member, None).await.unwrap();
            assert!(seen.version.author.is_none());
            assert!(seen.versions.iter().all(|version| version.author.is_none()));
        }
        let seen = read(&project.manager, None).await.unwrap();
        assert_eq!(seen.version.author.as_deref(), Some("manager"));

        assert_eq!(refused(read(&project.labeler, Some(4)).await), Refusal::NotFound);
        assert_eq!(refused(read(&project.outsider, Some(1)).await), Refusal::NotFound);
    }
}
