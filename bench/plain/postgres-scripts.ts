import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import postgres, { type Sql } from 'postgres';
import type { Settings } from '../engines/engine.ts';

export const postgresScripts = {
  async commit(settings: Settings, seconds: number): Promise<number> {
    const sql = open(settings);
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < seconds * 1000) {
      await sql.unsafe(
        `INSERT INTO campaigns (merchant_id, id, name, type, daily_budget, bid_amount, status, created_at)
         VALUES (1, $1, 'Spring', 'AuctionCampaign', 50, 0.35, 'Active', 0)`,
        [`plain-${start}-${count++}`],
        { prepare: true },
      );
    }
    const rate = (count / (performance.now() - start)) * 1000;
    await sql.end();
    return rate;
  },

  async fill(from: Settings, to: Settings, tables: readonly string[]): Promise<number> {
    const source = open(from);
    const contents: { table: string; chunks: Buffer[] }[] = [];
    for (const table of tables) {
      const rows = await source.unsafe(`COPY ${table} TO STDOUT`).readable();
      contents.push({ table, chunks: await Array.fromAsync(rows) });
    }
    await source.end();
    const database = open(to);
    const start = performance.now();
    await database.begin(async (transaction) => {
      for (const { table, chunks } of contents) {
        await pipeline(
          Readable.from(chunks),
          await transaction.unsafe(`COPY ${table} FROM STDIN`).writable(),
        );
      }
    });
    const seconds = (performance.now() - start) / 1000;
    await database.end();
    return seconds;
  },
};

function open({ DATABASE_URL }: Settings): Sql {
  return postgres(DATABASE_URL, { max: 1, fetch_types: false, onnotice: () => {} });
}
