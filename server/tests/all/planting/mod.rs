//! Hostile words are planted in every text that is stored, and then everything that the server can
//! say is asked for as everybody: words have to stay words.
//!
//! The texts are found from the schema, and the answers from the tables of routes, so that neither a
//! new column nor a new page is left out.

mod judging;
mod nul;
mod payloads;
mod plans;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use axum::{body::Body, response::Response};
use domain::ExportFormat;
use futures::StreamExt;
use http::{HeaderValue, Request, header};
use server::routes::Verb;
use store::testing::{StoredText, TextColumn};
use tokio::time::timeout;

use self::{
    judging::problems,
    payloads::{Flavour, MARK, mark},
    plans::{PLANS, Plan, UNSEEN},
};
use super::{
    calls::{call, rows},
    template::files,
    world::{Answer, DATABASE, Facts, Options, Person, World, template, written},
};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// The template's database with words of a flavour in all of its texts, and the plans that had no row
/// to plant in.
async fn plant(flavour: Flavour) -> (Vec<(String, Vec<u8>)>, BTreeSet<usize>) {
    let dir = written(&filled_up().await);
    let stored = StoredText::open(dir.path().join(DATABASE).to_str().unwrap()).await;
    let mut empty = BTreeSet::new();
    for (number, (table, column, plan)) in PLANS.iter().enumerate() {
        let place = TextColumn { table: (*table).to_owned(), column: (*column).to_owned() };
        let rows = stored.rewrite(&place, |row, old| plan.planted(flavour, number, row, old)).await;
        if rows == 0 {
            empty.insert(number);
        }
    }
    stored.close().await;
    (files(&dir), empty)
}

