//! The only reader of what a page loads: its content, or what went wrong, in one place.

use domain::Error;
use leptos::prelude::*;

use crate::{
    ApiError,
    context::{loading::Loading, page_path},
    view::view,
};

/// Shows what has been loaded, or what went wrong where that failed.
#[component]
pub(crate) fn Loaded<T, F, V>(
    /// What is loaded.
    resource: Loading<T>,
    /// How it is shown.
    view: F,
    /// Shows nothing where it failed: for what stands beside a page's content, which says so itself.
    #[prop(optional)]
    quiet: bool,
    /// The page has its title above: what went wrong stands below it.
    #[prop(optional)]
    titled: bool,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    F: FnOnce(T) -> V + Send + 'static,
    V: IntoView + 'static,
{
    // Waited for where it stands, and not in a task of its own: what a page is made from lives as
    // long as the request, and a browser that goes away ends all of it.
    Suspend::new(async move {
        match resource.await {
            Ok(loaded) => view(loaded).into_any(),
            Err(_) if quiet => ().into_any(),
            Err(error) => view! { <Failure error titled/> },
        }
    })
}

/// What went wrong, and the way on.
#[component]
pub(crate) fn Failure(error: ApiError, titled: bool) -> impl IntoView {
    let (title, way_on) = match &error {
        ApiError::App(Error::SignInRequired) => {
            let href = format!("/sign-in?back={}", page_path());
            ("Please sign in", view! { <a class="button" href=href>"Sign in"</a> })
        }
        ApiError::App(Error::NotFound) => {
            ("Not found", view! { <a class="button" href="/">"Your projects"</a> })
        }
        ApiError::App(Error::SecondFactorRequired) => (
            "Second factor required",
            view! { <a class="button primary" href="/account">"Set up second factor"</a> },
        ),
        ApiError::App(_) => {
            ("Something went wrong", view! { <a class="button" href="/">"Your projects"</a> })
        }
        ApiError::Transport(_) => {
            ("The server cannot be reached", view! { <p>"Check your connection, then reload."</p> })
        }
    };
    let title = if titled {
        view! { <h2>{title}</h2> }
    } else {
        view! { <h1>{title}</h1> }
    };
    let detail = match &error {
        ApiError::App(Error::NotFound) => {
            "It does not exist, or this account has no access.".to_owned()
        }
        ApiError::App(Error::SignInRequired) => "Your session has ended.".to_owned(),
        ApiError::App(Error::SecondFactorRequired) => {
            "This project requires a second factor on your account.".to_owned()
        }
        other => other.to_string(),
    };
    view! {
        <section class="failure" role="alert">
            {title}
            <p>{detail}</p>
            {way_on}
        </section>
    }
}
