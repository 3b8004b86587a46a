//! The people of a directory.

use domain::{AccountChange, Actor};
use serde_json::json;
use services::account::administration;

use super::{
    super::world::{Facts, Person},
    Directory, GROUP, PATCH, USER,
};

/// As Okta sends a new person.
fn okta_user() -> serde_json::Value {
    json!({
        "schemas": [USER],
        "userName": "Test.User@okta.local",
        "name": { "givenName": "Test", "familyName": "User" },
        "emails": [{ "primary": true, "value": "test.user@okta.local", "type": "work" }],
        "displayName": "Test User",
        "locale": "en-US",
        "externalId": "00ujl29u0le5T6Aj10h7",
        "groups": [],
        "password": "1mz050nq",
        "active": true,
    })
}

#[tokio::test]
async fn okta_looks_for_somebody_makes_them_and_finds_them() {
    let directory = Directory::new(json!({})).await;
    let by_name =
        "Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100";
    let nobody = directory.get(by_name).await;
    assert_eq!((&nobody["totalResults"], &nobody["Resources"]), (&json!(0), &json!([])));

    let answer = directory.call("POST", "Users", Some(&okta_user())).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let made = answer.json();
    let id = made["id"].as_str().unwrap();
    assert!(answer.header("location").ends_with(&format!("/scim/v2/Users/{id}")));
    assert_eq!(answer.header("etag"), made["meta"]["version"]);
    assert_eq!(made["userName"], "Test.User@okta.local");
    assert_eq!(made["name"], json!({ "givenName": "Test", "familyName": "User" }));
    let emails = json!([{ "value": "test.user@okta.local", "type": "work", "primary": true }]);
    assert_eq!(made["emails"], emails);
    assert_eq!((&made["active"], &made["groups"]), (&json!(true), &json!([])));
    assert_eq!(made.get("password"), None);

    for filter in [by_name, "Users?filter=externalId%20eq%20%2200ujl29u0le5T6Aj10h7%22"] {
        let found = directory.get(filter).await;
        assert_eq!(found["Resources"][0], made, "{filter}");
    }
    let again = directory.refused((409, "uniqueness"), "POST", "Users", Some(&okta_user())).await;
    assert!(again.contains("somebody is known"), "{again}");
    assert_eq!(directory.acts().await, ["add by directory"]);
}

#[tokio::test]
async fn an_account_that_is_made_has_no_password() {
    let directory = Directory::new(json!({})).await;
    directory.call("POST", "Users", Some(&okta_user())).await;
    let store = &directory.world.store;
    let known = store::account::users::find_by_email(store, "test.user@okta.local").await;
    let known = known.unwrap().unwrap();
    assert_eq!(known.user.name, "Test User");
    assert!(!known.user.may_create_projects && !known.user.is_administrator);
    let hash = known.password_hash;
    let nobodys = services::account::passwords::NOBODYS;
    assert_eq!(hash, nobodys);
}

#[tokio::test]
async fn okta_replaces_somebody_as_a_whole() {
    let directory = Directory::new(json!({})).await;
    let made = directory.said(201, "POST", "Users", Some(&okta_user())).await;
    let path = format!("Users/{}", made["id"].as_str().unwrap());
    let mut sent = okta_user();
    sent["displayName"] = json!("Tess Tuser");
    sent["name"] = json!({ "familyName": "Tuser" });
    sent["emails"] = json!([{ "value": "tess@okta.local", "primary": true }]);
    let replaced = directory.said(200, "PUT", &path, Some(&sent)).await;
    assert_eq!(replaced["name"], json!({ "familyName": "Tuser" }));
    assert_eq!(replaced["emails"][0]["value"], "tess@okta.local");
    assert_ne!(replaced["meta"]["version"], made["meta"]["version"]);
    let noted = directory.noted("change by directory").await;
    let changed = json!(["displayName", "name", "emails"]);
    assert_eq!(noted, json!({ "directory": "example", "changed": changed }));
    let store = &directory.world.store;
    let moved = store::account::users::find_by_email(store, "tess@okta.local").await.unwrap();
    assert_eq!(moved.unwrap().user.name, "Tess Tuser");
    sent["emails"] = json!([{ "value": Facts::email(Person::Manager), "primary": true }]);
    directory.refused((409, "uniqueness"), "PUT", &path, Some(&sent)).await;
}

