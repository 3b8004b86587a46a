//! Imports whose server is gone, or is thought to be.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use domain::{Code, Error as Refusal, ImportRecord, ImportState, Role};
use services::{
    ServerKey, Services,
    document::import::{self, Content, Source, UploadedFile},
    project,
};
use store::testing::tamper;

use super::{
    DOCUMENTS, Import, as_work, begin, check, count, decide, files, go_on, is_decided, latest,
    recover,
};
use crate::house::{Project, houses, refused};

#[tokio::test]
async fn what_has_failed_by_the_word_of_a_server_of_a_version_before_comes_if_it_is_decided() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        // What such a server does when it starts.
        let stopped = serde_json::to_string(&Code::Interrupted.because("the server stopped"));
        let starts = format!(
            "UPDATE import SET state = 'failed', ended_at = made_at, error = '{}'
             WHERE state = 'running'",
            stopped.unwrap()
        );
        let mut import = begin(&project, files(DOCUMENTS), as_work());
        while count(&house, "shelf").await == 0 {
            assert!(go_on(&mut import).await.is_none());
        }
        tamper(&house.store, &starts).await;
        let Refusal::Conflict(why) = refused(import.await) else { panic!("it has ended") };
        assert!(why.contains("from elsewhere"), "{why}");
        recover(&house, services).await;
        assert_eq!((count(&house, "document").await, count(&house, "shelf").await), (0, 0));

        decide(&project, files(DOCUMENTS), as_work()).await;
        tamper(&house.store, &starts).await;
        let record = latest(&project).await.unwrap();
        assert_eq!((record.state, record.is_decided), (ImportState::Running, true));
        assert_eq!((record.error, record.ended_at), (None, None));
        let labels = store::project::labels::list(&*house.store, project.id).await.unwrap();
        let deleted = project::delete_label(services, manager, project.id, labels[0].id).await;
        assert!(refused(deleted).to_string().contains("is being saved"));
        recover(&house, services).await;
        let record = latest(&project).await.unwrap();
        assert_eq!((record.state, record.is_decided), (ImportState::Done, true));
        assert_eq!((count(&house, "document").await, count(&house, "shelf").await), (400, 0));
        check(&house).await;
    }
}

/// A file that is not read before it is released.
struct Held {
    file: UploadedFile,
    released: Arc<AtomicBool>,
}

impl Source for Held {
    fn name(&self) -> &str {
        self.file.name()
    }

    fn length(&self) -> u64 {
        self.file.length()
    }

    fn open(&self) -> io::Result<Box<dyn Content + '_>> {
        while !self.released.load(Ordering::Relaxed) {
            thread::park_timeout(Duration::from_millis(1));
        }
        self.file.open()
    }
}

/// An import that has its row, and waits for its files without holding the database.
fn begin_held<'a>(
    project: &'a Project<'_>,
    files: Vec<UploadedFile>,
) -> (Import<'a>, Arc<AtomicBool>) {
    let released = Arc::new(AtomicBool::new(false));
    let held = files.into_iter().map(|file| -> Box<dyn Source> {
        Box::new(Held { file, released: Arc::clone(&released) })
    });
    let (held, options) = (held.collect(), as_work());
    let import = import::import_for_owner(project.services(), project.id, held, options);
    (Box::pin(import), released)
}

/// The row of an import, once it is there.
async fn begun(project: &Project<'_>, import: &mut Import<'_>) -> ImportRecord {
    loop {
        assert!(go_on(import).await.is_none());
        if let Some(record) = latest(project).await {
            // It goes on to where it waits.
            assert!(go_on(import).await.is_none());
            return record;
        }
    }
}

#[tokio::test]
async fn a_small_import_that_was_ended_from_elsewhere_does_not_come() {
    for house in houses().await {
        let project = house.project().await;
        let before = super::super::rows(&house).await;
        let second =
            Services::new(house.store.clone(), house.clock(), None, ServerKey::from([7; 32]));
        let (mut import, released) = begin_held(&project, files(3));
        let record = begun(&project, &mut import).await;
        assert_eq!(record.state, ImportState::Running);
        import::cancel(&second, &project.manager, project.id, record.id).await.unwrap();
        released.store(true, Ordering::Relaxed);
        let Refusal::Conflict(why) = refused(import.await) else { panic!("it has ended") };
        assert!(why.contains("from elsewhere"), "{why}");
        assert_eq!(latest(&project).await.unwrap().state, ImportState::Cancelled);
        assert_eq!(super::super::rows(&house).await, before);
    }
}

