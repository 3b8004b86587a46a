//! Signing in and out, sessions, throttling, invitations, the first account.

use crate::house::{House, PASSWORD, houses, invalid_field, new_account, refused};
use chrono::TimeDelta;
use domain::{Actor, Error as Refusal, NewAccount, Role};
use services::{Client, NewSession, Result, ServerKey, account, project::members};

async fn user(house: &House, name: &str) -> String {
    let account = new_account(name);
    let email = account.email.clone();
    account::add_user(&house.services, account, false).await.unwrap();
    email
}

async fn sign_in(house: &House, email: &str, password: &str) -> Result<NewSession> {
    crate::house::sign_in(&house.services, &Client::LOCAL, email, password.to_owned()).await
}

async fn name_of(house: &House, token: &str) -> Option<String> {
    let actor = account::actor_of(&house.services, token).await.unwrap();
    account::viewer(actor).map(|user| user.name)
}

#[tokio::test]
async fn the_right_password_starts_a_session_of_its_user() {
    for house in houses().await {
        user(&house, "ann").await;
        let session = sign_in(&house, " Ann@Example.org ", PASSWORD).await.unwrap();
        assert_eq!(name_of(&house, &session.token).await.as_deref(), Some("ann"));
        assert_eq!(session.expires_at, house.now() + TimeDelta::days(14));
        assert_eq!(name_of(&house, "another token").await, None);
    }
}

#[tokio::test]
async fn wrong_passwords_and_unknown_addresses_are_answered_alike_and_throttled_alike() {
    for house in houses().await {
        let known = user(&house, "ann").await;
        // Milliseconds after the last try, and what a wrong password is told then.
        let tries = [
            (0, Refusal::WrongCredentials),
            (0, Refusal::WrongCredentials),
            (0, Refusal::WrongCredentials),
            (0, Refusal::WrongCredentials),
            (0, Refusal::WrongCredentials),
            (0, Refusal::TooManyAttempts { seconds: 1 }),
            (999, Refusal::TooManyAttempts { seconds: 1 }),
            (1, Refusal::WrongCredentials),
            (0, Refusal::TooManyAttempts { seconds: 2 }),
            (2_000, Refusal::WrongCredentials),
            (500, Refusal::TooManyAttempts { seconds: 4 }),
        ];
        for (step, (wait, expected)) in tries.into_iter().enumerate() {
            house.pass(TimeDelta::milliseconds(wait));
            let (wrong, unknown) = tokio::join!(
                sign_in(&house, &known, "wrong password"),
                sign_in(&house, "nobody@example.org", "wrong password"),
            );
            assert_eq!(refused(wrong), expected, "known address, try {step}");
            assert_eq!(refused(unknown), expected, "unknown address, try {step}");
        }
        let locked = refused(sign_in(&house, &known, PASSWORD).await);
        assert_eq!(locked, Refusal::TooManyAttempts { seconds: 4 }, "the lock is for everybody");
        house.pass(TimeDelta::seconds(4));
        sign_in(&house, &known, PASSWORD).await.unwrap();
        let again = refused(sign_in(&house, &known, "wrong password").await);
        assert_eq!(again, Refusal::WrongCredentials, "a right password starts the count anew");
    }
}

#[tokio::test]
async fn the_lock_outlives_a_restart_of_the_server() {
    for house in houses().await {
        let known = user(&house, "ann").await;
        for _ in 0..5 {
            refused(sign_in(&house, &known, "wrong password").await);
        }
        house.services.store_failures().await.unwrap();
        let restarted = services::Services::new(
            house.store.clone(),
            house.clock(),
            None,
            ServerKey::from([7; 32]),
        );
        let tried =
            crate::house::sign_in(&restarted, &Client::LOCAL, &known, PASSWORD.to_owned()).await;
        assert_eq!(refused(tried), Refusal::TooManyAttempts { seconds: 1 });
    }
}

#[tokio::test]
async fn tries_at_the_same_moment_count_as_many() {
    for house in houses().await {
        let known = user(&house, "ann").await;
        for email in [known.as_str(), "nobody@example.org"] {
            let tries = (0..12).map(|_| sign_in(&house, email, "wrong password"));
            let answers = futures::future::join_all(tries).await;
            let tested = answers
                .into_iter()
                .filter(|answer| {
                    matches!(answer, Err(services::Error::Refused(Refusal::WrongCredentials)))
                })
                .count();
            assert_eq!(tested, 5, "{email}");
        }
    }
}

