//! Importing well-formed files, and telling what is wrong with others.

use std::collections::BTreeSet;

use formats::{IdRegistry, ImportFormat, ImportedDocument, check_labels};

use crate::support::{quotes, read_all};

fn owned(quotes: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
    quotes.iter().map(|(quote, label)| ((*quote).to_owned(), *label)).collect()
}

#[test]
fn json_lines_with_mark_crlf_and_blank_lines_are_read() {
    let (documents, problems) = read_all("news.jsonl", include_bytes!("../golden/news.jsonl"));
    assert_eq!(problems, Vec::<String>::new());
    let heads: Vec<_> = documents
        .iter()
        .map(|document| (document.id.as_deref(), document.name.as_str(), document.line))
        .collect();
    assert_eq!(heads, [(Some("7"), "7", 1), (Some("p-1"), "party", 3), (None, "news-4", 4)]);
    assert_eq!(quotes(&documents[0]), owned(&[("EU", "ORG"), ("Danish", "MISC")]));
    assert_eq!(quotes(&documents[1]), owned(&[("This", "WORD"), ("🥳", "EMOJI")]));
    assert_eq!(
        documents[2].text,
        "שלום עולם\r\n\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} e\u{301}te\u{301}"
    );
}

#[test]
fn json_lines_problems_name_line_and_field() {
    let (documents, problems) =
        read_all("problems.jsonl", include_bytes!("../golden/problems.jsonl"));
    let expected = include_str!("../golden/problems.jsonl.expected");
    assert_eq!(problems.join("\n") + "\n", expected);
    let texts: Vec<_> = documents.iter().map(|document| document.text.as_str()).collect();
    assert_eq!(texts, ["abc", "fine"], "lines without a problem are read all the same");
}

#[test]
fn conll_documents_sentences_and_spans_are_read() {
    let (documents, problems) = read_all("eng.conll", include_bytes!("../golden/eng.conll"));
    assert_eq!(problems, Vec::<String>::new());
    let heads: Vec<_> =
        documents.iter().map(|document| (document.name.as_str(), document.line)).collect();
    assert_eq!(heads, [("eng-1", 2), ("eng-2", 13)]);
    assert_eq!(documents[0].text, "EU rejects Danish kite\n# Mirja Lindqvist");
    assert_eq!(
        quotes(&documents[0]),
        owned(&[("EU", "ORG"), ("Danish", "MISC"), ("Mirja Lindqvist", "PER")])
    );
    assert_eq!(quotes(&documents[1]), owned(&[("BRUSSELS", "LOC"), ("LONDON", "LOC")]));
    assert_eq!(documents[0].spans[2].line, 10);
}

#[test]
fn conll_without_document_starts_is_one_document() {
    let bytes = include_bytes!("../golden/two_columns.iob2");
    let (documents, problems) = read_all("folder/two_columns.iob2", bytes);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(documents.len(), 1);
    assert_eq!((documents[0].name.as_str(), documents[0].line), ("two_columns", 1));
    assert_eq!(documents[0].text, "EU 🥳\nשלום עולם");
    assert_eq!(quotes(&documents[0]), owned(&[("EU", "ORG"), ("שלום עולם", "MISC")]));
}

#[test]
fn conll_problems_name_the_line_and_spoil_their_document_only() {
    let (documents, problems) =
        read_all("problems.conll", include_bytes!("../golden/problems.conll"));
    let expected = include_str!("../golden/problems.conll.expected");
    assert_eq!(problems.join("\n") + "\n", expected);
    let names: Vec<_> = documents.iter().map(|document| document.name.as_str()).collect();
    assert_eq!(names, ["problems-3", "problems-4"]);
}

#[test]
fn plain_text_is_kept_as_it_came_but_for_a_byte_order_mark() {
    let (documents, problems) = read_all("a/b\\notes.v2.TXT", b"\xEF\xBB\xBF a\r\n\tb\n\n");
    assert_eq!(problems, Vec::<String>::new());
    let expected = ImportedDocument {
        id: None,
        name: "notes.v2".to_owned(),
        text: " a\r\n\tb\n\n".to_owned(),
        spans: Vec::new(),
        answers: Vec::new(),
        work: Vec::new(),
        judged: false,
        line: 1,
    };
    assert_eq!(documents, [expected]);
}

