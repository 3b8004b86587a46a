//! Every count on a page leads to exactly the positions that it counts: over the sample projects,
//! cell by cell.

use std::sync::Arc;

use crate::house::{House, houses};
use domain::{
    Actor, Boundary, Documents, Filter, LabelSet, Measure, MemberId, PolicyChoice, PositionList,
    PositionOutcome, PositionQuery, ProjectId, Role, Sorting, Switches, Whose,
};
use services::{
    ServerKey, Services,
    agreement::{self, breakdowns, diagnostics},
    review::counted,
};

/// A sample project as its manager sees it.
struct Sample {
    services: Arc<Services>,
    manager: Actor,
    project: ProjectId,
}

impl Sample {
    async fn new(house: &House, name: &str) -> Self {
        let demo = demo::prepare(&house.store, &house.clock()).await.unwrap();
        let services =
            Services::new(house.store.clone(), house.clock(), Some(demo), ServerKey::from([7; 32]));
        let manager =
            store::account::users::find_by_email(&*house.store, "manager@demo.example").await;
        let project = store::project::find_by_name(&*house.store, name).await.unwrap().unwrap();
        let manager = Actor::Person(manager.unwrap().unwrap().user);
        Self { services, manager, project: project.id }
    }

    /// How many positions a link leads to, with those that it says are not listed.
    async fn rows(&self, query: &PositionQuery) -> u64 {
        let list = counted::list(&self.services, &self.manager, self.project, query.clone()).await;
        let PositionList { page, positions, unlisted, .. } = list.unwrap();
        assert_eq!(u64::try_from(page.rows.len()).unwrap(), page.total.min(page.size));
        assert!(page.total == positions || query.whose == Whose::Labelers);
        assert!(unlisted == 0 || query.switches.policy == PolicyChoice::Token);
        positions + unlisted
    }

    async fn raters(&self, role: Role) -> Vec<MemberId> {
        let (services, project) = (&self.services, self.project);
        let seen = agreement::snapshot(services, &self.manager, project, Switches::default()).await;
        let raters = seen.unwrap().raters.clone();
        raters.iter().filter(|rater| rater.role == role).map(|rater| rater.id).collect()
    }

    /// Follows every link of a pair's page.
    async fn check_pair(&self, pair: (MemberId, MemberId), switches: Switches) -> Checked {
        let (services, actor, project) = (&self.services, &self.manager, self.project);
        let all = PositionQuery::of(Whose::Pair(pair.0, pair.1), switches);
        let view = agreement::pair(services, actor, project, pair.0, pair.1, switches).await;
        let view = view.unwrap();
        let mut checked = Checked::default();
        for (row, counts) in view.categories.iter().zip(&view.counts) {
            for (column, count) in view.categories.iter().zip(counts) {
                let (said, against) = (Some(row.labels.clone()), Some(column.labels.clone()));
                let cell = PositionQuery { said, against, ..all.clone() };
                assert_eq!(self.rows(&cell).await, *count, "{cell:?}");
                checked.cells += u64::from(*count > 0);
            }
        }
        let causes =
            diagnostics::load(services, actor, project, pair, switches, Sorting::default()).await;
        let causes = causes.unwrap();
        let outcome = |outcome| PositionQuery { outcome, ..all.clone() };
        let differ = causes.positions - causes.agreements;
        for (query, count) in [
            (outcome(PositionOutcome::Any), causes.positions),
            (outcome(PositionOutcome::Any), view.cell.n),
            (outcome(PositionOutcome::Agree), causes.agreements),
            (outcome(PositionOutcome::Differ), differ),
            (outcome(PositionOutcome::Both), causes.coverage.both),
            (outcome(PositionOutcome::OnlyFirst), causes.coverage.only_first),
            (outcome(PositionOutcome::OnlySecond), causes.coverage.only_second),
        ] {
            assert_eq!(self.rows(&query).await, count, "{query:?}");
        }
        let mut confused = 0;
        for confusion in &causes.confusions {
            for (said, against, count) in [
                (&confusion.one, &confusion.other, confusion.one_by_first),
                (&confusion.other, &confusion.one, confusion.other_by_first),
            ] {
                let (said, against) = (Some(said.clone()), Some(against.clone()));
                let query = PositionQuery { said, against, ..all.clone() };
                assert_eq!(self.rows(&query).await, count, "{query:?}");
                confused += count;
            }
        }
        assert_eq!(confused, differ, "confusions are all disagreements");
        for label in &causes.labels {
            let domain::OneCategory::Label(id) = label.answer else { continue };
            for (outcome, count) in [
                (PositionOutcome::Both, label.counts.both),
                (PositionOutcome::OnlyFirst, label.counts.only_first),
                (PositionOutcome::OnlySecond, label.counts.only_second),
                (PositionOutcome::Neither, label.counts.neither),
                (PositionOutcome::Differ, label.counts.only_first + label.counts.only_second),
            ] {
                let query = PositionQuery { label: Some(id), outcome, ..all.clone() };
                assert_eq!(self.rows(&query).await, count, "{query:?}");
            }
        }
        for boundary in &causes.boundaries {
            let apart = boundary.groups - boundary.same_labels;
            for (outcome, count) in [
                (PositionOutcome::Any, boundary.groups),
                (PositionOutcome::Agree, boundary.same_labels),
                (PositionOutcome::Differ, apart),
            ] {
                let boundary = Some(boundary.boundary);
                let switches = switches.of_exact_positions();
                let query = PositionQuery { boundary, outcome, switches, ..all.clone() };
                assert_eq!(self.rows(&query).await, count, "{query:?}");
            }
            checked.boundaries += u64::from(boundary.groups > 0);
        }
        let mut in_documents = 0;
        for document in &causes.documents.rows {
            for (outcome, count) in [
                (PositionOutcome::Any, document.positions),
                (PositionOutcome::Agree, document.agreements),
                (PositionOutcome::Differ, document.disagreements),
                (PositionOutcome::OnlyFirst, document.coverage.only_first),
            ] {
                let document = Some(document.document);
                let query = PositionQuery { document, outcome, ..all.clone() };
                assert_eq!(self.rows(&query).await, count, "{query:?}");
            }
            in_documents += document.disagreements;
        }
        if causes.documents.pages() == 1 {
            assert_eq!(in_documents, differ, "documents hold all disagreements");
        }
        checked
    }
}

