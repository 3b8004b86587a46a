//! The frame of every page: skip link, header and the place for the page itself.

pub(crate) mod focus;
pub(crate) mod island;
pub(crate) mod lead;
pub(crate) mod live_line;
pub(crate) mod loaded;
pub(crate) mod sections;
mod text_look;
mod theme;
pub(crate) mod title;

use domain::User;
use server_fn::ServerFn;

use self::{text_look::TextLook, theme::ThemeSwitch};
use crate::{
    api::account::SignOut,
    context::viewer,
    islands::icon::{Glyph, Icon},
    pages::components::prelude::*,
};

/// Where the help begins.
const HELP: &str = "/help/";

/// What stands around every page.
#[component]
pub(crate) fn Frame(children: Children) -> impl IntoView {
    let viewer = load(async { viewer() });

    view! {
        <a class="skip-link" href="#main">"Skip to content"</a>
        <header class="frame">
            <a class="brand" href="/">
                <img src="/favicon.svg" alt="" width="24" height="24"/>
                "Concord"
            </a>
            <div class="frame-end">
                <a class="quiet button small" href=HELP>"Help"</a>
                <Loaded resource=viewer quiet=true view=|viewer| viewer.map(|user| view! { <Person user/> })/>
                <TextLook/>
                <ThemeSwitch/>
            </div>
        </header>
        <main id="main" tabindex="-1">
            {children()}
        </main>
    }
}

/// Who is signed in, which leads to their account, and the way out. Signing out loads a page anew, so
/// that nothing of the session stays in the browser's memory.
#[component]
fn Person(user: User) -> impl IntoView {
    let title = user.email;
    let administration = user
        .is_administrator
        .then(|| view! { <a class="quiet button small" href="/admin">"Administration"</a> });
    view! {
        <div class="person" data-reader=user.id.to_string()>
            {administration}
            <a class="person-name" dir="auto" title=title href="/account">{user.name}</a>
            <form method="post" action=SignOut::url()>
                <button class="quiet small">
                    <Icon glyph=Glyph::Leave/>
                    <span class="wide-only">"Sign out"</span>
                </button>
            </form>
        </div>
    }
}