#[tokio::test]
async fn entra_id_makes_and_changes_somebody() {
    let directory = Directory::new(json!({})).await;
    let sent = json!({
        "schemas": [USER, "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
        "externalId": "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
        "userName": "Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1@example.org",
        "active": true,
        "emails": [{ "primary": true, "type": "work", "value": "Test_User_fd0ea19b@testuser.com" }],
        "meta": { "resourceType": "User" },
        "name": {
            "formatted": "givenName familyName",
            "familyName": "familyName",
            "givenName": "givenName",
        },
        "roles": [],
    });
    let made = directory.said(201, "POST", "Users", Some(&sent)).await;
    let path = format!("Users/{}", made["id"].as_str().unwrap());
    let changed = directory
        .patch(
            &path,
            json!([
                {
                    "op": "Replace",
                    "path": "emails[type eq \"work\"].value",
                    "value": "updatedEmail@example.org",
                },
                { "op": "Replace", "path": "name.familyName", "value": "updatedFamilyName" },
                { "op": "Add", "path": "title", "value": "Dr." },
            ]),
        )
        .await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    let changed = changed.json();
    assert_eq!(changed["emails"][0]["value"], "updatedemail@example.org");
    assert_eq!(changed["name"]["familyName"], "updatedFamilyName");
    assert_eq!(changed["name"]["givenName"], "givenName");
    let off = json!([{ "op": "Replace", "path": "active", "value": "False" }]);
    assert_eq!(directory.patch(&path, off.clone()).await.json()["active"], false);
    // Saying it once more does nothing.
    assert_eq!(directory.patch(&path, off).await.json()["active"], false);
    let on = json!([{ "op": "Replace", "path": "active", "value": "True" }]);
    assert_eq!(directory.patch(&path, on).await.json()["active"], true);
    let acts =
        ["add by directory", "change by directory", "disable by directory", "enable by directory"];
    assert_eq!(directory.acts().await, acts);
}

#[tokio::test]
async fn a_list_comes_in_parts_and_with_what_is_asked_for() {
    let directory = Directory::new(json!({})).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(directory.add(&format!("person{number}@example.org")).await);
    }
    let mut seen = Vec::new();
    for start in [1, 3, 5, 7] {
        let part = directory.get(&format!("Users?startIndex={start}&count=2")).await;
        assert_eq!((&part["totalResults"], &part["startIndex"]), (&json!(5), &json!(start)));
        let rows = part["Resources"].as_array().unwrap();
        assert_eq!(part["itemsPerPage"], rows.len());
        seen.extend(rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()));
    }
    assert_eq!(seen, ids);
    let none = directory.get("Users?count=0").await;
    assert_eq!((&none["totalResults"], &none["Resources"]), (&json!(5), &json!([])));
    let cut = directory.get("Users?count=1&attributes=userName").await;
    let mut names: Vec<_> = cut["Resources"][0].as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(names, ["id", "schemas", "userName"]);
    let cut = directory.get("Users?count=1&excludedAttributes=emails,groups").await;
    assert!(
        cut["Resources"][0].get("emails").is_none() && cut["Resources"][0].get("meta").is_some()
    );
    for (filter, found) in [
        ("userName%20sw%20%22PERSON1%22", 1),
        ("userName%20co%20%22person%22%20and%20active%20eq%20true", 5),
        ("userName%20ew%20%22.com%22", 0),
        ("not%20(userName%20eq%20%22person1%40example.org%22)", 4),
        ("externalId%20pr", 0),
        ("emails.value%20eq%20%22person2%40example.org%22", 1),
        ("displayName%20eq%20%22Person3%22%20or%20userName%20eq%20%22person4%40example.org%22", 2),
        ("userName%20eq%20%22%25%22", 0),
        ("userName%20co%20%22%25%22", 0),
    ] {
        let said = directory.get(&format!("Users?filter={filter}")).await;
        assert_eq!(said["totalResults"], found, "{filter}");
    }
}

#[tokio::test]
async fn a_version_keeps_two_from_overwriting_each_other() {
    let directory = Directory::new(json!({})).await;
    let id = directory.add("ann@example.org").await;
    let (path, token) = (format!("Users/{id}"), directory.token.clone());
    let version = directory.get(&path).await["meta"]["version"].as_str().unwrap().to_owned();
    let known = [("if-none-match", version.as_str())];
    let same = directory.send(&token, ("GET", &path), None, &known).await;
    assert_eq!((same.status.as_u16(), same.header("etag")), (304, version.as_str()));
    let off = json!({
        "schemas": [PATCH],
        "Operations": [{ "op": "replace", "value": { "displayName": "Ann" } }],
    });
    let known = [("if-match", version.as_str())];
    let first = directory.send(&token, ("PATCH", &path), Some(&off), &known).await;
    assert_eq!(first.status, 200);
    for method in ["PATCH", "DELETE"] {
        let body = (method == "PATCH").then_some(&off);
        let second = directory.send(&token, (method, &path), body, &known).await;
        assert_eq!(second.status, 412, "{}", second.text());
    }
    let any = directory.send(&token, ("DELETE", &path), None, &[("if-match", "*")]).await;
    assert_eq!(any.status, 204);
}

