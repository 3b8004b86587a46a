//! Second factors: codes of an app, recovery codes, and servers and projects that ask for them.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{AccountChange, Actor, Error as Refusal, ProjectSettings, Role};
use services::{
    Client, NewSession, Result, ServerKey, Services, Settings,
    account::{self, SignedIn, administration},
    project::{self, members},
};
use totp_rs::{Builder, Secret};

use crate::house::{House, PASSWORD, houses, invalid_field, new_account, refused};

/// Somebody in a browser.
struct Person {
    services: Arc<Services>,
    email: String,
    client: Client,
    actor: Actor,
}

/// The code that an app with this secret shows.
fn code(secret: &str, at: DateTime<Utc>) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let app = Builder::new().with_secret(secret).build().unwrap();
    app.generate(u64::try_from(at.timestamp()).unwrap()).to_string()
}

/// The same house as a server that lets nobody in without a second factor.
fn strict(house: &House) -> Arc<Services> {
    let settings = Settings { requires_second_factor: true, ..Settings::default() };
    let key = ServerKey::from([7; 32]);
    Services::with(house.store.clone(), house.clock(), None, key, settings)
}

async fn sign_in(services: &Arc<Services>, client: &Client, email: &str) -> SignedIn {
    account::sign_in(services, client, email, PASSWORD.to_owned()).await.unwrap()
}

/// The browser after the first step.
async fn halfway(services: &Arc<Services>, client: &Client, email: &str) -> Client {
    match sign_in(services, client, email).await {
        SignedIn::Further(step) => Client { step: Some(step.token), ..client.clone() },
        SignedIn::Done(_) => panic!("the password alone does not do"),
    }
}

impl Person {
    async fn new(house: &House, name: &str) -> Self {
        let account = new_account(name);
        let email = account.email.clone();
        account::add_user(&house.services, account, true).await.unwrap();
        let session = sign_in(&house.services, &Client::LOCAL, &email).await.session().unwrap();
        let mut person = Self {
            services: Arc::clone(&house.services),
            email,
            client: Client::LOCAL,
            actor: Actor::Anonymous,
        };
        person.has(session).await;
        person
    }

    async fn has(&mut self, session: NewSession) {
        self.actor = account::actor_of(&self.services, &session.token).await.unwrap();
        self.client.session = Some(session.token);
        self.client.device = Some(session.device);
    }

    async fn begin(&self) -> Result<()> {
        let (actor, client) = (&self.actor, &self.client);
        account::begin_app(&self.services, actor, client, PASSWORD.to_owned()).await
    }

    /// Sets an app up; the answer is its secret and the recovery codes.
    async fn set_up(&self, now: DateTime<Utc>) -> (String, Vec<String>) {
        self.begin().await.unwrap();
        let (services, actor, client) = (&self.services, &self.actor, &self.client);
        let secret = account::load_new_app(services, actor, client).await.unwrap().secret;
        let set_up = account::confirm_app(services, actor, client, &code(&secret, now)).await;
        (secret, set_up.unwrap().recovery_codes)
    }

    async fn is_signed_in(&self) -> bool {
        let token = self.client.session.as_deref().unwrap();
        account::actor_of(&self.services, token).await.unwrap().person().is_ok()
    }
}

