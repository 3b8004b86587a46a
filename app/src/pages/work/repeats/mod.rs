//! Silent repeats: what would be given to whom, and what was given so far.

mod batches;
mod preview;

use domain::{ProjectId, RepeatAsk, RepeatsView};
use leptos::prelude::*;
use leptos_meta::Title;

use self::{batches::Batches, preview::Preview};
use crate::{
    ApiError,
    context::{answer, request},
    loading::load,
    pages::{base::address::in_query, components::loaded::Loaded, project::use_project_id},
    view::view,
};

#[component]
pub(crate) fn RepeatsPage() -> impl IntoView {
    let project = use_project_id();
    let repeats = load(load_repeats(project, read_ask(in_query)));
    view! {
        <Title text="Repeats"/>
        <div class="page">
            <h1>"Repeats"</h1>
            <p class="how">
                "Give labelers documents back that they have submitted, and see how far they agree with themselves. "
                "A repeat is silent: in the labeler’s list it stands in the place of the document, open and without a mark, and nothing says what it is. What they did the first time they cannot open any more, and it stays what counts: no repeat enters the matrix, the disagreements, reviews, the gold standard or an export of the study. "
                <small>"Krippendorff (2004) calls this stability, the weakest kind of reliability: who does not agree with themselves will not agree with others, but who does may make the same mistake twice. Too soon after the first time, people repeat what they remember."</small>
            </p>
            <Loaded resource=repeats titled=true view=move |repeats| {
                let RepeatsView { plan, batches } = repeats;
                view! {
                    <Preview project plan/>
                    <Batches project batches/>
                }
            }/>
        </div>
    }
}

async fn load_repeats(project: ProjectId, ask: RepeatAsk) -> Result<RepeatsView, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::repeats::load(&services, &actor, project, ask).await)
}

/// What the address asks for; what it does not say, or not in range, is as usual.
fn read_ask(field: impl Fn(&str) -> Option<String>) -> RepeatAsk {
    let number = |name| field(name).and_then(|text| text.trim().parse().ok());
    let usual = RepeatAsk::default();
    let documents = number("documents").unwrap_or(usual.documents);
    let days = number("days").unwrap_or(usual.days);
    let asked = |ask: RepeatAsk| ask.checked().ok();
    asked(RepeatAsk { documents, days }).unwrap_or(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_asks_for_what_there_is_not_asks_for_the_usual() {
        let ask = |documents: &str, days: &str| {
            let fields = [("documents", documents.to_owned()), ("days", days.to_owned())];
            read_ask(move |name| {
                fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value.clone())
            })
        };
        assert_eq!(ask("3", "0"), RepeatAsk { documents: 3, days: 0 });
        assert_eq!(ask("three", "1"), RepeatAsk { days: 1, ..RepeatAsk::default() });
        assert_eq!(ask("0", "1"), RepeatAsk::default());
        assert_eq!(read_ask(|_| None), RepeatAsk::default());
    }
}
