//! Tables of tokens with tags as people have them: labels and tokens with blanks, comments, tags without
//! prefix or label, lines without a token.

use formats::{ImportFormat, ReadOptions, read_from};

use crate::support::quotes;

/// The text, the spans as `quote/LABEL` and the notes of a file, or its first problem.
type Read = Result<(String, Vec<String>, Vec<String>), String>;

fn read(file: &str, layers: &[&str]) -> Read {
    let layers = layers.iter().map(|layer| (*layer).to_owned()).collect();
    let options = ReadOptions { layers, ..ReadOptions::default() };
    let mut outcomes = read_from(ImportFormat::Conll, "a.conll", file.as_bytes(), &options);
    let document = outcomes.next().unwrap().map_err(|error| error.to_string())?;
    let spans =
        quotes(&document).into_iter().map(|(quote, label)| format!("{quote}/{label}")).collect();
    Ok((document.text.clone(), spans, outcomes.notes().iter().map(ToString::to_string).collect()))
}

/// Holds each file against its text and its spans, and a word of its notes.
fn hold(cases: &[(&str, &str, &[&str], &str)]) {
    for (file, text, spans, note) in cases {
        let (found, marked, notes) =
            read(file, &[]).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!((found.as_str(), marked.as_slice()), (*text, &spans.map_owned()[..]), "{file}");
        assert!(notes.iter().any(|it| it.contains(note)) || note.is_empty(), "{file}: {notes:?}");
    }
}

trait MapOwned {
    fn map_owned(&self) -> Vec<String>;
}

impl MapOwned for &[&str] {
    fn map_owned(&self) -> Vec<String> {
        self.iter().map(|it| (*it).to_owned()).collect()
    }
}

#[test]
fn labels_may_have_blanks() {
    hold(&[
        (
            "Un B-Titre 1\nchat I-Titre 1\nnoir O\nLe B-Titre 2\n",
            "Un chat noir Le",
            &["Un chat/Titre 1", "Le/Titre 2"],
            "",
        ),
        ("a -X- _ B-My label\nb -X- _ I-My label\nc -X- _ O\n", "a b c", &["a b/My label"], ""),
        (
            "a B-Titre 1\nb B-Titre 2\nc B-Titre 1\nd O\n",
            "a b c d",
            &["a/Titre 1", "b/Titre 2", "c/Titre 1"],
            "",
        ),
        ("a B-A 1 x\nb I-A 1 x\nc O\n", "a b c", &["a b/A 1 x"], ""),
        ("a\tB-Titre 1\nb\tO\n", "a b", &["a/Titre 1"], ""),
    ]);
}

#[test]
fn tokens_may_have_blanks() {
    hold(&[
        (
            "Mira S-PER\nare O\n5 000 O\n",
            "Mira are 5 000",
            &["Mira/PER"],
            "another number of columns",
        ),
        (
            "Mira NNP B-PER\nin IN O\nNew York NNP B-LOC\n. . O\n",
            "Mira in New York .",
            &["Mira/PER", "New York/LOC"],
            "another number of columns",
        ),
        ("a O\nb B-X\n1 2 3 B-X\n", "a b 1 2 3", &["b/X", "1 2 3/X"], "another number of columns"),
    ]);
    let refused = read("a O\nb B-X\nc d e\n", &[]).unwrap_err();
    assert!(refused.contains("line 3: the line has 3 columns"), "{refused}");
}

#[test]
fn comments_that_end_like_a_tag_are_no_tokens() {
    hold(&[
        (
            "Mira NNP I-NP B-PER\ncame VB I-VP O\n\n# doc B-12\nLund NNP I-NP B-LOC\n",
            "Mira came\nLund",
            &["Mira/PER", "Lund/LOC"],
            "",
        ),
        (
            "Mira B-PER\ncame O\n\n# text = Take the S-Bahn\nTake O\nthe O\nS-Bahn B-ORG\n",
            "Mira came\nTake the S-Bahn",
            &["Mira/PER", "S-Bahn/ORG"],
            "",
        ),
        (
            "Mira B-PER\ncame O\n\n# id 99 U-Bahn\nLund B-LOC\n",
            "Mira came\nLund",
            &["Mira/PER", "Lund/LOC"],
            "",
        ),
        (
            "Mira B-PER\n# O\n# B-TAG\n#x B-TAG\n",
            "Mira # # #x",
            &["Mira/PER", "#/TAG", "#x/TAG"],
            "",
        ),
    ]);
}

