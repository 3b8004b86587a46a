//! Names of files taken apart: folders, and the name without its ending.

/// A file's name in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePath {
    /// The folders, the outermost first; a zip is one, too.
    pub(crate) folders: Vec<String>,
    /// How many of the folders others lie in, too: all whose names are to be told apart.
    pub(crate) shared: usize,
    /// Whether nobody has a folder that others do not lie in.
    is_flat: bool,
    /// The name without folders and ending.
    pub(crate) stem: String,
}

/// The names of files in their order, each with whether it is to be told apart from the others.
pub(crate) fn taken_apart<'a>(names: impl Iterator<Item = (&'a str, bool)>) -> Vec<FilePath> {
    let (mut paths, told): (Vec<FilePath>, Vec<bool>) =
        names.map(|(name, told)| (FilePath::of(name), told)).unzip();
    let mut common: Option<Vec<String>> = None;
    for (path, _) in paths.iter().zip(&told).filter(|(_, told)| **told) {
        match &mut common {
            None => common = Some(path.folders.clone()),
            Some(common) => common.truncate(alike(common, &path.folders)),
        }
    }
    let common = common.unwrap_or_default();
    for path in &mut paths {
        path.shared = alike(&common, &path.folders);
    }
    let is_flat = !paths.iter().zip(told).any(|(path, told)| told && !path.own().is_empty());
    for path in &mut paths {
        path.is_flat = is_flat;
    }
    paths
}

impl FilePath {
    fn of(name: &str) -> Self {
        let mut parts: Vec<String> = name
            .split(['/', '\\'])
            .filter(|part| !part.is_empty() && *part != ".")
            .map(str::to_owned)
            .collect();
        let base = parts.pop().unwrap_or_else(|| name.to_owned());
        let without = |ending: fn(&str) -> bool, name: String| match name.rsplit_once('.') {
            Some((stem, last)) if !stem.is_empty() && ending(last) => stem.to_owned(),
            _ => name,
        };
        let is_zip = |ending: &str| ending.eq_ignore_ascii_case("zip");
        let folders = parts.into_iter().map(|folder| without(is_zip, folder)).collect();
        Self { folders, shared: 0, is_flat: false, stem: without(|_| true, base) }
    }

    /// The folders that others do not lie in.
    pub(crate) fn own(&self) -> &[String] {
        self.folders.get(self.shared..).unwrap_or_default()
    }

    /// The place of the folder at a level among its own, counted from 1, or of the innermost that
    /// the file has; none if it has none. Where all files lie in the same folder, it is that one.
    pub(crate) fn folder_at(&self, level: usize) -> Option<usize> {
        let at = (self.shared + level).min(self.folders.len()).checked_sub(1)?;
        (self.is_flat || at >= self.shared).then_some(at)
    }
}

/// How many folders both begin with.
fn alike(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(names: &[&str]) -> Vec<(String, String)> {
        let paths = taken_apart(names.iter().map(|name| (*name, true)));
        paths.into_iter().map(|path| (path.own().join("/"), path.stem)).collect()
    }

    #[test]
    fn folders_that_all_files_lie_in_say_nothing() {
        let of = |folders: &str, stem: &str| (folders.to_owned(), stem.to_owned());
        assert_eq!(apart(&["ana.jsonl", "bo.jsonl"]), [of("", "ana"), of("", "bo")]);
        assert_eq!(
            apart(&["data/ana.jsonl", "data/bo.v2.jsonl"]),
            [of("", "ana"), of("", "bo.v2")]
        );
        assert_eq!(
            apart(&["x/ana/1.conll", "./x/ana/sub/2.conll", "x\\bo\\1.conll"]),
            [of("ana", "1"), of("ana/sub", "2"), of("bo", "1")]
        );
        assert_eq!(apart(&[".hidden"]), [of("", ".hidden")]);
        assert_eq!(apart(&["ana.zip/1.ann", "bo.ZIP/1.ann"]), [of("ana", "1"), of("bo", "1")]);
    }
}
