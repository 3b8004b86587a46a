//! The stylesheet: follows `@import "file.css"` lines, drops comments and needless whitespace.
//!
//! It knows as much CSS as this repository writes and reports the rest as an error: imports of
//! other files (with or without a layer) come first, strings and comments may hold anything.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The stylesheet at `path` with its imports in their places.
pub(crate) fn bundle(path: &Path) -> Result<String> {
    inline(path, &mut Vec::new())
}

/// `open` holds the files that are being read, so that a circle of imports is an error.
fn inline(path: &Path, open: &mut Vec<PathBuf>) -> Result<String> {
    if open.iter().any(|earlier| earlier == path) {
        bail!("{} imports itself", path.display());
    }
    let source =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = minify(&source).with_context(|| path.display().to_string())?;
    open.push(path.to_path_buf());
    let mut bundled = String::new();
    let mut rest = text.as_str();
    while let Some((statement, after)) = leading_statement(rest) {
        rest = after;
        let Some(import) = statement.strip_prefix("@import") else {
            bundled.push_str(statement);
            bundled.push(';');
            continue;
        };
        let (file, layer) = parse_import(import)
            .with_context(|| format!("{}: cannot follow `{statement}`", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let content = inline(&folder.join(file), open)
            .with_context(|| format!("imported by {}", path.display()))?;
        match layer {
            Some(name) => bundled.extend(["@layer ", name, "{", &content, "}"]),
            None => bundled.push_str(&content),
        }
    }
    if rest.contains("@import") {
        bail!("{}: an @import has to come before the rules", path.display());
    }
    open.pop();
    bundled.push_str(rest);
    Ok(bundled)
}

/// Splits off a first statement that may stand before imports: an import, or an order of layers.
fn leading_statement(minified: &str) -> Option<(&str, &str)> {
    let (statement, rest) = minified.split_once(';')?;
    let is_import = statement.starts_with("@import");
    let is_order = statement.starts_with("@layer") && !statement.contains('{');
    (is_import || is_order).then_some((statement, rest))
}

/// `"file.css"` or `"file.css" layer(name)`, what follows the word `@import`.
fn parse_import(import: &str) -> Option<(&str, Option<&str>)> {
    let import = import.trim_start();
    let quote = import.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let (file, condition) = import.get(1..)?.split_once(quote)?;
    if file.contains(':') || file.starts_with('/') {
        return None;
    }
    match condition.trim() {
        "" => Some((file, None)),
        layer => Some((file, Some(layer.strip_prefix("layer(")?.strip_suffix(')')?))),
    }
}

/// Drops comments and the whitespace that no CSS parser needs. Strings and escapes stay as they
/// are; whitespace that could mean something (`a :hover`, `1px + 2px`) becomes one space.
fn minify(css: &str) -> Result<String> {
    let mut out = String::with_capacity(css.len());
    let mut gap = Gap::None;
    let mut rest = css.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            let (_, after) = comment.split_once("*/").context("a comment is not closed")?;
            gap = gap.max(Gap::Comment);
            rest = after;
            continue;
        }
        if first.is_ascii_whitespace() {
            gap = Gap::Space;
            rest = rest.trim_ascii_start();
            continue;
        }
        let (token, after) = rest.split_at(token_length(rest, first)?);
        close_gap(&mut out, gap, first);
        if first == '}' && out.ends_with(';') {
            out.pop();
        }
        out.push_str(token);
        gap = Gap::None;
        rest = after;
    }
    Ok(out)
}

/// What stood between two tokens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Comment,
    Space,
}

fn close_gap(out: &mut String, gap: Gap, next: char) {
    let needless = out.is_empty()
        || out.ends_with(['{', '}', ';', ',', ':']) && !out.ends_with("\\:")
        || matches!(next, '{' | '}' | ';' | ',');
    match gap {
        Gap::Space if !needless => out.push(' '),
        // A comment separates two words without being a space.
        Gap::Comment if !needless => out.push_str("/**/"),
        _ => {}
    }
}

/// The number of bytes to copy unchanged: a string, an escape, or a single character.
fn token_length(rest: &str, first: char) -> Result<usize> {
    if first == '\\' {
        return Ok(1 + rest.chars().nth(1).map_or(0, char::len_utf8));
    }
    if !matches!(first, '"' | '\'') {
        return Ok(first.len_utf8());
    }
    let mut escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => break,
            _ if char == first => return Ok(at + 1),
            _ => {}
        }
    }
    let line = rest.lines().next().unwrap_or_default();
    bail!("a string is not closed: {line}")
}

