import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine, EngineName } from './engines/engine.ts';
import { postgres } from './engines/postgres.ts';
import { sqlite } from './engines/sqlite.ts';
import type { Effort } from './measuring/effort.ts';
import type { Figure } from './measuring/figures.ts';
import { Gate } from './measuring/gate.ts';
import { choose, machine, table } from './measuring/report.ts';
import { remote } from './remote/command.ts';
import { allocation } from './scenarios/allocation.ts';
import { batch } from './scenarios/batch.ts';
import { campaigns } from './scenarios/campaigns.ts';
import { competition } from './scenarios/competition.ts';
import { consoleImports } from './scenarios/console-imports.ts';
import { consolePages } from './scenarios/console-pages.ts';
import { events } from './scenarios/events.ts';
import { imports } from './scenarios/imports.ts';
import { lighthouseScores } from './scenarios/lighthouse.ts';
import { million } from './scenarios/million.ts';
import { operatorPages } from './scenarios/operator-pages.ts';
import { operatorStream } from './scenarios/operator-stream.ts';
import { orderLists } from './scenarios/order-lists.ts';
import { orders } from './scenarios/orders.ts';
import { pages } from './scenarios/pages.ts';
import { placements } from './scenarios/placements.ts';
import { reports } from './scenarios/reports.ts';
import { search } from './scenarios/search.ts';
import { sizing } from './scenarios/sizing.ts';
import { start } from './scenarios/start.ts';
import { stock } from './scenarios/stock.ts';
import { sync } from './scenarios/sync.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { workers } from './scenarios/workers.ts';

const engines: Record<EngineName, () => Promise<Engine>> = { sqlite, postgres };
const scenarios: Record<string, (engine: Engine, effort?: Effort) => Promise<Figure[]>> = {
  allocation,
  placements,
  competition,
  reports,
  pages,
  campaigns,
  stock,
  batch,
  sync,
  imports,
  events,
  'operator-stream': operatorStream,
  orders,
  'order-lists': orderLists,
  webhooks,
  million,
  search,
  workers,
  start,
  sizing,
  lighthouse: lighthouseScores,
  'console-imports': consoleImports,
  'console-pages': consolePages,
  'operator-pages': operatorPages,
};

/** Hot paths. `npm run bench -- gate` compares them with `gate.json`, and `--record` writes that file. */
const gateScenarios = ['pages', 'stock', 'batch', 'imports', 'campaigns', 'search', 'sync'];

if (process.argv[2] === 'remote') process.exit(await remote(process.argv.slice(3)));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', multiple: true }, record: { type: 'boolean', default: false } },
});
const isGate = positionals.join() === 'gate';
const gate = new Gate(join(import.meta.dirname, 'gate.json'));
const chosen = isGate ? gateScenarios : choose('scenario', positionals, scenarios);
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
for (const engineName of choose('engine', values.engine ?? [], engines)) {
  const results = join(import.meta.dirname, 'results', engineName);
  mkdirSync(results, { recursive: true });
  await using engine = await engines[engineName]();
  for (const name of chosen) {
    const figures = (await scenarios[name]?.(engine, { short: isGate })) ?? [];
    const date = new Date().toISOString().slice(0, 10);
    const facts = `${machine()}; ${engine.description}; commit ${commit}; ${date}.`;
    const page = `# ${name} on ${engineName}\n\n${facts}\n\n${table(figures)}\n`;
    if (isGate) gate.add(`${engineName} ${name}`, figures);
    else writeFileSync(join(results, `${name}.md`), page);
    process.stdout.write(`${page}\n`);
  }
}
if (isGate && values.record) gate.record();
else if (isGate) process.exitCode = gate.report() ? 0 : 1;
