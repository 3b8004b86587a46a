//! Files that are broken, huge or made to do harm.

use std::io::{BufReader, Read};

use formats::{
    ImportFormat, MAX_DOCUMENT_BYTES, MAX_LINE_BYTES, Note, Problem, ReadOptions, Repair, read,
    read_from,
};

use crate::support::read_all;

const TEN_MEGABYTES: usize = 10 * 1000 * 1000;

fn only_problem(file: &str, bytes: &[u8]) -> (Option<usize>, Problem) {
    let format = ImportFormat::from_file_name(file).unwrap();
    let mut outcomes = read(format, file, bytes);
    let error = outcomes.next().unwrap().unwrap_err();
    assert!(outcomes.next().is_none(), "more than one outcome for {file}");
    (error.line, error.problem)
}

#[test]
fn empty_files_are_refused() {
    for file in ["a.jsonl", "a.conll"] {
        assert_eq!(only_problem(file, b""), (None, Problem::EmptyFile));
        assert_eq!(only_problem(file, b"\xEF\xBB\xBF"), (None, Problem::EmptyFile));
    }
    assert_eq!(only_problem("a.jsonl", b" \r\n\t\n"), (None, Problem::EmptyFile));
    assert_eq!(only_problem("a.conll", b"# only\n\n"), (None, Problem::EmptyFile));
}

#[test]
fn documents_without_a_text_are_left_out_and_counted() {
    for (format, file, documents, blank) in [
        (ImportFormat::PlainText, "", 0, 1),
        (ImportFormat::PlainText, " \r\n\t", 0, 1),
        (ImportFormat::Conll, "\n-DOCSTART- O\n", 0, 1),
        (ImportFormat::Conll, "-DOCSTART- O\n\n-DOCSTART- O\n\nEU O\n\n-DOCSTART- O\n", 1, 2),
        (ImportFormat::Conllu, "# newdoc\n\n# newdoc\n1\tEU\t_\t_\t_\t_\t_\t_\t_\t_\n", 1, 1),
        (ImportFormat::JsonLines, "{\"text\": \"\"}\n\n{\"text\": \"EU\", \"spans\": []}\n", 1, 1),
        (ImportFormat::Prodigy, "{\"text\": \" \", \"answer\": \"accept\"}", 0, 1),
    ] {
        let mut outcomes = read(format, "x", file.as_bytes());
        assert_eq!(outcomes.by_ref().map(Result::unwrap).count(), documents, "{file}");
        let notes = outcomes.notes();
        assert_eq!(
            (&notes[0].note, notes[0].count),
            (&Note::Repaired(Repair::Blank), blank),
            "{file}"
        );
    }
}

#[test]
fn invalid_utf8_is_told_by_its_byte_and_line() {
    let at = |byte| Problem::InvalidUtf8(byte);
    assert_eq!(only_problem("a.txt", b"\xEF\xBB\xBFab\ncd\xC3("), (Some(2), at(8)));
    let bytes = b"\xEF\xBB\xBF{\"text\": \"\xFF\"}";
    assert_eq!(only_problem("a.jsonl", bytes), (Some(1), at(13)));
    assert_eq!(only_problem("a.conll", b"EU O\r\n\xF0\x9F\xA5 O"), (Some(2), at(6)));
    let cut_short = "\u{1F973}".as_bytes().get(..3).unwrap();
    assert_eq!(only_problem("a.txt", cut_short), (Some(1), at(0)));
}

#[test]
fn the_lines_around_a_broken_one_are_read() {
    let bytes = b"{\"text\": \"a\"}\n\xFF\n{\"text\": \"b\"}\n\0\n{\"text\": \"c\"}";
    let (documents, problems) = read_all("a.jsonl", bytes);
    let texts: Vec<_> = documents.iter().map(|document| document.text.as_str()).collect();
    assert_eq!(texts, ["a", "b", "c"]);
    assert_eq!(
        problems,
        [
            "a.jsonl, line 2: byte 14 of the file (counted from 0) is not valid UTF-8; \
             expected a file saved as UTF-8",
            "a.jsonl, line 4: the text contains a NUL character (U+0000); remove it",
        ]
    );
}

