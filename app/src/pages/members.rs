//! A project's members, its open invitations, and inviting more people.

mod invite;

use domain::{InvitationId, Member, MemberId, OpenInvitation};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::{Deserialize, Serialize};

use crate::{
    ApiError,
    api::members::{delete_invitation, list_invitations, list_members, remove_member},
    components::{
        dialog::Confirm,
        field::{Problem, refusal},
        loaded::Loaded,
    },
    display,
    loading::load,
    pages::{
        members::invite::Invite,
        project::{ProjectContext, use_project_id},
    },
    view::{dynamic, view},
};

/// Everybody in the project, and everybody invited to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct People {
    members: Vec<Member>,
    invitations: Vec<OpenInvitation>,
    /// The viewer's own membership.
    own: MemberId,
}

#[component]
pub(crate) fn MembersPage() -> impl IntoView {
    let ProjectContext(project) = expect_context();
    let id = use_project_id();
    let people = load(
        move || id.get(),
        move |id| async move {
            Ok::<_, ApiError>(People {
                members: list_members(id).await?,
                invitations: list_invitations(id).await?,
                own: project.await?.member,
            })
        },
    );

    let leaving = RwSignal::new(None::<Member>);
    let remove = Action::new(move |member: &MemberId| {
        let member = *member;
        async move {
            let removed = remove_member(id.get_untracked(), member).await;
            if removed.is_ok() {
                leaving.set(None);
                people.refetch();
            }
            removed
        }
    });
    let on_remove = Callback::new(move |member| {
        remove.clear();
        leaving.set(Some(member));
    });
    let revoke = Action::new(move |invitation: &InvitationId| {
        let invitation = *invitation;
        async move {
            let revoked = delete_invitation(id.get_untracked(), invitation).await;
            people.refetch();
            revoked
        }
    });
    let name = move || leaving.get().map(|member| member.name);

    view! {
        <Title text="Members"/>
        <div class="page">
            <h1>"Members"</h1>
            <Invite project=id on_invite=Callback::new(move |()| people.refetch())/>
            <Problem refusal=refusal(revoke)/>
            <Loaded resource=people view=move |People { members, invitations, own }| {
                view! {
                    <Invitations
                        invitations
                        on_revoke=Callback::new(move |invitation| {
                            revoke.dispatch(invitation);
                        })
                        pending=revoke.pending().into()
                    />
                    <MemberTable members own on_remove/>
                }
            }/>
            <Confirm
                id="remove-member"
                title="Remove this member?"
                open=Signal::derive(move || leaving.read().is_some())
                on_close=Callback::new(move |()| leaving.set(None))
                verb="Remove member"
                on_confirm=Callback::new(move |()| {
                    if let Some(member) = leaving.get_untracked() {
                        remove.dispatch(member.id);
                    }
                })
                pending=remove.pending()
                refusal=refusal(remove)
            >
                <p>
                    <strong dir="auto">{dynamic(name)}</strong>
                    " loses access to this project at once. What they did in it stays."
                </p>
            </Confirm>
        </div>
    }
}

#[component]
fn MemberTable(members: Vec<Member>, own: MemberId, on_remove: Callback<Member>) -> impl IntoView {
    let rows = members
        .into_iter()
        .map(|member| {
            let is_own = member.id == own;
            let Member { name, email, role, .. } = member.clone();
            let verb = format!("Remove {name}");
            let remove = (!is_own).then(|| {
                let remove = move |_| on_remove.run(member.clone());
                view! {
                    <button type="button" class="small" aria-label=verb on:click=remove>
                        "Remove"
                    </button>
                }
            });
            view! {
                <tr>
                    <th scope="row">
                        <bdi>{name}</bdi>
                        {is_own.then_some(" (you)")}
                    </th>
                    <td dir="auto">{email}</td>
                    <td>{role.name()}</td>
                    <td class="tools">{remove}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section class="stack" aria-labelledby="members-title">
            <h2 id="members-title">"Everybody in this project"</h2>
            <div class="scroll-x" tabindex="0" role="region" aria-labelledby="members-title">
                <table class="rows">
                    <thead>
                        <tr>
                            <th scope="col">"Name"</th>
                            <th scope="col">"E-mail address"</th>
                            <th scope="col">"Role"</th>
                            <th scope="col"><span class="visually-hidden">"Actions"</span></th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}

/// Invitations that nobody has accepted yet; nothing if there is none.
#[component]
fn Invitations(
    invitations: Vec<OpenInvitation>,
    on_revoke: Callback<InvitationId>,
    pending: Signal<bool>,
) -> impl IntoView {
    let rows = invitations
        .into_iter()
        .map(|OpenInvitation { id, role, email, created_at, expires_at }| {
            let whose = email.unwrap_or_else(|| "anybody with the link".to_owned());
            let verb = format!("Revoke the invitation of {whose} as {role}");
            view! {
                <tr>
                    <th scope="row" dir="auto">{whose}</th>
                    <td>{role.name()}</td>
                    <td class="time">{display::time(created_at)}</td>
                    <td class="time">{display::time(expires_at)}</td>
                    <td class="tools">
                        <button
                            type="button"
                            class="small"
                            aria-label=verb
                            disabled=pending
                            on:click=move |_| on_revoke.run(id)
                        >
                            "Revoke"
                        </button>
                    </td>
                </tr>
            }
        })
        .collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="stack" aria-labelledby="invitations-title">
                <h2 id="invitations-title">"Open invitations"</h2>
                <div class="scroll-x" tabindex="0" role="region" aria-labelledby="invitations-title">
                    <table class="rows">
                        <thead>
                            <tr>
                                <th scope="col">"For"</th>
                                <th scope="col">"Role"</th>
                                <th scope="col">"Made"</th>
                                <th scope="col">"Works until"</th>
                                <th scope="col"><span class="visually-hidden">"Actions"</span></th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </section>
        }
    })
}
