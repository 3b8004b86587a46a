//! Links lead somewhere, and nothing is loaded from elsewhere.

use pulldown_cmark::{Event, Options, Parser, Tag};
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::book::{Element, FILES, FOLDER, PAGES, below, is_a, root};

/// What pages load that the book has not itself: its stylesheet comes from `style`, the icon from `app`.
const OF_THE_SITE: [&str; 2] = ["/help/help.css", "/favicon.svg"];

/// Files of `docs` that are no page: the contents, and what is read in a clone.
const NO_PAGES: [&str; 3] = ["SUMMARY.md", "design/asvs.md", "people/tasks.md"];

/// Where a link of a page leads: a path from the site's root, and a place in it.
fn address(page: &str, link: &str) -> (String, Option<String>) {
    let (path, place) =
        link.split_once('#').map_or((link, None), |(path, place)| (path, Some(place)));
    let here = Path::new("/help").join(page);
    let target = if path.is_empty() { here } else { here.parent().unwrap().join(path) };
    let mut flat = PathBuf::new();
    for part in target.components() {
        match part {
            Component::ParentDir => assert!(flat.pop(), "{page}: {link}"),
            part => flat.push(part),
        }
    }
    (flat.to_str().unwrap().to_owned(), place.map(str::to_owned))
}

fn ids(elements: &[Element]) -> HashSet<&str> {
    elements.iter().filter_map(|element| element.attribute("id")).collect()
}

/// What is wrong with where a link of a page leads, in words.
fn fault(page: &str, link: &str) -> Option<String> {
    let (path, place) = address(page, link);
    // The product, and files of its own.
    if path == "/" || OF_THE_SITE.contains(&path.as_str()) {
        return None;
    }
    let Some(file) = path.strip_prefix("/help/") else {
        return Some(format!("{page}: {link} leads out of the book"));
    };
    if !FILES.iter().any(|other| other == file) {
        return Some(format!("{page}: {link} leads to nothing"));
    }
    let place = place?;
    let is_there = PAGES.get(file).is_some_and(|page| ids(page).contains(place.as_str()));
    (!is_there).then(|| format!("{page}: there is no #{place} in {file}"))
}

