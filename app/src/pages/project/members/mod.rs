//! A project's members, its open invitations, and inviting more people.

mod invitations;
mod invite;
mod table;

use domain::{Member, MemberId, OpenInvitation, ProjectId};

use self::{
    invitations::Invitations,
    invite::{Invite, NewLink},
    table::MemberTable,
};
use crate::{
    api::project::members::list_members,
    context::{SiteAddress, extension, loading::Loading, take_note},
    pages::{components::prelude::*, project::ProjectContext},
};

/// Everybody in the project, and everybody invited to it.
#[derive(Clone)]
struct People {
    members: Vec<Member>,
    invitations: Vec<OpenInvitation>,
    /// The viewer's own membership.
    own: MemberId,
    /// The link of the invitation that has just been made.
    link: Option<String>,
    sends_mail: bool,
}

#[component]
pub(crate) fn MembersPage() -> impl IntoView {
    let ProjectContext(project) = expect_context();
    let id = use_project_id();
    let people = load(load_people(id, project));
    view! {
        <PageBody title="Members" class="page">
            <Loaded resource=people titled=true view=move |people| {
                let People { members, invitations, own, link, sends_mail } = people;
                let project = id;
                let inside = match link {
                    Some(link) => view! { <NewLink project link/> },
                    None => view! { <Invite project sends_mail/> },
                };
                view! {
                    <Section title_id="invite-title" title="Invite someone" class="card">
                        {inside}
                    </Section>
                    <Invitations project invitations/>
                    <MemberTable project members own/>
                }
            }/>
        </PageBody>
    }
}

async fn load_people(
    id: ProjectId,
    project: Loading<domain::ProjectView>,
) -> Result<People, ApiError> {
    let SiteAddress(site) = extension()?;
    let link = take_note(id, "settings/members").map(|token| format!("{site}/invitations/{token}"));
    let (services, actor) = request()?;
    let invitations = services::project::members::list_invitations(&services, &actor, id).await;
    Ok(People {
        members: list_members(id).await?,
        invitations: answer(invitations)?,
        own: project.await?.member,
        link,
        sends_mail: services::project::members::sends_invitations(&services),
    })
}
