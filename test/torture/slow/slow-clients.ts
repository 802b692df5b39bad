import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Owner } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { countOf, LoadGenerator, type Offered } from '../load/offering.ts';
import { pagePaths } from '../load/pages.ts';
import { figure, type Scenario } from '../scenario.ts';
import { TorturedServer } from '../server.ts';
import { stock, TOKEN } from '../stock.ts';
import type { CrowdState, CrowdTask } from './crowd.ts';

const PRODUCTS = 2_000;
const PER_PAGE = 50;
/** A normal client, as an ERP is: some requests a second, on a few connections. */
const RATE = 20;
const CONNECTIONS = 10;

/** Very many clients that take their time. */
export const slowClients: Scenario = {
  promise: 'clients that send one byte a second do not keep a normal one from its answer',
  run: async (t, { full, minutes = 1 }) => {
    const clients = full ? 2_000 : 300;
    const seconds = full ? minutes * 60 : 4;
    const { settings } = await stock(t, PRODUCTS);
    const server = await TorturedServer.start(t, settings);
    const target = { port: server.port, ca: server.ca };
    const paths = pagePaths(PRODUCTS, PER_PAGE);
    const normal = await LoadGenerator.start(t, { ...target, paths, connections: CONNECTIONS });
    await normal.offer({ rate: RATE, seconds: full ? 10 : 1 });
    const without = await normal.offer({ rate: RATE, seconds });
    const memoryBefore = server.resident();
    const crowd = await gather(t, { ...target, clients, token: TOKEN });
    const beside = await normal.offer({ rate: RATE, seconds });
    const memory = `MB resident: ${memoryBefore.toFixed(0)} without, ${server.resident().toFixed(0)} beside them`;
    const { open, cut, answers } = crowd();
    server.check();
    await server.stop();
    const p99 = ({ byStatus }: Offered): number => byStatus[200]?.p99 ?? Number.NaN;
    return [
      figure(
        'slow clients',
        open,
        { atLeast: clients * 0.9 },
        `cut by the service: ${cut}, answered ${JSON.stringify(answers)}; ${memory}`,
      ),
      figure('answers to the normal client', countOf(beside, 200) / (RATE * seconds), {
        atLeast: full ? 0.999 : 0.95,
      }),
      figure(
        'its p99 beside them in ms',
        p99(beside),
        { atMost: full ? 250 : 1_000 },
        `without them ${p99(without).toFixed(1)} ms`,
      ),
    ];
  },
};

/** Resolves when nearly all of the clients are connected, to a function that returns their state. */
async function gather(t: Owner, task: CrowdTask): Promise<() => CrowdState> {
  const child = fork(join(import.meta.dirname, 'crowd.ts'), { env: { PATH: process.env.PATH } });
  t.after(() => child.kill('SIGKILL'));
  let state: CrowdState = { open: 0, cut: 0, answers: {} };
  child.on('message', (told) => {
    state = told as CrowdState;
  });
  child.send(task);
  await until(() => state.open >= task.clients * 0.95, {
    timeoutMs: 60_000,
    message: () => `only ${state.open} of the slow clients are connected`,
  });
  return () => state;
}
