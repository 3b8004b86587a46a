//! Brotli and gzip copies of the files of the site, so that the server never compresses them.

use anyhow::{Context, Result};
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::Path;

/// How hard to try: small for people, quick for the author.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) brotli: u32,
    pub(crate) gzip: u32,
}

/// Writes `<file>.br` and `<file>.gz` next to the file; returns the size of the brotli copy.
pub(crate) fn write_copies(file: &Path, effort: Effort) -> Result<usize> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let brotli = brotli(&bytes, effort.brotli)?;
    fs::write(with_suffix(file, ".br"), &brotli)?;
    fs::write(with_suffix(file, ".gz"), gzip(&bytes, effort.gzip)?)?;
    Ok(brotli.len())
}

fn brotli(bytes: &[u8], quality: u32) -> Result<Vec<u8>> {
    const BUFFER: usize = 1 << 16;
    const WINDOW: u32 = 24;
    let mut encoder = brotli::CompressorWriter::new(Vec::new(), BUFFER, quality, WINDOW);
    encoder.write_all(bytes)?;
    Ok(encoder.into_inner())
}

/// The header has no time and no name, so that equal content gives equal bytes.
fn gzip(bytes: &[u8], level: u32) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(level));
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn with_suffix(file: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::{Effort, write_copies};
    use std::fs;
    use std::io::Read;

    #[test]
    fn copies_decompress_to_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.css");
        let text = "a{color:red}".repeat(1000);
        fs::write(&file, &text).unwrap();

        let size = write_copies(&file, Effort { brotli: 11, gzip: 9 }).unwrap();

        let br = fs::read(dir.path().join("a.css.br")).unwrap();
        assert_eq!(br.len(), size);
        assert!(size < text.len());
        let mut plain = String::new();
        brotli::Decompressor::new(br.as_slice(), 4096).read_to_string(&mut plain).unwrap();
        assert_eq!(plain, text);

        let gz = fs::read(dir.path().join("a.css.gz")).unwrap();
        let mut plain = String::new();
        flate2::read::GzDecoder::new(gz.as_slice()).read_to_string(&mut plain).unwrap();
        assert_eq!(plain, text);
    }
}
