//! A well-formed request for every row of the tables of routes.

use axum::body::Body;
use domain::{Revision, base::policy::Action};
use http::{Request, header};
use serde_json::{Value, json};
use server::routes::{self, FUNCTIONS, PAGES, PROVIDER_LOGOUT, UNSUBSCRIBE, Verb, Weight};

use super::world::{Facts, PASSWORD, Person, World};

/// A row of one of the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) verb: Verb,
    pub(crate) path: &'static str,
    pub(crate) action: Action,
    pub(crate) is_page: bool,
    /// Its answer has no end.
    pub(crate) is_stream: bool,
}

/// All rows of all tables.
pub(crate) fn rows() -> Vec<Row> {
    let routes = routes::list().map(|route| Row {
        verb: route.verb,
        path: &route.path,
        action: route.action,
        is_page: false,
        is_stream: route.weight == Weight::Stream,
    });
    let functions = FUNCTIONS.iter().map(|(path, action, _)| Row {
        verb: Verb::Post,
        path,
        action: *action,
        is_page: false,
        is_stream: false,
    });
    let pages = PAGES.iter().map(|page| Row {
        verb: Verb::Get,
        path: page.path,
        action: page.action,
        is_page: true,
        is_stream: false,
    });
    routes.chain(functions).chain(pages).collect()
}

/// The request that this row is for, as this person's browser makes it.
pub(crate) fn call(world: &World, person: Person, row: &Row) -> Request<Body> {
    let path = filled(row.path, &world.facts) + &query(row, &world.facts);
    let request = world.request(row.verb.method().as_str(), person, &path);
    let request = match base(row, &world.facts) {
        Some(base) => request.header(header::IF_MATCH, format!("\"{base}\"")),
        None => request,
    };
    if row.is_page {
        return request.header(header::ACCEPT, "text/html").body(Body::empty()).unwrap();
    }
    match input(row, person, &world.facts) {
        Input::Nothing => request.body(Body::empty()),
        Input::Form(form) => request
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(form)),
        Input::Json(json) => request
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(json.to_string())),
        Input::Compared => {
            request.header(header::CONTENT_TYPE, FILES_TYPE).body(Body::from(TWO_FILES))
        }
        Input::Files => request.header(header::CONTENT_TYPE, FILES_TYPE).body(Body::from(FILES)),
    }
    .unwrap()
}

/// Whether more is asked for than a role: that a browser is in the middle of something, that somebody has
/// set something up, or what only a device can answer.
pub(crate) fn asks_for_more(row: &Row) -> bool {
    row.path.starts_with("/fn/second_factors/")
        || row.path.ends_with("_passkey")
        || row.path.ends_with("_identity")
        || row.path == PROVIDER_LOGOUT
}

pub(crate) const FILES_TYPE: &str = "multipart/form-data; boundary=cut";

/// A form with one file.
pub(crate) const FILES: &str = "--cut\r\n\
    Content-Disposition: form-data; name=\"files\"; filename=\"psalm.txt\"\r\n\
    Content-Type: text/plain\r\n\r\n\
    Gil met Hal in Ur.\r\n\
    --cut--\r\n";

/// A form with two people's files.
pub(crate) const TWO_FILES: &str = "--cut\r\n\
    Content-Disposition: form-data; name=\"files\"; filename=\"ana.conll\"\r\n\r\n\
    Gil B-PER\nmet O\nHal B-PER\nin O\nUr B-LOC\n\r\n\
    --cut\r\n\
    Content-Disposition: form-data; name=\"files\"; filename=\"bo.conll\"\r\n\r\n\
    Gil B-PER\nmet O\nHal B-LOC\nin O\nUr B-LOC\n\r\n\
    --cut--\r\n";

/// What an address has to ask for, where it has to.
fn query(row: &Row, facts: &Facts) -> String {
    if row.path.starts_with("/api/v1/projects/{project}/exports") {
        return format!("?what=rater-{}", facts.labeler);
    }
    if row.path == "/events/revisions" {
        return format!("?of={}", facts.project);
    }
    if row.path == "/events/projects/{project}/page" {
        return format!("?of={0}%40%2Fprojects%2F{0}%2Fagreement", facts.project);
    }
    String::new()
}

const MODEL_WORK: &str = "/api/v1/projects/{project}/models/{model}/documents/{document}";

enum Input {
    Nothing,
    Compared,
    Form(String),
    Json(Value),
    Files,
}

