//! Tables of tokens with tags as corpora have them: which columns are read, and that the content
//! tells them from texts whatever the file is called.

use formats::{ImportFormat, ReadOptions, read_from};

use crate::support::quotes;

type Pairs = Vec<(String, String)>;

/// The text, the spans and the notes of a file of one document.
fn open(file: &str, layers: &[&str]) -> (String, Pairs, Vec<String>) {
    for name in ["a.txt", "a.tsv", "a", "a.dat"] {
        let told = ImportFormat::detect(name, file.as_bytes());
        assert_eq!(told, Some(ImportFormat::Conll), "{name}: {file}");
    }
    let layers = layers.iter().map(|layer| (*layer).to_owned()).collect();
    let options = ReadOptions { layers, ..ReadOptions::default() };
    let mut documents = read_from(ImportFormat::Conll, "a", file.as_bytes(), &options);
    let document = documents.next().unwrap().unwrap();
    assert!(documents.next().is_none());
    let owned = |(quote, label): (String, &str)| (quote, label.to_owned());
    let spans = quotes(&document).into_iter().map(owned).collect();
    (document.text, spans, documents.notes().iter().map(ToString::to_string).collect())
}

fn pairs(expected: &[(&str, &str)]) -> Pairs {
    expected.iter().map(|(quote, label)| ((*quote).to_owned(), (*label).to_owned())).collect()
}

#[test]
fn two_columns_may_be_parted_by_tabs_with_spaces_in_tokens() {
    let (text, spans, notes) = open("New York\tB-LOC\nrocks\tO\n\nBonn\tB-LOC\n", &[]);
    assert_eq!(text, "New York rocks\nBonn");
    assert_eq!(spans, pairs(&[("New York", "LOC"), ("Bonn", "LOC")]));
    assert_eq!(notes, ["a, line 1: the tags are IOB2"]);
}

#[test]
fn numbers_of_tokens_are_no_tokens_and_outer_spans_come_before_inner_ones() {
    let file = "#\tn-tv.de vom 26.02.2005 [2005-02-26]\n1\t1951\tO\tO\n2\tTU\tB-ORG\tO\n\
        3\tBerlin\tI-ORG\tB-LOC\n\n#\tanother\n1\tEU\tB-ORG\tO\n";
    let (text, spans, notes) = open(file, &[]);
    assert_eq!(text, "1951 TU Berlin\nEU");
    assert_eq!(spans, pairs(&[("TU Berlin", "ORG"), ("EU", "ORG")]));
    assert_eq!(
        notes,
        [
            "a, line 2: spans are read from column 3",
            "a, line 2: ignored: tags of column 4",
            "a, line 3: the tags are IOB2",
        ]
    );
    assert_eq!(open(file, &["4"]).1, pairs(&[("Berlin", "LOC")]));
}

#[test]
fn a_head_names_the_columns_and_comments_name_the_document() {
    let file = "TOKEN\tNE-COARSE\tNE-FINE\tMISC\n# hipe2022:document_id = NZZ-1798\n\
        Die\tO\tO\t_\nNZZ\tB-org\tB-org.press\tNoSpaceAfter\n.\tO\tO\t_\n";
    let (text, spans, notes) = open(file, &[]);
    assert_eq!((text.as_str(), spans), ("Die NZZ .", pairs(&[("NZZ", "org")])));
    assert_eq!(notes[0], "a, line 3: spans are read from the column NE-COARSE");
    assert_eq!(open(file, &["ne-fine"]).1, pairs(&[("NZZ", "org.press")]));
}

#[test]
fn ragged_lines_and_tokens_without_a_tag_are_read_and_counted() {
    let (text, spans, notes) =
        open("a x B-X\nb x O\nc I-X\nd\ne x B-X\nf x O\ng x O\nh x O\ni x O\nj x O\n", &[]);
    assert_eq!(text, "a b c d e f g h i j");
    assert_eq!(spans, pairs(&[("a", "X"), ("c", "X"), ("e", "X")]));
    assert_eq!(
        notes[1..],
        [
            "a, line 3: tags inside of a span that nothing opens, read as its beginning: 1",
            "a, line 3: lines with another number of columns than the first: 1",
            "a, line 4: tokens without a tag, read as outside of spans: 1",
        ]
    );
}

#[test]
fn webanno_tsv_1_and_2_have_their_texts_and_stacked_tags() {
    let old = "#id=1\n#text=Ms. Lind plays.\n1\tMs.\t_\tNNP\tB-PER|B-TITLE\t_\t_\n\
        2\tLind\t_\tNNP\tI-PER|O\t_\t_\n3\tplays\t_\tVBZ\tO\t_\t_\n4\t.\t_\t.\tO\t_\t_\n\n\
        #id=2\n#text=EU\n1\tEU\t_\tNNP\tB-ORG\t_\t_\n";
    let (text, spans, _) = open(old, &[]);
    assert_eq!(text, "Ms. Lind plays.\nEU");
    assert_eq!(spans, pairs(&[("Ms. Lind", "PER"), ("Ms.", "TITLE"), ("EU", "ORG")]));
    let new = " # de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS | PosValue # \
        de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity | value\n#id=1\n#text=Ms. Lind.\n\
        1-1\tMs.\tNNP\tB-PER\t\n1-2\tLind\tNNP\tI-PER\t\n1-3\t.\t.\tO\t\n\n";
    let (text, spans, _) = open(new, &[]);
    assert_eq!((text.as_str(), spans), ("Ms. Lind.", pairs(&[("Ms. Lind", "PER")])));
}

#[test]
fn a_text_that_only_looks_a_little_like_a_table_is_one_and_says_so() {
    let prose = "EU B-ORG\nrejects O\ncalls O\nand then the whole story begins\nwith more words \
        than two\nagain and again\n";
    assert_eq!(ImportFormat::detect("a.txt", prose.as_bytes()), Some(ImportFormat::PlainText));
    let format = ImportFormat::PlainText;
    let mut documents = read_from(format, "a.txt", prose.as_bytes(), &ReadOptions::default());
    assert!(!documents.next().unwrap().unwrap().judged);
    assert!(documents.notes()[0].to_string().contains("look like tokens with tags"));
    let plain = "The O is a letter\nB-12 is a vitamin\n";
    let mut documents = read_from(format, "a.txt", plain.as_bytes(), &ReadOptions::default());
    assert!(documents.next().unwrap().is_ok());
    assert_eq!(documents.notes(), []);
}

#[test]
fn a_column_whose_tags_begin_late_is_found() {
    let mut file = "word\t_\tnoun\n".repeat(1_500);
    file.push_str("Ulva\tB-LOC\tnoun\n");
    let document =
        formats::read(ImportFormat::Conll, "a.tsv", file.as_bytes()).next().unwrap().unwrap();
    assert_eq!(quotes(&document), [("Ulva".to_owned(), "LOC")]);
}
