//! Models under the matrix: each against every labeler and reviewer, and against all labelers, in the order of
//! the matrix. They are no rows of it, and no part of what is averaged there.

use domain::{
    Filter, Measured, ModelCell, ModelPooled, ModelRow, ModelsView, PairCell, Role, ScaleChoice,
    StandInFor, Switches,
};

use super::{
    cell::texts,
    face::{face, in_short},
    pooled::pooled_name,
};
use crate::pages::components::prelude::*;

/// The models' band; nothing of a project without models.
#[component]
pub(crate) fn ModelsBand(models: ModelsView) -> impl IntoView {
    let ModelsView { project, switches, raters, rows, .. } = models;
    if rows.is_empty() {
        return ().into_any();
    }
    let heads = raters.iter().map(|rater| {
        let (name, title) = (rater.name.clone(), rater.name.clone());
        view! { <th scope="col" dir="auto" title=title><span class="name">{name}</span></th> }
    });
    let heads = heads.collect_view();
    // Of all labels or choices, rounds and documents, whatever the matrix is narrowed to.
    let filter = Filter::of_question(switches.filter.question);
    let switches = Switches { filter, ..switches };
    let rows = rows.iter().map(|row| {
        let href = query::stand_in_address(project, row.model.id, switches, StandInFor::default());
        model_row(row, href, switches.scale)
    });
    let rows = rows.collect_view();
    view! {
        <Section title_id="models-title" title="Models" class="stack">
            <Lead line="Each model against each person, on the documents it has work on." about="models">
                <p>"Models are no labelers: no number above counts them, and labelers are not shown them. A document that a model has work on counts as submitted by it."</p>
            </Lead>
            <div class="models-region" role="region" aria-labelledby="models-title" tabindex="0">
                <table class="matrix models">
                    <thead>
                        <tr>
                            <th scope="col">"Model"</th>
                            <th scope="col">"Version"</th>
                            {heads}
                            <th scope="col" class="pooled"><span class="name">{pooled_name(Role::Labeler)}</span></th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </Section>
    }
    .into_any()
}

fn model_row(row: &ModelRow, href: String, scale: ScaleChoice) -> AnyView {
    let (name, version) = (row.model.name.clone(), row.model.version.clone());
    let cells = row.cells.iter().map(|cell| cell_of(cell, scale)).collect_view();
    view! {
        <tr>
            <th scope="row" dir="auto" title=name.clone()><a class="name" href=href>{name.clone()}</a></th>
            <td dir="auto" class="version" title=version.clone()><span class="name">{version.clone()}</span></td>
            {cells}
            {pooled(row.pooled_with(Role::Labeler))}
        </tr>
    }
}

/// What the matrix would say in the cell of two people with this much in common.
fn cell_of(cell: &ModelCell, scale: ScaleChoice) -> AnyView {
    let ModelCell { rater, measured, confidence, n, coverage, documents } = *cell;
    // A face says nothing of who the two are.
    let pair =
        PairCell { first: rater, second: rater, measured, confidence, n, coverage, documents };
    let face = face(&pair, scale);
    let weak = if face.few.is_some() { " weak" } else { "" };
    let class = format!("cell pair {}{weak}", face.class);
    let (sentence, shown) = texts(face);
    view! { <td class=class title=sentence><div>{shown}</div></td> }
}

fn pooled(pooled: Option<&ModelPooled>) -> AnyView {
    let Some(ModelPooled { measured, n, .. }) = pooled.copied() else {
        return view! { <td class="cell pooled"></td> };
    };
    let basis = match measured {
        Measured::Value { .. } => format!("n={}", display::thousands(n)),
        Measured::Undefined(reason) => in_short(reason).to_owned(),
    };
    view! {
        <td class="cell pooled">
            <span class="value">{display::coefficient(measured)}</span>
            <span class="basis">{basis}</span>
        </td>
    }
}
