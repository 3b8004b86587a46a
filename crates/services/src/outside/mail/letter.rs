//! What a mail says: written once, and read as plain text or as HTML.

/// A mail without its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) subject: String,
    pub(super) pieces: Vec<Piece>,
}

/// A piece of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Paragraph(String),
    /// What one can do, and where.
    Link(&'static str, String),
    /// Names and values.
    Rows(Vec<(String, String)>),
    /// What stands below everything else, and is read when it is looked for.
    Small(String),
}

/// Somebody's words on one line: without breaks and signs that are not to be seen, whatever stood there.
pub(super) fn one_line(words: &str) -> String {
    let shown: String = words.chars().filter(|c| !is_unseen(*c)).collect();
    let visible = shown.split(|c: char| c.is_whitespace() || c.is_control());
    visible.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a sign is not to be seen: it turns the direction of others, has no width, or carries what only
/// programs read. What joins letters or keeps them apart is part of words in many scripts.
const fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

impl Letter {
    /// As plain text.
    pub(super) fn text(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Paragraph(text) => text.clone(),
            Piece::Link(verb, address) => format!("{verb}:\n{address}"),
            Piece::Rows(rows) => {
                let rows = rows.iter().map(|(name, value)| format!("{name}: {value}"));
                rows.collect::<Vec<_>>().join("\n")
            }
            Piece::Small(text) => format!("--\n{text}"),
        });
        pieces.collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// As HTML without colors of its own: a reader's dark mode is theirs.
    pub(super) fn html(&self) -> String {
        let pieces: String = self
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Paragraph(text) => format!("<p dir=\"auto\">{}</p>\n", escaped(text)),
                Piece::Link(verb, address) => {
                    format!("<p><a href=\"{}\">{verb}</a></p>\n", escaped(address))
                }
                Piece::Rows(rows) => {
                    let row = |(name, value): &(String, String)| {
                        let (name, value) = (escaped(name), escaped(value));
                        format!(
                            "<tr><th align=\"left\" dir=\"auto\">{name}</th><td>{value}</td></tr>\n"
                        )
                    };
                    let rows: String = rows.iter().map(row).collect();
                    format!("<table cellpadding=\"4\">\n{rows}</table>\n")
                }
                Piece::Small(text) => format!("<p><small>{}</small></p>\n", escaped(text)),
            })
            .collect();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n</head>\n\
             <body style=\"font-family: sans-serif; line-height: 1.5; max-width: 36em\">\n\
             {pieces}</body>\n</html>\n",
            escaped(&self.subject)
        )
    }
}

/// A text as it stands in HTML, between tags and in the quotes of an attribute.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_says_the_same_as_text_and_as_html() {
        let letter = Letter {
            subject: "New <documents>".to_owned(),
            pieces: vec![
                Piece::Paragraph("You have 2 & more.".to_owned()),
                Piece::Link("Open them", "https://a.example/?a=1&b=2".to_owned()),
                Piece::Rows(vec![("α".to_owned(), "0.71".to_owned())]),
                Piece::Small("Sent by Concord".to_owned()),
            ],
        };
        assert_eq!(
            letter.text(),
            "You have 2 & more.\n\nOpen them:\nhttps://a.example/?a=1&b=2\n\nα: 0.71\n\n--\n\
             Sent by Concord\n"
        );
        let html = letter.html();
        for part in [
            "<title>New &lt;documents&gt;</title>",
            "You have 2 &amp; more.",
            "<a href=\"https://a.example/?a=1&amp;b=2\">Open them</a>",
            "<th align=\"left\" dir=\"auto\">α</th><td>0.71</td>",
        ] {
            assert!(html.contains(part), "{html}");
        }
    }

    #[test]
    fn words_stay_on_one_line() {
        assert_eq!(one_line(" a\r\nBcc: b@c \u{0}\u{2028} d\t"), "a Bcc: b@c d");
        assert_eq!(one_line("\u{202e}moc.live\u{2066} \u{200b}\u{feff} a\u{e0041}"), "moc.live a");
        // Persian and a profession are written with these.
        assert_eq!(one_line("می\u{200c}خواهم 👩\u{200d}🔬"), "می\u{200c}خواهم 👩\u{200d}🔬");
    }
}
