//! The tokens with which one's programs ask for things: make, see, end.

mod make;

use domain::{ApiToken, ProjectCard};

use self::make::Make;
use crate::{
    api::{account::tokens::RevokeToken, project::list_projects},
    context::take_note_at,
    pages::components::{form::shown_once::ShownOnce, prelude::*},
};

/// Everything on the page.
#[derive(Clone)]
struct Own {
    tokens: Vec<ApiToken>,
    projects: Vec<ProjectCard>,
    /// The secret of the token that has just been made.
    secret: Option<String>,
}

#[component]
pub(crate) fn TokensPage() -> impl IntoView {
    let own = load(load_own());
    view! {
        <PageBody title="API tokens" class="page tokens">
            <p>
                "A token lets a program act as you, within its scopes. "
                <a href="/api">"API reference"</a>
            </p>
            <Loaded resource=own titled=true view=|Own { tokens, projects, secret }| {
                let names = projects.clone();
                let make = match secret {
                    Some(secret) => view! {
                        <ShownOnce
                            id="made-token"
                            label="Token"
                            secret
                            advice="Store this token where only your program can read it."
                            terms="Shown only once. Anyone who has it can use it."
                            on=("/tokens".to_owned(), "Done")
                        />
                    },
                    None => view! { <Make projects/> },
                };
                view! {
                    <Section title_id="make-title" title="New token" class="card">
                        {make}
                    </Section>
                    <Tokens tokens projects=names/>
                }
            }/>
        </PageBody>
    }
}

async fn load_own() -> Result<Own, ApiError> {
    let (services, actor) = request()?;
    let tokens = answer(services::account::list_tokens(&services, &actor).await)?;
    Ok(Own { tokens, projects: list_projects().await?, secret: take_note_at("/tokens") })
}

/// The tokens that there are, each with a button that ends it.
#[component]
fn Tokens(tokens: Vec<ApiToken>, projects: Vec<ProjectCard>) -> impl IntoView {
    let revoke = ServerAction::<RevokeToken>::new();
    let rows = tokens
        .into_iter()
        .map(|token| {
            let leads_to = leads_to(&token, &projects);
            let ApiToken { id, name, scopes, expires_at, last_used_on, .. } = token;
            let scopes: Vec<_> = scopes.iter().map(|scope| scope.name()).collect();
            let verb = format!("Revoke the token {name}");
            let used = last_used_on.map_or_else(|| "never".to_owned(), |day| day.to_string());
            view! {
                <tr>
                    <th scope="row" dir="auto">{name}</th>
                    <td>{scopes.join(", ")}</td>
                    <td dir="auto">{leads_to}</td>
                    <td class="time"><Moment at=expires_at/></td>
                    <td class="time">{used}</td>
                    <td class="tools">
                        <ActionForm action=revoke>
                            <input type="hidden" name="id" value=id.to_string()/>
                            <button class="small" aria-label=verb>"Revoke"</button>
                        </ActionForm>
                    </td>
                </tr>
            }
        })
        .collect::<Vec<_>>();
    let table = if rows.is_empty() {
        view! { <p class="empty">"No tokens."</p> }
    } else {
        view! {
            <Table labelled_by="tokens-title">
                {heads([Text("Name"), Text("For"), Text("Projects"), Text("Expires"), Text("Last used"), Hidden("Actions")])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <Section title_id="tokens-title" title="Tokens in use">
            <Problem refusal=refusal(revoke.into())/>
            {table}
        </Section>
    }
}

/// The names of the projects that a token leads to, as far as one is still in them.
fn leads_to(token: &ApiToken, own: &[ProjectCard]) -> String {
    let Some(projects) = &token.projects else { return "all".to_owned() };
    let names = projects.iter().map(|id| {
        let known = own.iter().find(|project| project.id == *id);
        known.map_or_else(|| format!("project {id}"), |project| project.name.clone())
    });
    names.collect::<Vec<_>>().join(", ")
}
