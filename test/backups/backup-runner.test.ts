import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { BackupRunner } from '../../src/backups/backup-runner.ts';
import { parseConfig } from '../../src/config.ts';
import { checkBackups } from '../../src/doctor/check-backups.ts';
import { temporaryDirectory } from '../support/process.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;
const NEVER = new AbortController().signal;

/** Runners of several processes on one data directory, whose backups end when the test says. */
async function prepare(t: TestContext, every = '6h') {
  const dataDirectory = await temporaryDirectory(t);
  const clock = { now: Date.parse('2026-03-05T03:30:00Z') };
  const config = parseConfig({
    DATA_DIR: dataDirectory,
    BACKUP_TO: join(dataDirectory, 'backups'),
    BACKUP_EVERY: every,
  });
  const { backups: settings } = config;
  if (settings === null) assert.fail();
  const made: number[] = [];
  let end = Promise.withResolvers<void>();
  end.resolve();
  let failure: Error | null = null;
  const newRunner = (): BackupRunner =>
    new BackupRunner({
      ...{ dataDirectory, settings, now: () => clock.now },
      backUp: async ({ at }) => {
        made.push(at);
        await end.promise;
        if (failure !== null) throw failure;
        return { file: `backup-${made.length}`, at, bytes: 7, removed: [], notRemoved: null };
      },
    });
  const hold = (): (() => void) => {
    end = Promise.withResolvers<void>();
    return end.resolve;
  };
  const fail = (error: Error | null): void => {
    failure = error;
  };
  const findings = async (): Promise<string[]> =>
    (await checkBackups(config, clock.now, { place: true })).map(
      ({ result, message }) => `${result} ${message}`,
    );
  return { dataDirectory, clock, made, newRunner, hold, fail, findings };
}

it('a backup is due when BACKUP_EVERY has passed, for one of all processes', async (t) => {
  const { clock, made, newRunner, hold } = await prepare(t);
  const runners = [newRunner(), newRunner(), newRunner()];
  const all = () => Promise.all(runners.map((runner) => runner.runIfDue(NEVER)));
  const release = hold();
  const first = all();
  await until(async () => made.length === 1);
  assert.equal(await newRunner().isRunning(), true);
  assert.equal(await newRunner().run(NEVER), null);
  release();
  assert.equal((await first).filter((backup) => backup !== null).length, 1);
  assert.equal(await newRunner().isRunning(), false);
  clock.now += 6 * HOUR - 1;
  assert.deepEqual(await all(), [null, null, null]);
  clock.now += 1;
  assert.equal((await all()).filter((backup) => backup !== null).length, 1);
  assert.equal(made.length, 2);
  // A clock that was a year ahead.
  clock.now -= 365 * 24 * HOUR;
  assert.notEqual(await newRunner().runIfDue(NEVER), null);
});

it('a failed backup is tried again after five minutes, and is known until one succeeds', async (t) => {
  const { clock, made, newRunner, fail, findings } = await prepare(t);
  const runner = newRunner();
  fail(new Error('the bucket is full.'));
  await assert.rejects(runner.runIfDue(NEVER), /the bucket is full/);
  const { now } = clock;
  clock.now += 299_999;
  assert.equal(await runner.runIfDue(NEVER), null);
  assert.deepEqual(await findings(), [
    `warning the one of 2026-03-05T03:30:00Z failed: the bucket is full`,
    (await findings())[1],
  ]);
  clock.now += 1;
  await assert.rejects(newRunner().runIfDue(NEVER));
  assert.deepEqual(made, [now, now + 300_000]);
  fail(null);
  assert.notEqual(await runner.run(NEVER), null);
  assert.deepEqual((await runner.readLog()).failed, null);
});

it('BACKUP_EVERY=off makes none by itself', async (t) => {
  const { clock, newRunner } = await prepare(t, 'off');
  clock.now += 1000 * HOUR;
  assert.equal(await newRunner().runIfDue(NEVER), null);
  assert.notEqual(await newRunner().run(NEVER), null);
});

it('doctor compares the age of the newest backup with BACKUP_EVERY', async (t) => {
  const { dataDirectory, clock, newRunner, findings } = await prepare(t);
  await newRunner().run(NEVER);
  const newest = 'the newest is of 2026-03-05T03:30:00Z, backup-1';
  assert.deepEqual(await findings(), [`ok ${newest}`, `ok 0 in ${join(dataDirectory, 'backups')}`]);
  clock.now += 10 * HOUR;
  assert.equal((await findings())[0], `warning ${newest}`);
  clock.now += 10 * HOUR;
  assert.equal((await findings())[0], `problem ${newest}`);
  await writeFile(join(dataDirectory, 'backups'), 'not a directory');
  assert.match((await findings())[1] ?? '', /^problem BACKUP_TO \(.*\) cannot be read: ENOTDIR/);
});

it('a log that a person changed counts as none', async (t) => {
  const { dataDirectory, newRunner } = await prepare(t);
  for (const text of ['', '{}', 'null', '{"completed":{"at":"now"},"failed":null}', '[1']) {
    await writeFile(join(dataDirectory, 'backups.json'), text);
    assert.deepEqual(await newRunner().readLog(), { completed: null, failed: null });
  }
});

it('a stopped backup is no failure', async (t) => {
  const { newRunner, fail } = await prepare(t);
  const stopping = new AbortController();
  fail(new Error('stopped'));
  stopping.abort();
  await assert.rejects(newRunner().run(stopping.signal), /stopped/);
  assert.equal((await newRunner().readLog()).failed, null);
});
