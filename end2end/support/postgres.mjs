//! A database of one's own on a PostgreSQL server that is there already.

import pg from 'pg';

/**
 * @param {string} server
 * @param {string} statement
 */
async function execute(server, statement) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Creates an empty database.
 * @param {string} server the address of a server and a database on it
 */
export async function createDatabase(server) {
  const name = `concord_end2end_${process.pid}_${Date.now()}`;
  await execute(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { name, url: url.toString() };
}

/**
 * @param {string} server
 * @param {string} name
 */
export async function dropDatabase(server, name) {
  await execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}
