//! Files of other tools that are huge or made to do harm.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use formats::{
    ExchangeProblem, ImportFormat, MAX_RECORD_BYTES, Problem, ReadOptions, read, read_from,
};

/// Generous, because tests are not optimised and share their cores.
const LIMIT: Duration = Duration::from_secs(20);

fn problems(format: ImportFormat, bytes: &[u8]) -> Vec<Problem> {
    let start = Instant::now();
    let found = read(format, "x", bytes).filter_map(Result::err);
    let found = found.map(|error| error.problem).collect();
    assert!(start.elapsed() < LIMIT, "{format:?} took {:?}", start.elapsed());
    found
}

const RECORDS: [ImportFormat; 6] = [
    ImportFormat::Doccano,
    ImportFormat::LabelStudio,
    ImportFormat::LabelStudioMin,
    ImportFormat::Prodigy,
    ImportFormat::Spacy,
    ImportFormat::Datasaur,
];

/// Bytes that are made while they are read: a head, a piece many times, a tail.
fn endless(
    head: &'static str,
    piece: &'static str,
    times: usize,
    tail: &'static str,
) -> impl BufRead {
    let pieces = std::iter::repeat_n(piece.as_bytes(), times);
    let middle = Pieces { pieces, current: b"" };
    BufReader::new(head.as_bytes().chain(middle).chain(tail.as_bytes()))
}

struct Pieces<I> {
    pieces: I,
    current: &'static [u8],
}

impl<I: Iterator<Item = &'static [u8]>> Read for Pieces<I> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.current.is_empty() {
            self.current = self.pieces.next().unwrap_or_default();
        }
        self.current.read(buffer)
    }
}

#[test]
fn a_list_of_100_megabytes_is_read_task_by_task() {
    const TASK: &str = "{\"data\": {\"text\": \"EU rejects Danish kite\"}, \"annotations\": []},\n";
    let last = "{\"data\": {\"text\": \"the last\"}, \"annotations\": []}]";
    let tasks = if cfg!(debug_assertions) { 20_000 } else { 1_700_000 };
    let reader = endless("[", TASK, tasks, last);
    let mut count = 0;
    let mut line = 0;
    for outcome in read_from(ImportFormat::LabelStudio, "x", reader, &ReadOptions::default()) {
        line = outcome.unwrap().line;
        count += 1;
    }
    assert_eq!((count, line), (tasks + 1, tasks + 1));
}

#[test]
fn records_without_end_are_let_go() {
    let times = 2 * MAX_RECORD_BYTES / 8;
    for format in [ImportFormat::Doccano, ImportFormat::Datasaur] {
        let reader = endless("[{\"text\": \"", "aaaaaaaa", times, "\"}, {\"nothing\": 1}]");
        let found: Vec<_> = read_from(format, "x", reader, &ReadOptions::default())
            .map(|outcome| outcome.unwrap_err().problem)
            .collect();
        assert_eq!(found[0], Problem::Exchange(ExchangeProblem::RecordTooLong), "{format:?}");
        assert!(found.len() > 1, "the record after it is read, too");
    }
}

#[test]
fn deep_and_wide_values_are_refused() {
    let deep = format!("{{\"text\": {}", "[".repeat(1 << 20));
    let wide = format!("{{\"text\": \"a\", \"spans\": [{}1]}}", "1,".repeat(1 << 20));
    for format in [ImportFormat::Doccano, ImportFormat::Datasaur] {
        assert!(matches!(
            problems(format, deep.as_bytes())[0],
            Problem::Exchange(ExchangeProblem::InvalidRecord { .. })
        ));
        assert!(matches!(
            problems(format, wide.as_bytes())[0],
            Problem::Exchange(ExchangeProblem::TooManyValues(_))
        ));
    }
    let deep = format!("{{\"%FEATURE_STRUCTURES\": {}", "[".repeat(1 << 20));
    assert!(matches!(
        problems(ImportFormat::CasJson, deep.as_bytes())[0],
        Problem::Exchange(ExchangeProblem::InvalidRecord { .. })
    ));
}