#[test]
fn tables_with_comments_of_conllu_are_told_by_their_columns() {
    let uner = "# sent_id = w-1\n# text = Mira saw Lund\n1\tMira\tB-PER\t-\tanna\n2\tsaw\tO\t-\tanna\n\
        3\tLund\tB-LOC\tO\tanna\n\n# sent_id = w-2\n# text = Take the S-Bahn\n1\tTake\tO\t-\tbo\n2\tthe\tO\t-\tbo\n\
        3\tS-Bahn\tB-ORG\t-\tbo\n";
    let two = "# newdoc id = d1\n# sent_id = 1\nMira B-PER\ncame O\n";
    let tabs = "# newdoc\n# text = Mira, came\nMira\tB-PER\n,\tO\ncame\tO\n";
    for (file, text, spans) in [
        (uner, "Mira saw Lund\nTake the S-Bahn", &["Mira/PER", "Lund/LOC", "S-Bahn/ORG"][..]),
        (two, "Mira came", &["Mira/PER"]),
        (tabs, "Mira, came", &["Mira/PER"]),
    ] {
        for name in ["a.iob2", "a.conll", "a.tsv"] {
            assert_eq!(
                ImportFormat::detect(name, file.as_bytes()),
                Some(ImportFormat::Conll),
                "{name}"
            );
        }
        hold(&[(file, text, spans, "")]);
    }
    let conllu = "# newdoc id = a\n1\tMira\t_\t_\t_\t_\t_\t_\t_\tNER=B-PER\n";
    assert_eq!(ImportFormat::detect("a.conll", conllu.as_bytes()), Some(ImportFormat::Conllu));
}

#[test]
fn a_line_without_a_token_holds_none() {
    let note = "lines with a tag and no token, left out";
    hold(&[
        ("Mira B-PER\n I-PER\nreads O\n", "Mira reads", &["Mira/PER"], note),
        ("Mira B-PER\n I-PER\nKolb I-PER\nreads O\n", "Mira Kolb reads", &["Mira Kolb/PER"], note),
        (
            "Mira B-PER\nreads O\n\t O\nLund B-LOC\n",
            "Mira reads Lund",
            &["Mira/PER", "Lund/LOC"],
            note,
        ),
        ("Mira\tB-PER\n\tI-PER\nreads\tO\n \tO\n", "Mira reads", &["Mira/PER"], note),
        ("Mira B-PER\nI-PER\nreads O\n", "Mira reads", &["Mira/PER"], note),
        ("Mira B-PER\nKolb\nreads O\n", "Mira Kolb reads", &["Mira/PER"], "tokens without a tag"),
    ]);
}

#[test]
fn a_token_may_have_several_tags() {
    hold(&[
        (
            "Mira B-PER|B-LOC\nHolt I-PER\ncame O\n",
            "Mira Holt came",
            &["Mira Holt/PER", "Mira/LOC"],
            "",
        ),
        (
            "Mira B-PER|B-LOC\nHolt I-LOC\ncame O\n",
            "Mira Holt came",
            &["Mira/PER", "Mira Holt/LOC"],
            "",
        ),
        (
            "Mira B-PER\nHolt I-PER|B-LOC\ncame I-LOC\n",
            "Mira Holt came",
            &["Mira Holt/PER", "Holt came/LOC"],
            "",
        ),
        ("Mira B-PER|B-PER\ncame O\n", "Mira came", &["Mira/PER"], "duplicate spans"),
        ("Mira B-PER|LOC\nHolt I-PER|LOC\ncame O\n", "Mira Holt came", &["Mira Holt/PER|LOC"], ""),
    ]);
}

#[test]
fn labels_without_a_prefix_are_tags() {
    let note = "the tags are IO";
    hold(&[
        (
            "1\tMira\tMira\tNNP\tPERSON\t_\t_\n2\tlives\tlive\tVBZ\tO\t_\t_\n3\tin\tin\tIN\tO\t_\t_\n4\tLundby\tLundby\tNNP\tCITY\t_\t_\n",
            "Mira lives in Lundby",
            &["Mira/PERSON", "Lundby/CITY"],
            "spans are read from column 5",
        ),
        (
            "Mira\tPER\nHolt\tPER\nin\tO\nLundby\tLOC\n",
            "Mira Holt in Lundby",
            &["Mira Holt/PER", "Lundby/LOC"],
            note,
        ),
        (
            "Mira person\ncame O\nto O\nLund geo-loc\n",
            "Mira came to Lund",
            &["Mira/person", "Lund/geo-loc"],
            note,
        ),
        (
            "It\tO\nrained\tEVENT\n\nrained\tEVENT\nso\tO\n",
            "It rained\nrained so",
            &["rained/EVENT", "rained/EVENT"],
            note,
        ),
    ]);
    for name in ["a.tsv", "a.txt", "a.conll"] {
        let table = b"Mira\tPER\nHolt\tPER\nin\tO\nLundby\tLOC\n";
        assert_eq!(ImportFormat::detect(name, table), Some(ImportFormat::Conll), "{name}");
    }
    // Parts of speech are no labels of spans.
    assert!(read("Mira NNP\ncame VBD\nto TO\n", &[]).is_err());
}

#[test]
fn tags_without_a_label_are_spans_of_one_name() {
    let note = "tags without a label, read as spans called span";
    hold(&[
        ("ON O\nITUNES B\nSTORE I\nnow O\n", "ON ITUNES STORE now", &["ITUNES STORE/span"], note),
        ("a\tB\nb\tB\nc\tI\n", "a b c", &["a/span", "b c/span"], note),
        ("a B\nb I\nc E\nd S\n", "a b c d", &["a b c/span", "d/span"], note),
    ]);
}

