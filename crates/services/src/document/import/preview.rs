//! Reads files before anything is written: what an import of them would bring.

use std::sync::Arc;

use domain::{ImportAs, ImportPreview, ProjectId, WorkPreview};

use super::{
    names::{labels::Labels, questions::Questions},
    order::Order,
    plan::plan,
    running::{CancelOnDrop, Job},
    scan::{Files, Scan, scan},
};
use crate::{Error, Result, Services, project::check_room};

/// Looks at the files without the project's documents.
pub(super) async fn scanned(
    services: &Services,
    project: ProjectId,
    files: &Files,
    order: Order,
    job: &Arc<Job>,
) -> Result<(Scan, Labels, Order)> {
    let present = store::project::labels::list(&services.store, project).await?;
    let (choices, create) = (&order.options.mapping.labels, order.options.create_labels);
    let labels = Labels::new(&present, choices, create)?;
    let asked = store::project::attributes::list(&services.store, project).await?;
    let questions = Questions::new(asked, &present);
    let (files, job) = (Arc::clone(files), Arc::clone(job));
    let scanning =
        move || scan(&files, &labels, questions, (&order, &job)).map(|scan| (scan, labels, order));
    let (scan, labels, order) =
        tokio::task::spawn_blocking(scanning).await.map_err(Error::broken)??;
    scan.questions.check_room()?;
    let new = scan.new_labels.iter().filter(|name| labels.creates(name)).count();
    check_room(&present, new)?;
    Ok((scan, labels, order))
}

pub(super) async fn preview_files(
    services: &Services,
    project: ProjectId,
    files: &Files,
    order: Order,
) -> Result<ImportPreview> {
    let job = Arc::new(Job::default());
    // Whoever leaves ends the work on the other thread.
    let _cancels = CancelOnDrop(Arc::clone(&job));
    let (mut scan, labels, order) = scanned(services, project, files, order, &job).await?;
    let snapshot = services.store.begin_read().await?;
    let plan = plan(&snapshot, project, &mut scan, &order).await?;
    drop(snapshot);
    let work = (order.options.import_as == ImportAs::Work).then(|| WorkPreview {
        raters_from: scan.rated.from.clone(),
        people: plan.people.preview(&scan),
        labelers: plan.people.labelers.iter().map(|it| (it.id, it.name.clone())).collect(),
        models: plan
            .people
            .models
            .iter()
            .map(|model| (model.name.clone(), model.version.clone()))
            .collect(),
        changes: plan.changes,
        notes: scan.notes.clone(),
    });
    Ok(ImportPreview {
        labels: labels.preview(&scan.labels),
        questions: scan.questions.preview(),
        work,
        problem_count: scan.problems.count(),
        problems: scan.problems.into_first(),
        files: scan.previews,
        new_labels: scan.new_labels,
    })
}
