import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const unit = join(import.meta.dirname, '../../deploy/systemd/tradepost.service');
const MAX_EXPOSURE = 2;

const version = await run('systemd-analyze', ['--version']).catch(() => undefined);
const skip = version === undefined && 'systemd-analyze is not installed: apt-get install systemd';

it('the unit limits the memory of the service', async () => {
  assert.match(await readFile(unit, 'utf8'), /^MemoryMax=\d+%$/m);
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
