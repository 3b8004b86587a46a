//! Answers of raters about items, in a table.

use formats::{
    ImportFormat, ImportedDocument, Note, Repair, read, write_study_header, write_study_row,
};
use proptest::prelude::*;

use crate::properties::visible_text;

/// What of a file is read: documents, and the messages of problems.
fn outcomes(name: &str, file: &[u8]) -> (Vec<ImportedDocument>, Vec<String>) {
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    for outcome in read(ImportFormat::RatingsCsv, name, file) {
        match outcome {
            Ok(document) => documents.push(document),
            Err(problem) => problems.push(problem.to_string()),
        }
    }
    (documents, problems)
}

/// Raters with the question and what they answered.
fn answers(document: &ImportedDocument) -> Vec<(&str, &str, &str)> {
    let of_rater = document.work.iter().flat_map(|work| {
        assert!(work.spans.is_empty());
        work.answers.iter().map(|answer| {
            assert_eq!(answer.line, document.line);
            assert_eq!(answer.span, None);
            let formats::AnswerWords::One(words) = &answer.answer else { panic!("{answer:?}") };
            (work.rater.as_str(), answer.question.as_str(), words.as_str())
        })
    });
    of_rater.collect()
}

/// The messages of a file's problems, which has no documents.
fn problems(file: &str) -> Vec<String> {
    let (documents, problems) = outcomes("a.csv", file.as_bytes());
    assert_eq!(documents, []);
    problems
}

#[test]
fn each_rater_answers_the_question_that_the_file_is_named_after() {
    let file = "item,text,anna, ben \nnews-1,EU rejects,negative, neutral \n\
                news-2,\"EU,\nagrees\",\"polite, glad\",\nnews-3,Nobody asked.,,\"  \"\n";
    let (documents, problems) = outcomes("exports/Tone.csv", file.as_bytes());
    assert_eq!(problems, Vec::<String>::new());
    let [first, second, third] = documents.as_slice() else { panic!("{documents:?}") };
    assert_eq!((first.id.as_deref(), first.name.as_str()), (Some("news-1"), "news-1"));
    assert_eq!((first.text.as_str(), first.line, first.judged), ("EU rejects", 2, false));
    assert_eq!(answers(first), [("anna", "Tone", "negative"), ("ben", "Tone", "neutral")]);
    assert_eq!((second.text.as_str(), second.line), ("EU,\nagrees", 3));
    assert_eq!(answers(second), [("anna", "Tone", "polite, glad")]);
    assert_eq!((third.line, third.work.len(), third.spans.len()), (5, 0, 0));
}

#[test]
fn without_texts_items_are_their_own() {
    let (documents, problems) = outcomes("q.csv", "\u{FEFF};a;b\r\n7;1,5;'-1\r\n".as_bytes());
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!((documents[0].name.as_str(), documents[0].text.as_str()), ("7", "7"));
    assert_eq!(answers(&documents[0]), [("a", "q", "1.5"), ("b", "q", "-1")]);
}

#[test]
fn what_stands_for_no_answer_is_none_and_commas_part_fractions_among_semicolons_only() {
    let read = |file: &str| outcomes("q.csv", file.as_bytes()).0;
    let missing = read("item,a,b,c,d\n1,NA,.,*,0\n");
    assert_eq!(answers(&missing[0]), [("d", "q", "0")]);
    let semicolons = read("item;a;b;c;d\n1;−3,5;1,2,3;a,b;,5\n");
    let words: Vec<_> = answers(&semicolons[0]).iter().map(|(_, _, words)| *words).collect();
    assert_eq!(words, ["−3.5", "1,2,3", "a,b", ",5"]);
    let commas = read("item,a,b\n1,\"3,5\",2\n");
    assert_eq!(answers(&commas[0]), [("a", "q", "3,5"), ("b", "q", "2")]);
}

#[test]
fn the_first_row_is_refused_by_the_column_that_is_wrong() {
    for (file, problem) in [
        ("", "a.csv: the file is empty; expected at least one document"),
        ("item,a\n", "a.csv: the file is empty; expected at least one document"),
        (
            "item,text\n1,x\n",
            "a.csv, line 1: the first row names no rater; expected a column for the items, one \
             called text if they have texts, and one for each rater",
        ),
        (
            "item,a, ,b\n1,x,y,z\n",
            "a.csv, line 1, field column 3: the field is missing; expected the name of the rater \
             whose answers are in the column",
        ),
        (
            "item,a,b,a \n1,x,y,z\n",
            "a.csv, line 1, field a: the first row has two columns for the same thing; expected one",
        ),
        (
            "item,text,a,Text\n1,x,y,z\n",
            "a.csv, line 1, field Text: the first row has two columns for the same thing; expected \
             one",
        ),
    ] {
        assert_eq!(problems(file), [problem], "{file}");
    }
    let (documents, problems) = outcomes("a.csv", b"item,a,\xFF\n1,x,y\n");
    assert_eq!(documents, []);
    let expected = "a.csv, line 1, field column 3: the cell is not valid UTF-8; expected a file \
                    saved as UTF-8";
    assert_eq!(problems, [expected]);
    let wide = format!("item{}\n", ",a".repeat(1_000));
    let (_, problems) = outcomes("a.csv", wide.as_bytes());
    assert_eq!(problems, ["a.csv, line 1: there are more than 1000 columns; split the file"]);
}

