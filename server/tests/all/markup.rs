//! What people write stays text where HTML would not escape it by itself, in titles and in boxes; and
//! names are what one sees.

use std::sync::Arc;

use domain::{ImportAs, NewLabel, ProjectSettings};
use http::{StatusCode, header};
use services::{
    document::import::{self, ImportOptions, UploadedFile},
    project,
};

use super::{
    calls::{call, rows},
    page::Page,
    world::{Answer, Person, World},
};

/// Text that ends titles and boxes if it is not escaped, and loses itself if it is escaped half.
const HOSTILE: &str = "\n</title></textarea></form><meta http-equiv=refresh content='0;url=//x'>\
    <dialog open>&lt;b&gt; &amp;amp; \"it's\"";

async fn page(world: &World, person: Person, path: &str) -> Page {
    let request = world.request("GET", person, path).header(header::ACCEPT, "text/html");
    let answer = world.send(request.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text());
    Page::read(&answer.text())
}

/// Sends a manager's form as a browser does.
async fn post(world: &World, function: &str, fields: &[(&str, &str)]) -> Answer {
    let mut body = format!("project={}", world.facts.project);
    for (name, value) in fields {
        // As browsers send what stands in a box: line ends are CR LF.
        let lines = value.replace('\n', "\r\n");
        let bytes: Vec<String> = lines.bytes().map(|byte| format!("%{byte:02X}")).collect();
        body.extend(["&", name, "=", &bytes.concat()]);
    }
    let request = world
        .request("POST", Person::Manager, &format!("/fn/{function}"))
        .header(header::ACCEPT, "text/html")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::REFERER, "http://localhost:3000/")
        .body(body.into())
        .unwrap();
    let answer = world.send(request).await;
    let is_refused = answer.header("location").contains("refused");
    assert!(answer.status == StatusCode::SEE_OTHER && !is_refused, "{function}: {answer:?}");
    answer
}

#[tokio::test]
async fn guidelines_and_descriptions_stand_in_their_boxes_byte_for_byte() {
    let world = World::new().await;
    let project = world.facts.project;
    let settings = [("name", "Odes"), ("release_level", "none"), ("guidelines", HOSTILE)];
    post(&world, "projects/save_settings", &settings).await;
    let settings_page = format!("/projects/{project}/settings");
    for _ in 0..2 {
        let shown = page(&world, Person::Manager, &settings_page).await;
        assert_eq!(shown.one("settings-guidelines").text, HOSTILE);
        assert!(shown.elements.iter().all(|it| it.attribute("http-equiv").is_none()));
        // Saved as it was shown, it is what it was.
        let text = shown.one("settings-guidelines").text.clone();
        let again = [("name", "Odes"), ("release_level", "none"), ("guidelines", &*text)];
        post(&world, "projects/save_settings", &again).await;
    }
    let rounds =
        page(&world, Person::Manager, &format!("/projects/{project}/settings/rounds")).await;
    assert_eq!(rounds.one("round-guidelines").text, HOSTILE);

    let label = world.facts.labels[0].id;
    let id = label.to_string();
    let fields = [
        ("label", &*id),
        ("group", ""),
        ("description", HOSTILE.trim()),
        ("limits%5Bown%5D", "allowed"),
        ("limits%5Bothers%5D", "allowed"),
        ("limits%5Bnests%5D", "anywhere"),
    ];
    post(&world, "labels/describe_label", &fields).await;
    let label_page = format!("/projects/{project}/settings/labels/{label}");
    let shown = page(&world, Person::Manager, &label_page).await;
    assert_eq!(shown.one("label-description").text, HOSTILE.trim());

    post(&world, "reasons/save", &[("reasons", "</textarea>&lt;\nslip")]).await;
    let shown = page(&world, Person::Manager, &format!("{settings_page}/labels")).await;
    assert_eq!(shown.one("reasons-list").text, "</textarea>&lt;\nslip");
}

