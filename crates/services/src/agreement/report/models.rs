//! The models of a report: beside the labelers, and against what reviewers decided.

use std::sync::Arc;

use domain::{
    Actor, Model, ModelRow, ModelScores, PositionKind, ProjectId, Rater, Role, Score, StandInFor,
    StandInOfLabel, StandInTest, StandInView, Switches, wording,
};
use formats::{ReportBlock, ReportSection};

use super::{
    table,
    tables::{Table, heads, interval, value},
};
use crate::{
    Result, Services,
    agreement::matrix::models::{Beside, gold, models, stand_in},
};

/// The models that have work in the project, under the names of these raters; none without any.
pub(super) async fn section(
    services: &Arc<Services>,
    actor: &Actor,
    (project, raters): (ProjectId, &[Rater]),
    switches: Switches,
) -> Result<Option<ReportSection>> {
    let mut rows = models(services, actor, project, switches).await?.rows;
    rows.retain(|row| row.model.documents > 0);
    if rows.is_empty() {
        return Ok(None);
    }
    let annotators = StandInFor::default();
    let is_asked = switches.filter.question.is_some();
    let (label, all) = if is_asked { ("Answer", "All answers") } else { ("Label", "All labels") };
    let beside = Beside::load(services, project, switches).await?;
    let (mut tests, mut scores) = (Vec::new(), Vec::new());
    for ModelRow { model, .. } in &rows {
        let of = (model.clone(), raters);
        tests.push(stand_in::beside_labelers(services, &beside, of, annotators).await?);
        let found = gold::with_others(services, &beside, (model, Vec::new())).await?;
        let labels = found.labels.into_iter().map(|it| (it.label.name, it.scores));
        let of_model = std::iter::once((all.to_owned(), found.whole)).chain(labels);
        scores.extend(of_model.map(|(label, scores)| against(model, label, &scores)));
    }
    let mut blocks = vec![table("Each model against people, counts pooled", pooled(&rows))];
    for StandInView { model, whole, .. } in &tests {
        blocks.push(ReportBlock::Text(format!("{} {}", model.title(), whole.words())));
    }
    let margin = stand_in::margin(annotators);
    let score = tests.first().map_or("", |test| test.by.score());
    let matched = match switches.policy.positions() {
        _ if is_asked => "Of a document with several answers, the mean counts.",
        PositionKind::Overlapping => "Spans match where they overlap and have the same label.",
        PositionKind::Exact | PositionKind::Tokens => {
            "Spans match with the same start, end and label."
        }
    };
    blocks
        .push(table("Whether a model may stand in for a labeler", verdicts(&tests, (label, all))));
    blocks.push(table("Each model beside each labeler", comparisons(&tests)));
    blocks.push(ReportBlock::Text(format!(
        "Alternative annotator test (Calderon, Reichart and Dror 2025): {score}, Student’s t, corrected \
         after Benjamini and Yekutieli; a model may be worse on {margin} of the documents, the margin for labelers who \
         are not trained. Tests of one {} are not corrected for their number. {matched}",
        label.to_lowercase()
    )));
    let head = ["Model", label, "Precision", "Recall", "F1", "In both", "Decided", "Model’s"];
    blocks.push(table("Against what reviewers decided", (heads(head), scores)));
    let counted = if is_asked {
        "An answer counts where a reviewer decided on one."
    } else {
        "Spans that no labeler marked are wrong: reviewers decide on what labelers marked. Undecided positions count \
         neither for nor against a model."
    };
    blocks.push(ReportBlock::Text(format!(
        "In documents with a submitted review, with 95 % intervals by document. {counted}"
    )));
    let source = "Calderon, N., Reichart, R., & Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: How to \
                  statistically justify replacing human annotators with LLMs. Proceedings of ACL.";
    blocks.push(ReportBlock::List(vec![source.to_owned()]));
    Ok(Some(ReportSection { title: "Models".to_owned(), blocks }))
}

fn pooled(rows: &[ModelRow]) -> Table {
    let row = |row: &ModelRow| {
        let with = |role: Role| match row.pooled_with(role) {
            Some(pooled) => [value(pooled.measured), pooled.n.to_string()],
            None => ["–", "–"].map(str::to_owned),
        };
        let model = &row.model;
        let documents = model.documents.to_string();
        let about = [model.title(), model.prompt_hash.clone(), documents];
        let values = [Role::Labeler, Role::Reviewer].map(with);
        about.into_iter().chain(values.into_iter().flatten()).collect()
    };
    let head = ["Model", "Prompt", "Documents", "All labelers", "n", "All reviewers", "n"];
    (heads(head), rows.iter().map(row).collect())
}

fn verdicts(tests: &[StandInView], (label, all): (&str, &str)) -> Table {
    let row = |model: &Model, of: &str, test: &StandInTest| {
        vec![
            model.title(),
            of.to_owned(),
            test.verdict().to_owned(),
            share(test.winning_rate),
            share(test.advantage),
            test.tested().to_string(),
        ]
    };
    let rows = tests.iter().flat_map(|StandInView { model, whole, labels, .. }| {
        let of_label = |it: &StandInOfLabel| row(model, &it.label.name, &it.test);
        std::iter::once(row(model, all, whole))
            .chain(labels.iter().map(of_label))
            .collect::<Vec<_>>()
    });
    let head = ["Model", label, "May stand in", "ω", "ρ", "Labelers tested"];
    (heads(head), rows.collect())
}

fn comparisons(tests: &[StandInView]) -> Table {
    let rows = tests.iter().flat_map(|StandInView { model, whole, .. }| {
        whole.comparisons.iter().map(|it| {
            vec![
                model.title(),
                it.labeler.name.clone(),
                it.documents.to_string(),
                share(it.model),
                share(it.person),
                wording::p_value(it.corrected),
                it.verdict().to_owned(),
            ]
        })
    });
    let head = [
        "Model",
        "Labeler",
        "Documents",
        "Model as good or better",
        "Labeler as good or better",
        "Corrected p",
        "Outcome",
    ];
    (heads(head), rows.collect())
}

fn against(model: &Model, label: String, scores: &ModelScores) -> Vec<String> {
    let ModelScores { decided, found, matched, precision, recall, f1 } = *scores;
    let score = |Score { value, confidence }: Score| match value {
        None => "–".to_owned(),
        Some(_) => format!("{} ({})", share(value), interval(confidence)),
    };
    let shares = [precision, recall, f1].map(score);
    let counts = [matched, decided, found].map(|count| count.to_string());
    [model.title(), label].into_iter().chain(shares).chain(counts).collect()
}

fn share(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{share:.4}"))
}
