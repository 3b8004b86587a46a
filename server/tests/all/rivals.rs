//! What was found in other annotation tools, as rules of this one: each class of defect that somebody
//! has published has tests here or elsewhere, by name.

use std::{fs, path::Path};

use axum::body::Body;
use http::StatusCode;
use server::routes::Verb;
use services::{
    account,
    document::{
        self,
        import::{self, ImportOptions, UploadedFile},
    },
    project,
};

use super::{
    calls::{FILES_TYPE, call, rows},
    world::{Answer, Facts, Options, PASSWORD, Person, World},
};

/// What was found, what came of it there, and the tests that hold the rule here, by file and name.
type Found = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const FOUND: &[Found] = &[
    (
        "CVE-2022-36551",
        "files and servers were read by an import's address, and anybody could make an account",
        &[
            (HERE, "an_import_brings_bytes_and_never_an_address"),
            (HERE, "nobody_makes_an_account_without_an_invitation"),
        ],
    ),
    (
        "GHSA-cpmr-mw4j-99r7",
        "paths led out of the folder of static files",
        &[(HERE, "no_path_leads_out_of_the_front_end_s_files")],
    ),
    (
        "CVE-2023-43791",
        "sessions were signed with a key that everybody knew",
        &[
            ("server/tests/all/sessions.rs", "a_made_up_token_is_nobody_s"),
            ("server/src/cli/database/secret_key.rs", "a_key_is_made_once_and_is_its_owners_only"),
            ("server/src/cli/database/secret_key.rs", "a_key_that_others_can_read_is_refused"),
        ],
    ),
    (
        "CVE-2023-47117",
        "filters reached password hashes, one character at a time",
        &[
            (HERE, "filters_and_orders_are_words_of_a_list"),
            (HERE, "no_answer_has_a_hash_of_a_password"),
        ],
    ),
    ("CVE-2023-47115", "a picture of somebody ran scripts", STORED_MARKUP),
    ("CVE-2024-23633", "an imported file was served as a page", STORED_MARKUP),
    ("CVE-2024-26152", "a choice of a label ran scripts", STORED_MARKUP),
    (
        "CVE-2023-47116",
        "the guard of outgoing requests was led astray by redirects and names",
        &[
            (HERE, "an_import_brings_bytes_and_never_an_address"),
            (WEBHOOKS, "nothing_is_sent_inside_unless_whoever_runs_the_server_allows_it"),
        ],
    ),
    (
        "CVE-2025-25295",
        "an export wrote to paths of the work's own choice",
        &[
            (HERE, "an_export_s_files_stay_in_their_folder"),
            (
                "server/src/rest/base/download.rs",
                "a_file_name_cannot_leave_its_header_or_its_folder",
            ),
        ],
    ),
    ("CVE-2025-25296", "an address's words became markup", ADDRESSES),
    ("CVE-2025-47783", "the same address's words became markup again", ADDRESSES),
    (
        "CVE-2025-25297",
        "a storage's address was any server, whose answer was shown",
        &[
            (WEBHOOKS, "whatever_it_fails_of_a_manager_is_told_the_same"),
            (
                "server/src/middleware/panics.rs",
                "a_panic_is_answered_with_a_number_and_tells_nothing_else",
            ),
        ],
    ),
    (
        "CVE-2026-22033",
        "somebody else's keys ran scripts, which took their token",
        &[
            (HERE, "a_key_of_the_keyboard_is_never_markup"),
            ("server/tests/all/forms.rs", "a_program_has_the_token_in_its_answer_and_nowhere_else"),
            ("server/tests/all/tokens.rs", "nobody_ends_the_token_of_another"),
            ("server/tests/all/access.rs", "everything_is_answered_as_the_policy_table_says"),
            ("server/tests/all/csrf.rs", "every_command_of_another_site_is_refused"),
        ],
    ),
    ("CVE-2025-5173", "a file that was loaded could be code", &[(HERE, "no_file_is_code")]),
    ("CVE-2024-40442", "a text was a template that ran code", TEMPLATES),
    ("CVE-2024-40441", "a template asked other servers", TEMPLATES),
    (
        "accounts that everybody knows, as in Argilla's documentation",
        "the first manager's password was in the manual",
        &[
            (HERE, "a_server_has_no_account_that_everybody_knows"),
            ("crates/services/tests/services/accounts.rs", "only_a_demo_shows_sign_ins"),
        ],
    ),
];

const HERE: &str = "server/tests/all/rivals.rs";
const WEBHOOKS: &str = "crates/services/tests/services/webhooks/guarded.rs";

