//! CoNLL-U: texts, words that are no tokens of the text, and where spans stand.

use formats::{ImportFormat, ReadOptions, read, read_from};

use crate::support::quotes;

/// Rows of ten columns from an id, a form and `MISC`.
fn rows(rows: &str) -> String {
    let row = |row: &str| {
        if row.is_empty() || row.starts_with('#') {
            return format!("{row}\n");
        }
        let mut cells = row.split(' ');
        let mut cell = || cells.next().unwrap_or("_").replace('~', " ");
        let (id, form, misc) = (cell(), cell(), cell());
        format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n")
    };
    rows.lines().map(row).collect()
}

struct Found {
    text: String,
    spans: Vec<(String, String)>,
    notes: Vec<String>,
}

fn sound(file: &str) -> Found {
    let mut documents = read(ImportFormat::Conllu, "a.conllu", file.as_bytes());
    let document = documents.next().unwrap().unwrap();
    assert!(documents.next().is_none());
    let spans = quotes(&document).into_iter();
    let spans = spans.map(|(quote, label)| (quote, label.to_owned())).collect();
    let notes = documents.notes().iter().map(ToString::to_string).collect();
    Found { text: document.text, spans, notes }
}

fn problems(file: &str) -> Vec<String> {
    let outcomes = read(ImportFormat::Conllu, "a.conllu", file.as_bytes());
    outcomes.map(|outcome| outcome.unwrap_err().to_string()).collect()
}

fn owned(spans: &[(&str, &str)]) -> Vec<(String, String)> {
    spans.iter().map(|(quote, label)| ((*quote).to_owned(), (*label).to_owned())).collect()
}

#[test]
fn tokens_of_several_words_and_empty_nodes_are_placed_in_the_text() {
    let file = rows(
        "# sent_id = 1\n# text = Vámonos al mar, Ana\n\
         1-2 Vámonos\n1 Vamos\n2 nos\n3-4 al\n3 a\n4 el ner=B-LOC\n5 mar ner=I-LOC|SpaceAfter=No\n\
         6 ,\n6.1 que ner=B-X\n7 Ana ner=B-PER\n\n# text = 🥳  end\n1 🥳 SpacesAfter=\\s\\s\n2 end\n",
    );
    let found = sound(&file);
    assert_eq!(found.text, "Vámonos al mar, Ana\n🥳  end");
    assert_eq!(found.spans, owned(&[("al mar", "LOC"), ("Ana", "PER")]));
    assert_eq!(
        found.notes,
        [
            "a.conllu: spans are read from the key ner of MISC",
            "a.conllu, line 8: the tags are IOB2",
            "a.conllu: ignored: tags of empty nodes",
        ]
    );
}

#[test]
fn the_tag_of_a_token_of_several_words_counts_instead_of_theirs() {
    let file = rows("1-2 du NER=S-A\n1 de NER=B-B\n2 le\n3-4 au\n3 à NER=S-C\n4 le NER=S-D\n");
    let found = sound(&file);
    assert_eq!(found.text, "du au");
    assert_eq!(found.spans, owned(&[("du", "A"), ("au", "C"), ("au", "D")]));
}

#[test]
fn columns_are_found_by_name_in_conllu_plus() {
    let file = "# global.columns = ID FORM X:NER MISC\n# newdoc id = d1\n\
        1\tEU\tI-ORG\t_\n2\trejects\t*\tSpaceAfter=No\n3\t.\t_\tNER=B-NOT\n\n# newdoc\n1\ta\tI-X\t_\n";
    let mut documents = read(ImportFormat::Conllu, "a.conllup", file.as_bytes());
    let first = documents.next().unwrap().unwrap();
    let second = documents.next().unwrap().unwrap();
    assert!(documents.next().is_none());
    assert_eq!((first.id.as_deref(), first.name.as_str()), (Some("d1"), "d1"));
    assert_eq!((second.id.as_deref(), second.name.as_str(), second.line), (None, "a-2", 7));
    assert_eq!(first.text, "EU rejects.");
    assert_eq!(quotes(&first), [("EU".to_owned(), "ORG")]);
    let notes: Vec<_> = documents.notes().iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        ["a.conllup: spans are read from the column X:NER", "a.conllup, line 3: the tags are IOB1"]
    );
}

