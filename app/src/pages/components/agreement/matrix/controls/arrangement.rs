//! How somebody has arranged the raters of a matrix: their order, who comes first, who is hidden.
//! It changes no number, and stays as it is while numbers move. It stands in the page's address.

use std::collections::{BTreeMap, BTreeSet};

use domain::{AgreementSnapshot, MemberId, PairCell, Rater, Role};

use super::seriation::seriate;

/// By what raters are put in order, at the moment when it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Joined,
    Name,
    /// By their pooled agreement with the labelers, the lowest first.
    LowestFirst,
    HighestFirst,
    /// Who agrees beside each other.
    Similar,
}

impl Order {
    pub(crate) const ALL: [Self; 5] =
        [Self::Joined, Self::Name, Self::LowestFirst, Self::HighestFirst, Self::Similar];

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Joined => "by joining date",
            Self::Name => "by name",
            Self::LowestFirst => "lowest agreement first",
            Self::HighestFirst => "highest agreement first",
            Self::Similar => "similar raters together",
        }
    }
}

/// An arrangement of raters. Labelers stay before reviewers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arrangement {
    /// Those who are not in it come last, as they joined.
    order: Vec<MemberId>,
    pub(crate) pinned: BTreeSet<MemberId>,
    pub(crate) hidden: BTreeSet<MemberId>,
}

impl Arrangement {
    /// The arrangement that a query string names, as often as it names a field.
    pub(crate) fn read(all: impl Fn(&str) -> Vec<String>) -> Self {
        let members = |name: &str| {
            let named = all(name);
            let ids = named.iter().flat_map(|ids| ids.split('.'));
            ids.filter_map(|id| id.parse().ok()).collect::<Vec<MemberId>>()
        };
        Self {
            order: members(ORDER),
            pinned: members(PINNED).into_iter().collect(),
            hidden: members(HIDDEN).into_iter().collect(),
        }
    }

    /// Its part of a query string, each field with an ampersand before it.
    pub(crate) fn written(&self) -> String {
        let field = |name: &str, members: &mut dyn Iterator<Item = &MemberId>| {
            let ids: Vec<_> = members.map(ToString::to_string).collect();
            if ids.is_empty() { String::new() } else { format!("&{name}={}", ids.join(".")) }
        };
        [
            field(ORDER, &mut self.order.iter()),
            field(PINNED, &mut self.pinned.iter()),
            field(HIDDEN, &mut self.hidden.iter()),
        ]
        .concat()
    }

    /// The same in another order.
    pub(crate) fn sorted(&self, by: Order, snapshot: &AgreementSnapshot) -> Self {
        let mut sorted = self.clone();
        sorted.sort(by, snapshot);
        sorted
    }

    /// Puts the raters of a snapshot in order.
    fn sort(&mut self, by: Order, snapshot: &AgreementSnapshot) {
        let mut raters: Vec<&Rater> = snapshot.raters.iter().collect();
        let agreement: BTreeMap<MemberId, f64> = snapshot
            .pooled
            .iter()
            .filter(|pooled| pooled.with == Role::Labeler)
            .filter_map(|pooled| Some((pooled.rater, pooled.measured.value()?)))
            .collect();
        let value = |rater: &Rater| agreement.get(&rater.id).copied();
        match by {
            Order::Joined => raters.clear(),
            Order::Name => raters.sort_by_cached_key(|rater| rater.name.to_lowercase()),
            // Who has no value comes last either way.
            Order::LowestFirst => raters.sort_by(|a, b| {
                let [a, b] = [a, b].map(|rater| value(rater).unwrap_or(f64::INFINITY));
                a.total_cmp(&b)
            }),
            Order::HighestFirst => raters.sort_by(|a, b| {
                let [a, b] = [a, b].map(|rater| value(rater).unwrap_or(f64::NEG_INFINITY));
                b.total_cmp(&a)
            }),
            Order::Similar => {
                let places = similar(&raters, &snapshot.cells);
                raters =
                    places.into_iter().filter_map(|place| raters.get(place).copied()).collect();
            }
        }
        self.order = raters.into_iter().map(|rater| rater.id).collect();
    }

    /// The raters that are shown, in order.
    pub(crate) fn arranged(&self, raters: &[Rater]) -> Vec<Rater> {
        let place = |id| self.order.iter().position(|ordered| *ordered == id);
        let mut shown: Vec<_> =
            raters.iter().filter(|rater| !self.hidden.contains(&rater.id)).cloned().collect();
        shown.sort_by_key(|rater| {
            let is_pinned = self.pinned.contains(&rater.id);
            (rater.role == Role::Reviewer, !is_pinned, place(rater.id).unwrap_or(usize::MAX))
        });
        shown
    }
}