#[tokio::test]
async fn a_code_of_the_app_is_asked_for_once_it_is_set_up_and_works_once() {
    for house in houses().await {
        let services = &house.services;
        let ann = Person::new(&house, "ann").await;
        let elsewhere = sign_in(services, &Client::LOCAL, &ann.email).await.session().unwrap();
        let (actor, client) = (&ann.actor, &ann.client);
        let wrong = account::begin_app(services, actor, client, "another one".to_owned()).await;
        assert_eq!(invalid_field(wrong), "present");
        let nothing = account::confirm_app(services, actor, client, "000000").await;
        assert_eq!(refused(nothing), Refusal::NotFound);
        ann.begin().await.unwrap();
        let app = account::load_new_app(services, actor, client).await.unwrap();
        assert!(app.url.contains(&app.secret) && app.url.contains("ann%40example.org"));
        let unfinished = sign_in(services, &Client::LOCAL, &ann.email).await;
        assert!(unfinished.session().is_some(), "not before a code was right");
        let other = code(&app.secret, house.now() + TimeDelta::minutes(5));
        let wrong = account::confirm_app(services, actor, client, &other).await;
        assert_eq!(invalid_field(wrong), "code");
        let right = code(&app.secret, house.now());
        let set_up = account::confirm_app(services, actor, client, &right).await.unwrap();
        assert_eq!(set_up.recovery_codes.len(), 10);
        assert!(set_up.session.is_none() && ann.is_signed_in().await);
        let ended = account::actor_of(services, &elsewhere.token).await.unwrap();
        assert_eq!(ended, Actor::Anonymous, "other sessions end");

        let browser = halfway(services, &Client::LOCAL, &ann.email).await;
        let step = account::load_step(services, &browser).await.unwrap();
        assert!(step.has_app && !step.sets_up);
        let take = async |code: &str| account::take_step(services, &browser, code).await;
        assert_eq!(invalid_field(take(&right).await), "code", "it was used to set the app up");
        house.pass(TimeDelta::seconds(60));
        let next = code(&app.secret, house.now());
        let session = take(&next).await.unwrap();
        let actor = account::actor_of(services, &session.token).await.unwrap();
        assert_eq!(actor.person().unwrap().email, ann.email);
        assert_eq!(invalid_field(take(&next).await), "code", "a code works once");
        let own = account::load_own(services, &actor, None).await.unwrap();
        assert_eq!(own.second_factors.recovery_codes, (10, 10));
        assert!(own.second_factors.app_since.is_some());
    }
}

#[tokio::test]
async fn a_recovery_code_works_once_and_new_ones_replace_all() {
    for house in houses().await {
        let services = &house.services;
        let ann = Person::new(&house, "ann").await;
        let (_, codes) = ann.set_up(house.now()).await;
        let browser = halfway(services, &Client::LOCAL, &ann.email).await;
        let take = async |code: &str| account::take_step(services, &browser, code).await;
        take(&codes[3].to_uppercase().replace('-', " ")).await.unwrap();
        assert_eq!(invalid_field(take(&codes[3]).await), "code");
        let (actor, client) = (&ann.actor, &ann.client);
        let make = async |password: &str| {
            account::make_recovery_codes(services, actor, client, password.to_owned()).await
        };
        assert_eq!(invalid_field(make("another one").await), "present");
        let own = account::load_own(services, actor, None).await.unwrap();
        assert_eq!(own.second_factors.recovery_codes, (9, 10));
        let new = make(PASSWORD).await.unwrap();
        assert_eq!(invalid_field(take(&codes[4]).await), "code", "the old ones are void");
        take(&new[4]).await.unwrap();
    }
}

#[tokio::test]
async fn codes_are_not_guessed_one_after_the_other() {
    for house in houses().await {
        let services = &house.services;
        let ann = Person::new(&house, "ann").await;
        let (secret, _) = ann.set_up(house.now()).await;
        house.pass(TimeDelta::minutes(1));
        let stranger = halfway(services, &Client::LOCAL, &ann.email).await;
        for n in 0..5 {
            let wrong = account::take_step(services, &stranger, &format!("{n:06}")).await;
            assert_eq!(invalid_field(wrong), "code");
        }
        let right = code(&secret, house.now());
        let locked = account::take_step(services, &stranger, &right).await;
        assert!(matches!(refused(locked), Refusal::TooManyAttempts { .. }));
        // The password again does not start the count anew.
        let again = halfway(services, &Client::LOCAL, &ann.email).await;
        let locked = account::take_step(services, &again, &right).await;
        assert!(matches!(refused(locked), Refusal::TooManyAttempts { .. }));
        // Nor are its owner's tries those of somebody else.
        let own = halfway(services, &ann.client, &ann.email).await;
        account::take_step(services, &own, &right).await.unwrap();
    }
}

