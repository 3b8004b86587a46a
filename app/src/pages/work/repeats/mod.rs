//! Silent repeats: what would be given to whom, and what was given so far.

mod batches;
mod preview;

use domain::{RepeatAsk, RepeatsView};

use self::{batches::Batches, preview::Preview};
use crate::pages::components::prelude::*;

#[component]
pub(crate) fn RepeatsPage() -> impl IntoView {
    let project = use_project_id();
    let ask = read_ask(in_query);
    let repeats = load_with(move |services, actor| async move {
        services::work::repeats::load(&services, &actor, project, ask).await
    });
    view! {
        <PageBody title="Repeats" class="page">
            <Lead line="Give labelers submitted documents again, and see how far they agree with themselves." about="repeats">
                <p>"A repeat is silent: in the labeler’s list it replaces the document, open and without spans, and nothing says what it is. The first version can no longer be opened and is what counts: repeats never enter the matrix, disagreements, reviews, the gold standard or a study export."</p>
                <p><small>"Krippendorff (2004) calls this stability, the weakest kind of reliability: people who disagree with themselves will not agree with others, but people who agree with themselves may repeat a mistake. Given too soon, people repeat what they remember."</small></p>
            </Lead>
            <Loaded resource=repeats titled=true view=move |repeats| {
                let RepeatsView { plan, batches } = repeats;
                view! {
                    <Preview project plan/>
                    <Batches project batches/>
                }
            }/>
        </PageBody>
    }
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
