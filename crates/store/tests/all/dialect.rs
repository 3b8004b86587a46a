//! One dialect: statements are the builder's, and SQL stands only where a comment says why.

use std::{fs, path::Path};

/// What runs SQL, or makes a statement of it.
const RAW: [&str; 9] = [
    "sql::each(",
    "sql::rows(",
    "sql::rows::<",
    "sql::row(",
    "sql::row::<",
    "sql::execute(",
    "_raw(",
    "execute_unprepared(",
    "Statement::from_",
];

#[test]
fn whatever_runs_sql_says_why_the_builder_does_not_do() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = 0;
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // The one door for statements, the connection behind it, and what only tests call.
            let is_door = ["base/sql.rs", "base/connection/transaction.rs"]
                .iter()
                .any(|it| path.ends_with(it));
            if is_door || path == root.join("testing") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
                check(&path, &fs::read_to_string(&path).unwrap());
            }
        }
    }
    assert!(files > 40, "{files}");
}

/// In every function the reason stands before the first statement in SQL.
fn check(path: &Path, text: &str) {
    let mut says_why = false;
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.trim_start();
        if code.contains("fn ") && ["pub", "fn", "async"].iter().any(|it| code.starts_with(it)) {
            says_why = false;
        }
        says_why |= code.starts_with("// SQL: ");
        let is_raw = !code.starts_with("//") && RAW.iter().any(|raw| code.contains(raw));
        assert!(says_why || !is_raw, "{}:{number}: SQL without a reason", path.display());
    }
}
