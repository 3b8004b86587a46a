//! One's own account: its password, its address, its sessions, and the link to a new password.

use chrono::TimeDelta;
use domain::{Actor, Code, Error as Refusal, NewApiToken, Role};
use services::{Client, NewSession, ServerKey, Services, Settings, account, project::members};

use crate::house::{House, PASSWORD, houses, invalid_field, new_account, refused};

const OTHER: &str = "walnut copper lantern";

struct Ann<'house> {
    house: &'house House,
    email: String,
    /// The browser that acts, signed in.
    client: Client,
    actor: Actor,
    /// A session in another browser.
    elsewhere: NewSession,
}

async fn ann(house: &House) -> Ann<'_> {
    let account = new_account("ann");
    let email = account.email.clone();
    account::add_user(&house.services, account, false).await.unwrap();
    let elsewhere = sign_in(house, &Client::LOCAL, &email).await;
    house.pass(TimeDelta::minutes(1));
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
    let client = Client { agent: Some(agent.to_owned()), ..Client::LOCAL };
    let session = sign_in(house, &client, &email).await;
    let actor = account::actor_of(&house.services, &session.token).await.unwrap();
    let client = Client { device: Some(session.device), session: Some(session.token), ..client };
    Ann { house, email, client, actor, elsewhere }
}

async fn sign_in(house: &House, client: &Client, email: &str) -> NewSession {
    crate::house::sign_in(&house.services, client, email, PASSWORD.to_owned()).await.unwrap()
}

async fn is_open(house: &House, token: &str) -> bool {
    account::actor_of(&house.services, token).await.unwrap().person().is_ok()
}

impl Ann<'_> {
    async fn is_signed_in(&self) -> (bool, bool) {
        let own = self.client.session.as_deref().unwrap();
        (is_open(self.house, own).await, is_open(self.house, &self.elsewhere.token).await)
    }

    async fn own(&self) -> domain::OwnAccount {
        let session = self.client.session.as_deref();
        account::load_own(&self.house.services, &self.actor, session).await.unwrap()
    }
}

#[tokio::test]
async fn a_new_password_takes_the_present_one_and_ends_other_sessions() {
    for house in houses().await {
        let ann = ann(&house).await;
        let change = async |present: &str, password: &str| {
            let (present, password) = (present.to_owned(), password.to_owned());
            let (actor, client) = (&ann.actor, &ann.client);
            account::change_password(&house.services, actor, client, present, password).await
        };
        assert_eq!(invalid_field(change("wrong password", OTHER).await), "present");
        assert_eq!(invalid_field(change(PASSWORD, "short").await), "password");
        assert_eq!(ann.is_signed_in().await, (true, true));
        let link = account::create_reset_link_of(&house.services, &ann.email).await.unwrap();
        change(PASSWORD, OTHER).await.unwrap();
        assert_eq!(ann.is_signed_in().await, (true, false));
        let old = account::load_reset(&house.services, &link).await;
        assert_eq!(refused(old), Refusal::NotFound, "an open link ends, too");
        let signed_in =
            crate::house::sign_in(&house.services, &Client::LOCAL, &ann.email, OTHER.to_owned());
        signed_in.await.unwrap();
    }
}

#[tokio::test]
async fn a_session_that_was_left_open_is_no_place_to_guess_the_password() {
    for house in houses().await {
        let ann = ann(&house).await;
        let change = async |present: &str| {
            let (present, password) = (present.to_owned(), OTHER.to_owned());
            let (actor, client) = (&ann.actor, &ann.client);
            account::change_password(&house.services, actor, client, present, password).await
        };
        for _ in 0..5 {
            assert_eq!(invalid_field(change("wrong password").await), "present");
        }
        assert_eq!(refused(change(PASSWORD).await), Refusal::TooManyAttempts { seconds: 1 });
        house.pass(TimeDelta::seconds(1));
        change(PASSWORD).await.unwrap();
        assert_eq!(invalid_field(change(PASSWORD).await), "present", "the count starts anew");
    }
}

