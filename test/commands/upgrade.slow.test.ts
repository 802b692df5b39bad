import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SCHEMA_VERSION } from '../../src/database/migrate.ts';
import { statement } from '../../src/database/statement.ts';
import { isInstalled, type ProxyKind, proxyKinds, type RunningProxy, startProxy } from '../deploy/proxies.ts';
import { Client } from '../support/client.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { expectStartFailure } from '../support/expect.ts';
import { freePort } from '../support/postgres/programs.ts';
import { type Program, ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { onDatabaseAsItIs } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { makeNextVersions, NEXT_PART, type NextVersions } from './next-versions.ts';
import { ShopLoad } from './shop-load.ts';

/** Upgrades forth and back on each engine: 100 for the figure in docs/reliability.md. */
const UPGRADES = Number(process.env.UPGRADES ?? 1);
/** Requests between two changes, at least. */
const REQUESTS = 60;
const timeout = 900_000;
const WAITING = { timeoutMs: 120_000, intervalMs: 20 };
/** These sources. */
const former = undefined;
/** Longer than a request waits for a lock. */
const LOCK_HELD_MS = 8_000;
const READ_EVERY_MS = 100;
/** A migration on PostgreSQL waits 2 s at once, and reads wait behind it. */
const MAX_READ_MS = 5_000;

type Environment = Record<string, string> & { DATA_DIR: string };

interface Stored {
  identifier: string;
  record: string;
  revision: number;
  stock_total: number | null;
  stock_revision: number | null;
}

const listStored = statement<unknown, Stored>(
  'SELECT identifier, record, revision, stock_total, stock_revision FROM products ORDER BY internal_id',
);

/** Two nodes of the former version behind a proxy that is configured as in deploy/. */
class Nodes {
  readonly proxy: RunningProxy;
  readonly environment: Environment;
  readonly #t: TestContext;
  readonly #kind: ProxyKind;
  readonly #ports: readonly number[];
  readonly #running: ServerProcess[] = [];

  private constructor(
    t: TestContext,
    { kind, proxy, environment }: { kind: ProxyKind; proxy: RunningProxy; environment: Environment },
    ports: readonly number[],
  ) {
    this.#t = t;
    this.#kind = kind;
    this.proxy = proxy;
    this.environment = environment;
    this.#ports = ports;
  }

  static async start(t: TestContext, engine: Engine, kind: ProxyKind): Promise<Nodes> {
    const environment = {
      ...(await engine.environment()),
      DATA_DIR: await temporaryDirectory(t),
      HOST: '127.0.0.1',
      TLS: 'proxy',
      TRUST_PROXY: '127.0.0.1',
      METRICS_ADDRESS: '127.0.0.1:0',
    };
    const ports: [number, number] = [await freePort(), await freePort()];
    const proxy = await startProxy(t, kind, ports);
    const nodes = new Nodes(t, { kind, proxy, environment }, ports);
    for (const index of ports.keys()) await nodes.#start(index, former);
    return nodes;
  }

  /** Installs another version, which restarts one node after the other, as docs/how-to/upgrade.md says. */
  async replaceEach(program: Program | undefined, afterEach: () => Promise<void>): Promise<void> {
    for (const index of this.#ports.keys()) {
      await this.#running[index]?.end('SIGTERM');
      await this.#start(index, program);
      await afterEach();
    }
  }

  async #start(index: number, program: Program | undefined): Promise<void> {
    const environment = { ...this.environment, PORT: String(this.#ports[index]) };
    const node = await ServerProcess.start(this.#t, environment, undefined, program);
    this.#running[index] = node;
    // nginx tries both nodes for each request.
    if (this.#kind.name !== 'HAProxy') return;
    // A check of the stopped node may be on its way.
    await until(() => node.log.lines.some((line) => line.includes('/openapi.json')), WAITING);
    await until(async () => !(await this.#isDown(index)), WAITING);
  }

  /** Whether HAProxy sends no requests to the node. */
  async #isDown(index: number): Promise<boolean> {
    const name = `instances/${index === 0 ? 'one' : 'two'}`;
    const logs = await this.proxy.readLogs();
    const last = logs.split('\n').findLast((line) => line.includes(`Server ${name} is `));
    return last?.includes(`${name} is DOWN`) ?? false;
  }

  /** The statuses and bodies of `/readyz` of both nodes. */
  async readiness(): Promise<{ status: number; text: string }[]> {
    return await Promise.all(
      this.#running.map(async ({ log }) => {
        const { metrics } = JSON.parse(await log.line('"msg":"serving"'));
        const client = new Client(metrics, null);
        const { status, text } = await client.request('GET', '/readyz');
        client.close();
        return { status, text };
      }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((node) => node.end('SIGTERM')));
  }
}

const guide = await readFile(join(import.meta.dirname, '../../docs/how-to/upgrade.md'), 'utf8');

/** Returns a pattern for what the guide says that a program prints. @throws if it does not */
function inGuide(text: string): RegExp {
  assert.ok(guide.includes(`\`${text}\``), `the guide does not contain ${text}`);
  return new RegExp(RegExp.escape(text));
}

async function dryRun(environment: Environment, program?: Program): Promise<string> {
  const { stdout, stderr } = await tradepost(['migrate', '--dry-run'], environment, program && { program });
  assert.equal(stderr, '');
  return stdout;
}

/** Upgrades both nodes under load, goes back and forth again. */
async function upgrade(
  t: TestContext,
  { next }: NextVersions,
  { engine, kind, first }: { engine: Engine; kind: ProxyKind; first: 'command' | 'node' },
): Promise<void> {
  const nodes = await Nodes.start(t, engine, kind);
  const { environment } = nodes;
  const created = await tradepost(['merchants', 'create', '--name', 'Acme', '--json'], environment);
  const load = new ShopLoad(t, nodes.proxy, JSON.parse(created.stdout).access_token);
  const untilRequests = (): Promise<void> => load.untilRequests(REQUESTS);
  await untilRequests();

  const canRun = inGuide('Nodes of the former version can run meanwhile and afterwards');
  assert.match(await dryRun(environment, next), canRun);
  if (first === 'command') {
    assert.equal((await tradepost(['migrate'], environment, { program: next })).status, 0);
    assert.equal(load.fromNext, 0);
    await untilRequests();
  }
  await nodes.replaceEach(next, async () => {
    await untilRequests();
    for (const { status, text } of await nodes.readiness()) assert.equal(status, 200, text);
    assert.match(await dryRun(environment), inGuide('The schema is up to date.'));
    await expectPart(nodes.proxy);
  });
  await untilMoved(environment);
  await untilRequests();

  const before = load.fromNext;
  assert.ok(before > 0);
  await nodes.replaceEach(former, untilRequests);
  const afterwards = load.fromNext;
  await untilRequests();
  assert.equal(load.fromNext, afterwards);
  assert.match(
    (await tradepost(['doctor'], environment)).stdout,
    /^ok +database: readable, with schema version \d+ of a newer program/m,
  );

  await nodes.replaceEach(next, untilRequests);
  await load.stop();
  await untilMoved(environment);
  await nodes.stop();
  t.diagnostic(
    `${load.requests} requests, ${load.writes} writes, ${load.products.size} products; ` +
      `the slowest request took ${Math.round(load.slowestMs)} ms`,
  );
  assert.deepEqual(load.failures, []);
  const stored = await readStored(environment);
  assert.deepEqual(
    new Map(stored.map(({ identifier, title, quantity }) => [identifier, { title, quantity }])),
    new Map([...load.products]),
  );
}

/** Which node has it does not matter. */
async function expectPart({ origin, ca }: RunningProxy): Promise<void> {
  const client = new Client(origin, ca);
  for (let time = 0; time < 10; time += 1) {
    const { status, text } = await client.request('GET', NEXT_PART);
    assert.equal(status, 200, text);
  }
  client.close();
}

async function readStored(environment: Environment) {
  const rows = await onDatabaseAsItIs(environment, (database) => database.all(listStored));
  return rows.map(({ identifier, record, revision, stock_total: total, stock_revision: of }) => {
    const { title, available_quantity: quantity } = JSON.parse(record);
    return { identifier, title, quantity, isMoved: of === revision && total === quantity };
  });
}

/** Resolves once every product that there is now has its stock in the new column. */
async function untilMoved(environment: Environment): Promise<void> {
  const unmoved = async (): Promise<Set<string>> => {
    const stored = await readStored(environment);
    return new Set(stored.filter(({ isMoved }) => !isMoved).map(({ identifier }) => identifier));
  };
  let remaining = await unmoved();
  const isMoved = async (): Promise<boolean> => {
    remaining = remaining.intersection(await unmoved());
    return remaining.size === 0;
  };
  await until(isMoved, WAITING);
}

const [nginx, haproxy] = proxyKinds;
assert.ok(nginx !== undefined && haproxy !== undefined);
const skip =
  (await isInstalled(nginx)) && (await isInstalled(haproxy)) ? false : 'nginx or HAProxy is missing';

describe('two versions side by side', () => {
  const cleanups: (() => unknown)[] = [];
  let versions: NextVersions;
  before(async () => {
    versions = await makeNextVersions({ after: (cleanup) => cleanups.push(cleanup) }, SCHEMA_VERSION);
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  forEachEngine((engine) => {
    for (let number = 0; number < UPGRADES; number += 1) {
      const isFirstWay = (engine.name === 'sqlite') === (number % 2 === 0);
      const way = isFirstWay
        ? ({ kind: nginx, first: 'command' } as const)
        : ({ kind: haproxy, first: 'node' } as const);
      it(`two nodes behind ${way.kind.name} are upgraded, go back and are upgraded again, without a failed request or a lost write (${number + 1} of ${UPGRADES})`, {
        skip,
        timeout,
      }, async (t) => {
        await upgrade(t, versions, { engine, ...way });
      });
    }

    it('a migration that nodes can run beside waits longer for its locks than their requests do', async (t) => {
      const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
      const created = await tradepost(['merchants', 'create', '--name', 'Acme', '--json'], environment);
      const node = await ServerProcess.start(t, environment);
      const headers = { authorization: `Bearer ${JSON.parse(created.stdout).access_token}` };
      const migrated = await onDatabaseAsItIs(environment, (holder) =>
        holder.transaction(
          async (connection) => {
            const lock = engine.name === 'sqlite' ? 'SELECT 1' : 'LOCK TABLE products IN ACCESS SHARE MODE';
            await connection.all(statement<unknown, never>(lock));
            // Nothing is due, so this needs no lock.
            assert.equal((await tradepost(['migrate'], environment)).status, 0);
            const migrating = tradepost(['migrate'], environment, { program: versions.next });
            const released = performance.now() + LOCK_HELD_MS;
            while (performance.now() < released) {
              const began = performance.now();
              const read = await node.client.request('GET', '/v1/products', { headers });
              assert.equal(read.status, 200, read.text);
              const elapsed = performance.now() - began;
              assert.ok(elapsed < MAX_READ_MS, `${elapsed} ms`);
              await pause(READ_EVERY_MS);
            }
            return { migrating };
          },
          { longRunning: true },
        ),
      );
      assert.deepEqual(await migrated.migrating, {
        status: 0,
        stdout: 'The schema is up to date.\n',
        stderr: '',
      });
      assert.equal(await dryRun(environment, versions.next), 'The schema is up to date.\n');
      await node.end('SIGTERM');
    });

    it('a version that the former one cannot run beside says so, and the former one then says what to do', async (t) => {
      const { last } = versions;
      const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
      assert.equal((await tradepost(['migrate'], environment)).status, 0);
      const node = await ServerProcess.start(t, { METRICS_ADDRESS: '127.0.0.1:0', ...environment });
      assert.match(await dryRun(environment, last), inGuide('Stop nodes of the former version first'));
      assert.equal((await tradepost(['migrate'], environment, { program: last })).status, 0);
      const { metrics } = JSON.parse(await node.log.line('"msg":"serving"'));
      const client = new Client(metrics, null);
      const unready = await client.request('GET', '/readyz');
      client.close();
      assert.equal(unready.status, 503);
      assert.match(unready.text, /schema version \d+, but this program supports only \d+/);
      await node.end('SIGTERM');
      for (const command of ['serve', 'migrate'])
        expectStartFailure(
          await tradepost([command], { PORT: '0', ...environment }),
          /Run the newer version of Tradepost that migrated it, or restore the backup from before the migration\./,
        );
    });
  });
});
