//! The matrix as text to paste: for a spreadsheet, a Markdown page, a LaTeX article.

use std::sync::Arc;

use domain::{
    Actor, AgreementSnapshot, Confidence, PairCell, ProjectId, Switches,
    wording::{coefficient, confidence},
};

use crate::{Result, Services, agreement::snapshot};

/// What the text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    Tsv,
    Markdown,
    Latex,
}

impl TextFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tsv, Self::Markdown, Self::Latex];

    /// How a file of it ends.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Tsv => "tsv",
            Self::Markdown => "md",
            Self::Latex => "tex",
        }
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tsv => "TSV",
            Self::Markdown => "Markdown",
            Self::Latex => "LaTeX",
        }
    }
}

/// The matrix under the given switches, as text.
pub async fn as_text(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
    format: TextFormat,
) -> Result<String> {
    Ok(written(&*snapshot(services, actor, project, switches).await?, format))
}

/// The matrix as a table of rows and columns of raters. TSV has bare values, four decimals, for a
/// spreadsheet to compute with; the others have value, interval and n for people to read.
fn written(snapshot: &AgreementSnapshot, format: TextFormat) -> String {
    let names: Vec<String> =
        snapshot.raters.iter().map(|rater| escaped(&rater.name, format)).collect();
    let head = std::iter::once(String::new()).chain(names.iter().cloned()).collect();
    let rows = snapshot.raters.iter().zip(&names).map(|(row, name)| {
        let cells = snapshot.raters.iter().map(|column| {
            let cell = (row.id != column.id).then(|| snapshot.cell(row.id, column.id)).flatten();
            cell.map_or_else(String::new, |cell| value(cell, format))
        });
        std::iter::once(name.clone()).chain(cells).collect::<Vec<_>>()
    });
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    match format {
        TextFormat::Tsv => lines(rows.iter().map(|row| row.join("\t"))),
        TextFormat::Markdown => {
            let mut all: Vec<_> =
                rows.iter().map(|row| format!("| {} |", row.join(" | "))).collect();
            all.insert(1.min(all.len()), format!("|{}", " --- |".repeat(names.len() + 1)));
            lines(all.into_iter())
        }
        TextFormat::Latex => {
            let begin = format!("\\begin{{tabular}}{{l{}}}", "r".repeat(names.len()));
            let body = rows.iter().map(|row| format!("{} \\\\", row.join(" & ")));
            let end = "\\end{tabular}".to_owned();
            lines(std::iter::once(begin).chain(body).chain(std::iter::once(end)))
        }
    }
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}

/// A cell; empty where there is no value and the text is for computing.
fn value(cell: &PairCell, format: TextFormat) -> String {
    let Some(value) = cell.measured.value() else {
        return if format == TextFormat::Tsv { String::new() } else { "–".to_owned() };
    };
    if format == TextFormat::Tsv {
        return format!("{value:.4}");
    }
    let interval = match cell.confidence {
        Confidence::Interval { .. } => {
            format!(" ({})", confidence(cell.confidence))
        }
        Confidence::Pending | Confidence::None(_) => String::new(),
    };
    let text = format!("{}{interval}, n = {}", coefficient(cell.measured), cell.n);
    if format == TextFormat::Latex { text.replace('−', "$-$") } else { text }
}

/// A name that neither breaks the table nor is taken for a formula.
fn escaped(name: &str, format: TextFormat) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let special = |c: char| match (format, c) {
        (TextFormat::Markdown, '|' | '\\' | '*' | '_' | '`' | '<' | '[' | ']') => {
            Some(format!("\\{c}"))
        }
        (TextFormat::Latex, '&' | '%' | '$' | '#' | '_' | '{' | '}') => Some(format!("\\{c}")),
        (TextFormat::Latex, '\\') => Some("\\textbackslash{}".to_owned()),
        (TextFormat::Latex, '~') => Some("\\textasciitilde{}".to_owned()),
        (TextFormat::Latex, '^') => Some("\\textasciicircum{}".to_owned()),
        _ => None,
    };
    let text: String = name.chars().map(|c| special(c).unwrap_or_else(|| c.to_string())).collect();
    if format == TextFormat::Tsv { domain::safe_cell(&text).into_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use domain::{CoverageView, Measured, MemberId, Rater, Revision, Role};

    use super::*;

    fn snapshot() -> AgreementSnapshot {
        let rater = |(id, name): (i64, &str)| Rater {
            id: MemberId(id),
            name: name.to_owned(),
            role: Role::Labeler,
        };
        AgreementSnapshot {
            project: ProjectId(1),
            revision: Revision(1),
            switches: Switches::default(),
            raters: [(1, "=Lea|1"), (2, "Bo & Co")].map(rater).into(),
            cells: vec![PairCell {
                first: MemberId(1),
                second: MemberId(2),
                measured: Measured::Value { value: -0.125, observed: 0.0, expected: 0.0 },
                confidence: Confidence::Interval { lower: -0.5, upper: 0.25 },
                n: 8,
                coverage: CoverageView::default(),
                documents: 1,
            }],
            pooled: Vec::new(),
            several: None,
            last_change: None,
        }
    }

    #[test]
    fn a_spreadsheet_gets_numbers_and_no_formulas() {
        assert_eq!(
            written(&snapshot(), TextFormat::Tsv),
            "\t'=Lea|1\tBo & Co\n'=Lea|1\t\t-0.1250\nBo & Co\t-0.1250\t\n"
        );
    }

    #[test]
    fn markdown_keeps_its_columns() {
        assert_eq!(
            written(&snapshot(), TextFormat::Markdown),
            "|  | =Lea\\|1 | Bo & Co |\n| --- | --- | --- |\n\
             | =Lea\\|1 |  | −0.13 (−0.50 to 0.25), n = 8 |\n\
             | Bo & Co | −0.13 (−0.50 to 0.25), n = 8 |  |\n"
        );
    }

    #[test]
    fn latex_gets_its_special_characters_escaped() {
        assert_eq!(
            written(&snapshot(), TextFormat::Latex),
            "\\begin{tabular}{lrr}\n & =Lea|1 & Bo \\& Co \\\\\n\
             =Lea|1 &  & $-$0.13 ($-$0.50 to 0.25), n = 8 \\\\\n\
             Bo \\& Co & $-$0.13 ($-$0.50 to 0.25), n = 8 &  \\\\\n\\end{tabular}\n"
        );
    }
}
