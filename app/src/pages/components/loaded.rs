//! The only reader of resources: loading, error and content of a page in one place.

use domain::Error;
use leptos::{prelude::*, tachys::reactive_graph::OwnedView};

use crate::{ApiError, loading::Loading, view::view};

/// How something loaded is shown: boxed, so that the browser loads the code around it once per
/// type and not once per page.
type Show<T> = Box<dyn Fn(T) -> AnyView + Send + Sync>;

/// Shows what a resource has loaded; until then a quiet bar, and what went wrong where it failed.
#[component]
pub(crate) fn Loaded<T, F, V>(
    /// What is loaded.
    resource: Loading<T>,
    /// How it is shown.
    view: F,
    /// Shows nothing while it loads and where it failed: for what stands beside a page's content,
    /// which says so itself.
    #[prop(optional)]
    quiet: bool,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    F: Fn(T) -> V + Send + Sync + 'static,
    V: IntoView + 'static,
{
    // The closure below is cleaned up as soon as the resource loads again, but what it has shown
    // stays on screen until there is something new: its signals must not end before it.
    let parent = Owner::current().map(|owner| owner.downgrade());
    let view: Show<T> = Box::new(move |loaded| view(loaded).into_any());
    let view = StoredValue::new(view);
    view! {
        <Transition fallback=move || {
            (!quiet).then(|| view! { <p class="loading" role="status">"Loading …"</p> })
        }>
            {move || {
                let parent = parent.clone();
                Suspend::new(async move {
                    match resource.await {
                        Ok(loaded) => {
                            let parent = parent.and_then(|parent| parent.upgrade());
                            let owner = parent.map_or_else(Owner::new, |parent| parent.child());
                            let shown = owner.with(|| view.with_value(|view| view(loaded)));
                            OwnedView::new_with_owner(shown, owner).into_any()
                        }
                        Err(_) if quiet => ().into_any(),
                        Err(error) => view! { <Failure error/> },
                    }
                })
            }}
        </Transition>
    }
}

/// What went wrong, and the way on.
#[component]
pub(crate) fn Failure(error: ApiError) -> impl IntoView {
    let (title, way_on) = match &error {
        ApiError::App(Error::SignInRequired) => {
            ("Please sign in", view! { <a class="button" href="/sign-in">"Sign in"</a> })
        }
        ApiError::App(Error::NotFound) => {
            ("Not found", view! { <a class="button" href="/">"Your projects"</a> })
        }
        ApiError::App(_) => {
            ("This did not work", view! { <a class="button" href="/">"Your projects"</a> })
        }
        ApiError::Transport(_) => (
            "The server cannot be reached",
            view! { <p>"Check your connection, then load this page again."</p> },
        ),
    };
    let detail = match &error {
        ApiError::App(Error::NotFound) => {
            "There is nothing here, or it is not for this account to see.".to_owned()
        }
        ApiError::App(Error::SignInRequired) => {
            "Nobody is signed in, or the session has ended.".to_owned()
        }
        other => other.to_string(),
    };
    view! {
        <section class="failure" role="alert">
            <h1>{title}</h1>
            <p>{detail}</p>
            {way_on}
        </section>
    }
}
