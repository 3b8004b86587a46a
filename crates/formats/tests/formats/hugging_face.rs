//! Tokens with tags as data sets of Hugging Face have them.

use formats::{ImportFormat, read};

use crate::other_tools::read_as;
use crate::support::quotes;

fn spans(line: &str) -> Vec<(String, String)> {
    let format = ImportFormat::detect("ana.jsonl", line.as_bytes());
    assert_eq!(format, Some(ImportFormat::HuggingFace), "{line}");
    let document =
        read(ImportFormat::HuggingFace, "ana.jsonl", line.as_bytes()).next().unwrap().unwrap();
    quotes(&document).into_iter().map(|(quote, label)| (quote, label.to_owned())).collect()
}

#[test]
fn tokens_with_tags_are_documents_with_spans() {
    for (line, expected) in [
        (
            r#"{"id":"0","text":"Mira came","tokens":["Mira","came"],"ner_tags":["B-PER","O"]}"#,
            vec![("Mira", "PER")],
        ),
        (
            r#"{"tokens":["Mira","Holt","came"],"ner_tags":["B-PER","I-PER","O"]}"#,
            vec![("Mira Holt", "PER")],
        ),
        (r#"{"tokens":["Mira","Nils"],"tags":["S-PER","S-PER"],"text":"Mira,  Nils"}"#, vec![]),
        (
            r#"{"tokens":["Mira","Nils"],"tags":["S-PER","U-PER"],"text":"Mira  Nils"}"#,
            vec![("Mira", "PER"), ("Nils", "PER")],
        ),
        (
            r#"{"tokens":["Mira","Holt","came"],"ner_tags":["PER","PER","O"]}"#,
            vec![("Mira Holt", "PER")],
        ),
        (r#"{"tokens":["Mira","came"],"ner_tags":["O","O"]}"#, vec![]),
    ] {
        if line.contains(",  ") {
            let (_, problems, _) = read_as(ImportFormat::HuggingFace, line);
            assert!(
                problems[0].contains("tokens[1]: the token \"Nils\" is not in the text"),
                "{problems:?}"
            );
            continue;
        }
        let expected: Vec<_> = expected
            .iter()
            .map(|(quote, label)| ((*quote).to_owned(), (*label).to_owned()))
            .collect();
        assert_eq!(spans(line), expected, "{line}");
    }
}

#[test]
fn numbers_have_the_names_of_the_features_or_are_refused() {
    let rows = r#"{"features": [{"name": "ner_tags", "type": {"feature": {"names": ["O", "B-PER", "I-PER"]}}}],
        "rows": [{"row": {"id": "7", "tokens": ["Mira", "Holt"], "ner_tags": [1, 2]}},
                 {"row": {"id": "8", "tokens": ["came"], "ner_tags": [0]}}]}"#;
    assert_eq!(spans(rows), [("Mira Holt".to_owned(), "PER".to_owned())]);
    assert_eq!(read_as(ImportFormat::HuggingFace, rows).0.len(), 2);
    for (line, expected) in [
        (r#"{"tokens":["Mira","came"],"ner_tags":[1,0]}"#, "numbers need their names"),
        (r#"{"tokens":["Mira","came"],"ner_tags":["B-PER"]}"#, "a tag for each token"),
        (r#"{"tokens":["Mira","came"],"tags":["NNP","VBD"]}"#, "numbers need their names"),
        (r#"{"tokens":["Mira","came"],"ner_tags":["B-PER","X"]}"#, "is not a tag"),
        (r#"{"tokens":["Mira","came"],"ner_tags":["B-\u0000","O"]}"#, "NUL"),
        (r#"{"tokens":["Mira","came"],"ner_tags":["\u00a0","O"]}"#, "is not a tag"),
    ] {
        let (documents, problems, _) = read_as(ImportFormat::HuggingFace, line);
        assert!(documents.is_empty() && problems[0].contains(expected), "{problems:?}");
    }
}
