//! A file of settings: the options of `concord serve` by their names, as TOML.

use std::{fs, ops::Range, path::Path};

use serde_json::Value;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::cli::Error;

/// A setting as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// The name of the option.
    pub(super) name: String,
    pub(super) line: usize,
    /// As on a command line; several for an option that may be repeated.
    pub(super) values: Vec<String>,
}

/// The settings of a file, in their order.
pub(super) fn read(path: &Path) -> Result<Vec<Setting>, Error> {
    let wrong = |line, problem| Error::Config { path: path.to_owned(), line, problem };
    let text = fs::read_to_string(path)
        .map_err(|source| Error::ConfigFile { path: path.to_owned(), source })?;
    settings(&text).map_err(|(line, problem)| wrong(line, problem))
}

/// The names of the providers that a file has.
pub(in crate::cli) fn providers(path: &Path) -> Result<Vec<String>, Error> {
    let settings = read(path)?.into_iter().filter(|setting| setting.name == "provider");
    let name = |provider: &String| -> Option<String> {
        let provider: Value = serde_json::from_str(provider).ok()?;
        provider.get("name")?.as_str().map(str::to_owned)
    };
    Ok(settings.flat_map(|setting| setting.values).filter_map(|it| name(&it)).collect())
}

/// What is wrong with a file, and in which line.
type Problem = (usize, String);

fn settings(text: &str) -> Result<Vec<Setting>, Problem> {
    let line_of = |span: Range<usize>| {
        let before = text.get(..span.start).unwrap_or(text);
        before.matches('\n').count() + 1
    };
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, &line_of);
        (line, error.message().to_owned())
    })?;
    let mut found = Vec::new();
    for (name, value) in table.into_inner() {
        let (line, name) = (line_of(name.span()), name.into_inner().into_owned());
        let values = values(value).ok_or_else(|| {
            let problem =
                format!("`{name}` has to be a text, a number, true, false, or a list of these");
            (line, problem)
        })?;
        found.push(Setting { name, line, values });
    }
    found.sort_by_key(|setting| setting.line);
    Ok(found)
}

/// A value as on a command line; none if it cannot stand there.
fn values(value: Spanned<DeValue<'_>>) -> Option<Vec<String>> {
    match value.into_inner() {
        DeValue::Array(values) => values.iter().map(|value| item_of(value.get_ref())).collect(),
        value => Some(vec![text_of(&value)?]),
    }
}

/// An item of a list; a table, such as one below `[[provider]]`, as JSON.
fn item_of(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Table(_) => Some(json_of(value)?.to_string()),
        value => text_of(value),
    }
}

fn json_of(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::String(text) => Some(Value::String(text.to_string())),
        DeValue::Integer(_) => text_of(value)?.parse::<i64>().ok().map(Value::from),
        DeValue::Boolean(is) => Some(Value::Bool(*is)),
        DeValue::Array(values) => values.iter().map(|value| json_of(value.get_ref())).collect(),
        DeValue::Table(table) => {
            let fields = table
                .iter()
                .map(|(name, value)| Some((name.get_ref().to_string(), json_of(value.get_ref())?)));
            fields.collect::<Option<_>>().map(Value::Object)
        }
        _ => None,
    }
}

fn text_of(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Boolean(is) => Some(is.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_their_lines_and_are_written_as_on_a_command_line() {
        let text = "# Ours.\nbind = \"0.0.0.0:80\"\n\ntrusted-proxy = [\"10.0.0.1\",\n \"10.0.0.2\"]\n\
                    live-memory = 512\nrequire-second-factor = true\n";
        let found = settings(text).unwrap();
        let found: Vec<_> =
            found.iter().map(|it| (it.name.as_str(), it.line, it.values.join("+"))).collect();
        assert_eq!(
            found,
            [
                ("bind", 2, "0.0.0.0:80".to_owned()),
                ("trusted-proxy", 4, "10.0.0.1+10.0.0.2".to_owned()),
                ("live-memory", 6, "512".to_owned()),
                ("require-second-factor", 7, "true".to_owned()),
            ]
        );
    }

    #[test]
    fn tables_of_a_list_are_written_as_json() {
        let text = "[[provider]]\nname = \"example\"\njoin-by-email = true\n\
                    projects = [{ group = \"staff\", project = 7, role = \"labeler\" }]\n\
                    [[provider]]\nname = \"other\"\n";
        let found = settings(text).unwrap();
        let [provider] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((provider.name.as_str(), provider.line), ("provider", 1));
        let read: Vec<Value> =
            provider.values.iter().map(|value| serde_json::from_str(value).unwrap()).collect();
        assert_eq!(read[0]["projects"][0]["project"], 7);
        assert_eq!(read[0]["join-by-email"], true);
        assert_eq!(read[1], serde_json::json!({ "name": "other" }));
    }

    #[test]
    fn what_is_wrong_is_told_by_its_line() {
        assert_eq!(settings("bind = \"a\"\nlog = ").unwrap_err().0, 2);
        let (line, problem) = settings("log = \"warn\"\nbind = { port = 80 }\n").unwrap_err();
        assert_eq!(line, 2);
        assert!(problem.starts_with("`bind` has to be"), "{problem}");
        assert_eq!(settings("log = \"a\"\nlog = \"b\"\n").unwrap_err().0, 2);
    }
}
