//! Agreement in its parts: by label, by document, by person. Counted once for each state of the
//! project and remembered; a page only sorts what is there.

mod by_document;
mod disputes;
mod documents;
mod labels;
mod people;
mod remembered;

use std::sync::Arc;

use domain::{
    Actor, DocumentOrder, DocumentPart, DocumentParts, Label, LabelOrder, LabelPart, LabelParts,
    Page, PersonOrder, PersonPart, PersonParts, ProjectId, Rater, Sorting, Switches,
    base::policy::Action,
};
use live::{Narrowing, Tallies};

use crate::{
    Result, Services,
    agreement::own::consistency,
    base::{
        access::{Access, permit},
        categories::Categories,
        names::Names,
        sorting::{Key, PAGE_SIZE, page, sort},
    },
};
pub(crate) use by_document::ByDocument;
pub(crate) use disputes::Disputes;
pub(crate) use remembered::{Question, Remembered};

/// What was counted of the parts, for as long as it holds.
#[derive(Default)]
pub(crate) struct Parts {
    labels: Remembered<Vec<LabelPart>>,
    documents: Remembered<documents::Counted>,
    people: Remembered<Vec<PersonPart>>,
    disputes: Remembered<Disputes>,
    /// What of it was counted of each document, which outlasts saves of other documents.
    kept: Arc<Kept>,
}

/// What was counted of each document by itself.
#[derive(Default)]
struct Kept {
    documents: ByDocument<Option<DocumentPart>, Question>,
    people: ByDocument<people::Together, Question>,
    disputes: ByDocument<disputes::Differing, Question>,
}

/// Every label, over all labelers at once; refused of pairs of spans, which are of two raters each.
pub async fn labels(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
    sorting: Sorting<LabelOrder>,
) -> Result<LabelParts> {
    let seen = Seen::load_common(services, actor, project, switches).await?;
    let rows = seen
        .part(services, |parts| &parts.labels, |_, tallies, asked| labels::of(tallies, asked))
        .await?;
    let mut rows = Vec::clone(&rows);
    sort(&mut rows, sorting.descending, |row| match sorting.order {
        LabelOrder::Value => Key::Lowest(row.alpha.value()),
        LabelOrder::Label => Key::Given,
        LabelOrder::Positions => Key::Most(row.positions),
        LabelOrder::Disagreements => Key::Most(row.disputed),
    });
    let several = seen.tallies.several(seen.switches);
    Ok(LabelParts {
        revision: seen.tallies.revision,
        switches: seen.switches,
        positions: several.tally.items(),
        documents: several.documents,
        raters: seen.raters,
        labels: seen.labels.to_vec(),
        rows,
    })
}

/// A page of documents, with how far all labelers agree on each; refused as of labels.
pub async fn documents(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
    sorting: Sorting<DocumentOrder>,
) -> Result<DocumentParts> {
    let seen = Seen::load_common(services, actor, project, switches).await?;
    let rows = seen.part(services, |parts| &parts.documents, documents::of).await?;
    let mut rows: Vec<&DocumentPart> = rows.parts().collect();
    sort(&mut rows, sorting.descending, |row| match sorting.order {
        DocumentOrder::Value => Key::Lowest(row.percent.value()),
        DocumentOrder::Document => Key::Given,
        DocumentOrder::Positions => Key::Most(row.positions),
        DocumentOrder::Disagreements => Key::Most(row.disputed),
        DocumentOrder::Undecided => Key::Most(row.disputed - row.decided),
    });
    let (positions, disputed) =
        rows.iter().fold((0, 0), |sums, row| (sums.0 + row.positions, sums.1 + row.disputed));
    let found = page(rows, &sorting, PAGE_SIZE);
    let shown: Vec<_> = found.rows.iter().map(|row| row.document).collect();
    let names = store::document::names_of(&services.store, &shown).await?;
    let with_name = |row: &DocumentPart| DocumentPart {
        name: names.get(&row.document).cloned().unwrap_or_default(),
        ..row.clone()
    };
    Ok(DocumentParts {
        revision: seen.tallies.revision,
        switches: seen.switches,
        positions,
        disputed,
        page: Page {
            rows: found.rows.into_iter().map(with_name).collect(),
            total: found.total,
            number: found.number,
            size: found.size,
        },
    })
}