#[test]
fn a_row_is_refused_by_its_line_and_column_and_the_others_are_read() {
    let file = "unit,text,a,b\n1,x,yes\n2,x,yes,no,no\n2,x,yes,no\n,x,yes,no\n3,,yes,no\n\
                4,x,y\0,no\n2,x,no,no\n2,x,no,no\n5,x,yes,no\n";
    let (documents, problems) = outcomes("a.csv", file.as_bytes());
    let lines: Vec<usize> = documents.iter().map(|document| document.line).collect();
    assert_eq!(lines, [4, 10]);
    let expected = [
        "a.csv, line 2: the row has 3 cells, the first row has 4; expected the same",
        "a.csv, line 3: the row has 5 cells, the first row has 4; expected the same",
        "a.csv, line 5, field unit: the value is blank; expected at least one visible character",
        "a.csv, line 6, field text: the text is blank; expected at least one visible character",
        "a.csv, line 7, field a: the text contains a NUL character (U+0000); remove it",
        "a.csv, line 8, field unit: the id \"2\" is already used in a.csv, line 4; expected each id \
         once",
        "a.csv, line 9, field unit: the id \"2\" is already used in a.csv, line 4; expected each id \
         once",
    ];
    assert_eq!(problems, expected);
}

#[test]
fn rows_of_empty_cells_are_passed_over_and_told() {
    let mut documents = read(ImportFormat::RatingsCsv, "a.csv", b"item,a\n1,x\n,\n , \n");
    assert_eq!(documents.by_ref().filter_map(Result::ok).count(), 1);
    let [note] = documents.notes().try_into().unwrap();
    assert_eq!((note.note, note.count, note.line), (Note::Repaired(Repair::Blank), 2, Some(3)));
    assert_eq!(
        problems("item,a\n,\n"),
        ["a.csv: the file is empty; expected at least one document"]
    );
}

#[test]
fn the_first_row_tells_answers_only_where_nothing_else_is_meant() {
    let told = |name: &str, file: &str| ImportFormat::detect(name, file.as_bytes());
    for head in [
        "item,ana,ben\n",
        "Position;ana;ben\n1;B-ORG;O\n",
        "\u{FEFF}\"item\",text,ana,ben\r\n",
        "item,ana,ben",
    ] {
        assert_eq!(told("a.CSV", head), Some(ImportFormat::RatingsCsv), "{head}");
        assert_ne!(told("a.tsv", head), Some(ImportFormat::RatingsCsv), "{head}");
    }
    for head in [
        "",
        "item\n",
        "item,ana\n",
        "item,text,ana\n",
        "unit,ana,ben\n",
        "item,rater,value\n",
        "item,ana,ben,Coder\n",
        "item,start,end,label,text\n",
        "item,ana,ana\n",
        "item,ana,,ben\n",
        "document,start,end,label,text\n",
    ] {
        assert_eq!(told("a.csv", head), Some(ImportFormat::SpanCsv), "{head}");
    }
    assert_eq!("ratings-csv".parse(), Ok(ImportFormat::RatingsCsv));
}

/// What somebody could be called, or answer: what it begins with is no apostrophe, which may be there
/// for spreadsheets.
fn words() -> impl Strategy<Value = String> {
    let is_own = |words: &String| {
        let name = words.to_lowercase();
        !words.starts_with('\'')
            && !["text", "document_text", "na", ".", "*"].contains(&name.as_str())
    };
    visible_text().prop_map(|text| text.trim().to_owned()).prop_filter("of its own", is_own)
}

/// A text that no spreadsheet would run: the writer guards what raters say, and a text is taken as it
/// stands.
fn unguarded() -> impl Strategy<Value = String> {
    let formulas = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    visible_text().prop_filter("a formula", move |text| !text.starts_with(formulas))
}

proptest! {
    #[test]
    fn a_study_comes_back_as_it_went(
        raters in prop::collection::btree_set(words(), 1..5),
        rows in prop::collection::vec(prop::collection::vec(prop::option::of(words()), 5), 1..6),
    ) {
        let raters: Vec<String> = raters.into_iter().collect();
        let mut out = Vec::new();
        write_study_header(&mut out, &raters).unwrap();
        for (position, said) in rows.iter().enumerate() {
            write_study_row(&mut out, &format!("{position}:0-0"), &said[..raters.len()]).unwrap();
        }
        let (documents, problems) = outcomes("study.csv", &out);
        prop_assert_eq!(problems, Vec::<String>::new());
        prop_assert_eq!(documents.len(), rows.len());
        for (position, (document, said)) in documents.iter().zip(&rows).enumerate() {
            prop_assert_eq!(&document.name, &format!("{position}:0-0"));
            let said: Vec<_> = raters
                .iter()
                .zip(said)
                .filter_map(|(rater, said)| Some((rater.as_str(), "study", said.as_deref()?)))
                .collect();
            prop_assert_eq!(answers(document), said);
        }
    }

    #[test]
    fn items_and_texts_come_back_as_they_went(
        rows in prop::collection::btree_map(visible_text(), (unguarded(), words()), 1..6),
    ) {
        let mut out = Vec::new();
        let header = ["anna".to_owned(), "text".to_owned()];
        write_study_header(&mut out, &header).unwrap();
        for (item, (text, said)) in &rows {
            write_study_row(&mut out, item, &[Some(said.clone()), Some(text.clone())]).unwrap();
        }
        let (documents, problems) = outcomes("q.csv", &out);
        prop_assert_eq!(problems, Vec::<String>::new());
        prop_assert_eq!(documents.len(), rows.len());
        for (document, (item, (text, said))) in documents.iter().zip(&rows) {
            prop_assert_eq!(document.id.as_ref(), Some(item));
            prop_assert_eq!(&document.text, text);
            prop_assert_eq!(answers(document), [("anna", "q", said.as_str())]);
        }
    }
}
