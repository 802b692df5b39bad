import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { CONNECTIONS } from '../../src/database/postgres/connection-shares.ts';
import { send, serve } from './serve.ts';

// The limit of a server that writes: each request commits one row. The last argument is the directory of the
// SQLite database, or the database URL.
const [target = ''] = process.argv.slice(4);
const insertWith = (id: '?' | '$1'): string =>
  `INSERT INTO campaigns (merchant_id, id, name, type, daily_budget, bid_amount, status, created_at)
   VALUES (1, ${id}, 'Spring', 'AuctionCampaign', 50, 0.35, 'Active', 0)`;
const body = Buffer.from(JSON.stringify({ name: 'Spring', status: 'Active' }));
const run = `plain-${Date.now()}`;
let requests = 0;

const commit = target.startsWith('postgres') ? commitsOnPostgres() : commitsOnSqlite();
serve(async (response) => {
  requests += 1;
  await commit(`${run}-${requests}`);
  send(response, body);
});

function commitsOnSqlite(): (id: string) => unknown {
  const database = new DatabaseSync(join(target, 'tradepost.db'), { timeout: 5_000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const insert = database.prepare(insertWith('?'));
  return (id) => insert.run(id);
}

function commitsOnPostgres(): (id: string) => Promise<unknown> {
  const sql = postgres(target, { max: CONNECTIONS, fetch_types: false });
  return (id) => sql.unsafe(insertWith('$1'), [id], { prepare: true });
}
