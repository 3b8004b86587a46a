//! What the help calls things is what they are called on screen, and keys do what it says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::book::{below, is_a, root};

/// Where the editors have their keys.
const TABLE: &str = "app/src/islands/editor/keys/table.rs";

/// The commands of an editor by their names, with their keys: those of its own, and those of both.
fn commands(of: &str) -> BTreeMap<String, Vec<String>> {
    let table = fs::read_to_string(root().join(TABLE)).unwrap();
    let lines = table.lines().map(str::trim);
    let own = lines.filter(|line| line.starts_with(of) || line.starts_with("BOTH"));
    own.filter_map(|line| {
        // In quotes: the id, the keys, the name.
        let mut quoted = line.split('"').skip(1).step_by(2).skip(1);
        let keys = quoted.next()?.split(" or ").map(str::to_owned).collect();
        Some((quoted.next()?.to_owned(), keys))
    })
    .collect()
}

#[test]
fn every_key_in_a_table_of_the_help_does_what_it_says() {
    for (page, of) in [("labelers", "ANNOTATOR"), ("reviewers", "REVIEWER")] {
        let known = commands(of);
        assert!(known.len() > 20, "{known:?}");
        let text = fs::read_to_string(root().join(format!("docs/people/{page}.md"))).unwrap();
        let rows: Vec<_> =
            text.lines().filter(|row| row.starts_with("| ") && row.contains('`')).collect();
        assert!(rows.len() > 8, "{page}: {rows:?}");
        for row in rows {
            let name = row.split('|').nth(1).unwrap().trim();
            let keys = known.get(name).unwrap_or_else(|| panic!("{page}: no command is {name}"));
            for key in row.split('`').skip(1).step_by(2) {
                assert!(keys.iter().any(|known| known == key), "{page}: {name} is not {key}");
            }
        }
    }
}

/// What stands in bold in a text.
fn bold(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Strong) => open = Some(String::new()),
            Event::Text(part) => {
                if let Some(words) = &mut open {
                    words.push_str(&part);
                }
            }
            Event::End(TagEnd::Strong) => found.extend(open.take()),
            _ => {}
        }
    }
    found
}

fn texts(folder: &Path, ending: &str) -> BTreeMap<String, String> {
    let files = below(folder).into_iter().filter(|file| is_a(file, ending));
    files.map(|file| (file.clone(), fs::read_to_string(folder.join(file)).unwrap())).collect()
}

#[test]
fn every_word_in_bold_on_a_page_for_people_is_on_screen() {
    let app: String = texts(&root().join("app/src"), "rs").into_values().collect();
    let pages = texts(&root().join("docs/people"), "md");
    let mut labels = 0;
    for (page, text) in &pages {
        for label in bold(text) {
            let is_there = app.contains(&format!("\"{label}\""));
            assert!(is_there, "{page}: {label} is nowhere in app/src");
            labels += 1;
        }
    }
    assert!(labels > 60, "{labels}");
}
