//! Whether a model may stand in for one of the labelers, in a sentence and in numbers.

use domain::{
    Measured, ModelDifference, ModelId, ModelScores, ModelScoresView, ModelVersion, OtherModel,
    PositionKind, ProjectId, Score, StandInBy, StandInComparison, StandInFor, StandInOfLabel,
    StandInView, Switches,
};

use super::use_switches;
use crate::pages::components::{
    agreement::{
        matrix::controls::{
            switch::{Choice, Switch},
            switch_bar::{measure_name, positions_name},
        },
        shares::percent,
    },
    prelude::*,
};

/// The model that the page's address names, beside the labelers.
#[component]
pub(crate) fn StandInPage() -> impl IntoView {
    let (project, model, switches) = (use_project_id(), in_path("model"), use_switches());
    let annotators = in_query("annotators").and_then(|it| it.parse().ok()).unwrap_or_default();
    let found = load_with(move |services, actor| async move {
        let (of, asked) = ((project, model), (switches, annotators));
        let tested = services::agreement::stand_in(&services, &actor, of, asked).await?;
        let scores = services::agreement::against_decisions(&services, &actor, of, switches);
        let versions = services::agreement::versions(&services, &actor, of, asked);
        Ok::<_, services::Error>((tested, scores.await?, versions.await?))
    });
    let back = (query::matrix_address(project, switches), "← Matrix");
    view! {
        <PageBody title="Stand-in" class="page agreement" back=back>
            <Loaded resource=found titled=true view=move |(found, scores, versions)| {
                let shown = (project, model, switches, annotators);
                let is_asked = found.question.is_some();
                view! { <StandIn found/> <Versions versions shown/> <Scores scores is_asked/> }
            }/>
        </PageBody>
    }
}

#[component]
fn StandIn(found: StandInView) -> impl IntoView {
    let StandInView { project, model, switches, annotators, by, question, whole, labels } = found;
    let words = Words::of(by);
    let address = {
        let id = model.id;
        move |switches, annotators| query::stand_in_address(project, id, switches, annotators)
    };
    let rows: Vec<_> = labels
        .into_iter()
        .map(|StandInOfLabel { label, test }| {
            let tested = test.tested();
            view! {
                <tr>
                    <th scope="row" dir="auto">{label.name}</th>
                    <td>{test.verdict()}</td>
                    <td class="number">{share(test.winning_rate)}</td>
                    <td class="number">{share(test.advantage)}</td>
                    <td class="number">{tested}</td>
                </tr>
            }
        })
        .collect();
    let beside: Vec<_> = whole.comparisons.iter().map(beside).collect();
    view! {
        <StandInBar switches annotators address/>
        {question.map(|asked| view! { <p class="soft">"Question: "<bdi>{asked}</bdi></p> })}
        <p class="sentence"><bdi>{model.title()}</bdi>" "{whole.words()}</p>
        {whole.is_thin().then(|| view! {
            <p class="notice">"Only two labelers could be tested: one opinion against another. Three are advised."</p>
        })}
        <Lead line="A model stands in where it represents the other labelers as well as a labeler does." about="standing in">
            <p>"One labeler after the other is left out: on each document, is the model more like all others, or is the labeler? The model wins against a labeler where it is shown to be worse on no more than a few documents; how few depends on who labelers are. It may stand in where it wins against half of them."</p>
            <p>{words.counted}</p>
            <p><small>{format!("Alternative annotator test (Calderon, Reichart and Dror 2025): {}, Student’s t, corrected after Benjamini and Yekutieli. Labelers with fewer than 30 documents are not tested; three labelers with 50 documents each are advised.", by.score())}</small></p>
        </Lead>
        {(!beside.is_empty()).then(|| view! {
            <Table label="Labelers" class="rows parts">
                <caption class="visually-hidden">"The model beside each labeler"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Labeler"</th>
                        <th scope="col" class="number">"Documents"</th>
                        <th scope="col" class="number">"Model as good or better"</th>
                        <th scope="col" class="number">"Labeler as good or better"</th>
                        <th scope="col" class="number">"Corrected p"</th>
                        <th scope="col">"Model"</th>
                    </tr>
                </thead>
                <tbody>{beside}</tbody>
            </Table>
        })}
        {(!rows.is_empty()).then(|| view! {
            <Section title_id="of-labels-title" title=words.by_label>
                <Table label=words.by_label class="rows parts">
                    <thead>
                        <tr>
                            <th scope="col">{words.label}</th>
                            <th scope="col">"May stand in"</th>
                            <th scope="col" class="number">"ω"</th>
                            <th scope="col" class="number">"ρ"</th>
                            <th scope="col" class="number">"Labelers tested"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </Table>
            </Section>
        })}
    }
}

