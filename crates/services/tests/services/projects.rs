//! Projects, settings, labels and the release of agreement: who may, and what it does.

use crate::house::{houses, invalid_field, refused};
use domain::{Actor, Error as Refusal, NewLabel, ProjectSettings, ReleaseLevel, Role};
use services::project;

fn settings() -> ProjectSettings {
    ProjectSettings {
        name: "  Comedies ".to_owned(),
        guidelines: "# Names\n\nMark *all* of them.".to_owned(),
        release_level: ReleaseLevel::Open,
        reviewers_see_names: true,
        ..ProjectSettings::default()
    }
}

#[tokio::test]
async fn only_who_may_create_projects_does_and_manages_them() {
    for house in houses().await {
        let services = &house.services;
        let create = async |actor: &Actor, name: &str| {
            project::create(services, actor, name.to_owned(), None).await
        };
        let labeler = house.person("labeler", false).await;
        assert_eq!(refused(create(&Actor::Anonymous, "A").await), Refusal::SignInRequired);
        assert!(matches!(refused(create(&labeler, "A").await), Refusal::Denied(_)));
        let manager = house.person("manager", true).await;
        assert_eq!(invalid_field(create(&manager, "  ").await), "name");
        let id = create(&manager, " Tragedies ").await.unwrap();
        let cards = project::list(services, &manager).await.unwrap();
        assert_eq!(cards.len(), 1);
        assert_eq!((cards[0].id, cards[0].name.as_str()), (id, "Tragedies"));
        assert_eq!(cards[0].role, Role::Manager);
        assert!(project::list(services, &labeler).await.unwrap().is_empty());
        let anonymous = project::list(services, &Actor::Anonymous).await;
        assert_eq!(refused(anonymous), Refusal::SignInRequired);
    }
}

#[tokio::test]
async fn every_member_sees_the_project() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        project::save_settings(services, &project.manager, project.id, settings()).await.unwrap();
        let load = async |actor: &Actor| project::load(services, actor, project.id).await;
        assert_eq!(refused(load(&Actor::Anonymous).await), Refusal::SignInRequired);
        assert_eq!(refused(load(&project.outsider).await), Refusal::NotFound);

        let manager = load(&project.manager).await.unwrap();
        assert_eq!((manager.role, manager.name.as_str()), (Role::Manager, "Comedies"));
        assert_eq!(manager.guidelines_version, 2);
        assert!(manager.guidelines_html.starts_with("<h2>Names</h2>"));
        assert_eq!(manager.revision, Some(project.revision().await));
        assert!(!manager.demo);
        let reviewer = load(&project.reviewer).await.unwrap();
        assert_eq!(reviewer.role, Role::Reviewer);
        assert!(reviewer.revision.is_some());
        let labeler = load(&project.labeler).await.unwrap();
        assert_eq!(labeler.role, Role::Labeler);
        assert_eq!(labeler.revision, None, "it moves with the work of others");
        assert_eq!(labeler.member, project.member(&project.labeler).await);
    }
}

#[tokio::test]
async fn settings_are_shown_to_managers_alone() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let load = async |actor: &Actor| project::load_settings(services, actor, project.id).await;
        project.is_for_managers(async |actor| load(actor).await).await;
        project::save_settings(services, &project.manager, project.id, settings()).await.unwrap();
        let view = load(&project.manager).await.unwrap();
        assert_eq!((view.project, view.settings.name.as_str()), (project.id, "Comedies"));
        assert_eq!(view.released_at, None);
    }
}

#[tokio::test]
async fn settings_are_for_managers_checked_and_recorded() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let save = async |actor: &Actor, settings| {
            project::save_settings(services, actor, project.id, settings).await
        };
        project.is_for_managers(async |actor| save(actor, settings()).await).await;
        let nameless = ProjectSettings { name: String::new(), ..settings() };
        assert_eq!(invalid_field(save(&project.manager, nameless).await), "name");
        let before = project.revision().await;
        save(&project.manager, settings()).await.unwrap();
        assert_eq!(project.revision().await, before.next());
        assert_eq!(project.actions().await.last().unwrap(), "save settings");
        let renamed = ProjectSettings { name: "Histories".to_owned(), ..settings() };
        save(&project.manager, renamed).await.unwrap();
        let view = project::load(services, &project.manager, project.id).await.unwrap();
        assert_eq!(view.guidelines_version, 2, "the same guidelines are the same version");
    }
}

