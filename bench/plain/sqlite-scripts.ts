import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Settings } from '../engines/engine.ts';

export const sqliteScripts = {
  async commit(settings: Settings, seconds: number): Promise<number> {
    const database = open(settings);
    const insert = database.prepare(
      `INSERT INTO campaigns (merchant_id, id, name, type, daily_budget, bid_amount, status, created_at)
       VALUES (1, ?, 'Spring', 'AuctionCampaign', 50, 0.35, 'Active', 0)`,
    );
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < seconds * 1000) insert.run(`plain-${start}-${count++}`);
    const rate = (count / (performance.now() - start)) * 1000;
    database.close();
    return rate;
  },

  async fill(from: Settings, to: Settings, tables: readonly string[]): Promise<number> {
    const source = open(from);
    const contents = tables.map((table) => {
      const read = source.prepare(`SELECT * FROM ${table}`);
      read.setReturnArrays(true);
      return { table, rows: read.all() as unknown as (string | number | Uint8Array | null)[][] };
    });
    source.close();
    const database = open(to);
    const start = performance.now();
    database.exec('BEGIN');
    for (const { table, rows } of contents) {
      const insert = database.prepare(`INSERT INTO ${table} VALUES (${rows[0]?.map(() => '?').join(', ')})`);
      for (const row of rows) insert.run(...row);
    }
    database.exec('COMMIT');
    const seconds = (performance.now() - start) / 1000;
    database.close();
    return seconds;
  },
};

function open({ DATA_DIR }: Settings): DatabaseSync {
  const database = new DatabaseSync(join(DATA_DIR, 'tradepost.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  return database;
}
