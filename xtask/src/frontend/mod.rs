//! The front end: rustc, wasm-bindgen, wasm-opt, the stylesheet, the help, all of it into the site folder.

mod bindgen;
mod compress;
pub(crate) mod help;
mod script;
pub(crate) mod site;
mod stylesheet;

use self::compress::Effort;
use self::site::Names;
use crate::workspace::{Profile, Workspace};
use crate::{process, setup};
use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the pages for annotating and reviewing are meant to load, which load the most: JavaScript, wasm
/// and CSS after brotli, in bytes.
const BUDGET: usize = 350_000;

/// What they may load at most. Between the two, what they load more has to pay for itself.
const LIMIT: usize = 400_000;

/// What a page may load that is only read, beside its data: scripts and styles after brotli.
const READING_LIMIT: usize = 40_000;

/// Scripts that only pages load which are read, and which load no wasm.
const READING_ONLY: [&str; 10] = [
    "compare.js",
    "dropping.js",
    "follow_worker.js",
    "matrix.js",
    "passkey.js",
    "reading.js",
    "study.js",
    "study_worker.js",
    "upload.js",
    "what_if.js",
];

/// What the prediction of the what-if page may weigh beside it: no other page loads it.
const WHAT_IF_BUDGET: usize = 40_000;

/// What measuring a study may weigh: `concord measure` as a whole, with every way to read a table and Unicode's
/// tables of composed characters, which no other page loads.
const STUDY_BUDGET: usize = 440_000;

impl Profile {
    fn effort(self) -> Effort {
        match self {
            Self::Dev => Effort { brotli: 4, gzip: 4 },
            Self::Release => Effort { brotli: 11, gzip: 9 },
        }
    }
}

/// Sizes after brotli, in bytes.
pub(crate) struct Sizes {
    /// The scripts that come with the module for annotating and reviewing.
    js: usize,
    /// The scripts that all kinds of pages load.
    shared: usize,
    wasm: usize,
    css: usize,
    /// The scripts and styles of pages that are only read.
    reading_only: usize,
    /// The module that only the what-if page loads, with its script.
    what_if: usize,
    /// The module that only the page for studies loads.
    study: usize,
}

impl Sizes {
    /// What a page for annotating or reviewing loads.
    fn total(&self) -> usize {
        self.js + self.shared + self.wasm + self.css
    }

    /// The most that a page loads which is only read: as if one had all of their scripts.
    fn reading(&self) -> usize {
        self.shared + self.css + self.reading_only
    }

    /// An error when people would have to wait too long for the page.
    pub(crate) fn check_budget(&self) -> Result<()> {
        let total = self.total();
        if total > LIMIT {
            bail!(
                "the front end is {total} bytes after brotli (js {}, wasm {}, css {}), over the \
                 limit of {LIMIT}",
                self.js + self.shared,
                self.wasm,
                self.css,
            );
        }
        let reading = self.reading();
        if reading > READING_LIMIT {
            bail!(
                "a page that is only read loads up to {reading} bytes of scripts and styles after \
                 brotli, over the limit of {READING_LIMIT}",
            );
        }
        if self.what_if > WHAT_IF_BUDGET {
            bail!(
                "the module of the what-if page is {} bytes after brotli, over the budget of \
                 {WHAT_IF_BUDGET}",
                self.what_if,
            );
        }
        if self.study > STUDY_BUDGET {
            bail!(
                "the module that measures studies is {} bytes after brotli, over the budget of \
                 {STUDY_BUDGET}",
                self.study,
            );
        }
        Ok(())
    }
}

/// The cargo arguments that name the browser's half of `app`, for all of cargo's commands.
pub(crate) const CARGO_ARGS: [&str; 7] = [
    "--package",
    "app",
    "--no-default-features",
    "--features",
    "csr",
    "--target",
    "wasm32-unknown-unknown",
];

/// The cargo arguments that name the prediction of the what-if page, a module of its own.
pub(crate) const PREDICTION: [&str; 4] =
    ["--package", "browser", "--target", "wasm32-unknown-unknown"];

/// The cargo arguments that name what measures a study, a module of its own.
pub(crate) const WORKBENCH: [&str; 4] =
    ["--package", "workbench", "--target", "wasm32-unknown-unknown"];

/// The crates that become modules of WebAssembly, and what their files are called.
const MODULES: [(&str, &str); 3] =
    [("app", "concord"), ("browser", "what_if"), ("workbench", "study")];

