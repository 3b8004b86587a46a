//! What can be otherwise: a form whose state is the page's address.

use domain::{Label, ProjectId, Rater, Switches};
use whatif::{FURTHEST, Scenario};

use crate::{
    pages::components::prelude::*,
    query::{hidden_fields, what_if_address},
};

/// Labels to merge, raters to leave out, how exact boundaries are, and the reviewers' decisions.
#[component]
pub(super) fn Controls(
    project: ProjectId,
    switches: Switches,
    raters: Vec<Rater>,
    labels: Vec<Label>,
    scenario: Scenario,
) -> impl IntoView {
    let unchanged = what_if_address(project, switches, &Scenario::default());
    let action = unchanged.split_once('?').map_or("", |(path, _)| path).to_owned();
    let kept = hidden_fields(&unchanged, &[]);
    let is_changed = scenario != Scenario::default();
    let left_out = raters.iter().map(|rater| {
        let is_out = u64::try_from(rater.id.0).is_ok_and(|id| scenario.without.contains(&id));
        check("without", rater.id.0, is_out, &rater.name)
    });
    let groups = groups(&scenario, &labels);
    let too_few = groups.is_empty().then(|| {
        view! { <p class="hint">"Only one label: nothing to merge."</p> }
    });
    let groups = groups.into_iter().map(|group| view! { <Group group/> });
    view! {
        <form class="what-if-form" method="get" action=action aria-label="Changes" data-instant="">
            {kept}
            <Section title_id="merge-title" title="Merge labels" class="card stack">
                {too_few}
                {groups.collect_view()}
            </Section>
            <fieldset class="card">
                <legend>"Leave people out"</legend>
                <ul class="plain-list choices">{left_out.collect_view()}</ul>
            </fieldset>
            <div class="card stack">
                <div class="field">
                    <label for="relax">"Relax boundaries by"</label>
                    <p class="row">
                        <input
                            id="relax"
                            class="short"
                            type="number"
                            name="relax"
                            min="0"
                            max=FURTHEST.to_string()
                            value=scenario.within.to_string()
                            aria-describedby="relax-hint"
                        />
                        "characters"
                    </p>
                    <p class="hint" id="relax-hint">"0: exact. 2: spans match if starts and ends each differ by at most 2 characters."</p>
                </div>
                <div class="field">
                    <label class="check">
                        <input type="checkbox" name="decisions" value="given" checked=scenario.decisions aria-describedby="decisions-hint"/>
                        "Follow reviewer decisions"
                    </label>
                    <p class="hint" id="decisions-hint">"Labelers count as saying what the reviewer decided."</p>
                </div>
                <div class="actions">
                    {is_changed.then(|| view! { <a class="button small" href=unchanged data-noscroll="">"Undo all changes"</a> })}
                    <button class="small send">"Predict"</button>
                </div>
            </div>
        </form>
    }
}

/// A set of labels that are taken as one.
struct MergeGroup {
    number: u64,
    /// Those that are not in another group, and whether they are in this one.
    labels: Vec<(Label, bool)>,
}

/// The groups that have labels, and one more for as long as two labels are left for it.
fn groups(scenario: &Scenario, labels: &[Label]) -> Vec<MergeGroup> {
    let group_of = |label: &Label| {
        let own = scenario.merged.iter().find(|(_, id)| i64::try_from(*id) == Ok(label.id.0));
        own.map(|(group, _)| *group)
    };
    let mut numbers: Vec<u64> = labels.iter().filter_map(group_of).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let free = labels.iter().filter(|label| group_of(label).is_none()).count();
    let is_short =
        |number: &u64| labels.iter().filter(|label| group_of(label) == Some(*number)).count() < 2;
    // While a group waits for its second label nobody needs the next one.
    if free >= 2 && !numbers.iter().any(is_short) {
        numbers.push(numbers.iter().max().unwrap_or(&0) + 1);
    }
    let group = |number| MergeGroup {
        number,
        labels: labels
            .iter()
            .filter(|label| group_of(label).is_none_or(|own| own == number))
            .map(|label| (label.clone(), group_of(label) == Some(number)))
            .collect(),
    };
    numbers.into_iter().map(group).collect()
}

#[component]
fn Group(group: MergeGroup) -> impl IntoView {
    let MergeGroup { number, labels } = group;
    let chosen = labels.iter().filter(|(_, is_in)| *is_in).count();
    let hint = match chosen {
        0 => "Choose two or more labels to merge.",
        1 => "Choose at least one more label.",
        _ => "Counted as one label.",
    };
    let name = format!("merge{number}");
    let boxes = labels.iter().map(|(label, is_in)| check(&name, label.id.0, *is_in, &label.name));
    view! {
        <fieldset>
            <legend>{format!("Group {number}")}</legend>
            <ul class="plain-list choices">{boxes.collect_view()}</ul>
            <p class="hint">{hint}</p>
        </fieldset>
    }
}

fn check(name: &str, id: i64, checked: bool, text: &str) -> AnyView {
    let (name, text) = (name.to_owned(), text.to_owned());
    view! {
        <li>
            <label class="check">
                <input type="checkbox" name=name value=id.to_string() checked=checked/>
                <bdi>{text}</bdi>
            </label>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use domain::{LabelId, NewLabel};

    use super::*;

    fn shown(scenario: &str, labels: i64) -> Vec<(u64, Vec<(i64, bool)>)> {
        let label = |id: i64| {
            let NewLabel { name, colour, hotkey } = NewLabel::numbered(id.to_string(), 0);
            Label { id: LabelId(id), name, colour, hotkey }
        };
        let labels: Vec<_> = (1..=labels).map(label).collect();
        let groups = groups(&Scenario::of_query(scenario), &labels).into_iter();
        let of_group = |group: MergeGroup| {
            let labels = group.labels.into_iter().map(|(label, is_in)| (label.id.0, is_in));
            (group.number, labels.collect())
        };
        groups.map(of_group).collect()
    }

    #[test]
    fn a_group_is_offered_for_as_long_as_two_labels_are_left_for_it() {
        assert_eq!(shown("", 1), []);
        assert_eq!(shown("", 2), [(1, vec![(1, false), (2, false)])]);
        let one = (1, vec![(1, true), (2, false), (3, false), (4, false)]);
        assert_eq!(shown("merge1=1", 4), [one]);
        let two = (1, vec![(1, true), (2, false), (3, true), (4, false)]);
        assert_eq!(shown("merge1=1&merge1=3", 4), [two, (2, vec![(2, false), (4, false)])]);
        let first = (1, vec![(1, true), (3, true)]);
        let second = (2, vec![(2, true), (4, true)]);
        assert_eq!(shown("merge1=1&merge1=3&merge2=2&merge2=4", 4), [first, second]);
    }
}
