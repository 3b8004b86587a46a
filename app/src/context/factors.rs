//! Where setting up a second factor leads, and recovery codes that are shown once.

use services::account::SetUp;

use super::{lead_to, lead_to_with_note, start_session, take_note_at};
use crate::ApiError;

/// The page that shows them.
const PAGE: &str = "/account";

/// What stands between recovery codes in the note that is left for the page.
const APART: &str = "_";

/// Leads to one's account once a factor is set up there, `changed` being its name; whoever was in the
/// middle of signing in is signed in with it. The answer is the recovery codes that were made.
pub fn enter_with_factor(set_up: SetUp, changed: &str) -> Result<Vec<String>, ApiError> {
    if let Some(session) = set_up.session {
        start_session(&session, PAGE)?;
    }
    if set_up.recovery_codes.is_empty() {
        lead_to(&format!("{PAGE}?changed={changed}"));
    } else {
        lead_with_codes(&set_up.recovery_codes);
    }
    Ok(set_up.recovery_codes)
}

/// Leads to one's account, which shows these recovery codes this once.
pub fn lead_with_codes(codes: &[String]) {
    lead_to_with_note(PAGE, &codes.join(APART));
}

/// Recovery codes that have just been made, if any; they are gone with that.
pub fn take_codes() -> Vec<String> {
    let codes = take_note_at(PAGE).unwrap_or_default();
    codes.split(APART).filter(|code| !code.is_empty()).map(str::to_owned).collect()
}
