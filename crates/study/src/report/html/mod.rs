//! A report as HTML: a piece of a page, or one file that loads nothing.

mod continuum;

use std::fmt::{self, Display};
use std::io::{self, Write};

use super::Report;
use super::sheet::{Drawing, Sheet, Table};

/// What a file of its own looks like. A report is read away from any server.
const STYLE: &str = include_str!("report.css");

impl Report {
    /// Writes a file for browsers and paper.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>Agreement</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>Agreement</h1>"
        )?;
        self.write_parts(out)?;
        writeln!(out, "</body>\n</html>")
    }

    /// Writes the parts of the report, each a `section` with a heading of the second level. What
    /// comes from the file is text and never markup.
    pub fn write_parts(&self, out: &mut impl Write) -> io::Result<()> {
        let mut sheet = Html { out, heading: String::new() };
        self.write_on(&mut sheet)?;
        writeln!(sheet.out, "</section>")
    }
}

/// A sheet of markup.
struct Html<'a, W> {
    out: &'a mut W,
    /// What the open part is called; nothing as long as none is open.
    heading: String,
}

impl<W: Write> Sheet for Html<'_, W> {
    fn facts(&mut self, title: &str, facts: &[(&str, String)]) -> io::Result<()> {
        self.heading(title)?;
        writeln!(self.out, "<dl class=\"facts\">")?;
        for (name, text) in facts {
            let (name, text) = (Escaped(name), Escaped(text));
            writeln!(self.out, "<dt>{name}</dt><dd dir=\"auto\">{text}</dd>")?;
        }
        writeln!(self.out, "</dl>")
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        if !self.heading.is_empty() {
            writeln!(self.out, "</section>")?;
        }
        text.clone_into(&mut self.heading);
        writeln!(self.out, "<section class=\"part\">\n<h2>{}</h2>", Escaped(text))
    }

    fn table(&mut self, table: &Table) -> io::Result<()> {
        let name = Escaped(&self.heading);
        writeln!(
            self.out,
            "<div class=\"scroll\" role=\"group\" aria-label=\"{name}\" tabindex=\"0\">"
        )?;
        write!(self.out, "<table class=\"rows\">\n<thead><tr>")?;
        let class = |column| if table.is_text(column) { "" } else { " class=\"number\"" };
        for (column, name) in table.head.iter().enumerate() {
            if name.is_empty() {
                write!(self.out, "<td></td>")?;
            } else {
                let (class, name) = (class(column), Escaped(name));
                write!(self.out, "<th scope=\"col\"{class} dir=\"auto\">{name}</th>")?;
            }
        }
        writeln!(self.out, "</tr></thead>\n<tbody>")?;
        for row in &table.rows {
            write!(self.out, "<tr>")?;
            for (column, cell) in row.iter().enumerate() {
                let (class, cell) = (class(column), Escaped(cell));
                if column == 0 {
                    write!(self.out, "<th scope=\"row\" dir=\"auto\">{cell}</th>")?;
                } else {
                    write!(self.out, "<td{class}>{cell}</td>")?;
                }
            }
            writeln!(self.out, "</tr>")?;
        }
        writeln!(self.out, "</tbody>\n</table></div>")
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "<p class=\"note\">{}</p>", Escaped(text))
    }

    fn continuum(&mut self, drawing: &Drawing<'_>) -> io::Result<()> {
        continuum::draw(drawing, self.out)
    }
}

/// A text as HTML has it, within elements and within quotes; of controls only spaces are left.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for character in self.0.chars() {
            match character {
                '&' => out.write_str("&amp;"),
                '<' => out.write_str("&lt;"),
                '>' => out.write_str("&gt;"),
                '"' => out.write_str("&quot;"),
                control if control.is_control() => out.write_char(' '),
                other => out.write_char(other),
            }?;
        }
        Ok(())
    }
}
