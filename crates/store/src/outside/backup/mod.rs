//! What backups need of a database: which one it is, and what one of several servers does at a time.

pub mod chores;
pub mod databases;
pub mod lineage;
