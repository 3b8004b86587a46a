//! What is planted: words that would do something if anybody took them for more than words.

/// A kind of hostile words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    /// Ends of whatever they may stand in, and elements, attributes and links that run something.
    Markup,
    /// Formulas, ends of headers and lines, sequences for terminals, other directions of writing.
    Control,
    /// Ten thousand characters.
    Long,
}

/// What all planted words have in them, before their number.
pub(super) const MARK: &str = "planted";

/// Signs that make a cell a formula.
const SIGNS: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '＝'];

impl Flavour {
    /// The words for a row of a column; the column's number stands in them. No two are the same.
    pub(super) fn words(self, number: usize, row: usize) -> String {
        let mark = mark(number);
        match self {
            Self::Markup => format!(
                "\"'><i {mark} onfocus={mark} autofocus>{row}</title></textarea></script></style>\
                 </svg></option></select></template>--><script>{mark}()</script>\
                 <svg onload={mark}><base href=//{mark}><form action=//{mark}><iframe src=//{mark}>\
                 <meta http-equiv=refresh content=0;//{mark}><a href=javascript:{mark}>{{{{7*7}}}}\
                 [x](javascript:{mark}) <javascript:{mark}> ![x](//{mark}) \\input{{{mark}}} | `&lt;"
            ),
            Self::Control => {
                let sign = SIGNS[number % SIGNS.len()];
                format!(
                    "{sign}{mark}(1;2)|' /C x'!A{row}\r\nSet-Cookie: {mark}=1\r\n\r\ndata: {mark}\n\n\
                     \u{1b}[2J\u{1b}]0;x\u{7}\u{8}\u{202e}\u{2066}\u{200f}\u{2028}\u{feff}x"
                )
            }
            Self::Long => format!("{mark} {row} {}", "x".repeat(10_000)),
        }
    }
}

/// What tells from which column words are.
pub(super) fn mark(number: usize) -> String {
    format!("{MARK}{number:03}")
}
