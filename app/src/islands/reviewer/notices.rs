//! What stands in the way of saving, and the ways out.

use crate::islands::prelude::*;

use super::session::{Cause, Session, Trouble};

/// The notices above the text; there is none while all is well.
#[component]
pub(crate) fn Notices(session: Session) -> impl IntoView {
    let trouble =
        move || session.trouble.get().map(|trouble| view! { <TroubleNotice session trouble/> });
    let refused =
        move || session.refused.get().map(|error| view! { <RefusedNotice session error/> });
    view! { <div role="alert" class="stack notices">{trouble} {refused}</div> }
}

#[component]
fn TroubleNotice(session: Session, trouble: Trouble) -> impl IntoView {
    let what = match trouble.cause {
        Cause::Moved => {
            "Changed in another tab or on another device. This is the current version.".to_owned()
        }
        Cause::Refused(error) => {
            format!("Refused: {error}. This is the current version.")
        }
        Cause::Left => "This page was closed before everything was saved.".to_owned(),
    };
    let count = trouble.mine.len();
    let decisions = domain::count(count, "decision");
    let mine = (count > 0).then(|| {
        view! {
            <p>{decisions} " not saved."</p>
        }
    });
    let again = (count > 0).then(|| {
        view! {
            <button type="button" class="primary" on:click=move |_| session.settle(true)>
                "Apply mine again"
            </button>
        }
    });
    view! {
        <div class="notice warn">
            <p>{what}</p>
            {mine}
            <div class="row">
                {again}
                <button type="button" on:click=move |_| session.settle(false)>
                    {if count > 0 { "Discard mine" } else { "Continue" }}
                </button>
            </div>
        </div>
    }
}

#[component]
fn RefusedNotice(session: Session, error: ApiError) -> impl IntoView {
    view! {
        <div class="notice danger">
            <p>"Not saved: " {error.to_string()} "."</p>
            <div class="row">
                <button type="button" on:click=move |_| session.try_again()>"Try again"</button>
            </div>
        </div>
    }
}
