//! Zips and folders: whose work is in them, and what is refused.

use std::io::{Cursor, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use formats::{
    AnnotatedDocument, Author, Bundle, BundleLimits, BundleProblem, ImportNote, Layout, Problem,
    ReadOptions,
};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::round_trips::as_annotated;

fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        if name.ends_with('/') {
            zip.add_directory(*name, SimpleFileOptions::default()).unwrap();
        } else {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
    }
    zip.finish().unwrap().into_inner()
}

fn refused(zip: &[u8]) -> (String, BundleProblem) {
    let begun = Instant::now();
    let error = Bundle::from_zip("a.zip", Cursor::new(zip), &BundleLimits::default()).unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(1), "{error}");
    match error.problem {
        Problem::Bundle(problem) => (error.file, problem),
        other => panic!("{other}"),
    }
}

pub(crate) struct Found {
    layout: Layout,
    pub(crate) documents: Vec<AnnotatedDocument>,
    pub(crate) problems: Vec<String>,
    pub(crate) notes: Vec<String>,
}

fn read<R: std::io::Read + std::io::Seek>(mut bundle: Bundle<R>) -> Found {
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    let layout = bundle.layout();
    let notes = bundle.read(&ReadOptions::default(), |outcome| {
        match outcome {
            Ok(read) => documents.push(as_annotated(&read.document)),
            Err(error) => problems.push(error.to_string()),
        }
        ControlFlow::Continue(())
    });
    let notes = notes.iter().map(ImportNote::to_string).collect();
    Found { layout, documents, problems, notes }
}

pub(crate) fn read_zip(files: &[(&str, &[u8])]) -> Found {
    let zip = zip_of(files);
    read(Bundle::from_zip("a.zip", Cursor::new(zip), &BundleLimits::default()).unwrap())
}

/// The name, how many spans are nobody's, and how many are each rater's.
pub(crate) type Outline = (String, usize, Vec<(String, usize)>);

pub(crate) fn outline(documents: &[AnnotatedDocument]) -> Vec<Outline> {
    let row = |document: &AnnotatedDocument| {
        let work = document.work.iter().map(|work| (work.rater.clone(), work.spans.len()));
        (document.name.clone(), document.spans.len(), work.collect())
    };
    documents.iter().map(row).collect()
}

pub(crate) fn webanno(rows: &str) -> Vec<u8> {
    let head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n\n#Text=EU rejects\n";
    format!("{head}{rows}").into_bytes()
}

#[test]
fn an_export_of_inception_has_a_folder_for_each_document_and_a_file_for_each_rater() {
    let anna = webanno("1-1\t0-2\tEU\tORG\t\n1-2\t3-10\trejects\t_\t\n");
    let ben = webanno("1-1\t0-2\tEU\tLOC\t\n1-2\t3-10\trejects\tV\t\n");
    let none = webanno("1-1\t0-2\tEU\t_\t\n1-2\t3-10\trejects\t_\t\n");
    let found = read_zip(&[
        ("project/exportedproject.json", b"{}"),
        ("project/source/news-1.txt", b"EU rejects"),
        ("project/annotation/", b""),
        ("project/annotation/news-1.txt/INITIAL_CAS.tsv", &none),
        ("project/annotation/news-1.txt/anna.tsv", &anna),
        ("project/annotation/news-1.txt/ben.tsv", &ben),
        ("project/annotation/news-1.txt/cem.tsv", &none),
        ("project/curation/news-1.txt/CURATION_USER.tsv", &anna),
        ("project/annotation/news-2.txt/ben.tsv", &ben),
        ("__MACOSX/project/._x", b""),
    ]);
    assert_eq!(found.layout, Layout::Inception);
    assert_eq!(found.problems, Vec::<String>::new());
    let work = |rater: &str, spans| (rater.to_owned(), spans);
    assert_eq!(
        outline(&found.documents),
        [
            ("news-1.txt".to_owned(), 1, vec![work("anna", 1), work("ben", 2), work("cem", 0)]),
            ("news-2.txt".to_owned(), 0, vec![work("ben", 2)]),
        ]
    );
    let passed_over: Vec<_> = found.notes.iter().filter(|note| note.contains("ignored")).collect();
    assert_eq!(
        passed_over,
        [
            "a.zip/project/exportedproject.json, and 1 more file: ignored: files of another kind, \
             2 times",
            "a.zip: ignored: files that systems and editors leave behind",
        ]
    );
}

