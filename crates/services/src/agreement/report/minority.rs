//! Minority judgements: what was said on each position in dispute, by how many, and by whom under pseudonyms.

use domain::{DocumentId, Filter, Label, Rater};
use formats::{ReportBlock, ReportSection, TextIndex};
use live::Tallies;

use super::{table, tables};
use crate::{
    Result, Services,
    agreement::disagreements::{SoftNames, SoftPosition, soft_positions},
    base::quoting::slice,
};

/// More positions are not listed: the file is to be read.
const MOST: usize = 2_000;

/// The positions on which labelers who submitted a document do not all say the same, nothing included.
pub(super) async fn section(
    services: &Services,
    tallies: &Tallies,
    (raters, labels): (&[Rater], &[Label]),
    filter: Filter,
) -> Result<ReportSection> {
    let names = SoftNames::of(raters, labels, filter);
    let (disputed, more) = disputed(tallies);
    let mut documents: Vec<_> = disputed.iter().map(|(document, _)| *document).collect();
    documents.dedup();
    let texts = store::document::texts(&services.store, &documents).await?;
    let mut rows = Vec::new();
    for of_document in disputed.chunk_by(|(one, _), (other, _)| one == other) {
        let text = of_document.first().and_then(|(document, _)| texts.get(document));
        let Some((name, text)) = text else { continue };
        let index = TextIndex::new(text);
        for (_, position) in of_document {
            let (range, people) = (position.range, position.said.len());
            let said = names.distribution(position).into_iter().map(|label| {
                let count = label.people.len();
                format!("{} ({count} of {people}): {}", label.name, label.people.join(", "))
            });
            rows.push(vec![
                format!("{name}: {}–{}", range.start, range.end),
                slice(&index, range),
                said.collect::<Vec<_>>().join("; "),
            ]);
        }
    }
    let caption = "What labelers said, most people first";
    let mut blocks =
        vec![table(caption, (tables::heads(["Position", "Text", "Judgements"]), rows))];
    if more > 0 {
        blocks.push(ReportBlock::Text(format!("{more} more are in the export of soft labels.")));
    }
    Ok(ReportSection { title: "Minority judgements".to_owned(), blocks })
}

/// The first positions in dispute, and how many there are beside.
fn disputed(tallies: &Tallies) -> (Vec<(DocumentId, SoftPosition<'_>)>, usize) {
    let mut positions = tallies.documents().flat_map(|(document, work)| {
        let disputed = soft_positions(work).into_iter().filter(SoftPosition::is_disputed);
        disputed.map(move |position| (document, position))
    });
    (positions.by_ref().take(MOST).collect(), positions.count())
}
