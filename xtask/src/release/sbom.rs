//! What the release binary is made of, as a `CycloneDX` list beside it: its own packages, and those of
//! the WebAssembly that it carries.

use crate::frontend::{CARGO_ARGS, PREDICTION, WORKBENCH};
use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A package by its name and version.
type Package = (String, String);

/// What the search of the help runs in browsers: a script that comes inside of mdBook.
const SEARCH: (&str, &str, &str) = ("elasticlunr", "0.9.5", "MIT");

/// Writes the list for a target of rustc's.
pub(crate) fn write(workspace: &Workspace, target: &str, path: &Path) -> Result<()> {
    let list = describe(workspace, target)?;
    fs::write(path, format!("{list:#}\n"))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The list: every package once, with version, licence, origin and checksum, and what needs what.
fn describe(workspace: &Workspace, target: &str) -> Result<Value> {
    let packages = packages(workspace, target)?;
    let mut metadata = workspace.cargo();
    // The features of the server and of the browser's half exclude each other; here both are told of.
    metadata.args(["metadata", "--format-version", "1", "--locked", "--all-features"]);
    metadata.args(["--filter-platform", target, "--filter-platform", "wasm32-unknown-unknown"]);
    let metadata: Value = serde_json::from_str(&process::read(&mut metadata)?)?;
    let lock = fs::read_to_string(workspace.root.join("Cargo.lock"))?;
    list(&packages, &metadata, &checksums(&lock))
}

/// The target that rustc itself runs on.
pub(crate) fn host() -> Result<String> {
    let version = process::read(std::process::Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say what it runs on")
}

/// What is linked into the binary or into its WebAssembly; what only compiles it is not.
fn packages(workspace: &Workspace, target: &str) -> Result<BTreeSet<Package>> {
    let server = ["--package", "server", "--target", target];
    let parts: [&[&str]; 4] = [&server, &CARGO_ARGS, &PREDICTION, &WORKBENCH];
    let mut packages = BTreeSet::new();
    for part in parts {
        let mut tree = workspace.cargo();
        tree.args(["tree", "--locked", "--prefix", "none", "--edges", "normal,no-proc-macro"]);
        packages.extend(of_tree(&process::read(tree.args(["--format", "{p}"]).args(part))?));
    }
    Ok(packages)
}

/// The packages of lines such as `serde v1.0.228` and `app v0.1.0 (/a/app) (*)`.
fn of_tree(tree: &str) -> impl Iterator<Item = Package> {
    tree.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        Some((name.to_owned(), rest.split(' ').next()?.to_owned()))
    })
}

/// The checksums of a lock file.
fn checksums(lock: &str) -> BTreeMap<Package, &str> {
    let entries = lock.split("[[package]]").skip(1);
    let field = |entry: &'_ str, name: &str| -> Option<(usize, usize)> {
        let start = entry.find(&format!("\n{name} = \""))? + name.len() + 5;
        Some((start, start + entry.get(start..)?.find('"')?))
    };
    entries
        .filter_map(|entry| {
            let text = |name| field(entry, name).and_then(|(start, end)| entry.get(start..end));
            Some(((text("name")?.to_owned(), text("version")?.to_owned()), text("checksum")?))
        })
        .collect()
}

