//! What stands behind numbers, in addresses: the positions list, the looks of a pair's page, the
//! parts of the agreement.

use std::{fmt::Display, str::FromStr};

use domain::{
    CauseOrder, ConsensusPositions, ConsensusQuery, MemberId, PositionOutcome, PositionQuery,
    ProjectId, Role, Sorting, Switches, Whose,
};

use super::switches::{pair_address, read, read_page, read_switches, write_switches};

/// The positions query that a query string names; what it leaves out or misspells is not asked for.
pub(crate) fn read_positions(get: impl Fn(&str) -> Option<String>) -> PositionQuery {
    let whose = match (read(&get, "first"), read(&get, "second"), read(&get, "others")) {
        (Some(first), Some(second), _) => Whose::Pair(first, second),
        (Some(first), None, others) => Whose::Pooled(first, others.unwrap_or(Role::Labeler)),
        (None, ..) => Whose::Labelers,
    };
    PositionQuery {
        said: read(&get, "said"),
        against: read(&get, "against"),
        label: read(&get, "label"),
        outcome: read(&get, "outcome").unwrap_or_default(),
        boundary: read(&get, "boundary"),
        document: read(&get, "document"),
        page: read_page(&get),
        ..PositionQuery::of(whose, read_switches(&get))
    }
}

/// The address of the positions list.
pub(crate) fn positions_address(project: ProjectId, query: &PositionQuery) -> String {
    format!("/projects/{project}/agreement/positions?{}", write_positions(query))
}

/// The query string of a positions query. None of the values has a character to be escaped.
pub(super) fn write_positions(query: &PositionQuery) -> String {
    fn given(name: &'static str, value: Option<impl Display>) -> String {
        value.map(|value| format!("&{name}={value}")).unwrap_or_default()
    }

    let (first, second, others) = match query.whose {
        Whose::Pair(first, second) => (Some(first), Some(second), None),
        Whose::Pooled(first, others) => (Some(first), None, Some(others)),
        Whose::Labelers => (None, None, None),
    };
    let outcome = (query.outcome != PositionOutcome::Any).then_some(query.outcome);
    let page = (query.page > 0).then(|| query.page.saturating_add(1));
    let parameters = [
        given("first", first),
        given("second", second),
        given("others", others),
        given("said", query.said.as_ref()),
        given("against", query.against.as_ref()),
        given("label", query.label),
        given("outcome", outcome),
        given("boundary", query.boundary),
        given("document", query.document),
        given("page", page),
    ];
    let switches = write_switches(query.switches);
    format!("{switches}{}", parameters.concat())
}

/// The address of the consensus. What stands on its default is left out.
pub(crate) fn consensus_address(project: ProjectId, asked: ConsensusQuery) -> String {
    let ConsensusQuery { switches, positions, page } = asked;
    let positions = match positions {
        ConsensusPositions::Open => String::new(),
        ConsensusPositions::Decided => format!("&positions={positions}"),
    };
    let page = if page == 0 { String::new() } else { format!("&page={}", page.saturating_add(1)) };
    format!("/projects/{project}/review/consensus?{}{positions}{page}", write_switches(switches))
}

/// What a query string asks of the consensus, beside its switches.
pub(crate) fn read_consensus(
    switches: Switches,
    get: impl Fn(&str) -> Option<String>,
) -> ConsensusQuery {
    let positions = read(&get, "positions").unwrap_or_default();
    ConsensusQuery { switches, positions, page: read_page(get) }
}

/// The order and the page of a list that a query string names.
pub(crate) fn read_sorting<O: FromStr + Default>(
    get: impl Fn(&str) -> Option<String>,
) -> Sorting<O> {
    Sorting {
        order: read(&get, "order").unwrap_or_default(),
        descending: read(&get, "descending").unwrap_or_default(),
        page: read_page(get),
    }
}

/// The address of a part of the agreement, such as its labels.
pub(crate) fn parts_address<O: Display + Default + PartialEq>(
    project: ProjectId,
    part: &str,
    switches: Switches,
    sorting: &Sorting<O>,
) -> String {
    let switches = write_switches(switches);
    format!("/projects/{project}/agreement/{part}?{switches}{}", write_sorting(sorting, "page"))
}

pub(super) fn write_sorting<O: Display + Default + PartialEq>(
    sorting: &Sorting<O>,
    name: &str,
) -> String {
    let Sorting { order, descending, page } = sorting;
    let order = if *order == O::default() { String::new() } else { format!("&order={order}") };
    let descending = if *descending { "&descending=true" } else { "" };
    let page =
        if *page == 0 { String::new() } else { format!("&{name}={}", page.saturating_add(1)) };
    format!("{order}{descending}{page}")
}