const STORED_MARKUP: &[(&str, &str)] = &[
    (HERE, "what_is_taken_away_is_kept_and_never_opened"),
    ("server/tests/all/headers.rs", "every_answer_carries_the_security_headers"),
    ("crates/formats/src/report/html.rs", "a_report_is_whole_and_its_texts_are_never_markup"),
    ("crates/formats/src/report/heat_map.rs", "a_name_is_never_markup"),
];

const ADDRESSES: &[(&str, &str)] = &[(HERE, "what_an_address_says_is_never_markup")];

const TEMPLATES: &[(&str, &str)] = &[(HERE, "a_text_is_never_a_template")];

#[test]
fn each_rule_has_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (id, what, tests) in FOUND {
        assert!(!tests.is_empty(), "{id}: {what}");
        for (file, test) in *tests {
            let text = fs::read_to_string(root.join(file)).unwrap_or_else(|_| panic!("{file}"));
            assert!(text.contains(&format!("fn {test}()")), "{id}: {file} has no test {test}");
        }
    }
}

/// Words that do something wherever they become markup.
const MARKUP: &str = "\"'><script>alert(7)</script><img src=x onerror=alert(7)>";

fn encoded(text: &str) -> String {
    let bytes: Vec<String> = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    bytes.concat()
}

async fn post(world: &World, person: Person, path: &str, form: &str) -> Answer {
    let request = world
        .request("POST", person, path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()));
    world.send(request.unwrap()).await
}

async fn import(world: &World, name: &str, bytes: &[u8]) -> Result<(), services::Error> {
    let manager = world.actor(Person::Manager).await;
    let file = UploadedFile { name: name.to_owned(), bytes: bytes.to_vec() };
    let options = ImportOptions::default();
    import::import(&world.services, &manager, world.facts.project, vec![file], options)
        .await
        .map(drop)
}

#[tokio::test]
async fn an_import_brings_bytes_and_never_an_address() {
    let world = World::new().await;
    let path = format!("/api/v1/projects/{}/imports?mode=commit", world.facts.project);
    let address = "http://127.0.0.1:9/secret";
    for (kind, body) in [
        ("application/json", format!("{{\"url\":\"{address}\"}}")),
        ("application/x-www-form-urlencoded", format!("url={}", encoded(address))),
        ("text/uri-list", address.to_owned()),
    ] {
        let request = world.request("POST", Person::Manager, &path).header("content-type", kind);
        let answer = world.send(request.body(Body::from(body)).unwrap()).await;
        assert!(answer.status.is_client_error(), "{kind}: {}", answer.status);
    }
    // A field that is no file is none; a file that holds an address holds its letters.
    let field = format!(
        "--cut\r\nContent-Disposition: form-data; name=\"url\"\r\n\r\n{address}\r\n--cut--\r\n"
    );
    let request = world.request("POST", Person::Manager, &path).header("content-type", FILES_TYPE);
    let answer = world.send(request.body(Body::from(field)).unwrap()).await;
    assert!(answer.status.is_client_error(), "{}", answer.status);
    import(&world, "links.txt", b"file:///etc/passwd http://127.0.0.1:9/secret").await.unwrap();
    let manager = world.actor(Person::Manager).await;
    let page = document::list(&world.services, &manager, world.facts.project, 0).await.unwrap();
    assert!(format!("{page:?}").contains("links"));
}

#[tokio::test]
async fn nobody_makes_an_account_without_an_invitation() {
    let world = World::new().await;
    let password = PASSWORD.replace(' ', "+");
    for token in ["", "1", "undefined", "../1", &"A".repeat(43)] {
        let form = format!("token={token}&email=eve@example.org&name=Eve&password={password}");
        let made = post(&world, Person::Anonymous, "/fn/accounts/accept_invitation", &form).await;
        assert!(!made.headers.contains_key("set-cookie"), "{token}");
        let sign_in = format!("email=eve@example.org&password={password}");
        let answer = post(&world, Person::Anonymous, "/fn/accounts/sign_in", &sign_in).await;
        assert!(!answer.headers.contains_key("set-cookie"), "{token}");
    }
}

