//! Projects that are archived, restored and deleted.

use domain::{Actor, Error as Refusal, SearchQuery};
use services::{
    Client,
    account::{self, administration},
    document::import::ImportOptions,
    project,
};
use store::testing::{rows, rows_of_project};

use crate::house::{House, PASSWORD, houses, invalid_field, new_account, refused};

/// The first account of a house, and so its administrator.
async fn administrator(house: &House) -> Actor {
    let account = new_account("adele");
    let email = account.email.clone();
    account::add_user(&house.services, account, false).await.unwrap();
    let session =
        crate::house::sign_in(&house.services, &Client::LOCAL, &email, PASSWORD.to_owned())
            .await
            .unwrap();
    account::actor_of(&house.services, &session.token).await.unwrap()
}

#[tokio::test]
async fn an_archived_project_is_read_by_its_members_and_changed_by_nobody() {
    for house in houses().await {
        let project = house.project().await;
        let (services, id) = (&house.services, project.id);
        project.import(&[("one.txt", "Hamlet.")], ImportOptions::default()).await.unwrap();
        project.is_for_managers(async |actor| project::archive(services, actor, id).await).await;
        project::archive(services, &project.manager, id).await.unwrap();
        for member in [&project.manager, &project.labeler, &project.reviewer] {
            assert_eq!(project::list(services, member).await.unwrap(), []);
            let start = project::start(services, member).await.unwrap();
            assert_eq!((start.cards.len(), start.archived.len()), (0, 1));
            let view = project::load(services, member, id).await.unwrap();
            assert!(view.archived_at.is_some());
        }
        let before = project.revision().await;
        let settings = project::load_settings(services, &project.manager, id).await.unwrap();
        let saved = project::save_settings(services, &project.manager, id, settings.settings);
        assert!(matches!(refused(saved.await), Refusal::Conflict(why) if why.contains("archived")));
        let joined = project.import(&[("two.txt", "Ophelia.")], ImportOptions::default()).await;
        assert!(matches!(refused(joined), Refusal::Conflict(_)));
        assert_eq!(project.revision().await, before);

        project::restore(services, &project.manager, id).await.unwrap();
        project.import(&[("two.txt", "Ophelia.")], ImportOptions::default()).await.unwrap();
        assert_eq!(project::list(services, &project.labeler).await.unwrap().len(), 1);
        assert!(project.actions().await.ends_with(&[
            "archive project".to_owned(),
            "restore project".to_owned(),
            "import documents".to_owned(),
        ]));
    }
}

#[tokio::test]
async fn a_project_is_deleted_by_its_name_and_nothing_of_it_stays() {
    for house in houses().await {
        let before = rows(&house.store).await;
        let project = house.project().await;
        let (services, id) = (&house.services, project.id);
        project.import(&[("one.txt", "Hamlet.")], ImportOptions::default()).await.unwrap();
        let of_project = rows_of_project(&house.store, id).await;
        assert!(of_project.len() > 10, "{of_project:?}");
        let wrong = project::delete(services, &project.manager, id, "Comedies").await;
        assert_eq!(invalid_field(wrong), "name");
        assert_eq!(rows_of_project(&house.store, id).await, of_project);
        let labeler = project::delete(services, &project.labeler, id, "Tragedies").await;
        assert!(matches!(refused(labeler), Refusal::Denied(_)));

        project::delete(services, &project.manager, id, " Tragedies ").await.unwrap();
        let left = rows(&house.store).await;
        assert_eq!(left.intersection(&of_project).collect::<Vec<_>>(), Vec::<&_>::new());
        let new: Vec<_> = left.difference(&before).map(|(table, _)| table.as_str()).collect();
        assert!(new.iter().all(|table| ["user_account", "audit"].contains(table)), "{new:?}");
        let gone = refused(project::load(services, &project.manager, id).await);
        assert_eq!(gone, Refusal::NotFound);
        let again = project::delete(services, &project.manager, id, "Tragedies").await;
        assert_eq!(refused(again), Refusal::NotFound);
    }
}

#[tokio::test]
async fn administrators_keep_projects_without_seeing_into_them() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let project = house.project().await;
        let (services, id) = (&house.services, project.id);
        assert_eq!(refused(project::load(services, &adele, id).await), Refusal::NotFound);
        let query = SearchQuery { search: "TRAG".to_owned(), page: 0 };
        let listed = administration::list_projects(services, &adele, &query).await.unwrap();
        assert_eq!((listed.total, listed.rows[0].members), (1, 3));
        administration::archive_project(services, &adele, id).await.unwrap();
        let told = administration::load_project(services, &adele, id).await.unwrap();
        assert!(told.archived_at.is_some());
        administration::restore_project(services, &adele, id).await.unwrap();
        for stranger in [&project.manager, &project.outsider] {
            let listed = administration::list_projects(services, stranger, &query).await;
            assert_eq!(refused(listed), Refusal::NotFound);
            let deleted = administration::delete_project(services, stranger, id, "Tragedies").await;
            assert_eq!(refused(deleted), Refusal::NotFound);
        }
        administration::delete_project(services, &adele, id, "Tragedies").await.unwrap();
        let told = administration::load_project(services, &adele, id).await;
        assert_eq!(refused(told), Refusal::NotFound);
    }
}
