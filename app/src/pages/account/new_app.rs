//! Setting up an app that makes codes.

use domain::NewApp;

use crate::{
    api::account::second_factors::ConfirmApp, context::client, pages::components::prelude::*,
};

#[component]
pub(crate) fn NewAppPage() -> impl IntoView {
    let app = load(load_new_app());
    view! {
        <PageBody title="Set up authenticator app" class="page narrow">
            <Loaded resource=app titled=true view=|app| match app {
                Some(app) => view! { <Confirm app/> },
                None => view! { <TooLate/> },
            }/>
        </PageBody>
    }
}

/// The app that is being set up; none if that took too long.
async fn load_new_app() -> Result<Option<NewApp>, ApiError> {
    let (services, actor) = request()?;
    match services::account::load_new_app(&services, &actor, &client()).await {
        Err(error) => match domain::Error::from(error) {
            domain::Error::NotFound | domain::Error::SignInRequired => Ok(None),
            error => answer(Err(error)),
        },
        Ok(app) => Ok(Some(app)),
    }
}

#[component]
fn TooLate() -> impl IntoView {
    view! {
        <p>"The set-up expired after 15 minutes, or never began."</p>
        <p><a class="button" href="/account">"Account"</a></p>
    }
}

#[component]
fn Confirm(app: NewApp) -> impl IntoView {
    let (confirm, refused) = form_action::<ConfirmApp>();
    let NewApp { secret, url } = app;
    let typed: Vec<_> = secret
        .as_bytes()
        .chunks(4)
        .map(|four| String::from_utf8_lossy(four).into_owned())
        .collect();
    view! {
        <div class="card stack">
            <p>"Scan this with an authenticator app."</p>
            <Square text=url.clone()/>
            <p>
                "On this device: " <a href=url>"open in the app"</a> ". Or enter this key: " <br/>
                <code class="new-secret">{typed.join(" ")}</code>
            </p>
            <ActionForm action=confirm attr:class="stack">
                <Field
                    form="confirm-app"
                    name="code"
                    label="Code from the app"
                    autocomplete="one-time-code"
                    longest=10
                    refusal=refused.clone()
                />
                <Problem refusal=refused fields=&["code"]/>
                <div class="actions">
                    <button class="primary">"Turn on"</button>
                </div>
            </ActionForm>
        </div>
    }
}

/// A text as a square that phones read (QR code), dark on light whatever the colours of the page.
#[component]
fn Square(text: String) -> impl IntoView {
    use std::fmt::Write as _;

    use qrcodegen::{QrCode, QrCodeEcc};

    // With so much quiet around it, phones find it.
    const QUIET: i32 = 4;
    let code = QrCode::encode_text(&text, QrCodeEcc::Medium).ok()?;
    let size = code.size() + 2 * QUIET;
    let mut dark = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|&x| code.get_module(x, y)) {
            // Writing to a text never fails.
            let _ = write!(dark, "M{} {}h1v1h-1z", x + QUIET, y + QUIET);
        }
    }
    Some(view! {
        <svg
            class="qr-code"
            role="img"
            aria-label="The secret for the app, as a QR code"
            viewBox=format!("0 0 {size} {size}")
            shape-rendering="crispEdges"
        >
            <rect width=size.to_string() height=size.to_string() fill="#fff"/>
            <path d=dark fill="#000"/>
        </svg>
    })
}
