//! Who, what and when: a form whose state is the page's address.

use domain::{AuditEvent, AuditQuery, UserId};

use super::{query::Trail, rows::sentence};
use crate::pages::components::{form::choice::Choice, prelude::*};

#[component]
pub(super) fn Filters(
    trail: Trail,
    query: AuditQuery,
    people: Vec<(UserId, String)>,
) -> impl IntoView {
    let people = people.into_iter().map(|(id, name)| (id.to_string(), name)).collect();
    let events = AuditEvent::ALL.iter().map(|event| {
        let name = event.name();
        (name.to_owned(), sentence(name))
    });
    let who = query.who.map(|who| who.to_string()).unwrap_or_default();
    let event = query.event.map(|event| event.name().to_owned()).unwrap_or_default();
    let day = |name: &'static str, text: &'static str, day: Option<chrono::NaiveDate>| {
        let id = format!("filter-{name}");
        let value = day.map(|day| day.to_string());
        view! {
            <div class="field">
                <label for=id.clone()>{text}</label>
                <input id=id name=name type="date" value=value/>
            </div>
        }
    };
    let is_filtered = query.who.is_some()
        || query.event.is_some()
        || query.since.is_some()
        || query.until.is_some();
    let clear = is_filtered
        .then(|| view! { <a class="button small quiet" href=trail.path()>"Clear filters"</a> });
    view! {
        <form class="filters" method="get" action=trail.path() aria-label="Filters" data-instant="">
            <Choice name="who" text="Who" any="everybody" choices=people chosen=who/>
            <Choice name="event" text="What" any="everything" choices=events.collect() chosen=event/>
            {day("since", "From (UTC)", query.since)}
            {day("until", "To (UTC)", query.until)}
            <div class="actions">
                {clear}
                <button class="small send">"Apply"</button>
            </div>
        </form>
    }
}
