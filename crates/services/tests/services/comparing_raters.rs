//! Comparing files: who the raters are, and which of them and of their labels count.

use domain::{Comparison, RatersFrom};
use services::document::{
    comparison::{ComparingOptions, compare},
    import::UploadedFile,
};

use crate::comparing::{A, compared, file, hamlet, line, refused, zip};

/// Files of one document each, marked or not.
fn tree(names: &[(&str, &str, bool)]) -> Vec<UploadedFile> {
    let tag = |marked| if marked { "B-PER" } else { "O" };
    let files = names.iter().map(|(name, text, marked)| {
        file(&format!("{name}.conll"), format!("{text} {}\n", tag(*marked)))
    });
    files.collect()
}

fn names(comparison: &Comparison) -> Vec<&str> {
    comparison.matrix.raters.iter().map(|rater| rater.name.as_str()).collect()
}

#[test]
fn whose_files_are_whose_is_inferred_from_the_whole_tree_and_shown() {
    let files = || {
        tree(&[
            ("d/truth/1", "Ur", true),
            ("d/truth/2", "Uz", true),
            ("d/workers/ana/1", "Ur", true),
            ("d/workers/ana/2", "Uz", false),
            ("d/workers/bo/1", "Ur", false),
            ("d/workers/bo/2", "Uz", false),
        ])
    };
    let comparison = compared(files(), ComparingOptions::default());
    assert_eq!(names(&comparison), ["truth", "ana", "bo"]);
    assert_eq!(comparison.raters_from, RatersFrom::Folder(Some(2)));
    let [_, ana, bo] = comparison.understood.as_slice() else { panic!("three raters") };
    assert_eq!(ana.in_words(), "d/workers/ana/1.conll, d/workers/ana/2.conll");
    assert_eq!((bo.file_count, bo.documents, bo.spans), (2, 2, 0));
    assert_eq!(comparison.notes[0], "No spans at all by bo.");
    let zipped = compared(vec![zip("d.zip", &files())], ComparingOptions::default());
    assert_eq!(names(&zipped), ["truth", "ana", "bo"]);
    assert_eq!(zipped.shared, 2);

    let by = |from: &str| ComparingOptions {
        raters_from: from.parse().unwrap(),
        ..ComparingOptions::default()
    };
    let pattern = compared(files(), by("pattern:(?<rater>[^/]+)/[^/]+$"));
    assert_eq!(names(&pattern), ["truth", "ana", "bo"]);
    assert_eq!(names(&compared(files(), by("folder:1"))), ["truth", "workers"]);
    let nobody = compare(files(), by("inside")).map(|_| ()).unwrap_err();
    assert!(nobody[0].message.contains("no spans"), "{nobody:?}");
}

#[test]
fn raters_and_labels_are_left_out_or_mapped_as_somebody_says() {
    let left_out = ComparingOptions {
        leave_out: ["R".to_owned()].into(),
        labels: [("EVE".to_owned(), Some("TITLE".to_owned())), ("ORG".to_owned(), None)].into(),
        ..ComparingOptions::default()
    };
    let comparison = compared(hamlet(), left_out);
    assert_eq!(names(&comparison), ["A", "B"]);
    assert_eq!(comparison.understood.len(), 3);
    let labels: Vec<_> = comparison.labels.iter().map(|label| label.name.as_str()).collect();
    assert_eq!(labels, ["PER", "TITLE", "YEAR"]);
    assert_eq!(
        comparison.notes,
        ["Raters left out: R.", "Labels: EVE counts as TITLE, ORG left out."]
    );
    let unknown = ComparingOptions {
        leave_out: ["C".to_owned()].into(),
        labels: [("NONE".to_owned(), None)].into(),
        ..ComparingOptions::default()
    };
    let problems = compare(hamlet(), unknown).map(|_| ()).unwrap_err();
    let told: Vec<_> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        told,
        ["no rater \"C\" to leave out; there are A, B, R", "no span has the label \"NONE\" to map"]
    );
}

#[test]
fn how_many_raters_are_compared_is_told_and_can_be_raised() {
    let files = || (0..31).map(|n| file(&format!("r{n}.jsonl"), line(A))).collect::<Vec<_>>();
    let told = refused(files());
    assert!(told[0].contains("31 raters found, at most 30 are compared"), "{told:?}");
    let raised = ComparingOptions { most_raters: Some(31), ..ComparingOptions::default() };
    assert_eq!(names(&compared(files(), raised)).len(), 31);
}
