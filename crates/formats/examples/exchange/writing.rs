//! Our side of the exchange: every document in every format.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use formats::{
    AnswerFeatures, JsonList, write_cas_json, write_cas_xmi, write_datasaur, write_doccano_line,
    write_document_json_line, write_prodigy_lines, write_type_system,
};

use crate::ExampleResult;
use crate::documents::documents;

/// Writes the documents into the folder `ours`.
pub(crate) fn write_all(folder: &Path) -> ExampleResult {
    let folder = folder.join("ours");
    fs::create_dir_all(&folder)?;
    let create = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
    let documents = documents();
    let mut lines = create("documents.jsonl")?;
    let mut doccano = create("doccano.jsonl")?;
    let mut prodigy = create("prodigy.jsonl")?;
    let mut label_studio = JsonList::new(create("label_studio.json")?);
    let mut spacy = JsonList::new(create("spacy.json")?);
    let mut features = AnswerFeatures::default();
    for (number, document) in documents.iter().enumerate() {
        if !write_document_json_line(&mut lines, document)?.is_empty() {
            return Err(format!("document {number} has spans outside its text").into());
        }
        write_doccano_line(&mut doccano, document)?;
        write_prodigy_lines(&mut prodigy, document)?;
        label_studio.write_label_studio(document)?;
        spacy.write_spacy(document)?;
        write_cas_xmi(&mut create(&format!("cas-{number}.xmi"))?, document, &mut features)?;
        write_cas_json(&mut create(&format!("cas-{number}.json"))?, document, &mut features)?;
        write_datasaur(&mut create(&format!("datasaur-{number}.json"))?, document)?;
    }
    label_studio.finish()?;
    spacy.finish()?;
    write_type_system(&mut create("TypeSystem.xml")?, &features)?;
    Ok(())
}
