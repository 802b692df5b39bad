import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { ClientEvent } from '../../src/events/event-types.ts';
import { runCommand } from '../commands/run-command.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import type { EventPage } from '../support/events.ts';
import { expectError } from '../support/expect.ts';
import { ServerProcess, temporaryDirectory } from '../support/process.ts';
import { until } from '../support/until.ts';

const RESTORED = /the database was restored from a backup/;

/** Resolves to its JSON. @throws if it fails */
async function run<Result>(commandLine: string[], environment: Record<string, string>): Promise<Result> {
  const { status, stdout, stderr } = await runCommand([...commandLine, '--json'], environment);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const list = (server: ServerProcess, token: string, after: string) =>
  server.client.request('GET', `/operator/v1/events?after=${after}`, {
    headers: { authorization: `Bearer ${token}` },
  });

forEachEngine((engine) => {
  it('the running service has the events of commands', async (t) => {
    const directory = await temporaryDirectory(t);
    const environment = { DATA_DIR: join(directory, 'data'), ...(await engine.environment()) };
    const operatorKey = ['operator-keys', 'create', '--name', 'back end', '--scope', 'events'];
    const { access_token: token } = await run<{ access_token: string }>(operatorKey, environment);
    const server = await ServerProcess.start(t, environment);
    const { id } = await run<{ id: number }>(['merchants', 'create', '--name', 'Acme'], environment);
    const newKey = ['keys', 'create', '--merchant', 'Acme', '--name', 'ERP'];
    const key = await run<{ id: string }>(newKey, environment);
    assert.equal((await runCommand(['keys', 'revoke', key.id], environment)).status, 0);
    const file = join(directory, 'catalog.ndjson');
    const load = async (quantity: number): Promise<void> => {
      const variations = [{ identifier: 'POT-S', quantity }];
      await writeFile(file, JSON.stringify({ identifier: 'POT', title: 'Pot', variations }));
      await run(['import', 'products', file, '--merchant', 'Acme'], environment);
    };
    await load(50);
    await load(1);
    const expected = [
      'key.created op',
      `merchant.created ${id}`,
      `key.created ${id}`,
      `key.created ${id}`,
      `key.revoked ${id}`,
      `catalog.changed ${id}`,
      `stock.low ${id}`,
    ];
    const summary = (events: readonly ClientEvent[]): string[] => [
      ...new Set(events.map(({ type, merchant }) => `${type} ${merchant ?? 'op'}`)),
    ];
    const all = await until(async () => {
      const { results } = (await list(server, token, 'start')).json<EventPage>();
      return summary(results).length >= new Set(expected).size && results;
    });
    assert.deepEqual(summary(all).toSorted(), [...new Set(expected)].toSorted());
    assert.equal(all.filter(({ type }) => type === 'key.created').length, 3);

    const { next } = (await list(server, token, 'now')).json<EventPage>();
    assert.equal((await runCommand(['expire-cursors'], environment)).status, 0);
    expectError(await list(server, token, next), 410, RESTORED);
  });
});

it('410: a cursor from before a backup was restored', async (t) => {
  const directory = await temporaryDirectory(t);
  const environment = { DATA_DIR: join(directory, 'data'), ...(await sqlite.environment()) };
  const operatorKey = ['operator-keys', 'create', '--name', 'back end'];
  const { access_token: token } = await run<{ access_token: string }>(operatorKey, environment);
  const server = await ServerProcess.start(t, environment);
  const { next } = await until(async () => {
    const page = (await list(server, token, 'start')).json<EventPage>();
    return page.results.length > 0 && page;
  });
  const restored = { DATA_DIR: join(directory, 'restored') };
  await mkdir(restored.DATA_DIR);
  const backup = ['backup', join(restored.DATA_DIR, 'tradepost.db')];
  assert.equal((await runCommand(backup, environment)).status, 0);
  assert.equal((await list(server, token, next)).status, 200);
  const other = await ServerProcess.start(t, restored);
  expectError(await list(other, token, next), 410, RESTORED);
  const again = (await list(other, token, 'start')).json<EventPage>();
  assert.equal(again.results.length, 1, 'the events of the backup are there');
  assert.equal((await list(other, token, again.next)).status, 200);
});