#[tokio::test]
async fn a_server_has_no_account_that_everybody_knows() {
    let world = World::new().await;
    for (name, password) in [
        ("admin", "admin"),
        ("argilla", "1234"),
        ("argilla", "12345678"),
        ("owner", "12345678"),
        ("owner", "owner.apikey"),
        ("admin@example.org", "password"),
        ("root", ""),
    ] {
        let form = format!("email={}&password={}", encoded(name), encoded(password));
        let answer = post(&world, Person::Anonymous, "/fn/accounts/sign_in", &form).await;
        assert!(!answer.headers.contains_key("set-cookie"), "{name}");
        let request = world
            .request("GET", Person::Anonymous, "/api/v1/projects")
            .header("authorization", format!("Bearer {password}"));
        let answer = world.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{password}");
    }
}

#[tokio::test]
async fn no_path_leads_out_of_the_front_end_s_files() {
    let world = World::new().await;
    for path in [
        "/pkg/../manifest.json",
        "/pkg/../../Cargo.toml",
        "/pkg/%2e%2e/%2e%2e/Cargo.toml",
        "/pkg/..%2f..%2fCargo.toml",
        "/pkg/..%5c..%5cCargo.toml",
        "/pkg//etc/passwd",
        "/pkg../Cargo.toml",
        "/pkg/%00",
        "/../Cargo.toml",
        "//etc/passwd",
        "/reading.js/../../Cargo.toml",
    ] {
        let answer = world.get(Person::Manager, path).await;
        assert!(answer.status.is_client_error(), "{path}: {}", answer.status);
        let text = answer.text();
        assert!(!text.contains("[package]") && !text.contains("root:x:"), "{path}");
    }
}

#[tokio::test]
async fn filters_and_orders_are_words_of_a_list() {
    let world = World::new().await;
    let project = world.facts.project;
    for query in [
        "order=password_hash",
        "order=member__user__password",
        "kind=user__password__startswith",
        "user__password__startswith=a",
        "first=1%20OR%201%3D1",
        "filter%5Buser.password%5D=a",
    ] {
        let path = format!("/api/v1/projects/{project}/disagreements?{query}");
        let answer = world.get(Person::Manager, &path).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
    }
}

#[tokio::test]
async fn no_answer_has_a_hash_of_a_password() {
    let world = World::new().await;
    for row in rows().into_iter().filter(|row| row.verb == Verb::Get) {
        if row.path.starts_with("/events/") || row.path == "/api/v1/projects/{project}/events" {
            continue;
        }
        for person in [Person::Manager, Person::Reviewer] {
            let answer = world.send(call(&world, person, &row)).await;
            assert!(!answer.text().contains("$argon2"), "{} as {person:?}", row.path);
        }
    }
}

