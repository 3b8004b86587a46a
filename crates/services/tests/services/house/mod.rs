//! A server with people, for tests of accounts, projects, members and documents.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{Actor, Error as Refusal, MemberId, NewAccount, ProjectId, Role, User};
use services::{
    Client, Clock, Error, NewSession, Result, ServerKey, Services, account,
    document::import::{self, ImportOptions, UploadedFile},
    project::{self, members},
};
use store::testing::{TestStore, stores};

/// A password that is taken.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// A server at a time that the test sets.
pub(crate) struct House {
    pub(crate) services: Arc<Services>,
    pub(crate) store: TestStore,
    milliseconds: Arc<AtomicI64>,
}

/// Signs in where that takes a password and nothing else.
pub(crate) async fn sign_in(
    services: &Arc<Services>,
    client: &Client,
    email: &str,
    password: String,
) -> Result<NewSession> {
    let signed_in = account::sign_in(services, client, email, password).await?;
    Ok(signed_in.session().unwrap())
}

/// Accepts an invitation where that takes a password and nothing else.
pub(crate) async fn accept(
    services: &Arc<Services>,
    client: &Client,
    token: &str,
    account: NewAccount,
) -> Result<NewSession> {
    let signed_in = account::accept(services, client, token, account).await?;
    Ok(signed_in.session().unwrap())
}

/// A house on each database engine at hand.
pub(crate) async fn houses() -> Vec<House> {
    stores().await.into_iter().map(House::new).collect()
}

impl House {
    fn new(store: TestStore) -> Self {
        let milliseconds = Arc::new(AtomicI64::new(0));
        let services =
            Services::new(store.clone(), clock(&milliseconds), None, ServerKey::from([7; 32]));
        Self { services, store, milliseconds }
    }

    pub(crate) fn clock(&self) -> Clock {
        clock(&self.milliseconds)
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock().now()
    }

    pub(crate) fn pass(&self, time: TimeDelta) {
        self.milliseconds.fetch_add(time.num_milliseconds(), Ordering::Relaxed);
    }

    /// Somebody with an account and no password to sign in with.
    pub(crate) async fn person(&self, name: &str, may_create_projects: bool) -> Actor {
        let email = format!("{name}@example.org");
        let tx = self.store.begin().await.unwrap();
        let id =
            store::account::users::create(&tx, &email, name, "", may_create_projects, self.now());
        let id = id.await.unwrap();
        tx.commit().await.unwrap();
        Actor::Person(User {
            id,
            email,
            name: name.to_owned(),
            may_create_projects,
            is_administrator: false,
            has_factor_elsewhere: false,
        })
    }

    /// A project with a person in every role.
    pub(crate) async fn project(&self) -> Project<'_> {
        let manager = self.person("manager", true).await;
        let id =
            project::create(&self.services, &manager, "Tragedies".to_owned(), None).await.unwrap();
        let mut project = Project {
            house: self,
            id,
            outsider: self.person("outsider", true).await,
            labeler: Actor::Anonymous,
            reviewer: Actor::Anonymous,
            manager,
        };
        project.labeler = project.with("labeler", Role::Labeler).await;
        project.reviewer = project.with("reviewer", Role::Reviewer).await;
        project
    }
}

/// A project in a house.
pub(crate) struct Project<'house> {
    pub(crate) house: &'house House,
    pub(crate) id: ProjectId,
    pub(crate) manager: Actor,
    pub(crate) labeler: Actor,
    pub(crate) reviewer: Actor,
    pub(crate) outsider: Actor,
}

impl Project<'_> {
    pub(crate) fn services(&self) -> &Arc<Services> {
        &self.house.services
    }

    /// A new person who has joined in this role.
    pub(crate) async fn with(&self, name: &str, role: Role) -> Actor {
        let person = self.house.person(name, false).await;
        self.join(&person, role).await.unwrap();
        person
    }

    /// Invites a person and joins as them.
    pub(crate) async fn join(&self, person: &Actor, role: Role) -> Result<ProjectId> {
        let invited = members::invite(self.services(), &self.manager, self.id, role, None);
        let token = invited.await.unwrap();
        account::join(self.services(), person, &token).await
    }

    pub(crate) async fn member(&self, person: &Actor) -> MemberId {
        let user = person.person().unwrap().id;
        store::project::members::find(&*self.house.store, self.id, user).await.unwrap().unwrap().id
    }

    pub(crate) async fn remove(&self, person: &Actor) -> Result<()> {
        let member = self.member(person).await;
        members::remove(self.services(), &self.manager, self.id, member).await
    }

    pub(crate) async fn import(
        &self,
        files: &[(&str, &str)],
        options: ImportOptions,
    ) -> Result<domain::ImportSummary> {
        let files = uploaded(files);
        import::import(self.services(), &self.manager, self.id, files, options).await
    }

    pub(crate) async fn revision(&self) -> domain::Revision {
        store::project::find(&*self.house.store, self.id).await.unwrap().unwrap().revision
    }

    /// The words of the audit trail, first action first.
    pub(crate) async fn actions(&self) -> Vec<String> {
        let entries = store::outside::audit::list(
            &*self.house.store,
            Some(self.id),
            &store::outside::audit::Filter::default(),
            100,
        )
        .await
        .unwrap();
        entries.into_iter().rev().map(|entry| entry.event).collect()
    }

    /// Asserts that only managers may do it, in the words of the policy table.
    pub(crate) async fn is_for_managers<T>(&self, action: impl AsyncFn(&Actor) -> Result<T>) {
        let denied = |refusal| matches!(refusal, Refusal::Denied(_));
        assert_eq!(refused(action(&Actor::Anonymous).await), Refusal::SignInRequired);
        assert_eq!(refused(action(&self.outsider).await), Refusal::NotFound);
        assert!(denied(refused(action(&self.labeler).await)), "a labeler may not");
        assert!(denied(refused(action(&self.reviewer).await)), "a reviewer may not");
    }
}

fn clock(milliseconds: &Arc<AtomicI64>) -> Clock {
    let milliseconds = Arc::clone(milliseconds);
    Clock::from_fn(move || {
        DateTime::UNIX_EPOCH + TimeDelta::milliseconds(milliseconds.load(Ordering::Relaxed))
    })
}

pub(crate) fn uploaded(files: &[(&str, &str)]) -> Vec<UploadedFile> {
    files
        .iter()
        .map(|(name, content)| UploadedFile {
            name: (*name).to_owned(),
            bytes: content.as_bytes().to_vec(),
        })
        .collect()
}

pub(crate) fn new_account(name: &str) -> NewAccount {
    NewAccount {
        email: format!("{name}@example.org"),
        name: name.to_owned(),
        password: PASSWORD.to_owned(),
    }
}

/// The refusal in a result that must be one.
pub(crate) fn refused<T>(result: Result<T>) -> Refusal {
    match result {
        Ok(_) => panic!("this must be refused"),
        Err(Error::Refused(refusal)) => refusal,
        Err(broken) => panic!("this must be refused, not break: {broken}"),
    }
}

/// The field that a result must have been refused for.
pub(crate) fn invalid_field<T>(result: Result<T>) -> String {
    match refused(result) {
        Refusal::Invalid { field, .. } => field,
        other => panic!("this must be invalid, not {other:?}"),
    }
}