/// What there was to check; a check of nothing proves nothing.
#[derive(Debug, Default)]
struct Checked {
    cells: u64,
    boundaries: u64,
}

const EVERY_WAY: [Switches; 9] = {
    let plain = Switches {
        measure: Measure::Kappa,
        policy: PolicyChoice::Cleaned,
        documents: Documents::Saved,
        scale: domain::ScaleChoice::LandisKoch,
        filter: Filter::NONE,
    };
    let submitted = Switches { documents: Documents::Submitted, ..plain };
    [
        plain,
        submitted,
        Switches { policy: PolicyChoice::EmptyLabel, ..plain },
        Switches { measure: Measure::F1, ..plain },
        Switches { measure: Measure::F1, ..submitted },
        Switches { policy: PolicyChoice::Token, ..plain },
        Switches { policy: PolicyChoice::Overlap, ..plain },
        Switches { policy: PolicyChoice::Token, measure: Measure::F1, ..plain },
        Switches { policy: PolicyChoice::Overlap, measure: Measure::F1, ..plain },
    ]
};

#[tokio::test]
async fn every_count_of_the_worked_example_leads_to_its_positions() {
    for house in houses().await {
        let hamlet = Sample::new(&house, "Hamlet").await;
        let raters = [hamlet.raters(Role::Labeler).await, hamlet.raters(Role::Reviewer).await];
        let raters = raters.concat();
        assert_eq!(raters.len(), 3);
        for switches in EVERY_WAY {
            for pair in [(0, 1), (1, 0), (0, 2), (2, 1)] {
                let pair = (raters[pair.0], raters[pair.1]);
                assert!(hamlet.check_pair(pair, switches).await.cells > 3);
            }
        }
    }
}

#[tokio::test]
async fn every_count_of_a_project_in_progress_leads_to_its_positions() {
    for house in houses().await {
        let classics = Sample::new(&house, "Places and people in classic prose").await;
        let labelers = classics.raters(Role::Labeler).await;
        let reviewer = classics.raters(Role::Reviewer).await[0];
        for place in [0, 2, 3, 5, 6] {
            let switches = EVERY_WAY[place];
            let checked = classics.check_pair((labelers[0], labelers[1]), switches).await;
            assert!(checked.boundaries > 2 && checked.cells > 6, "{checked:?}");
        }
        classics.check_pair((reviewer, labelers[2]), EVERY_WAY[3]).await;
        // What a filter leaves is counted and listed alike.
        let labels = store::project::labels::list(&*house.store, classics.project).await.unwrap();
        let documents = store::document::names(&*house.store, classics.project).await.unwrap();
        for filter in [
            Filter { label: Some(labels[1].id), ..Filter::default() },
            Filter { document: Some(documents[2].0), ..Filter::default() },
        ] {
            for place in [2, 5, 6] {
                let switches = Switches { filter, ..EVERY_WAY[place] };
                let checked = classics.check_pair((labelers[0], labelers[1]), switches).await;
                assert!(checked.cells > 1, "{checked:?}");
            }
        }
    }
}

