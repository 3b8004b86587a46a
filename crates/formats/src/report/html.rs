//! A report as one HTML file: no scripts, nothing loaded, readable in any browser and on paper.

use std::fmt::Write;

use crate::report::xml::escaped;

/// A report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What it is of.
    pub title: String,
    /// What it rests on: name and value.
    pub facts: Vec<(String, String)>,
    /// Its parts, in order.
    pub sections: Vec<ReportSection>,
}

/// A part of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportSection {
    /// Its heading.
    pub title: String,
    /// Its paragraphs, tables and pictures, in order.
    pub blocks: Vec<ReportBlock>,
}

/// A piece of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum ReportBlock {
    /// A paragraph.
    Text(String),
    /// A list, such as of sources.
    List(Vec<String>),
    /// A table; its first column names the rows.
    Table {
        /// What it shows.
        caption: String,
        /// The heads of its columns.
        head: Vec<String>,
        /// As many cells in a row as there are heads.
        rows: Vec<Vec<String>>,
    },
    /// A picture that [`super::heat_map::heat_map_svg`] has made: the only thing that is
    /// taken over as it is.
    Picture(crate::report::heat_map::HeatMap),
}

/// Everything that is not in the text. A report is read away from the server, where no policy
/// forbids a style of its own.
const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;color:#14181f;max-width:62rem;\
margin:2rem auto;padding:0 1rem}h1{font-size:1.7rem;margin:0 0 1rem}h2{font-size:1.2rem;\
margin:2rem 0 .5rem;break-after:avoid}table{border-collapse:collapse;font-size:13px;margin:.5rem 0 1rem}\
caption{text-align:start;font-weight:600;padding:.3rem 0}th,td{border:1px solid #d9dde3;\
padding:.2rem .5rem;text-align:start;font-variant-numeric:tabular-nums;vertical-align:top}\
thead th{background:#f5f6f8}tr{break-inside:avoid}dl{display:grid;grid-template-columns:14rem 1fr;\
gap:.15rem 1rem;margin:0}dt{color:#4d5665}dd{margin:0;overflow-wrap:anywhere}\
.wide{overflow-x:auto}svg{max-width:100%;height:auto}@page{margin:18mm}\
@media print{body{margin:0;max-width:none;font-size:11px}table{font-size:9.5px}.wide{overflow:visible}}";

/// The file.
pub fn report_html(report: &Report) -> String {
    let title = escaped(&report.title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<dl>\n"
    );
    for (name, value) in &report.facts {
        add(&mut html, format_args!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value)));
    }
    html.push_str("</dl>\n");
    for section in &report.sections {
        add(&mut html, format_args!("<section>\n<h2>{}</h2>\n", escaped(&section.title)));
        for block in &section.blocks {
            add_block(&mut html, block);
        }
        html.push_str("</section>\n");
    }
    html.push_str("</body>\n</html>\n");
    html
}

fn add_block(html: &mut String, block: &ReportBlock) {
    match block {
        ReportBlock::Text(text) => add(html, format_args!("<p>{}</p>\n", escaped(text))),
        ReportBlock::List(items) => {
            html.push_str("<ul>\n");
            for item in items {
                add(html, format_args!("<li>{}</li>\n", escaped(item)));
            }
            html.push_str("</ul>\n");
        }
        ReportBlock::Picture(picture) => {
            let svg = crate::report::heat_map::heat_map_svg(picture);
            add(html, format_args!("<div class=\"wide\">{svg}</div>\n"));
        }
        ReportBlock::Table { caption, head, rows } => {
            let caption = escaped(caption);
            add(html, format_args!("<div class=\"wide\"><table><caption>{caption}</caption>\n"));
            html.push_str("<thead><tr>");
            for cell in head {
                add(html, format_args!("<th scope=\"col\">{}</th>", escaped(cell)));
            }
            html.push_str("</tr></thead>\n<tbody>\n");
            for row in rows {
                html.push_str("<tr>");
                for (place, cell) in row.iter().enumerate() {
                    let cell = escaped(cell);
                    match place {
                        0 => add(html, format_args!("<th scope=\"row\">{cell}</th>")),
                        _ => add(html, format_args!("<td>{cell}</td>")),
                    }
                }
                html.push_str("</tr>\n");
            }
            html.push_str("</tbody></table></div>\n");
        }
    }
}

fn add(html: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = html.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_whole_and_its_texts_are_never_markup() {
        let report = Report {
            title: "Agreement of <Hamlet>".to_owned(),
            facts: vec![("Revision".to_owned(), "7 & more".to_owned())],
            sections: vec![ReportSection {
                title: "Matrix".to_owned(),
                blocks: vec![
                    ReportBlock::Text("a < b".to_owned()),
                    ReportBlock::List(vec!["Cohen (1960)".to_owned()]),
                    ReportBlock::Table {
                        caption: "Pairs".to_owned(),
                        head: vec!["Pair".to_owned(), "κ".to_owned()],
                        rows: vec![vec!["<b>".to_owned(), "0.5".to_owned()]],
                    },
                ],
            }],
        };
        let html = report_html(&report);
        assert!(html.contains("<title>Agreement of &lt;Hamlet&gt;</title>"));
        assert!(html.contains("<dd>7 &amp; more</dd>") && html.contains("<p>a &lt; b</p>"));
        assert!(html.contains("<th scope=\"row\">&lt;b&gt;</th><td>0.5</td>"));
        assert!(!html.contains("<script") && !html.contains("http://") && !html.contains("src="));
    }
}
