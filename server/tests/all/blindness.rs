//! A labeler meets nothing of anybody else, whatever they ask for.

use domain::{AgreementSnapshot, PairCell};

use super::{
    calls::{call, rows},
    world::{
        ANSWER, Answer, MODEL_NAME, MODEL_PROMPT, MODEL_VERSION, PEER_DOCUMENT, PEER_EMAIL,
        PEER_NAME, PEER_TEXT, PEER_WORDS, Person, REASON, REVIEWER_EMAIL, REVIEWER_NAME, World,
    },
};

/// Everything that the server says to a person, path by path.
async fn everything(person: Person) -> Vec<(&'static str, Answer)> {
    let mut answers = Vec::new();
    for row in rows() {
        let world = World::new().await;
        let response = world.open(call(&world, person, &row)).await;
        if response.headers().get("content-type").is_some_and(|t| t == "text/event-stream") {
            // It has no end; what it tells is the snapshot, which has a path of its own.
            continue;
        }
        answers.push((row.path, Answer::read(response).await));
    }
    answers
}

/// The digits of every coefficient of the matrix, as precise as any page shows them.
async fn coefficients() -> Vec<String> {
    let world = World::new().await;
    let mut found = Vec::new();
    for measure in ["kappa", "alpha"] {
        let path = format!("/api/v1/projects/{}/agreement?measure={measure}", world.facts.project);
        let snapshot: AgreementSnapshot =
            serde_json::from_slice(&world.get(Person::Manager, &path).await.bytes).unwrap();
        let values = snapshot.cells.iter().filter_map(|PairCell { measured, .. }| measured.value());
        found.extend(values.map(|value| format!("{value:.3}")));
    }
    found.retain(|value| value != "0.000" && value != "1.000");
    found
}

fn secrets(coefficients: &[String]) -> Vec<&str> {
    let names = [
        PEER_NAME,
        PEER_EMAIL,
        REVIEWER_NAME,
        REVIEWER_EMAIL,
        PEER_DOCUMENT,
        PEER_TEXT,
        PEER_WORDS,
        REASON,
        ANSWER,
        MODEL_NAME,
        MODEL_VERSION,
        MODEL_PROMPT,
    ];
    names.into_iter().chain(coefficients.iter().map(String::as_str)).collect()
}

#[tokio::test]
async fn a_labeler_never_meets_names_texts_or_values_of_others() {
    let coefficients = coefficients().await;
    let mut answers = everything(Person::Labeler).await;
    // What it tells is of files that one has brought oneself.
    let own = ["/compare", "/api/v1/compare"];
    // Whoever has the link to a new password is taken for whom it was made for.
    let linked = ["/reset/{token}"];
    answers.retain(|(path, _)| !own.contains(path) && !linked.contains(path));
    for secret in secrets(&coefficients) {
        for (path, answer) in &answers {
            assert!(!answer.text().contains(secret), "{path} tells a labeler {secret}");
        }
    }
}

#[tokio::test]
async fn the_secrets_are_there_to_be_found_by_whoever_may_see_them() {
    let coefficients = coefficients().await;
    assert!(!coefficients.is_empty());
    let mut answers = everything(Person::Manager).await;
    answers.extend(everything(Person::Reviewer).await);
    for secret in secrets(&coefficients) {
        let told = answers.iter().any(|(_, answer)| answer.text().contains(secret));
        assert!(told, "nobody is told {secret}: it would not be missed");
    }
}
