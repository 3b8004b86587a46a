//! Signing in through a provider: whose account it is, what its directory has said before, which factors it
//! vouches for, and how sessions end by its word.

mod fake;
mod hostile;
mod joining;

use std::sync::Arc;

use chrono::TimeDelta;
use domain::{Actor, Code, Error as Refusal, ProjectSettings, Role, User};
use serde_json::{Value, json};
use services::{
    Client, Result, ServerKey, Services, Settings,
    account::{
        self, Answer, Entered, ProviderSettings, Wanted,
        scim::{self, Shape},
    },
    project::{self, members},
};

use self::fake::Provider;
use crate::house::{House, houses, refused};

const SITE: &str = "http://localhost:3000";

/// A house with a provider.
struct Place<'a> {
    house: &'a House,
    provider: Provider,
    services: Arc<Services>,
}

impl<'a> Place<'a> {
    /// With what the settings have of the provider beside its name.
    async fn new(house: &'a House, more: Value) -> Self {
        let provider = Provider::start().await;
        let services = serving(house, &provider, more);
        Self { house, provider, services }
    }

    /// Somebody comes back from the provider, which says this of them.
    async fn enter(&self, said: Value) -> Result<String> {
        let (client, at) = (&Client::LOCAL, ("example", SITE));
        let nobody = &Actor::Anonymous;
        let asked =
            account::ask_provider(&self.services, nobody, client, at, Wanted::SignIn, "/").await?;
        let address = reqwest::Url::parse(&asked.address).unwrap();
        let parameter =
            |name: &str| address.query_pairs().find(|(own, _)| own == name).unwrap().1.into_owned();
        let mut claims = self.claims(json!({ "nonce": parameter("nonce") }));
        claims.as_object_mut().unwrap().extend(said.as_object().unwrap().clone());
        let answer = json!({ "code": Provider::code(&claims), "state": parameter("state") });
        let answer: Answer = serde_json::from_value(answer).unwrap();
        let kept = Some(asked.question.as_str());
        let entered =
            account::enter_by_provider(&self.services, nobody, client, at, kept, answer).await?;
        match entered {
            Entered::Session { session, .. } => Ok(session.token),
            Entered::Linked => panic!("nobody was to be linked"),
        }
    }

    /// Claims that hold now.
    fn claims(&self, more: Value) -> Value {
        let now = self.house.now().timestamp();
        let mut claims = json!({
            "iss": self.provider.issuer, "aud": "concord", "iat": now, "exp": now + 300,
        });
        claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        claims
    }

    async fn log_out(&self, more: Value) -> Result<()> {
        let event = json!({ "http://schemas.openid.net/event/backchannel-logout": {} });
        let mut claims = self.claims(json!({ "events": event }));
        claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let token = self.provider.logout_token(&claims);
        account::end_by_provider(&self.services, "example", &token).await
    }

    async fn actor(&self, token: &str) -> Actor {
        account::actor_of(&self.services, token).await.unwrap()
    }

    async fn is_open(&self, token: &str) -> bool {
        self.actor(token).await.person().is_ok()
    }

    /// The provider's directory.
    async fn directory(&self) -> Actor {
        let token = scim::create_token(&self.services, "example").await.unwrap();
        scim::actor_of_directory(&self.services, &token).await.unwrap()
    }

    /// Has the directory know somebody new; the answer is their id.
    async fn add(&self, directory: &Actor, said: Value) -> String {
        let made =
            scim::create_user(&self.services, directory, &said, &Shape::default()).await.unwrap();
        made["id"].as_str().unwrap().to_owned()
    }
}

/// A server whose settings have this of a provider beside its name.
fn serving(house: &House, provider: &Provider, more: Value) -> Arc<Services> {
    let mut settings = json!({
        "name": "example", "issuer": provider.issuer, "client-id": "concord",
    });
    settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let settings: ProviderSettings = settings.to_string().parse().unwrap();
    let settings = Settings { providers: vec![settings], ..Settings::default() };
    let key = ServerKey::from([7; 32]);
    Services::with(house.store.clone(), house.clock(), None, key, settings)
}

fn ann(more: Value) -> Value {
    let mut said = json!({
        "sub": "ann", "email": "ann@example.org", "email_verified": true, "name": "Ann",
    });
    said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    said
}

#[tokio::test]
async fn a_provider_that_is_down_is_asked_again_after_a_while_only() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "accounts": "any" })).await;
        place.provider.set_down(true);
        for _ in 0..5 {
            let refusal = refused(place.enter(ann(json!({}))).await);
            assert_eq!(refusal.code(), Code::NotOffered);
        }
        assert_eq!(place.provider.asked(), 1);
        house.pass(TimeDelta::seconds(11));
        refused(place.enter(ann(json!({}))).await);
        assert_eq!(place.provider.asked(), 2);
        place.provider.set_down(false);
        refused(place.enter(ann(json!({}))).await);
        house.pass(TimeDelta::seconds(11));
        place.enter(ann(json!({}))).await.unwrap();
        assert_eq!(place.provider.asked(), 3);
    }
}

