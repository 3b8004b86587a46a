//! CoNLL-2003 in every scheme of tags: told apart, stated, and read as evaluators read them.

use formats::{ImportFormat, Note, Repair, TagScheme, read};

use crate::support::quotes;

type Pairs = Vec<(String, String)>;

/// The spans of a file of one document, the scheme that was stated and the line that told it, and
/// what was repaired: how often, and where first.
type Opened = (Pairs, Option<(TagScheme, usize)>, Vec<(Repair, usize, usize)>);

fn open(file: &str) -> Opened {
    let mut documents = read(ImportFormat::Conll, "a.conll", file.as_bytes());
    let document = documents.next().unwrap().unwrap();
    assert!(documents.next().is_none());
    let (mut scheme, mut repairs) = (None, Vec::new());
    for note in documents.notes() {
        let line = note.line.unwrap();
        match note.note {
            Note::TagScheme(told) => scheme = Some((told, line)),
            Note::Repaired(repair) => repairs.push((repair, note.count, line)),
            other => panic!("{other}"),
        }
    }
    let owned = |(quote, label): (String, &str)| (quote, label.to_owned());
    (quotes(&document).into_iter().map(owned).collect(), scheme, repairs)
}

fn pairs(expected: &[(&str, &str)]) -> Pairs {
    expected.iter().map(|(quote, label)| ((*quote).to_owned(), (*label).to_owned())).collect()
}

/// A line for each tag, whose tokens are the letters.
fn tagged(tags: &str) -> String {
    let line = |(letter, tag): (char, &str)| format!("{letter} {tag}\n");
    ('a'..).zip(tags.split(' ')).map(line).collect()
}

/// A beginning as that of the shared task's training file, in its scheme.
const SHARED_TASK: &str = "-DOCSTART- -X- -X- O\n\n\
    EU NNP I-NP I-ORG\nrejects VBZ I-VP O\nDanish JJ I-NP I-MISC\nkite NN I-NP O\n\
    to TO I-VP O\nmaybe VB I-VP O\nFinnish JJ I-NP I-MISC\nsled NN I-NP O\n. . O O\n\n\
    Mirja NNP I-NP I-PER\nLindqvist NNP I-NP I-PER\n\n";

#[test]
fn the_shared_task_is_iob1_and_its_chunks_are_not_read() {
    let mut documents = read(ImportFormat::Conll, "a.conll", SHARED_TASK.as_bytes());
    let document = documents.next().unwrap().unwrap();
    let expected =
        [("EU", "ORG"), ("Danish", "MISC"), ("Finnish", "MISC"), ("Mirja Lindqvist", "PER")];
    let owned = |(quote, label): (String, &str)| (quote, label.to_owned());
    let found: Pairs = quotes(&document).into_iter().map(owned).collect();
    assert_eq!(found, pairs(&expected));
    assert!(documents.next().is_none());
    let notes: Vec<_> = documents.notes().iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "a.conll, line 3: spans are read from column 4",
            "a.conll, line 3: ignored: tags of column 3, 10 times",
            "a.conll, line 3: the tags are IOB1",
        ]
    );
}

#[test]
fn in_iob1_a_begin_tag_parts_neighbours_and_another_label_opens() {
    let file = "Bonn I-LOC\nRome B-LOC\nItaly I-LOC\nEU I-ORG\n";
    let expected = [("Bonn", "LOC"), ("Rome Italy", "LOC"), ("EU", "ORG")];
    assert_eq!(open(file), (pairs(&expected), Some((TagScheme::Iob1, 1)), vec![]));
}

#[test]
fn the_same_spans_are_read_from_every_scheme() {
    let expected = pairs(&[("a b c", "X"), ("d", "X"), ("e", "Y"), ("g h", "Y")]);
    for (tags, scheme, line) in [
        ("I-X I-X I-X B-X I-Y O I-Y I-Y", TagScheme::Iob1, 1),
        ("B-X I-X I-X B-X B-Y O B-Y I-Y", TagScheme::Iob2, 1),
        ("B-X I-X E-X S-X S-Y O B-Y E-Y", TagScheme::Bioes, 3),
        ("B-X M-X E-X S-X S-Y O B-Y E-Y", TagScheme::Bioes, 3),
        ("B-X I-X L-X U-X U-Y O B-Y L-Y", TagScheme::Bilou, 3),
    ] {
        assert_eq!(open(&tagged(tags)), (expected.clone(), Some((scheme, line)), vec![]), "{tags}");
    }
}