#[tokio::test]
async fn the_first_step_is_good_for_ten_minutes_one_password_and_one_person() {
    for house in houses().await {
        let services = &house.services;
        let mut ann = Person::new(&house, "ann").await;
        let (_, codes) = ann.set_up(house.now()).await;
        let is_over = async |client: &Client| {
            let shown = account::load_step(services, client).await;
            let taken = account::take_step(services, client, &codes[0]).await;
            (refused(shown), refused(taken)) == (Refusal::SignInRequired, Refusal::SignInRequired)
        };
        assert!(is_over(&Client::LOCAL).await);
        let browser = halfway(services, &Client::LOCAL, &ann.email).await;
        let other = |step: &String| if &step[10..11] == "-" { "_" } else { "-" };
        let forged = browser.step.as_ref().map(|step| step.replace(&step[10..11], other(step)));
        assert!(is_over(&Client { step: forged, ..Client::LOCAL }).await);
        let mut late = browser.clone();
        house.pass(TimeDelta::minutes(11));
        assert!(is_over(&late).await);
        late = halfway(services, &Client::LOCAL, &ann.email).await;
        let (actor, client) = (ann.actor.clone(), ann.client.clone());
        let new = "walnut copper lantern".to_owned();
        let old = PASSWORD.to_owned();
        account::change_password(services, &actor, &client, old, new.clone()).await.unwrap();
        assert!(is_over(&late).await, "the password is another one");
        let step = account::sign_in(services, &Client::LOCAL, &ann.email, new).await.unwrap();
        let SignedIn::Further(step) = step else { panic!("the password alone does not do") };
        let browser = Client { step: Some(step.token), ..Client::LOCAL };
        // What somebody is in the middle of opens nothing else.
        let set_up = account::begin_app(services, &Actor::Anonymous, &browser, String::new());
        assert_eq!(refused(set_up.await), Refusal::SignInRequired);
        let session = account::take_step(services, &browser, &codes[0]).await.unwrap();
        ann.has(session).await;
        assert!(ann.is_signed_in().await);
    }
}

#[tokio::test]
async fn a_strict_server_lets_nobody_in_before_they_have_set_one_up() {
    for house in houses().await {
        let mut ann = Person::new(&house, "ann").await;
        let token = members_link(&house, &ann).await;
        let services = &strict(&house);
        ann.services = Arc::clone(services);
        assert!(!ann.is_signed_in().await, "sessions of before open nothing");
        let browser = halfway(services, &Client::LOCAL, &ann.email).await;
        assert!(account::load_step(services, &browser).await.unwrap().sets_up);
        let nobody = &Actor::Anonymous;
        let code_now = account::take_step(services, &browser, "000000").await;
        assert_eq!(invalid_field(code_now), "code", "there is none to take");
        account::begin_app(services, nobody, &browser, String::new()).await.unwrap();
        let app = account::load_new_app(services, nobody, &browser).await.unwrap();
        let right = code(&app.secret, house.now());
        let set_up = account::confirm_app(services, nobody, &browser, &right).await.unwrap();
        assert_eq!(set_up.recovery_codes.len(), 10);
        ann.has(set_up.session.unwrap()).await;
        assert!(ann.is_signed_in().await);
        let again = account::begin_app(services, nobody, &browser, String::new()).await;
        assert_eq!(refused(again), Refusal::SignInRequired, "from now on the app is asked for");
        let (actor, client) = (&ann.actor, &ann.client);
        let removed = account::remove_app(services, actor, client, PASSWORD.to_owned()).await;
        assert!(matches!(refused(removed), Refusal::Conflict(_)), "nobody removes their last one");
        house.pass(TimeDelta::minutes(1));
        let browser = halfway(services, &Client::LOCAL, &ann.email).await;
        account::take_step(services, &browser, &code(&app.secret, house.now())).await.unwrap();
        // Another phone takes the place of the first without a moment in between.
        let (other, codes) = ann.set_up(house.now()).await;
        assert!(codes.is_empty(), "the recovery codes stay");
        house.pass(TimeDelta::minutes(1));
        let take = async |secret: &str| {
            let browser = halfway(services, &Client::LOCAL, &ann.email).await;
            account::take_step(services, &browser, &code(secret, house.now())).await
        };
        assert_eq!(invalid_field(take(&app.secret).await), "code");
        take(&other).await.unwrap();

        let new = new_account("ben");
        let accepted = account::accept(services, &Client::LOCAL, &token, new).await.unwrap();
        let SignedIn::Further(step) = accepted else { panic!("who is new sets one up, too") };
        let browser = Client { step: Some(step.token), ..Client::LOCAL };
        assert!(account::load_step(services, &browser).await.unwrap().sets_up);
    }
}

async fn members_link(house: &House, ann: &Person) -> String {
    let name = "Tragedies".to_owned();
    let project = project::create(&house.services, &ann.actor, name, None).await.unwrap();
    members::invite(&house.services, &ann.actor, project, Role::Labeler, None).await.unwrap()
}

