//! Every text that a database holds, found from its schema, and rewritten past the services: as rows
//! may be that are older than a rule.

use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};

/// A column of text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextColumn {
    pub table: String,
    pub column: String,
}

/// A database of SQLite's, not brought up to date and not checked.
#[derive(Debug)]
pub struct StoredText(DatabaseConnection);

impl StoredText {
    /// Opens the database in a file.
    pub async fn open(path: &str) -> Self {
        let url = format!("sqlite://{path}?mode=rw");
        Self(Database::connect(url).await.expect("the database opens"))
    }

    /// All columns of text in all tables; times are none.
    pub async fn columns(&self) -> Vec<TextColumn> {
        let rows = self.0.query_all_raw(Statement::from_string(
            DbBackend::Sqlite,
            "SELECT list.name, info.name FROM sqlite_schema AS list, pragma_table_info(list.name) AS info
             WHERE list.type = 'table' AND list.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
             AND list.name <> 'seaql_migrations'
             AND lower(info.type) NOT LIKE '%blob%'
             AND lower(info.type) NOT LIKE '%int%' AND lower(info.type) NOT LIKE '%bool%'
             AND lower(info.type) NOT LIKE 'timestamp%' AND lower(info.type) NOT LIKE 'date%'
             AND lower(info.type) NOT IN ('double', 'real', 'float')
             ORDER BY list.name, info.name",
        ));
        let rows = rows.await.expect("the schema can be read");
        let column = |row: &sea_orm::QueryResult| {
            let (table, column) = row.try_get_many_by_index().expect("two names");
            TextColumn { table, column }
        };
        rows.iter().map(column).collect()
    }

    /// Writes a column of every row anew, from what stands there; the answer is how many rows there
    /// are.
    pub async fn rewrite(
        &self,
        TextColumn { table, column }: &TextColumn,
        mut write: impl FnMut(usize, Option<String>) -> Option<String>,
    ) -> usize {
        let select = format!("SELECT rowid, {column} FROM \"{table}\" ORDER BY rowid");
        let rows = self.0.query_all_raw(Statement::from_string(DbBackend::Sqlite, select));
        let rows = rows.await.expect("the rows can be read");
        for (place, row) in rows.iter().enumerate() {
            let (id, text): (i64, Option<String>) =
                row.try_get_many_by_index().expect("a row and its text");
            let update = Statement::from_sql_and_values(
                DbBackend::Sqlite,
                format!("UPDATE \"{table}\" SET {column} = $1 WHERE rowid = $2"),
                [write(place, text).into(), id.into()],
            );
            let updated = self.0.execute_raw(update).await;
            updated.unwrap_or_else(|error| panic!("{table}.{column}: {error}"));
        }
        rows.len()
    }

    /// Closes the database, with all that was written in its file.
    pub async fn close(self) {
        self.0.execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await.expect("all is written");
        self.0.close().await.expect("the database closes");
    }
}
