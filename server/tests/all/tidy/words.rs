//! One word for one thing: the glossary of CONTRIBUTING.md, held against every identifier.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

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
    ("copy", "copy", "crates/services/src/base/secrets/checksum.rs"),
    ("copy", "copy", "crates/services/src/document/export/file.rs"),
    ("copy", "copy", "crates/services/src/outside/backup"),
    ("copy", "copy", "crates/store/src/outside/files.rs"),
    // Attributes of buttons that copy.
    ("copy", "copy", "app/src/pages"),
    // What is drawn of a span in a text is a mark, as HTML has it.
    ("mark", "*", "app/src/islands/editor/text_view"),
    ("mark", "Mark", "app/src"),
    ("mark", "marks", "app/src/islands"),
    ("mark", "marks", "app/src/pages/review"),
    ("mark", "marks", "app/src/pages/work/history"),
    ("mark", "marks_of", "app/src/islands/reviewer"),
    ("mark", "on_mark", "app/src/islands"),
    ("mark", "mark", "app/src/islands/annotator/items.rs"),
    ("mark", "mark", "app/src/islands/reviewer/positions/marks.rs"),
    // The element of HTML.
    ("mark", "mark", "app/src/islands/annotator/search/label_all.rs"),
    ("mark", "mark", "app/src/islands/reviewer/panels/group.rs"),
    ("mark", "mark", "app/src/pages"),
    // What marks something as stored.
    ("mark", "mark_stored", "app/src/islands/reviewer/positions"),
    ("mark", "MARK", "server/src/pages/refusals.rs"),
    ("mark", "mark_changed", "crates/services/src/agreement/matrix"),
    ("mark", "mark_changed", "server/src/site"),
    // Of other tools' files.
    ("layer", "layer", "server/src/cli/base/reading.rs"),
    ("layer", "layers", "server/src/cli/base/reading.rs"),
    ("layer", "layer", "server/src/rest/document/reading.rs"),
    ("layer", "layers", "crates/services/src/document/reading/file_options.rs"),
    ("layer", "layers", "app/src/pages/document/reading.rs"),
    // Of tracing's.
    ("layer", "layer", "server/src/monitoring"),
    ("layer", "Layer", "server/src/monitoring"),
    // Of tower's.
    ("layer", "layer", "server/src/middleware"),
    ("layer", "layer", "server/src/routes/router.rs"),
    ("layer", "CatchPanicLayer", "server/src"),
    ("layer", "CompressionLayer", "server/src/routes/router.rs"),
    ("layer", "RequestBodyLimitLayer", "server/src/middleware/limits"),
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

/// An identifier, with the one before it.
struct Named {
    before: String,
    word: String,
    of_test: bool,
}

/// Every identifier of a file; comments and texts are none.
fn identifiers(tokens: TokenStream, of_test: bool, found: &mut Vec<Named>) {
    let (mut before, mut is_test) = (String::new(), false);
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                let before = std::mem::replace(&mut before, word.clone());
                found.push(Named { before, word, of_test });
            }
            TokenTree::Group(group) => {
                before.clear();
                let text = group.stream().to_string().replace(' ', "");
                let is_attribute = group.delimiter() == Delimiter::Bracket;
                if is_attribute && text == "cfg(test)" {
                    is_test = true;
                    continue;
                }
                let is_body = group.delimiter() == Delimiter::Brace;
                let of_test = of_test || is_test;
                is_test &= !is_body;
                identifiers(group.stream(), of_test, found);
            }
            TokenTree::Punct(punct) => {
                before.clear();
                is_test &= punct.as_char() != ';';
            }
            TokenTree::Literal(_) => before.clear(),
        }
    }
}

fn identifiers_of(path: &Path) -> Vec<Named> {
    let mut found = Vec::new();
    let tokens = read(path).parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let is_test = path.iter().any(|part| part == "tests");
    identifiers(tokens, is_test, &mut found);
    found
}

/// The identifiers of all files, found once for all tests.
static IDENTIFIERS: LazyLock<Vec<(PathBuf, Vec<Named>)>> = LazyLock::new(|| {
    let named = |path: PathBuf| (path.clone(), identifiers_of(&path));
    rust_files().into_iter().map(named).collect()
});

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
    for (path, identifiers) in IDENTIFIERS.iter() {
        let name = path.to_str().unwrap();
        if !SPOKEN.iter().any(|room| path.starts_with(room)) {
            continue;
        }
        for Named { word: identifier, of_test, .. } in identifiers {
            // The name of a test is a sentence.
            if *of_test && identifier.matches('_').count() > 3 {
                continue;
            }
            for word in &not {
                let is_it = words(identifier).any(|it| it == **word || it == plural(word));
                let is_right = OTHERWISE.iter().any(|(of, allowed, place)| {
                    of == word
                        && ["*", identifier.as_str()].contains(allowed)
                        && name.starts_with(place)
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
    for (path, identifiers) in IDENTIFIERS.iter() {
        for Named { before, word: identifier, .. } in identifiers {
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