#[tokio::test]
async fn what_is_taken_away_is_kept_and_never_opened() {
    let world = World::new().await;
    let project = world.facts.project;
    let mut seen = 0;
    for row in rows().into_iter().filter(|row| row.verb == Verb::Get && !row.is_page) {
        // What has an ending in its path is a file that people's words are in.
        let Some((_, ending)) = row.path.rsplit_once('.') else { continue };
        if !row.path.starts_with("/api/v1/projects/") {
            continue;
        }
        let answer = world.send(call(&world, Person::Manager, &row)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", row.path);
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'none'"), "{}: {policy}", row.path);
        if ["html", "svg"].contains(&ending) {
            let how = answer.header("content-disposition");
            assert!(how.starts_with("attachment"), "{}: {how}", row.path);
        }
        seen += 1;
    }
    assert!(seen > 8, "{seen} files of project {project}");
}

#[tokio::test]
async fn what_an_address_says_is_never_markup() {
    let world = World::new().await;
    let words = encoded(MARKUP);
    let names = [
        "__err",
        "__path",
        "measure",
        "policy",
        "documents",
        "order",
        "page",
        "first",
        "second",
        "label",
        "kind",
        "at",
        "merge1",
        "without",
        "subject",
        "what",
        "format",
        "back",
        "q",
    ];
    for row in rows().into_iter().filter(|row| row.is_page) {
        let mut request = call(&world, Person::Manager, &row);
        let path = request.uri().path().to_owned();
        for query in names.map(|name| format!("{name}={words}")) {
            *request.uri_mut() = format!("{path}?{query}").parse().unwrap();
            let mut asked =
                http::Request::builder().uri(request.uri()).body(Body::empty()).unwrap();
            *asked.headers_mut() = request.headers().clone();
            let text = world.send(asked).await.text();
            assert!(!text.contains("<script>alert(7)"), "{path}?{query}");
            assert!(!text.contains("<img src=x"), "{path}?{query}");
        }
    }
    for path in [format!("/{words}"), format!("/projects/{words}"), format!("/invitations/{words}")]
    {
        let text = world.get(Person::Anonymous, &path).await.text();
        assert!(!text.contains("<script>alert(7)") && !text.contains("<img src=x"), "{path}");
    }
}

#[tokio::test]
async fn a_key_of_the_keyboard_is_never_markup() {
    let world = World::new().await;
    let form = format!("keys%5Bundo%5D={}", encoded(MARKUP));
    post(&world, Person::Labeler, "/fn/accounts/save_keys", &form).await;
    let assignment = world.facts.fresh_assignment;
    for path in ["/keys".to_owned(), format!("/assignments/{assignment}")] {
        let text = world.get(Person::Labeler, &path).await.text();
        assert!(!text.contains("<script>alert(7)") && !text.contains("<img src=x"), "{path}");
    }
    // A label's key is one sign, whoever sends it.
    let project = world.facts.project;
    let form = format!("project={project}&name=NEW&colour=1&hotkey={}", encoded(MARKUP));
    let answer = post(&world, Person::Manager, "/fn/projects/create_label", &form).await;
    assert!(!answer.status.is_success(), "{}", answer.status);
}

#[tokio::test]
async fn no_file_is_code() {
    let world = World::new().await;
    // A pickle that would call `system`, a script, a program, an archive of Java.
    let pickle =
        b"\x80\x04\x95\x1d\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93\x94";
    for (name, bytes) in [
        ("model.pkl", pickle.as_slice()),
        ("model.joblib", pickle.as_slice()),
        ("model.pt", b"PK\x03\x04broken".as_slice()),
        ("run.elf", b"\x7fELF\x02\x01\x01".as_slice()),
    ] {
        assert!(import(&world, name, bytes).await.is_err(), "{name}");
    }
}

#[tokio::test]
async fn a_text_is_never_a_template() {
    let world = World::new().await;
    let words = "{{7*191}} ${7*191} #{7*191} <%= 7*191 %> {% include '/etc/passwd' %} {{config}}";
    let manager = world.actor(Person::Manager).await;
    let (services, project) = (&world.services, world.facts.project);
    let found = project::load_settings(services, &manager, project).await.unwrap();
    let settings = domain::ProjectSettings {
        name: "{{7*191}}".to_owned(),
        guidelines: words.to_owned(),
        ..found.settings
    };
    project::save_settings(services, &manager, project, settings).await.unwrap();
    import(&world, "{{7*191}}.txt", words.as_bytes()).await.unwrap();
    for path in ["settings/guidelines", "settings", "work/documents", "agreement"] {
        let text = world.get(Person::Manager, &format!("/projects/{project}/{path}")).await.text();
        assert!(text.contains("{{7*191}}"), "{path}");
        assert!(!text.contains("1337") && !text.contains("root:x:"), "{path}");
    }
}

#[tokio::test]
async fn an_export_s_files_stay_in_their_folder() {
    let world = World::new().await;
    for name in ["../../../../tmp/concord-evil.txt", "..\\..\\evil.txt", "/etc/evil.txt"] {
        // Whether such a name is taken is one thing, where it may lead another.
        drop(import(&world, name, b"Gil met Hal in Ur.").await);
    }
    let project = world.facts.project;
    for format in ["conll", "webanno", "xmi", "conllu", "standoff", "jsonl"] {
        let what = format!("rater-{}", world.facts.labeler);
        let path = format!("/api/v1/projects/{project}/exports?what={what}&format={format}");
        let answer = world.get(Person::Manager, &path).await;
        if answer.status != StatusCode::OK || !answer.bytes.starts_with(b"PK") {
            continue;
        }
        // Names stand in an archive as they are.
        for step in [b"../".as_slice(), b"..\\", b"/etc/"] {
            let found = answer.bytes.windows(step.len()).any(|part| part == step);
            assert!(!found, "{format} has {}", String::from_utf8_lossy(step));
        }
    }
}

#[tokio::test]
async fn accounts_of_this_table_are_real() {
    // The tests above are of somebody only if the same forms do sign in whoever has an account.
    let world = World::with(Options::default()).await;
    let form =
        format!("email={}&password={}", Facts::email(Person::Manager), PASSWORD.replace(' ', "+"));
    let answer = post(&world, Person::Anonymous, "/fn/accounts/sign_in", &form).await;
    let cookie = answer.header("set-cookie").to_owned();
    let token = cookie.split(['=', ';']).nth(1).unwrap();
    assert!(account::actor_of(&world.services, token).await.unwrap().person().is_ok());
}