#[tokio::test]
async fn what_runs_here_or_was_heard_of_meanwhile_is_not_ended() {
    for house in houses().await {
        let project = house.project().await;
        let second =
            Services::new(house.store.clone(), house.clock(), None, ServerKey::from([7; 32]));
        let (mut import, released) = begin_held(&project, files(DOCUMENTS));
        begun(&project, &mut import).await;
        // The server that has it knows that it runs, whatever the database has heard.
        recover(&house, project.services()).await;
        let found = store::document::unended_imports::unended(&*house.store).await.unwrap()[0];
        let tx = house.store.begin().await.unwrap();
        let alive = store::document::imports::keep_alive(&tx, found.import, house.now()).await;
        assert!(alive.unwrap());
        let why = Code::Interrupted.because("it stopped");
        let now = house.now();
        let ended =
            store::document::unended_imports::call_off_abandoned(&tx, &found, &why, now).await;
        assert!(!ended.unwrap(), "it was heard of since it was found");
        tx.commit().await.unwrap();
        assert_eq!(latest(&project).await.unwrap().state, ImportState::Running);
        recover(&house, &second).await;
        assert_eq!(latest(&project).await.unwrap().state, ImportState::Failed);
        released.store(true, Ordering::Relaxed);
        assert!(refused(import.await).to_string().contains("from elsewhere"));
    }
}

#[tokio::test]
async fn one_that_cannot_be_ended_keeps_no_other_from_ending() {
    for house in houses().await {
        let project = house.project().await;
        decide(&project, files(DOCUMENTS), as_work()).await;
        tamper(&house.store, "UPDATE import SET decision = '{}'").await;
        let second = Project {
            id: project::create(project.services(), &project.manager, "Comedies".to_owned(), None)
                .await
                .unwrap(),
            house: &house,
            manager: project.manager.clone(),
            labeler: project.labeler.clone(),
            reviewer: project.reviewer.clone(),
            outsider: project.outsider.clone(),
        };
        second.with("puck", Role::Labeler).await;
        decide(&second, files(DOCUMENTS), as_work()).await;
        recover(&house, project.services()).await;
        assert_eq!(latest(&project).await.unwrap().state, ImportState::Running);
        assert_eq!(latest(&second).await.unwrap().state, ImportState::Done);
        // The next one into the same project is told to wait.
        let next = begin(&project, files(3), as_work()).await;
        assert!(refused(next).to_string().contains("is being saved"));
    }
}

#[tokio::test]
async fn what_is_certain_is_tried_again_while_the_database_does_not_do_it() {
    for house in houses().await {
        let project = house.project().await;
        let (away, back) = (
            "ALTER TABLE import_document RENAME TO away",
            "ALTER TABLE away RENAME TO import_document",
        );
        let mut import = begin(&project, files(900), as_work());
        while !is_decided(&project).await {
            assert!(go_on(&mut import).await.is_none());
        }
        let (summary, ()) = tokio::join!(import, async {
            tamper(&house.store, away).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            tamper(&house.store, back).await;
        });
        let summary = summary.unwrap();
        assert_eq!((summary.documents, summary.worked), (900, 2_700));
        let undone = import::undo(project.services(), &project.manager, project.id, summary.import);
        undone.await.unwrap();

        let mut import = begin(&project, files(900), as_work());
        while !is_decided(&project).await {
            assert!(go_on(&mut import).await.is_none());
        }
        let (outcome, ()) = tokio::join!(import, tamper(&house.store, away));
        let refusal = refused(outcome);
        let id = latest(&project).await.unwrap().id;
        assert_eq!(refusal.code(), Code::Unfinished);
        assert!(refusal.to_string().contains(&format!("import {id} is certain")), "{refusal}");
        tamper(&house.store, back).await;
        import::undo(project.services(), &project.manager, project.id, id).await.unwrap();
        assert_eq!(latest(&project).await.unwrap().state, ImportState::Undone);
        assert_eq!(count(&house, "document").await, 0);
        import::end_abandoned(project.services()).await.unwrap();
        assert_eq!(count(&house, "shelf").await, 0, "nothing of it comes");

        let mut import = begin(&project, files(900), as_work());
        while !is_decided(&project).await {
            assert!(go_on(&mut import).await.is_none());
        }
        drop(import);
        import::publish_decided(project.services(), project.id).await.unwrap();
        assert_eq!(latest(&project).await.unwrap().state, ImportState::Done);
        assert_eq!(count(&house, "document").await, 900);
        check(&house).await;
    }
}
