#!/usr/bin/env bash
# An UPDATE that leaves a row as it is counts as a change (changes() is 1) and commits without an error, but SQLite
# writes nothing: where a cell keeps its length, the B-tree compares the bytes and leaves the page clean. A
# "heartbeat" or health check that updates a row to the value it has therefore passes on a disk that is full and
# never touches the write-ahead log. With another value, and back again in the same transaction, pages are written.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet apsw==3.53.2.0
cat > check.py <<'PYTHON'
import os
import apsw

print("apsw", apsw.apsw_version(), "with SQLite", apsw.sqlite_lib_version())
db = apsw.Connection("rows.db")
for sql in [
    "PRAGMA journal_mode = WAL",
    "PRAGMA wal_autocheckpoint = 0",
    "CREATE TABLE t (id INTEGER PRIMARY KEY, at INTEGER)",
    "INSERT INTO t VALUES (1, 1700000000)",
]:
    list(db.execute(sql))


def written(*values):
    before = os.path.getsize("rows.db-wal")
    db.execute("BEGIN IMMEDIATE")
    changes = []
    for value in values:
        db.execute("UPDATE t SET at = ? WHERE id = 1", (value,))
        changes.append(db.changes())
    db.execute("COMMIT")
    return changes, os.path.getsize("rows.db-wal") - before


same = written(1700000000)
back = written(1700000001, 1700000000)
print(f"the same value: {same[0]} changed, {same[1]} bytes written")
print(f"another value and back: {back[0]} changed, {back[1]} bytes written")
raise SystemExit(0 if same == ([1], 0) and back[1] > 0 else 1)
PYTHON
python/bin/python check.py
