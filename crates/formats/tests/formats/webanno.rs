//! WebAnno TSV: the samples of the format's own page, and what is told of broken files.

use formats::{
    AnnotatedDocument, AnnotatedSpan, AnswerFeatures, ImportFormat, Problem, WebAnnoProblem, read,
    write_webanno_tsv,
};

use crate::support::quotes;

const NER: &str = "#FORMAT=WebAnno TSV 3.3\n\
    #T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue\n\
    #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value\n\n\n";

fn lines(file: &str) -> String {
    file.replace(' ', "\t").replace('~', " ")
}

/// The text, the spans and the notes of a sound file.
fn sound(file: &str) -> (String, Vec<(String, String)>, Vec<String>) {
    let mut documents = read(ImportFormat::WebAnnoTsv, "doc.tsv", file.as_bytes());
    let document = documents.next().unwrap().unwrap();
    assert!(documents.next().is_none());
    assert_eq!(document.name, "doc");
    let spans =
        quotes(&document).into_iter().map(|(quote, label)| (quote, label.to_owned())).collect();
    (document.text, spans, documents.notes().iter().map(ToString::to_string).collect())
}

fn problems(file: &str) -> Vec<String> {
    let outcomes = read(ImportFormat::WebAnnoTsv, "doc.tsv", file.as_bytes());
    outcomes.map(|outcome| outcome.unwrap_err().to_string()).collect()
}

fn owned(spans: &[(&str, &str)]) -> Vec<(String, String)> {
    spans.iter().map(|(quote, label)| ((*quote).to_owned(), (*label).to_owned())).collect()
}

#[test]
fn offsets_are_utf16_and_a_star_is_an_annotation_without_value() {
    let file = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Emoji|\n\n\n".to_owned()
        + &lines(
            "#Text=I~like~it~😊~.\n1-1 0-1 I _\n1-2 2-6 like _\n1-3 7-9 it _\n\
             1-4 10-12 😊 *\n1-5 13-14 . _\n",
        );
    let (text, spans, _) = sound(&file);
    assert_eq!(text, "I like it 😊 .");
    assert_eq!(spans, owned(&[("😊", "Emoji")]));
}

#[test]
fn stacked_spans_and_spans_of_several_tokens_are_told_apart_by_ids() {
    let rows = "#Text=Ms.~Lind~plays\n1-1 0-3 Ms. NNP PER[1]|PERpart[2]\n\
        1-2 4-8 Lind NNP PER[1]\n1-3 9-14 plays VBD _\n1-3.1 9-13 play _ ACT\n\
        1-3.2 11-14 ays _ X\n";
    let (text, spans, notes) = sound(&(NER.to_owned() + &lines(rows)));
    assert_eq!(text, "Ms. Lind plays");
    assert_eq!(
        spans,
        owned(&[("Ms. Lind", "PER"), ("Ms.", "PERpart"), ("play", "ACT"), ("ays", "X")])
    );
    assert_eq!(
        notes,
        [
            "doc.tsv, line 2: ignored: the layer POS",
            "doc.tsv, line 3: spans of the layer \
             de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity, labelled by its feature value: \
             4",
        ]
    );
}

#[test]
fn parts_of_speech_are_read_where_nothing_else_is() {
    let head = "#FORMAT=WebAnno TSV 3.2\n\
        #T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|coarseValue|PosValue\n\n\n";
    let (_, spans, _) =
        sound(&(head.to_owned() + &lines("#Text=a~b\n1-1 0-1 a X DT\n1-2 2-3 b X NN\n")));
    assert_eq!(spans, owned(&[("a", "DT"), ("b", "NN")]));
}

#[test]
fn slots_chains_and_relations_take_their_columns_and_are_passed_over() {
    let head = "#FORMAT=WebAnno TSV 3.3\n\
        #T_SP=webanno.custom.Frame|FE|ROLE_webanno.custom.Frame:Roles_webanno.custom.FrameRolesLink|webanno.custom.Lu\n\
        #T_SP=webanno.custom.Lu|luvalue\n\
        #T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation\n\
        #T_RL=webanno.custom.Rel|kind|BT_webanno.custom.Lu\n\n\n";
    let rows = "#Text=Bob~auctioned~the~clock\n\
        1-1 0-3 Bob _ _ _ bob pr[1] coref->1-1 is 1-3[4_0]\n\
        1-2 4-13 auctioned transaction seller;goods 1-1;1-3[4] _ _ _ _ _\n\
        1-3 14-17 the _ _ _ clock[4] _ _ _ _\n1-4 18-23 clock _ _ _ clock[4] _ _ _ _\n";
    let (_, spans, notes) = sound(&(head.to_owned() + &lines(rows)));
    assert_eq!(
        spans,
        owned(&[("Bob", "bob"), ("auctioned", "transaction"), ("the clock", "clock")])
    );
    assert_eq!(notes.iter().filter(|note| note.contains("ignored")).count(), 3, "{notes:?}");
}

