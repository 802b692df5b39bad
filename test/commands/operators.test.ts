import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { type CommandResult, temporaryDirectory } from '../support/process.ts';
import { runCommand } from './run-command.ts';

interface Listed {
  email: string;
  name: string;
  role: string;
  password: boolean;
  two_factor: boolean;
}

async function newProgram(t: TestContext, engine: Engine) {
  const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
  const run = (...words: string[]): Promise<CommandResult> =>
    runCommand(['operators', ...words], environment);
  const runJson = async <Shape>(...words: string[]): Promise<Shape> => {
    const { status, stdout, stderr } = await run(...words, '--json');
    assert.deepEqual([status, stderr], [0, '']);
    return JSON.parse(stdout) as Shape;
  };
  return { run, runJson };
}

function expectFailure({ status, stdout, stderr }: CommandResult, message: RegExp): void {
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^[^\n]+\n$/);
  assert.match(stderr, message);
}

forEachEngine((engine) => {
  it('operators invites, lists, changes, resets and removes operators, and keeps an admin', async (t) => {
    const { run, runJson } = await newProgram(t, engine);
    expectFailure(
      await run('invite', '--email', 'vi@example.com', '--role', 'viewer'),
      /The first operator must be an admin\./,
    );
    const invited = await runJson<object>('invite', '--email', 'Ada@example.com', '--name', 'Ada');
    assert.match(JSON.stringify(invited), /"new_operator":true.*\/operator\/set-password#token=/);
    assert.match(
      JSON.stringify(await runJson('invite', '--email', 'ada@example.com')),
      /"new_operator":false/,
    );
    await runJson('invite', '--email', 'bo@example.com', '--role', 'support');
    const [ada, bo] = await runJson<Listed[]>('list');
    assert.deepEqual(
      [ada?.email, ada?.name, ada?.role, ada?.password],
      ['ada@example.com', 'Ada', 'admin', false],
    );
    assert.deepEqual([bo?.name, bo?.role], ['bo@example.com', 'support']);
    expectFailure(await run('remove', '--email', 'ada@example.com'), /is the only admin/);
    expectFailure(await run('change', '--email', 'ada@example.com', '--role', 'viewer'), /is the only admin/);
    assert.equal((await run('change', '--email', 'bo@example.com', '--role', 'admin')).status, 0);
    assert.match(JSON.stringify(await runJson('reset', '--email', 'bo@example.com')), /set-password/);
    assert.deepEqual(await runJson('remove', '--email', 'ADA@example.com'), { removed: 'ada@example.com' });
    expectFailure(
      await run('remove', '--email', 'nobody@example.com'),
      /There is no operator "nobody@example\.com"\. Run "tradepost operators list"/,
    );
  });
});
