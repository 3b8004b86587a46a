//! Every target on its corpus, and on files that are nearly like those of it.
#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::{
    collections::BTreeSet,
    fs, panic,
    path::{Path, PathBuf},
};

use fuzzing::{TARGETS, Target, mutations::mutations};

/// How many files are made of each one of a corpus, and of each file of another tool.
const MUTATIONS: u64 = 400;
const SAMPLE_MUTATIONS: u64 = 4;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    files(&fuzz().join("corpus").join(name))
}

/// The files that other tools write, of all formats.
fn samples() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = fuzz().join("../crates/formats/tests/samples");
    let kinds = fs::read_dir(folder).unwrap().map(|kind| kind.unwrap().path());
    kinds.filter(|kind| kind.is_dir()).flat_map(|kind| files(&kind)).collect()
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Runs a target; a file that breaks it is kept, to be tried alone and added to the corpus.
fn hold(target: Target, origin: &Path, bytes: &[u8]) {
    if panic::catch_unwind(|| (target.run)(bytes)).is_err() {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.broken", target.name));
        fs::write(&kept, bytes).unwrap();
        panic!("{} breaks on {}, nearly {}", target.name, kept.display(), origin.display());
    }
}

#[test]
fn every_target_holds_on_its_corpus_and_near_it() {
    for target in TARGETS {
        let files = corpus(target.name);
        assert!(!files.is_empty(), "{} has no corpus", target.name);
        let others: Vec<Vec<u8>> = files.iter().map(|(_, bytes)| bytes.clone()).collect();
        for (path, bytes) in &files {
            hold(*target, path, bytes);
            for nearly in mutations(bytes, &others, MUTATIONS) {
                hold(*target, path, &nearly);
            }
        }
    }
}

#[test]
fn every_target_holds_on_the_files_of_other_tools() {
    let samples = samples();
    for target in TARGETS {
        for (path, bytes) in &samples {
            hold(*target, path, bytes);
            for nearly in mutations(bytes, &[], SAMPLE_MUTATIONS) {
                hold(*target, path, &nearly);
            }
        }
    }
}

#[test]
fn every_target_has_a_fuzzer_and_every_fuzzer_a_target() {
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    let names: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let stems = |folder: PathBuf| -> BTreeSet<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    };
    assert_eq!(stems(fuzz().join("fuzz_targets")), names);
    assert_eq!(stems(fuzz().join("corpus")), names);
    for name in &names {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        let source = fuzz().join("fuzz_targets").join(format!("{name}.rs"));
        assert!(fs::read_to_string(source).unwrap().contains(&format!("\"{name}\"")), "{name}");
    }
}
