//! A NUL in any text that is sent is refused on each engine, and none is stored.

use axum::body::{Body, to_bytes};
use domain::base::policy::Action;
use http::{Method, Request, StatusCode, Uri, header, request::Parts};
use serde_json::{Value, json};
use server::routes::{UNSUBSCRIBE, Weight, list};
use store::testing::StoredText;

use crate::{
    calls::{FILES, Row, TWO_FILES, call, rows},
    crowd::who_may,
    world::{DATABASE, World, written},
};

/// Fields of forms with files, with a NUL in their text or in the text that is written in it.
const FIELDS: [(&str, &str); 2] = [
    ("mapping", "{\"people\": {\"a\0\": \"b\"}}"),
    ("mapping", "{\"people\": {\"a\": \"b\\u0000@example.org\"}}"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_nul_in_any_text_that_is_sent_is_refused_and_not_stored() {
    let mut worlds = World::on_each_engine().await;
    worlds.push(World::new().await);
    for world in &worlds {
        let (mut asked, mut wrong) = (0, Vec::new());
        for row in rows().into_iter().filter(takes_words) {
            let person = who_may(world, &row).await;
            let (parts, body) = call(world, person, &row).into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap();
            let body = String::from_utf8(body.to_vec()).unwrap();
            for (place, request) in with_nul(&parts, &body) {
                asked += 1;
                let status = world.open(request).await.status();
                if status != StatusCode::UNPROCESSABLE_ENTITY {
                    wrong.push(format!("{} {}, {place}: {status}", parts.method, row.path));
                }
            }
        }
        assert!(asked > 2 * rows().len(), "{asked} requests");
        assert!(wrong.is_empty(), "of {asked}:\n{}", wrong.join("\n"));
    }
    let dir = written(&worlds.last().unwrap().files());
    let stored = StoredText::open(dir.path().join(DATABASE).to_str().unwrap()).await;
    for place in stored.columns().await {
        let unchanged = |_, text: Option<String>| {
            assert!(!text.iter().any(|text| text.contains('\0')), "{place:?}");
            text
        };
        stored.rewrite(&place, unchanged).await;
    }
    stored.close().await;
}

/// Whether a row reads words of people: directories are tried by themselves, and of a mail program that unsubscribes
/// nothing is read.
fn takes_words(row: &Row) -> bool {
    let is_file = list().any(|route| {
        (route.verb, &*route.path, route.weight) == (row.verb, row.path, Weight::File)
    });
    row.action != Action::Provision && row.path != UNSUBSCRIBE && !is_file
}

/// The request with a NUL in each place that it has for one, by their names.
fn with_nul(parts: &Parts, body: &str) -> Vec<(String, Request<Body>)> {
    let kind = parts.headers.get(header::CONTENT_TYPE).map_or("", |kind| kind.to_str().unwrap());
    let bodies = match kind {
        "application/json" => in_json(&serde_json::from_str(body).unwrap()),
        "application/x-www-form-urlencoded" => in_form(body),
        kind if kind.starts_with("multipart") && parts.method != Method::GET => in_fields(body),
        _ => Vec::new(),
    };
    let of_body = |(place, body)| (place, Request::from_parts(parts.clone(), Body::from(body)));
    let mut requests: Vec<_> = bodies.into_iter().map(of_body).collect();
    let mark = if parts.uri.query().is_some() { '&' } else { '?' };
    let mut in_address = parts.clone();
    in_address.uri = format!("{}{mark}words=a%00b", parts.uri).parse::<Uri>().unwrap();
    let in_address = Request::from_parts(in_address, Body::from(body.to_owned()));
    requests.push(("address".to_owned(), in_address));
    requests
}

fn in_json(sent: &Value) -> Vec<(String, String)> {
    let mut places = Vec::new();
    find_strings(sent, "", &mut places);
    let mut bodies: Vec<_> = places
        .into_iter()
        .map(|place| {
            let mut changed = sent.clone();
            let text = changed.pointer_mut(&place).unwrap();
            *text = json!(format!("{}\0", text.as_str().unwrap()));
            (place, changed.to_string())
        })
        .collect();
    let mut more = sent.clone();
    more["more"] = json!("\0");
    bodies.push(("more".to_owned(), more.to_string()));
    bodies
}

/// The places of all strings in a value, as JSON pointers.
fn find_strings(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(place.to_owned()),
        Value::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                find_strings(value, &format!("{place}/{at}"), found);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                find_strings(value, &format!("{place}/{name}"), found);
            }
        }
        _ => {}
    }
}

fn in_form(sent: &str) -> Vec<(String, String)> {
    let pairs: Vec<_> = sent.split('&').filter(|pair| !pair.is_empty()).collect();
    let with = |at: usize| {
        let changed = pairs.iter().enumerate().map(|(place, pair)| {
            if place == at { format!("{pair}%00") } else { (*pair).to_owned() }
        });
        (pairs[at].to_owned(), changed.collect::<Vec<_>>().join("&"))
    };
    let more = [
        ("name".to_owned(), format!("{sent}&a%00=b")),
        ("byte".to_owned(), format!("{sent}&a=\0")),
    ];
    (0..pairs.len()).map(with).chain(more).collect()
}

fn in_fields(sent: &str) -> Vec<(String, String)> {
    assert!([FILES, TWO_FILES].contains(&sent));
    let of_field = |(name, value): (&str, &str)| {
        let head = format!("--cut\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        (format!("{name:?}: {value:?}"), format!("{head}{value}\r\n{sent}"))
    };
    FIELDS.map(of_field).into()
}