#[tokio::test]
async fn many_who_come_at_once_have_a_provider_asked_once() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "accounts": "any" })).await;
        place.provider.set_down(true);
        let tries = (0..8).map(|_| place.enter(ann(json!({}))));
        for tried in futures::future::join_all(tries).await {
            assert_eq!(refused(tried).code(), Code::NotOffered);
        }
        assert_eq!(place.provider.asked(), 1);
    }
}

#[tokio::test]
async fn nobody_waits_for_keys_that_somebody_else_asks_for() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "accounts": "any" })).await;
        place.enter(ann(json!({}))).await.unwrap();
        house.pass(TimeDelta::seconds(11));
        let held = place.provider.hold().await;
        let event = json!({ "http://schemas.openid.net/event/backchannel-logout": {} });
        let claims = place.claims(json!({ "jti": "1", "sid": "one", "events": event }));
        let token = place.provider.token(&json!({ "alg": "ES256", "kid": "two" }), &claims);
        let asking = account::end_by_provider(&place.services, "example", &token);
        tokio::select! {
            biased;
            _ = asking => panic!("the provider is held"),
            entered = place.enter(ann(json!({}))) => entered.unwrap(),
        };
        drop(held);
    }
}

#[tokio::test]
async fn a_session_ends_by_its_own_name_and_all_of_somebody_s_by_theirs() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "accounts": "any" })).await;
        let first = place.enter(ann(json!({ "sid": "one" }))).await.unwrap();
        let second = place.enter(ann(json!({ "sid": "two" }))).await.unwrap();
        let ben = json!({ "sub": "ben", "email": "ben@example.org", "email_verified": true });
        let others = place.enter(ben).await.unwrap();
        let open = async || {
            [
                place.is_open(&first).await,
                place.is_open(&second).await,
                place.is_open(&others).await,
            ]
        };
        place.log_out(json!({ "jti": "0", "sid": "of nobody" })).await.unwrap();
        assert_eq!(open().await, [true, true, true]);
        place.log_out(json!({ "jti": "1", "sid": "one" })).await.unwrap();
        assert_eq!(open().await, [false, true, true]);
        place.log_out(json!({ "jti": "2", "sub": "ann", "sid": "of before" })).await.unwrap();
        assert_eq!(open().await, [false, true, true], "that session is over");
        place.log_out(json!({ "jti": "3", "sub": "ann" })).await.unwrap();
        assert_eq!(open().await, [false, false, true]);
    }
}

#[tokio::test]
async fn a_logout_token_that_does_not_hold_ends_nothing() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "accounts": "any" })).await;
        let session = place.enter(ann(json!({ "sid": "one" }))).await.unwrap();
        let long_ago = house.now().timestamp() - 3_600;
        for wrong in [
            json!({ "sid": "one" }),
            json!({ "jti": "1" }),
            json!({ "jti": "1", "sid": "one", "nonce": "n" }),
            json!({ "jti": "1", "sid": "one", "aud": "another" }),
            json!({ "jti": "1", "sid": "one", "aud": ["another", "third"] }),
            json!({ "jti": "1", "sid": "one", "iss": "https://id.example" }),
            json!({ "jti": "1", "sid": "one", "exp": long_ago }),
            json!({ "jti": "1", "sid": "one", "iat": house.now().timestamp() + 3_600 }),
            json!({ "jti": "1", "sid": "one", "events": {} }),
        ] {
            let refusal = refused(place.log_out(wrong.clone()).await);
            assert_eq!(refusal.code(), Code::IdentityRefused, "{wrong}");
        }
        let event = json!({ "http://schemas.openid.net/event/backchannel-logout": {} });
        let claims = place.claims(json!({ "jti": "1", "sid": "one", "events": event }));
        let of = |header: Value| place.provider.token(&header, &claims);
        let whole = of(json!({ "alg": "ES256", "kid": "one" }));
        let (signed, _) = whole.rsplit_once('.').unwrap();
        for token in [
            of(json!({ "alg": "none" })),
            of(json!({ "alg": "HS256" })),
            of(json!({ "alg": "ES256", "kid": "two" })),
            of(json!({ "alg": "ES256", "kid": "one", "typ": "at+jwt" })),
            of(json!({ "alg": "ES256", "kid": "one", "crit": ["exp"] })),
            format!("{signed}."),
            signed.to_owned(),
            "...".to_owned(),
            String::new(),
        ] {
            let ended = account::end_by_provider(&place.services, "example", &token).await;
            assert_eq!(refused(ended).code(), Code::IdentityRefused, "{token}");
        }
        assert!(place.is_open(&session).await);
        let several = json!({ "jti": "1", "sid": "one", "aud": ["another", "concord"] });
        place.log_out(several.clone()).await.unwrap();
        assert!(!place.is_open(&session).await);
        refused(place.log_out(several).await);
    }
}

