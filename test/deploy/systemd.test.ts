import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { secretSettings } from '../../src/shared/text-settings.ts';
import { temporaryDirectory } from '../support/process.ts';

const run = promisify(execFile);
const units = join(import.meta.dirname, '../../deploy/systemd');
const unit = join(units, 'tradepost.service');
const MAX_EXPOSURE = 2;

const version = await run('systemd-analyze', ['--version']).catch(() => undefined);
const skip = version === undefined && 'systemd-analyze is not installed: apt-get install systemd';

it('the unit limits the memory of the service', async () => {
  assert.match(await readFile(unit, 'utf8'), /^MemoryMax=\d+%$/m);
});

it('the unit loads each secret from the credential store, if it is there', async () => {
  const text = await readFile(unit, 'utf8');
  const loaded = [...text.matchAll(/^LoadCredential=(\w+):tradepost\.(\w+)$/gm)].map(([, name, file]) => {
    assert.equal(file, name);
    return name;
  });
  assert.deepEqual(loaded.sort(), [...secretSettings].sort());
});

it('systemd rates the unit as hardened, and knows all of its settings', {
  skip,
}, async () => {
  const flags = ['security', '--offline=true', '--no-pager', `--threshold=${MAX_EXPOSURE * 10}`];
  const { stdout, stderr } = await run('systemd-analyze', [...flags, unit], {
    env: { ...process.env, LC_ALL: 'C' },
  });
  const [, score] = /Overall exposure level for tradepost\.service: ([\d.]+)/.exec(stdout) ?? [];
  assert.ok(Number(score) <= MAX_EXPOSURE, stdout);
  // systemd warns about settings that it does not know, and ignores them.
  assert.doesNotMatch(stderr, /Unknown|Failed to parse|ignoring/i);
  // The score depends on the version of systemd.
  const [, major] = /^systemd (\d+)/.exec(version?.stdout ?? '') ?? [];
  const guide = await readFile(join(import.meta.dirname, '../../docs/how-to/deploy.md'), 'utf8');
  const [, stated, statedVersion] = /exposure level of ([\d.]+) \([^)]*systemd (\d+)\)/.exec(guide) ?? [];
  assert.ok(stated !== undefined, 'the guide does not state the score');
  if (statedVersion === major) assert.equal(stated, score);
});

it('systemd knows all settings of the socket, which listens where the settings of the package say', {
  skip,
}, async (t) => {
  const directory = await temporaryDirectory(t);
  const socket = await readFile(join(units, 'tradepost.socket'), 'utf8');
  await writeFile(join(directory, 'tradepost.socket'), socket);
  const service = (await readFile(unit, 'utf8')).replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true');
  await writeFile(join(directory, 'tradepost.service'), service);
  const { stderr } = await run(
    'systemd-analyze',
    ['verify', '--man=no', join(directory, 'tradepost.socket'), join(directory, 'tradepost.service')],
    { env: { ...process.env, LC_ALL: 'C' } },
  );
  const about = stderr.split('\n').filter((line) => line.includes('tradepost'));
  assert.deepEqual(about, []);
  const settings = await readFile(join(import.meta.dirname, '../../release/debian/tradepost.env'), 'utf8');
  const [, host] = /^HOST=(.*)$/m.exec(settings) ?? assert.fail();
  const [, port] = /^#PORT=(.*)$/m.exec(settings) ?? assert.fail();
  assert.match(socket, new RegExp(`^ListenStream=${host}:${port}$`, 'm'));
});
