//! Scripts as they are sent: without the words that are for their authors.

use crate::site;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Takes comments and indentation out of every script in a folder and below.
pub(crate) fn strip_all(folder: &Path) -> Result<()> {
    for file in site::files(folder)? {
        if file.extension().is_some_and(|extension| extension == "js") {
            let path = folder.join(&file);
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            fs::write(&path, stripped(&text))?;
        }
    }
    Ok(())
}

/// The script without lines that are only comment and without the white space around lines. Line
/// breaks stay: they may end statements. Our scripts, and those of wasm-bindgen, have no text that
/// goes over several lines.
fn stripped(script: &str) -> String {
    let mut in_comment = false;
    let mut kept = String::with_capacity(script.len());
    for line in script.lines().map(str::trim) {
        let starts = !in_comment && line.starts_with("/*");
        let is_comment = in_comment || starts || line.starts_with("//");
        // What comes after the end of a comment would be lost: such a line is kept whole.
        if starts && line.find("*/").is_some_and(|end| end + 2 < line.len()) {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        in_comment = (in_comment || starts) && !line.contains("*/");
        if !is_comment && !line.is_empty() {
            kept.push_str(line);
            kept.push('\n');
        }
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
