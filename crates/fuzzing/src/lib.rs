//! What every reader of files has to hold for any bytes: it ends, does not panic, and what it reads
//! is read again after it was written.
//!
//! Each [`Target`] is called by a fuzzer (`fuzz/`, with nightly Rust) and by a test of this crate
//! that any Rust runs: on every file of its corpus, and on [`mutations`] of each.

mod bundles;
mod codecs;
pub mod mutations;
mod round_trip;
mod studies;

/// A function that takes any bytes and panics if a law is broken.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of its fuzzer, and of the folder of its corpus.
    pub name: &'static str,
    /// The function.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "plain_text", run: codecs::plain_text },
    Target { name: "json_lines", run: codecs::json_lines },
    Target { name: "conll", run: codecs::conll },
    Target { name: "conllu", run: codecs::conllu },
    Target { name: "span_csv", run: codecs::span_csv },
    Target { name: "span_tsv", run: codecs::span_tsv },
    Target { name: "ratings_csv", run: codecs::ratings_csv },
    Target { name: "webanno_tsv", run: codecs::webanno_tsv },
    Target { name: "brat", run: bundles::brat },
    Target { name: "doccano", run: codecs::doccano },
    Target { name: "label_studio", run: codecs::label_studio },
    Target { name: "label_studio_min", run: codecs::label_studio_min },
    Target { name: "prodigy", run: codecs::prodigy },
    Target { name: "spacy", run: codecs::spacy },
    Target { name: "hugging_face", run: codecs::hugging_face },
    Target { name: "datasaur", run: codecs::datasaur },
    Target { name: "cas_xmi", run: codecs::cas_xmi },
    Target { name: "cas_json", run: codecs::cas_json },
    Target { name: "bundle", run: bundles::zip },
    Target { name: "study", run: studies::study },
];

/// Runs the target of a name.
///
/// # Panics
///
/// If there is none of that name, or if the bytes break a law.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    assert!(target.is_some(), "there is no target {name}");
    if let Some(target) = target {
        (target.run)(bytes);
    }
}