#[tokio::test]
async fn a_project_that_asks_for_a_second_factor_takes_that_of_a_provider_if_the_settings_do() {
    for house in houses().await {
        let Actor::Person(manager) = house.person("manager", true).await else { panic!("nobody") };
        let manager = Actor::Person(User { has_factor_elsewhere: true, ..manager });
        let settings = json!({ "accounts": "any", "second-factor": ["mfa", "urn:example:strong"] });
        let place = Place::new(&house, settings).await;
        let services = &place.services;
        let name = "Tragedies".to_owned();
        let project = project::create(services, &manager, name.clone(), None).await.unwrap();
        let strict = ProjectSettings { name, requires_second_factor: true, ..Default::default() };
        project::save_settings(services, &manager, project, strict).await.unwrap();
        let link = members::invite(services, &manager, project, Role::Labeler, None).await.unwrap();
        let first = place.enter(ann(json!({ "amr": ["pwd", "mfa"] }))).await.unwrap();
        account::join(services, &place.actor(&first).await, &link).await.unwrap();

        let load = async |token: &str| {
            project::load(services, &place.actor(token).await, project).await.map(|_| ())
        };
        load(&first).await.unwrap();
        for (said, is_enough) in [
            (json!({ "acr": "urn:example:strong" }), true),
            (json!({ "amr": ["pwd"] }), false),
            (json!({ "acr": "urn:example:weak" }), false),
            (json!({}), false),
        ] {
            let session = place.enter(ann(said.clone())).await.unwrap();
            let loaded = load(&session).await;
            if is_enough {
                loaded.unwrap();
            } else {
                assert_eq!(refused(loaded), Refusal::SecondFactorRequired, "{said}");
            }
        }
        // Nor does a session keep what the settings take back.
        let later = serving(&house, &place.provider, json!({}));
        let Actor::Person(ann) = account::actor_of(&later, &first).await.unwrap() else {
            panic!("nobody")
        };
        assert!(!ann.has_factor_elsewhere);
        // What is not in the settings counts for nothing.
        let indifferent = Place::new(&house, json!({ "accounts": "any" })).await;
        let ben = json!({ "sub": "ben", "email": "b@example.org", "email_verified": true, "amr": ["mfa"] });
        let session = indifferent.enter(ben).await.unwrap();
        let Actor::Person(ben) = indifferent.actor(&session).await else { panic!("nobody") };
        assert!(!ben.has_factor_elsewhere);
    }
}

#[tokio::test]
async fn whom_the_directory_has_named_comes_into_their_account() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({})).await;
        let directory = place.directory().await;
        let id = place
            .add(&directory, json!({ "userName": "ann@example.org", "externalId": "00u-ann" }))
            .await;
        // The address alone opens no account, as anywhere.
        let refusal = refused(place.enter(ann(json!({}))).await);
        assert_eq!(refusal.code(), Code::UnknownIdentity);
        let named = ann(json!({ "sub": "00u-ann" }));
        let session = place.enter(named.clone()).await.unwrap();
        let actor = place.actor(&session).await;
        assert_eq!(actor.person().unwrap().id.to_string(), id);
        let off = json!({ "Operations": [{ "op": "replace", "value": { "active": false } }] });
        let shape = Shape::default();
        scim::patch_user(&place.services, &directory, (&id, None), &off, &shape).await.unwrap();
        assert!(!place.is_open(&session).await);
        let refusal = refused(place.enter(named).await);
        assert_eq!(refusal.code(), Code::AccountDisabled);
    }
}

#[tokio::test]
async fn what_the_directory_calls_somebody_may_be_another_claim() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "external-id-claim": "oid" })).await;
        let directory = place.directory().await;
        let sent = json!({ "userName": "ann@example.org", "externalId": "8a9b" });
        let id = place.add(&directory, sent).await;
        refused(place.enter(ann(json!({ "sub": "8a9b" }))).await);
        let session = place.enter(ann(json!({ "oid": "8a9b" }))).await.unwrap();
        assert_eq!(place.actor(&session).await.person().unwrap().id.to_string(), id);
    }
}

#[tokio::test]
async fn the_verified_address_opens_an_account_of_the_directory_where_it_opens_any() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "join-by-email": true })).await;
        let directory = place.directory().await;
        let id = place.add(&directory, json!({ "userName": "ann@example.org" })).await;
        let unverified = ann(json!({ "email_verified": false }));
        assert_eq!(refused(place.enter(unverified).await).code(), Code::UnknownIdentity);
        let session = place.enter(ann(json!({}))).await.unwrap();
        assert_eq!(place.actor(&session).await.person().unwrap().id.to_string(), id);
    }
}

#[tokio::test]
async fn signing_in_without_groups_keeps_what_those_of_the_directory_give() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "administrators": ["admins"] })).await;
        let directory = place.directory().await;
        let sent = json!({ "userName": "ann@example.org", "externalId": "ann" });
        let id = place.add(&directory, sent).await;
        let group = json!({ "displayName": "admins", "members": [{ "value": id }] });
        let shape = Shape::default();
        scim::create_group(&place.services, &directory, &group, &shape).await.unwrap();
        let session = place.enter(ann(json!({}))).await.unwrap();
        assert!(place.actor(&session).await.person().unwrap().is_administrator);
    }
}