#[test]
fn layers_of_webanno_tsv_2_may_have_values_without_a_prefix() {
    let head = " # webanno.custom.Category | category\n#id=1\n#text=Mira came to town\n";
    let pos = " # de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS | PosValue # webanno.custom.Category | category\n\
        #id=1\n#text=Mira came\n";
    for (rows, head, expected, notes) in [
        (
            "1-1\tMira\tA\n1-2\tcame\tA\n1-3\tto\t_\n1-4\ttown\tB\n",
            head,
            &["Mira/A", "came/A", "town/B"][..],
            0,
        ),
        (
            "1-1\tMira\tA\t\n1-2\tcame\tO\t\n1-3\tto\tO\t\n1-4\ttown\tB\t\n",
            head,
            &["Mira/A", "town/B"],
            0,
        ),
        ("1-1\tMira\tNNP\tA\n1-2\tcame\tVBD\t_\n", pos, &["Mira/A"], 0),
        ("1-1\tMira\tA\tX\n1-2\tcame\t_\t_\n", pos, &["Mira/A"], 1),
        ("1-1\tMira\tB-A\n1-2\tcame\tI-A\n1-3\tto\tO\n1-4\ttown\tO\n", head, &["Mira came/A"], 0),
    ] {
        let file = format!("{head}{rows}");
        assert_eq!(
            ImportFormat::detect("a.tsv", file.as_bytes()),
            Some(ImportFormat::Conll),
            "{file}"
        );
        let (_, spans, told) = read(&file, &[]).unwrap();
        assert_eq!(spans, expected, "{file}");
        assert_eq!(
            told.iter().filter(|it| it.contains("ignored: tags of")).count(),
            notes,
            "{told:?}"
        );
    }
}

#[test]
fn a_table_in_which_nothing_is_marked_is_no_prose() {
    for (file, expected) in [
        ("Mira O\nreads O\n", ImportFormat::Conll),
        ("Mira\tNNP\tO\nreads\tVBZ\tO\n\n.\t.\tO\n", ImportFormat::Conll),
        ("-DOCSTART- O\n\nMira O\nreads O\n", ImportFormat::Conll),
        ("Mira O\n", ImportFormat::PlainText),
        ("An O\nis a letter\n", ImportFormat::PlainText),
    ] {
        assert_eq!(ImportFormat::detect("1.txt", file.as_bytes()), Some(expected), "{file}");
    }
    hold(&[("Mira O\nreads O\n", "Mira reads", &[], "")]);
}

#[test]
fn a_column_that_is_not_there_is_refused() {
    let file = "Mira NNP B-NP B-PER\ncame VBD B-VP O\n";
    for (layer, found) in [("9", "found 3, 4"), ("foo", "found 3, 4")] {
        let refused = read(file, &[layer]).unwrap_err();
        assert!(
            refused.contains(&format!("there is no layer, column or key {layer}; {found}")),
            "{refused}"
        );
    }
    assert_eq!(read(file, &["3"]).unwrap().1, ["Mira/NP", "came/VP"]);
    let named = "TOKEN\tNE\nMira\tB-PER\ncame\tO\n";
    assert!(read(named, &["NER"]).unwrap_err().contains("found NE"));
    assert_eq!(read(named, &["ne"]).unwrap().1, ["Mira/PER"]);
}

#[test]
fn letters_that_look_like_those_of_tags_are_named() {
    for (tag, expected) in [
        ("О", "U+041E, which looks like O (U+004F)"),
        ("В-PER", "U+0412, which looks like B (U+0042)"),
        ("І-PER", "U+0406, which looks like I (U+0049)"),
        ("0", "U+0030, which looks like O (U+004F)"),
    ] {
        let file = format!("a B-X\nb I-X\nc O\nd O\ne O\nf {tag}\n");
        let refused = read(&file, &[]).unwrap_err();
        assert!(refused.contains("line 6") && refused.contains(expected), "{refused}");
    }
    let plain = read("a B-X\nb I-X\nc O\nd O\ne O\nf Other\n", &[]).unwrap_err();
    assert!(plain.contains("\"Other\" is not a tag; expected"), "{plain}");
}

#[test]
fn tags_that_are_left_out_are_counted() {
    for (file, expected) in [
        ("a B-X B-Y\nb I-X I-Y\nc O O\nd O B-Y\n", "ignored: tags of column 3, 3 times"),
        ("a B-X B-Y\nb O O\n", "ignored: tags of column 3"),
        ("a B-NP B-X\nb B-VP O\nc I-VP O\n", "ignored: tags of column 2, 3 times"),
    ] {
        let (_, _, notes) = read(file, &[]).unwrap();
        assert!(notes.iter().any(|it| it.ends_with(expected)), "{notes:?}");
    }
    let (_, _, notes) = read("a B-X O\nb O O\n", &[]).unwrap();
    assert!(!notes.iter().any(|it| it.contains("ignored")), "{notes:?}");
}
