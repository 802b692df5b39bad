import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Owner } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { countOf, LoadGenerator, type LoadResult } from '../load/load-generator.ts';
import { pagePaths } from '../load/pages.ts';
import { figure, type Scenario } from '../scenario.ts';
import { StressedServer } from '../server.ts';
import { createTestData, TOKEN } from '../test-data.ts';
import type { CrowdState, CrowdTask } from './crowd.ts';

const PRODUCTS = 2_000;
const PER_PAGE = 50;
/** A normal client, such as an ERP: some requests per second, on a few connections. */
const RATE = 20;
const CONNECTIONS = 10;

export const slowClients: Scenario = {
  promise: 'clients that send one byte per second do not delay a normal client',
  run: async (t, { full, minutes = 1 }) => {
    const clients = full ? 2_000 : 300;
    const seconds = full ? minutes * 60 : 4;
    const { settings } = await createTestData(t, PRODUCTS);
    const server = await StressedServer.start(t, settings);
    const target = { port: server.port, ca: server.ca };
    const paths = pagePaths(PRODUCTS, PER_PAGE);
    const normal = await LoadGenerator.start(t, { ...target, paths, connections: CONNECTIONS });
    await normal.run({ rate: RATE, seconds: full ? 10 : 1 });
    const without = await normal.run({ rate: RATE, seconds });
    const memoryBefore = server.resident();
    const crowdState = await startCrowd(t, { ...target, clients, token: TOKEN });
    const withThem = await normal.run({ rate: RATE, seconds });
    const memory = `MB resident: ${memoryBefore.toFixed(0)} without, ${server.resident().toFixed(0)} with them`;
    const { open, closed, responses } = crowdState();
    server.check();
    await server.stop();
    const p99 = ({ byStatus }: LoadResult): number => byStatus[200]?.p99 ?? Number.NaN;
    return [
      figure(
        'slow clients',
        open,
        { atLeast: clients * 0.9 },
        `closed by the service: ${closed}, with responses ${JSON.stringify(responses)}; ${memory}`,
      ),
      figure('share of responses to the normal client', countOf(withThem, 200) / (RATE * seconds), {
        atLeast: full ? 0.999 : 0.95,
      }),
      figure(
        'p99 of the normal client in ms',
        p99(withThem),
        { atMost: full ? 250 : 1_000 },
        `without them ${p99(without).toFixed(1)} ms`,
      ),
    ];
  },
};

/** Resolves once 95% are connected, to a function that returns their state. */
async function startCrowd(t: Owner, task: CrowdTask): Promise<() => CrowdState> {
  const child = fork(join(import.meta.dirname, 'crowd.ts'), { env: { PATH: process.env.PATH } });
  t.after(() => child.kill('SIGKILL'));
  let state: CrowdState = { open: 0, closed: 0, responses: {} };
  child.on('message', (message) => {
    state = message as CrowdState;
  });
  child.send(task);
  await until(() => state.open >= task.clients * 0.95, {
    timeoutMs: 60_000,
    message: () => `only ${state.open} of the slow clients are connected`,
  });
  return () => state;
}