#[tokio::test]
async fn a_new_address_takes_the_password_and_is_nobody_elses() {
    for house in houses().await {
        let ann = ann(&house).await;
        house.person("ben", false).await;
        let change = async |present: &str, email: &str| {
            let present = present.to_owned();
            let (actor, client) = (&ann.actor, &ann.client);
            account::change_email(&house.services, actor, client, present, email).await
        };
        assert_eq!(invalid_field(change("wrong password", "a@example.org").await), "present");
        assert_eq!(invalid_field(change(PASSWORD, "no address").await), "email");
        assert_eq!(invalid_field(change(PASSWORD, "BEN@example.org").await), "email");
        change(PASSWORD, " Hathaway@Example.org ").await.unwrap();
        assert_eq!(ann.is_signed_in().await, (true, false));
        sign_in(&house, &Client::LOCAL, "hathaway@example.org").await;
        let old =
            crate::house::sign_in(&house.services, &Client::LOCAL, &ann.email, PASSWORD.to_owned());
        assert_eq!(refused(old.await), Refusal::WrongCredentials);
    }
}

#[tokio::test]
async fn sessions_are_shown_to_their_owner_and_ended_one_by_one_or_all() {
    for house in houses().await {
        let ann = ann(&house).await;
        let own = ann.own().await;
        let shown: Vec<_> = own
            .sessions
            .iter()
            .map(|session| (session.is_this, session.device.as_str(), session.address.as_str()))
            .collect();
        assert_eq!(shown, [(true, "Firefox on Linux", "127.0.0.1"), (false, "", "127.0.0.1")]);
        let (this, other) = (own.sessions[0].started_at, own.sessions[1].started_at);

        let ben = house.person("ben", false).await;
        let others = account::end_session(&house.services, &ben, other).await;
        assert_eq!(refused(others), Refusal::NotFound);
        assert_eq!(ann.is_signed_in().await, (true, true));
        account::end_session(&house.services, &ann.actor, other).await.unwrap();
        assert_eq!(ann.is_signed_in().await, (true, false));
        assert_eq!(ann.own().await.sessions[0].started_at, this);
        let third = sign_in(&house, &Client::LOCAL, &ann.email).await;
        account::sign_out_everywhere(&house.services, &ann.actor).await.unwrap();
        assert_eq!(ann.is_signed_in().await, (false, false));
        assert!(!is_open(&house, &third.token).await);
    }
}

#[tokio::test]
async fn sessions_last_as_long_as_whoever_runs_the_server_says() {
    for house in houses().await {
        let ann = ann(&house).await;
        let sessions =
            account::SessionTimes { idle: TimeDelta::minutes(30), longest: TimeDelta::hours(2) };
        let settings = Settings { sessions, ..Settings::default() };
        let key = ServerKey::from([7; 32]);
        let strict = Services::with(house.store.clone(), house.clock(), None, key, settings);
        let token = ann.client.session.as_deref().unwrap();
        let is_open = async || account::actor_of(&strict, token).await.unwrap().person().is_ok();
        for _ in 0..5 {
            house.pass(TimeDelta::minutes(20));
            assert!(is_open().await, "it is in use");
        }
        assert!(account::actor_of(&strict, &ann.elsewhere.token).await.unwrap().person().is_err());
        house.pass(TimeDelta::minutes(20));
        assert!(!is_open().await, "what was started when it could last longer ends as well");
    }
}

#[tokio::test]
async fn where_providers_are_the_only_way_passwords_open_nothing_and_their_sessions_end() {
    for house in houses().await {
        let ann = ann(&house).await;
        let provider = r#"{"name":"a","title":"Ä","issuer":"https://a.example","client-id":"c"}"#;
        let settings = Settings {
            providers: vec![provider.parse().unwrap()],
            only_providers: true,
            ..Settings::default()
        };
        let key = ServerKey::from([7; 32]);
        let strict = Services::with(house.store.clone(), house.clock(), None, key, settings);
        let ways = account::sign_in_ways(&strict);
        assert_eq!((ways.providers[0].title.as_str(), ways.passwords), ("Ä", false));
        let token = ann.client.session.as_deref().unwrap();
        assert_eq!(account::actor_of(&strict, token).await.unwrap(), Actor::Anonymous);
        let tried =
            account::sign_in(&strict, &Client::LOCAL, &ann.email, PASSWORD.to_owned()).await;
        assert_eq!(refused(tried.map(|_| ())).code(), Code::NotOffered);
        let link = account::create_reset_link_of(&strict, &ann.email).await.unwrap();
        let chosen =
            account::choose_password(&strict, &Client::LOCAL, &link, OTHER.to_owned()).await;
        assert_eq!(refused(chosen).code(), Code::NotOffered);
        assert_eq!(ann.is_signed_in().await, (true, true), "the switch can be turned back");
    }
}

