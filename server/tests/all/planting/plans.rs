//! What is planted in each stored text. A text that is not here fails the test: somebody has to say
//! what may stand in it, and who is shown it.

use super::payloads::Flavour;

/// What happens to a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Plan {
    /// All of it is somebody's words, and some page or answer shows them.
    Words,
    /// One character.
    Character,
    /// JSON; the strings under these keys are somebody's words. Without keys all of its strings are.
    Json(&'static [&'static str]),
    /// JSON in the place of what stands there, with `%` for the words.
    Replaced(&'static str),
    /// Nobody can choose it, by this reason.
    Kept(&'static str),
}

use Plan::{Character, Json, Kept, Replaced, Words};

const HASH: &str = "a hash or a digest, made by the server";
const SECRET: &str = "made by the server at random";
const WORD: &str = "one of a few words that the server knows; others are refused as they are read";
const NUMBERS: &str = "ids and numbers, written by the server";
const SEED: &str = "a number that the server has made";

const PROVIDERS: &str = "what a provider calls somebody, which nobody is shown";

const DIRECTORY: &str = "what a directory says, told to that directory alone, as JSON";

/// A plan for every text of the schema.
pub(super) const PLANS: &[(&str, &str, Plan)] = &[
    ("alert_rule", "documents", Kept(WORD)),
    ("alert_rule", "measure", Kept(WORD)),
    ("alert_rule", "policy", Kept(WORD)),
    ("alert_rule", "subject", Kept(WORD)),
    ("answered_request", "body", Kept("what was answered, given back to the same program")),
    ("answered_request", "fingerprint", Kept(HASH)),
    ("answered_request", "headers", Kept("headers that the server has made")),
    ("answered_request", "key", Kept("visible ASCII, checked before it is looked for")),
    ("api_token", "name", Words),
    ("api_token", "projects", Kept(NUMBERS)),
    ("api_token", "scopes", Kept(WORD)),
    ("api_token", "token_hash", Kept(HASH)),
    ("assignment", "state", Kept(WORD)),
    ("attribute", "name", Words),
    ("attribute", "least_means", Words),
    ("attribute", "greatest_means", Words),
    ("attribute", "answers", Kept(WORD)),
    ("attribute_choice", "name", Words),
    ("audit", "event", Kept(WORD)),
    ("audit", "detail", Replaced(r#"{"name":"%"}"#)),
    ("audit", "note", Replaced(r#"00000000000000000000000000000000{"name":"%"}"#)),
    ("audit", "subject", Kept("a kind of thing and its id, written by the server")),
    ("authenticator_app", "new_secret", Kept(SECRET)),
    ("authenticator_app", "secret", Kept(SECRET)),
    ("comment", "words", Words),
    ("assignment_flag", "kind", Kept(WORD)),
    ("assignment_flag", "note", Words),
    ("assignment_flag", "reason", Kept(WORD)),
    ("assignment_note", "note", Words),
    ("assignment_note", "role", Kept(WORD)),
    ("assignment_version", "delta", Kept(NUMBERS)),
    ("assignment_version", "kind", Kept(WORD)),
    ("assignment_version", "state", Kept(WORD)),
    ("decision", "note", Words),
    ("decision", "verdict", Kept(WORD)),
    ("decision_act_part", "after", Json(&["note"])),
    ("decision_act_part", "before", Json(&["note"])),
    ("device", "token_hash", Kept(HASH)),
    ("directory", "provider", Kept("the name of a provider, from the settings")),
    ("directory", "token_hash", Kept(HASH)),
    ("directory_group", "external_id", Kept(DIRECTORY)),
    ("directory_group", "name", Kept(DIRECTORY)),
    ("directory_group", "name_key", Kept(DIRECTORY)),
    ("directory_user", "display_name", Kept(DIRECTORY)),
    ("directory_user", "external_id", Kept(DIRECTORY)),
    ("directory_user", "family_name", Kept(DIRECTORY)),
    ("directory_user", "formatted_name", Kept(DIRECTORY)),
    ("directory_user", "given_name", Kept(DIRECTORY)),
    ("directory_user", "user_name", Kept(DIRECTORY)),
    ("directory_user", "user_name_key", Kept(DIRECTORY)),
    ("document", "external_id", Words),
    ("document", "name", Words),
    ("document", "sha256", Kept(HASH)),
    ("document", "text", Words),
    ("former_label", "name", Words),
    ("gold_version", "name", Words),
    ("gold_version", "note", Words),
    ("gold_version", "sha256", Kept(HASH)),
    (
        "gold_version_document",
        "answers",
        Replaced(r#"[{"span":null,"question":"%","answer":{"one":"%"}}]"#),
    ),
    ("gold_version_document", "positions", Json(&["labels"])),
    ("gold_version_document", "name", Words),
    ("guideline_version", "note", Words),
    ("guideline_version", "text", Words),
    ("identity", "external_id", Kept(PROVIDERS)),
    ("identity", "issuer", Kept("where a provider is, from the settings")),
    ("identity", "label", Words),
    ("identity", "subject", Kept(PROVIDERS)),
    ("import", "decision", Kept(NUMBERS)),
    ("import", "error", Replaced(r#"{"Denied":"%"}"#)),
    ("import", "files", Json(&[])),
    ("import", "made", Kept(NUMBERS)),
    ("import", "import_as", Kept(WORD)),
    ("import", "state", Kept(WORD)),
    ("import", "summary", Kept(NUMBERS)),
    ("invitation", "email", Words),
    ("invitation", "role", Kept(WORD)),
    ("invitation", "token_hash", Kept(HASH)),
    ("label", "description", Words),
    ("label", "group_name", Words),
    ("label", "hotkey", Character),
    ("label", "name", Words),
    ("mail", "address", Words),
    ("mail", "key", Kept("a kind of mail and ids, written by the server")),
    ("mail", "kind", Kept(WORD)),
    ("mail", "link", Kept("a secret, sealed")),
    ("mail", "outcome", Kept(WORD)),
    ("mail", "problem", Words),
    ("mail_refusal", "kind", Kept(WORD)),
    ("member", "role", Kept(WORD)),
    ("model", "name", Words),
    ("model", "prompt_hash", Words),
    ("model", "version", Words),
    ("own_count", "counts", Kept(NUMBERS)),
    ("own_release", "payload", Kept("numbers of a release, written by the server")),
    ("passkey", "credential_id", Kept("bytes of a device, written in base64 by the server")),
    ("passkey", "dynamic_state", Kept(NUMBERS)),
    ("passkey", "name", Words),
    ("passkey", "static_state", Kept("a public key, written in base64 by the server")),
    ("passkey", "user_handle", Kept(SECRET)),
    ("password_reset", "token_hash", Kept(HASH)),
    ("project", "decision_reasons", Words),
    ("project", "guidelines", Words),
    ("project", "name", Words),
    ("project", "release_level", Kept(WORD)),
    ("recovery_code", "code_hash", Kept(HASH)),
    ("repeat", "state", Kept(WORD)),
    ("repeat_batch", "seed", Kept(SEED)),
    ("review", "state", Kept(WORD)),
    ("round", "note", Words),
    ("round", "title", Words),
    ("save_key", "fingerprint", Kept(HASH)),
    ("save_key", "key", Words),
    ("save_key", "response", Kept("what was answered: revisions, and spans by their ids")),
    ("secret_key", "fingerprint", Kept(HASH)),
    ("second_review_act", "seed", Kept(SEED)),
    (
        "shelf",
        "content",
        Kept("what an import is going to bring, which nothing but the import reads"),
    ),
    ("sent_reset", "token_hash", Kept(HASH)),
    ("session", "address", Words),
    ("session", "device", Words),
    ("session", "provider_session", Kept(PROVIDERS)),
    ("session", "token_hash", Kept(HASH)),
    ("sign_in_failure", "subject", Kept(HASH)),
    ("target", "basis", Kept(WORD)),
    ("target", "measure", Kept(WORD)),
    ("target", "policy", Kept(WORD)),
    ("used_challenge", "challenge_hash", Kept(HASH)),
    ("user_account", "email", Words),
    ("user_account", "keys", Replaced(r#"[["undo","%"]]"#)),
    ("user_account", "name", Words),
    ("user_account", "password_hash", Kept(HASH)),
    ("webhook", "events", Kept(WORD)),
    ("webhook", "secret", Kept(SECRET)),
    ("webhook", "url", Words),
    ("webhook_delivery", "body", Replaced(r#"{"words":"%"}"#)),
    ("webhook_delivery", "event", Kept(WORD)),
    ("webhook_delivery", "problem", Words),
    ("workload_act", "ask", Kept(NUMBERS)),
    ("workload_act", "seed", Kept(SEED)),
];

/// Words that no answer has, or that the tests' project has no row of, and why that is so. They are
/// planted all the same.
pub(super) const UNSEEN: &[(&str, &str, &str)] = &[
    ("decision_act_part", "before", "put back as a decision's note when an act is undone"),
    ("former_label", "name", "drawn in old versions by what draws the names of labels"),
    ("save_key", "key", "only looked for"),
];

impl Plan {
    /// What stands in the text once the words are planted.
    pub(super) fn planted(
        self,
        flavour: Flavour,
        number: usize,
        row: usize,
        old: Option<String>,
    ) -> Option<String> {
        let words = || flavour.words(number, row);
        match self {
            Words => Some(words()),
            Character => Some(["<", "\"", "&", "'", "\\", ">"][row % 6].to_owned()),
            Json(keys) => old.map(|old| {
                let mut value = serde_json::from_str(&old).unwrap();
                plant_in(&mut value, keys, keys.is_empty(), &words());
                value.to_string()
            }),
            Replaced(json) => {
                let escaped = serde_json::Value::from(words()).to_string();
                Some(json.replace('%', escaped.trim_matches('"')))
            }
            Kept(_) => old,
        }
    }
}

/// Plants in the strings under the keys, or in all of them where `is_words`.
fn plant_in(value: &mut serde_json::Value, keys: &[&str], is_words: bool, words: &str) {
    match value {
        serde_json::Value::String(text) if is_words => words.clone_into(text),
        serde_json::Value::Array(values) => {
            for value in values {
                plant_in(value, keys, is_words, words);
            }
        }
        serde_json::Value::Object(members) => {
            for (key, value) in members {
                plant_in(value, keys, keys.is_empty() || keys.contains(&key.as_str()), words);
            }
        }
        _ => {}
    }
}