/// The path with this world's ids in it.
fn filled(path: &str, facts: &Facts) -> String {
    // Only what is submitted can be reopened; all else is done with what is open.
    let is_reopened = path.ends_with("/reopen");
    let assignment = if is_reopened { facts.finished_assignment } else { facts.fresh_assignment };
    let token = match path {
        "/reset/{token}" => &facts.reset,
        UNSUBSCRIBE => &facts.unsubscribing,
        _ => &facts.invitation,
    };
    // What is locked in a gold standard is not deleted.
    let is_deleted = path.starts_with("/api/v1/projects/{project}/documents/");
    let is_fresh = is_deleted || path.ends_with("/decisions") || path.ends_with("/review/submit");
    let document = if is_fresh { facts.fresh } else { facts.finished };
    let is_rest = path.starts_with("/api/");
    let label = if is_rest { facts.unused_label } else { facts.labels[0].id };
    [
        ("{project}", facts.project.to_string()),
        ("{first}", facts.labeler.to_string()),
        ("{second}", facts.peer.to_string()),
        ("{assignment}", assignment.to_string()),
        ("{document}", document.to_string()),
        ("{token}", token.clone()),
        ("{model}", facts.model.to_string()),
        ("{label}", label.to_string()),
        ("{version}", "1".to_owned()),
        ("{import}", facts.import.to_string()),
        ("{webhook}", facts.webhook.to_string()),
        ("{invitation}", facts.invitation_id.to_string()),
        ("{member}", facts.peer.to_string()),
        ("{delivery}", facts.delivery.to_string()),
        ("{account}", facts.account.to_string()),
        ("{provider}", "example".to_owned()),
        ("{id}", "1".to_owned()),
        ("{name}", "User".to_owned()),
        ("{*file}", "concord.0123456789abcdef.js".to_owned()),
        ("{*page}", "people/labelers.html".to_owned()),
    ]
    .iter()
    .fold(path.to_owned(), |path, (name, value)| path.replace(name, value))
}

/// The revision that a request of the REST interface is based on.
fn base(row: &Row, facts: &Facts) -> Option<Revision> {
    match (row.verb, row.path) {
        (_, "/api/v1/assignments/{assignment}/reopen") => Some(facts.finished_revision),
        (_, "/api/v1/documents/{document}/review/reopen") => Some(facts.finished_review),
        // Labels and targets have no revision of their own.
        (
            Verb::Put,
            "/api/v1/projects/{project}/labels/{label}"
            | "/api/v1/projects/{project}/target"
            | MODEL_WORK,
        ) => None,
        (Verb::Put | Verb::Patch, _) => Some(Revision(0)),
        (_, path) if path.starts_with("/api/v1/") && path.ends_with("/submit") => Some(Revision(0)),
        _ => None,
    }
}