#[test]
fn format_is_told_by_the_extension_in_either_case() {
    let told = |name| ImportFormat::from_file_name(name).map(ImportFormat::name);
    assert_eq!(told("a.TXT"), Some("plain text"));
    assert_eq!(told("a.b.jsonl"), Some("JSON Lines"));
    assert_eq!(told("a.ndjson"), Some("JSON Lines"));
    for name in ["a.conll", "a.iob", "a.iob2", "a.bio"] {
        assert_eq!(told(name), Some("CoNLL-2003"));
    }
    assert_eq!(told("a.conllu"), Some("CoNLL-U"));
    assert_eq!(told("a.ann"), Some("brat"));
    for name in ["a.csv", "a.tsv", "a.json", "jsonl", "txt", ""] {
        assert_eq!(told(name), None, "{name}");
    }
}

#[test]
fn what_the_beginning_says_counts_more_than_the_name() {
    let told = |name, beginning: &str| ImportFormat::detect(name, beginning.as_bytes());
    assert_eq!(told("a.tsv", "\u{FEFF}#FORMAT=WebAnno TSV 3.3\n"), Some(ImportFormat::WebAnnoTsv));
    assert_eq!(told("a.txt", "#FORMAT=WebAnno TSV 3.3\n"), Some(ImportFormat::WebAnnoTsv));
    assert_eq!(told("a", "#FORMAT=WebAnno TSV 3.3\n"), Some(ImportFormat::WebAnnoTsv));
    assert_eq!(told("a.tsv", "document\tstart\n"), Some(ImportFormat::SpanTsv));
    assert_eq!(told("a.conll", "# text = EU\n1\tEU"), Some(ImportFormat::Conllu));
    let ten = "1\tEU\t_\t_\t_\t_\t_\t_\t_\tNER=B-ORG\n";
    assert_eq!(told("a.conll", ten), Some(ImportFormat::Conllu));
    assert_eq!(told("a.conll", "EU NNP B-NP B-ORG\n"), Some(ImportFormat::Conll));
    assert_eq!(told("a.conll", "\u{FFFD}"), Some(ImportFormat::Conll));
    assert_eq!(told("a.txt", ten), Some(ImportFormat::Conllu));
    assert_eq!(
        told("a.txt", "{\"text\": \"EU\", \"answer\": \"accept\"}"),
        Some(ImportFormat::PlainText)
    );
    assert_eq!(told("a.CSV", "document,start\n"), Some(ImportFormat::SpanCsv));
    assert_eq!(told("a.json", "{}"), None);
    assert_eq!(ImportFormat::detect("a.txt", b"\xFF\xFE"), Some(ImportFormat::PlainText));
}

#[test]
fn unknown_labels_are_told_once_a_document_with_what_is_known() {
    let line = br#"{"text": "abc", "spans": [{"start": 0, "end": 1, "label": "ORG"},
        {"start": 0, "end": 2, "label": "PERS"}, {"start": 1, "end": 2, "label": "PERS"}]}"#;
    let line: Vec<u8> = line.iter().copied().filter(|byte| *byte != b'\n').collect();
    let (documents, _) = read_all("a.jsonl", &line);
    let told = |known: &[&str]| -> Vec<String> {
        let known: BTreeSet<String> = known.iter().map(|label| (*label).to_owned()).collect();
        check_labels(&documents[0].spans, &known, "a.jsonl")
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(
        told(&["PER", "ORG"]),
        ["a.jsonl, line 1, field spans[1].label: \
          the label \"PERS\" is not one of the project's: ORG, PER"]
    );
    assert_eq!(told(&["PERS", "ORG"]), Vec::<String>::new());
    assert_eq!(told(&[]).len(), 2);
}

#[test]
fn an_id_is_taken_over_all_files_of_an_import() {
    let mut ids = IdRegistry::new();
    let (first, _) = read_all("a.jsonl", b"{\"text\": \"a\"}\n{\"text\": \"a\", \"id\": 7}");
    let (second, _) = read_all("b.jsonl", b"{\"text\": \"b\"}\n\n{\"text\": \"b\", \"id\": \"7\"}");
    let mut register = |document: &ImportedDocument, file| {
        document.id.as_deref().map_or(Ok(()), |id| ids.register(id, file, document.line))
    };
    for document in &first {
        assert_eq!(register(document, "a.jsonl"), Ok(()));
    }
    assert_eq!(
        register(&second[1], "b.jsonl").unwrap_err().to_string(),
        "b.jsonl, line 3, field id: the id \"7\" is already used in a.jsonl, line 2; expected each id once"
    );
}
