//! Names of files taken apart: folders, and the name without its ending.

/// A file's name in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePath {
    /// The folders, the outermost first; without those that all files lie in.
    pub(crate) folders: Vec<String>,
    /// The name without folders and ending.
    pub(crate) stem: String,
}

/// The names of all files, in their order.
pub(crate) fn taken_apart<'a>(names: impl Iterator<Item = &'a str>) -> Vec<FilePath> {
    let mut paths: Vec<FilePath> = names.map(FilePath::of).collect();
    let common = common_folders(&paths);
    for path in &mut paths {
        path.folders.drain(..common);
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
        let stem = match base.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
            _ => base,
        };
        Self { folders: parts, stem }
    }
}

/// How many folders all paths begin with.
fn common_folders(paths: &[FilePath]) -> usize {
    let Some((first, others)) = paths.split_first() else { return 0 };
    others.iter().fold(first.folders.len(), |common, path| {
        let same = first.folders.iter().zip(&path.folders).take_while(|(a, b)| a == b).count();
        common.min(same)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(names: &[&str]) -> Vec<(String, String)> {
        let paths = taken_apart(names.iter().copied());
        paths.into_iter().map(|path| (path.folders.join("/"), path.stem)).collect()
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
    }
}
