//! The house rules that a compiler does not know.

mod arrows;
mod folders;
mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use server::routes::FUNCTIONS;

/// The most lines of a file before its tests.
const LONGEST: usize = 500;

/// What each crate may depend on; an arrow of ARCHITECTURE.md is a pair of these.
const DIRECTIONS: &[(&str, &[&str])] = &[
    ("app", &["agreement", "demo", "domain", "services", "study", "whatif"]),
    ("crates/agreement", &[]),
    ("crates/archive", &[]),
    ("crates/demo", &["agreement", "domain", "services", "store"]),
    ("crates/domain", &[]),
    ("crates/formats", &["domain"]),
    ("crates/fuzzing", &["agreement", "formats", "study"]),
    ("crates/help", &[]),
    ("crates/live", &["agreement", "domain"]),
    ("crates/load", &[]),
    ("crates/services", &["agreement", "archive", "domain", "formats", "live", "store", "whatif"]),
    ("crates/storage_faults", &[]),
    ("crates/store", &["domain", "migrations"]),
    ("crates/study", &["agreement"]),
    ("crates/study/browser", &["study"]),
    ("crates/whatif", &["agreement"]),
    ("crates/whatif/browser", &["whatif"]),
    ("migrations", &[]),
    ("server", &["app", "demo", "domain", "services", "study"]),
    ("xtask", &[]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of one section of a manifest.
fn section<'a>(manifest: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let header = format!("[{name}]");
    manifest
        .lines()
        .skip_while(move |line| *line != header)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
}

/// Every file of Rust in the workspace, by its path from the root.
fn rust_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open: Vec<_> = DIRECTIONS.iter().map(|(member, _)| root().join(member)).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                open.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                files.push(entry.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    assert!(files.len() > 100);
    files
}

/// Whether a file is compiled: it begins a crate, or another one names it.
fn is_part_of_something(file: &Path) -> bool {
    let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let folder = file.parent().unwrap();
    let begins = ["main", "lib", "build"].contains(&stem(file).as_str());
    let is_alone = ["benches", "tests"].contains(&stem(folder).as_str());
    // What cargo finds by itself, and what benchmarks include.
    let is_found = file
        .components()
        .any(|part| ["examples", "fuzz", "data"].map(OsStr::new).contains(&part.as_os_str()));
    if begins || is_alone || is_found {
        return true;
    }
    let (name, of) = if stem(file) == "mod" {
        (stem(folder), folder.parent().unwrap())
    } else {
        (stem(file), folder)
    };
    let named = format!("mod {name};");
    let beside = fs::read_dir(root().join(of)).unwrap().map(|entry| entry.unwrap().path());
    beside
        .filter(|parent| parent.is_file() && parent != &root().join(file))
        .any(|parent| read(parent).lines().any(|line| line.trim_end().ends_with(&named)))
}

#[test]
fn every_file_is_compiled() {
    let files = rust_files().into_iter();
    let lost: Vec<_> = files.filter(|file| !is_part_of_something(file)).collect();
    assert_eq!(lost, Vec::<PathBuf>::new());
}

#[test]
fn dependencies_never_point_up() {
    let members: BTreeSet<String> = section(&read("Cargo.toml"), "workspace")
        .filter_map(|line| line.trim().strip_prefix('"')?.split('"').next())
        .map(str::to_owned)
        .collect();
    let known: BTreeSet<_> = DIRECTIONS.iter().map(|(member, _)| (*member).to_owned()).collect();
    assert_eq!(members, known, "every member has its directions");

    let names: BTreeSet<_> =
        members.iter().map(|member| member.rsplit('/').next().unwrap()).collect();
    for (member, allowed) in DIRECTIONS {
        let manifest = read(Path::new(member).join("Cargo.toml"));
        let dependencies: BTreeSet<_> = section(&manifest, "dependencies")
            .filter_map(|line| line.split(['.', ' ', '=']).next())
            .filter(|name| names.contains(name))
            .collect();
        for dependency in dependencies {
            assert!(allowed.contains(&dependency), "{member} must not depend on {dependency}");
        }
    }
}

#[test]
fn the_browser_half_of_app_depends_on_the_domain_only() {
    let manifest = read("app/Cargo.toml");
    let services = section(&manifest, "dependencies").find(|line| line.starts_with("services"));
    assert!(services.unwrap().contains("optional = true"));
    assert!(section(&manifest, "features").any(|line| line.contains("\"dep:services\"")));
    let csr = section(&manifest, "features").find(|line| line.starts_with("csr")).unwrap();
    assert!(!csr.contains("services"));
}

#[test]
fn only_the_store_knows_sql() {
    for (member, _) in DIRECTIONS {
        let manifest = read(Path::new(member).join("Cargo.toml"));
        let knows = manifest.contains("sea-orm") || manifest.contains("sqlx");
        assert_eq!(knows, ["crates/store", "migrations"].contains(member), "{member}");
    }
}

#[test]
fn no_file_is_too_long_and_each_says_what_it_is_for() {
    let mut wrong = Vec::new();
    for path in rust_files() {
        let text = read(&path);
        let lines = text.lines().take_while(|line| line.trim() != "#[cfg(test)]").count();
        if lines > LONGEST {
            wrong.push(format!("{} has {lines} lines", path.display()));
        }
        if !text.starts_with("//! ") {
            wrong.push(format!("{} does not say what it is for", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_server_function_makes_one_call_into_services() {
    let mut functions = 0;
    for path in rust_files().iter().filter(|path| path.starts_with("app/src/api")) {
        let text = read(path);
        for function in text.split("#[server(prefix").skip(1) {
            let body = function.split_once('{').unwrap().1;
            assert_eq!(calls(body), 1, "{}: {function}", path.display());
            functions += 1;
        }
    }
    assert_eq!(functions, FUNCTIONS.len());
}

#[test]
fn each_rest_handler_makes_one_call_into_services() {
    let handlers = rust_files().into_iter().filter(|path| path.starts_with("server/src/rest"));
    // What describes the interface asks for nothing.
    for path in handlers.filter(|path| !path.ends_with("openapi.rs")) {
        let text = read(&path);
        let by_function: BTreeMap<_, _> = text
            .split("async fn ")
            .skip(1)
            .map(|function| (function.split('(').next().unwrap(), calls(function)))
            .collect();
        for (function, calls) in &by_function {
            assert!(*calls <= 1, "{}: {function} makes {calls} calls", path.display());
        }
        let is_handler = text.contains("#[utoipa::path(\n");
        assert_eq!(is_handler, by_function.values().any(|calls| *calls == 1), "{}", path.display());
    }
}

/// How many functions of `services`, or of the demo that goes by it, are called.
fn calls(body: &str) -> usize {
    let of = |name| body.split(name).skip(1).filter_map(|rest| rest.split('(').next());
    let names = of("services::").chain(of("demo::"));
    names.filter(|path| path.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':')).count()
}

#[test]
fn every_path_of_the_pages_on_architecture_exists() {
    let rooms = fs::read_dir(root().join("docs/design")).unwrap();
    let rooms = rooms.map(|room| format!("docs/design/{}", room.unwrap().file_name().display()));
    let pages: Vec<_> = rooms.chain(["ARCHITECTURE.md".to_owned()]).collect();
    assert_eq!(pages.len(), 12, "{pages:?}");
    for page in pages {
        assert_paths_exist(&page);
    }
}

fn assert_paths_exist(name: &str) {
    let page = read(name);
    let is_path = |word: &&str| {
        let parts: Vec<_> = word.split('/').collect();
        let is_name = |part: &&str| {
            !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "._-".contains(c))
        };
        let is_source = Path::new(word).extension().is_some_and(|extension| extension == "rs");
        // What is built is in no clone.
        let is_built = parts.first() == Some(&"target");
        parts.iter().all(is_name) && (parts.len() > 1 || is_source) && !is_built
    };
    let paths: Vec<_> = page.split('`').skip(1).step_by(2).filter(is_path).collect();
    assert!(paths.len() > 1, "{name}: {paths:?}");
    for path in paths {
        assert!(root().join(path).exists(), "{name} names {path}");
    }
}

#[test]
fn every_layer_has_the_same_rooms() {
    let rooms = "account agreement base document outside project review work workload";
    let rooms: BTreeSet<_> = rooms.split(' ').collect();
    // What else there may be, beside the file that declares the rooms.
    let layers = [
        ("crates/domain/src", "lib overview"),
        ("crates/store/src", "lib entity testing"),
        ("crates/services/src", "lib overview"),
        ("app/src/pages", "mod components overview"),
        ("app/src/api", "mod"),
        ("server/src/rest", "mod openapi"),
    ];
    for (layer, others) in layers {
        let own: BTreeSet<_> = others.split(' ').collect();
        let found = fs::read_dir(root().join(layer)).unwrap().map(|entry| {
            let path = entry.unwrap().path();
            path.file_stem().unwrap().to_str().unwrap().to_owned()
        });
        let found: BTreeSet<_> = found.collect();
        let found: BTreeSet<_> = found.iter().map(String::as_str).collect();
        let strange: Vec<_> =
            found.iter().filter(|it| !rooms.contains(*it) && !own.contains(*it)).collect();
        assert!(strange.is_empty(), "{layer} has rooms of its own: {strange:?}");
        let empty: &[_] = match layer {
            // A server function belongs to a feature: there is none that every room uses.
            "app/src/api" => &["base"],
            // What programs are not offered.
            "server/src/rest" => &["workload"],
            _ => &[],
        };
        let missing: Vec<_> = rooms.difference(&found).filter(|it| !empty.contains(it)).collect();
        assert!(missing.is_empty(), "{layer} lacks {missing:?}");
    }
}

#[test]
fn app_is_cut_in_two_where_its_parts_are_listed_only() {
    let mut cut = BTreeSet::new();
    for path in rust_files().iter().filter(|path| path.starts_with("app/src")) {
        let text = read(path);
        let is_cut = text.lines().map(str::trim).any(|line| {
            ["cfg(", "cfg_attr(", "cfg!("].iter().any(|cut| line.contains(cut))
                && line != "#[cfg(test)]"
        });
        if is_cut {
            cut.insert(path.display().to_string());
        }
    }
    assert_eq!(cut, ["app/src/lib.rs"].map(str::to_owned).into());
}

#[test]
fn titles_and_boxes_are_written_in_one_place_each() {
    // What Leptos writes as it stands, and where that is seen to.
    let raw = [
        ("formatter", "app/src/routes.rs"),
        ("TitleContext", ""),
        ("<textarea", "app/src/pages/components/form/text_area.rs"),
        ("textarea()", ""),
        ("<style", ""),
        ("<iframe", ""),
    ];
    for path in rust_files().iter().filter(|path| path.starts_with("app/src")) {
        let text = read(path);
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        for (sink, place) in raw {
            let is_there = path == Path::new(place);
            assert!(is_there || !code.contains(sink), "{}: {sink}", path.display());
        }
        for said in code.split("<noscript>").skip(1) {
            let said = said.split("</noscript>").next().unwrap();
            assert!(!said.contains('{'), "{}: words of others in {said}", path.display());
        }
    }
    assert!(read("app/src/routes.rs").contains("<Title formatter=title::written text=\"\"/>"));
}

#[test]
fn markdown_is_rendered_in_one_place() {
    let here = "crates/services/src/project/guidelines";
    let rooms = ["app/src", "crates/services/src", "server/src"];
    let files =
        rust_files().into_iter().filter(|path| rooms.iter().any(|room| path.starts_with(room)));
    let elsewhere: Vec<_> = files
        .filter(|path| !path.starts_with(here))
        .filter(|path| {
            let text = read(path);
            ["pulldown_cmark", "render_markdown(", "ammonia::Builder", "ammonia::clean("]
                .iter()
                .any(|renders| text.contains(renders))
        })
        .collect();
    assert_eq!(elsewhere, Vec::<PathBuf>::new(), "see {here}/renderer.rs");
}

#[test]
fn html_that_is_not_escaped_comes_from_where_it_was_made_safe() {
    // Each of these is rendered by our own code, or has been through the sanitiser.
    let known = [
        ("app/src/islands/annotator/panels/palette.rs", 2),
        ("app/src/islands/annotator/panels/rail.rs", 1),
        ("app/src/islands/reviewer/mod.rs", 1),
        ("app/src/islands/editor/text_view/dom.rs", 1),
        ("app/src/islands/editor/text_view/mod.rs", 1),
        ("app/src/pages/components/frame/island.rs", 1),
        ("app/src/pages/components/agreement/matrix/table/grid.rs", 1),
        ("app/src/pages/overview/small_matrix.rs", 1),
        ("app/src/pages/review/gold/document.rs", 1),
        ("app/src/pages/project/guidelines.rs", 1),
        ("app/src/pages/work/history/version.rs", 1),
        ("app/src/pages/review/side_by_side.rs", 2),
        ("app/src/pages/review/walk/side_panel.rs", 1),
    ];
    let mut found = BTreeMap::new();
    for path in rust_files().iter().filter(|path| path.starts_with("app/src")) {
        let sinks = read(path).matches("inner_html").count();
        if sinks > 0 {
            found.insert(path.display().to_string(), sinks);
        }
    }
    assert_eq!(found, known.map(|(path, sinks)| (path.to_owned(), sinks)).into());
}
