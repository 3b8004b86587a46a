//! The list of documents, progress and deletion: who may, and what it does.

use crate::house::{houses, refused};
use domain::{Error as Refusal, Role};
use services::{
    document::{self, import::ImportOptions},
    project, work,
};

#[tokio::test]
async fn documents_and_progress_are_for_managers() {
    for house in houses().await {
        let project = house.project().await;
        let (services, id) = (&house.services, project.id);
        project.import(&[("a.txt", "one")], ImportOptions::default()).await.unwrap();
        let document = store::document::names(&*house.store, id).await.unwrap()[0].0;
        project.is_for_managers(async |actor| document::list(services, actor, id, 0).await).await;
        project.is_for_managers(async |actor| document::progress(services, actor, id).await).await;
        project
            .is_for_managers(async |actor| document::delete(services, actor, id, document).await)
            .await;
        assert_eq!(store::document::count(&*house.store, id).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn the_list_has_pages_of_fifty_with_everybodys_progress() {
    for house in houses().await {
        let project = house.project().await;
        let text = "{\"text\": \"a\"}\n".repeat(60);
        project.import(&[("a.jsonl", &text)], ImportOptions::default()).await.unwrap();
        let list = async |page| {
            document::list(&house.services, &project.manager, project.id, page).await.unwrap()
        };
        let (first, second) = (list(0).await, list(1).await);
        assert_eq!((first.rows.len(), first.total, second.rows.len()), (50, 60, 10));
        assert_eq!(first.rows[0].assignments.len(), 1);
        let progress = document::progress(&house.services, &project.manager, project.id);
        let progress = progress.await.unwrap();
        let open: Vec<_> = progress.iter().map(|p| (p.role, p.counts.open)).collect();
        assert_eq!(open, [(Role::Labeler, 60), (Role::Reviewer, 60)]);
    }
}

#[tokio::test]
async fn a_deleted_document_is_gone_for_everybody() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let files = [("a.txt", "one"), ("b.txt", "two")];
        project.import(&files, ImportOptions::default()).await.unwrap();
        let document = store::document::names(&*house.store, project.id).await.unwrap()[0].0;
        let before = project.revision().await;
        document::delete(services, &project.manager, project.id, document).await.unwrap();
        assert_eq!(project.revision().await, before.next());
        assert_eq!(project.actions().await.last().unwrap(), "delete document");
        let assignments =
            work::load(services, &project.labeler, project.id).await.unwrap().assignments;
        assert_eq!(assignments.len(), 1);
        let again = document::delete(services, &project.manager, project.id, document).await;
        assert_eq!(refused(again), Refusal::NotFound);
    }
}

#[tokio::test]
async fn documents_of_other_projects_are_out_of_reach() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        project.import(&[("a.txt", "one")], ImportOptions::default()).await.unwrap();
        let document = store::document::names(&*house.store, project.id).await.unwrap()[0].0;
        let mine =
            project::create(services, &project.outsider, "Mine".to_owned(), None).await.unwrap();
        let deleted = document::delete(services, &project.outsider, mine, document).await;
        assert_eq!(refused(deleted), Refusal::NotFound);
        assert_eq!(store::document::count(&*house.store, project.id).await.unwrap(), 1);
    }
}
