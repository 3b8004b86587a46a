//! The positions behind a count: exactly these, so that each count can be a link.

mod find;
pub(crate) mod latest_decision;

use std::sync::Arc;

use domain::{
    DisagreementKind, Documents, Error as Refusal, Judgement, MemberId, PositionQuery, PositionRow,
    ProjectId, Range, Role, Said, Switches, Whose,
};
use formats::TextIndex;
use live::{DocumentWork, Narrowing, Tallies, items, labelers_counted};

use crate::{
    Result, Services,
    agreement::{
        breakdowns::Remembered,
        disagreements::{decision, judgement, kind_among_all},
    },
    base::{
        categories::Categories,
        names::Names,
        quoting::{Quote, slice},
    },
};
use find::find;
pub(crate) use find::{FoundPosition, FoundPositions, Of};

/// A few lists of positions, remembered while nothing moves.
pub(crate) type Known = Remembered<FoundPositions, Question>;

/// A query, and the raters of the project.
type Question = (PositionQuery, Vec<(MemberId, Role)>);

/// Everything that the query asks for, whatever its page, found on a thread that may block. Groups of
/// overlapping marks are refused of positions that are not exact: of these they are.
pub(crate) async fn find_all(
    services: &Services,
    project: ProjectId,
    names: &Names,
    query: &PositionQuery,
) -> Result<(Arc<Tallies>, Arc<FoundPositions>)> {
    let compared: &[MemberId] = match &query.whose {
        Whose::Pair(first, second) => &[*first, *second],
        Whose::Pooled(rater, _) => &[*rater],
        Whose::Labelers => &[],
    };
    if compared.iter().any(|id| names.rater(*id).is_none()) {
        return Err(Refusal::NotFound.into());
    }
    if query.boundary.is_some() {
        query.switches.policy.check_exact()?;
    }
    if query.switches.filter.question.is_some() {
        // What is asked has to be of the project.
        Categories::of(&services.store, project, query.switches).await?;
    }
    let tallies = services.live.read_part(project, Narrowing::of(query.switches)).await?;
    let roles: Vec<_> = names.raters().iter().map(|rater| (rater.id, rater.role)).collect();
    let question = (PositionQuery { page: 0, ..query.clone() }, roles);
    let find = |tallies: &Tallies, (query, roles): &Question| find(tallies, query, roles);
    let found = services.positions.find_or_count(&tallies, question, find).await?;
    Ok((tallies, found))
}

/// What rows are made of.
pub(crate) struct Shown<'a> {
    /// All that raters said, by positions of the same kind.
    pub(crate) tallies: &'a Tallies,
    /// What the count is of.
    pub(crate) counted: &'a Tallies,
    pub(crate) names: &'a Names,
    pub(crate) switches: Switches,
}

impl Shown<'_> {
    /// A row in full, which shows this range; `None` if the document has gone meanwhile.
    pub(crate) fn row(
        &self,
        found: &FoundPosition,
        range: Range,
        name: &str,
        index: &TextIndex<'_>,
    ) -> Option<PositionRow> {
        let work = self.tallies.document(found.document)?;
        let Quote { words: quote, left, right } = Quote::of(index, range);
        let judgement_of = |rater: &MemberId| Said {
            rater: *rater,
            judgement: self.judgement(work, *rater, range),
            elsewhere: None,
        };
        let elsewhere = |rater, at: &Range| Said {
            rater,
            judgement: self.judgement(work, rater, *at),
            elsewhere: Some((*at, slice(index, *at))),
        };
        let said = match &found.of {
            Of::Two(first, second) => vec![judgement_of(first), judgement_of(second)],
            Of::Labelers => {
                let work = self.counted.document(found.document)?;
                let labelers = labelers_counted(work, self.switches);
                let mut items = items(&labelers, self.switches.policy);
                let (_, judged) = items.find(|(range, _)| *range == found.range)?;
                judged.iter().map(|(rater, _)| judgement_of(rater)).collect()
            }
            Of::Apart(two) => two.map(|(rater, at)| elsewhere(rater, &at)).into(),
            Of::Group(first, second, group) => {
                let of_first = group.first.iter().map(|at| elsewhere(*first, at));
                let of_second = group.second.iter().map(|at| elsewhere(*second, at));
                of_first.chain(of_second).collect()
            }
        };
        Some(PositionRow {
            document: found.document,
            document_name: name.to_owned(),
            range,
            quote,
            left,
            right,
            kind: match &found.of {
                Of::Two(..) | Of::Labelers => kind_among_all(work, range, self.documents()),
                Of::Apart(_) | Of::Group(..) => Some(DisagreementKind::Boundary),
            },
            said,
            group: None,
            decision: decision(work, self.names, range),
        })
    }

    fn judgement(&self, work: &DocumentWork, rater: MemberId, range: Range) -> Judgement {
        judgement(work.get(&rater), range, self.documents())
    }

    fn documents(&self) -> Documents {
        self.switches.counted_documents()
    }
}
