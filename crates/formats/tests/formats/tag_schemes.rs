//! CoNLL-2003 in every scheme of tags: told apart, stated, and held to.

use formats::{ImportFormat, Note, TagScheme, read};

use crate::support::quotes;

type Pairs = Vec<(String, String)>;

/// The spans of a file of one document, the scheme that was stated and the line that told it.
fn spans(file: &str) -> (Pairs, Option<(TagScheme, Option<usize>)>) {
    let mut documents = read(ImportFormat::Conll, "a.conll", file.as_bytes());
    let document = documents.next().unwrap().unwrap();
    assert!(documents.next().is_none());
    let notes = documents.notes();
    assert!(notes.len() <= 1, "{notes:?}");
    let scheme = notes.first().map(|note| match note.note {
        Note::TagScheme(scheme) => (scheme, note.line),
        ref other => panic!("{other}"),
    });
    let owned = |(quote, label): (String, &str)| (quote, label.to_owned());
    (quotes(&document).into_iter().map(owned).collect(), scheme)
}

fn problems(file: &str) -> Vec<String> {
    let outcomes = read(ImportFormat::Conll, "a.conll", file.as_bytes());
    outcomes.filter_map(Result::err).map(|error| error.to_string()).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Pairs {
    expected.iter().map(|(quote, label)| ((*quote).to_owned(), (*label).to_owned())).collect()
}

/// The beginning of the shared task's own training file, in its own scheme.
const SHARED_TASK: &str = "-DOCSTART- -X- -X- O\n\n\
    EU NNP I-NP I-ORG\nrejects VBZ I-VP O\nGerman JJ I-NP I-MISC\ncall NN I-NP O\n\
    to TO I-VP O\nboycott VB I-VP O\nBritish JJ I-NP I-MISC\nlamb NN I-NP O\n. . O O\n\n\
    Peter NNP I-NP I-PER\nBlackburn NNP I-NP I-PER\n\n";

#[test]
fn the_shared_task_is_iob1() {
    let expected =
        [("EU", "ORG"), ("German", "MISC"), ("British", "MISC"), ("Peter Blackburn", "PER")];
    assert_eq!(spans(SHARED_TASK), (pairs(&expected), Some((TagScheme::Iob1, Some(3)))));
}

#[test]
fn in_iob1_a_begin_tag_parts_neighbours_and_another_label_opens() {
    let file = "Bonn I-LOC\nRome B-LOC\nItaly I-LOC\nEU I-ORG\n";
    let expected = [("Bonn", "LOC"), ("Rome Italy", "LOC"), ("EU", "ORG")];
    assert_eq!(spans(file), (pairs(&expected), Some((TagScheme::Iob1, Some(1)))));
}

#[test]
fn the_same_spans_are_read_from_every_scheme() {
    let expected = pairs(&[("A b c", "X"), ("D", "X"), ("E", "Y"), ("F g", "Y")]);
    let file = |tags: &str| {
        let tokens = ["A", "b", "c", "D", "E", "o", "F", "g"];
        let line = |(token, tag): (&&str, &str)| format!("{token} {tag}\n");
        tokens.iter().zip(tags.split(' ')).map(line).collect::<String>()
    };
    for (tags, scheme, line) in [
        ("I-X I-X I-X B-X I-Y O I-Y I-Y", TagScheme::Iob1, 1),
        ("B-X I-X I-X B-X B-Y O B-Y I-Y", TagScheme::Iob2, 1),
        ("B-X I-X E-X S-X S-Y O B-Y E-Y", TagScheme::Bioes, 3),
        ("B-X I-X L-X U-X U-Y O B-Y L-Y", TagScheme::Bilou, 3),
    ] {
        assert_eq!(spans(&file(tags)), (expected.clone(), Some((scheme, Some(line)))), "{tags}");
    }
}

#[test]
fn a_file_without_spans_states_no_scheme() {
    assert_eq!(spans("a O\nb O\n"), (Vec::new(), None));
}

#[test]
fn a_tag_of_another_scheme_names_both_lines() {
    let other = |line: usize, tag: &str, scheme: &str, first: usize| {
        format!(
            "a.conll, line {line}, field tag: {tag} cannot stand here in {scheme}, the scheme of \
             the file's first span (line {first}); expected one scheme in a file"
        )
    };
    assert_eq!(problems("a I-X\nb O\nc B-X\n"), [other(3, "B-X", "IOB1", 1)]);
    assert_eq!(problems("a B-X\nb O\nc S-X\n"), [other(3, "S-X", "IOB2", 1)]);
    assert_eq!(problems("a S-X\nb U-X\n"), [other(2, "U-X", "BIOES", 1)]);
    assert_eq!(problems("a B-X\nb L-X\nc B-X\nd E-X\n"), [other(4, "E-X", "BILOU", 2)]);
    assert_eq!(problems("a I-X\nb E-X\n"), [other(2, "E-X", "IOB1", 1)]);
}

#[test]
fn a_scheme_that_marks_ends_asks_for_them() {
    let unfinished = |line: usize, first: usize| {
        format!(
            "a.conll, line {line}, field tag: the span X that begins on line {first} is not \
             ended, which BIOES asks for"
        )
    };
    assert_eq!(problems("a S-X\nb B-X\nc O\nd O\n"), [unfinished(3, 2)]);
    assert_eq!(problems("a S-X\nb B-X\nc I-X\n\nd O\n"), [unfinished(3, 2)]);
    assert_eq!(problems("a S-X\nb B-X\nc I-X\n"), [unfinished(3, 2)]);
    assert_eq!(problems("a S-X\nb B-X\nc S-X\n"), [unfinished(3, 2)]);
    assert_eq!(
        problems("a S-X\nb O\nc E-X\n"),
        ["a.conll, line 3, field tag: E-X ends nothing: the token before it in the sentence is \
          not of the same span"]
    );
    assert_eq!(
        problems("a S-X\nb I-X\n"),
        ["a.conll, line 2, field tag: I-X continues nothing: the token before it in the sentence \
          is not X; expected B-X to open a span"]
    );
}

#[test]
fn a_slip_in_iob2_is_no_other_scheme() {
    assert_eq!(
        problems("a B-X\nb O\nc I-X\nd I-X\n-DOCSTART- O\ne B-X\n"),
        ["a.conll, line 3, field tag: I-X continues nothing: the token before it in the sentence \
          is not X; expected B-X to open a span"]
    );
}
