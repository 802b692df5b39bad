import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const unit = join(import.meta.dirname, '../../deploy/systemd/tradepost.service');
const MOST_EXPOSED = 2;

const version = await run('systemd-analyze', ['--version']).catch(() => undefined);
const skip = version === undefined && 'systemd-analyze is not installed: apt-get install systemd';

it('the unit is hardened as far as systemd can tell, and every line of it means something', {
  skip,
}, async () => {
  const flags = ['security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED * 10}`];
  const { stdout, stderr } = await run('systemd-analyze', [...flags, unit], {
    env: { ...process.env, LC_ALL: 'C' },
  });
  const [, score] = /Overall exposure level for tradepost\.service: ([\d.]+)/.exec(stdout) ?? [];
  assert.ok(Number(score) <= MOST_EXPOSED, stdout);
  // What systemd does not know, it leaves out with a word.
  assert.doesNotMatch(stderr, /Unknown|Failed to parse|ignoring/i);
  // Each version weighs them differently.
  const [, major] = /^systemd (\d+)/.exec(version?.stdout ?? '') ?? [];
  const guide = await readFile(join(import.meta.dirname, '../../docs/how-to/deploy.md'), 'utf8');
  const [, told, of] = /exposure level of ([\d.]+) \([^)]*systemd (\d+)\)/.exec(guide) ?? [];
  assert.ok(told !== undefined, 'the guide tells the score');
  if (of === major) assert.equal(told, score);
});
