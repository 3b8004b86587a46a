//! The ways in through providers, and what is said of one that led nowhere.

use domain::{ProviderView, SignInWays};

use crate::pages::components::prelude::*;

/// What a link to a provider is followed for.
#[derive(Clone)]
pub(crate) enum Purpose {
    /// To come back to this page, signed in.
    SignIn(Option<String>),
    /// To come back to the account page, having proven anew who one is.
    Again,
    /// To accept the invitation with this token.
    Accept(String),
    /// To add an identity to the account that is signed in.
    Link,
}

/// The address that leads to a provider. What means something in an address is not written there: none
/// of our pages to come back to needs it, and no token has it.
pub(crate) fn address(provider: &ProviderView, purpose: &Purpose) -> String {
    let is_plain =
        |text: &&String| text.chars().all(|c| c.is_ascii_alphanumeric() || "/-_.".contains(c));
    let query = match purpose {
        Purpose::SignIn(back) => back.as_ref().filter(is_plain).map(|back| format!("?back={back}")),
        Purpose::Accept(token) => {
            Some(token).filter(is_plain).map(|it| format!("?invitation={it}"))
        }
        Purpose::Again => Some("?again=yes&back=/account".to_owned()),
        Purpose::Link => Some("?link=yes".to_owned()),
    };
    format!("/sign-in/with/{}{}", provider.name, query.unwrap_or_default())
}

/// A link for each provider.
#[component]
pub(crate) fn ProviderLinks(
    providers: Vec<ProviderView>,
    purpose: Purpose,
    #[prop(default = "Sign in with")] verb: &'static str,
) -> impl IntoView {
    let links: Vec<_> = providers
        .into_iter()
        .map(|provider| {
            let address = address(&provider, &purpose);
            view! {
                <li><a class="button" href=address>{verb} " " <bdi>{provider.title}</bdi></a></li>
            }
        })
        .collect();
    (!links.is_empty()).then(|| view! { <ul class="plain-list stack">{links}</ul> })
}

/// What is said to whoever comes back from a provider without a session.
#[component]
pub(super) fn Returned(ways: SignInWays, provider: String, why: String) -> impl IntoView {
    let known = ways.providers.into_iter().find(|known| known.name == provider);
    let title = known.map_or_else(|| "The provider".to_owned(), |known| known.title);
    let words = match why.as_str() {
        "account-disabled" => "This account is disabled. Ask an administrator.",
        "cancelled" => "Sign-in cancelled.",
        "expired" => "That took too long. Sign in again.",
        "foreign-origin" | "other-person" => "Start again from your account page.",
        "identity-refused" => "Its answer was refused. Try again, or ask an administrator.",
        "malformed" | "unknown-identity" => "No account here goes with it. Ask for an invitation.",
        "unverified-address" => "It has not verified your e-mail address. Ask an administrator.",
        "unsuitable" => "The invitation is for another e-mail address.",
        "too-many-attempts" => "Too many tries. Wait a few minutes.",
        "changed-meanwhile" => "It was unlinked meanwhile. Try again.",
        "not-found" => "The invitation or the provider is not there any more.",
        "not-offered" => "It can’t be reached. Try again in a moment.",
        "sign-in-required" => "Sign in first.",
        "taken" => "An account here has this already. Sign in to it, then link it from its page.",
        _ => "That didn’t work. Try again in a moment.",
    };
    view! {
        <p class="notice" role="alert">
            <span><strong dir="auto">{title}</strong> ": " {words}</span>
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_takes_no_more_than_a_page_or_a_token() {
        let provider = ProviderView { name: "example".to_owned(), title: "Example".to_owned() };
        let to = |purpose| address(&provider, &purpose);
        assert_eq!(
            to(Purpose::SignIn(Some("/keys".to_owned()))),
            "/sign-in/with/example?back=/keys"
        );
        assert_eq!(to(Purpose::SignIn(Some("/a?b=c&d".to_owned()))), "/sign-in/with/example");
        assert_eq!(
            to(Purpose::Accept("a-b_c".to_owned())),
            "/sign-in/with/example?invitation=a-b_c"
        );
        assert_eq!(to(Purpose::Again), "/sign-in/with/example?again=yes&back=/account");
        assert_eq!(to(Purpose::Link), "/sign-in/with/example?link=yes");
    }
}