/// The places of raters in an order in which those who agree stand beside each other.
fn similar(raters: &[&Rater], cells: &[PairCell]) -> Vec<usize> {
    let values: BTreeMap<_, _> = cells
        .iter()
        .filter_map(|cell| Some(((cell.first, cell.second), cell.measured.value()?)))
        .collect();
    seriate(raters.len(), |one, other| {
        let (one, other) = (raters.get(one)?.id, raters.get(other)?.id);
        values.get(&(one, other)).or_else(|| values.get(&(other, one))).copied()
    })
}

/// The names of its parts in addresses and forms.
const ORDER: &str = "in_order";
pub(super) const PINNED: &str = "first";
pub(super) const HIDDEN: &str = "hidden";

#[cfg(test)]
mod tests {
    use domain::{CoverageView, Measured, PooledCell, ProjectId, Revision, Switches};

    use super::*;

    fn snapshot() -> AgreementSnapshot {
        let rater = |id, name: &str, role| Rater { id: MemberId(id), name: name.into(), role };
        let pooled = |id, value| PooledCell {
            rater: MemberId(id),
            with: Role::Labeler,
            measured: Measured::Value { value, observed: 0.0, expected: 0.0 },
            n: 1,
            coverage: CoverageView::default(),
        };
        AgreementSnapshot {
            project: ProjectId(1),
            revision: Revision(1),
            switches: Switches::default(),
            raters: vec![
                rater(1, "Cleo", Role::Labeler),
                rater(2, "ada", Role::Labeler),
                rater(3, "Ben", Role::Labeler),
                rater(4, "Rita", Role::Reviewer),
            ],
            cells: Vec::new(),
            pooled: vec![pooled(1, 0.2), pooled(3, 0.9), pooled(4, 0.95)],
            several: None,
            last_change: None,
        }
    }

    fn arranged(arrangement: &Arrangement) -> Vec<i64> {
        arrangement.arranged(&snapshot().raters).iter().map(|rater| rater.id.0).collect()
    }

    #[test]
    fn every_order_keeps_reviewers_last_and_puts_who_has_no_value_at_the_end_of_the_labelers() {
        let by = |order| {
            let mut arrangement = Arrangement::default();
            arrangement.sort(order, &snapshot());
            arranged(&arrangement)
        };
        assert_eq!(by(Order::Joined), [1, 2, 3, 4]);
        assert_eq!(by(Order::Name), [2, 3, 1, 4]);
        assert_eq!(by(Order::LowestFirst), [1, 3, 2, 4]);
        assert_eq!(by(Order::HighestFirst), [3, 1, 2, 4]);
        // Nobody is compared: they stay as they joined.
        assert_eq!(by(Order::Similar), [1, 2, 3, 4]);
    }

    #[test]
    fn who_is_pinned_comes_first_and_who_is_hidden_not_at_all() {
        let mut arrangement = Arrangement::default();
        arrangement.pinned.insert(MemberId(3));
        arrangement.hidden.insert(MemberId(2));
        assert_eq!(arranged(&arrangement), [3, 1, 4]);
    }

    #[test]
    fn an_order_that_was_made_before_somebody_joined_has_them_last() {
        let mut arrangement = Arrangement { order: vec![MemberId(3)], ..Arrangement::default() };
        assert_eq!(arranged(&arrangement), [3, 1, 2, 4]);
        arrangement.sort(Order::Joined, &snapshot());
        assert_eq!(arranged(&arrangement), [1, 2, 3, 4]);
    }

    #[test]
    fn an_arrangement_survives_the_address() {
        let mut arrangement = Arrangement::default().sorted(Order::Name, &snapshot());
        arrangement.pinned.insert(MemberId(3));
        arrangement.hidden.extend([MemberId(1), MemberId(2)]);
        assert_eq!(arrangement.written(), "&in_order=2.3.1.4&first=3&hidden=1.2");
        let query = arrangement.written();
        let all = |name: &str| {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.filter(|(given, _)| *given == name).map(|(_, ids)| ids.to_owned()).collect()
        };
        assert_eq!(Arrangement::read(all), arrangement);
        assert_eq!(Arrangement::read(|_| vec!["nobody".to_owned()]), Arrangement::default());
    }
}