#[tokio::test]
async fn labels_are_for_managers() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let label = || NewLabel::numbered("PER", 0);
        let create = project::create_label(services, &project.manager, project.id, label());
        let id = create.await.unwrap();
        project
            .is_for_managers(async |actor| {
                project::create_label(services, actor, project.id, label()).await
            })
            .await;
        project
            .is_for_managers(async |actor| {
                project::save_label(services, actor, project.id, id, label()).await
            })
            .await;
        project
            .is_for_managers(async |actor| {
                project::delete_label(services, actor, project.id, id).await
            })
            .await;
    }
}

#[tokio::test]
async fn a_label_has_a_name_and_a_hotkey_of_its_own() {
    for house in houses().await {
        let project = house.project().await;
        let create = async |label: NewLabel| {
            project::create_label(&house.services, &project.manager, project.id, label).await
        };
        create(NewLabel::numbered("PER", 0)).await.unwrap();
        let org = create(NewLabel::numbered("ORG", 1)).await.unwrap();
        assert_eq!(invalid_field(create(NewLabel::numbered("PER", 2)).await), "name");
        assert_eq!(invalid_field(create(NewLabel::numbered("LOC", 0)).await), "hotkey");
        assert_eq!(invalid_field(create(NewLabel::numbered(" ", 2)).await), "name");
        let save = async |label: NewLabel| {
            project::save_label(&house.services, &project.manager, project.id, org, label).await
        };
        assert_eq!(invalid_field(save(NewLabel::numbered("PER", 1)).await), "name");
        assert_eq!(invalid_field(save(NewLabel::numbered("ORG", 0)).await), "hotkey");
        save(NewLabel::numbered("GROUP", 1)).await.unwrap();
        let view = project::load(&house.services, &project.labeler, project.id).await.unwrap();
        let names: Vec<_> = view.labels.iter().map(|label| label.name.as_str()).collect();
        assert_eq!(names, ["PER", "GROUP"]);
    }
}

#[tokio::test]
async fn a_label_that_was_used_stays_and_an_unused_one_can_go() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let options =
            services::document::import::ImportOptions { create_labels: true, ..Default::default() };
        let file = r#"{"text": "EU rejects", "spans": [{"start": 0, "end": 2, "label": "ORG"}]}"#;
        project.import(&[("a.jsonl", file)], options).await.unwrap();
        let unused = NewLabel::numbered("PER", 5);
        let unused = project::create_label(services, &project.manager, project.id, unused);
        let unused = unused.await.unwrap();
        let labels = store::project::labels::list(&*house.store, project.id).await.unwrap();
        let delete =
            async |id| project::delete_label(services, &project.manager, project.id, id).await;
        assert!(matches!(refused(delete(labels[0].id).await), Refusal::Conflict(_)));
        delete(unused).await.unwrap();
        assert_eq!(refused(delete(unused).await), Refusal::NotFound);
        assert_eq!(store::project::labels::list(&*house.store, project.id).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn labels_of_other_projects_are_out_of_reach() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let mine =
            project::create(services, &project.outsider, "Mine".to_owned(), None).await.unwrap();
        let label = NewLabel::numbered("PER", 0);
        let created = project::create_label(services, &project.manager, project.id, label.clone());
        let theirs = created.await.unwrap();
        let saved = project::save_label(services, &project.outsider, mine, theirs, label).await;
        assert_eq!(refused(saved), Refusal::NotFound);
        let deleted = project::delete_label(services, &project.outsider, mine, theirs).await;
        assert_eq!(refused(deleted), Refusal::NotFound);
        assert_eq!(store::project::labels::list(&*house.store, project.id).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn agreement_is_released_by_managers_and_dated() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        project
            .is_for_managers(async |actor| {
                project::release_agreement(services, actor, project.id).await
            })
            .await;
        let released = project::release_agreement(services, &project.manager, project.id);
        let released = released.await.unwrap();
        let view = project::load_settings(services, &project.manager, project.id).await.unwrap();
        assert_eq!(view.released_at, Some(released));
        let labeler = project.member(&project.labeler).await;
        let frozen = store::agreement::own_releases::find(&*house.store, labeler).await.unwrap();
        assert_eq!(frozen.map(|(_, at)| at), Some(released));
    }
}
