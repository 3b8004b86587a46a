//! Whose account a directory joins, and that nobody else stays in it.

use domain::{Actor, Code, UserId};
use serde_json::{Value, json};
use services::{
    Client,
    account::{
        self,
        scim::{self, Shape},
    },
};

use super::{Place, ann};
use crate::house::{House, PASSWORD, houses, new_account, refused, sign_in};

impl Place<'_> {
    /// Whose account a session is of.
    async fn owner(&self, session: &str) -> String {
        self.actor(session).await.person().unwrap().id.to_string()
    }

    async fn patch(
        &self,
        directory: &Actor,
        id: &str,
        operations: Value,
    ) -> services::Result<Value> {
        let sent = json!({ "Operations": operations });
        let shape = Shape::default();
        scim::patch_user(&self.services, directory, (id, None), &sent, &shape).await
    }
}

/// Somebody with a password, and an address that nobody has verified.
async fn with_password(house: &House, name: &str) -> UserId {
    account::add_user(&house.services, new_account(name), false).await.unwrap()
}

#[tokio::test]
async fn whoever_had_an_account_of_somebody_s_address_is_out_when_the_directory_joins_it() {
    for house in houses().await {
        house.person("first", true).await;
        let mallory = with_password(&house, "boss").await;
        let settings = json!({ "join-by-email": true, "administrators": ["admins"] });
        let place = Place::new(&house, settings).await;
        let (client, email) = (&Client::LOCAL, "boss@example.org");
        let password = || PASSWORD.to_owned();
        let session = sign_in(&place.services, client, email, password()).await.unwrap();
        let directory = place.directory().await;
        let sent = json!({ "userName": "boss@example.org", "externalId": "boss" });
        let id = place.add(&directory, sent).await;
        assert_eq!(id, mallory.to_string());
        let group = json!({ "displayName": "admins", "members": [{ "value": id }] });
        let shape = Shape::default();
        scim::create_group(&place.services, &directory, &group, &shape).await.unwrap();
        assert!(!place.is_open(&session.token).await);
        let again = sign_in(&place.services, client, email, password()).await;
        assert_eq!(refused(again).code(), Code::WrongCredentials);
    }
}

#[tokio::test]
async fn a_sign_in_of_the_provider_is_not_enough_to_be_taken_for_somebody() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({ "accounts": "any" })).await;
        let mallory = json!({ "sub": "mal", "email": "mal@example.org", "email_verified": true });
        let session = place.enter(mallory).await.unwrap();
        let user = place.actor(&session).await.person().unwrap().id;
        let tx = house.store.begin().await.unwrap();
        store::account::users::set_email(&tx, user, "boss@example.org").await.unwrap();
        tx.commit().await.unwrap();
        let directory = place.directory().await;
        let sent = json!({ "userName": "boss@example.org", "externalId": "boss" });
        let shape = Shape::default();
        let made = scim::create_user(&place.services, &directory, &sent, &shape).await;
        assert_eq!(refused(made).code(), Code::Taken);
    }
}

#[tokio::test]
async fn who_has_signed_in_before_is_joined_whatever_their_address_is_and_stays_in() {
    for house in houses().await {
        house.person("first", true).await;
        for claim in ["sub", "oid"] {
            let settings = json!({ "accounts": "any", "external-id-claim": claim });
            let place = Place::new(&house, settings).await;
            let jane = json!({
                "sub": format!("jane-{claim}"), "oid": "8a9b", "email_verified": true,
                "email": format!("jane-{claim}@old.example.org"),
            });
            let session = place.enter(jane.clone()).await.unwrap();
            let directory = place.directory().await;
            let sent = json!({
                "userName": format!("jane-{claim}@example.org"), "externalId": jane[claim],
            });
            let id = place.add(&directory, sent).await;
            assert_eq!(place.owner(&session).await, id);
            // Whoever is let in no longer is out, also by what they had before.
            let off = json!([{ "op": "replace", "value": { "active": false } }]);
            place.patch(&directory, &id, off).await.unwrap();
            assert!(!place.is_open(&session).await);
            assert_eq!(refused(place.enter(jane).await).code(), Code::AccountDisabled);
            scim::revoke_token(&place.services, "example").await.unwrap();
        }
    }
}

#[tokio::test]
async fn who_came_in_by_another_s_name_is_out_once_the_directory_corrects_it() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({})).await;
        let directory = place.directory().await;
        let sent = json!({ "userName": "ann@example.org", "externalId": "eve" });
        let id = place.add(&directory, sent).await;
        let eve = json!({ "sub": "eve", "email": "eve@example.org", "email_verified": true });
        let session = place.enter(eve.clone()).await.unwrap();
        assert_eq!(place.owner(&session).await, id);
        let right = json!([{ "op": "replace", "path": "externalId", "value": "ann" }]);
        place.patch(&directory, &id, right).await.unwrap();
        assert!(!place.is_open(&session).await);
        assert_eq!(refused(place.enter(eve).await).code(), Code::UnknownIdentity);
        let session = place.enter(ann(json!({}))).await.unwrap();
        assert_eq!(place.owner(&session).await, id);
    }
}

#[tokio::test]
async fn of_many_who_make_somebody_at_once_one_does() {
    for house in houses().await {
        house.person("first", true).await;
        let place = Place::new(&house, json!({})).await;
        let directory = place.directory().await;
        let sent = json!({ "userName": "ann@example.org", "externalId": "ann" });
        let shape = Shape::default();
        let tries = (0..8).map(|_| scim::create_user(&place.services, &directory, &sent, &shape));
        let (made, refused): (Vec<_>, Vec<_>) =
            futures::future::join_all(tries).await.into_iter().partition(Result::is_ok);
        assert_eq!((made.len(), refused.len()), (1, 7));
        for refused in refused {
            assert_eq!(crate::house::refused(refused).code(), Code::Taken);
        }
        let groups = (0..8).map(|_| {
            let group = json!({ "displayName": "staff" });
            let (services, directory, shape) = (&place.services, &directory, &shape);
            async move { scim::create_group(services, directory, &group, shape).await }
        });
        let made = futures::future::join_all(groups).await;
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1);
    }
}