#[tokio::test]
async fn an_account_that_was_there_is_joined_only_if_the_provider_may_enter_it() {
    let manager = Facts::email(Person::Manager);
    let by_address = json!({ "schemas": [USER], "userName": manager, "active": false });
    // Its sign-in is linked to that of another issuer, whose people these are not.
    let strict = Directory::new(json!({ "issuer": "https://id.elsewhere.example" })).await;
    let known = strict.known(Person::Manager).await;
    for sent in [&by_address, &known] {
        strict.refused((409, "uniqueness"), "POST", "Users", Some(sent)).await;
    }
    let found = store::account::users::find_by_email(&strict.world.store, manager).await;
    assert!(!found.unwrap().unwrap().is_disabled);
    // In the tests' world everybody has an identity of this issuer: by what it calls them, not by their address.
    let linked = Directory::new(json!({})).await;
    let mut stranger = by_address.clone();
    stranger["externalId"] = json!("somebody else");
    for sent in [&by_address, &stranger] {
        linked.refused((409, "uniqueness"), "POST", "Users", Some(sent)).await;
    }
    let mut known = linked.known(Person::Manager).await;
    known["active"] = json!(false);
    let made = linked.said(201, "POST", "Users", Some(&known)).await;
    assert_eq!((&made["id"], &made["active"]), (&known["externalId"], &json!(false)));
    // Who is in one directory is in no other.
    let other = services::account::scim::create_token(&linked.world.services, "other").await;
    let again = linked.with_token(&other.unwrap(), ("POST", "Users"), Some(&by_address)).await;
    assert_eq!(again.status, 409, "{}", again.text());
}

#[tokio::test]
async fn whoever_was_removed_comes_back_to_their_account() {
    let directory = Directory::new(json!({})).await;
    let made = directory.said(201, "POST", "Users", Some(&okta_user())).await;
    let path = format!("Users/{}", made["id"].as_str().unwrap());
    directory.said(204, "DELETE", &path, None).await;
    directory.refused((404, ""), "GET", &path, None).await;
    directory.refused((404, ""), "DELETE", &path, None).await;
    assert_eq!(directory.get("Users").await["totalResults"], 0);
    let store = &directory.world.store;
    let account = async || {
        let known = store::account::users::find_by_email(store, "test.user@okta.local").await;
        known.unwrap().unwrap()
    };
    assert!(account().await.is_disabled, "the account stays");
    let again = directory.said(201, "POST", "Users", Some(&okta_user())).await;
    assert_eq!((&again["id"], &again["active"]), (&made["id"], &json!(true)));
    assert!(!account().await.is_disabled);
}

#[tokio::test]
async fn another_directory_takes_over_whom_the_first_has_removed_or_cannot_speak_of_any_more() {
    let directory = Directory::joining().await;
    let services = &directory.world.services;
    let other = services::account::scim::create_token(services, "other").await.unwrap();
    let by_other = async |sent: &serde_json::Value| {
        directory.with_token(&other, ("POST", "Users"), Some(sent)).await
    };
    let made = directory.said(201, "POST", "Users", Some(&okta_user())).await;
    let members = json!([{ "value": made["id"] }]);
    let group = json!({ "schemas": [GROUP], "displayName": "staff", "members": members });
    directory.said(201, "POST", "Groups", Some(&group)).await;
    assert_eq!(by_other(&okta_user()).await.status, 409);
    let path = format!("Users/{}", made["id"].as_str().unwrap());
    directory.said(204, "DELETE", &path, None).await;
    let moved = by_other(&okta_user()).await;
    assert_eq!(moved.status, 201, "{}", moved.text());
    assert_eq!((&moved.json()["id"], &moved.json()["active"]), (&made["id"], &json!(true)));
    directory.refused((404, ""), "GET", &path, None).await;

    let ann = directory.add("ann@example.org").await;
    let sent = json!({ "schemas": [USER], "userName": "ann@example.org" });
    assert_eq!(by_other(&sent).await.status, 409);
    services::account::scim::revoke_token(services, "example").await.unwrap();
    let moved = by_other(&sent).await;
    assert_eq!((moved.status.as_u16(), &moved.json()["id"]), (201, &json!(ann)));
}

