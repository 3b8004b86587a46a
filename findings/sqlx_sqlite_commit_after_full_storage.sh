#!/usr/bin/env bash
# After SQLite has ended a transaction by itself (here at a COMMIT that finds no room), sqlx-sqlite 0.9.0 goes on
# counting it as open, because the ROLLBACK that follows fails. The next transaction is then begun with SAVEPOINT
# and ended with RELEASE: both succeed, and so does every later commit. But the first SAVEPOINT outside of a
# transaction begins one, and after one rollback in between it is never committed: what was committed since is
# lost when the connection closes. A pool of one connection, as is usual for a writer, never replaces it.
#
# Shown with a limit on the size of files, which a process sets for itself and lifts again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "finding"
version = "0.0.0"
edition = "2024"

[dependencies]
libc = "=0.2.191"
sqlx = { version = "=0.9.0", default-features = false, features = ["runtime-tokio", "sqlite"] }
tokio = { version = "1", features = ["macros", "rt"] }
TOML
cat > src/main.rs <<'RUST'
use sqlx::{Connection, Row, SqliteConnection, query};

/// Limits how large a file of this process may become; 0 lifts the limit.
fn limit(bytes: u64) {
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        let most = libc::RLIM_INFINITY;
        let now = libc::rlimit { rlim_cur: if bytes == 0 { most } else { bytes }, rlim_max: most };
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &now), 0);
    }
}

async fn insert(connection: &mut SqliteConnection, bytes: usize) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin().await?;
    query("INSERT INTO t (x) VALUES (?)").bind("x".repeat(bytes)).execute(&mut *transaction).await?;
    transaction.commit().await
}

async fn count(url: &str) -> i64 {
    let mut other = SqliteConnection::connect(url).await.unwrap();
    query("SELECT COUNT(*) FROM t").fetch_one(&mut other).await.unwrap().get(0)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let url = "sqlite://rows.db?mode=rwc";
    let mut connection = SqliteConnection::connect(url).await.unwrap();
    for sql in ["PRAGMA journal_mode = WAL", "CREATE TABLE t (x TEXT)"] {
        query(sql).execute(&mut connection).await.unwrap();
    }
    limit(64 * 1024);
    for _ in 0..2 {
        println!("no room: {}", insert(&mut connection, 500_000).await.unwrap_err());
    }
    limit(0);
    let mut acknowledged = 0;
    for _ in 0..3 {
        acknowledged += i64::from(insert(&mut connection, 10).await.is_ok());
    }
    let seen = count(url).await;
    drop(connection);
    let kept = count(url).await;
    println!("acknowledged {acknowledged}, seen by others {seen}, kept after closing {kept}");
    std::process::exit(i32::from(!(acknowledged == 3 && seen == 0 && kept == 0)));
}
RUST
echo "sqlx 0.9.0"
cargo run --quiet