/// The template's database with what it lacks: a scale whose ends have a meaning, a gold standard with marks, and
/// an assignment that was given back with a note.
async fn filled_up() -> Vec<(String, Vec<u8>)> {
    let world = World::new().await;
    let Facts { project, finished, peer, labels, .. } = &world.facts;
    let scale = "answers%5Bare%5D=number&answers%5Bleast%5D=0&answers%5Bgreatest%5D=1";
    for (function, fields) in [
        ("labels/create_attribute", format!("label={}&name=Sure&{scale}", labels[0].id)),
        ("gold/lock", "name=second&note=why".to_owned()),
        ("flags/send_back", format!("document={finished}&member={peer}&note=Again")),
    ] {
        let request = world
            .request("POST", Person::Manager, &format!("/fn/{function}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(format!("project={project}&{fields}")))
            .unwrap();
        assert!(world.send(request).await.status.is_success(), "{function}");
    }
    world.files()
}

#[tokio::test]
async fn every_stored_text_has_a_plan() {
    let dir = written(&template().await.files);
    let stored = StoredText::open(dir.path().join(DATABASE).to_str().unwrap()).await;
    let columns: BTreeSet<_> =
        stored.columns().await.into_iter().map(|it| (it.table, it.column)).collect();
    let planned: BTreeSet<_> = PLANS
        .iter()
        .map(|(table, column, _)| ((*table).to_owned(), (*column).to_owned()))
        .collect();
    assert_eq!(planned.len(), PLANS.len(), "a text has two plans");
    let without: Vec<_> = columns.difference(&planned).collect();
    assert!(without.is_empty(), "say in plans.rs what may stand in {without:?}");
    let gone: Vec<_> = planned.difference(&columns).collect();
    assert!(gone.is_empty(), "plans for what is not there: {gone:?}");
    stored.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn markup_stays_words_wherever_it_is_stored() {
    let (seen, empty) = ask_for_everything(Flavour::Markup, &Person::ALL).await;
    let mut missed = Vec::new();
    for (number, (table, column, plan)) in PLANS.iter().enumerate() {
        if matches!(plan, Plan::Character | Plan::Kept(_)) {
            continue;
        }
        let is_known = UNSEEN.iter().any(|(one, other, _)| (one, other) == (table, column));
        let is_seen = seen.contains(&mark(number));
        if is_seen == is_known {
            let has_rows = !empty.contains(&number);
            missed.push(format!("{table}.{column}: seen: {is_seen}, has rows: {has_rows}"));
        }
    }
    assert!(missed.is_empty(), "planted for nothing:\n{}", missed.join("\n"));
}

const WORKERS: [Person; 4] =
    [Person::Anonymous, Person::Labeler, Person::Reviewer, Person::Manager];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn formulas_line_ends_and_control_characters_stay_words_wherever_they_are_stored() {
    ask_for_everything(Flavour::Control, &WORKERS).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_characters_are_answered_wherever_they_are_stored() {
    ask_for_everything(Flavour::Long, &WORKERS).await;
}

/// Everything that can be asked for, as each of these people. What is wrong with the answers fails
/// the test; the marks that were seen are returned, and the plans that had no row.
async fn ask_for_everything(
    flavour: Flavour,
    people: &[Person],
) -> (BTreeSet<String>, BTreeSet<usize>) {
    let (files, empty) = plant(flavour).await;
    let shared = World::of(&files, Options::default()).await;
    shared.watch();
    let mut heard = Heard::default();
    for &person in people {
        for row in rows() {
            // What may change something gets a server of its own.
            let own = match row.verb {
                Verb::Get => None,
                Verb::Post | Verb::Put | Verb::Patch | Verb::Delete => {
                    Some(World::of(&files, Options::default()).await)
                }
            };
            let world = own.as_ref().unwrap_or(&shared);
            heard.ask(world, person, row.path, call(world, person, &row)).await;
            if row.path.starts_with("/fn/") {
                // A form of a page is answered in another way.
                let own = World::of(&files, Options::default()).await;
                heard.ask(&own, person, row.path, as_form(call(&own, person, &row))).await;
            }
        }
        for path in more(&shared.facts) {
            let request = shared.request("GET", person, &path);
            let accepted = if path.starts_with("/api/") { "*/*" } else { "text/html" };
            let request = request.header(header::ACCEPT, accepted).body(Body::empty()).unwrap();
            heard.ask(&shared, person, &path, request).await;
        }
    }
    let Heard { wrong, seen } = heard;
    let told: Vec<_> =
        wrong.iter().map(|(problem, where_)| format!("{problem}\n    at {where_}")).collect();
    assert!(wrong.is_empty(), "{} problems with {flavour:?}:\n{}", wrong.len(), told.join("\n"));
    (seen, empty)
}

fn as_form(request: Request<Body>) -> Request<Body> {
    let (mut parts, body) = request.into_parts();
    parts.headers.insert(header::ACCEPT, "text/html".parse().unwrap());
    let back = "http://localhost:3000/projects/1/settings".parse().unwrap();
    parts.headers.insert(header::REFERER, back);
    Request::from_parts(parts, body)
}

/// What was answered.
#[derive(Default)]
struct Heard {
    /// Each problem with the first place where it was found.
    wrong: BTreeMap<String, String>,
    seen: BTreeSet<String>,
}

impl Heard {
    async fn ask(&mut self, world: &World, person: Person, path: &str, request: Request<Body>) {
        let place = format!("{} {path} as {person:?}", request.method());
        let response = world.open(request).await;
        let is_stream = response
            .headers()
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        if is_stream {
            let text = first_event(response).await;
            self.note(place, of_event(&text), text);
            return;
        }
        let answer = Answer::read(response).await;
        let mut wrong = problems(&answer.headers, &answer.bytes);
        if answer.status.is_server_error() {
            wrong.push(format!("{}: {}", answer.status, answer.text()));
        }
        let headers: Vec<_> = answer.headers.values().map(HeaderValue::as_bytes).collect();
        let mut text = answer.text();
        text.push_str(&String::from_utf8_lossy(&headers.concat()));
        self.note(place, wrong, text);
    }

    fn note(&mut self, place: String, wrong: Vec<String>, text: String) {
        for problem in wrong {
            let problem = problem.chars().take(600).collect();
            self.wrong.entry(problem).or_insert_with(|| place.clone());
        }
        let marks =
            text.match_indices(MARK).filter_map(|(at, _)| text.get(at..at + MARK.len() + 3));
        self.seen.extend(marks.map(str::to_owned));
    }
}

/// The beginning of a stream, up to its first event; nothing of one that has none.
async fn first_event(response: Response) -> String {
    let mut body = response.into_body().into_data_stream();
    let mut read = String::new();
    while !read.contains("data:") || !read.ends_with("\n\n") {
        let Some(chunk) = timeout(PATIENCE, body.next()).await.expect("a stream says something")
        else {
            break;
        };
        read.push_str(std::str::from_utf8(&chunk.unwrap()).unwrap());
    }
    read
}

fn of_event(text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for line in text.split(['\n', '\r']).filter(|line| !line.is_empty()) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let is_known = ["", "data", "event", "id", "retry"].contains(&field);
        // A value, or numbers with a space between them.
        let is_value = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
        let is_data = field != "data" || is_value(value) || value.split_whitespace().all(is_value);
        if !is_known || !is_data {
            problems.push(format!("an event has the line {line:?}"));
        }
    }
    problems
}

/// What addresses ask for beyond what the tables of routes say.
fn more(facts: &Facts) -> Vec<String> {
    let Facts { project, finished, finished_assignment, webhook, labeler, peer, reviewer, .. } =
        facts;
    let (from, label) = (format!("/projects/{project}"), facts.labels[0].id);
    let api = format!("/api/v1{from}");
    let mut paths = vec![
        format!("/assignments/{finished_assignment}"),
        format!("/assignments/{finished_assignment}/comments"),
        format!("/assignments/{finished_assignment}/flag"),
        format!("/assignments/{finished_assignment}/history?version=1"),
        format!("/documents/{finished}/comments?at=0-3"),
        format!("{from}/agreement/{labeler}/{peer}?policy=cleaned&measure=alpha"),
        format!("{from}/comments?state=all"),
        format!("{from}/documents/second-reviews?reviewer={reviewer}&percent=100"),
        format!("{from}/documents/workload?kind=due&due=2126-01-02"),
        format!("{from}/disagreements?documents=saved"),
        format!("{from}/exports?what=labelers&format=conll"),
        format!("{from}/gold/compare?from=1&to=2"),
        format!("{from}/gold/documents/{finished}?version=2"),
        format!("{api}/gold-versions/2/gold.jsonl"),
        format!("{api}/gold-versions/2/gold.conll"),
        format!("{from}/positions?first={labeler}&second={peer}"),
        format!("{from}/reviews/rules?at_least=1&label={label}"),
        format!("{from}/webhooks?webhook={webhook}"),
        format!("{api}/disagreements?documents=saved"),
        format!("{api}/exports/losses?what=labelers&format=conll&form=csv"),
        format!("{api}/exports/losses?what=labelers&format=conll&form=json"),
    ];
    for what in ["own", "labelers", "gold", "gold-2"] {
        let formats = ExportFormat::ALL.iter().map(|format| format.name());
        paths.extend(formats.map(|format| format!("{api}/exports?what={what}&format={format}")));
    }
    for switches in ["documents=saved&policy=cleaned&measure=alpha", "documents=submitted"] {
        for list in ["agreement.csv", "agreement.tsv", "agreement.md", "agreement.tex", "study.csv"]
        {
            paths.push(format!("{api}/{list}?{switches}"));
        }
    }
    paths
}