#[test]
fn invalid_utf8_nul_and_repeated_fields_are_told() {
    for format in RECORDS {
        let at = Problem::InvalidUtf8(10);
        assert_eq!(problems(format, b"{\"text\": \"\xFF\"}"), [at]);
        assert_eq!(problems(format, b"{\"text\": \"\0\"}"), [Problem::ContainsNul]);
        assert_eq!(problems(format, b"\xFF\xFE{\0"), [Problem::Utf16]);
        assert_eq!(problems(format, b" \n"), [Problem::EmptyFile]);
        let twice = problems(format, b"{\"text\": \"a\", \"text\": \"b\"}");
        assert!(
            matches!(&twice[0], Problem::Exchange(ExchangeProblem::InvalidRecord { reason, .. }) if reason.contains("text"))
        );
    }
    assert_eq!(
        problems(ImportFormat::Doccano, b"{\"text\": \"a\\u0000\"}"),
        [Problem::ContainsNul]
    );
    assert_eq!(problems(ImportFormat::CasXmi, b""), [Problem::EmptyFile]);
    assert_eq!(problems(ImportFormat::CasXmi, b"\xFE\xFF\0<"), [Problem::Utf16]);
    assert!(matches!(problems(ImportFormat::CasXmi, b"<a b='\xFF'/>")[0], Problem::InvalidUtf8(_)));
    assert_eq!(problems(ImportFormat::CasJson, b""), [Problem::EmptyFile]);
}

#[test]
fn a_broken_line_leaves_the_next_ones_alone() {
    let file = "{\"text\": \"a\", \"label\": []}\n{\"text\": \"b\n{\"text\": \"c\", \"label\": [}\n\
                {\"text\": \"d\", \"label\": [[0, 1, \"A\"]\n{\"text\": \"e\", \"label\": []}\n";
    let mut texts = Vec::new();
    let mut lines = Vec::new();
    for outcome in read(ImportFormat::Doccano, "x", file.as_bytes()) {
        match outcome {
            Ok(document) => texts.push(document.text),
            Err(error) => lines.push(error.line.unwrap()),
        }
    }
    assert_eq!(texts, ["a", "e"]);
    assert_eq!(lines, [2, 3, 4]);
}

#[test]
fn lists_that_end_early_or_late_are_told() {
    let list = |tail: &str| {
        let file = format!("[{{\"data\": {{\"text\": \"a\"}}, \"annotations\": []}}{tail}");
        problems(ImportFormat::LabelStudio, file.as_bytes()).len()
    };
    assert_eq!(list("]"), 0);
    assert_eq!((list(""), list(","), list("] 1"), list(" {}]"), list(",]")), (1, 1, 1, 1, 1));
}

const XMI: &str = "<xmi:XMI xmlns:xmi=\"http://www.omg.org/XMI\" xmlns:cas=\"c\" xmlns:a=\"a\">";

#[test]
fn elements_of_800_000_attributes_are_refused() {
    let attributes: String = " a=\"\"".repeat(800_000);
    let file = format!("{XMI}<a:A{attributes}/></xmi:XMI>");
    let what = "attributes of one element";
    assert_eq!(
        problems(ImportFormat::CasXmi, file.as_bytes()),
        [Problem::Exchange(ExchangeProblem::TooMany(what, 1_000))]
    );
}

