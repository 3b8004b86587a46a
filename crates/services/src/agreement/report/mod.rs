//! The report: everything that is known of a project's agreement, in one file to keep, print and
//! send, with what somebody else needs to compute it again.

pub(crate) mod methods;
mod minority;
mod models;
pub(crate) mod study;
pub(crate) mod tables;

use std::{
    fmt::Write,
    sync::Arc,
    time::{Duration, Instant},
};

use domain::{
    Actor, AuditEvent, DocumentOrder, Error as Refusal, LabelOrder, ProjectId, RoundPoint, Sorting,
    Switches, TimeSwitches, base::policy::Action,
};
use formats::{Report, ReportBlock, ReportSection, report_html};
use live::{Narrowing, Tallies};
use sha2::{Digest, Sha256};

use super::{
    Seen, by_exact_position,
    matrix::{export::picture, steps::category_name},
    snapshot,
};
use crate::{
    Error, Result, Services,
    agreement::{breakdowns, over_time, own::consistency},
    base::export::{Export, record},
    base::{access::permit, categories::Categories, names::Names},
};

/// How long a report waits for intervals that are being computed.
const PATIENCE: Duration = Duration::from_secs(15);

/// The report under the given switches, as of now; with what was said on each position in dispute, if
/// minority judgements are to be kept. Everybody in it has a pseudonym then: a table with names beside would
/// tell who is in the minority.
pub async fn report(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
    keep_minority: bool,
) -> Result<Export> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewAgreement).await?;
    let ask = || snapshot(services, actor, project, switches);
    let snapshot = settled(ask, |snapshot| snapshot.pending() > 0).await?;
    let found = store::project::find(store, project).await?.ok_or(Refusal::NotFound)?;
    let mut names = Names::load(store, project, &access.member).await?;
    if keep_minority {
        names = names.under_pseudonyms();
    }
    let labels = Categories::of(store, project, switches).await?;
    let texts = store::document::hashes(store, project).await?;
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    let (rounds, of_all) = of_all_labelers(services, actor, project, switches).await?;

    let documents = texts.len();
    let exact = by_exact_position(services, project, (&tallies, switches)).await?;
    let judged = Arc::clone(&exact);
    let hash = tokio::task::spawn_blocking(move || data_hash(&texts, &judged))
        .await
        .map_err(Error::broken)?;
    let choices = labels.choices(switches.filter);
    let question = services.live.ask(project, switches);
    let seen = Seen { tallies: &tallies, labels: &choices, question: &question, switches };
    let pairs: Vec<_> = seen.pairs(names.raters()).collect();
    let name = |category: &_| category_name(category, &labels, switches.filter);
    let heat_map = picture(found.settings.name.clone(), names.raters(), &pairs, switches);
    let own = consistency::for_viewer(services, &access, project, switches, &labels).await?;
    let mut sections = vec![
        ReportSection {
            title: "Agreement by pair".to_owned(),
            blocks: vec![
                ReportBlock::Picture(heat_map),
                table("Every pair of raters", tables::pairs(&snapshot, names.raters())),
                table(
                    "Each rater against all others, counts pooled",
                    tables::pooled(&snapshot, names.raters()),
                ),
            ],
        },
        ReportSection {
            title: "All labelers together".to_owned(),
            blocks: vec![table("Measures of several raters", tables::several(&snapshot))],
        },
    ];
    let of_models = (project, names.raters());
    sections.extend(models::section(services, actor, of_models, switches).await?);
    sections.extend(of_all);
    sections.extend([
        ReportSection { title: "Methods".to_owned(), blocks: methods::of(switches) },
        ReportSection {
            title: "Counts".to_owned(),
            blocks: vec![
                ReportBlock::Text(
                    "From these every value above can be computed again: how often the first \
                     rater of a pair said the one and the second the other."
                        .to_owned(),
                ),
                table("Contingency tables", tables::counts(&pairs, name)),
            ],
        },
    ]);
    if let Some(themselves) = tables::themselves(names.raters(), &own) {
        let why = "Documents that were given to labelers a second time without a word about it: the \
                   first pass against the second, counted and measured as a pair of raters. Nothing \
                   else in this report, its hash included, takes in the second.";
        let blocks =
            vec![ReportBlock::Text(why.to_owned()), table("Each labeler’s two passes", themselves)];
        sections.insert(2, ReportSection { title: "Labelers with themselves".to_owned(), blocks });
    }
    if keep_minority {
        let said = (names.raters(), &*labels);
        sections.push(minority::section(services, &exact, said, switches.filter).await?);
    }
    let asked = labels.question();
    let report = Report {
        title: match asked {
            None => format!("Agreement of {}", found.settings.name),
            Some(question) => format!("Agreement of {} on {question}", found.settings.name),
        },
        facts: vec![
            fact("Made", services.clock.now().format("%Y-%m-%d %H:%M UTC")),
            fact("Revision of the work", tallies.revision),
            fact("Guidelines", format_args!("version {}", found.guidelines_version)),
            fact("Documents", documents),
            fact("Raters", names.raters().len()),
            fact(
                if asked.is_some() { "Choices" } else { "Labels" },
                labels.offered().iter().map(|l| l.name.as_str()).collect::<Vec<_>>().join(", "),
            ),
            fact("Measure", switches.measure),
            fact("Policy", switches.policy),
            fact("Documents that count", switches.counted_documents()),
            fact("Narrowed to", tables::filter(switches.filter, asked, &labels, &rounds)),
            fact("SHA-256 of the data", hash),
        ],
        sections,
    };
    let body = report_html(&report).into_bytes();
    record(services, &access, project, AuditEvent::ExportReport, pairs.len()).await?;
    Ok(Export {
        file_name: format!("agreement-{project}.html"),
        content_type: "text/html; charset=utf-8",
        body,
        losses: Vec::new(),
    })
}