#[tokio::test]
async fn a_link_to_a_new_password_works_once_and_ends_what_the_old_one_opened() {
    for house in houses().await {
        let services = &house.services;
        let ann = ann(&house).await;
        let new = NewApiToken {
            name: "notebook".to_owned(),
            scopes: [domain::Scope::Read].into(),
            projects: None,
            days: 9,
        };
        account::create_token(services, &ann.actor, new).await.unwrap();
        for _ in 0..6 {
            let tried =
                crate::house::sign_in(services, &Client::LOCAL, &ann.email, "wrong".to_owned());
            drop(tried.await);
        }
        let old = account::create_reset_link_of(services, &ann.email).await.unwrap();
        let link = account::create_reset_link_of(services, " ANN@example.org ").await.unwrap();
        assert_eq!(refused(account::load_reset(services, &old).await), Refusal::NotFound);
        assert_eq!(account::load_reset(services, &link).await.unwrap().email, ann.email);
        let choose = async |link: &str| {
            account::choose_password(services, &Client::LOCAL, link, OTHER.to_owned()).await
        };
        let device = choose(&link).await.unwrap();
        assert_eq!(refused(choose(&link).await), Refusal::NotFound, "it works once");
        assert_eq!(ann.is_signed_in().await, (false, false));
        assert!(account::list_tokens(services, &ann.actor).await.unwrap().is_empty());
        let client = Client { device: Some(device), ..Client::LOCAL };
        crate::house::sign_in(services, &client, &ann.email, OTHER.to_owned()).await.unwrap();

        let late = account::create_reset_link_of(services, &ann.email).await.unwrap();
        house.pass(TimeDelta::days(1));
        assert_eq!(refused(choose(&late).await), Refusal::NotFound, "it has an end");
        let nobody = account::create_reset_link_of(services, "nobody@example.org").await;
        assert_eq!(refused(nobody), Refusal::NotFound);
    }
}

#[tokio::test]
async fn programs_and_strangers_change_no_account() {
    for house in houses().await {
        let services = &house.services;
        let ann = ann(&house).await;
        let grant = domain::Grant {
            token: domain::ApiTokenId(1),
            scopes: domain::Scope::CHOOSABLE.iter().copied().collect(),
            projects: None,
            model: None,
            needed: domain::base::policy::Reach::Change,
        };
        let program = Actor::Token(ann.actor.person().unwrap().clone(), grant);
        for actor in [program, Actor::Anonymous] {
            account::load_own(services, &actor, None).await.unwrap_err();
            account::sign_out_everywhere(services, &actor).await.unwrap_err();
            account::end_session(services, &actor, house.now()).await.unwrap_err();
            let (present, new) = (PASSWORD.to_owned(), OTHER.to_owned());
            let client = &ann.client;
            account::change_password(services, &actor, client, present.clone(), new)
                .await
                .unwrap_err();
            account::change_email(services, &actor, client, present, "a@example.org")
                .await
                .unwrap_err();
        }
        assert_eq!(ann.is_signed_in().await, (true, true));
    }
}

#[tokio::test]
async fn who_may_not_create_projects_any_more_cannot_pass_it_on() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let may = async |name: &str| {
            let email = format!("{name}@example.org");
            let known = store::account::users::find_by_email(&*house.store, &email).await.unwrap();
            known.unwrap().user.may_create_projects
        };
        let invite = async || {
            members::invite(services, &project.manager, project.id, Role::Manager, None)
                .await
                .unwrap()
        };
        let (before, after) = (invite().await, invite().await);
        crate::house::accept(services, &Client::LOCAL, &before, new_account("ann")).await.unwrap();
        assert!(may("ann").await, "whoever manages may create projects");
        let email = "manager@example.org";
        account::set_may_create_projects_of(services, email, false).await.unwrap();
        assert!(!may("manager").await);
        crate::house::accept(services, &Client::LOCAL, &after, new_account("ben")).await.unwrap();
        let another = invite().await;
        let cleo = house.person("cleo", false).await;
        account::join(services, &cleo, &another).await.unwrap();
        assert!(!may("ben").await && !may("cleo").await);
        account::set_may_create_projects_of(services, email, true).await.unwrap();
        assert!(may("manager").await);
    }
}