#[tokio::test]
async fn a_session_ends_after_14_days_without_use_and_after_90_days_at_most() {
    for house in houses().await {
        let email = user(&house, "ann").await;
        let idle = sign_in(&house, &email, PASSWORD).await.unwrap().token;
        let used = sign_in(&house, &email, PASSWORD).await.unwrap().token;
        house.pass(TimeDelta::days(13));
        assert!(name_of(&house, &used).await.is_some());
        house.pass(TimeDelta::days(1));
        assert_eq!(name_of(&house, &idle).await, None);
        for _ in 0..7 {
            house.pass(TimeDelta::days(10));
            assert!(name_of(&house, &used).await.is_some());
        }
        house.pass(TimeDelta::days(6) - TimeDelta::milliseconds(1));
        assert!(name_of(&house, &used).await.is_some());
        house.pass(TimeDelta::milliseconds(1));
        assert_eq!(name_of(&house, &used).await, None);
    }
}

#[tokio::test]
async fn the_use_of_a_session_is_noted_once_an_hour() {
    for house in houses().await {
        let email = user(&house, "ann").await;
        let token = sign_in(&house, &email, PASSWORD).await.unwrap().token;
        let statements = async || {
            let before = house.services.statements();
            assert!(name_of(&house, &token).await.is_some());
            house.services.statements() - before
        };
        house.pass(TimeDelta::minutes(59));
        assert_eq!(statements().await, 1, "one query and no write");
        house.pass(TimeDelta::minutes(1));
        assert_eq!(statements().await, 2, "noted");
        assert_eq!(statements().await, 1, "noted already");
    }
}

#[tokio::test]
async fn signing_out_ends_this_session_only() {
    for house in houses().await {
        let email = user(&house, "ann").await;
        let one = sign_in(&house, &email, PASSWORD).await.unwrap().token;
        let other = sign_in(&house, &email, PASSWORD).await.unwrap().token;
        account::sign_out(&house.services, Some(one.clone())).await.unwrap();
        account::sign_out(&house.services, Some(one.clone())).await.unwrap();
        account::sign_out(&house.services, None).await.unwrap();
        assert_eq!(name_of(&house, &one).await, None);
        assert!(name_of(&house, &other).await.is_some());
    }
}

#[tokio::test]
async fn a_new_password_ends_all_sessions_and_the_lock() {
    for house in houses().await {
        let email = user(&house, "ann").await;
        let token = sign_in(&house, &email, PASSWORD).await.unwrap().token;
        for _ in 0..5 {
            refused(sign_in(&house, &email, "wrong password").await);
        }
        let reset = async |email: &str, password: &str| {
            account::reset_password(&house.services, email, password.to_owned()).await
        };
        assert_eq!(
            refused(reset("nobody@example.org", "another password").await),
            Refusal::NotFound
        );
        assert_eq!(invalid_field(reset(&email, "short").await), "password");
        reset(&email, "another password").await.unwrap();
        assert_eq!(name_of(&house, &token).await, None);
        assert_eq!(refused(sign_in(&house, &email, PASSWORD).await), Refusal::WrongCredentials);
        sign_in(&house, &email, "another password").await.unwrap();
    }
}

#[tokio::test]
async fn an_address_has_one_account_in_any_case() {
    for house in houses().await {
        user(&house, "ann").await;
        let again = NewAccount { email: "ANN@example.org".to_owned(), ..new_account("other") };
        let added = account::add_user(&house.services, again, false).await;
        assert_eq!(invalid_field(added), "email");
    }
}

#[tokio::test]
async fn the_set_up_link_makes_one_person_who_may_create_projects() {
    for house in houses().await {
        let services = &house.services;
        let old = account::create_setup_link(services).await.unwrap().unwrap();
        let token = account::create_setup_link(services).await.unwrap().unwrap();
        assert_eq!(refused(account::load_invitation(services, &old).await), Refusal::NotFound);
        let offer = account::load_invitation(services, &token).await.unwrap();
        assert_eq!((offer.project, offer.email), (None, None));
        let session = crate::house::accept(services, &Client::LOCAL, &token, new_account("first"))
            .await
            .unwrap();
        let actor = account::actor_of(services, &session.token).await.unwrap();
        assert!(account::viewer(actor).unwrap().may_create_projects);
        let again =
            crate::house::accept(services, &Client::LOCAL, &token, new_account("second")).await;
        assert_eq!(refused(again), Refusal::NotFound);
        assert_eq!(account::create_setup_link(services).await.unwrap(), None);
    }
}

