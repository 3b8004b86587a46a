//! One word for one thing: the glossary of CONTRIBUTING.md, held against every identifier.

use std::{collections::BTreeSet, path::Path};

use proc_macro2::{TokenStream, TokenTree};

use super::{read, rust_files};

/// The most words of the glossary: what is longer is not known by heart.
const MOST: usize = 30;

/// Where the words of this product are spoken. What counts and what reads files of other tools speaks of
/// other things too.
const SPOKEN: &[&str] = &[
    "app/src",
    "crates/demo/src",
    "crates/domain/src",
    "crates/live/src",
    "crates/services/src",
    "crates/store/src",
    "server/src",
];

/// Words that are right where they mean something else: the word, the identifier or all of them, and
/// where.
const OTHERWISE: &[(&str, &str, &str)] = &[
    // The trait, and the picture of a button that copies.
    ("copy", "Copy", ""),
    // Bytes.
    ("copy", "copy_from_slice", ""),
    ("copy", "copy_from", "server/src/cli"),
    ("copy", "copy", "server/src/cli"),
    ("copy", "copy", "crates/services/src/base/checksum.rs"),
    ("copy", "copy", "crates/services/src/document/export/file.rs"),
    ("copy", "copy", "crates/services/src/outside/backup.rs"),
    ("copy", "copy", "crates/store/src/outside/files.rs"),
    // Attributes of buttons that copy.
    ("copy", "copy", "app/src/pages"),
    // What is drawn of a span in a text is a mark, as HTML has it.
    ("mark", "*", "app/src"),
    ("mark", "MARK", "server/src/pages/refusals.rs"),
    ("mark", "mark_changed", "crates/services/src/agreement/matrix"),
    ("mark", "mark_unchanged", "crates/services/src/agreement/matrix"),
    // Of tower's.
    ("layer", "*", "server/src"),
];

/// Names that say nothing by themselves.
const EMPTY_TYPES: &[&str] = &["Outcome", "Part", "Step", "Turn"];
const EMPTY_FUNCTIONS: &[&str] = &["look", "number", "take", "told"];

/// A line of the glossary: `- **word** (not other, another): what it is`.
struct Entry {
    word: String,
    not: Vec<String>,
}

fn glossary() -> Vec<Entry> {
    let page = read("CONTRIBUTING.md");
    let lines = page.lines().skip_while(|line| *line != "## Glossary").skip(1);
    let lines = lines.take_while(|line| !line.starts_with("## "));
    let entry = |line: &str| {
        let (word, rest) = line.strip_prefix("- **")?.split_once("**")?;
        let not = rest.strip_prefix(" (not ").and_then(|rest| rest.split_once(')'));
        let not = not.map_or("", |(not, _)| not).split(", ").filter(|not| !not.is_empty());
        Some(Entry { word: word.to_owned(), not: not.map(str::to_owned).collect() })
    };
    lines.filter_map(entry).collect()
}

/// Every identifier of a file, with the one before it; comments and texts are none.
fn identifiers(tokens: TokenStream, found: &mut Vec<(String, String)>) {
    let mut before = String::new();
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                found.push((std::mem::replace(&mut before, word.clone()), word));
            }
            TokenTree::Group(group) => {
                before.clear();
                identifiers(group.stream(), found);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => before.clear(),
        }
    }
}

fn identifiers_of(path: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let tokens = read(path).parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    identifiers(tokens, &mut found);
    found
}

/// `copies_of` and `CopiesOf` are `copies` and `of`.
fn words(identifier: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in identifier.chars() {
        if c == '_' || (c.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = c.is_lowercase();
        if let Some(word) = words.last_mut()
            && c != '_'
        {
            word.extend(c.to_lowercase());
        }
    }
    words.into_iter()
}

fn plural(word: &str) -> String {
    word.strip_suffix('y').map_or_else(|| format!("{word}s"), |stem| format!("{stem}ies"))
}

#[test]
fn one_thing_has_one_word() {
    let glossary = glossary();
    assert!((10..=MOST).contains(&glossary.len()), "the glossary has {} words", glossary.len());
    let known: BTreeSet<_> = glossary.iter().map(|entry| entry.word.as_str()).collect();
    assert_eq!(known.len(), glossary.len(), "a word stands twice");
    let not: Vec<_> = glossary.iter().flat_map(|entry| &entry.not).collect();
    assert!(not.len() >= 4);
    let mut strange = BTreeSet::new();
    for path in rust_files() {
        let name = path.to_str().unwrap();
        if !SPOKEN.iter().any(|room| path.starts_with(room)) {
            continue;
        }
        for (_, identifier) in identifiers_of(&path) {
            // The name of a test is a sentence.
            if identifier.matches('_').count() > 3 {
                continue;
            }
            for word in &not {
                let is_it = words(&identifier).any(|it| it == **word || it == plural(word));
                let is_right = OTHERWISE.iter().any(|(of, allowed, place)| {
                    of == word && ["*", &identifier].contains(allowed) && name.starts_with(place)
                });
                if is_it && !is_right {
                    strange.insert(format!("{name}: {identifier} ({word} is not our word)"));
                }
            }
        }
    }
    assert!(strange.is_empty(), "{strange:#?}");
}

#[test]
fn names_say_what_they_name() {
    let mut empty = BTreeSet::new();
    for path in rust_files() {
        for (before, identifier) in identifiers_of(&path) {
            let banned = match before.as_str() {
                "enum" | "struct" | "trait" | "type" => EMPTY_TYPES,
                "fn" => EMPTY_FUNCTIONS,
                _ => continue,
            };
            if banned.contains(&identifier.as_str()) {
                empty.insert(format!("{}: {before} {identifier}", path.display()));
            }
        }
    }
    assert!(empty.is_empty(), "{empty:#?}");
}
