//! Whether work has reached the server: the state on screen, how long to wait before the next
//! try, and the names of saves.

use std::time::Duration;

use domain::{Error, SaveKey};
use gloo_timers::future::TimeoutFuture;

use crate::islands::{
    icon::{Glyph, Icon},
    prelude::*,
};

/// Where the latest work stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SaveState {
    /// Everything is stored.
    #[default]
    Saved,
    /// A save is under way.
    Saving,
    /// The server does not answer; the save is tried again.
    Offline,
    /// The session has ended; the save is tried again until somebody has signed in.
    SignedOut,
    /// Something broke on the server; the save is tried again.
    Failing,
    /// The server has no storage space left; the save is tried again.
    StorageFull,
    /// What is on the server has changed meanwhile: the person has to look.
    Conflict,
    /// The server will not have it.
    Refused,
}

impl SaveState {
    /// The state while a save that failed so is tried again; none if that cannot help.
    pub(crate) const fn retrying(error: &ApiError) -> Option<Self> {
        match error {
            ApiError::Transport(_) => Some(Self::Offline),
            ApiError::App(Error::SignInRequired) => Some(Self::SignedOut),
            ApiError::App(Error::StorageFull) => Some(Self::StorageFull),
            ApiError::App(error) if error.may_pass() => Some(Self::Failing),
            ApiError::App(_) => None,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Saved => "Saved",
            Self::Saving => "Saving …",
            Self::Offline => "Offline, kept here",
            Self::SignedOut => "Signed out, kept here",
            Self::Failing => "Not saved, retrying",
            Self::StorageFull => "Server full, kept here",
            Self::Conflict => "Conflict",
            Self::Refused => "Not saved",
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Saved => "badge good",
            Self::Saving => "badge",
            Self::Offline | Self::SignedOut | Self::Failing | Self::StorageFull => "badge warn",
            Self::Conflict | Self::Refused => "badge danger",
        }
    }

    const fn glyph(self) -> Option<Glyph> {
        match self {
            Self::Saved => Some(Glyph::Done),
            Self::Saving => None,
            _ => Some(Glyph::Warning),
        }
    }
}

/// Says where the latest work stands; announced when it changes.
#[component]
pub(crate) fn SaveBadge(#[prop(into)] state: Signal<SaveState>) -> impl IntoView {
    let sign_in = dynamic(move || {
        (state.get() == SaveState::SignedOut).then(|| {
            view! { <a class="button small" href="/sign-in" target="_blank" rel="noopener">"Sign in"</a> }
        })
    });
    view! {
        <span role="status" data-testid="save-state">
            <span class=move || state.get().class()>
                {move || state.get().glyph().map(|glyph| view! { <Icon glyph/> })}
                {move || state.get().words()}
            </span>
        </span>
        {sign_in}
    }
}

/// A name for a save that no other save has: 128 random bits.
pub(crate) fn new_save_key() -> SaveKey {
    let mut bits = [0_u8; 16];
    // Without it the key is all zeros, which the server refuses once it has seen it.
    if let Ok(crypto) = window().crypto() {
        drop(crypto.get_random_values_with_u8_array(&mut bits));
    }
    SaveKey(format!("{:032x}", u128::from_be_bytes(bits)))
}

/// How long to wait before the next try after so many failures: 1, 2, 4, and so on to 30 seconds.
pub(crate) fn retry_delay(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(5);
    Duration::from_secs((1 << doublings).min(30))
}

/// Waits before the next try; not longer than until the browser is on the network again.
pub(crate) async fn wait_to_retry(failures: u32) {
    let is_online = || window().navigator().on_line();
    let was_online = is_online();
    for _ in 0..retry_delay(failures).as_secs() {
        TimeoutFuture::new(1_000).await;
        if !was_online && is_online() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::Code;

    use super::*;

    #[test]
    fn tries_come_slower_but_never_stop() {
        let delays: Vec<_> = (1..=8).map(|failures| retry_delay(failures).as_secs()).collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 30, 30, 30]);
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let retrying = |error: Error| SaveState::retrying(&ApiError::App(error));
        assert_eq!(
            SaveState::retrying(&ApiError::Transport(String::new())),
            Some(SaveState::Offline)
        );
        assert_eq!(retrying(Error::SignInRequired), Some(SaveState::SignedOut));
        assert_eq!(
            retrying(Error::Internal { incident: "x".to_owned() }),
            Some(SaveState::Failing)
        );
        assert_eq!(retrying(Error::Busy), Some(SaveState::Failing));
        assert_eq!(retrying(Error::OutcomeUnknown), Some(SaveState::Failing));
        assert_eq!(retrying(Error::StorageFull), Some(SaveState::StorageFull));
        assert_eq!(retrying(Error::NotFound), None);
        assert_eq!(retrying(Code::Invalid.of("verdict", "changed")), None);
    }
}