#[test]
fn texts_of_several_lines_and_gaps_between_sentences_are_made_again() {
    let rows = "#Sentence.id=s1\n#Text=a~\\\\\\r\n#Text=b\n1-1 2-3 a A[1]\n1-2 7-8 b A[1]\n\n\
        #Text=c\n2-1 11-12 c _\n\n#Text=d\n3-1 12-13 d _\n";
    let (text, spans, _) = sound(
        &(NER.to_owned()
            + &lines(rows)
                .replace("\tA", "\t_\tA")
                .replace("c\t_", "c\t_\t_")
                .replace("d\t_", "d\t_\t_")),
    );
    assert_eq!(text, "  a \\\r\nb\n  cd");
    assert_eq!(spans, owned(&[("a \\\r\nb", "A")]));
}

#[test]
fn the_writer_marks_parts_of_tokens_and_joins_across_lines() {
    let span = |start, end, label: &str| AnnotatedSpan { start, end, label: label.to_owned() };
    let document = AnnotatedDocument {
        id: None,
        name: "doc".to_owned(),
        text: "😊 plays\nLind\n  x".to_owned(),
        spans: vec![span(0, 1, "E|_"), span(2, 6, "ACT"), span(2, 12, "Y"), span(8, 12, "Z")],
        answers: Vec::new(),
        work: Vec::new(),
    };
    let mut out = Vec::new();
    let losses = write_webanno_tsv(&mut out, &document, &mut AnswerFeatures::default()).unwrap();
    assert_eq!(losses, []);
    let head = "#FORMAT=WebAnno TSV 3.3\n\
        #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value\n\n\n";
    let rows = "#Text=😊~plays\n#Text=Lind\n1-1 0-2 😊 E\\|\\_ \n1-2 3-8 plays Y[1] \n\
        1-2.1 3-7 play ACT \n1-3 9-13 Lind Y[1]|Z[2] \n\n#Text=x\n2-1 16-17 x _ \n";
    assert_eq!(String::from_utf8(out).unwrap(), head.to_owned() + &lines(rows));
}

#[test]
fn problems_name_line_and_field() {
    let rows = "#Text=😊~b~c\n1-1 0-1 😊 _ _\n1-2 3-4 x _ _\n1-x 3-4 b _ _\n1-3 3:4 b _ _\n\
        1-4 5-6 c _\n1-5 5-9 c _ _\n1-6 5-6 c _ A[z]\n1-7 3-4 b _ A[1]\n1-8 5-6 c _ B[1]\n";
    let told = problems(&(NER.to_owned() + &lines(rows)));
    let starts = [
        "doc.tsv, line 7, field offsets: 0-1 does not lie on characters of the sentence's text, \
         which goes from 0 to 6",
        "doc.tsv, line 8, field token: the text at the span's place is \"b\", the file quotes \"x\"",
        "doc.tsv, line 9, field number: \"1-x\" is not a token's number",
        "doc.tsv, line 10, field offsets: \"3:4\" are not offsets",
        "doc.tsv, line 11: the row has 4 cells, the header asks for 5",
        "doc.tsv, line 12, field offsets: 5-9 does not lie on characters",
        "doc.tsv, line 13, field de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value: \
         \"A[z]\" ends in an id that is no number",
        "doc.tsv, line 15: the span [1] has the label \"B\" here, and another on line 14",
    ];
    assert_eq!(told.len(), starts.len(), "{told:#?}");
    for (told, start) in told.iter().zip(starts) {
        assert!(told.starts_with(start), "{told}\n{start}");
    }
}

