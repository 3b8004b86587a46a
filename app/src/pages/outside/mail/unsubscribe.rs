//! Where the link at the end of a mail leads: wanting no more of its kind, without signing in.

use domain::Subscription;

use crate::pages::components::prelude::*;

#[component]
pub(crate) fn UnsubscribePage() -> impl IntoView {
    let token: String = in_path("token");
    let subscription = load({
        let token = token.clone();
        async move {
            let (services, _) = request()?;
            answer(services::outside::mail::load_subscription(&services, &token).await)
        }
    });
    view! {
        <PageBody title="Unsubscribe" class="page narrow">
            <Loaded resource=subscription titled=true view=move |subscription| {
                let Subscription { kind, is_wanted } = subscription;
                let token = token.clone();
                if is_wanted {
                    view! { <Confirm token words=kind.words()/> }
                } else {
                    view! {
                        <p class="notice good" role="status">
                            {format!("Unsubscribed: {}.", kind.words())}
                        </p>
                        <p>"You can subscribe again on " <a href="/account/mail">"your account page"</a> "."</p>
                    }
                }
            }/>
        </PageBody>
    }
}

/// A button, since programs that look at mail open its links by themselves.
#[component]
fn Confirm(token: String, words: &'static str) -> impl IntoView {
    view! {
        <form class="card" method="post" action=format!("/unsubscribe/{token}")>
            <p>{words}" are sent to you by mail."</p>
            <button class="primary">"Unsubscribe"</button>
        </form>
    }
}
