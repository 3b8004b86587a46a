//! What kind of browser says so of itself (`User-Agent`), in words that its owner knows it by. Only
//! words of these lists come out, whatever somebody sends.

/// What stands in the text, and the browser that it says: the first that is found, since most also
/// claim to be those below.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("HeadlessChrome/", "Headless Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// The same for what it runs on.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
    ("X11", "Unix"),
];

/// "Firefox on Linux"; empty if neither is known.
pub(crate) fn name(agent: &str) -> String {
    let known = |list: &[(&str, &'static str)]| {
        list.iter().find(|(sign, _)| agent.contains(sign)).map(|(_, name)| *name)
    };
    match (known(&BROWSERS), known(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_browsers_are_known_by_their_names() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like \
                 Gecko) Version/18.3 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1",
                "Chrome on iPhone",
            ),
            ("curl/8.14.1", ""),
            ("</td><script>alert(1)</script>", ""),
            ("", ""),
        ] {
            assert_eq!(name(agent), expected, "{agent}");
        }
    }
}
