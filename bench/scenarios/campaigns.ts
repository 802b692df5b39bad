import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseOf, dataRoot } from '../build-database.ts';
import { load } from '../load.ts';
import { type Figure, measured } from '../measure.ts';
import { serve, tokenOf } from '../servers.ts';

const ROUNDS = 5;
const SECONDS = 4;

/** Campaigns created a second, against single rows that a plain script commits to the same file. */
export async function campaigns(): Promise<Figure[]> {
  rmSync(join(dataRoot, 'campaigns'), { recursive: true, force: true });
  const directory = await databaseOf('campaigns', [1_000]);
  const token = await tokenOf(directory, 'm1');
  const script = `
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
    wrk.body = "access_token=${token}&name=Spring&type=AuctionCampaign&daily_budget=50&bid_amount=0.35"`;
  const ratios: number[] = [];
  let notes = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const plain = plainCommits(join(directory, 'tradepost.db'));
    await using server = await serve(directory);
    const ours = await load({ url: `${server.baseUrl}/campaigns.json`, seconds: SECONDS, script });
    ratios.push(ours.requestsPerSecond / plain);
    notes = `last round: plain ${plain.toFixed(0)}/s, ours ${ours.requestsPerSecond.toFixed(0)}/s (wrk ${ours.generatorShare.toFixed(2)})`;
  }
  return [
    { name: 'POST /campaigns.json ÷ plain commits', ...measured(ratios), bound: { atLeast: 0.5 }, notes },
  ];
}

/** Durable commits of one row a second, from this process alone. */
function plainCommits(file: string): number {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const insert = database.prepare(
    `INSERT INTO campaigns (merchant_id, id, name, type, daily_budget, bid_amount, status, created_at)
     VALUES (1, ?, 'Spring', 'AuctionCampaign', 50, 0.35, 'Active', 0)`,
  );
  const begun = performance.now();
  let count = 0;
  while (performance.now() - begun < SECONDS * 1000) insert.run(`plain-${begun}-${count++}`);
  database.close();
  return (count / (performance.now() - begun)) * 1000;
}
