//! Documents and raters that several files of a zip name, or one file several of.

use crate::bundles::{outline, read_zip, webanno};

#[test]
fn a_file_of_several_documents_is_refused_where_names_join_files() {
    let sofa = |id: u64, text: &str| {
        format!(
            "<cas:Sofa xmi:id=\"{id}\" sofaNum=\"{id}\" sofaID=\"s{id}\" sofaString=\"{text}\"/>"
        )
    };
    let xmi = format!(
        "<xmi:XMI xmlns:xmi=\"http://www.omg.org/XMI\" xmlns:cas=\"http:///uima/cas.ecore\">{}{}\
         </xmi:XMI>",
        sofa(1, "first"),
        sofa(2, "second")
    );
    let found = read_zip(&[("a.xmi", xmi.as_bytes()), ("b.txt", b"b")]);
    assert_eq!(outline(&found.documents).len(), 1);
    assert_eq!(
        found.problems,
        ["a.zip/a.xmi: there are several documents in the file; import it on its own"]
    );
}

#[test]
fn spans_of_nobody_in_several_files_are_each_there_once() {
    let rows = |labels: [&str; 2]| {
        webanno(&format!("1-1\t0-2\tEU\t{}\t\n1-2\t3-10\trejects\t{}\t\n", labels[0], labels[1]))
    };
    let files = [rows(["ORG", "_"]), rows(["ORG", "ACT"]), rows(["LOC", "ACT"])];
    let found = read_zip(&[
        ("curation/a.txt/1.tsv", &files[0]),
        ("curation/a.txt/2.tsv", &files[1]),
        ("curation/a.txt/3.tsv", &files[2]),
    ]);
    assert_eq!(found.problems, Vec::<String>::new());
    let [document] = found.documents.as_slice() else { panic!("{:?}", found.documents) };
    let mut labels: Vec<_> = document.spans.iter().map(|span| span.label.as_str()).collect();
    labels.sort_unstable();
    assert_eq!(labels, ["ACT", "LOC", "ORG"]);
}

#[test]
fn copies_of_one_text_with_other_white_space_are_one_document() {
    let text = |end: &str| format!("Gil met Hal.{end}");
    let (short, long) = (text(""), text("\n\n"));
    let found = read_zip(&[
        ("ana/a.ann", b"T1\tPER 0 3\tGil\n"),
        ("ana/a.txt", short.as_bytes()),
        ("bo/a.ann", b"T1\tEND 11 13\t.\n\n"),
        ("bo/a.txt", long.as_bytes()),
        ("concord-raters.json", b"{}"),
    ]);
    assert_eq!(found.problems, Vec::<String>::new());
    let [document] = found.documents.as_slice() else { panic!("{:?}", found.documents) };
    assert_eq!((document.text.as_str(), document.work.len()), (long.as_str(), 2));
    let told = "a.zip/bo/a.ann, line 1: copies of a document with other white space, at the end or \
                as long, read as one: 1";
    assert!(found.notes.iter().any(|note| note == told), "{:?}", found.notes);
}

#[test]
fn a_rater_named_by_file_and_folder_is_one() {
    let line =
        b"{\"text\": \"EU rejects\", \"spans\": [{\"start\": 0, \"end\": 2, \"label\": \"A\"}, \
        {\"start\": 3, \"end\": 5, \"label\": \"B\"}], \"work\": [{\"rater\": \"anna\", \"spans\": \
        [{\"start\": 0, \"end\": 2, \"label\": \"A\"}]}]}";
    let found = read_zip(&[
        ("anna/a.jsonl", line),
        ("ben/a.jsonl", b"{\"text\": \"EU rejects\"}"),
        ("concord-raters.json", b"{}"),
    ]);
    assert_eq!(found.problems, Vec::<String>::new());
    let [document, _] = found.documents.as_slice() else { panic!("{:?}", found.documents) };
    assert_eq!(document.spans, []);
    let [work] = document.work.as_slice() else { panic!("{:?}", document.work) };
    assert_eq!((work.rater.as_str(), work.spans.len()), ("anna", 2));
}