fn list(
    packages: &BTreeSet<Package>,
    metadata: &Value,
    checksums: &BTreeMap<Package, &str>,
) -> Result<Value> {
    let text = |value: &Value, key: &str| value.get(key)?.as_str().map(str::to_owned);
    let array = |value: &Value, key: &str| -> Vec<Value> {
        value.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let known = array(metadata, "packages");
    let found: BTreeMap<Package, &Value> = known
        .iter()
        .filter_map(|package| Some(((text(package, "name")?, text(package, "version")?), package)))
        .collect();
    let mut components = Vec::new();
    let mut by_id = BTreeMap::new();
    for package in packages {
        let (name, version) = package;
        let described = *found
            .get(package)
            .with_context(|| format!("cargo metadata does not know {name} {version}"))?;
        let purl = purl(package);
        by_id.insert(text(described, "id").unwrap_or_default(), purl.clone());
        // The old way of writing a choice is no expression.
        let licence = text(described, "license").map(|licence| licence.replace('/', " OR "));
        let licence = match licence {
            Some(expression) => json!({ "expression": expression }),
            None => json!({ "license": { "name": "in the package's own files" } }),
        };
        let mut component = json!({
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": version,
            "purl": purl,
            "licenses": [licence],
        });
        let fields = component.as_object_mut().context("a component is an object")?;
        if let Some(checksum) = checksums.get(package) {
            let hashes = json!([{ "alg": "SHA-256", "content": checksum }]);
            fields.insert("hashes".to_owned(), hashes);
        }
        if let Some(repository) = text(described, "repository") {
            let references = json!([{ "type": "vcs", "url": repository }]);
            fields.insert("externalReferences".to_owned(), references);
        }
        components.push(component);
    }
    let (name, version, licence) = SEARCH;
    let purl_of_search = format!("pkg:npm/{name}@{version}");
    components.push(json!({
        "type": "library",
        "bom-ref": purl_of_search,
        "name": name,
        "version": version,
        "purl": purl_of_search,
        "licenses": [{ "expression": licence }],
    }));
    let nodes = metadata.get("resolve").map(|resolve| array(resolve, "nodes")).unwrap_or_default();
    let needs = nodes.iter().filter_map(|node| {
        let purl = by_id.get(&text(node, "id")?)?;
        let needed = array(node, "dependencies");
        let needed: BTreeSet<_> = needed.iter().filter_map(|id| by_id.get(id.as_str()?)).collect();
        Some(json!({ "ref": purl, "dependsOn": needed }))
    });
    let needs: Vec<_> = needs.collect();
    let server = packages.iter().find(|(name, _)| name == "server");
    let version =
        server.map(|(_, version)| version).context("the server is not in its own tree")?;
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": {
            "type": "application", "bom-ref": "concord", "name": "concord", "version": version,
        } },
        "components": components,
        "dependencies": needs,
    }))
}

/// The address of a package among those of all languages.
fn purl((name, version): &Package) -> String {
    // The only sign of a version that has a meaning there.
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_of_the_binary_is_listed_with_version_licence_and_address() {
        let workspace = Workspace::find().unwrap();
        let host = host().unwrap();
        let list = describe(&workspace, &host).unwrap();
        let components = list["components"].as_array().unwrap();
        let mut listed = BTreeSet::new();
        let (search, packaged): (Vec<_>, Vec<_>) =
            components.iter().partition(|component| component["name"] == SEARCH.0);
        assert_eq!(search[0]["purl"], "pkg:npm/elasticlunr@0.9.5");
        for component in &packaged {
            let text = |key: &str| component[key].as_str().unwrap().to_owned();
            let package = (text("name"), text("version"));
            assert_eq!(text("purl"), purl(&package));
            let licence = component["licenses"][0]["expression"].as_str();
            assert!(licence.is_some_and(|licence| !licence.contains('/')), "{package:?}");
            listed.insert(package);
        }
        assert_eq!(listed, packages(&workspace, &host).unwrap());
        assert_eq!(listed.len(), packaged.len(), "none is listed twice");
        let names: BTreeSet<_> = listed.iter().map(|(name, _)| name.as_str()).collect();
        // Of the server, of the browser's half, and what only compiles them.
        for (name, is_in) in
            [("axum", true), ("libsqlite3-sys", true), ("wasm-bindgen", true), ("proptest", false)]
        {
            assert_eq!(names.contains(name), is_in, "{name}");
        }
        let from_afar = components.iter().filter(|one| one["hashes"].is_array()).count();
        assert!(from_afar > 200, "{from_afar}");
        let needs = list["dependencies"].as_array().unwrap();
        assert_eq!(needs.len(), packaged.len());
    }

    #[test]
    fn versions_and_checksums_are_read_as_cargo_writes_them() {
        let tree = "server v0.1.0 (/a/server)\naxum v0.8.9\naxum v0.8.9 (*)\n";
        let packages: Vec<_> = of_tree(tree).collect();
        assert_eq!(packages[1], ("axum".to_owned(), "0.8.9".to_owned()));
        let lock = "version = 4\n\n[[package]]\nname = \"axum\"\nversion = \"0.8.9\"\n\
                    source = \"registry\"\nchecksum = \"ab\"\n\n[[package]]\nname = \"server\"\n\
                    version = \"0.1.0\"\n";
        let checksums = checksums(lock);
        assert_eq!(checksums.len(), 1);
        assert_eq!(checksums[&packages[1]], "ab");
        assert_eq!(purl(&("ring".to_owned(), "1.0.0+2".to_owned())), "pkg:cargo/ring@1.0.0%2B2");
    }
}