#[test]
fn utf16_is_told_by_name() {
    for file in ["a.txt", "a.jsonl", "a.conll"] {
        for bytes in [b"\xFF\xFEa\0\n\0b\0", b"\xFE\xFF\0a\0\n\0b"] {
            assert_eq!(only_problem(file, bytes).1, Problem::Utf16);
        }
    }
}

#[test]
fn nul_is_refused_wherever_it_hides() {
    assert_eq!(only_problem("a.txt", b"a\nb\0"), (Some(2), Problem::ContainsNul));
    assert_eq!(only_problem("a.conll", b"a\0 O\n"), (Some(1), Problem::ContainsNul));
    let hidden = br#"{"text": "abc", "id": "\u0000", "name": "x\u0000",
        "spans": [{"start": 0, "end": 1, "label": "\u0000L"}]}"#;
    let line: Vec<u8> = hidden.iter().copied().filter(|byte| *byte != b'\n').collect();
    let fields: Vec<_> = read(ImportFormat::JsonLines, "a.jsonl", &line)
        .map(|outcome| outcome.unwrap_err())
        .map(|error| (error.field.unwrap(), error.problem))
        .collect();
    let nul = |field: &str| (field.to_owned(), Problem::ContainsNul);
    assert_eq!(fields, [nul("id"), nul("name"), nul("spans[0].label")]);
}

#[test]
fn ten_megabytes_in_one_line_are_refused_and_the_next_line_is_read() {
    let long = "a".repeat(TEN_MEGABYTES);
    assert_eq!(only_problem("a.txt", long.as_bytes()), (None, Problem::DocumentTooLarge));

    let file = format!("{{\"text\": \"{long}\"}}\n{{\"text\": \"b\"}}");
    let mut outcomes = read(ImportFormat::JsonLines, "a.jsonl", file.as_bytes());
    let error = outcomes.next().unwrap().unwrap_err();
    assert_eq!((error.line, error.problem), (Some(1), Problem::LineTooLong));
    let document = outcomes.next().unwrap().unwrap();
    assert_eq!((document.text.as_str(), document.line), ("b", 2));

    let file = format!("{long} O\n-DOCSTART- O\nb O\n");
    let (documents, problems) = read_all("a.conll", file.as_bytes());
    assert_eq!(documents.len(), 1);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("a.conll, line 1: the line is longer than 8 MiB"));
}

#[test]
fn a_long_line_that_comes_in_pieces_is_refused_and_the_next_line_is_read() {
    let long = std::io::repeat(b'a').take(1 << 24);
    let reader = BufReader::with_capacity(1 << 12, long.chain(&b"\n{\"text\": \"b\"}"[..]));
    let mut outcomes =
        read_from(ImportFormat::JsonLines, "a.jsonl", reader, &ReadOptions::default());
    assert_eq!(outcomes.next().unwrap().unwrap_err().problem, Problem::LineTooLong);
    assert_eq!(outcomes.next().unwrap().unwrap().text, "b");
    assert!(outcomes.next().is_none());
}

#[test]
fn a_reader_that_fails_ends_the_file_with_a_problem() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    for format in ImportFormat::ALL {
        if format == ImportFormat::Brat {
            continue; // Refused before it is read.
        }
        let beginning: &[u8] = match format {
            ImportFormat::SpanCsv => b"document,start,end,label,text\n",
            ImportFormat::SpanTsv => b"document\tstart\tend\tlabel\ttext\n",
            ImportFormat::RatingsCsv => b"item,ana,ben\n",
            ImportFormat::WebAnnoTsv => b"#FORMAT=WebAnno TSV 3.3\n",
            _ => b"{\"text\": \"a\"}\n",
        };
        let reader = BufReader::new(beginning.chain(Broken));
        let problems: Vec<_> = read_from(format, "a", reader, &ReadOptions::default())
            .filter_map(Result::err)
            .collect();
        let last = &problems.last().unwrap().problem;
        assert_eq!(*last, Problem::Unreadable { reason: "gone".to_owned() });
    }
}

