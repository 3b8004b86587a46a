//! `concord measure` and `concord compare`: what they say of files, and how they end.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Output, Stdio},
};

use serde_json::Value;

use super::cli::{concord, text};

/// Measures what is piped in.
fn measure(arguments: &[&str], file: &str) -> Output {
    let mut child = concord(&["measure"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its options does not read.
    drop(child.stdin.take().unwrap().write_all(file.as_bytes()));
    child.wait_with_output().unwrap()
}

#[test]
fn a_study_is_measured_from_a_pipe_and_from_a_file() {
    let file = "0;0\n1;1\n1;0\n0;0\n0;0\n1;0\n0;0\n1;0\n0;1\n0;0\n";
    let piped = measure(&["--json"], file);
    assert_eq!(piped.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&piped.stdout).unwrap();
    let measures = report["measures"].as_array().unwrap();
    let kappa = measures.iter().find(|measure| measure["id"] == "cohen_kappa").unwrap();
    assert_eq!(kappa["expected"], 0.56);

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("komen.csv");
    fs::write(&path, file).unwrap();
    let read = concord(&["measure", "--json"]).arg(&path).output().unwrap();
    assert_eq!(read.stdout, piped.stdout);
    let text = text(&measure(&["-"], file).stdout);
    assert!(text.starts_with("Understood\n") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn what_cannot_be_measured_says_why_and_has_a_code_of_its_own() {
    for (arguments, file, code, reason) in [
        (&["--raters", "9"][..], "0,0\n", 2, "concord: there is no column “9”"),
        (&["--level", "high"], "0,0\n", 2, "error: invalid value"),
        (&["--diagnostics", "moods"], "0,0\n", 2, "concord: “moods” is not a diagnostic"),
        (&[], "0,0\n0\n", 3, "concord: standard input: line 2, column 1: there are 1 columns"),
        (&["/nowhere/at/all.csv"], "", 3, "concord: /nowhere/at/all.csv cannot be opened"),
    ] {
        let refused = measure(arguments, file);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}");
        assert!(refused.stdout.is_empty());
        let said = text(&refused.stderr);
        assert!(said.starts_with(reason), "{said}");
    }
}

/// The worked example: what labelers A and B marked in one text, as two files.
fn two_exports(dir: &Path) -> [std::path::PathBuf; 2] {
    let text = "The Tragedy of Hamlet, Prince of Denmark, shortened to Hamlet, by William \
                Shakespeare, 1599 or 1601. It is Shakespeare's longest play.";
    let positions = [
        (0, 21, "EVE", "TITLE"),
        (23, 40, "PER", ""),
        (55, 61, "PER", "TITLE"),
        (66, 85, "PER", "PER"),
        (87, 91, "YEAR", "YEAR"),
        (95, 99, "YEAR", "YEAR"),
        (107, 118, "ORG", "ORG"),
    ];
    let line = |of: fn(&(u32, u32, &'static str, &'static str)) -> &'static str| {
        let marked = positions.iter().filter(|position| !of(position).is_empty());
        let spans: Vec<_> = marked
            .map(|it| serde_json::json!({ "start": it.0, "end": it.1, "label": of(it) }))
            .collect();
        serde_json::json!({ "id": 1, "text": text, "spans": spans }).to_string()
    };
    let paths = ["A.jsonl", "B.jsonl"].map(|name| dir.join(name));
    fs::write(&paths[0], line(|it| it.2)).unwrap();
    fs::write(&paths[1], line(|it| it.3)).unwrap();
    paths
}

#[test]
fn two_exports_are_compared_without_a_server() {
    let (dir, taken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let [a, b] = two_exports(dir.path());
    let (report, list) = (dir.path().join("report.html"), taken.path().join("list.csv"));
    let compared = concord(&["compare", "--json", "--policy", "empty-label", "--report"])
        .args([&report, Path::new("--list"), &list, &a, &b])
        .output()
        .unwrap();
    assert_eq!(compared.status.code(), Some(0), "{}", text(&compared.stderr));
    let view: Value = serde_json::from_slice(&compared.stdout).unwrap();
    let cell = &view["matrix"]["cells"][0];
    let kappa = cell["measured"]["Value"]["value"].as_f64().unwrap();
    assert_eq!((format!("{kappa:.4}").as_str(), &cell["n"]), ("0.4878", &Value::from(7)));
    assert_eq!(view["disagreements"]["page"]["total"], 3);
    assert!(fs::read_to_string(report).unwrap().contains("0.4878"));
    assert_eq!(fs::read_to_string(list).unwrap().lines().count(), 1 + 3);

    // A folder is as good as the files in it.
    let folder = concord(&["compare"]).arg(dir.path()).output().unwrap();
    assert_eq!(folder.status.code(), Some(0), "{}", text(&folder.stderr));
    let said = text(&folder.stdout);
    let pair = said.lines().find(|line| line.contains("A × B")).unwrap();
    assert!(pair.contains("0.5862") && pair.contains("6 of 7"), "{said}");
    assert!(said.contains("report.html") && said.contains("Differences: 3"), "{said}");
}

/// A tree of a truth and two workers, of whom one has marked nothing, with a link in it.
fn truth_and_workers(dir: &Path) {
    for (path, tag) in [
        ("truth/1", "B-PER"),
        ("truth/2", "B-LOC"),
        ("workers/ana/1", "B-PER"),
        ("workers/ana/2", "B-PER"),
        ("workers/bo/1", "O"),
        ("workers/bo/2", "O"),
    ] {
        let path = dir.join(format!("{path}.conll"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let document = path.file_stem().unwrap().to_str().unwrap();
        fs::write(&path, format!("Gil{document} {tag}\nsings O\n")).unwrap();
    }
    std::os::unix::fs::symlink(dir.join("truth"), dir.join("link")).unwrap();
}

#[test]
fn who_the_raters_are_is_shown_before_anything_that_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    truth_and_workers(dir.path());
    let compared = concord(&["compare"]).arg(dir.path()).output().unwrap();
    let (said, warned) = (text(&compared.stdout), text(&compared.stderr));
    assert_eq!(compared.status.code(), Some(0), "{warned}");
    assert!(warned.starts_with("concord: links are not followed: "), "{warned}");
    assert!(said.starts_with("! No spans at all by bo.\n"), "{said}");
    let raters: Vec<_> = said
        .lines()
        .skip_while(|line| *line != "Raters, names: folder:2")
        .skip(1)
        .map(|line| line.split_whitespace().next().unwrap_or_default())
        .take(3)
        .collect();
    assert_eq!(raters, ["truth", "ana", "bo"], "{said}");
    assert!(said.find("truth/1.conll").unwrap() < said.find("Pairs:").unwrap(), "{said}");
    assert_eq!(said.matches("the tags are IOB2").count(), 1, "{said}");

    let chosen = ["compare", "--raters", "folder:2", "--leave-out", "bo", "--map-label", "LOC=PER"];
    let compared = concord(&[&chosen[..], &["--json"]].concat()).arg(dir.path()).output().unwrap();
    let view: Value = serde_json::from_slice(&compared.stdout).unwrap();
    assert_eq!(view["raters_from"], "folder:2");
    assert_eq!(view["understood"][1]["name"], "ana");
    assert_eq!(view["matrix"]["cells"].as_array().unwrap().len(), 1);
    assert_eq!(view["matrix"]["cells"][0]["n"], 2);

    let asked = concord(&["compare", "--max-raters", "2"]).arg(dir.path()).output().unwrap();
    let why = text(&asked.stderr);
    assert_eq!(asked.status.code(), Some(3));
    assert!(why.contains("3 raters found, at most 2 are compared"), "{why}");
    let truth = concord(&["compare"]).arg(dir.path().join("truth")).output().unwrap();
    let why = text(&truth.stderr);
    assert_eq!(truth.status.code(), Some(3));
    assert!(
        why.contains("Choose rater names: --raters file (1, 2), --raters folder:1 (truth)"),
        "{why}"
    );
}

#[test]
fn who_stops_reading_ends_a_command_without_a_word() {
    let dir = tempfile::tempdir().unwrap();
    let [a, b] = two_exports(dir.path());
    let mut comparing = concord(&["compare"]);
    let mut child =
        comparing.args([a, b]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), text(&ended.stderr)), (Some(0), String::new()));
}

#[test]
fn what_cannot_be_compared_says_why_and_has_a_code_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let [a, _] = two_exports(dir.path());
    let wrong = dir.path().join("wrong.jsonl");
    fs::write(&wrong, "{\"text\": \"a\", \"spans\": 3}\n").unwrap();
    let (a, wrong) = (a.to_str().unwrap(), wrong.to_str().unwrap());
    for (arguments, code, reason) in [
        (&["compare"][..], 2, "error: the following required arguments"),
        (&["compare", "--measure", "gamma", a], 2, "error: invalid value"),
        (&["compare", "--list", "list.xls", a], 2, "concord: --list needs a .csv"),
        (&["compare", a], 3, "concord: "),
        (&["compare", a, wrong], 3, "concord: "),
        (&["compare", a, "/nowhere/b.jsonl"], 3, "concord: /nowhere/b.jsonl cannot be opened"),
        (&["compare", "--raters", "pattern:(.*)", a], 2, "error: invalid value"),
        (&["compare", "--map-label", "PER", a], 2, "concord: invalid --map-label: PER"),
    ] {
        let refused = concord(arguments).output().unwrap();
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.starts_with(reason), "{said}");
        assert!(refused.stdout.is_empty());
    }
    let said = text(&concord(&["compare", a, wrong]).output().unwrap().stderr);
    assert!(said.contains("wrong.jsonl, line 1, field spans: "), "{said}");
}
