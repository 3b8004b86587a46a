//! SCIM over HTTP, in the words of Okta and of Entra ID as they document them: who is there, in which groups,
//! and what becomes of who leaves. (developer.okta.com/docs/api/openapi/okta-scim,
//! learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups)

mod groups;
mod leaving;
mod people;

use axum::body::{Body, Bytes};
use futures::{StreamExt, stream};
use http::{
    Request, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, HOST},
};
use serde_json::{Value, json};
use services::account::{ProviderSettings, scim};
use store::outside::audit::Filter;

use super::world::{Answer, Facts, Options, Person, World};

const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/// A world with a directory that says who is there.
struct Directory {
    world: World,
    token: String,
}

impl Directory {
    /// With what the settings have of its provider beside its name.
    async fn new(more: Value) -> Self {
        let mut settings = json!({
            "name": "example", "issuer": "https://id.example", "client-id": "concord",
        });
        settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let other = json!({
            "name": "other", "issuer": "https://other.example", "client-id": "concord",
            "join-by-email": true,
        });
        let providers = [settings, other]
            .map(|settings| settings.to_string().parse::<ProviderSettings>().unwrap());
        let options = Options { providers: providers.into(), ..Options::default() };
        let world = World::with(options).await;
        let token = scim::create_token(&world.services, "example").await.unwrap();
        Self { world, token }
    }

    /// One whose addresses open the accounts that have them.
    async fn joining() -> Self {
        Self::new(json!({ "join-by-email": true })).await
    }

    async fn with_token(
        &self,
        token: &str,
        (method, path): (&str, &str),
        body: Option<&Value>,
    ) -> Answer {
        self.send(token, (method, path), body, &[]).await
    }

    async fn send(
        &self,
        token: &str,
        (method, path): (&str, &str),
        body: Option<&Value>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("/scim/v2/{path}"))
            .header(HOST, "localhost:3000")
            .header(AUTHORIZATION, format!("Bearer {token}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = match body {
            Some(body) => request
                .header(CONTENT_TYPE, "application/scim+json; charset=utf-8")
                .body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.world.send(request.unwrap()).await
    }

    async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        self.with_token(&self.token, (method, path), body).await
    }

    /// What is answered with this status.
    async fn said(&self, status: u16, method: &str, path: &str, body: Option<&Value>) -> Value {
        let answer = self.call(method, path, body).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text());
        if answer.bytes.is_empty() {
            return Value::Null;
        }
        assert_eq!(answer.header("content-type"), "application/scim+json", "{method} {path}");
        answer.json()
    }

    async fn get(&self, path: &str) -> Value {
        self.said(200, "GET", path, None).await
    }

    /// Refused with this status, and called this by SCIM.
    async fn refused(
        &self,
        (status, kind): (u16, &str),
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> String {
        let said = self.said(status, method, path, body).await;
        assert_eq!(said["schemas"], json!(["urn:ietf:params:scim:api:messages:2.0:Error"]));
        assert_eq!(said["status"], status.to_string());
        let kind = (!kind.is_empty()).then_some(kind);
        assert_eq!(said.get("scimType").and_then(Value::as_str), kind, "{said}");
        said["detail"].as_str().unwrap().to_owned()
    }

    /// Somebody new, with this name and address; the answer is their id.
    async fn add(&self, name: &str) -> String {
        let sent = json!({ "schemas": [USER], "userName": name, "active": true });
        let made = self.said(201, "POST", "Users", Some(&sent)).await;
        made["id"].as_str().unwrap().to_owned()
    }

    /// Somebody who has signed in through the provider before; the answer is their id.
    async fn join(&self, person: Person) -> String {
        let sent = self.known(person).await;
        let made = self.said(201, "POST", "Users", Some(&sent)).await;
        made["id"].as_str().unwrap().to_owned()
    }

    /// As the directory knows somebody of the tests' world: by what the provider calls them.
    async fn known(&self, person: Person) -> Value {
        let email = Facts::email(person);
        let known = store::account::users::find_by_email(&self.world.store, email).await;
        let id = known.unwrap().unwrap().user.id.to_string();
        json!({ "schemas": [USER], "userName": email, "externalId": id, "active": true })
    }

    async fn patch(&self, path: &str, operations: Value) -> Answer {
        let sent = json!({ "schemas": [PATCH], "Operations": operations });
        self.call("PATCH", path, Some(&sent)).await
    }

    /// What is noted beside the last act of this name.
    async fn noted(&self, act: &str) -> Value {
        let rows =
            store::outside::audit::list(&self.world.store, None, &Filter::default(), 1_000).await;
        let found = rows.unwrap().into_iter().find(|row| row.event == act);
        serde_json::from_str(&found.unwrap().detail).unwrap()
    }

    /// What the server's own trail says, first act first, from the first act of a directory.
    async fn acts(&self) -> Vec<String> {
        let rows =
            store::outside::audit::list(&self.world.store, None, &Filter::default(), 1_000).await;
        let acts: Vec<_> = rows.unwrap().into_iter().rev().map(|row| row.event).collect();
        let start = acts.iter().position(|act| act == "create directory token").unwrap();
        acts[start + 1..].iter().filter(|act| *act != "use token").cloned().collect()
    }
}

