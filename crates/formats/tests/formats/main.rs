//! What the codecs promise, tried on golden files, hostile input and generated documents.

#[cfg(test)]
mod annotation_tools;
#[cfg(test)]
mod answers;
#[cfg(test)]
mod brat;
#[cfg(test)]
mod bundle_merging;
#[cfg(test)]
mod bundles;
#[cfg(test)]
mod conllu;
#[cfg(test)]
mod exchange;
#[cfg(test)]
mod exporting;
#[cfg(test)]
mod foreign_fields;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod hostile_exchange;
#[cfg(test)]
mod hugging_face;
#[cfg(test)]
mod importing;
#[cfg(test)]
mod other_tools;
#[cfg(test)]
mod own_lines;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod ratings;
#[cfg(test)]
mod reading_answers;
#[cfg(test)]
mod round_trips;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod span_labels;
#[cfg(test)]
mod span_tables;
#[cfg(test)]
mod tables_as_found;
#[cfg(test)]
mod tables_of_tokens;
#[cfg(test)]
mod tag_schemes;
#[cfg(test)]
mod uima;
#[cfg(test)]
mod unread_tools;
#[cfg(test)]
mod webanno;

#[cfg(test)]
mod support {
    //! Short ways to write a file, and to read one to its end.

    use std::io::Write;

    use formats::{
        AnnotatedDocument, AnnotatedSpan, ExportError, GoldDocument, ImportFormat,
        ImportedDocument, Loss, read, write_conll,
    };

    /// A gold standard's document as CoNLL, with what is told of its spans.
    pub(crate) fn write_gold_conll<W: Write>(
        out: &mut W,
        document: &GoldDocument,
    ) -> Result<Vec<Loss>, ExportError> {
        let document = AnnotatedDocument {
            id: None,
            name: document.name.clone(),
            text: document.text.clone(),
            spans: document.spans.iter().map(AnnotatedSpan::from).collect(),
            answers: Vec::new(),
            work: Vec::new(),
        };
        let mut losses = write_conll(out, &document)?;
        losses.retain(|loss| loss.span.is_some());
        Ok(losses)
    }

    /// The documents of a file, and the messages of its problems.
    pub(crate) fn read_all(file: &str, bytes: &[u8]) -> (Vec<ImportedDocument>, Vec<String>) {
        let format = ImportFormat::from_file_name(file).expect("a name that tells the format");
        let mut documents = Vec::new();
        let mut problems = Vec::new();
        for outcome in read(format, file, bytes) {
            match outcome {
                Ok(document) => documents.push(document),
                Err(error) => problems.push(error.to_string()),
            }
        }
        (documents, problems)
    }

    /// The spans of a document as the stretches of text they hold, with their labels.
    pub(crate) fn quotes(document: &ImportedDocument) -> Vec<(String, &str)> {
        let quote = |start: usize, end: usize| {
            document.text.chars().skip(start).take(end - start).collect::<String>()
        };
        let spans = document.spans.iter();
        spans.map(|span| (quote(span.start, span.end), span.label.as_str())).collect()
    }
}