#[tokio::test]
async fn what_attributes_offer_stands_in_their_boxes() {
    let world = World::new().await;
    let (label, attribute) = (world.facts.labels[0].id.to_string(), world.facts.attribute);
    let id = attribute.to_string();
    let choices = "</textarea><dialog open>\n&lt;b&gt;";
    let fields =
        [("label", &*label), ("id", &*id), ("name", "G"), ("answers%5Bchoices%5D", choices)];
    post(&world, "labels/save_attribute", &[&fields[..], &[("offered", "true")]].concat()).await;
    let path = format!("/projects/{}/settings/labels/{label}", world.facts.project);
    let shown = page(&world, Person::Manager, &path).await;
    assert_eq!(shown.one(&format!("attribute-{id}-choices")).text, choices);
}

#[tokio::test]
async fn no_page_has_more_than_its_own_title_whatever_it_is_about() {
    let world = World::new().await;
    let mara = world.actor(Person::Manager).await;
    let name = "</title><base href=//x>";
    let settings = ProjectSettings {
        name: name.to_owned(),
        reviewers_see_names: true,
        ..ProjectSettings::default()
    };
    let (services, project) = (Arc::clone(&world.services), world.facts.project);
    project::save_settings(&services, &mara, project, settings).await.unwrap();
    let label = NewLabel { name: name.to_owned(), ..NewLabel::numbered("", 3) };
    project::create_label(&services, &mara, project, label).await.unwrap();
    for row in rows().into_iter().filter(|row| row.is_page) {
        let answer = world.send(call(&world, Person::Manager, &row)).await;
        if answer.status.is_redirection() {
            continue;
        }
        let page = Page::read(&answer.text());
        assert!(page.has("title"), "{} answers {}: {}", row.path, answer.status, answer.text());
        let title = page.title();
        assert!(title.ends_with("Concord"), "{}: {title}", row.path);
        assert!(!page.has("base"), "{}", row.path);
    }
}

#[tokio::test]
async fn a_file_is_imported_whatever_its_documents_and_raters_are_called() {
    let world = World::new().await;
    let (mara, project) = (world.actor(Person::Manager).await, world.facts.project);
    let work = serde_json::json!([{ "rater": "\u{1b}Bo\u{202e}", "spans": [] }]);
    let line = serde_json::json!({ "name": "a\u{202e}b\tc", "text": "Gil met Hal.", "work": work });
    let file = UploadedFile { name: "work.jsonl".to_owned(), bytes: line.to_string().into() };
    let options = ImportOptions { import_as: ImportAs::Work, ..ImportOptions::default() };
    import::import(&world.services, &mara, project, vec![file], options).await.unwrap();
    let documents = services::document::list(&world.services, &mara, project, 0).await.unwrap();
    assert!(documents.rows.iter().any(|row| row.name == "a\u{fffd}b c"));
    let people = project::members::list(&world.services, &mara, project).await.unwrap();
    assert!(people.iter().any(|row| row.name == "\u{fffd}Bo\u{fffd}"));
}

#[tokio::test]
async fn no_name_that_is_typed_has_characters_that_nobody_sees() {
    let world = World::new().await;
    let project = world.facts.project;
    let label = world.facts.labels[0].id;
    for (function, fields) in [
        ("projects/create_project", "name=%"),
        ("projects/create_label", "name=%&colour=1&hotkey="),
        ("labels/create_attribute", "label=@&name=%&answers[choices]=a"),
        ("labels/create_attribute", "label=@&name=a&answers[choices]=%"),
        (
            "labels/create_attribute",
            "label=@&name=b&answers[are]=number&answers[least]=0&answers[greatest]=1\
             &answers[least_means]=%&answers[greatest_means]=%",
        ),
        ("gold/lock", "name=%&note="),
        ("rounds/start_round", "after=1&title=%&note=&guidelines=x"),
        ("reasons/save", "reasons=%"),
        ("tokens/create_token", "name=%&scopes[0]=read&days=30"),
    ] {
        for sign in ["%1B", "%E2%80%AE", "%C2%80"] {
            let fields = fields.replace('%', &format!("a{sign}b")).replace('@', &label.to_string());
            let request = world
                .request("POST", Person::Manager, &format!("/fn/{function}"))
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(format!("project={project}&{fields}").into())
                .unwrap();
            let answer = world.send(request).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{function}: {fields}");
            assert!(answer.text().contains("cannot contain control"), "{}", answer.text());
        }
    }
}
