import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { type CommandResult, temporaryDirectory } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { runCommand } from './run-command.ts';

interface Created {
  id: string;
  access_token: string;
}

async function newProgram(t: TestContext, engine: Engine) {
  const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
  const run = (...words: string[]): Promise<CommandResult> =>
    runCommand(['operator-keys', ...words], environment);
  const runJson = async <Shape>(...words: string[]): Promise<Shape> => {
    const { status, stdout, stderr } = await run(...words, '--json');
    assert.deepEqual([status, stderr], [0, '']);
    return JSON.parse(stdout) as Shape;
  };
  return { environment, run, runJson };
}

function expectFailure({ status, stdout, stderr }: CommandResult, message: RegExp): void {
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^[^\n]+\n$/);
  assert.match(stderr, message);
}

forEachEngine((engine) => {
  it('operator-keys creates, lists, rotates and revokes keys of a running server, and keeps an audit log', async (t) => {
    const { environment, run, runJson } = await newProgram(t, engine);
    await using service = await startTestService({ ...engine, environment: async () => environment });
    const statusOf = async (token: string, path = '/operator/v1/merchants'): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      // Commands have the machine's clock.
      service.passTime(Date.now() - service.now());
      return (await service.client.request('GET', path, { headers })).status;
    };
    const created = await runJson<Created>('create', '--name', 'Back end', '--scope', 'merchants,catalog');
    assert.match(created.access_token, /^tpo_/);
    assert.equal(await statusOf(created.access_token), 200);
    const scoped = await runJson<Created>(
      'create',
      '--name',
      'Feed',
      '--scope',
      'events',
      '--expires-in',
      '1d',
    );
    assert.equal(await statusOf(scoped.access_token), 403);

    const listed = await run('list', '--json');
    const keys = JSON.parse(listed.stdout) as {
      id: string;
      name: string;
      scopes: string[];
      expires_at: string;
    }[];
    assert.deepEqual(
      keys.map(({ id, name, scopes, expires_at }) => [id, name, scopes, expires_at !== null]),
      [
        [created.id, 'Back end', ['merchants', 'catalog'], false],
        [scoped.id, 'Feed', ['events'], true],
      ],
    );
    for (const { access_token } of [created, scoped]) assert.ok(!listed.stdout.includes(access_token));

    const kept = await runJson<Created>('rotate', created.id, '--old-token-for', '1h');
    assert.deepEqual([await statusOf(created.access_token), await statusOf(kept.access_token)], [200, 200]);
    const rotated = await runJson<Created>('rotate', created.id);
    assert.deepEqual(
      [
        await statusOf(created.access_token),
        await statusOf(kept.access_token),
        await statusOf(rotated.access_token),
      ],
      [401, 401, 200],
    );
    assert.deepEqual(await runJson('revoke', created.id), { id: created.id, state: 'revoked' });
    assert.equal(await statusOf(rotated.access_token), 401);
    const audit = await run('audit', '--json');
    const entries = JSON.parse(audit.stdout) as { action: string; subject: string }[];
    assert.deepEqual(
      entries.map(({ action, subject }) => [action, subject]),
      [
        ['key.revoked', `${created.id} Back end`],
        ['key.rotated', `${created.id} Back end`],
        ['key.rotated', `${created.id} Back end`],
        ['key.created', `${scoped.id} Feed`],
        ['key.created', `${created.id} Back end`],
      ],
    );
    for (const { access_token } of [created, kept, rotated]) assert.ok(!audit.stdout.includes(access_token));
  });

  it('operator-keys names what is wrong: a name, a scope, a lifetime, and a key that cannot be used', async (t) => {
    const { run, runJson } = await newProgram(t, engine);
    expectFailure(await run('create', '--name', ' '), /Expected 1 to 100 characters for --name/);
    expectFailure(
      await run('create', '--name', 'N', '--scope', 'read'),
      /--scope is "read": expected one or more of/,
    );
    expectFailure(await run('create', '--name', 'N', '--expires-in', '90'), /--expires-in is "90"/);
    for (const command of ['rotate', 'revoke'])
      expectFailure(await run(command, 'op-1'), /There is no operator key "op-1"/);
    const { id } = await runJson<Created>('create', '--name', 'N');
    expectFailure(await run('revoke', id.replace('op', '1')), /There is no operator key "1-1"/);
    await run('revoke', id);
    expectFailure(await run('rotate', id), /Key op-1 is revoked: create a new one/);
  });
});