#[test]
fn a_file_without_spans_states_no_scheme() {
    assert_eq!(open("a O\nb O\n"), (vec![], None, vec![]));
}

#[test]
fn a_tag_inside_of_nothing_opens_a_span_also_as_the_first_of_a_file() {
    let (orphan, iob2) = (Repair::OrphanTag, TagScheme::Iob2);
    let found = open(&tagged("B-X O I-X I-X O B-X I-Y"));
    let expected = pairs(&[("a", "X"), ("c d", "X"), ("f", "X"), ("g", "Y")]);
    assert_eq!(found, (expected, Some((iob2, 1)), vec![(orphan, 2, 3)]));
    let found = open(&tagged("I-X O B-X"));
    assert_eq!(found, (pairs(&[("a", "X"), ("c", "X")]), Some((iob2, 3)), vec![(orphan, 1, 1)]));
    let found = open(&tagged("I-X E-X"));
    assert_eq!(found, (pairs(&[("a b", "X")]), Some((TagScheme::Bioes, 2)), vec![(orphan, 1, 1)]));
    let found = open(&tagged("S-X O E-X I-X"));
    let expected = pairs(&[("a", "X"), ("c", "X"), ("d", "X")]);
    let (unended, bioes) = (Repair::UnendedTag, TagScheme::Bioes);
    assert_eq!(found, (expected, Some((bioes, 1)), vec![(orphan, 2, 3), (unended, 1, 4)]));
}

#[test]
fn tags_of_several_schemes_are_read_and_counted() {
    let mixed = Repair::MixedTags;
    for (tags, scheme, spans, line) in [
        ("B-X O S-X", TagScheme::Iob2, vec![("a", "X"), ("c", "X")], 3),
        ("S-X U-X", TagScheme::Bioes, vec![("a", "X"), ("b", "X")], 2),
        ("B-X L-X B-X E-X", TagScheme::Bilou, vec![("a b", "X"), ("c d", "X")], 4),
    ] {
        let (found, told, repairs) = open(&tagged(tags));
        assert_eq!((found, repairs), (pairs(&spans), vec![(mixed, 1, line)]), "{tags}");
        assert_eq!(told.unwrap().0, scheme);
    }
}

#[test]
fn a_span_without_its_end_ends_where_it_stops() {
    let unended = |tags: &str| {
        let (spans, _, repairs) = open(tags);
        assert_eq!(repairs, [(Repair::UnendedTag, 1, 2)], "{tags}");
        spans
    };
    assert_eq!(unended("a S-X\nb B-X\nc O\nd O\n"), pairs(&[("a", "X"), ("b", "X")]));
    assert_eq!(unended("a S-X\nb B-X\nc I-X\n\nd O\n"), pairs(&[("a", "X"), ("b c", "X")]));
    assert_eq!(unended("a S-X\nb B-X\nc I-X\n"), pairs(&[("a", "X"), ("b c", "X")]));
    assert_eq!(unended("a S-X\nb B-X\nc S-X\n"), pairs(&[("a", "X"), ("b", "X"), ("c", "X")]));
}

#[test]
fn who_reads_strictly_is_told_each_kind_once_with_its_first_place() {
    let file = tagged("B-X O I-X O I-X");
    let mut documents = read(ImportFormat::Conll, "a.conll", file.as_bytes());
    assert_eq!(documents.by_ref().flatten().count(), 1);
    let refusals: Vec<_> =
        documents.notes().iter().filter_map(|note| Some(note.refusal()?.to_string())).collect();
    assert_eq!(
        refusals,
        ["a.conll, line 3: tags inside of a span that nothing opens, read as its beginning: 2; \
          mend the file, or do not read it strictly"]
    );
}