/// What things are called where spans or answers are compared.
struct Words {
    label: &'static str,
    by_label: &'static str,
    counted: &'static str,
}

impl Words {
    const fn of(by: StandInBy) -> Self {
        match by {
            StandInBy::Spans => Self {
                label: "Label",
                by_label: "By label",
                counted: "Submitted documents count, in which anybody marked something; for a label, something of that label. Tests of labels are not corrected for their number.",
            },
            StandInBy::Choices | StandInBy::Sets | StandInBy::Numbers => Self {
                label: "Answer",
                by_label: "By answer",
                counted: "Submitted documents count, where the model and two labelers answered; for one answer, where anybody gave it, and whether it was given is compared. Of several answers in a document, the mean counts. Tests of answers are not corrected for their number.",
            },
        }
    }
}

/// All versions of the model, by time.
#[component]
fn Versions(
    versions: Vec<ModelVersion>,
    shown: (ProjectId, ModelId, Switches, StandInFor),
) -> impl IntoView {
    if versions.len() < 2 {
        return ().into_any();
    }
    let (.., switches, _) = shown;
    let rows: Vec<_> = versions.into_iter().map(|version| version_row(version, shown)).collect();
    view! {
        <Section title_id="versions-title" title="Versions">
            <Table labelled_by="versions-title" class="rows parts">
                <thead>
                    <tr>
                        <th scope="col">"Version"</th>
                        <th scope="col">"Made"</th>
                        <th scope="col" class="number">"Documents"</th>
                        <th scope="col" class="number">{format!("{} with labelers", measure_name(switches.measure))}</th>
                        <th scope="col" class="number">"F1, decided"</th>
                        <th scope="col" class="number">"ω"</th>
                        <th scope="col">"May stand in"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
            <p class="soft">"Versions may have different documents. 95 % intervals by document. Tests are not corrected for the number of versions."</p>
        </Section>
    }
    .into_any()
}

fn version_row(
    version: ModelVersion,
    (project, current, switches, annotators): (ProjectId, ModelId, Switches, StandInFor),
) -> AnyView {
    let ModelVersion { model, agreement, confidence, f1, stand_in } = version;
    let href = query::stand_in_address(project, model.id, switches, annotators);
    let is_current = (model.id == current).then_some("page");
    let measured = agreement.map(|it| it.measured);
    let has_value = measured.is_some_and(|it| matches!(it, Measured::Value { .. }));
    let interval =
        has_value.then(|| view! { <br/><small>{display::confidence(confidence)}</small> });
    view! {
        <tr>
            <th scope="row" dir="auto"><a href=href aria-current=is_current>{model.version.clone()}</a></th>
            <td class="time">{model.date().to_string()}</td>
            <td class="number">{display::thousands(model.documents)}</td>
            <td class="number">{measured.map_or_else(|| "–".to_owned(), display::coefficient)}{interval}</td>
            {scored(f1)}
            <td class="number">{share(stand_in.winning_rate)}</td>
            <td>{stand_in.verdict()}</td>
        </tr>
    }
    .into_any()
}

/// Precision, recall and F1 of the model against what reviewers decided, and against other models.
#[component]
fn Scores(scores: ModelScoresView, is_asked: bool) -> impl IntoView {
    let ModelScoresView { documents, whole, labels, others } = scores;
    let of = display::count(documents, "document");
    let (label, all) = if is_asked { ("Answer", "All answers") } else { ("Label", "All labels") };
    let counted = if is_asked {
        "An answer counts where a reviewer decided on one, a number where it is the same."
    } else {
        "Spans that no labeler marked are wrong here: reviewers decide on what labelers marked. Undecided positions count neither for nor against a model."
    };
    let decided = if is_asked { "answers" } else { "spans" };
    let rows: Vec<_> = std::iter::once((all.to_owned(), whole))
        .chain(labels.into_iter().map(|it| (it.label.name, it.scores)))
        .map(|(name, scores)| scores_row(name, &scores))
        .collect();
    let others: Vec<_> = others.into_iter().map(difference_row).collect();
    let table = (documents > 0).then(|| {
        view! {
            <Table label="Against decisions" class="rows parts">
                <thead>
                    <tr>
                        <th scope="col">{label}</th>
                        <th scope="col" class="number">"Precision"</th>
                        <th scope="col" class="number">"Recall"</th>
                        <th scope="col" class="number">"F1"</th>
                        <th scope="col" class="number">"In both"</th>
                        <th scope="col" class="number">"Decided"</th>
                        <th scope="col" class="number">"Model"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
        }
    });
    let differences = (!others.is_empty()).then(|| view! {
        <h3 id="differences-title">"Against other models"</h3>
        <Table labelled_by="differences-title" class="rows parts">
            <thead>
                <tr>
                    <th scope="col">"Model"</th>
                    <th scope="col" class="number">"F1, difference"</th>
                    <th scope="col" class="number">"p by document"</th>
                    <th scope="col" class="number">"Only this found"</th>
                    <th scope="col" class="number">"Only the other"</th>
                    <th scope="col" class="number">"p of recall"</th>
                    <th scope="col" class="number">"Documents"</th>
                </tr>
            </thead>
            <tbody>{others}</tbody>
        </Table>
        <p class="soft">{format!("By document: the two are exchanged in whole documents (Yeh 2000). Of recall: McNemar’s exact test on the {decided} that reviewers decided on, as if these were independent; it looks surer than it is where those of a document are alike. Not corrected for the number of models.")}</p>
    });
    view! {
        <Section title_id="decisions-title" title="Against reviewers’ decisions" class="stack">
            <p class="soft">{format!("{of} with a submitted review. {counted} 95 % intervals by document.")}</p>
            {table}
            {differences}
        </Section>
    }
}

