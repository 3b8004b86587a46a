//! The quality statement: how a project was annotated and how good the outcome is, for the appendix of a
//! paper or for an audit.
//!
//! Its points are those that Klie, J.-C., Eckart de Castilho, R. and Gurevych, I. (2024), Analyzing dataset
//! annotation quality management in the wild, *Computational Linguistics* 50(3), 817–866, recommend to
//! report. Each is answered from the project's own rows, or marked as not recorded. People stand under
//! pseudonyms.

mod adjudication;
mod annotators;
mod facts;
mod limits;
mod validation;
mod words;

use std::sync::Arc;

use domain::{Actor, AuditEvent, Error as Refusal, ProjectId, TimeView, base::policy::Action};
use formats::{Report, ReportBlock, ReportSection, report_html};

use self::{
    facts::Facts,
    words::{not_recorded, or_none, points},
};
use crate::{
    Result, Services,
    agreement::{fact, table, tables},
    base::access::permit,
    base::export::{Export, record},
};

/// What a project has no rows for, and whoever reports on it has to add.
const TO_ADD: [&str; 6] = [
    "How annotators were recruited; their background, languages and expertise",
    "What they were paid, and their working conditions",
    "Qualification tests and training outside of the rounds above",
    "Consent, and review by an ethics board",
    "Where the documents come from, and how they were chosen",
    "The licence of texts and annotations",
];

/// The statement as of now; for managers, who know of everything that it is about.
pub async fn quality(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Export> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ManageProject).await?;
    let found = store::project::find(store, project).await?.ok_or(Refusal::NotFound)?;
    let facts = facts::load(services, actor, &access, project).await?;
    let counted = &facts.counted;
    let labels: Vec<_> = facts.labels.iter().map(|label| label.name.as_str()).collect();
    let report = Report {
        title: format!("Annotation quality of {}", found.settings.name),
        facts: vec![
            fact("Made", services.clock.now().format("%Y-%m-%d %H:%M UTC")),
            fact("Revision of the work", counted.revision),
            fact("Documents", counted.documents),
            fact("Labels", labels.join(", ")),
            fact("SHA-256 of the data", &counted.hash),
        ],
        sections: vec![
            section("Annotators", counted.annotators.blocks(&facts.raters)),
            section("Guidelines and training", training(&facts.over_time)),
            section("Agreement before adjudication", agreement(&facts)),
            section(
                "Adjudication",
                adjudication::blocks(
                    counted.decisions,
                    &facts.gold,
                    &facts.with_reviewers,
                    &facts.raters,
                ),
            ),
            section("Validation", counted.validation.blocks()),
            section("Known limits", vec![ReportBlock::List(limits::of(&facts))]),
            section(
                "Not recorded",
                vec![
                    ReportBlock::Text("The project has no rows for these points:".to_owned()),
                    ReportBlock::List(TO_ADD.map(str::to_owned).into()),
                ],
            ),
        ],
    };
    record(services, &access, project, AuditEvent::ExportReport, counted.documents).await?;
    Ok(Export {
        file_name: format!("quality-{project}.html"),
        content_type: "text/html; charset=utf-8",
        body: report_html(&report).into_bytes(),
        losses: Vec::new(),
    })
}

fn section(title: &str, blocks: Vec<ReportBlock>) -> ReportSection {
    ReportSection { title: title.to_owned(), blocks }
}

fn training(over_time: &TimeView) -> Vec<ReportBlock> {
    let versions = over_time.versions.iter().rev();
    let versions = versions.map(|version| {
        format!("version {} of {}", version.number, version.created_at.date_naive())
    });
    let change = over_time.rounds.iter().rev().find_map(|point| point.change);
    let change = change.map(|change| {
        let interval = tables::interval(change.confidence);
        format!("{:+.4} since round {} (95 % interval {interval})", change.by, change.since)
    });
    let notes = over_time.rounds.iter().filter(|point| !point.round.note.is_empty());
    let notes = notes.map(|point| format!("{}: {}", point.round.name(), point.round.note));
    vec![
        points(
            "Guidelines and rounds",
            [
                ("Versions of the guidelines", or_none(versions.collect())),
                ("Rounds", over_time.rounds.len().to_string()),
                ("Why rounds were started", not_recorded(notes.collect())),
                ("Last change of α between rounds", change.unwrap_or_else(|| "none".to_owned())),
            ],
        ),
        table("Krippendorff’s α of all labelers, by round", tables::rounds(over_time)),
    ]
}

fn agreement(facts: &Facts) -> Vec<ReportBlock> {
    let mut rows = Vec::new();
    for number in &facts.headlines.numbers {
        rows.push(vec![
            number.policy.called().to_owned(),
            tables::value(number.measured),
            tables::interval(number.confidence),
            number.n.to_string(),
            number.documents.to_string(),
        ]);
    }
    let heads = ["Compared", "α", "95 % interval", "Positions", "Documents"];
    let of_all = (tables::heads(heads), rows);
    let mut blocks = vec![
        table("Krippendorff’s α of all labelers, submitted documents", of_all),
        table("Each label against everything else", tables::labels(&facts.parts)),
    ];
    match tables::themselves(&facts.raters, &facts.own) {
        Some(themselves) => blocks.push(table("Labelers with themselves", themselves)),
        None => blocks.push(points(
            "Labelers with themselves",
            [("Documents labeled twice by the same person", "none".to_owned())],
        )),
    }
    blocks
}