#[test]
fn long_elements_are_let_go_and_long_texts_are_refused() {
    let reader = endless("<xmi:XMI xmlns:xmi=\"x\"><a b=\"", "aaaaaaaa", 1 << 22, "\"/></xmi:XMI>");
    let found: Vec<_> = read_from(ImportFormat::CasXmi, "x", reader, &ReadOptions::default())
        .map(|outcome| outcome.unwrap_err())
        .collect();
    assert_eq!(
        (found.len(), &found[0].problem),
        (1, &Problem::Exchange(ExchangeProblem::RecordTooLong))
    );

    let long = "a".repeat(10 * 1000 * 1000);
    let sofa = format!("<cas:Sofa xmi:id=\"1\" sofaID=\"_InitialView\" sofaString=\"{long}\"/>");
    let file = format!("{XMI}{sofa}</xmi:XMI>");
    assert_eq!(problems(ImportFormat::CasXmi, file.as_bytes()), [Problem::DocumentTooLarge]);

    let sofa = format!("{{\"%ID\": 1, \"%TYPE\": \"uima.cas.Sofa\", \"sofaString\": \"{long}\"}}");
    let file = format!("{{\"%FEATURE_STRUCTURES\": [{sofa}]}}");
    assert_eq!(problems(ImportFormat::CasJson, file.as_bytes()), [Problem::DocumentTooLarge]);
    let reader = endless("{\"%TYPES\": \"", "aaaaaaaa", 1 << 22, "\"}");
    let found: Vec<_> = read_from(ImportFormat::CasJson, "x", reader, &ReadOptions::default())
        .map(|outcome| outcome.unwrap_err())
        .collect();
    assert_eq!(
        (found.len(), &found[0].problem),
        (1, &Problem::Exchange(ExchangeProblem::RecordTooLong))
    );
}

#[test]
fn elements_within_elements_without_end_are_refused() {
    let reader = endless("<xmi:XMI xmlns:xmi=\"x\">", "<a>", 1 << 20, "");
    let found: Vec<_> = read_from(ImportFormat::CasXmi, "x", reader, &ReadOptions::default())
        .map(|outcome| outcome.unwrap_err())
        .collect();
    let what = "levels of elements";
    assert_eq!(
        (found.len(), &found[0].problem),
        (1, &Problem::Exchange(ExchangeProblem::TooMany(what, 16)))
    );
}

#[test]
fn annotations_are_capped() {
    let reader = endless(
        "<xmi:XMI xmlns:xmi=\"x\">",
        "<a xmi:id=\"7\" sofa=\"1\" begin=\"0\" end=\"1\"/>",
        300_001,
        "</xmi:XMI>",
    );
    let found: Vec<_> = read_from(ImportFormat::CasXmi, "x", reader, &ReadOptions::default())
        .map(|outcome| outcome.unwrap_err())
        .collect();
    let what = "annotations";
    assert_eq!(
        (found.len(), &found[0].problem),
        (1, &Problem::Exchange(ExchangeProblem::TooMany(what, 300_000)))
    );
}

#[test]
fn one_long_label_of_many_spans_is_refused() {
    let long = "a".repeat(1 << 20);
    let label = r#"{"labelSetItemId": "i", "textPosition": {"start": {"row": 0, "tokenIndex": 0},
        "end": {"row": 0, "tokenIndex": 0}}}"#;
    let file = format!(
        "{{\"data\": {{\"rows\": [[{{\"content\": \"a\", \"tokens\": [\"a\"]}}]], \"labelSets\": \
         [{{\"labelItems\": [{{\"id\": \"i\", \"labelName\": \"{long}\"}}]}}], \"spanLabels\": \
         [{}]}}}}",
        vec![label; 100].join(",")
    );
    let what = "bytes of labels";
    assert_eq!(
        problems(ImportFormat::Datasaur, file.as_bytes()),
        [Problem::Exchange(ExchangeProblem::TooMany(what, MAX_RECORD_BYTES))]
    );
    let element = format!("<a:A xmi:id=\"7\" sofa=\"1\" begin=\"0\" end=\"1\" value=\"%{long}\"/>");
    let elements: String = (0..9).map(|number| element.replace('%', &number.to_string())).collect();
    let file = format!("{XMI}{elements}</xmi:XMI>");
    assert!(matches!(
        problems(ImportFormat::CasXmi, file.as_bytes())[..],
        [Problem::Exchange(ExchangeProblem::TooMany("bytes of labels", _))]
    ));
}
