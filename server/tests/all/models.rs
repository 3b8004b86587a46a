//! Models by the REST interface: a program hands in what one says, and its agreement is asked for.

use axum::body::Body;
use domain::{
    Code, Measure, ModelScoresView, ModelsView, PolicyChoice, StandInFor, StandInView, Switches,
};
use http::{
    StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, COOKIE},
};
use serde_json::{Value, json};
use services::{agreement, work::models};

use super::world::{Answer, MODEL_NAME, Person, World};

/// A request of the program that speaks for the world's model.
async fn by_program(world: &World, method: &str, path: &str, body: Option<Value>) -> Answer {
    let mut request = world.request(method, Person::Anonymous, path);
    if body.is_some() {
        request = request.header(CONTENT_TYPE, "application/json");
    }
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let mut request = request.body(body).unwrap();
    request.headers_mut().remove(COOKIE);
    request.headers_mut().remove("sec-fetch-site");
    let token = format!("Bearer {}", world.facts.model_token);
    request.headers_mut().insert(AUTHORIZATION, token.parse().unwrap());
    world.send(request).await
}

async fn by_manager(world: &World, method: &str, path: &str, body: Value) -> Answer {
    let request = world
        .request(method, Person::Manager, path)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_string()))
        .unwrap();
    world.send(request).await
}

