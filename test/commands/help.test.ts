import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { tradepost } from '../support/process.ts';
import { runCommand } from './run-command.ts';

it('help lists the commands, and describes one', async () => {
  const [help, option, ofServe] = [
    await runCommand(['help'], {}),
    await runCommand(['--help'], {}),
    await runCommand(['help', 'serve'], {}),
  ];
  assert.deepEqual([help.status, help.stderr], [0, '']);
  assert.match(help.stdout, /^Usage: tradepost /);
  for (const name of ['serve', 'demo', 'merchants', 'keys', 'import', 'export', 'backup', 'doctor', 'help']) {
    assert.match(help.stdout, new RegExp(`^ {2}${name}\\b`, 'm'));
  }
  assert.equal(option.stdout, help.stdout);
  assert.deepEqual([ofServe.status, ofServe.stderr], [0, '']);
  assert.match(ofServe.stdout, /^Usage: tradepost serve /);
});

it('--version prints the versions of the program, Node.js and SQLite', async () => {
  for (const option of ['--version', '-V']) {
    const { status, stdout, stderr } = await runCommand([option], {});
    const { node, sqlite } = process.versions;
    const expected = `tradepost ${packageJson.version} (from the sources)\nNode.js ${node}\nSQLite ${sqlite}\n`;
    assert.deepEqual([status, stdout, stderr], [0, expected, '']);
  }
});

it('complete prints a script with which bash completes commands and options', async () => {
  const { status, stdout, stderr } = await tradepost(['complete', 'bash'], {});
  assert.deepEqual([status, stderr], [0, '']);
  const { stdout: registered } = await promisify(execFile)('bash', [
    '-c',
    `${stdout}\ncomplete -p tradepost`,
  ]);
  assert.match(registered, /tradepost$/m);
  for (const [words, expected] of [
    [['ser'], /^serve\t/],
    [['import', 'products', '--f'], /^--format\t/],
  ] as const) {
    assert.match((await tradepost(['complete', '--', ...words], {})).stdout, expected);
  }
});

it('an unknown command exits with 1 and a suggestion', async () => {
  const { status, stdout, stderr } = await tradepost(['serv'], {});
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /unknown command 'serv'\n\(Did you mean serve\?\)/);
});
