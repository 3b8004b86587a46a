//! The HTML around the user interface, rendered on the server only.

mod front_end;

use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::MetaTags;

pub use self::front_end::FrontEnd;
use crate::{App, view::view};

/// What a browser does with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// It shows the page as the server has rendered it: links and forms are all there is.
    Reading,
    /// The front end takes over the page's islands.
    Working,
}

/// Sets the colour scheme and the look of the text that were chosen before, ahead of the first paint.
const LOOKS: &str = "try { for (const n of ['theme', 'look']) { \
                     const t = localStorage.getItem('concord.' + n); \
                     if (t) document.documentElement.dataset[n] = t; } } catch {}";

/// The page around the user interface.
pub fn shell(front_end: &FrontEnd, kind: PageKind) -> impl IntoView + use<> {
    let css = format!("/pkg/{}", front_end.css);
    let lacks = kind == PageKind::Working && !front_end.is_built();
    let script = if kind == PageKind::Reading {
        let css = format!("/pkg/{}", front_end.reading_css);
        view! {
            <link rel="stylesheet" href=css/>
            <script type="module" src="/reading.js" nonce=use_nonce()></script>
        }
        .into_any()
    } else if lacks {
        // It asks again until it can come alive.
        view! { <meta http-equiv="refresh" content="5"/> }.into_any()
    } else {
        let js = format!("/pkg/{}", front_end.js);
        let wasm = format!("/pkg/{}", front_end.wasm);
        view! {
            <link rel="modulepreload" href=js nonce=use_nonce()/>
            <link rel="preload" href=wasm r#as="fetch" r#type="application/wasm" crossorigin="anonymous"/>
            <script type="module" nonce=use_nonce()>{front_end.start()}</script>
        }
        .into_any()
    };
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content="light dark"/>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
                <link rel="stylesheet" href=css/>
                <script nonce=use_nonce()>{LOOKS}</script>
                <MetaTags/>
                <script type="module" src="/frame.js" nonce=use_nonce()></script>
                <script type="module" src="/palette.js" nonce=use_nonce()></script>
                {script}
            </head>
            <body>
                {lacks.then(|| view! {
                    <p class="notice" role="status">
                        "The front end is still being built. This page starts when it is ready."
                    </p>
                })}
                <App/>
            </body>
        </html>
    }
}
