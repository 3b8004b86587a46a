//! Administrators and the server's accounts: who may, what ends, what stays.

use domain::{
    AccountChange, Actor, Error as Refusal, NewApiToken, Removal, Role, Scope, SearchQuery, UserId,
    base::policy::Reach,
};
use services::{
    Client, Result,
    account::{self, administration},
    document::import::ImportOptions,
    project::{self, members},
};
use store::testing::{columns_with, rows};

use crate::house::{House, PASSWORD, houses, new_account, refused};

/// The first account of a house, and so its administrator.
async fn administrator(house: &House) -> Actor {
    account::add_user(&house.services, new_account("adele"), false).await.unwrap();
    signed_in(house, "adele").await.unwrap()
}

async fn signed_in(house: &House, name: &str) -> Result<Actor> {
    let email = format!("{name}@example.org");
    let session =
        crate::house::sign_in(&house.services, &Client::LOCAL, &email, PASSWORD.to_owned()).await?;
    account::actor_of(&house.services, &session.token).await
}

async fn user(house: &House, name: &str) -> UserId {
    account::add_user(&house.services, new_account(name), true).await.unwrap()
}

async fn change(house: &House, by: &Actor, id: UserId, change: AccountChange) -> Result<()> {
    administration::change_account(&house.services, by, id, change).await
}

fn id_of(actor: &Actor) -> UserId {
    actor.person().unwrap().id
}

#[tokio::test]
async fn the_first_account_administers_the_server_and_no_later_one() {
    for house in houses().await {
        let adele = administrator(&house).await;
        assert!(adele.person().unwrap().is_administrator);
        user(&house, "ben").await;
        assert!(!signed_in(&house, "ben").await.unwrap().person().unwrap().is_administrator);
    }
    for house in houses().await {
        let token = account::create_setup_link(&house.services).await.unwrap().unwrap();
        crate::house::accept(&house.services, &Client::LOCAL, &token, new_account("first"))
            .await
            .unwrap();
        assert!(signed_in(&house, "first").await.unwrap().person().unwrap().is_administrator);
    }
}

#[tokio::test]
async fn only_administrators_see_and_change_accounts() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let project = house.project().await;
        let of_adele = id_of(&adele);
        let scopes = Scope::CHOOSABLE.iter().copied().collect();
        let new = NewApiToken { name: "all".to_owned(), scopes, projects: None, days: 1 };
        let secret = account::create_token(&house.services, &adele, new).await.unwrap();
        let program = account::actor_of_token(&house.services, &secret, Reach::Change).await;
        for (actor, expected) in [
            (Actor::Anonymous, Some(Refusal::SignInRequired)),
            (project.manager.clone(), Some(Refusal::NotFound)),
            (project.labeler.clone(), Some(Refusal::NotFound)),
            (project.outsider.clone(), Some(Refusal::NotFound)),
            (program.unwrap(), None),
        ] {
            let services = &house.services;
            let query = SearchQuery::default();
            for said in [
                refused(administration::list_accounts(services, &actor, &query).await),
                refused(administration::load_account(services, &actor, of_adele).await),
                refused(change(&house, &actor, of_adele, AccountChange::Disable).await),
                refused(
                    administration::remove_account(services, &actor, of_adele, "adele@example.org")
                        .await,
                ),
                refused(administration::create_reset_link(services, &actor, of_adele).await),
            ] {
                match &expected {
                    Some(expected) => assert_eq!(&said, expected),
                    None => assert!(matches!(said, Refusal::Denied(_)), "{said:?}"),
                }
            }
        }
    }
}

#[tokio::test]
async fn a_disabled_account_loses_sessions_and_tokens_and_is_told_nothing() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let id = user(&house, "ben").await;
        let email = "ben@example.org";
        let session =
            crate::house::sign_in(&house.services, &Client::LOCAL, email, PASSWORD.to_owned())
                .await
                .unwrap();
        let ben = account::actor_of(&house.services, &session.token).await.unwrap();
        let new = NewApiToken {
            name: "notebook".to_owned(),
            scopes: [Scope::Read].into(),
            projects: None,
            days: 30,
        };
        let secret = account::create_token(&house.services, &ben, new).await.unwrap();
        let by_session = async || account::actor_of(&house.services, &session.token).await.unwrap();
        let by_token =
            async || account::actor_of_token(&house.services, &secret, Reach::Read).await.unwrap();
        assert!(matches!(by_token().await, Actor::Token(..)));

        change(&house, &adele, id, AccountChange::Disable).await.unwrap();
        assert_eq!(by_session().await, Actor::Anonymous);
        assert_eq!(by_token().await, Actor::Anonymous);
        let right = refused(signed_in(&house, "ben").await);
        let wrong = crate::house::sign_in(
            &house.services,
            &Client::LOCAL,
            email,
            "wrong password".to_owned(),
        )
        .await;
        assert_eq!(right, Refusal::WrongCredentials);
        assert_eq!(right, refused(wrong));

        change(&house, &adele, id, AccountChange::Enable).await.unwrap();
        assert_eq!(by_session().await, Actor::Anonymous, "what has ended stays so");
        assert!(matches!(by_token().await, Actor::Token(..)));
        signed_in(&house, "ben").await.unwrap();
    }
}

