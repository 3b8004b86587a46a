//! The site folder: files named after their content, a manifest, and a swap that is all or nothing.

use anyhow::{Context, Result};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The names a page needs, as they are after hashing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) js: String,
    pub(crate) wasm: String,
    pub(crate) css: String,
    /// What only pages load that are read.
    pub(crate) reading_css: String,
    /// The prediction of the what-if page.
    pub(crate) what_if_js: String,
    pub(crate) what_if_wasm: String,
    /// What measures a study.
    pub(crate) study_js: String,
    pub(crate) study_wasm: String,
}

impl Names {
    /// Renames the files in `pkg` after their content and writes `manifest.json`.
    pub(crate) fn assign(pkg: &Path) -> Result<Self> {
        point_at_hashed_snippets(pkg)?;
        let names = Self {
            js: rename_after_content(pkg, "concord", "js")?,
            wasm: rename_after_content(pkg, "concord_bg", "wasm")?,
            css: rename_after_content(pkg, "concord", "css")?,
            reading_css: rename_after_content(pkg, "reading", "css")?,
            what_if_js: rename_after_content(pkg, "what_if", "js")?,
            what_if_wasm: rename_after_content(pkg, "what_if_bg", "wasm")?,
            study_js: rename_after_content(pkg, "study", "js")?,
            study_wasm: rename_after_content(pkg, "study_bg", "wasm")?,
        };
        let manifest = json!({
            "js": names.js,
            "wasm": names.wasm,
            "css": names.css,
            "reading_css": names.reading_css,
            "what_if_js": names.what_if_js,
            "what_if_wasm": names.what_if_wasm,
            "study_js": names.study_js,
            "study_wasm": names.study_wasm,
        });
        fs::write(pkg.join("manifest.json"), format!("{manifest:#}\n"))?;
        Ok(names)
    }
}

fn rename_after_content(pkg: &Path, stem: &str, extension: &str) -> Result<String> {
    let plain = pkg.join(format!("{stem}.{extension}"));
    let bytes = fs::read(&plain).with_context(|| format!("cannot read {}", plain.display()))?;
    let name = format!("{stem}.{}.{extension}", content_hash([bytes.as_slice()]));
    fs::rename(&plain, pkg.join(&name))?;
    Ok(name)
}

/// Moves `snippets/*` to `snippets/<hash>/*` and says so in the JavaScript: wasm-bindgen names
/// snippets after crate and version, and a cache that keeps files forever needs more than that.
fn point_at_hashed_snippets(pkg: &Path) -> Result<()> {
    let plain = pkg.join("snippets");
    if !plain.is_dir() {
        return Ok(());
    }
    let mut contents = Vec::new();
    for file in files(&plain)? {
        contents.push(fs::read(plain.join(&file))?);
        contents.push(file.to_string_lossy().into_owned().into_bytes());
    }
    let hash = content_hash(contents.iter().map(Vec::as_slice));
    let moved = pkg.join("snippets.moved");
    fs::rename(&plain, &moved)?;
    fs::create_dir(&plain)?;
    fs::rename(&moved, plain.join(&hash))?;

    let js = pkg.join("concord.js");
    let mut text = fs::read_to_string(&js)?;
    for quote in ['\'', '"'] {
        // The minifier leaves no space after "from".
        let from = format!("{quote}./snippets/");
        text = text.replace(&from, &format!("{from}{hash}/"));
    }
    Ok(fs::write(&js, text)?)
}

/// The first 64 bits of SHA-256, in hexadecimal: a name, not a proof.
fn content_hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    let mut name = format!("{:x}", hasher.finalize());
    name.truncate(16);
    name
}

/// Puts `new` in the place of `site`, unless both have the same content: then `site` keeps its
/// times and the server, which embeds it, need not be built again. Returns whether it changed.
pub(crate) fn replace(site: &Path, new: &Path) -> Result<bool> {
    if site.is_dir() {
        if same_content(site, new)? {
            fs::remove_dir_all(new)?;
            return Ok(false);
        }
        let old = site.with_extension("old");
        remove_if_present(&old)?;
        fs::rename(site, &old)?;
        fs::rename(new, site)?;
        fs::remove_dir_all(&old)?;
    } else {
        fs::rename(new, site)?;
    }
    Ok(true)
}