#[cfg(test)]
mod tests {
    use super::{bundle, minify};
    use std::fs;
    use tempfile::TempDir;

    fn folder(files: &[(&str, &str)]) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn bundled(files: &[(&str, &str)]) -> String {
        bundle(&folder(files).path().join("main.css")).unwrap()
    }

    fn refused(files: &[(&str, &str)]) -> String {
        format!("{:#}", bundle(&folder(files).path().join("main.css")).unwrap_err())
    }

    #[test]
    fn imports_are_inlined_in_order_and_relative_to_their_file() {
        let css = bundled(&[
            ("main.css", "@import \"tokens.css\";\n@import 'parts/all.css';\nmain { top: 0; }\n"),
            ("tokens.css", ":root { --gap: 4px; }"),
            ("parts/all.css", "@import \"cell.css\";\n.all { top: 1px }"),
            ("parts/cell.css", ".cell { top: 2px }"),
        ]);
        assert_eq!(css, ":root{--gap:4px}.cell{top:2px}.all{top:1px}main{top:0}");
    }

    #[test]
    fn layers_keep_their_order_and_their_content() {
        let css = bundled(&[
            ("main.css", "@layer base, parts;\n@import \"a.css\" layer(parts);\nb { top: 0 }"),
            ("a.css", "a { top: 0 }"),
        ]);
        assert_eq!(css, "@layer base,parts;@layer parts{a{top:0}}b{top:0}");
    }

    #[test]
    fn import_in_a_comment_or_a_string_is_not_followed() {
        let css = bundled(&[(
            "main.css",
            "/* @import \"gone.css\"; */ a::after { content: \"; /* x */  {\" }",
        )]);
        assert_eq!(css, "a::after{content:\"; /* x */  {\"}");
    }

    #[test]
    fn a_file_may_be_imported_twice_but_not_by_itself() {
        let css =
            bundled(&[("main.css", "@import \"a.css\";@import \"a.css\";"), ("a.css", "a{}")]);
        assert_eq!(css, "a{}a{}");
        let error =
            refused(&[("main.css", "@import \"a.css\";"), ("a.css", "@import \"main.css\";")]);
        assert!(error.contains("main.css imports itself"), "{error}");
    }

    #[test]
    fn what_cannot_be_followed_is_an_error_that_names_the_file() {
        let error = refused(&[("main.css", "@import \"gone.css\";")]);
        assert!(error.contains("main.css") && error.contains("cannot read"), "{error}");
        let error = refused(&[("main.css", "a{} @import \"late.css\";")]);
        assert!(error.contains("has to come before the rules"), "{error}");
        for import in ["\"https://example.org/a.css\"", "url(a.css)", "\"a.css\" print"] {
            let error = refused(&[("main.css", &format!("@import {import};"))]);
            assert!(error.contains("cannot follow `@import"), "{error}");
        }
    }

    #[test]
    fn whitespace_that_means_something_stays() {
        let cases = [
            ("a  :hover > b , c { x : y }", "a :hover > b,c{x :y}"),
            ("a { width: calc(1px  +\n 2px) ; }", "a{width:calc(1px + 2px)}"),
            (
                "@media (width >= 40rem) and (hover) { a { b: c } }",
                "@media (width >= 40rem) and (hover){a{b:c}}",
            ),
            (".sm\\: b { c: \"\\\"  \" }", ".sm\\: b{c:\"\\\"  \"}"),
            ("a { font: 1px/2 \"A  B\" , serif }", "a{font:1px/2 \"A  B\",serif}"),
            ("a { grid: [x] 1fr / auto }", "a{grid:[x] 1fr / auto}"),
        ];
        for (source, expected) in cases {
            assert_eq!(minify(source).unwrap(), expected);
        }
    }

    #[test]
    fn comment_separates_words_without_becoming_a_space() {
        assert_eq!(minify("a/* x */.b { c/**/: d }").unwrap(), "a/**/.b{c/**/:d}");
        assert_eq!(minify("a /* x */ .b{}/* end */").unwrap(), "a .b{}");
        assert_eq!(minify("/* only ; { */").unwrap(), "");
    }

    #[test]
    fn text_outside_ascii_is_kept() {
        assert_eq!(
            minify("q { content: \"κ « α\" } .é·ü { x: y }").unwrap(),
            "q{content:\"κ « α\"}.é·ü{x:y}"
        );
    }

    #[test]
    fn unclosed_comments_and_strings_are_errors() {
        assert!(minify("a{} /* b").unwrap_err().to_string().contains("comment"));
        assert!(minify("a{b:\"c}\nd{}").unwrap_err().to_string().contains("string"));
    }
}
