//! Providers that answer without an end, or name somebody by what cannot be stored.

use std::time::{Duration, Instant};

use domain::Code;
use serde_json::json;

use super::{Place, ann};
use crate::{
    endless::{ENDLESS_ANSWERS, Endless, MUCH},
    house::{houses, refused},
};

/// Less than the five seconds that an answer may take.
const SOON: Duration = Duration::from_secs(4);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_without_an_end_is_given_up_at_a_limit() {
    let houses = houses().await;
    houses[0].person("first", true).await;
    for (beginning, repeated) in ENDLESS_ANSWERS {
        for endpoint in ["jwks_uri", "token_endpoint", "userinfo_endpoint"] {
            let peer = Endless::start(beginning, repeated).await;
            let place = Place::new(&houses[0], json!({ "accounts": "any" })).await;
            place.provider.say(json!({ endpoint: format!("http://{}/", peer.address) }));
            let began = Instant::now();
            let refusal = refused(place.enter(ann(json!({}))).await);
            assert_eq!(refusal.code(), Code::NotOffered, "{endpoint}, {beginning}");
            assert!(began.elapsed() < SOON, "{endpoint}, {beginning}: {:?}", began.elapsed());
            assert!(peer.sent() > 0 && peer.sent() < MUCH, "{endpoint}: {} bytes", peer.sent());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_says_without_an_end_who_it_is_is_given_up_at_a_limit() {
    let houses = houses().await;
    houses[0].person("first", true).await;
    for (beginning, repeated) in ENDLESS_ANSWERS {
        let peer = Endless::start(beginning, repeated).await;
        let mut place = Place::new(&houses[0], json!({})).await;
        let issuer = json!({ "issuer": format!("http://{}", peer.address) });
        place.services = super::serving(&houses[0], &place.provider, issuer);
        let began = Instant::now();
        let refusal = refused(place.enter(ann(json!({}))).await);
        assert_eq!(refusal.code(), Code::NotOffered, "{beginning}");
        assert!(began.elapsed() < SOON, "{beginning}: {:?}", began.elapsed());
        assert!(peer.sent() > 0 && peer.sent() < MUCH, "{beginning}: {} bytes", peer.sent());
    }
}

#[tokio::test]
async fn a_name_that_cannot_be_stored_opens_no_account_and_ends_no_session() {
    let (longest, longer) = ("x".repeat(255), "x".repeat(256));
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "accounts": "any" })).await;
        for wrong in [&*longer, "a\0b", "\0", &*"\u{e9}".repeat(128)] {
            for claims in [
                json!({ "sub": wrong }),
                json!({ "sid": wrong }),
                json!({ "email": format!("{wrong}@example.org") }),
            ] {
                let refusal = refused(place.enter(ann(claims.clone())).await);
                assert_eq!(refusal.code(), Code::IdentityRefused, "{claims}");
            }
            for claims in [json!({ "sub": wrong }), json!({ "sid": wrong })] {
                let mut all = claims.clone();
                all["jti"] = json!("one");
                let refusal = refused(place.log_out(all).await);
                assert_eq!(refusal.code(), Code::IdentityRefused, "{claims}");
            }
            let place = Place::new(&house, json!({ "external-id-claim": "oid" })).await;
            let refusal = refused(place.enter(ann(json!({ "oid": wrong }))).await);
            assert_eq!(refusal.code(), Code::IdentityRefused);
        }
        // A name that is only shown keeps nobody out.
        let shown = json!({ "sub": longest, "sid": longest, "name": format!("A\0{longer}") });
        place.enter(ann(shown)).await.unwrap();
    }
}
