//! The columns of a CoNLL-U file: what each line's are, and where spans stand.

use std::collections::BTreeMap;

use crate::columns::tags::Tag;
use crate::import::options::ReadOptions;
use crate::problem::Problem;
use crate::problem::conllu::ConlluProblem;
use crate::problem::quoted::shorten;

const NAMES: [&str; 10] =
    ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"];

/// What columns and keys of spans are called, in upper case.
const SPAN_NAMES: [&str; 3] = ["NER", "NE", "ENTITY"];

/// Keys of `MISC` that the treebanks use for words, whose values may look like tags.
const WORD_KEYS: [&str; 6] = ["GLOSS", "LGLOSS", "MGLOSS", "TRANSLIT", "LTRANSLIT", "CORRECTFORM"];

/// The most keys of `MISC` with tags that are told of.
const MAX_KEYS: usize = 20;

/// The keys of `MISC` with tags.
#[derive(Debug, Default)]
pub(super) struct Keys {
    options: ReadOptions,
    /// The one that spans are read from, once it is known.
    pub(super) chosen: Option<String>,
    /// How many tags there are in others.
    pub(super) others: BTreeMap<String, usize>,
}

impl Keys {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self { options: options.clone(), ..Self::default() }
    }

    /// Whether the key is the one with tags, which the first that could be is.
    fn is_chosen(&mut self, name: &str, value: &str) -> Result<bool, (&'static str, Problem)> {
        if self.chosen.as_deref() == Some(name) {
            return Ok(true);
        }
        let upper = name.to_uppercase();
        let is_tag = !WORD_KEYS.contains(&upper.as_str())
            && Tag::parse(value).is_ok_and(|tag| tag.label().is_some());
        let is_asked = self.options.asks_for(name);
        let is_known = SPAN_NAMES.contains(&upper.as_str());
        let may_be = if self.options.layers.is_empty() { is_known || is_tag } else { is_asked };
        if self.chosen.is_some() || !may_be {
            if is_tag && (self.others.len() < MAX_KEYS || self.others.contains_key(name)) {
                *self.others.entry(shorten(name)).or_default() += 1;
            }
            return Ok(false);
        }
        if value.starts_with('(') || value.ends_with(')') {
            return Err(("MISC", ConlluProblem::Brackets(shorten(value)).into()));
        }
        self.chosen = Some(name.to_owned());
        Ok(true)
    }
}

/// Where the columns are that matter here.
#[derive(Debug)]
pub(super) struct Columns {
    count: usize,
    id: Option<usize>,
    form: usize,
    misc: Option<usize>,
    /// The column with tags and its name.
    tags: Option<(usize, String)>,
}

/// What a token's id says that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word(u32),
    /// A token of the text that is several words, from the first to the last.
    Several(u32, u32),
    Empty,
}

/// A line that is no comment.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) form: String,
    /// The tag, where the line has one.
    pub(super) tag: Option<String>,
    /// `SpaceAfter=No`.
    pub(super) no_space: bool,
    /// `SpacesAfter`, unescaped.
    pub(super) after: Option<String>,
    /// `SpacesBefore`, unescaped.
    pub(super) before: Option<String>,
}

impl Columns {
    pub(super) fn new(options: &ReadOptions) -> Self {
        let names = NAMES.join(" ");
        Self::named(&names, options).unwrap_or(Self {
            count: 0,
            id: None,
            form: 0,
            misc: None,
            tags: None,
        })
    }

    /// The columns that `# global.columns =` names.
    pub(super) fn named(names: &str, options: &ReadOptions) -> Result<Self, ConlluProblem> {
        let names: Vec<&str> = names.split_whitespace().collect();
        let place = |wanted: &str| names.iter().position(|name| *name == wanted);
        let is_span = |name: &&str| {
            let last = name.rsplit(':').next().unwrap_or(name).to_uppercase();
            SPAN_NAMES.contains(&last.as_str())
        };
        let asked = names.iter().position(|name| options.asks_for(name));
        let tags = asked.or_else(|| names.iter().position(is_span));
        Ok(Self {
            count: names.len(),
            id: place("ID"),
            form: place("FORM").ok_or(ConlluProblem::NoForms)?,
            misc: place("MISC"),
            tags: tags.and_then(|at| Some((at, (*names.get(at)?).to_owned()))),
        })
    }

    /// Where tags stand if a column has them.
    pub(super) fn tag_column(&self) -> Option<String> {
        self.tags.as_ref().map(|(_, name)| format!("the column {}", shorten(name)))
    }

    /// Reads a line.
    pub(super) fn row(&self, line: &str, keys: &mut Keys) -> Result<Row, (&'static str, Problem)> {
        let (found, expected) = (line.split('\t').count(), self.count);
        if found != expected {
            return Err(("", ConlluProblem::Columns { found, expected }.into()));
        }
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let kind = match self.id {
            Some(at) => {
                kind(cell(at)).ok_or_else(|| ("ID", ConlluProblem::Id(shorten(cell(at))).into()))?
            }
            None => Kind::Word(0),
        };
        let form = cell(self.form);
        if form.trim().is_empty() && kind != Kind::Empty {
            return Err(("FORM", ConlluProblem::NoForm.into()));
        }
        let mut row = Row {
            kind,
            form: form.to_owned(),
            tag: None,
            no_space: false,
            after: None,
            before: None,
        };
        let misc = self.misc.map(cell).filter(|misc| *misc != "_").unwrap_or_default();
        for (name, value) in misc.split('|').filter_map(|pair| pair.split_once('=')) {
            match name {
                "SpaceAfter" => row.no_space = value == "No",
                "SpacesAfter" => row.after = whitespace(value),
                "SpacesBefore" => row.before = whitespace(value),
                _ if self.tags.is_none() && keys.is_chosen(name, value)? => {
                    row.tag = Some(value.to_owned());
                }
                _ => {}
            }
        }
        if let Some((at, _)) = &self.tags {
            row.tag =
                Some(cell(*at)).filter(|tag| !["_", "*", ""].contains(tag)).map(str::to_owned);
        }
        Ok(row)
    }
}

fn kind(id: &str) -> Option<Kind> {
    let number = |digits: &str| {
        let digits = Some(digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        digits?.parse::<u32>().ok()
    };
    if let Some((first, last)) = id.split_once('-') {
        let (first, last) = (number(first)?, number(last)?);
        return (first < last).then_some(Kind::Several(first, last));
    }
    if let Some((word, node)) = id.split_once('.') {
        return number(word).and(number(node)).map(|_| Kind::Empty);
    }
    number(id).map(Kind::Word)
}

/// What `SpacesAfter` says, with the escapes of UDPipe; none if that is no whitespace.
fn whitespace(value: &str) -> Option<String> {
    let mut text = String::new();
    let mut scalars = value.chars();
    while let Some(scalar) = scalars.next() {
        text.push(match scalar {
            '\\' => match scalars.next()? {
                's' => ' ',
                't' => '\t',
                'r' => '\r',
                'n' => '\n',
                _ => return None,
            },
            other => other,
        });
    }
    text.chars().all(char::is_whitespace).then_some(text)
}