#[tokio::test]
async fn links_that_somebody_has_made_end_with_their_account() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let services = &house.services;
        let ben = user(&house, "ben").await;
        change(&house, &adele, ben, AccountChange::MakeAdministrator).await.unwrap();
        let own = signed_in(&house, "ben").await.unwrap();
        let name = "Tragedies".to_owned();
        let project = project::create(services, &own, name, None).await.unwrap();
        let link = members::invite(services, &own, project, Role::Manager, None).await.unwrap();
        let cleo = user(&house, "cleo").await;
        let reset = administration::create_reset_link(services, &own, cleo).await.unwrap();
        account::load_invitation(services, &link).await.unwrap();
        account::load_reset(services, &reset).await.unwrap();
        change(&house, &adele, ben, AccountChange::Disable).await.unwrap();
        assert_eq!(refused(account::load_invitation(services, &link).await), Refusal::NotFound);
        assert_eq!(refused(account::load_reset(services, &reset).await), Refusal::NotFound);
    }
}

#[tokio::test]
async fn nobody_but_an_administrator_takes_projects_or_the_office_away() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let id = user(&house, "ben").await;
        let ben = async || signed_in(&house, "ben").await.unwrap().person().unwrap().clone();
        assert!(ben().await.may_create_projects);
        change(&house, &adele, id, AccountChange::RefuseProjects).await.unwrap();
        assert!(!ben().await.may_create_projects);
        change(&house, &adele, id, AccountChange::AllowProjects).await.unwrap();
        assert!(ben().await.may_create_projects);
        change(&house, &adele, id, AccountChange::MakeAdministrator).await.unwrap();
        assert!(ben().await.is_administrator);
        change(&house, &adele, id, AccountChange::MakeOrdinary).await.unwrap();
        assert!(!ben().await.is_administrator);
    }
}

#[tokio::test]
async fn an_administrator_makes_a_reset_link_for_others_and_nothing_keeps_it() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let (services, id) = (&house.services, user(&house, "ben").await);
        let first = administration::create_reset_link(services, &adele, id).await.unwrap();
        let link = administration::create_reset_link(services, &adele, id).await.unwrap();
        assert_eq!(account::load_reset(services, &link).await.unwrap().email, "ben@example.org");
        let replaced = account::load_reset(services, &first).await;
        assert_eq!(refused(replaced), Refusal::NotFound);
        assert_eq!(columns_with(&house.store, &link).await, Vec::<String>::new());

        let own = administration::create_reset_link(services, &adele, id_of(&adele)).await;
        assert!(matches!(refused(own), Refusal::Denied(_)));
        let nobody = administration::create_reset_link(services, &adele, UserId(9_999)).await;
        assert_eq!(refused(nobody), Refusal::NotFound);

        change(&house, &adele, id, AccountChange::Disable).await.unwrap();
        let disabled = administration::create_reset_link(services, &adele, id).await;
        assert!(matches!(refused(disabled), Refusal::Conflict(_)));
        let before = account::load_reset(services, &link).await;
        assert_eq!(refused(before), Refusal::NotFound, "a link ends with the account");
        change(&house, &adele, id, AccountChange::Enable).await.unwrap();

        let link = administration::create_reset_link(services, &adele, id).await.unwrap();
        let chosen = "lantern ferry walnut".to_owned();
        account::choose_password(services, &Client::LOCAL, &link, chosen.clone()).await.unwrap();
        let email = "ben@example.org";
        account::sign_in(services, &Client::LOCAL, email, chosen).await.unwrap();
    }
}

#[tokio::test]
async fn there_is_always_an_administrator_left() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let (a, b) = (id_of(&adele), user(&house, "ben").await);
        for own in [AccountChange::Disable, AccountChange::MakeOrdinary] {
            assert!(matches!(refused(change(&house, &adele, a, own).await), Refusal::Denied(_)));
        }
        let own = administration::remove_account(&house.services, &adele, a, "adele@example.org");
        let own = own.await;
        assert!(matches!(refused(own), Refusal::Denied(_)));
        change(&house, &adele, b, AccountChange::MakeAdministrator).await.unwrap();
        let ben = signed_in(&house, "ben").await.unwrap();
        // Both act on each other at the same moment: one of them comes too late.
        let (one, other) = tokio::join!(
            change(&house, &adele, b, AccountChange::Disable),
            change(&house, &ben, a, AccountChange::MakeOrdinary),
        );
        assert_ne!(one.is_ok(), other.is_ok(), "{one:?} {other:?}");
        let late = if one.is_ok() { refused(other) } else { refused(one) };
        assert_eq!(late, Refusal::NotFound);
    }
}