/// The stylesheets, and what their files are called.
const STYLESHEETS: [(&str, &str); 2] =
    [("main.css", "concord.css"), ("reading.css", "reading.css")];

/// Builds the site folder by a cargo of the caller's and prints what it weighs; `build_programs` builds the
/// program that makes the help, alone or with what else is needed.
pub(crate) fn build(
    workspace: &Workspace,
    profile: Profile,
    cargo: fn(&Workspace) -> Command,
    build_programs: fn(&Workspace) -> Result<()>,
) -> Result<Sizes> {
    // One after the other: together they would share the features of what they depend on.
    for args in [CARGO_ARGS.as_slice(), PREDICTION.as_slice(), WORKBENCH.as_slice()] {
        let mut command = cargo(workspace);
        command.args(["rustc", "--lib", "--crate-type", "cdylib", "--profile", profile.name()]);
        process::run(command.args(args))?;
    }
    let new = begin(workspace, profile)?;
    let pkg = new.join("pkg");
    println!("wasm-bindgen");
    for (package, name) in MODULES {
        let wasm = workspace.wasm(profile.name(), package);
        bindgen::generate(&wasm, &pkg, name, profile == Profile::Dev)?;
    }
    if profile == Profile::Release {
        match setup::wasm_opt(&workspace.tools()) {
            Ok(wasm_opt) => {
                for (_, name) in MODULES {
                    bindgen::optimise(&wasm_opt, &pkg.join(format!("{name}_bg.wasm")))?;
                }
            }
            Err(error) => println!("warning: the front end is larger than needed: {error:#}"),
        }
        script::minify_all(workspace, &new)?;
    }
    let names = Names::assign(&pkg)?;
    let sizes = compress_all(&new, &names, profile.effort())?;
    build_programs(workspace)?;
    help::write(workspace, &new, profile.effort())?;
    let site = workspace.site(profile);
    let changed = site::replace(&site, &new)?;

    println!(
        "{}: {}; after brotli js {}, wasm {}, css {}, together {} of {BUDGET} bytes (at most \
         {LIMIT}); a page that is only read at most {} of {READING_LIMIT}; what-if's module {} of {WHAT_IF_BUDGET}, that for studies {} of \
         {STUDY_BUDGET}",
        site.display(),
        if changed { "written" } else { "unchanged" },
        sizes.js + sizes.shared,
        sizes.wasm,
        sizes.css,
        sizes.total(),
        sizes.reading(),
        sizes.what_if,
        sizes.study,
    );
    Ok(sizes)
}

/// Builds the site folder without the modules: what a server needs for all pages that are read.
pub(crate) fn build_without_modules(workspace: &Workspace, profile: Profile) -> Result<()> {
    let new = begin(workspace, profile)?;
    let names = Names::assign_to_styles(&new.join("pkg"))?;
    compress_all(&new, &names, profile.effort())?;
    site::replace(&workspace.site(profile), &new)?;
    Ok(())
}

/// A new site folder with styles and scripts, beside the one that may be in use.
fn begin(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    let new = workspace.site(profile).with_extension("new");
    site::remove_if_present(&new)?;
    let pkg = new.join("pkg");
    fs::create_dir_all(&pkg)?;
    for (source, name) in STYLESHEETS {
        let css = stylesheet::bundle(&workspace.root.join("style").join(source))?;
        fs::write(pkg.join(name), css)?;
    }
    site::copy_side_by_side(&workspace.root.join("app/public"), &new)?;
    Ok(new)
}

