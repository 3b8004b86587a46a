//! The matrix as a file, with every count behind it, so that anybody can compute it again.

use std::{collections::BTreeMap, sync::Arc};

use agreement::{
    Contingency,
    scales::{self, Scale},
};
use domain::{
    Actor, AuditEvent, Confidence, DocumentId, LabelSet, Measured, PairCell, PositionKind,
    ProjectId, Rater, ScaleChoice, Switches,
    base::{policy::Action, text::token_rules},
};
use formats::{AgreementRow, HeatCell, HeatMap, write_agreement_header, write_agreement_row};
use live::{LabelChoices, Narrowing, RESAMPLES, Subject, seed};
use serde_json::{Value, json};

use super::{several::several, steps::category_name};
use crate::agreement::{Pair, Seen, by_exact_position};
use crate::{
    Error, Result, Services,
    agreement::own::consistency::{self, Themselves},
    base::export::{Export, record},
    base::{access::permit, categories::Categories, names::Names},
};

/// The form of an exported matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixFormat {
    /// A row for each cell of each pair's table.
    Csv,
    /// The same, with the counts of each document.
    Json,
    /// A picture.
    Svg,
}

/// The matrix under the given switches, with the counts of every pair.
pub async fn export(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
    format: MatrixFormat,
) -> Result<Export> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let question = services.live.ask(project, switches);
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = Categories::of(&services.store, project, switches).await?;
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    let exact = by_exact_position(services, project, (&tallies, switches)).await?;
    let choices = Arc::new(labels.choices(switches.filter));
    let seen = Seen { tallies: &tallies, labels: &choices, question: &question, switches };
    let pairs: Vec<_> = seen.pairs(names.raters()).collect();
    let name = |category: &LabelSet| category_name(category, &labels, switches.filter);
    let count = pairs.len();
    let (extension, content_type, body) = match format {
        MatrixFormat::Csv => {
            ("csv", "text/csv; charset=utf-8", csv(&pairs, &choices, switches, name)?)
        }
        MatrixFormat::Svg => {
            let found = store::project::find(&services.store, project).await?;
            let title = found.map(|found| found.settings.name).unwrap_or_default();
            let picture = picture(title, names.raters(), &pairs, switches);
            ("svg", "image/svg+xml", formats::heat_map_svg(&picture).into_bytes())
        }
        MatrixFormat::Json => {
            let by_token = switches.policy.positions() == PositionKind::Tokens;
            let mut exported = Vec::with_capacity(count);
            for pair in &pairs {
                exported.push(exported_pair(&seen, project, pair, name));
                tokio::task::yield_now().await;
            }
            let own =
                consistency::for_viewer(services, &access, project, switches, &labels).await?;
            let own: Vec<_> = names
                .raters()
                .iter()
                .filter_map(|rater| Some(exported_repeats(rater, own.get(&rater.id)?, name)))
                .collect();
            let body = json!({
                "project": project,
                "revision": tallies.revision,
                "switches": switches,
                "tokens": by_token.then(token_rules),
                "labels": labels.iter().map(|label| &label.name).collect::<Vec<_>>(),
                "resamples": RESAMPLES,
                // Of all labelers at once, as text: not all programs can read 64 bits.
                "seed": seed(project, Subject::Units).to_string(),
                "pairs": exported,
                "pooled": seen.pooled(names.raters()),
                // Each labeler against themselves; for managers.
                "repeats": own,
                "several": several((&question, &tallies, &exact), names.raters(), (switches, &choices)),
            });
            ("json", "application/json", serde_json::to_vec(&body).map_err(Error::broken)?)
        }
    };
    question.compute_pending(&choices);
    record(services, &access, project, AuditEvent::ExportAgreement, count).await?;
    let file_name = format!("agreement-{project}.{extension}");
    Ok(Export { file_name, content_type, body, losses: Vec::new() })
}

fn csv(
    pairs: &[Pair<'_>],
    labels: &LabelChoices,
    switches: Switches,
    name: impl Fn(&LabelSet) -> String,
) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    write_agreement_header(&mut body).map_err(Error::broken)?;
    for (first, second, counted, cell) in pairs {
        let table = &counted.tally.table;
        let row = |cell_of_table| AgreementRow {
            raters: [first, second].map(|rater| (rater.id.0, rater.name.clone())),
            switches: [
                switches.measure.name(),
                switches.policy.name(),
                switches.counted_documents().name(),
            ]
            .map(str::to_owned),
            value: match cell.measured {
                Measured::Value { value, .. } => Ok(value),
                Measured::Undefined(reason) => Err(reason.sentence().to_owned()),
            },
            interval: match cell.confidence {
                Confidence::Interval { lower, upper } => Ok((lower, upper)),
                Confidence::Pending => Err("pending".to_owned()),
                Confidence::None(reason) => Err(reason.words().to_owned()),
            },
            choices: labels.under(table, switches.policy).all,
            basis: [
                cell.n,
                cell.coverage.both,
                cell.coverage.only_first,
                cell.coverage.only_second,
                cell.documents,
            ],
            cell: cell_of_table,
        };
        let mut cells: Vec<_> =
            table.cells().map(|(a, b, count)| Some((name(a), name(b), count))).collect();
        if cells.is_empty() {
            cells.push(None);
        }
        for cell_of_table in cells {
            write_agreement_row(&mut body, &row(cell_of_table)).map_err(Error::broken)?;
        }
    }
    Ok(body)
}

