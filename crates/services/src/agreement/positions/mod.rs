//! The positions behind a count: exactly these, so that each count can be a link.

mod find;
pub(crate) mod latest_decision;

use std::sync::Arc;

use domain::{
    DisagreementKind, Documents, Error as Refusal, Judgement, MemberId, PositionQuery, PositionRow,
    ProjectId, Range, Said, Whose,
};
use formats::TextIndex;
use live::{DocumentWork, Tallies};

use crate::{
    Error, Result, Services,
    agreement::disagreements::{decision, judgement, kind_among_all},
    base::{
        names::Names,
        quoting::{Quote, slice},
    },
};
use find::find;
pub(crate) use find::{FoundPosition, Of};

/// Everything that the query asks for, whatever its page, found on a thread that may block.
pub(crate) async fn find_all(
    services: &Services,
    project: ProjectId,
    names: &Names,
    query: PositionQuery,
) -> Result<(Arc<Tallies>, Vec<FoundPosition>)> {
    let compared: &[MemberId] = match &query.whose {
        Whose::Pair(first, second) => &[*first, *second],
        Whose::Pooled(rater, _) => &[*rater],
        Whose::Labelers => &[],
    };
    if compared.iter().any(|id| names.rater(*id).is_none()) {
        return Err(Refusal::NotFound.into());
    }
    let tallies = services.live.read_part(project, query.switches.filter).await?;
    let roles: Vec<_> = names.raters().iter().map(|rater| (rater.id, rater.role)).collect();
    tokio::task::spawn_blocking(move || {
        let found = find(&tallies, &query, &roles);
        (tallies, found)
    })
    .await
    .map_err(Error::broken)
}

/// What rows are made of.
pub(crate) struct Shown<'a> {
    pub(crate) tallies: &'a Tallies,
    pub(crate) names: &'a Names,
    pub(crate) documents: Documents,
}

impl Shown<'_> {
    /// A row in full; `None` if the document has gone meanwhile.
    pub(crate) fn row(
        &self,
        found: &FoundPosition,
        name: &str,
        index: &TextIndex<'_>,
    ) -> Option<PositionRow> {
        let work = self.tallies.document(found.document)?;
        let Quote { words: quote, left, right } = Quote::of(index, found.range);
        let judgement_of = |rater: &MemberId| Said {
            rater: *rater,
            judgement: self.judgement(work, *rater, found.range),
            elsewhere: None,
        };
        let said = match &found.of {
            Of::Two(first, second) => vec![judgement_of(first), judgement_of(second)],
            Of::Labelers(labelers) => labelers.iter().map(judgement_of).collect(),
            Of::Group(first, second, group) => {
                let of_rater = |rater: MemberId, ranges: &[Range]| -> Vec<Said> {
                    let one = |range: &Range| Said {
                        rater,
                        judgement: self.judgement(work, rater, *range),
                        elsewhere: Some((*range, slice(index, *range))),
                    };
                    ranges.iter().map(one).collect()
                };
                [of_rater(*first, &group.first), of_rater(*second, &group.second)].concat()
            }
        };
        Some(PositionRow {
            document: found.document,
            document_name: name.to_owned(),
            range: found.range,
            quote,
            left,
            right,
            kind: match &found.of {
                Of::Two(..) | Of::Labelers(_) => kind_among_all(work, found.range, self.documents),
                Of::Group(..) => Some(DisagreementKind::Boundary),
            },
            said,
            group: None,
            decision: decision(work, self.names, found.range),
        })
    }

    fn judgement(&self, work: &DocumentWork, rater: MemberId, range: Range) -> Judgement {
        judgement(work.get(&rater), range, self.documents)
    }
}