#[tokio::test]
async fn an_account_that_never_was_in_a_project_leaves_nothing() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let before = rows(&house.store).await;
        let id = user(&house, "zyxwyck").await;
        signed_in(&house, "zyxwyck").await.unwrap();
        let remove = async |email: &str| {
            administration::remove_account(&house.services, &adele, id, email).await
        };
        let Refusal::Invalid { field, .. } = refused(remove("adele@example.org").await) else {
            panic!("another address was taken for theirs")
        };
        assert_eq!(field, "email");
        assert_eq!(remove(" Zyxwyck@example.org ").await.unwrap(), Removal::Deleted);
        assert_eq!(columns_with(&house.store, "zyxwyck").await, Vec::<String>::new());
        let left: Vec<_> = rows(&house.store).await.difference(&before).cloned().collect();
        assert!(left.iter().all(|(table, _)| table.starts_with("audit")), "{left:?}");
        assert_eq!(refused(remove("zyxwyck@example.org").await), Refusal::NotFound);
        user(&house, "zyxwyck").await;
    }
}

#[tokio::test]
async fn of_who_has_worked_the_work_stays_and_the_name_goes() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let project = house.project().await;
        let services = &house.services;
        let invited = Some("zyxwyck@example.org".to_owned());
        let token = members::invite(services, &project.manager, project.id, Role::Labeler, invited)
            .await
            .unwrap();
        let session =
            crate::house::accept(services, &Client::LOCAL, &token, new_account("zyxwyck"))
                .await
                .unwrap();
        let worker = account::actor_of(services, &session.token).await.unwrap();
        let member = project.member(&worker).await;
        project.import(&[("one.txt", "Hamlet.")], ImportOptions::default()).await.unwrap();
        let before = rows(&house.store).await;

        let id = id_of(&worker);
        let email = "zyxwyck@example.org";
        let removed = administration::remove_account(services, &adele, id, email).await.unwrap();
        assert_eq!(removed, Removal::MadeAnonymous);
        assert_eq!(columns_with(&house.store, "zyxwyck").await, Vec::<String>::new());
        let gone: Vec<_> = before.difference(&rows(&house.store).await).cloned().collect();
        assert!(
            gone.iter().all(|(table, _)| ["device", "session"].contains(&table.as_str())),
            "{gone:?}"
        );
        assert_eq!(account::actor_of(services, &session.token).await.unwrap(), Actor::Anonymous);
        assert_eq!(refused(signed_in(&house, "zyxwyck").await), Refusal::WrongCredentials);
        let members = members::list(services, &project.manager, project.id).await.unwrap();
        assert!(members.iter().all(|other| other.id != member), "the membership has ended");
        let listed = administration::list_accounts(services, &adele, &SearchQuery::default()).await;
        assert!(listed.unwrap().rows.iter().all(|account| account.id != id));
        // The address is free again, and is another person's.
        user(&house, "zyxwyck").await;
    }
}

#[tokio::test]
async fn whoever_manages_a_project_alone_is_not_removed() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let project = house.project().await;
        let id = id_of(&project.manager);
        let view = administration::load_account(&house.services, &adele, id).await.unwrap();
        assert_eq!((view.manages_alone.len(), view.has_worked, view.is_own), (1, true, false));
        let email = project.manager.person().unwrap().email.clone();
        let remove =
            async || administration::remove_account(&house.services, &adele, id, &email).await;
        let removed = remove().await;
        let Refusal::Conflict(why) = refused(removed) else { panic!("it was removed") };
        assert!(why.contains("Tragedies"), "{why}");
        project.join(&project.outsider, Role::Manager).await.unwrap();
        assert_eq!(remove().await.unwrap(), Removal::MadeAnonymous);
    }
}

#[tokio::test]
async fn accounts_are_found_by_a_part_of_name_or_address_and_come_in_pages() {
    for house in houses().await {
        let adele = administrator(&house).await;
        for n in 0..55 {
            house.person(&format!("person_{n:02}"), false).await;
        }
        let list = async |search: &str, page| {
            let query = SearchQuery { search: search.to_owned(), page };
            administration::list_accounts(&house.services, &adele, &query).await.unwrap()
        };
        let first = list("", 0).await;
        assert_eq!((first.total, first.rows.len()), (56, 50));
        assert_eq!(list("", 1).await.rows.len(), 6);
        assert_eq!(list("ADELE", 0).await.total, 1);
        assert_eq!(list("N_07@EXAMPLE", 0).await.total, 1);
        // What is typed is no pattern.
        assert_eq!(list("person%", 0).await.total, 0);
        assert_eq!(list("personx07", 0).await.total, 0);
    }
}

#[tokio::test]
async fn whoever_runs_the_server_names_administrators() {
    for house in houses().await {
        user(&house, "ann").await;
        user(&house, "ben").await;
        let set = async |email: &str, administers| {
            administration::set_administrator(&house.services, email, administers).await
        };
        set(" Ben@example.org", true).await.unwrap();
        assert!(signed_in(&house, "ben").await.unwrap().person().unwrap().is_administrator);
        set("ann@example.org", false).await.unwrap();
        assert!(!signed_in(&house, "ann").await.unwrap().person().unwrap().is_administrator);
        assert_eq!(refused(set("nobody@example.org", true).await), Refusal::NotFound);
    }
}