/// Every labeler against the other labelers and against the reviewers.
pub async fn people(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
    sorting: Sorting<PersonOrder>,
) -> Result<PersonParts> {
    let seen = Seen::load(services, actor, project, switches).await?;
    let rows = seen.part(services, |parts| &parts.people, people::of).await?;
    let mut rows = Vec::clone(&rows);
    let own =
        consistency::for_viewer(services, &seen.access, project, switches, &seen.labels).await?;
    for row in &mut rows {
        row.own = own.get(&row.rater.id).map(|own| own.part);
        // What is remembered is for all viewers, the names are for this one.
        if let Some(rater) = seen.raters.iter().find(|rater| rater.id == row.rater.id) {
            row.rater.clone_from(rater);
        }
    }
    sort(&mut rows, sorting.descending, |row| match sorting.order {
        PersonOrder::Value => Key::Lowest(row.labelers.measured.value()),
        PersonOrder::Name => Key::Given,
        PersonOrder::Reviewers => Key::Lowest(row.reviewers.measured.value()),
        PersonOrder::Themselves => Key::Lowest(row.own.and_then(|own| own.measured.value())),
        PersonOrder::Positions => Key::Most(row.labelers.comparisons),
    });
    Ok(PersonParts {
        revision: seen.tallies.revision,
        switches: seen.switches,
        labels: seen.labels.to_vec(),
        rows,
    })
}

/// What the overview of a project is made from.
pub(crate) struct Glance {
    pub(crate) tallies: Arc<Tallies>,
    pub(crate) labels: Categories,
    pub(crate) raters: Vec<Rater>,
    pub(crate) documents: Arc<documents::Counted>,
    pub(crate) people: Arc<Vec<PersonPart>>,
    pub(crate) disputes: Arc<Disputes>,
    pub(crate) question: Question,
}

/// Documents, people and disputes as they are counted, unsorted and without names.
pub(crate) async fn glance(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<Glance> {
    let seen = Seen::load(services, actor, project, switches).await?;
    let documents = seen.part(services, |parts| &parts.documents, documents::of).await?;
    let people = seen.part(services, |parts| &parts.people, people::of).await?;
    let disputes = seen.part(services, |parts| &parts.disputes, disputes::of).await?;
    let question = seen.question();
    let Seen { tallies, raters, labels, .. } = seen;
    Ok(Glance { tallies, labels, raters, documents, people, disputes, question })
}

/// Every label over all labelers of tallies that belong to no project, in the order of the labels; none of
/// pairs of spans, which are of two raters each.
pub(crate) fn labels_at_once(
    tallies: &Tallies,
    switches: Switches,
    labels: &[Label],
    raters: &[Rater],
) -> Vec<LabelPart> {
    let raters = raters.iter().map(|rater| (rater.id, rater.role)).collect();
    let switches = switches.of_positions().without_scale();
    if switches.policy.check_common().is_err() {
        return Vec::new();
    }
    labels::of(tallies, &Question { switches, labels: labels.to_vec().into(), raters })
}

/// What all three pages are made of.
struct Seen {
    tallies: Arc<Tallies>,
    raters: Vec<Rater>,
    labels: Categories,
    switches: Switches,
    access: Access,
}

impl Seen {
    async fn load(
        services: &Arc<Services>,
        actor: &Actor,
        project: ProjectId,
        switches: Switches,
    ) -> Result<Self> {
        let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
        let names = Names::load(&services.store, project, &access.member).await?;
        let labels = Categories::of(&services.store, project, switches).await?;
        let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
        Ok(Self { tallies, raters: names.raters().to_vec(), labels, switches, access })
    }

    /// What is of all labelers at once.
    async fn load_common(
        services: &Arc<Services>,
        actor: &Actor,
        project: ProjectId,
        switches: Switches,
    ) -> Result<Self> {
        switches.policy.check_common()?;
        Self::load(services, actor, project, switches.of_positions()).await
    }

    fn question(&self) -> Question {
        Question {
            switches: self.switches.without_scale(),
            labels: self.labels.clone(),
            raters: self.raters.iter().map(|rater| (rater.id, rater.role)).collect(),
        }
    }

    /// A part as it was remembered, or counted on a thread that may block.
    async fn part<T: Send + Sync + 'static>(
        &self,
        services: &Arc<Services>,
        remembered: fn(&Parts) -> &Remembered<T>,
        count: fn(&Kept, &Tallies, &Question) -> T,
    ) -> Result<Arc<T>> {
        let question = self.question();
        let kept = Arc::clone(&services.parts.kept);
        let count = move |tallies: &Tallies, question: &Question| count(&kept, tallies, question);
        remembered(&services.parts).find_or_count(&self.tallies, question, count).await
    }
}
