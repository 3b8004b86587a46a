//! Scripts as they are sent: without the words that are for their authors.

use crate::site;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Takes comments and indentation out of every script in a folder and below.
pub(crate) fn strip_all(folder: &Path) -> Result<()> {
    for file in site::files(folder)? {
        if is_script(&file) {
            let path = folder.join(&file);
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            fs::write(&path, stripped(&text))?;
        }
    }
    Ok(())
}

/// Whether a file of the site is a script.
pub(crate) fn is_script(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "js")
}

/// The script without lines that are only comment and without the white space around lines. Line
/// breaks stay: they may end statements. Our scripts, and those of wasm-bindgen, have no text that
/// goes over several lines.
fn stripped(script: &str) -> String {
    let mut is_within = false;
    let mut kept = String::with_capacity(script.len());
    for line in script.lines().map(str::trim) {
        let begins = !is_within && line.starts_with("/*");
        // A line that goes on after its comment is kept whole.
        let is_mixed = begins && line.find("*/").is_some_and(|end| end + 2 < line.len());
        let is_words = is_within || begins || line.starts_with("//") || line.is_empty();
        if is_mixed || !is_words {
            kept.push_str(line);
            kept.push('\n');
        }
        is_within = (is_within || begins) && !line.contains("*/");
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::stripped;

    #[test]
    fn only_comments_and_white_space_go() {
        let script = "// Why.\nexport const f = () => {\n  /** What.\n   * @returns {number}\n   */\n\n  \
                      return '// no comment'; // kept\n};\n/* a */ g();\n";
        assert_eq!(
            stripped(script),
            "export const f = () => {\nreturn '// no comment'; // kept\n};\n/* a */ g();\n"
        );
    }
}
