import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { CitusCluster, withoutCitus } from './citus-cluster.ts';

const root = join(import.meta.dirname, '../..');
/** The tests of what clients see, without the slow ones. */
const files = globSync(join(root, 'test/{conformance,sales,copy,orders}/*.test.ts')).filter(
  (file) => !file.endsWith('.slow.test.ts'),
);

it('the conformance tests pass on a cluster', { skip: withoutCitus, timeout: 1_800_000 }, async (t) => {
  const cluster = await CitusCluster.start(t);
  const flags = ['--test', '--test-concurrency=2', '--test-timeout=300000', '--test-reporter=tap'];
  const { NODE_TEST_CONTEXT: _, TEST_DATABASE_TEMPLATE: __, ...environment } = process.env;
  const run = spawn(process.execPath, [...flags, ...files.map((file) => relative(root, file))], {
    cwd: root,
    env: {
      ...environment,
      TEST_ENGINES: 'postgres',
      TEST_DATABASE_URL: cluster.coordinator.url,
      TEST_CITUS_WORKERS: cluster.workers.map(({ url }) => url).join(' '),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => run.kill('SIGKILL'));
  const [output, [status]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
  const failures = output.split('\n').filter((line) => /^\s*(not ok|error:)/.test(line));
  assert.deepEqual(failures, []);
  assert.equal(status, 0, output.slice(-4_000));
  const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1]);
  assert.ok(passed > 100, `${passed} tests ran`);
  t.diagnostic(`${passed} tests passed on a cluster`);
});