fn scores_row(name: String, scores: &ModelScores) -> AnyView {
    let ModelScores { decided, found, matched, precision, recall, f1 } = *scores;
    view! {
        <tr>
            <th scope="row" dir="auto">{name}</th>
            {scored(precision)}
            {scored(recall)}
            {scored(f1)}
            <td class="number">{display::thousands(matched)}</td>
            <td class="number">{display::thousands(decided)}</td>
            <td class="number">{display::thousands(found)}</td>
        </tr>
    }
    .into_any()
}

/// A share with its interval.
fn scored(Score { value, confidence }: Score) -> AnyView {
    let interval = value.map(|_| view! { <br/><small>{display::confidence(confidence)}</small> });
    view! { <td class="number">{share(value)}{interval}</td> }
}

fn difference_row(OtherModel { model, difference }: OtherModel) -> AnyView {
    let ModelDifference { documents, f1, p_value, only_this, only_other, mcnemar } = difference;
    view! {
        <tr>
            <th scope="row"><bdi>{model.title()}</bdi></th>
            <td class="number">{share(f1)}</td>
            <td class="number">{display::p_value(p_value)}</td>
            <td class="number">{display::thousands(only_this)}</td>
            <td class="number">{display::thousands(only_other)}</td>
            <td class="number">{display::p_value(mcnemar)}</td>
            <td class="number">{display::thousands(documents)}</td>
        </tr>
    }
    .into_any()
}

/// Who labelers are, and how spans match where these are compared.
#[component]
fn StandInBar<F>(switches: Switches, annotators: StandInFor, address: F) -> impl IntoView
where
    F: Fn(Switches, StandInFor) -> String,
{
    let who = StandInFor::ALL.iter().map(|&wanted| Choice {
        name: annotators_name(wanted).into(),
        is_current: wanted == annotators,
        address: address(switches, wanted),
    });
    let is_overlap = switches.policy.positions() == PositionKind::Overlapping;
    let kinds = [PositionKind::Exact, PositionKind::Overlapping].map(|kind| Choice {
        name: positions_name(kind).into(),
        is_current: is_overlap == (kind == PositionKind::Overlapping),
        address: address(Switches { policy: switches.policy.by(kind), ..switches }, annotators),
    });
    view! {
        <section class="choice-bar" aria-label="What counts, and how">
            <Switch name="Labelers are" choices=who.collect() meaning="The less labelers cost, the less a model may be worse: by 0.1, 0.15 or 0.2 of the documents."/>
            {switches.filter.question.is_none().then(|| view! {
                <Switch name="Spans match" choices=kinds.into() meaning="By the same start and end, or where they overlap; the label is always the same."/>
            })}
        </section>
    }
}

const fn annotators_name(annotators: StandInFor) -> &'static str {
    match annotators {
        StandInFor::Crowd => "Anybody",
        StandInFor::Skilled => "Skilled",
        StandInFor::Experts => "Experts",
    }
}

fn share(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| display::decimals(share, 2))
}

fn beside(comparison: &StandInComparison) -> AnyView {
    let whole = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
    let word = comparison.verdict();
    let StandInComparison { labeler, documents, model, person, corrected, .. } = comparison.clone();
    view! {
        <tr>
            <th scope="row"><bdi>{labeler.name}</bdi></th>
            <td class="number">{display::thousands(documents)}</td>
            <td class="number">{whole(model)}</td>
            <td class="number">{whole(person)}</td>
            <td class="number">{display::p_value(corrected)}</td>
            <td>{word}</td>
        </tr>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_has_the_model_the_switches_and_who_labelers_are() {
        let address = query::stand_in_address(
            ProjectId(3),
            ModelId(4),
            Switches::default(),
            StandInFor::Experts,
        );
        assert!(address.starts_with("/projects/3/agreement/models/4?annotators=experts&measure="));
    }
}
