//! PostgreSQL as it was at a time: the scripts of `deploy/postgresql`, on a cluster of the test's own.

use std::{env, fs, path::Path, process::Command};

use store::testing::POSTGRES_REQUIRED;

use super::{
    cli::{Running, concord, text},
    cluster::Cluster,
    watched::wait_until,
};

const RECIPIENT: &str = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa";
const IDENTITY: &str = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33";

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// A cluster whose log is archived in a folder beside its data; none where programs are missing and need not be
/// there.
fn start_archiving() -> Option<Cluster> {
    let missing = ["age", "zstd", "bash"].into_iter().find(|program| !is_installed(program));
    if let Some(missing) = missing {
        let required = env::var(POSTGRES_REQUIRED).is_ok_and(|required| required == "1");
        assert!(!required, "{POSTGRES_REQUIRED} is 1, but {missing} is not installed");
        return None;
    }
    Cluster::start_with(|folder| {
        let at = |name: &str| folder.join(name).display().to_string();
        format!(
            "archive_mode = on\narchive_command = \
             'ARCHIVE={} RECIPIENTS={} bash {} %p %f'\n",
            at("archive"),
            at("recipients"),
            at("archive.sh")
        )
    })
}

#[test]
fn a_database_of_postgres_comes_back_as_it_was_at_a_time() {
    let Some(cluster) = start_archiving() else { return };
    let folder = cluster.folder();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/postgresql");
    for name in ["archive.sh", "base.sh", "recover.sh"] {
        fs::copy(scripts.join(name), folder.join(name)).unwrap();
        cluster.own(&folder.join(name));
    }
    fs::write(folder.join("recipients"), RECIPIENT).unwrap();
    fs::write(folder.join("identity"), IDENTITY).unwrap();
    fs::create_dir(folder.join("archive")).unwrap();
    for name in ["recipients", "identity", "archive"] {
        cluster.own(&folder.join(name));
    }
    let [archive, recipients] = ["archive", "recipients"].map(|name| folder.join(name));

    let (dir, url) = (tempfile::tempdir().unwrap(), cluster.url());
    let run = |words: &[&str]| {
        let mut command = concord(words);
        command.args(["--database-url", &url, "--data-dir"]).arg(dir.path()).output().unwrap()
    };
    let add = |name: &str| {
        let email = format!("{name}@example.org");
        let added = run(&["user", "add", "--email", &email, "--name", name]);
        assert!(added.status.success(), "{}", text(&added.stderr));
    };
    let is_there = |name: &str| {
        let email = format!("{name}@example.org");
        run(&["user", "projects", "--email", &email, "--allow"]).status.success()
    };
    let demo = Running::start(&["--demo", "--database-url", &url], dir.path());
    assert_eq!(demo.stop(), "");
    let base = [("ARCHIVE", archive.as_path()), ("RECIPIENTS", recipients.as_path())];
    cluster.script(&folder.join("base.sh"), &[], &base);
    add("ada");
    let time = cluster.sql("SELECT clock_timestamp()");
    add("eve");
    let piece = cluster.sql("SELECT pg_walfile_name(pg_switch_wal())");
    wait_until("the log is archived", || archive.join(format!("{piece}.zst.age")).exists());
    cluster.lose();

    // As somebody writes it: relative to where they are.
    let recover = [("ARCHIVE", Path::new("archive")), ("IDENTITY", Path::new("identity"))];
    let data = folder.join("data");
    let data = data.to_str().unwrap();
    for (time, eve_is_there) in [(Some(time.as_str()), false), (None, true)] {
        let words: Vec<_> = [Some(data), time].into_iter().flatten().collect();
        cluster.script(&folder.join("recover.sh"), &words, &recover);
        cluster.go_on();
        wait_until("it is recovered", || cluster.sql("SELECT pg_is_in_recovery()") == "f");
        assert_eq!((is_there("ada"), is_there("eve")), (true, eve_is_there), "{time:?}");
        let verified = run(&["verify"]);
        assert!(verified.status.success(), "{}", text(&verified.stdout));
        cluster.lose();
    }

    // A piece that is damaged is not the end of the log: nothing begins where it would be.
    let damaged = archive.join(format!("{piece}.zst.age"));
    let mut bytes = fs::read(&damaged).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    cluster.script(&folder.join("recover.sh"), &[data], &recover);
    cluster.try_to_go_on();
    wait_until("it has given up", || !cluster.is_up());
    let log = fs::read_to_string(folder.join("log")).unwrap();
    assert!(log.contains(&format!("{piece}.zst.age is damaged")), "{log}");
}