#[tokio::test]
async fn a_program_reads_documents_and_hands_in_what_its_model_says() {
    for world in World::on_each_engine().await {
        let (project, model) = (world.facts.project, world.facts.model);
        let of_model = format!("/api/v1/projects/{project}/models/{model}");
        let documents = format!("{of_model}/documents");
        let page = by_program(&world, "GET", &format!("{documents}?limit=1"), None).await.json();
        assert_eq!(page["items"].as_array().unwrap().len(), 1);
        let next = page["next"].as_str().unwrap();
        let rest = by_program(&world, "GET", &format!("{documents}?after={next}"), None).await;
        assert_eq!(rest.status, StatusCode::OK);

        let fresh = format!("{documents}/{}", world.facts.fresh);
        let given = by_program(&world, "GET", &fresh, None).await.json();
        assert_eq!(given["text"], "Eva met Finn in Bern.");
        assert_eq!((&given["saved_at"], &given["spans"]), (&Value::Null, &json!([])));
        let label = &given["labels"][0]["id"];
        let spans = json!({ "spans": [{ "start": 0, "end": 3, "label": label }] });
        let saved = by_program(&world, "PUT", &fresh, Some(spans.clone())).await;
        assert_eq!(saved.status, StatusCode::NO_CONTENT, "{}", saved.text());
        let given = by_program(&world, "GET", &fresh, None).await.json();
        assert_eq!(given["spans"], spans["spans"]);
        let asked = &given["attributes"][0];
        assert_eq!((&asked["name"], &asked["label"]), (&json!("Gender"), label));
        let choice = json!({ "attribute": asked["id"], "number": 1 });
        let answer = json!({ "start": 0, "end": 3, "label": label, "choice": choice });
        let saved = by_program(&world, "PUT", &fresh, Some(json!({ "spans": [answer] }))).await;
        assert_eq!(saved.status, StatusCode::NO_CONTENT, "{}", saved.text());
        let given = by_program(&world, "GET", &fresh, None).await.json();
        assert_eq!(given["spans"], json!([spans["spans"][0], answer]), "it brings its span");
        let shown = world.get(Person::Reviewer, &of_model).await.json();
        assert_eq!((&shown["name"], &shown["documents"]), (&json!(MODEL_NAME), &json!(2)));

        for (body, field) in [
            (json!({ "spans": [{ "start": 0, "end": 99, "label": label }] }), "spans.0.end"),
            (json!({ "spans": [{ "start": 0, "end": 3, "label": 0 }] }), "spans.0.label"),
            (
                json!({ "spans": [{ "start": 0, "end": 0, "label": 0, "choice": choice }] }),
                "spans.0.choice",
            ),
            (json!({ "spans": [], "prompt_hash": "another" }), "prompt_hash"),
        ] {
            let refused = by_program(&world, "PUT", &fresh, Some(body)).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
            assert_eq!(refused.json()["error"]["Invalid"]["field"], field, "{}", refused.text());
        }
        let gone = format!("{documents}/{}", i64::MAX);
        let gone = by_program(&world, "PUT", &gone, Some(json!({ "spans": [] }))).await;
        assert_eq!(gone.status, StatusCode::NOT_FOUND);
        let removed = by_program(&world, "DELETE", &of_model, None).await;
        assert_eq!(removed.status, StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn another_prompt_under_the_same_version_is_told_from_the_same_again() {
    let world = World::new().await;
    let path = format!("/api/v1/projects/{}/models", world.facts.project);
    let model = |prompt: &str| json!({ "name": "a", "version": "1", "prompt_hash": prompt });
    let added = by_manager(&world, "POST", &path, model("x")).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text());
    for (prompt, code) in [("x", Code::Taken), ("y", Code::Unsuitable)] {
        let refused = by_manager(&world, "POST", &path, model(prompt)).await;
        assert!(refused.status.is_client_error());
        assert_eq!(refused.json()["code"], json!(code), "{}", refused.text());
    }
    let listed = world.get(Person::Manager, &path).await.json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 2);
    let id = added.json()["id"].clone();
    let of_model = format!("{path}/{id}");
    assert_eq!(
        by_manager(&world, "DELETE", &of_model, json!(null)).await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(world.get(Person::Manager, &of_model).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_page_has_a_band_for_whoever_sees_agreement_and_a_project_with_models() {
    let world = World::new().await;
    let project = world.facts.project;
    let page = format!("/projects/{project}/agreement");
    for person in [Person::Manager, Person::Reviewer] {
        let html = world.get(person, &page).await.text();
        assert!(html.contains(MODEL_NAME) && html.contains("models-title"), "{person:?}");
    }
    let denied = world.get(Person::Labeler, &page).await;
    assert!(!denied.status.is_success() && !denied.text().contains(MODEL_NAME));
    let settings = format!("/projects/{project}/settings/models");
    assert!(world.get(Person::Manager, &settings).await.text().contains("Remove this model?"));

    let manager = world.actor(Person::Manager).await;
    models::remove(&world.services, &manager, project, world.facts.model).await.unwrap();
    let html = world.get(Person::Manager, &page).await.text();
    assert!(!html.contains("models-title"));
    let html = world.get(Person::Manager, &settings).await.text();
    assert!(html.contains("No models.") && html.contains("New model"));
}

#[tokio::test]
async fn agreement_is_asked_for_with_the_switches_of_the_matrix() {
    let world = World::new().await;
    let (project, model) = (world.facts.project, world.facts.model);
    let path = format!(
        "/api/v1/projects/{project}/models/{model}/agreement?measure=f1&policy=empty-label"
    );
    let told: ModelsView =
        serde_json::from_slice(&world.get(Person::Reviewer, &path).await.bytes).unwrap();
    let switches =
        Switches { measure: Measure::F1, policy: PolicyChoice::EmptyLabel, ..Switches::default() };
    let actor = world.actor(Person::Reviewer).await;
    let expected = agreement::model(&world.services, &actor, (project, model), switches).await;
    assert_eq!(told, expected.unwrap());
    assert!(told.rows[0].cells.iter().any(|cell| cell.measured.value().is_some()));
    let wrong = world.get(Person::Reviewer, &path.replace("f1", "f2")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);

    let of_model = format!("/api/v1/projects/{project}/models/{model}");
    let scores = world.get(Person::Reviewer, &format!("{of_model}/scores?policy=overlap")).await;
    let switches = Switches { policy: PolicyChoice::Overlap, ..Switches::default() };
    let (services, of) = (&world.services, (project, model));
    let expected = agreement::against_decisions(services, &actor, of, switches).await.unwrap();
    assert_eq!(serde_json::from_slice::<ModelScoresView>(&scores.bytes).unwrap(), expected);
    let path = format!("{of_model}/stand-in?annotators=experts");
    let tested = world.get(Person::Reviewer, &path).await;
    let asked = (Switches::default(), StandInFor::Experts);
    let expected = agreement::stand_in(services, &actor, of, asked).await.unwrap();
    assert_eq!(serde_json::from_slice::<StandInView>(&tested.bytes).unwrap(), expected);
    let wrong = world.get(Person::Reviewer, &path.replace("experts", "nobody")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let path = path.replace("stand-in", "versions");
    let listed = world.get(Person::Reviewer, &path).await.json();
    let expected = agreement::versions(services, &actor, of, asked).await.unwrap();
    assert_eq!(listed["items"], serde_json::to_value(expected).unwrap());
}

#[tokio::test]
async fn under_a_question_all_of_it_is_of_answers() {
    let world = World::new().await;
    let (project, model) = (world.facts.project, world.facts.model);
    let question = world.facts.attribute;
    let of_model = format!("/api/v1/projects/{project}/models/{model}");
    for what in ["agreement", "scores", "stand-in", "versions"] {
        let path = format!("{of_model}/{what}?question={question}");
        let told = world.get(Person::Reviewer, &path).await;
        assert_eq!(told.status, StatusCode::OK, "{}", told.text());
        let denied = world.get(Person::Labeler, &path).await;
        assert_eq!(denied.status, StatusCode::FORBIDDEN);
        let policy = world.get(Person::Reviewer, &format!("{path}&policy=token")).await;
        assert_eq!(policy.json()["error"]["Invalid"]["field"], "policy", "{what}");
        let none = path.replace(&question.to_string(), &i64::MAX.to_string());
        assert_eq!(world.get(Person::Reviewer, &none).await.status, StatusCode::NOT_FOUND);
    }
    let path = format!("{of_model}/stand-in?question={question}");
    let told = world.get(Person::Reviewer, &path).await.json();
    assert_eq!(
        (&told["by"], &told["labels"][0]["label"]["name"]),
        (&json!("choices"), &json!("female"))
    );
    let page = format!("/projects/{project}/agreement?question={question}");
    assert!(world.get(Person::Reviewer, &page).await.text().contains("models-title"));
    let page = format!("/projects/{project}/agreement/models/{model}?question={question}");
    let html = world.get(Person::Reviewer, &page).await.text();
    assert!(html.contains("Gender") && html.contains("By answer") && !html.contains("Spans match"));
}