#[tokio::test]
async fn only_a_directory_s_token_opens_it_until_it_is_revoked_or_replaced() {
    let directory = Directory::joining().await;
    let world = &directory.world;
    let people = async |token: &str| {
        let answer = directory.with_token(token, ("GET", "Users"), None).await;
        if answer.status != StatusCode::OK {
            assert_eq!(answer.header("content-type"), "application/scim+json");
            assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"concord\"");
        }
        answer.status
    };
    assert_eq!(people(&directory.token).await, StatusCode::OK);
    let of_person = world.facts.api_token(Person::Administrator).unwrap();
    for wrong in [of_person, "", "concord_scim_", &directory.token[..40]] {
        assert_eq!(people(wrong).await, StatusCode::UNAUTHORIZED, "{wrong}");
    }
    let stored = format!("{:?}", store::testing::rows(&world.store).await);
    assert!(!stored.contains(&directory.token));

    let new = scim::create_token(&world.services, "example").await.unwrap();
    assert_eq!(people(&directory.token).await, StatusCode::UNAUTHORIZED);
    assert_eq!(people(&new).await, StatusCode::OK);
    let kept = scim::list_tokens(&world.services).await.unwrap();
    assert_eq!(kept.len(), 1);
    assert!(kept[0].provider == "example" && kept[0].last_used_on.is_some());
    scim::revoke_token(&world.services, "example").await.unwrap();
    assert_eq!(people(&new).await, StatusCode::UNAUTHORIZED);
    scim::revoke_token(&world.services, "example").await.unwrap_err();
    let of_nobody = scim::create_token(&world.services, "not in the settings").await.unwrap();
    assert_eq!(people(&of_nobody).await, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_directory_s_token_opens_nothing_else() {
    let directory = Directory::joining().await;
    for path in ["/api/v1/projects", "/events/revisions?of=1", "/", "/administration/accounts"] {
        let request = Request::get(path)
            .header(HOST, "localhost:3000")
            .header(AUTHORIZATION, format!("Bearer {}", directory.token));
        let status = directory.world.send(request.body(Body::empty()).unwrap()).await.status;
        let is_refused = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&status);
        assert!(is_refused, "{path}: {status}");
    }
}

#[tokio::test]
async fn what_a_directory_asks_is_counted_for_itself() {
    let providers =
        [r#"{ "name": "example", "issuer": "https://id.example", "client-id": "concord" }"#];
    let options = Options {
        providers: providers.map(|settings| settings.parse::<ProviderSettings>().unwrap()).into(),
        requests_a_minute: std::num::NonZeroU32::new(2),
        ..Options::default()
    };
    let world = World::with(options).await;
    let token = scim::create_token(&world.services, "example").await.unwrap();
    let directory = Directory { world, token };
    directory.get("Users").await;
    directory.get("Users").await;
    let answer = directory.call("GET", "Users", None).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.header("content-type"), "application/scim+json");
    assert!(!answer.header("retry-after").is_empty());
}