#[tokio::test]
async fn every_count_of_labels_documents_and_people_leads_to_its_positions() {
    for house in houses().await {
        let sample = Sample::new(&house, "Places and people in classic prose").await;
        let (services, actor, project) = (&sample.services, &sample.manager, sample.project);
        for switches in [EVERY_WAY[0], EVERY_WAY[2], EVERY_WAY[5]] {
            let all = PositionQuery::of(Whose::Labelers, switches);
            let labels = breakdowns::labels(services, actor, project, switches, Sorting::default());
            let labels = labels.await.unwrap();
            assert_eq!(sample.rows(&all).await, labels.positions);
            for row in &labels.rows {
                let of_label = PositionQuery { label: Some(row.label), ..all.clone() };
                for (outcome, count) in [
                    (PositionOutcome::Any, row.positions),
                    (PositionOutcome::Agree, row.unanimous),
                    (PositionOutcome::Differ, row.disputed),
                ] {
                    let query = PositionQuery { outcome, ..of_label.clone() };
                    assert_eq!(sample.rows(&query).await, count, "{query:?}");
                }
                for (said, count) in &row.confusions {
                    let query = PositionQuery { said: Some(said.clone()), ..of_label.clone() };
                    assert_eq!(sample.rows(&query).await, *count, "{query:?}");
                }
                for bar in row.small.iter().step_by(4) {
                    let whose = match bar.second {
                        Some(second) => Whose::Pair(bar.first, second),
                        None => Whose::Pooled(bar.first, Role::Labeler),
                    };
                    let query = PositionQuery { whose, ..of_label.clone() };
                    assert_eq!(sample.rows(&query).await, bar.positions, "{query:?}");
                }
            }
            let documents =
                breakdowns::documents(services, actor, project, switches, Sorting::default());
            let documents = documents.await.unwrap();
            assert_eq!(sample.rows(&all).await, documents.positions);
            let differ = PositionQuery { outcome: PositionOutcome::Differ, ..all.clone() };
            assert_eq!(sample.rows(&differ).await, documents.disputed);
            for row in &documents.page.rows {
                let document = Some(row.document);
                let query = PositionQuery { document, ..all.clone() };
                assert_eq!(sample.rows(&query).await, row.positions);
                let query = PositionQuery { document, ..differ.clone() };
                assert_eq!(sample.rows(&query).await, row.disputed);
            }
            let people = breakdowns::people(services, actor, project, switches, Sorting::default());
            for row in people.await.unwrap().rows {
                for pooled in [row.labelers, row.reviewers] {
                    let whose = Whose::Pooled(row.rater.id, pooled.role);
                    for (outcome, count) in [
                        (PositionOutcome::Any, pooled.comparisons),
                        (PositionOutcome::Agree, pooled.agreements),
                        (PositionOutcome::Both, pooled.coverage.both),
                        (PositionOutcome::OnlyFirst, pooled.coverage.only_first),
                        (PositionOutcome::OnlySecond, pooled.coverage.only_second),
                    ] {
                        let query = PositionQuery { outcome, ..PositionQuery::of(whose, switches) };
                        assert_eq!(sample.rows(&query).await, count, "{query:?}");
                    }
                }
                let whose = Whose::Pooled(row.rater.id, Role::Labeler);
                for usage in row.usage {
                    for (outcome, count) in [
                        (PositionOutcome::Both, usage.both),
                        (PositionOutcome::OnlyFirst, usage.only_own),
                        (PositionOutcome::OnlySecond, usage.only_others),
                    ] {
                        let label = Some(usage.label);
                        let query =
                            PositionQuery { outcome, label, ..PositionQuery::of(whose, switches) };
                        assert_eq!(sample.rows(&query).await, count, "{query:?}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn a_row_of_a_group_has_every_mark_with_its_own_words() {
    for house in houses().await {
        let sample = Sample::new(&house, "Places and people in classic prose").await;
        let labelers = sample.raters(Role::Labeler).await;
        let mut seen = 0;
        for &boundary in Boundary::ALL {
            let whose = Whose::Pair(labelers[0], labelers[1]);
            let query = PositionQuery {
                boundary: Some(boundary),
                ..PositionQuery::of(whose, Switches::default())
            };
            let (services, actor) = (&sample.services, &sample.manager);
            let list = counted::list(services, actor, sample.project, query).await.unwrap();
            for row in list.page.rows {
                for said in &row.said {
                    let (range, words) = said.elsewhere.clone().unwrap();
                    assert!(row.range.start <= range.start && range.end <= row.range.end);
                    assert!(row.quote.contains(&words), "{words:?} in {:?}", row.quote);
                    assert_ne!(said.judgement, domain::Judgement::Labels(LabelSet::EMPTY));
                }
                seen += 1;
            }
        }
        assert!(seen > 5, "the sample has boundary disagreements");
    }
}