#[test]
fn every_link_of_the_book_leads_somewhere() {
    let mut links = 0;
    let mut wrong = Vec::new();
    for (page, elements) in PAGES.iter() {
        for element in elements {
            for name in ["href", "src"] {
                let Some(link) = element.attribute(name) else { continue };
                let is_elsewhere = link.starts_with("https://");
                if !(element.name == "a" && is_elsewhere) {
                    wrong.extend(fault(page, link));
                    links += 1;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(links > 500, "{links}");
}

#[test]
fn a_page_loads_files_of_this_server_only_and_runs_nothing_of_its_own() {
    for (page, elements) in PAGES.iter() {
        for element in elements {
            let name = element.name.as_str();
            assert!(
                !["style", "iframe", "object", "embed", "base"].contains(&name),
                "{page}: <{name}>"
            );
            for attribute in element.attributes.keys() {
                let is_code = ["style", "http-equiv"].contains(&attribute.as_str())
                    || attribute.starts_with("on");
                assert!(!is_code, "{page}: <{name} {attribute}>");
            }
            if name == "script" {
                assert!(element.text.is_empty(), "{page}: a script of its own");
            }
            let loaded = match name {
                "script" | "img" => element.attribute("src"),
                "link" => element.attribute("href"),
                _ => None,
            };
            assert!(!loaded.is_some_and(|link| link.contains("//")), "{page}: {loaded:?}");
        }
    }
    assert!(root().join("style/help.css").is_file());
}

#[test]
fn every_page_has_one_title_one_heading_and_ids_of_its_own() {
    for (page, elements) in PAGES.iter() {
        let of = |name: &str| elements.iter().filter(|it| it.name == name).count();
        assert_eq!((of("title"), of("h1"), of("main")), (1, 1, 1), "{page}");
        let all = elements.iter().filter(|it| it.attribute("id").is_some()).count();
        assert_eq!(all, ids(elements).len(), "{page}: an id stands twice");
        let current = elements.iter().filter(|it| it.attribute("aria-current") == Some("page"));
        let current: Vec<_> = current.map(|it| it.text.as_str()).collect();
        assert_eq!(current.len(), usize::from(page != "404.html"), "{page}");
        let heading = elements.iter().find(|it| it.name == "h1").map(|it| it.text.trim());
        if page != "index.html" && page != "404.html" {
            assert_eq!(heading, current.first().copied(), "{page}: the contents call it otherwise");
        }
        let inputs = elements.iter().filter(|it| it.name == "input");
        assert_eq!(inputs.count(), 1, "{page}: only the search has a field");
        let unnamed: Vec<_> = elements
            .iter()
            .filter(|it| it.name == "img" && it.attribute("alt").is_none())
            .collect();
        assert!(unnamed.is_empty(), "{page}: a picture without words");
    }
}

#[test]
fn every_formula_is_set() {
    for (page, elements) in PAGES.iter() {
        let text = |it: &&Element| it.name == "p" || it.name == "td";
        for element in elements.iter().filter(text) {
            assert!(!element.text.contains("\\frac") && !element.text.contains("$$"), "{page}");
        }
    }
    let formulas = |page: &str| PAGES[page].iter().filter(|it| it.name == "math").count();
    assert!(formulas("measures/two-raters.html") > 10);
    assert_eq!(formulas("administration.html"), 0);
}

#[test]
fn every_file_of_the_documentation_is_a_page() {
    let sources: BTreeSet<_> =
        below(&root().join("docs")).into_iter().filter(|file| is_a(file, "md")).collect();
    let pages: BTreeSet<_> = PAGES.keys().map(|page| page.replace(".html", ".md")).collect();
    let missing: BTreeSet<_> = sources.difference(&pages).map(String::as_str).collect();
    assert_eq!(missing, NO_PAGES.into());
}

#[test]
fn the_script_of_the_search_is_the_one_in_the_list_of_packages() {
    let script = fs::read_to_string(FOLDER.path().join("elasticlunr.min.js")).unwrap();
    let list = fs::read_to_string(root().join("xtask/src/release/sbom.rs")).unwrap();
    let line = list.lines().find(|line| line.starts_with("const SEARCH")).unwrap();
    let version = line.split('"').nth(3).unwrap();
    assert!(script.contains(&format!(" - {version}\n")), "{line}");
}

#[test]
fn links_of_the_product_lead_to_pages_of_the_book() {
    let app = root().join("app/src");
    let mut links = 0;
    for file in below(&app).into_iter().filter(|file| is_a(file, "rs")) {
        let text = fs::read_to_string(app.join(&file)).unwrap();
        let found = text.split("\"/help/").skip(1).filter_map(|rest| rest.split('"').next());
        for link in found.filter(|link| !link.is_empty()) {
            assert_eq!(fault("index.html", link), None, "{file}");
            links += 1;
        }
    }
    assert!(links > 5, "{links}");
}

#[test]
fn links_between_files_of_a_clone_lead_to_files() {
    let docs = below(&root().join("docs")).into_iter().map(|file| format!("docs/{file}"));
    let others = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "deploy/README.md",
        "end2end/README.md",
        "crates/agreement/README.md",
        "crates/study/README.md",
    ];
    let all = docs.chain(others.map(str::to_owned)).filter(|file| is_a(file, "md"));
    for file in all {
        let text = fs::read_to_string(root().join(&file)).unwrap();
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event
            else {
                continue;
            };
            let path = dest_url.split('#').next().unwrap();
            if path.is_empty() || path.contains(':') {
                continue;
            }
            let target = root().join(&file).parent().unwrap().join(path);
            assert!(target.exists(), "{file}: {dest_url}");
        }
    }
}
