//! The site folder: files named after their content, a manifest, and a swap that is all or nothing.

use anyhow::{Context, Result, bail};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Says how the files are called; written last, and read by the server only.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The names a page needs, as they are after hashing; empty for what has not been built yet.
#[derive(Debug, Default, PartialEq, Eq)]
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
        Self {
            js: rename_after_content(pkg, "concord", "js")?,
            wasm: rename_after_content(pkg, "concord_bg", "wasm")?,
            what_if_js: rename_after_content(pkg, "what_if", "js")?,
            what_if_wasm: rename_after_content(pkg, "what_if_bg", "wasm")?,
            study_js: rename_after_content(pkg, "study", "js")?,
            study_wasm: rename_after_content(pkg, "study_bg", "wasm")?,
            ..Self::of_styles(pkg)?
        }
        .write(pkg)
    }

    /// The same for a package that has no modules yet.
    pub(crate) fn assign_to_styles(pkg: &Path) -> Result<Self> {
        Self::of_styles(pkg)?.write(pkg)
    }

    fn of_styles(pkg: &Path) -> Result<Self> {
        Ok(Self {
            css: rename_after_content(pkg, "concord", "css")?,
            reading_css: rename_after_content(pkg, "reading", "css")?,
            ..Self::default()
        })
    }

    fn write(self, pkg: &Path) -> Result<Self> {
        let manifest = json!({
            "js": self.js,
            "wasm": self.wasm,
            "css": self.css,
            "reading_css": self.reading_css,
            "what_if_js": self.what_if_js,
            "what_if_wasm": self.what_if_wasm,
            "study_js": self.study_js,
            "study_wasm": self.study_wasm,
        });
        fs::write(pkg.join(MANIFEST), format!("{manifest:#}\n"))?;
        Ok(self)
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
    let hash = fingerprint(&plain)?;
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

/// Makes `site` what `new` is, file by file: the manifest comes after all that it names, and what it
/// named before goes last, so that a server which reads from there finds every file of a page. Files
/// that stay the same keep their times. Returns whether anything changed.
pub(crate) fn replace(site: &Path, new: &Path) -> Result<bool> {
    fs::create_dir_all(site)?;
    let (old, now) = (files(site)?, files(new)?);
    let (manifest, named): (Vec<_>, Vec<_>) = now.iter().partition(|file| file.ends_with(MANIFEST));
    let mut changed = false;
    for name in named.into_iter().chain(manifest) {
        let (from, to) = (new.join(name), site.join(name));
        if old.contains(name) && fs::read(&from)? == fs::read(&to)? {
            continue;
        }
        fs::create_dir_all(to.parent().unwrap_or(site))?;
        fs::rename(from, to)?;
        changed = true;
    }
    for name in old.difference(&now) {
        fs::remove_file(site.join(name))?;
        changed = true;
    }
    fs::remove_dir_all(new)?;
    Ok(changed)
}

/// What a folder holds, in a word that changes with any of its files.
pub(crate) fn fingerprint(folder: &Path) -> Result<String> {
    let mut parts = Vec::new();
    for file in files(folder)? {
        parts.push(fs::read(folder.join(&file))?);
        parts.push(file.to_string_lossy().into_owned().into_bytes());
    }
    Ok(content_hash(parts.iter().map(Vec::as_slice)))
}

/// Removes a folder that an interrupted run may have left.
pub(crate) fn remove_if_present(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// Copies every file below a folder into another, side by side: browsers ask for them by their names.
pub(crate) fn copy_side_by_side(from: &Path, to: &Path) -> Result<()> {
    for file in files(from)? {
        let target = to.join(file.file_name().unwrap_or_default());
        if target.exists() {
            bail!("two files are called {}", target.display());
        }
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
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
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
    fn a_package_without_modules_has_styles_and_says_that_the_rest_lacks() {
        let dir = pkg("export {}", None);
        let names = Names::assign_to_styles(dir.path()).unwrap();
        assert!(dir.path().join(&names.css).is_file());
        assert!(dir.path().join(&names.reading_css).is_file());
        let manifest = fs::read_to_string(dir.path().join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!((&manifest["css"], &manifest["js"]), (&names.css.as_str().into(), &"".into()));
    }

    fn write(folder: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }

    #[test]
    fn site_is_untouched_when_the_content_is_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("site");
        let new = dir.path().join("site.new");

        write(&new, &[("pkg/a.js", "1")]);
        assert!(replace(&site, &new).unwrap());
        let before = fs::metadata(site.join("pkg/a.js")).unwrap().modified().unwrap();
        let fingerprint = super::fingerprint(&site).unwrap();

        write(&new, &[("pkg/a.js", "1")]);
        assert!(!replace(&site, &new).unwrap());
        assert_eq!(fs::metadata(site.join("pkg/a.js")).unwrap().modified().unwrap(), before);
        assert_eq!(super::fingerprint(&site).unwrap(), fingerprint);
        assert!(!new.exists());

        write(&new, &[("pkg/a.js", "2"), ("favicon.svg", "<svg/>")]);
        assert!(replace(&site, &new).unwrap());
        assert_eq!(fs::read_to_string(site.join("pkg/a.js")).unwrap(), "2");
        assert!(site.join("favicon.svg").is_file() && !new.exists());
        assert_ne!(super::fingerprint(&site).unwrap(), fingerprint);

        write(&new, &[("pkg/a.js", "2")]);
        assert!(replace(&site, &new).unwrap());
        assert!(!site.join("favicon.svg").exists());
    }

    /// A server that reads the folder meanwhile finds what the manifest names, whichever it reads.
    #[test]
    fn a_reader_never_finds_a_manifest_without_its_files() {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("site");
        let new = dir.path().join("site.new");
        let build = |number: u32| {
            let name = format!("a.{number}.js");
            write(&new, &[("pkg/manifest.json", &name), (&format!("pkg/{name}"), "")]);
            replace(&site, &new).unwrap();
        };
        build(0);
        let done = AtomicBool::new(false);
        let manifest = || fs::read_to_string(site.join("pkg/manifest.json")).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                (1..500).for_each(build);
                done.store(true, Ordering::Relaxed);
            });
            while !done.load(Ordering::Relaxed) {
                let named = manifest();
                let there = site.join("pkg").join(&named).is_file();
                // What has been replaced by now may be gone.
                assert!(there || manifest() != named, "{named}");
            }
        });
    }
}