/// Removes a folder that an interrupted run may have left.
pub(crate) fn remove_if_present(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

fn same_content(left: &Path, right: &Path) -> Result<bool> {
    let names = files(left)?;
    if names != files(right)? {
        return Ok(false);
    }
    for name in &names {
        if fs::read(left.join(name))? != fs::read(right.join(name))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Copies everything below `from` into `to`.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for file in files(from)? {
        let target = to.join(&file);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::copy(from.join(&file), &target)
            .with_context(|| format!("cannot copy {} to {}", file.display(), target.display()))?;
    }
    Ok(())
}

/// Every file below a folder, by its path relative to it.
pub(crate) fn files(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(directory) = open.pop() {
        let entries = directory
            .read_dir()
            .with_context(|| format!("cannot read the folder {}", directory.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.strip_prefix(folder)?.to_path_buf());
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Names, content_hash, replace};
    use std::fs;
    use std::path::Path;
    use tempfile::TempDir;

    fn pkg(js: &str, snippet: Option<&str>) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("concord.js"), js).unwrap();
        fs::write(dir.path().join("concord_bg.wasm"), b"\0asm").unwrap();
        fs::write(dir.path().join("concord.css"), "a{color:red}").unwrap();
        fs::write(dir.path().join("reading.css"), "b{color:red}").unwrap();
        for name in ["what_if", "study"] {
            fs::write(dir.path().join(format!("{name}.js")), "export {}").unwrap();
            fs::write(dir.path().join(format!("{name}_bg.wasm")), b"\0asm").unwrap();
        }
        if let Some(text) = snippet {
            fs::create_dir_all(dir.path().join("snippets/lib-1")).unwrap();
            fs::write(dir.path().join("snippets/lib-1/inline0.js"), text).unwrap();
        }
        dir
    }

    #[test]
    fn hash_is_the_start_of_sha_256() {
        assert_eq!(content_hash([b"ab".as_slice(), b"c".as_slice()]), "ba7816bf8f01cfea");
    }

    #[test]
    fn names_follow_the_content_and_the_manifest_lists_them() {
        let one = pkg("export {}", None);
        let two = pkg("export { a }", None);
        let first = Names::assign(one.path()).unwrap();
        let second = Names::assign(two.path()).unwrap();
        assert_ne!(first.js, second.js);
        assert_eq!((&first.wasm, &first.css), (&second.wasm, &second.css));

        let manifest = fs::read_to_string(one.path().join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        for (key, name) in [
            ("js", &first.js),
            ("wasm", &first.wasm),
            ("css", &first.css),
            ("reading_css", &first.reading_css),
            ("what_if_js", &first.what_if_js),
            ("what_if_wasm", &first.what_if_wasm),
            ("study_js", &first.study_js),
            ("study_wasm", &first.study_wasm),
        ] {
            assert_eq!(manifest[key], **name);
            assert!(one.path().join(name).is_file());
        }
    }

    #[test]
    fn imports_of_snippets_stay_valid_and_follow_their_content() {
        let js = "import { f } from './snippets/lib-1/inline0.js';\nexport { f };";
        let name_of = |snippet: &str| {
            let dir = pkg(js, Some(snippet));
            let names = Names::assign(dir.path()).unwrap();
            let text = fs::read_to_string(dir.path().join(&names.js)).unwrap();
            let imported = text.split('\'').nth(1).unwrap();
            assert_eq!(fs::read_to_string(dir.path().join(imported)).unwrap(), snippet);
            names.js
        };
        assert_ne!(name_of("export function f() {}"), name_of("export function f() { g() }"));
    }

    #[test]
    fn site_is_untouched_when_the_content_is_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("site");
        let new = dir.path().join("site.new");
        let write = |folder: &Path, text: &str| {
            fs::create_dir_all(folder.join("pkg")).unwrap();
            fs::write(folder.join("pkg/a.js"), text).unwrap();
        };

        write(&new, "1");
        assert!(replace(&site, &new).unwrap());
        let before = fs::metadata(site.join("pkg/a.js")).unwrap().modified().unwrap();

        write(&new, "1");
        assert!(!replace(&site, &new).unwrap());
        assert_eq!(fs::metadata(site.join("pkg/a.js")).unwrap().modified().unwrap(), before);
        assert!(!new.exists());

        write(&new, "2");
        fs::write(new.join("favicon.svg"), "<svg/>").unwrap();
        assert!(replace(&site, &new).unwrap());
        assert_eq!(fs::read_to_string(site.join("pkg/a.js")).unwrap(), "2");
        assert!(site.join("favicon.svg").is_file());
        assert!(!new.exists() && !dir.path().join("site.old").exists());
    }
}
