//! Everything that is stored about a person, to take away.

use crate::pages::components::prelude::*;

/// The link to the file.
#[component]
pub(in crate::pages::account) fn OwnData(
    #[prop(into)] href: String,
    says: &'static str,
) -> impl IntoView {
    view! {
        <Section title_id="data-title" title="Personal data" class="card">
            <p>{says}</p>
            <p><a download="" rel="external" href=href>"Download as JSON"</a></p>
        </Section>
    }
}
