import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { holds } from '../../bench/measuring/figures.ts';
import { choose, machine, table } from '../../bench/measuring/report.ts';
import { diskFull } from './faults/disk-full.ts';
import { kills } from './faults/kills.ts';
import { lock } from './faults/lock.ts';
import { readOnly } from './faults/read-only.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { history } from './history/history.ts';
import { load } from './load/load.ts';
import { neighbors } from './neighbors/neighbors.ts';
import { auctions } from './nodes/auctions.ts';
import { events } from './nodes/events.ts';
import { mirror } from './nodes/mirror.ts';
import { sqlmap } from './scanners/sqlmap.ts';
import { sslscan } from './scanners/sslscan.ts';
import type { Scenario } from './scenario.ts';
import { slowClients } from './slow/slow-clients.ts';
import { soak } from './soak/soak.ts';

const scenarios: Record<string, Scenario> = {
  fuzz,
  load,
  'slow-clients': slowClients,
  'disk-full': diskFull,
  'read-only': readOnly,
  lock,
  kills,
  events,
  mirror,
  auctions,
  history,
  soak,
  neighbors,
  sslscan,
  sqlmap,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    minutes: { type: 'string' },
    requests: { type: 'string' },
    only: { type: 'string', multiple: true },
    engine: { type: 'string', multiple: true },
    short: { type: 'boolean', default: false },
  },
});
const extent = {
  full: !values.short,
  seed: Number(values.seed),
  minutes: values.minutes === undefined ? undefined : Number(values.minutes),
  requests: values.requests === undefined ? undefined : Number(values.requests),
  only: values.only,
  engines: values.engine,
};
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
process.stdout.write(`${machine()}; commit ${commit}; seed ${extent.seed}\n`);
for (const name of choose('scenario', positionals, scenarios)) {
  const scenario = scenarios[name];
  if (scenario === undefined) continue;
  const { promise, skipReason, run } = scenario;
  const reason = skipReason?.() ?? null;
  if (reason !== null) {
    process.stdout.write(`\n# ${name}: skipped\n\n${reason}\n`);
    continue;
  }
  await using owned = new AsyncDisposableStack();
  const owner = { after: (cleanup: () => unknown) => owned.defer(async () => void (await cleanup())) };
  const figures = await run(owner, extent);
  process.stdout.write(`\n# ${name}\n\n${promise}\n\n${table(figures)}\n`);
  if (!figures.every(holds)) process.exitCode = 1;
}