#[tokio::test]
async fn a_project_that_asks_for_one_opens_with_it_also_for_programs() {
    for house in houses().await {
        let services = &house.services;
        let ann = Person::new(&house, "ann").await;
        let ben = Person::new(&house, "ben").await;
        let name = "Tragedies".to_owned();
        let project = project::create(services, &ann.actor, name.clone(), None).await.unwrap();
        let link = members::invite(services, &ann.actor, project, Role::Manager, None).await;
        account::join(services, &ben.actor, &link.unwrap()).await.unwrap();
        let strict = ProjectSettings { name, requires_second_factor: true, ..Default::default() };
        let save = async |settings: &ProjectSettings| {
            project::save_settings(services, &ann.actor, project, settings.clone()).await
        };
        assert_eq!(invalid_field(save(&strict).await), "requires_second_factor");
        ann.set_up(house.now()).await;
        save(&strict).await.unwrap();
        let shown = project::load_settings(services, &ann.actor, project).await.unwrap();
        assert!(shown.settings.requires_second_factor);

        let load = async |actor: &Actor| project::load(services, actor, project).await;
        assert_eq!(refused(load(&ben.actor).await), Refusal::SecondFactorRequired);
        let token = domain::NewApiToken {
            name: "script".to_owned(),
            scopes: domain::Scope::CHOOSABLE.iter().copied().collect(),
            projects: None,
            days: 30,
        };
        let secret = account::create_token(services, &ben.actor, token).await.unwrap();
        let reads = domain::base::policy::Reach::Read;
        let program = account::actor_of_token(services, &secret, reads).await.unwrap();
        assert_eq!(refused(load(&program).await), Refusal::SecondFactorRequired);
        let outsider = Person::new(&house, "cleo").await;
        assert_eq!(refused(load(&outsider.actor).await), Refusal::NotFound);

        ben.set_up(house.now()).await;
        load(&ben.actor).await.unwrap();
        load(&program).await.unwrap();
        let (actor, client) = (&ben.actor, &ben.client);
        account::remove_app(services, actor, client, PASSWORD.to_owned()).await.unwrap();
        assert_eq!(refused(load(&ben.actor).await), Refusal::SecondFactorRequired);
        let own = account::load_own(services, &ben.actor, None).await.unwrap();
        assert_eq!(own.second_factors.recovery_codes, (0, 0), "recovery codes go with the last");
    }
}

#[tokio::test]
async fn whoever_has_lost_it_is_helped_by_an_administrator_and_by_whoever_runs_the_server() {
    for house in houses().await {
        let services = &house.services;
        let ann = Person::new(&house, "ann").await;
        let ben = Person::new(&house, "ben").await;
        let id = ben.actor.person().unwrap().id;
        let change = AccountChange::RemoveSecondFactors;
        ben.set_up(house.now()).await;
        assert!(administration::change_account(services, &ben.actor, id, change).await.is_err());
        let account = async || administration::load_account(services, &ann.actor, id).await;
        assert!(account().await.unwrap().account.has_second_factor);
        administration::change_account(services, &ann.actor, id, change).await.unwrap();
        assert!(!account().await.unwrap().account.has_second_factor);
        assert!(!ben.is_signed_in().await);
        let mut ben = ben;
        ben.has(sign_in(services, &Client::LOCAL, &ben.email).await.session().unwrap()).await;
        ben.set_up(house.now()).await;
        account::remove_second_factors_of(services, &ben.email).await.unwrap();
        assert!(sign_in(services, &Client::LOCAL, &ben.email).await.session().is_some());
        let own = ann.actor.person().unwrap().id;
        let own = administration::change_account(services, &ann.actor, own, change).await;
        assert!(matches!(refused(own), Refusal::Denied(_)), "one's own takes the password");
    }
}

#[tokio::test]
async fn a_secret_is_sealed_and_with_another_key_recovery_codes_still_work() {
    for house in houses().await {
        let ann = Person::new(&house, "ann").await;
        let (secret, codes) = ann.set_up(house.now()).await;
        let rows = store::testing::rows(&house.store).await;
        let stored = format!("{rows:?}");
        assert!(!stored.contains(&secret));
        assert!(codes.iter().all(|code| !stored.contains(code)));
        let key = ServerKey::from([8; 32]);
        let moved = Services::new(house.store.clone(), house.clock(), None, key);
        let browser = halfway(&moved, &Client::LOCAL, &ann.email).await;
        house.pass(TimeDelta::minutes(1));
        let now = code(&secret, house.now());
        assert_eq!(invalid_field(account::take_step(&moved, &browser, &now).await), "code");
        account::take_step(&moved, &browser, &codes[0]).await.unwrap();
    }
}
