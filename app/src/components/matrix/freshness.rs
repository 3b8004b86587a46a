//! How fresh the numbers on screen are: live or not, when they last moved and by whose work.

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use domain::LastChange;
use leptos::prelude::*;

use crate::{display, live::Freshness, view::view};

/// The state of the stream in an icon and a word, and when the numbers last moved.
#[component]
pub(crate) fn FreshnessLine(
    freshness: Signal<Freshness>,
    last_change: Signal<Option<LastChange>>,
) -> impl IntoView {
    let now = use_now();
    view! {
        <div class="freshness">
            <p role="status" class=move || format!("badge {}", look(freshness.get()).2)>
                <span aria-hidden="true">{move || look(freshness.get()).0}</span>
                {move || look(freshness.get()).1}
            </p>
            <p class="updated soft">
                {move || match last_change.get() {
                    Some(LastChange { at, by }) => view! {
                        "Updated "
                        <time datetime=at.to_rfc3339_opts(SecondsFormat::Secs, true) title=display::time(at)>
                            {move || when(at, now.get())}
                        </time>
                        " by "<bdi>{by}</bdi>
                    },
                    None => "No recent change".into_any(),
                }}
            </p>
            {move || (freshness.get() == Freshness::Ended).then(|| view! {
                <p class="ended">
                    "These numbers no longer move: the session has ended, or you are no longer a member. "
                    <a href="/sign-in">"Sign in again"</a>
                </p>
            })}
        </div>
    }
}

/// Icon, words and class of a state.
const fn look(freshness: Freshness) -> (&'static str, &'static str, &'static str) {
    match freshness {
        Freshness::CatchingUp => ("◌", "Catching up", "accent"),
        Freshness::Live => ("●", "Live", "good"),
        Freshness::Offline => ("△", "Offline, trying again", "warn"),
        Freshness::Ended => ("■", "Ended", "danger"),
    }
}

/// How long ago, where there is a clock, and else when.
fn when(at: DateTime<Utc>, now: Option<DateTime<Utc>>) -> String {
    now.map_or_else(|| display::time(at), |now| display::ago((now - at).num_seconds()))
}

/// The browser's clock, read every second; none on the server and at the first paint, which must
/// be the same in both.
fn use_now() -> ReadSignal<Option<DateTime<Utc>>> {
    let (now, set_now) = signal(None);
    Effect::new(move |_| {
        let tick = move || {
            let text = String::from(js_sys::Date::new_0().to_iso_string());
            set_now.set(text.parse::<DateTime<Utc>>().ok());
        };
        tick();
        if let Ok(ticking) = set_interval_with_handle(tick, Duration::from_secs(1)) {
            on_cleanup(move || ticking.clear());
        }
    });
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_clock_the_time_itself_is_shown() {
        let at: DateTime<Utc> = "2026-11-21T14:05:30Z".parse().unwrap();
        assert_eq!(when(at, None), "2026-11-21 14:05 UTC");
        assert_eq!(when(at, Some(at + chrono::TimeDelta::seconds(12))), "12 s ago");
        assert_eq!(when(at, Some(at - chrono::TimeDelta::seconds(90))), "just now");
    }

    #[test]
    fn every_state_has_words_of_its_own() {
        let states = [Freshness::CatchingUp, Freshness::Live, Freshness::Offline, Freshness::Ended];
        let mut words: Vec<_> = states.map(|state| look(state).1).into();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), states.len());
    }
}
