//! Formulas: from `LaTeX`, as the files under `docs` have them, to `MathML`, which browsers set and screen
//! readers read.

use anyhow::{Context, Result};
use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};
use std::convert::Infallible;
use std::fmt::Write as _;

/// A formula within a line.
///
/// # Errors
/// What is not `LaTeX`, or not known.
pub(crate) fn inline(latex: &str) -> Result<String> {
    mathml(latex, DisplayMode::Inline)
}

/// A formula on a line of its own, as a block of HTML; a long one scrolls by itself.
///
/// # Errors
/// What is not `LaTeX`, or not known.
pub(crate) fn display(latex: &str) -> Result<String> {
    let math = mathml(latex, DisplayMode::Block)?;
    Ok(format!(
        "<div class=\"formula\" role=\"group\" aria-label=\"Formula\" tabindex=\"0\">{math}</div>"
    ))
}

fn mathml(latex: &str, display_mode: DisplayMode) -> Result<String> {
    let storage = Storage::new();
    let events: Vec<_> = Parser::new(latex, &storage)
        .collect::<Result<_, _>>()
        .map_err(|error| anyhow::anyhow!("{error}"))
        .with_context(|| format!("the formula {latex}"))?;
    let mut math = String::new();
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    push_mathml(&mut math, events.into_iter().map(Ok::<_, Infallible>), config)?;
    Ok(escaped(&math.replace('\n', " ")))
}

/// The same to a browser, without what Markdown would take for its own between the tags.
fn escaped(math: &str) -> String {
    let mut text = String::new();
    let mut in_tag = false;
    for character in math.chars() {
        match character {
            '<' => in_tag = true,
            '>' => in_tag = false,
            '*' | '_' | '[' | ']' | '|' | '~' | '`' | '^' | '\\' | '$' if !in_tag => {
                // Writing to a text cannot fail.
                let _infallible = write!(text, "&#{};", u32::from(character));
                continue;
            }
            _ => {}
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_elements_without_styles() {
        let math =
            display(r"\kappa = \frac{p_o - p_e}{1 - p_e}, \quad \sum_{i \ne j} x_i^2").unwrap();
        assert!(math.contains("<mfrac>") && math.contains("display=\"block\""), "{math}");
        assert!(!math.contains("style=") && !math.contains('\n'), "{math}");
    }

    #[test]
    fn what_cannot_be_set_is_an_error_that_names_it() {
        let error = format!("{:#}", inline(r"\frac{a}").unwrap_err());
        assert!(error.contains(r"\frac{a}"), "{error}");
        assert!(inline(r"\nosuchthing").is_err());
    }

    #[test]
    fn markdown_leaves_it_as_it_is() {
        let math = inline("a * b | [c]").unwrap();
        assert!(math.contains("&#124;") && math.contains("&#91;"), "{math}");
        assert!(!math.contains(['*', '|', '[', ']']), "{math}");
    }
}