#[test]
fn a_curation_that_is_not_finished_is_no_gold_standard() {
    let anna = webanno("1-1\t0-2\tEU\tORG\t\n1-2\t3-10\trejects\t_\t\n");
    for (states, gold, in_progress) in [
        (r#""source_documents": [{"name": "a.txt", "state": "CURATION_IN_PROGRESS"}]"#, 0, 1),
        (r#""source_documents": [{"name": "a.txt", "state": "CURATION_FINISHED"}]"#, 1, 0),
        (r#""source_documents": [{"name": "a.txt", "state": null}]"#, 1, 0),
        (r#""source_documents": [{"name": "b.txt", "state": "CURATION_IN_PROGRESS"}]"#, 1, 0),
        (
            r#""annotation_documents": [{"name": "a.txt", "user": "ben", "state": "INPROGRESS"}]"#,
            1,
            1,
        ),
    ] {
        let found = read_zip(&[
            ("exportedproject.json", format!("{{{states}}}").as_bytes()),
            ("annotation/a.txt/anna.tsv", &anna),
            ("annotation/a.txt/ben.tsv", &anna),
            ("curation/a.txt/CURATION_USER.tsv", &anna),
        ]);
        assert_eq!(found.problems, Vec::<String>::new());
        assert_eq!(found.documents[0].spans.len(), gold, "{states}");
        let told =
            found.notes.iter().filter(|it| it.contains("in-progress annotations, not counted"));
        assert_eq!(told.count(), in_progress, "{states}");
    }
}

#[test]
fn an_export_of_ours_says_that_it_has_a_folder_for_each_rater() {
    let found = read_zip(&[
        ("study/concord-raters.json", b"{}"),
        ("study/anna/a.txt", b"EU rejects"),
        ("study/anna/a.ann", b"T1\tORG 0 2\tEU\n"),
        ("study/ben/a.txt", b"EU rejects"),
        ("study/ben/a.ann", b""),
        ("study/ben/b.txt", b"other"),
        ("study/a.ann", b"T1\tLOC 0 2\tEU\n"),
        ("study/a.txt", b"EU rejects"),
        ("study/annotation.conf", b"[entities]\n"),
    ]);
    assert_eq!(found.layout, Layout::FolderPerRater);
    assert_eq!(found.problems, Vec::<String>::new());
    let work = |rater: &str, spans| (rater.to_owned(), spans);
    assert_eq!(
        outline(&found.documents),
        [("a".to_owned(), 1, vec![work("anna", 1), work("ben", 0)]), ("b".to_owned(), 0, vec![]),]
    );
}

#[test]
fn folders_alone_say_nothing_of_raters() {
    let found = read_zip(&[("ana/a.txt", b"a"), ("ana/a.ann", b""), ("bo/a.txt", b"a")]);
    assert_eq!(found.layout, Layout::Plain);
    assert_eq!(
        outline(&found.documents),
        [("a".to_owned(), 0, vec![]), ("a".to_owned(), 0, vec![])]
    );
}

#[test]
fn files_of_many_documents_give_their_spans_to_the_rater_whose_folder_it_is() {
    let line = b"{\"id\": 1, \"text\": \"EU\", \"spans\": [{\"start\": 0, \"end\": 2, \"label\": \"A\"}]}\n";
    let files =
        [("anna/a.jsonl", &line[..]), ("ben/a.jsonl", line), ("concord-raters.json", b"{}")];
    let bundle = |zip| Bundle::from_zip("a.zip", zip, &BundleLimits::default()).unwrap();
    let ours = bundle(Cursor::new(zip_of(&files)));
    assert_eq!(ours.author(&ours.files()[1]), Author::Rater("ben".to_owned()));
    let work = |rater: &str| vec![(rater.to_owned(), 1)];
    assert_eq!(
        outline(&read(ours).documents),
        [("1".to_owned(), 0, work("anna")), ("1".to_owned(), 0, work("ben"))]
    );
    let mut plain = bundle(Cursor::new(zip_of(&files)));
    plain.set_layout(Layout::Plain);
    assert_eq!(plain.author(&plain.files()[1]), Author::Nobody);
}

#[test]
fn a_file_of_nothing_is_no_judgement_where_no_folder_says_whose_it_is() {
    let found = read_zip(&[("ana.jsonl", br#"{"text": "Gil sat."}"#), ("bo.jsonl", b"")]);
    assert_eq!(found.documents.len(), 1);
    assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
    assert!(found.problems[0].contains("bo.jsonl"), "{:?}", found.problems);
}

#[test]
fn annotations_find_their_text_elsewhere_or_say_that_it_is_missing() {
    let found = read_zip(&[
        ("texts/a.txt", b"EU rejects"),
        ("anna/a.ann", b"T1\tORG 0 2\tEU\n"),
        ("ben/a.ann", b"T1\tORG 0 2\tEU\n"),
        ("ben/b.ann", b"T1\tORG 0 2\tEU\n"),
        ("concord-raters.json", b"{}"),
    ]);
    let work = |rater: &str| (rater.to_owned(), 1);
    assert_eq!(outline(&found.documents), [("a".to_owned(), 0, vec![work("anna"), work("ben")])]);
    assert_eq!(
        found.problems,
        ["a.zip/ben/b.ann: the text is missing; expected a .txt file of the same name"]
    );
}

#[test]
fn raters_of_one_document_have_one_text() {
    let found = read_zip(&[
        ("anna/a.txt", b"EU rejects"),
        ("anna/a.ann", b""),
        ("ben/a.txt", b"EU rejects."),
        ("ben/a.ann", b""),
        ("concord-raters.json", b"{}"),
    ]);
    assert!(found.documents.is_empty());
    assert_eq!(
        found.problems,
        ["a.zip/ben/a.ann: the text differs from a.zip/anna/a.ann; expected the same \
          text for the same document"]
    );
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    for (name, problem) in [
        ("../a.txt", BundleProblem::NameTraversal),
        ("a/../../b.txt", BundleProblem::NameTraversal),
        ("a\\..\\b.txt", BundleProblem::NameTraversal),
        ("/etc/passwd.txt", BundleProblem::NameAbsolute),
        ("\\\\host\\a.txt", BundleProblem::NameAbsolute),
        ("C:\\a.txt", BundleProblem::NameAbsolute),
        ("a\u{7}.txt", BundleProblem::NameControl),
        ("a\u{85}.txt", BundleProblem::NameControl),
        ("a//b.txt", BundleProblem::NameEmpty),
        ("a/b/c/d/e/f/g/h/i/j.txt", BundleProblem::TooDeep(8)),
        ("../folder/", BundleProblem::NameTraversal),
        ("inner.ZIP", BundleProblem::Nested),
        ("inner.tar.gz", BundleProblem::Nested),
    ] {
        let (file, told) = refused(&zip_of(&[("fine.txt", b"a"), (name, b"a")]));
        assert_eq!(told, problem, "{name}");
        assert_eq!(file, format!("a.zip/{name}"));
    }
    let long = format!("{}.txt", "a/".repeat(600));
    assert_eq!(refused(&zip_of(&[(&long, b"a")])).1, BundleProblem::NameTooLong(1024));
    let twice = [("caf\u{e9}.txt", &b"a"[..]), ("cafe\u{301}.txt", b"b")];
    assert_eq!(refused(&zip_of(&twice)).1, BundleProblem::Duplicate);
    assert_eq!(
        refused(&zip_of(&[("a/./b.txt", b"a"), ("a/b.txt", b"a")])).1,
        BundleProblem::Duplicate
    );
    assert_eq!(refused(&zip_of(&[(".hidden", b"a")])).1, BundleProblem::Empty);
}

#[test]
fn links_devices_and_the_same_name_twice_are_refused() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("a.txt", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let link = zip.finish().unwrap().into_inner();
    assert_eq!(refused(&link), ("a.zip/a.txt".to_owned(), BundleProblem::Symlink));

    // A link is told by the mode in the directory, whose kind is turned into a pipe's here.
    let mut pipe = link.clone();
    let at = pipe.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    assert_eq!(pipe[at + 41] >> 4, 0o12);
    pipe[at + 41] = (pipe[at + 41] & 0x0F) | (0o1 << 4);
    assert_eq!(refused(&pipe).1, BundleProblem::NoFile);

    let mut twice = zip_of(&[("a.txt", b"a"), ("b.txt", b"b")]);
    let names: Vec<usize> =
        (0..twice.len() - 5).filter(|at| &twice[*at..*at + 5] == b"b.txt").collect();
    for at in names {
        twice[at] = b'a';
    }
    assert_eq!(refused(&twice).1, BundleProblem::Duplicate);
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    let zeros = vec![0; 16 << 20];
    let bomb = zip_of(&[("a.txt", &zeros)]);
    assert!(bomb.len() < 32_000);
    assert_eq!(refused(&bomb), ("a.zip/a.txt".to_owned(), BundleProblem::Ratio(200)));

    let mut limits = BundleLimits { ratio: 2000, file_bytes: 1 << 20, ..BundleLimits::default() };
    let open = |limits: &BundleLimits| {
        Bundle::from_zip("a.zip", Cursor::new(&bomb), limits).unwrap_err().problem
    };
    assert_eq!(open(&limits), BundleProblem::FileTooLarge(1 << 20).into());
    limits = BundleLimits { total_bytes: 1 << 20, file_bytes: 1 << 30, ..limits };
    assert_eq!(open(&limits), BundleProblem::TooLarge(1 << 20).into());
}

/// A zip whose directory says that its files are smaller than they are.
#[test]
fn a_file_that_is_larger_than_its_zip_says_ends_there() {
    let mut bomb = zip_of(&[("a.txt", &vec![b'a'; 4 << 20])]);
    let at = bomb.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    bomb[at + 24..at + 28].copy_from_slice(&100_000_u32.to_le_bytes());
    let begun = Instant::now();
    let found =
        read(Bundle::from_zip("a.zip", Cursor::new(bomb), &BundleLimits::default()).unwrap());
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert!(found.documents.is_empty());
    assert_eq!(found.problems.len(), 1);
    assert!(found.problems[0].starts_with("a.zip/a.txt: the file could not be read to its end"));
}

#[test]
fn many_entries_are_refused_by_the_count_alone() {
    let mut zip = zip_of(&[("a.txt", b"a")]);
    let at = zip.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").unwrap();
    zip[at + 8..at + 12].copy_from_slice(&[0x60, 0xEA, 0x60, 0xEA]);
    assert_eq!(refused(&zip).1, BundleProblem::TooManyEntries(50_000));

    let names: Vec<String> = (0..11).map(|number| format!("{number}.txt")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"a"[..])).collect();
    let limits = BundleLimits { entries: 10, ..BundleLimits::default() };
    let problem =
        Bundle::from_zip("a.zip", Cursor::new(zip_of(&files)), &limits).unwrap_err().problem;
    assert_eq!(problem, BundleProblem::TooManyEntries(10).into());
}

#[test]
fn a_zip64_record_that_is_out_of_sight_is_refused() {
    let zip = zip_of(&[("a.txt", b"a")]);
    let end = zip.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").unwrap();
    // Prepended bytes shift everything, so that the record may be before what is looked at.
    let locator = |at: u64| {
        let head = [&b"PK\x06\x07"[..], &[0; 4]].concat();
        [head, at.to_le_bytes().to_vec(), vec![1, 0, 0, 0]].concat()
    };
    let padded = |at: u64| {
        let mut bytes = vec![b' '; 100_000];
        bytes.extend(&zip[..end]);
        bytes.extend(locator(at));
        bytes.extend(&zip[end..]);
        bytes
    };
    let reason = "its zip64 record is too far from its end".to_owned();
    assert_eq!(refused(&padded(7)).1, BundleProblem::NotZip(reason));
    let near = padded(99_000);
    assert!(
        Bundle::from_zip("a.zip", Cursor::new(near), &BundleLimits::default()).is_ok(),
        "a locator that points to what is looked at"
    );
}

#[test]
fn an_archive_by_another_name_is_refused_when_it_is_read() {
    let inner = zip_of(&[("a.txt", b"a")]);
    let found = read_zip(&[("inner.txt", &inner), ("b.txt", b"b")]);
    assert_eq!(outline(&found.documents).len(), 1);
    assert_eq!(
        found.problems,
        ["a.zip/inner.txt: this is an archive inside the archive; unpack it first"]
    );
}

#[test]
fn what_is_no_zip_is_told() {
    assert!(matches!(refused(b"").1, BundleProblem::NotZip(_)));
    assert!(matches!(refused(&vec![b'a'; 1 << 20]).1, BundleProblem::NotZip(_)));
    let zip = zip_of(&[("a.txt", b"a")]);
    assert!(matches!(refused(&zip[..zip.len() - 30]).1, BundleProblem::NotZip(_)));
    let found = read_zip(&[("a.bin", b"a")]);
    assert_eq!(found.problems, ["a.zip: no file has a known format"]);
}

#[test]
fn folders_of_datasaur_name_labelers_and_the_review() {
    let file = |labels: &str| {
        format!(
            "{{\"data\": {{\"rows\": [[{{\"content\": \"EU rejects\", \"tokens\": [\"EU\", \
             \"rejects\"]}}]], \"spanLabels\": [{labels}]}}}}"
        )
    };
    let label = "{\"labelItem\": {\"labelName\": \"ORG\"}, \"textPosition\": {\"start\": {\"row\": 0, \
                 \"tokenIndex\": 0}, \"end\": {\"row\": 0, \"tokenIndex\": 0}}}";
    let (marked, empty) = (file(label), file(""));
    let found = read_zip(&[
        ("export/DOCUMENT-ana@example.org/news.json", marked.as_bytes()),
        ("export/DOCUMENT-ben/news.json", empty.as_bytes()),
        ("export/REVIEW/news.json", marked.as_bytes()),
        ("export/ROOT/news.txt", b"EU rejects"),
    ]);
    assert_eq!((found.layout, &*found.problems), (Layout::Datasaur, &[][..]));
    let work = vec![("ana@example.org".to_owned(), 1), ("ben".to_owned(), 0)];
    assert_eq!(outline(&found.documents), [("news".to_owned(), 1, work)]);
}

#[test]
fn folders_of_inception_hold_xmi_too() {
    let xmi = |value: &str| {
        format!(
            "<xmi:XMI xmlns:xmi=\"http://www.omg.org/XMI\" xmlns:cas=\"c\" xmlns:n=\"n\">\
             <n:NamedEntity xmi:id=\"2\" sofa=\"1\" begin=\"0\" end=\"2\" value=\"{value}\"/>\
             <cas:Sofa xmi:id=\"1\" sofaID=\"_InitialView\" sofaString=\"EU rejects\"/></xmi:XMI>"
        )
    };
    let (ana, ben) = (xmi("ORG"), xmi("GPE"));
    let found = read_zip(&[
        ("annotation/news.txt/ana.xmi", ana.as_bytes()),
        ("annotation/news.txt/ben.xmi", ben.as_bytes()),
        ("curation/news.txt/CURATION_USER.xmi", ana.as_bytes()),
    ]);
    assert_eq!((found.layout, &*found.problems), (Layout::Inception, &[][..]));
    let work = vec![("ana".to_owned(), 1), ("ben".to_owned(), 1)];
    assert_eq!(outline(&found.documents), [("news.txt".to_owned(), 1, work)]);
}
