//! An import that has begun.

use std::sync::Arc;

use domain::{ImportId, ProjectId, UserId};
use store::document::imports::NewImport;

use super::{
    order::Order,
    running::{Here, Job},
    scan::Files,
};
use crate::{Result, Services};

/// An import whose row is there.
pub(super) struct Begun {
    pub(super) id: ImportId,
    pub(super) project: ProjectId,
    pub(super) by: Option<UserId>,
    pub(super) job: Arc<Job>,
    _here: Here,
}

impl Begun {
    pub(super) async fn new(
        services: &Services,
        project: ProjectId,
        by: Option<UserId>,
        files: &Files,
        order: &Order,
    ) -> Result<Self> {
        let new = NewImport {
            by,
            at: services.clock.now(),
            import_as: order.options.import_as,
            files: files.iter().map(|file| file.name().to_owned()).collect(),
        };
        let tx = services.store.begin().await?;
        store::project::removal::refuse_archived(&tx, project).await?;
        let id = store::document::imports::insert(&tx, project, new).await?;
        tx.commit().await?;
        let job = Arc::new(Job::default());
        let here = services.imports.begin(id, &job);
        Ok(Self { id, project, by, job, _here: here })
    }
}
