//! Which file uses which, read from `use` lines and from paths that begin with `crate`: no circles, and nothing upward.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::root;

/// The rooms of services, of pages and of the server from the ground up: each uses those before it only.
const FLOORS: [(&str, &[&str], &[&str]); 3] = [
    (
        "crates/services/src",
        &[],
        &[
            "base",
            "agreement",
            "project",
            "account",
            "workload",
            "work",
            "review",
            "document",
            "outside",
            "overview",
        ],
    ),
    (
        "app/src",
        &["pages"],
        &[
            "components",
            "base",
            "account",
            "work",
            "document",
            "project",
            "agreement",
            "review",
            "workload",
            "outside",
            "overview",
        ],
    ),
    (
        "server/src",
        &[],
        &["site", "middleware", "pages", "rest", "files", "monitoring", "routes", "serving", "cli"],
    ),
];

/// Crates without rooms, of which only circles are looked for.
const LEAVES: [&str; 10] = [
    "crates/agreement/src",
    "crates/archive/src",
    "crates/domain/src",
    "crates/formats/src",
    "crates/help/src",
    "crates/live/src",
    "crates/store/src",
    "crates/study/src",
    "crates/whatif/src",
    "xtask/src",
];

/// A path of modules from the crate's root; the root itself has none.
type Place = Vec<String>;

/// What a `use` line brings in, as it is written: `crate::a::B as C` is the path and `C`.
struct Used {
    path: Vec<String>,
    name: String,
    /// Whether others find it here.
    is_handed_on: bool,
}

/// A file: what it uses, and what it defines.
#[derive(Default)]
struct Module {
    uses: Vec<Used>,
    defined: BTreeSet<String>,
    /// The modules that it declares, without those of tests.
    declared: Vec<String>,
}

impl Module {
    fn read(path: &Path) -> Self {
        let mut module = Self::default();
        let text = fs::read_to_string(path).unwrap();
        module.walk(text.parse().unwrap());
        module
    }