#[test]
fn other_files_are_told_by_what_is_wrong() {
    let only = |file: &str| {
        let mut outcomes = read(ImportFormat::WebAnnoTsv, "doc.tsv", file.as_bytes());
        let error = outcomes.next().unwrap().unwrap_err();
        assert!(outcomes.next().is_none());
        (error.line, error.problem)
    };
    assert_eq!(only(""), (None, Problem::EmptyFile));
    assert_eq!(only("a\tb\n"), (Some(1), WebAnnoProblem::NoFormatLine.into()));
    let version = WebAnnoProblem::Version("4.1".to_owned());
    assert_eq!(only("#FORMAT=WebAnno TSV 4.1\n"), (Some(1), version.into()));
    assert_eq!(only(NER), (None, Problem::EmptyText));
    let row = |rows: &str| only(&(NER.to_owned() + &lines(rows)));
    assert_eq!(row("1-1 0-1 a _ _\n"), (Some(6), WebAnnoProblem::NoSentence.into()));
    assert_eq!(row("#Text=a\n\n"), (Some(6), WebAnnoProblem::NoTokens.into()));
    assert_eq!(
        row("#Text=ab\n1-1 0-2 ab _ _\n\n#Text=c\n2-1 1-2 c _ _\n"),
        (Some(9), WebAnnoProblem::SentenceBegin { begin: 1, length: 2 }.into())
    );
    assert_eq!(
        row("#Text=c\n2-1 99999999999-99999999999 c _ _\n"),
        (Some(6), Problem::DocumentTooLarge)
    );
    assert_eq!(row(&format!("#Text={}\n", "a".repeat(10_000_000))).1, Problem::LineTooLong);
    assert_eq!(row("#Text=a\0\n"), (Some(6), Problem::ContainsNul));
    let head = "#FORMAT=WebAnno TSV 3.3\n#T_XX=a\n";
    assert_eq!(only(head), (Some(2), WebAnnoProblem::Header("#T_XX=a".to_owned()).into()));
}

#[test]
fn stacks_headers_and_spans_without_end_are_refused() {
    let told = |file: &str| {
        let told = problems(file);
        assert_eq!(told.len(), 1, "{told:?}");
        told.into_iter().next().unwrap()
    };
    let head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=a.B|value\n\n\n#Text=a\n";
    let stack = format!("{head}1-1\t0-1\ta\t{}\t\n", vec!["x"; 20_000].join("|"));
    assert_eq!(
        told(&stack),
        "doc.tsv, line 6, field a.B|value: the cell has 20000 values; expected at most 10000"
    );
    let row = format!("1-1\t0-1\ta\t{}\t\n", vec!["x"; 9_000].join("|"));
    let many = "doc.tsv, line 18: the document has too many spans, or too long labels; split it \
        into several documents";
    assert_eq!(told(&format!("{head}{}", row.repeat(100))), many);
    let layers = format!("#FORMAT=WebAnno TSV 3.3\n{}", "#T_SP=a\n".repeat(100_000));
    assert!(told(&layers).ends_with("the header asks for more than 1000 columns"));
    let features = format!("#FORMAT=WebAnno TSV 3.3\n#T_SP=a{}\n", "|b".repeat(800_000));
    assert!(told(&features).ends_with("line 2: the header asks for more than 1000 columns"));
    let name = format!("#FORMAT=WebAnno TSV 3.3\n#T_SP={}|value\n", "a".repeat(1025));
    let long =
        "doc.tsv, line 2: the header has a name of more than 1024 bytes; expected shorter ones";
    assert_eq!(told(&name), long);
    assert_eq!(told(&name.replace("|value", "").replace("T_SP=", "T_SP=a|")), long);

    // Stars have the layer's name as label, and rows of one id are one span.
    let head = format!("#FORMAT=WebAnno TSV 3.3\n#T_SP={}|\n\n\n#Text=a\n", "a".repeat(1024));
    let row = format!("1-1\t0-1\ta\t{}\t\n", vec!["*[1]"; 9_000].join("|"));
    let many = many.replace("18", "7");
    assert_eq!(told(&format!("{head}{}", row.repeat(2))), many);
}

#[test]
fn a_sentence_of_broken_rows_tells_no_more_than_a_hundred() {
    let head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=a.B|value\n\n\n#Text=a\n1-1\t0-1\ta\tX\t\n";
    let told = problems(&format!("{head}{}", "1-1\t0-2\ta\tX\t\n".repeat(1_000)));
    assert_eq!(told.len(), 100);
    assert!(told[0].contains("goes from 0 to 1;"), "{}", told[0]);
    let blank = problems(&format!("{head}1-1\t0-1\ta\t[1]|[2]|[3]\t\n"));
    assert_eq!(blank.len(), 1, "{blank:?}");
    let wide = problems(&format!("{head}1-1\t0-1{}\n", "\t".repeat(1_000)));
    assert_eq!(
        wide,
        ["doc.tsv, line 7: the row has 1002 cells, the header asks for 4; expected the same"]
    );
}