#[tokio::test]
async fn a_name_that_is_given_to_somebody_else_does_not_give_them_the_account() {
    let directory = Directory::joining().await;
    let made = directory.said(201, "POST", "Users", Some(&okta_user())).await;
    let path = format!("Users/{}", made["id"].as_str().unwrap());
    directory.said(204, "DELETE", &path, None).await;
    let mut sent = okta_user();
    sent["externalId"] = json!("00u-another");
    directory.refused((409, "uniqueness"), "POST", "Users", Some(&sent)).await;
    // Nor to whom the directory does not tell from whoever had it.
    sent["externalId"] = json!(null);
    directory.refused((409, "uniqueness"), "POST", "Users", Some(&sent)).await;
    sent["externalId"] = json!("00u-another");
    // Nor does the address by itself.
    sent["userName"] = json!("another@okta.local");
    directory.refused((409, "uniqueness"), "POST", "Users", Some(&sent)).await;
    assert_eq!(directory.get("Users").await["totalResults"], 0);
}

#[tokio::test]
async fn whom_an_administrator_has_disabled_no_directory_lets_in() {
    let directory = Directory::joining().await;
    let bert = directory.join(Person::Bystander).await;
    let administrator = directory.world.actor(Person::Administrator).await;
    let services = &directory.world.services;
    let change = async |change| {
        let account = directory.world.facts.account;
        administration::change_account(services, &administrator, account, change).await.unwrap();
    };
    let path = format!("Users/{bert}");
    let say = async |is_active: bool| {
        let said = json!([{ "op": "replace", "value": { "active": is_active } }]);
        directory.patch(&path, said).await.json()["active"].clone()
    };
    change(AccountChange::Disable).await;
    assert_eq!(say(true).await, false);
    change(AccountChange::Enable).await;
    assert!(matches!(directory.world.actor(Person::Bystander).await, Actor::Anonymous));
    assert_eq!(directory.get(&path).await["active"], true);
    // Nor whom both have disabled, in whatever order.
    for directory_first in [true, false] {
        if directory_first {
            say(false).await;
            change(AccountChange::Disable).await;
        } else {
            change(AccountChange::Disable).await;
            say(false).await;
        }
        assert_eq!(say(true).await, false);
        change(AccountChange::Enable).await;
        assert_eq!(directory.get(&path).await["active"], true);
    }
}

#[tokio::test]
async fn whom_the_directory_has_disabled_an_administrator_lets_in_once_it_is_silent() {
    let directory = Directory::joining().await;
    let bert = directory.join(Person::Bystander).await;
    let administrator = directory.world.actor(Person::Administrator).await;
    let (services, account) = (&directory.world.services, directory.world.facts.account);
    let enable = async || {
        let change = AccountChange::Enable;
        administration::change_account(services, &administrator, account, change).await
    };
    let disable = AccountChange::Disable;
    administration::change_account(services, &administrator, account, disable).await.unwrap();
    let off = json!([{ "op": "replace", "value": { "active": false } }]);
    directory.patch(&format!("Users/{bert}"), off).await;
    assert!(enable().await.is_err(), "they have left meanwhile");
    let rows = store::account::tokens::list_of_user(&directory.world.store, account).await;
    assert!(rows.unwrap().is_empty(), "tokens come back with nobody");
    services::account::scim::revoke_token(services, "example").await.unwrap();
    enable().await.unwrap();
}

#[tokio::test]
async fn who_is_to_be_out_is_out_whatever_else_is_wrong() {
    let directory = Directory::new(json!({})).await;
    let made = directory.said(201, "POST", "Users", Some(&okta_user())).await;
    let path = format!("Users/{}", made["id"].as_str().unwrap());
    let mut sent = okta_user();
    sent["active"] = json!(false);
    sent["emails"] = json!([{ "value": Facts::email(Person::Manager), "primary": true }]);
    sent["displayName"] = json!("x".repeat(300));
    directory.refused((409, "uniqueness"), "PUT", &path, Some(&sent)).await;
    assert_eq!(directory.get(&path).await["active"], false);
}

#[tokio::test]
async fn the_last_administrator_stays() {
    let directory = Directory::joining().await;
    let adele = directory.join(Person::Administrator).await;
    let path = format!("Users/{adele}");
    let off = json!({ "Operations": [{ "op": "replace", "value": { "active": false } }] });
    let why = directory.refused((409, ""), "PATCH", &path, Some(&off)).await;
    assert!(why.contains("last administrator"), "{why}");
    directory.refused((409, ""), "DELETE", &path, None).await;
    assert_eq!(directory.get(&path).await["active"], true);
}