fn input(row: &Row, person: Person, facts: &Facts) -> Input {
    let path = row.path;
    let (project, password) = (facts.project, PASSWORD.replace(' ', "+"));
    let switches = json!({
        "measure": "kappa", "policy": "cleaned", "documents": "saved",
    });
    let label = "name=NEW&colour=1&hotkey=";
    let token = &facts.invitation;
    match path {
        "/compare" | "/api/v1/compare" => Input::Compared,
        _ if path.starts_with("/scim/")
            && matches!(row.verb, Verb::Post | Verb::Put | Verb::Patch) =>
        {
            Input::Json(json!({ "userName": "new@example.org", "Operations": [] }))
        }
        "/api/v1/projects" if row.verb == Verb::Post => Input::Json(json!({ "name": "New" })),
        "/api/v1/projects/{project}/invitations" if row.verb == Verb::Post => {
            Input::Json(json!({ "role": "labeler", "email": "new@example.org" }))
        }
        "/api/v1/projects/{project}/labels/{label}" if row.verb == Verb::Put => {
            Input::Json(json!({ "name": "OTHER", "colour": 1, "hotkey": null }))
        }
        "/api/v1/projects/{project}/labels" if row.verb == Verb::Post => {
            Input::Json(json!({ "name": "NEW", "colour": 1, "hotkey": null }))
        }
        "/api/v1/projects/{project}/target" if row.verb == Verb::Put => Input::Json(json!({
            "target": {
                "measure": "alpha", "policy": "cleaned", "basis": "lower-bound", "at_least": 0.7,
            },
        })),
        "/api/v1/projects/{project}/models" if row.verb == Verb::Post => {
            Input::Json(json!({ "name": "new", "version": "1" }))
        }
        "/api/v1/assignments/{assignment}/spans" | MODEL_WORK if row.verb == Verb::Put => {
            let span = json!({ "start": 0, "end": 3, "label": facts.labels[0].id });
            Input::Json(json!({ "spans": [span] }))
        }
        "/api/v1/documents/{document}/decisions" if row.verb == Verb::Patch => Input::Json(json!({
            "changes": [{ "start": 0, "end": 3, "verdict": "add", "labels": [facts.labels[0].id] }],
        })),
        "/fn/target/save_target" => Input::Form(format!(
            "project={project}&measure=alpha&policy=cleaned&basis=lower-bound&at_least=0.7"
        )),
        "/fn/tokens/create_token" => Input::Form("name=notebook&scopes[0]=read&days=30".to_owned()),
        "/fn/tokens/revoke_token" => Input::Form(format!("id={}", facts.api_token_id(person))),
        "/fn/accounts/accept_invitation" => Input::Form(format!(
            "token={token}&email=new@example.org&name=Nina+New&password={password}"
        )),
        "/fn/accounts/change_email" => {
            Input::Form(format!("email=new@example.org&present={password}"))
        }
        "/fn/accounts/change_password" => {
            Input::Form(format!("present={password}&password=walnut+copper+lantern"))
        }
        "/fn/accounts/choose_password" => {
            Input::Form(format!("token={}&password=walnut+copper+lantern", facts.reset))
        }
        "/fn/accounts/send_reset_link" => Input::Form("email=nobody@example.org".to_owned()),
        "/fn/mail/choose_mail" => Input::Form("kinds[0]=alert".to_owned()),
        UNSUBSCRIBE => Input::Form("List-Unsubscribe=One-Click".to_owned()),
        "/fn/accounts/begin_passkey" => Input::Form(format!("present={password}")),
        // Only a device can answer.
        "/fn/accounts/add_passkey" => Input::Form("name=Key&state=none&answer=none".to_owned()),
        "/fn/accounts/sign_in_with_passkey" => Input::Form("state=none&answer=none".to_owned()),
        "/fn/accounts/remove_passkey" => {
            Input::Form(format!("id={}&present={password}", facts.passkey(person)))
        }
        // Nobody has one.
        "/fn/accounts/unlink_identity" => Input::Form("id=1".to_owned()),
        PROVIDER_LOGOUT => Input::Form("logout_token=none".to_owned()),
        "/fn/accounts/end_session" => Input::Form(format!("started={}", facts.started(person))),
        "/fn/accounts/join_by_invitation" => {
            let is_outside = matches!(
                person,
                Person::Anonymous | Person::Outsider | Person::OtherManager | Person::Administrator
            );
            let elsewhere = &facts.invitation_elsewhere;
            Input::Form(format!("token={}", if is_outside { token } else { elsewhere }))
        }
        "/fn/accounts/load_invitation" => Input::Form(format!("token={token}")),
        "/fn/accounts/save_keys" => Input::Form("keys[undo]=U".to_owned()),
        "/fn/accounts/sign_in" => Input::Form(format!(
            "email={}&password={password}",
            // Nobody has no account: they sign in as somebody who has.
            Facts::email(if person == Person::Anonymous { Person::Labeler } else { person })
        )),
        "/fn/administration/delete_project" | "/fn/projects/delete_project" => {
            Input::Form(format!("project={project}&name=Hymns"))
        }
        "/fn/administration/change_account" => {
            Input::Form(format!("account={}&change=disable", facts.account))
        }
        "/fn/administration/create_reset_link" => Input::Form(format!("account={}", facts.account)),
        "/fn/administration/remove_account" => Input::Form(format!(
            "account={}&email={}",
            facts.account,
            Facts::email(Person::Bystander)
        )),
        "/fn/agreement/list_movers" => Input::Json(json!({ "project": project, "since": 0 })),
        "/fn/agreement/load_agreement" => {
            Input::Json(json!({ "project": project, "switches": switches }))
        }
        "/fn/agreement/load_pair" => Input::Json(json!({
            "project": project,
            "first": facts.labeler,
            "second": facts.peer,
            "switches": switches,
        })),
        "/fn/alerts/add_limit" => Input::Form(format!(
            "project={project}&subject=labeler-pair&measure=kappa&policy=cleaned\
             &documents=saved&limit=0.6&minimum_n=5"
        )),
        "/fn/alerts/remove_limit" => {
            Input::Form(format!("project={project}&limit={}", facts.limit))
        }
        "/fn/annotating/load_assignment" => {
            Input::Form(format!("assignment={}", facts.fresh_assignment))
        }
        "/fn/annotating/reopen_assignment" => Input::Form(format!(
            "assignment={}&base={}",
            facts.finished_assignment, facts.finished_revision
        )),
        "/fn/annotating/submit_assignment" => {
            Input::Form(format!("assignment={}&base=0", facts.fresh_assignment))
        }
        "/fn/annotating/save_spans" => Input::Json(json!({ "command": {
            "assignment": facts.fresh_assignment,
            "base": 0,
            "key": "a-key-of-its-own",
            "removed": [],
            "added": [{ "start": 0, "end": 3, "label": facts.labels[0].id }],
        }})),
        "/fn/comments/answer" => {
            Input::Form(format!("project={project}&thread={}&back=&words=Yes", facts.thread))
        }
        "/fn/comments/begin" => {
            Input::Form(format!("assignment={}&at=0-3&words=Why", facts.fresh_assignment))
        }
        "/fn/comments/go_on" => Input::Form(format!(
            "assignment={}&thread={}&words=So",
            facts.finished_assignment, facts.thread
        )),
        "/fn/comments/settle" => {
            Input::Form(format!("project={project}&thread={}&back=&settle=true", facts.thread))
        }
        "/fn/flags/answer" => Input::Form(format!(
            "project={project}&document={}&member={}&kind=flag&note=Thanks",
            facts.finished, facts.labeler
        )),
        "/fn/flags/lower" => {
            Input::Form(format!("assignment={}&kind=flag", facts.finished_assignment))
        }
        "/fn/flags/raise" => Input::Form(format!(
            "assignment={}&kind=skip&reason=damaged&note=",
            facts.fresh_assignment
        )),
        "/fn/flags/send_back" => Input::Form(format!(
            "project={project}&document={}&member={}&note=Again",
            facts.finished, facts.labeler
        )),
        "/fn/models/add" => Input::Form(format!("project={project}&name=new&version=1")),
        "/fn/models/create_token" | "/fn/models/remove" => {
            Input::Form(format!("project={project}&model={}&days=30", facts.model))
        }
        "/fn/second_reviews/give" => Input::Form(format!(
            "project={project}&reviewer={}&percent=100&seen={}",
            facts.reviewer, facts.second_seen
        )),
        "/fn/second_reviews/undo" => {
            Input::Form(format!("project={project}&sample={}", facts.second_sample))
        }
        "/fn/documents/delete_document" => {
            Input::Form(format!("project={project}&document={}", facts.fresh))
        }
        "/fn/documents/undo_import" => {
            Input::Form(format!("project={project}&import={}", facts.import))
        }
        "/fn/documents/list_documents" | "/fn/reviewing/list_reviews" => {
            Input::Form(format!("project={project}&page=0"))
        }
        "/fn/focus/report_focus" => {
            Input::Form(format!("assignment={}&minutes=1", facts.fresh_assignment))
        }
        "/fn/focus/set_measured" => Input::Form(format!("project={project}&measured=false")),
        // What is there already is not saved again.
        "/fn/history/restore_version" => {
            Input::Form(format!("assignment={}&version=0&base=0", facts.fresh_assignment))
        }
        "/fn/gold/lock" => Input::Form(format!("project={project}&name=second&note=")),
        "/fn/labels/create_attribute" => Input::Form(format!(
            "project={project}&label={}&name=Age&answers%5Bchoices%5D=old%0D%0Ayoung&required=true",
            facts.labels[0].id
        )),
        "/fn/labels/describe_label" => Input::Form(format!(
            "project={project}&label={0}&group=People&description=*Who*&limits%5Bown%5D=forbidden\
             &limits%5Bnests%5D=chosen&limits%5Bwithin%5D%5B1%5D={0}",
            facts.labels[0].id
        )),
        "/fn/labels/save_attribute" => Input::Form(format!(
            "project={project}&label={}&id={}&name=Gender&answers%5Bchoices%5D=female%0D%0Amale&offered=true",
            facts.labels[0].id, facts.attribute
        )),
        "/fn/members/delete_invitation" => {
            Input::Form(format!("project={project}&id={}", facts.invitation_id))
        }
        "/fn/members/invite_member" => {
            Input::Form(format!("project={project}&role=labeler&email="))
        }
        "/fn/members/remove_member" => {
            Input::Form(format!("project={project}&member={}", facts.peer))
        }
        "/fn/projects/create_label" => Input::Form(format!("project={project}&{label}")),
        "/fn/projects/create_project" => Input::Form(
            "name=Psalms&measure=alpha&policy=empty-label&basis=value&at_least=0.80".to_owned(),
        ),
        "/fn/projects/delete_label" => {
            Input::Form(format!("project={project}&id={}", facts.unused_label))
        }
        "/fn/projects/save_label" => {
            Input::Form(format!("project={project}&id={}&{label}", facts.unused_label))
        }
        "/fn/projects/save_settings" => Input::Form(format!(
            "project={project}&name=Hymns+and+odes&guidelines=Mark+names.&release_level=none"
        )),
        "/fn/repeats/give_repeats" => {
            Input::Form(format!("project={project}&documents=5&days=0&seen={}", facts.repeats_seen))
        }
        "/fn/repeats/take_back" => {
            Input::Form(format!("project={project}&batch={}", facts.repeats))
        }
        "/fn/reviewing/load_review" => Input::Form(format!("document={}", facts.fresh)),
        "/fn/reviewing/reopen_review" => {
            Input::Form(format!("document={}&base={}", facts.finished, facts.finished_review))
        }
        "/fn/reviewing/submit_review" => Input::Form(format!("document={}&base=0", facts.fresh)),
        "/fn/reviewing/save_decisions" => Input::Json(json!({ "command": {
            "document": facts.fresh,
            "base": 0,
            "key": "a-key-of-its-own",
            "changes": [{
                "range": { "start": 0, "end": 3 },
                "decision": ["add", [facts.labels[0].id]],
            }],
        }})),
        "/fn/rounds/start_round" => Input::Form(format!(
            "project={project}&after=1&title=Again&note=why&guidelines=Mark+names."
        )),
        // Nothing is left to accept by this rule: the hash of nothing stands for that.
        "/fn/rules/accept" => Input::Form(format!(
            "project={project}&seen=\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )),
        "/fn/rules/undo" => Input::Form(format!("project={project}&act={}", facts.act)),
        "/fn/walking/decide" => Input::Form(format!(
            "project={project}&walk=&seen={}-0-3%400&choice={}&why%5Bnote%5D=why",
            facts.fresh, facts.labels[0].id
        )),
        "/fn/walking/decide_alike" => Input::Form(format!(
            "project={project}&walk=&like={0}-0-3%400&seen%5B0%5D={0}-0-3%400&choice={1}",
            facts.fresh, facts.labels[0].id
        )),
        "/fn/walking/decide_boundaries" => Input::Form(format!(
            "project={project}&walk=&seen%5B0%5D={}-0-3%400&choice={}",
            facts.fresh, facts.labels[0].id
        )),
        "/fn/walking/undo" => Input::Form(format!("project={project}&walk=&act={}", facts.act)),
        "/fn/webhooks/add" => Input::Form(format!(
            "project={project}&url=https%3A%2F%2Fexample.org%2Fother&events%5B0%5D=gold.locked"
        )),
        "/fn/webhooks/change" => Input::Form(format!(
            "project={project}&webhook={}&url=https%3A%2F%2Fexample.org%2Fother\
             &events%5B0%5D=gold.locked",
            facts.webhook
        )),
        "/fn/webhooks/pause" => {
            Input::Form(format!("project={project}&webhook={}&pause=true", facts.webhook))
        }
        "/fn/webhooks/send_again" => Input::Form(format!(
            "project={project}&webhook={}&delivery={}",
            facts.webhook, facts.delivery
        )),
        _ if path.starts_with("/fn/webhooks/") => {
            Input::Form(format!("project={project}&webhook={}", facts.webhook))
        }
        "/api/v1/projects/{project}/webhooks" if row.verb == Verb::Post => {
            Input::Json(json!({ "url": "https://example.org/hook", "events": ["gold.locked"] }))
        }
        "/api/v1/projects/{project}/webhooks/{webhook}" if row.verb == Verb::Patch => {
            Input::Json(json!({ "paused": true }))
        }
        "/fn/workload/give" => Input::Form(format!(
            "project={project}&ask={}&seen={}",
            facts.work_ask.replace('"', "%22"),
            facts.work_seen
        )),
        "/fn/workload/open_pool" => {
            Input::Form(format!("project={project}&overlap=2&cap=3&days=7"))
        }
        "/fn/workload/pause" => {
            Input::Form(format!("project={project}&member={}&pause=true", facts.peer))
        }
        "/fn/workload/undo" => Input::Form(format!("project={project}&act={}", facts.work_act)),
        "/api/v1/projects/{project}/imports" => Input::Files,
        "/fn/second_factors/confirm_app" | "/fn/second_factors/take_step" => {
            Input::Form("code=000000".to_owned())
        }
        _ if path.starts_with("/fn/second_factors/") => Input::Form(format!("present={password}")),
        "/fn/projects/search" => Input::Form("typed=e".to_owned()),
        _ if path.starts_with("/fn/accounts/") || path == "/fn/projects/list_projects" => {
            Input::Form(String::new())
        }
        _ if path.starts_with("/fn/") => Input::Form(format!("project={project}")),
        _ => Input::Nothing,
    }
}
