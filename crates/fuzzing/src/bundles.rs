//! Files that hold others, and documents that are two files.

use std::io::Cursor;
use std::ops::ControlFlow;

use formats::{
    AnnotatedDocument, BratConfig, Bundle, BundleLimits, Discontinuous, NamedBytes, ReadOptions,
    read_brat, write_brat_annotations, write_brat_text,
};

use crate::codecs::promised;
use crate::round_trip::{answers, sorted};

/// What parts the text from the annotations: no text has it.
const BETWEEN: u8 = 0;

/// A text, a NUL, and its annotations in brat's format.
pub(crate) fn brat(bytes: &[u8]) {
    let mut halves = bytes.splitn(2, |byte| *byte == BETWEEN);
    let (text, annotations) = (halves.next().unwrap_or(&[]), halves.next().unwrap_or(&[]));
    for discontinuous in [Discontinuous::PassOver, Discontinuous::Join] {
        let options = ReadOptions { discontinuous, ..ReadOptions::default() };
        let named = |name, bytes| NamedBytes { name, bytes };
        let found = read_brat(named("file.txt", text), named("file.ann", annotations), &options);
        let Ok((document, _)) = found else { continue };
        promised(&document);
        let (spans, own) = (sorted(&document.spans), answers(&document.answers));
        let written = AnnotatedDocument {
            id: None,
            name: document.name.clone(),
            text: document.text.clone(),
            spans,
            answers: own,
            work: Vec::new(),
        };
        let (mut text, mut annotations) = (Vec::new(), Vec::new());
        let wrote = write_brat_text(&mut text, &written).and_then(|()| {
            write_brat_annotations(&mut annotations, &written, &mut BratConfig::default())
        });
        let losses = match wrote {
            Ok(losses) => losses,
            Err(error) => panic!("{error}"),
        };
        let again = read_brat(
            named("file.txt", &text),
            named("file.ann", &annotations),
            &ReadOptions::default(),
        );
        let Ok((again, _)) = again else { panic!("{again:?}") };
        assert_eq!(again.text, document.text);
        if losses.is_empty() {
            assert_eq!(sorted(&again.spans), written.spans);
            assert_eq!(answers(&again.answers), written.answers);
        }
    }
}

/// A zip.
pub(crate) fn zip(bytes: &[u8]) {
    let limits = BundleLimits::default();
    let Ok(mut bundle) = Bundle::from_zip("file.zip", Cursor::new(bytes), &limits) else { return };
    for file in bundle.files() {
        let is_within = !file.path.starts_with('/')
            && !file.path.contains('\\')
            && file.path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        assert!(is_within, "{} leads elsewhere", file.path);
    }
    bundle.read(&ReadOptions::default(), |outcome| {
        if let Ok(read) = outcome {
            promised(&read.document);
        }
        ControlFlow::Continue(())
    });
}
