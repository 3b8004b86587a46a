//! Guidelines, and how their Markdown and that of all others is rendered.

mod clean_limit;
mod markdown;
mod parse_limit;
mod renderer;

use std::sync::Arc;

use domain::{
    Actor, Error as Refusal, GuidelinesView, ProjectId,
    base::policy::{Action, Standpoint, offers},
};

use crate::{Result, Services, base::access::permit};
pub use markdown::render_markdown;
pub(crate) use renderer::MarkdownRenderer;

/// A version of the guidelines, or the present one, with the list of all versions.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    number: Option<i64>,
) -> Result<GuidelinesView> {
    let db = services.store.begin_read().await?;
    let member = permit(&db, actor, project, Action::ViewProject).await?.member;
    let mut versions = store::project::guidelines::list(&db, project).await?;
    let number = number.or_else(|| versions.first().map(|newest| newest.number));
    let number = number.ok_or(Refusal::NotFound)?;
    let text =
        store::project::guidelines::text(&db, project, number).await?.ok_or(Refusal::NotFound)?;
    drop(db);
    // Whoever wrote them is no concern of those who follow them.
    let standpoint = Standpoint::Member { role: member.role, owns: false };
    if !offers(Action::ManageProject, standpoint) {
        for version in &mut versions {
            version.author = None;
        }
    }
    let found = versions.iter().find(|version| version.number == number);
    let version = found.cloned().ok_or(Refusal::NotFound)?;
    let html = services.markdown.render(text).await?;
    Ok(GuidelinesView { version, html, versions })
}