/// The scale that is chosen, as it was published.
const fn published(choice: ScaleChoice) -> &'static Scale {
    match choice {
        ScaleChoice::LandisKoch => &scales::LANDIS_KOCH,
        ScaleChoice::Krippendorff => &scales::KRIPPENDORFF,
        ScaleChoice::RietveldVanHout => &scales::RIETVELD_VAN_HOUT,
        ScaleChoice::Green => &scales::GREEN,
        ScaleChoice::Homogeneity => &scales::KRENN_HOMOGENEITY,
    }
}

/// The matrix as a heat map; shades and words by the interval's lower bound.
pub(crate) fn picture(
    project: String,
    raters: &[Rater],
    pairs: &[Pair<'_>],
    switches: Switches,
) -> HeatMap {
    let scale = published(switches.scale);
    let shade_of =
        |place: usize| u8::try_from(if scale.bands.len() == 6 { place } else { 2 * place + 1 });
    let heat = |cell: &PairCell| {
        let interval = match cell.confidence {
            Confidence::Interval { lower, upper } => Some((lower, upper)),
            Confidence::Pending | Confidence::None(_) => None,
        };
        let value = cell.measured.value();
        let claimed = interval.map(|(lower, _)| lower).or(value);
        let place = claimed.and_then(|claimed| {
            scale.bands.iter().position(|band| band.from <= claimed && claimed < band.to)
        });
        HeatCell {
            value: value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}")),
            interval: interval
                .map(|(lower, upper)| format!("{lower:.2} to {:.2}", upper.min(1.0)))
                .unwrap_or_default(),
            basis: if cell.n > 0 { format!("n={}", cell.n) } else { String::new() },
            shade: value.map(|_| place.and_then(|place| shade_of(place).ok()).unwrap_or(0)),
        }
    };
    let cell = |row: &Rater, column: &Rater| {
        let mut of_pair = pairs.iter().filter(|(first, second, ..)| {
            (first.id, second.id) == (row.id, column.id)
                || (first.id, second.id) == (column.id, row.id)
        });
        of_pair.next().map(|(.., cell)| heat(cell))
    };
    let bands = scale.bands.iter().enumerate();
    HeatMap {
        title: project,
        subtitle: format!(
            "{}, {}, {} documents; 95 % intervals; shades by the lower bound ({})",
            switches.measure,
            switches.policy,
            switches.counted_documents(),
            scale.name
        ),
        raters: raters.iter().map(|rater| rater.name.clone()).collect(),
        cells: raters.iter().map(|row| raters.iter().map(|c| cell(row, c)).collect()).collect(),
        bands: bands
            .filter_map(|(place, band)| Some((shade_of(place).ok()?, band.word.to_owned())))
            .collect(),
    }
}

/// A pair with its counts, all together and by document: `[row, column, count]`, where row and
/// column are places in the list of categories. The seed is text: it has more digits than a number
/// of JavaScript holds.
fn exported_pair(
    seen: &Seen<'_, '_>,
    project: ProjectId,
    (first, second, counted, cell): &Pair<'_>,
    name: impl Fn(&LabelSet) -> String,
) -> Value {
    let table = &counted.tally.table;
    let documents: Vec<_> =
        seen.tallies.pair_by_document(first.id, second.id, seen.switches).collect();
    let documents = documents.iter().map(|(id, of)| (*id, &of.tally.table));
    let Counts { categories, pooled, by_document } = exported_counts(table, documents, name);
    json!({
        "first": first,
        "second": second,
        "measured": cell.measured,
        "confidence": cell.confidence,
        "n": cell.n,
        "coverage": cell.coverage,
        "documents": cell.documents,
        "choices": seen.labels.under(table, seen.switches.policy).all,
        "seed": seed(project, Subject::pair(first.id, second.id)).to_string(),
        "categories": categories,
        "counts": pooled,
        "by_document": by_document,
    })
}

/// A labeler and themselves, in the same form: the first pass is the row, the second the column.
fn exported_repeats(
    rater: &Rater,
    themselves: &Themselves,
    name: impl Fn(&LabelSet) -> String,
) -> Value {
    let Themselves { part, passes, choices, seed } = themselves;
    let table = &passes.pooled.tally.table;
    let Counts { categories, pooled, by_document } =
        exported_counts(table, passes.by_document(), name);
    json!({
        "rater": rater,
        "measured": part.measured,
        "confidence": part.confidence,
        "n": part.comparisons,
        "coverage": part.coverage,
        "documents": part.documents,
        "choices": choices,
        "seed": seed.to_string(),
        "categories": categories,
        "counts": pooled,
        "by_document": by_document,
    })
}

/// The counts of two, all together and by document.
struct Counts {
    categories: Vec<String>,
    pooled: Vec<Value>,
    by_document: Vec<Value>,
}

fn exported_counts<'a>(
    table: &Contingency<LabelSet>,
    documents: impl Iterator<Item = (DocumentId, &'a Contingency<LabelSet>)>,
    name: impl Fn(&LabelSet) -> String,
) -> Counts {
    let categories = table.categories();
    let places: BTreeMap<&LabelSet, usize> = categories.iter().copied().zip(0..).collect();
    let counts = |table: &Contingency<LabelSet>| -> Vec<Value> {
        table.cells().map(|(a, b, count)| json!([places.get(a), places.get(b), count])).collect()
    };
    Counts {
        by_document: documents
            .map(|(id, table)| json!({ "document": id, "counts": counts(table) }))
            .collect(),
        pooled: counts(table),
        categories: categories.iter().map(|category| name(category)).collect(),
    }
}