    fn walk(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let (mut is_test, mut is_public) = (false, false);
        while let Some(token) = tokens.next() {
            // `pub` and `pub(crate)` stand before what they are about.
            let was_public = is_public;
            is_public = matches!(&token, TokenTree::Ident(word) if word == "pub")
                || was_public && matches!(&token, TokenTree::Group(_));
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                    is_test |= group.stream().to_string().replace(' ', "") == "cfg(test)";
                }
                // `pub(in crate::a)` uses nothing of a.
                TokenTree::Group(group) if is_visibility(&group) => {}
                TokenTree::Group(group) => {
                    let of_tests = std::mem::take(&mut is_test);
                    if !of_tests {
                        self.walk(group.stream());
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => is_test = false,
                TokenTree::Ident(word) if word == "use" => {
                    let line = tokens.by_ref().take_while(|token| !is_punct(token, ';'));
                    let line: Vec<_> = line.collect();
                    if !std::mem::take(&mut is_test) {
                        self.uses.extend(flat(&[], &line, was_public));
                    }
                }
                // A path that is used where it stands.
                TokenTree::Ident(word) if word == "crate" && !is_test => {
                    let mut path = vec!["crate".to_owned()];
                    while tokens.next_if(|token| is_punct(token, ':')).is_some() {
                        if let Some(TokenTree::Ident(part)) =
                            tokens.next_if(|token| matches!(token, TokenTree::Ident(_)))
                        {
                            path.push(part.to_string());
                        }
                    }
                    if path.len() > 1 {
                        self.uses.push(Used { path, name: String::new(), is_handed_on: false });
                    }
                }
                TokenTree::Ident(word) if !is_test => {
                    let word = word.to_string();
                    let Some(TokenTree::Ident(name)) = tokens.peek() else { continue };
                    let name = name.to_string();
                    match word.as_str() {
                        "mod" => self.declared.push(name),
                        "const" | "enum" | "fn" | "static" | "struct" | "trait" | "type" => {
                            self.defined.insert(name);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_visibility(group: &Group) -> bool {
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Parenthesis
        && matches!(first, Some(TokenTree::Ident(word)) if word == "in")
}

fn is_punct(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == c)
}

/// The paths of a tree of uses, each whole.
fn flat(before: &[String], tree: &[TokenTree], is_handed_on: bool) -> Vec<Used> {
    let mut path = before.to_vec();
    let mut tokens = tree.iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "as" => {
                let name = tokens.next().map(ToString::to_string).unwrap_or_default();
                return vec![Used { path, name, is_handed_on }];
            }
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Group(group) => {
                let inner: Vec<_> = group.stream().into_iter().collect();
                let branches = inner.split(|token| is_punct(token, ','));
                let branches = branches.filter(|branch| !branch.is_empty());
                return branches.flat_map(|branch| flat(&path, branch, is_handed_on)).collect();
            }
            TokenTree::Punct(punct) if punct.as_char() == '*' => path.push("*".to_owned()),
            _ => {}
        }
    }
    // `a::{self}` is a.
    if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
        path.pop();
    }
    let name = path.last().cloned().unwrap_or_default();
    vec![Used { path, name, is_handed_on }]
}

/// The modules of a crate by their places, beginning with its `lib.rs` or `main.rs`.
struct Crate(BTreeMap<Place, Module>);

impl Crate {
    fn read(folder: &str) -> Self {
        let folder = root().join(folder);
        let mut modules = BTreeMap::new();
        let mut roots = ["lib.rs", "main.rs"].map(|name| folder.join(name)).into_iter();
        let root = roots.find(|file| file.is_file());
        let mut open: Vec<(Place, PathBuf)> =
            root.map(|file| (Vec::new(), file)).into_iter().collect();
        while let Some((place, file)) = open.pop() {
            let module = Module::read(&file);
            let beside = folder.join(place.join("/"));
            for name in &module.declared {
                let files = [beside.join(format!("{name}.rs")), beside.join(name).join("mod.rs")];
                // A module within the file has no file of its own.
                if let Some(file) = files.into_iter().find(|file| file.is_file()) {
                    let inner = place.iter().chain([name]).cloned().collect();
                    open.push((inner, file));
                }
            }
            modules.insert(place, module);
        }
        assert!(modules.len() > 3, "{} is not read", folder.display());
        Self(modules)
    }

    /// A path as seen from the crate's root; none where it leads out of the crate.
    fn absolute(&self, from: &Place, path: &[String]) -> Option<Place> {
        let mut start = from.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (start, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    start.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                start.push(first.to_owned());
                if !self.0.contains_key(&start) {
                    return None;
                }
                rest = &path[1..];
            }
        }
        start.extend(rest.iter().cloned());
        Some(start)
    }

    /// The module in which a name is defined that somebody uses, whoever hands it on.
    fn home(&self, from: &Place, path: &[String], depth: usize) -> Option<Place> {
        let whole = self.absolute(from, path)?;
        let inside = (0..=whole.len()).rev().find(|&n| self.0.contains_key(&whole[..n]))?;
        let (place, rest) = (whole[..inside].to_vec(), &whole[inside..]);
        let module = &self.0[&place];
        let Some(name) = rest.first() else { return Some(place) };
        if depth > 8 || module.defined.contains(name) {
            return Some(place);
        }
        let handed_on = module.uses.iter().find(|used| used.name == *name);
        if let Some(used) = handed_on {
            return self.home(&place, &used.path, depth + 1);
        }
        let all = module.uses.iter().filter(|used| used.name == "*");
        let found = all.filter_map(|used| {
            let mut path = used.path.clone();
            path.pop();
            path.push(name.clone());
            let home = self.home(&place, &path, depth + 1)?;
            self.0[&home].defined.contains(name).then_some(home)
        });
        Some({ found }.next().unwrap_or(place))
    }

    /// Who uses whom. That a module hands its own parts on is no use of them.
    fn arrows(&self) -> BTreeSet<(Place, Place)> {
        let mut arrows = BTreeSet::new();
        for (from, module) in &self.0 {
            for used in &module.uses {
                let Some(to) = self.home(from, &used.path, 0) else { continue };
                if to != *from && !(used.is_handed_on && to.starts_with(from)) {
                    arrows.insert((from.clone(), to));
                }
            }
        }
        arrows
    }
}

/// What is left of arrows once everything is taken away that leads to no circle.
fn circles(mut arrows: BTreeSet<(Place, Place)>) -> BTreeSet<(Place, Place)> {
    loop {
        let from: BTreeSet<_> = arrows.iter().map(|(from, _)| from.clone()).collect();
        let to: BTreeSet<_> = arrows.iter().map(|(_, to)| to.clone()).collect();
        let before = arrows.len();
        arrows.retain(|(a, b)| to.contains(a) && from.contains(b));
        if arrows.len() == before {
            return arrows;
        }
    }
}

fn shown<'a>(arrows: impl IntoIterator<Item = &'a (Place, Place)>) -> Vec<String> {
    arrows.into_iter().map(|(a, b)| format!("{} -> {}", a.join("::"), b.join("::"))).collect()
}

/// The arrows of each house, found once for all tests.
static ARROWS: LazyLock<BTreeMap<&str, BTreeSet<(Place, Place)>>> = LazyLock::new(|| {
    let folders = FLOORS.map(|(folder, _, _)| folder).into_iter().chain(LEAVES);
    folders.map(|folder| (folder, Crate::read(folder).arrows())).collect()
});

#[test]
fn files_use_each_other_in_no_circle() {
    for (folder, arrows) in ARROWS.iter() {
        let circles = circles(arrows.clone());
        assert!(circles.is_empty(), "{folder}: {:#?}", shown(&circles));
    }
}

#[test]
fn nothing_runs_upward() {
    for (folder, within, rooms) in FLOORS {
        let floor = |place: &Place| {
            let inside = place.strip_prefix(
                within.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>().as_slice(),
            )?;
            rooms.iter().position(|room| Some(*room) == inside.first().map(String::as_str))
        };
        let arrows = &ARROWS[folder];
        let known = arrows.iter().filter_map(|(a, b)| Some((floor(a)?, floor(b)?)));
        assert!(known.count() > 50, "{folder} has rooms that are not known here");
        let upward: Vec<_> = arrows
            .iter()
            .filter(|(a, b)| floor(a).zip(floor(b)).is_some_and(|(a, b)| a < b))
            .collect();
        assert!(upward.is_empty(), "{folder}: {:#?}", shown(upward));
    }
}