#[test]
fn a_text_of_the_allowed_length_is_read() {
    let text = "a".repeat(MAX_DOCUMENT_BYTES);
    let (documents, problems) = read_all("a.txt", text.as_bytes());
    assert_eq!((documents.len(), problems.len()), (1, 0));

    let frame = "{\"text\": \"\"}".len();
    let line = format!("{{\"text\": \"{}\"}}", "a".repeat(MAX_LINE_BYTES - frame));
    let (documents, problems) = read_all("a.jsonl", line.as_bytes());
    assert_eq!((documents.len(), problems.len()), (1, 0));
}

#[test]
fn a_conll_document_of_many_lines_is_limited_too() {
    let token = "a".repeat(1 << 20);
    let file = format!("{}\n-DOCSTART- O\n\nb O\n", format!("{token} O\n").repeat(9));
    let (documents, problems) = read_all("a.conll", file.as_bytes());
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("a.conll, line 8: the document is longer than 8 MiB"));
    assert_eq!(documents.len(), 1);
}

#[test]
fn json_nested_without_end_is_an_error_and_no_overflow() {
    for (open, field) in [("[", "x"), ("{\"x\":", "x"), ("[", "text"), ("[", "spans")] {
        let line = format!("{{\"{field}\": {}", open.repeat(1 << 18));
        assert!(matches!(only_problem("a.jsonl", line.as_bytes()).1, Problem::InvalidJson { .. }));
    }
}

#[test]
fn problems_of_one_line_are_capped() {
    let spans = vec!["1"; 100_000].join(",");
    let (documents, problems) =
        read_all("a.jsonl", format!("{{\"text\": \"a\", \"spans\": [{spans}]}}").as_bytes());
    assert_eq!((documents.len(), problems.len()), (0, 20));
}

#[test]
fn offsets_beyond_every_machine_word_are_refused() {
    for end in ["18446744073709551615", "18446744073709551616", "1e300", "1.0"] {
        let line = format!(
            "{{\"text\": \"abc\", \"spans\": [{{\"start\": 0, \"end\": {end}, \"label\": \"A\"}}]}}"
        );
        let (documents, problems) = read_all("a.jsonl", line.as_bytes());
        assert_eq!((documents.len(), problems.len()), (0, 1), "{end}");
        assert!(problems[0].starts_with("a.jsonl, line 1, field spans[0].end: "));
    }
}

#[test]
fn messages_do_not_repeat_long_values() {
    let long = "x".repeat(100_000);
    let lines = [
        ("a.conll", format!("token {long}\n")),
        ("a.conll", format!("token B-A\ntoken Q-{long}\n")),
        ("a.jsonl", format!("{{\"text\": \"a\", \"{long}\": nope}}")),
    ];
    for (file, bytes) in lines {
        let (_, problems) = read_all(file, bytes.as_bytes());
        assert!(problems.iter().all(|problem| problem.len() < 400), "{file}");
        assert!(!problems.is_empty());
    }
}

#[test]
fn lists_of_hundreds_of_thousands_of_anything_are_refused() {
    let entries = "0,".repeat(150_000);
    let line = format!(
        "{{\"text\": \"a\", \"spans\": [{entries}0], \"work\": [{{\"spans\": [{entries}0]}}]}}"
    );
    let (line, problem) = only_problem("a.jsonl", line.as_bytes());
    assert_eq!(line, Some(1));
    assert!(matches!(problem, Problem::Exchange(formats::ExchangeProblem::TooManyValues(300_000))));
}