/// What there is of all labelers at once, part by part, where positions can be of more than two raters; and the
/// rounds of the project.
async fn of_all_labelers(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<(Vec<RoundPoint>, Vec<ReportSection>)> {
    let Switches { policy, documents, filter, .. } = switches;
    let question = filter.question;
    let with_time = TimeSwitches { policy, documents, question, ..TimeSwitches::default() };
    if with_time.check().is_err() {
        let of_exact = over_time::load(services, actor, project, TimeSwitches::default()).await?;
        return Ok((of_exact.rounds, Vec::new()));
    }
    let over_time = over_time::load(services, actor, project, with_time).await?;
    let by_label = Sorting::<LabelOrder>::default();
    let of_labels = breakdowns::labels(services, actor, project, switches, by_label).await?;
    let by_document = Sorting::<DocumentOrder>::default();
    let of_documents =
        breakdowns::documents(services, actor, project, switches, by_document).await?;
    let (title, caption) = match question {
        None => ("Labels", "Each label against everything else, least reliable first"),
        Some(_) => ("Answers", "Each answer against everything else, least reliable first"),
    };
    let sections = vec![
        ReportSection {
            title: title.to_owned(),
            blocks: vec![table(caption, tables::labels(&of_labels))],
        },
        ReportSection {
            title: "Documents".to_owned(),
            blocks: vec![table(
                "The documents with the lowest agreement",
                tables::documents(&of_documents),
            )],
        },
        ReportSection {
            title: "Rounds and days".to_owned(),
            blocks: vec![
                table("Krippendorff’s α of all labelers, by round", tables::rounds(&over_time)),
                table("By the day on which the work was finished", tables::days(&over_time)),
            ],
        },
    ];
    Ok((over_time.rounds, sections))
}

pub(crate) fn table(caption: &str, (head, rows): tables::Table) -> ReportBlock {
    ReportBlock::Table { caption: caption.to_owned(), head, rows }
}

pub(crate) fn fact(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}

/// What is asked for again until nothing of it is being computed any more, unless that takes too long.
pub(crate) async fn settled<T, F: Future<Output = Result<T>>>(
    ask: impl Fn() -> F,
    is_pending: impl Fn(&T) -> bool,
) -> Result<T> {
    let begun = Instant::now();
    loop {
        let found = ask().await?;
        if !is_pending(&found) || begun.elapsed() > PATIENCE {
            return Ok(found);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// SHA-256 of everything that agreement is computed from: the documents' texts, and who judged
/// which position how. Two reports with the same hash rest on the same data.
pub(crate) fn data_hash(texts: &[(domain::DocumentId, String)], tallies: &Tallies) -> String {
    let mut hash = Sha256::new();
    for (document, text) in texts {
        hash.update(format!("document {document} {text}\n"));
    }
    for (document, work) in tallies.documents() {
        for (rater, work) in work {
            hash.update(format!("rater {document} {rater} {}\n", work.state));
            let mut line = String::new();
            for (range, labels) in &work.judgements {
                line.clear();
                let ids: Vec<_> = labels.iter().map(|label| label.to_string()).collect();
                // Writing to a string cannot fail.
                let _ = writeln!(line, "{} {} {}", range.start, range.end, ids.join(" "));
                hash.update(&line);
            }
        }
    }
    format!("{:x}", hash.finalize())
}
