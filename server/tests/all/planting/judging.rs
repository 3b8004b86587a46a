//! Whether an answer holds planted words as words, judged as whoever reads it would.

use std::io::{Cursor, Read};

use http::HeaderMap;

use super::payloads::MARK;
use crate::page::{Element, Page, turning_others};

/// What is wrong with an answer; nothing if all is well.
pub(super) fn problems(headers: &HeaderMap, bytes: &[u8]) -> Vec<String> {
    let kind = headers.get("content-type").map_or("", |it| it.to_str().unwrap());
    let kind = kind.split(';').next().unwrap().trim();
    let text = || String::from_utf8(bytes.to_vec());
    let mut problems: Vec<String> = headers
        .keys()
        .filter(|name| name.as_str().contains(MARK))
        .map(|name| format!("a header is called {name}"))
        .collect();
    let cookies = headers.get_all("set-cookie").iter();
    problems.extend(
        cookies
            .filter(|it| it.as_bytes().starts_with(MARK.as_bytes()))
            .map(|it| format!("a cookie {it:?}")),
    );
    let Ok(text) = text().or_else(|error| {
        let is_binary = kind.starts_with("application/vnd.") || kind == "application/zip";
        if is_binary { Ok(String::new()) } else { Err(error) }
    }) else {
        problems.push(format!("{kind} is no text"));
        return problems;
    };
    match kind {
        "text/html" | "image/svg+xml" => problems.extend(of_html(&text)),
        "text/csv" => problems.extend(of_table(&text, b',')),
        "text/tab-separated-values" => problems.extend(of_table(&text, b'\t')),
        "application/json" | "application/problem+json" | "application/scim+json" => {
            if let Err(error) = serde_json::from_str::<serde_json::Value>(&text) {
                problems.push(format!("no JSON: {error}"));
            }
        }
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => {
            problems.extend(of_workbook(bytes));
        }
        "application/zip" => problems.extend(of_zip(bytes)),
        "text/x-tex" | "application/x-tex" | "application/x-latex" if text.contains("\\input{") => {
            problems.push("LaTeX reads a file".to_owned());
        }
        "text/markdown" => {
            // A backslash keeps a sign from meaning anything.
            let plain = text.replace("\\\\", "").replace("\\<", "").replace("\\[", "");
            if plain.contains(['<', '[']) {
                problems.push("Markdown has an element or a link".to_owned());
            }
        }
        _ => {}
    }
    problems
}

/// Elements that no page of ours has, and none may get.
const NEVER: [&str; 10] = [
    "applet", "base", "embed", "frame", "frameset", "iframe", "image", "marquee", "object", "style",
];

/// Attributes with an address.
const ADDRESSES: [&str; 9] =
    ["action", "background", "data", "formaction", "href", "poster", "src", "srcset", "xlink:href"];

fn of_html(html: &str) -> Vec<String> {
    let page = Page::read(html);
    let is_report = html.contains("<style>");
    let mut problems: Vec<String> = Vec::new();
    for element in &page.elements {
        if let Some(why) = of_element(element, is_report) {
            problems.push(format!("{why}: <{} {:?}>", element.name, element.attributes));
        }
    }
    let turning = turning_others(html, '\u{202e}');
    problems.extend(turning.into_iter().map(|text| format!("turns its line: {text}")));
    problems.extend(page.comments.iter().filter(|it| it.contains(MARK)).cloned());
    problems
}

fn of_element(element: &Element, is_report: bool) -> Option<&'static str> {
    let Element { name, attributes, text, .. } = element;
    let of_others = |value: &str| value.contains(MARK);
    if NEVER.contains(&name.as_str()) && !(is_report && name == "style") {
        return Some("an element that we never write");
    }
    if name == "img" && element.attribute("src") != Some("/favicon.svg") {
        return Some("a picture that is not ours");
    }
    if name == "script" {
        let is_data = element.attribute("type") == Some("application/json");
        if of_others(text) && !is_data {
            return Some("a script with planted words");
        }
        if is_data && serde_json::from_str::<serde_json::Value>(text).is_err() {
            return Some("data that are no JSON");
        }
        if element.attribute("nonce").is_none() && !is_report {
            return Some("a script without a nonce");
        }
    }
    if name == "style" && of_others(text) {
        return Some("a style with planted words");
    }
    for (name, value) in attributes {
        let address = value.trim().to_lowercase();
        if of_others(name) || name.starts_with("on") || name == "http-equiv" {
            return Some("an attribute that we never write");
        }
        if ["class", "for", "id"].contains(&name.as_str()) && of_others(value) {
            return Some("a place of the page by a planted name");
        }
        if name == "style" && of_others(value) {
            return Some("a style with planted words");
        }
        let runs = ["javascript:", "data:", "vbscript:"].iter().any(|it| address.starts_with(it));
        if ADDRESSES.contains(&name.as_str()) && (runs || address.starts_with("//")) {
            return Some("an address that leads away");
        }
    }
    None
}

fn of_table(text: &str, delimiter: u8) -> Vec<String> {
    let mut rows = csv::ReaderBuilder::new();
    let rows = rows.delimiter(delimiter).has_headers(false).flexible(true);
    let mut problems = Vec::new();
    for row in rows.from_reader(text.as_bytes()).records() {
        for cell in &row.unwrap() {
            let starts = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
            if cell.starts_with(starts) && cell.parse::<f64>().is_err() {
                problems
                    .push(format!("a formula: {:?}", cell.chars().take(40).collect::<String>()));
            }
        }
    }
    problems
}

fn of_workbook(bytes: &[u8]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    for place in 0..zip.len() {
        let mut file = zip.by_index(place).unwrap();
        let mut xml = String::new();
        file.read_to_string(&mut xml).unwrap();
        if xml.contains("<f>") || xml.contains("<f ") || xml.contains("<hyperlink") {
            problems.push(format!("{} has a formula or a link", file.name().unwrap()));
        }
        if xml.contains("<i ") || xml.contains('\u{1b}') {
            problems.push(format!(
                "{} has planted elements or control characters",
                file.name().unwrap()
            ));
        }
    }
    problems
}

fn of_zip(bytes: &[u8]) -> Vec<String> {
    let zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let is_bad = |name: &str| {
        name.contains(char::is_control)
            || name.starts_with('/')
            || name.split('/').any(|part| part == "..")
    };
    let names = zip.file_names().map(|name| name.unwrap().into_owned());
    names.filter(|name| is_bad(name)).map(|name| format!("a file is called {name:?}")).collect()
}

#[test]
fn what_would_run_is_found() {
    let with = |kind: &'static str, body: &str| {
        let headers = HeaderMap::from_iter([(
            http::header::CONTENT_TYPE,
            http::HeaderValue::from_static(kind),
        )]);
        problems(&headers, body.as_bytes()).len()
    };
    assert_eq!(with("text/html", "<p title='&lt;b&gt;'>&lt;script>planted()</p>"), 0);
    for page in [
        "<p onclick=x>",
        "<script>planted()</script>",
        "<script nonce=1>planted()</script>",
        "<a href=' JavaScript:x'>",
        "<meta http-equiv=refresh>",
        "<!-- planted -->",
        "<b planted001>",
        "<iframe>",
    ] {
        assert!(with("text/html", page) > 0, "{page}");
    }
    assert_eq!(with("text/csv", "a,-1.5,'=x\r\n\"b\n=\",+3\r\n"), 0);
    assert_eq!(with("text/csv", "a,=x\r\n@y,\"\t1\"\r\n"), 3);
    assert!(with("application/json", "{\"a\": \"\u{1}\"}") > 0);
}