/// The parts of what stands behind a pair's value, one at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PairPart {
    #[default]
    Confusions,
    Labels,
    Boundaries,
    Documents,
    Chance,
    Formula,
    Differences,
}

impl PairPart {
    pub(crate) const ALL: [Self; 7] = [
        Self::Confusions,
        Self::Labels,
        Self::Boundaries,
        Self::Documents,
        Self::Chance,
        Self::Formula,
        Self::Differences,
    ];

    /// What it is called in addresses.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Confusions => "confusions",
            Self::Labels => "labels",
            Self::Boundaries => "boundaries",
            Self::Documents => "documents",
            Self::Chance => "chance",
            Self::Formula => "formula",
            Self::Differences => "differences",
        }
    }
}

/// How a pair's page is looked at, besides its switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairLook {
    pub(crate) part: PairPart,
    /// The contingency table as squares instead of numbers.
    pub(crate) squares: bool,
    /// The order and the page of the pair's documents.
    pub(crate) documents: Sorting<CauseOrder>,
}

/// The look that a query string names. The page of the documents has a name of its own, since the
/// disagreements below have pages too.
pub(crate) fn read_look(get: impl Fn(&str) -> Option<String>) -> PairLook {
    let page = read::<u64>(&get, "documents-page").unwrap_or(1).saturating_sub(1);
    let part = get("part").and_then(|name| PairPart::ALL.into_iter().find(|it| it.name() == name));
    PairLook {
        part: part.unwrap_or_default(),
        squares: get("table").as_deref() == Some("squares"),
        documents: Sorting { page, ..read_sorting(&get) },
    }
}

impl PairLook {
    /// The address of the pair looked at like this.
    pub(crate) fn address(
        &self,
        project: ProjectId,
        (first, second): (MemberId, MemberId),
        switches: Switches,
    ) -> String {
        let pair = pair_address(project, first, second, switches);
        let part = match self.part {
            PairPart::Confusions => String::new(),
            part => format!("&part={}", part.name()),
        };
        let table = if self.squares { "&table=squares" } else { "" };
        format!("{pair}{part}{table}{}", write_sorting(&self.documents, "documents-page"))
    }
}

#[cfg(test)]
mod tests {
    use domain::{Boundary, DocumentId, Filter, LabelId, LabelSet, Measure};

    use super::*;
    use crate::query::switches::tests::get;

    fn query_string(address: &str) -> &str {
        let (_, query) = address.split_once('?').unwrap_or_default();
        query.split('#').next().unwrap_or_default()
    }

    #[test]
    fn every_positions_query_survives_the_address() {
        // What everything is narrowed to is not what a count asks for.
        let filter =
            Filter { label: Some(LabelId(2)), document: Some(DocumentId(3)), ..Filter::default() };
        let switches = Switches { measure: Measure::F1, filter, ..Switches::default() };
        let wholes = [
            Whose::Pair(MemberId(3), MemberId(2)),
            Whose::Pooled(MemberId(3), Role::Reviewer),
            Whose::Pooled(MemberId(3), Role::Labeler),
            Whose::Labelers,
        ];
        for whose in wholes {
            for &outcome in PositionOutcome::ALL {
                let query = PositionQuery {
                    said: Some(LabelSet::EMPTY),
                    against: Some([LabelId(4), LabelId(2)].into_iter().collect()),
                    label: Some(LabelId(9)),
                    outcome,
                    boundary: Some(Boundary::Split),
                    document: Some(DocumentId(5)),
                    page: 2,
                    ..PositionQuery::of(whose, switches)
                };
                let address = positions_address(ProjectId(1), &query);
                assert_eq!(read_positions(get(query_string(&address))), query, "{address}");
                let plain = PositionQuery { outcome, ..PositionQuery::of(whose, switches) };
                let address = positions_address(ProjectId(1), &plain);
                assert_eq!(read_positions(get(query_string(&address))), plain, "{address}");
            }
        }
    }

    #[test]
    fn the_look_of_a_pair_survives_the_address() {
        let documents = Sorting { order: CauseOrder::Value, descending: true, page: 3 };
        let two = (MemberId(1), MemberId(2));
        for part in PairPart::ALL {
            for look in [
                PairLook { part, ..PairLook::default() },
                PairLook { part, squares: true, documents },
            ] {
                let address = look.address(ProjectId(7), two, Switches::default());
                assert_eq!(read_look(get(query_string(&address))), look, "{address}");
            }
        }
    }

    #[test]
    fn the_page_of_the_disagreements_is_not_that_of_the_documents() {
        assert_eq!(read_look(get("page=4")).documents.page, 0);
    }
}