#[tokio::test]
async fn it_describes_itself() {
    let directory = Directory::joining().await;
    let config = directory.get("ServiceProviderConfig").await;
    for (feature, supported) in [
        ("patch", true),
        ("filter", true),
        ("etag", true),
        ("bulk", false),
        ("sort", false),
        ("changePassword", false),
    ] {
        assert_eq!(config[feature]["supported"], supported, "{feature}");
    }
    let types = directory.get("ResourceTypes").await;
    assert_eq!(types["totalResults"], 2);
    assert_eq!(directory.get("ResourceTypes/Group").await["endpoint"], "/Groups");
    let schemas = directory.get("Schemas").await;
    let ids: Vec<_> = schemas["Resources"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, [&json!(USER), &json!(GROUP)]);
    // What is shown is what is described.
    let id = directory.add("ann@example.org").await;
    let described = directory.get(&format!("Schemas/{USER}")).await;
    let described: Vec<_> =
        described["attributes"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    let shown = directory.get(&format!("Users/{id}")).await;
    for name in shown.as_object().unwrap().keys() {
        let is_common = ["schemas", "id", "meta"].contains(&name.as_str());
        assert!(is_common || described.contains(&json!(name)), "{name}");
    }
    for nowhere in ["Schemas/none", "ResourceTypes/none", "Users/none", "Users/999", "Groups/1"] {
        directory.refused((404, ""), "GET", nowhere, None).await;
    }
    directory.refused((405, ""), "POST", "Schemas", Some(&json!({}))).await;
}

#[tokio::test]
async fn what_is_wrong_is_refused_in_the_words_of_the_standard() {
    let directory = Directory::joining().await;
    let id = directory.add("ann@example.org").await;
    let users = format!("Users/{id}");
    for (kind, method, path, body) in [
        ("invalidFilter", "GET", "Users?filter=userName%20is%20ann", Value::Null),
        ("invalidFilter", "GET", "Groups?filter=title%20eq%20%22x%22", Value::Null),
        ("invalidValue", "GET", "Users?count=many", Value::Null),
        ("invalidValue", "POST", "Users", json!({ "schemas": [USER] })),
        ("invalidValue", "POST", "Users", json!({ "userName": "nobody" })),
        ("invalidValue", "POST", "Groups", json!({ "schemas": [GROUP] })),
        ("invalidSyntax", "POST", "Users", json!([])),
        ("invalidSyntax", "PATCH", &users, json!({ "Operations": [{ "op": "move" }] })),
        (
            "invalidPath",
            "PATCH",
            &users,
            json!({
                "Operations": [{ "op": "add", "path": "emails[", "value": 1 }],
            }),
        ),
        ("noTarget", "PATCH", &users, json!({ "Operations": [{ "op": "remove" }] })),
        (
            "mutability",
            "PATCH",
            &users,
            json!({
                "Operations": [{ "op": "replace", "path": "groups", "value": [] }],
            }),
        ),
    ] {
        let body = (!body.is_null()).then_some(&body);
        directory.refused((400, kind), method, path, body).await;
    }
    let nothing = json!({});
    for (status, method, path) in [
        (404, "GET", "Me"),
        (404, "POST", "Bulk"),
        (405, "POST", "Users/.search"),
        (404, "GET", "x/y/z"),
    ] {
        let body = (method == "POST").then_some(&nothing);
        directory.said(status, method, path, body).await;
    }
    let large = json!({ "userName": "x".repeat(1_000_000) });
    directory.refused((413, ""), "POST", "Users", Some(&large)).await;
    // Also by whoever refuses what is announced, before a handler is asked.
    let announced = [("content-length", "1000000")];
    let users = ("POST", "Users");
    let refused = directory.send(&directory.token, users, Some(&large), &announced).await;
    assert_eq!(
        (refused.status.as_u16(), refused.header("content-type")),
        (413, "application/scim+json")
    );
    let request = Request::post("/scim/v2/Users")
        .header(HOST, "localhost:3000")
        .header(AUTHORIZATION, format!("Bearer {}", directory.token))
        .header(CONTENT_TYPE, "application/scim+json");
    let broken = directory.world.send(request.body(Body::from("{")).unwrap()).await;
    assert_eq!(broken.status, StatusCode::BAD_REQUEST);
    assert_eq!(broken.json()["scimType"], "invalidSyntax");
}

#[tokio::test]
async fn a_directory_is_read_to_a_limit_of_size() {
    let directory = Directory::new(json!({})).await;
    let piece = Bytes::from("x".repeat(8 * 1024));
    let start = stream::iter([Bytes::from_static(b"{\"userName\": \"")]);
    let mut bytes = 0;
    let endless = start.chain(stream::repeat(piece)).map(move |piece| {
        bytes += piece.len();
        assert!(bytes < 1_100_000, "{bytes} bytes were asked for");
        Ok::<_, std::io::Error>(piece)
    });
    let request = Request::post("/scim/v2/Users")
        .header(HOST, "localhost:3000")
        .header(AUTHORIZATION, format!("Bearer {}", directory.token))
        .header(CONTENT_TYPE, "application/scim+json")
        .body(Body::from_stream(endless))
        .unwrap();
    let refused = directory.world.send(request).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", refused.text());
}

#[tokio::test]
async fn a_nul_of_a_directory_is_refused_or_replaced() {
    let directory = Directory::new(json!({})).await;
    for (path, sent) in [
        ("Users", json!({ "userName": "a\0b@example.org" })),
        ("Users", json!({ "userName": "ann@example.org", "externalId": "a\0" })),
        ("Users", json!({ "userName": "ann@example.org", "emails": "ann\0@example.org" })),
        ("Groups", json!({ "displayName": "staff\0" })),
        ("Groups", json!({ "displayName": "staff", "externalId": "\0" })),
    ] {
        directory.refused((400, "invalidValue"), "POST", path, Some(&sent)).await;
    }
    // A name that is only shown keeps nobody in.
    let shown = json!({ "userName": "ann@example.org", "displayName": "A\0nn", "active": false });
    let made = directory.said(201, "POST", "Users", Some(&shown)).await;
    assert_eq!((&made["displayName"], &made["active"]), (&json!("A\u{fffd}nn"), &json!(false)));
    for filter in ["userName%20eq%20%22a%00b%22", "userName%20eq%20%22a%5Cu0000b%22"] {
        let answer = directory.call("GET", &format!("Users?filter={filter}"), None).await;
        assert!(answer.status.is_client_error(), "{filter}: {}", answer.text());
    }
}