/// Writes the compressed copies of the package and of the scripts beside it; code in snippets counts
/// as JavaScript.
fn compress_all(site: &Path, names: &Names, effort: Effort) -> Result<Sizes> {
    let mut sizes =
        Sizes { js: 0, shared: 0, wasm: 0, css: 0, reading_only: 0, what_if: 0, study: 0 };
    for file in site::files(site)? {
        let counter = match file.strip_prefix("pkg").unwrap_or(&file).to_str() {
            // Only the server reads it.
            Some(site::MANIFEST) => continue,
            Some(name) if name == names.what_if_js || name == names.what_if_wasm => {
                &mut sizes.what_if
            }
            Some(name) if name == names.study_js || name == names.study_wasm => &mut sizes.study,
            Some(name) if READING_ONLY.contains(&name) || name == names.reading_css => {
                &mut sizes.reading_only
            }
            Some(name) if name == names.wasm => &mut sizes.wasm,
            Some(name) if name == names.css => &mut sizes.css,
            Some(name) if name == names.js || name.starts_with("snippets") => &mut sizes.js,
            Some(_) if script::is_script(&file) => &mut sizes.shared,
            // Pictures.
            _ => continue,
        };
        *counter += compress::write_copies(&site.join(&file), effort)?;
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::{
        LIMIT, Profile, READING_LIMIT, STUDY_BUDGET, Sizes, WHAT_IF_BUDGET, build_without_modules,
        compress_all,
        site::{self, Names},
    };
    use crate::workspace::Workspace;
    use std::fs;
    use std::path::Path;

    #[test]
    fn budget_counts_all_kinds_of_files_and_includes_its_limit() {
        let within = || Sizes {
            js: 1,
            shared: 1,
            wasm: LIMIT - 3,
            css: 1,
            reading_only: READING_LIMIT - 2,
            what_if: WHAT_IF_BUDGET,
            study: STUDY_BUDGET,
        };
        assert!(within().check_budget().is_ok());
        let over = LIMIT + 1;
        for (sizes, bytes) in [
            (Sizes { js: 2, ..within() }, over),
            (Sizes { shared: 2, ..within() }, over),
            (Sizes { css: 2, ..within() }, over),
            (Sizes { wasm: LIMIT - 2, ..within() }, over),
            (Sizes { reading_only: READING_LIMIT - 1, ..within() }, READING_LIMIT + 1),
            (Sizes { what_if: WHAT_IF_BUDGET + 1, ..within() }, WHAT_IF_BUDGET + 1),
            (Sizes { study: STUDY_BUDGET + 1, ..within() }, STUDY_BUDGET + 1),
        ] {
            let error = sizes.check_budget().unwrap_err();
            assert!(error.to_string().contains(&format!("{bytes} bytes")), "{error}");
        }
    }

    #[test]
    fn every_file_but_the_manifest_has_compressed_copies_and_is_weighed() {
        let dir = tempfile::tempdir().unwrap();
        let pkg = dir.path();
        fs::create_dir_all(pkg.join("snippets/lib-1")).unwrap();
        let import = "import { f } from './snippets/lib-1/inline0.js';";
        for (name, text) in [
            ("concord.js", import),
            ("concord_bg.wasm", "\0asm"),
            ("concord.css", "a{color:red}"),
            ("reading.css", "b{color:red}"),
            ("what_if.js", "export {}"),
            ("matrix.js", "export {}"),
            ("frame.js", "export {}"),
            ("what_if_bg.wasm", "\0asm"),
            ("study.js", "export {}"),
            ("study_bg.wasm", "\0asm"),
            ("snippets/lib-1/inline0.js", "export function f() {}"),
        ] {
            fs::write(pkg.join(name), text).unwrap();
        }
        let names = Names::assign(pkg).unwrap();
        let sizes = compress_all(pkg, &names, Profile::Dev.effort()).unwrap();

        let files = site::files(pkg).unwrap();
        let copies =
            |end: &str| files.iter().filter(|file| file.to_string_lossy().ends_with(end)).count();
        assert_eq!((copies(".br"), copies(".gz"), files.len()), (11, 11, 11 * 3 + 1));
        let on_disk: usize = files
            .iter()
            .filter(|file| file.to_string_lossy().ends_with(".br"))
            .map(|file| fs::read(pkg.join(file)).unwrap().len())
            .sum();
        assert_eq!(sizes.total() + sizes.reading_only + sizes.what_if + sizes.study, on_disk);
        assert!(
            sizes.what_if > 0
                && sizes.study > 0
                && sizes.reading_only > 0
                && sizes.wasm > 0
                && sizes.css > 0
                && sizes.shared > 0
                && sizes.js > sizes.css
        );
    }

    #[test]
    fn a_build_for_release_leaves_the_files_of_a_running_server_alone() {
        let dir = tempfile::tempdir().unwrap();
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for folder in ["style", "app"] {
            std::os::unix::fs::symlink(ours.join(folder), dir.path().join(folder)).unwrap();
        }
        let workspace = Workspace::at(dir.path());
        build_without_modules(&workspace, Profile::Dev).unwrap();
        let served = workspace.site(Profile::Dev);
        let before = site::fingerprint(&served).unwrap();
        build_without_modules(&workspace, Profile::Release).unwrap();
        assert_eq!(site::fingerprint(&served).unwrap(), before);
        assert!(served.join("reading.js.br").is_file());
    }
}
