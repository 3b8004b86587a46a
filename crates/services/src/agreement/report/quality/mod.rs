//! The quality statement: how a project was annotated and how good the outcome is, for the appendix of a
//! paper or for an audit.
//!
//! Its points are those that Klie, J.-C., Eckart de Castilho, R. and Gurevych, I. (2024), Analyzing dataset
//! annotation quality management in the wild, *Computational Linguistics* 50(3), 817–866, recommend to
//! report. Each is answered from the project's own rows, or marked as not recorded. People stand under
//! pseudonyms.

mod adjudication;
mod annotators;
mod limits;
mod validation;

use std::{collections::BTreeMap, sync::Arc};

use self::{
    adjudication::Decisions,
    annotators::Annotators,
    validation::{Drawn, Validation},
};
use super::{data_hash, fact, settled, table, tables};
use crate::{
    Error, Result, Services,
    agreement::{
        breakdowns, headlines, over_time,
        own::consistency::{self, Themselves},
    },
    base::export::{Export, record},
    base::{
        access::{Access, permit},
        names::Names,
    },
    review::{gold, quorum::Quorums},
};
use domain::{
    Actor, AuditEvent, Confidence, Documents, Error as Refusal, GoldList, GoldQuery, Headlines,
    Label, LabelOrder, LabelParts, Measured, MemberId, PolicyChoice, ProjectId, Rater, Revision,
    Sorting, Switches, TimeSubject, TimeSwitches, TimeView, base::policy::Action,
};
use formats::{Report, ReportBlock, ReportSection, report_html};

const NOT_RECORDED: &str = "not recorded";

/// What a project has no rows for, and whoever reports on it has to add.
const TO_ADD: [&str; 6] = [
    "How annotators were recruited; their background, languages and expertise",
    "What they were paid, and their working conditions",
    "Qualification tests and training outside of the rounds above",
    "Consent, and review by an ethics board",
    "Where the documents come from, and how they were chosen",
    "The licence of texts and annotations",
];

/// All that the statement rests on.
struct Facts {
    /// Under pseudonyms.
    raters: Vec<Rater>,
    labels: Vec<Label>,
    headlines: Headlines,
    parts: LabelParts,
    over_time: TimeView,
    with_reviewers: TimeView,
    own: Arc<BTreeMap<MemberId, Themselves>>,
    gold: GoldList,
    offers_suggestions: bool,
    counted: Counted,
}

/// What is counted of the work itself.
struct Counted {
    revision: Revision,
    documents: usize,
    /// SHA-256 of all data.
    hash: String,
    annotators: Annotators,
    decisions: Decisions,
    validation: Validation,
}

/// The statement as of now; for managers, who know of everything that it is about.
pub async fn quality(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Export> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ManageProject).await?;
    let found = store::project::find(store, project).await?.ok_or(Refusal::NotFound)?;
    let facts = facts(services, actor, &access, project).await?;
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
            section("Adjudication", adjudication::blocks(&facts)),
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

async fn facts(
    services: &Arc<Services>,
    actor: &Actor,
    access: &Access,
    project: ProjectId,
) -> Result<Facts> {
    let store = &services.store;
    let switches = Switches {
        documents: Documents::Submitted,
        policy: PolicyChoice::EmptyLabel,
        ..Switches::default()
    };
    let ask = || headlines(services, actor, project, switches);
    let headlines = settled(ask, Headlines::is_pending).await?;
    let by_label = Sorting::<LabelOrder>::default();
    let ask = || breakdowns::labels(services, actor, project, switches, by_label);
    let parts =
        settled(ask, |parts| parts.rows.iter().any(|part| part.confidence == Confidence::Pending));
    let parts = parts.await?;
    let of_rounds = TimeSwitches {
        documents: switches.documents,
        policy: switches.policy,
        ..TimeSwitches::default()
    };
    let of_decisions = TimeSwitches { subject: TimeSubject::Reviewers, ..of_rounds };
    let labels = store::project::labels::list(store, project).await?;
    let raters = Names::load(store, project, &access.member).await?.raters().to_vec();
    let suggestions = store::work::suggestions::settings(store, project).await?;
    Ok(Facts {
        over_time: over_time::load(services, actor, project, of_rounds).await?,
        with_reviewers: over_time::load(services, actor, project, of_decisions).await?,
        own: consistency::for_viewer(services, access, project, switches, &labels).await?,
        gold: gold::list(services, actor, project, GoldQuery::default()).await?,
        offers_suggestions: suggestions.is_some_and(|settings| settings.agreed),
        raters: annotators::under_pseudonyms(raters),
        counted: counted(services, project).await?,
        labels,
        headlines,
        parts,
    })
}

async fn counted(services: &Arc<Services>, project: ProjectId) -> Result<Counted> {
    let texts = store::document::hashes(&services.store, project).await?;
    let drawn = Drawn::load(services, project).await?;
    let quorums = Quorums::load(services, project).await?;
    let tallies = services.live.read(project).await?;
    let count = move || Counted {
        revision: tallies.revision,
        documents: texts.len(),
        hash: data_hash(&texts, &tallies),
        annotators: Annotators::of(&tallies),
        decisions: Decisions::of(&tallies),
        validation: Validation::of(drawn, &tallies, &quorums),
    };
    tokio::task::spawn_blocking(count).await.map_err(Error::broken)
}

fn section(title: &str, blocks: Vec<ReportBlock>) -> ReportSection {
    ReportSection { title: title.to_owned(), blocks }
}

/// A table of points and their answers.
fn points<const N: usize>(caption: &str, points: [(&str, String); N]) -> ReportBlock {
    let rows = points.map(|(point, answer)| vec![point.to_owned(), answer]).into();
    table(caption, (vec!["Point".to_owned(), "Answer".to_owned()], rows))
}

/// A value with its interval.
fn with_interval(measured: Measured, confidence: Confidence) -> String {
    match measured {
        Measured::Value { .. } => {
            format!("{} (95 % interval {})", tables::value(measured), tables::interval(confidence))
        }
        Measured::Undefined(_) => tables::value(measured),
    }
}

/// Of a list, or that there is nothing.
fn or_none(words: Vec<String>) -> String {
    if words.is_empty() { "none".to_owned() } else { words.join("; ") }
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

fn not_recorded(words: Vec<String>) -> String {
    if words.is_empty() { NOT_RECORDED.to_owned() } else { words.join("; ") }
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
    let of_all = (heads.map(str::to_owned).into(), rows);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_wrote_is_not_recorded_and_what_there_is_none_of_is_none() {
        assert_eq!(not_recorded(Vec::new()), "not recorded");
        assert_eq!(or_none(Vec::new()), "none");
        assert_eq!(or_none(vec!["a".to_owned(), "b".to_owned()]), "a; b");
    }
}
