import type { Engine } from '../engines/engine.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { load } from '../measuring/load.ts';
import { plainScripts } from '../plain/scripts.ts';
import { databaseOf } from '../service/build-database.ts';
import { serve, tokenOf } from '../service/servers.ts';

const ROUNDS = 5;
/** PostgreSQL commits concurrently, unlike the plain script: no limit. */
const bounds = { sqlite: { atLeast: 0.5 }, postgres: null };

/** Measures campaigns created per second, compared to a script that commits single rows. */
export async function campaigns(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const seconds = short ? 1 : 4;
  await engine.drop('campaigns');
  const settings = await databaseOf(engine, 'campaigns', [1_000]);
  const token = await tokenOf(settings, 'm1');
  const script = `
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
    wrk.body = "access_token=${token}&name=Spring&type=AuctionCampaign&daily_budget=50&bid_amount=0.35"`;
  const ratios: number[] = [];
  let notes = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const plain = await plainScripts[engine.name].commit(settings, seconds);
    await using server = await serve(settings);
    const ours = await load({ url: `${server.baseUrl}/campaigns.json`, seconds, script });
    ratios.push(ours.requestsPerSecond / plain);
    notes = `last round: plain script ${plain.toFixed(0)}/s, service ${ours.requestsPerSecond.toFixed(0)}/s (wrk ${ours.generatorShare.toFixed(2)})`;
  }
  return [
    {
      name: 'POST /campaigns.json on 32 connections ÷ plain commits on one connection',
      ...measured(ratios),
      bound: bounds[engine.name],
      notes,
    },
  ];
}