#[tokio::test]
async fn the_set_up_link_opens_nothing_after_a_week_or_once_there_is_an_account() {
    for house in houses().await {
        let services = &house.services;
        let token = account::create_setup_link(services).await.unwrap().unwrap();
        house.pass(TimeDelta::days(7));
        let late =
            crate::house::accept(services, &Client::LOCAL, &token, new_account("first")).await;
        assert_eq!(refused(late), Refusal::NotFound);
        let token = account::create_setup_link(services).await.unwrap().unwrap();
        user(&house, "ann").await;
        assert_eq!(refused(account::load_invitation(services, &token).await), Refusal::NotFound);
        let late =
            crate::house::accept(services, &Client::LOCAL, &token, new_account("first")).await;
        assert_eq!(refused(late), Refusal::NotFound);
    }
}

#[tokio::test]
async fn an_invitation_lets_one_new_person_in_for_two_weeks() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let invite = async |role| {
            members::invite(services, &project.manager, project.id, role, None).await.unwrap()
        };
        let token = invite(Role::Reviewer).await;
        let offer = account::load_invitation(services, &token).await.unwrap();
        assert_eq!(offer.project, Some(("Tragedies".to_owned(), Role::Reviewer)));
        let session = crate::house::accept(services, &Client::LOCAL, &token, new_account("ann"))
            .await
            .unwrap();
        let ann = account::actor_of(services, &session.token).await.unwrap();
        let person = ann.person().unwrap();
        assert!(!person.may_create_projects);
        let member =
            store::project::members::find(&*house.store, project.id, person.id).await.unwrap();
        assert_eq!(member.unwrap().role, Role::Reviewer);
        let again =
            crate::house::accept(services, &Client::LOCAL, &token, new_account("bob")).await;
        assert_eq!(refused(again), Refusal::NotFound, "an invitation is for one");

        let token = invite(Role::Labeler).await;
        house.pass(TimeDelta::days(14));
        let late = crate::house::accept(services, &Client::LOCAL, &token, new_account("bob")).await;
        assert_eq!(refused(late), Refusal::NotFound, "an invitation has an end");
        assert!(
            store::account::users::find_by_email(&*house.store, "bob@example.org")
                .await
                .unwrap()
                .is_none()
        );
    }
}

#[tokio::test]
async fn an_invitation_for_an_address_is_for_this_address() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let invited = Some(" Ann@example.org ".to_owned());
        let token = members::invite(services, &project.manager, project.id, Role::Labeler, invited);
        let token = token.await.unwrap();
        let accepted =
            crate::house::accept(services, &Client::LOCAL, &token, new_account("bob")).await;
        assert_eq!(invalid_field(accepted), "email");
        let joined = account::join(services, &project.outsider, &token).await;
        assert_eq!(invalid_field(joined), "email");
        crate::house::accept(services, &Client::LOCAL, &token, new_account("ann")).await.unwrap();
    }
}

#[tokio::test]
async fn whoever_has_an_account_signs_in_and_joins_instead_of_making_another() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let token = members::invite(services, &project.manager, project.id, Role::Manager, None);
        let token = token.await.unwrap();
        let accepted =
            crate::house::accept(services, &Client::LOCAL, &token, new_account("outsider")).await;
        assert_eq!(invalid_field(accepted), "email");
        let anonymous = account::join(services, &Actor::Anonymous, &token).await;
        assert_eq!(refused(anonymous), Refusal::SignInRequired);
        let ann = house.person("ann", false).await;
        assert_eq!(account::join(services, &ann, &token).await.unwrap(), project.id);
        let user =
            store::account::users::find(&*house.store, ann.person().unwrap().id).await.unwrap();
        assert!(user.unwrap().may_create_projects, "whoever manages a project may create others");
        let again = account::join(services, &project.outsider, &token).await;
        assert_eq!(refused(again), Refusal::NotFound);
    }
}

#[tokio::test]
async fn joining_twice_is_denied_and_leaves_the_invitation_for_somebody_else() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let token = members::invite(services, &project.manager, project.id, Role::Reviewer, None);
        let token = token.await.unwrap();
        let again = refused(account::join(services, &project.labeler, &token).await);
        assert!(matches!(again, Refusal::Conflict(_)));
        account::join(services, &project.outsider, &token).await.unwrap();
    }
}

#[tokio::test]
async fn only_a_demo_shows_sign_ins() {
    for house in houses().await {
        assert!(account::demo_sign_ins(&house.services).is_empty());
    }
}
