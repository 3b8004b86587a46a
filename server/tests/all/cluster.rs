//! A PostgreSQL of a test's own, which it may stop: made with the programs of the one that all tests share.

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    os::unix::{
        fs::{MetadataExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use store::testing::{POSTGRES_REQUIRED, POSTGRES_URL};
use tempfile::TempDir;

/// It is stopped, and its data removed, when this is dropped.
pub(crate) struct Cluster {
    programs: PathBuf,
    /// Who it runs as: it refuses to be root.
    user: u32,
    folder: TempDir,
}

impl Cluster {
    /// A new one that takes connections; none where tests have no PostgreSQL whose programs are here.
    pub(crate) fn start() -> Option<Self> {
        Self::start_with(|_| String::new())
    }

    /// The same with settings, which are made of the folder in which it is.
    pub(crate) fn start_with(settings: impl FnOnce(&Path) -> String) -> Option<Self> {
        let Some((programs, user)) = shared() else {
            let required = env::var(POSTGRES_REQUIRED).is_ok_and(|required| required == "1");
            assert!(!required, "{POSTGRES_REQUIRED} is 1, but {POSTGRES_URL} is no folder here");
            return None;
        };
        // The path of a socket has to be short.
        let folder = tempfile::Builder::new().prefix("concord-own-").tempdir_in("/tmp").unwrap();
        chown(folder.path(), Some(user), None).unwrap();
        let cluster = Self { programs, user, folder };
        cluster.run("initdb", &["-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"]);
        let settings = settings(cluster.folder.path());
        let file = cluster.folder.path().join("data/postgresql.conf");
        fs::OpenOptions::new()
            .append(true)
            .open(file)
            .unwrap()
            .write_all(settings.as_bytes())
            .unwrap();
        cluster.go_on();
        cluster.run_beside("createdb", &["concord"]);
        Some(cluster)
    }

    /// The address of its database.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@localhost/concord?host={}", self.folder.path().display())
    }

    /// The folder in which it is: its data, and whatever else its account may have.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Gives a file or a folder to its account.
    pub(crate) fn own(&self, path: &Path) {
        chown(path, Some(self.user), None).unwrap();
    }

    /// What a statement answers.
    pub(crate) fn sql(&self, statement: &str) -> String {
        let output =
            self.beside("psql").args(["-qAt", "concord", "-c", statement]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Runs a script of bash as its account, with its programs at hand, and in an environment.
    pub(crate) fn script(&self, path: &Path, words: &[&str], environment: &[(&str, &Path)]) {
        let search = format!("{}:{}", self.programs.display(), env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.arg(path).args(words).current_dir(self.folder.path()).uid(self.user);
        command.env("PATH", search).env("PGHOST", self.folder.path()).env("PGUSER", "postgres");
        let output =
            command.envs(environment.iter().copied()).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Loses it, as when its disk breaks: nothing that it would have written is.
    pub(crate) fn lose(&self) {
        self.run("pg_ctl", &["-m", "immediate", "-w", "stop"]);
        fs::remove_dir_all(self.folder.path().join("data")).unwrap();
    }

    /// Stops it; connections end.
    pub(crate) fn stop(&self) {
        self.run("pg_ctl", &["-m", "fast", "-w", "stop"]);
    }

    /// Starts it again.
    pub(crate) fn go_on(&self) {
        succeed(&mut self.starting());
    }

    /// Starts it where that may fail, at once or soon; what it says is in `log` in its folder.
    pub(crate) fn try_to_go_on(&self) {
        // A server that is started keeps what it is given for output: it is not waited for.
        let mut starting = self.starting();
        starting.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    }

    /// Whether it runs.
    pub(crate) fn is_up(&self) -> bool {
        self.program("pg_ctl").arg("status").output().unwrap().status.success()
    }

    fn starting(&self) -> Command {
        let folder = self.folder.path().display();
        let options = format!("-k {folder} -c listen_addresses='' -c fsync=off");
        let mut command = self.program("pg_ctl");
        command.args(["-l", &format!("{folder}/log"), "-o", &options, "-w", "start"]);
        command
    }

    /// Carries out statements, and holds what they lock for as long as what is returned is kept.
    pub(crate) fn lock(&self, statements: &str) -> Locked {
        let mut command = self.beside("psql");
        command.args(["-qAt", "concord"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut session = command.spawn().unwrap();
        let input = session.stdin.as_mut().unwrap();
        writeln!(input, "{statements};\n\\echo held").unwrap();
        let mut line = String::new();
        BufReader::new(session.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "held\n");
        Locked(session)
    }

    /// A program, as whom the server runs.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.current_dir(self.folder.path()).uid(self.user).stdin(Stdio::null());
        command.env("PGDATA", self.folder.path().join("data"));
        command
    }

    /// A program that talks to the server.
    fn beside(&self, name: &str) -> Command {
        let mut command = self.program(name);
        command.arg("-h").arg(self.folder.path()).args(["-U", "postgres"]);
        command
    }

    fn run(&self, name: &str, words: &[&str]) {
        succeed(self.program(name).args(words));
    }

    fn run_beside(&self, name: &str, words: &[&str]) {
        succeed(self.beside(name).args(words));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // It may be stopped already.
        let stopped = self.program("pg_ctl").args(["-m", "immediate", "-w", "stop"]).output();
        drop(stopped);
    }
}

/// A session that holds a lock.
pub(crate) struct Locked(Child);

impl Drop for Locked {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        drop(self.0.wait());
    }
}

fn succeed(command: &mut Command) {
    // A server that is started keeps what it is given for output: it is not waited for.
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
}

/// Where the programs of the PostgreSQL that tests share are, and who it runs as.
fn shared() -> Option<(PathBuf, u32)> {
    let url = env::var(POSTGRES_URL).ok()?;
    let (_, folder) = url.split_once("host=")?;
    let data = Path::new(folder).join("data");
    // What it was started with, the program first.
    let started = fs::read_to_string(data.join("postmaster.opts")).ok()?;
    let programs = Path::new(started.split(' ').next()?).parent()?.to_owned();
    Some((programs, fs::metadata(data).ok()?.uid()))
}