#[test]
fn a_text_that_has_other_tokens_is_made_of_these() {
    for (file, text) in [
        ("# text = EU rejects\n1 EU\n2 accepts\n", "EU accepts"),
        ("# text = EU.\n1 EU\n2 .\n", "EU ."),
        ("# text = EU .\n1 EU SpaceAfter=No\n2 .\n", "EU."),
        ("# text = EU rejects\n1 EU\n", "EU"),
    ] {
        let found = sound(&rows(file));
        assert_eq!(found.text, text);
        assert_eq!(found.notes.len(), 1);
        assert!(found.notes[0].contains("sentences whose # text = differs"), "{:?}", found.notes);
    }
    assert_eq!(
        problems(&rows("# text = EU\n\n1 EU\n")),
        ["a.conllu, line 1: the sentence has a text, but no tokens"]
    );
}

#[test]
fn a_key_of_misc_by_any_name_holds_tags_and_others_are_told() {
    let file = rows(
        "1 EU Gloss=E-mail|name=B-ORG|type=I-ORG\n2 rejects name=O|type=O\n3 Bonn name=B-LOC\n",
    );
    let found = sound(&file);
    assert_eq!(found.spans, owned(&[("EU", "ORG"), ("Bonn", "LOC")]));
    assert_eq!(
        found.notes,
        [
            "a.conllu: spans are read from the key name of MISC",
            "a.conllu, line 1: the tags are IOB2",
            "a.conllu: ignored: tags of the key type of MISC",
        ]
    );
    let options = ReadOptions { layers: vec!["type".to_owned()], ..ReadOptions::default() };
    let mut asked = read_from(ImportFormat::Conllu, "a.conllu", file.as_bytes(), &options);
    assert_eq!(quotes(&asked.next().unwrap().unwrap()), [("EU".to_owned(), "ORG")]);
}

#[test]
fn problems_name_the_line_and_spoil_their_document_only() {
    let file = rows(
        "# newdoc\n1 a NER=B-X\n2 b NER=x\n\n# newdoc\n1-x a\n1 \n2 c\n\n# newdoc\n1 a NER=I-X\n\
         # newdoc\n1 fine NER=B-X\n# newdoc\n1 a Entity=B-X\n2 b\tc\n",
    );
    let outcomes: Vec<_> = read(ImportFormat::Conllu, "a.conllu", file.as_bytes()).collect();
    let problems: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| outcome.as_ref().err())
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        problems,
        [
            "a.conllu, line 3, field tag: \"x\" is not a tag; expected O, B-LABEL or I-LABEL \
             (or E- and S- of BIOES, or L- and U- of BILOU)",
            "a.conllu, line 6, field ID: \"1-x\" is not an id; expected one such as 1, 1-2 or 1.1",
            "a.conllu, line 7, field FORM: the token has no form",
            "a.conllu, line 16: the line has 11 columns, expected 10, separated by tabs",
        ]
    );
    let texts: Vec<_> =
        outcomes.into_iter().filter_map(Result::ok).map(|document| document.text).collect();
    assert_eq!(texts, ["a", "fine"]);
}

#[test]
fn brackets_are_told_once_and_end_the_file() {
    let file = rows("1 Ana Entity=(e1-person)\n2 b Entity=(e2\n\n# newdoc\n1 c\n");
    assert_eq!(
        problems(&file),
        ["a.conllu, line 1, field MISC: \"(e1-person)\" marks spans by brackets, which are not \
          read; expected tags such as B-PER"]
    );
    assert_eq!(
        problems("# global.columns = ID NER\n1\tO\n"),
        ["a.conllu, line 1: # global.columns names no column FORM; expected one with the words"]
    );
}

#[test]
fn hostile_files_are_refused() {
    let long = "a".repeat(10_000_000);
    let told = problems(&rows(&format!("1 {long}\n2 b\n")));
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("a.conllu, line 1: the line is longer than 8 MiB"), "{told:?}");
    let token = format!("1\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n", "a".repeat(1 << 20));
    let told = problems(&token.repeat(9));
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("the document is longer than 8 MiB"), "{told:?}");
    let told = problems(&token.repeat(17));
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("a.conllu, line 16: the document is longer"), "{told:?}");
    assert_eq!(
        problems("# only\n"),
        ["a.conllu: the file is empty; expected at least one document"]
    );
    assert!(problems("1\ta\0\n")[0].starts_with("a.conllu, line 1: the text contains a NUL"));
}
