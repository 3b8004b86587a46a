//! Layers whose labels are in features of their own names: what is read of XMI, JSON and TSV alike.

use std::fmt::Write as _;

use formats::{ImportFormat, ReadOptions, read_from};

const LAYER: &str = "webanno.custom.Category";
const WORDS: [(usize, usize, &str); 4] =
    [(0, 4, "Mira"), (5, 9, "came"), (10, 12, "to"), (13, 17, "town")];

/// The features of a span on the first words; empty values are not set.
type Values<'a> = &'a [&'a [(&'a str, &'a str)]];

fn xmi(spans: Values<'_>) -> String {
    let mut file =
        "<xmi:XMI xmlns:xmi=\"http://www.omg.org/XMI\" xmlns:cas=\"http:///uima/cas.ecore\" \
        xmlns:custom=\"http:///webanno/custom.ecore\">\n"
            .to_owned();
    let mut members = String::new();
    for (number, (values, (begin, end, _))) in spans.iter().zip(WORDS).enumerate() {
        let set = values.iter().filter(|(_, value)| !value.is_empty());
        let set: Vec<_> = set.map(|(name, value)| format!(" {name}=\"{value}\"")).collect();
        let set = set.concat();
        let id = number + 2;
        write!(members, "{id} ").unwrap();
        writeln!(
            file,
            "<custom:Category xmi:id=\"{id}\" sofa=\"1\" begin=\"{begin}\" end=\"{end}\"{set}/>"
        )
        .unwrap();
    }
    file + "<cas:Sofa xmi:id=\"1\" sofaNum=\"1\" sofaID=\"_InitialView\" sofaString=\"Mira came to town\"/>\
        <cas:View sofa=\"1\" members=\""
        + members.trim()
        + "\"/></xmi:XMI>"
}

fn json(spans: Values<'_>) -> String {
    let structures = spans.iter().zip(WORDS).enumerate().map(|(number, (values, (begin, end, _)))| {
        let set = values.iter().filter(|(_, value)| !value.is_empty());
        let set: Vec<_> = set.map(|(name, value)| format!(", \"{name}\": \"{value}\"")).collect();
        let set = set.concat();
        let id = number + 2;
        format!(
            ",{{\"%ID\": {id}, \"%TYPE\": \"{LAYER}\", \"@sofa\": 1, \"begin\": {begin}, \"end\": {end}{set}}}"
        )
    });
    let structures: String = structures.collect();
    format!(
        "{{\"%TYPES\": {{}}, \"%FEATURE_STRUCTURES\": [{{\"%ID\": 1, \"%TYPE\": \"uima.cas.Sofa\", \
         \"sofaID\": \"_InitialView\", \"sofaString\": \"Mira came to town\"}}{structures}]}}"
    )
}

fn tsv(spans: Values<'_>) -> String {
    let names: Vec<&str> = spans[0].iter().map(|(name, _)| *name).collect();
    let mut file = format!(
        "#FORMAT=WebAnno TSV 3.3\n#T_SP={LAYER}|{}\n\n\n#Text=Mira came to town\n",
        names.join("|")
    );
    for (number, (begin, end, word)) in WORDS.into_iter().enumerate() {
        let value = |at: usize| match spans.get(number).map(|values| values[at].1) {
            None => "_",
            Some("") => "*",
            Some(value) => value,
        };
        let cells: Vec<_> = (0..names.len()).map(|at| value(at).to_owned() + "\t").collect();
        let cells = cells.concat();
        writeln!(file, "1-{}\t{begin}-{end}\t{word}\t{cells}", number + 1).unwrap();
    }
    file
}

/// Labels and answers of the spans, or the problem.
fn labels(format: ImportFormat, file: &str, features: &[&str]) -> Result<Vec<String>, String> {
    let features = features.iter().map(|feature| (*feature).to_owned()).collect();
    let options = ReadOptions { features, ..ReadOptions::default() };
    let mut outcomes = read_from(format, "d1", file.as_bytes(), &options);
    let document = outcomes.next().unwrap().map_err(|error| error.problem.to_string())?;
    assert!(outcomes.next().is_none());
    let answers =
        document.answers.iter().map(|it| format!("{}={}", it.question, it.answer.words()[0]));
    Ok(document.spans.iter().map(|span| span.label.clone()).chain(answers).collect())
}

/// What all three formats give, which is the same.
fn read_alike(spans: Values<'_>, features: &[&str]) -> Result<Vec<String>, String> {
    let of_xmi = labels(ImportFormat::CasXmi, &xmi(spans), features);
    assert_eq!(labels(ImportFormat::CasJson, &json(spans), features), of_xmi, "JSON");
    assert_eq!(labels(ImportFormat::WebAnnoTsv, &tsv(spans), features), of_xmi, "TSV");
    of_xmi
}

#[test]
fn the_only_feature_with_words_is_the_label() {
    let cases: [(Values<'_>, &[&str]); 6] = [
        (&[&[("category", "A")], &[("category", "B")]], &["A", "B"]),
        (&[&[("kind", "B")], &[("kind", "")], &[("kind", "A")]], &["B", "Category", "A"]),
        (
            &[&[("value", "A"), ("sure", "no")], &[("value", "B"), ("sure", "yes")]],
            &["A", "B", "sure=no", "sure=yes"],
        ),
        (&[&[("sure", ""), ("category", "A")], &[("sure", ""), ("category", "B")]], &["A", "B"]),
        (&[&[("direct", "true"), ("medium", "speech")]], &["speech", "direct=true"]),
        (
            &[&[("score", "2"), ("medium", "7a")], &[("score", "3.5"), ("medium", "3")]],
            &["7a", "3", "score=2", "score=3.5"],
        ),
    ];
    for (spans, expected) in cases {
        assert_eq!(read_alike(spans, &[]).unwrap(), expected, "{spans:?}");
    }
}

#[test]
fn of_several_features_one_is_chosen_or_the_file_is_refused() {
    let spans: Values<'_> =
        &[&[("comment", "sure"), ("category", "A")], &[("comment", "not sure"), ("category", "B")]];
    let refused = read_alike(spans, &[]).unwrap_err();
    for choice in
        ["--feature Category.comment", "--feature Category.category", "--feature Category for"]
    {
        assert!(refused.contains(choice), "{refused}");
    }
    for (features, expected) in [
        ("Category.category", ["A", "B", "comment=sure", "comment=not sure"]),
        ("webanno.custom.Category.category", ["A", "B", "comment=sure", "comment=not sure"]),
        ("category.Comment", ["sure", "not sure", "category=A", "category=B"]),
    ] {
        assert_eq!(read_alike(spans, &[features]).unwrap(), expected, "{features}");
    }
    let by_name = read_alike(spans, &["Category"]).unwrap();
    assert_eq!(by_name[..2], ["Category", "Category"]);
    assert!(read_alike(spans, &["Category.colour"]).is_err());
    assert!(read_alike(spans, &["Other.category"]).is_err());
}

#[test]
fn what_is_marked_without_a_label_beside_an_answer_stays_so() {
    let entity = |format, file: String| {
        let file = file.replace(
            "webanno.custom.Category",
            "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity",
        );
        labels(format, &file.replace("%TYPES\": {}", "%TYPES\": {\"x\": {\"value\": {}}}"), &[])
            .unwrap()
    };
    let spans: Values<'_> = &[&[("sure", "no")]];
    assert_eq!(entity(ImportFormat::CasJson, json(spans)), ["NamedEntity", "sure=no"]);
    let described = json(spans)
        .replace("%TYPES\": {}", &format!("%TYPES\": {{\"{LAYER}\": {{\"value\": {{}}}}}}"));
    assert_eq!(labels(ImportFormat::CasJson, &described, &[]).unwrap(), ["Category", "sure=no"]);
}

type Marked = (Vec<(usize, usize)>, Vec<String>);

/// Spans and notes of WebAnno TSV with these sentences.
fn marked(sentences: &str) -> Result<Marked, String> {
    let file = format!("#FORMAT=WebAnno TSV 3.2\n#T_SP=a.Ne|value\n\n\n{sentences}");
    let mut outcomes =
        read_from(ImportFormat::WebAnnoTsv, "a", file.as_bytes(), &ReadOptions::default());
    let document = outcomes.next().unwrap().map_err(|error| error.to_string())?;
    let spans = document.spans.iter().map(|span| (span.start, span.end)).collect();
    let notes = outcomes.notes().iter().skip(1).map(ToString::to_string).collect();
    Ok((spans, notes))
}

const FIRST: &str = "#Text=Mira Holt came\n1-1\t0-4\tMira\tPER[1]\t\n1-2\t5-9\tHolt\tPER[1]\t\n";

#[test]
fn ids_that_begin_anew_in_a_sentence_are_other_spans() {
    for (second, expected, restarts) in [
        ("2-1\t15-19\tLund\tPER[1]\t\n2-2\t20-25\tslept\tPER[1]\t\n", vec![(0, 9), (15, 25)], 1),
        ("2-1\t15-19\tLund\t_\t\n2-2\t20-25\tslept\tPER[1]\t\n", vec![(0, 9), (20, 25)], 1),
        ("2-1\t15-19\tLund\tLOC[1]\t\n2-2\t20-25\tslept\tLOC[1]\t\n", vec![(0, 9), (15, 25)], 1),
        ("2-1\t15-19\tLund\tPER[2]\t\n2-2\t20-25\tslept\tPER[2]\t\n", vec![(0, 9), (15, 25)], 0),
    ] {
        let file = format!("{FIRST}1-3\t10-14\tcame\t_\t\n\n#Text=Lund slept\n{second}");
        let (spans, notes) = marked(&file).unwrap();
        assert_eq!((spans, notes.len()), (expected, restarts), "{second}");
        assert!(notes.iter().all(|note| note.contains("begin anew")), "{notes:?}");
    }
    // A span may go on in the next sentence, unless ids begin anew elsewhere.
    let goes_on = format!(
        "{FIRST}1-3\t10-14\tcame\tPER[1]\t\n\n#Text=Lund slept\n2-1\t15-19\tLund\tPER[1]\t\n"
    );
    assert_eq!(marked(&goes_on).unwrap(), (vec![(0, 19)], vec![]));
    let unclear =
        format!("{goes_on}2-2\t20-25\tslept\t_\t\n\n#Text=so\n3-1\t26-28\tso\tPER[1]\t\n");
    assert!(marked(&unclear).unwrap_err().contains("not clear whether the span"));
}

#[test]
fn characters_written_as_numbers_are_read_where_the_tokens_have_them() {
    for (text, token, end, repaired) in [
        ("f\\u00FCr", "für", 3, true),
        ("\\uD83C\\uDF89", "🎉", 2, true),
        ("\\\\u00FC", "\\u00FC", 6, false),
        ("\\u00fcx", "üx", 2, true),
    ] {
        let (spans, notes) =
            marked(&format!("#Text={text}\n1-1\t0-{end}\t{token}\tPER\t\n")).unwrap();
        assert_eq!(spans.len(), 1, "{text}");
        assert_eq!(notes.len(), usize::from(repaired), "{notes:?}");
    }
}
